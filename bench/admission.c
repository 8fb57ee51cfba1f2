/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bench/admission [--budget MS] [SEED]: one admission with 10, 1000 and 10,000 jobs waiting on 430
 * nodes, accepted and refused cases apart; first with promised jobs waiting, then with ordinary ones (no
 * deadline) behind a running job that holds every node. Of qops in the plugin's default mode, then, in the
 * paper's mode, of qops and of qops-best, which knows only that; and of dynp, in the mode of its plugin.
 *
 * Reference in the same run: placing the N waiting jobs once into the plain sorted array of the unit
 * tests (the least that position 0 in QoPS, Figure 3, has to do). One line per N:
 *	scheduler, mode, kind, N, accepted: median and worst ms, refused: median and worst ms, reference ms,
 *	accepted median over reference, answers later than the budget, answers "not now" for want of it,
 *	bytes of the core per waiting job; ordinary jobs: ms of the pass after an admission
 * Times are of sched_ask(), which decides exactly as a submission does and keeps nothing; they are
 * processor time, which other load on the machine disturbs less. --budget is measured likewise.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BENCH "admission"
#include "bench/bench.h"
#include "core/sched.h"
#include "testsuite/unit/ref_profile.h"

#define NODES 430
#define SEED UINT64_C(88172645463325252)
#define GUARD 90
#define PROBES 60
#define PROBES_PAPER 12 /* a refusal costs more, all jobs being arranged at every position */
#define ROUNDS 5

struct stream {
	uint64_t x;
};

static uint32_t draw(struct stream *st)
{
	st->x ^= st->x << 13;
	st->x ^= st->x >> 7;
	st->x ^= st->x << 17;
	return (uint32_t)(st->x >> 32);
}

static double deadline_ms; /* when the running admission must stop: the bridge's AdmissionTime */

static bool expired(void *arg)
{
	(void)arg;
	return now_ms() > deadline_ms;
}

static struct sched_job make_job(struct stream *st, uint64_t id)
{
	struct sched_job j = { .id = id, .planned = -1, .submit = (int64_t)id };

	j.width = 1 + (int32_t)(draw(st) % 64);
	j.limit = 60 + draw(st) % 64800;
	return j;
}

/* What is measured. */
struct variant {
	const char *scheduler;
	enum sched_mode mode;
	double budget; /* ms; 0: none */
};

static struct sched_config configure(const struct variant *v)
{
	struct sched_config c;

	sched_config_init(&c);
	c.mode = v->mode;
	c.guard = GUARD;
	c.lateness = 30;
	c.offer_probes = 6;
	c.expired = v->budget > 0 ? expired : NULL;
	return c;
}

static struct sched *create(const struct variant *v, const struct sched_config *c)
{
	struct sched *s = sched_create(v->scheduler, NODES, c, NULL, 0);

	if (!s)
		die("no memory");
	return s;
}

/*
 * N jobs placed one after another, deadlines little behind that schedule, so that a job in a hurry finds no room; then the
 * core gets them as promises made earlier and makes its own plan of them.
 */
static struct sched *fill_promised(const struct variant *v, size_t n, uint64_t seed,
				   struct sched_job **out)
{
	struct stream st = { seed };
	struct sched_job *jobs = calloc(n, sizeof(*jobs));
	struct ref_profile *p = ref_profile_create(0, NODES);
	struct sched_config c = configure(v);
	struct sched *s = create(v, &c);

	if (!jobs || !p)
		die("no memory");
	for (size_t i = 0; i < n; i++) {
		jobs[i] = make_job(&st, i + 1);
		int64_t d = jobs[i].limit + GUARD;
		int64_t t = ref_profile_earliest(p, 1, d, jobs[i].width);

		ref_profile_add(p, t, t + d, -jobs[i].width);
		jobs[i].deadline = t + d;
		jobs[i].flags = JOB_PROMISED;
		jobs[i].planned = t;
	}
	for (size_t i = 0; i < n; i++)
		jobs[i].deadline += 600 + draw(&st) % 3600 + jobs[i].planned / 100;
	ref_profile_destroy(p);
	deadline_ms = now_ms() + 1e9;
	if (sched_event(s,
			&(struct sched_event){
				.type = EV_SUBMIT, .now = 1, .jobs = jobs, .njobs = n }) != PACT_OK)
		die("the promised jobs were not taken");
	struct sched_action a;

	if (sched_next(s, &a) && a.type == ACT_BROKEN)
		die("the set-up broke a promise");
	*out = jobs;
	return s;
}

/*
 * N jobs without a deadline, of any priority, while one job holds all nodes: the plan after a pass, as
 * the bridge's admissions find it.
 */
static struct sched *fill_ordinary(const struct variant *v, size_t n, uint64_t seed,
				   struct sched_job **out)
{
	struct stream st = { seed };
	struct sched_job *jobs = calloc(n, sizeof(*jobs));
	struct nodeset *all = nodeset_create(NODES);
	struct sched_config c = configure(v);
	struct sched_action a;

	/*
	 * In the paper's mode each arrival is arranged at all positions, for minutes in all: here that
	 * is cut short at once, and the job placed behind the plan, as where no position is feasible.
	 */
	if (v->mode == SCHED_MODE_PAPER)
		c.expired = expired;
	struct sched *s = create(v, &c);

	if (!jobs || !all)
		die("no memory");
	nodeset_fill(all);
	for (size_t i = 0; i < n; i++) {
		jobs[i] = make_job(&st, i + 1);
		jobs[i].priority = draw(&st);
	}
	deadline_ms = v->mode == SCHED_MODE_PAPER ? 0 : now_ms() + 1e9;
	struct sched_event ev[] = {
		{ .type = EV_BLOCK,
		  .now = 1,
		  .id = UINT64_C(1) << 41,
		  .nodes = all,
		  .start = 0,
		  .end = 3600 },
		{ .type = EV_SUBMIT, .now = 1, .jobs = jobs, .njobs = 1 },
	};

	for (size_t i = 0; i <= n; i++) {
		ev[1].jobs = jobs + i - 1;
		if (sched_event(s, &ev[i > 0]) != PACT_OK)
			die(sched_error(s));
	}
	while (sched_next(s, &a)) {
		if (a.type == ACT_START)
			die("a job could start");
	}
	c = configure(v);
	if (sched_configure(s, &c, NULL, 0) != PACT_OK)
		die("not configured");
	nodeset_destroy(all);
	*out = jobs;
	return s;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

struct sample {
	double v[PROBES * 2];
	size_t n;
};

static double median(struct sample *s)
{
	qsort(s->v, s->n, sizeof(*s->v), by_value);
	return s->n ? s->v[s->n / 2] : 0;
}

static double worst(struct sample *s)
{
	qsort(s->v, s->n, sizeof(*s->v), by_value);
	return s->n ? s->v[s->n - 1] : 0;
}

/* The N jobs once into the plain profile, best of ROUNDS. */
static double reference(const struct sched_job *jobs, size_t n)
{
	double best = 1e300;

	for (int r = 0; r < ROUNDS; r++) {
		struct ref_profile *p = ref_profile_create(0, NODES);
		double t0 = now_ms();

		for (size_t i = 0; i < n; i++) {
			int64_t d = jobs[i].limit + GUARD;
			int64_t t = ref_profile_earliest(p, 0, d, jobs[i].width);

			ref_profile_add(p, t, t + d, -jobs[i].width);
		}
		double ms = now_ms() - t0;

		best = ms < best ? ms : best;
		ref_profile_destroy(p);
	}
	return best;
}

/* One more job with ample time is admitted; ms of the pass that follows. */
static double pass(struct sched *s, struct stream *st, int64_t deadline)
{
	struct sched_job j = make_job(st, UINT64_C(1) << 40);
	struct sched_event ev = { .type = EV_SUBMIT, .now = 1, .jobs = &j, .njobs = 1 };
	struct sched_action a;

	j.deadline = deadline;
	deadline_ms = now_ms() + 1e9;
	if (sched_event(s, &ev) != PACT_OK || !sched_poll(s, &a) || a.type != ACT_ACCEPT)
		die("a job with ample time was not accepted");
	double t0 = now_ms();

	while (sched_next(s, &a)) {
		if (a.type == ACT_START)
			die("a job could start");
	}
	return now_ms() - t0;
}

static void bench(const struct variant *v, bool promised, size_t n, uint64_t seed)
{
	struct sched_job *jobs;
	struct sched *s =
		promised ? fill_promised(v, n, seed, &jobs) : fill_ordinary(v, n, seed, &jobs);
	double budget = v->budget;
	struct stream st = { seed ^ UINT64_C(0x5deece66d) };
	struct sample yes = { .n = 0 }, no = { .n = 0 };
	int64_t span = 0;
	size_t late = 0, undecided = 0;
	int probes = v->mode == SCHED_MODE_PAPER ? PROBES_PAPER : PROBES;

	for (size_t i = 0, waiting = sched_waiting(s); i < waiting; i++) {
		struct sched_view view;

		if (sched_view_waiting(s, i, &view) == PACT_OK && view.end > span)
			span = view.end;
	}
	for (int i = 0; i < probes * 2; i++) {
		struct sched_job j = make_job(&st, UINT64_C(1) << 40);
		struct sched_decision d;

		/* half with ample time, half that would have to push others away */
		j.deadline = i % 2 ? span + 86400 : 2 + j.limit + GUARD + draw(&st) % 60;
		j.submit = 1;
		double t0 = now_ms();

		deadline_ms = t0 + budget * 0.8; /* as the bridge: the rest is for the offer */
		if (sched_ask(s, 1, &j, 1, &d) != PACT_OK)
			die("no answer");
		double ms = now_ms() - t0;
		struct sample *to = d.accepted ? &yes : &no;

		to->v[to->n++] = ms;
		late += budget > 0 && ms > budget;
		undecided += d.reason == REFUSE_BUDGET;
	}
	double ref = reference(jobs, n);

	printf("%-9s %-5s  %-8s %6zu  accepted %3zu: %8.3f %8.3f  refused %3zu: %8.3f %8.3f  "
	       "reference %8.3f"
	       "  ratio %6.2f  late %zu  undecided %zu  bytes/job %zu",
	       v->scheduler, v->mode == SCHED_MODE_SLURM ? "slurm" : "paper",
	       promised ? "promised" : "ordinary", n, yes.n, median(&yes), worst(&yes), no.n,
	       median(&no), worst(&no), ref, median(&yes) / ref, late, undecided,
	       sched_bytes(s) / n);
	if (!promised)
		printf("  pass %8.3f", pass(s, &st, span + 86400));
	printf("\n");
	fflush(stdout);
	free(jobs);
	sched_destroy(s);
}

int main(int argc, char **argv)
{
	static const struct variant variants[] = {
		{ .scheduler = "qops", .mode = SCHED_MODE_SLURM },
		{ .scheduler = "qops", .mode = SCHED_MODE_PAPER },
		{ .scheduler = "qops-best", .mode = SCHED_MODE_PAPER },
		{ .scheduler = "dynp", .mode = SCHED_MODE_SLURM },
	};
	uint64_t seed = SEED;
	double budget = 0;

	if (argc > 2 && !strcmp(argv[1], "--budget")) {
		budget = strtod(argv[2], NULL);
		argv += 2;
		argc -= 2;
	}
	if (argc > 1)
		seed = strtoull(argv[1], NULL, 10);
	if (!seed || argc > 2) {
		fprintf(stderr, "usage: admission [--budget MS] [SEED]\n");
		return 1;
	}
	for (size_t i = 0; i < sizeof(variants) / sizeof(*variants); i++) {
		struct variant v = variants[i];

		v.budget = budget;
		for (int promised = 1; promised >= 0; promised--) {
			for (size_t n = 10; n <= 10000; n *= n == 10 ? 100 : 10)
				bench(&v, promised, n, seed);
		}
	}
	return 0;
}
