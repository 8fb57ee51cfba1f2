/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bench/dynp N [STEPS]: self-tuning steps over FCFS, SJF and LJF (paper 001, section 3.2; advanced
 * decider, ARTwW) with N waiting jobs on 430 nodes. The machine is full; jobs end, most of them before
 * their estimate, others start, and as many come as started, so that the queue stays as long as it is.
 * Every second step follows an end, the others a submission.
 *
 * The same events go to a second scheduler that is told before each step to forget all its schedules, so
 * that it makes each from nothing: the reference. Both must start the same jobs.
 *
 * Prints one line: N, the median of a step in microseconds, that of the reference, how many times more
 * the reference took for all steps, and the switches. Microseconds are of this process's processor time.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "core/state.h"

#define NODES 430
#define SEED UINT64_C(88172645463325252)

/* A running job of ours; the earliest real end is looked for in a plain array, outside what is timed. */
struct running {
	uint64_t id;
	int64_t end;
};

struct bench {
	struct sched *s[2]; /* kept, forgetful */
	int64_t now;
	uint64_t next_id, random;
	int64_t *runtime; /* by id */
	size_t room;
	struct running run[NODES];
	size_t runs;
	double *took[2];
	size_t steps;
};

static void die(const char *what)
{
	fprintf(stderr, "dynp: %s\n", what);
	exit(1);
}

static uint32_t draw(uint64_t *x)
{
	*x ^= *x << 13;
	*x ^= *x >> 7;
	*x ^= *x << 17;
	return (uint32_t)(*x >> 32);
}

static double now_us(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return (double)ts.tv_sec * 1e6 + (double)ts.tv_nsec / 1e3;
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

static void follow(struct bench *b, bool timed)
{
	static uint64_t ids[2][NODES];
	size_t n[2];

	for (int k = 0; k < 2; k++) {
		double begin;

		if (k)
			b->s[k]->policy->room(b->s[k], 0, PACT_FOREVER, 0);
		begin = now_us();
		n[k] = drain(b->s[k], b->now, ids[k]);
		if (timed)
			b->took[k][b->steps] = now_us() - begin;
	}
	b->steps += timed;
	if (n[0] != n[1])
		die("the reference starts other jobs");
	for (size_t i = 0; i < n[0]; i++) {
		if (ids[0][i] != ids[1][i])
			die("the reference starts another job");
		b->run[b->runs++] = (struct running){ ids[0][i], b->now + b->runtime[ids[0][i]] };
	}
}

static void submit(struct bench *b)
{
	struct sched_job j = { .id = b->next_id++,
			       .submit = b->now,
			       .planned = -1,
			       .width = 1 + (int32_t)(draw(&b->random) % 64),
			       .limit = 60 + draw(&b->random) % 64800 };

	if (j.id >= b->room)
		die("more jobs than thought");
	b->runtime[j.id] = draw(&b->random) % 4 ? 1 + draw(&b->random) % j.limit : j.limit;
	for (int k = 0; k < 2; k++)
		event(b->s[k], (struct sched_event){
				       .type = EV_SUBMIT, .now = b->now, .jobs = &j, .njobs = 1 });
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
	for (int k = 0; k < 2; k++)
		event(b->s[k], (struct sched_event){
				       .type = EV_FINISH, .now = b->now, .id = b->run[first].id });
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

static void open_bench(struct bench *b, size_t n, size_t steps)
{
	struct sched_config c;

	sched_config_init(&c);
	*b = (struct bench){ .next_id = 1, .random = SEED, .room = 4 * (n + steps) + 4 * NODES };
	b->runtime = calloc(b->room, sizeof(*b->runtime));
	for (int k = 0; k < 2; k++) {
		b->s[k] = sched_create("dynp", NODES, &c, NULL, 0);
		b->took[k] = calloc(2 * steps + 2, sizeof(*b->took[k]));
		if (!b->s[k] || !b->took[k] || !b->runtime)
			die("out of memory");
	}
}

static void close_bench(struct bench *b)
{
	for (int k = 0; k < 2; k++) {
		sched_destroy(b->s[k]);
		free(b->took[k]);
	}
	free(b->runtime);
}

static void run(struct bench *b, size_t n, size_t steps)
{
	/* the queue in one go, and the jobs that fill the machine */
	while (table_count(b->s[0]->jobs) < n)
		submit(b);
	follow(b, false);
	while (table_count(b->s[0]->jobs) < n)
		submit(b);
	follow(b, false);
	for (size_t i = 0; i < steps; i++) {
		end_one(b);
		follow(b, true);
		do {
			b->now++;
			submit(b);
			follow(b, true);
		} while (table_count(b->s[0]->jobs) < n && b->steps < 2 * steps);
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

	if (argc < 2 || argc > 3) {
		fprintf(stderr, "usage: dynp N [STEPS]\n");
		return 2;
	}
	n = number("N", argv[1]);
	steps = argc == 3 ? number("STEPS", argv[2]) : 100;
	open_bench(&b, n, steps);
	run(&b, n, steps);
	sched_dynp_view(b.s[0], &v);
	kept = median(b.took[0], b.steps);
	forgot = median(b.took[1], b.steps);
	printf("%zu %.1f rebuilt %.1f ratio %.2f switches %" PRIu64 "\n", n, kept, forgot,
	       sum(b.took[1], b.steps) / sum(b.took[0], b.steps),
	       v.switches[DYNP_FCFS] + v.switches[DYNP_SJF] + v.switches[DYNP_LJF]);
	close_bench(&b);
	return 0;
}
