/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sync_reports.c - what nodes' daemons have reported, told to the core
 */
#include "slurm/base/compat.h"

#include "slurm/sync/sync_reports.h"
#include "slurm/sync/sync_job.h"
#include "slurm/base/clock.h"
#include "slurm/base/scheduler.h"
#include "slurm/nodes/reports.h"
#include "slurm/state/track.h"

/* A pass that tells what was reported gives way after so many microseconds. */
#define PIECE_US 2000

/*
 * Reports are taken once in so many microseconds, however many passes are made: to look at all of 10,000 nodes in each of
 * those that submissions cause was a fifth of slurmctld's time (bench/reports.pl).
 */
#define TAKE_US 1000000

/* When that was, of the thread that plans; 0: not yet. */
static int64_t taken_at;

/* Admissions have their turn between two pieces; not while the core is begun anew, which can answer none yet. */
struct turn {
	int64_t began;
	bool gives; /* way */
};

static void give_way(struct bridge *b, struct turn *turn)
{
	if (!turn->gives || clock_us() - turn->began < PIECE_US)
		return;
	bridge_yield(b);
	turn->began = clock_us();
}

/* Of the core's table; a realm's nodes may be of an older one for a pass. */
static bool has_realm(const struct sync *s)
{
	return s->b->realm && nodeset_size(s->b->realm) == s->snap->nodes;
}

/* ---- what they are ---- */

/* As it is to be told; a node that has never reported is as fast as limits are meant for. */
static struct snap_node node_is(const struct sync *s, uint32_t node)
{
	struct snap_node is = s->snap->has[node];

	is.rating = s->b->said ? (int32_t)s->b->said[node].rating : 0;
	is.most = s->b->places ? s->b->places[node] : 0;
	is.name = NULL;
	return is;
}

static bool is_same(const struct snap_node *a, const struct snap_node *b)
{
	return a->processors == b->processors && a->memory == b->memory && a->rating == b->rating &&
	       a->most == b->most;
}

/* Those among the realms' that are like this one and that the core takes for others. */
static bool find_alike(const struct sync *s, uint32_t first, struct nodeset *out)
{
	struct snap_node is = node_is(s, first);

	nodeset_clear(out);
	for (uint32_t i = first; i < s->snap->nodes; i++) {
		struct snap_node other = node_is(s, i);

		if (nodeset_test(s->b->realm, i) && is_same(&is, &other) &&
		    !is_same(&other, &s->b->told[i]))
			nodeset_set(out, i);
	}
	return !nodeset_empty(out);
}

static void tell_alike(struct sync *s, const struct nodeset *nodes, const struct snap_node *is)
{
	if (!sync_event(s,
			&(struct sched_event){ .type = EV_NODES,
					       .nodes = nodes,
					       .rating = is->rating,
					       .processors = is->processors,
					       .memory = is->memory,
					       .most = is->most },
			"what nodes have"))
		return;
	for (uint32_t k = nodeset_next(nodes, 0); k < s->snap->nodes;
	     k = nodeset_next(nodes, k + 1))
		s->b->told[k] = *is;
}

void sync_nodes(struct sync *s)
{
	struct bridge *b = s->b;
	struct nodeset *nodes;

	if (!has_realm(s))
		return;
	if (!b->told)
		b->told = calloc((size_t)s->snap->nodes + 1, sizeof(*b->told));
	nodes = nodeset_create(s->snap->nodes);
	for (uint32_t i = 0; b->told && nodes && i < s->snap->nodes; i++) {
		struct snap_node is = node_is(s, i);

		if (nodeset_test(b->realm, i) && !is_same(&is, &b->told[i]) &&
		    find_alike(s, i, nodes))
			tell_alike(s, nodes, &is);
	}
	nodeset_destroy(nodes);
}

/* ---- how far jobs have come ---- */

static const struct report_job *find_job(const struct reports_node *node, const struct snap_job *j)
{
	for (size_t i = 0; i < node->njobs; i++)
		if (node->jobs[i].id == j->job_id && node->jobs[i].submit == j->terms.submit)
			return &node->jobs[i];
	return NULL;
}

static void tell_progress(struct sync *s, const struct snap_job *j, struct nodeset *one,
			  struct turn *turn)
{
	const struct track *track = track_find(s->b, sync_key(j, 0));
	uint64_t core = track ? track->core : 0;

	if (!track || !track->running || !j->terms.estimate || j->ending)
		return;
	for (uint32_t i = nodeset_next(j->nodes, 0); i < s->snap->nodes;
	     i = nodeset_next(j->nodes, i + 1)) {
		const struct report_job *job = find_job(&s->b->said[i], j);

		if (!job)
			continue;
		nodeset_clear(one);
		nodeset_set(one, i);
		sync_event(
			s,
			&(struct sched_event){
				.type = EV_PROGRESS, .id = core, .nodes = one, .work = job->work },
			"how far a job has come");
		give_way(s->b, turn);
	}
}

static void write_terms(const struct reports_job *job, char text[REPORT_TERMS])
{
	share_terms_text(&(struct share_terms){ .submit = job->submit,
						.estimate = job->estimate,
						.due = job->due,
						.processors = job->takes,
						.rule = job->rule },
			 text);
}

/* Nodes may let go what is not among these. */
static void tell_running(const struct snapshot *snap)
{
	struct reports_job *jobs = calloc(snap->njobs + 1, sizeof(*jobs));
	size_t n = 0;

	if (!jobs)
		return;
	for (size_t i = 0; i < snap->njobs; i++)
		if (snap->jobs[i].state == SNAP_RUNNING && snap->jobs[i].terms.estimate)
			jobs[n++] = (struct reports_job){
				.id = snap->jobs[i].job_id,
				.takes = snap->jobs[i].terms.processors,
				.submit = snap->jobs[i].terms.submit,
				.estimate = snap->jobs[i].terms.estimate,
				.due = snap->jobs[i].terms.due,
				.rule = snap->jobs[i].terms.rule,
			};
	reports_running(jobs, n, snap->now, write_terms);
}

/* ---- nodes that get no new job ---- */

static void name_node(const struct sync *s, uint32_t node, bool silent)
{
	const struct reports_node *r = &s->b->said[node];
	const char *name = s->snap->has[node].name;

	if (!silent)
		info("%s: node %s: its pactd reports", scheduler_type(), name);
	else if (r->heard)
		error("%s: node %s gets no job: %s", scheduler_type(), name, r->lacks);
	else
		error("%s: node %s gets no job: its pactd is silent", scheduler_type(), name);
}

static bool is_silent(const struct sync *s, uint32_t node)
{
	const struct reports_node *r = &s->b->said[node];

	return s->b->daemons && nodeset_test(s->b->daemons, node) && reports_on() &&
	       (!r->heard || r->lacks[0]);
}

/* What a node lacks is told when it is first heard of, also of one that was silent before. */
static void tell_lacking(struct sync *s)
{
	struct bridge *b = s->b;

	if (!b->lacking)
		b->lacking = nodeset_create(s->snap->nodes);
	for (uint32_t i = 0; b->lacking && i < s->snap->nodes; i++) {
		bool lacks = is_silent(s, i) && b->said[i].heard;

		if (lacks == nodeset_test(b->lacking, i))
			continue;
		if (lacks) {
			nodeset_set(b->lacking, i);
			name_node(s, i, true);
		} else {
			nodeset_unset(b->lacking, i);
		}
	}
}

static void tell_silent(struct sync *s)
{
	struct bridge *b = s->b;
	struct nodeset *silent = nodeset_create(s->snap->nodes);

	for (uint32_t i = 0; silent && i < s->snap->nodes; i++)
		if (is_silent(s, i))
			nodeset_set(silent, i);
	if (!silent || (b->silent && nodeset_equal(silent, b->silent))) {
		nodeset_destroy(silent);
		return;
	}
	/* At first all are, until they report; pact status names those that do not. */
	for (uint32_t i = 0; i < s->snap->nodes && b->silent; i++)
		if (nodeset_test(silent, i) != nodeset_test(b->silent, i) &&
		    !(nodeset_test(silent, i) && b->said[i].heard))
			name_node(s, i, nodeset_test(silent, i));
	if (b->silent_core)
		sync_simple(s, EV_FINISH, b->silent_core, "nodes report again");
	b->silent_core = nodeset_empty(silent) ? 0 : ++b->next_core;
	if (b->silent_core && !sync_event(s,
					  &(struct sched_event){ .type = EV_BLOCK,
								 .id = b->silent_core,
								 .nodes = silent,
								 .start = s->snap->now,
								 .end = PACT_FOREVER,
								 .reserve = true },
					  "nodes are silent"))
		b->silent_core = 0;
	nodeset_destroy(b->silent);
	b->silent = silent;
}

/* ---- all of it ---- */

/* anew: the core has been told nothing yet. */
static bool take_reports(struct sync *s, bool anew, struct turn *turn)
{
	struct bridge *b = s->b;

	if (!b->said)
		b->said = calloc((size_t)s->snap->nodes + 1, sizeof(*b->said));
	for (uint32_t i = 0; b->said && i < s->snap->nodes; i++) {
		if (!nodeset_test(b->realm, i) || !s->snap->has[i].name)
			continue;
		reports_take(s->snap->has[i].name, anew, &b->said[i]);
		give_way(b, turn);
	}
	return b->said;
}

static void drop_jobs(struct bridge *b, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		free(b->said[i].jobs);
		b->said[i].jobs = NULL;
		b->said[i].njobs = 0;
	}
}

static void tell_reports(struct sync *s, bool anew)
{
	struct turn turn = { .began = clock_us(), .gives = !anew };
	struct nodeset *one;

	tell_running(s->snap);
	if (!anew && taken_at && clock_us() - taken_at < TAKE_US)
		return;
	taken_at = clock_us();
	if (!take_reports(s, anew, &turn))
		return;
	sync_nodes(s);
	tell_lacking(s);
	tell_silent(s);
	one = nodeset_create(s->snap->nodes);
	for (size_t i = 0; one && i < s->snap->njobs; i++)
		if (s->snap->jobs[i].state == SNAP_RUNNING)
			tell_progress(s, &s->snap->jobs[i], one, &turn);
	nodeset_destroy(one);
	drop_jobs(s->b, s->snap->nodes);
}

void sync_reports_anew(struct sync *s)
{
	if (has_realm(s) && !s->b->said)
		tell_reports(s, true);
}

void sync_reports(struct bridge *b, const struct snapshot *snap)
{
	struct sync s = { .b = b, .snap = snap };

	if (has_realm(&s) && b->said)
		tell_reports(&s, false);
}

void sync_forget_nodes(struct bridge *b)
{
	taken_at = 0;
	free(b->told);
	b->told = NULL;
	free(b->said);
	b->said = NULL;
	nodeset_destroy(b->silent);
	b->silent = NULL;
	b->silent_core = 0;
	nodeset_destroy(b->lacking);
	b->lacking = NULL;
}
