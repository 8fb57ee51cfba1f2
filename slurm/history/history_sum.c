/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * history_sum.c - the history to be summed up by month, user and account, row by row
 *
 * A part begins behind a row and takes the next ones in order of time, by the index of times and row numbers: it
 * costs what its own rows cost, however long the history is and wherever the part lies.  Months are told here:
 * sqlite's own are slow, and some of its versions have other ideas of local time.
 */
#include "slurm/history/history_db.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* The month that was asked for last: rows come by time. */
struct month {
	int64_t from, to; /* to: of the next month */
	int name;
};

struct sum {
	const struct history_filter *filter;
	struct history_part *part;
	int64_t left; /* rows that may still be read */
	history_sees *sees;
	history_share_visit *visit;
	void *arg;
	struct month month;
};

/*
 * f: the first acceptance of a promise (nullif: those that have none are not looked through).
 */
static const char *const query =
	"SELECT e.id,e.at,e.what,e.reason,max(e.tasks,1),e.late,e.promise,f.id,coalesce(f.at,e.at),"
	"coalesce(f.uid,e.uid),coalesce(f.account,e.account),coalesce(f.partition,e.partition)"
	" FROM event AS e LEFT JOIN event AS f ON f.id=(SELECT min(a.id) FROM event AS a"
	" WHERE a.promise=nullif(e.promise,0) AND a.what='accepted')"
	" WHERE %s ORDER BY e.at,e.id LIMIT ?3";

/* The rest of a second, and what comes after it: an OR of both would not go by the index. */
static const char *const behind[] = { "e.at=?1 AND e.id>?2", "e.at>?1" };

/* The first moment of a month, local time; mon may be 12. */
static int64_t begin_of(int year, int mon)
{
	struct tm tm = { .tm_year = year, .tm_mon = mon, .tm_mday = 1, .tm_isdst = -1 };

	return mktime(&tm);
}

static int month_of(struct month *m, int64_t at)
{
	time_t when = at;
	struct tm tm;

	if (at >= m->from && at < m->to)
		return m->name;
	localtime_r(&when, &tm);
	m->from = begin_of(tm.tm_year, tm.tm_mon);
	m->to = begin_of(tm.tm_year, tm.tm_mon + 1);
	m->name = (tm.tm_year + 1900) * 100 + tm.tm_mon + 1;
	return m->name;
}

/* A database of version 1 that has not been written since: its events as version 2 has them. */
static int complete_old(sqlite3 *db)
{
	sqlite3_stmt *s = NULL;
	int rc = sqlite3_prepare_v2(db, "PRAGMA user_version", -1, &s, NULL);
	bool old =
		rc == SQLITE_OK && sqlite3_step(s) == SQLITE_ROW && sqlite3_column_int(s, 0) == 1;

	sqlite3_finalize(s);
	return old ? sqlite3_exec(db,
				  "CREATE TEMP VIEW event AS SELECT id,at,what,uid,account,"
				  "partition,late,tasks,reason,0 AS promise FROM main.event",
				  NULL, NULL, NULL)
		   : rc;
}

/* Is it counted at all, and by these? */
static bool counts(const struct sum *sum, sqlite3_stmt *s, bool alone)
{
	const struct history_filter *f = sum->filter;
	int64_t first = sqlite3_column_int64(s, 7), asked = sqlite3_column_int64(s, 8);
	uint32_t uid = (uint32_t)sqlite3_column_int64(s, 9);

	if (!alone && (!first || first > sqlite3_column_int64(s, 0)))
		return false;
	return asked >= f->since && (!f->until || asked <= f->until) &&
	       (f->uid < 0 || f->uid == uid) &&
	       (!f->account || !strcmp(f->account, history_text(s, 10))) &&
	       (!sum->sees || sum->sees(sum->arg, uid, history_text(s, 10), history_text(s, 11)));
}

static void tell_row(struct sum *sum, sqlite3_stmt *s)
{
	static const char *const decided[] = { "expected", "refused", "observed", "void" };
	static const char *const ran[] = { "kept", "at_limit", "broken" };
	const char *what = history_text(s, 2);
	bool decision = history_among(decided, sizeof(decided) / sizeof(decided[0]), what);
	bool tied = sqlite3_column_int64(s, 6) && !decision;
	struct history_share share = {
		.uid = (uint32_t)sqlite3_column_int64(s, 9),
		.account = history_text(s, 10),
		.what = what,
		.reason = strcmp(what, "refused") ? "" : history_text(s, 3),
		.tasks = sqlite3_column_int64(s, 4),
		.ran = history_among(ran, sizeof(ran) / sizeof(ran[0]), what),
		.slack = -sqlite3_column_int64(s, 5),
	};

	if (!counts(sum, s, !tied))
		return;
	share.month = month_of(&sum->month, sqlite3_column_int64(s, 8));
	if (tied)
		share.open = strcmp(what, "accepted") ? -share.tasks : share.tasks;
	sum->visit(sum->arg, &share);
}

/* RET sqlite's code: SQLITE_OK: all that there were, or as many as there may be */
static int read_rows(struct sum *sum, sqlite3 *db, const char *which)
{
	sqlite3_stmt *s = NULL;
	char sql[800];
	int rc;

	snprintf(sql, sizeof(sql), query, which);
	rc = sqlite3_prepare_v2(db, sql, -1, &s, NULL);
	if (rc == SQLITE_OK) {
		sqlite3_bind_int64(s, 1, sum->part->when);
		sqlite3_bind_int64(s, 2, sum->part->row);
		sqlite3_bind_int64(s, 3, sum->left);
	}
	while (rc == SQLITE_OK && (rc = sqlite3_step(s)) == SQLITE_ROW) {
		tell_row(sum, s);
		sum->part->row = sqlite3_column_int64(s, 0);
		sum->part->when = sqlite3_column_int64(s, 1);
		sum->left--;
		rc = SQLITE_OK;
	}
	sqlite3_finalize(s);
	return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

static int read_part(void *arg, sqlite3 *db)
{
	struct sum *sum = arg;
	int rc = complete_old(db);

	for (int i = 0; rc == SQLITE_OK && i < 2 && sum->left > 0; i++)
		rc = read_rows(sum, db, behind[i]);
	/* as when it takes too long: the rest is another part */
	return rc == SQLITE_OK && !sum->left ? SQLITE_INTERRUPT : rc;
}

bool history_sum(const struct history_filter *filter, struct history_part *part, int64_t most_rows,
		 int64_t most_ms, history_sees *sees, history_share_visit *visit, void *arg,
		 bool *complete, char why[HISTORY_WHY])
{
	struct sum sum = {
		.filter = filter,
		.part = part,
		.left = most_rows,
		.sees = sees,
		.visit = visit,
		.arg = arg,
	};

	/* What came of a promise is no older than it: nothing counts from before. */
	if (!part->row)
		*part = (struct history_part){ .when = filter->since - 1, .row = INT64_MAX };
	return history_read(most_ms, read_part, &sum, complete, why);
}
