/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_fcfs: an event costs FCFS no more with a long queue than with a short one. The linker puts others in
 * place of what a pass looks at jobs with, and they count: a list that is filled counts each job in it.
 */
#include "core/planning/state/backfill_index.h"
#include "core/planning/state/planner.h"
#include "testsuite/unit/feed.h"
#include "testsuite/unit/seed.h"

#define NODES 8

static size_t looks;

int __real_list_fill(struct planner *s, enum order_kind kind);
int __wrap_list_fill(struct planner *s, enum order_kind kind);
struct job *__real_backfill_any(const struct backfill_index *l, size_t *at);
struct job *__wrap_backfill_any(const struct backfill_index *l, size_t *at);
int __real_backfill_arrange(struct backfill_index *l);
int __wrap_backfill_arrange(struct backfill_index *l);
int __real_plan_earliest(const struct plan *p, const struct request *r, int64_t from,
			 int64_t latest, struct placement *out);
int __wrap_plan_earliest(const struct plan *p, const struct request *r, int64_t from,
			 int64_t latest, struct placement *out);

int __wrap_list_fill(struct planner *s, enum order_kind kind)
{
	int rc = __real_list_fill(s, kind);

	looks += s->list_n;
	return rc;
}

struct job *__wrap_backfill_any(const struct backfill_index *l, size_t *at)
{
	looks++;
	return __real_backfill_any(l, at);
}

/* What puts an index in order, or closes its gaps, goes through all of it. */
int __wrap_backfill_arrange(struct backfill_index *l)
{
	int rc = __real_backfill_arrange(l);

	looks += rc == 1 ? backfill_length(l) : 0;
	return rc;
}

int __wrap_plan_earliest(const struct plan *p, const struct request *r, int64_t from,
			 int64_t latest, struct placement *out)
{
	looks++;
	return __real_plan_earliest(p, r, from, latest, out);
}

/*
 * Behind jobs of one node each, which fill the machine, stand one that wants all of it and so many that
 * want one; looks at jobs per event while the running ones end and as many come.
 */
static double looks_per_event(enum sched_mode mode, uint64_t waiting)
{
	struct sched_config c;
	struct feed f;
	uint64_t events = 0;

	sched_config_init(&c);
	c.mode = mode;
	feed_open(&f, "fcfs", NODES, &c);
	for (uint64_t id = 1; id <= NODES; id++)
		feed_submit(&f, feed_job(id, 1, 1000));
	assert_int_equal(feed_drain(&f), NODES);
	feed_submit(&f, feed_job(100, NODES, 100));
	for (uint64_t i = 0; i < waiting; i++)
		feed_submit(&f, feed_job(1000 + i, 1, 100));
	assert_int_equal(feed_drain(&f), 0);
	looks = 0;
	for (uint64_t id = 1; id < NODES; id++) {
		f.now++;
		assert_int_equal(feed_finish(&f, id), PACT_OK);
		assert_int_equal(feed_drain(&f), 0);
		feed_submit(&f, feed_job(100000 + id, 1, 100));
		assert_int_equal(feed_drain(&f), 0);
		events += 2;
	}
	assert_int_equal(feed_finish(&f, NODES), PACT_OK);
	assert_int_equal(feed_drain(&f), 1);
	assert_int_equal(feed_starts(&f, 100), f.now);
	feed_close(&f);
	return (double)looks / (double)(events + 1);
}

static void looks_no_further_than_it_starts(void **state)
{
	static const enum sched_mode modes[] = { SCHED_MODE_PAPER, SCHED_MODE_SLURM };

	(void)state;
	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		double few = looks_per_event(modes[i], 10);
		double many = looks_per_event(modes[i], 20000);

		print_message("# mode %d: %.2f looks per event with 10 waiting, %.2f with 20000\n",
			      modes[i], few, many);
		assert_true(few >= 1);
		assert_true(many <= few);
	}
}

/* Slurm mode: by priority, then submission, then id; and anew when one is changed. */
static void starts_by_priority(void **state)
{
	static const uint64_t expected[] = { 1, 4, 3, 5, 2 };
	struct sched_config c;
	struct feed f;

	(void)state;
	sched_config_init(&c);
	c.mode = SCHED_MODE_SLURM;
	feed_open(&f, "fcfs", 1, &c);
	for (uint64_t id = 1; id <= 5; id++) {
		struct sched_job j = feed_job(id, 1, 10);

		j.priority = id == 4 ? 7 : 5;
		feed_submit(&f, j);
		feed_drain(&f);
	}
	feed_event(&f, (struct sched_event){ .type = EV_PRIORITY, .id = 2, .priority = 1 });
	for (uint64_t i = 0; i < 5; i++) {
		assert_int_equal(f.started, i + 1);
		assert_int_equal(f.order[i], expected[i]);
		f.now += 10;
		feed_finish(&f, expected[i]);
		feed_drain(&f);
	}
	feed_close(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(looks_no_further_than_it_starts),
		cmocka_unit_test(starts_by_priority),
	};

	return seed_run("test_fcfs", tests);
}
