/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_layout: in slurm mode a pass leaves alone what stands (qops.c, "the layout"). It must come to just
 * what a pass would that places all jobs anew: so each scheduler has a twin here (twin.h), which always
 * places all jobs.
 *
 * list_fill(), with which a layout begins, is wrapped by the linker.
 * The worlds are those of world.h, in which nearly anything happens at any time, and others, in which most
 * of what happens leaves room as it is.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/policies/qops/layout.h"
#include "testsuite/unit/inside.h"
#include "testsuite/unit/seed.h"
#include "testsuite/unit/twin.h"
#include "testsuite/unit/world.h"

#define ROUNDS 60
#define STEPS 120

static uint64_t passes, part, alone; /* layouts; those that placed some, or none, anew */
static uint64_t seen;		     /* layouts until the last sched_next() */

int __real_list_fill(struct planner *s, enum order_kind kind);
int __wrap_list_fill(struct planner *s, enum order_kind kind);

int __wrap_list_fill(struct planner *s, enum order_kind kind)
{
	if (s == inside(twin))
		s->news.places++;
	passes += s != inside(twin);
	return __real_list_fill(s, kind);
}

static void count(const struct sched *sched)
{
	const struct planner *s = inside(sched);
	const struct layout *l = s->own;

	if (passes > seen && table_count(s->jobs)) {
		alone += l->settled == s->list_n;
		part += l->settled > 0 && l->settled < s->list_n;
	}
	seen = passes;
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
	passes = part = alone = seen = 0;
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
	bool unconfirmed[HOLDS * 4];
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
			c->unconfirmed[c->waiting++] = ev.jobs->flags & JOB_UNCONFIRMED;
		}
	}
	return rc;
}

static void forget(struct calm *c, size_t i)
{
	c->id[i] = c->id[--c->waiting];
	c->unconfirmed[i] = c->unconfirmed[c->waiting];
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
		j.flags = chance(c, 30) ? JOB_UNCONFIRMED : 0;
		if (chance(c, 20))
			sched_ask(c->s, c->now, &j, 1, &d);
	} else if (c->odd && chance(c, 5)) {
		j.least = chance(c, 50) ? j.limit / 2 : 0;
		j.flags = j.least ? 0 : JOB_OPAQUE;
	}
	assert_int_equal(send(c, (struct sched_event){ .type = EV_SUBMIT, .jobs = &j, .njobs = 1 }),
			 PACT_OK);
	if (!j.deadline) {
		c->unconfirmed[c->waiting] = false;
		c->id[c->waiting++] = j.id;
	}
}

static void confirm(struct calm *c, size_t i)
{
	uint64_t id = c->id[i], new_id = chance(c, 50) ? id : c->next_id++;

	send(c, (struct sched_event){ .type = EV_CONFIRM, .id = id, .new_id = new_id });
	c->id[i] = new_id;
	c->unconfirmed[i] = false;
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
	} else if (c->waiting && c->unconfirmed[i])
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
	passes = part = alone = seen = 0;
	for (uint64_t round = 0; round < rounds; round++)
		calm_world(seed_of_round(round), (int)(round % 16));
	tell("little");
	assert_true(part > 10 * rounds && alone > 10 * rounds);
}

/* The twin of a test that failed belongs to no test. */
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

	twin_passed = count;
	return seed_run("test_layout", tests);
}
