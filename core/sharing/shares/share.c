/* SPDX-License-Identifier: GPL-2.0-or-later */
/* share: see share.h. */
#include "core/sharing/shares/share.h"

#include <string.h>

#define CLAIM_MOST (UINT64_C(1) << 63)

static const char *const rules[] = {
	[SHARE_SPARE] = "share",
	[SHARE_IDLE] = "idle",
	[SHARE_NEAREST] = "nearest",
};

const char *share_rule_name(enum share_rule rule)
{
	return rules[rule];
}

bool share_rule_find(const char *name, enum share_rule *rule)
{
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		if (strcmp(rules[i], name))
			continue;
		*rule = (enum share_rule)i;
		return true;
	}
	return false;
}

share_work share_work_of(int64_t microseconds, int32_t rating, int32_t whole)
{
	share_work work = (share_work)(uint64_t)microseconds * SHARE_WHOLE;

	if (rating == whole)
		return work;
	return (work * (uint32_t)whole + (uint32_t)rating - 1) / (uint32_t)rating;
}

/* a / b, rounded down. Most of what is divided here fits in 64 bits, which is several times as fast. */
static share_work quotient(share_work a, share_work b)
{
	return (a | b) <= UINT64_MAX ? (uint64_t)a / (uint64_t)b : a / b;
}

uint64_t share_claim(const struct share_part *part, int64_t now)
{
	share_work claim;
	uint64_t time;

	if (part->deadline <= now || !part->left || part->suspended)
		return 0;
	time = (uint64_t)(part->deadline - now);
	if (part->capped && part->left > (share_work)time * SHARE_WHOLE)
		return SHARE_WHOLE;
	claim = quotient(part->left + time - 1, time);
	return claim < CLAIM_MOST ? (uint64_t)claim : CLAIM_MOST;
}

share_work share_total(const struct share_part *part, size_t n, int64_t now)
{
	share_work total = 0;

	for (size_t i = 0; i < n; i++)
		total += (share_work)share_claim(&part[i], now) * part[i].processors;
	return total;
}

/* Is it among those that claim, and not yet at a whole? */
static bool is_open(const struct share_part *p)
{
	return p->claim && p->share != SHARE_WHOLE;
}

/*
 * In proportion to the claims, `total`, of `room`; no part gets more than a whole, and what that leaves goes to the
 * others. A part that reaches a whole takes less than its proportion of the room, so that the proportion of the others
 * grows with each that does.
 */
static void give_in_proportion(struct share_part *part, size_t n, share_work room, share_work total)
{
	bool again = true;

	while (again) {
		share_work first_room = room, first_total = total;

		again = false;
		for (size_t i = 0; i < n; i++) {
			struct share_part *p = &part[i];

			if (!is_open(p) || p->claim * first_room < first_total * SHARE_WHOLE)
				continue;
			p->share = SHARE_WHOLE;
			room -= (share_work)SHARE_WHOLE * p->processors;
			total -= (share_work)p->claim * p->processors;
			again = true;
		}
	}
	for (size_t i = 0; i < n; i++) {
		if (is_open(&part[i]))
			part[i].share = (uint32_t)quotient(part[i].claim * room, total);
	}
}

/* Never more than what is claimed. */
static void leave_idle(struct share_part *part, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (part[i].share > part[i].claim)
			part[i].share = (uint32_t)part[i].claim;
	}
}

static void give_nearest(struct share_part *part, size_t n, share_work room)
{
	for (size_t i = 0; i < n; i++) {
		share_work most = room / part[i].processors;

		if (!part[i].claim)
			continue;
		part[i].share = most < SHARE_WHOLE ? (uint32_t)most : SHARE_WHOLE;
		room -= (share_work)part[i].share * part[i].processors;
	}
}

/* What is left, to those that claim nothing. */
static void give_rest(struct share_part *part, size_t n, share_work room)
{
	uint64_t processors = 0;
	share_work each;

	for (size_t i = 0; i < n; i++) {
		room -= (share_work)part[i].share * part[i].processors;
		if (!part[i].claim && !part[i].suspended)
			processors += part[i].processors;
	}
	if (!processors)
		return;
	each = room / processors < SHARE_WHOLE ? room / processors : SHARE_WHOLE;
	for (size_t i = 0; i < n; i++) {
		if (!part[i].claim && !part[i].suspended)
			part[i].share = (uint32_t)each;
	}
}

void share_out(struct share_part *part, size_t n, uint32_t processors, int64_t now,
	       enum share_rule rule)
{
	share_work room = (share_work)SHARE_WHOLE * processors, total = 0;

	for (size_t i = 0; i < n; i++) {
		part[i].share = 0;
		part[i].claim = share_claim(&part[i], now);
		total += (share_work)part[i].claim * part[i].processors;
	}
	if (total && rule == SHARE_NEAREST)
		give_nearest(part, n, room);
	else if (total)
		give_in_proportion(part, n, room, total);
	if (rule == SHARE_IDLE)
		leave_idle(part, n);
	give_rest(part, n, room);
}

void share_advance(struct share_part *part, size_t n, int64_t microseconds)
{
	for (size_t i = 0; i < n; i++) {
		struct share_part *p = &part[i];
		share_work done = (share_work)p->share * (uint64_t)microseconds;

		if (!p->idle)
			p->left = done < p->left ? p->left - done : 0;
	}
}

/* When it will have done what is left, at its present share. */
static int64_t end_of(const struct share_part *p, int64_t now)
{
	share_work time;

	if (!p->left)
		return now;
	if (!p->share)
		return SHARE_NEVER;
	time = quotient(p->left + p->share - 1, p->share);
	return time < (share_work)(SHARE_NEVER - now) ? now + (int64_t)time : SHARE_NEVER;
}

int64_t share_until(const struct share_part *part, size_t n, int64_t now, enum share_rule rule)
{
	int64_t until = SHARE_NEVER, end;

	if (rule != SHARE_NEAREST || n < 2)
		return until;
	for (size_t i = 0; i < n; i++) {
		if (!part[i].claim || !part[i].share)
			continue;
		end = part[i].idle ? SHARE_NEVER : end_of(&part[i], now);
		end = part[i].deadline < end ? part[i].deadline : end;
		until = end < until ? end : until;
	}
	return until;
}

/* The next time at which something is done, or the shares change; SHARE_NEVER: nothing goes on. */
static int64_t next_of(const struct share_part *part, size_t n, int64_t now, enum share_rule rule)
{
	int64_t next = share_until(part, n, now, rule), end;

	for (size_t i = 0; i < n; i++) {
		end = part[i].left ? end_of(&part[i], now) : SHARE_NEVER;
		next = end < next ? end : next;
	}
	return next;
}

void share_predict(struct share_part *part, size_t n, uint32_t processors, int64_t now,
		   enum share_rule rule, size_t last, int64_t *end)
{
	size_t open = n;

	for (size_t i = 0; i < n; i++) {
		part[i].idle = false;
		end[i] = SHARE_NEVER;
	}
	while (open && now != SHARE_NEVER) {
		int64_t next;

		for (size_t i = 0; i < n; i++) {
			if (end[i] != SHARE_NEVER || part[i].left || part[i].suspended)
				continue;
			end[i] = now;
			part[i].suspended = true; /* it has left the node */
			open--;
		}
		if (last < n && end[last] != SHARE_NEVER)
			return;
		share_out(part, n, processors, now, rule);
		next = next_of(part, n, now, rule);
		if (next != SHARE_NEVER)
			share_advance(part, n, next - now);
		now = next;
	}
}
