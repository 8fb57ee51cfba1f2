/* SPDX-License-Identifier: GPL-2.0-or-later */
/* accept: see accept.h. */
#include "core/malleable/accept.h"

#include "core/malleable/allot.h"
#include "core/malleable/margin.h"

int32_t accept_floor(const struct malleable *s, const struct job *j, int64_t from)
{
	if (!j->deadline)
		return j->least;
	return progress_floor(j->done.left, &j->speedup, j->least, j->most,
			      j->deadline - s->config.guard - from);
}

int64_t accept_latest(const struct malleable *s, const struct job *j)
{
	return (j->latest > s->now ? j->latest : s->now) + s->config.resize_grace;
}

int64_t accept_end(const struct malleable *s, const struct job *j, int32_t n, int64_t from)
{
	return malleable_with_guard(s,
				    progress_end(j->done.left, speedup_rate(&j->speedup, n), from));
}

/* With those that are free it starts now, else after a notice, and has less time then. */
static int32_t find_floor(const struct malleable *s, struct job *j)
{
	int32_t floor = accept_floor(s, j, s->now);

	j->ready = s->now;
	if (allot_at_once(s, j, floor))
		return floor;
	j->ready = s->now + s->config.resize_grace;
	return accept_floor(s, j, j->ready);
}

/* With the nodes of its chosen alternative. */
static enum refuse_reason try_here(struct malleable *s, struct job *j, bool forced, int32_t *floor)
{
	int64_t worth;

	*floor = find_floor(s, j);
	if (*floor > j->most && !forced)
		return REFUSE_TOO_LATE;
	*floor = *floor > j->most ? j->least : *floor;
	worth = forced ? INT64_MAX : margin_worth(s, j, *floor);
	if (margin_begin(s, j) < *floor || !allot_required(s, j, false))
		return REFUSE_FULL;
	return margin_cost(s, *floor, worth) > worth ? REFUSE_LOSS : REFUSE_NONE;
}

enum refuse_reason accept_try(struct malleable *s, struct job *j, bool forced, int32_t *floor)
{
	enum refuse_reason first = REFUSE_NONE, reason;

	j->chosen = 0;
	do {
		reason = try_here(s, j, forced, floor);
		if (reason == REFUSE_NONE)
			return reason;
		first = first == REFUSE_NONE ? reason : first;
	} while (++j->chosen < j->nalt);
	j->chosen = 0;
	return first;
}

void accept_start(struct malleable *s, struct job *j, int32_t floor)
{
	int32_t n = floor, all = margin_begin(s, j);
	int64_t worth = margin_worth(s, j, n), cost = margin_cost(s, n, INT64_MAX);

	while (n < j->most && n < all) {
		int64_t more = margin_worth(s, j, n + 1);
		int64_t loss = margin_cost(s, n + 1, INT64_MAX) - cost;

		if (more - worth <= loss)
			break;
		worth = more;
		cost += loss;
		n++;
	}
	running_add(s, j);
	if (j->required) {
		allot_required(s, j, true);
		margin_begin(s, j);
		margin_cost(s, n - j->n, INT64_MAX);
	}
	margin_take(s, j, n - j->n);
	j->floor = floor;
	if (j->n > floor)
		margin_changed(s);
}

bool accept_called(struct malleable *s, struct job *j)
{
	int32_t floor;

	if (j->ready <= 0 || j->ready >= s->now + s->config.resize_grace)
		return false;
	j->ready = j->ready > s->now ? j->ready : s->now;
	floor = accept_floor(s, j, j->ready);
	if (floor > j->most)
		return false;
	for (j->chosen = 0; !allot_called(s, j, floor); j->chosen++) {
		if (j->chosen + 1 < j->nalt)
			continue;
		j->chosen = 0;
		return false;
	}
	running_add(s, j);
	j->floor = floor;
	return true;
}

/* ---- starts that failed, or are to be on less than was decided ---- */

/* Idle nodes that no job has any more are enough: it starts when it was to. False: they are not. */
static bool top_up(struct malleable *s, struct job *j)
{
	int32_t lacks = accept_floor(s, j, job_from(s, j)) - j->n;

	if (!s->config.resize_grace || !allot_at_once(s, j, lacks))
		return false;
	allot_take(s, j, lacks);
	j->kept = false;
	return true;
}

/* It is stepped out. RET false: it would be late all the same. Its fewest may do if these are there at once. */
static bool start_anew(struct malleable *s, struct job *j)
{
	struct sched_decision d = { 0 };
	int32_t floor;

	if (accept_try(s, j, true, &floor) != REFUSE_NONE || accept_floor(s, j, j->ready) > j->most)
		return false;
	d.start = j->ready;
	j->latest = s->now;
	s->kind->admit(s, j, &d);
	return true;
}

static void widen(struct malleable *s, struct job *j)
{
	struct stand at;

	if (top_up(s, j)) {
		s->kind->look(s);
		return;
	}
	at = malleable_step_out(s, j);
	s->kind->look(s);
	if (start_anew(s, j))
		malleable_ahead_again(s, &at);
	else
		malleable_step_in(s, j, &at);
	s->kind->look(s);
}

/* On what it was to be started on it cannot be done in time any more, but on more nodes it could be. */
static bool is_short(const struct malleable *s, const struct job *j)
{
	int32_t floor;

	if (!j->kept || j->failed || !j->promised || j == s->asked)
		return false;
	floor = accept_floor(s, j, job_from(s, j));
	return floor > j->n && floor <= j->most;
}

void accept_widen(struct malleable *s)
{
	for (size_t i = 0; i < s->running_n; i++)
		if (is_short(s, s->running[i]))
			widen(s, s->running[i]);
}

int32_t accept_own(const struct job *j, int32_t floor)
{
	return j->most > j->least ? floor : 0;
}

/* ---- offers ---- */

static bool would(struct malleable *s, struct job *j, int64_t deadline, struct sched_decision *d,
		  bool (*judge)(struct malleable *, struct job *, struct sched_decision *))
{
	int64_t own = j->deadline;
	bool accepted;

	j->deadline = j->payoff.deadline = deadline;
	accepted = judge(s, j, d);
	j->deadline = j->payoff.deadline = own;
	return accepted;
}

/*
 * Twice the time from now on until it is accepted, then half of the way back, as often as that is less by a 64th. What
 * lies between need not be refused for all that.
 */
void accept_offer(struct malleable *s, struct job *j, struct sched_decision *d,
		  bool (*judge)(struct malleable *, struct job *, struct sched_decision *))
{
	int64_t low = j->deadline > s->now ? j->deadline - s->now : 1, high;
	struct sched_decision at;
	int tries = 0;

	for (high = 2 * low; !would(s, j, s->now + high, &at, judge); high *= 2) {
		if (++tries > 24 || high > PACT_END_OF_TIME / 8)
			return;
		low = high;
	}
	while (high - low > 1 + high / 64) {
		int64_t mid = low + (high - low) / 2;

		if (would(s, j, s->now + mid, &at, judge))
			high = mid;
		else
			low = mid;
	}
	if (!would(s, j, s->now + high, &at, judge))
		return;
	d->offer_start = at.start;
	d->offer_end = s->now + high;
	d->own = at.own;
}

/* ---- without a deadline ---- */

/*
 * From then on it is started whatever that costs: nodes that it needs are called in with notice, and a driver that is not exact
 * may be late.
 */
static int64_t forced_at(const struct malleable *s, const struct job *j)
{
	int64_t from = j->eligible ? j->eligible : j->submit;
	int64_t span = artificial_span(&s->config, j->limit);
	int64_t takes = s->config.resize_grace + s->config.lateness;

	if (span >= PACT_END_OF_TIME || j->limit >= PACT_END_OF_TIME)
		return PACT_FOREVER;
	from = from > j->begin ? from : j->begin;
	span -= j->limit;
	return span > takes ? from + span - takes : from;
}

void accept_undated(struct malleable *s, bool (*fits)(struct malleable *s, const struct job *j),
		    void (*started)(struct malleable *s, const struct job *j))
{
	for (size_t i = 0;; i++) {
		struct job *j;
		int32_t floor;

		i = fit_queue_find(&s->queue, i, (int32_t)s->nodes);
		if (i >= s->queue.n)
			return;
		j = s->queue.v[i].job;
		if (!job_ready(s, j) || (fits && !fits(s, j)))
			continue;
		if (accept_try(s, j, forced_at(s, j) <= s->now, &floor) != REFUSE_NONE)
			continue;
		job_wait_no_more(s, j);
		accept_start(s, j, floor);
		if (started)
			started(s, j);
	}
}

/* From then on one node less than its floor is enough for what it will have left, at the speed that it has. */
static int64_t floor_falls(const struct malleable *s, const struct job *j)
{
	struct progress done = j->done;
	int64_t time = j->deadline - s->config.guard - s->now, rate, more, faster;

	if (!j->deadline || j->stuck || j->floor <= j->least || time <= 0)
		return PACT_FOREVER;
	progress_advance(&done, s->now);
	rate = speedup_rate(&j->speedup, j->floor - 1);
	faster = done.rate - rate;
	if (faster <= 0 || __builtin_mul_overflow(time, rate, &more))
		return PACT_FOREVER;
	more = done.left - more; /* that it has to be ahead */
	return more > 0 ? progress_end(more, faster, s->now) : s->now + 1;
}

/* Then there may be room that there is not now. */
static int64_t room_comes(const struct malleable *s)
{
	int64_t at = PACT_FOREVER;

	for (size_t i = 0; i < s->running_n; i++) {
		int64_t then = floor_falls(s, s->running[i]);

		at = then < at ? then : at;
	}
	return at;
}

int64_t accept_wake(const struct malleable *s)
{
	int64_t at = PACT_FOREVER;
	bool forced = false;

	for (size_t i = 0; i < s->queue.n; i++) {
		const struct job *j = s->queue.v[i].job;
		int64_t then = j ? forced_at(s, j) : PACT_FOREVER;

		forced |= then <= s->now;
		if (then > s->now && then < at)
			at = then;
	}
	if (forced) {
		int64_t then = room_comes(s);

		at = then < at ? then : at;
	}
	return at;
}

void accept_decide(struct malleable *s, struct job *fresh, bool ended)
{
	(void)fresh;
	(void)ended;
	s->kind->look(s);
	s->kind->retry(s);
	s->kind->give_out(s);
}
