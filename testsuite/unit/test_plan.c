/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_plan: core/plan on machines of several classes against a search through every second: earliest
 * fits with alternatives and required nodes, and that taking out what was put in leaves no trace.
 */

#include "core/capacity/plan.h"
#include "testsuite/unit/seed.h"

#define NODES 12
#define SETS 4
#define PLACED 14
#define HORIZON 300

static int32_t least(const struct plan *p, uint32_t cls, int64_t start, int64_t end)
{
	int32_t n = INT32_MAX;

	for (int64_t t = start; t < end && t < HORIZON + 200; t++) {
		int32_t at = profile_at(plan_profile(p, cls), t);

		n = at < n ? at : n;
	}
	return n;
}

/* Does it fit into this region at this time? */
static bool fits(const struct plan *p, const struct machine *m, const struct request *r,
		 const struct region *region, int64_t t)
{
	int64_t end = r->duration == PACT_FOREVER ? PACT_FOREVER : t + r->duration;
	int32_t sum = 0;

	if (r->required && !nodeset_subset(r->required->nodes, region->nodes))
		return false;
	for (uint32_t i = 0; i < region->classes; i++) {
		int32_t n = least(p, region->cls[i], t, end);

		sum += n > 0 ? n : 0;
	}
	for (uint32_t i = 0; r->required && i < r->required->classes; i++) {
		if (least(p, r->required->cls[i], t, end) <
		    machine_class_size(m, r->required->cls[i]))
			return false;
	}
	return sum >= r->width;
}

static void check(const struct plan *p, const struct machine *m, const struct request *r,
		  int64_t from, int64_t latest)
{
	struct placement at;
	int64_t best = PACT_FOREVER, first = from > r->not_before ? from : r->not_before;
	uint32_t alt = 0;

	for (int64_t t = first; t <= latest && t < HORIZON && best == PACT_FOREVER; t++) {
		for (uint32_t i = 0; i < r->nalt && best == PACT_FOREVER; i++) {
			if (fits(p, m, r, r->alt[i], t)) {
				best = t;
				alt = i;
			}
		}
	}
	placement_init(&at);
	int rc = plan_earliest(p, r, from, latest, &at);

	assert_int_equal(rc, best == PACT_FOREVER);
	assert_int_equal(at.start, best);
	assert_int_equal(placement_none(&at), rc);
	if (!rc) {
		const struct share *s = placement_shares(&at);
		int32_t n = 0;

		assert_int_equal(at.alt, alt);
		for (uint32_t i = 0; i < at.nshare; i++) {
			assert_true(s[i].n > 0 && s[i].n <= least(p, s[i].cls, at.start, at.end));
			n += s[i].n;
		}
		assert_int_equal(n, r->width);
	}
	placement_clear(&at);
}

/* Put it in, in one call or in two, which must find the same. */
static void place(struct plan *p, const struct request *r, struct placement *at)
{
	int64_t by = seed_below(2) ? PACT_FOREVER : seed_below(100);
	struct placement other;

	placement_init(&other);
	int rc = plan_earliest(p, r, 0, PACT_FOREVER, &other);
	bool late = rc || other.end > by;

	assert_int_equal(plan_place(p, r, 0, by, at), late);
	assert_int_equal(at->start, other.start);
	assert_int_equal(at->end, other.end);
	assert_int_equal(at->nshare, other.nshare);
	for (uint32_t i = 0; i < at->nshare; i++) {
		assert_int_equal(placement_shares(at)[i].cls, placement_shares(&other)[i].cls);
		assert_int_equal(placement_shares(at)[i].n, placement_shares(&other)[i].n);
	}
	placement_clear(&other);
	if (late)
		placement_clear(at);
}

static void any_request(struct request *r, struct region *const *region)
{
	*r = (struct request){ .width = 1 + (int32_t)seed_below(NODES / 2),
			       .duration = 1 + seed_below(30),
			       .not_before = seed_below(3) ? 0 : seed_below(60) };
	if (seed_below(20) == 0)
		r->duration = PACT_FOREVER;
	r->nalt = 1 + (uint32_t)seed_below(3);
	for (uint32_t i = 0; i < r->nalt; i++)
		r->alt[i] = region[seed_below(SETS + 1)];
	if (seed_below(4) == 0) {
		r->required = region[seed_below(SETS)];
		if (r->width < (int32_t)r->required->count)
			r->width = (int32_t)r->required->count;
	}
}

static size_t steps(const struct plan *p)
{
	size_t n = 0;

	for (uint32_t c = 0; c < plan_classes(p); c++)
		n += profile_steps(plan_profile(p, c));
	return n;
}

static void one_machine(void)
{
	struct machine *m = machine_create(NODES);
	struct region *region[SETS + 1];
	struct placement placed[PLACED];
	struct request r;
	size_t n = 0;

	for (int i = 0; i < SETS; i++) {
		struct nodeset *s = nodeset_create(NODES);

		nodeset_set(s, (uint32_t)seed_below(NODES));
		for (uint32_t k = 0; k < NODES; k++) {
			if (seed_below(3) == 0)
				nodeset_set(s, k);
		}
		region[i] = machine_region(m, s);
		nodeset_destroy(s);
	}
	region[SETS] = machine_region(m, NULL);
	struct plan *p = plan_create(m, 0), *copy = plan_create(m, 0);

	for (; n < PLACED; n++) {
		any_request(&r, region);
		placement_init(&placed[n]);
		check(p, m, &r, seed_below(50), seed_below(2) ? PACT_FOREVER : seed_below(100));
		place(p, &r, &placed[n]);
	}
	assert_int_equal(plan_copy(copy, p), 0);
	assert_int_equal(steps(copy), steps(p));
	while (n) {
		size_t i = (size_t)seed_below((int64_t)n);

		assert_int_equal(plan_take(p, &placed[i]), 0);
		placement_clear(&placed[i]);
		placement_move(&placed[i], &placed[--n]);
	}
	assert_int_equal(steps(p), plan_classes(p)); /* nothing but free nodes is left */
	for (uint32_t c = 0; c < plan_classes(p); c++)
		assert_int_equal(profile_at(plan_profile(p, c), 0), machine_class_size(m, c));
	plan_destroy(p);
	plan_destroy(copy);
	for (int i = 0; i <= SETS; i++)
		region_put(m, region[i]);
	machine_destroy(m);
}

static void test_random(void **state)
{
	(void)state;
	for (int round = 0; round < 120; round++)
		one_machine();
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_random) };

	return seed_run("test_plan", tests);
}
