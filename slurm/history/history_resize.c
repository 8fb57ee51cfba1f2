/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * history_resize.c - the database of history.h: what became of running jobs' nodes
 *
 * A table that no decision or outcome is in: pages of it go by its own row numbers, and no sum has it.
 */
#include "slurm/history/history_db_own.h"

static const char *const add =
	"INSERT INTO resize VALUES(NULL,?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15)";

int history_db_resize_prepare(struct history_db *db)
{
	return sqlite3_prepare_v2(db->db, add, -1, &db->resize, NULL);
}

int history_db_resize(struct history_db *db, const struct history_resize *r)
{
	const int64_t numbers[] = { r->was,   r->has,	 r->wanted,  r->for_job,
				    r->asked, r->notice, r->not_now, r->held };
	sqlite3_stmt *s = db->resize;
	int rc;

	sqlite3_bind_int64(s, 1, r->when);
	sqlite3_bind_text(s, 2, r->what, -1, SQLITE_STATIC);
	sqlite3_bind_int64(s, 3, r->job);
	sqlite3_bind_int64(s, 4, r->uid);
	sqlite3_bind_text(s, 5, r->account, -1, SQLITE_STATIC);
	sqlite3_bind_text(s, 6, r->partition, -1, SQLITE_STATIC);
	sqlite3_bind_text(s, 7, r->by, -1, SQLITE_STATIC);
	for (int i = 0; i < (int)(sizeof(numbers) / sizeof(numbers[0])); i++)
		sqlite3_bind_int64(s, 8 + i, numbers[i]);
	rc = sqlite3_step(s);
	sqlite3_reset(s);
	sqlite3_clear_bindings(s);
	return rc == SQLITE_DONE ? SQLITE_OK : rc;
}
