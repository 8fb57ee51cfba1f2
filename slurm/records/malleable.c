/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * malleable.c - a job that is resized while it runs, and what its end is worth
 */
#include "slurm/records/malleable.h"
#include "slurm/records/job_env.h"
#include "slurm/records/region.h"
#include "slurm/records/wish_of.h"

/* As Slurm names the options of a SPANK plugin. */
#define OPTION "_SLURM_SPANK_OPTION_spank_pact_malleable"
#define VALUE "_SLURM_SPANK_OPTION_spank_pact_value"
/* What it has, and has done. */
#define OWN "PACT_OWN"
#define OWN_VERSION "2"
#define OWN_FORMAT ":%" SCNu32 ":%" SCNu32 ":%" SCNu32 ":%" SCNd64 ":%" SCNd64
/* What it was started on: Slurm's count of restarts then, and the nodes. */
#define STARTED "PACT_STARTED"
#define STARTED_VERSION "1"
/* Which nodes it has left that were not clean when it was saved. */
#define LEFT "PACT_LEFT"
#define LEFT_VERSION "1:"

static bool read_option(const char *text, struct malleable_option *out)
{
	char why[256];

	*out = (struct malleable_option){ 0 };
	return text && malleable_option_read(text, out, why, sizeof(why));
}

static int64_t read_value(const char *text)
{
	char why[256];
	int64_t value = 0;

	return text && malleable_value_read(text, &value, why, sizeof(why)) ? value : 0;
}

bool malleable_of(const job_record_t *job, struct malleable_option *out)
{
	return read_option(job_env_get(job, OPTION), out);
}

int64_t malleable_value(const job_record_t *job)
{
	return read_value(job_env_get(job, VALUE));
}

/* Version 1 does not tell which run it is of: the one that is looked at. */
static bool read_run(const char *text, struct malleable_run *run, uint16_t *restarts)
{
	char over;

	return sscanf(text, OWN_VERSION OWN_FORMAT ":%" SCNu16 "%c", &run->own, &run->lost,
		      &run->has, &run->ran, &run->done, restarts, &over) == 6 ||
	       sscanf(text, "1" OWN_FORMAT "%c", &run->own, &run->lost, &run->has, &run->ran,
		      &run->done, &over) == 5;
}

bool malleable_run_of(const job_record_t *job, struct malleable_run *out)
{
	const char *text = job_env_get(job, OWN);
	uint16_t restarts = job->restart_cnt;
	struct malleable_run run;

	*out = (struct malleable_run){ 0 };
	if (!text || !read_run(text, &run, &restarts) || restarts != job->restart_cnt || !run.own ||
	    run.own > run.has || run.ran < 0)
		return false;
	*out = run;
	return true;
}

void malleable_run_put(job_record_t *job, const struct malleable_run *run)
{
	char text[128];

	snprintf(text, sizeof(text),
		 OWN_VERSION ":%" PRIu32 ":%" PRIu32 ":%" PRIu32 ":%" PRId64 ":%" PRId64
			     ":%" PRIu16,
		 run->own, run->lost, run->has, run->ran, run->done, job->restart_cnt);
	job_env_put(job, OWN, text);
}

static void put_started(job_record_t *job)
{
	char *text = NULL;

	if (job->nodes && job->nodes[0])
		text = xstrdup_printf(STARTED_VERSION ":%" PRIu16 ":%s", job->restart_cnt,
				      job->nodes);
	job_env_put(job, STARTED, text);
	xfree(text);
}

/* NULL: it is not known, or another run was; or memory is short. */
static struct nodeset *started_on(const job_record_t *job)
{
	const char *text = job_env_get(job, STARTED);
	struct nodeset *nodes = NULL;
	bitstr_t *bits = NULL;
	uint16_t restarts = 0;
	int names_at = 0;
	char *names;

	if (!text || sscanf(text, STARTED_VERSION ":%" SCNu16 ":%n", &restarts, &names_at) != 1 ||
	    !names_at || restarts != job->restart_cnt)
		return NULL;
	names = xstrdup(text + names_at);
	if (!node_name2bitmap(names, true, &bits, NULL))
		nodes = region_from_bitmap(bits);
	FREE_NULL_BITMAP(bits);
	xfree(names);
	return nodes;
}

void malleable_begin(job_record_t *job)
{
	uint32_t n = job->node_bitmap ? (uint32_t)bit_set_count(job->node_bitmap) : 0;
	struct malleable_option option;

	if (!n || !malleable_of(job, &option))
		return;
	malleable_run_put(job, &(struct malleable_run){ .own = n, .has = n });
	put_started(job);
	/* what an earlier run was asked for, this one may have as its own */
	wish_over(job, n);
}

void malleable_requeued(job_record_t *job)
{
	if (!IS_JOB_PENDING(job) || IS_JOB_COMPLETING(job) || !job_env_get(job, OWN))
		return;
	job_env_put(job, OWN, NULL);
	job_env_put(job, STARTED, NULL);
	wish_over(job, job->details && job->details->min_nodes ? job->details->min_nodes : 1);
}

void malleable_strip(job_desc_msg_t *desc)
{
	job_env_strip(desc, OWN);
	job_env_strip(desc, STARTED);
	job_env_strip(desc, LEFT);
}

const char *malleable_left(const job_record_t *job)
{
	const char *text = job_env_get(job, LEFT);

	return text && !xstrncmp(text, LEFT_VERSION, strlen(LEFT_VERSION)) &&
			       text[strlen(LEFT_VERSION)]
		       ? text + strlen(LEFT_VERSION)
		       : NULL;
}

void malleable_left_put(job_record_t *job, const char *names)
{
	char *text = names ? xstrdup_printf(LEFT_VERSION "%s", names) : NULL;

	job_env_put(job, LEFT, text);
	xfree(text);
}

/* The lowest of these join, until there are so many. */
static void add_lowest(struct nodeset *own, const struct nodeset *of, int32_t width)
{
	for (uint32_t n = nodeset_next(of, 0);
	     n < nodeset_size(of) && (int32_t)nodeset_count(own) < width;
	     n = nodeset_next(of, n + 1))
		nodeset_set(own, n);
}

/* What it was started on: to what is promised the others, on loan, are to be had, whichever are in whose partition. */
static void add_started(struct nodeset *own, const job_record_t *job, const struct nodeset *has,
			int32_t width)
{
	struct nodeset *started = width < (int32_t)nodeset_count(has) ? started_on(job) : NULL;

	if (!started)
		return;
	nodeset_and(started, has);
	add_lowest(own, started, width);
	nodeset_destroy(started);
}

/* RET the node of its batch script; below 0: it is not known, or none of these */
static int batch_among(const job_record_t *job, const struct nodeset *nodes)
{
	int batch = job->batch_host ? node_name_get_inx(job->batch_host) : -1;

	return batch >= 0 && (uint32_t)batch < nodeset_size(nodes) &&
			       nodeset_test(nodes, (uint32_t)batch)
		       ? batch
		       : -1;
}

struct nodeset *malleable_own(const job_record_t *job, const struct nodeset *has, int32_t width)
{
	struct nodeset *own = nodeset_create(nodeset_size(has));
	int batch = batch_among(job, has);

	if (own && batch >= 0)
		nodeset_set(own, (uint32_t)batch);
	if (own) {
		add_started(own, job, has, width);
		add_lowest(own, has, width);
	}
	return own;
}

uint32_t malleable_before_batch(const job_record_t *job, const struct nodeset *own)
{
	int batch = batch_among(job, own);
	uint32_t before = 0;

	for (uint32_t n = nodeset_next(own, 0); batch >= 0 && n < (uint32_t)batch;
	     n = nodeset_next(own, n + 1))
		before++;
	return before;
}

bool malleable_asked(const job_desc_msg_t *desc, struct malleable_option *out)
{
	return read_option(job_env_asked(desc, OPTION), out);
}

int64_t malleable_asked_value(const job_desc_msg_t *desc)
{
	return read_value(job_env_asked(desc, VALUE));
}

void malleable_pretend(job_desc_msg_t *desc, const char *malleable, const char *value)
{
	job_env_ask(desc, OPTION, malleable);
	job_env_ask(desc, VALUE, value);
}

static bool has_range(const job_desc_msg_t *desc)
{
	return desc->min_nodes != NO_VAL && desc->max_nodes != NO_VAL &&
	       desc->max_nodes > desc->min_nodes;
}

bool malleable_check(const job_desc_msg_t *desc, char *out, size_t size)
{
	const char *text = job_env_asked(desc, OPTION), *value = job_env_asked(desc, VALUE);
	struct malleable_option option;
	int64_t worth;

	if (value && !malleable_value_read(value, &worth, out, size))
		return false;
	if (!text)
		return true;
	if (!malleable_option_read(text, &option, out, size))
		return false;
	if (desc->het_job_offset != NO_VAL)
		snprintf(out, size, "--malleable: a part of a het job is not resized");
	else if (desc->array_inx && desc->array_inx[0])
		snprintf(out, size, "--malleable: tasks of an array are not resized");
	else if (!has_range(desc))
		snprintf(out, size, "--malleable: a range of nodes is wanted, --nodes=MIN-MAX");
	else
		return true;
	return false;
}
