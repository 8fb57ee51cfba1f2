/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * history_find.c - what was decided and what came of it, as the history has it
 */
#include "slurm/history/history_db.h"

static const char *const decisions[] = { "accepted", "expected", "refused", "observed", "void" };
static const char *const outcomes[] = { "kept",	     "at_limit",  "broken",
					"cancelled", "withdrawn", "unknown" };

bool history_outcome(const char *what)
{
	return history_among(outcomes, sizeof(outcomes) / sizeof(outcomes[0]), what);
}

bool history_word(const char *what)
{
	return history_among(decisions, sizeof(decisions) / sizeof(decisions[0]), what) ||
	       history_outcome(what);
}

/* See struct history_search. */
static const char *const query =
	"SELECT at,what,job,base,task,uid,account,partition,deadline,lim,began,ended,late,nodes,"
	"tasks,reference,reason,text,id FROM event"
	" WHERE (?1=0 OR at>=?1) AND (?2=0 OR at<=?2) AND (?3<0 OR uid=?3)"
	" AND (?4=0 OR job=?4 OR base=?4) AND (?6 IS NULL OR account=?6) AND (?7 IS NULL OR "
	"what=?7) AND (?8 IS NULL OR reference=?8) AND (?5=0 OR id<?5)"
	" ORDER BY id DESC";

static void read_entry(sqlite3_stmt *s, struct history_entry *e)
{
	*e = (struct history_entry){
		.when = sqlite3_column_int64(s, 0),
		.what = history_text(s, 1),
		.job = (uint32_t)sqlite3_column_int64(s, 2),
		.base = (uint32_t)sqlite3_column_int64(s, 3),
		.task = (uint32_t)sqlite3_column_int64(s, 4),
		.uid = (uint32_t)sqlite3_column_int64(s, 5),
		.account = history_text(s, 6),
		.partition = history_text(s, 7),
		.deadline = sqlite3_column_int64(s, 8),
		.limit = sqlite3_column_int64(s, 9),
		.start = sqlite3_column_int64(s, 10),
		.end = sqlite3_column_int64(s, 11),
		.late = sqlite3_column_int64(s, 12),
		.nodes = sqlite3_column_int64(s, 13),
		.tasks = sqlite3_column_int64(s, 14),
		.reference = history_text(s, 15),
		.reason = history_text(s, 16),
		.text = history_text(s, 17),
		.row = sqlite3_column_int64(s, 18),
	};
}

struct search {
	history_visit *visit;
	void *arg;
};

static bool visit_entry(void *arg, sqlite3_stmt *s)
{
	const struct search *search = arg;
	struct history_entry entry;

	read_entry(s, &entry);
	return search->visit(search->arg, &entry);
}

bool history_find(const struct history_filter *filter, int64_t most_ms, history_visit *visit,
		  void *arg, bool *complete, char why[HISTORY_WHY])
{
	struct search search = { .visit = visit, .arg = arg };
	struct history_search all = {
		.query = query, .filter = filter, .row = visit_entry, .arg = &search
	};

	return history_search(&all, most_ms, complete, why);
}
