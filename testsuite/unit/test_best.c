/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_best: qops-best beside QoPS, told the same random plans. Whatever QoPS admits in a state,
 * qops-best admits, without any effort it admits nothing else, and with some it does now and then. What
 * it admits becomes a plan in which no promise is broken and no node used twice, also after the pass
 * has improved it, which never costs more.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/sched.h"
#include "testsuite/unit/feed.h"
#include "testsuite/unit/ref_profile.h"
#include "testsuite/unit/seed.h"

#define NODES 12
#define MOST 24
#define ROUNDS 150
#define PROBES 6

/* Promises made earlier, in a feasible plan, with little to spare. */
static size_t make(struct sched_job *j)
{
	size_t n = 1 + (size_t)seed_below(MOST);
	struct ref_profile *p = ref_profile_create(0, NODES);

	assert_non_null(p);
	for (size_t i = 0; i < n; i++) {
		j[i] = feed_deadline(i + 1, 1 + (int32_t)seed_below(NODES), 10 + seed_below(500),
				     0);
		j[i].planned = ref_profile_earliest(p, 1 + seed_below(60), j[i].limit, j[i].width);
		ref_profile_add(p, j[i].planned, j[i].planned + j[i].limit, -j[i].width);
		j[i].deadline = j[i].planned + j[i].limit + seed_below(600);
		j[i].flags = JOB_PROMISED;
	}
	ref_profile_destroy(p);
	return n;
}

static void tell(struct feed *f, const char *name, int32_t effort, enum sched_cost cost,
		 const struct sched_job *j, size_t n)
{
	struct sched_config c;

	sched_config_init(&c);
	c.effort = effort;
	c.cost = cost;
	feed_open(f, name, NODES, &c);
	f->now = 1;
	assert_int_equal(
		feed_event(f, (struct sched_event){ .type = EV_SUBMIT, .jobs = j, .njobs = n }),
		PACT_OK);
}

static bool admits(struct feed *f, const struct sched_job *j)
{
	struct sched_decision d;

	assert_int_equal(sched_ask(f->s, 1, j, 1, &d), PACT_OK);
	assert_true(!d.accepted || d.end <= j->deadline);
	return d.accepted;
}

static struct sched_job probe(void)
{
	struct sched_job j =
		feed_deadline(1000, 1 + (int32_t)seed_below(NODES), 10 + seed_below(500), 0);

	j.deadline = 1 + j.limit + seed_below(800);
	return j;
}

static void test_admits_what_qops_admits(void **state)
{
	uint64_t more = 0, yes = 0, rounds = seed_rounds(ROUNDS);

	(void)state;
	for (uint64_t round = 0; round < rounds; round++) {
		struct sched_job j[MOST];
		struct feed qops, none, best;
		size_t n = make(j);

		tell(&qops, "qops", 0, COST_WORK, j, n);
		tell(&none, "qops-best", 0, COST_WORK, j, n);
		tell(&best, "qops-best", 500, COST_WORK, j, n);
		for (int i = 0; i < PROBES; i++) {
			struct sched_job p = probe();
			bool plain = admits(&qops, &p), searched = admits(&best, &p);

			assert_int_equal(admits(&none, &p), plain);
			assert_true(searched || !plain);
			yes += plain;
			more += searched && !plain;
		}
		feed_close(&qops);
		feed_close(&none);
		feed_close(&best);
	}
	assert_true(rounds < 50 || (more > 0 && yes > rounds / 2));
}

struct seen {
	double cost;
	int32_t use[8192];
	size_t jobs;
};

/* Waiting and running jobs as they are planned: all in time, no node twice. */
static void look(struct feed *f, const struct sched_job *j, size_t n, struct seen *seen)
{
	*seen = (struct seen){ 0 };
	for (size_t i = 0; i < n; i++) {
		struct sched_view v;

		if (sched_view(f->s, j[i].id, &v) != PACT_OK)
			continue;
		assert_true(v.end <= j[i].deadline && v.start >= 1 &&
			    v.end == v.start + j[i].limit);
		seen->jobs++;
		for (int64_t t = v.start; t < v.end && t < 8192; t++) {
			seen->use[t] += j[i].width;
			assert_in_range(seen->use[t], 0, NODES);
		}
		if (!v.running)
			seen->cost += (double)(v.start - j[i].submit) * j[i].width;
	}
}

static void test_improves(void **state)
{
	uint64_t improved = 0, rounds = seed_rounds(ROUNDS);
	static struct seen before, after;

	(void)state;
	for (uint64_t round = 0; round < rounds; round++) {
		struct sched_job j[MOST + 1];
		struct feed f;
		size_t n = make(j);

		tell(&f, "qops-best", 500, COST_AREA, j, n);
		j[n] = probe();
		feed_event(&f,
			   (struct sched_event){ .type = EV_SUBMIT, .jobs = &j[n], .njobs = 1 });
		struct sched_action a;

		assert_true(sched_poll(f.s, &a));
		n += a.type == ACT_ACCEPT;
		look(&f, j, n, &before);
		assert_int_equal(before.jobs, n);
		f.hold_starts = true; /* no job has left the queue but the one that starts */
		feed_drain(&f);
		look(&f, j, n, &after);
		assert_int_equal(after.jobs, n);
		assert_true(after.cost <= before.cost);
		assert_int_equal(f.broken, 0);
		improved += after.cost < before.cost;
		feed_close(&f);
	}
	assert_true(rounds < 50 || improved > rounds / 20);
}

/* The planned starts after one more submission and the pass that follows. */
static void plan_by(const char *name, enum sched_cost cost, const struct sched_job *j, size_t n,
		    int64_t *start)
{
	struct feed f;

	tell(&f, name, 500, cost, j, n - 1);
	feed_event(&f, (struct sched_event){ .type = EV_SUBMIT, .jobs = &j[n - 1], .njobs = 1 });
	f.hold_starts = true;
	feed_drain(&f);
	for (size_t i = 0; i < n; i++)
		start[i] = feed_starts(&f, j[i].id);
	feed_close(&f);
}

/* COST_OWN, the default, is work for qops-best and slack for msb. */
static void test_own_cost(void **state)
{
	static const struct {
		const char *name;
		enum sched_cost own, other;
	} schedulers[] = { { "qops-best", COST_WORK, COST_SLACK },
			   { "msb", COST_SLACK, COST_WORK } };
	uint64_t rounds = seed_rounds(ROUNDS);
	struct sched_config c;

	(void)state;
	sched_config_init(&c);
	assert_int_equal(c.cost, COST_OWN);
	for (size_t k = 0; k < 2; k++) {
		uint64_t differ = 0;

		for (uint64_t round = 0; round < rounds; round++) {
			int64_t own[MOST + 1], same[MOST + 1], other[MOST + 1];
			struct sched_job j[MOST + 1];
			size_t n = make(j);

			j[n++] = probe();
			plan_by(schedulers[k].name, COST_OWN, j, n, own);
			plan_by(schedulers[k].name, schedulers[k].own, j, n, same);
			plan_by(schedulers[k].name, schedulers[k].other, j, n, other);
			assert_memory_equal(own, same, n * sizeof(*own));
			differ += memcmp(own, other, n * sizeof(*own)) != 0;
		}
		print_message("# %s: %" PRIu64 " of %" PRIu64 " differ\n", schedulers[k].name,
			      differ, rounds);
		assert_true(rounds < 50 || differ > 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_admits_what_qops_admits),
		cmocka_unit_test(test_improves),
		cmocka_unit_test(test_own_cost),
	};

	return seed_run("test_best", tests);
}
