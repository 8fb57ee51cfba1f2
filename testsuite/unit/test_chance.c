/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_chance: chances to miss beside a plain reference with long doubles; and RiskLimit in the schedulers: what it
 * lets in and refuses, that it breaks no promise, and that what was learned is saved with the rest.
 */
#include "core/sharing/chance.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "testsuite/unit/feed.h"
#include "testsuite/unit/seed.h"

#define MOST 400

/* ---- the reference: all jobs that ended, in their order ---- */

static struct {
	int64_t user, estimate;
	uint32_t ratio;
	bool cut;
} past[MOST];
static size_t pasts;

/* Kaplan and Meier's estimate after the bin, with one more job that outlives all. */
static long double survival(uint32_t bin)
{
	long double over = 1;

	for (uint32_t b = 0; b <= bin; b++) {
		long double risk = 1, ended = 0;

		for (size_t i = 0; i < pasts; i++) {
			risk += past[i].ratio / 1000 >= b;
			ended += past[i].ratio / 1000 == b && !past[i].cut;
		}
		over *= 1 - ended / risk;
	}
	return over;
}

static long double everybody(uint32_t part)
{
	uint32_t bin = part / 1000;

	return ((bin ? survival(bin - 1) : 1) + survival(bin)) / 2;
}

static long double reference(int64_t user, int64_t estimate, uint32_t part)
{
	long double all = everybody(part), over = 1.5L * all, sum = 1.5L, weight = 1;
	int kept = 0;

	for (size_t i = pasts; user && i-- > 0 && kept < 16;) {
		long double own = past[i].estimate == estimate ? weight : weight / 2;

		if (past[i].user != user)
			continue;
		kept++;
		sum += own;
		if (past[i].ratio > part)
			over += own;
		else if (past[i].cut)
			over += own * all / everybody(past[i].ratio);
		weight *= 0.875L;
	}
	return over / sum;
}

/* ---- chances ---- */

static void ended(struct chance *c, int64_t user, int64_t limit, uint32_t ratio, bool cut)
{
	struct sched_past one = { user, limit, (int32_t)ratio, cut };

	assert_int_equal(chance_learn(c, &one, 1), 0);
}

static void learn(struct chance *c)
{
	uint32_t ratio = seed_below(4) ? (uint32_t)seed_below(CHANCE_WHOLE + 1) : CHANCE_WHOLE;

	past[pasts].user = seed_below(4);
	past[pasts].estimate = 60 * (1 + seed_below(3));
	past[pasts].ratio = ratio;
	past[pasts].cut = !seed_below(5);
	ended(c, past[pasts].user, past[pasts].estimate, ratio, past[pasts].cut);
	pasts++;
}

static void compare(const struct chance *c)
{
	int64_t user = seed_below(5), estimate = 60 * (1 + seed_below(3));
	uint32_t part = (uint32_t)seed_below(CHANCE_WHOLE);
	int32_t found = chance_over(c, user, estimate, part),
		limit = (int32_t)seed_below(CHANCE_WHOLE);
	long double told = reference(user, estimate, part) * CHANCE_WHOLE;
	int64_t least = chance_part(c, user, estimate, limit);

	if (fabsl(told - found) > 20)
		fail_msg("user %" PRId64 ", %" PRIu32 " of %" PRId64 " after %zu: %" PRId32
			 ", not %.2Lf",
			 user, part, estimate, pasts, found, told);
	assert_true(chance_over(c, user, estimate, least) <= limit);
	assert_true(!least || chance_over(c, user, estimate, least - 1) > limit);
}

static void test_reference(void **state)
{
	(void)state;
	for (uint64_t round = 0; round < seed_rounds(20); round++) {
		struct chance *c = chance_create();

		pasts = 0;
		assert_int_equal(chance_over(c, 1, 60, 999999),
				 CHANCE_WHOLE); /* nothing is known */
		assert_int_equal(chance_over(c, 1, 60, CHANCE_WHOLE), 0);
		while (pasts < MOST / 4) {
			learn(c);
			compare(c);
		}
		chance_destroy(c);
	}
}

/* By hand: one job that took half. Of the same user and estimate it weighs 1 beside everybody's 1.5. */
static void test_by_hand(void **state)
{
	struct chance *c = chance_create();

	(void)state;
	ended(c, 7, 60, 500000, false);
	/* everybody: one of two is over from 0.5 on */
	assert_int_equal(chance_over(c, 0, 60, 600000), 500000);
	assert_int_equal(chance_over(c, 7, 60, 600000), 300000);  /* 0.75 of 2.5 */
	assert_int_equal(chance_over(c, 7, 120, 600000), 375000); /* 0.75 of 2 */
	assert_int_equal(chance_over(c, 7, 60, 400000), CHANCE_WHOLE);
	/* cut at a half: whether it needed more than 0.6 is what everybody's say, of those that needed that */
	ended(c, 8, 60, 500000, true);
	assert_int_equal(chance_over(c, 0, 60, 600000), 666666);
	chance_destroy(c);
}

/* The user of whom nothing was learned for longest is forgotten, and everybody's counts go on. */
static void test_bounded(void **state)
{
	struct chance *c = chance_create();
	size_t bytes;

	(void)state;
	for (int64_t user = 1; user <= CHANCE_USERS; user++)
		ended(c, user, 60, 0, false);
	bytes = chance_bytes(c);
	ended(c, 1, 60, 0, false);
	assert_true(chance_over(c, 2, 60, 500000) < chance_over(c, 0, 60, 500000));
	ended(c, 100000, 60, 0, false);
	assert_int_equal(chance_over(c, 2, 60, 500000), chance_over(c, 0, 60, 500000));
	assert_true(chance_over(c, 1, 60, 500000) < chance_over(c, 0, 60, 500000));
	for (int64_t i = 0; i < INT64_C(1) << 11; i++)
		ended(c, 200000 + i, 60, 0, false);
	assert_int_equal(chance_bytes(c), bytes);
	chance_destroy(c);
}

/* ---- schedulers ---- */

#define JOBS 300
#define NODES 6

struct running {
	bool on, promised;
	int64_t end; /* of an expected one */
};

static struct running running[JOBS + 1];
static struct feed f;
static int by_chance, too_likely;
static struct sched_past kept[JOBS]; /* as a driver keeps it */

/* One event, after which one thing at most was learned. */
static void tell(struct sched_event ev)
{
	int learned = f.learned;

	f.wake = INT64_MAX;
	assert_int_equal(feed_event(&f, ev), PACT_OK);
	feed_drain(&f);
	if (f.learned > learned)
		kept[learned] = f.past;
	assert_int_equal(f.learned, learned + (ev.type == EV_FINISH));
}

/* By demand shares change at microseconds, too. */
static void go_to(int64_t at)
{
	while (f.wake < at) {
		f.now = f.wake;
		tell((struct sched_event){ .type = EV_TIME, .fine = f.wake_fine });
	}
	f.now = at;
	tell((struct sched_event){ .type = EV_TIME });
}

/* Jobs end: a promised one when its estimate is done at the latest, others whenever. */
static void end_jobs(int64_t until)
{
	for (;;) {
		uint64_t first = 0;
		int64_t at = until;

		for (uint64_t id = 1; id <= JOBS; id++) {
			int64_t end = running[id].on ? running[id].end : INT64_MAX;

			if (running[id].on && running[id].promised && feed_ends(&f, id) < end)
				end = feed_ends(&f, id);
			if (end < at)
				first = id;
			at = end < at ? end : at;
		}
		if (!first)
			break;
		go_to(at > f.now ? at : f.now);
		running[first].on = false;
		tell((struct sched_event){ .type = EV_FINISH, .id = first, .cut = !seed_below(4) });
	}
	go_to(until);
}

static struct sched_job draw(uint64_t id)
{
	int64_t limit = 60 * (1 + seed_below(10));
	struct sched_job d = feed_deadline(id, 1 + (int32_t)seed_below(3), limit,
					   f.now + limit * (1 + seed_below(20)) / 10 + 1);

	d.submit = f.now;
	d.user = seed_below(4);
	d.processors = (int32_t)seed_below(3);
	return d;
}

static void check(const struct sched_decision *d, int32_t limit)
{
	assert_true(d->chance >= 0 && d->chance <= CHANCE_WHOLE);
	if (d->accepted) {
		assert_true(d->chance <= limit);
		assert_true(d->expected || !d->chance);
		by_chance += d->expected;
	} else if (d->reason == REFUSE_CHANCE) {
		assert_true(d->chance > limit);
		too_likely++;
	} else {
		assert_int_equal(d->chance, 0);
	}
	assert_true(d->accepted == (d->reason == REFUSE_NONE));
}

static void submit(uint64_t id, int32_t limit)
{
	struct sched_job d = draw(id);
	struct sched_decision asked;
	int accepted = f.accepted;

	assert_int_equal(sched_ask(f.s, f.now, &d, 1, &asked), PACT_OK);
	check(&asked, limit);
	tell((struct sched_event){ .type = EV_SUBMIT, .jobs = &d, .njobs = 1 });
	assert_int_equal(f.accepted > accepted, asked.accepted);
	if (f.accepted == accepted)
		return;
	/* user 1 takes all that was asked for, the others less */
	running[id] = (struct running){ true, !asked.expected, f.now + 1 + seed_below(d.limit) };
	if (d.user == 1)
		running[id].end = f.now + 3 * d.limit;
}

/* What is told goes into another scheduler; it is what counts from then on. */
static void take_in(void *arg, const struct record_form *form, const void *record)
{
	struct sched *other = arg;

	assert_int_equal(sched_recall(other, sched_recall_form(other, form->name), record),
			 PACT_OK);
}

static void tell_nodes(struct sched *s, int64_t now)
{
	struct nodeset *some = feed_nodes(NODES, 3), *others = feed_nodes(NODES, 12);
	struct sched_event ev = {
		.type = EV_NODES, .now = now, .nodes = some, .rating = 1500, .processors = 4
	};

	assert_int_equal(sched_event(s, &ev), PACT_OK);
	ev = (struct sched_event){ .type = EV_NODES, .now = now, .nodes = others, .processors = 2 };
	assert_int_equal(sched_event(s, &ev), PACT_OK);
	nodeset_destroy(some);
	nodeset_destroy(others);
}

/* Both know the same, and are asked the same. */
static void compare_answers(struct sched *other)
{
	for (uint64_t id = JOBS + 1; id < JOBS + 40; id++) {
		struct sched_job d = draw(id);
		struct sched_decision a, b;

		assert_int_equal(sched_ask(f.s, f.now, &d, 1, &a), PACT_OK);
		assert_int_equal(sched_ask(other, f.now, &d, 1, &b), PACT_OK);
		assert_int_equal(a.accepted, b.accepted);
		assert_int_equal(a.chance, b.chance);
		assert_int_equal(a.reason, b.reason);
	}
}

static void replace(const char *name, const struct sched_config *config)
{
	struct sched *other = sched_create(name, NODES, config, NULL, 0);

	assert_int_equal(sched_retell(f.s, take_in, other), PACT_OK);
	assert_int_equal(sched_recall_done(other), PACT_OK);
	compare_answers(other);
	sched_destroy(f.s);
	f.s = other;
}

/* All jobs are over. One that is made anew, and told what a driver has kept, knows as much. */
static void teach(const char *name, const struct sched_config *config, bool unlike)
{
	struct sched *other = sched_create(name, NODES, config, NULL, 0);
	struct nodeset *all = feed_nodes(NODES, (1 << NODES) - 1);
	struct sched_event ev = { .type = EV_PAST, .now = f.now, .nodes = all };
	struct sched_action a;

	if (unlike)
		tell_nodes(other, f.now);
	for (size_t at = 0; at < (size_t)f.learned; at += ev.npast) {
		ev.past = kept + at;
		ev.npast = 1 + (size_t)seed_below(f.learned - (int64_t)at);
		assert_int_equal(sched_event(other, &ev), PACT_OK);
	}
	while (sched_next(other, &a))
		assert_int_not_equal(a.type, ACT_LEARNED); /* it is known already */
	compare_answers(other);
	sched_destroy(other);
	nodeset_destroy(all);
}

static void one_world(const char *name)
{
	struct sched_config config;
	bool unlike = seed_below(2);

	sched_config_init(&config);
	config.risk_limit = (int32_t)seed_below(CHANCE_WHOLE / 2) + 1;
	config.mode = seed_below(2) ? SCHED_MODE_SLURM : SCHED_MODE_PAPER;
	config.node_choice = seed_below(2) ? NODES_BEST : NODES_ORDER;
	config.spare = seed_below(2) ? SPARE_SHARE : SPARE_IDLE;
	memset(running, 0, sizeof(running));
	feed_open(&f, name, NODES, &config);
	f.name_nodes = true;
	f.wake = INT64_MAX;
	if (unlike)
		tell_nodes(f.s, f.now);
	for (uint64_t id = 1; id <= JOBS; id++) {
		end_jobs(f.now + seed_below(120));
		submit(id, config.risk_limit);
		if (id == JOBS / 2)
			replace(name, &config);
	}
	if (f.broken)
		fail_msg("%s, mode %d, best %d, spare %d, limit %" PRId32 ": a promise is broken",
			 name, (int)config.mode, (int)config.node_choice, (int)config.spare,
			 config.risk_limit);
	end_jobs(f.now + 1000000);
	teach(name, &config, unlike);
	feed_close(&f);
}

static void test_schedulers(void **state)
{
	(void)state;
	for (uint64_t i = 0; i < seed_rounds(10); i++) {
		one_world("libra");
		one_world("librarisk");
		one_world("demand");
	}
	print_message("%d let in by their chance, %d refused by it\n", by_chance, too_likely);
	assert_true(by_chance > 30 && too_likely > 100);
}

/*
 * By hand, on one node: user 1's job takes 10 of 100 s. One that has 60 s for 100 gets in then, another user's does
 * not: to everybody the chance is 1/2, to user 1 0.3. It has a whole share: nobody joins it, though its deadline is
 * far.
 */
static void test_limit(void **state)
{
	static const char *const names[] = { "libra", "librarisk", "demand" };
	struct sched_config config;

	(void)state;
	sched_config_init(&config);
	config.risk_limit = 400000;
	for (size_t i = 0; i < 3; i++) {
		struct sched_job d = feed_deadline(1, 1, 100, 100);

		feed_open(&f, names[i], 1, &config);
		d.user = 1;
		assert_int_equal(feed_submit(&f, d), PACT_OK);
		feed_drain(&f);
		assert_false(f.decision.expected);
		f.now = 10;
		assert_int_equal(feed_finish(&f, 1), PACT_OK);
		feed_drain(&f);
		d = feed_deadline(2, 1, 100, 70);
		d.user = 2;
		assert_int_equal(feed_submit(&f, d), PACT_OK);
		feed_drain(&f);
		assert_int_equal(f.refused, 1);
		assert_int_equal(f.decision.reason, REFUSE_CHANCE);
		assert_int_equal(f.decision.chance, 500000);
		assert_int_equal(f.decision.offer_end, 110);
		d = feed_deadline(3, 1, 100, 70);
		d.user = 1;
		assert_int_equal(feed_submit(&f, d), PACT_OK);
		feed_drain(&f);
		assert_int_equal(f.accepted, 2);
		assert_true(f.decision.expected);
		assert_int_equal(f.decision.chance, 300000);
		assert_int_equal(f.decision.delay, 40);
		d = feed_deadline(4, 1, 1, 60);
		assert_int_equal(feed_submit(&f, d), PACT_OK);
		feed_drain(&f);
		assert_int_equal(f.refused, 2);
		assert_int_equal(f.decision.reason, REFUSE_SHARES);
		feed_close(&f);
	}
}

/* What is no past is refused, and nothing is learned; it is of some nodes, and of none on shared ones else. */
static void test_past(void **state)
{
	static const struct sched_past good = { 1, 60, 500000, false },
				       bad[] = { { 1, 0, 1, false },
						 { 1, PACT_FOREVER, 1, false },
						 { 1, 60, -1, false },
						 { 1, 60, CHANCE_WHOLE + 1, false } };
	struct nodeset *one = feed_nodes(1, 1);
	struct sched_event ev = { .type = EV_PAST, .nodes = one, .npast = 2 };
	struct sched_job d = feed_deadline(2, 1, 100, 70);
	struct sched_config config;
	struct sched_decision told;

	(void)state;
	sched_config_init(&config);
	config.risk_limit = 1;
	feed_open(&f, "librarisk", 1, &config);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct sched_past two[] = { good, bad[i] };

		ev.past = two;
		assert_int_equal(feed_event(&f, ev), PACT_EINVAL);
	}
	ev.past = &good;
	ev.npast = 1;
	ev.nodes = NULL;
	assert_int_equal(feed_event(&f, ev), PACT_EINVAL);
	assert_int_equal(sched_ask(f.s, 0, &d, 1, &told), PACT_OK);
	assert_int_equal(told.chance, CHANCE_WHOLE);
	ev.nodes = one;
	assert_int_equal(feed_event(&f, ev), PACT_OK);
	assert_int_equal(sched_ask(f.s, 0, &d, 1, &told), PACT_OK);
	assert_int_equal(told.chance, 500000);
	feed_close(&f);
	nodeset_destroy(one);
}

/* One that was ended before it was done needed more than that. */
static void test_cut(void **state)
{
	struct sched_config config;
	struct sched_decision told[2];

	(void)state;
	sched_config_init(&config);
	config.risk_limit = 1;
	for (int cut = 0; cut < 2; cut++) {
		struct sched_job d = feed_deadline(1, 1, 100, 100);

		feed_open(&f, "libra", 1, &config);
		d.user = 1;
		assert_int_equal(feed_submit(&f, d), PACT_OK);
		feed_drain(&f);
		f.now = 50;
		assert_int_equal(feed_event(&f, (struct sched_event){ .type = EV_FINISH,
								      .id = 1,
								      .cut = cut == 1 }),
				 PACT_OK);
		feed_drain(&f);
		assert_int_equal(f.past.cut, cut);
		assert_int_equal(f.past.user, 1);
		assert_int_equal(f.past.limit, 100);
		assert_in_range(f.past.part, 499999, 500000);
		d = feed_deadline(2, 1, 100, 110);
		d.user = 1;
		assert_int_equal(sched_ask(f.s, f.now, &d, 1, &told[cut]), PACT_OK);
		feed_close(&f);
	}
	assert_int_equal(told[1].chance, CHANCE_WHOLE);
	assert_true(told[0].chance < CHANCE_WHOLE);
}

/* Of two processors the late job claims one and no more: the other is promised to a job that needs all of it. */
static void test_beside(void **state)
{
	static const char *const names[] = { "libra", "librarisk", "demand" };
	struct nodeset *node = feed_nodes(1, 1);
	struct sched_config config;

	(void)state;
	sched_config_init(&config);
	config.risk_limit = CHANCE_WHOLE; /* all get in where there is room */
	for (size_t i = 0; i < 3; i++) {
		feed_open(&f, names[i], 1, &config);
		tell((struct sched_event){ .type = EV_NODES, .nodes = node, .processors = 2 });
		for (uint64_t id = 1; id <= 3; id++) {
			struct sched_job d = feed_deadline(id, 1, id == 1 ? 100 : 60, 60);

			d.processors = 1;
			tell((struct sched_event){ .type = EV_SUBMIT, .jobs = &d, .njobs = 1 });
		}
		assert_int_equal(f.accepted, 2);
		assert_int_equal(f.decision.reason, REFUSE_SHARES);
		assert_int_equal(feed_ends(&f, 1), 100);
		assert_int_equal(feed_ends(&f, 2), 60);
		f.now = 60;
		tell((struct sched_event){ .type = EV_FINISH, .id = 2 });
		assert_int_equal(f.broken, 0);
		feed_close(&f);
	}
	nodeset_destroy(node);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reference), cmocka_unit_test(test_by_hand),
		cmocka_unit_test(test_bounded),	  cmocka_unit_test(test_schedulers),
		cmocka_unit_test(test_limit),	  cmocka_unit_test(test_beside),
		cmocka_unit_test(test_past),	  cmocka_unit_test(test_cut),
	};

	return seed_run("test_chance", tests);
}
