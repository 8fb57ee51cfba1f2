/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * entry.c - would Slurm make a record of a submission at all?
 */
#include "slurm/base/compat.h"

#include <limits.h>
#include <stdatomic.h>
#include <sys/param.h>

#include "slurm/base/array.h"
#include "slurm/eligibility/eligibility.h"
#include "slurm/eligibility/entry.h"
#include "slurm/eligibility/request.h"
#include "slurm/eligibility/account.h"
#include "slurm/records/parts.h"

/* A submission on its way through Slurm's checks. */
struct entry {
	const job_desc_msg_t *desc;
	const struct description *what;
	list_t *parts;
	part_record_t *first;
	uint32_t submitter;
	bitstr_t *required; /* or NULL */
	uint32_t min_nodes; /* or NO_VAL */
	uint32_t qos_flags;
	uint32_t most_time, least_nodes, most_nodes; /* of all its partitions */
	char *why;
	size_t size;
};

static int refuse(const struct entry *e, int code, const char *what)
{
	snprintf(e->why, e->size, "%s: Slurm refuses that: %s", what, slurm_strerror(code));
	return code;
}

/* ---- the submission alone (validate_job_create_req) ---- */

/*
 * slurmctld takes MaxArraySize over when it first needs it (an array is submitted, a job is cancelled or
 * changed by the text of its id), and keeps that until it is restarted; job_mgr.c does not let it be
 * seen.  It is none smaller than the least that has been configured up to the first array.
 */
static _Atomic uint32_t array_size = NO_VAL;
static _Atomic bool array_size_kept;

/* So it does with max_script_size, at the first submission or change of a job. */
static _Atomic int script_size = INT_MAX;
static _Atomic bool script_size_kept;

static int configured_script_size(void)
{
	const char *at = xstrcasestr(slurm_conf.sched_params, "max_script_size=");

	return at ? atoi(at + strlen("max_script_size=")) : 4 * 1024 * 1024;
}

void entry_seen(const job_desc_msg_t *desc)
{
	int script = configured_script_size();

	if (!array_size_kept && slurm_conf.max_array_sz < array_size)
		array_size = slurm_conf.max_array_sz;
	if (!script_size_kept && script < script_size)
		script_size = script;
	if (desc && desc->array_inx && desc->array_inx[0])
		array_size_kept = true;
	if (desc)
		script_size_kept = true;
}

/* max_array_tasks= of SchedulerParameters, or MaxArraySize. */
static uint32_t most_tasks(void)
{
	const char *at = xstrcasestr(slurm_conf.sched_params, "max_array_tasks=");

	return at ? (uint32_t)atoi(at + strlen("max_array_tasks=")) : array_size;
}

static int check_array(const struct entry *e)
{
	const char *text = e->desc->array_inx;
	uint32_t tasks = text ? array_count(text, DESCRIBE_TASKS) : 0;
	char what[64];

	/* What is not understood, or more than can be planned, is refused for that. */
	if (!tasks)
		return SLURM_SUCCESS;
	entry_seen(NULL);
	if (array_highest(text) >= array_size || array_widest(text) >= array_size) {
		snprintf(what, sizeof(what), "MaxArraySize=%u", (unsigned int)array_size);
		return refuse(e, ESLURM_INVALID_ARRAY, what);
	}
	/* Slurm counts a task that is named twice once. */
	if (!strchr(text, ',') && tasks > most_tasks()) {
		snprintf(what, sizeof(what), "max_array_tasks=%u", most_tasks());
		return refuse(e, ESLURM_INVALID_ARRAY, what);
	}
	return SLURM_SUCCESS;
}

static int check_script(const struct entry *e)
{
	const char *script = e->desc->script;
	char what[64];

	entry_seen(NULL);
	if (!script || (int64_t)strlen(script) <= script_size)
		return SLURM_SUCCESS;
	snprintf(what, sizeof(what), "a script of %zu bytes, max_script_size=%d", strlen(script),
		 (int)script_size);
	return refuse(e, ESLURM_PATHNAME_TOO_LONG, what);
}

/* Texts that Slurm keeps, and their most (_test_job_desc_fields). */
static int check_texts(const struct entry *e)
{
	const job_desc_msg_t *d = e->desc;
	const struct {
		const char *name, *text;
		size_t most;
	} texts[] = {
		{ "--account", d->account, 1024 },
		{ "the submitting host", d->alloc_node, 1024 },
		{ "--array", d->array_inx, 4 * 1024 },
		{ "--bb", d->burst_buffer, 8 * 1024 },
		{ "--comment", d->comment, 1024 },
		{ "--cpu-bind", d->cpu_bind, 128 * 1024 },
		{ "--cpus-per-gpu", d->cpus_per_tres, 1024 },
		{ "--dependency", d->dependency, 128 * 1024 },
		{ "--constraint", d->features, 1024 },
		{ "--cluster-constraint", d->cluster_features, 1024 },
		{ "--licenses", d->licenses, 1024 },
		{ "--mail-user", d->mail_user, 1024 },
		{ "--mcs-label", d->mcs_label, 1024 },
		{ "--mem-bind", d->mem_bind, 128 * 1024 },
		{ "--mem-per-gpu", d->mem_per_tres, 1024 },
		{ "--job-name", d->name, 1024 },
		{ "--network", d->network, 1024 },
		{ "--partition", d->partition, 1024 },
		{ "--prefer", d->prefer, 1024 },
		{ "--qos", d->qos, 1024 },
		{ "--reservation", d->reservation, 1024 },
		{ "the command line", d->submit_line, 1024 * 1024 },
		{ "--tres-bind", d->tres_bind, 1024 },
		{ "--tres-freq", d->tres_freq, 1024 },
		{ "--gpus", d->tres_per_job, 1024 },
		{ "--gres", d->tres_per_node, 1024 },
		{ "--gpus-per-socket", d->tres_per_socket, 1024 },
		{ "--gpus-per-task", d->tres_per_task, 1024 },
		{ "--wckey", d->wckey, 1024 },
		{ "--error", d->std_err, MAXPATHLEN },
		{ "--input", d->std_in, MAXPATHLEN },
		{ "--output", d->std_out, MAXPATHLEN },
		{ "--chdir", d->work_dir, MAXPATHLEN },
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (texts[i].text && strlen(texts[i].text) > texts[i].most)
			return refuse(e, ESLURM_PATHNAME_TOO_LONG, texts[i].name);
	return SLURM_SUCCESS;
}

static int check_x11(const struct entry *e)
{
	if (e->desc->x11 && (e->desc->script || !(slurm_conf.prolog_flags & PROLOG_FLAG_X11)))
		return refuse(e, ESLURM_X11_NOT_AVAIL, "--x11");
	return SLURM_SUCCESS;
}

/* A number of its own, which only Slurm's API gives (_validate_job_desc). */
static int check_id(const struct entry *e)
{
	uint32_t id = e->desc->job_id;

	if (id == NO_VAL)
		return SLURM_SUCCESS;
	if (!id || (e->submitter != 0 && e->submitter != slurm_conf.slurm_user_id))
		return refuse(e, ESLURM_INVALID_JOB_ID, "a job id of its own");
	return find_job_record(id) ? refuse(e, ESLURM_DUPLICATE_JOB_ID, "a job id of its own")
				   : SLURM_SUCCESS;
}

/* ---- its partitions (_get_job_parts, _valid_job_part) ---- */

/* Drained and inactive ones take none; of several one is enough. */
static int check_open(const struct entry *e)
{
	list_itr_t *iter = list_iterator_create(e->parts);
	const part_record_t *part;
	bool open = false;

	while (!open && (part = list_next(iter)))
		open = part->state_up & PARTITION_SUBMIT;
	list_iterator_destroy(iter);
	if (open)
		return SLURM_SUCCESS;
	snprintf(e->why, e->size, "partition %.60s: State=%s, it takes no jobs; name another",
		 e->first->name, e->first->state_up & PARTITION_SCHED ? "DRAIN" : "INACTIVE");
	return ESLURM_PARTITION_NOT_AVAIL;
}

static bool over(const struct entry *e, uint32_t flag, bool is)
{
	return is && !(e->qos_flags & flag);
}

/* By what Slurm would not let it into one partition, if its limits are enforced. */
static int part_limit(const struct entry *e, const part_record_t *part)
{
	const job_desc_msg_t *d = e->desc;
	bool runs = part->state_up & PARTITION_SCHED;

	if (runs && d->min_cpus != NO_VAL &&
	    (d->min_cpus > part->total_cpus ||
	     d->min_cpus > part->max_cpus_per_node * part->total_nodes))
		return ESLURM_TOO_MANY_REQUESTED_CPUS;
	if (runs && e->min_nodes != NO_VAL && e->min_nodes > part->total_nodes)
		return ESLURM_INVALID_NODE_COUNT;
	if (e->required && part->node_bitmap && !bit_super_set(e->required, part->node_bitmap))
		return ESLURM_REQUESTED_NODES_NOT_IN_PARTITION;
	if (!runs)
		return SLURM_SUCCESS;
	if (over(e, QOS_FLAG_PART_MIN_NODE,
		 e->min_nodes != NO_VAL && e->min_nodes < part->min_nodes) ||
	    over(e, QOS_FLAG_PART_MAX_NODE,
		 d->max_nodes != NO_VAL && d->max_nodes > part->max_nodes))
		return ESLURM_INVALID_NODE_COUNT;
	if (over(e, QOS_FLAG_PART_TIME_LIMIT,
		 d->time_limit != NO_VAL && d->time_limit > part->max_time))
		return ESLURM_INVALID_TIME_LIMIT;
	return SLURM_SUCCESS;
}

/* EnforcePartLimits: ALL is meant so, ANY, and one partition, take it where any does. */
static int check_enforced(struct entry *e)
{
	list_itr_t *iter = list_iterator_create(e->parts);
	int code = SLURM_SUCCESS, failed = SLURM_SUCCESS;
	const part_record_t *part, *where = NULL;
	char what[128];
	bool any = false;

	while ((part = list_next(iter))) {
		e->most_time = MAX(e->most_time, part->max_time);
		e->least_nodes = MIN(e->least_nodes, part->min_nodes_orig);
		e->most_nodes = MAX(e->most_nodes, part->max_nodes_orig);
		code = part_limit(e, part);
		any |= !code;
		if (code && !failed) {
			failed = code;
			where = part;
		}
	}
	list_iterator_destroy(iter);
	if (!slurm_conf.enforce_part_limits || !failed ||
	    (slurm_conf.enforce_part_limits == PARTITION_ENFORCE_ANY && any))
		return SLURM_SUCCESS;
	snprintf(what, sizeof(what), "partition %.60s and EnforcePartLimits", where->name);
	return refuse(e, failed, what);
}

/* Nor may one of several partitions keep it waiting then, by its memory, say. */
static int check_memory(const struct entry *e)
{
	bool all = slurm_conf.enforce_part_limits == PARTITION_ENFORCE_ALL;

	if (!slurm_conf.enforce_part_limits ||
	    (e->what->waits != DESCRIBE_MAX_MEMORY && e->what->waits != DESCRIBE_CPU_MEMORY &&
	     !(all && e->what->memory_waits)))
		return SLURM_SUCCESS;
	return refuse(e,
		      e->desc->pn_min_memory == NO_VAL64 ? ESLURM_REQUESTED_PART_CONFIG_UNAVAILABLE
							 : ESLURM_INVALID_TASK_MEMORY,
		      "its memory and EnforcePartLimits");
}

static int check_nodes(const struct entry *e)
{
	const job_desc_msg_t *d = e->desc;

	/* With a script, and no array, 0 is none named. */
	if (d->max_nodes == 0 && (d->array_inx || !d->script))
		return refuse(e, ESLURM_INVALID_NODE_COUNT, "no nodes");
	if (!slurm_conf.enforce_part_limits)
		return SLURM_SUCCESS;
	if (over(e, QOS_FLAG_PART_MAX_NODE, e->min_nodes != NO_VAL && e->min_nodes > e->most_nodes))
		return refuse(e, ESLURM_INVALID_NODE_COUNT, "MaxNodes and EnforcePartLimits");
	if (over(e, QOS_FLAG_PART_MIN_NODE,
		 d->max_nodes != NO_VAL && d->max_nodes < e->least_nodes))
		return refuse(e, ESLURM_INVALID_NODE_COUNT, "MinNodes and EnforcePartLimits");
	return SLURM_SUCCESS;
}

/* A node that is both required and excluded. */
static int check_excluded(const struct entry *e)
{
	const char *names = e->desc->exc_nodes;
	bitstr_t *excluded = NULL;
	bool both;

	if (e->required && names && names[0])
		(void)node_name2bitmap((char *)names, false, &excluded, NULL);
	both = excluded && bit_overlap_any(e->required, excluded);
	FREE_NULL_BITMAP(excluded);
	return both ? refuse(e, ESLURM_INVALID_NODE_NAME, "--nodelist and --exclude overlap")
		    : SLURM_SUCCESS;
}

static int check_times(const struct entry *e)
{
	const job_desc_msg_t *d = e->desc;
	bool least = d->time_min && d->time_min != NO_VAL;
	uint32_t limit = d->time_limit != NO_VAL ? d->time_limit : e->first->default_time;

	if (d->time_limit == NO_VAL && !e->first->default_time)
		return refuse(e, ESLURM_INVALID_TIME_LIMIT, "DefaultTime=0; add --time");
	if (over(e, QOS_FLAG_PART_TIME_LIMIT, least && d->time_min > e->most_time))
		return refuse(e, ESLURM_INVALID_TIME_MIN_LIMIT, "--time-min over MaxTime");
	if (over(e, QOS_FLAG_PART_TIME_LIMIT, least && limit != NO_VAL && d->time_min > limit))
		return refuse(e, ESLURM_INVALID_TIME_MIN_LIMIT, "--time-min over --time");
	return SLURM_SUCCESS;
}

/* ---- what Slurm keeps of it ---- */

/* As _validate_job_desc() has its memory by then. */
static int check_frequency(const struct entry *e)
{
	uint64_t memory = e->desc->pn_min_memory;

	if (memory == NO_VAL64)
		memory = e->first->def_mem_per_cpu ? e->first->def_mem_per_cpu
						   : slurm_conf.def_mem_per_cpu;
	if (memory == MEM_PER_CPU)
		memory = 0;
	if (acct_gather_check_acct_freq_task(memory, e->desc->acctg_freq))
		return refuse(e, ESLURMD_INVALID_ACCT_FREQ, "--acctg-freq");
	return SLURM_SUCCESS;
}

/* As job_mgr.c counts records: the tasks of an array that have none of their own are one each. */
static int count_record(void *x, void *arg)
{
	const job_record_t *job = x;
	uint32_t *n = arg;

	*n += job->array_recs && job->array_recs->task_cnt ? job->array_recs->task_cnt : 1;
	return 0;
}

/* Slurm passes over all of them at a submission, too (_top_priority). */
static int check_room(const struct entry *e)
{
	uint32_t tasks = e->desc->array_inx ? array_count(e->desc->array_inx, DESCRIBE_TASKS) : 0;
	uint32_t n = tasks ? tasks : 1;
	char what[64];

	(void)list_for_each(job_list, count_record, &n);
	if (n < slurm_conf.max_job_cnt)
		return SLURM_SUCCESS;
	snprintf(what, sizeof(what), "MaxJobCount=%u is reached", slurm_conf.max_job_cnt);
	return refuse(e, EAGAIN, what);
}

int entry_label(const job_desc_msg_t *desc, char *why, size_t size)
{
	job_details_t details = {
		.whole_node = desc->shared == JOB_SHARED_MCS ? WHOLE_NODE_MCS : 0,
	};
	struct entry e = { .desc = desc, .why = why, .size = size };
	list_t *parts = parts_named(desc->partition);
	const part_record_t *first = parts ? list_peek(parts) : NULL;
	char account[256], what[128];
	job_record_t *job;
	int rc;

	if (!first || !xstrcmp(slurm_conf.mcs_plugin, "mcs/none")) {
		FREE_NULL_LIST(parts);
		return SLURM_SUCCESS;
	}
	eligibility_account(desc->user_id, first->name, desc->account, account, sizeof(account));
	FREE_NULL_LIST(parts);
	job = xmalloc(sizeof(*job));
	job->user_id = desc->user_id;
	job->group_id = desc->group_id != NO_VAL ? desc->group_id : gid_from_uid(desc->user_id);
	job->account = account[0] ? account : NULL;
	job->details = &details;
	rc = mcs_g_set_mcs_label(job, desc->mcs_label);
	xfree(job->mcs_label);
	xfree(job);
	if (!rc)
		return SLURM_SUCCESS;
	snprintf(what, sizeof(what), "mcs-label %.60s",
		 desc->mcs_label ? desc->mcs_label : "(the default)");
	return refuse(&e, ESLURM_INVALID_MCS_LABEL, what);
}

/* ---- all of it ---- */

static int check(struct entry *e)
{
	int code = check_array(e);

	if (!code)
		code = check_texts(e);
	if (!code)
		code = check_script(e);
	if (!code)
		code = check_x11(e);
	if (!code)
		code = check_room(e);
	if (!code)
		code = check_open(e);
	if (!code)
		code = eligibility_finds(e->desc, e->parts, &e->qos_flags, e->why, e->size);
	if (!code)
		code = check_enforced(e);
	if (!code)
		code = check_nodes(e);
	if (!code)
		code = check_excluded(e);
	if (!code)
		code = check_times(e);
	if (!code)
		code = check_id(e);
	if (!code)
		code = check_memory(e);
	if (!code)
		code = check_frequency(e);
	return code ? code : eligibility_wckey(e->desc, e->why, e->size);
}

int entry_refused(const job_desc_msg_t *desc, uint32_t submitter, const struct description *what,
		  char *why, size_t size)
{
	struct entry e = {
		.desc = desc,
		.what = what,
		.submitter = submitter,
		.parts = parts_named(desc->partition),
		.min_nodes = desc->min_nodes,
		.least_nodes = INFINITE,
		.why = why,
		.size = size,
	};
	int code;

	why[0] = '\0';
	if (!e.parts)
		return SLURM_SUCCESS;
	e.first = list_peek(e.parts);
	/* That there is no such node is found by its description. */
	if (desc->req_nodes && desc->req_nodes[0])
		(void)node_name2bitmap(desc->req_nodes, false, &e.required, NULL);
	if (request_chooses(e.required, desc->min_nodes))
		FREE_NULL_BITMAP(e.required);
	if (e.required)
		e.min_nodes = MAX(desc->min_nodes, (uint32_t)bit_set_count(e.required));
	code = check(&e);
	FREE_NULL_BITMAP(e.required);
	FREE_NULL_LIST(e.parts);
	return code;
}
