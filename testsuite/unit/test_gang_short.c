/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_gang_short: memory is short once, at every allocation in turn that the gang engine makes in small random worlds,
 * that of promises beside it (core/beside), and the engine of malleable jobs. The driver is told, and goes on: no job is lost, no node is used twice.
 * A second gang scheduler that is told the state when a pass has failed says the same as the first one from then on.
 *
 * A failure names the PACT_SEED that makes its world the first; PACT_ROUNDS is their number.
 */
#include <inttypes.h>
#include <string.h>

#include "core/kernel/retell.h"
#include "testsuite/unit/seed.h"
#include "testsuite/unit/short_memory.h"

#define MOST_JOBS 30
#define ROUNDS 6
/* Of the allocations that one world makes, so many fail in a quick run, spread over all of them. */
#define TRIED 60

/* Whose memory is short, and its machine. */
struct kind {
	const char *name;
	bool deadlines; /* are asked for, and come and go */
	bool ranges;	/* jobs have some */
	uint32_t nodes;
	size_t jobs;
};

#define GANG(name, deadlines) (&(const struct kind){ name, deadlines, false, 9, 14 })

struct world {
	struct sched *s, *twin; /* no twin: no pass has failed yet */
	uint64_t seed;		/* state of its draws */
	int64_t now, wake;
	size_t submitted;
	struct nodeset *at[MOST_JOBS + 1];
	bool started[MOST_JOBS + 1], runs[MOST_JOBS + 1], ended[MOST_JOBS + 1];
	bool changed[MOST_JOBS + 1]; /* a refusal says that its terms stay what they were */
	const struct kind *kind;
	uint64_t resized;
	uint64_t accepted, refused;
	struct sched_config config;
	uint64_t twins; /* of all worlds */
};

static int64_t below(struct world *w, int64_t n)
{
	return (int64_t)(seed_next(&w->seed) % (uint64_t)n);
}

/* ---- the twin ---- */

static void take_in(void *arg, const struct record_form *form, const void *record)
{
	struct sched *twin = arg;

	assert_int_equal(sched_recall(twin, sched_recall_form(twin, form->name), record), PACT_OK);
}

static void make_twin(struct world *w)
{
	char why[200];

	/* what a plan is that failed half way is not told */
	if (w->kind->deadlines)
		return;
	if (w->twin || sched_retell(w->s, NULL, NULL) != PACT_OK)
		return;
	w->twin = sched_create(w->kind->name, w->kind->nodes, &w->config, why, sizeof(why));
	assert_non_null(w->twin);
	assert_int_equal(sched_retell(w->s, take_in, w->twin), PACT_OK);
	assert_int_equal(sched_recall_done(w->twin), PACT_OK);
	w->twins++;
}

static void check_twin(struct world *w, bool more, const struct sched_action *a)
{
	struct sched_action b;

	if (!w->twin)
		return;
	assert_int_equal(__real_sched_next(w->twin, &b), more);
	if (!more)
		return;
	assert_int_equal(a->type, b.type);
	assert_int_equal(a->id, b.id);
	assert_int_equal(a->end, b.end);
	assert_int_equal(a->lost, b.lost);
	assert_true(!a->allowed == !b.allowed);
	assert_true(!a->allowed || nodeset_equal(a->allowed, b.allowed));
}

/* ---- the driver ---- */

static void tell(struct world *w, struct sched_event ev)
{
	int rc;

	ev.now = w->now;
	memory.inside = true;
	rc = __real_sched_event(w->s, &ev);
	if (short_memory_again(rc))
		rc = __real_sched_event(w->s, &ev);
	assert_int_equal(rc, PACT_OK);
	if (w->twin)
		assert_int_equal(__real_sched_event(w->twin, &ev), PACT_OK);
}

static void check_nodes(const struct world *w)
{
	struct nodeset *busy = nodeset_create(w->kind->nodes);

	for (size_t i = 1; i <= w->submitted; i++) {
		if (!w->runs[i])
			continue;
		assert_false(nodeset_overlap(busy, w->at[i]));
		nodeset_or(busy, w->at[i]);
	}
	nodeset_destroy(busy);
}

/* What is said, and not to be done. */
static bool is_said(struct world *w, const struct sched_action *a)
{
	w->accepted += a->type == ACT_ACCEPT;
	w->refused += a->type == ACT_REFUSE;
	if (a->type == ACT_REFUSE && !w->changed[a->id])
		w->ended[a->id] = true;
	return a->type == ACT_ACCEPT || a->type == ACT_REFUSE || a->type == ACT_BROKEN ||
	       a->type == ACT_MENDED;
}

static void obey(struct world *w, const struct sched_action *a)
{
	struct sched_event ev = { .id = a->id, .start = w->now };

	if (is_said(w, a))
		return;
	ev.type = a->type == ACT_START	   ? EV_STARTED
		  : a->type == ACT_SUSPEND ? EV_SUSPENDED
		  : a->type == ACT_RESUME  ? EV_RESUMED
		  : a->type == ACT_RESIZE  ? EV_RESIZED
					   : EV_MIGRATED;
	ev.width = a->width;
	w->resized += a->type == ACT_RESIZE;
	if (a->allowed)
		nodeset_copy(w->at[a->id], a->allowed);
	w->runs[a->id] = a->type == ACT_START || a->type == ACT_RESUME || a->type == ACT_RESIZE;
	w->started[a->id] |= a->type == ACT_START;
	ev.nodes = w->at[a->id];
	check_nodes(w);
	tell(w, ev);
}

static bool ask_next(struct world *w, struct sched_action *a)
{
	bool more;

	memory.inside = true;
	more = __real_sched_next(w->s, a);
	memory.inside = false;
	if (!more && *sched_error(w->s)) {
		assert_true(memory.shaken);
		memory.told++;
		make_twin(w);
		more = __real_sched_next(w->s, a);
		assert_string_equal(sched_error(w->s), "");
	}
	check_twin(w, more, a);
	return more;
}

static void drain(struct world *w)
{
	struct sched_action a;

	w->wake = PACT_FOREVER;
	while (ask_next(w, &a)) {
		if (a.type == ACT_WAKE)
			w->wake = a.end;
		else
			obey(w, &a);
	}
}

static struct sched_job draw_job(struct world *w, uint64_t id)
{
	struct sched_job d = { .id = id,
			       .submit = w->now,
			       .width = 1 + (int32_t)below(w, w->kind->nodes),
			       .limit = 1 + below(w, 60),
			       .memory = below(w, 3) * 20,
			       .migration = below(w, 3) * 4,
			       .flags = below(w, 8) ? 0 : JOB_WHOLE,
			       .begin = below(w, 3) ? 0 : w->now + below(w, 60),
			       .priority = below(w, 5),
			       .planned = -1 };

	if (w->kind->ranges) {
		d.width = 1 + d.width / 8;
		d.most = d.width + (int32_t)below(w, w->kind->nodes);
		d.value = below(w, 4) * 1000000;
		d.flags = 0;
	}
	if (w->kind->deadlines && below(w, 2))
		d.deadline = (d.begin > w->now ? d.begin : w->now) + d.limit + below(w, 400);
	return d;
}

static void submit(struct world *w)
{
	struct sched_job d = draw_job(w, ++w->submitted);

	tell(w, (struct sched_event){ .type = EV_SUBMIT, .jobs = &d, .njobs = 1 });
}

/* One that waits has other terms, or it leaves. Decisions about it were taken. */
static void change_one(struct world *w)
{
	uint64_t id = 1 + (uint64_t)below(w, (int64_t)w->kind->jobs);
	struct sched_job d = draw_job(w, id);
	struct sched_decision answer;

	if (id > w->submitted || w->started[id] || w->ended[id])
		return;
	if (d.deadline)
		assert_int_equal(sched_ask_change(w->s, w->now, &d, &answer), PACT_OK);
	w->changed[id] = true;
	tell(w, (struct sched_event){ .type = EV_CHANGE, .jobs = &d, .njobs = 1 });
}

/* False: none has started. */
static bool end_one(struct world *w)
{
	size_t from = (size_t)below(w, (int64_t)w->kind->jobs);

	for (size_t i = 0; i < w->kind->jobs; i++) {
		size_t id = 1 + (from + i) % w->kind->jobs;

		if (!w->started[id] || w->ended[id])
			continue;
		w->ended[id] = true;
		w->runs[id] = false;
		tell(w, (struct sched_event){ .type = EV_FINISH, .id = id });
		return true;
	}
	return false;
}

static void let_time_pass(struct world *w)
{
	if (w->wake == PACT_FOREVER)
		return;
	w->now = w->wake > w->now ? w->wake : w->now;
	tell(w, (struct sched_event){ .type = EV_TIME });
}

static void hold(struct world *w, uint64_t id)
{
	struct nodeset *nodes = nodeset_create(w->kind->nodes);

	nodeset_set(nodes, (uint32_t)below(w, w->kind->nodes));
	nodeset_set(nodes, (uint32_t)below(w, w->kind->nodes));
	tell(w, (struct sched_event){ .type = EV_BLOCK,
				      .id = id,
				      .nodes = nodes,
				      .start = w->now + below(w, 30),
				      .end = w->now + 30 + below(w, 30) });
	nodeset_destroy(nodes);
}

/* ---- worlds ---- */

static void open_world(struct world *w, uint64_t seed, const struct kind *kind)
{
	char why[200];

	*w = (struct world){ .seed = seed,
			     .kind = kind,
			     .twins = w->twins,
			     .resized = w->resized,
			     .accepted = w->accepted,
			     .refused = w->refused };
	sched_config_init(&w->config);
	w->config.rows = 1 + (int32_t)below(w, 4);
	w->config.slice = 1 + below(w, 20);
	w->config.short_rows = (int32_t)below(w, w->config.rows);
	w->config.short_time = 1 + below(w, 20);
	/* nothing here ends a job at its limit: it is late */
	w->config.guard = w->config.lateness = 5;
	w->config.migration_cost = below(w, 3);
	w->config.cut = below(w, 3) ? CUT_KEEP : CUT_NEXT;
	w->config.discrete = !below(w, 4);
	w->config.mode = below(w, 2) ? SCHED_MODE_PAPER : SCHED_MODE_SLURM;
	w->config.aside = kind->deadlines && below(w, 2);
	w->s = sched_create(kind->name, kind->nodes, &w->config, why, sizeof(why));
	assert_non_null(w->s);
	for (size_t i = 0; i <= w->kind->jobs; i++)
		w->at[i] = nodeset_create(w->kind->nodes);
}

static void close_world(struct world *w)
{
	for (size_t i = 0; i <= w->kind->jobs; i++)
		nodeset_destroy(w->at[i]);
	sched_destroy(w->s);
	sched_destroy(w->twin);
}

static void play(struct world *w)
{
	struct nodeset *all = nodeset_create(w->kind->nodes);

	nodeset_fill(all);
	if (!w->kind->ranges)
		tell(w, (struct sched_event){ .type = EV_NODES, .nodes = all, .memory = 100 });
	nodeset_destroy(all);
	for (int i = 0; i < 1000; i++) {
		int64_t what = below(w, 6);

		if (what < 2 && w->submitted < w->kind->jobs)
			submit(w);
		else if (what != 2 || !end_one(w))
			let_time_pass(w);
		if (w->kind->deadlines && what == 3 && i % 2)
			change_one(w);
		if (i == 20 || i == 30)
			hold(w, 100 + (uint64_t)i);
		if (i == 80 || i == 90)
			tell(w,
			     (struct sched_event){ .type = EV_FINISH, .id = i == 80 ? 120 : 130 });
		drain(w);
	}
	for (size_t i = 1; i <= w->kind->jobs; i++)
		if (!w->ended[i])
			fail_msg("job %zu is lost", i);
}

/* One world, with `tried` of its allocations failing (0: each) in turn, the first of them by the round. RET how many */
static uint64_t shake(struct world *w, const struct kind *kind, uint64_t seed, uint64_t round,
		      uint64_t tried)
{
	uint64_t all, every, failed = 0;

	short_memory_at(0);
	open_world(w, seed, kind);
	play(w);
	close_world(w);
	all = memory.asked;
	every = tried ? all / tried + 1 : 1;
	for (uint64_t fail = 1 + round % every; fail <= all; fail += every, failed++) {
		short_memory_at(fail);
		open_world(w, seed, kind);
		play(w);
		assert_true(memory.shaken);
		close_world(w);
	}
	return failed;
}

static void worlds(const struct kind *kind)
{
	static struct world w;
	uint64_t rounds = seed_rounds(ROUNDS), failed = 0;

	memory.told = w.twins = w.accepted = w.refused = w.resized = 0;
	/* and more, as long as in none of them anything is refused */
	for (uint64_t round = 0;
	     round < rounds || (kind->deadlines && !w.refused && round < 20 * rounds); round++)
		failed += shake(&w, kind, seed_of_round(round), round, TRIED);
	print_message("%" PRIu64 " allocations failed, the driver was told of %" PRIu64 ", %" PRIu64
		      " twins\n",
		      failed, memory.told, w.twins);
	/* that of malleable jobs has all that a pass needs before it begins */
	assert_true(memory.told > 0 && (kind->deadlines || kind->ranges || w.twins > 0));
	/* where jobs are set aside for a deadline few worlds may refuse none */
	assert_true(!kind->deadlines || (w.accepted > failed && (rounds < 50 || w.refused > 0)));
	assert_true(!kind->ranges || w.resized > failed);
}

/* Those that reserve, and are of the gang engine alone: bgs and mbgs are made of two engines (core/beside). */
static void test_ambgs(void **state)
{
	(void)state;
	worlds(GANG("ambgs", false));
}

static void test_bf(void **state)
{
	(void)state;
	worlds(GANG("bf", false));
}

static void test_beside(void **state)
{
	(void)state;
	worlds(GANG("mbgs", true));
}

/* What could not be told to the turns is told again, with the time that it has now: a world in which that counts. */
static void test_told_again(void **state)
{
	static struct world w;

	(void)state;
	assert_true(shake(&w, GANG("mbgs", true), UINT64_C(9830067809575187196), 0, 0) > 0);
}

static void test_uniform(void **state)
{
	(void)state;
	worlds(&(const struct kind){ "uniform", false, true, 9, 14 });
}

static void test_profit(void **state)
{
	(void)state;
	worlds(&(const struct kind){ "profit", true, true, 9, 14 });
}

/* Where so many run and wait that its plan needs room. */
static void test_lazy(void **state)
{
	(void)state;
	worlds(&(const struct kind){ "lazy", true, true, 24, MOST_JOBS });
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ambgs),	cmocka_unit_test(test_bf),
		cmocka_unit_test(test_beside),	cmocka_unit_test(test_told_again),
		cmocka_unit_test(test_uniform), cmocka_unit_test(test_profit),
		cmocka_unit_test(test_lazy),
	};

	return seed_run("test_gang_short", tests);
}
