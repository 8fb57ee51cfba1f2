/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_margin: where the next node brings most, and which job it costs least, against plain loops that look at every job for
 * every node. Random jobs hold random parts of a small machine, at a random time of their work.
 */
#include <string.h>

#include "core/malleable/allot.h"
#include "core/malleable/margin.h"
#include "core/sched.h"
#include "testsuite/unit/seed.h"

#define JOBS 9
#define NODES 40
#define ROUNDS 3000

static const int64_t table[] = { 1, 1000000, 4, 3000000, 16, 9000000, 40, 9500000 };

struct world {
	struct malleable *s;
	struct job *job[JOBS + 2]; /* the last two are new, and have nothing */
	size_t n;
	struct nodeset *some; /* nodes, all that the first of these may have; NULL: any */
	uint64_t seed;
};

/* What a plain loop knows of a job: its nodes by now, and how many it may still give. */
struct plain {
	const struct job *job;
	int32_t n, left;
};

static int64_t from_to(struct world *w, int64_t lo, int64_t hi)
{
	return lo + (int64_t)(seed_next(&w->seed) % (uint64_t)(hi - lo + 1));
}

/* ---- worlds ---- */

static struct job *make_job(struct world *w, uint64_t id)
{
	struct sched_job d = { .id = id,
			       .submit = from_to(w, 0, 3),
			       .limit = from_to(w, 1, 400),
			       .value = from_to(w, 0, 3) * 1000 * from_to(w, 0, 5),
			       .planned = -1,
			       .width = (int32_t)from_to(w, 1, 4),
			       .most = (int32_t)from_to(w, 4, NODES) };
	struct job *j;

	d.deadline = from_to(w, 0, 5) ? from_to(w, 20, 900) : 0;
	if (from_to(w, 0, 1))
		d.speedup = (struct list64){ table, sizeof(table) / sizeof(*table) };
	if (w->some && id == w->n + 1) {
		d.nalt = 1;
		d.alt[0] = w->some;
	}
	j = malleable_job_make(w->s, &d);
	assert_non_null(j);
	return j;
}

static void open_world(struct world *w, uint64_t seed)
{
	struct sched_config config;

	*w = (struct world){ .seed = seed };
	sched_config_init(&config);
	w->s = engine_malleable.create(&malleable_profit, NODES, &config, NULL, 0);
	assert_non_null(w->s);
	w->n = (size_t)from_to(w, 0, JOBS);
	w->some = from_to(w, 0, 2) ? NULL : nodeset_create(NODES);
	for (uint32_t i = 0; w->some && i < NODES; i++) {
		if (from_to(w, 0, 2))
			nodeset_set(w->some, i);
	}
	assert_int_equal(malleable_reserve(w->s, JOBS + 2), 0);
	w->s->now = from_to(w, 3, 30);
	for (size_t i = 0; i <= w->n + 1; i++) {
		struct job *j = w->job[i] = make_job(w, i + 1);

		j->done.since = w->s->now;
		j->done.left = from_to(w, 0, 9) ? from_to(w, 1, j->done.left) : 0;
		if (i >= w->n || !w->s->idle_n)
			continue;
		running_add(w->s, j);
		allot_take(w->s, j, (int32_t)from_to(w, 1, j->most));
		j->floor = (int32_t)from_to(w, 1, j->n);
		j->stuck = from_to(w, 0, 9) == 0;
		j->floor = j->stuck ? j->n : j->floor;
	}
	margin_changed(w->s);
}

static void close_world(struct world *w)
{
	for (size_t i = 0; i <= w->n + 1; i++) {
		malleable_leave(w->s, w->job[i]);
		malleable_job_destroy(w->job[i]);
	}
	engine_malleable.destroy(w->s);
	nodeset_destroy(w->some);
}

/* ---- plainly ---- */

/* All until half of its time is over, then less in proportion, nothing at the deadline. */
static int64_t worth(const struct world *w, const struct job *j, int32_t n)
{
	int64_t rate = n > 0 ? speedup_rate(&j->speedup, n) : 0, end, all = j->deadline - j->submit;

	if (!rate || !j->deadline)
		return 0;
	end = w->s->now + (j->done.left + rate - 1) / rate;
	if (end >= j->deadline)
		return 0;
	return end - j->submit <= all / 2 ? j->payoff.value
					  : j->payoff.value * 2 * (j->deadline - end) / all;
}

/* Of its nodes so many may be given to the new one: not its first one, and none below its floor. */
static int32_t spare_of(const struct world *w, const struct job *j)
{
	int32_t can = 0;

	for (uint32_t i = 0; i < NODES; i++)
		can += w->s->owner[i] == j && w->some && nodeset_test(w->some, i) && i != j->first;
	if (!w->some)
		can = j->n - j->floor;
	return can < j->n - j->floor ? can : j->n - j->floor;
}

/* The one that loses least by one node less; NULL: none may give one. */
static struct plain *cheapest(const struct world *w, struct plain *p, int64_t *loss)
{
	struct plain *best = NULL;

	for (size_t i = 0; i < w->n; i++) {
		int64_t costs = worth(w, p[i].job, p[i].n) - worth(w, p[i].job, p[i].n - 1);

		if (p[i].left <= 0 ||
		    (best &&
		     (costs > *loss || (costs == *loss && !job_older(p[i].job, best->job)))))
			continue;
		best = &p[i];
		*loss = costs;
	}
	return best;
}

/* The one that gains most by one node more; NULL: none can use one. */
static struct plain *richest(const struct world *w, struct plain *p)
{
	struct plain *best = NULL;
	int64_t most = 0;

	for (size_t i = 0; i < w->n; i++) {
		const struct job *j = p[i].job;
		int64_t gain = worth(w, j, p[i].n + 1) - worth(w, j, p[i].n);

		if (!j->listed || j->stuck || p[i].n >= j->most ||
		    (best && (gain < most || (gain == most && !job_older(j, best->job)))))
			continue;
		best = &p[i];
		most = gain;
	}
	return best;
}

static void list(const struct world *w, struct plain *p)
{
	for (size_t i = 0; i < w->n; i++) {
		struct job *j = w->job[i];

		p[i] = (struct plain){ j, j->n, j->listed ? spare_of(w, j) : 0 };
	}
}

static int32_t idle_for(const struct world *w)
{
	int32_t n = 0;

	for (uint32_t i = 0; i < NODES; i++)
		n += nodeset_test(w->s->idle, i) && (!w->some || nodeset_test(w->some, i));
	return n;
}

/* ---- the same ---- */

/* Asked in any order, and up to some cost only, it says what the n cheapest nodes cost. */
static void check_costs(struct world *w, struct job *to, const int64_t *cost, int32_t all)
{
	for (int i = 0; i < 10 && all; i++) {
		int32_t n = (int32_t)from_to(w, 1, all);
		int64_t most = from_to(w, 0, 3) ? INT64_MAX : from_to(w, 0, cost[all] + 1);

		assert_int_equal(margin_begin(w->s, to), all);
		if (cost[n] <= most)
			assert_int_equal(margin_cost(w->s, n, most), cost[n]);
		else
			assert_true(margin_cost(w->s, n, most) > most);
	}
}

/* What the nodes for a new job cost, and from which it gets some of them. */
static void check_one(struct world *w, struct job *to, struct nodeset *some)
{
	struct plain p[JOBS], *from;
	int32_t idle, all, takes;
	int64_t cost[NODES + 1] = { 0 }, loss = 0;

	w->some = some;
	idle = idle_for(w);
	all = margin_begin(w->s, to);
	list(w, p);
	for (int32_t n = idle + 1; n <= all; n++) {
		from = cheapest(w, p, &loss);
		assert_non_null(from);
		from->n--;
		from->left--;
		cost[n] = cost[n - 1] + loss;
	}
	assert_true(idle <= all && !cheapest(w, p, &loss));
	check_costs(w, to, cost, all);
	takes = (int32_t)from_to(w, 0, from_to(w, 0, 1) ? all : idle);
	list(w, p);
	for (int32_t n = idle; n < takes && (from = cheapest(w, p, &loss)); n++) {
		from->n--;
		from->left--;
	}
	margin_begin(w->s, to);
	margin_cost(w->s, takes, INT64_MAX);
	margin_take(w->s, to, takes);
	assert_int_equal(to->n, takes);
	for (size_t i = 0; i < w->n; i++)
		assert_int_equal(w->job[i]->n, p[i].n);
	for (uint32_t i = 0; i < NODES; i++)
		assert_true(w->s->owner[i] != to || !some || nodeset_test(some, i));
}

/* What was found for the first one holds for the second one as far as it may. */
static void check_cheapest(struct world *w)
{
	struct nodeset *some = w->some;

	check_one(w, w->job[w->n], some);
	check_one(w, w->job[w->n + 1], NULL);
	w->some = some;
}

static void check_richest(struct world *w)
{
	struct plain p[JOBS], *to;
	int32_t idle = w->s->idle_n;

	list(w, p);
	for (; idle && (to = richest(w, p)); idle--)
		to->n++;
	margin_give_out(w->s);
	assert_int_equal(w->s->idle_n, idle);
	for (size_t i = 0; i < w->n; i++)
		assert_int_equal(w->job[i]->n, p[i].n);
}

static void rounds(void (*check)(struct world *w))
{
	uint64_t all = seed_rounds(ROUNDS);

	for (uint64_t round = 0; round < all; round++) {
		struct world w;

		open_world(&w, seed_of_round(round));
		check(&w);
		close_world(&w);
	}
}

static void test_cheapest(void **state)
{
	(void)state;
	rounds(check_cheapest);
}

static void test_richest(void **state)
{
	(void)state;
	rounds(check_richest);
}

static void test_worth(void **state)
{
	(void)state;
	for (int i = 0; i < ROUNDS / 10; i++) {
		struct world w;

		open_world(&w, seed_draw() | 1);
		for (size_t k = 0; k <= w.n; k++) {
			for (int32_t n = 0; n <= w.job[k]->most; n++)
				assert_int_equal(margin_worth(w.s, w.job[k], n),
						 worth(&w, w.job[k], n));
		}
		close_world(&w);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_worth),
		cmocka_unit_test(test_cheapest),
		cmocka_unit_test(test_richest),
	};

	return seed_run("test_margin", tests);
}
