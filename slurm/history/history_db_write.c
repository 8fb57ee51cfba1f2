/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * history_db_write.c - the database of history.h: what an entry does to it
 */
#include "slurm/history/history_db_own.h"

#define OUTCOMES "('kept','at_limit','broken','cancelled','withdrawn','unknown')"

/*
 * An outcome is written once, though a slurmctld that was killed before it had saved its records
 * tells it again; but a job that was released, and promised again, has another.  Those of version 1
 * have no promise.
 */
static const char *const add =
	"INSERT INTO event SELECT NULL,?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15,?16,?17,"
	"?18,?19 WHERE ?19=0 OR ?2 NOT IN " OUTCOMES " OR NOT EXISTS(SELECT 1 FROM event AS o"
	" WHERE o.base=?4 AND o.task=?5 AND o.text=?18 AND o.what IN " OUTCOMES
	" AND (o.promise=?19 OR (o.promise=0 AND o.deadline=?9)) AND NOT EXISTS(SELECT 1 FROM event"
	" AS a WHERE a.promise=?19 AND a.what='accepted' AND a.base=?4 AND a.task=?5 AND"
	" a.id>o.id))";

static const char *const bind_job =
	"UPDATE event SET job=?3,base=?4,task=?5,account=CASE account WHEN '' THEN ?7 ELSE account"
	" END,partition=CASE partition WHEN '' THEN ?8 ELSE partition END"
	" WHERE promise=?19 AND what='accepted' AND job=0";

static const char *const make_void =
	"UPDATE event SET what='void' WHERE promise=?19 AND what='accepted'";

static const char *const keep_live =
	"INSERT INTO live VALUES(?1,?2) ON CONFLICT(promise) DO UPDATE SET tasks=tasks+?2";

/*
 * Outcomes that a slurmctld told and was killed before it had saved its records, the latest first:
 * these have the jobs still, and what becomes of them is told anew.
 */
static const char *const untell =
	"DELETE FROM event WHERE id IN(SELECT o.id FROM event AS o JOIN(SELECT promise,"
	"max(CASE what WHEN 'accepted' THEN id END) AS since,live.tasks+"
	"sum(CASE what WHEN 'accepted' THEN -max(event.tasks,1) ELSE max(event.tasks,1) END) AS "
	"excess FROM event JOIN live USING(promise) WHERE what='accepted' OR what IN " OUTCOMES
	" GROUP BY promise HAVING since NOT NULL AND excess>0) AS p USING(promise)"
	" WHERE o.what IN " OUTCOMES " AND o.id>since AND excess>(SELECT "
	"coalesce(sum(max(n.tasks,1)),0) FROM event AS n WHERE n.promise=o.promise AND"
	" n.what IN " OUTCOMES " AND n.id>o.id))";

/* What was accepted less what is known to be over, and less what is there. */
static const char *const check_open =
	"INSERT INTO event SELECT NULL,?1,'unknown',job,base,task,uid,account,partition,deadline,"
	"lim,0,0,0,nodes,missing,'','its job is gone','',promise FROM(SELECT promise,max(job) AS "
	"job,max(base) AS base,max(task) AS task,uid,account,partition,max(deadline) AS deadline,"
	"lim,nodes,sum(CASE what WHEN 'accepted' THEN max(tasks,1) ELSE -max(tasks,1) END)"
	"-coalesce((SELECT tasks FROM live WHERE live.promise=event.promise),0) AS missing"
	" FROM event WHERE promise<>0 AND(what='accepted' OR what IN " OUTCOMES ")"
	" GROUP BY promise HAVING missing>0)";

int history_db_prepare(struct history_db *db)
{
	int rc;

	if ((rc = sqlite3_prepare_v2(db->db, add, -1, &db->insert, NULL)) ||
	    (rc = sqlite3_prepare_v2(db->db, bind_job, -1, &db->bind, NULL)) ||
	    (rc = sqlite3_prepare_v2(db->db, make_void, -1, &db->cancel, NULL)))
		return rc;
	rc = history_db_learn_prepare(db);
	return rc ? rc : history_db_resize_prepare(db);
}

void history_db_unprepare(struct history_db *db)
{
	sqlite3_finalize(db->insert);
	sqlite3_finalize(db->bind);
	sqlite3_finalize(db->cancel);
	sqlite3_finalize(db->learn);
	sqlite3_finalize(db->resize);
}

/* A prepared statement, with an entry's values by their numbers in event, from 1. */
static int apply(sqlite3_stmt *s, const struct history_entry *e)
{
	const int64_t before[] = { e->job, e->base, e->task, e->uid };
	const int64_t behind[] = { e->deadline, e->limit, e->start, e->end,
				   e->late,	e->nodes, e->tasks };
	const char *const texts[] = { e->reference, e->reason, e->text };
	int n = 1;

	sqlite3_bind_int64(s, n++, e->when);
	sqlite3_bind_text(s, n++, e->what, -1, SQLITE_STATIC);
	for (size_t i = 0; i < sizeof(before) / sizeof(before[0]); i++)
		sqlite3_bind_int64(s, n++, before[i]);
	sqlite3_bind_text(s, n++, e->account, -1, SQLITE_STATIC);
	sqlite3_bind_text(s, n++, e->partition, -1, SQLITE_STATIC);
	for (size_t i = 0; i < sizeof(behind) / sizeof(behind[0]); i++)
		sqlite3_bind_int64(s, n++, behind[i]);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		sqlite3_bind_text(s, n++, texts[i], -1, SQLITE_STATIC);
	sqlite3_bind_int64(s, n++, (int64_t)e->promise);
	n = sqlite3_step(s);
	sqlite3_reset(s);
	sqlite3_clear_bindings(s);
	return n == SQLITE_DONE ? SQLITE_OK : n;
}

/* What the records have, in a table of this connection's memory. */
static int list_live(struct history_db *db, const struct history_entry *e)
{
	sqlite3_stmt *s = NULL;
	int rc = sqlite3_prepare_v2(db->db, keep_live, -1, &s, NULL);

	for (size_t i = 0; rc == SQLITE_OK && i < e->nlive; i++) {
		sqlite3_bind_int64(s, 1, (int64_t)e->live[i].promise);
		sqlite3_bind_int64(s, 2, e->live[i].tasks);
		rc = sqlite3_step(s);
		rc = rc == SQLITE_DONE ? SQLITE_OK : rc;
		sqlite3_reset(s);
	}
	sqlite3_finalize(s);
	return rc;
}

static int check_promises(struct history_db *db, const struct history_entry *e)
{
	sqlite3_stmt *s = NULL;
	int rc = history_db_run(db,
				"CREATE TEMP TABLE IF NOT EXISTS live(promise INTEGER PRIMARY KEY,"
				" tasks INTEGER); DELETE FROM live");

	if (rc == SQLITE_OK)
		rc = list_live(db, e);
	if (rc == SQLITE_OK)
		rc = history_db_run(db, untell);
	if (rc == SQLITE_OK)
		rc = sqlite3_prepare_v2(db->db, check_open, -1, &s, NULL);
	if (rc == SQLITE_OK) {
		sqlite3_bind_int64(s, 1, e->when);
		rc = sqlite3_step(s);
		rc = rc == SQLITE_DONE ? SQLITE_OK : rc;
	}
	sqlite3_finalize(s);
	return rc == SQLITE_OK ? history_db_run(db, "DELETE FROM live") : rc;
}

static int write_entry(struct history_db *db, const struct history_entry *e)
{
	switch (e->op) {
	case HISTORY_BIND:
		return apply(db->bind, e);
	case HISTORY_VOID:
		return apply(db->cancel, e);
	case HISTORY_CHECK:
		return check_promises(db, e);
	case HISTORY_LEARN:
		return history_db_learn(db, e->past);
	case HISTORY_RESIZE:
		return history_db_resize(db, e->resize);
	default:
		return apply(db->insert, e);
	}
}

int history_db_write(struct history_db *db, const struct history_entry *entries, size_t n,
		     char why[HISTORY_WHY])
{
	int rc = history_db_run(db, "BEGIN IMMEDIATE");

	for (size_t i = 0; rc == SQLITE_OK && i < n; i++)
		rc = write_entry(db, &entries[i]);
	if (rc == SQLITE_OK)
		rc = history_db_run(db, "COMMIT");
	if (rc == SQLITE_OK)
		return rc;
	history_db_tell(db, rc, "writing", why);
	if (!sqlite3_get_autocommit(db->db))
		history_db_run(db, "ROLLBACK");
	return rc;
}
