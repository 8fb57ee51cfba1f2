/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * query_history.c - decisions and outcomes, from the database
 */
#include "slurm/compat.h"

#include "slurm/history.h"
#include "slurm/query_desc.h"
#include "slurm/query_row.h"

#define LIMIT 100
#define LIMIT_MOST 10000
/* Of reading: other users wait for their answers. */
#define MOST_MS 500
#define NAME_MAX_LENGTH 100

struct listing {
	struct access access;
	json_object *rows;
	int64_t limit;
};

static void add_text(json_object *to, const char *key, const char *value)
{
	if (value[0])
		json_object_object_add(to, key, json_object_new_string(value));
}

static void add_number(json_object *to, const char *key, int64_t value)
{
	if (value)
		json_object_object_add(to, key, json_object_new_int64(value));
}

static json_object *entry_json(const struct history_entry *e)
{
	json_object *to = json_object_new_object();

	add_number(to, "when", e->when);
	add_text(to, "what", e->what);
	add_number(to, "job", e->job);
	if (e->job && e->base && e->task != NO_VAL) {
		add_number(to, "array", e->base);
		json_object_object_add(to, "task", json_object_new_int64(e->task));
	}
	json_object_object_add(to, "user", json_object_new_int64(e->uid));
	add_text(to, "account", e->account);
	add_text(to, "partition", e->partition);
	add_number(to, "nodes", e->nodes);
	add_number(to, "limit", e->limit);
	add_number(to, "tasks", e->tasks);
	add_number(to, "deadline", e->deadline);
	add_number(to, "start", e->start);
	add_number(to, "end", e->end);
	add_number(to, "late", e->late);
	add_text(to, "reason", e->reason);
	add_text(to, "reference", e->reference);
	add_text(to, "text", e->text);
	return to;
}

static bool list(void *arg, const struct history_entry *entry)
{
	struct listing *l = arg;

	if (query_sees_owned(&l->access, entry->uid, entry->account, entry->partition))
		json_object_array_add(l->rows, entry_json(entry));
	return (int64_t)json_object_array_length(l->rows) < l->limit;
}

static bool read_filter(struct query *q, struct history_filter *f, int64_t *limit)
{
	static const char *const keys[] = { "user",    "account", "since", "until",
					    "outcome", "job",	  "limit", NULL };
	time_t since = 0, until = 0;

	f->uid = -1;
	if (!wire_args_known(q->args, keys, q->why) ||
	    !wire_arg_number(q->args, "user", 0, UINT32_MAX, &f->uid, q->why) ||
	    !wire_arg_number(q->args, "job", 1, UINT32_MAX, &f->job, q->why) ||
	    !wire_arg_number(q->args, "limit", 1, LIMIT_MOST, limit, q->why) ||
	    !wire_arg_text(q->args, "account", NAME_MAX_LENGTH, &f->account, q->why) ||
	    !wire_arg_text(q->args, "outcome", NAME_MAX_LENGTH, &f->what, q->why) ||
	    !query_arg_moment(q, "since", &since) || !query_arg_moment(q, "until", &until))
		return false;
	f->since = since;
	f->until = until;
	if (!f->what || history_word(f->what))
		return true;
	snprintf(q->why, sizeof(q->why),
		 "outcome: must be accepted, refused, observed, void, kept, at_limit, broken, "
		 "cancelled, withdrawn or unknown, not %.40s",
		 f->what);
	return false;
}

const char *query_history(struct query *q)
{
	struct listing l = { .limit = LIMIT };
	struct history_filter filter = { 0 };
	char why[HISTORY_WHY] = "";
	bool complete, ok;

	if (!read_filter(q, &filter, &l.limit))
		return WIRE_ARGUMENT;
	if (!access_open(&l.access, q->uid)) {
		access_close(&l.access);
		snprintf(q->why, sizeof(q->why), "out of memory");
		return WIRE_BUSY;
	}
	l.rows = json_object_new_array();
	ok = history_find(&filter, MOST_MS, list, &l, &complete, why);
	access_close(&l.access);
	if (!ok) {
		json_object_put(l.rows);
		snprintf(q->why, sizeof(q->why), "%s", why);
		return WIRE_NOT_FOUND;
	}
	json_object_object_add(q->answer, "entries", l.rows);
	json_object_object_add(q->answer, "complete", json_object_new_boolean(complete));
	return NULL;
}
