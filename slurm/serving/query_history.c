/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * query_history.c - decisions and outcomes, from the database: one by one, or summed up
 */
#include "slurm/base/compat.h"

#include "slurm/history/history.h"
#include "slurm/serving/query_desc.h"
#include "slurm/serving/query_row.h"

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

/* Of the summary; of the months and of all there are fewer. */
#define LINES_MOST 10000

struct summary {
	struct access access;
	json_object *lines[HISTORY_ALL + 1]; /* by level */
	/* The one that is being filled, and what it is about. */
	json_object *line;
	enum history_level level;
	int month;
	uint32_t uid;
	char account[NAME_MAX_LENGTH + 1];
	bool cut;
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

static void add_up(json_object *to, const char *key, int64_t value)
{
	json_object *old = NULL;

	json_object_object_get_ex(to, key, &old);
	json_object_object_add(to, key, json_object_new_int64(json_object_get_int64(old) + value));
}

static json_object *entry_json(const struct history_entry *e)
{
	json_object *to = json_object_new_object();

	add_number(to, "row", e->row);
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

static bool read_filter(struct query *q, struct history_filter *f)
{
	time_t since = 0, until = 0;

	f->uid = -1;
	if (!wire_arg_number(q->args, "user", 0, UINT32_MAX, &f->uid, q->why) ||
	    !wire_arg_text(q->args, "account", NAME_MAX_LENGTH, &f->account, q->why) ||
	    !query_arg_moment(q, "since", &since) || !query_arg_moment(q, "until", &until))
		return false;
	f->since = since;
	f->until = until;
	return true;
}

static bool read_list_filter(struct query *q, struct history_filter *f, int64_t *limit)
{
	static const char *const keys[] = { "user", "account", "since",	  "until",  "outcome",
					    "job",  "limit",   "summary", "before", NULL };

	if (!wire_args_known(q->args, keys, q->why) || !read_filter(q, f) ||
	    !wire_arg_number(q->args, "job", 1, UINT32_MAX, &f->job, q->why) ||
	    !wire_arg_number(q->args, "limit", 1, LIMIT_MOST, limit, q->why) ||
	    !wire_arg_number(q->args, "before", 1, INT64_MAX, &f->before, q->why) ||
	    !wire_arg_text(q->args, "outcome", NAME_MAX_LENGTH, &f->what, q->why))
		return false;
	if (!f->what || history_word(f->what))
		return true;
	snprintf(q->why, sizeof(q->why),
		 "outcome: must be accepted, refused, observed, void, kept, at_limit, broken, "
		 "cancelled, withdrawn or unknown, not %.40s",
		 f->what);
	return false;
}

static bool sees(void *arg, uint32_t uid, const char *account, const char *partition)
{
	const struct summary *s = arg;

	return query_sees_owned(&s->access, uid, account, partition);
}

/* RET NULL: there are as many lines as there may be */
static json_object *begin_line(struct summary *s, const struct history_figure *f)
{
	json_object *line;
	char month[32];

	if (json_object_array_length(s->lines[f->level]) == LINES_MOST)
		return NULL;
	line = json_object_new_object();
	if (f->level != HISTORY_ALL) {
		snprintf(month, sizeof(month), "%04d-%02d", f->month / 100, f->month % 100);
		add_text(line, "month", month);
	}
	if (f->level == HISTORY_USER) {
		json_object_object_add(line, "user", json_object_new_int64(f->uid));
		json_object_object_add(line, "account", json_object_new_string(f->account));
		s->uid = f->uid;
		snprintf(s->account, sizeof(s->account), "%s", f->account);
	}
	s->month = f->month;
	json_object_array_add(s->lines[f->level], line);
	return line;
}

/* The figures of a line come together. */
static bool add_figure(void *arg, const struct history_figure *f)
{
	struct summary *s = arg;
	bool refused = !strcmp(f->what, "refused");
	json_object *reasons = NULL;

	if (!s->line || s->level != f->level || s->month != f->month ||
	    (f->level == HISTORY_USER &&
	     (s->uid != f->uid || strncmp(s->account, f->account, sizeof(s->account) - 1))))
		s->line = begin_line(s, f);
	s->level = f->level;
	if (!s->line) {
		s->cut = true;
		return false;
	}
	if (!refused) {
		json_object_object_add(s->line, f->what, json_object_new_int64(f->value));
		return true;
	}
	if (!json_object_object_get_ex(s->line, "reasons", &reasons))
		json_object_object_add(s->line, "reasons", reasons = json_object_new_object());
	json_object_object_add(reasons, f->reason[0] ? f->reason : "other",
			       json_object_new_int64(f->value));
	add_up(s->line, "refused", f->value);
	return true;
}

static const char *query_summary(struct query *q)
{
	static const char *const keys[] = { "user", "account", "since", "until", "summary", NULL };
	static const char *const names[] = { "lines", "months", "all" };
	struct history_filter filter = { 0 };
	struct summary s = { .line = NULL };
	char why[HISTORY_WHY] = "";
	bool complete, ok;

	if (!wire_args_known(q->args, keys, q->why) || !read_filter(q, &filter))
		return WIRE_ARGUMENT;
	if (!access_open(&s.access, q->uid)) {
		access_close(&s.access);
		snprintf(q->why, sizeof(q->why), "out of memory");
		return WIRE_BUSY;
	}
	for (int i = 0; i <= HISTORY_ALL; i++)
		json_object_object_add(q->answer, names[i], s.lines[i] = json_object_new_array());
	ok = history_sum(&filter, MOST_MS, sees, add_figure, &s, &complete, why);
	access_close(&s.access);
	if (ok && complete) {
		json_object_object_add(q->answer, "complete", json_object_new_boolean(!s.cut));
		return NULL;
	}
	for (int i = 0; i <= HISTORY_ALL; i++)
		json_object_object_del(q->answer, names[i]);
	snprintf(q->why, sizeof(q->why), "%s",
		 ok ? "the history is too long to be summed up at once: ask for less (since)"
		    : why);
	return ok ? WIRE_BUSY : WIRE_NOT_FOUND;
}

static const char *query_list(struct query *q)
{
	struct listing l = { .limit = LIMIT };
	struct history_filter filter = { 0 };
	char why[HISTORY_WHY] = "";
	bool complete, ok;

	if (!read_list_filter(q, &filter, &l.limit))
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

const char *query_history(struct query *q)
{
	bool summary = false;

	if (!wire_arg_bool(q->args, "summary", &summary, q->why))
		return WIRE_ARGUMENT;
	return summary ? query_summary(q) : query_list(q);
}
