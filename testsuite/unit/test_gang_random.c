/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_gang_random: with drivers that refuse at random, with absurd settings, with others half way, and with nodes that
 * clean up, no job is lost where jobs take turns. And where no job may be migrated, those that migrate do what those do
 * that do not.
 *
 * A failure names the PACT_SEED that repeats it; PACT_ROUNDS is the number of rounds.
 */
#include <stdio.h>
#include <string.h>

#include "testsuite/unit/gang_hand.h"
#include "testsuite/unit/seed.h"

#define BLOCK 100

static int64_t random_deadline(const struct world *w, const struct sched_job *d)
{
	return seed_below(3) ? w->now + d->limit + seed_below(400) : 0;
}

/* Other terms for what waits: a deadline comes or goes. */
static void random_change(struct world *w, uint64_t id)
{
	struct sched_job d = job_of(id, 1 + (int32_t)seed_below(NODES));

	go(w, w->now); /* what was decided about it is told */
	if (!w->job[id].waits)
		return;
	d.submit = w->now;
	d.limit = 1 + seed_below(60);
	d.flags = w->job[id].leaves ? JOB_LEAVES : 0;
	d.deadline = random_deadline(w, &d);
	w->job[id].changed = true;
	assert_int_equal(tell(w, (struct sched_event){ .type = EV_CHANGE, .jobs = &d, .njobs = 1 }),
			 PACT_OK);
	go(w, w->now);
}

/* Nodes are lost; what runs there goes on. And they are back. */
static void random_loss(struct world *w, bool *lost)
{
	struct nodeset *nodes = set_of(1u << seed_below(NODES));
	struct sched_event ev = {
		.type = EV_BLOCK, .id = BLOCK, .nodes = nodes, .start = w->now, .end = PACT_FOREVER
	};

	if (*lost)
		ev = (struct sched_event){ .type = EV_FINISH, .id = BLOCK };
	assert_int_equal(tell(w, ev), PACT_OK);
	*lost = !*lost;
	nodeset_destroy(nodes);
}

static void leave_or_stay(struct world *w, uint64_t id)
{
	if (seed_below(3)) {
		vacate(w, id);
		return;
	}
	assert_int_equal(tell(w, (struct sched_event){ .type = EV_REFUSED, .id = id }), PACT_OK);
	w->job[id].asked = false;
}

static void random_event(struct world *w, uint64_t *next)
{
	uint64_t id = 1 + (uint64_t)seed_below(IDS - 1);
	struct sched_job d = job_of(*next, 1 + (int32_t)seed_below(NODES));

	d.limit = 1 + seed_below(60);
	d.flags = (seed_below(6) ? 0 : JOB_WHOLE) | (seed_below(3) ? 0 : JOB_LEAVES);
	d.deadline = w->deadlines ? random_deadline(w, &d) : 0;
	if (*next < IDS && seed_below(2)) {
		assert_int_equal(submit(w, d), PACT_OK);
		w->job[*next].leaves = d.flags & JOB_LEAVES;
		(*next)++;
	} else if (w->job[id].asked && seed_below(4)) {
		leave_or_stay(w, id);
	} else if (w->job[id].started && !w->deadlines && !seed_below(4)) {
		halt(w, id, !w->job[id].halted);
	} else if (w->job[id].started) {
		by_hand(w, EV_FINISH, id, 0);
		w->job[id] = (struct known){ .at = w->job[id].at };
	} else if (w->job[id].waits && w->deadlines && seed_below(2)) {
		random_change(w, id);
	} else if (w->job[id].waits) {
		assert_int_equal(tell(w, (struct sched_event){ .type = EV_WITHDRAW, .id = id }),
				 PACT_OK);
		w->job[id].waits = false;
	}
}

/* What is there is known, as what it is. */
static void check_known(struct world *w)
{
	for (uint64_t id = 1; id < IDS; id++) {
		struct sched_view v;
		bool known = w->job[id].waits || w->job[id].started;

		assert_int_equal(sched_view(w->s, id, &v), known ? PACT_OK : PACT_ENOENT);
		if (known)
			assert_int_equal(v.running, w->job[id].started);
	}
}

static bool is_any_left(const struct world *w)
{
	bool any = false;

	for (uint64_t id = 1; id < IDS; id++)
		any |= w->job[id].waits || w->job[id].started;
	return any;
}

/* When nothing is refused any more, and those that run end, all that waits gets its turn. */
static void finish(struct world *w, int64_t slice)
{
	w->refuse = 0;
	for (uint64_t id = 1; id < IDS; id++) {
		if (w->job[id].halted)
			halt(w, id, false);
	}
	/* at worst each row's turn has to come for each of them */
	for (int round = 0; is_any_left(w) && round < 64 * IDS; round++) {
		for (uint64_t id = 1; id < IDS; id++) {
			if (!w->job[id].runs)
				continue;
			by_hand(w, EV_FINISH, id, 0);
			w->job[id].started = false;
		}
		go(w, w->now + slice);
		/* what failed waits until something happens: if all did, and nothing runs, that is all that does */
		if (!round)
			assert_int_equal(tell(w, (struct sched_event){ .type = EV_TIME }), PACT_OK);
		check_known(w);
	}
	assert_false(is_any_left(w));
}

static const char *const all_names[] = { "gs", "bgs", "mgs", "mbgs", "bf", "ambgs" };
#define NAMES (sizeof(all_names) / sizeof(all_names[0]))

static void test_refusals(void **state)
{
	const char *settings[] = { "Slice", "10",	 "Rows", "3", "Switch",
				   "0.2",   "LeaveTime", "0",	 NULL };
	uint64_t rounds = seed_rounds(60);

	(void)state;
	for (uint64_t round = 0; round < rounds; round++) {
		struct world w;
		uint64_t next = 1;

		settings[7] = seed_below(2) ? "25" : "0";
		open_world(&w, all_names[round % NAMES], settings);
		w.refuse = 2 + (int)seed_below(6);
		for (int i = 0; i < 200; i++) {
			random_event(&w, &next);
			if (seed_below(3))
				go(&w, w.now + seed_below(30));
			check_known(&w);
		}
		finish(&w, 10);
		close_world(&w);
	}
}

/* What each may be, and what none can. */
static const struct {
	const char *key, *value[8], *wrong[4];
} absurd[] = {
	{ "Rows", { "1", "2", "5", "64" }, { "0", "65", "-1", "many" } },
	{ "Slice", { "1", "7", "200", "1000000" }, { "0", "1000001", "-200", "" } },
	{ "Switch", { "0", "0.0001", "0.5", "1" }, { "1.1", "-0.1", "0.00001", "much" } },
	{ "MigrationCost", { "0", "1", "1000000" }, { "-1", "1000001", "1.5" } },
	{ "MigrationQuota", { "0", "1", "1000000000" }, { "-1", "1000000001" } },
	{ "ShortRows", { "0", "1", "3" }, { "-1", "21", "some" } },
	{ "ShortTime", { "1", "20", "1000000" }, { "0", "1000001" } },
	{ "LaunchTime", { "0", "3", "1000000" }, { "-1", "1000001" } },
	{ "LeaveTime", { "0", "25", "1000000" }, { "-1", "1000001" } },
	{ "Cut", { "keep", "next" }, { "now", "" } },
	{ "PromiseAside", { "no", "yes" }, { "maybe" } },
	{ "Discrete", { "no", "yes" }, { "maybe" } },
	{ "Phases",
	  { "own", "schedule", "schedule,fill", "clean,schedule", "clean,schedule,fill2",
	    "clean,schedule,collapse2", "clean,compact,schedule,collapse2,schedule2,fill,fill2" },
	  { "", "fill", "compact,schedule", "schedule,schedule" } },
	{ "QueueOrder", { "fcfs", "sjf", "bfit", "wfit" }, { "lifo" } },
	{ "Lateness", { "0", "60", "86400" }, { "-1" } },
};

static const char *draw(const char *const *list, size_t room)
{
	size_t n = 0;

	while (n < room && list[n])
		n++;
	return list[seed_below((int64_t)n)];
}

static void draw_settings(struct sched_config *c)
{
	sched_config_init(c);
	c->guard = 86400; /* a lateness is not above it */
	for (size_t i = 0; i < sizeof(absurd) / sizeof(*absurd); i++) {
		struct sched_config before = *c;
		char why[300] = "";

		assert_false(settings_apply(c, absurd[i].key, draw(absurd[i].wrong, 4), why,
					    sizeof(why)));
		assert_memory_equal(c, &before, sizeof(before));
		if (!strstr(why, absurd[i].key))
			fail_msg("'%s' does not name %s", why, absurd[i].key);
		if (!settings_apply(c, absurd[i].key, draw(absurd[i].value, 8), why, sizeof(why)))
			fail_msg("%s", why);
	}
	c->short_rows = c->short_rows < c->rows ? c->short_rows : 0;
	if ((c->slice * c->switch_cost + 5000) / 10000 >= c->slice)
		c->switch_cost = 0;
}

/* A switch that leaves nothing of a slice is refused, by name: no job would ever end. */
static void test_switch_takes_all(void **state)
{
	static const struct {
		const char *slice, *cost;
		bool ends;
	} cases[] = {
		{ "1", "0.4999", true }, { "1", "0.5", false },	   { "2", "0.7499", true },
		{ "2", "0.75", false },	 { "200", "0.997", true }, { "200", "1", false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct sched_config c;
		struct sched *s;
		char why[200] = "", says[64];

		sched_config_init(&c);
		assert_true(settings_apply(&c, "Slice", cases[i].slice, why, sizeof(why)));
		assert_true(settings_apply(&c, "Switch", cases[i].cost, why, sizeof(why)));
		s = sched_create("gs", NODES, &c, why, sizeof(why));
		snprintf(says, sizeof(says), "Switch=%s: must leave", cases[i].cost);
		if (!s != !cases[i].ends || (!s && strncmp(why, says, strlen(says)) != 0))
			fail_msg("case %zu: %s", i, why);
		sched_destroy(s);
	}
}

/* With whatever settings, and others half way, no job is lost. */
static void test_absurd_settings(void **state)
{
	uint64_t rounds = seed_rounds(60);

	(void)state;
	for (uint64_t round = 0; round < rounds; round++) {
		struct sched_config c;
		struct world w;
		uint64_t next = 1;
		char why[200];

		draw_settings(&c);
		open_with(&w, all_names[round % 5], &c);
		w.refuse = seed_below(2) ? 0 : 3;
		for (int i = 0; i < 120; i++) {
			random_event(&w, &next);
			if (seed_below(3))
				go(&w, w.now + seed_below(2 * c.slice));
			if (i == 60) {
				draw_settings(&c);
				assert_int_equal(sched_configure(w.s, &c, why, sizeof(why)),
						 PACT_OK);
			}
			check_known(&w);
		}
		finish(&w, c.slice);
		close_world(&w);
	}
}

/* Promises beside turns: an action of either engine is refused, nodes are lost, deadlines come and go. */
static void test_refusals_beside(void **state)
{
	/* nothing here ends a job at its limit: no driver of Lateness=0 may do that (protocol.h), a lateness of 1 is enough */
	const char *settings[] = { "Slice",	"10", "Rows",  "3", "MigrationCost", "2",
				   "Lateness",	"5",  "Guard", "5", "PromiseAside",  "no",
				   "LeaveTime", "0",  NULL };
	static const char *const names[] = { "bgs", "mbgs" };
	uint64_t rounds = seed_rounds(200);

	(void)state;
	for (uint64_t round = 0; round < rounds; round++) {
		struct world w;
		uint64_t next = 1;
		bool lost = false;

		settings[7] = settings[9] = round / 4 % 2 ? "1" : "5";
		settings[11] = round / 2 % 2 ? "yes" : "no";
		settings[13] = seed_below(2) ? "25" : "0";
		open_world(&w, names[round % 2], settings);
		w.deadlines = true;
		w.refuse = 2 + (int)seed_below(6);
		for (int i = 0; i < 200; i++) {
			random_event(&w, &next);
			if (!seed_below(20))
				random_loss(&w, &lost);
			go(&w, w.now + (seed_below(3) ? seed_below(30) : 0));
			check_known(&w);
		}
		if (lost)
			random_loss(&w, &lost);
		finish(&w, 10);
		close_world(&w);
	}
}

/* ---- jobs that are to leave ---- */

/* One of ten jobs comes, leaves, stays or ends. RET it stays */
static bool leaver_event(struct world *w)
{
	uint64_t id = 1 + (uint64_t)seed_below(10);
	struct sched_job d = job_of(id, 1 + (int32_t)seed_below(3));
	struct known *j = &w->job[id];

	if (j->asked) {
		leave_or_stay(w, id);
		return j->started;
	}
	if (j->started && !seed_below(4)) {
		by_hand(w, EV_FINISH, id, 0);
		*j = (struct known){ .at = j->at };
	} else if (!j->started && !j->waits) {
		d.flags = seed_below(3) ? JOB_LEAVES : JOB_FIXED;
		assert_int_equal(submit(w, d), PACT_OK);
		j->leaves = d.flags & JOB_LEAVES;
	}
	return false;
}

/*
 * Each that is asked to leave has run within two cycles as long as it has not; and so has each that stayed, but that it may have to wait
 * for others that are asked.
 */
static void check_turns(const struct world *w, int64_t *ran, int64_t cycle)
{
	bool asked = false;

	for (uint64_t id = 1; id < IDS; id++)
		asked |= w->job[id].asked;
	for (uint64_t id = 1; id < IDS; id++) {
		const struct known *j = &w->job[id];

		if (j->runs || !j->started || !j->leaves || (asked && !j->asked))
			ran[id] = w->now;
		else if (w->now - ran[id] > 2 * cycle)
			fail_msg("time %d: job %d has not run since %d", (int)w->now, (int)id,
				 (int)ran[id]);
	}
}

/* RET so many were asked, and stayed */
static int play_leavers(const char *name, int64_t rows)
{
	const char *settings[] = { "Slice", "10", "Rows", NULL, "LeaveTime", "25", NULL };
	int64_t ran[IDS] = { 0 };
	char text[4];
	struct world w;
	int stayed = 0;

	snprintf(text, sizeof(text), "%d", (int)rows);
	settings[3] = text;
	open_world(&w, name, settings);
	for (int i = 0; i < 300; i++) {
		stayed += leaver_event(&w);
		for (int64_t n = seed_below(10); n >= 0; n--) {
			go(&w, w.now + 1);
			check_turns(&w, ran, rows * 10);
		}
	}
	finish(&w, 10);
	close_world(&w);
	return stayed;
}

/* What a job is to leave is kept for it, and one that stays has its turns all the time. */
static void test_stayers(void **state)
{
	uint64_t rounds = seed_rounds(150);
	int stayed = 0;

	(void)state;
	for (uint64_t round = 0; round < rounds; round++)
		stayed += play_leavers(round % 2 ? "mbgs" : "mgs", 2 + (int64_t)round / 2 % 3);
	assert_true(stayed > (int)rounds / 4);
}

/* ---- nodes that clean up ---- */

/* It ends, and its nodes clean up after it from now on; they are not told to be anyone's when that is over. */
static void end_unclean(struct world *w, uint64_t id)
{
	struct sched_event ev = { .type = EV_BLOCK,
				  .id = BLOCK + id,
				  .nodes = w->job[id].at,
				  .start = w->now - 1,
				  .end = w->now };

	by_hand(w, EV_FINISH, id, 0);
	w->job[id].started = false;
	assert_int_equal(tell(w, ev), PACT_OK);
	for (uint32_t n = 0; n < NODES; n++) {
		if (nodeset_test(w->job[id].at, n))
			w->cleans[n] = w->now;
	}
}

/* Job `id` has been cleaned up after, if it was that. */
static void be_clean(struct world *w, uint64_t id)
{
	if (tell(w, (struct sched_event){ .type = EV_FINISH, .id = BLOCK + id }) != PACT_OK)
		return;
	for (uint32_t n = 0; n < NODES; n++) {
		if (nodeset_test(w->job[id].at, n))
			w->cleans[n] = 0;
	}
}

/* A second: one ends, one has been cleaned up after, one comes. */
static void unclean_second(struct world *w, uint64_t *next)
{
	uint64_t id = 1 + (uint64_t)seed_below(IDS - 1),
		 cleaned = 1 + (uint64_t)seed_below(IDS - 1);
	struct sched_job d = job_of(*next, 1 + (int32_t)seed_below(NODES));

	if (w->job[id].runs && seed_below(2))
		end_unclean(w, id);
	for (int i = 0; i < 8; i++, cleaned = cleaned % (IDS - 1) + 1)
		if (w->job[cleaned].at && !w->job[cleaned].started && !w->job[cleaned].waits)
			be_clean(w, cleaned);
	d.limit = 1 + seed_below(60);
	d.flags = seed_below(6) ? 0 : JOB_WHOLE;
	if (*next < IDS && !seed_below(4)) {
		assert_int_equal(submit(w, d), PACT_OK);
		(*next)++;
	}
	go(w, w->now + 1);
	check_known(w);
}

/* No job is asked to start there before it is late that they are clean, and none is lost. */
static void test_unclean(void **state)
{
	static const char *const soon[] = { "Slice",	"10", "Rows",	"3",   "Guard", "5",
					    "Lateness", "5",  "Switch", "0.1", NULL };
	static const char *const late[] = { "Slice",	"20", "Rows",	"3",   "Guard", "15",
					    "Lateness", "15", "Switch", "0.1", NULL };
	static const char *const names[] = { "gs", "bgs", "mgs", "mbgs" };
	uint64_t rounds = seed_rounds(60);

	(void)state;
	for (uint64_t round = 0; round < rounds; round++) {
		struct world w;
		uint64_t next = 1;

		open_world(&w, names[round % 4], round / 4 % 2 ? late : soon);
		w.now = 1;
		w.lateness = round / 4 % 2 ? 15 : 5;
		for (int i = 0; i < 300; i++)
			unclean_second(&w, &next);
		for (uint64_t id = 1; id < IDS; id++) {
			if (w.job[id].at && !w.job[id].started && !w.job[id].waits)
				be_clean(&w, id);
		}
		finish(&w, 10);
		close_world(&w);
	}
}

/* ---- jobs that stay where they are ---- */

/* Settings of both; the quota is never 0, with which nothing migrates at all. */
static void draw_turns(struct sched_config *c)
{
	sched_config_init(c);
	c->rows = 2 + (int32_t)seed_below(3);
	c->slice = 10;
	c->switch_cost = seed_below(2) ? 2000 : 0;
	c->migration_cost = seed_below(2) ? seed_below(20) : 0;
	c->migration_quota = 1 + (int32_t)seed_below(40);
	c->cut = seed_below(3) ? CUT_KEEP : CUT_NEXT;
	c->discrete = !seed_below(4);
	c->columns = seed_below(2) ? COLUMNS_ALIGNED : COLUMNS_LOWEST;
	c->queue_order = (enum gang_queue)seed_below(4);
	c->aside = seed_below(2);
	c->min_artificial = 100 + seed_below(1000);
	c->guard = c->lateness = 5; /* nothing here ends a job at its limit */
}

/* Both drivers know the same of every job. */
static void check_same(const struct world *w, const struct world *v, const char *name)
{
	bool same = w->wake == v->wake && !strcmp(w->said, v->said);

	for (uint64_t id = 1; id < IDS; id++) {
		const struct known *a = &w->job[id], *b = &v->job[id];

		same &= a->waits == b->waits && a->started == b->started && a->runs == b->runs;
		same &= !a->at == !b->at && (!a->at || nodeset_equal(a->at, b->at));
	}
	if (!same)
		fail_msg("time %d: %s says \"%s\", and its like without migration \"%s\"",
			 (int)w->now, name, w->said, v->said);
}

static void submit_fixed(struct world *both[2], uint64_t id)
{
	struct sched_job d = job_of(id, 1 + (int32_t)seed_below(NODES));

	d.limit = 1 + seed_below(60);
	d.flags = JOB_FIXED | (seed_below(6) ? 0 : JOB_WHOLE);
	d.migration = seed_below(2) ? seed_below(30) : 0;
	d.deadline = both[0]->deadlines ? random_deadline(both[0], &d) : 0;
	for (int i = 0; i < 2; i++)
		assert_int_equal(submit(both[i], d), PACT_OK);
}

/* One that runs ends, and one that waits is withdrawn. */
static void end_fixed(struct world *both[2], uint64_t id)
{
	for (int i = 0; i < 2; i++) {
		struct known *j = &both[i]->job[id];

		if (j->started)
			by_hand(both[i], EV_FINISH, id, 0);
		else if (j->waits)
			assert_int_equal(tell(both[i], (struct sched_event){ .type = EV_WITHDRAW,
									     .id = id }),
					 PACT_OK);
		*j = (struct known){ .at = j->at };
	}
}

/* RET starts */
static int play_fixed(const char *const names[2], bool deadlines)
{
	struct world w, v, *both[2] = { &w, &v };
	struct sched_config c;
	uint64_t next = 1;
	int starts = 0;

	draw_turns(&c);
	for (int i = 0; i < 2; i++) {
		open_with(both[i], names[i], &c);
		both[i]->deadlines = deadlines;
	}
	for (int step = 0; step < 150; step++) {
		int64_t to = w.now + (seed_below(3) ? seed_below(30) : 0);
		uint64_t id = 1 + (uint64_t)seed_below(IDS - 1);

		if (next < IDS && seed_below(2))
			submit_fixed(both, next++);
		else
			end_fixed(both, id);
		for (int i = 0; i < 2; i++)
			go(both[i], to);
		check_same(&w, &v, names[0]);
	}
	for (uint64_t id = 1; id < IDS; id++)
		starts += w.job[id].at != NULL;
	close_world(&w);
	close_world(&v);
	return starts;
}

/* Without migratable jobs mbgs is bgs, and mgs is gs, whatever the quota. */
static void test_fixed(void **state)
{
	static const char *const names[][2] = { { "mbgs", "bgs" }, { "mgs", "gs" } };
	uint64_t rounds = seed_rounds(600);
	int starts = 0;

	(void)state;
	for (uint64_t round = 0; round < rounds; round++)
		starts += play_fixed(names[round % 3 == 2], round % 3 == 1);
	assert_true(starts > (int)rounds);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_refusals),	 cmocka_unit_test(test_refusals_beside),
		cmocka_unit_test(test_unclean),		 cmocka_unit_test(test_absurd_settings),
		cmocka_unit_test(test_switch_takes_all), cmocka_unit_test(test_fixed),
		cmocka_unit_test(test_stayers),
	};

	return seed_run("test_gang_random", tests);
}
