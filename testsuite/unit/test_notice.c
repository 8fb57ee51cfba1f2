/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_notice: malleable jobs that are asked for their nodes with notice, and have them until they give them back: what is
 * decided meanwhile, what becomes of refusals, and that promises hold all the same.
 */
#include <string.h>

#include "testsuite/unit/malleable_hand.h"
#include "testsuite/unit/seed.h"

static struct hand h;

static void leave_at(int64_t now)
{
	h.now = now;
	hand_leave(&h);
}

/* What it is to have is there when the other has left. */
static void test_wait(void **state)
{
	struct sched_view v;

	(void)state;
	hand_open_notice(&h, &malleable_uniform, 8, 30);
	hand_submit(&h, hand_range(1, 2, 8, 400));
	h.now = 10;
	hand_submit(&h, hand_range(2, 4, 4, 20));
	hand_did(&h, "start 1 on 8; ask 1 to 4; by 40");
	assert_int_equal(h.cause, 2);
	assert_int_equal(sched_why(h.s, 2), WAIT_RESOURCES);
	assert_int_equal(sched_view(h.s, 2, &v), PACT_OK);
	assert_int_equal(v.start, 40);
	assert_int_equal(hand_next_leave(&h), 40);
	leave_at(40);
	hand_did(&h, "start 2 on 4");
	hand_finish(&h, 2);
	hand_did(&h, "resize 1 to 8");
	assert_int_equal(h.cause, 0);
	hand_close(&h);
}

/* While it leaves it is asked for more, which has its own time; and a job starts on what is there, if that is enough for it. */
static void test_more(void **state)
{
	(void)state;
	hand_open_notice(&h, &malleable_uniform, 12, 30);
	hand_submit(&h, hand_range(1, 2, 12, 400));
	h.now = 10;
	hand_submit(&h, hand_range(2, 2, 2, 20));
	h.now = 20;
	hand_submit(&h, hand_range(3, 2, 12, 20));
	hand_did(&h, "start 1 on 12; ask 1 to 10; by 40; ask 1 to 5; by 50");
	/* of those that it was asked for first 2 and 3 have two each */
	leave_at(40);
	hand_did(&h, "start 2 on 2");
	leave_at(50);
	hand_did(&h, "start 3 on 5");
	hand_close(&h);
}

/* Nothing waits for the nodes any more: they stay its. */
static void test_kept(void **state)
{
	(void)state;
	hand_open_notice(&h, &malleable_uniform, 8, 30);
	hand_submit(&h, hand_range(1, 2, 8, 400));
	h.now = 10;
	hand_submit(&h, hand_range(2, 2, 2, 20));
	hand_submit(&h, hand_range(3, 2, 2, 20));
	hand_did(&h, "start 1 on 8; ask 1 to 6; by 40; ask 1 to 4; by 40");
	h.now = 20;
	hand_event(&h, (struct sched_event){ .type = EV_WITHDRAW, .id = 2 });
	hand_did(&h, "ask 1 to 6; by 50");
	hand_event(&h, (struct sched_event){ .type = EV_WITHDRAW, .id = 3 });
	hand_did(&h, "keep 1 on 8");
	assert_int_equal(hand_next_leave(&h), PACT_FOREVER);
	hand_close(&h);
}

/* It keeps all; after that, and after something else has happened, it is asked anew. Not again before. */
static void test_refused(void **state)
{
	(void)state;
	hand_open_notice(&h, &malleable_uniform, 8, 30);
	hand_submit(&h, hand_range(1, 2, 8, 400));
	hand_submit(&h, hand_range(2, 4, 4, 20));
	hand_did(&h, "start 1 on 8; ask 1 to 4; by 30");
	h.now = 20;
	memset(h.gives, 0, sizeof(h.gives));
	assert_int_equal(hand_event(&h, (struct sched_event){ .type = EV_REFUSED, .id = 1 }),
			 PACT_OK);
	hand_did(&h, "");
	hand_drain(&h);
	hand_did(&h, "");
	h.now = 25;
	hand_event(&h, (struct sched_event){ .type = EV_TIME });
	hand_did(&h, "ask 1 to 4; by 55");
	/* one that is asked for more refuses that, and gives the first back all the same */
	h.refuse = 1;
	hand_submit(&h, hand_range(3, 1, 1, 20));
	hand_did(&h, "stay 1");
	h.refuse = 0;
	leave_at(55);
	hand_did(&h, "start 2 on 4");
	hand_close(&h);
}

/* What it gives back little by little, and more than it was asked for. */
static void test_parts(void **state)
{
	(void)state;
	hand_open_notice(&h, &malleable_uniform, 8, 30);
	hand_submit(&h, hand_range(1, 2, 8, 400));
	hand_submit(&h, hand_range(2, 4, 4, 20));
	hand_did(&h, "start 1 on 8; ask 1 to 4; by 30");
	h.gives[7] = h.gives[6] = 10;
	leave_at(10);
	hand_did(&h, "");
	hand_resized(&h, 1, 5);
	hand_did(&h, "");
	/* 4 is on its way, and 3 was not asked for: it is idle, and goes back to it */
	h.gives[3] = 20;
	leave_at(20);
	hand_did(&h, "");
	leave_at(30);
	hand_did(&h, "start 2 on 4; resize 1 to 4");
	hand_close(&h);
}

/* The driver has come up, and an earlier one had asked. */
static void test_earlier(void **state)
{
	struct nodeset *keeps = nodeset_create(8);
	struct sched_event told = { .type = EV_LEAVING, .id = 1, .nodes = keeps };

	(void)state;
	for (uint32_t i = 0; i < 4; i++)
		nodeset_set(keeps, i);
	hand_open_notice(&h, &malleable_uniform, 8, 30);
	hand_submit(&h, hand_range(1, 2, 8, 400));
	hand_did(&h, "start 1 on 8");
	for (uint32_t i = 4; i < 8; i++)
		h.gives[i] = 25;
	/* nothing waits for them */
	assert_int_equal(hand_event(&h, told), PACT_OK);
	hand_did(&h, "keep 1 on 8");
	hand_submit(&h, hand_range(2, 4, 4, 20));
	hand_did(&h, "ask 1 to 4; by 30");
	told.nodes = NULL;
	assert_int_equal(hand_event(&h, told), PACT_EPROTO);
	told.id = 7;
	assert_int_equal(hand_event(&h, told), PACT_ENOENT);
	told = (struct sched_event){ .type = EV_REFUSED, .id = 2 };
	assert_int_equal(hand_event(&h, told), PACT_EPROTO);
	hand_close(&h);
	nodeset_destroy(keeps);
}

static void check_left(uint64_t id, int64_t left)
{
	struct sched_view v;

	assert_int_equal(sched_view(h.s, id, &v), PACT_OK);
	assert_int_equal(v.left, left);
}

/* On what it has given back it does nothing, which goes to no other job before it is clean; nor does one that was told so later. */
static void test_cleans(void **state)
{
	struct sched_event gives = { .type = EV_RESIZED, .id = 1, .width = 8, .cleans = 8 };

	(void)state;
	hand_open_notice(&h, &malleable_uniform, 8, 30);
	hand_submit(&h, hand_range(1, 2, 8, 400));
	h.now = 10;
	hand_submit(&h, hand_range(2, 4, 4, 20));
	hand_did(&h, "start 1 on 8; ask 1 to 4; by 40");
	check_left(1, 360);
	h.now = 20;
	gives.nodes = h.job[1].at;
	assert_int_equal(hand_event(&h, gives), PACT_EINVAL);
	gives.cleans = -1;
	assert_int_equal(hand_event(&h, gives), PACT_EINVAL);
	check_left(1, 320);
	gives.cleans = 4;
	assert_int_equal(hand_event(&h, gives), PACT_OK);
	hand_twin(&h);
	h.now = 30;
	hand_event(&h, (struct sched_event){ .type = EV_TIME });
	check_left(1, 300);
	hand_did(&h, "");
	leave_at(40);
	hand_did(&h, "start 2 on 4");
	check_left(1, 280);
	h.now = 50;
	hand_event(&h, (struct sched_event){ .type = EV_TIME });
	check_left(1, 260);
	hand_close(&h);
}

/* A driver that comes up says where its batch script is: that node stays, though a lower one has become its own. */
static void test_earlier_stays(void **state)
{
	struct nodeset *nodes = nodeset_create(8);
	struct sched_event started = { .type = EV_STARTED, .id = 1, .nodes = nodes, .stays = 4 };
	struct sched_job job = hand_range(1, 2, 8, 400);

	(void)state;
	for (uint32_t i = 0; i < 4; i++)
		nodeset_set(nodes, 2 * i);
	hand_open_notice(&h, &malleable_uniform, 8, 30);
	assert_int_equal(
		sched_event(h.s,
			    &(struct sched_event){ .type = EV_SUBMIT, .jobs = &job, .njobs = 1 }),
		PACT_OK);
	h.job[1] = (struct hand_job){
		.terms = job, .known = true, .at = nodeset_dup(nodes), .first = 4
	};
	nodeset_or(h.busy, nodes);
	assert_int_equal(sched_event(h.s, &started), PACT_EINVAL);
	started.stays = 2;
	assert_int_equal(hand_event(&h, started), PACT_OK);
	hand_did(&h, "resize 1 to 8");
	hand_submit(&h, hand_range(2, 6, 6, 20));
	hand_did(&h, "ask 1 to 2; by 30");
	assert_int_equal(h.gives[4], 0);
	hand_close(&h);
	nodeset_destroy(nodes);
}

/* A job has its own notice. */
static void test_own(void **state)
{
	struct sched_job job = hand_range(1, 2, 8, 400);

	(void)state;
	hand_open_notice(&h, &malleable_uniform, 8, 30);
	job.grace = 7;
	hand_submit(&h, job);
	hand_submit(&h, hand_range(2, 4, 8, 20));
	hand_did(&h, "start 1 on 8; ask 1 to 3; by 7");
	hand_finish(&h, 1);
	hand_did(&h, "start 2 on 8");
	job.id = 3;
	job.grace = -1;
	assert_int_equal(hand_submit(&h, job), PACT_EINVAL);
	hand_close(&h);
}

/* More than the setting's it is given, too, and what waits for its nodes is shown to start after that. */
static void test_long(void **state)
{
	struct sched_job job = hand_range(1, 2, 8, 400);
	struct sched_view v;

	(void)state;
	job.grace = 90;
	hand_open_notice(&h, &malleable_uniform, 8, 30);
	hand_submit(&h, job);
	hand_submit(&h, hand_range(2, 4, 8, 20));
	hand_did(&h, "start 1 on 8; ask 1 to 3; by 90");
	assert_int_equal(sched_view(h.s, 2, &v), PACT_OK);
	assert_int_equal(v.start, 90);
	leave_at(90);
	hand_did(&h, "start 2 on 5");
	/* what has another time than these is asked by that */
	hand_submit(&h, hand_range(3, 2, 2, 20));
	hand_did(&h, "ask 1 to 2; by 180; ask 2 to 4; by 120");
	hand_close(&h);
}

/* Where promises count on the setting's it is given no more, nor where nodes are taken at once. */
static void test_long_not(void **state)
{
	struct sched_job job = hand_range(1, 2, 8, 400);
	const struct malleable_kind *const promise[] = { &malleable_profit, &malleable_lazy };

	(void)state;
	job.grace = 90;
	for (size_t i = 0; i < 2; i++) {
		struct sched_job dated = hand_range(2, 4, 8, 20);

		dated.deadline = 400;
		dated.value = 1000000;
		hand_open_notice(&h, promise[i], 8, 30);
		hand_submit(&h, job);
		hand_submit(&h, dated);
		hand_did(&h, "start 1 on 8; accept 2; ask 1 to 4; by 30");
		hand_close(&h);
	}
	hand_open_notice(&h, &malleable_uniform, 8, 0);
	hand_submit(&h, job);
	hand_submit(&h, hand_range(2, 4, 8, 20));
	hand_did(&h, "start 1 on 8; resize 1 to 3; start 2 on 5");
	hand_close(&h);
}

/* ---- what is decided for a promise that waits, and is lost ---- */

static const struct malleable_kind *const promising[] = { &malleable_profit, &malleable_lazy };

static struct sched_job promise(uint64_t id, int32_t least, int32_t most, int64_t limit,
				int64_t deadline)
{
	struct sched_job job = hand_range(id, least, most, limit);

	job.deadline = h.now + deadline;
	job.value = 1000000;
	return job;
}

/* The last one needs 4 nodes from 10 on, and is to have them of the first two, whose floors are 1. The third one needs so many of its 4. */
static void promise_waits(const struct malleable_kind *kind, int32_t third)
{
	hand_open_notice(&h, kind, 10, 10);
	hand_submit(&h, promise(1, 1, 4, 40, 1000));
	hand_submit(&h, promise(2, 1, 2, 20, 1000));
	hand_submit(&h, promise(3, third, 4, 40, 1000));
	hand_did(&h, "accept 1; start 1 on 4; accept 2; start 2 on 2; accept 3; start 3 on 4");
	hand_submit(&h, promise(4, 2, 4, 100, 70));
	hand_did(&h, "accept 4; ask 1 to 1; by 10; ask 2 to 1; by 10");
}

/* The node that the second one was asked for goes down: the third one gives one more. */
static void test_waits_down(void **state)
{
	struct nodeset *down = nodeset_create(10);

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		promise_waits(promising[i], 1);
		nodeset_clear(down);
		for (uint32_t n = 0; n < h.nodes; n++) {
			if (h.gives[n] && nodeset_test(h.job[2].at, n))
				nodeset_set(down, n);
		}
		nodeset_copy(h.lost, down);
		assert_int_equal(hand_event(&h, (struct sched_event){ .type = EV_BLOCK,
								      .id = 200,
								      .nodes = down,
								      .end = PACT_FOREVER }),
				 PACT_OK);
		hand_did(&h, "ask 3 to 3; by 10");
		leave_at(10);
		hand_did(&h, "start 4 on 4");
		hand_close(&h);
	}
	nodeset_destroy(down);
}

static void keep_second(void)
{
	for (uint32_t n = 0; n < h.nodes; n++)
		h.gives[n] = nodeset_test(h.job[2].at, n) ? 0 : h.gives[n];
	h.now = 3;
	assert_int_equal(hand_event(&h, (struct sched_event){ .type = EV_REFUSED, .id = 2 }),
			 PACT_OK);
}

/* The second one keeps what it was called for: the third one gives one more, and that is there in time. */
static void test_waits_refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < 2; i++) {
		promise_waits(promising[i], 1);
		keep_second();
		hand_did(&h, "ask 3 to 3; by 13");
		leave_at(10);
		hand_did(&h, "");
		leave_at(13);
		hand_did(&h, "start 4 on 4");
		hand_close(&h);
	}
}

/* No other has any to spare, until the third one ends: with one of its nodes it starts when it was to. */
static void test_waits_for_idle(void **state)
{
	(void)state;
	for (size_t i = 0; i < 2; i++) {
		promise_waits(promising[i], 4);
		keep_second();
		hand_did(&h, "broken 4");
		h.now = 5;
		hand_finish(&h, 3);
		hand_did(&h, "mended 4");
		leave_at(10);
		hand_did(&h, "start 4 on 4; resize 1 to 4");
		hand_close(&h);
	}
}

/* Some nodes are given back by then instead. */
static void give_sooner(int32_t n, int64_t at)
{
	for (uint32_t i = 0; n && i < h.nodes; i++) {
		if (!h.gives[i] || nodeset_test(h.lost, i))
			continue;
		h.gives[i] = at;
		n--;
	}
}

static void lose_given(int32_t n)
{
	for (uint32_t i = 0; n && i < h.nodes; i++) {
		if (!h.gives[i])
			continue;
		hand_lose(&h, i);
		n--;
	}
}

/*
 * One waits for four nodes, of which three are lost. So it is late, and begins on two as soon as these are there. A third one comes,
 * but too late for its deadline: that it is to have it mends nothing, until it is there, which is sooner than it had to be.
 */
static void test_comes_late(void **state)
{
	struct sched_view v;

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		hand_open_notice(&h, promising[i], 8, 20);
		for (uint64_t id = 1; id <= 2; id++)
			hand_submit(&h, promise(id, 1, 4, 400, 10000));
		hand_submit(&h, promise(3, 2, 4, 100, 74));
		h.text[0] = '\0';
		h.now = 5;
		lose_given(3);
		hand_did(&h, "broken 3; ask 2 to 1; by 25");
		give_sooner(2, 7);
		leave_at(7);
		hand_did(&h, "start 3 on 2");
		assert_int_equal(sched_view(h.s, 3, &v), PACT_OK);
		assert_int_equal(v.end, 78);
		give_sooner(1, 8);
		leave_at(8);
		hand_did(&h, "mended 3; resize 3 to 3");
		hand_close(&h);
	}
}

/* ---- any life ---- */

struct run {
	int64_t left, since, deadline;
	bool promised;
};

static struct run run[HAND_JOBS];

static void go_on(int64_t to)
{
	for (size_t i = 0; i < HAND_JOBS; i++) {
		int64_t done = hand_width(&h, i) * (to - run[i].since);

		run[i].left -= done < run[i].left ? done : run[i].left;
		run[i].since = to;
	}
}

static int64_t next_end(uint64_t *which)
{
	int64_t first = PACT_FOREVER;

	for (uint64_t i = 0; i < HAND_JOBS; i++) {
		int32_t n = hand_width(&h, i);
		int64_t end = n ? run[i].since + (run[i].left + n - 1) / n : PACT_FOREVER;

		if (end < first) {
			first = end;
			*which = i;
		}
	}
	return first;
}

static void come(uint64_t id, bool dated)
{
	int32_t least = 1 + (int32_t)seed_below(10);
	struct sched_job job =
		hand_range(id, least, least + (int32_t)seed_below(20), 1 + seed_below(200));

	job.submit = h.now;
	job.grace = seed_below(4) ? 0 : 1 + seed_below(80);
	job.deadline = dated && seed_below(8) ? h.now + 1 + seed_below(400) : 0;
	job.value = seed_below(1000) * 1000000;
	run[id] = (struct run){ .left = job.limit * job.width,
				.since = h.now,
				.deadline = job.deadline };
	h.decision.accepted = false;
	hand_submit(&h, job);
	run[id].promised = job.deadline && h.decision.accepted;
}

/* One keeps what it was asked for. */
static void keep_all(uint64_t id)
{
	bool any = false;

	for (uint32_t n = 0; n < h.nodes; n++) {
		if (!h.gives[n] || !nodeset_test(h.job[id].at, n))
			continue;
		h.gives[n] = 0;
		any = true;
	}
	if (any)
		assert_int_equal(
			hand_event(&h, (struct sched_event){ .type = EV_REFUSED, .id = id }),
			PACT_OK);
}

static void trouble(void)
{
	uint32_t node = (uint32_t)seed_below(h.nodes);
	uint64_t id = (uint64_t)seed_below(HAND_JOBS);

	if (nodeset_test(h.lost, node))
		hand_find(&h, node);
	else if (nodeset_count(h.lost) < 4)
		hand_lose(&h, node);
	while (id < HAND_JOBS && !h.job[id].at)
		id++;
	if (id < HAND_JOBS && !seed_below(2))
		keep_all(id);
}

static void no_more_trouble(void)
{
	for (uint32_t n = nodeset_next(h.lost, 0); n < h.nodes; n = nodeset_next(h.lost, n + 1))
		hand_find(&h, n);
}

struct life {
	const struct malleable_kind *kind;
	bool soon, troubled;
	int restarts; /* one in so many steps; 0: none */
};

static void open_life(const struct life *l)
{
	memset(run, 0, sizeof(run));
	hand_open_notice(&h, l->kind, 20, seed_below(3) ? 1 + seed_below(40) : 0);
	h.soon = l->soon;
}

/* No promise breaks but for trouble. */
static void check_said(const struct life *l)
{
	assert_true(l->troubled || !strstr(h.text, "broken"));
	h.text[0] = '\0';
}

static void disturb(const struct life *l, bool coming)
{
	if (l->troubled && coming && !seed_below(3))
		trouble();
	else if (!coming)
		no_more_trouble();
	check_said(l);
	if (!seed_below(20))
		hand_twin(&h);
	if (!l->restarts || seed_below(l->restarts))
		return;
	hand_restart(&h);
	check_said(l);
}

/*
 * Ends first, then what is given back, then others. All deadlines are kept, but for trouble; and what was told to another decides
 * as it does.
 */
static size_t any_life(struct life l)
{
	uint64_t id = 1, which = 0;
	int64_t comes = 0, end;
	size_t promised = 0;

	open_life(&l);
	while ((end = next_end(&which)) != PACT_FOREVER || id < HAND_JOBS) {
		int64_t leave = hand_next_leave(&h), at = end < leave ? end : leave;

		at = id < HAND_JOBS && comes < at ? comes : at;
		at = h.wake < at ? h.wake : at;
		go_on(at);
		h.now = at;
		if (at == end) {
			assert_true(!run[which].promised || at <= run[which].deadline ||
				    h.job[which].broken);
			promised += run[which].promised;
			hand_finish(&h, which);
		} else if (at == leave) {
			hand_leave(&h);
		} else if (id < HAND_JOBS && at == comes) {
			come(id++, l.kind != &malleable_uniform);
			comes = at + seed_below(40);
		} else {
			hand_event(&h, (struct sched_event){ .type = EV_TIME });
		}
		disturb(&l, id < HAND_JOBS);
	}
	for (size_t i = 1; i < HAND_JOBS; i++)
		assert_false(h.job[i].known); /* all were run, or refused */
	hand_close(&h);
	return promised;
}

/* Under each strategy; how many were promised something. */
static size_t any_lives(struct life l)
{
	size_t promised = 0;

	l.kind = &malleable_uniform;
	any_life(l);
	for (size_t i = 0; i < 2; i++) {
		l.kind = promising[i];
		promised += any_life(l);
	}
	return promised;
}

static void test_lives(void **state)
{
	(void)state;
	for (uint64_t round = 0; round < seed_rounds(30); round++)
		assert_true(any_lives((struct life){ .soon = round % 2 }) > 20);
}

/* Nodes come and go, and what was asked for is kept. */
static void test_troubled_lives(void **state)
{
	(void)state;
	for (uint64_t round = 0; round < seed_rounds(60); round++)
		any_lives((struct life){ .soon = round % 2, .troubled = true });
}

/* slurmctld is started anew at any time. What a job has left is told in whole seconds then. */
static void test_restarted_lives(void **state)
{
	(void)state;
	for (uint64_t round = 0; round < seed_rounds(60); round++)
		any_lives((struct life){
			.soon = round % 2, .troubled = round % 3 == 2, .restarts = 8 });
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_wait),
		cmocka_unit_test(test_more),
		cmocka_unit_test(test_kept),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_parts),
		cmocka_unit_test(test_earlier),
		cmocka_unit_test(test_earlier_stays),
		cmocka_unit_test(test_cleans),
		cmocka_unit_test(test_own),
		cmocka_unit_test(test_long),
		cmocka_unit_test(test_long_not),
		cmocka_unit_test(test_waits_down),
		cmocka_unit_test(test_waits_refused),
		cmocka_unit_test(test_waits_for_idle),
		cmocka_unit_test(test_comes_late),
		cmocka_unit_test(test_lives),
		cmocka_unit_test(test_troubled_lives),
		cmocka_unit_test(test_restarted_lives),
	};

	return seed_run("test_notice", tests);
}
