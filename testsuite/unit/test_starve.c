/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_starve: a promise starves no job (doc/design.md, promise 4), checked on twins. Two
 * schedulers in Slurm's mode get the same random jobs; one of them is then asked for a promise,
 * wherever between two passes that happens. If it gives it, the next pass must end no waiting job
 * later than its artificial deadline, unless the twin without the promise does too, and then no
 * later than that.
 */
#include <inttypes.h>

#include "core/sched.h"
#include "testsuite/unit/seed.h"

#define NODES 8
#define PROMISE 1000

struct twins {
	struct sched *with, *without;
	uint64_t ids;
	int64_t now;
};

static struct sched *create(void)
{
	struct sched_config c;

	sched_config_init(&c);
	c.mode = SCHED_MODE_SLURM;
	c.min_artificial = 0;
	c.relax_milli = 3000;
	struct sched *s = sched_create("qops", NODES, &c, NULL, 0);

	assert_non_null(s);
	return s;
}

static void feed(struct twins *t, const struct sched_event *ev)
{
	assert_int_equal(sched_event(t->with, ev), sched_event(t->without, ev));
}

static struct sched_job some_job(uint64_t id, int64_t now)
{
	return (struct sched_job){ .id = id,
				   .submit = now,
				   .limit = 60 * (1 + seed_below(20)),
				   .width = (int32_t)(1 + seed_below(NODES)),
				   .priority = seed_below(6),
				   .planned = -1 };
}

static void arrive(struct twins *t)
{
	struct sched_job j = some_job(++t->ids, t->now);

	feed(t, &(struct sched_event){ .type = EV_SUBMIT, .now = t->now, .jobs = &j, .njobs = 1 });
}

static void pass(struct sched *s, int64_t now)
{
	struct sched_action a;

	assert_int_equal(sched_event(s, &(struct sched_event){ .type = EV_TIME, .now = now }), 0);
	while (sched_next(s, &a)) {
		if (a.type == ACT_START)
			assert_int_equal(sched_event(s, &(struct sched_event){ .type = EV_STARTED,
									       .now = now,
									       .id = a.id }),
					 0);
	}
}

static void passes(struct twins *t)
{
	pass(t->with, t->now);
	pass(t->without, t->now);
}

/* What may come between two passes: a job, an end, a withdrawal, another priority. */
static void disturb(struct twins *t)
{
	uint64_t id = (uint64_t)(1 + seed_below((int64_t)t->ids));
	struct sched_view v;

	if (seed_below(3) == 0) {
		arrive(t);
	} else if (sched_view(t->with, id, &v)) {
		return;
	} else if (v.running) {
		feed(t, &(struct sched_event){ .type = EV_FINISH, .now = t->now, .id = id });
	} else if (seed_below(2)) {
		feed(t, &(struct sched_event){ .type = EV_WITHDRAW, .now = t->now, .id = id });
	} else {
		feed(t, &(struct sched_event){ .type = EV_PRIORITY,
					       .now = t->now,
					       .id = id,
					       .priority = seed_below(9) });
	}
}

static bool promise(struct twins *t)
{
	struct sched_job j = some_job(PROMISE, t->now);
	struct sched_action a;
	bool accepted = false;

	j.priority = 0; /* a higher one would let it pass others without any promise */
	j.deadline = t->now + 60 * (10 + seed_below(60));
	assert_int_equal(sched_event(t->with, &(struct sched_event){ .type = EV_SUBMIT,
								     .now = t->now,
								     .jobs = &j,
								     .njobs = 1 }),
			 0);
	while (sched_poll(t->with, &a))
		accepted |= a.type == ACT_ACCEPT;
	return accepted;
}

static void compare(const struct twins *t)
{
	struct sched_view with, without;

	for (uint64_t id = 1; id <= t->ids; id++) {
		if (sched_view(t->with, id, &with) || sched_view(t->without, id, &without) ||
		    with.running)
			continue;
		int64_t due = without.end > with.artificial ? without.end : with.artificial;

		if (with.end > due)
			fail_msg("job %" PRIu64 " ends at %" PRId64
				 ", without the promise at %" PRId64
				 ", artificial deadline %" PRId64,
				 id, with.end, without.end, with.artificial);
	}
	assert_int_equal(sched_view(t->with, PROMISE, &with), 0);
	assert_true(with.end <= with.deadline);
}

static bool world(void)
{
	struct twins t = { .with = create(), .without = create(), .now = 100 };
	bool accepted;

	for (int64_t n = 3 + seed_below(12); n > 0; n--) {
		arrive(&t);
		if (seed_below(2))
			passes(&t);
	}
	passes(&t);
	t.now += seed_below(50);
	for (int64_t n = seed_below(4); n > 0; n--)
		disturb(&t);
	accepted = promise(&t);
	if (accepted) {
		passes(&t);
		compare(&t);
	}
	sched_destroy(t.with);
	sched_destroy(t.without);
	return accepted;
}

static void test_twins(void **state)
{
	uint64_t rounds = seed_rounds(20000), accepted = 0;

	(void)state;
	for (uint64_t r = 0; r < rounds; r++)
		accepted += world();
	assert_true(accepted > rounds / 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_twins) };

	return seed_run("starve", tests);
}
