/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_reliance: what a promised job waits for must end by its planned start (slurm/promise/reliance.c), in the bridge's
 * plan without slurmctld.
 */
#include "slurm/base/compat.h"

#include "slurm/state/bridge.h"
#include "slurm/promise/depend.h"
#include "slurm/promise/reliance.h"
#include "slurm/state/track.h"
#include "slurm/state/core.h"
#include "testsuite/unit/bridge_feed.h"
#include "testsuite/unit/ctld.h"
#include "testsuite/unit/seed.h"

#define HOUR 3600

/* Job 8 is promised and waits for job 7, which has no promise; another job has the machine for an hour. */
struct chain {
	struct bridge *b;
	struct nodeset *all;
	int64_t now, start; /* of job 8, planned */
	uint32_t names;
	bool runs;     /* job 7 */
	int64_t limit; /* of a job of high priority that came later; 0: there is none */
	int64_t limit_of_7;
};

static struct snap_job *add_plain(struct snapshot *snap, struct chain *c, uint32_t id,
				  int64_t limit, int64_t priority)
{
	struct snap_job *j = played_job(snap, id, SNAP_PENDING, c->all);

	j->token = (struct token){ 0 };
	j->token_rc = TOKEN_NONE;
	j->what.limit = j->what.least = limit;
	j->priority = priority;
	j->submit = j->eligible = c->now;
	return j;
}

/* Job 8's record, if it has one, is the last; each of them has all nodes. */
static struct snapshot *chain_snapshot(struct chain *c, bool recorded)
{
	struct snapshot *snap = ctld_idle(c->names);
	struct snap_job *j;

	snap->now = c->now;
	if (!c->runs) {
		j = played_job(snap, 5, SNAP_RUNNING, NULL);
		j->nodes = nodeset_dup(c->all);
		j->token = (struct token){ 0 };
		j->token_rc = TOKEN_NONE;
		j->start = c->now;
		j->end = c->now + HOUR;
	}
	j = add_plain(snap, c, 7, c->limit_of_7, 1);
	if (c->runs) {
		j->state = SNAP_RUNNING;
		j->nodes = nodeset_dup(c->all);
		j->start = c->now;
		j->end = c->now + c->limit_of_7;
	}
	if (c->limit)
		add_plain(snap, c, 9, c->limit, 5);
	if (!recorded)
		return snap;
	j = played_job(snap, 8, SNAP_PENDING, c->all);
	j->submit = j->eligible = c->now;
	j->start = c->start;
	j->runnable = false;
	j->dependent = true;
	j->depends = calloc(1, sizeof(*j->depends));
	j->depends[0] = (struct snap_depend){ .base_id = 7, .task = NO_VAL };
	j->ndepends = 1;
	j->token.deadline = j->what.deadline = c->start + 3 * HOUR;
	return snap;
}

/* A pass, in which nothing can start. */
static void chain_pass(struct chain *c, bool recorded)
{
	struct sched_event time_ev = { .type = EV_TIME, .now = c->now };
	struct sched_action action;

	played_pass(c->b, chain_snapshot(c, recorded));
	assert_true(bridge_event(c->b, &time_ev, "time"));
	while (sched_next(c->b->core, &action))
		assert_int_not_equal(action.type, ACT_START);
}

static struct sched_view chain_view(struct chain *c, uint32_t id)
{
	struct track *track = track_find(c->b, track_key(id, NO_VAL));
	struct sched_view view;

	assert_non_null(track);
	assert_int_equal(sched_view(c->b->core, track->core, &view), PACT_OK);
	return view;
}

/* Accepted behind job 7, and no snapshot has the record yet. */
static void chain_open(struct chain *c)
{
	struct depend_set on = { .n = 1, .on = { { .base_id = 7, .task = NO_VAL } } };
	struct sched_view view;
	uint32_t who = 1;
	uint64_t core;

	*c = (struct chain){ .b = played_bridge(),
			     .all = nodeset_create(NODES),
			     .now = time(NULL),
			     .names = 1,
			     .limit_of_7 = HOUR };
	nodeset_fill(c->all);
	chain_pass(c, false);
	c->start = depend_known(c->b, &on.on[0]);
	assert_true(c->start > chain_view(c, 7).end && c->start < PACT_FOREVER);
	core = ++c->b->next_core;
	played_promise(c->b, core, c->now, c->start, c->start + 3 * HOUR, c->all);
	assert_int_equal(sched_view(c->b->core, core, &view), PACT_OK);
	assert_int_equal(view.start, c->start);
	assert_int_equal(c->b->nreliances, 0);
	assert_true(reliance_note(c->b, &core, 1, &on));
	assert_int_equal(c->b->nreliances, 1);
	assert_int_equal(reliance_ask(c->b, 7, NO_VAL, &who), c->start);
	assert_int_equal(who, 0);
	assert_int_equal(reliance_ask(c->b, 6, NO_VAL, &who), PACT_FOREVER);
}

/* Its promise stands, and what it needs is known by its name. */
static void chain_stands(struct chain *c)
{
	struct sched_view seven = chain_view(c, 7), eight = chain_view(c, 8);
	uint32_t who = 0;

	assert_true(eight.promised && !eight.broken && eight.end <= c->start + 3 * HOUR);
	assert_true(seven.end <= eight.start);
	assert_int_equal(reliance_ask(c->b, 7, NO_VAL, &who), eight.start);
	assert_int_equal(who, 8);
}

static void chain_close(struct chain *c)
{
	played_pass(c->b, ctld_idle(c->names));
	played_pass(c->b, ctld_idle(c->names));
	assert_int_equal(c->b->nreliances, 0);
	nodeset_destroy(c->all);
}

/* A job that comes later goes before job 7 by its priority, as far as that costs job 8 nothing. */
static void test_needed_and_newcomer(void **state)
{
	const int64_t limits[] = { HOUR, 20 * HOUR, 30 * HOUR, 300 * HOUR };
	struct chain c;

	(void)state;
	for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); i++) {
		chain_open(&c);
		c.limit = limits[i];
		for (int pass = 0; pass < 3; pass++) {
			chain_pass(&c, true);
			if (pass)
				chain_stands(&c);
		}
		assert_int_equal(chain_view(&c, 9).start < chain_view(&c, 7).start,
				 limits[i] < 24 * HOUR - 2 * HOUR);
		chain_close(&c);
	}
}

/* Job 7 runs, and is requeued: it must end by the same time as before. */
static void test_needed_and_requeue(void **state)
{
	struct chain c;

	(void)state;
	chain_open(&c);
	chain_pass(&c, true);
	chain_stands(&c);
	c.runs = true;
	for (int pass = 0; pass < 2; pass++)
		chain_pass(&c, true);
	chain_stands(&c);
	c.start = chain_view(&c, 8).start;
	c.runs = false; /* in the meantime another job has its nodes */
	for (int pass = 0; pass < 4; pass++) {
		struct sched_view eight;

		chain_pass(&c, true);
		eight = chain_view(&c, 8);
		assert_true(eight.promised && !eight.broken);
	}
	chain_stands(&c);
	chain_close(&c);
}

/* slurmctld is started anew: the bound follows from the records. */
static void test_needed_and_restart(void **state)
{
	struct chain c;

	(void)state;
	chain_open(&c);
	chain_pass(&c, true);
	c.names = 2; /* all is planned anew */
	c.limit = 300 * HOUR;
	for (int pass = 0; pass < 3; pass++)
		chain_pass(&c, true);
	chain_stands(&c);
	chain_close(&c);
}

/* A job that can no longer be in time for one that is late anyway is bound by nothing. */
static void test_needed_and_broken(void **state)
{
	uint32_t who;
	struct chain c;

	(void)state;
	chain_open(&c);
	chain_pass(&c, true);
	c.limit_of_7 = 300 * HOUR; /* by an administrator, past all plugins */
	for (int pass = 0; pass < 3; pass++)
		chain_pass(&c, true);
	assert_true(chain_view(&c, 8).broken);
	assert_false(chain_view(&c, 7).promised);
	assert_int_equal(reliance_ask(c.b, 7, NO_VAL, &who), PACT_FOREVER);
	chain_close(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_needed_and_newcomer),
		cmocka_unit_test(test_needed_and_requeue),
		cmocka_unit_test(test_needed_and_restart),
		cmocka_unit_test(test_needed_and_broken),
	};
	log_options_t quiet = LOG_OPTS_INITIALIZER;

	quiet.stderr_level = LOG_LEVEL_ERROR;
	log_init("test_reliance", quiet, SYSLOG_FACILITY_DAEMON, NULL);
	return seed_run("test_reliance", tests);
}
