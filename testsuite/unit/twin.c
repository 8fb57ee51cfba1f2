/* SPDX-License-Identifier: GPL-2.0-or-later */
/* twin: see twin.h. */
#include "testsuite/unit/twin.h"

#include <inttypes.h>
#include <string.h>

#include "testsuite/unit/inside.h"
#include "testsuite/unit/seed.h"

struct sched *twin;
void (*twin_ours)(struct sched_config *c);
void (*twin_passed)(const struct sched *s);

struct sched *__real_sched_create(const char *name, uint32_t nodes, const struct sched_config *c,
				  char *why, size_t size);
void __real_sched_destroy(struct sched *s);
int __real_sched_configure(struct sched *s, const struct sched_config *c, char *why, size_t size);
int __real_sched_event(struct sched *s, const struct sched_event *ev);
bool __real_sched_next(struct sched *s, struct sched_action *a);
bool __real_sched_poll(struct sched *s, struct sched_action *a);
int __real_sched_ask(struct sched *s, int64_t now, const struct sched_job *jobs, size_t n,
		     struct sched_decision *d);
int __real_sched_ask_change(struct sched *s, int64_t now, const struct sched_job *job,
			    struct sched_decision *d);
struct sched *__wrap_sched_create(const char *name, uint32_t nodes, const struct sched_config *c,
				  char *why, size_t size);
void __wrap_sched_destroy(struct sched *s);
int __wrap_sched_configure(struct sched *s, const struct sched_config *c, char *why, size_t size);
int __wrap_sched_event(struct sched *s, const struct sched_event *ev);
bool __wrap_sched_next(struct sched *s, struct sched_action *a);
bool __wrap_sched_poll(struct sched *s, struct sched_action *a);
int __wrap_sched_ask(struct sched *s, int64_t now, const struct sched_job *jobs, size_t n,
		     struct sched_decision *d);
int __wrap_sched_ask_change(struct sched *s, int64_t now, const struct sched_job *job,
			    struct sched_decision *d);

struct sched *__wrap_sched_create(const char *name, uint32_t nodes, const struct sched_config *c,
				  char *why, size_t size)
{
	struct sched_config ours = *c;

	assert_null(twin);
	twin = __real_sched_create(name, nodes, c, why, size);
	assert_non_null(twin);
	if (twin_ours)
		twin_ours(&ours);
	return __real_sched_create(name, nodes, &ours, why, size);
}

void __wrap_sched_destroy(struct sched *s)
{
	__real_sched_destroy(twin);
	twin = NULL;
	__real_sched_destroy(s);
}

static bool same_place(const struct placement *a, const struct placement *b)
{
	return a->start == b->start && a->end == b->end && a->alt == b->alt &&
	       a->nshare == b->nshare &&
	       (!a->nshare || !memcmp(placement_shares(a), placement_shares(b),
				      a->nshare * sizeof(struct share)));
}

/* In a pass they differ in which jobs have a place already. */
static void compare(const struct sched *sched)
{
	const struct planner *s = inside(sched), *t = inside(twin);

	assert_int_equal(s->in_pass, t->in_pass);
	assert_int_equal(s->dirty, t->dirty);
	assert_int_equal(table_count(s->jobs), table_count(t->jobs));
	for (size_t i = 0; !s->in_pass && i < s->queue.n; i++) {
		const struct job *j = s->queue.v[i];
		const struct job *k = j ? table_find(t->jobs, j->id) : NULL;

		if (!j)
			continue;
		assert_non_null(k);
		if (!same_place(&j->place, &k->place))
			fail_msg("job %" PRIu64 " at %" PRId64 " instead of %" PRId64, j->id,
				 j->place.start, k->place.start);
		assert_int_equal(j->unreserved, k->unreserved);
		assert_int_equal(j->broken, k->broken);
	}
}

int __wrap_sched_configure(struct sched *s, const struct sched_config *c, char *why, size_t size)
{
	struct sched_config ours = *c;

	if (twin_ours)
		twin_ours(&ours);
	int rc = __real_sched_configure(s, &ours, why, size);

	assert_int_equal(__real_sched_configure(twin, c, why, size), rc);
	return rc;
}

int __wrap_sched_event(struct sched *s, const struct sched_event *ev)
{
	int rc = __real_sched_event(s, ev);

	assert_int_equal(__real_sched_event(twin, ev), rc);
	compare(s);
	return rc;
}

static void same_decision(const struct sched_decision *a, const struct sched_decision *b)
{
	assert_int_equal(a->accepted, b->accepted);
	assert_int_equal(a->reason, b->reason);
	assert_int_equal(a->start, b->start);
	assert_int_equal(a->end, b->end);
	assert_int_equal(a->offer_start, b->offer_start);
	assert_int_equal(a->offer_end, b->offer_end);
	assert_int_equal(a->critical, b->critical);
	assert_int_equal(a->critical_late, b->critical_late);
	assert_int_equal(a->attempts, b->attempts);
	assert_int_equal(a->violations, b->violations);
	assert_int_equal(a->waiting, b->waiting);
	assert_int_equal(a->most_limit, b->most_limit);
	assert_int_equal(a->most_width, b->most_width);
}

static bool same_action(bool more, const struct sched_action *a, bool other,
			const struct sched_action *b)
{
	assert_int_equal(more, other);
	if (!more)
		return false;
	assert_int_equal(a->type, b->type);
	assert_int_equal(a->id, b->id);
	assert_int_equal(a->end, b->end);
	if (a->type == ACT_ACCEPT || a->type == ACT_REFUSE)
		same_decision(&a->decision, &b->decision);
	if (a->type != ACT_START)
		return true;
	assert_int_equal(a->alt, b->alt);
	assert_int_equal(a->width, b->width);
	assert_int_equal(a->exact, b->exact);
	assert_int_equal(a->limit, b->limit);
	assert_int_equal(!a->allowed, !b->allowed);
	if (a->allowed)
		assert_true(nodeset_subset(a->allowed, b->allowed) &&
			    nodeset_subset(b->allowed, a->allowed));
	return true;
}

bool __wrap_sched_next(struct sched *s, struct sched_action *a)
{
	struct sched_action other;
	bool more = __real_sched_next(s, a);

	same_action(more, a, __real_sched_next(twin, &other), &other);
	assert_string_equal(sched_error(s), "");
	if (twin_passed)
		twin_passed(s);
	compare(s);
	return more;
}

bool __wrap_sched_poll(struct sched *s, struct sched_action *a)
{
	struct sched_action other;
	bool more = __real_sched_poll(s, a);

	return same_action(more, a, __real_sched_poll(twin, &other), &other);
}

int __wrap_sched_ask(struct sched *s, int64_t now, const struct sched_job *jobs, size_t n,
		     struct sched_decision *d)
{
	struct sched_decision other;
	int rc = __real_sched_ask(s, now, jobs, n, d);

	assert_int_equal(__real_sched_ask(twin, now, jobs, n, &other), rc);
	if (rc == PACT_OK)
		same_decision(d, &other);
	compare(s);
	return rc;
}

int __wrap_sched_ask_change(struct sched *s, int64_t now, const struct sched_job *job,
			    struct sched_decision *d)
{
	struct sched_decision other;
	int rc = __real_sched_ask_change(s, now, job, d);

	assert_int_equal(__real_sched_ask_change(twin, now, job, &other), rc);
	if (rc == PACT_OK)
		same_decision(d, &other);
	compare(s);
	return rc;
}
