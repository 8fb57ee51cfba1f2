/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fair.c - how fast one user may ask
 */
#include "slurm/base/fair.h"

#include <string.h>

/* What may be asked at once is what a second pays for. */
#define BURST 1000000
/* What coming for nothing costs; from how much it is shut out, and how much is remembered. */
#define FINE 31250
#define FINE_SHUT 1000000
#define FINE_MOST 1500000

void fair_init(struct fair *f, int64_t per_second)
{
	memset(f, 0, sizeof(*f));
	f->interval = per_second > 0 ? 1000000 / per_second : 0;
	if (per_second > 1000000)
		f->interval = 1;
}

static const struct fair_user *find(const struct fair *f, uint32_t uid)
{
	for (int i = 0; i < FAIR_USERS; i++)
		if (f->user[i].full && f->user[i].uid == uid)
			return &f->user[i];
	return NULL;
}

int64_t fair_wait(const struct fair *f, uint32_t uid, int64_t now)
{
	const struct fair_user *user = find(f, uid);
	int64_t ahead = user ? user->full - now : 0;

	if (!f->interval || ahead <= 0 || ahead + f->interval <= BURST)
		return 0;
	return ahead + f->interval - BURST;
}

/* The user's entry, or else that of the user who has the most room. */
static struct fair_user *entry(struct fair *f, uint32_t uid, int64_t now)
{
	struct fair_user *user = (struct fair_user *)find(f, uid);

	if (!user) {
		user = &f->user[0];
		for (int i = 1; i < FAIR_USERS; i++)
			if (f->user[i].full < user->full)
				user = &f->user[i];
		*user = (struct fair_user){ .uid = uid };
	}
	if (user->full < now)
		user->full = now;
	return user;
}

void fair_charge(struct fair *f, uint32_t uid, int64_t now, int64_t cost)
{
	if (f->interval)
		entry(f, uid, now)->full += cost * f->interval;
}

void fair_fine(struct fair *f, uint32_t uid, int64_t now)
{
	struct fair_user *user;

	if (!f->interval)
		return;
	user = entry(f, uid, now);
	if (user->fined < now)
		user->fined = now;
	user->fined += FINE;
	if (user->fined > now + FINE_MOST)
		user->fined = now + FINE_MOST;
}

bool fair_shut(const struct fair *f, uint32_t uid, int64_t now)
{
	const struct fair_user *user = find(f, uid);

	return user && user->fined > now + FINE_SHUT;
}
