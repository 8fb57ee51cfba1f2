/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * risk: the risk of deadline delay of a node (LibraRisk, section 3.2, equations 3 to 6). What decides is whether
 * it is zero, and that is decided exactly: deadline delays are fractions, and are compared by cross products.
 * Means and deviations are for people and tests.
 */
#ifndef PACT_CORE_SHARES_RISK_H
#define PACT_CORE_SHARES_RISK_H

#include "core/sharing/shares/share.h"

/* A deadline delay: over / under, at least 1; under 0: infinite. */
struct risk_ratio {
	share_work over, under;
};

/*
 * Equation 3: microseconds by which a part that ends (SHARE_NEVER: does not) at `end` is late; 0: in time. As it
 * is absolute, the deadline has the submission in it.
 */
int64_t risk_delay(int64_t end, int64_t deadline);

/* Equation 4: (delay + remaining deadline) / remaining deadline; infinite once the deadline has come. */
struct risk_ratio risk_deadline_delay(int64_t delay, int64_t deadline, int64_t now);

/* Equation 5: their mean. */
double risk_mean(const struct risk_ratio *r, size_t n);

/* Equation 6: their standard deviation, as printed: the root of the mean square less the squared mean. */
double risk_sigma(const struct risk_ratio *r, size_t n);

/* Is equation 6 exactly 0: are they all equal, and finite? */
bool risk_is_zero(const struct risk_ratio *r, size_t n);

/*
 * Would equation 6 be exactly 0, with these parts on a node and shares by SHARE_SPARE, ends predicted as
 * share_predict() does but never rounded? Parts claim as of `now`, and are in the order of their deadlines.
 *
 * It needs no prediction. While no deadline has come it is 0 in these cases, and on a node of one processor in
 * no others (risk.c has the proof):
 *   - all are in time: no claim is over a whole, and they add up to no more than there is;
 *   - all are late by the same ratio since they end together: they have one deadline, and no part reaches a
 *     whole share before;
 *   - each has all its processors all the time, and all are late by the same ratio.
 * On a node of several processors parts with different deadlines may by chance come out equal in other ways,
 * too; that is taken for risk.
 */
bool risk_zero_on(const struct share_part *part, size_t n, uint32_t processors, int64_t now);

/*
 * The first of these cases: are all in time? As of `now`, when the shares have been given out: it takes the claims as
 * they were then.
 */
bool risk_in_time(const struct share_part *part, size_t n, uint32_t processors, int64_t now);

#endif
