/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wish_of.c - the wish in a job's record, in nodes of Slurm's table
 */
#include "slurm/records/wish_of.h"

#include "slurm/records/region.h"

static int64_t last_serial(const job_record_t *job)
{
	struct wish before;
	int64_t serial = 0;

	if (wish_parse(job->admin_comment, &before) == WISH_OK) {
		serial = before.serial;
		wish_clear(&before);
	}
	return serial;
}

/* To be free()d; "": none. NULL: out of memory */
static char *names_of(const struct nodeset *nodes)
{
	bitstr_t *bits = nodes ? region_to_bitmap(nodes) : NULL;
	char *names = bits ? bitmap2node_name(bits) : NULL;
	char *copy = strdup(names ? names : "");

	FREE_NULL_BITMAP(bits);
	xfree(names);
	return copy;
}

static bool put(job_record_t *job, struct wish *wish)
{
	char *comment;

	wish->serial = last_serial(job) + 1;
	comment = wish->leave ? wish_put(job->admin_comment, wish) : NULL;
	wish_clear(wish);
	if (!comment)
		return false;
	xfree(job->admin_comment);
	job->admin_comment = xstrdup(comment);
	free(comment);
	last_job_update = time(NULL);
	schedule_job_save();
	return true;
}

bool wish_put_in(job_record_t *job, uint32_t width, int64_t by, const struct nodeset *leave)
{
	return put(job, &(struct wish){ .width = width, .by = by, .leave = names_of(leave) });
}

bool wish_put_calls(job_record_t *job, uint32_t has, const struct wish_calls *calls)
{
	struct nodeset *all = calls->n ? nodeset_dup(calls->call[0].nodes) : NULL;
	struct wish wish = { .width = has };

	for (size_t i = 1; all && i < calls->n; i++) {
		struct wish_later *later = &wish.later[wish.laters++];

		nodeset_or(all, calls->call[i].nodes);
		later->by = calls->call[i].by;
		later->nodes = names_of(calls->call[i].nodes);
	}
	if (all) {
		wish.by = calls->call[0].by;
		wish.width -= nodeset_count(all);
	}
	if (all || !calls->n)
		wish.leave = names_of(all);
	nodeset_destroy(all);
	return put(job, &wish);
}

void wish_over(job_record_t *job, uint32_t width)
{
	struct wish wish;
	bool names;

	if (wish_parse(job->admin_comment, &wish) != WISH_OK)
		return;
	names = wish.leave[0] != '\0';
	wish_clear(&wish);
	if (names)
		wish_put_in(job, width, 0, NULL);
}

/* ---- what is due when ---- */

/* NULL: none of these, or memory is short, or Slurm knows none of the names. */
static struct nodeset *nodes_of(char *names, const struct nodeset *among)
{
	struct nodeset *nodes = NULL;
	bitstr_t *bits = NULL;

	if (names[0] && !node_name2bitmap(names, true, &bits, NULL))
		nodes = region_from_bitmap(bits);
	FREE_NULL_BITMAP(bits);
	if (nodes)
		nodeset_and(nodes, among);
	return nodes;
}

bool wish_calls_add(struct wish_calls *calls, int64_t by, const struct nodeset *nodes)
{
	const size_t most = sizeof(calls->call) / sizeof(calls->call[0]);
	struct wish_call *at = calls->call, *end = at + calls->n;
	struct nodeset *copy;

	while (at < end && at->by < by)
		at++;
	if (calls->n == most && (at == end || at->by > by))
		at -= at > calls->call;
	if (calls->n == most || (at < end && at->by == by)) {
		nodeset_or(at->nodes, nodes);
		at->by = by < at->by ? by : at->by;
		return true;
	}
	copy = nodeset_dup(nodes);
	if (!copy)
		return false;
	memmove(at + 1, at, (size_t)(end - at) * sizeof(*at));
	*at = (struct wish_call){ by, copy };
	calls->n++;
	return true;
}

void wish_calls_drop(const struct wish_calls *calls, struct nodeset *from)
{
	for (size_t i = 0; i < calls->n; i++)
		nodeset_and_not(from, calls->call[i].nodes);
}

void wish_calls_clear(struct wish_calls *calls)
{
	for (size_t i = 0; i < calls->n; i++)
		nodeset_destroy(calls->call[i].nodes);
	calls->n = 0;
}

/* Those of `left` that are due by then, which are taken out of it. */
static bool add_named(struct wish_calls *calls, int64_t by, char *names, struct nodeset *left)
{
	struct nodeset *nodes = nodes_of(names, left);
	bool ok = true;

	if (nodes && !nodeset_empty(nodes)) {
		ok = wish_calls_add(calls, by, nodes);
		nodeset_and_not(left, nodes);
	}
	nodeset_destroy(nodes);
	return ok;
}

bool wish_calls_of(const job_record_t *job, const struct nodeset *has, struct wish_calls *calls)
{
	struct wish wish;
	struct nodeset *left;
	bool ok = true;

	calls->n = 0;
	if (wish_parse(job->admin_comment, &wish) != WISH_OK)
		return true;
	left = wish.by ? nodes_of(wish.leave, has) : NULL;
	for (size_t i = 0; left && ok && i < wish.laters; i++)
		ok = add_named(calls, wish.later[i].by, wish.later[i].nodes, left);
	if (left && ok && !nodeset_empty(left))
		ok = wish_calls_add(calls, wish.by, left);
	nodeset_destroy(left);
	wish_clear(&wish);
	return ok;
}

bool wish_open(const job_record_t *job, const struct nodeset *has)
{
	struct wish_calls calls;
	bool open = wish_calls_of(job, has, &calls) && calls.n;

	wish_calls_clear(&calls);
	return open;
}

void wish_met(job_record_t *job)
{
	struct nodeset *has = region_from_bitmap(job->node_bitmap);

	if (has && !wish_open(job, has))
		wish_over(job, nodeset_count(has));
	nodeset_destroy(has);
}

bool wish_not_now(job_desc_msg_t *desc, const job_record_t *job, uint32_t uid, int *rc)
{
	int64_t serial;

	if (wish_refusal_parse(desc->comment, &serial) == WISH_NONE)
		return false;
	*rc = serial ? SLURM_SUCCESS : EINVAL;
	if (serial && uid != job->user_id && !validate_operator(uid))
		*rc = ESLURM_ACCESS_DENIED;
	if (*rc == SLURM_SUCCESS) {
		info("job_submit/deadline: JobId=%u: it would rather keep what wish %" PRId64
		     " asks for: that is taken when the notice is over",
		     job->job_id, serial);
		xfree(desc->comment);
	}
	return true;
}
