/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * world: see world.h. The driver: it makes events, answers starts as a real controller might (late, on
 * any of the nodes it may use, or not at all), and ends jobs early, at their limit or a little later.
 */
#include "testsuite/unit/inside.h"
#include "testsuite/unit/seed.h"
#include "testsuite/unit/world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t world_draw(struct world *w)
{
	return seed_next(&w->seed);
}

int64_t world_below(struct world *w, int64_t n)
{
	return n > 0 ? (int64_t)(world_draw(w) % (uint64_t)n) : 0;
}

static bool chance(struct world *w, int percent)
{
	return world_below(w, 100) < percent;
}

static uint64_t all_nodes(const struct world *w)
{
	return (UINT64_C(1) << w->nodes) - 1;
}

uint64_t mask_of(const struct nodeset *s)
{
	uint64_t mask = 0;

	for (uint32_t n = nodeset_next(s, 0); n < nodeset_size(s); n = nodeset_next(s, n + 1))
		mask |= UINT64_C(1) << n;
	return mask;
}

static void set_mask(struct nodeset *s, uint64_t mask)
{
	nodeset_clear(s);
	for (uint32_t n = 0; n < nodeset_size(s); n++) {
		if (mask >> n & 1)
			nodeset_set(s, n);
	}
}

/* n nodes of the mask, any. */
static uint64_t pick(struct world *w, uint64_t mask, int n)
{
	uint64_t out = 0;

	while (n > 0 && (mask & ~out)) {
		uint64_t bit = UINT64_C(1) << world_below(w, w->nodes);

		if (!(mask & bit) || (out & bit))
			continue;
		out |= bit;
		n--;
	}
	return out;
}

struct wjob *world_find(struct world *w, uint64_t id)
{
	for (size_t i = 0; i < w->njobs; i++) {
		if (w->job[i].state != W_FREE && w->job[i].d.id == id)
			return &w->job[i];
	}
	return NULL;
}

static struct wjob *take_slot(struct world *w)
{
	for (size_t i = 0; i < WORLD_JOBS; i++) {
		if (w->job[i].state != W_FREE)
			continue;
		w->job[i] = (struct wjob){ .state = W_FREE };
		if (i >= w->njobs)
			w->njobs = i + 1;
		return &w->job[i];
	}
	return NULL;
}

static struct wjob *any_job(struct world *w, enum wstate state)
{
	size_t from = (size_t)world_below(w, (int64_t)w->njobs);

	for (size_t i = 0; i < w->njobs; i++) {
		struct wjob *j = &w->job[(from + i) % w->njobs];

		if (j->state == state)
			return j;
	}
	return NULL;
}

static void name_set(struct world *w)
{
	uint64_t mask;

	if (w->sets == WORLD_SETS)
		return;
	mask = chance(w, 50) ? pick(w, all_nodes(w), 1 + (int)world_below(w, w->nodes))
			     : (world_draw(w) ^ world_draw(w) << 24) & all_nodes(w);
	if (!mask)
		mask = 1;
	w->set[w->sets] = nodeset_create(w->nodes);
	set_mask(w->set[w->sets], mask);
	w->set_mask[w->sets++] = mask;
}

/* Settings of dynp, all valid. */
static void draw_tuning(struct world *w)
{
	struct dynp_config *c = &w->c.dynp;
	struct sched_config first;

	sched_config_init(&first);
	*c = first.dynp;
	c->decider = (enum dynp_decider)world_below(w, DYNP_PREFERRED + 1);
	if (c->decider != DYNP_BASIC && chance(w, 50)) {
		uint32_t first = (uint32_t)world_below(w, DYNP_ORDERS);

		c->npolicies = 1 + (uint32_t)world_below(w, DYNP_ORDERS);
		for (uint32_t i = 0; i < c->npolicies; i++)
			c->policy[i] = (enum dynp_order)((first + i) % DYNP_ORDERS);
	}
	for (int m = 0; m < DYNP_METRICS; m++)
		c->weight[m] = chance(w, 30) ? (int32_t)world_below(w, 4) : m == DYNP_ARTWW;
	c->weight[DYNP_ART]++;
	c->slackness_ppm = chance(w, 70) ? 0 : (int32_t)world_below(w, 200000);
	c->future_starts = chance(w, 70) ? 0 : world_below(w, 5);
	c->future_seconds = chance(w, 70) ? 0 : world_below(w, 500);
	c->lower_bound = world_below(w, 100);
	c->upper_bound = c->lower_bound + world_below(w, 100);
	c->threshold = world_below(w, 6);
	c->job_priority = (enum dynp_priority)world_below(w, 3);
}

static bool has_slurm_mode(const struct world *w)
{
	return !strcmp(w->scheduler, "qops");
}

void world_create(struct world *w, const char *scheduler, uint64_t seed, enum sched_mode mode,
		  bool lossless)
{
	*w = (struct world){ .scheduler = scheduler,
			     .first_seed = seed,
			     .seed = seed ? seed : 1,
			     .hash = UINT64_C(0xcbf29ce484222325),
			     .lossless = lossless,
			     .wake = PACT_FOREVER,
			     .next_id = 1 };
	for (int i = 0; i < 8; i++)
		world_draw(w);
	w->nodes = chance(w, 15) ? 1 : 1 + (uint32_t)world_below(w, WORLD_NODES);
	sched_config_init(&w->c);
	w->c.mode = mode;
	w->c.order = chance(w, 50) ? ORDER_EDF : ORDER_LLF;
	w->c.kfactor = (int32_t)world_below(w, 7);
	w->c.min_artificial = 100 + world_below(w, 2000);
	w->c.guard = chance(w, 30) ? 0 : world_below(w, 60);
	w->c.lateness = chance(w, 30) ? 0 : world_below(w, w->c.guard + 1);
	w->c.offer_probes = chance(w, 50) ? 0 : (int32_t)world_below(w, 6);
	if (!has_slurm_mode(w)) { /* what only others ask for */
		w->c.cost = (enum sched_cost)world_below(w, 4);
		w->c.slots = chance(w, 50) ? SLOTS_START : SLOTS_ORDER;
		w->c.backtracks = (int32_t)world_below(w, 12);
	}
	if (!strcmp(scheduler, "conservative"))
		w->c.compress = chance(w, 50) ? COMPRESS_START : COMPRESS_ARRIVAL;
	w->plain = !strcmp(scheduler, "fcfs") || !strcmp(scheduler, "easy");
	w->tuning = !strcmp(scheduler, "dynp");
	if (w->tuning)
		draw_tuning(w);
	w->s = sched_create(scheduler, w->nodes, &w->c, NULL, 0);
	assert_non_null(w->s);
	w->scratch = nodeset_create(w->nodes);
	for (int64_t n = chance(w, 30) ? 0 : world_below(w, 7); n > 0; n--)
		name_set(w);
}

void world_create_tuning(struct world *w, uint64_t seed, bool lossless, bool forget)
{
	world_create(w, "dynp", seed, seed % 2 ? SCHED_MODE_PAPER : SCHED_MODE_SLURM, lossless);
	w->forget = forget;
}

void world_destroy(struct world *w)
{
	sched_destroy(w->s);
	nodeset_destroy(w->scratch);
	for (uint32_t i = 0; i < w->sets; i++)
		nodeset_destroy(w->set[i]);
}

static void note(struct world *w, uint64_t x)
{
	w->hash = (w->hash ^ x) * UINT64_C(0x100000001b3);
}

static int send(struct world *w, struct sched_event ev)
{
	ev.now = w->now;
	/* one that forgets all that dynp keeps, and one that is told of no change at all, must do the same */
	if (w->tuning && chance(w, 50))
		news_room(&inside(w->s)->news, 0, w->forget ? PACT_FOREVER : 1, 0);
	w->wake = PACT_FOREVER; /* the drain after an event says anew what is waited for */
	return sched_event(w->s, &ev);
}

static void must(struct world *w, struct sched_event ev)
{
	if (send(w, ev) != PACT_OK)
		world_fail(w, sched_error(w->s), ev.id);
}

/* ---- time ---- */

/* When the driver has to do something: an end, or a unconfirmed job whose planned start comes. */
static int64_t next_duty(struct world *w)
{
	int64_t at = PACT_FOREVER;

	for (size_t i = 0; i < w->njobs; i++) {
		struct wjob *j = &w->job[i];
		struct sched_view v;
		int64_t t = PACT_FOREVER;

		if (j->state == W_RUNS && sched_view(w->s, j->d.id, &v) == PACT_OK)
			t = v.end > w->now && v.end < j->real_end ? v.end : j->real_end;
		else if (j->state == W_BLOCKS)
			t = j->real_end;
		else if (j->state == W_WAITS && (j->d.flags & JOB_UNCONFIRMED) &&
			 sched_view(w->s, j->d.id, &v) == PACT_OK)
			t = v.start;
		if (t < at)
			at = t;
	}
	return at;
}

/* How much later than now a start may be answered. */
static int64_t late_by(struct world *w)
{
	int64_t room = w->c.lateness - (w->now - w->drain_start), duty = next_duty(w);

	if (w->prompt)
		return 0;
	if (!w->lossless && chance(w, 3))
		room = 3 * w->c.guard + 5;
	if (room > 0 && duty <= w->now + room)
		room = duty - w->now - 1;
	return room > 0 && chance(w, 50) ? world_below(w, room + 1) : 0;
}

static int64_t runtime(struct world *w, const struct wjob *j)
{
	int64_t limit = j->d.limit, spare = w->c.guard - w->c.lateness;

	if (limit == PACT_FOREVER)
		return 1 + world_below(w, 500);
	if (chance(w, 50))
		return 1 + world_below(w, limit);
	if (!w->lossless && w->c.lateness &&
	    chance(w, 5)) /* without a lateness the driver is exact */
		return limit + w->c.guard + world_below(w, 200);
	return limit + (chance(w, 50) ? world_below(w, spare + 1) : 0);
}

/* ---- actions ---- */

static void begin_running(struct world *w, struct wjob *j, const struct sched_action *a)
{
	uint64_t allowed = a->allowed ? mask_of(a->allowed) : all_nodes(w);
	int n = a->exact ? a->width - __builtin_popcountll(j->required_mask)
			 : 1 + (int)world_below(w, __builtin_popcountll(allowed));

	if (!a->allowed) {
		for (size_t i = 0; i < w->njobs; i++) {
			if (w->job[i].state == W_RUNS || w->job[i].state == W_BLOCKS)
				allowed &= ~w->job[i].mask;
		}
	}
	j->mask = a->exact ? j->required_mask : 0;
	j->mask |= pick(w, allowed & ~j->mask, n);
	w->now += late_by(w);
	w->shortened += a->limit < j->d.limit;
	j->d.limit = a->limit;
	j->start = w->now;
	set_mask(w->scratch, j->mask);
	must(w, (struct sched_event){ .type = EV_STARTED,
				      .id = a->id,
				      .nodes = w->scratch,
				      .start = chance(w, 50) ? w->now : 0 });
	j->state = W_RUNS;
	j->real_end = w->now + runtime(w, j);
	j->failed = false;
	w->started++;
	w->opaque_started += !a->exact;
}

static void submit_meanwhile(struct world *w);

static void answer_start(struct world *w, const struct sched_action *a)
{
	struct wjob *j = world_find(w, a->id);

	note(w, a->allowed ? mask_of(a->allowed) : 1);
	note(w, (uint64_t)a->width);
	world_check(w, j, a->id);
	world_check_start(w, j, a);
	if (!w->prompt && !w->alone && chance(w, 10)) {
		submit_meanwhile(w);
		j = world_find(w, a->id);
	}
	if ((a->exact && chance(w, 90)) || (!a->exact && chance(w, 60)) ||
	    ((w->lossless || w->prompt) && j->d.deadline)) {
		begin_running(w, j, a);
		return;
	}
	w->taking |= j->d.deadline != 0;
	j->failed = true;
	must(w, (struct sched_event){
			.type = EV_START_FAILED, .id = a->id, .reserve = chance(w, 50) });
}

static void hear(struct world *w, const struct sched_action *a)
{
	struct wjob *j = world_find(w, a->id);

	if (a->type == ACT_ACCEPT || a->type == ACT_REFUSE) {
		world_check(w, !w->answered, a->id);
		world_check(w, a->decision.accepted == (a->type == ACT_ACCEPT), a->id);
		w->answered = true;
		w->decision = a->decision;
		note(w, (uint64_t)a->decision.end);
		note(w, (uint64_t)a->decision.offer_end);
		note(w, a->decision.reason);
	} else if (a->type == ACT_BROKEN || a->type == ACT_MENDED) {
		world_check(w, j && j->d.deadline, a->id);
		world_check(w, j->broken != (a->type == ACT_BROKEN), a->id);
		world_check(w, !w->lossless, a->id);
		world_check(w, (a->end > j->d.deadline) == (a->type == ACT_BROKEN), a->id);
		j->broken = a->type == ACT_BROKEN;
		w->broken += j->broken;
		w->mended += !j->broken;
	} else if (a->type == ACT_POLICY) {
		world_check(w, w->tuning && a->from != a->to, 0);
		w->switches++;
	}
}

/* Follow what happened to the end of the pass, as a driver does. */
static void drain(struct world *w)
{
	struct sched_action a;

	w->drain_start = w->now;
	while (sched_next(w->s, &a)) {
		note(w, (uint64_t)a.type);
		note(w, a.id);
		note(w, (uint64_t)a.end);
		if (a.type == ACT_START) {
			answer_start(w, &a);
		} else if (a.type == ACT_WAKE && a.end > w->now) {
			w->wake = a.end;
		} else if (a.type == ACT_WAKE) {
			must(w, (struct sched_event){ .type = EV_TIME });
		} else {
			hear(w, &a);
		}
	}
	if (w->wake <= w->now)
		w->wake = PACT_FOREVER;
}

static void poll(struct world *w)
{
	struct sched_action a;

	while (sched_poll(w->s, &a)) {
		world_check(w, a.type != ACT_START && a.type != ACT_WAKE, a.id);
		hear(w, &a);
	}
}

/* ---- submissions ---- */

static void name_nodes(struct world *w, struct wjob *j)
{
	uint64_t all = 0;

	if (chance(w, 4))
		name_set(w);
	if (w->sets && chance(w, 60)) {
		j->d.nalt = 1 + (uint32_t)world_below(w, chance(w, 70) ? 1 : 3);
		for (uint32_t i = 0; i < j->d.nalt; i++) {
			int64_t k = world_below(w, w->sets);

			j->d.alt[i] = w->set[k];
			j->alt_mask[i] = w->set_mask[k];
			all |= w->set_mask[k];
		}
	}
	if (w->sets && chance(w, 10)) {
		int64_t k = world_below(w, w->sets);

		j->d.required = w->set[k];
		j->required_mask = w->set_mask[k];
	}
	int most = __builtin_popcountll(j->d.nalt ? all : all_nodes(w));

	j->d.width = 1 + (int32_t)world_below(w, chance(w, 70) ? (most + 3) / 4 : most);
	if (chance(w, 2))
		j->d.width = (int32_t)w->nodes + 1;
}

static void draw_terms(struct world *w, struct wjob *j, bool deadline)
{
	j->d = (struct sched_job){
		.id = w->next_id, .submit = w->now, .planned = -1, .priority = world_below(w, 5)
	};
	w->next_id += 1 + (uint64_t)world_below(w, 3);
	j->d.limit = 1 + world_below(w, chance(w, 80) ? 200 : 1500);
	if (chance(w, 2))
		j->d.limit = PACT_FOREVER;
	j->d.begin = chance(w, 15) ? w->now + world_below(w, 400) : 0;
	name_nodes(w, j);
	j->duration = j->d.limit == PACT_FOREVER ? PACT_FOREVER : j->d.limit + w->c.guard;
	if (!deadline)
		return;
	int64_t from = j->d.begin > w->now ? j->d.begin : w->now;
	int64_t slack = world_below(w, chance(w, 50) ? 100 : 3000) - 3;

	j->d.deadline = j->duration == PACT_FOREVER ? from + 1000 : from + j->duration + slack;
	if (j->d.deadline < 1)
		j->d.deadline = 1; /* before the epoch there are none */
	if (chance(w, 20))
		j->d.flags |= JOB_UNCONFIRMED;
}

/* An offer is true: asked again at once it is accepted. */
static void check_offer(struct world *w, struct sched_job *d, size_t n)
{
	int64_t offer = w->decision.offer_end;
	struct sched_decision again;

	if (offer == PACT_FOREVER || !world_steady(w))
		return;
	for (size_t i = 0; i < n; i++)
		d[i].deadline = offer;
	world_check(w, w->decision.offer_start >= w->now && w->decision.offer_start < offer, d->id);
	world_check(w, sched_ask(w->s, w->now, d, n, &again) == PACT_OK, d->id);
	world_check(w, again.accepted || !world_steady(w), d->id);
	world_check(w, again.end <= offer || !world_steady(w), d->id);
	w->offers++;
}

static void check_accepted(struct world *w, struct wjob **j, size_t n)
{
	const struct sched_decision *d = &w->decision;
	int64_t start = PACT_FOREVER, end = 0;

	for (size_t i = 0; i < n; i++) {
		struct sched_view v;

		world_check(w, sched_view(w->s, j[i]->d.id, &v) == PACT_OK, j[i]->d.id);
		world_check(w, v.promised && v.end <= j[i]->d.deadline, v.id);
		world_check(w, v.unconfirmed == !!(j[i]->d.flags & JOB_UNCONFIRMED), v.id);
		start = v.start < start ? v.start : start;
		end = v.end > end ? v.end : end;
	}
	world_check(w, (d->start == start && d->end == end) || !world_steady(w), j[0]->d.id);
	if (w->c.mode == SCHED_MODE_SLURM && !w->tuning)
		world_not_starved(w);
}

static bool same_decision(const struct world *w, const struct sched_decision *asked)
{
	const struct sched_decision *d = &w->decision;

	return !world_steady(w) || (d->accepted == asked->accepted && d->end == asked->end &&
				    d->offer_end == asked->offer_end);
}

static void decide_about(struct world *w, struct wjob **j, struct sched_job *d, size_t n)
{
	struct sched_decision asked;

	/* a first question orders the plan, from then on nothing moves */
	world_check(w, sched_ask(w->s, w->now, d, n, &asked) == PACT_OK, d->id);
	world_look(w);
	world_check(w, sched_ask(w->s, w->now, d, n, &asked) == PACT_OK, d->id);
	world_unchanged(w);
	w->answered = false;
	must(w, (struct sched_event){ .type = EV_SUBMIT, .jobs = d, .njobs = n });
	poll(w);
	world_check(w, w->answered, d->id);
	world_check(w, same_decision(w, &asked), d->id);
	world_check(w, w->decision.reason == asked.reason || !world_steady(w), d->id);
	if (w->decision.accepted) {
		for (size_t i = 0; i < n; i++)
			j[i]->state = W_WAITS;
		check_accepted(w, j, n);
		w->accepted++;
		return;
	}
	world_unchanged(w);
	check_offer(w, d, n);
	world_unchanged(w);
	w->refused++;
}

/* A promised job that could not be started in time loses its place at the next pass: let it. */
static void settle_down(struct world *w)
{
	w->prompt = true;
	must(w, (struct sched_event){ .type = EV_TIME });
	drain(w);
	w->prompt = false;
}

static void submit(struct world *w)
{
	struct sched_job d[4];
	struct wjob *j[4];
	size_t n = chance(w, 85) ? 1 : 2 + (size_t)world_below(w, 3);
	bool deadline = chance(w, 50);

	if (!w->lossless)
		settle_down(w);
	for (size_t i = 0; i < n; i++) {
		j[i] = take_slot(w);
		if (!j[i])
			return;
		draw_terms(w, j[i], deadline);
		if (!deadline && chance(w, 25))
			j[i]->d.flags |= JOB_OPAQUE;
		if (!deadline && chance(w, 40))
			j[i]->d.least = 1 + world_below(w, 200);
		if (!deadline && !w->plain && chance(w, 5))
			j[i]->d.flags |= JOB_UNCONFIRMED;
		d[i] = j[i]->d;
		j[i]->state = W_BLOCKS; /* for the moment: the slot is taken */
		j[i]->start = j[i]->real_end = 0;
	}
	for (size_t i = 0; i < n; i++)
		j[i]->state = W_FREE;
	if (deadline) {
		decide_about(w, j, d, n);
		return;
	}
	must(w, (struct sched_event){ .type = EV_SUBMIT, .jobs = d, .njobs = n });
	for (size_t i = 0; i < n; i++)
		j[i]->state = W_WAITS;
}

/* Admissions go on while a start is being made: no answer may harm it, nor it the answer. */
static void submit_meanwhile(struct world *w)
{
	struct wjob *j = take_slot(w);
	struct sched_decision asked;

	if (!j)
		return;
	draw_terms(w, j, chance(w, 70));
	if (j->d.deadline) {
		world_check(w, sched_ask(w->s, w->now, &j->d, 1, &asked) == PACT_OK, j->d.id);
		w->answered = false;
	}
	must(w, (struct sched_event){ .type = EV_SUBMIT, .jobs = &j->d, .njobs = 1 });
	poll(w);
	if (!j->d.deadline || w->decision.accepted)
		j->state = W_WAITS;
	if (!j->d.deadline)
		return;
	world_check(w, w->answered && same_decision(w, &asked), j->d.id);
	w->accepted += w->decision.accepted;
	w->refused += !w->decision.accepted;
	if (w->decision.accepted) {
		struct sched_view v;

		world_check(w, sched_view(w->s, j->d.id, &v) == PACT_OK, j->d.id);
		world_check(w, v.promised && v.end <= j->d.deadline, j->d.id);
		world_check(w, v.end == asked.end || !world_steady(w), j->d.id);
	}
}

/* ---- other events ---- */

static void confirm_or_withdraw(struct world *w, struct wjob *j)
{
	if (chance(w, 20)) {
		must(w, (struct sched_event){ .type = EV_WITHDRAW, .id = j->d.id });
		j->state = W_FREE;
		return;
	}
	uint64_t id = chance(w, 50) ? w->next_id++ : j->d.id;

	must(w, (struct sched_event){ .type = EV_CONFIRM, .id = j->d.id, .new_id = id });
	j->d.id = id;
	j->d.flags &= ~(uint32_t)JOB_UNCONFIRMED;
}

/* The question changes nothing, and the answer is what the event then gets. */
static void ask_change(struct world *w, const struct sched_job *d, struct sched_decision *asked)
{
	if (!d->deadline) {
		world_check(w, sched_ask_change(w->s, w->now, d, asked) == PACT_EINVAL, d->id);
		world_look(w);
		return;
	}
	/* a first question orders the plan, from then on nothing moves */
	world_check(w, sched_ask_change(w->s, w->now, d, asked) == PACT_OK, d->id);
	world_look(w);
	world_check(w, sched_ask_change(w->s, w->now, d, asked) == PACT_OK, d->id);
	world_unchanged(w);
}

static void change(struct world *w, struct wjob *j)
{
	struct wjob new = { .state = W_WAITS };
	struct sched_decision asked;
	uint64_t id = j->d.id;
	bool opaque = j->d.flags & JOB_OPAQUE;

	if (!w->lossless)
		settle_down(w);
	if (j->state != W_WAITS)
		return; /* it runs now */
	draw_terms(w, &new, !opaque && chance(w, 50));
	new.d.id = id;
	new.d.submit = j->d.submit;
	new.d.flags = j->d.flags &(uint32_t)(JOB_UNCONFIRMED | JOB_OPAQUE);
	ask_change(w, &new.d, &asked);
	w->answered = false;
	must(w, (struct sched_event){ .type = EV_CHANGE, .jobs = &new.d, .njobs = 1 });
	poll(w);
	world_check(w, w->answered == (new.d.deadline != 0), id);
	if (w->answered)
		world_check(w, same_decision(w, &asked), id);
	if (w->answered && !w->decision.accepted) {
		world_unchanged(w);
		return;
	}
	new.before = j->before;
	new.before_why = j->before_why;
	*j = new;
	if (w->answered && w->c.mode == SCHED_MODE_SLURM && !w->tuning)
		world_not_starved(w);
	if (w->answered) {
		struct wjob *one = j;

		w->accepted++;
		check_accepted(w, &one, 1);
	}
}

static void finish(struct world *w, struct wjob *j)
{
	bool runs = j->state == W_RUNS;

	if (runs && j->d.deadline) {
		world_check(w, w->now <= j->d.deadline || j->broken, j->d.id);
		w->kept += w->now <= j->d.deadline;
	}
	must(w, (struct sched_event){ .type = EV_FINISH, .id = j->d.id });
	j->state = W_FREE;
}

static void block(struct world *w)
{
	struct wjob *j = take_slot(w);
	int64_t start = w->now;

	if (!j)
		return;
	j->d = (struct sched_job){ .id = w->next_id++ };
	j->mask = pick(w, all_nodes(w), 1 + (int)world_below(w, (w->nodes + 2) / 3));
	if (chance(w, 50))
		start += world_below(w, 800);
	j->start = start;
	j->real_end = chance(w, 80) ? start + 1 + world_below(w, 500) : PACT_FOREVER;
	set_mask(w->scratch, j->mask);
	must(w, (struct sched_event){ .type = EV_BLOCK,
				      .id = j->d.id,
				      .nodes = w->scratch,
				      .start = start,
				      .end = j->real_end });
	j->state = W_BLOCKS;
}

static void change_end(struct world *w)
{
	struct wjob *j = any_job(w, W_RUNS);
	struct sched_view v;

	if (!j || sched_view(w->s, j->d.id, &v) != PACT_OK)
		return;
	int64_t end = v.end;

	if (w->lossless || chance(w, 50)) {
		if (v.end == PACT_FOREVER)
			end = j->real_end + world_below(w, 300);
		else if (v.end > j->real_end)
			end = j->real_end + world_below(w, v.end - j->real_end + 1);
	} else {
		end = w->now + 1 + world_below(w, 500);
		if (chance(w, 50) || (j->real_end > end && !w->c.lateness))
			j->real_end = end;
	}
	must(w, (struct sched_event){ .type = EV_END_CHANGED, .id = j->d.id, .end = end });
}

static void reconfigure(struct world *w)
{
	w->c.kfactor = (int32_t)world_below(w, 7);
	w->c.order = chance(w, 50) ? ORDER_EDF : ORDER_LLF;
	w->c.min_artificial = 100 + world_below(w, 2000);
	w->c.offer_probes = (int32_t)world_below(w, 5);
	if (w->tuning)
		draw_tuning(w);
	if (chance(w, 30) && has_slurm_mode(w))
		w->c.mode = w->c.mode == SCHED_MODE_SLURM ? SCHED_MODE_PAPER : SCHED_MODE_SLURM;
	world_check(w, sched_configure(w->s, &w->c, NULL, 0) == PACT_OK, 0);
}

/* Nonsense has a code and no effect. */
static void nonsense(struct world *w)
{
	struct wjob *j = any_job(w, chance(w, 50) ? W_WAITS : W_RUNS);
	struct wjob bad = { .state = W_FREE };
	uint64_t id = j ? j->d.id : 0, none = w->next_id + 1000;
	bool waits = j && j->state == W_WAITS;

	draw_terms(w, &bad, false);
	world_look(w);
	if (j) {
		bad.d.id = id;
		assert_int_equal(
			send(w,
			     (struct sched_event){ .type = EV_SUBMIT, .jobs = &bad.d, .njobs = 1 }),
			PACT_EEXIST);
		assert_int_equal(
			send(w, (struct sched_event){ .type = waits ? EV_FINISH : EV_WITHDRAW,
						      .id = id }),
			PACT_ENOENT);
	}
	bad.d.id = none;
	bad.d.width = 0;
	assert_int_equal(
		send(w, (struct sched_event){ .type = EV_SUBMIT, .jobs = &bad.d, .njobs = 1 }),
		PACT_EINVAL);
	assert_int_equal(
		send(w, (struct sched_event){ .type = EV_CHANGE, .jobs = &bad.d, .njobs = 1 }),
		PACT_ENOENT);
	assert_int_equal(
		send(w, (struct sched_event){ .type = EV_CONFIRM, .id = none, .new_id = none + 1 }),
		PACT_ENOENT);
	assert_int_equal(send(w, (struct sched_event){ .type = EV_START_FAILED, .id = none }),
			 PACT_ENOENT);
	if (waits)
		assert_int_equal(send(w, (struct sched_event){ .type = EV_START_FAILED, .id = id }),
				 PACT_EPROTO);
	world_unchanged(w);
}

/* Early ends: no other job may be delayed by them, but by a scheduler that replans within the promises. */
static void end_early(struct world *w)
{
	struct wjob *j = any_job(w, W_RUNS);
	bool promised = w->c.mode == SCHED_MODE_SLURM;

	if (!j)
		return;
	world_look(w);
	finish(w, j);
	w->alone = true;
	drain(w);
	w->alone = false;
	if (w->lossless && !w->tuning && strcmp(w->scheduler, "qops-best") != 0)
		world_not_later(w, promised);
}

static void random_event(struct world *w)
{
	struct wjob *j;
	int64_t kind = world_below(w, 100);

	if (kind < 50)
		submit(w);
	else if (kind < 60)
		end_early(w);
	else if (kind < 66 && (j = any_job(w, W_WAITS)))
		change(w, j);
	else if (kind < 72 && (j = any_job(w, W_WAITS))) {
		j->d.priority = world_below(w, 5);
		must(w, (struct sched_event){
				.type = EV_PRIORITY, .id = j->d.id, .priority = j->d.priority });
	} else if (kind < 76 && (j = any_job(w, W_WAITS))) {
		must(w, (struct sched_event){ .type = EV_WITHDRAW, .id = j->d.id });
		j->state = W_FREE;
	} else if (kind < 80) {
		must(w, (struct sched_event){ .type = EV_TIME });
	} else if (kind < 84) {
		nonsense(w);
	} else if (kind < 88) {
		change_end(w);
	} else if (kind < 90) {
		reconfigure(w);
	} else if (kind < 94 && (!w->lossless || !w->accepted)) { /* takes nothing promised */
		block(w);
	} else if (kind < 96 && (j = any_job(w, W_BLOCKS))) {
		finish(w, j);
	} else if ((j = any_job(w, W_WAITS)) && (j->d.flags & JOB_UNCONFIRMED)) {
		confirm_or_withdraw(w, j);
	}
}

/* Go to the next thing that must happen, or stop before it. */
static void advance(struct world *w)
{
	int64_t duty = next_duty(w), to = duty < w->wake ? duty : w->wake;

	if (to > w->now + 200 && chance(w, 50))
		to = w->now + 1 + world_below(w, 199);
	if (to == PACT_FOREVER)
		return;
	if (to > w->now)
		w->now = to;
	for (size_t i = 0; i < w->njobs; i++) {
		struct wjob *j = &w->job[i];
		struct sched_view v;

		if ((j->state == W_RUNS || j->state == W_BLOCKS) && j->real_end <= w->now)
			finish(w, j);
		else if (j->state == W_WAITS && (j->d.flags & JOB_UNCONFIRMED) &&
			 sched_view(w->s, j->d.id, &v) == PACT_OK && v.start <= w->now)
			confirm_or_withdraw(w, j);
	}
	must(w, (struct sched_event){ .type = EV_TIME });
}

void world_step(struct world *w)
{
	w->step++;
	if (chance(w, 40))
		advance(w);
	else
		random_event(w);
	drain(w);
	world_check_quiet(w);
}
