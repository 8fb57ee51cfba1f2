/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bench/sharing: what a decision about a deadline costs among nodes that are shared by 10 jobs each, and what
 * such a job's part costs in memory. Jobs are 16 nodes wide; what is asked for needs a tenth to nine tenths of
 * each of its nodes, and 7 s pass between two questions.
 *
 * Reference in the same run: one plain pass over flat arrays that computes equation 2 (the total share) of each
 * node from its parts' remaining runtimes and deadlines. One line per scheduler and number of nodes:
 *	scheduler, nodes, plain us, accepted us, refused us, refused with an offer us, ratio: the mean of a
 *	decision (accepted, or refused) over plain, bytes per part, us to be told how far a part has come
 * Processor time: means of QUESTIONS questions, the best of ROUNDS passes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BENCH "sharing"
#include "bench/bench.h"
#include "core/sched.h"

#define JOBS 10
#define WIDTH 16
#define QUESTIONS 400
#define ROUNDS 9

static uint64_t state = 1;

static int64_t below(int64_t n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (int64_t)(state >> 16) % n;
}

static int64_t now = 1000;

/* What the plain pass knows of each part. */
static struct flat {
	double *left, *deadline, *total;
	size_t n;
} flat;

static void drain(struct sched *s)
{
	struct sched_action a;

	while (sched_next(s, &a)) {
		struct sched_event ev = {
			.type = EV_STARTED, .now = now, .id = a.id, .start = now, .nodes = a.allowed
		};

		if (a.type == ACT_REFUSE)
			die("a job was refused");
		if (a.type == ACT_START && sched_event(s, &ev) != PACT_OK)
			die(sched_error(s));
	}
}

/* On the block's nodes. */
static void submit(struct sched *s, uint64_t id, const struct nodeset *block)
{
	int64_t deadline = 20000 + below(80000), limit = deadline * (20 + below(70)) / 1000;
	struct sched_job d = { .id = id,
			       .submit = now,
			       .limit = limit,
			       .deadline = now + deadline,
			       .planned = -1,
			       .width = WIDTH,
			       .nalt = 1,
			       .alt = { block } };
	struct sched_event ev = { .type = EV_SUBMIT, .now = now, .jobs = &d, .njobs = 1 };

	if (sched_event(s, &ev) != PACT_OK)
		die(sched_error(s));
	drain(s);
	for (int i = 0; i < WIDTH; i++) {
		flat.left[flat.n] = (double)limit;
		flat.deadline[flat.n++] = (double)d.deadline;
	}
}

static void fill(struct sched *s, uint32_t nodes)
{
	uint64_t id = 1;

	for (uint32_t first = 0; first + WIDTH <= nodes; first += WIDTH) {
		struct nodeset *block = nodeset_create(nodes);

		for (uint32_t i = 0; i < WIDTH; i++)
			nodeset_set(block, first + i);
		for (int k = 0; k < JOBS; k++)
			submit(s, id++, block);
		nodeset_destroy(block);
		now += first % 256 == 0;
	}
}

/* The reference, microseconds. */
static double plain(uint32_t nodes)
{
	double best = 1e30;

	for (int round = 0; round < ROUNDS; round++) {
		double begin = now_us(), time;

		for (uint32_t i = 0; i < nodes; i++) {
			double total = 0;

			for (size_t k = (size_t)i * JOBS; k < (size_t)(i + 1) * JOBS; k++)
				total += flat.left[k] / (flat.deadline[k] - (double)now);
			flat.total[i] = total;
		}
		time = now_us() - begin;
		best = time < best ? time : best;
	}
	return best;
}

struct means {
	double time[3]; /* accepted, refused, refused with an offer */
	int n[3];
};

static void ask(struct sched *s, bool probe, struct means *m)
{
	int64_t limit = 1000 + below(8000);
	struct sched_job d = { .id = UINT64_C(1) << 40,
			       .submit = now,
			       .limit = limit,
			       .deadline = now + limit * 10 / (1 + below(9)),
			       .planned = -1,
			       .width = WIDTH,
			       .flags = probe ? JOB_PROBE : 0 };
	struct sched_decision decision;
	double begin;
	int what;

	now += 7;
	d.deadline += 7;
	begin = now_us();
	if (sched_ask(s, now, &d, 1, &decision) != PACT_OK)
		die(sched_error(s));
	what = decision.accepted ? 0 : (probe ? 1 : 2);
	m->time[what] += now_us() - begin;
	m->n[what]++;
}

/* A round of reports: how far each part of each node has come.  Microseconds for one. */
static double tell(struct sched *s, uint32_t nodes)
{
	struct nodeset *one = nodeset_create(nodes);
	double begin = now_us();
	size_t told = 0;

	for (uint32_t i = 0; i < nodes / WIDTH * WIDTH; i++) {
		nodeset_clear(one);
		nodeset_set(one, i);
		for (int k = 0; k < JOBS; k++, told++) {
			struct sched_event ev = { .type = EV_PROGRESS,
						  .now = now,
						  .id = (uint64_t)i / WIDTH * JOBS + (uint64_t)k +
							1,
						  .nodes = one,
						  .work = 1000000 * (1 + below(100)) };

			if (sched_event(s, &ev) != PACT_OK)
				die(sched_error(s));
		}
	}
	nodeset_destroy(one);
	return (now_us() - begin) / (double)told;
}

static void measure(const char *name, uint32_t nodes)
{
	struct sched_config config;
	struct means m = { 0 };
	struct sched *s;
	size_t empty, parts = (size_t)nodes * JOBS;
	double reference, decision, told;

	sched_config_init(&config);
	flat.left = calloc(parts, sizeof(*flat.left));
	flat.deadline = calloc(parts, sizeof(*flat.deadline));
	flat.total = calloc(nodes, sizeof(*flat.total));
	flat.n = 0;
	s = sched_create(name, nodes, &config, NULL, 0);
	if (!s || !flat.left || !flat.deadline || !flat.total)
		die("out of memory");
	empty = sched_bytes(s);
	fill(s, nodes);
	reference = plain(nodes);
	for (int i = 0; i < QUESTIONS; i++)
		ask(s, i % 2, &m);
	told = tell(s, nodes);
	decision = (m.time[0] + m.time[1]) / (m.n[0] + m.n[1]);
	printf("%s %u plain %.1f accepted %.1f refused %.1f offer %.1f of %d %d %d ratio %.3f "
	       "bytes %.1f told %.2f\n",
	       name, nodes, reference, m.time[0] / m.n[0], m.time[1] / m.n[1], m.time[2] / m.n[2],
	       m.n[0], m.n[1], m.n[2], decision / reference,
	       (double)(sched_bytes(s) - empty) / (double)parts, told);
	sched_destroy(s);
	free(flat.left);
	free(flat.deadline);
	free(flat.total);
}

int main(void)
{
	static const char *const names[] = { "libra", "librarisk" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		measure(names[i], 10000);
		measure(names[i], 100000);
	}
	return 0;
}
