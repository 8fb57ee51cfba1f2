/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * history_past.c - the database of history.h: what jobs needed of their limits
 *
 * A table that nothing else looks at, bounded by number as well as by age.
 */
#include "slurm/history/history_db_own.h"

#include <stdlib.h>
#include <string.h>

static const char *const add = "INSERT INTO past VALUES(NULL,?1,?2,?3,?4,?5,?6,?7)";

static const char *const read_all =
	"SELECT at,partition,uid,lim,part,cut,life FROM past ORDER BY id DESC LIMIT ?1";

int history_db_learn_prepare(struct history_db *db)
{
	return sqlite3_prepare_v2(db->db, add, -1, &db->learn, NULL);
}

int history_db_learn(struct history_db *db, const struct history_past *past)
{
	sqlite3_stmt *s = db->learn;
	int rc;

	sqlite3_bind_int64(s, 1, past->when);
	sqlite3_bind_text(s, 2, past->partition, -1, SQLITE_STATIC);
	sqlite3_bind_int64(s, 3, past->uid);
	sqlite3_bind_int64(s, 4, past->limit);
	sqlite3_bind_int64(s, 5, past->part);
	sqlite3_bind_int64(s, 6, past->cut);
	sqlite3_bind_int64(s, 7, past->life);
	rc = sqlite3_step(s);
	sqlite3_reset(s);
	sqlite3_clear_bindings(s);
	return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

static struct history_past row(sqlite3_stmt *s)
{
	const char *partition = (const char *)sqlite3_column_text(s, 1);
	struct history_past past = {
		.when = sqlite3_column_int64(s, 0),
		.uid = (uint32_t)sqlite3_column_int64(s, 2),
		.limit = sqlite3_column_int64(s, 3),
		.part = sqlite3_column_int(s, 4),
		.cut = sqlite3_column_int(s, 5),
		.life = sqlite3_column_int64(s, 6),
	};

	snprintf(past.partition, sizeof(past.partition), "%s", partition ? partition : "");
	return past;
}

/* They were read from the latest on. */
static void turn(struct history_pasts *p)
{
	for (size_t i = 0; i < p->n / 2; i++) {
		struct history_past other = p->v[i];

		p->v[i] = p->v[p->n - 1 - i];
		p->v[p->n - 1 - i] = other;
	}
}

/* One more.  RET sqlite's code */
static int keep(struct history_pasts *p, const struct history_past *past, size_t *room)
{
	struct history_past *more;

	if (p->n == *room) {
		more = realloc(p->v, (2 * *room + 64) * sizeof(*more));
		if (!more)
			return SQLITE_NOMEM;
		p->v = more;
		*room = 2 * *room + 64;
	}
	p->v[p->n++] = *past;
	return SQLITE_OK;
}

int history_db_past(struct history_db *db, struct history_pasts *out, char why[HISTORY_WHY])
{
	sqlite3_stmt *s = NULL;
	size_t room = 0;
	int rc = sqlite3_prepare_v2(db->db, read_all, -1, &s, NULL);

	*out = (struct history_pasts){ 0 };
	if (rc == SQLITE_OK)
		rc = sqlite3_bind_int64(s, 1, HISTORY_PAST_MOST);
	while (rc == SQLITE_OK && (rc = sqlite3_step(s)) == SQLITE_ROW) {
		struct history_past past = row(s);

		rc = keep(out, &past, &room);
	}
	sqlite3_finalize(s);
	turn(out);
	if (rc == SQLITE_DONE)
		return SQLITE_OK;
	free(out->v);
	*out = (struct history_pasts){ 0 };
	return history_db_tell(db, rc, "reading what jobs needed", why);
}

int history_db_past_prune(struct history_db *db, int64_t before)
{
	char sql[160];

	snprintf(sql, sizeof(sql),
		 "DELETE FROM past WHERE at < %lld OR id <= (SELECT max(id) - %d FROM past)",
		 (long long)before, HISTORY_PAST_MOST);
	return history_db_run(db, sql);
}
