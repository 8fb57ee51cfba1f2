/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * history_db_own.h - what the files of history_db.h share
 */
#ifndef PACT_SLURM_HISTORY_DB_OWN_H
#define PACT_SLURM_HISTORY_DB_OWN_H

#include <stdio.h>

#include "slurm/history/history_db.h"

struct history_db {
	sqlite3 *db; /* NULL: it could not even be begun */
	sqlite3_stmt *insert, *bind, *cancel, *learn, *resize; /* of each op but the check */
	int64_t size;
};

/* The statements, for the tables as they are.  RET sqlite's code */
int history_db_prepare(struct history_db *db);
void history_db_unprepare(struct history_db *db);

/* What one job needed, written, and all but the latest removed.  RET sqlite's code */
int history_db_learn(struct history_db *db, const struct history_past *past);
int history_db_learn_prepare(struct history_db *db);
int history_db_past_prune(struct history_db *db, int64_t before);

/* What became of a job's nodes, written.  RET sqlite's code */
int history_db_resize(struct history_db *db, const struct history_resize *resize);
int history_db_resize_prepare(struct history_db *db);

/* OUT why - `what` was done when sqlite said so.  RET code */
static inline int history_db_tell(struct history_db *db, int code, const char *what,
				  char why[HISTORY_WHY])
{
	snprintf(why, HISTORY_WHY, "%s: %s", what, db->db ? sqlite3_errmsg(db->db) : "no memory");
	return code;
}

static inline int history_db_run(struct history_db *db, const char *sql)
{
	return sqlite3_exec(db->db, sql, NULL, NULL, NULL);
}

#endif /* PACT_SLURM_HISTORY_DB_OWN_H */
