/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_student: quantiles of Student's t against printed tables and against the integral of its density,
 * and the confidence interval of a mean by hand.
 */
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "sim/report/student.h"

static void close_to(double found, double expected, double by)
{
	if (!(fabs(found - expected) <= by))
		fail_msg("%.12g instead of %.12g", found, expected);
}

/* Two-sided 5 %, as in any table of it. */
static void test_tables(void **state)
{
	static const struct {
		size_t freedom;
		double t;
	} table[] = {
		{ 1, 12.706 }, { 2, 4.303 },  { 3, 3.182 },   { 4, 2.776 },	{ 5, 2.571 },
		{ 6, 2.447 },  { 7, 2.365 },  { 8, 2.306 },   { 9, 2.262 },	{ 10, 2.228 },
		{ 19, 2.093 }, { 20, 2.086 }, { 29, 2.045 },  { 30, 2.042 },	{ 40, 2.021 },
		{ 60, 2.000 }, { 99, 1.984 }, { 120, 1.980 }, { 99999, 1.960 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		close_to(student_t95(table[i].freedom), table[i].t, 0.0005);
}

/* (1 + x^2 / n)^-(n + 1)/2 Gamma((n + 1) / 2) / (sqrt(n pi) Gamma(n / 2)) */
static double density(double x, double n)
{
	return exp(lgamma((n + 1) / 2) - lgamma(n / 2) - log(n * acos(-1)) / 2 -
		   (n + 1) / 2 * log1p(x * x / n));
}

/* Simpson's rule from -t to t. */
static void test_integral(void **state)
{
	const int steps = 20000;

	(void)state;
	for (size_t n = 1; n < 400; n += 1 + n / 8) {
		double t = student_t95(n), h = 2 * t / steps, sum = 0;

		for (int i = 0; i <= steps; i++) {
			double weight = i == 0 || i == steps ? 1 : i % 2 ? 4 : 2;

			sum += weight * density(-t + i * h, (double)n);
		}
		close_to(sum * h / 3, 0.95, 1e-8);
	}
}

static void test_mean(void **state)
{
	static const double value[] = { 4, 7, 1, 8, 5 }; /* mean 5, s^2 = (1 + 4 + 16 + 9) / 4 */
	double half;

	(void)state;
	close_to(student_mean(value, 5, &half), 5, 1e-12);
	close_to(half, 2.7764451052 * sqrt(7.5 / 5), 1e-9);
	close_to(student_mean(value, 2, &half), 5.5, 1e-12);
	close_to(half, 12.7062047362 * 1.5, 1e-8);
	close_to(student_mean(value + 1, 1, &half), 7, 0);
	assert_true(half < 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tables),
		cmocka_unit_test(test_integral),
		cmocka_unit_test(test_mean),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
