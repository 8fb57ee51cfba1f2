/* SPDX-License-Identifier: GPL-2.0-or-later */
/* loans_hand: see the header. */
#include "testsuite/unit/loans_hand.h"

#include "testsuite/unit/seed.h"

void hand_open(struct hand *h, const char *scheduler, enum sched_loans loans, int64_t lateness)
{
	struct sched_config c;

	sched_config_init(&c);
	c.loans = loans;
	c.resize_grace = GRACE;
	c.loan_time = 300;
	c.resize_interval = 120;
	c.guard = c.lateness = lateness;
	*h = (struct hand){ .answer = EV_RESIZED, .to_more = EV_RESIZED };
	feed_open(&h->f, scheduler, NODES, &c);
}

void hand_close(struct hand *h)
{
	feed_close(&h->f);
	for (int i = 0; i < 10; i++)
		nodeset_destroy(h->has[i]);
}

static bool is_free(const struct hand *h, uint32_t node)
{
	for (int i = 0; i < 10; i++)
		if (h->has[i] && nodeset_test(h->has[i], node))
			return false;
	return true;
}

int32_t has(const struct hand *h, uint64_t id)
{
	return h->has[id] ? (int32_t)nodeset_count(h->has[id]) : 0;
}

void tell(struct hand *h, enum sched_event_type type, uint64_t id, const struct nodeset *nodes)
{
	assert_int_equal(
		feed_event(&h->f,
			   (struct sched_event){ .type = type,
						 .id = id,
						 .nodes = nodes,
						 .start = type == EV_STARTED ? h->f.now : 0 }),
		PACT_OK);
}

/* On the lowest free nodes that it may have. */
static void start(struct hand *h, const struct sched_action *a)
{
	struct nodeset *nodes = nodeset_create(NODES);
	int32_t left = a->width + (a->id == h->moldable ? a->spare : 0);

	for (uint32_t n = 0; n < NODES && left; n++) {
		if ((a->allowed && !nodeset_test(a->allowed, n)) || !is_free(h, n))
			continue;
		nodeset_set(nodes, n);
		left--;
	}
	assert_int_equal(left, 0);
	h->has[a->id] = nodes;
	h->due = a->end;
	tell(h, EV_STARTED, a->id, nodes);
}

static void resize(struct hand *h, const struct sched_action *a)
{
	bool more = a->width > has(h, a->id);
	enum sched_event_type answer = more ? h->to_more : h->answer;

	h->resized++;
	h->last = *a;
	assert_int_equal(a->width, nodeset_count(a->allowed));
	assert_int_equal(more, !a->end);
	if (answer == EV_RESIZED) {
		for (uint32_t n = 0; n < NODES; n++)
			assert_true(!nodeset_test(a->allowed, n) ||
				    nodeset_test(h->has[a->id], n) || is_free(h, n));
		nodeset_copy(h->has[a->id], a->allowed);
	}
	tell(h, answer, a->id, answer == EV_RESIZED ? h->has[a->id] : NULL);
}

void drain(struct hand *h)
{
	struct sched_action a;

	h->f.wake = PACT_FOREVER;
	while (sched_next(h->f.s, &a)) {
		h->accepted += a.type == ACT_ACCEPT;
		h->refused += a.type == ACT_REFUSE;
		h->broken += a.type == ACT_BROKEN;
		if (a.type == ACT_ACCEPT || a.type == ACT_REFUSE)
			h->said = a.decision;
		if (a.type == ACT_START)
			start(h, &a);
		else if (a.type == ACT_RESIZE)
			resize(h, &a);
		else if (a.type == ACT_WAKE)
			h->f.wake = a.end;
	}
	assert_string_equal(sched_error(h->f.s), "");
}

void at(struct hand *h, int64_t now)
{
	h->f.now = now;
	assert_int_equal(feed_event(&h->f, (struct sched_event){ .type = EV_TIME }), PACT_OK);
	drain(h);
}

void submit(struct hand *h, struct sched_job job)
{
	job.submit = h->f.now;
	assert_int_equal(feed_submit(&h->f, job), PACT_OK);
	drain(h);
}

void finish(struct hand *h, uint64_t id)
{
	nodeset_destroy(h->has[id]);
	h->has[id] = NULL;
	assert_int_equal(feed_finish(&h->f, id), PACT_OK);
	drain(h);
}

struct sched_job range(uint64_t id, int32_t width, int32_t most, int64_t limit)
{
	struct sched_job job = feed_job(id, width, limit);

	job.most = most;
	return job;
}

struct sched_view view(struct hand *h, uint64_t id)
{
	struct sched_view v;

	assert_int_equal(sched_view(h->f.s, id, &v), PACT_OK);
	return v;
}
struct sched_job dated(uint64_t id, int32_t width, int32_t most, int64_t limit, int64_t deadline)
{
	struct sched_job job = range(id, width, most, limit);

	job.deadline = deadline;
	return job;
}
