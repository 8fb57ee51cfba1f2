/* SPDX-License-Identifier: GPL-2.0-or-later */
/* gang_world: see gang_world.h */
#include "testsuite/unit/gang_world.h"

#include <string.h>

#include "common/rng.h"
#include "testsuite/unit/seed.h"

static const char *const kinds[] = { "gs", "bgs", "mgs", "mbgs", "bf", "ambgs" };
static const char *const orders[] = { "fcfs", "sjf", "bfit", "wfit" };
static const char *const phases[] = { "clean",	   "compact", "schedule", "collapse2",
				      "schedule2", "fill",    "fill2" };

const char *gang_world_kind(enum ref_gang_kind kind)
{
	return kinds[kind];
}

const char *gang_world_order(enum ref_gang_order order)
{
	return orders[order];
}

const char *gang_world_phase(enum ref_gang_phase phase)
{
	return phases[phase];
}

/* Some of the phases in their order; those that migrate only where the kind has them. */
static void draw_phases(struct gang_world *x, struct rng *r)
{
	bool migrates = x->c.kind == REF_MGS || x->c.kind == REF_MBGS || x->c.kind == REF_AMBGS;

	for (int p = REF_CLEAN; p <= REF_FILL2; p++) {
		bool second = p == REF_COLLAPSE2 || p == REF_SCHEDULE2 || p == REF_FILL2;
		bool drawn = rng_below(r, 3) > 0;
		bool clean = x->c.phases && x->phase[0] == REF_CLEAN;

		if (!clean && (p == REF_COMPACT || p == REF_COLLAPSE2 || p == REF_FILL2))
			continue; /* jobs move from home rows alone */

		if (p == REF_SCHEDULE || (drawn && (migrates || !second)))
			x->phase[x->c.phases++] = (enum ref_gang_phase)p;
	}
	x->c.phase = x->phase;
}

static void draw_setup(struct gang_world *x, enum ref_gang_kind kind, struct rng *r)
{
	static const int64_t lateness[] = { 60, 1, 10, 0 };
	struct ref_gang_setup *c = &x->c;

	c->kind = kind;
	c->nodes = (int)rng_range(r, 1, 8);
	c->rows = (int)rng_range(r, 1, 4);
	c->slice = rng_range(r, 1, 12);
	x->switch_myriad = rng_below(r, 2) ? 0 : rng_range(r, 0, 5000);
	c->switching = (x->switch_myriad * c->slice + 5000) / 10000;
	if (c->switching >= c->slice)
		x->switch_myriad = c->switching = 0;
	c->cost = rng_below(r, 2) ? 0 : rng_range(r, 1, 5);
	c->quota = rng_below(r, 2) ? GANG_WORLD_ALL : rng_range(r, 0, 2 * c->nodes);
	c->next = !rng_below(r, 3);
	c->discrete = !rng_below(r, 4);
	c->order = (enum ref_gang_order)rng_below(r, 4);
	c->lateness = lateness[rng_below(r, 4)];
	if (!rng_below(r, 3))
		draw_phases(x, r);
}

void gang_world_make(struct gang_world *x, enum ref_gang_kind kind, uint64_t seed)
{
	struct rng r;
	int64_t clock = 0, grain, gap, longest;
	bool own;

	memset(x, 0, sizeof(*x));
	rng_seed(&r, seed, RNG_TEST + 2);
	x->n = (size_t)rng_range(&r, 1, GANG_WORLD_JOBS);
	grain = rng_below(&r, 3) ? 1 : 5;
	gap = rng_range(&r, 0, 15);
	longest = rng_range(&r, 1, 40);
	for (size_t i = 0; i < x->n; i++) {
		struct ref_gang_job *j = &x->job[i];

		clock += rng_below(&r, 3) ? rng_range(&r, 0, gap) * grain : 0;
		j->submit = clock;
		j->width = (int)rng_range(&r, 1, 8);
		j->estimate = rng_range(&r, 1, longest) * grain;
		j->runtime = rng_below(&r, 2) ? j->estimate : rng_range(&r, 1, j->estimate);
	}
	draw_setup(x, kind, &r);
	x->c.loss = rng_range(&r, 1, 2000);
	x->c.aligned = !rng_below(&r, 3);
	own = rng_below(&r, 2);
	for (size_t i = 0; i < x->n; i++)
		x->job[i].width = 1 + (x->job[i].width - 1) % x->c.nodes;
	/* some have a C of their own */
	for (size_t i = 0; own && i < x->n; i++)
		x->job[i].cost = rng_below(&r, 3) ? rng_range(&r, 1, 12) : 0;
	if (rng_below(&r, 2))
		x->c.short_rows = (int)rng_range(&r, 0, x->c.rows - 1);
	x->c.short_time = rng_range(&r, 1, longest * grain);
	x->c.launch_time = rng_below(&r, 2) ? rng_range(&r, 0, x->c.slice) : 0;
}

void gang_world_print(const struct gang_world *x)
{
	const struct ref_gang_setup *c = &x->c;

	print_message(
		"# %s nodes %d rows %d slice %lld switch %lld of 10000 (%lld s) loss %lld C %lld Q "
		"%lld cut=%s "
		"%s %s %s lateness %lld short %d, %lld launch %lld\n# phases",
		kinds[c->kind], c->nodes, c->rows, (long long)c->slice, (long long)x->switch_myriad,
		(long long)c->switching, (long long)c->loss, (long long)c->cost,
		(long long)c->quota, c->next ? "next" : "keep",
		c->discrete ? "discrete" : "continuous", orders[c->order],
		c->aligned ? "aligned" : "lowest", (long long)c->lateness, c->short_rows,
		(long long)c->short_time, (long long)c->launch_time);
	for (size_t k = 0; c->phase && k < c->phases; k++)
		print_message(" %s", phases[c->phase[k]]);
	print_message("%s\n", c->phase ? "" : " its own");
	for (size_t i = 0; i < x->n; i++) {
		const struct ref_gang_job *j = &x->job[i];

		print_message(
			"# job %zu (%c) submit %lld width %d C %lld runtime %lld estimate %lld: "
			"placed %lld "
			"start %lld end %lld switches %lld migrated %lld lost %lld (%lld)\n",
			i + 1, (char)('A' + i), (long long)j->submit, j->width, (long long)j->cost,
			(long long)j->runtime, (long long)j->estimate, (long long)j->placed,
			(long long)j->start, (long long)j->end, (long long)j->switches,
			(long long)j->migrated, (long long)j->lost, (long long)j->lost_migrating);
	}
}
