/* SPDX-License-Identifier: GPL-2.0-or-later */
/* feed: see feed.h. */
#include "testsuite/unit/feed.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <string.h>

void feed_open(struct feed *f, const char *name, uint32_t nodes, const struct sched_config *c)
{
	struct sched_config usual;
	char why[100] = "";

	sched_config_init(&usual);
	*f = (struct feed){ .wake = -1 };
	f->s = sched_create(name, nodes, c ? c : &usual, why, sizeof(why));
	assert_string_equal(why, "");
	assert_non_null(f->s);
}

bool feed_plans(const char *name)
{
	static const char *const others[] = { "libra",	 "librarisk", "demand", "edf",	 "gs",
					      "bgs",	 "mgs",	      "mbgs",	"ambgs", "bf",
					      "uniform", "profit",    "lazy" };
	bool other = false;

	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		other |= !strcmp(name, others[i]);
	return !other;
}

void feed_close(struct feed *f)
{
	sched_destroy(f->s);
}

int feed_event(struct feed *f, struct sched_event ev)
{
	ev.now = f->now;
	return sched_event(f->s, &ev);
}

int feed_submit(struct feed *f, struct sched_job d)
{
	return feed_event(f, (struct sched_event){ .type = EV_SUBMIT, .jobs = &d, .njobs = 1 });
}

int feed_finish(struct feed *f, uint64_t id)
{
	return feed_event(f, (struct sched_event){ .type = EV_FINISH, .id = id });
}

int feed_start(struct feed *f, uint64_t id, const struct nodeset *nodes)
{
	return feed_event(f, (struct sched_event){ .type = EV_STARTED, .id = id, .nodes = nodes });
}

int feed_block(struct feed *f, uint64_t id, const struct nodeset *nodes, int64_t start, int64_t end)
{
	return feed_event(
		f,
		(struct sched_event){
			.type = EV_BLOCK, .id = id, .nodes = nodes, .start = start, .end = end });
}

static void start(struct feed *f, const struct sched_action *a)
{
	struct nodeset *nodes = NULL;
	int32_t left = a->width;

	if (f->name_nodes) {
		assert_non_null(a->allowed);
		nodes = nodeset_create(nodeset_size(a->allowed));
		for (uint32_t n = nodeset_next(a->allowed, 0); n < nodeset_size(nodes) && left;
		     n = nodeset_next(a->allowed, n + 1), left--)
			nodeset_set(nodes, n);
		assert_int_equal(left, 0);
	}
	if (f->started < 64)
		f->order[f->started] = a->id;
	f->started++;
	assert_int_equal(feed_start(f, a->id, nodes), PACT_OK);
	nodeset_destroy(nodes);
}

int feed_drain(struct feed *f)
{
	struct sched_action a;
	int starts = 0;

	while (sched_next(f->s, &a)) {
		if (a.type == ACT_ACCEPT || a.type == ACT_REFUSE) {
			f->decision = a.decision;
			f->accepted += a.type == ACT_ACCEPT;
			f->refused += a.type == ACT_REFUSE;
		}
		f->broken += a.type == ACT_BROKEN;
		f->mended += a.type == ACT_MENDED;
		if (a.type == ACT_LEARNED) {
			f->learned++;
			f->past = a.past;
		}
		if (a.type == ACT_WAKE) {
			f->wake = a.end;
			f->wake_fine = a.fine;
		}
		if (a.type != ACT_START)
			continue;
		starts++;
		f->start = a;
		if (f->hold_starts)
			break;
		start(f, &a);
	}
	return starts;
}

void feed_at(struct feed *f, int64_t now)
{
	f->now = now;
	assert_int_equal(feed_event(f, (struct sched_event){ .type = EV_TIME }), PACT_OK);
	feed_drain(f);
}

void feed_open_switch(struct feed *f, const struct sched_config *c, int64_t deadline)
{
	feed_open(f, "dynp", 4, c);
	feed_submit(f, feed_job(1, 4, 600));
	feed_drain(f);
	f->now = 60;
	feed_submit(f, feed_deadline(2, 4, 1000, deadline));
	feed_drain(f);
	f->now = 120;
	feed_submit(f, feed_job(3, 4, 100));
}

struct sched_job feed_job(uint64_t id, int32_t width, int64_t limit)
{
	return (struct sched_job){ .id = id, .width = width, .limit = limit, .planned = -1 };
}

struct sched_job feed_deadline(uint64_t id, int32_t width, int64_t limit, int64_t deadline)
{
	struct sched_job d = feed_job(id, width, limit);

	d.deadline = deadline;
	return d;
}

int64_t feed_starts(struct feed *f, uint64_t id)
{
	struct sched_view v;

	return sched_view(f->s, id, &v) == PACT_OK ? v.start : -1;
}

int64_t feed_ends(struct feed *f, uint64_t id)
{
	struct sched_view v;

	return sched_view(f->s, id, &v) == PACT_OK ? v.end : -1;
}

struct nodeset *feed_nodes(uint32_t size, uint64_t mask)
{
	struct nodeset *s = nodeset_create(size);

	for (uint32_t n = 0; n < size; n++) {
		if (mask >> n & 1)
			nodeset_set(s, n);
	}
	return s;
}
