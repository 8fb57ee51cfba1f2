/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * history_find.c - what the history has, by a connection of the reader's own
 *
 * In WAL mode a reader holds up no writer.
 */
#include "slurm/history/history_db.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Steps of sqlite's machine between two looks at the clock. */
#define STEPS 1000

static const char *const decisions[] = { "accepted", "expected", "refused", "observed", "void" };
static const char *const outcomes[] = { "kept",	     "at_limit",  "broken",
					"cancelled", "withdrawn", "unknown" };

static bool among(const char *const *words, size_t n, const char *what)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(words[i], what))
			return true;
	return false;
}

bool history_outcome(const char *what)
{
	return among(outcomes, sizeof(outcomes) / sizeof(outcomes[0]), what);
}

bool history_word(const char *what)
{
	return among(decisions, sizeof(decisions) / sizeof(decisions[0]), what) ||
	       history_outcome(what);
}

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

/* An absent condition is one that holds for all. */
static const char *const query =
	"SELECT at,what,job,base,task,uid,account,partition,deadline,lim,began,ended,late,nodes,"
	"tasks,reference,reason,text,id FROM event"
	" WHERE (?1=0 OR at>=?1) AND (?2=0 OR at<=?2) AND (?3<0 OR uid=?3)"
	" AND (?4=0 OR job=?4 OR base=?4) AND (?5 IS NULL OR account=?5) AND (?6 IS NULL OR "
	"what=?6) AND (?7 IS NULL OR reference=?7) AND (?8=0 OR id<?8)"
	" ORDER BY id DESC";

static const char *text(sqlite3_stmt *s, int column)
{
	const char *found = (const char *)sqlite3_column_text(s, column);

	return found ? found : "";
}

static void read_entry(sqlite3_stmt *s, struct history_entry *e)
{
	*e = (struct history_entry){
		.when = sqlite3_column_int64(s, 0),
		.what = text(s, 1),
		.job = (uint32_t)sqlite3_column_int64(s, 2),
		.base = (uint32_t)sqlite3_column_int64(s, 3),
		.task = (uint32_t)sqlite3_column_int64(s, 4),
		.uid = (uint32_t)sqlite3_column_int64(s, 5),
		.account = text(s, 6),
		.partition = text(s, 7),
		.deadline = sqlite3_column_int64(s, 8),
		.limit = sqlite3_column_int64(s, 9),
		.start = sqlite3_column_int64(s, 10),
		.end = sqlite3_column_int64(s, 11),
		.late = sqlite3_column_int64(s, 12),
		.nodes = sqlite3_column_int64(s, 13),
		.tasks = sqlite3_column_int64(s, 14),
		.reference = text(s, 15),
		.reason = text(s, 16),
		.text = text(s, 17),
		.row = sqlite3_column_int64(s, 18),
	};
}

static void bind(sqlite3_stmt *s, const struct history_filter *f)
{
	sqlite3_bind_int64(s, 1, f->since);
	sqlite3_bind_int64(s, 2, f->until);
	sqlite3_bind_int64(s, 3, f->uid);
	sqlite3_bind_int64(s, 4, f->job);
	sqlite3_bind_text(s, 5, f->account, -1, SQLITE_STATIC);
	sqlite3_bind_text(s, 6, f->what, -1, SQLITE_STATIC);
	sqlite3_bind_text(s, 7, f->reference, -1, SQLITE_STATIC);
	sqlite3_bind_int64(s, 8, f->before);
}

struct search {
	const struct history_filter *filter;
	history_visit *visit;
	void *arg;
};

static int visit_all(void *arg, sqlite3 *db)
{
	const struct search *search = arg;
	sqlite3_stmt *s = NULL;
	int rc = sqlite3_prepare_v2(db, query, -1, &s, NULL);
	struct history_entry entry;

	if (rc == SQLITE_OK)
		bind(s, search->filter);
	while (rc == SQLITE_OK && (rc = sqlite3_step(s)) == SQLITE_ROW) {
		read_entry(s, &entry);
		rc = search->visit(search->arg, &entry) ? SQLITE_OK : SQLITE_DONE;
	}
	sqlite3_finalize(s);
	return rc == SQLITE_DONE ? SQLITE_OK : rc;
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

bool history_find(const struct history_filter *filter, int64_t most_ms, history_visit *visit,
		  void *arg, bool *complete, char why[HISTORY_WHY])
{
	struct search search = { .filter = filter, .visit = visit, .arg = arg };

	return history_read(most_ms, visit_all, &search, complete, why);
}
