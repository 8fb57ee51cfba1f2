/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fair.c - how fast one user may ask
 */
#include "slurm/fair.h"

#include <string.h>

/* What may be asked at once is what a second pays for. */
#define BURST 1000000

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

void fair_charge(struct fair *f, uint32_t uid, int64_t now, int64_t cost)
{
	struct fair_user *user = (struct fair_user *)find(f, uid);

	if (!f->interval)
		return;
	if (!user) {
		user = &f->user[0];
		for (int i = 1; i < FAIR_USERS; i++)
			if (f->user[i].full < user->full)
				user = &f->user[i];
		user->uid = uid;
		user->full = 0;
	}
	if (user->full < now)
		user->full = now;
	user->full += cost * f->interval;
}
