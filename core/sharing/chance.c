/* SPDX-License-Identifier: GPL-2.0-or-later */
/* chance: see chance.h. */
#include "core/sharing/chance.h"

#include <stdlib.h>
#include <string.h>

#define ONE (UINT32_C(1) << 30)		/* a chance of 1 among everybody */
#define WEIGHT (UINT32_C(1) << 20)	/* of a user's last job */
#define EVERYBODY (WEIGHT + WEIGHT / 2) /* what everybody's history counts beside it */
#define COUNTS (UINT32_C(1) << 20)

/* ---- everybody ---- */

/* The product-limit estimate, from the counts and the one that outlives all. */
static void find_over(struct chance *c)
{
	uint64_t risk = 1, over = ONE;

	for (uint32_t i = 0; i < CHANCE_BINS; i++)
		risk += c->ended[i] + c->cut[i];
	c->over[0] = ONE;
	for (uint32_t i = 0; i < CHANCE_BINS; i++) {
		over = over * (risk - c->ended[i]) / risk;
		c->over[i + 1] = (uint32_t)over;
		risk -= c->ended[i] + c->cut[i];
	}
}

static void halve(struct chance *c)
{
	for (uint32_t i = 0; i < CHANCE_BINS; i++) {
		c->ended[i] /= 2;
		c->cut[i] /= 2;
	}
}

static uint32_t sum_of(const struct chance *c)
{
	uint32_t sum = 0;

	for (uint32_t i = 0; i < CHANCE_BINS; i++)
		sum += c->ended[i] + c->cut[i];
	return sum;
}

static void count(struct chance *c, const struct sched_past *past, size_t n)
{
	uint32_t sum = sum_of(c);

	for (size_t i = 0; i < n; i++) {
		uint32_t bin = (uint32_t)past[i].part / (CHANCE_WHOLE / (CHANCE_BINS - 1));

		if (sum + 1 >= COUNTS) {
			halve(c);
			sum = sum_of(c);
		}
		if (past[i].cut)
			c->cut[bin]++;
		else
			c->ended[bin]++;
		sum++;
	}
	find_over(c);
}

/* The chance to need more than that, in parts of ONE: within a bin half-way. */
static uint32_t everybody(const struct chance *c, uint32_t part)
{
	uint32_t bin = part / (CHANCE_WHOLE / (CHANCE_BINS - 1));

	return (c->over[bin] + c->over[bin + 1]) / 2;
}

/* ---- users ---- */

/* An estimate as it is kept, and told. */
static uint32_t kept_estimate(int64_t estimate)
{
	return estimate < INT32_MAX ? (uint32_t)estimate : INT32_MAX;
}

/* Those that leave were learned of longest ago. */
static void forget_most(struct chance *c)
{
	while (table_count(c->users) > CHANCE_USERS) {
		struct chance_user *u, *first = NULL;

		for (size_t i = 0; (u = table_next(c->users, &i));) {
			if (!first || u->used < first->used)
				first = u;
		}
		free(table_remove(c->users, (uint64_t)first->user));
	}
}

/* Of which nothing is known yet. NULL: no memory. */
static struct chance_user *make_user(struct chance *c, int64_t user)
{
	struct chance_user *u = calloc(1, sizeof(*u));

	if (!u)
		return NULL;
	u->user = user;
	if (table_insert(c->users, (uint64_t)user, u) == 0)
		return u;
	free(u);
	return NULL;
}

/* All users of these are known from now on, or those that were known before: 0 or -1. */
static int make_users(struct chance *c, const struct sched_past *past, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (past[i].user && !table_find(c->users, (uint64_t)past[i].user) &&
		    !make_user(c, past[i].user))
			break;
	}
	if (i == n)
		return 0;
	while (i-- > 0) {
		struct chance_user *u = table_find(c->users, (uint64_t)past[i].user);

		if (u && !u->n)
			free(table_remove(c->users, (uint64_t)past[i].user));
	}
	return -1;
}

static void learn_one(struct chance *c, const struct sched_past *past)
{
	struct chance_user *u = past->user ? table_find(c->users, (uint64_t)past->user) : NULL;
	uint32_t at;

	if (!u)
		return;
	at = u->n++ % CHANCE_KEPT;
	u->n = u->n >= 2 * CHANCE_KEPT ? CHANCE_KEPT : u->n;
	u->ratio[at] = (uint32_t)past->part | (past->cut ? CHANCE_CUT : 0);
	u->estimate[at] = kept_estimate(past->limit);
	u->used = ++c->stamp;
}

int chance_learn(struct chance *c, const struct sched_past *past, size_t n)
{
	if (make_users(c, past, n) < 0)
		return -1;
	count(c, past, n);
	for (size_t i = 0; i < n; i++)
		learn_one(c, &past[i]);
	forget_most(c);
	return 0;
}

/* ---- chances ---- */

/* How much of a job's weight is with those that need more: all, nothing, or, of one that was cut before, a part. */
static uint64_t weight_over(const struct chance *c, uint32_t ratio, uint64_t weight, uint32_t part)
{
	uint32_t from;

	if ((ratio & ~CHANCE_CUT) > part)
		return weight;
	if (!(ratio & CHANCE_CUT))
		return 0;
	from = everybody(c, ratio & ~CHANCE_CUT);
	return from ? weight * everybody(c, part) / from : weight;
}

int32_t chance_over(const struct chance *c, int64_t user, int64_t estimate, int64_t part)
{
	const struct chance_user *u = user ? table_find(c->users, (uint64_t)user) : NULL;
	uint64_t sum = EVERYBODY, weight = WEIGHT, over;
	uint32_t kept = u ? (u->n < CHANCE_KEPT ? u->n : CHANCE_KEPT) : 0;

	if (part >= CHANCE_WHOLE)
		return 0;
	part = part > 0 ? part : 0;
	over = sum * everybody(c, (uint32_t)part) / ONE;
	for (uint32_t i = 0; i < kept; i++) {
		uint32_t at = (u->n - 1 - i) % CHANCE_KEPT;
		uint64_t own = u->estimate[at] == kept_estimate(estimate) ? weight : weight / 2;

		sum += own;
		over += weight_over(c, u->ratio[at], own, (uint32_t)part);
		weight = weight * 7 / 8;
	}
	return (int32_t)(over * CHANCE_WHOLE / sum);
}

int64_t chance_part(const struct chance *c, int64_t user, int64_t estimate, int32_t limit)
{
	int64_t low = 0, high = CHANCE_WHOLE;

	while (low < high) {
		int64_t mid = low + (high - low) / 2;

		if (chance_over(c, user, estimate, mid) <= limit)
			high = mid;
		else
			low = mid + 1;
	}
	return low;
}

/* ---- its life ---- */

struct chance *chance_create(void)
{
	struct chance *c = calloc(1, sizeof(*c));

	if (c && !(c->users = table_create())) {
		free(c);
		return NULL;
	}
	if (c)
		find_over(c);
	return c;
}

void chance_destroy(struct chance *c)
{
	struct chance_user *u;

	if (!c)
		return;
	for (size_t i = 0; (u = table_next(c->users, &i));)
		free(u);
	table_destroy(c->users);
	free(c);
}

size_t chance_bytes(const struct chance *c)
{
	return sizeof(*c) + table_bytes(c->users) +
	       table_count(c->users) * sizeof(struct chance_user);
}

/* ---- told, and taken in ---- */

struct told_past {
	int64_t stamp;
	struct list32 ended, cut;
};

struct told_user {
	int64_t user, used;
	struct list32 ratios, estimates; /* the oldest first */
};

static const struct field past_fields[] = {
	RECORD_FIELD(told_past, stamp, FIELD_I64),
	RECORD_FIELD(told_past, ended, FIELD_LIST32),
	RECORD_FIELD(told_past, cut, FIELD_LIST32),
	RECORD_END,
};

static const struct field user_fields[] = {
	RECORD_FIELD(told_user, user, FIELD_I64),
	RECORD_FIELD(told_user, used, FIELD_I64),
	RECORD_FIELD(told_user, ratios, FIELD_LIST32),
	RECORD_FIELD(told_user, estimates, FIELD_LIST32),
	RECORD_END,
};

static const struct record_form form_past = { "past", sizeof(struct told_past), past_fields,
					      false };
static const struct record_form form_user = { "past_user", sizeof(struct told_user), user_fields,
					      false };

void chance_tell(const struct chance *c, retell_fn *tell, void *arg)
{
	const struct chance_user *u;

	if (c->over[CHANCE_BINS] == ONE && !table_count(c->users))
		return; /* nothing has been learned */
	tell(arg, &form_past,
	     &(struct told_past){ c->stamp, { c->ended, CHANCE_BINS }, { c->cut, CHANCE_BINS } });
	for (size_t i = 0; (u = table_next(c->users, &i));) {
		uint32_t n = u->n < CHANCE_KEPT ? u->n : CHANCE_KEPT;
		uint32_t ratio[CHANCE_KEPT], estimate[CHANCE_KEPT];

		for (uint32_t k = 0; k < n; k++) {
			ratio[k] = u->ratio[(u->n - n + k) % CHANCE_KEPT];
			estimate[k] = u->estimate[(u->n - n + k) % CHANCE_KEPT];
		}
		tell(arg, &form_user,
		     &(struct told_user){ u->user, u->used, { ratio, n }, { estimate, n } });
	}
}

const struct record_form *chance_form(const char *name)
{
	if (!strcmp(name, form_past.name))
		return &form_past;
	return strcmp(name, form_user.name) ? NULL : &form_user;
}

static int load_past(struct chance *c, const struct told_past *t)
{
	if (t->ended.n != CHANCE_BINS || t->cut.n != CHANCE_BINS || t->stamp < 0)
		return -2;
	for (uint32_t i = 0; i < CHANCE_BINS; i++) {
		if (t->ended.v[i] > COUNTS || t->cut.v[i] > COUNTS)
			return -2;
		c->ended[i] = t->ended.v[i];
		c->cut[i] = t->cut.v[i];
	}
	c->stamp = t->stamp;
	find_over(c);
	return 0;
}

static int load_user(struct chance *c, const struct told_user *t)
{
	struct chance_user *u;

	if (!t->user || !t->ratios.n || t->ratios.n > CHANCE_KEPT ||
	    t->estimates.n != t->ratios.n || table_find(c->users, (uint64_t)t->user))
		return -2;
	u = make_user(c, t->user);
	if (!u)
		return -1;
	u->used = t->used;
	u->n = t->ratios.n;
	for (uint32_t i = 0; i < u->n; i++) {
		u->ratio[i] = t->ratios.v[i];
		u->estimate[i] = t->estimates.v[i];
	}
	return 0;
}

int chance_load(struct chance *c, const struct record_form *form, const void *record)
{
	return form == &form_past ? load_past(c, record) : load_user(c, record);
}
