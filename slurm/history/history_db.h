/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * history_db.h - the database of history.h: opening, writing, its bounds
 *
 * No thread of its own and no state but what the caller holds.
 */
#ifndef PACT_SLURM_HISTORY_DB_H
#define PACT_SLURM_HISTORY_DB_H

#include <sqlite3.h>

#include "slurm/history/history.h"

struct history_db;

/*
 * Open or make the database.  One that is corrupt is moved to FILE.corrupt first,
 * in the place of an older such file, and *moved is set.
 * OUT why - when NULL is returned
 */
struct history_db *history_db_open(const char *file, int64_t size, bool *moved,
				   char why[HISTORY_WHY]);
void history_db_close(struct history_db *db);

/*
 * Entries in one transaction: all or none.
 * RET SQLITE_OK, or sqlite's code and why
 */
int history_db_write(struct history_db *db, const struct history_entry *entries, size_t n,
		     char why[HISTORY_WHY]);

/* All that jobs needed: out's.  RET sqlite's code */
int history_db_past(struct history_db *db, struct history_pasts *out, char why[HISTORY_WHY]);

/* Remove what is older than `before`, and the oldest of what is more than the size allows. */
int history_db_prune(struct history_db *db, int64_t before, char why[HISTORY_WHY]);

/* The size of the file. */
int64_t history_db_bytes(struct history_db *db);

/* Is it the file's content that is bad? */
bool history_db_corrupt(int code);

/* RET sqlite's code: SQLITE_OK, SQLITE_INTERRUPT (too late), or an error */
typedef int history_reader(void *arg, sqlite3 *db);

/*
 * Read, by a connection of the caller's own; with no file yet the reader is not called.
 * IN most_ms, OUT complete, why, RET - as of history_find()
 */
bool history_read(int64_t most_ms, history_reader *reader, void *arg, bool *complete,
		  char why[HISTORY_WHY]);

/*
 * A search for rows that fit a filter, the latest first.  The query is given the filter as ?1 since, ?2 until, ?3 uid,
 * ?4 job, ?5 before, ?6 account, ?7 what and ?8 reference, as far as it has these; one that is absent (0, below 0 of
 * the uid, NULL) has to hold for all rows.
 */
struct history_search {
	const char *query;
	const char
		*table; /* without which there is nothing to be found; NULL: it always is there */
	const struct history_filter *filter;
	/* A row; what is read from it is good until this returns.  RET go on */
	bool (*row)(void *arg, sqlite3_stmt *s);
	void *arg;
};

/* IN most_ms, OUT complete, why, RET - as of history_find() */
bool history_search(struct history_search *search, int64_t most_ms, bool *complete,
		    char why[HISTORY_WHY]);

/* A column; NULL is no text. */
const char *history_text(sqlite3_stmt *s, int column);

/* Is it one of these n words? */
bool history_among(const char *const *words, size_t n, const char *what);

#endif /* PACT_SLURM_HISTORY_DB_H */
