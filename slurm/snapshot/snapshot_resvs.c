/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * snapshot_resvs.c - of a snapshot, the reservations: each time that they will come
 */
#include "slurm/snapshot/snapshot_own.h"

/* How often, and how far ahead, a repeated reservation is planned. */
#define REPEATS 32
#define HORIZON (28 * 24 * 60 * 60)

static time_t later(time_t at, int days, int hours)
{
	struct tm tm;

	localtime_r(&at, &tm);
	tm.tm_mday += days;
	tm.tm_hour += hours;
	tm.tm_isdst = -1;
	return mktime(&tm);
}

/* From one occurrence of a repeated reservation to the next, as _advance_resv_time() does it. */
static void advance(uint64_t flags, time_t *start, time_t *end)
{
	int days = 7, hours = 0;
	struct tm tm;

	localtime_r(start, &tm);
	if (flags & RESERVE_FLAG_HOURLY) {
		days = 0;
		hours = 1;
	} else if (flags & RESERVE_FLAG_DAILY) {
		days = 1;
	} else if (flags & RESERVE_FLAG_WEEKDAY) {
		days = tm.tm_wday == 5 ? 3 : tm.tm_wday == 6 ? 2 : 1;
	} else if (flags & RESERVE_FLAG_WEEKEND) {
		days = tm.tm_wday == 0 ? 6 : tm.tm_wday == 6 ? 1 : 6 - tm.tm_wday;
	}
	*start = later(*start, days, hours);
	*end = later(*end, days, hours);
}

static bool add_resv(struct snapshot *snap, const slurmctld_resv_t *resv, int64_t start,
		     int64_t end)
{
	struct snap_resv *out = &snap->resvs[snap->nresvs];

	if (end <= snap->now)
		return true;
	out->start = start;
	out->end = end;
	out->nodes = region_from_bitmap(resv->node_bitmap);
	snap->nresvs += out->nodes != NULL;
	return out->nodes && snapshot_text(snap, &out->name, resv->name);
}

/*
 * A floating reservation is always as far ahead: nothing runs into it, and it
 * never comes.  In whole minutes, or every pass would give another plan.
 */
static bool add_floating(struct snapshot *snap, const slurmctld_resv_t *resv)
{
	return add_resv(snap, resv, (snap->now + resv->start_time) / 60 * 60, PACT_FOREVER);
}

static bool take_resv(struct snapshot *snap, const slurmctld_resv_t *resv)
{
	time_t start = resv->start_time, end = resv->end_time;
	bool ok;

	if (resv->flags & RESERVE_FLAG_TIME_FLOAT)
		return add_floating(snap, resv);
	if (resv->flags & RESERVE_FLAG_FLEX && snap->now < start)
		start = snap->now;
	ok = add_resv(snap, resv, start, end);
	if (!(resv->flags & RESERVE_REOCCURRING))
		return ok;
	start = resv->start_time_first ? resv->start_time_first : resv->start_time;
	for (int i = 0; ok && i < REPEATS; i++) {
		advance(resv->flags, &start, &end);
		if (start > resv->start_time + HORIZON)
			break;
		ok = start > 0 && end > start ? add_resv(snap, resv, start, end) : true;
	}
	return ok;
}

bool snapshot_take_resvs(struct snapshot *snap)
{
	size_t room = (size_t)list_count(resv_list) * (1 + REPEATS) + 1;
	list_itr_t *iter;
	slurmctld_resv_t *resv;
	bool ok = true;

	snap->resvs = calloc(room, sizeof(*snap->resvs));
	if (!snap->resvs)
		return false;
	iter = list_iterator_create(resv_list);
	while (ok && (resv = list_next(iter)))
		if (resv->node_bitmap)
			ok = take_resv(snap, resv);
	list_iterator_destroy(iter);
	return ok;
}
