/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * student: see student.h. For a whole number of degrees of freedom the distribution is a finite series in
 * sine and cosine of atan(t / sqrt(freedom)): Abramowitz and Stegun, Handbook of Mathematical Functions,
 * 26.7.3 and 26.7.4.
 */
#include "sim/report/student.h"

#include <math.h>

#define PI 3.14159265358979323846
#define STEPS 60

/* P(|T| <= t) */
static double within(double t, size_t freedom)
{
	double angle = atan(t / sqrt((double)freedom)), c = cos(angle), square = c * c;
	double term = freedom % 2 ? c : 1, sum = 0;

	for (size_t k = freedom % 2 ? 3 : 2; k <= freedom; k += 2) {
		sum += term;
		term *= square * (double)(k - 1) / (double)k;
	}
	return freedom % 2 ? 2 / PI * (angle + sin(angle) * sum) : sin(angle) * sum;
}

double student_t95(size_t freedom)
{
	double low = 1.9,
	       high = 12.8; /* from that of the normal distribution to that of one degree */

	for (int i = 0; i < STEPS; i++) {
		double middle = (low + high) / 2;

		if (within(middle, freedom) < 0.95)
			low = middle;
		else
			high = middle;
	}
	return (low + high) / 2;
}

double student_mean(const double *value, size_t n, double *half)
{
	double sum = 0, squares = 0, mean;

	for (size_t i = 0; i < n; i++)
		sum += value[i];
	mean = sum / (double)n;
	for (size_t i = 0; i < n; i++)
		squares += (value[i] - mean) * (value[i] - mean);
	*half = -1;
	if (n > 1)
		*half = student_t95(n - 1) * sqrt(squares / (double)(n - 1) / (double)n);
	return mean;
}
