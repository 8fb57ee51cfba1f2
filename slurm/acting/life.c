/* SPDX-License-Identifier: GPL-2.0-or-later */
/* life.c - the first seconds of a controller in charge, see life.h */
#include "slurm/acting/life.h"

#include "slurm/records/asleep.h"

/*
 * Slurm saves a start up to 5 s later.  A controller that died in between comes up
 * with a job waiting that a node runs already; started again, the copy is refused,
 * the node drained and the job held.  When the node has registered, the stale copy
 * is killed: so jobs from before wait for the registrations (3 s after the start),
 * and for the killing.
 */
#define STALE_KILL 10 /* seconds from the last registration; 6 were seen, on a fast clock */
#define STALE_MOST 60 /* seconds in all */

static struct {
	time_t since;	   /* of this life as the controller in charge */
	time_t registered; /* every node that may be alive had; 0: not yet */
	time_t put_off;	   /* a start was, then; 0: none since */
	bool over;
} fresh;

/* Of each node since when its slurmd answers; 0: it does not. */
static struct {
	time_t *since;
	int n;
} answers;

void life_begin(void)
{
	free(answers.since);
	answers.since = NULL;
	memset(&fresh, 0, sizeof(fresh));
	fresh.since = time(NULL);
}

bool life_put_off(void)
{
	if (!fresh.put_off || time(NULL) == fresh.put_off)
		return false;
	fresh.put_off = 0; /* the pass that follows puts off anew, or starts */
	return true;
}

/* A node that has not answered yet is not in avail_node_bitmap, and counts all the same. */
static bool all_registered(void)
{
	node_record_t *node;

	for (int i = 0; (node = next_node(&i)); i++)
		if (!node->slurmd_start_time && !IS_NODE_DOWN(node) && !IS_NODE_FUTURE(node) &&
		    !node_is_asleep(node))
			return false;
	return true;
}

bool life_registered(void)
{
	return fresh.over || all_registered() || time(NULL) >= fresh.since + STALE_MOST;
}

static time_t answers_since(const node_record_t *node)
{
	return !node || IS_NODE_NO_RESPOND(node) || IS_NODE_DOWN(node) ? 0
								       : node->slurmd_start_time;
}

struct nodeset *life_returned(void)
{
	bool known = answers.since && answers.n == node_record_count, any = false;
	struct nodeset *returned = known ? nodeset_create((uint32_t)answers.n) : NULL;

	if (!known) {
		free(answers.since);
		answers.n = node_record_count;
		answers.since = calloc((size_t)answers.n + 1, sizeof(*answers.since));
	}
	for (int i = 0; answers.since && i < answers.n; i++) {
		time_t since = answers_since(node_record_table_ptr[i]);

		if (returned && since && since != answers.since[i]) {
			nodeset_set(returned, (uint32_t)i);
			any = true;
		}
		answers.since[i] = since;
	}
	if (any)
		return returned;
	nodeset_destroy(returned);
	return NULL;
}

static bool is_over(time_t now)
{
	if (fresh.over)
		return true;
	if (!fresh.registered && all_registered())
		fresh.registered = now;
	fresh.over = now < fresh.since || now >= fresh.since + STALE_MOST ||
		     (fresh.registered && now >= fresh.registered + STALE_KILL);
	return fresh.over;
}

bool life_settled(void)
{
	time_t now = time(NULL);

	if (is_over(now))
		return true;
	fresh.put_off = now;
	return false;
}

bool life_may_run(const job_record_t *job)
{
	return job->details->submit_time < fresh.since && !life_settled();
}
