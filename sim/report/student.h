/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * student: Student's t distribution, for confidence intervals of a mean from few values.
 */
#ifndef PACT_SIM_STUDENT_H
#define PACT_SIM_STUDENT_H

#include <stddef.h>

/* The t for which |T| <= t with probability 0.95, to 10 digits, at so many degrees of freedom (>= 1). O(freedom). */
double student_t95(size_t freedom);

/*
 * The mean of n >= 1 values, and *half: mean - half to mean + half is its confidence interval of 95 %, if
 * the values are independent and normal: t s / sqrt(n), s^2 = sum (x - mean)^2 / (n - 1), n - 1 degrees of
 * freedom. *half is below 0 for one value, of which there is no interval.
 */
double student_mean(const double *value, size_t n, double *half);

#endif
