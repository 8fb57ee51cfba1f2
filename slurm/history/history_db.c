/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * history_db.c - the database of history.h: opening, its bounds
 */
#include "slurm/history/history_db_own.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * The version of the table event, in the database's user_version.  An older Pact refuses a later one, and leaves
 * alone tables that it does not know: past and resize came later, and stand by themselves.
 */
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
	"CREATE TABLE IF NOT EXISTS past(id INTEGER PRIMARY KEY, at INTEGER NOT NULL,"
	" partition TEXT NOT NULL, uid INTEGER NOT NULL, lim INTEGER NOT NULL,"
	" part INTEGER NOT NULL, cut INTEGER NOT NULL, life INTEGER NOT NULL);"
	"CREATE TABLE IF NOT EXISTS resize(id INTEGER PRIMARY KEY, at INTEGER NOT NULL,"
	" what TEXT NOT NULL, job INTEGER NOT NULL, uid INTEGER, account TEXT, partition TEXT,"
	" by TEXT, was INTEGER, has INTEGER, wanted INTEGER, forjob INTEGER, asked INTEGER,"
	" notice INTEGER, notnow INTEGER, held INTEGER);"
	"CREATE INDEX IF NOT EXISTS resize_at ON resize(at);"
	"CREATE INDEX IF NOT EXISTS resize_job ON resize(job);"
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

bool history_db_corrupt(int code)
{
	return (code & 0xff) == SQLITE_CORRUPT || (code & 0xff) == SQLITE_NOTADB;
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
		rc = history_db_tell(db, rc == SQLITE_DONE ? SQLITE_CORRUPT : rc, "quick_check",
				     why);
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
		return history_db_tell(db, rc, "page_size", why);
	snprintf(sql, sizeof(sql), "PRAGMA max_page_count=%lld", (long long)(db->size / page));
	rc = number(db, sql, &got);
	return rc == SQLITE_OK ? rc : history_db_tell(db, rc, "max_page_count", why);
}

static int prepare(struct history_db *db, char why[HISTORY_WHY])
{
	int64_t version;
	int rc;

	sqlite3_busy_timeout(db->db, BUSY_MS);
	rc = number(db, "PRAGMA user_version", &version);
	if (rc != SQLITE_OK)
		return history_db_tell(db, rc, "opening", why);
	if (version != 0 && version != 1 && version != SCHEMA) {
		snprintf(why, HISTORY_WHY, "made by another version of Pact (tables %lld)",
			 (long long)version);
		return SQLITE_MISMATCH;
	}
	rc = check(db, why);
	if (rc != SQLITE_OK)
		return rc;
	if ((rc = history_db_run(db,
				 "PRAGMA synchronous=NORMAL; PRAGMA journal_size_limit=1048576")) ||
	    (version == 1 && (rc = history_db_run(db, upgrade))) ||
	    (rc = history_db_run(db, schema)) || (rc = history_db_prepare(db))) {
		history_db_tell(db, rc, "making its tables", why);
		if (!sqlite3_get_autocommit(db->db))
			history_db_run(db, "ROLLBACK");
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
		return history_db_tell(db, rc, "opening", why);
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
	history_db_unprepare(db);
	sqlite3_close(db->db);
	free(db);
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
	return history_db_run(
		db, "DELETE FROM event WHERE id <= (SELECT min(id) + (max(id) - min(id)) / 10 "
		    "FROM event);"
		    "DELETE FROM past WHERE id <= (SELECT min(id) + (max(id) - min(id)) / 10 "
		    "FROM past);"
		    "DELETE FROM resize WHERE id <= (SELECT min(id) + (max(id) - min(id)) / 10 "
		    "FROM resize)");
}

int history_db_prune(struct history_db *db, int64_t before, char why[HISTORY_WHY])
{
	int64_t bytes = 0;
	bool dropped = false;
	char sql[120];
	int rc;

	snprintf(sql, sizeof(sql),
		 "DELETE FROM event WHERE at < %lld; DELETE FROM resize WHERE at < %lld",
		 (long long)before, (long long)before);
	rc = history_db_run(db, sql);
	if (rc == SQLITE_OK)
		rc = history_db_past_prune(db, before);
	/* One tenth is kept free, so that a transaction finds pages. */
	while (rc == SQLITE_OK && (rc = used(db, &bytes)) == SQLITE_OK &&
	       bytes > db->size / 10 * 9) {
		int gone = sqlite3_total_changes(db->db);

		rc = drop_oldest(db);
		if (rc == SQLITE_OK && sqlite3_total_changes(db->db) == gone)
			break;
		dropped = true;
	}
	if (rc == SQLITE_OK && dropped && history_db_bytes(db) > db->size) {
		rc = history_db_run(db, "PRAGMA incremental_vacuum");
		if (rc == SQLITE_OK)
			return bound(db, why);
	}
	return rc == SQLITE_OK ? rc : history_db_tell(db, rc, "removing the oldest", why);
}
