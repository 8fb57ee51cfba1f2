/* SPDX-License-Identifier: GPL-2.0-or-later */
/* demand: see demand.h. */
#include "core/sharing/shares/demand.h"

/* Times beyond this are none. */
#define PACT_MOST ((share_work)1 << 60)

/* What it needs until its deadline; 0: nothing. */
static share_work demand_of(const struct share_part *p, int64_t now)
{
	share_work most;

	if (p->deadline <= now || p->suspended)
		return 0;
	most = (share_work)(p->deadline - now) * SHARE_WHOLE;
	return p->left < most ? p->left : most;
}

/* One processor: the sums say it. */
static bool fits_one(const struct share_part *part, size_t n, int64_t now)
{
	share_work due = 0;

	for (size_t i = 0; i < n; i++) {
		share_work own = demand_of(&part[i], now);

		due += own;
		if (own && due > (share_work)(part[i].deadline - now) * SHARE_WHOLE)
			return false;
	}
	return true;
}

/* The time until the first of these has done its demand; all have a share, or nothing to do. */
static int64_t first_done(const struct share_part *part, size_t n)
{
	share_work first = SHARE_NEVER;

	for (size_t i = 0; i < n; i++) {
		share_work time;

		if (!part[i].left || !part[i].share)
			continue;
		time = (part[i].left + part[i].share - 1) / part[i].share;
		first = time < first ? time : first;
	}
	return (int64_t)first;
}

/* Has a part work left whose deadline is here, or comes before this time is over? */
static bool is_missed(const struct share_part *part, size_t n, int64_t now, int64_t time)
{
	for (size_t i = 0; i < n; i++) {
		if (part[i].left && (part[i].deadline <= now || part[i].deadline - now < time))
			return true;
	}
	return false;
}

/* Several: go through the ends, each of which leaves fewer that have a demand. */
static bool fits_several(struct share_part *part, size_t n, uint32_t processors, int64_t now)
{
	for (;;) {
		int64_t time;

		share_out(part, n, processors, now, SHARE_NEAREST);
		time = first_done(part, n);
		if (is_missed(part, n, now, time))
			return false;
		if (time == SHARE_NEVER)
			return true;
		share_advance(part, n, time);
		now += time;
	}
}

bool demand_fits(const struct share_part *part, size_t n, uint32_t processors, int64_t now,
		 struct share_part *scratch)
{
	if (processors == 1)
		return fits_one(part, n, now);
	for (size_t i = 0; i < n; i++) {
		scratch[i] = part[i];
		scratch[i].left = demand_of(&part[i], now);
		scratch[i].idle = false;
	}
	return fits_several(scratch, n, processors, now);
}

/* Would it fit with this deadline? */
static bool fits_by(const struct share_part *part, size_t n, uint32_t processors, int64_t now,
		    const struct share_part *more, int64_t deadline, struct share_part *scratch)
{
	size_t at = 0;

	while (at < n && part[at].deadline <= deadline)
		at++;
	for (size_t i = 0; i < at; i++)
		scratch[i] = part[i];
	scratch[at] = *more;
	scratch[at].deadline = deadline;
	for (size_t i = at; i < n; i++)
		scratch[i + 1] = part[i];
	return demand_fits(scratch, n + 1, processors, now, scratch + n + 1);
}

int64_t demand_earliest(const struct share_part *part, size_t n, uint32_t processors, int64_t now,
			const struct share_part *more, struct share_part *scratch)
{
	share_work all = more->left / SHARE_WHOLE + 2 * SHARE_SECOND;
	int64_t low, high, mid;

	/* when all the others have done what they are to do, nothing is in its way */
	for (size_t i = 0; i < n; i++)
		all += demand_of(&part[i], now) / SHARE_WHOLE + 1;
	if (all > PACT_MOST)
		return SHARE_NEVER;
	low = (now + (int64_t)(more->left / SHARE_WHOLE) - 1) / SHARE_SECOND;
	high = (now + (int64_t)all) / SHARE_SECOND + 1;
	if (n && high < part[n - 1].deadline / SHARE_SECOND &&
	    !fits_by(part, n, processors, now, more, high * SHARE_SECOND, scratch))
		high = (part[n - 1].deadline + (int64_t)all) / SHARE_SECOND + 1;
	if (!fits_by(part, n, processors, now, more, high * SHARE_SECOND, scratch))
		return SHARE_NEVER;
	/* a later deadline fits whenever an earlier one does that is not before its end */
	while (high - low > 1) {
		mid = low + (high - low) / 2;
		if (fits_by(part, n, processors, now, more, mid * SHARE_SECOND, scratch))
			high = mid;
		else
			low = mid;
	}
	return high * SHARE_SECOND;
}
