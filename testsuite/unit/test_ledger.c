/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_ledger.c - decisions and outcomes are found again until newer ones have taken their places; and
 * histograms count what they are given
 */
#include "slurm/history/ledger.h"
#include "slurm/base/meter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "testsuite/unit/seed.h"

static int by_text(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* No two of many references are the same, and all are words that can be typed. */
static void test_references(void **state)
{
	enum { MANY = 100000 };
	char(*refs)[LEDGER_REF] = calloc(MANY, sizeof(*refs));

	(void)state;
	assert_non_null(refs);
	for (int i = 0; i < MANY; i++) {
		ledger_reference(refs[i]);
		assert_int_equal(strlen(refs[i]), 6);
		assert_int_equal(refs[i][0], 'R');
		assert_int_equal(strspn(refs[i] + 1, "bcdfghjkmnpqrstvwxz2346"), 5);
	}
	qsort(refs, MANY, sizeof(*refs), by_text);
	for (int i = 1; i < MANY; i++)
		assert_true(strcmp(refs[i - 1], refs[i]));
	free(refs);
}

static void test_decisions(void **state)
{
	static char refs[3 * LEDGER_DECISIONS][LEDGER_REF];
	struct ledger_decision d = { 0 }, out;

	(void)state;
	assert_false(ledger_find_decision("Rbbbbb", &out));
	for (int i = 0; i < 3 * LEDGER_DECISIONS; i++) {
		ledger_reference(refs[i]);
		d.deadline = i;
		memcpy(d.ref, refs[i], LEDGER_REF);
		ledger_decided(&d);
		/* One that was promised has none. */
		if (i % 7 == 0) {
			d.ref[0] = '\0';
			ledger_decided(&d);
			assert_false(ledger_find_decision("", &out));
		}
	}
	for (int i = 3 * LEDGER_DECISIONS - LEDGER_DECISIONS / 2; i < 3 * LEDGER_DECISIONS; i++) {
		assert_true(ledger_find_decision(refs[i], &out));
		assert_int_equal(out.deadline, i);
	}
	assert_false(ledger_find_decision(refs[0], &out));
	assert_false(ledger_find_decision(refs[LEDGER_DECISIONS], &out));
}

/* Each user's latest, until the others' have taken its place. */
static void test_last(void **state)
{
	struct ledger_decision d = { .uid = 7, .deadline = 1 }, out;

	(void)state;
	assert_false(ledger_last_decision(7, &out));
	ledger_decided(&d);
	d.deadline = 2;
	ledger_decided(&d);
	d.uid = 8;
	for (int i = 0; i < LEDGER_DECISIONS - 3; i++) {
		d.deadline = 3 + i;
		ledger_decided(&d);
		assert_true(ledger_last_decision(8, &out));
		assert_int_equal(out.deadline, 3 + i);
	}
	assert_true(ledger_last_decision(7, &out));
	assert_int_equal(out.deadline, 2);
	for (int i = 0; i < 3; i++)
		ledger_decided(&d);
	assert_false(ledger_last_decision(7, &out));
}

/* Of a job number that was used again, the later one. */
static void test_outcomes(void **state)
{
	struct ledger_outcome o = { 0 }, out;

	(void)state;
	assert_false(ledger_find_outcome(0, &out));
	for (uint32_t i = 0; i < 2 * LEDGER_OUTCOMES; i++) {
		o.job.job_id = 1 + i % (LEDGER_OUTCOMES / 2);
		o.base_id = 9;
		o.task = i;
		o.end = i;
		ledger_ended(&o);
	}
	assert_true(ledger_find_outcome(1, &out));
	assert_int_equal(out.end, 2 * LEDGER_OUTCOMES - LEDGER_OUTCOMES / 2);
	assert_true(ledger_find_task(9, 2 * LEDGER_OUTCOMES - 1, &out));
	assert_int_equal(out.end, 2 * LEDGER_OUTCOMES - 1);
	assert_false(ledger_find_task(9, 3, &out));
	assert_false(ledger_find_task(8, 2 * LEDGER_OUTCOMES - 1, &out));
}

static void test_meter(void **state)
{
	struct meter_reading r;
	uint64_t below = 0;
	int64_t sum = 0, worst = 0;

	(void)state;
	assert_int_equal(meter_bound(0), 100);
	assert_int_equal(meter_bound(METER_BOUNDS - 1), 5000000);
	for (int i = 1; i < METER_BOUNDS; i++)
		assert_true(meter_bound(i) > meter_bound(i - 1));
	for (int i = 0; i < 10000; i++) {
		int64_t us = seed_below(8000000) >> seed_below(20);

		meter_add(METER_ASK, us);
		sum += us;
		worst = us > worst ? us : worst;
		below += us <= meter_bound(6);
	}
	meter_read(METER_ASK, &r);
	assert_int_equal(r.n, 10000);
	assert_int_equal(r.sum, sum);
	assert_int_equal(r.worst, worst);
	for (int i = 0; i <= 6; i++)
		below -= r.count[i];
	assert_int_equal(below, 0);
	meter_read(METER_PASS, &r);
	assert_int_equal(r.n, 0);
	for (int i = 0; i < METERS; i++)
		assert_non_null(meter_name((enum meter)i));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_references), cmocka_unit_test(test_decisions),
		cmocka_unit_test(test_last),	   cmocka_unit_test(test_outcomes),
		cmocka_unit_test(test_meter),
	};

	return seed_run("test_ledger", tests);
}
