/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * history_find_resizes.c - what became of running jobs' nodes, by a connection of the reader's own
 */
#include "slurm/history/history_db.h"

#include <string.h>

static const char *const words[] = { "grown", "given_back", "taken", "lost", "revoked", "refused" };

bool history_resize_word(const char *what)
{
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcmp(words[i], what))
			return true;
	return false;
}

/* An absent condition is one that holds for all. */
static const char *const query =
	"SELECT id,at,what,job,uid,account,partition,by,was,has,wanted,forjob,asked,notice,notnow,"
	"held FROM resize WHERE (?1=0 OR at>=?1) AND (?2=0 OR at<=?2) AND (?3<0 OR uid=?3)"
	" AND (?4=0 OR job=?4) AND (?5 IS NULL OR account=?5) AND (?6 IS NULL OR what=?6)"
	" AND (?7=0 OR id<?7) ORDER BY id DESC";

static const char *text(sqlite3_stmt *s, int column)
{
	const char *found = (const char *)sqlite3_column_text(s, column);

	return found ? found : "";
}

static uint32_t number(sqlite3_stmt *s, int column)
{
	return (uint32_t)sqlite3_column_int64(s, column);
}

static struct history_resize row(sqlite3_stmt *s)
{
	return (struct history_resize){
		.row = sqlite3_column_int64(s, 0),
		.when = sqlite3_column_int64(s, 1),
		.what = text(s, 2),
		.job = number(s, 3),
		.uid = number(s, 4),
		.account = text(s, 5),
		.partition = text(s, 6),
		.by = text(s, 7),
		.was = number(s, 8),
		.has = number(s, 9),
		.wanted = number(s, 10),
		.for_job = number(s, 11),
		.asked = sqlite3_column_int64(s, 12),
		.notice = sqlite3_column_int64(s, 13),
		.not_now = sqlite3_column_int64(s, 14),
		.held = sqlite3_column_int64(s, 15),
	};
}

static void bind(sqlite3_stmt *s, const struct history_filter *f)
{
	const int64_t numbers[] = { f->since, f->until, f->uid, f->job };

	for (int i = 0; i < (int)(sizeof(numbers) / sizeof(numbers[0])); i++)
		sqlite3_bind_int64(s, 1 + i, numbers[i]);
	sqlite3_bind_text(s, 5, f->account, -1, SQLITE_STATIC);
	sqlite3_bind_text(s, 6, f->what, -1, SQLITE_STATIC);
	sqlite3_bind_int64(s, 7, f->before);
}

struct search {
	const struct history_filter *filter;
	history_resize_visit *visit;
	void *arg;
};

/* A database that an older Pact has made, and that was not written since, has none. */
static int is_there(sqlite3 *db, bool *there)
{
	sqlite3_stmt *s = NULL;
	int rc = sqlite3_prepare_v2(db, "SELECT 1 FROM sqlite_master WHERE name='resize'", -1, &s,
				    NULL);

	if (rc == SQLITE_OK)
		rc = sqlite3_step(s);
	*there = rc == SQLITE_ROW;
	sqlite3_finalize(s);
	return rc == SQLITE_ROW || rc == SQLITE_DONE ? SQLITE_OK : rc;
}

static int visit_all(void *arg, sqlite3 *db)
{
	const struct search *search = arg;
	struct history_resize resize;
	sqlite3_stmt *s = NULL;
	bool there;
	int rc = is_there(db, &there);

	if (rc != SQLITE_OK || !there)
		return rc;
	rc = sqlite3_prepare_v2(db, query, -1, &s, NULL);
	if (rc == SQLITE_OK)
		bind(s, search->filter);
	while (rc == SQLITE_OK && (rc = sqlite3_step(s)) == SQLITE_ROW) {
		resize = row(s);
		rc = search->visit(search->arg, &resize) ? SQLITE_OK : SQLITE_DONE;
	}
	sqlite3_finalize(s);
	return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

bool history_find_resizes(const struct history_filter *filter, int64_t most_ms,
			  history_resize_visit *visit, void *arg, bool *complete,
			  char why[HISTORY_WHY])
{
	struct search search = { .filter = filter, .visit = visit, .arg = arg };

	return history_read(most_ms, visit_all, &search, complete, why);
}
