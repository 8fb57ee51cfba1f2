/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bench/dynp N [STEPS [THREADS]]: self-tuning steps over FCFS, SJF and LJF (dynP, section 3.2;
 * advanced decider, ARTwW) with N waiting jobs on 430 nodes. The machine is full; jobs end, most of
 * them before their estimate, others start, and as many come as started, so that the queue stays as
 * long as it is. Every second step follows an end, the others a submission.
 *
 * Before each step the reference makes the three schedules plainly: sort all waiting jobs, place one after
 * the other in a plan with the holds, add up the responses. The qualities must be the same.
 *
 * Prints one line: N, the median of a step in microseconds, that of the reference, how many times more
 * the reference took for all steps, and the switches. Microseconds are of this process's processor time; with
 * more than one thread, which make the scheduler's three schedules side by side, of the wall clock.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define BENCH "dynp"
#include "bench/bench.h"
#include "core/policies/dynp/dynp.h"
#include "core/sched.h"
#include "sim/run/team.h"
#include "testsuite/unit/inside.h"

#define NODES 430
#define SEED UINT64_C(88172645463325252)

/* A running job of ours; the earliest real end is looked for in a plain array, outside what is timed. */
struct running {
	uint64_t id;
	int64_t end;
};

struct bench {
	struct sched *s;
	struct plan *plan;    /* of the reference, */
	struct job **waiting; /* and its jobs */
	int64_t now;
	uint64_t next_id, random;
	int64_t *runtime; /* by id */
	size_t room;
	struct running run[NODES];
	size_t runs;
	double *took[2]; /* the scheduler, the reference */
	size_t steps;
	struct team *team; /* NULL: one thread */
};

static double clock_us(const struct bench *b)
{
	struct timespec t;

	if (!b->team)
		return now_us();
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static uint32_t draw(uint64_t *x)
{
	*x ^= *x << 13;
	*x ^= *x >> 7;
	*x ^= *x << 17;
	return (uint32_t)(*x >> 32);
}

static void event(struct sched *s, struct sched_event ev)
{
	if (sched_event(s, &ev) != PACT_OK)
		die(sched_error(s));
}

/* Drain one scheduler; the ids that start go to ids[], how many is returned. */
static size_t drain(struct sched *s, int64_t now, uint64_t *ids)
{
	struct sched_action a;
	size_t n = 0;

	while (sched_next(s, &a)) {
		if (a.type != ACT_START)
			continue;
		ids[n++] = a.id;
		event(s, (struct sched_event){ .type = EV_STARTED, .id = a.id, .now = now });
	}
	return n;
}

static int by_order(const struct job *a, const struct job *b, int64_t ka, int64_t kb)
{
	if (ka != kb)
		return ka < kb ? -1 : 1;
	if (a->submit != b->submit)
		return a->submit < b->submit ? -1 : 1;
	return a->id < b->id ? -1 : a->id > b->id;
}

static int fcfs(const void *a, const void *b)
{
	return by_order(*(struct job *const *)a, *(struct job *const *)b, 0, 0);
}

static int sjf(const void *a, const void *b)
{
	const struct job *x = *(struct job *const *)a, *y = *(struct job *const *)b;

	return by_order(x, y, x->limit, y->limit);
}

static int ljf(const void *a, const void *b)
{
	const struct job *x = *(struct job *const *)a, *y = *(struct job *const *)b;

	return by_order(x, y, y->limit, x->limit);
}

/* One policy's ARTwW, from nothing. */
static double plain_quality(struct bench *b, int (*order)(const void *, const void *), size_t n)
{
	__extension__ __int128 sum = 0;
	int64_t width = 0;

	qsort(b->waiting, n, sizeof(*b->waiting), order);
	if (plan_copy(b->plan, holds_base(inside(b->s)->holds)) < 0)
		die("out of memory");
	for (size_t i = 0; i < n; i++) {
		const struct job *j = b->waiting[i];
		struct placement at;

		placement_init(&at);
		if (plan_earliest(b->plan, &j->req, b->now, PACT_FOREVER, &at) != 0 ||
		    plan_put(b->plan, &at) < 0)
			die("the reference finds no place");
		sum += (__int128)j->req.width * (at.end - j->submit);
		width += j->req.width;
		placement_clear(&at);
	}
	return (double)sum / (double)width;
}

static void plain_step(struct bench *b, double *quality)
{
	size_t n = 0;

	for (size_t i = 0; i < inside(b->s)->queue.n; i++) {
		if (inside(b->s)->queue.v[i])
			b->waiting[n++] = inside(b->s)->queue.v[i];
	}
	quality[DYNP_FCFS] = plain_quality(b, fcfs, n);
	quality[DYNP_SJF] = plain_quality(b, sjf, n);
	quality[DYNP_LJF] = plain_quality(b, ljf, n);
}

static void follow(struct bench *b, bool timed)
{
	static uint64_t ids[NODES];
	double quality[DYNP_ORDERS], begin;
	struct dynp_view v;
	size_t n;

	if (timed) {
		begin = clock_us(b);
		plain_step(b, quality);
		b->took[1][b->steps] = clock_us(b) - begin;
	}
	begin = clock_us(b);
	n = drain(b->s, b->now, ids);
	if (timed)
		b->took[0][b->steps++] = clock_us(b) - begin;
	sched_dynp_view(b->s, &v);
	for (int k = DYNP_FCFS; timed && k <= DYNP_LJF; k++) {
		if (fabs(v.quality[k] - quality[k]) > 1e-9 * quality[k])
			die("the reference has another quality");
	}
	for (size_t i = 0; i < n; i++)
		b->run[b->runs++] = (struct running){ ids[i], b->now + b->runtime[ids[i]] };
}

/* So many jobs at once. */
static void submit(struct bench *b, size_t n)
{
	struct sched_job *jobs = calloc(n, sizeof(*jobs));

	if (!jobs || b->next_id + n > b->room)
		die("more jobs than thought, or out of memory");
	for (size_t i = 0; i < n; i++) {
		struct sched_job *j = &jobs[i];

		*j = (struct sched_job){ .id = b->next_id++,
					 .submit = b->now,
					 .planned = -1,
					 .width = 1 + (int32_t)(draw(&b->random) % 64),
					 .limit = 60 + draw(&b->random) % 64800 };
		b->runtime[j->id] =
			draw(&b->random) % 4 ? 1 + draw(&b->random) % j->limit : j->limit;
	}
	event(b->s,
	      (struct sched_event){ .type = EV_SUBMIT, .now = b->now, .jobs = jobs, .njobs = n });
	free(jobs);
}

static void end_one(struct bench *b)
{
	size_t first = 0;

	for (size_t i = 1; i < b->runs; i++) {
		if (b->run[i].end < b->run[first].end)
			first = i;
	}
	if (!b->runs)
		die("nothing runs");
	if (b->run[first].end > b->now)
		b->now = b->run[first].end;
	event(b->s,
	      (struct sched_event){ .type = EV_FINISH, .now = b->now, .id = b->run[first].id });
	b->run[first] = b->run[--b->runs];
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double sum(const double *v, size_t n)
{
	double s = 0;

	for (size_t i = 0; i < n; i++)
		s += v[i];
	return s;
}

static double median(double *v, size_t n)
{
	qsort(v, n, sizeof(*v), by_size);
	return v[n / 2];
}

static void open_bench(struct bench *b, size_t n, size_t steps, unsigned threads)
{
	struct sched_config c;

	sched_config_init(&c);
	*b = (struct bench){ .next_id = 1, .random = SEED, .room = 4 * (n + steps) + 4 * NODES };
	if (threads > 1) {
		b->team = team_create(threads);
		if (!b->team)
			die("out of memory");
		c.together = team_together;
		c.together_arg = b->team;
	}
	b->runtime = calloc(b->room, sizeof(*b->runtime));
	b->s = sched_create("dynp", NODES, &c, NULL, 0);
	b->waiting = calloc(b->room, sizeof(struct job *));
	for (int k = 0; k < 2; k++)
		b->took[k] = calloc(2 * steps + 2, sizeof(*b->took[k]));
	if (!b->s || !b->took[0] || !b->took[1] || !b->runtime || !b->waiting)
		die("out of memory");
	b->plan = plan_create(inside(b->s)->machine, 0);
	if (!b->plan)
		die("out of memory");
}

static void close_bench(struct bench *b)
{
	plan_destroy(b->plan);
	sched_destroy(b->s);
	team_destroy(b->team);
	free(b->took[0]);
	free(b->took[1]);
	free(b->waiting);
	free(b->runtime);
}

static void run(struct bench *b, size_t n, size_t steps)
{
	/* the queue in one go, and the jobs that fill the machine */
	submit(b, n);
	follow(b, false);
	if (table_count(inside(b->s)->jobs) < n)
		submit(b, n - table_count(inside(b->s)->jobs));
	follow(b, false);
	for (size_t i = 0; i < steps; i++) {
		end_one(b);
		follow(b, true);
		do {
			b->now++;
			submit(b, 1);
			follow(b, true);
		} while (table_count(inside(b->s)->jobs) < n && b->steps < 2 * steps);
		if (b->steps >= 2 * steps)
			break;
	}
}

static size_t number(const char *what, const char *text)
{
	char *end;
	unsigned long long value;

	errno = 0;
	value = strtoull(text, &end, 10);
	if (errno || end == text || *end || *text == '-' || !value || value > 10000000) {
		fprintf(stderr, "dynp: %s=%s is not a number from 1 to 10000000\n", what, text);
		exit(2);
	}
	return (size_t)value;
}

int main(int argc, char **argv)
{
	struct dynp_view v;
	struct bench b;
	size_t n, steps;
	double kept, forgot;

	if (argc < 2 || argc > 4) {
		fprintf(stderr, "usage: dynp N [STEPS [THREADS]]\n");
		return 2;
	}
	n = number("N", argv[1]);
	steps = argc > 2 ? number("STEPS", argv[2]) : 100;
	open_bench(&b, n, steps, argc > 3 ? (unsigned)number("THREADS", argv[3]) : 1);
	run(&b, n, steps);
	sched_dynp_view(b.s, &v);
	kept = median(b.took[0], b.steps);
	forgot = median(b.took[1], b.steps);
	printf("%zu %.1f rebuilt %.1f ratio %.2f switches %" PRIu64 "\n", n, kept, forgot,
	       sum(b.took[1], b.steps) / sum(b.took[0], b.steps),
	       v.switches[DYNP_FCFS] + v.switches[DYNP_SJF] + v.switches[DYNP_LJF]);
	close_bench(&b);
	return 0;
}
