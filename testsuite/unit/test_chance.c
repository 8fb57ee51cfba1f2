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

static void learn(struct chance *c)
{
	uint32_t ratio = seed_below(4) ? (uint32_t)seed_below(CHANCE_WHOLE + 1) : CHANCE_WHOLE;

	past[pasts].user = seed_below(4);
	past[pasts].estimate = 60 * (1 + seed_below(3));
	past[pasts].ratio = ratio;
	past[pasts].cut = !seed_below(5);
	assert_int_equal(
		chance_learn(c, past[pasts].user, past[pasts].estimate, ratio, past[pasts].cut), 0);
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
	assert_int_equal(chance_learn(c, 7, 60, 500000, false), 0);
	/* everybody: one of two is over from 0.5 on */
	assert_int_equal(chance_over(c, 0, 60, 600000), 500000);
	assert_int_equal(chance_over(c, 7, 60, 600000), 300000);  /* 0.75 of 2.5 */
	assert_int_equal(chance_over(c, 7, 120, 600000), 375000); /* 0.75 of 2 */
	assert_int_equal(chance_over(c, 7, 60, 400000), CHANCE_WHOLE);
	/* cut at a half: whether it needed more than 0.6 is what everybody's say, of those that needed that */
	assert_int_equal(chance_learn(c, 8, 60, 500000, true), 0);
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
		assert_int_equal(chance_learn(c, user, 60, 0, false), 0);
	bytes = chance_bytes(c);
	assert_int_equal(chance_learn(c, 1, 60, 0, false), 0);
	assert_true(chance_over(c, 2, 60, 500000) < chance_over(c, 0, 60, 500000));
	assert_int_equal(chance_learn(c, 100000, 60, 0, false), 0);
	assert_int_equal(chance_over(c, 2, 60, 500000), chance_over(c, 0, 60, 500000));
	assert_true(chance_over(c, 1, 60, 500000) < chance_over(c, 0, 60, 500000));
	for (int64_t i = 0; i < INT64_C(1) << 11; i++)
		assert_int_equal(chance_learn(c, 200000 + i, 60, 0, false), 0);
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

static void tell(struct sched_event ev)
{
	f.wake = INT64_MAX;
	assert_int_equal(feed_event(&f, ev), PACT_OK);
	feed_drain(&f);
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
		tell((struct sched_event){ .type = EV_FINISH, .id = first });
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

static void replace(const char *name, const struct sched_config *config)
{
	struct sched *other = sched_create(name, NODES, config, NULL, 0);

	assert_int_equal(sched_retell(f.s, take_in, other), PACT_OK);
	assert_int_equal(sched_recall_done(other), PACT_OK);
	for (uint64_t id = JOBS + 1; id < JOBS + 40; id++) {
		struct sched_job d = draw(id);
		struct sched_decision a, b;

		assert_int_equal(sched_ask(f.s, f.now, &d, 1, &a), PACT_OK);
		assert_int_equal(sched_ask(other, f.now, &d, 1, &b), PACT_OK);
		assert_int_equal(a.accepted, b.accepted);
		assert_int_equal(a.chance, b.chance);
		assert_int_equal(a.reason, b.reason);
	}
	sched_destroy(f.s);
	f.s = other;
}

static void one_world(const char *name)
{
	struct sched_config config;
	struct nodeset *some = feed_nodes(NODES, 3), *others = feed_nodes(NODES, 12);

	sched_config_init(&config);
	config.risk_limit = (int32_t)seed_below(CHANCE_WHOLE / 2) + 1;
	config.mode = seed_below(2) ? SCHED_MODE_SLURM : SCHED_MODE_PAPER;
	config.node_choice = seed_below(2) ? NODES_BEST : NODES_ORDER;
	config.spare = seed_below(2) ? SPARE_SHARE : SPARE_IDLE;
	memset(running, 0, sizeof(running));
	feed_open(&f, name, NODES, &config);
	f.name_nodes = true;
	f.wake = INT64_MAX;
	if (seed_below(2)) {
		feed_event(&f, (struct sched_event){ .type = EV_NODES,
						     .nodes = some,
						     .rating = 1500,
						     .processors = 4 });
		feed_event(&f, (struct sched_event){
				       .type = EV_NODES, .nodes = others, .processors = 2 });
	}
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
	nodeset_destroy(some);
	nodeset_destroy(others);
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
	assert_true(by_chance > 100 && too_likely > 100);
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
	};

	return seed_run("test_chance", tests);
}
