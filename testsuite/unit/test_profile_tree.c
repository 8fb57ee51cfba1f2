/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_profile_tree: the inside of core/capacity/profile_tree.h, built with tiny nodes so that trees are
 * deep, nodes split and join all the time, and few steps are flat. After every operation: keys and
 * minima are exact, the filter's bounds are nowhere below the truth, no node is empty or lost.
 */
#include <inttypes.h>

#define PROFILE_STEPS 4
#define PROFILE_CHILDREN 4
#define PROFILE_FLAT 12
#include "core/capacity/profile.c"
#include "core/capacity/profile_build.c"
#include "core/capacity/profile_filter.c"
#include "core/capacity/profile_flat.c"
#include "core/capacity/profile_search.c"
#include "testsuite/unit/seed.h"

#define OPERATIONS 12000

/* What is true of one level of the filter below a node. */
struct truth {
	double head, tail, best;
};

/* All steps below a node, in order. */
struct steps {
	int64_t time[4096];
	int32_t free[4096];
	size_t count;
};

static void collect(const struct profile *p, unsigned level, uint32_t id, int32_t add,
		    struct steps *steps)
{
	if (level == 0) {
		const struct leaf *leaf = leaf_at(p, id);

		assert_true(leaf->count > 0 && leaf->count <= PROFILE_STEPS);
		for (uint32_t i = 0; i < leaf->count; i++) {
			steps->time[steps->count] = leaf->time[i];
			steps->free[steps->count++] = leaf->free[i] + add;
		}
	} else {
		const struct inner *in = inner_at(p, id);

		assert_true(in->count > 0 && in->count <= PROFILE_CHILDREN);
		for (uint32_t c = 0; c < in->count; c++)
			collect(p, level - 1, in->child[c], add + in->add[c], steps);
	}
}

static struct truth truth_of(const struct steps *steps, int64_t end, float atleast)
{
	struct truth truth = { 0, 0, 0 };
	bool whole = true;

	for (size_t i = 0; i < steps->count; i++) {
		int64_t stop = i + 1 < steps->count ? steps->time[i + 1] : end;
		double len = stop == PACT_FOREVER ? INFINITY : (double)(stop - steps->time[i]);

		if ((float)steps->free[i] >= atleast) {
			truth.tail += len;
		} else {
			truth.tail = 0;
			whole = false;
		}
		if (whole)
			truth.head = truth.tail;
		if (truth.tail > truth.best)
			truth.best = truth.tail;
	}
	return truth;
}

static uint64_t fresh, stale, lazy, flat;

/* Bounds of the filter for child c, which ends at `stop`. */
static void check_filter(const struct profile *p, const struct inner *in, uint32_t c,
			 const struct steps *steps, int64_t stop)
{
	bool behind = c + 1 < in->count;

	for (int k = 0; k < LEVELS; k++) {
		struct truth truth = truth_of(steps, stop, p->floor[k]);
		const struct summary *sum = &in->sum[c];
		double longest = truth.best;

		assert_true((double)sum->head[k] >= truth.head * (double)SLACK);
		assert_true((double)sum->tail[k] >= truth.tail * (double)SLACK);
		assert_true((double)sum->best[k] >= truth.best * (double)SLACK);
		if (behind && is_stale(in, c + 1))
			continue;
		if (behind && truth.tail + (double)in->sum[c + 1].head[k] > longest)
			longest = truth.tail + (double)in->sum[c + 1].head[k];
		assert_true((double)in->bound[k][c] >= longest * (double)SLACK);
	}
}

/* Checks everything below a node; returns how many leaves and inner nodes there are. */
static void check_node(const struct profile *p, unsigned level, uint32_t id, int64_t end,
		       uint32_t *leaves, uint32_t *inners)
{
	const struct inner *in;

	if (level == 0) {
		++*leaves;
		return;
	}
	++*inners;
	in = inner_at(p, id);
	for (uint32_t c = 0; c < in->count; c++) {
		int64_t stop = end_of_child(in, c, end);
		struct steps steps = { .count = 0 };
		int32_t least = INT32_MAX, most = INT32_MIN;

		collect(p, level - 1, in->child[c], in->add[c], &steps);
		assert_true(steps.time[0] == in->key[c]);
		for (size_t i = 0; i < steps.count; i++) {
			least = steps.free[i] < least ? steps.free[i] : least;
			most = steps.free[i] > most ? steps.free[i] : most;
		}
		assert_int_equal(in->min[c], least);
		assert_int_equal(in->max[c], most);
		lazy += in->add[c] != 0;
		stale += is_stale(in, c);
		if (!is_stale(in, c)) {
			fresh++;
			assert_int_equal(in->add[c], 0);
			check_filter(p, in, c, &steps, stop);
		}
		check_node(p, level - 1, in->child[c], stop, leaves, inners);
	}
}

static void check(const struct profile *p)
{
	struct steps steps = { .count = 0 };
	uint32_t leaves = 0, inners = 0;

	if (p->flat) {
		assert_true(p->steps > 0 && p->steps <= PROFILE_FLAT && p->steps <= p->flat_room);
		for (size_t i = 1; i < p->steps; i++) {
			assert_true(p->time[i] > p->time[i - 1]);
			assert_int_not_equal(p->free[i], p->free[i - 1]);
		}
		flat++;
		return;
	}
	assert_true(p->steps > PROFILE_FLAT / 2);
	assert_true(!p->time && !p->free && !p->flat_room);
	collect(p, p->height, p->root, 0, &steps);
	assert_true(steps.count == p->steps);
	for (size_t i = 1; i < steps.count; i++) {
		assert_true(steps.time[i] > steps.time[i - 1]);
		assert_int_not_equal(steps.free[i], steps.free[i - 1]);
	}
	check_node(p, p->height, p->root, PACT_FOREVER, &leaves, &inners);
	assert_true(leaves + p->leaves.spares == p->leaves.used);
	assert_true(inners + p->inners.spares == p->inners.used);
	assert_true(p->height == 0 || inner_at(p, p->root)->count > 1);
}

static void every_operation_keeps_the_invariants(void **state)
{
	struct profile *p = profile_create(0, 12);
	uint32_t highest = 0;
	size_t most = 0;

	(void)state;
	assert_non_null(p);
	for (int i = 0; i < OPERATIONS; i++) {
		int64_t origin = origin_of(p), start = origin + seed_below(300),
			end = start + 1 + seed_below(40);
		/* Mostly the sort of step that a plan has, now and then much flattened. */
		bool flatten = i % 1200 > 900;

		if (i % 600 == 599) {
			profile_advance(p,
					origin + 1000); /* nearly all is past: it is flat again */
		} else if (seed_below(400) == 0) {
			profile_advance(p, origin + seed_below(seed_below(10) ? 5 : 200));
		} else if (flatten) {
			int32_t here = profile_at(p, start);

			end = profile_next_change(p, start);
			assert_int_equal(profile_add(p, start, end, 6 - here), 0);
		} else {
			assert_int_equal(profile_add(p, start, seed_below(50) ? end : PACT_FOREVER,
						     (int32_t)seed_below(9) - 4),
					 0);
		}
		check(p);
		/* what is asked for is learnt */
		for (int64_t n = seed_below(4); n > 0; n--) {
			profile_earliest(p, origin + seed_below(300), 1 + seed_below(80),
					 (int32_t)seed_below(16));
			check(p);
		}
		highest = p->height > highest ? p->height : highest;
		most = p->steps > most ? p->steps : most;
	}
	print_message("# %" PRIu64 " looks at a flat one\n", flat);
	print_message("# at most %zu steps, height %" PRIu32 "\n", most, highest);
	print_message("# children: %" PRIu64 " fresh, %" PRIu64 " stale, %" PRIu64
		      " with something to be added below\n",
		      fresh, stale, lazy);
	assert_true(highest >= 3 && flat > OPERATIONS / 100);
	assert_true(fresh > OPERATIONS && stale > OPERATIONS && lazy > OPERATIONS / 10);
	profile_destroy(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_operation_keeps_the_invariants),
	};

	return seed_run("test_profile_tree", tests);
}
