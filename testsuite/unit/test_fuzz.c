/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_fuzz: events that no sane driver would send: wild numbers, unknown ids, time running backwards,
 * answers to questions that nobody asked, under every scheduler. Nothing may crash, overflow or hang,
 * and what is waiting can always be looked at. To be run with sanitizers.
 */

#include "core/sched.h"
#include "testsuite/unit/seed.h"

#define NODES 9
#define SETS 6
#define IDS 24
#define STEPS 400
#define ROUNDS 150

static struct nodeset *set[SETS];
static struct nodeset *other;

static int64_t wild(void)
{
	static const int64_t edge[] = { INT64_MIN,
					INT64_MIN + 1,
					-1,
					0,
					1,
					INT32_MAX,
					UINT32_MAX,
					PACT_FOREVER / 4,
					PACT_FOREVER / 2,
					PACT_FOREVER - 1,
					PACT_FOREVER };

	return seed_below(3) ? seed_below(1000) : edge[seed_below(sizeof(edge) / sizeof(*edge))];
}

static const struct nodeset *any_set(void)
{
	int64_t k = seed_below(SETS + 2);

	return k < SETS ? set[k] : k == SETS ? NULL : seed_below(20) ? set[0] : other;
}

/* Some are where an engine may look for ids of its own. */
static uint64_t any_id(void)
{
	return seed_below(8) ? (uint64_t)seed_below(IDS - 4) : UINT64_MAX - (uint64_t)seed_below(4);
}

static struct sched_job wild_job(void)
{
	struct sched_job d = { .id = any_id(),
			       .submit = wild(),
			       .eligible = wild(),
			       .begin = seed_below(3) ? 0 : wild(),
			       .limit = wild(),
			       .deadline = seed_below(2) ? 0 : wild(),
			       .priority = wild(),
			       .planned = wild() };

	d.width = seed_below(3) ? 1 + (int32_t)seed_below(NODES) : (int32_t)wild();
	d.flags = (uint32_t)seed_below(256);
	d.most = seed_below(2) ? 1 + (int32_t)seed_below(2 * NODES) : (int32_t)wild();
	d.grace = seed_below(2) ? 0 : wild();
	d.value = seed_below(2) ? 0 : wild();
	d.memory = seed_below(2) ? 0 : wild();
	d.nalt = (uint32_t)seed_below(3);
	if (!seed_below(30))
		d.nalt = SCHED_MAX_ALT + 1;
	for (uint32_t i = 0; i < d.nalt && i < SCHED_MAX_ALT; i++)
		d.alt[i] = any_set();
	if (!seed_below(4))
		d.required = any_set();
	if (seed_below(3)) { /* most are not refused on sight */
		d.submit = seed_below(1000);
		d.eligible = 0;
		d.limit = 1 + seed_below(1000);
	}
	return d;
}

static void answer(struct sched *s, int64_t now, uint64_t id)
{
	struct sched_event ev = { .type = seed_below(3) ? EV_STARTED : EV_START_FAILED,
				  .now = now,
				  .id = id,
				  .nodes = any_set(),
				  .reserve = seed_below(2) };

	if (!seed_below(4)) {
		ev.start = wild();
		ev.end = wild();
	}
	sched_event(s, &ev);
}

static void answer_resize(struct sched *s, int64_t now, const struct sched_action *a)
{
	static const enum sched_event_type types[] = { EV_RESIZED, EV_LEAVING, EV_REFUSED };
	struct sched_event ev = { .type = types[seed_below(3)],
				  .now = now,
				  .id = a->id,
				  .nodes = seed_below(4) ? a->allowed : any_set() };

	sched_event(s, &ev);
}

static void one_event(struct sched *s, int64_t now)
{
	struct sched_job jobs[3] = { wild_job(), wild_job(), wild_job() };
	struct sched_event ev = { .type = (enum sched_event_type)seed_below(EV_LEAVING + 1),
				  .now = now,
				  .jobs = jobs,
				  .njobs = (size_t)seed_below(4),
				  .id = any_id(),
				  .new_id = any_id(),
				  .priority = wild(),
				  .nodes = any_set(),
				  .start = wild(),
				  .end = wild(),
				  .width = (int32_t)wild(),
				  .rating = (int32_t)wild(),
				  .processors = (int32_t)wild(),
				  .most = (int32_t)seed_below(4),
				  .memory = wild(),
				  .work = wild() };

	if (seed_below(3))
		ev.njobs = 1;
	int rc = sched_event(s, &ev);

	assert_true(rc == PACT_OK || rc == PACT_EINVAL || rc == PACT_ENOENT || rc == PACT_EEXIST ||
		    rc == PACT_EPROTO);
	if (rc != PACT_OK)
		assert_true(*sched_error(s));
}

/* Some of the actions, so that passes are left in the middle, too. */
static void follow(struct sched *s, int64_t now)
{
	struct sched_action a;

	for (int64_t left = seed_below(20); left > 0 && sched_next(s, &a); left--) {
		if (a.type == ACT_START && seed_below(8))
			answer(s, now, a.id);
		if (a.type == ACT_RESIZE && seed_below(8))
			answer_resize(s, now, &a);
	}
}

static void look(struct sched *s)
{
	struct sched_decision d;
	struct sched_job job = wild_job();
	struct sched_view v;
	size_t n = sched_waiting(s);

	assert_true(n <= IDS);
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(sched_view_waiting(s, i, &v), PACT_OK);
		assert_false(v.running);
		assert_true(v.start <= v.end);
	}
	sched_ask(s, wild(), &job, 1, &d);
	assert_true(sched_bytes(s) > 0);
}

/* The greatest value that a setting may have. */
static int64_t most(const char *key)
{
	return setting_find(sched_settings, key)->most;
}

static void run(const char *name)
{
	struct sched_config c;
	int64_t now = 0;

	sched_config_init(&c);
	c.mode = (enum sched_mode)seed_below(2);
	c.offer_probes = (int32_t)seed_below(4);
	c.min_artificial = seed_below(2) ? c.min_artificial : most("MinArtificialDeadline");
	c.relax_milli = seed_below(2) ? 2000 : most("Relaxation");
	c.guard = seed_below(3) ? seed_below(60) : most("Guard");
	c.lateness = seed_below(2) ? 0 : seed_below(2) ? c.guard : c.guard / 2;
	c.loans = (enum sched_loans)seed_below(3);
	c.resize_grace = seed_below(2) ? seed_below(60) : most("ResizeGrace");
	c.loan_time = seed_below(2) ? seed_below(60) : most("LoanTime");
	c.resize_interval = seed_below(2) ? seed_below(60) : most("ResizeInterval");
	struct sched *s = sched_create(name, NODES, &c, NULL, 0);

	if (!s && c.mode != SCHED_MODE_PAPER) { /* some know that mode only */
		c.mode = SCHED_MODE_PAPER;
		s = sched_create(name, NODES, &c, NULL, 0);
	}
	assert_non_null(s);
	for (int i = 0; i < STEPS; i++) {
		now = seed_below(10) ? now + seed_below(50) : wild();
		one_event(s, now);
		if (seed_below(2))
			follow(s, now);
		if (!seed_below(10))
			look(s);
		now = now > 0 && now < PACT_FOREVER / 4 ? now : seed_below(1000);
	}
	sched_destroy(s);
}

static void test_wild_events(void **state)
{
	(void)state;
	other = nodeset_create(NODES + 60);
	for (int i = 0; i < SETS; i++) {
		set[i] = nodeset_create(NODES);
		for (uint32_t n = 0; n < NODES; n++) {
			if (seed_below(2))
				nodeset_set(set[i], n);
		}
	}
	for (int round = 0; round < ROUNDS; round++) {
		for (const char *const *name = sched_names(); *name; name++)
			run(*name);
	}
	for (int i = 0; i < SETS; i++)
		nodeset_destroy(set[i]);
	nodeset_destroy(other);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_wild_events) };

	return seed_run("test_fuzz", tests);
}
