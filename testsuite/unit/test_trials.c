/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_trials: Figure 3's positions tried in two trials (figure3.c) come to what they come to one after the
 * other: each scheduler is given a `together`, and its twin (twin.h) none. Every decision is the same, with
 * all that it counts, every action, and every place.
 *
 * attempt_run() and search_failed() are wrapped by the linker: to make the first position's attempt the last
 * to end, and to see that the twin's failures are noted in the order in which they happen. Where a position
 * was not tried, as the new job was late at once at an earlier one, it is tried here.
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>

#include "core/promise/admission.h"
#include "sim/team.h"
#include "testsuite/unit/feed.h"
#include "testsuite/unit/inside.h"
#include "testsuite/unit/seed.h"
#include "testsuite/unit/twin.h"
#include "testsuite/unit/world.h"

#define ROUNDS 48
#define STEPS 100

static uint64_t together; /* rounds of tasks */

/* ---- one after the other, the last first ---- */

static void backwards(void *arg, void (*task)(void *ctx, size_t i), void *ctx, size_t n)
{
	(void)arg;
	together++;
	while (n-- > 0)
		task(ctx, n);
}

/* ---- at once, the first position's attempt the last to end ---- */

struct task {
	void (*task)(void *ctx, size_t i);
	void *ctx;
	size_t i;
};

static struct {
	pthread_mutex_t mutex;
	pthread_cond_t over;
	bool crossing;
	size_t tasks; /* at work */
} crossed = { .mutex = PTHREAD_MUTEX_INITIALIZER, .over = PTHREAD_COND_INITIALIZER };

int __real_attempt_run(struct attempt *a);
int __wrap_attempt_run(struct attempt *a);
void __real_search_failed(struct search *q, const struct attempt_report *r);
void __wrap_search_failed(struct search *q, const struct attempt_report *r);

/* What the twin's last positions failed for, and how many of these were noted. */
static struct attempt_report failure[66];
static size_t failures, noted;
static size_t skipped; /* and positions behind them that were not tried */
static uint64_t untried;

/* One after the other, in paper mode, where nobody else is laid out. */
static bool alone(const struct planner *s)
{
	return s == inside(twin) && s->config.mode == SCHED_MODE_PAPER;
}

static void keep(const struct attempt *a, int rc)
{
	if (!a->decided || !alone(a->s))
		return;
	if (a->turn == 0) {
		assert_int_equal(noted, failures);
		noted = failures = skipped = 0;
	}
	if (rc == 0)
		failure[failures++] = a->report;
}

/* At the position it is late at once, too, and no earlier. */
static void try_untried(const struct search *q, const struct attempt_report *r, size_t ts)
{
	struct attempt a = { .s = q->s,
			     .trial = q->s->trial,
			     .prefix = q->order,
			     .ts = ts,
			     .list = q->order + ts,
			     .list_n = q->n - ts,
			     .sorted = q->s->sorted,
			     .fresh = q->s->fresh,
			     .fresh_n = q->fresh_n,
			     .fresh_first = true,
			     .k = q->s->config.kfactor };

	assert_int_equal(__real_attempt_run(&a), 0);
	assert_int_equal(a.report.violations, 1);
	assert_ptr_equal(a.report.critical, q->s->fresh[0]);
	assert_ptr_equal(r->critical, q->s->fresh[0]);
	assert_true(a.report.late >= r->late && q->best.late <= r->late);
	untried++;
}

void __wrap_search_failed(struct search *q, const struct attempt_report *r)
{
	if (alone(q->s) && noted == failures) {
		assert_int_equal(r->violations, 1);
		try_untried(q, r, figure3_position(q->n, (unsigned)(noted + skipped++)));
	} else if (alone(q->s)) {
		assert_int_equal(r->violations, failure[noted].violations);
		assert_ptr_equal(r->critical, failure[noted].critical);
		assert_int_equal(r->late, failure[noted].late);
		noted++;
	}
	__real_search_failed(q, r);
}

/* The attempt at the first position waits, done, until its task is the only one at work. */
int __wrap_attempt_run(struct attempt *a)
{
	int rc = __real_attempt_run(a);

	keep(a, rc);
	pthread_mutex_lock(&crossed.mutex);
	while (crossed.crossing && a->turn == 0 && crossed.tasks > 1)
		pthread_cond_wait(&crossed.over, &crossed.mutex);
	pthread_mutex_unlock(&crossed.mutex);
	return rc;
}

static void *run_task(void *arg)
{
	const struct task *t = arg;

	t->task(t->ctx, t->i);
	pthread_mutex_lock(&crossed.mutex);
	crossed.tasks--;
	pthread_cond_broadcast(&crossed.over);
	pthread_mutex_unlock(&crossed.mutex);
	return NULL;
}

static void cross(void *arg, void (*task)(void *ctx, size_t i), void *ctx, size_t n)
{
	pthread_t thread[TRIALS];
	struct task t[TRIALS];

	(void)arg;
	together++;
	assert_in_range(n, 2, TRIALS);
	crossed.crossing = true;
	crossed.tasks = n;
	for (size_t i = 0; i < n; i++) {
		t[i] = (struct task){ task, ctx, i };
		assert_int_equal(pthread_create(&thread[i], NULL, run_task, &t[i]), 0);
	}
	for (size_t i = 0; i < n; i++)
		pthread_join(thread[i], NULL);
	crossed.crossing = false;
}

/* ---- at once, as it comes ---- */

static struct team *team;

static void at_once(void *arg, void (*task)(void *ctx, size_t i), void *ctx, size_t n)
{
	(void)arg;
	together++;
	team_together(team, task, ctx, n);
}

/* ---- worlds ---- */

static void (*const ways[])(void *, void (*)(void *, size_t), void *, size_t) = { backwards, cross,
										  at_once };
static size_t way;

static void set_together(struct sched_config *c)
{
	c->together = ways[way];
}

static void worlds(const char *scheduler, enum sched_mode mode)
{
	uint64_t rounds = seed_rounds(ROUNDS);
	static struct world w;

	twin_ours = set_together;
	together = noted = failures = skipped = 0;
	for (uint64_t round = 0; round < rounds; round++) {
		way = round % 3;
		world_create(&w, scheduler, seed_of_round(round), mode, round / 3 % 2);
		while (w.step < STEPS)
			world_step(&w);
		world_destroy(&w);
	}
	/* few are long enough, and in slurm mode there may be none: test_busy() sees to these */
	print_message("# %s: %" PRIu64 " searches in several trials\n", scheduler, together);
}

static void test_paper(void **state)
{
	(void)state;
	worlds("qops", SCHED_MODE_PAPER);
}

static void test_slurm(void **state)
{
	(void)state;
	worlds("qops", SCHED_MODE_SLURM);
}

static void test_best(void **state)
{
	(void)state;
	worlds("qops-best", SCHED_MODE_PAPER);
}

/* ---- long queues ---- */

#define NODES 8
#define JOBS 120
#define MOST 3 /* that come together */

static struct sched_job some_job(struct feed *f, struct nodeset *const *half, uint64_t id,
				 bool hurry)
{
	struct sched_job j = feed_job(id, (int32_t)(1 + seed_below(NODES / 2)), 1 + seed_below(90));

	j.submit = f->now;
	j.priority = -seed_below(50);
	if (half[0] && seed_below(2))
		j.alt[j.nalt++] = half[seed_below(2)];
	else if (!seed_below(4))
		j.width = NODES;
	if (hurry)
		j.deadline = f->now + j.limit + 1 + seed_below(seed_below(2) ? 300 : 2000);
	return j;
}

static void submit(struct feed *f, struct nodeset *const *half, uint64_t id)
{
	struct sched_job j[MOST];
	size_t n = seed_below(3) ? 1 : 1 + (size_t)seed_below(MOST);
	bool hurry = seed_below(4);
	struct sched_decision d;

	for (size_t i = 0; i < n; i++)
		j[i] = some_job(f, half, id + i, hurry);
	if (hurry && !seed_below(4))
		sched_ask(f->s, f->now, j, n, &d);
	assert_int_equal(
		feed_event(f, (struct sched_event){ .type = EV_SUBMIT, .jobs = j, .njobs = n }),
		PACT_OK);
}

/* Who waits gets other terms, perhaps; who ends does so. */
static void go_on(struct feed *f, struct nodeset *const *half, uint64_t last)
{
	struct sched_view v;

	for (uint64_t id = 1; id < last; id++) {
		if (sched_view(f->s, id, &v) != PACT_OK)
			continue;
		if (v.running && (v.end <= f->now || !seed_below(20))) {
			feed_finish(f, id);
		} else if (!v.running && !seed_below(60)) {
			struct sched_job j = some_job(f, half, id, seed_below(4));
			struct sched_decision d;

			j.submit = v.submit;
			if (j.deadline && seed_below(2))
				sched_ask_change(f->s, f->now, &j, &d);
			feed_event(f, (struct sched_event){
					      .type = EV_CHANGE, .jobs = &j, .njobs = 1 });
		}
	}
}

static void busy(enum sched_mode mode, uint64_t round)
{
	struct nodeset *half[2] = { NULL, NULL };
	struct sched_config c;
	struct feed f = { 0 };

	sched_config_init(&c);
	c.mode = mode;
	c.kfactor = (int32_t)(round % 7);
	c.order = round & 8 ? ORDER_LLF : ORDER_EDF;
	c.min_artificial = 100;
	c.offer_probes = (int32_t)seed_below(4);
	for (int i = 0; i < 2 && round % 2; i++)
		half[i] = feed_nodes(NODES, i ? 0xf0 : 0x3f);
	way = round % 3;
	feed_open(&f, "qops", NODES, &c);
	for (uint64_t id = 1; id <= JOBS; id += MOST) {
		submit(&f, half, id);
		if (seed_below(3))
			feed_drain(&f);
		f.now += seed_below(4);
		go_on(&f, half, id);
	}
	feed_close(&f);
	nodeset_destroy(half[0]);
	nodeset_destroy(half[1]);
}

static void test_busy(void **state)
{
	uint64_t rounds = seed_rounds(ROUNDS);

	(void)state;
	twin_ours = set_together;
	together = noted = failures = skipped = 0;
	for (uint64_t round = 0; round < rounds; round++)
		busy(round / 3 % 2 ? SCHED_MODE_SLURM : SCHED_MODE_PAPER, round);
	print_message("# %" PRIu64 " searches in several trials, %" PRIu64 " positions not tried\n",
		      together, untried);
	assert_true(together > rounds);
	assert_true(untried > rounds);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_paper),
		cmocka_unit_test(test_slurm),
		cmocka_unit_test(test_best),
		cmocka_unit_test(test_busy),
	};

	team = team_create(2);
	if (!team)
		return 1;
	int failed = seed_run("test_trials", tests);

	team_destroy(team);
	return failed;
}
