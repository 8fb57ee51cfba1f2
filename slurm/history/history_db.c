/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * history_db.c - the database of history.h: opening, writing, its bounds
 */
#include "slurm/history/history_db.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Of the tables below; in the database's user_version. */
#define SCHEMA 2
#define BUSY_MS 1000

static const char *const schema =
	"PRAGMA auto_vacuum=INCREMENTAL;"
	"PRAGMA journal_mode=WAL;"
	"BEGIN IMMEDIATE;"
	"CREATE TABLE IF NOT EXISTS event(id INTEGER PRIMARY KEY, at INTEGER NOT NULL,"
	" what TEXT NOT NULL, job INTEGER, base INTEGER, task INTEGER, uid INTEGER, account TEXT,"
	" partition TEXT, deadline INTEGER, lim INTEGER, began INTEGER, ended INTEGER,"
	" late INTEGER, nodes INTEGER, tasks INTEGER, reference TEXT, reason TEXT, text TEXT,"
	" promise INTEGER NOT NULL DEFAULT 0);"
	"CREATE INDEX IF NOT EXISTS event_at ON event(at);"
	"CREATE INDEX IF NOT EXISTS event_base ON event(base);"
	"CREATE INDEX IF NOT EXISTS event_promise ON event(promise);"
	"PRAGMA user_version=2;"
	"COMMIT;";

/* From the tables of version 1: all or nothing. */
static const char *const upgrade =
	"BEGIN IMMEDIATE;"
	"ALTER TABLE event ADD COLUMN promise INTEGER NOT NULL DEFAULT 0;"
	"CREATE INDEX IF NOT EXISTS event_base ON event(base);"
	"CREATE INDEX IF NOT EXISTS event_promise ON event(promise);"
	"PRAGMA user_version=2;"
	"COMMIT;";

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

struct history_db {
	sqlite3 *db;
	sqlite3_stmt *insert, *bind, *cancel; /* of each op but the check */
	int64_t size;
};

bool history_db_corrupt(int code)
{
	return (code & 0xff) == SQLITE_CORRUPT || (code & 0xff) == SQLITE_NOTADB;
}

static int tell(struct history_db *db, int code, const char *what, char why[HISTORY_WHY])
{
	snprintf(why, HISTORY_WHY, "%s: %s", what, db->db ? sqlite3_errmsg(db->db) : "no memory");
	return code;
}

/* A statement that gives one number.  RET sqlite's code */
static int number(struct history_db *db, const char *sql, int64_t *out)
{
	sqlite3_stmt *stmt = NULL;
	int rc = sqlite3_prepare_v2(db->db, sql, -1, &stmt, NULL);

	*out = 0;
	if (rc == SQLITE_OK) {
		rc = sqlite3_step(stmt);
		if (rc == SQLITE_ROW)
			*out = sqlite3_column_int64(stmt, 0);
		rc = rc == SQLITE_ROW || rc == SQLITE_DONE ? SQLITE_OK : rc;
	}
	sqlite3_finalize(stmt);
	return rc;
}

static int run(struct history_db *db, const char *sql)
{
	return sqlite3_exec(db->db, sql, NULL, NULL, NULL);
}

/* Is it whole?  The first complaint of quick_check, or "ok". */
static int check(struct history_db *db, char why[HISTORY_WHY])
{
	sqlite3_stmt *stmt = NULL;
	int rc = sqlite3_prepare_v2(db->db, "PRAGMA quick_check(1)", -1, &stmt, NULL);
	const char *said;

	if (rc == SQLITE_OK)
		rc = sqlite3_step(stmt);
	if (rc == SQLITE_ROW) {
		said = (const char *)sqlite3_column_text(stmt, 0);
		rc = said && !strcmp(said, "ok") ? SQLITE_OK : SQLITE_CORRUPT;
		if (rc != SQLITE_OK)
			snprintf(why, HISTORY_WHY, "quick_check: %.200s", said ? said : "");
	} else {
		rc = tell(db, rc == SQLITE_DONE ? SQLITE_CORRUPT : rc, "quick_check", why);
	}
	sqlite3_finalize(stmt);
	return rc;
}

/* Bound the pages: sqlite says SQLITE_FULL before the file is larger. */
static int bound(struct history_db *db, char why[HISTORY_WHY])
{
	int64_t page, got;
	char sql[80];
	int rc = number(db, "PRAGMA page_size", &page);

	if (rc != SQLITE_OK)
		return tell(db, rc, "page_size", why);
	snprintf(sql, sizeof(sql), "PRAGMA max_page_count=%lld", (long long)(db->size / page));
	rc = number(db, sql, &got);
	return rc == SQLITE_OK ? rc : tell(db, rc, "max_page_count", why);
}

static int prepare(struct history_db *db, char why[HISTORY_WHY])
{
	int64_t version;
	int rc;

	sqlite3_busy_timeout(db->db, BUSY_MS);
	rc = number(db, "PRAGMA user_version", &version);
	if (rc != SQLITE_OK)
		return tell(db, rc, "opening", why);
	if (version != 0 && version != 1 && version != SCHEMA) {
		snprintf(why, HISTORY_WHY, "made by another version of Pact (tables %lld)",
			 (long long)version);
		return SQLITE_MISMATCH;
	}
	rc = check(db, why);
	if (rc != SQLITE_OK)
		return rc;
	if ((rc = run(db, "PRAGMA synchronous=NORMAL; PRAGMA journal_size_limit=1048576")) ||
	    (rc = run(db, version == 1 ? upgrade : schema)) ||
	    (rc = sqlite3_prepare_v2(db->db, add, -1, &db->insert, NULL)) ||
	    (rc = sqlite3_prepare_v2(db->db, bind_job, -1, &db->bind, NULL)) ||
	    (rc = sqlite3_prepare_v2(db->db, make_void, -1, &db->cancel, NULL))) {
		tell(db, rc, "making its tables", why);
		if (!sqlite3_get_autocommit(db->db))
			run(db, "ROLLBACK");
		return rc;
	}
	return bound(db, why);
}

/* RET sqlite's code; *out may be closed in any case */
static int open_once(const char *file, int64_t size, struct history_db **out, char why[HISTORY_WHY])
{
	struct history_db *db = calloc(1, sizeof(*db));
	int fd, rc;

	*out = db;
	if (!db) {
		snprintf(why, HISTORY_WHY, "out of memory");
		return SQLITE_NOMEM;
	}
	db->size = size;
	/* sqlite would let others read it. */
	fd = open(file, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0) {
		snprintf(why, HISTORY_WHY, "%s", strerror(errno));
		return SQLITE_CANTOPEN;
	}
	close(fd);
	rc = sqlite3_open_v2(file, &db->db,
			     SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE,
			     NULL);
	if (rc != SQLITE_OK)
		return tell(db, rc, "opening", why);
	return prepare(db, why);
}

/* The database and its log, out of the way.  What is moved is looked at by people. */
static bool move_aside(const char *file)
{
	char from[PATH_MAX + 16], to[PATH_MAX + 16];

	snprintf(to, sizeof(to), "%s.corrupt-wal", file);
	snprintf(from, sizeof(from), "%s-wal", file);
	unlink(to);
	if (rename(from, to) && errno != ENOENT)
		return false;
	snprintf(from, sizeof(from), "%s-shm", file);
	unlink(from);
	snprintf(to, sizeof(to), "%s.corrupt", file);
	return !rename(file, to);
}

struct history_db *history_db_open(const char *file, int64_t size, bool *moved,
				   char why[HISTORY_WHY])
{
	struct history_db *db;
	int rc = open_once(file, size, &db, why);

	*moved = false;
	if (rc != SQLITE_OK && history_db_corrupt(rc)) {
		history_db_close(db);
		db = NULL;
		*moved = move_aside(file);
		if (*moved)
			rc = open_once(file, size, &db, why);
	}
	if (rc == SQLITE_OK)
		return db;
	history_db_close(db);
	return NULL;
}

void history_db_close(struct history_db *db)
{
	if (!db)
		return;
	sqlite3_finalize(db->insert);
	sqlite3_finalize(db->bind);
	sqlite3_finalize(db->cancel);
	sqlite3_close(db->db);
	free(db);
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
	int rc = run(db, "CREATE TEMP TABLE IF NOT EXISTS live(promise INTEGER PRIMARY KEY,"
			 " tasks INTEGER); DELETE FROM live");

	if (rc == SQLITE_OK)
		rc = list_live(db, e);
	if (rc == SQLITE_OK)
		rc = run(db, untell);
	if (rc == SQLITE_OK)
		rc = sqlite3_prepare_v2(db->db, check_open, -1, &s, NULL);
	if (rc == SQLITE_OK) {
		sqlite3_bind_int64(s, 1, e->when);
		rc = sqlite3_step(s);
		rc = rc == SQLITE_DONE ? SQLITE_OK : rc;
	}
	sqlite3_finalize(s);
	return rc == SQLITE_OK ? run(db, "DELETE FROM live") : rc;
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
	default:
		return apply(db->insert, e);
	}
}

int history_db_write(struct history_db *db, const struct history_entry *entries, size_t n,
		     char why[HISTORY_WHY])
{
	int rc = run(db, "BEGIN IMMEDIATE");

	for (size_t i = 0; rc == SQLITE_OK && i < n; i++)
		rc = write_entry(db, &entries[i]);
	if (rc == SQLITE_OK)
		rc = run(db, "COMMIT");
	if (rc == SQLITE_OK)
		return rc;
	tell(db, rc, "writing", why);
	if (!sqlite3_get_autocommit(db->db))
		run(db, "ROLLBACK");
	return rc;
}

int64_t history_db_bytes(struct history_db *db)
{
	int64_t pages, page;

	if (number(db, "PRAGMA page_count", &pages) || number(db, "PRAGMA page_size", &page))
		return 0;
	return pages * page;
}

/* Bytes of the pages in use. */
static int used(struct history_db *db, int64_t *out)
{
	int64_t unused, page;
	int rc;

	if ((rc = number(db, "PRAGMA page_count", out)) ||
	    (rc = number(db, "PRAGMA freelist_count", &unused)) ||
	    (rc = number(db, "PRAGMA page_size", &page)))
		return rc;
	*out = (*out - unused) * page;
	return SQLITE_OK;
}

/* A tenth goes at a time, so that no transaction is long. */
static int drop_oldest(struct history_db *db)
{
	return run(db, "DELETE FROM event WHERE id <= (SELECT min(id) + (max(id) - min(id)) / 10 "
		       "FROM event)");
}

int history_db_prune(struct history_db *db, int64_t before, char why[HISTORY_WHY])
{
	int64_t bytes = 0;
	bool dropped = false;
	char sql[80];
	int rc;

	snprintf(sql, sizeof(sql), "DELETE FROM event WHERE at < %lld", (long long)before);
	rc = run(db, sql);
	/* One tenth is kept free, so that a transaction finds pages. */
	while (rc == SQLITE_OK && (rc = used(db, &bytes)) == SQLITE_OK &&
	       bytes > db->size / 10 * 9) {
		rc = drop_oldest(db);
		if (rc == SQLITE_OK && !sqlite3_changes(db->db))
			break;
		dropped = true;
	}
	if (rc == SQLITE_OK && dropped && history_db_bytes(db) > db->size) {
		rc = run(db, "PRAGMA incremental_vacuum");
		if (rc == SQLITE_OK)
			return bound(db, why);
	}
	return rc == SQLITE_OK ? rc : tell(db, rc, "removing the oldest", why);
}
