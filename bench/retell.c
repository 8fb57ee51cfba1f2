/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bench/retell: what it costs to begin a recording with 10 to 10,000 jobs waiting and 430 running ones
 * on 430 nodes: the copy, which the bridge takes with its mutex held, and the lines that another thread
 * makes of it.
 *
 * Reference in the same run: both in one go, as tape_start() does it. One line per number of jobs:
 *	N, copy ms, lines ms, in one go ms, copy over in one go, bytes of the copy per job
 * Processor time, the best of ROUNDS.
 */
#include <stdio.h>
#include <stdlib.h>

#define BENCH "retell"
#include "bench/bench.h"
#include "core/sched.h"
#include "tape/tape.h"

#define NODES 430
#define SETS 8
#define ROUNDS 9

static void drop_line(void *arg, const char *text, size_t length)
{
	size_t *bytes = arg;

	(void)text;
	*bytes += length + 1;
}

/* Drained, so that it can be told; nothing starts, for every node is held. */
static void tell(struct sched *s, const struct sched_event *ev)
{
	struct sched_action a;

	if (sched_event(s, ev) != PACT_OK)
		die(sched_error(s));
	while (sched_next(s, &a)) {
		if (a.type == ACT_START)
			die("a job could start");
	}
}

static struct sched *fill(size_t n, struct nodeset *const set[SETS], struct sched_config *c)
{
	struct nodeset *one = nodeset_create(NODES);
	struct sched_job *jobs = calloc(n, sizeof(*jobs));
	struct sched *s;

	sched_config_init(c);
	c->mode = SCHED_MODE_SLURM;
	s = sched_create("qops", NODES, c, NULL, 0);
	if (!one || !jobs || !s)
		die("no memory");
	for (uint32_t i = 0; i < NODES; i++) {
		nodeset_clear(one);
		nodeset_set(one, i);
		tell(s, &(struct sched_event){ .type = EV_STARTED,
					       .now = 1,
					       .id = (UINT64_C(1) << 40) + i,
					       .nodes = one,
					       .start = 1,
					       .end = 3600 + i });
	}
	for (size_t i = 0; i < n; i++) {
		jobs[i] = (struct sched_job){ .id = i + 1,
					      .submit = 1,
					      .limit = 60 + (int64_t)(i * 7919 % 64800),
					      .planned = -1,
					      .width = 1 + (int32_t)(i * 31 % 40),
					      .priority = (int64_t)(i * 104729 % 100000),
					      .nalt = 1 + (uint32_t)(i % 2) };
		jobs[i].alt[0] = set[i % SETS];
		jobs[i].alt[1] = set[(i + 1) % SETS];
		/* all in one pass */
		if (sched_event(s, &(struct sched_event){ .type = EV_SUBMIT,
							  .now = 1,
							  .jobs = &jobs[i],
							  .njobs = 1 }) != PACT_OK)
			die(sched_error(s));
	}
	tell(s, &(struct sched_event){ .type = EV_TIME, .now = 2 });
	free(jobs);
	nodeset_destroy(one);
	return s;
}

static void keep_less(double *best, double ms)
{
	if (*best == 0 || ms < *best)
		*best = ms;
}

static void bench(size_t n, struct nodeset *const set[SETS])
{
	double copy = 0, lines = 0, whole = 0, t0;
	size_t made = 0, same = 0, bytes = 0;
	struct sched_config c;
	struct sched *s = fill(n, set, &c);
	struct tape *t = tape_create(drop_line, &same);
	struct retold *told;

	if (!t)
		die("no memory");
	for (int i = 0; i < ROUNDS; i++) {
		made = same = 0;
		t0 = now_ms();
		if (tape_start_later(t, s, NODES, &c, "bench", SIZE_MAX, &told) != PACT_OK)
			die("not to be told");
		keep_less(&copy, now_ms() - t0);
		bytes = retold_bytes(told);
		t0 = now_ms();
		tape_tell(told, drop_line, &made);
		keep_less(&lines, now_ms() - t0);
		retold_destroy(told);
		t0 = now_ms();
		if (tape_start(t, s, NODES, &c, "bench") != PACT_OK)
			die("not to be told");
		keep_less(&whole, now_ms() - t0);
		if (made != same)
			die("the lines differ");
	}
	printf("%6zu  copy %8.3f  lines %8.3f  in one go %8.3f  ratio %6.3f  bytes/job %zu\n", n,
	       copy, lines, whole, copy / whole, bytes / n);
	tape_destroy(t);
	sched_destroy(s);
}

int main(void)
{
	static const size_t numbers[] = { 10, 1000, 10000 };
	struct nodeset *set[SETS];

	for (uint32_t i = 0; i < SETS; i++) {
		set[i] = nodeset_create(NODES);
		if (!set[i])
			die("no memory");
		for (uint32_t node = i * 40; node < NODES; node++)
			nodeset_set(set[i], node);
	}
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		bench(numbers[i], set);
	for (int i = 0; i < SETS; i++)
		nodeset_destroy(set[i]);
	return 0;
}
