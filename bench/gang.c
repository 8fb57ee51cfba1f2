/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bench/gang: what a pass of the gang schedulers costs with a full matrix: a job ends, and what it leaves is given
 * out. Widths are such that the jobs fill nine tenths of the matrix; those that wait are wider than what is free.
 *
 * Reference in the same run: CleanMatrix and FillMatrix once, plainly, over a matrix of one byte for each row and
 * node, with as many jobs of that width. One line per scheduler (with a +: Columns=aligned) and size:
 *	scheduler, nodes, rows, jobs in the matrix, jobs that wait, plain us, pass us, ratio, turns us (the jobs of one
 *	row leave, and those of the next come), place us (the pass that gives the place to another job)
 * Processor time: means of PASSES passes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BENCH "gang"
#include "bench/bench.h"
#include "core/sched.h"

#define PASSES 200
#define LONG 1000000 /* seconds */

static uint64_t state = 1;

static int64_t below(int64_t n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (int64_t)(state >> 16) % n;
}

struct size {
	const char *name;
	uint32_t nodes, rows, jobs, waiting;
	bool aligned; /* Columns=aligned */
};

struct world {
	const struct size *of;
	struct sched *s;
	int64_t now, wake;
	uint64_t next;
	uint64_t *started; /* in no order */
	size_t n;
	int32_t width;
};

/* ---- the scheduler ---- */

static void answer(struct world *w, const struct sched_action *a)
{
	struct sched_event ev = {
		.now = w->now, .id = a->id, .start = w->now, .nodes = a->allowed
	};

	switch (a->type) {
	case ACT_START:
		ev.type = EV_STARTED;
		w->started[w->n++] = a->id;
		break;
	case ACT_SUSPEND:
		ev.type = EV_SUSPENDED;
		break;
	case ACT_RESUME:
		ev.type = EV_RESUMED;
		break;
	case ACT_MIGRATE:
		ev.type = EV_MIGRATED;
		break;
	case ACT_WAKE:
		w->wake = a->end;
		return;
	default:
		die("what is this?");
	}
	if (sched_event(w->s, &ev) != PACT_OK)
		die(sched_error(w->s));
}

static void drain(struct world *w)
{
	struct sched_action a;

	while (sched_next(w->s, &a))
		answer(w, &a);
}

static void tell(struct world *w, struct sched_event ev)
{
	ev.now = w->now;
	if (sched_event(w->s, &ev) != PACT_OK)
		die(sched_error(w->s));
	drain(w);
}

static void submit(struct world *w, int32_t width, int64_t limit)
{
	struct sched_job d = {
		.id = w->next++, .submit = w->now, .limit = limit, .planned = -1, .width = width
	};

	tell(w, (struct sched_event){ .type = EV_SUBMIT, .jobs = &d, .njobs = 1 });
}

/* The instant is over, or the slice: microseconds. */
static double settle(struct world *w)
{
	double begin = now_us();

	w->now = w->wake > w->now ? w->wake : w->now;
	tell(w, (struct sched_event){ .type = EV_TIME });
	return now_us() - begin;
}

static void fill(struct world *w)
{
	for (uint32_t i = 0; i < w->of->jobs; i++)
		submit(w, w->width, LONG + below(LONG));
	for (uint32_t r = 0; r < 2 * w->of->rows; r++)
		settle(w);
	if (w->n != w->of->jobs)
		die("not all jobs are in the matrix");
	/* wider than what is free in a row, even when a job has ended */
	for (uint32_t i = 0; i < w->of->waiting; i++)
		submit(w, (int32_t)(w->of->nodes / 2 + below(w->of->nodes / 2)), LONG);
	settle(w);
}

static void measure(struct world *w, double *pass, double *turns, double *place)
{
	*pass = *turns = *place = 0;
	for (int i = 0; i < PASSES; i++) {
		size_t which = (size_t)below((int64_t)w->n);
		uint64_t id = w->started[which];
		double begin;

		w->started[which] = w->started[--w->n];
		w->now++;
		begin = now_us();
		tell(w, (struct sched_event){ .type = EV_FINISH, .id = id });
		*pass += now_us() - begin;
		begin = now_us();
		submit(w, w->width, LONG / 10); /* it ends before what waits could start */
		*place += now_us() - begin;
		settle(w);
		*turns += settle(w);
		/* one that has to wait behind a reservation is placed in a later pass */
		for (uint32_t r = 0; r < w->of->rows && w->n < w->of->jobs; r++)
			settle(w);
	}
	if (w->n < w->of->jobs - w->of->jobs / 10)
		die("the matrix has emptied");
	*pass /= PASSES;
	*turns /= PASSES;
	*place /= PASSES;
}

/* ---- the reference ---- */

/* Job j has `width` columns in a row, one after the other. */
static double plain(const struct size *of, int32_t width)
{
	char *taken = calloc(of->rows, of->nodes);
	uint32_t each = (of->jobs + of->rows - 1) / of->rows;
	double begin;

	if (!taken)
		die("no memory");
	begin = now_us();
	for (int i = 0; i < PASSES; i++) {
		memset(taken, 0, (size_t)of->rows * of->nodes);
		for (uint32_t j = 0; j < of->jobs; j++)
			for (int32_t k = 0; k < width; k++)
				taken[j / each * of->nodes + j % each * (uint32_t)width +
				      (uint32_t)k] = 1;
		for (uint32_t j = 0; j < of->jobs; j++) {
			for (uint32_t r = 0; r < of->rows; r++) {
				char *row = taken + r * of->nodes + j % each * (uint32_t)width;
				int32_t k = 0;

				while (k < width && !row[k])
					k++;
				if (k < width)
					continue;
				memset(row, 1, (size_t)width);
				break;
			}
		}
	}
	begin = (now_us() - begin) / PASSES;
	free(taken);
	return begin;
}

static void run(const struct size *of)
{
	struct world w = { .of = of, .wake = 0, .next = 1 };
	struct sched_config c;
	double pass, turns, place, reference;
	char why[200];

	w.width = (int32_t)(of->nodes * of->rows / of->jobs * 9 / 10);
	w.width = w.width ? w.width : 1;
	sched_config_init(&c);
	c.rows = (int32_t)of->rows;
	c.columns = of->aligned ? COLUMNS_ALIGNED : COLUMNS_LOWEST;
	w.s = sched_create(of->name, of->nodes, &c, why, sizeof(why));
	w.started = calloc(2 * (of->jobs + of->waiting) + 2 * PASSES, sizeof(*w.started));
	if (!w.s || !w.started)
		die(w.s ? "no memory" : why);
	fill(&w);
	measure(&w, &pass, &turns, &place);
	reference = plain(of, w.width);
	printf("%s%-*s %6u %2u %5u %5u %8.1f %8.1f %7.2f %8.1f %8.1f\n", of->name,
	       5 - (int)strlen(of->name), of->aligned ? "+" : "", of->nodes, of->rows, of->jobs,
	       of->waiting, reference, pass, pass / reference, turns, place);
	fflush(stdout);
	sched_destroy(w.s);
	free(w.started);
}

int main(void)
{
	static const struct size size[] = {
		{ "gs", 320, 5, 500, 0, false },	 { "gs", 320, 5, 250, 0, false },
		{ "bgs", 320, 5, 500, 200, false },	 { "bgs", 320, 5, 500, 200, true },
		{ "mbgs", 320, 5, 500, 0, false },	 { "mbgs", 320, 5, 500, 200, false },
		{ "mbgs", 2500, 8, 1000, 500, false },	 { "mbgs", 5000, 8, 1500, 750, false },
		{ "mbgs", 10000, 8, 2000, 1000, false }, { "bgs", 10000, 8, 2000, 1000, true },
		{ "mbgs", 10000, 8, 2000, 1000, true },
	};

	for (size_t i = 0; i < sizeof(size) / sizeof(*size); i++)
		run(&size[i]);
	return 0;
}
