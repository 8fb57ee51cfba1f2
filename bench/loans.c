/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bench/loans: what a decision costs where what a plan leaves idle is on loan (core/loans). A tenth as many jobs with a range
 * run as there are nodes, each on eight of its own; all other nodes are on loan to them. Half of the jobs have a sub-linear speedup. A
 * rigid job is submitted, nodes are called in for it and given back at once, it starts, and ends 7 s later; what it
 * leaves is lent again.
 *
 * Reference in the same run: the plain pass of bench/plain_worth.h. One line per way to lend and number of nodes:
 *	loans, nodes, running jobs, plain us, submit us, finish us, answer us: a start or resize was carried out; answers for each rigid
 *	job, ratio: the dearest of submit, finish and answer over plain
 * Each is an event, and the first thing that is to be done then; processor time, the mean of
 * QUESTIONS rigid jobs, the best of ROUNDS.
 */
#define BENCH "loans"
#include "bench/plain_worth.h"

#define QUESTIONS 50
#define OWN 8

struct world {
	struct sched *s;
	uint32_t nodes, jobs;
	int64_t wake;
	uint64_t answers;
	double answering;
	uint64_t last; /* job that was started */
	struct nodeset *idle;
	struct nodeset **has; /* by id; the last one is that of all rigid jobs */
};

/* ---- the driver ---- */

static struct nodeset *nodes_of(const struct world *w, uint64_t id)
{
	return w->has[id <= w->jobs ? id : w->jobs + 1];
}

/* The first that are idle. */
static void place(struct world *w, const struct sched_action *a, struct nodeset *at)
{
	int32_t left = a->width;

	nodeset_clear(at);
	for (uint32_t n = nodeset_next(w->idle, 0); n < w->nodes && left;
	     n = nodeset_next(w->idle, n + 1)) {
		if (a->allowed && !nodeset_test(a->allowed, n))
			continue;
		nodeset_set(at, n);
		left--;
	}
	if (left)
		die("no room where a job is to start");
	w->last = a->id;
}

/* Microseconds: what it takes to hear that, and to find the next thing to do (*a, if *more). */
static double step(struct world *w, const struct sched_event *ev, struct sched_action *a,
		   bool *more)
{
	double begin = now_us();

	if (sched_event(w->s, ev) != PACT_OK)
		die(sched_error(w->s));
	*more = sched_next(w->s, a);
	return now_us() - begin;
}

/* Nodes are given back at once. */
static struct sched_event answer(struct world *w, const struct sched_action *a)
{
	struct nodeset *at = nodes_of(w, a->id);
	bool starts = a->type == ACT_START;

	if (starts) {
		place(w, a, at);
	} else {
		nodeset_or(w->idle, at);
		nodeset_copy(at, a->allowed);
	}
	nodeset_and_not(w->idle, at);
	return (struct sched_event){ .type = starts ? EV_STARTED : EV_RESIZED,
				     .now = now,
				     .id = a->id,
				     .nodes = at,
				     .start = now };
}

/* An event, and all that is decided then. What the first of that takes; answers are counted by themselves. */
static double tell(struct world *w, const struct sched_event *ev)
{
	struct sched_action a;
	bool more;
	double time = step(w, ev, &a, &more);

	w->wake = PACT_FOREVER;
	while (more) {
		if (a.type == ACT_START || a.type == ACT_RESIZE) {
			struct sched_event told = answer(w, &a);

			w->answering += step(w, &told, &a, &more);
			w->answers++;
			continue;
		}
		w->wake = a.type == ACT_WAKE ? a.end : w->wake;
		more = sched_next(w->s, &a);
	}
	if (*sched_error(w->s))
		die(sched_error(w->s));
	return time;
}

/* ---- its jobs ---- */

static struct sched_job lent_job(uint64_t id)
{
	int64_t time = 20 * DAY + below(DAY);
	struct sched_job d = { .id = id,
			       .submit = now,
			       .deadline = now + 2 * time,
			       .limit = time,
			       .value = 1000000 * (100 + below(30)),
			       .planned = -1,
			       .width = OWN,
			       .most = 3 * PER_JOB };

	if (id % 2)
		d.speedup = (struct list64){ table, sizeof(table) / sizeof(*table) };
	return d;
}

static double submit(struct world *w, const struct sched_job *d)
{
	return tell(w,
		    &(struct sched_event){ .type = EV_SUBMIT, .now = now, .jobs = d, .njobs = 1 });
}

static void wait_for(struct world *w, uint64_t id)
{
	for (int i = 0; w->last != id; i++) {
		if (i == 1000 || w->wake == PACT_FOREVER)
			die("a job does not start");
		now = w->wake > now ? w->wake : now + 1;
		tell(w, &(struct sched_event){ .type = EV_TIME, .now = now });
	}
}

static void fill(struct world *w)
{
	for (uint64_t id = 1; id <= w->jobs; id++) {
		struct sched_job d = lent_job(id);

		submit(w, &d);
		keep(&d);
		if (id % 8 == 0)
			wait_for(w, id);
	}
	wait_for(w, w->jobs);
}

/* ---- what is measured ---- */

struct means {
	double submit, finish, answer;
};

static void question(struct world *w, uint64_t id, struct means *m)
{
	struct sched_job d = {
		.id = id, .submit = now, .limit = 3600, .planned = -1, .width = OWN
	};

	m->submit += submit(w, &d);
	wait_for(w, id);
	now += 7;
	nodeset_or(w->idle, nodes_of(w, id));
	m->finish += tell(w, &(struct sched_event){ .type = EV_FINISH, .now = now, .id = id });
}

static struct world world_make(enum sched_loans loans, uint32_t nodes)
{
	struct world w = { .nodes = nodes, .jobs = nodes / PER_JOB };
	struct sched_config config;

	state = 1;
	now = 1000;
	sched_config_init(&config);
	config.guard = 0;
	config.loans = loans;
	flat = calloc(w.jobs, sizeof(*flat));
	w.s = sched_create("qops", nodes, &config, NULL, 0);
	w.idle = nodeset_create(nodes);
	w.has = calloc(w.jobs + 2, sizeof(*w.has));
	if (!w.s || !flat || !w.idle || !w.has)
		die("out of memory");
	for (uint32_t i = 0; i < w.jobs + 2; i++) {
		w.has[i] = nodeset_create(nodes);
		if (!w.has[i])
			die("out of memory");
	}
	nodeset_fill(w.idle);
	fill(&w);
	w.answers = 0;
	return w;
}

static void world_destroy(struct world *w)
{
	sched_destroy(w->s);
	nodeset_destroy(w->idle);
	for (uint32_t i = 0; i < w->jobs + 2; i++)
		nodeset_destroy(w->has[i]);
	free(w->has);
	free(flat);
}

static double less(double a, double b)
{
	return a < b ? a : b;
}

/* The means of one round, where they are less than those before. */
static void take_round(struct world *w, int round, struct means *best)
{
	struct means m = { 0, 0, 0 };
	uint64_t before = w->answers;

	w->answering = 0;
	for (uint64_t i = 0; i < QUESTIONS; i++)
		question(w, w->jobs + 1 + (uint64_t)round * QUESTIONS + i, &m);
	best->submit = less(best->submit, m.submit / QUESTIONS);
	best->finish = less(best->finish, m.finish / QUESTIONS);
	best->answer = less(best->answer, w->answering / (double)(w->answers - before));
}

static void measure(const char *name, enum sched_loans loans, uint32_t nodes)
{
	struct world w = world_make(loans, nodes);
	struct means m = { 1e30, 1e30, 1e30 };
	double reference, dearest;

	for (int round = 0; round < ROUNDS; round++)
		take_round(&w, round, &m);
	reference = plain(w.jobs);
	dearest = m.submit > m.finish ? m.submit : m.finish;
	dearest = dearest > m.answer ? dearest : m.answer;
	printf("%s %u running %u plain %.1f submit %.1f finish %.1f answer %.1f answers %.1f ratio "
	       "%.3f\n",
	       name, nodes, w.jobs, reference, m.submit, m.finish, m.answer,
	       (double)w.answers / (ROUNDS * QUESTIONS), dearest / reference);
	world_destroy(&w);
}

int main(void)
{
	measure("uniform", LOANS_UNIFORM, 1000);
	measure("uniform", LOANS_UNIFORM, 10000);
	measure("profit", LOANS_PROFIT, 1000);
	measure("profit", LOANS_PROFIT, 10000);
	return 0;
}
