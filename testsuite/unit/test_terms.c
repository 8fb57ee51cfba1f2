/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_terms: what was decided beside what its record asks for: each field that differs is told by its name,
 * and nothing is that the plan knows. Snapshots are made up here.
 */
#include "slurm/base/compat.h"

#include "slurm/promise/unconfirmed.h"
#include "slurm/promise/judge.h"
#include "slurm/state/terms.h"
#include "slurm/state/track.h"
#include "testsuite/unit/bridge_feed.h"
#include "testsuite/unit/ctld.h"
#include "testsuite/unit/seed.h"

static struct nodeset *all, *some, *none;

/* A description with something in every field. */
static struct description usual(void)
{
	return (struct description){ .width = 2,
				     .limit = 600,
				     .limit_given = true,
				     .least = 600,
				     .begin = 5000,
				     .deadline = 90000,
				     .least_memory = 100,
				     .most_memory = 200,
				     .size = { .least_cpus = 2, .most_cpus = 4 },
				     .nalt = 2,
				     .alt = { all, some },
				     .part = { "one", "two" } };
}

/* What is told of a record in which one thing is another. */
static const char *told(const struct description *asked, const struct description *has,
			uint32_t tasks)
{
	static char text[512];
	uint32_t task[] = { 0, 1, 2 };
	struct snap_job j = { .what = *has, .taken = 1000 };
	struct terms *noted = terms_note(asked, 1);
	bool equal;

	if (tasks > 1) {
		j.tasks = task;
		j.ntasks = tasks;
	}
	equal = terms_equal(noted, &j, text, sizeof(text));
	assert_int_equal(equal, !text[0]);
	free(noted);
	return text;
}

static void test_fields(void **state)
{
	const struct description asked = usual();
	struct description has;

	(void)state;
	assert_string_equal(told(&asked, &asked, 1), "");
	assert_string_equal(told(&asked, &asked, 3), "tasks: 1, now 3");
#define DIFFERS(field, value, text) \
	do { \
		has = usual(); \
		has.field = (value); \
		assert_string_equal(told(&asked, &has, 1), text); \
	} while (0)
	DIFFERS(opaque, "licenses", "cannot be planned: none, now licenses");
	DIFFERS(waits, DESCRIBE_MIN_NODES, "waits: 0, now 4");
	DIFFERS(width, 3, "width: 2, now 3");
	DIFFERS(limit, PACT_FOREVER, "time limit: 600, now none");
	DIFFERS(limit, 60, "time limit: 600, now 60");
	DIFFERS(limit_given, false, "time limit given: 1, now 0");
	DIFFERS(least, 60, "least time: 600, now 60");
	DIFFERS(begin, 6000, "begin: 5000, now 6000");
	DIFFERS(begin, 0, "begin: 5000, now 0");
	DIFFERS(deadline, 90001, "deadline: 90000, now 90001");
	DIFFERS(least_memory, 99, "least memory of a node: 100, now 99");
	DIFFERS(most_memory, 201, "most memory of a node: 200, now 201");
	DIFFERS(size.least_cpus, 1, "least processors: 2, now 1");
	DIFFERS(size.most_cpus, 5, "most processors: 4, now 5");
	DIFFERS(size.gres, true, "generic resources: 0, now 1");
	DIFFERS(nalt, 1, "partitions: one,two, now one");
	DIFFERS(part[1], "three", "partitions: one,two, now one,three");
	DIFFERS(alt[1], all, "nodes to choose from: 2, now 4");
	DIFFERS(required, some, "nodes required: none, now others");
#undef DIFFERS
	/* A partition in which no node is for it is no difference, wherever it is named. */
	has = usual();
	has.nalt = 3;
	has.part[2] = has.part[1];
	has.alt[2] = has.alt[1];
	has.part[1] = "three";
	has.alt[1] = none;
	assert_string_equal(told(&asked, &has, 1), "");
	assert_string_equal(told(&has, &asked, 1), "");
	has = usual();
	has.part[0] = asked.part[1];
	has.part[1] = asked.part[0];
	has.alt[0] = some;
	has.alt[1] = all;
	has.width = 1;
	assert_string_equal(told(&asked, &has, 1),
			    "partitions: one,two, now two,one; nodes to choose from: 4, now 2; "
			    "nodes to choose from: 2, now 4; width: 2, now 1");
}

/* A begin that has come, and MaxWall for a limit that nobody gave. */
static void test_known(void **state)
{
	struct description asked = usual(), has = usual();

	(void)state;
	asked.begin = 1000;
	has.begin = 998;
	assert_string_equal(told(&asked, &has, 1), "");
	asked.limit = PACT_FOREVER;
	asked.limit_given = false;
	assert_string_equal(told(&asked, &has, 1), "");
	has.limit_given = false;
	assert_string_not_equal(told(&asked, &has, 1), "");
}

/* All that was noted and is not waited for any more. */
static uint64_t accounted(const struct tally *t)
{
	uint64_t n = t->compared;

	for (int i = 0; i < TALLY_LEFTS; i++)
		n += t->left_out[i];
	return n;
}

/* From the decision to the first snapshot that has the record. */
static void test_compared(void **state)
{
	enum {
		AS_ASKED,
		OTHER,
		SAME_SECOND,
		CHANGED_SITE,
		CHANGED_JOB,
		NO_RECORD,
		NO_MEMORY,
		CASES
	};
	struct bridge *b = played_bridge();
	struct nodeset *nodes = nodeset_create(NODES);

	(void)state;
	nodeset_fill(nodes);
	for (int i = 0; i < CASES; i++) {
		static const int left[CASES] = { [CHANGED_SITE] = TALLY_SITE,
						 [CHANGED_JOB] = TALLY_CHANGED,
						 [NO_RECORD] = TALLY_GONE,
						 [NO_MEMORY] = TALLY_MEMORY };
		struct tally was = b->tally;
		struct snapshot *snap = ctld_idle(1);
		struct snap_job *j = played_job(snap, 7, SNAP_PENDING, nodes);
		struct description asked;

		j->what.part[0] = "batch";
		j->token.deadline = j->what.deadline = snap->now + 1000;
		asked = j->what;
		asked.width -= i == OTHER || i == CHANGED_SITE;
		played_promise(b, ++b->next_core, snap->now, 0, snap->now + 1000, nodes);
		unconfirmed_asked(b, PLAYED_TOKEN, i == NO_MEMORY ? NULL : terms_note(&asked, 1));
		snap->site = i == SAME_SECOND || i == CHANGED_SITE ? time(NULL) : 0;
		if (i == CHANGED_JOB)
			unconfirmed_changed(b, PLAYED_TOKEN, track_key(7, NO_VAL));
		if (i == NO_RECORD) {
			b->unconfirmed->over = true;
			snap->njobs = 0;
		}
		played_pass(b, snap);
		assert_true(i == NO_RECORD || track_find(b, track_key(7, NO_VAL)));
		played_pass(b, ctld_idle(1));
		assert_int_equal(b->tally.compared, was.compared + (i <= SAME_SECOND));
		assert_int_equal(b->tally.differing, was.differing + (i == OTHER));
		assert_int_equal(accounted(&b->tally), accounted(&was) + 1);
		assert_true(i <= SAME_SECOND ||
			    b->tally.left_out[left[i]] == was.left_out[left[i]] + 1);
	}
	nodeset_destroy(nodes);
}

/* Promises that are told to be over, or open. */
static uint64_t balance(struct bridge *b)
{
	const struct tally *t = &b->tally;
	uint64_t open, risk;

	tally_open(b, &open, &risk);
	return t->kept + t->at_limit + t->broken + t->cancelled + t->withdrawn + t->unknown + open;
}

/* What the updates say to the books when they are done. */
static void do_updates(struct bridge *b)
{
	judge_updates(b, b->updates, b->nupdates);
	b->nupdates = 0;
}

/*
 * An array whose tasks have more than one record when a snapshot shows it the first time: one has
 * been changed, held, or cancelled since.  Each takes its own place, and the books balance.
 */
static void test_split(void **state)
{
	enum { CHANGED, HELD, OVER, GONE, CASES };
	uint32_t rest[] = { 0, 2 };
	struct bridge *b = played_bridge();
	struct nodeset *nodes = nodeset_create(NODES);
	uint64_t before = balance(b) - b->tally.accepted; /* of other tests */

	(void)state;
	nodeset_fill(nodes);
	for (int i = 0; i < 2 * CASES; i++) {
		int kind = i % CASES;
		bool first = i < CASES;
		struct tally was = b->tally;
		struct snapshot *snap = ctld_idle(1);
		int64_t deadline = snap->now + 1000;

		played_promises(b, b->next_core + 1, 3, snap->now, 0, deadline, nodes);
		b->next_core += 3;
		b->tally.accepted += 3;
		unconfirmed_asked(b, PLAYED_TOKEN, terms_note(&(struct description){ 0 }, 3));
		for (int r = 0; r < 2; r++) {
			bool alone = r == !first;
			struct snap_job *j;

			if (alone && kind == GONE)
				continue;
			j = played_job(snap, alone ? 8 : 7,
				       alone && kind == OVER ? SNAP_ENDED : SNAP_PENDING, nodes);
			j->base_id = 7;
			j->what.part[0] = "batch";
			j->token.deadline = j->what.deadline = deadline;
			j->task = alone ? 1 : NO_VAL;
			j->held = alone && kind == HELD;
			j->how = SNAP_CANCELLED;
			j->end = snap->now;
			if (alone)
				continue;
			j->tasks = memcpy(malloc(sizeof(rest)), rest, sizeof(rest));
			j->ntasks = 2;
		}
		played_pass(b, snap);
		do_updates(b);
		for (uint32_t task = 0; task < 3; task++) {
			struct track *track = track_find(b, track_key(7, task));

			assert_int_equal(track != NULL, task != 1 || kind == CHANGED);
			assert_true(!track || track->promised);
			assert_true(!track ||
				    track->shape == track_find(b, track_key(7, 0))->shape);
		}
		assert_null(b->unconfirmed);
		assert_int_equal(b->tally.differing, was.differing);
		assert_int_equal(b->tally.left_out[TALLY_SPLIT] - was.left_out[TALLY_SPLIT], 1);
		assert_int_equal(accounted(&b->tally), accounted(&was) + 1);
		assert_int_equal(b->tally.withdrawn - was.withdrawn, kind == HELD);
		assert_int_equal(b->tally.cancelled - was.cancelled, kind == OVER || kind == GONE);
		assert_int_equal(balance(b), b->tally.accepted + before);
		played_pass(b, ctld_idle(1));
		assert_int_equal(balance(b), b->tally.accepted + before);
	}
	nodeset_destroy(nodes);
}

static int set_up(void **state)
{
	(void)state;
	all = nodeset_create(4);
	some = nodeset_create(4);
	none = nodeset_create(4);
	nodeset_fill(all);
	nodeset_set(some, 1);
	nodeset_set(some, 2);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	nodeset_destroy(all);
	nodeset_destroy(some);
	nodeset_destroy(none);
	return 0;
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fields),
		cmocka_unit_test(test_known),
		cmocka_unit_test(test_compared),
		cmocka_unit_test(test_split),
	};
	log_options_t quiet = LOG_OPTS_INITIALIZER;

	quiet.stderr_level = LOG_LEVEL_QUIET;
	log_init("test_terms", quiet, SYSLOG_FACILITY_DAEMON, NULL);
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
