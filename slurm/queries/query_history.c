/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * query_history.c - decisions and outcomes, from the database: one by one, or summed up; and resizes
 */
#include "slurm/base/compat.h"

#include "slurm/history/history.h"
#include "slurm/queries/query_desc.h"
#include "slurm/queries/query_row.h"

#define LIMIT 100
/* How long it may read: other users wait for their answers. */
#define MOST_MS 500
#define NAME_MAX_LENGTH 100

struct listing {
	struct access access;
	json_object *rows;
	int64_t limit;
};

/* One part of it, by lines. */
struct summary {
	struct access access;
	json_object *lines;
	json_object *found; /* of these, each by its month, user and account */
};

static void add_text(json_object *to, const char *key, const char *value)
{
	if (value[0])
		wire_add_text(to, key, value);
}

static void add_number(json_object *to, const char *key, int64_t value)
{
	if (value)
		wire_add_number(to, key, value);
}

static void add_up(json_object *to, const char *key, int64_t value)
{
	json_object *old = NULL;

	json_object_object_get_ex(to, key, &old);
	wire_add_number(to, key, json_object_get_int64(old) + value);
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
		wire_add_number(to, "task", e->task);
	}
	wire_add_number(to, "user", e->uid);
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

static json_object *resize_json(const struct history_resize *r)
{
	json_object *to = json_object_new_object();

	add_number(to, "row", r->row);
	add_number(to, "when", r->when);
	add_text(to, "what", r->what);
	add_number(to, "job", r->job);
	wire_add_number(to, "user", r->uid);
	add_text(to, "account", r->account);
	add_text(to, "partition", r->partition);
	add_text(to, "by", r->by);
	add_number(to, "from", r->was);
	add_number(to, "to", r->has);
	add_number(to, "wanted", r->wanted);
	add_number(to, "for", r->for_job);
	add_number(to, "asked", r->asked);
	add_number(to, "notice", r->notice);
	if (r->not_now)
		wire_add_bool(to, "not_now", true);
	if (r->asked)
		wire_add_number(to, "took", r->when - r->asked);
	add_number(to, "held_us", r->held);
	return to;
}

static bool list_resize(void *arg, const struct history_resize *r)
{
	struct listing *l = arg;

	if (query_sees_owned(&l->access, r->uid, r->account, r->partition))
		json_object_array_add(l->rows, resize_json(r));
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

static bool known_word(struct query *q, const char *what, bool resizes)
{
	if (!what || (resizes ? history_resize_word(what) : history_word(what)))
		return true;
	snprintf(q->why, sizeof(q->why), "outcome: must be %s, not %.40s",
		 resizes ? "grown, given_back, taken, lost, revoked or refused"
			 : "accepted, expected, refused, observed, void, kept, at_limit, broken, "
			   "cancelled, withdrawn or unknown",
		 what);
	return false;
}

static bool read_list_filter(struct query *q, struct history_filter *f, int64_t *limit,
			     bool resizes)
{
	static const char *const keys[] = { "user",    "account", "since", "until",
					    "outcome", "job",	  "limit", "summary",
					    "resizes", "before",  NULL };

	if (!wire_args_known(q->args, keys, q->why) || !read_filter(q, f) ||
	    !wire_arg_number(q->args, "job", 1, UINT32_MAX, &f->job, q->why) ||
	    !wire_arg_number(q->args, "limit", 1, HISTORY_PAGE, limit, q->why) ||
	    !wire_arg_number(q->args, "before", 1, INT64_MAX, &f->before, q->why) ||
	    !wire_arg_text(q->args, "outcome", NAME_MAX_LENGTH, &f->what, q->why))
		return false;
	return known_word(q, f->what, resizes);
}

static bool sees(void *arg, uint32_t uid, const char *account, const char *partition)
{
	const struct summary *s = arg;

	return query_sees_owned(&s->access, uid, account, partition);
}

static json_object *line_of(struct summary *s, const struct history_share *share)
{
	json_object *line = NULL;
	char month[32], key[NAME_MAX_LENGTH * 4];

	snprintf(key, sizeof(key), "%d %u %s", share->month, share->uid, share->account);
	if (json_object_object_get_ex(s->found, key, &line))
		return line;
	line = json_object_new_object();
	snprintf(month, sizeof(month), "%04d-%02d", share->month / 100, share->month % 100);
	add_text(line, "month", month);
	wire_add_number(line, "user", share->uid);
	wire_add_text(line, "account", share->account);
	json_object_array_add(s->lines, line);
	wire_add(s->found, key, json_object_get(line));
	return line;
}

/* A count in an object of a line, which is made if it is missing. */
static void add_up_in(json_object *line, const char *object, const char *key, int64_t value)
{
	json_object *counts = NULL;

	if (!json_object_object_get_ex(line, object, &counts))
		wire_add(line, object, counts = json_object_new_object());
	add_up(counts, key, value);
}

static void add_share(void *arg, const struct history_share *share)
{
	json_object *line = line_of(arg, share);
	char slack[32];

	add_up(line, share->what, share->tasks);
	add_up(line, "open", share->open);
	if (!strcmp(share->what, "refused"))
		add_up_in(line, "reasons", share->reason[0] ? share->reason : "other",
			  share->tasks);
	if (!share->ran)
		return;
	snprintf(slack, sizeof(slack), "%lld", (long long)share->slack);
	add_up_in(line, "slacks", slack, share->tasks);
}

static bool read_part(struct query *q, struct history_filter *f, struct history_part *part,
		      int64_t *limit)
{
	static const char *const keys[] = { "user",    "account", "since",	"until", "limit",
					    "summary", "after",	  "after_when", NULL };

	return wire_args_known(q->args, keys, q->why) && read_filter(q, f) &&
	       wire_arg_number(q->args, "limit", 1, HISTORY_PAGE, limit, q->why) &&
	       wire_arg_number(q->args, "after", 1, INT64_MAX, &part->row, q->why) &&
	       wire_arg_number(q->args, "after_when", INT64_MIN, INT64_MAX, &part->when, q->why);
}

/* Has anything been read behind that row? */
static bool is_further(const struct history_part *part, const struct history_part *from)
{
	return part->row != (from->row ? from->row : INT64_MAX) || part->when != from->when;
}

static const char *query_summary(struct query *q)
{
	struct history_part from = { 0 }, part;
	struct history_filter filter = { 0 };
	int64_t limit = HISTORY_PAGE;
	char why[HISTORY_WHY] = "";
	struct summary s;
	bool complete, ok;

	if (!read_part(q, &filter, &from, &limit))
		return WIRE_ARGUMENT;
	if (!access_open(&s.access, q->uid)) {
		access_close(&s.access);
		snprintf(q->why, sizeof(q->why), "out of memory");
		return WIRE_BUSY;
	}
	part = from;
	s.lines = json_object_new_array();
	s.found = json_object_new_object();
	ok = history_sum(&filter, &part, limit, MOST_MS, sees, add_share, &s, &complete, why);
	access_close(&s.access);
	json_object_put(s.found);
	if (!ok || (!complete && !is_further(&part, &from))) {
		json_object_put(s.lines);
		snprintf(q->why, sizeof(q->why), "%s",
			 ok ? "the history was not read in time" : why);
		return ok ? WIRE_BUSY : WIRE_NOT_FOUND;
	}
	wire_add(q->answer, "lines", s.lines);
	if (!complete) {
		add_number(q->answer, "next", part.row);
		add_number(q->answer, "next_when", part.when);
	}
	return NULL;
}

static const char *query_list(struct query *q, bool resizes)
{
	struct listing l = { .limit = LIMIT };
	struct history_filter filter = { 0 };
	char why[HISTORY_WHY] = "";
	bool complete, ok;

	if (!read_list_filter(q, &filter, &l.limit, resizes))
		return WIRE_ARGUMENT;
	if (!access_open(&l.access, q->uid)) {
		access_close(&l.access);
		snprintf(q->why, sizeof(q->why), "out of memory");
		return WIRE_BUSY;
	}
	l.rows = json_object_new_array();
	ok = resizes ? history_find_resizes(&filter, MOST_MS, list_resize, &l, &complete, why)
		     : history_find(&filter, MOST_MS, list, &l, &complete, why);
	access_close(&l.access);
	if (!ok) {
		json_object_put(l.rows);
		snprintf(q->why, sizeof(q->why), "%s", why);
		return WIRE_NOT_FOUND;
	}
	wire_add(q->answer, "entries", l.rows);
	wire_add_bool(q->answer, "complete", complete);
	return NULL;
}

const char *query_history(struct query *q)
{
	bool summary = false, resizes = false;

	if (!wire_arg_bool(q->args, "summary", &summary, q->why) ||
	    !wire_arg_bool(q->args, "resizes", &resizes, q->why))
		return WIRE_ARGUMENT;
	return summary ? query_summary(q) : query_list(q, resizes);
}
