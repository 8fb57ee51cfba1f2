/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * history_find_resizes.c - what became of running jobs' nodes, as the history has it
 */
#include "slurm/history/history_db.h"

static const char *const words[] = { "grown", "given_back", "taken", "lost", "revoked", "refused" };

bool history_resize_word(const char *what)
{
	return history_among(words, sizeof(words) / sizeof(words[0]), what);
}

/* See struct history_search. */
static const char *const query =
	"SELECT id,at,what,job,uid,account,partition,by,was,has,wanted,forjob,asked,notice,notnow,"
	"held FROM resize WHERE (?1=0 OR at>=?1) AND (?2=0 OR at<=?2) AND (?3<0 OR uid=?3)"
	" AND (?4=0 OR job=?4) AND (?6 IS NULL OR account=?6) AND (?7 IS NULL OR what=?7)"
	" AND (?5=0 OR id<?5) ORDER BY id DESC";

static uint32_t number(sqlite3_stmt *s, int column)
{
	return (uint32_t)sqlite3_column_int64(s, column);
}

static struct history_resize row(sqlite3_stmt *s)
{
	return (struct history_resize){
		.row = sqlite3_column_int64(s, 0),
		.when = sqlite3_column_int64(s, 1),
		.what = history_text(s, 2),
		.job = number(s, 3),
		.uid = number(s, 4),
		.account = history_text(s, 5),
		.partition = history_text(s, 6),
		.by = history_text(s, 7),
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

struct search {
	history_resize_visit *visit;
	void *arg;
};

static bool visit_row(void *arg, sqlite3_stmt *s)
{
	const struct search *search = arg;
	struct history_resize resize = row(s);

	return search->visit(search->arg, &resize);
}

bool history_find_resizes(const struct history_filter *filter, int64_t most_ms,
			  history_resize_visit *visit, void *arg, bool *complete,
			  char why[HISTORY_WHY])
{
	struct search search = { .visit = visit, .arg = arg };
	struct history_search all = { .query = query,
				      .table = "resize",
				      .filter = filter,
				      .row = visit_row,
				      .arg = &search };

	return history_search(&all, most_ms, complete, why);
}
