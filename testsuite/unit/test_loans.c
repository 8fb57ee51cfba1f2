/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_loans: nodes that a plan leaves idle are lent to jobs that can use more (core/loans), step by step: which get them,
 * when they are called in, and what the plan counts on meanwhile; what drivers answer, or tell unasked.
 */
#include <string.h>

#include "core/sched.h"
#include "testsuite/unit/feed.h"
#include "testsuite/unit/seed.h"

#define NODES 16
#define GRACE 60

/* A driver that names nodes, and does what it is asked to at once, or does not. */
struct hand {
	struct feed f;
	struct nodeset *has[10]; /* of each job, by id; NULL: it does not run */
	enum sched_event_type
		answer; /* to what gives nodes back: EV_RESIZED, EV_LEAVING, EV_REFUSED */
	enum sched_event_type to_more; /* to what gives it more */
	struct sched_action last;      /* ACT_RESIZE */
	int resized, accepted, refused, broken;
	int64_t due;		    /* by when the job that was started last is to be over */
	uint64_t moldable;	    /* it is started on what is spare, too */
	struct sched_decision said; /* of the last ACT_ACCEPT or ACT_REFUSE */
};

static void hand_open(struct hand *h, const char *scheduler, enum sched_loans loans,
		      int64_t lateness)
{
	struct sched_config c;

	sched_config_init(&c);
	c.loans = loans;
	c.resize_grace = GRACE;
	c.loan_time = 300;
	c.resize_interval = 120;
	c.guard = c.lateness = lateness;
	*h = (struct hand){ .answer = EV_RESIZED, .to_more = EV_RESIZED };
	feed_open(&h->f, scheduler, NODES, &c);
}

static void hand_close(struct hand *h)
{
	feed_close(&h->f);
	for (int i = 0; i < 10; i++)
		nodeset_destroy(h->has[i]);
}

static bool is_free(const struct hand *h, uint32_t node)
{
	for (int i = 0; i < 10; i++)
		if (h->has[i] && nodeset_test(h->has[i], node))
			return false;
	return true;
}

static int32_t has(const struct hand *h, uint64_t id)
{
	return h->has[id] ? (int32_t)nodeset_count(h->has[id]) : 0;
}

static void tell(struct hand *h, enum sched_event_type type, uint64_t id,
		 const struct nodeset *nodes)
{
	assert_int_equal(
		feed_event(&h->f,
			   (struct sched_event){ .type = type,
						 .id = id,
						 .nodes = nodes,
						 .start = type == EV_STARTED ? h->f.now : 0 }),
		PACT_OK);
}

/* On the lowest free nodes that it may have. */
static void start(struct hand *h, const struct sched_action *a)
{
	struct nodeset *nodes = nodeset_create(NODES);
	int32_t left = a->width + (a->id == h->moldable ? a->spare : 0);

	for (uint32_t n = 0; n < NODES && left; n++) {
		if ((a->allowed && !nodeset_test(a->allowed, n)) || !is_free(h, n))
			continue;
		nodeset_set(nodes, n);
		left--;
	}
	assert_int_equal(left, 0);
	h->has[a->id] = nodes;
	h->due = a->end;
	tell(h, EV_STARTED, a->id, nodes);
}

static void resize(struct hand *h, const struct sched_action *a)
{
	bool more = a->width > has(h, a->id);
	enum sched_event_type answer = more ? h->to_more : h->answer;

	h->resized++;
	h->last = *a;
	assert_int_equal(a->width, nodeset_count(a->allowed));
	assert_int_equal(more, !a->end);
	if (answer == EV_RESIZED) {
		for (uint32_t n = 0; n < NODES; n++)
			assert_true(!nodeset_test(a->allowed, n) ||
				    nodeset_test(h->has[a->id], n) || is_free(h, n));
		nodeset_copy(h->has[a->id], a->allowed);
	}
	tell(h, answer, a->id, answer == EV_RESIZED ? h->has[a->id] : NULL);
}

static void drain(struct hand *h)
{
	struct sched_action a;

	h->f.wake = PACT_FOREVER;
	while (sched_next(h->f.s, &a)) {
		h->accepted += a.type == ACT_ACCEPT;
		h->refused += a.type == ACT_REFUSE;
		h->broken += a.type == ACT_BROKEN;
		if (a.type == ACT_ACCEPT || a.type == ACT_REFUSE)
			h->said = a.decision;
		if (a.type == ACT_START)
			start(h, &a);
		else if (a.type == ACT_RESIZE)
			resize(h, &a);
		else if (a.type == ACT_WAKE)
			h->f.wake = a.end;
	}
	assert_string_equal(sched_error(h->f.s), "");
}

static void at(struct hand *h, int64_t now)
{
	h->f.now = now;
	assert_int_equal(feed_event(&h->f, (struct sched_event){ .type = EV_TIME }), PACT_OK);
	drain(h);
}

static void submit(struct hand *h, struct sched_job job)
{
	job.submit = h->f.now;
	assert_int_equal(feed_submit(&h->f, job), PACT_OK);
	drain(h);
}

static void finish(struct hand *h, uint64_t id)
{
	nodeset_destroy(h->has[id]);
	h->has[id] = NULL;
	assert_int_equal(feed_finish(&h->f, id), PACT_OK);
	drain(h);
}

static struct sched_job range(uint64_t id, int32_t width, int32_t most, int64_t limit)
{
	struct sched_job job = feed_job(id, width, limit);

	job.most = most;
	return job;
}

static struct sched_view view(struct hand *h, uint64_t id)
{
	struct sched_view v;

	assert_int_equal(sched_view(h->f.s, id, &v), PACT_OK);
	return v;
}

/* ---- which jobs get them ---- */

/* 16 nodes: 4 + 4 + 2 are their own, 6 are lent: two each. A seventh would be the older one's. */
static void test_equal_parts(void **state)
{
	struct hand h;

	(void)state;
	hand_open(&h, "qops", LOANS_UNIFORM, 0);
	submit(&h, feed_job(9, 16, 50));
	submit(&h, range(1, 4, 16, 10000));
	submit(&h, range(2, 4, 16, 10000));
	submit(&h, range(3, 1, 16, 10000));
	h.f.now = 50;
	finish(&h, 9);
	assert_int_equal(has(&h, 1), 7); /* 4 + 3 */
	assert_int_equal(has(&h, 2), 6);
	assert_int_equal(has(&h, 3), 3);
	assert_int_equal(view(&h, 1).lent, 3);
	assert_int_equal(view(&h, 1).width, 7);
	hand_close(&h);
}

/* By value: the one whose end is worth more gets all that it can use. */
static void test_by_value(void **state)
{
	struct sched_job rich = range(2, 4, 9, 10000), poor = range(1, 4, 16, 10000);
	struct hand h;

	(void)state;
	rich.deadline = poor.deadline = 10050;
	rich.value = 1000000000;
	poor.value = 1000;
	hand_open(&h, "qops", LOANS_PROFIT, 0);
	submit(&h, feed_job(9, 16, 50));
	submit(&h, poor);
	submit(&h, rich);
	h.f.now = 50;
	finish(&h, 9);
	assert_int_equal(has(&h, 2), 9);
	assert_int_equal(has(&h, 1), 7);
	hand_close(&h);
}

/* Nothing is lent that is wanted within a notice and LoanTime, nor to a job that has ended by then. */
static void test_too_short(void **state)
{
	struct hand h;

	(void)state;
	hand_open(&h, "qops", LOANS_UNIFORM, 0);
	submit(&h, feed_job(1, 12,
			    GRACE + 299)); /* until then 4 nodes are idle, then they are wanted */
	submit(&h, feed_job(2, 14, 1000));
	submit(&h, range(3, 1, 8, 200));
	assert_int_equal(has(&h, 3), 1);
	assert_int_equal(h.resized, 0);
	hand_close(&h);
}

/* Without a range nothing is other than without loans. */
static void test_no_range(void **state)
{
	struct hand h;

	(void)state;
	hand_open(&h, "qops", LOANS_UNIFORM, 0);
	submit(&h, feed_job(1, 10, 1000));
	submit(&h, feed_job(2, 10, 1000));
	at(&h, 500);
	assert_int_equal(feed_starts(&h.f, 2), 1000);
	assert_int_equal(h.resized, 0);
	hand_close(&h);
}

/* ---- calling in ---- */

/* One job has all 16 nodes, 4 are its own; it has run 1000 s. */
static void open_lent(struct hand *h, const char *scheduler, int64_t lateness)
{
	hand_open(h, scheduler, LOANS_UNIFORM, lateness);
	submit(h, range(1, 4, 16, 10000));
	assert_int_equal(has(h, 1), 16);
	at(h, 1000);
	h->answer = EV_LEAVING;
	h->resized = 0;
}

/* What comes waits one notice, no longer, and only as many nodes are called in as it needs. */
static void test_called_in(void **state)
{
	static const char *const names[] = { "qops", "conservative", "dynp" };

	(void)state;
	for (int i = 0; i < 3; i++) {
		struct hand h;

		open_lent(&h, names[i], 0);
		submit(&h, feed_job(2, 5, 100));
		assert_int_equal(feed_starts(&h.f, 2), 1000 + GRACE);
		assert_int_equal(h.resized, 1);
		assert_int_equal(h.last.id, 1);
		assert_int_equal(h.last.width, 11);
		assert_int_equal(h.last.end, 1000 + GRACE);
		assert_int_equal(h.last.cause, 2);
		assert_int_equal(view(&h, 1).called, 5);
		assert_int_equal(view(&h, 1).call_by, 1000 + GRACE);
		at(&h, 1030);
		assert_int_equal(h.resized, 1);
		/* it takes its notice to the end; the record shows it at the instant at which the other one starts */
		h.f.now = 1000 + GRACE;
		nodeset_copy(h.has[1], h.last.allowed);
		tell(&h, EV_RESIZED, 1, h.has[1]);
		drain(&h);
		assert_int_equal(has(&h, 2), 5);
		assert_int_equal(view(&h, 1).called, 0);
		assert_int_equal(view(&h, 1).lent, 7);
		hand_close(&h);
	}
}

/* A promise counts on them: one notice later is soon enough, or it is refused. */
static void test_promise(void **state)
{
	struct hand h;

	(void)state;
	open_lent(&h, "qops", 0);
	submit(&h, feed_deadline(2, 12, 100, 1000 + GRACE + 99));
	assert_int_equal(h.refused, 1);
	submit(&h, feed_deadline(3, 12, 100, 1000 + GRACE + 100));
	assert_int_equal(h.accepted, 1);
	assert_int_equal(h.last.end, 1000 + GRACE);
	assert_int_equal(h.last.width, 4);
	h.f.now = 1000 + GRACE;
	nodeset_copy(h.has[1], h.last.allowed);
	tell(&h, EV_RESIZED, 1, h.has[1]);
	drain(&h);
	assert_int_equal(has(&h, 3), 12);
	assert_int_equal(h.broken, 0);
	hand_close(&h);
}

/*
 * A promise for later: its nodes are lent until one notice before. A driver that wakes late by less than Lateness makes
 * nothing late; by more, the notice is shorter, and the promise holds still.
 */
static void test_late_driver(void **state)
{
	static const int64_t late[] = { 0, 7, 10, 40 };

	(void)state;
	for (int i = 0; i < 4; i++) {
		struct sched_job job = feed_deadline(2, 12, 100, 3000 + 100 + 10);
		struct hand h;

		open_lent(&h, "qops", 10);
		job.begin = 3000;
		submit(&h, job);
		assert_int_equal(h.accepted, 1);
		assert_int_equal(h.resized, 0);
		assert_int_equal(h.f.wake, 3000 - GRACE - 20);
		at(&h, h.f.wake + late[i]);
		assert_int_equal(h.resized, 1);
		assert_int_equal(h.last.end, 3000 - 10);
		assert_int_equal(feed_starts(&h.f, 2), 3000);
		assert_int_equal(h.broken, 0);
		hand_close(&h);
	}
}

/*
 * Without notice what is called in is there a second later, at the earliest; a driver that is as late as it may be makes no
 * promise late. One that comes still later, but before the start, leaves what is promised no time for its answer.
 */
static void test_no_notice(void **state)
{
	static const int64_t late[] = { 0, 5, 10, 18 };

	(void)state;
	for (int i = 0; i < 4; i++) {
		struct sched_job job = feed_deadline(2, 12, 100, 3000 + 100 + 10);
		struct sched_config c;
		struct hand h;

		open_lent(&h, "qops", 10);
		sched_config_init(&c);
		c.loans = LOANS_UNIFORM;
		c.resize_grace = 0;
		c.guard = c.lateness = 10;
		assert_int_equal(sched_configure(h.f.s, &c, NULL, 0), PACT_OK);
		drain(&h);
		job.begin = 3000;
		submit(&h, job);
		assert_int_equal(h.accepted, 1);
		assert_int_equal(h.f.wake, 3000 - 1 - 20);
		at(&h, h.f.wake + late[i]);
		assert_int_equal(h.resized, 1);
		assert_true(h.last.end > h.f.now && h.last.end <= 3000);
		assert_int_equal(feed_starts(&h.f, 2), 3000);
		assert_int_equal(h.broken, 0);
		hand_close(&h);
	}
}

/* Given back at once, they are there for what waits. */
static void test_at_once(void **state)
{
	struct hand h;

	(void)state;
	open_lent(&h, "qops", 0);
	h.answer = EV_RESIZED;
	submit(&h, feed_job(2, 12, 100));
	assert_int_equal(has(&h, 1), 4);
	assert_int_equal(has(&h, 2), 12);
	hand_close(&h);
}

/* A second call while the first is on: each is due by its own time. */
static void test_two_calls(void **state)
{
	struct hand h;

	(void)state;
	open_lent(&h, "qops", 0);
	submit(&h, feed_job(2, 5, 1000));
	at(&h, 1020);
	submit(&h, feed_job(3, 4, 1000));
	assert_int_equal(h.resized, 2);
	assert_int_equal(h.last.end, 1020 + GRACE);
	assert_int_equal(h.last.width, 7);
	assert_int_equal(view(&h, 1).called, 9);
	assert_int_equal(view(&h, 1).call_by, 1000 + GRACE);
	hand_close(&h);
}

/* ---- floors ---- */

static struct sched_job dated(uint64_t id, int32_t width, int32_t most, int64_t limit,
			      int64_t deadline)
{
	struct sched_job job = range(id, width, most, limit);

	job.deadline = deadline;
	return job;
}

/* Work of 4000 in 600 s takes 7 nodes; in 200 it would take 20, and there are 16. */
static void test_floor(void **state)
{
	struct sched_job job = dated(1, 4, 16, 1000, 600), late = dated(1, 4, 16, 1000, 200);
	struct sched_decision d;
	struct hand h;

	(void)state;
	hand_open(&h, "qops", LOANS_UNIFORM, 0);
	assert_int_equal(sched_ask(h.f.s, 0, &late, 1, &d), PACT_OK);
	assert_false(d.accepted);
	assert_int_equal(sched_ask(h.f.s, 0, &job, 1, &d), PACT_OK);
	assert_true(d.accepted);
	assert_int_equal(d.end, 572); /* 571.4 */
	submit(&h, late);
	assert_int_equal(h.refused, 1);
	submit(&h, job);
	assert_int_equal(h.refused, 1);
	assert_int_equal(h.accepted, 1);
	assert_int_equal(has(&h, 1), 16);
	assert_int_equal(view(&h, 1).lent, 9);
	assert_int_equal(view(&h, 1).end, 572);
	assert_int_equal(h.due, 572);
	hand_close(&h);
}

/* As many as there is room for: 6 until 400, for 1; then 10, of which 6 are enough for 3. */
static void test_floor_beside_others(void **state)
{
	struct hand h;

	(void)state;
	hand_open(&h, "qops", LOANS_UNIFORM, 0);
	submit(&h, feed_job(2, 10, 400));
	submit(&h, dated(1, 4, 16, 1000, 740)); /* 6 nodes take 667 s */
	assert_int_equal(h.accepted, 1);
	assert_int_equal(has(&h, 1), 6);
	assert_int_equal(view(&h, 1).lent, 0);
	submit(&h, dated(3, 4, 16, 1000, 1100));
	assert_int_equal(h.accepted, 2);
	assert_int_equal(feed_starts(&h.f, 3), 400);
	assert_int_equal(view(&h, 3).width, 6);
	hand_close(&h);
}

/* ---- what is on offer ---- */

static struct sched_decision ask(struct hand *h, const struct sched_job *job, int64_t deadline)
{
	struct sched_job asked = *job;
	struct sched_decision d;

	asked.deadline = deadline;
	assert_int_equal(sched_ask(h->f.s, h->f.now, &asked, 1, &d), PACT_OK);
	return d;
}

/* To a job of just n nodes with that work. */
static int64_t offer_on(struct hand *h, const struct sched_job *job, int32_t n)
{
	struct sched_job rigid = *job;
	struct sched_decision d;

	rigid.width = n;
	rigid.most = 0;
	rigid.limit = (job->limit * job->width + n - 1) / n;
	d = ask(h, &rigid, job->deadline);
	return d.accepted ? d.end : d.offer_end;
}

/* Each width by hand: the earliest end that is given when it is asked for. own: on so many. */
static int64_t best_offer(struct hand *h, const struct sched_job *job, int32_t *own)
{
	int64_t ends[NODES + 1], end;

	for (int32_t n = job->width; n <= job->most; n++)
		ends[n] = offer_on(h, job, n);
	for (;;) {
		int32_t best = job->width;
		struct sched_decision d;

		for (int32_t n = job->width; n <= job->most; n++)
			best = ends[n] < ends[best] ? n : best;
		end = ends[best];
		if (end == PACT_FOREVER)
			return end;
		d = ask(h, job, end);
		*own = d.own;
		if (d.accepted)
			return end;
		ends[best] = PACT_FOREVER;
	}
}

/* On 4 nodes it could start at 100, and would end at 1100; on all of them at 400, and ends at 650. */
static void test_offer(void **state)
{
	struct sched_job job = dated(1, 4, 16, 1000, 300);
	struct sched_decision d;
	struct hand h;

	(void)state;
	hand_open(&h, "qops", LOANS_UNIFORM, 0);
	submit(&h, feed_job(2, 12, 400));
	submit(&h, feed_deadline(3, 4, 100, 500));
	d = ask(&h, &job, 300);
	assert_false(d.accepted);
	assert_int_equal(d.offer_end, 650);
	assert_int_equal(d.offer_start, 400);
	assert_int_equal(d.own, 16);
	submit(&h, job);
	assert_int_equal(h.refused, 1);
	assert_int_equal(h.said.offer_end, 650);
	assert_int_equal(h.said.own, 16);
	job.deadline = 650;
	submit(&h, job);
	assert_int_equal(h.accepted, 2);
	assert_int_equal(h.said.own, 16);
	assert_int_equal(h.said.end, 650);
	/* what is enough on its width says so; and a job without a range nothing */
	assert_int_equal(ask(&h, &job, 90000).own, 4);
	job.most = 0;
	d = ask(&h, &job, 90000);
	assert_true(d.accepted);
	assert_int_equal(d.own, 0);
	hand_close(&h);
}

/* Among jobs that run and wait, with deadlines and without. True: it was refused, and has an offer on more than its width. */
static bool one_offer(const char *scheduler)
{
	int32_t width = 1 + (int32_t)seed_below(6), own = 0;
	struct sched_job job = dated(9, width, width + 1 + (int32_t)seed_below(NODES - width),
				     60 + seed_below(3000), 0);
	struct sched_decision d;
	struct hand h;
	int64_t best;

	hand_open(&h, scheduler, LOANS_UNIFORM, seed_below(2) * 10);
	for (uint64_t id = 1; id <= 8; id++) {
		int32_t n = 1 + (int32_t)seed_below(NODES);
		int64_t limit = 30 + seed_below(1000);

		submit(&h, seed_below(2) ? feed_job(id, n, limit)
					 : feed_deadline(id, n, limit, limit + seed_below(3000)));
	}
	job.submit = h.f.now;
	job.deadline = 20 + seed_below(600);
	d = ask(&h, &job, job.deadline);
	best = best_offer(&h, &job, &own);
	if (d.accepted) {
		assert_in_range(d.own, job.width, job.most);
		assert_int_equal(d.end, d.own == job.width ? d.end : offer_on(&h, &job, d.own));
	} else {
		assert_int_equal(d.offer_end, best);
		assert_int_equal(d.own, best == PACT_FOREVER ? 0 : own);
	}
	hand_close(&h);
	return !d.accepted && d.own > width;
}

static void test_offers(void **state)
{
	uint64_t rounds = seed_rounds(300), wide = 0;

	(void)state;
	for (uint64_t i = 0; i < rounds; i++) {
		seed_of_round(i);
		wide += one_offer(i % 2 ? "qops" : "dynp");
	}
	assert_true(wide || rounds < 100);
	print_message("# on more than the width: %d of %d\n", (int)wide, (int)rounds);
}

/* At 100 its loans have done so much that 6 nodes do the rest by 572: 10 can be promised to another one. */
static void test_floor_falls(void **state)
{
	struct hand h;

	(void)state;
	hand_open(&h, "qops", LOANS_UNIFORM, 0);
	submit(&h, dated(1, 4, 16, 1000, 600));
	h.answer = EV_LEAVING;
	at(&h, 100);
	assert_int_equal(view(&h, 1).lent, 10);
	submit(&h, feed_deadline(2, 11, 100, 100 + GRACE + 100));
	assert_int_equal(h.refused, 1);
	submit(&h, feed_deadline(3, 10, 100, 100 + GRACE + 100));
	assert_int_equal(h.accepted, 2);
	assert_int_equal(h.last.width, 6);
	assert_int_equal(h.last.end, 100 + GRACE);
	assert_int_equal(view(&h, 1).end, 572);
	assert_int_equal(h.broken, 0);
	hand_close(&h);
}

/*
 * It starts on 8 to 15, and loses all but two of these; so 0 to 5 become its own. When 6 are enough the first that it was
 * started on, where its batch script is, stays all the same.
 */
static void test_floor_falls_after_a_loss(void **state)
{
	struct nodeset *left = feed_nodes(NODES, 0x81ff);
	struct hand h;

	(void)state;
	hand_open(&h, "qops", LOANS_UNIFORM, 0);
	submit(&h, feed_job(2, 8, 400));
	submit(&h, dated(1, 4, 16, 1000, 600));
	assert_int_equal(nodeset_next(h.has[1], 0), 8);
	finish(&h, 2);
	at(&h, 120);
	assert_int_equal(has(&h, 1), 16);
	h.f.now = 160;
	nodeset_copy(h.has[1], left);
	tell(&h, EV_RESIZED, 1, left);
	drain(&h);
	assert_int_equal(has(&h, 1), 10);
	assert_int_equal(view(&h, 1).lent, 4); /* of 7 own ones 6 are left */
	h.answer = EV_LEAVING;
	submit(&h, feed_deadline(3, 10, 100, 160 + GRACE + 100));
	assert_int_equal(h.last.width, 6);
	assert_true(nodeset_test(h.last.allowed, 8));
	nodeset_destroy(left);
	hand_close(&h);
}

/* What could not be called in any more before the plan has it for others stays its own. */
static void test_floor_near_the_end(void **state)
{
	struct hand h;

	(void)state;
	hand_open(&h, "qops", LOANS_UNIFORM, 0);
	submit(&h, dated(1, 4, 16, 1000, 600));
	at(&h, 572 - GRACE + 1);
	assert_int_equal(view(&h, 1).width - view(&h, 1).lent, 7);
	hand_close(&h);
}

/* A driver that comes up tells a job that runs, that it was promised on seven nodes, and what is left. */
static void test_floor_restored(void **state)
{
	struct sched_job job = dated(1, 4, 16, 1000, 601);
	struct nodeset *nodes = feed_nodes(NODES, 0xfff);
	struct hand h;

	(void)state;
	hand_open(&h, "qops", LOANS_UNIFORM, 0);
	job.flags = JOB_PROMISED;
	job.planned = 1;
	h.f.now = 100;
	assert_int_equal(feed_submit(&h.f, job), PACT_OK);
	h.has[1] = nodes;
	assert_int_equal(feed_event(&h.f, (struct sched_event){ .type = EV_STARTED,
								.id = 1,
								.nodes = nodes,
								.start = 1,
								.end = 601,
								.width = 7,
								.left = 827 }),
			 PACT_OK);
	h.to_more = EV_REFUSED;
	drain(&h);
	assert_int_equal(view(&h, 1).lent, 5);
	assert_int_equal(view(&h, 1).end, 601);
	at(&h, 300);
	assert_int_equal(view(&h, 1).lent, 5);
	assert_int_equal(h.broken, 0);
	hand_close(&h);
}

/* ---- other limits ---- */

static void change_end(struct hand *h, int64_t end, bool still)
{
	assert_int_equal(feed_event(&h->f, (struct sched_event){ .type = EV_END_CHANGED,
								 .id = 1,
								 .end = end,
								 .reserve = still }),
			 PACT_OK);
	drain(h);
}

/*
 * 200 s on 8 nodes have done 400 of its 1000 s on 4. What it is given more is more to be done, and what is done stays so; the
 * plan's end of it moves as far. If it stood still for 60 s, on 8, these are 120 on 4.
 */
static void test_longer(void **state)
{
	struct hand h;

	(void)state;
	hand_open(&h, "qops", LOANS_UNIFORM, 10);
	submit(&h, range(1, 4, 8, 1000));
	at(&h, 200);
	assert_int_equal(view(&h, 1).own_end, 200 + 600 + 10);
	assert_int_equal(view(&h, 1).end, 1010);
	change_end(&h, 810 + 500, false);
	assert_int_equal(view(&h, 1).own_end, 1310);
	assert_int_equal(view(&h, 1).end, 1510);
	at(&h, 400);
	assert_int_equal(view(&h, 1).own_end, 400 + 700 + 10);
	change_end(&h, 1110 + 60, true);
	assert_int_equal(view(&h, 1).own_end, 400 + 820 + 10);
	assert_int_equal(view(&h, 1).end, 1570);
	change_end(&h, PACT_FOREVER, false);
	assert_int_equal(view(&h, 1).own_end, PACT_FOREVER);
	assert_int_equal(view(&h, 1).end, PACT_FOREVER);
	hand_close(&h);
}

/*
 * By 100 of 572 s 16 nodes have done so much that 6 of its 7 are enough, in 400 s. With 50 s less 2100 is left, for which the plan
 * has it for 422 s: 5 are enough.
 */
static void test_floor_shorter(void **state)
{
	struct hand h;

	(void)state;
	hand_open(&h, "qops", LOANS_UNIFORM, 0);
	submit(&h, dated(1, 4, 16, 1000, 600));
	at(&h, 100);
	assert_int_equal(view(&h, 1).lent, 10);
	assert_int_equal(view(&h, 1).own_end, 500);
	change_end(&h, 450, false);
	assert_int_equal(view(&h, 1).end, 522);
	assert_int_equal(view(&h, 1).lent, 11);
	assert_int_equal(view(&h, 1).own_end, 520);
	hand_close(&h);
}

/* ---- answers and news ---- */

/* What could not be asked for is asked for again, after a while; the plan does not count on it before. */
static void test_refused_call(void **state)
{
	struct hand h;

	(void)state;
	open_lent(&h, "qops", 0);
	h.answer = EV_REFUSED;
	submit(&h, feed_job(2, 12, 100));
	assert_int_equal(h.resized, 1);
	assert_true(h.f.wake > 1000 && h.f.wake < 1000 + GRACE);
	h.answer = EV_RESIZED;
	at(&h, h.f.wake);
	assert_int_equal(h.resized, 2);
	assert_int_equal(has(&h, 2), 12);
	hand_close(&h);
}

/* More was refused: not again in a loop. */
static void test_refused_more(void **state)
{
	struct hand h;

	(void)state;
	hand_open(&h, "qops", LOANS_UNIFORM, 0);
	h.to_more = EV_REFUSED;
	submit(&h, range(1, 4, 16, 10000));
	assert_int_equal(h.resized, 1);
	at(&h, 1);
	assert_int_equal(h.resized, 1);
	h.to_more = EV_RESIZED;
	at(&h, h.f.wake);
	assert_int_equal(has(&h, 1), 16);
	hand_close(&h);
}

/* An own node is lost: one on loan is its own from then on, and the plan gets what is left. */
static void test_lost_node(void **state)
{
	struct nodeset *first = feed_nodes(NODES, 1);
	struct hand h;

	(void)state;
	open_lent(&h, "qops", 0);
	assert_int_equal(feed_block(&h.f, 77, first, 1000, PACT_END_OF_TIME), PACT_OK);
	nodeset_and_not(h.has[1], first);
	tell(&h, EV_RESIZED, 1, h.has[1]);
	drain(&h);
	assert_int_equal(view(&h, 1).width, 15);
	assert_int_equal(view(&h, 1).lent, 11);
	h.answer = EV_RESIZED;
	submit(&h, feed_job(2, 11, 100));
	assert_int_equal(has(&h, 2), 11);
	assert_int_equal(has(&h, 1), 4);
	nodeset_destroy(first);
	hand_close(&h);
}

/* Of 13 nodes that are left for 500 the other one is promised 12: what its loss left to the first stays on loan. */
static void test_lost_node_before_a_promise(void **state)
{
	struct sched_job job = feed_deadline(2, 12, 100, 1700);
	struct nodeset *lost = feed_nodes(NODES, 8);
	struct hand h;

	(void)state;
	open_lent(&h, "qops", 0);
	job.begin = 1500;
	submit(&h, job);
	assert_int_equal(h.accepted, 1);
	assert_int_equal(feed_block(&h.f, 77, lost, 1000, PACT_END_OF_TIME), PACT_OK);
	nodeset_and_not(h.has[1], lost);
	tell(&h, EV_RESIZED, 1, h.has[1]);
	drain(&h);
	assert_int_equal(h.broken, 0);
	h.answer = EV_RESIZED;
	at(&h, 1500 - GRACE);
	at(&h, 1500);
	assert_int_equal(has(&h, 2), 12);
	assert_int_equal(has(&h, 1), 3);
	nodeset_destroy(lost);
	hand_close(&h);
}

/* It ends while its notice is on: all is free. */
static void test_ends_while_leaving(void **state)
{
	struct hand h;

	(void)state;
	open_lent(&h, "qops", 0);
	submit(&h, feed_job(2, 12, 100));
	h.f.now = 1010;
	finish(&h, 1);
	assert_int_equal(has(&h, 2), 12);
	submit(&h, feed_job(3, 4, 100));
	assert_int_equal(has(&h, 3), 4);
	hand_close(&h);
}

/* Not twice within its interval. */
static void test_interval(void **state)
{
	struct hand h;

	(void)state;
	hand_open(&h, "qops", LOANS_UNIFORM, 0);
	submit(&h, feed_job(2, 8, 60));
	submit(&h, range(1, 4, 16, 10000));
	assert_int_equal(has(&h, 1), 8);
	h.f.now = 60;
	finish(&h, 2);
	assert_int_equal(has(&h, 1), 8);
	assert_int_equal(h.f.wake, 120);
	at(&h, 120);
	assert_int_equal(has(&h, 1), 16);
	hand_close(&h);
}

/* A reservation to come wants its nodes as a job does. */
static void test_reservation(void **state)
{
	struct nodeset *some = feed_nodes(NODES, 0xf000);
	struct hand h;

	(void)state;
	open_lent(&h, "qops", 0);
	assert_int_equal(feed_block(&h.f, 77, some, 2000, 3000), PACT_OK);
	drain(&h);
	assert_int_equal(h.resized, 0);
	assert_int_equal(h.f.wake, 2000 - GRACE);
	at(&h, 2000 - GRACE);
	assert_int_equal(h.resized, 1);
	assert_int_equal(h.last.end, 2000);
	assert_false(nodeset_overlap(h.last.allowed, some));
	nodeset_destroy(some);
	hand_close(&h);
}

/* Bad terms are told by name, and lose nothing. Loans cannot come or go. */
static void test_bad_input(void **state)
{
	struct sched_job job = range(1, 4, 16, 10000);
	struct sched_config c;
	char why[100] = "";
	struct hand h;

	(void)state;
	hand_open(&h, "qops", LOANS_UNIFORM, 0);
	job.grace = -1;
	assert_int_equal(feed_submit(&h.f, job), PACT_EINVAL);
	assert_non_null(strstr(sched_error(h.f.s), "notice (id 1)"));
	job.grace = 0;
	submit(&h, job);
	assert_int_equal(feed_submit(&h.f, feed_job(1, 1, 1)), PACT_EEXIST);
	assert_int_equal(view(&h, 1).width, 16);
	sched_config_init(&c);
	assert_int_equal(sched_configure(h.f.s, &c, why, sizeof(why)), PACT_EINVAL);
	assert_non_null(strstr(why, "Loans"));
	c.loans = LOANS_PROFIT;
	assert_int_equal(sched_configure(h.f.s, &c, why, sizeof(why)), PACT_OK);
	hand_close(&h);
}

/* ---- ranges for a start only ---- */

/*
 * 1 has 4 nodes and 4 on loan, 2 is planned with 8 at 1000, and 3 is planned with one. Until 1000 the 8 that are idle are
 * 3's to have; later there are 3 beside its own. What is on loan is none of these. It keeps what it has, and gets no loan.
 */
static void start_moldable(const char *scheduler, int64_t limit, int32_t nodes)
{
	struct sched_job later = feed_job(2, 8, 100), job = range(3, 1, 16, limit);
	struct hand h;

	hand_open(&h, scheduler, LOANS_UNIFORM, 0);
	h.f.now = 100;
	submit(&h, range(1, 4, 8, 10000));
	assert_int_equal(has(&h, 1), 8);
	later.begin = 1000;
	submit(&h, later);
	job.flags |= JOB_MOLDABLE;
	h.moldable = 3;
	submit(&h, job);
	assert_int_equal(has(&h, 3), nodes);
	assert_int_equal(has(&h, 1), 8);
	assert_int_equal(view(&h, 3).lent, 0);
	while (h.f.wake < 1000)
		at(&h, h.f.wake);
	h.f.now = 1000;
	if (100 + limit <= 1000)
		finish(&h, 3);
	else
		at(&h, 1000);
	assert_int_equal(has(&h, 2), 8);
	assert_int_equal(has(&h, 3), 100 + limit <= 1000 ? 0 : nodes);
	hand_close(&h);
}

static void test_moldable(void **state)
{
	static const char *const schedulers[] = { "qops", "dynp", "conservative" };

	(void)state;
	for (int i = 0; i < 3; i++) {
		start_moldable(schedulers[i], 900, 8);
		start_moldable(schedulers[i], 901, 4);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_equal_parts),
		cmocka_unit_test(test_moldable),
		cmocka_unit_test(test_by_value),
		cmocka_unit_test(test_too_short),
		cmocka_unit_test(test_no_range),
		cmocka_unit_test(test_called_in),
		cmocka_unit_test(test_promise),
		cmocka_unit_test(test_late_driver),
		cmocka_unit_test(test_no_notice),
		cmocka_unit_test(test_at_once),
		cmocka_unit_test(test_two_calls),
		cmocka_unit_test(test_floor),
		cmocka_unit_test(test_floor_beside_others),
		cmocka_unit_test(test_offer),
		cmocka_unit_test(test_offers),
		cmocka_unit_test(test_floor_falls),
		cmocka_unit_test(test_floor_falls_after_a_loss),
		cmocka_unit_test(test_floor_near_the_end),
		cmocka_unit_test(test_floor_restored),
		cmocka_unit_test(test_longer),
		cmocka_unit_test(test_floor_shorter),
		cmocka_unit_test(test_refused_call),
		cmocka_unit_test(test_refused_more),
		cmocka_unit_test(test_lost_node),
		cmocka_unit_test(test_lost_node_before_a_promise),
		cmocka_unit_test(test_ends_while_leaving),
		cmocka_unit_test(test_interval),
		cmocka_unit_test(test_reservation),
		cmocka_unit_test(test_bad_input),
	};

	return seed_run("test_loans", tests);
}
