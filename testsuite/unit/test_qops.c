/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_qops: what QoPS adds in slurm mode, and artificial deadlines. Plain jobs must be planned as
 * conservative backfilling in priority order plans them, compared with a reference of a few lines.
 * (Figure 3 itself is compared with its transcription in test_ref_sched and in the worked examples.)
 */
#include <inttypes.h>

#include "testsuite/unit/feed.h"
#include "testsuite/unit/seed.h"

#define NODES 16
#define JOBS 40

/* ---- priority order ---- */

struct plain {
	struct sched_job d;
	enum { GONE, WAITS, RUNS } state;
	int64_t start, real_end;
	bool placed; /* in the reference's plan, from `start` */
};

static int32_t free_at(const struct plain *p, int64_t t)
{
	int32_t n = NODES;

	for (int i = 0; i < JOBS; i++) {
		if (p[i].state != GONE && p[i].placed && p[i].start <= t &&
		    p[i].start + p[i].d.limit > t)
			n -= p[i].d.width;
	}
	return n;
}

static bool fits(const struct plain *p, const struct plain *j, int64_t t)
{
	if (free_at(p, t) < j->d.width)
		return false;
	for (int i = 0; i < JOBS; i++) {
		if (p[i].state != GONE && p[i].placed && p[i].start > t &&
		    p[i].start < t + j->d.limit && free_at(p, p[i].start) < j->d.width)
			return false;
	}
	return true;
}

static int64_t earliest(const struct plain *p, const struct plain *j, int64_t now)
{
	int64_t best = fits(p, j, now) ? now : INT64_MAX;

	for (int i = 0; i < JOBS && best != now; i++) {
		int64_t t = p[i].start + p[i].d.limit;

		if (p[i].state != GONE && p[i].placed && t > now && t < best && fits(p, j, t))
			best = t;
	}
	return best;
}

/* Place the waiting jobs by priority, then submission, then id, each at its earliest fit. */
static void plan_by_priority(struct plain *p, int64_t now)
{
	for (int i = 0; i < JOBS; i++)
		p[i].placed = p[i].state == RUNS;
	for (;;) {
		struct plain *next = NULL;

		for (int i = 0; i < JOBS; i++) {
			struct plain *j = &p[i];

			if (j->state != WAITS || j->placed)
				continue;
			if (!next || j->d.priority > next->d.priority ||
			    (j->d.priority == next->d.priority &&
			     (j->d.submit < next->d.submit ||
			      (j->d.submit == next->d.submit && j->d.id < next->d.id))))
				next = j;
		}
		if (!next)
			return;
		next->start = earliest(p, next, now);
		next->placed = true;
	}
}

/* After the core has drained: every job that could start now has, and the others are planned alike. */
static void compare(struct feed *f, struct plain *p)
{
	plan_by_priority(p, f->now);
	for (int i = 0; i < JOBS; i++) {
		struct sched_view v;

		if (p[i].state == GONE)
			continue;
		assert_int_equal(sched_view(f->s, p[i].d.id, &v), PACT_OK);
		if (v.start != p[i].start)
			fail_msg("now %" PRId64 " job %" PRIu64 ": planned %" PRId64
				 ", by priority %" PRId64,
				 f->now, p[i].d.id, v.start, p[i].start);
		assert_int_equal(v.running, p[i].start <= f->now);
		if (v.running && p[i].state == WAITS) {
			p[i].state = RUNS;
			p[i].real_end = f->now + 1 + seed_below(p[i].d.limit);
		}
	}
}

static void submit_plain(struct feed *f, struct plain *p, uint64_t id)
{
	for (int i = 0; i < JOBS; i++) {
		if (p[i].state != GONE)
			continue;
		p[i].d = feed_job(id, 1 + (int32_t)seed_below(seed_below(3) ? NODES / 3 : NODES),
				  1 + seed_below(100));
		p[i].d.submit = f->now;
		p[i].d.priority = seed_below(6);
		p[i].state = WAITS;
		assert_int_equal(feed_submit(f, p[i].d), PACT_OK);
		return;
	}
}

static void step_time(struct feed *f, struct plain *p)
{
	int64_t to = f->now + 1 + seed_below(20);

	for (int i = 0; i < JOBS; i++) {
		if (p[i].state == RUNS && p[i].real_end < to)
			to = p[i].real_end;
	}
	if (f->wake > f->now && f->wake < to)
		to = f->wake;
	f->now = to;
	for (int i = 0; i < JOBS; i++) {
		if (p[i].state == RUNS && p[i].real_end == to) {
			assert_int_equal(feed_finish(f, p[i].d.id), PACT_OK);
			p[i].state = GONE;
		}
	}
	feed_event(f, (struct sched_event){ .type = EV_TIME });
}

static void test_priority_order(void **state)
{
	struct plain p[JOBS];
	struct sched_config c;
	struct feed f;

	(void)state;
	sched_config_init(&c);
	c.mode = SCHED_MODE_SLURM;
	for (int round = 0; round < 60; round++) {
		feed_open(&f, "qops", NODES, &c);
		for (int i = 0; i < JOBS; i++)
			p[i] = (struct plain){ .state = GONE };
		for (uint64_t id = 1; id < 150; id++) {
			struct plain *j = &p[seed_below(JOBS)];

			if (seed_below(3))
				submit_plain(&f, p, id);
			else
				step_time(&f, p);
			if (!seed_below(5) && j->state == WAITS) {
				j->d.priority = seed_below(6);
				feed_event(&f, (struct sched_event){ .type = EV_PRIORITY,
								     .id = j->d.id,
								     .priority = j->d.priority });
			}
			f.wake = -1;
			feed_drain(&f);
			compare(&f, p);
		}
		feed_close(&f);
	}
}

/* ---- artificial deadlines (QoPS, section 4.2; doc/design.md, promise 4) ---- */

static int64_t artificial(struct feed *f, uint64_t id)
{
	struct sched_view v;

	assert_int_equal(sched_view(f->s, id, &v), PACT_OK);
	return v.artificial;
}

static void test_artificial(void **state)
{
	struct sched_config c;
	struct sched_job d;
	struct feed f;

	(void)state;
	sched_config_init(&c);
	c.min_artificial = 1000;
	c.relax_milli = 2500;
	feed_open(&f, "qops", 1, &c);
	feed_submit(&f, feed_job(1, 1, 300));
	feed_drain(&f);
	f.now = 50;
	d = feed_job(2, 1, 100);
	d.submit = 50;
	feed_submit(&f, d);
	assert_int_equal(artificial(&f, 2), 1050); /* at least the minimum */
	d = feed_job(3, 1, 800);
	d.submit = 50;
	feed_submit(&f, d);
	assert_int_equal(artificial(&f, 3), 2050); /* R x limit */
	d = feed_job(4, 1, 800);
	d.submit = 50;
	d.eligible = 500;
	feed_submit(&f, d);
	assert_int_equal(artificial(&f, 4), 2500); /* counted from its eligibility */
	d = feed_job(5, 1, 801);
	d.submit = 50;
	feed_submit(&f, d);
	assert_int_equal(feed_ends(&f, 5), 300 + 100 + 800 + 800 + 801);
	assert_int_equal(artificial(&f, 5), 2801); /* or its earliest feasible end */
	d = feed_job(6, 1, PACT_FOREVER);
	feed_submit(&f, d);
	assert_int_equal(artificial(&f, 6), PACT_FOREVER);
	feed_close(&f);
}

/* A promise that would starve a job without one is refused, in both modes, and says which. */
static void test_starves(void **state)
{
	(void)state;
	for (int mode = 0; mode < 2; mode++) {
		struct sched_config c;
		struct feed f;

		sched_config_init(&c);
		c.mode = (enum sched_mode)mode;
		c.min_artificial = 200;
		c.kfactor = 0; /* the first that misses is the one that is told */
		feed_open(&f, "qops", 1, &c);
		feed_submit(&f, feed_job(1, 1, 100));
		feed_drain(&f);
		feed_submit(&f, feed_job(2, 1, 100)); /* [100, 200), due at 200 */
		feed_drain(&f);
		feed_submit(&f, feed_deadline(3, 1, 50, 150)); /* would have to go before 2 */
		feed_drain(&f);
		assert_int_equal(f.refused, 1);
		assert_int_equal(f.decision.reason, REFUSE_STARVES);
		assert_int_equal(f.decision.critical, 2);
		assert_int_equal(f.decision.critical_late, 50);
		assert_int_equal(f.decision.offer_end, 250);
		assert_int_equal(feed_ends(&f, 2), 200);
		c.min_artificial = 300; /* patience of later jobs only */
		assert_int_equal(sched_configure(f.s, &c, NULL, 0), PACT_OK);
		feed_submit(&f, feed_deadline(4, 1, 50, 150));
		feed_drain(&f);
		assert_int_equal(f.refused, 2);
		feed_close(&f);
	}
}

/* One node, busy until 100; then a job that is due at 200, and a request for 100 s by `deadline`. */
static void ask_behind(enum sched_mode mode, int32_t kfactor, bool promised, int64_t deadline,
		       struct sched_decision *d)
{
	struct sched_job first = promised ? feed_deadline(2, 1, 100, 200) : feed_job(2, 1, 100);
	struct sched_config c;
	struct feed f;

	sched_config_init(&c);
	c.mode = mode;
	c.min_artificial = 200;
	c.kfactor = kfactor;
	feed_open(&f, "qops", 1, &c);
	feed_submit(&f, feed_job(1, 1, 100));
	feed_drain(&f);
	feed_submit(&f, first);
	feed_drain(&f);
	feed_submit(&f, feed_deadline(3, 1, 100, deadline));
	feed_drain(&f);
	assert_int_equal(f.refused, 1);
	assert_int_equal(feed_ends(&f, 2), 200);
	*d = f.decision;
	feed_close(&f);
}

/* The reason is what keeps it from being promised, whichever job missed last in the attempts. */
static void test_reason(void **state)
{
	struct sched_decision d;

	(void)state;
	for (int mode = 0; mode < 2; mode++) {
		for (int32_t k = 0; k < 7; k++) {
			/* it fits if the plain job goes second, and so 100 s past its time */
			ask_behind((enum sched_mode)mode, k, false, 210, &d);
			assert_int_equal(d.reason, REFUSE_STARVES);
			assert_int_equal(d.critical, 2);
			assert_int_equal(d.critical_late, 100);
			assert_int_equal(d.offer_end, 300);
			/* it does not fit whatever the plain job does */
			ask_behind((enum sched_mode)mode, k, false, 190, &d);
			assert_int_equal(d.reason, REFUSE_FULL);
			/* no job would starve: the other one is promised */
			ask_behind((enum sched_mode)mode, k, true, 210, &d);
			assert_int_equal(d.reason, REFUSE_FULL);
		}
	}
}

/*
 * What runs sets the bounds: 3 of 4 nodes until 1000, and job 2 is promised the fourth one for as long.
 * A refusal that follows from that alone tries no position, and its offer is that bound if it is free.
 */
/* Bounds of what can never be, at the ends of the numbers' ranges. */
static void test_bounds_at_the_ends(void **state)
{
	struct sched_job ask = feed_deadline(1, INT32_MAX, 100, 1000);
	struct sched_decision d;
	struct feed f = { 0 };

	(void)state;
	feed_open(&f, "qops", 4, NULL);
	assert_int_equal(sched_ask(f.s, 0, &ask, 1, &d), PACT_OK);
	assert_int_equal(d.reason, REFUSE_NEVER_FITS);
	assert_int_equal(d.most_width, 4);
	assert_int_equal(d.most_limit, 0);
	ask.width = 5;
	ask.limit = ask.deadline = PACT_FOREVER;
	assert_int_equal(sched_ask(f.s, 0, &ask, 1, &d), PACT_OK);
	assert_int_equal(d.reason, REFUSE_NEVER_FITS);
	assert_int_equal(d.most_limit, PACT_FOREVER); /* not asked for */
	assert_int_equal(d.most_width, 0);	      /* what never ends is never in time */
	feed_close(&f);

	/* a guard that is longer than all the time there is until the deadline */
	struct sched_config c;

	sched_config_init(&c);
	c.guard = 1000;
	feed_open(&f, "qops", 4, &c);
	ask.deadline = 1;
	assert_int_equal(sched_ask(f.s, 0, &ask, 1, &d), PACT_OK);
	assert_int_equal(d.reason, REFUSE_NEVER_FITS);
	assert_int_equal(d.most_limit, PACT_FOREVER);
	feed_close(&f);
}

static void test_bounds(void **state)
{
	struct nodeset *three = feed_nodes(4, 7);
	struct sched_config c;
	struct sched_decision d;
	struct feed f;

	(void)state;
	for (int mode = 0; mode < 2; mode++) {
		struct sched_job ask = feed_deadline(3, 2, 100, 1050);
		struct sched_job other = feed_deadline(2, 1, 1000, 1001);

		sched_config_init(&c);
		c.mode = (enum sched_mode)mode;
		c.offer_probes = 6;
		feed_open(&f, "qops", 4, &c);
		feed_event(&f, (struct sched_event){
				       .type = EV_STARTED, .id = 1, .nodes = three, .end = 1000 });
		other.begin = 1;
		feed_submit(&f, other);
		feed_drain(&f);
		assert_int_equal(f.accepted, 1);
		assert_int_equal(sched_ask(f.s, 0, &ask, 1, &d), PACT_OK);
		assert_int_equal(d.reason, REFUSE_FULL);
		assert_int_equal(d.attempts, 0);
		assert_int_equal(d.critical, 3);
		assert_int_equal(d.critical_late, 50);
		assert_int_equal(d.offer_end, 1100);
		assert_int_equal(d.most_limit, 50);
		assert_int_equal(d.most_width, 1); /* whatever waits: not job 2 */
		/* a question for yes or no has the bounds, but no offer */
		ask.flags = JOB_PROBE;
		assert_int_equal(sched_ask(f.s, 0, &ask, 1, &d), PACT_OK);
		assert_int_equal(d.reason, REFUSE_FULL);
		assert_int_equal(d.offer_end, PACT_FOREVER);
		assert_int_equal(d.most_limit, 50);
		/* a bound is no promise */
		ask.width = 1;
		ask.deadline = 900;
		assert_int_equal(sched_ask(f.s, 0, &ask, 1, &d), PACT_OK);
		assert_false(d.accepted);
		assert_true(d.attempts > 0);
		assert_int_equal(d.most_width, 1);
		assert_int_equal(d.most_limit, 100);
		ask.width = 2;
		ask.deadline = 1100;
		assert_int_equal(sched_ask(f.s, 0, &ask, 1, &d), PACT_OK);
		assert_true(d.accepted);
		feed_close(&f);
	}
	nodeset_destroy(three);
}

/*
 * A job that a promised one waits for makes room for those of more priority, as long as it ends in time;
 * one that is promised itself keeps its place.
 */
static void test_needed(void **state)
{
	static const int64_t starts[2][4][4] = {
		/* of jobs 2 (the needed one), 3, 4, 5, after each of 3, 4, 5 has come */
		{ { 100, -1, -1, -1 },
		  { 200, 100, -1, -1 },
		  { 300, 200, 100, -1 },
		  { 300, 400, 200, 100 } },
		{ { 100, -1, -1, -1 },
		  { 100, 200, -1, -1 },
		  { 100, 300, 200, -1 },
		  { 100, 400, 300, 200 } },
	};
	struct sched_config c;
	struct feed f;

	(void)state;
	for (int promised = 0; promised < 2; promised++) {
		struct sched_job needed = feed_deadline(2, 1, 100, 400);

		sched_config_init(&c);
		c.mode = SCHED_MODE_SLURM;
		needed.flags = promised ? JOB_PROMISED : JOB_PROMISED | JOB_NEEDED;
		feed_open(&f, "qops", 1, &c);
		feed_submit(&f, feed_job(1, 1, 100));
		feed_drain(&f);
		feed_submit(&f, needed);
		for (uint64_t id = 3; id <= 6; id++) {
			feed_drain(&f);
			for (uint64_t k = 2; k <= 5; k++)
				assert_int_equal(feed_starts(&f, k),
						 starts[promised][id - 3][k - 2]);
			struct sched_job more = feed_job(id, 1, 100);

			more.priority = (int64_t)id;
			feed_submit(&f, more);
		}
		/* no admission pushes it past its deadline */
		feed_submit(&f, feed_deadline(9, 1, 250, 400));
		feed_drain(&f);
		assert_int_equal(f.refused, 1);
		assert_int_equal(f.broken, 0);
		feed_close(&f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_priority_order),
		cmocka_unit_test(test_artificial),
		cmocka_unit_test(test_starves),
		cmocka_unit_test(test_reason),
		cmocka_unit_test(test_needed),
		cmocka_unit_test(test_bounds),
		cmocka_unit_test(test_bounds_at_the_ends),
	};

	return seed_run("test_qops", tests);
}
