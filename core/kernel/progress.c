/* SPDX-License-Identifier: GPL-2.0-or-later */
/* progress: see progress.h. */
#include "core/kernel/progress.h"

int64_t progress_work(int64_t limit, int64_t rate)
{
	int64_t work;

	if (limit >= PACT_END_OF_TIME || __builtin_mul_overflow(limit, rate, &work) ||
	    work >= PACT_END_OF_TIME)
		return PACT_FOREVER;
	return work;
}

void progress_advance(struct progress *p, int64_t now)
{
	int64_t done;

	if (now <= p->since)
		return;
	if (p->left != PACT_FOREVER && p->rate > 0) {
		if (__builtin_mul_overflow(now - p->since, p->rate, &done) || done > p->left)
			done = p->left;
		p->left -= done;
	}
	p->since = now;
}

int64_t progress_left(int64_t end, int64_t guard, int64_t rate, int64_t now)
{
	int64_t left;

	if (end >= PACT_END_OF_TIME)
		return PACT_FOREVER;
	left = end > now ? end - guard - now : 0; /* whatever a driver says */
	return left > 0 ? progress_work(left, rate) : 0;
}

int64_t progress_limit(const struct progress *p, int64_t rate, int64_t now)
{
	struct progress done = *p;

	progress_advance(&done, now);
	return done.left == PACT_FOREVER ? PACT_FOREVER : progress_end(done.left, rate, 0);
}

void progress_stood(struct progress *p, int64_t time)
{
	int64_t more = progress_work(time, p->rate);

	if (p->left != PACT_FOREVER)
		p->left = more != PACT_FOREVER ? p->left + more : PACT_FOREVER;
}

int64_t progress_end(int64_t left, int64_t rate, int64_t from)
{
	int64_t time;

	if (!left)
		return from;
	if (left == PACT_FOREVER || rate <= 0)
		return PACT_FOREVER;
	time = left / rate + (left % rate != 0);
	return time < PACT_END_OF_TIME - from ? from + time : PACT_FOREVER;
}

int64_t progress_end_at(const struct progress *p, int64_t guard, int64_t rate, int64_t now)
{
	struct progress done = *p;
	int64_t end;

	progress_advance(&done, now);
	end = progress_end(done.left, rate, now);
	return end < PACT_END_OF_TIME ? end + guard : PACT_FOREVER;
}

int32_t progress_floor(int64_t left, const struct list64 *speedup, int32_t least, int32_t most,
		       int64_t time)
{
	if (!left)
		return least;
	if (left == PACT_FOREVER || time <= 0)
		return most + 1;
	return speedup_fewest(speedup, least, most, left / time + (left % time != 0));
}
