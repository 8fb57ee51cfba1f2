/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_layout: in slurm mode a pass leaves alone what stands (qops.c, "the layout"). It must come to just
 * what a pass would that places everybody anew: so each scheduler has a twin here, which is told and asked
 * the same and always places everybody. Every answer, action and, between passes, every place must be
 * the same.
 *
 * The core's entry points are wrapped by the linker, and so is list_fill(), with which a layout begins.
 * The worlds are those of world.h, in which nearly anything happens at any time, and others, in which most
 * of what happens leaves room as it is.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/state.h"
#include "testsuite/unit/seed.h"
#include "testsuite/unit/world.h"

#define ROUNDS 60
#define STEPS 120

static struct sched *twin;
static uint64_t passes, part, alone; /* layouts; those that placed some, or nobody, anew */

/* ---- the twin ---- */

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
int __real_list_fill(struct sched *s, enum order_kind kind);
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
int __wrap_list_fill(struct sched *s, enum order_kind kind);

int __wrap_list_fill(struct sched *s, enum order_kind kind)
{
	if (s == twin)
		s->laid = 0;
	passes += s != twin;
	return __real_list_fill(s, kind);
}

struct sched *__wrap_sched_create(const char *name, uint32_t nodes, const struct sched_config *c,
				  char *why, size_t size)
{
	assert_null(twin);
	twin = __real_sched_create(name, nodes, c, why, size);
	assert_non_null(twin);
	return __real_sched_create(name, nodes, c, why, size);
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

/* In a pass they differ in who has a place already. */
static void compare(const struct sched *s)
{
	assert_int_equal(s->in_pass, twin->in_pass);
	assert_int_equal(s->dirty, twin->dirty);
	assert_int_equal(s->ordered, twin->ordered);
	assert_int_equal(table_count(s->jobs), table_count(twin->jobs));
	for (size_t i = 0; !s->in_pass && i < s->queue.n; i++) {
		const struct job *j = s->queue.v[i];
		const struct job *k = j ? table_find(twin->jobs, j->id) : NULL;

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
	int rc = __real_sched_configure(s, c, why, size);

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
	uint64_t before = passes;
	struct sched_action other;
	bool more = __real_sched_next(s, a);

	same_action(more, a, __real_sched_next(twin, &other), &other);
	assert_string_equal(sched_error(s), "");
	if (passes > before && table_count(s->jobs)) {
		alone += s->settled == s->list_n;
		part += s->settled > 0 && s->settled < s->list_n;
	}
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

static void tell(const char *what)
{
	print_message("# %s: %" PRIu64 " layouts, %" PRIu64 " left all where they stood, %" PRIu64
		      " some\n",
		      what, passes, alone, part);
}

/* ---- worlds of world.h ---- */

static void test_worlds(void **state)
{
	uint64_t rounds = seed_rounds(ROUNDS);
	static struct world w;

	(void)state;
	passes = part = alone = 0;
	for (uint64_t round = 0; round < rounds; round++) {
		world_create(&w, "qops", seed_of_round(round), SCHED_MODE_SLURM, round % 2);
		while (w.step < STEPS)
			world_step(&w);
		world_destroy(&w);
	}
	tell("anything");
	assert_true(part > rounds);
}

/* ---- calm ones ---- */

#define NODES 24
#define HOLDS 64

struct calm {
	uint64_t seed;
	struct sched *s;
	int64_t now, wake, guard;
	uint64_t next_id, in_order;
	struct nodeset *half[2];
	bool classes, named, odd;
	uint64_t id[HOLDS * 4]; /* waiting */
	bool provisional[HOLDS * 4];
	size_t waiting;
	uint64_t held[HOLDS]; /* running, until */
	int64_t until[HOLDS];
	size_t holds;
	int depth;
};

static int64_t below(struct calm *c, int64_t n)
{
	return (int64_t)(seed_next(&c->seed) % (uint64_t)n);
}

static bool chance(struct calm *c, int percent)
{
	return below(c, 100) < percent;
}

static int send(struct calm *c, struct sched_event ev)
{
	ev.now = c->now;
	int rc = sched_event(c->s, &ev);
	struct sched_action a;

	while (sched_poll(c->s, &a)) {
		if (a.type == ACT_ACCEPT) {
			c->id[c->waiting] = a.id;
			c->provisional[c->waiting++] = ev.jobs->flags & JOB_PROVISIONAL;
		}
	}
	return rc;
}

static void forget(struct calm *c, size_t i)
{
	c->id[i] = c->id[--c->waiting];
	c->provisional[i] = c->provisional[c->waiting];
}

static size_t find(const struct calm *c, uint64_t id)
{
	size_t i = 0;

	while (i < c->waiting && c->id[i] != id)
		i++;
	return i;
}

/* Most come behind all others; now and then with a promise, or odd. */
static void submit(struct calm *c)
{
	struct sched_job j = { .id = c->next_id++, .submit = c->now, .planned = -1 };
	struct sched_decision d;

	if (c->waiting == HOLDS * 4)
		return;
	j.priority = chance(c, 75) ? -(int64_t)c->in_order++ : -below(c, 200);
	j.width = 1 + (int32_t)below(c, chance(c, 70) ? NODES / 4 : NODES / 2);
	j.limit = 20 + below(c, 300);
	if (chance(c, 5))
		j.begin = c->now + below(c, 300);
	if (c->classes && chance(c, 60)) {
		j.alt[j.nalt++] = c->half[below(c, 2)];
		if (chance(c, 30))
			j.alt[j.nalt++] = c->half[below(c, 2)];
	}
	if (chance(c, 30)) {
		j.deadline = c->now + j.limit + c->guard + below(c, chance(c, 30) ? 200 : 6000);
		j.flags = chance(c, 30) ? JOB_PROVISIONAL : 0;
		if (chance(c, 20))
			sched_ask(c->s, c->now, &j, 1, &d);
	} else if (c->odd && chance(c, 5)) {
		j.least = chance(c, 50) ? j.limit / 2 : 0;
		j.flags = j.least ? 0 : JOB_OPAQUE;
	}
	assert_int_equal(send(c, (struct sched_event){ .type = EV_SUBMIT, .jobs = &j, .njobs = 1 }),
			 PACT_OK);
	if (!j.deadline) {
		c->provisional[c->waiting] = false;
		c->id[c->waiting++] = j.id;
	}
}

static void confirm(struct calm *c, size_t i)
{
	uint64_t id = c->id[i], new_id = chance(c, 50) ? id : c->next_id++;

	send(c, (struct sched_event){ .type = EV_CONFIRM, .id = id, .new_id = new_id });
	c->id[i] = new_id;
	c->provisional[i] = false;
}

/* Those whose time has come end; now and then one before it. */
static void ends(struct calm *c)
{
	for (size_t i = 0; i < c->holds;) {
		if (c->until[i] > c->now && below(c, 500)) {
			i++;
			continue;
		}
		send(c, (struct sched_event){ .type = EV_FINISH, .id = c->held[i] });
		c->held[i] = c->held[--c->holds];
		c->until[i] = c->until[c->holds];
	}
}

static void happen(struct calm *c)
{
	int64_t what = below(c, 100);
	size_t i = c->waiting ? (size_t)below(c, (int64_t)c->waiting) : 0;

	ends(c);
	if (what < 50)
		submit(c);
	else if (what < 75)
		send(c, (struct sched_event){ .type = EV_TIME });
	else if (c->waiting && what < 85)
		send(c, (struct sched_event){
				.type = EV_PRIORITY, .id = c->id[i], .priority = -below(c, 200) });
	else if (c->waiting && what < 87 && !c->depth) {
		send(c, (struct sched_event){ .type = EV_WITHDRAW, .id = c->id[i] });
		forget(c, i);
	} else if (c->waiting && c->provisional[i])
		confirm(c, i);
}

static void start(struct calm *c, const struct sched_action *a)
{
	struct sched_event ev = { .type = EV_STARTED, .id = a->id, .start = c->now };
	struct nodeset *nodes = NULL;

	if (!c->depth++ && chance(c, 10)) {
		if (c->holds && chance(c, 30)) /* one ends early */
			c->until[below(c, (int64_t)c->holds)] = c->now;
		happen(c);
	}
	c->depth--;
	if (chance(c, 10))
		c->now += below(c, 4);
	if (chance(c, 5) || c->holds == HOLDS) {
		ev.type = EV_START_FAILED;
		ev.reserve = chance(c, 70);
		send(c, ev);
		return;
	}
	if (c->named && a->allowed) {
		nodes = nodeset_create(NODES);
		assert_non_null(nodes);
		for (uint32_t n = nodeset_next(a->allowed, 0), left = (uint32_t)a->width;
		     n < NODES && left > 0; n = nodeset_next(a->allowed, n + 1), left--)
			nodeset_set(nodes, n);
		ev.nodes = nodes;
	}
	if (chance(c, 5))
		ev.end = a->end - below(c, 10) + 5;
	c->held[c->holds] = a->id;
	c->until[c->holds++] = ev.end ? ev.end : a->end;
	assert_int_equal(send(c, ev), PACT_OK);
	nodeset_destroy(nodes);
	forget(c, find(c, a->id));
}

static void drain(struct calm *c)
{
	struct sched_action a;

	c->wake = PACT_FOREVER;
	while (sched_next(c->s, &a)) {
		if (a.type == ACT_START)
			start(c, &a);
		if (a.type == ACT_WAKE)
			c->wake = a.end;
	}
}

/* The next planned start or end, or somewhat later or earlier. */
static void go_on(struct calm *c)
{
	int64_t at = c->wake;

	for (size_t i = 0; i < c->holds; i++)
		at = c->until[i] < at ? c->until[i] : at;
	if (chance(c, 40) || at < c->now)
		return;
	if (at != PACT_FOREVER && chance(c, 60))
		c->now = at + (chance(c, 20) ? below(c, 5) : 0);
	else
		c->now += below(c, 10);
}

static void calm_world(uint64_t seed, int kind)
{
	static struct calm c;
	struct sched_config config;

	c = (struct calm){ .seed = seed, .now = 1000, .next_id = 1, .wake = PACT_FOREVER };
	sched_config_init(&config);
	config.mode = SCHED_MODE_SLURM;
	config.order = chance(&c, 50) ? ORDER_EDF : ORDER_LLF;
	config.min_artificial = 300;
	config.guard = c.guard = kind & 1 ? 30 : 0;
	config.lateness = kind & 1 ? 10 : 0;
	config.offer_probes = 2;
	c.classes = kind & 2;
	c.named = kind & 4;
	c.odd = kind & 8;
	c.s = sched_create("qops", NODES, &config, NULL, 0);
	for (int h = 0; h < 2; h++) {
		c.half[h] = nodeset_create(NODES);
		assert_non_null(c.half[h]);
		for (uint32_t n = 0; n < NODES / 2 + 3; n++)
			nodeset_set(c.half[h], h ? NODES - 1 - n : n);
	}
	for (int step = 0; step < STEPS * 3; step++) {
		happen(&c);
		if (chance(&c, 90))
			drain(&c);
		go_on(&c);
	}
	sched_destroy(c.s);
	nodeset_destroy(c.half[0]);
	nodeset_destroy(c.half[1]);
}

static void test_calm(void **state)
{
	uint64_t rounds = seed_rounds(ROUNDS);

	(void)state;
	passes = part = alone = 0;
	for (uint64_t round = 0; round < rounds; round++)
		calm_world(seed_of_round(round), (int)(round % 16));
	tell("little");
	assert_true(part > 10 * rounds && alone > 10 * rounds);
}

/* The twin of a test that failed is nobody's. */
static int forget_twin(void **state)
{
	(void)state;
	twin = NULL;
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_worlds, forget_twin),
		cmocka_unit_test_setup(test_calm, forget_twin),
	};

	return seed_run("test_layout", tests);
}
