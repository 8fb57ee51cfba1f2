/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * history_read.c - what the history has, by a connection of the reader's own
 *
 * In WAL mode a reader holds up no writer.
 */
#include "slurm/history/history_db.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Steps of sqlite's machine between two looks at the clock. */
#define STEPS 1000

static int64_t milliseconds(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

static int too_late(void *arg)
{
	return milliseconds() > *(const int64_t *)arg;
}

/*
 * There is no such file.  RET true: nothing has been decided yet; false: it was not to be made, or
 * is gone, and why
 */
static bool none_yet(const struct history_status *now, char why[HISTORY_WHY])
{
	char dir[PATH_MAX];
	char *last;

	snprintf(dir, sizeof(dir), "%s", now->file);
	last = strrchr(dir, '/');
	if (last)
		last[last == dir] = '\0';
	if (now->trouble[0])
		snprintf(why, HISTORY_WHY, "the history cannot be written: %.200s", now->trouble);
	else if (now->bytes)
		snprintf(why, HISTORY_WHY, "the history cannot be read: its file is gone");
	else if (last && access(dir, W_OK | X_OK))
		snprintf(why, HISTORY_WHY, "the history cannot be written: %.100s: %.100s", dir,
			 strerror(errno));
	else
		return true;
	return false;
}

bool history_read(int64_t most_ms, history_reader *reader, void *arg, bool *complete,
		  char why[HISTORY_WHY])
{
	int64_t end = milliseconds() + most_ms;
	struct history_status now;
	sqlite3 *db = NULL;
	int rc;

	*complete = false;
	history_look(&now);
	if (!now.on) {
		snprintf(why, HISTORY_WHY, "no history is kept: History= is not set in pact.conf");
		return false;
	}
	if (history_hangs()) {
		snprintf(why, HISTORY_WHY, "the history cannot be read: its disk does not answer");
		return false;
	}
	if (access(now.file, F_OK) && errno == ENOENT) {
		*complete = none_yet(&now, why);
		return *complete;
	}
	rc = sqlite3_open_v2(now.file, &db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL);
	if (rc == SQLITE_OK) {
		sqlite3_progress_handler(db, STEPS, too_late, &end);
		rc = reader(arg, db);
	}
	*complete = rc == SQLITE_OK;
	if (rc != SQLITE_OK && rc != SQLITE_INTERRUPT)
		snprintf(why, HISTORY_WHY, "the history cannot be read: %.200s",
			 db ? sqlite3_errmsg(db) : "no memory");
	sqlite3_close(db);
	return rc == SQLITE_OK || rc == SQLITE_INTERRUPT;
}

/* ---- rows ---- */

bool history_among(const char *const *words, size_t n, const char *what)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(words[i], what))
			return true;
	return false;
}

const char *history_text(sqlite3_stmt *s, int column)
{
	const char *found = (const char *)sqlite3_column_text(s, column);

	return found ? found : "";
}

/* A database that an older Pact has made, and that was not written since, may have none. */
static int is_there(sqlite3 *db, const char *table, bool *there)
{
	sqlite3_stmt *s = NULL;
	int rc = sqlite3_prepare_v2(db, "SELECT 1 FROM sqlite_master WHERE name=?1", -1, &s, NULL);

	if (rc == SQLITE_OK) {
		sqlite3_bind_text(s, 1, table, -1, SQLITE_STATIC);
		rc = sqlite3_step(s);
	}
	*there = rc == SQLITE_ROW;
	sqlite3_finalize(s);
	return rc == SQLITE_ROW || rc == SQLITE_DONE ? SQLITE_OK : rc;
}

/* As far as the statement has them. */
static void bind(sqlite3_stmt *s, const struct history_filter *f)
{
	const int64_t numbers[] = { f->since, f->until, f->uid, f->job, f->before };
	const char *const texts[] = { f->account, f->what, f->reference };

	for (int i = 0; i < 5; i++)
		sqlite3_bind_int64(s, 1 + i, numbers[i]);
	for (int i = 0; i < 3 && 6 + i <= sqlite3_bind_parameter_count(s); i++)
		sqlite3_bind_text(s, 6 + i, texts[i], -1, SQLITE_STATIC);
}

static int visit_all(void *arg, sqlite3 *db)
{
	const struct history_search *search = arg;
	sqlite3_stmt *s = NULL;
	bool there = true;
	int rc = search->table ? is_there(db, search->table, &there) : SQLITE_OK;

	if (rc != SQLITE_OK || !there)
		return rc;
	rc = sqlite3_prepare_v2(db, search->query, -1, &s, NULL);
	if (rc == SQLITE_OK)
		bind(s, search->filter);
	while (rc == SQLITE_OK && (rc = sqlite3_step(s)) == SQLITE_ROW)
		rc = search->row(search->arg, s) ? SQLITE_OK : SQLITE_DONE;
	sqlite3_finalize(s);
	return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

bool history_search(struct history_search *search, int64_t most_ms, bool *complete,
		    char why[HISTORY_WHY])
{
	return history_read(most_ms, visit_all, search, complete, why);
}
