/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bench/malleable: what a decision of uniform, profit and lazy costs. A tenth as many malleable jobs run as there are nodes, all of
 * which are in use; under lazy as many more are accepted and wait. Half of the jobs have a sub-linear speedup. A job is
 * submitted, is decided about, starts if it may, and ends again, 7 s after the one before it.
 *
 * Reference in the same run: the plain pass of bench/plain_worth.h. One line per scheduler and number of nodes:
 *	scheduler, nodes, running and waiting jobs, plain us, submit us, finish us, ask us, and pass us: to carry out what was
 *	decided, the driver's answers included; how many were accepted at once and so ended, resizes in a pass, ratio: the dearer of submit
 *	and finish over plain
 * Processor time: the mean of QUESTIONS of each, the best of ROUNDS passes. Uniform is asked nothing.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BENCH "malleable"
#include "bench/plain_worth.h"

#define QUESTIONS 200
#define FIRST_WAITING (UINT64_C(1) << 32)

struct world {
	struct sched *s;
	uint32_t nodes, jobs, waiting;
	uint64_t next; /* id of one that is to wait */
	bool dated;    /* its jobs have deadlines */
	uint64_t resized;
	uint64_t last; /* job that was started, of those that were not put off */
};

/* ---- the driver ---- */

static struct sched_event answer(struct world *w, const struct sched_action *a)
{
	struct sched_event ev = { .now = now, .id = a->id, .nodes = a->allowed };

	ev.type = a->type == ACT_START ? EV_STARTED : EV_RESIZED;
	ev.start = now;
	ev.width = a->width;
	w->resized += a->type == ACT_RESIZE;
	if (a->type == ACT_START && a->id < FIRST_WAITING)
		w->last = a->id;
	return ev;
}

static void drain(struct world *w)
{
	struct sched_action a;

	while (sched_next(w->s, &a)) {
		struct sched_event ev;

		if (a.type != ACT_START && a.type != ACT_RESIZE)
			continue;
		ev = answer(w, &a);
		if (sched_event(w->s, &ev) != PACT_OK)
			die(sched_error(w->s));
	}
	if (*sched_error(w->s))
		die(sched_error(w->s));
}

static void submit(struct world *w, const struct sched_job *d)
{
	struct sched_event ev = { .type = EV_SUBMIT, .now = now, .jobs = d, .njobs = 1 };

	if (sched_event(w->s, &ev) != PACT_OK)
		die(sched_error(w->s));
}

/* ---- its jobs ---- */

/*
 * Six nodes are enough for its deadline, but it runs on eight at least; with twelve it is worth all, with fewer less, so that each node
 * that it gives costs something. The later they come the more they are worth, or none would be let in when the machine is
 * full.
 */
static struct sched_job running_job(const struct world *w, uint64_t id)
{
	int64_t time = 2 * DAY + below(DAY), of = id < w->jobs ? (int64_t)id : w->jobs;
	struct sched_job d = { .id = id,
			       .submit = now,
			       .deadline = now + time,
			       .value = (INT64_C(1000000) << 8 * of / w->jobs) * (100 + below(30)),
			       .planned = -1,
			       .width = 8,
			       .most = 3 * PER_JOB };

	if (id % 2)
		d.speedup = (struct list64){ table, sizeof(table) / sizeof(*table) };
	d.limit = time * speedup_rate(&d.speedup, 6) / speedup_rate(&d.speedup, d.width);
	if (!w->dated)
		d.deadline = d.value = 0;
	return d;
}

/* Worth next to nothing, so that it is put off to the lookahead; due a day after any that runs now. */
static struct sched_job waiting_job(uint64_t id)
{
	return (struct sched_job){ .id = id,
				   .submit = now,
				   .deadline = now + 4 * DAY,
				   .limit = DAY / 2 + below(DAY / 4),
				   .value = 1,
				   .planned = -1,
				   .width = 1,
				   .most = PER_JOB };
}

/*
 * What is asked: half of these are worth much, half little. Of those that lazy starts each leaves nodes behind on which some that
 * wait start, so that these are few.
 */
static struct sched_job asked_job(const struct world *w, uint64_t id)
{
	struct sched_job d = running_job(w, id);

	if (below(w->waiting ? 10 : 2))
		d.value /= 1 << 8;
	return d;
}

static void enter(struct world *w, const struct sched_job *d)
{
	submit(w, d);
	drain(w);
}

/* As many wait as are to. */
static void put_off(struct world *w)
{
	for (size_t n = sched_waiting(w->s); n < w->waiting; n++) {
		struct sched_job d = waiting_job(w->next++);

		enter(w, &d);
	}
	if (sched_waiting(w->s) != w->waiting)
		die("jobs do not wait");
}

static void fill(struct world *w)
{
	for (uint64_t id = 1; id <= w->jobs; id++) {
		struct sched_job d = running_job(w, id);

		enter(w, &d);
		keep(&d);
		now += id % 8 == 0;
		if (w->last != id)
			die("a job does not run");
	}
	put_off(w);
}

/* ---- what is measured ---- */

struct means {
	double submit, finish, ask, pass;
	uint64_t passes, ends;
};

static void pass(struct world *w, struct means *m)
{
	double begin = now_us();

	drain(w);
	m->pass += now_us() - begin;
	m->passes++;
}

/* It was put off, if it is there still. */
static void withdraw(struct world *w, uint64_t id)
{
	struct sched_event ev = { .type = EV_WITHDRAW, .now = now, .id = id };
	struct sched_view v;

	if (sched_view(w->s, id, &v) != PACT_OK)
		return;
	if (sched_event(w->s, &ev) != PACT_OK)
		die(sched_error(w->s));
	drain(w);
}

static void question(struct world *w, uint64_t id, bool ask, struct means *m)
{
	struct sched_job d = asked_job(w, id);
	struct sched_event end = { .type = EV_FINISH, .id = id };
	struct sched_decision decision;
	double begin = now_us();

	if (ask && sched_ask(w->s, now, &d, 1, &decision) != PACT_OK)
		die(sched_error(w->s));
	m->ask += now_us() - begin;
	begin = now_us();
	submit(w, &d);
	m->submit += now_us() - begin;
	pass(w, m);
	now += 7;
	if (w->last != id) {
		withdraw(w, id);
		return;
	}
	end.now = now;
	begin = now_us();
	if (sched_event(w->s, &end) != PACT_OK)
		die(sched_error(w->s));
	m->finish += now_us() - begin;
	m->ends++;
	pass(w, m);
	put_off(w);
}

static void measure(const char *name, uint32_t nodes)
{
	bool uniform = !strcmp(name, "uniform"), lazy = !strcmp(name, "lazy");
	struct world w = { .nodes = nodes,
			   .jobs = nodes / PER_JOB,
			   .waiting = lazy ? nodes / PER_JOB : 0,
			   .next = FIRST_WAITING,
			   .dated = !uniform };
	struct sched_config config;
	struct means m = { 0 };
	double reference, dearer;

	state = 1;
	now = 1000;
	sched_config_init(&config);
	config.guard = 0;
	flat = calloc(w.jobs, sizeof(*flat));
	w.s = sched_create(name, nodes, &config, NULL, 0);
	if (!w.s || !flat)
		die("out of memory");
	fill(&w);
	w.resized = 0;
	for (uint64_t i = 0; i < QUESTIONS; i++)
		question(&w, w.jobs + 1 + i, !uniform, &m);
	reference = plain(w.jobs);
	m.submit /= QUESTIONS;
	m.finish /= m.ends ? (double)m.ends : 1;
	dearer = m.submit > m.finish ? m.submit : m.finish;
	printf("%s %u running %u waiting %u plain %.1f submit %.1f finish %.1f ask %.1f pass %.1f "
	       "ends %lu "
	       "resized %.1f ratio %.3f\n",
	       name, nodes, w.jobs, w.waiting, reference, m.submit, m.finish, m.ask / QUESTIONS,
	       m.pass / (double)m.passes, (unsigned long)m.ends,
	       (double)w.resized / (double)m.passes, dearer / reference);
	sched_destroy(w.s);
	free(flat);
}

int main(void)
{
	static const char *const names[] = { "uniform", "profit", "lazy" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		measure(names[i], 1000);
		measure(names[i], 10000);
	}
	return 0;
}
