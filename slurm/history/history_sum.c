/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * history_sum.c - the history summed up by month, user and account
 *
 * One walk over the events fills a temporary table of what counts, and in which line; a second
 * table counts that, and sqlite groups both thrice.  Months are told by a function of ours: sqlite's own is slow, and some of
 * its versions have other ideas of local time.
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
	history_sees *sees;
	history_figure_visit *visit;
	void *arg;
	struct month month;
};

/*
 * f: the first acceptance of a promise (nullif: those that have none are not looked through).
 */
static const char *const collect =
	"CREATE TEMP TABLE part AS"
	" WITH line AS(SELECT coalesce(f.at,e.at) AS at,coalesce(f.uid,e.uid) AS uid,"
	"coalesce(f.account,e.account) AS account,coalesce(f.partition,e.partition) AS partition,"
	"e.what AS what,CASE e.what WHEN 'refused' THEN e.reason ELSE '' END AS reason,"
	"max(e.tasks,1) AS n,-e.late AS slack,"
	"CASE WHEN e.promise=0 OR e.what IN('refused','observed','void') THEN 0 WHEN "
	"e.what='accepted'"
	" THEN 1 ELSE -1 END*max(e.tasks,1) AS open"
	" FROM event AS e LEFT JOIN event AS f ON f.id=(SELECT min(a.id) FROM "
	"event AS a WHERE a.promise=nullif(e.promise,0) AND a.what='accepted')"
	" WHERE e.at>=?1 AND(e.promise=0 OR f.id<=e.id OR e.what IN('refused','observed','void')))"
	" SELECT pact_month(at) AS month,uid,account,what,reason,n,slack,open"
	" FROM line"
	" WHERE at>=?1 AND(?2=0 OR at<=?2) AND(?3<0 OR uid=?3) AND(?4 IS NULL OR account=?4)"
	" AND pact_sees(uid,account,partition)";

/* What is left after that is small but for the slack. */
static const char *const count =
	"CREATE TEMP TABLE total AS SELECT month,uid,account,what,reason,sum(n) AS n,"
	"sum(open) AS open FROM part GROUP BY 1,2,3,4,5";

/* The columns of a level: its own, and those that all its lines have alike. */
static const char *const columns[] = {
	[HISTORY_USER] = "month,uid,account",
	[HISTORY_MONTH] = "month,0 AS uid,'' AS account",
	[HISTORY_ALL] = "0 AS month,0 AS uid,'' AS account",
};

/*
 * %1$s: the columns.  The median counts each task: of c the (c+1)/2-th and the (c+2)/2-th, which
 * are in one row or in two.
 */
static const char *const group =
	"WITH p AS(SELECT %1$s,what,reason,n,open FROM total),"
	" q AS(SELECT %1$s,slack,n FROM part WHERE what IN('kept','at_limit','broken')),"
	" s AS(SELECT month,uid,account,slack,n,sum(n) OVER(PARTITION BY month,uid,account) AS c,"
	"sum(n) OVER(PARTITION BY month,uid,account ORDER BY slack ROWS UNBOUNDED PRECEDING) AS "
	"upto FROM q)"
	" SELECT month,uid,account,what,reason,sum(n) FROM p GROUP BY 1,2,3,4,5"
	" UNION ALL SELECT month,uid,account,'open','',sum(open) FROM p GROUP BY 1,2,3"
	" UNION ALL SELECT month,uid,account,'slack','',(min(slack)+max(slack))/2 FROM s"
	" WHERE upto>=(c+1)/2 AND upto-n<(c+2)/2 GROUP BY 1,2,3"
	" ORDER BY 1,2,3,4,5";

/* The first moment of a month, local time; mon may be 12. */
static int64_t begin_of(int year, int mon)
{
	struct tm tm = { .tm_year = year, .tm_mon = mon, .tm_mday = 1, .tm_isdst = -1 };

	return mktime(&tm);
}

static void look_up(struct month *m, int64_t at)
{
	time_t when = at;
	struct tm tm;

	if (at >= m->from && at < m->to)
		return;
	localtime_r(&when, &tm);
	m->from = begin_of(tm.tm_year, tm.tm_mon);
	m->to = begin_of(tm.tm_year, tm.tm_mon + 1);
	m->name = (tm.tm_year + 1900) * 100 + tm.tm_mon + 1;
}

static void month_of(sqlite3_context *context, int n, sqlite3_value **values)
{
	struct sum *sum = sqlite3_user_data(context);

	(void)n;
	look_up(&sum->month, sqlite3_value_int64(values[0]));
	sqlite3_result_int(context, sum->month.name);
}

static const char *value_text(sqlite3_value *value)
{
	const char *found = (const char *)sqlite3_value_text(value);

	return found ? found : "";
}

static void sees_owner(sqlite3_context *context, int n, sqlite3_value **values)
{
	struct sum *sum = sqlite3_user_data(context);

	(void)n;
	sqlite3_result_int(
		context, !sum->sees || sum->sees(sum->arg, (uint32_t)sqlite3_value_int64(values[0]),
						 value_text(values[1]), value_text(values[2])));
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
				  "CREATE TEMP TABLE event AS SELECT id,at,what,uid,account,"
				  "partition,late,tasks,reason,0 AS promise FROM main.event",
				  NULL, NULL, NULL)
		   : rc;
}

static int collect_parts(struct sum *sum, sqlite3 *db)
{
	const struct history_filter *f = sum->filter;
	sqlite3_stmt *s = NULL;
	int rc;

	if ((rc = complete_old(db)) ||
	    (rc = sqlite3_create_function(db, "pact_month", 1, SQLITE_UTF8, sum, month_of, NULL,
					  NULL)) ||
	    (rc = sqlite3_create_function(db, "pact_sees", 3, SQLITE_UTF8, sum, sees_owner, NULL,
					  NULL)) ||
	    (rc = sqlite3_prepare_v2(db, collect, -1, &s, NULL)))
		return rc;
	sqlite3_bind_int64(s, 1, f->since);
	sqlite3_bind_int64(s, 2, f->until);
	sqlite3_bind_int64(s, 3, f->uid);
	sqlite3_bind_text(s, 4, f->account, -1, SQLITE_STATIC);
	rc = sqlite3_step(s);
	sqlite3_finalize(s);
	return rc == SQLITE_DONE ? sqlite3_exec(db, count, NULL, NULL, NULL) : rc;
}

static const char *text(sqlite3_stmt *s, int column)
{
	return value_text(sqlite3_column_value(s, column));
}

static int tell_level(struct sum *sum, sqlite3 *db, enum history_level level)
{
	sqlite3_stmt *s = NULL;
	char sql[2000];
	int rc;

	snprintf(sql, sizeof(sql), group, columns[level]);
	rc = sqlite3_prepare_v2(db, sql, -1, &s, NULL);
	while (rc == SQLITE_OK && (rc = sqlite3_step(s)) == SQLITE_ROW) {
		struct history_figure figure = {
			.level = level,
			.month = sqlite3_column_int(s, 0),
			.uid = (uint32_t)sqlite3_column_int64(s, 1),
			.account = text(s, 2),
			.what = text(s, 3),
			.reason = text(s, 4),
			.value = sqlite3_column_int64(s, 5),
		};
		rc = sum->visit(sum->arg, &figure) ? SQLITE_OK : SQLITE_DONE;
	}
	sqlite3_finalize(s);
	return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

static int sum_up(void *arg, sqlite3 *db)
{
	struct sum *sum = arg;
	int rc = collect_parts(sum, db);

	for (int level = HISTORY_USER; rc == SQLITE_OK && level <= HISTORY_ALL; level++)
		rc = tell_level(sum, db, (enum history_level)level);
	return rc;
}

bool history_sum(const struct history_filter *filter, int64_t most_ms, history_sees *sees,
		 history_figure_visit *visit, void *arg, bool *complete, char why[HISTORY_WHY])
{
	struct sum sum = { .filter = filter, .sees = sees, .visit = visit, .arg = arg };

	return history_read(most_ms, sum_up, &sum, complete, why);
}
