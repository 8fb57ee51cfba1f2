/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_share: one node in time and its risk: the LibraRisk paper's examples, and cases worked out by hand. */
#include "core/sharing/shares/demand.h"
#include "core/sharing/shares/risk.h"
#include "testsuite/unit/seed.h"

#include <string.h>

#define S SHARE_SECOND

/* A part with so many seconds of estimate left, due then, of k processors. */
static struct share_part part(int64_t left, int64_t deadline, uint16_t k)
{
	return (struct share_part){ .left = share_work_of(left * S, 1, 1),
				    .deadline = deadline * S,
				    .processors = k };
}

static void is_near(double a, double b)
{
	assert_true(a - b < 1e-9 && b - a < 1e-9);
}

/* Section 3.2: a delay of 20 s is 5 with 5 s left, and 3 with 10 s. */
static void test_paper(void **state)
{
	struct risk_ratio r[3];

	(void)state;
	r[0] = risk_deadline_delay(20 * S, 105 * S, 100 * S);
	r[1] = risk_deadline_delay(20 * S, 110 * S, 100 * S);
	assert_true(r[0].over == 5 * r[0].under);
	assert_true(r[1].over == 3 * r[1].under);
	is_near(risk_mean(r, 2), 4);
	is_near(risk_sigma(r, 2), 1);
	assert_false(risk_is_zero(r, 2));
	r[2] = risk_deadline_delay(40 * S, 110 * S, 100 * S);
	r[1] = r[2];
	assert_true(risk_is_zero(r, 3)); /* 5, three times */
	is_near(risk_sigma(r, 3), 0);
	assert_int_equal(risk_deadline_delay(0, 100 * S, 100 * S).under, 0);
	assert_int_equal(risk_delay(120 * S, 100 * S), 20 * S);
	assert_int_equal(risk_delay(99 * S, 100 * S), 0);
}

/* Three thirds are a whole, exactly; spare share goes by the claims; what is past gets what nobody needs. */
static void test_shares(void **state)
{
	struct share_part p[3];
	int64_t end[3];

	(void)state;
	for (int i = 0; i < 3; i++)
		p[i] = part(100, 300, 1);
	assert_true(share_total(p, 3, 0) == SHARE_WHOLE);
	share_out(p, 3, 1, 0, SHARE_SPARE);
	for (int i = 0; i < 3; i++)
		assert_int_equal(p[i].share, SHARE_WHOLE / 3);
	p[0] = part(10, 100, 1); /* a tenth */
	p[1] = part(60, 200, 1); /* three tenths: 1 to 3 */
	share_out(p, 2, 1, 0, SHARE_SPARE);
	assert_int_equal(p[0].share, SHARE_WHOLE / 4);
	assert_int_equal(p[1].share, SHARE_WHOLE / 4 * 3);
	share_out(p, 2, 1, 0, SHARE_IDLE);
	assert_int_equal(p[0].share, SHARE_WHOLE / 10);
	assert_int_equal(p[1].share, SHARE_WHOLE / 10 * 3);
	share_predict(p, 2, 1, 0, SHARE_SPARE, 2, end);
	assert_int_equal(end[0], 40 * S);
	assert_int_equal(end[1], 70 * S); /* the node is never idle */
	p[0] = part(10, 100, 1);
	p[1] = part(60, 200, 1);
	share_predict(p, 2, 1, 0, SHARE_SPARE, 0, end); /* until the first has ended */
	assert_int_equal(end[0], 40 * S);
	assert_int_equal(end[1], SHARE_NEVER);
	p[0] = part(50, 10, 1); /* past at 20 */
	p[1] = part(0, 100, 1); /* outlived */
	p[2] = part(20, 100, 1);
	share_out(p, 3, 1, 20 * S, SHARE_SPARE);
	assert_int_equal(p[2].share, SHARE_WHOLE);
	assert_int_equal(p[0].share + p[1].share, 0);
	share_out(p, 3, 1, 20 * S, SHARE_IDLE);
	assert_int_equal(p[2].share, SHARE_WHOLE / 4);
	assert_int_equal(p[0].share, SHARE_WHOLE / 8 * 3);
	assert_int_equal(p[1].share, SHARE_WHOLE / 8 * 3);
}

/* Two of four processors at most are all that one can use. */
static void test_processors(void **state)
{
	struct share_part p[2] = { part(10, 20, 2), part(10, 100, 4) };

	(void)state;
	/* claims 1/2 of 2 and 1/10 of 4: 1.4 of 4; in proportion the first would have 1.43 of its own */
	share_out(p, 2, 4, 0, SHARE_SPARE);
	assert_int_equal(p[0].share, SHARE_WHOLE);
	assert_int_equal(p[1].share, SHARE_WHOLE / 2);
	assert_true(share_work_of(10, 500, 1000) == (share_work)20 * SHARE_WHOLE);
	assert_true(share_work_of(10, 2000, 1000) == (share_work)5 * SHARE_WHOLE);
}

static bool in_time(struct share_part *p, size_t n, uint32_t processors)
{
	share_out(p, n, processors, 0, SHARE_SPARE);
	return risk_in_time(p, n, processors, 0);
}

static void test_risk(void **state)
{
	struct share_part p[2] = { part(100, 50, 1), part(100, 50, 1) };

	(void)state;
	assert_true(risk_zero_on(p, 1, 1, 0)); /* an only job, late by its estimate */
	assert_false(in_time(p, 1, 1));
	assert_true(risk_zero_on(p, 2, 1, 0)); /* due at one second */
	assert_false(in_time(p, 2, 1));
	p[1].deadline++;
	assert_false(risk_zero_on(p, 2, 1, 0));
	assert_false(risk_zero_on(p, 1, 1, 50 * S)); /* the deadline has come */
	assert_false(risk_in_time(p, 1, 1, 50 * S));
	p[0] = part(0, 50, 1); /* outlived: in time by what is known, and so must the others be */
	p[1] = part(50, 50, 1);
	assert_true(risk_zero_on(p, 2, 1, 0));
	assert_true(in_time(p, 2, 1));
	p[1] = part(51, 50, 1);
	assert_false(risk_zero_on(p, 2, 1, 0));
	assert_false(in_time(p, 2, 1));
	p[0] = part(60, 30, 1); /* two processors: each runs alone, both take twice their time */
	p[1] = part(100, 50, 1);
	assert_true(risk_zero_on(p, 2, 2, 0));
	assert_false(in_time(p, 2, 2));
}

static void test_demand(void **state)
{
	struct share_part p[3] = { part(10, 10, 1), part(10, 20, 1), part(500, 30, 1) }, scratch[8];
	struct share_part more = part(5, 0, 1);

	(void)state;
	assert_true(demand_fits(p, 2, 1, 0, scratch));
	assert_false(
		demand_fits(p, 3, 1, 0, scratch)); /* it would use all 30 s before its deadline */
	assert_true(demand_fits(p + 2, 1, 1, 0, scratch));
	assert_int_equal(demand_earliest(p, 2, 1, 0, &more, scratch), 25 * S);
	p[1] = part(10, 40, 1); /* 20 s are free before 40 */
	assert_int_equal(demand_earliest(p, 2, 1, 0, &more, scratch), 15 * S);
	share_out(p, 2, 1, 0, SHARE_NEAREST);
	assert_int_equal(p[0].share, SHARE_WHOLE);
	assert_int_equal(p[1].share, 0);
	assert_int_equal(share_until(p, 2, 0, SHARE_NEAREST), 10 * S);
}

/* While a node's claims fit, none grows, and all is done by the deadline, to the microsecond. */
static void test_kept(void **state)
{
	(void)state;
	for (uint64_t round = 0; round < seed_rounds(2000); round++) {
		struct share_part p[6];
		size_t n = 0, want = 1 + (size_t)seed_below(6);
		uint32_t processors = 1 + (uint32_t)seed_below(3);
		enum share_rule rule = seed_below(2) ? SHARE_SPARE : SHARE_IDLE;
		int64_t now = 0, deadline = 1;

		while (n < want) {
			int64_t left = 1 + seed_below(100);

			deadline += seed_below(100);
			p[n] = part(left, deadline + left, (uint16_t)(1 + seed_below(processors)));
			if (n && p[n].deadline < p[n - 1].deadline)
				p[n].deadline = p[n - 1].deadline;
			if (share_total(p, n + 1, 0) > (share_work)processors * SHARE_WHOLE)
				break;
			n++;
		}
		for (int step = 0; step < 20; step++) {
			share_work before = share_total(p, n, now);
			int64_t time = 1 + seed_below(10 * S);

			share_out(p, n, processors, now, rule);
			share_advance(p, n, time);
			now += time;
			assert_true(share_total(p, n, now) <= before);
			for (size_t i = 0; i < n; i++)
				assert_true(!p[i].left || p[i].deadline > now);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_paper),	   cmocka_unit_test(test_shares),
		cmocka_unit_test(test_processors), cmocka_unit_test(test_risk),
		cmocka_unit_test(test_demand),	   cmocka_unit_test(test_kept),
	};

	return seed_run("test_share", tests);
}
