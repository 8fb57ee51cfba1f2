/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_beside: promises beside jobs that take turns (core/beside), on thousands of small random workloads with all
 * settings drawn, with nodes that are lost and jobs that are cancelled. Through the simulator and its validator, and
 * with a look inside between the calls:
 *   - no job that takes turns has a node before its bound that a promised job has or is planned to have, unless it is set
 *     aside for that one, which has started;
 *   - each has ended by its bound, and what was set aside by its artificial deadline, and each promise is kept, unless
 *     nodes were lost;
 *   - a scheduler that takes in what another one tells of itself, between any two instants, does the same from then on.
 *
 * A failure names the PACT_SEED that makes its workload the first; PACT_ROUNDS is their number.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/beside/state.h"
#include "core/kernel/watch.h"
#include "core/settings/settings.h"
#include "sim/check/validate.h"
#include "testsuite/unit/gang_world.h"
#include "testsuite/unit/seed.h"

#define JOBS 40
#define EVENTS 3

struct look {
	const struct workload *w;
	uint64_t seed;
	const struct sched_config *config;
	struct sched *s, *twin;
	const char *name;
	uint32_t nodes;
	bool lost;		 /* nodes were, so that nothing else is to be kept */
	int64_t bound[JOBS + 1]; /* by id; 0: it has no place in turn */
	int64_t due[JOBS + 1];	 /* of one that was set aside; 0: it was not */
	int64_t now;
	uint64_t places, beside; /* looked at: claims in turn, and those beside a promised one */
	uint64_t twins, aside;
};

static void print_jobs(const struct look *l)
{
	const struct sched_config *c = l->config;

	print_message("# %s: %" PRIu32 " nodes, Rows %" PRId32 " Slice %" PRId64 " Switch %" PRId32
		      "/10000 C %" PRId64 " Q %" PRId64 "%s%s, phases %" PRIx32 "\n",
		      l->name, l->nodes, c->rows, c->slice, c->switch_cost, c->migration_cost,
		      c->migration_quota, c->cut == CUT_NEXT ? " Cut=next" : "",
		      c->discrete ? " Discrete" : "", (uint32_t)c->phases);
	for (size_t i = 0; i < l->w->count; i++) {
		const struct sim_job *j = &l->w->job[i];

		print_message("# job %" PRIu64 " submit %" PRId64 " width %" PRId32
			      " runtime %" PRId64 " estimate %" PRId64 " deadline %" PRId64 "\n",
			      j->id, j->submit, j->width, j->runtime, j->estimate, j->deadline);
	}
}

static void complain(const struct look *l, uint64_t id, const char *what)
{
	print_jobs(l);
	fail_msg("PACT_SEED=%" PRIu64 " PACT_ROUNDS=1: time %" PRId64 ": job %" PRIu64 ": %s",
		 l->seed, l->now, id, what);
}

/* ---- what both engines claim ---- */

struct claim {
	uint64_t id;
	int64_t start, end;
	uint64_t nodes;
};

static uint64_t mask_of(const struct nodeset *s)
{
	uint64_t mask = 0;

	for (uint32_t n = nodeset_next(s, 0); n < nodeset_size(s); n = nodeset_next(s, n + 1))
		mask |= UINT64_C(1) << n;
	return mask;
}

static size_t claims_of(const struct look *l, int side, struct claim *out)
{
	struct beside *b = sched_own(l->s, &engine_beside);
	const struct side *x = &b->side[side];
	size_t n = x->engine->claims(x->own, NULL), k = 0;

	for (size_t i = 0; i < n; i++) {
		const struct member *m;
		struct engine_claim c;

		x->engine->claim(x->own, i, &c);
		m = beside_find(b, c.id);
		if (m && m->in == BIT(side))
			out[k++] = (struct claim){ c.id, c.start, c.end, mask_of(c.nodes) };
	}
	return k;
}

/* Is it set aside for the promised one, which runs? */
static bool gives_way(const struct look *l, uint64_t turn, uint64_t plan)
{
	const struct beside *b = sched_own(l->s, &engine_beside);
	struct sched_view v;

	return l->config->aside && !beside_find(b, plan)->waiting && !beside_find(b, turn)->runs &&
	       sched_view(l->s, turn, &v) == PACT_OK && v.aside;
}

/* What is aside, and by when it has to end. */
static void look_aside(struct look *l)
{
	const struct beside *b = sched_own(l->s, &engine_beside);
	struct sched_view v;

	for (uint64_t id = 1; id <= JOBS; id++) {
		if (sched_view(l->s, id, &v) != PACT_OK || !v.aside)
			continue;
		l->aside += !l->due[id];
		l->due[id] = beside_find(b, id)->due;
		if (!l->config->aside)
			complain(l, id, "is set aside");
	}
}

static void look_at_claims(struct look *l)
{
	struct claim turn[JOBS], plan[JOBS];
	size_t n = claims_of(l, TURNS, turn), m = claims_of(l, PLAN, plan);

	memset(l->bound, 0, sizeof(l->bound));
	for (size_t i = 0; i < n; i++) {
		l->places++;
		l->beside += m > 0;
		l->bound[turn[i].id] = turn[i].end;
		for (size_t k = 0; k < m && !l->lost; k++) {
			if ((turn[i].nodes & plan[k].nodes) && plan[k].start < turn[i].end &&
			    plan[k].end > l->now && !gives_way(l, turn[i].id, plan[k].id))
				complain(l, turn[i].id, "stands where a promised one has to be");
		}
	}
	for (size_t i = 0; i < m; i++) {
		for (size_t k = 0; k < i; k++) {
			if ((plan[i].nodes & plan[k].nodes) && plan[k].start < plan[i].end &&
			    plan[i].start < plan[k].end && plan[i].end > l->now &&
			    plan[k].end > l->now)
				complain(l, plan[i].id, "has the nodes of another promised one");
		}
	}
}

/* ---- the other one, that begins where this one is ---- */

static void take_in(void *arg, const struct record_form *form, const void *record)
{
	struct sched *twin = arg;
	const struct record_form *own = sched_recall_form(twin, form->name);

	assert_ptr_equal(own, form);
	if (sched_recall(twin, form, record) != PACT_OK)
		fail_msg("%s: %s", form->name, sched_error(twin));
}

static void make_twin(struct look *l)
{
	char why[256] = "";
	int rc;

	sched_destroy(l->twin);
	l->twin = sched_create(l->name, l->nodes, l->config, why, sizeof(why));
	assert_non_null(l->twin);
	rc = sched_retell(l->s, take_in, l->twin);
	if (rc != PACT_OK)
		complain(l, 0, "cannot be told between two instants");
	assert_int_equal(sched_recall_done(l->twin), PACT_OK);
	l->twins++;
}

static void same_action(const struct look *l, const struct sched_action *a,
			const struct sched_action *b)
{
	if (a->type != b->type || a->id != b->id || a->end != b->end || a->lost != b->lost ||
	    a->decision.accepted != b->decision.accepted ||
	    a->decision.reason != b->decision.reason || a->decision.start != b->decision.start ||
	    (a->allowed && !nodeset_equal(a->allowed, b->allowed)))
		complain(l, a->id, "something else is done from what was told");
}

/* ---- the watcher: it looks on between the calls ---- */

static void on_event(void *arg, const struct sched_event *ev, int rc)
{
	struct look *l = arg;

	l->now = ev->now;
	l->lost |= ev->type == EV_BLOCK;
	/* where switches cost something a job may lose more of them than was known (doc/papers.md, "Bound") */
	if (rc == PACT_OK && ev->type == EV_FINISH && ev->id <= JOBS && !l->lost &&
	    !l->config->switch_cost && l->bound[ev->id] && ev->now > l->bound[ev->id])
		complain(l, ev->id, "ends after its bound");
	if (rc == PACT_OK && ev->type == EV_FINISH && ev->id <= JOBS && !l->lost &&
	    !l->config->switch_cost && !l->config->migration_cost && l->due[ev->id] &&
	    ev->now > l->due[ev->id])
		complain(l, ev->id, "was set aside, and ends after its artificial deadline");
	if (l->twin)
		assert_int_equal(sched_event(l->twin, ev), rc);
}

static void on_action(void *arg, bool next, const struct sched_action *a)
{
	struct look *l = arg;
	struct sched_action b;

	assert_true(next);
	if (l->twin) {
		bool more = sched_next(l->twin, &b);

		if (more != (a != NULL))
			complain(l, a ? a->id : b.id, "is not done, or done, from what was told");
		if (a)
			same_action(l, a, &b);
	}
	if (a && a->type == ACT_BROKEN && !l->lost)
		complain(l, a->id, "its promise is broken");
	if (a)
		return;
	look_at_claims(l);
	look_aside(l);
	make_twin(l);
}

static const struct watch watch = { .event = on_event, .action = on_action };

static void created(void *arg, struct sched *s)
{
	struct look *l = arg;

	l->s = s;
	sched_watch(s, &watch, l);
}

/* ---- the worlds ---- */

static void set(struct sched_config *config, const char *key, int64_t value)
{
	char why[256] = "", text[32];

	snprintf(text, sizeof(text), "%" PRId64, value);
	if (!settings_apply(config, key, text, why, sizeof(why)))
		fail_msg("%s=%s: %s", key, text, why);
}

static void configure(struct sched_config *config, const struct gang_world *x, uint64_t *draw)
{
	const struct ref_gang_setup *c = &x->c;

	sched_config_init(config);
	set(config, "Rows", c->rows);
	set(config, "Slice", c->slice);
	config->switch_cost = (int32_t)x->switch_myriad;
	set(config, "MigrationCost", c->cost);
	set(config, "MigrationQuota", c->quota);
	config->cut = c->next ? CUT_NEXT : CUT_KEEP;
	config->discrete = c->discrete;
	for (size_t i = 0; c->phase && i < c->phases; i++)
		config->phases |= 1 << c->phase[i];
	set(config, "MinArtificialDeadline", 1 + (int64_t)(seed_next(draw) % 4000));
	config->mode = seed_next(draw) % 2 ? SCHED_MODE_SLURM : SCHED_MODE_PAPER;
	config->aside = seed_next(draw) % 2;
}

struct run {
	struct gang_world x;
	struct sim_job job[JOBS];
	struct sim_outcome out[JOBS];
	struct sim_event event[2 * EVENTS];
	size_t events;
	struct nodeset *nodes[EVENTS];
	size_t blocks;
	struct workload w;
	struct sim_node node[64];
};

static void make_jobs(struct run *r, uint64_t *draw)
{
	for (size_t i = 0; i < r->x.n; i++) {
		const struct ref_gang_job *j = &r->x.job[i];
		int64_t estimate = j->estimate > j->runtime ? j->estimate : j->runtime;

		r->job[i] = (struct sim_job){ .id = i + 1,
					      .submit = j->submit,
					      .width = j->width,
					      .runtime = j->runtime,
					      .estimate = estimate,
					      .migration = j->cost,
					      .user = -1 };
		if (seed_next(draw) % 5 < 2)
			r->job[i].deadline =
				j->submit + estimate +
				(int64_t)(seed_next(draw) % (uint64_t)(1 + 8 * estimate));
	}
	r->w = (struct workload){ .job = r->job, .count = r->x.n, .room = JOBS };
}

/* In order of time, what was there already before it. RET its place */
static size_t add_event(struct run *r, struct sim_event e)
{
	size_t at = r->events++;

	for (; at && r->event[at - 1].at > e.at; at--) {
		r->event[at] = r->event[at - 1];
		for (size_t i = 0; i < r->events; i++) {
			if (i != at && r->event[i].type == SIM_UNBLOCK &&
			    r->event[i].index == at - 1)
				r->event[i].index = at;
		}
		if (r->event[at].type == SIM_UNBLOCK && r->event[at].index == at - 1)
			r->event[at].index = at;
	}
	r->event[at] = e;
	return at;
}

static void add_block(struct run *r, uint64_t *draw, int64_t at)
{
	int64_t end = at + 1 + (int64_t)(seed_next(draw) % 500);
	struct nodeset *nodes = nodeset_create((uint32_t)r->x.c.nodes);
	size_t block;

	assert_non_null(nodes);
	nodeset_set(nodes, (uint32_t)(seed_next(draw) % (uint64_t)r->x.c.nodes));
	r->nodes[r->blocks++] = nodes;
	block = add_event(
		r, (struct sim_event){
			   .at = at, .type = SIM_BLOCK, .nodes = nodes, .start = at, .end = end });
	add_event(r, (struct sim_event){ .at = end, .type = SIM_UNBLOCK, .index = block });
}

/* One in three worlds loses nodes, and jobs of it are cancelled. */
static void make_events(struct run *r, uint64_t *draw)
{
	int64_t at = 0;

	for (int i = seed_next(draw) % 3 ? 0 : EVENTS; i > 0; i--) {
		at += (int64_t)(seed_next(draw) % 400);
		if (seed_next(draw) % 2)
			add_block(r, draw, at);
		else
			add_event(r, (struct sim_event){ .at = at,
							 .type = SIM_CANCEL,
							 .index = seed_next(draw) % r->x.n });
	}
}

static void say(void *arg, const char *message)
{
	(void)arg;
	print_message("# %s\n", message);
}

struct sums {
	uint64_t promised, refused, places, beside, twins, aside;
};

/* In one world in three memory is counted. */
static void make_memory(struct run *r, struct sim_setup *setup, uint64_t *draw)
{
	if (seed_next(draw) % 3)
		return;
	for (uint32_t n = 0; n < (uint32_t)r->x.c.nodes; n++)
		r->node[n] = (struct sim_node){ .memory = 100 };
	setup->node = r->node;
	for (size_t i = 0; i < r->w.count; i++)
		r->job[i].memory = (int64_t)(seed_next(draw) % 70);
}

/* Narrow jobs that cost something to migrate, in rows where that is often of use, and deadlines as tight as bounds. */
static void make_costly(struct run *r, struct sched_config *config, uint64_t *draw)
{
	config->rows = 2 + (int32_t)(seed_next(draw) % 2);
	config->slice = 10;
	config->switch_cost = seed_next(draw) % 3 ? 2000 : 0;
	config->migration_cost = (int64_t)(seed_next(draw) % 30);
	config->migration_quota = GANG_WORLD_ALL;
	config->cut = CUT_KEEP;
	config->discrete = false;
	config->phases = 0;
	r->x.c.nodes = 6 + (int)(seed_next(draw) % 27);
	r->events = 0;
	r->w.count = GANG_WORLD_JOBS + seed_next(draw) % (JOBS - GANG_WORLD_JOBS + 1);
	for (size_t i = 0; i < r->w.count; i++) {
		r->job[i].id = i + 1;
		r->job[i].user = -1;
		r->job[i].submit = (i ? r->job[i - 1].submit : 0) + (int64_t)(seed_next(draw) % 8);
		r->job[i].width = 1 + (int32_t)(seed_next(draw) % (uint64_t)(r->x.c.nodes / 2 + 1));
		r->job[i].estimate = r->job[i].runtime = 5 + (int64_t)(seed_next(draw) % 60);
		r->job[i].deadline = seed_next(draw) % 4 ? 0
							 : r->job[i].submit + r->job[i].estimate +
								   (int64_t)(seed_next(draw) % 250);
	}
}

static void play(enum ref_gang_kind kind, uint64_t seed, bool costly, struct sums *sums)
{
	struct run r = { .events = 0 };
	struct sim_setup setup = { .scheduler = gang_world_kind(kind), .named = true };
	struct look look = {
		.w = &r.w, .seed = seed, .config = &setup.config, .name = setup.scheduler
	};
	uint64_t draw = (seed * 2654435761u) | 1;
	struct sim_slices slices;
	char why[256] = "";

	gang_world_make(&r.x, kind, seed);
	configure(&setup.config, &r.x, &draw);
	make_jobs(&r, &draw);
	if (costly)
		make_costly(&r, &setup.config, &draw);
	else
		make_events(&r, &draw);
	make_memory(&r, &setup, &draw);
	setup.nodes = look.nodes = (uint32_t)r.x.c.nodes;
	setup.event = r.event;
	setup.nevents = r.events;
	setup.created = created;
	setup.sched_arg = &look;
	if (simulate(&setup, &r.w, r.out, NULL, why, sizeof(why)))
		complain(&look, 0, why);
	assert_true(sim_slices_of(setup.scheduler, &setup.config, &slices));
	struct schedule schedule = { .w = &r.w,
				     .out = r.out,
				     .nodes = setup.nodes,
				     .node = setup.node,
				     .event = r.event,
				     .nevents = r.events,
				     .slices = &slices };

	if (validate(&schedule, say, NULL))
		complain(&look, 0, "the schedule is not right");
	for (size_t i = 0; i < r.w.count; i++) {
		sums->promised += r.out[i].promised;
		sums->refused += r.out[i].state == SIM_REFUSED;
	}
	sums->places += look.places;
	sums->beside += look.beside;
	sums->twins += look.twins;
	sums->aside += look.aside;
	sim_outcome_release(r.out, r.w.count);
	sched_destroy(look.twin);
	for (size_t i = 0; i < r.blocks; i++)
		nodeset_destroy(r.nodes[i]);
}

static void play_many(enum ref_gang_kind kind, bool costly)
{
	uint64_t rounds = costly ? seed_rounds(800) : seed_rounds(2000);
	struct sums sums = { 0 };

	for (uint64_t i = 0; i < rounds; i++)
		play(kind, seed_of_round(i), costly, &sums);
	print_message("# promised %" PRIu64 ", refused %" PRIu64 ", places in turn %" PRIu64
		      ", of these beside promises %" PRIu64 ", twins %" PRIu64
		      ", set aside %" PRIu64 "\n",
		      sums.promised, sums.refused, sums.places, sums.beside, sums.twins,
		      sums.aside);
	assert_true(rounds < 50 || (sums.promised > rounds / 2 && (costly || sums.refused > 0) &&
				    sums.beside > rounds));
}

static void test_bgs(void **state)
{
	(void)state;
	play_many(REF_BGS, false);
}

static void test_mbgs(void **state)
{
	(void)state;
	play_many(REF_MBGS, false);
}

/* What a migration costs makes a job end later: where that would be too late, there is none. */
static void test_costly(void **state)
{
	(void)state;
	play_many(REF_MBGS, true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bgs),
		cmocka_unit_test(test_mbgs),
		cmocka_unit_test(test_costly),
	};

	return seed_run("test_beside", tests);
}
