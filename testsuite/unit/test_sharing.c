/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_sharing: whole schedules of libra, librarisk, demand and edf, against the plain reference of
 * ref_sharing.h: who is accepted, on which nodes, and when each job ends. The driver here lives in
 * microseconds, does what it is told, and checks that no node is given out twice.
 */
#include "testsuite/unit/ref_sharing.h"
#include "testsuite/unit/seed.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "core/sched.h"

#define SECOND INT64_C(1000000)

__extension__ typedef unsigned __int128 work;

/* What the driver knows of a job's part. */
struct piece {
	bool here;
	work left; /* of the runtime, at full speed of the node */
	uint32_t share;
};

struct world {
	const struct ref_sharing *c;
	struct ref_sharer *job;
	size_t n, next;
	struct sched *s;
	struct piece piece[REF_NODES][REF_JOBS];
	int64_t now, wake; /* microseconds */
	bool accepted[REF_JOBS], refused[REF_JOBS], ended[REF_JOBS];
	bool promised[REF_JOBS], broken[REF_JOBS];
	int64_t end[REF_JOBS];
	struct sched_decision decision[REF_JOBS];
};

static struct sched_event event_at(int64_t at, enum sched_event_type type, size_t job)
{
	return (struct sched_event){
		.type = type, .now = at / SECOND, .fine = (int32_t)(at % SECOND), .id = job + 1
	};
}

static void feed(struct world *w, struct sched_event ev)
{
	int rc = sched_event(w->s, &ev);

	if (rc != PACT_OK)
		fail_msg("event %d of job %" PRIu64 ": %s", (int)ev.type, ev.id, sched_error(w->s));
}

/* ---- what is asked for ---- */

static void start(struct world *w, const struct sched_action *a)
{
	struct sched_event ev = event_at(w->now, EV_STARTED, a->id - 1);
	uint32_t k = 0;

	assert_int_equal(nodeset_count(a->allowed), w->job[a->id - 1].width);
	assert_true(a->nshares == 0 || a->nshares == nodeset_count(a->allowed));
	for (int node = 0; node < w->c->nodes; node++) {
		struct piece *p = &w->piece[node][a->id - 1];

		if (!nodeset_test(a->allowed, (uint32_t)node))
			continue;
		p->here = true;
		p->left = (work)w->job[a->id - 1].runtime * SECOND * SHARE_WHOLE;
		p->left = (work)((long double)p->left / w->c->rating[node]);
		p->share = a->nshares ? a->shares[k++] : SHARE_WHOLE;
	}
	ev.nodes = a->allowed;
	ev.start = w->now / SECOND;
	feed(w, ev);
}

static void set_shares(struct world *w, const struct sched_action *a)
{
	for (size_t i = 0; i < w->n; i++)
		w->piece[a->node][i].share = 0;
	for (uint32_t k = 0; k < a->nshares; k++) {
		assert_true(w->piece[a->node][a->ids[k] - 1].here);
		w->piece[a->node][a->ids[k] - 1].share = a->shares[k];
	}
}

static void check_nodes(const struct world *w)
{
	for (int node = 0; node < w->c->nodes; node++) {
		uint64_t sum = 0;
		int64_t memory = 0;

		for (size_t i = 0; i < w->n; i++) {
			const struct piece *p = &w->piece[node][i];
			int k = w->job[i].processors;

			if (!p->here)
				continue;
			assert_true(p->share <= SHARE_WHOLE);
			k = k && w->c->kind != REF_EDF ? k : w->c->processors[node];
			sum += (uint64_t)p->share * (uint64_t)k;
			memory += w->job[i].memory;
		}
		assert_true(sum <= (uint64_t)SHARE_WHOLE * (uint64_t)w->c->processors[node]);
		assert_true(!w->c->memory[node] || memory <= w->c->memory[node]);
	}
}

static void drain(struct world *w)
{
	struct sched_action a;

	w->wake = INT64_MAX;
	while (sched_next(w->s, &a)) {
		switch (a.type) {
		case ACT_ACCEPT:
			w->accepted[a.id - 1] = true;
			w->promised[a.id - 1] = !a.decision.expected;
			w->decision[a.id - 1] = a.decision;
			break;
		case ACT_REFUSE:
			w->refused[a.id - 1] = true;
			w->decision[a.id - 1] = a.decision;
			break;
		case ACT_START:
			w->accepted[a.id - 1] = true;
			start(w, &a);
			break;
		case ACT_SHARES:
			set_shares(w, &a);
			break;
		case ACT_BROKEN:
			w->broken[a.id - 1] = true;
			break;
		case ACT_MENDED:
			w->broken[a.id - 1] = false;
			break;
		case ACT_WAKE:
			w->wake = a.end * SECOND + a.fine;
			break;
		default:
			fail_msg("action %d", (int)a.type);
		}
	}
	assert_string_equal(sched_error(w->s), "");
	check_nodes(w);
}

/* ---- time ---- */

static int64_t end_of(const struct world *w, const struct piece *p)
{
	return p->here && p->share ? w->now + (int64_t)((p->left + p->share - 1) / p->share)
				   : INT64_MAX;
}

static int64_t next_end(const struct world *w)
{
	int64_t next = INT64_MAX;

	for (int node = 0; node < w->c->nodes; node++) {
		for (size_t i = 0; i < w->n; i++) {
			int64_t end = end_of(w, &w->piece[node][i]);

			next = end < next ? end : next;
		}
	}
	return next;
}

static void go_to(struct world *w, int64_t at)
{
	for (int node = 0; node < w->c->nodes; node++) {
		for (size_t i = 0; i < w->n; i++) {
			struct piece *p = &w->piece[node][i];
			work done = (work)p->share * (uint64_t)(at - w->now);

			p->left = done < p->left ? p->left - done : 0;
		}
	}
	w->now = at;
}

/* The parts of a job that are done leave. */
static void end_job(struct world *w, size_t i)
{
	struct nodeset *left = nodeset_create((uint32_t)w->c->nodes);
	struct sched_event ev = event_at(w->now, EV_LEFT, i);
	bool goes_on = false;

	for (int node = 0; node < w->c->nodes; node++) {
		struct piece *p = &w->piece[node][i];

		if (p->here && !p->left) {
			nodeset_set(left, (uint32_t)node);
			p->here = false;
			p->share = 0;
		}
		goes_on |= p->here;
	}
	if (!nodeset_empty(left)) {
		ev.nodes = left;
		if (!goes_on) {
			ev = event_at(w->now, EV_FINISH, i);
			w->ended[i] = true;
			w->end[i] = w->now;
		}
		feed(w, ev);
		drain(w);
	}
	nodeset_destroy(left);
}

static void submit(struct world *w)
{
	const struct ref_sharer *j = &w->job[w->next];
	struct sched_job d = { .id = w->next + 1,
			       .submit = j->submit,
			       .limit = j->estimate,
			       .deadline = j->deadline,
			       .planned = -1,
			       .width = j->width,
			       .processors = j->processors,
			       .memory = j->memory };
	struct sched_event ev = event_at(w->now, EV_SUBMIT, w->next++);

	ev.jobs = &d;
	ev.njobs = 1;
	feed(w, ev);
	drain(w);
}

static void describe_nodes(struct world *w)
{
	for (int node = 0; node < w->c->nodes; node++) {
		struct nodeset *one = nodeset_create((uint32_t)w->c->nodes);
		struct sched_event ev = { .type = EV_NODES, .nodes = one };

		nodeset_set(one, (uint32_t)node);
		ev.rating = (int32_t)(w->c->rating[node] * RATING_WHOLE + 0.5L);
		ev.processors = w->c->processors[node];
		ev.memory = w->c->memory[node];
		feed(w, ev);
		nodeset_destroy(one);
	}
}

static void run(struct world *w, const struct ref_sharing *c, struct ref_sharer *job, size_t n)
{
	static const char *const names[] = { "libra", "librarisk", "demand", "edf" };
	struct sched_config config;
	char why[100] = "";

	memset(w, 0, sizeof(*w));
	w->c = c;
	w->job = job;
	w->n = n;
	w->wake = INT64_MAX;
	sched_config_init(&config);
	config.spare = c->idle ? SPARE_IDLE : SPARE_SHARE;
	config.node_choice = c->best ? NODES_BEST : NODES_ORDER;
	w->s = sched_create(names[c->kind], (uint32_t)c->nodes, &config, why, sizeof(why));
	assert_string_equal(why, "");
	describe_nodes(w);
	for (;;) {
		int64_t end = next_end(w);
		int64_t arrival = w->next < n ? job[w->next].submit * SECOND : INT64_MAX;

		if (end == INT64_MAX && arrival == INT64_MAX)
			break;
		if (end <= arrival && end <= w->wake) {
			go_to(w, end);
			for (size_t i = 0; i < n; i++)
				end_job(w, i);
		} else if (arrival <= w->wake) {
			go_to(w, arrival);
			submit(w);
		} else {
			go_to(w, w->wake);
			feed(w, event_at(w->now, EV_TIME, 0));
			drain(w);
		}
	}
	sched_destroy(w->s);
}

/* ---- worlds ---- */

static void random_nodes(struct ref_sharing *c, bool alike)
{
	static const long double ratings[] = { 0.5L, 1, 1, 1.25L, 2 };

	c->nodes = 1 + (int)seed_below(REF_NODES);
	c->idle = !seed_below(3);
	c->best = seed_below(2);
	for (int i = 0; i < c->nodes; i++) {
		c->rating[i] = alike ? 1 : ratings[seed_below(5)];
		c->processors[i] = alike ? 1 : 1 + (int)seed_below(4);
		c->memory[i] = alike || seed_below(2) ? 0 : 100 + seed_below(200);
	}
}

/* How runtimes come out of estimates: exactly; some are shorter; any, some longer. */
enum runtimes { EXACT, SHORTER, ANY };

static size_t random_jobs(const struct ref_sharing *c, struct ref_sharer *job, enum runtimes how)
{
	size_t n = 5 + (size_t)seed_below(REF_JOBS - 5);
	int64_t at = 1000, gap = 1 + seed_below(400);

	memset(job, 0, REF_JOBS * sizeof(*job));
	for (size_t i = 0; i < n; i++) {
		struct ref_sharer *j = &job[i];

		at += seed_below(4) ? seed_below(gap) : 0;
		j->submit = at;
		j->estimate = 1 + seed_below(seed_below(3) ? 1000 : 50);
		j->runtime = how == EXACT ? j->estimate : 1 + seed_below(j->estimate);
		if (how == ANY && !seed_below(4))
			j->runtime = j->estimate + seed_below(300);
		j->deadline = at + j->runtime + seed_below(1 + 4 * j->estimate);
		if (how == ANY && !seed_below(8) && i)
			j->deadline = job[i - 1].deadline > at ? job[i - 1].deadline : j->deadline;
		j->width = 1 + (int)seed_below(seed_below(3) ? 2 : c->nodes);
		if (j->width > c->nodes)
			j->width = c->nodes;
		j->processors = seed_below(2) ? 0 : 1 + (int)seed_below(4);
		j->memory = seed_below(2) ? 0 : seed_below(150);
	}
	return n;
}

static void show(const struct world *w, const struct ref_sharer *ref)
{
	print_message("kind %d idle %d best %d nodes %d:", (int)w->c->kind, w->c->idle, w->c->best,
		      w->c->nodes);
	for (int i = 0; i < w->c->nodes; i++)
		print_message(" %.2Lf/%d/%" PRId64, w->c->rating[i], w->c->processors[i],
			      w->c->memory[i]);
	print_message("\n");
	for (size_t i = 0; i < w->n; i++) {
		const struct ref_sharer *j = &ref[i];

		print_message("%zu: at %" PRId64 " estimate %" PRId64 " runtime %" PRId64
			      " deadline %" PRId64 " width %d processors %d memory %" PRId64
			      ": %d %d, end %" PRId64 " %.6Lf\n",
			      i + 1, j->submit, j->estimate, j->runtime, j->deadline, j->width,
			      j->processors, j->memory, w->accepted[i], j->accepted, w->end[i],
			      j->end);
	}
}

/* Do they end at the same time, but for what rounding to microseconds grows to near deadlines? */
static bool is_same_end(const struct world *w, const struct ref_sharer *ref, size_t i)
{
	long double end = (long double)w->end[i] / SECOND;

	return fabsl(end - ref[i].end) <= 2e-2L + 1e-4L * (end - ref[i].submit);
}

static void compare(const struct world *w, const struct ref_sharer *ref, size_t decided)
{
	for (size_t i = 0; i < decided; i++) {
		if (w->c->kind == REF_EDF && decided < w->n && !ref[i].accepted)
			continue; /* it may have waited still */
		if (w->accepted[i] != ref[i].accepted ||
		    (ref[i].accepted && (decided == w->n || ref[i].ended) &&
		     !is_same_end(w, ref, i)))
			show(w, ref);
		if (w->accepted[i] != ref[i].accepted)
			fail_msg("job %zu is %s, and not in the reference", i + 1,
				 w->accepted[i] ? "accepted" : "refused");
		if (!ref[i].accepted)
			continue;
		if (w->c->kind != REF_EDF && w->decision[i].expected != ref[i].expected)
			fail_msg("job %zu is %s, and not in the reference", i + 1,
				 ref[i].expected ? "promised" : "expected");
		if (decided < w->n && !ref[i].ended)
			continue;
		if (!is_same_end(w, ref, i))
			fail_msg("job %zu ends at %" PRId64 " us, in the reference at %.9Lf", i + 1,
				 w->end[i], ref[i].end);
	}
}

/* With no estimate too short libra and demand break no promise, and say of none that it is broken. */
static void check_promises(const struct world *w)
{
	for (size_t i = 0; i < w->n; i++) {
		if (!w->promised[i])
			continue;
		assert_false(w->broken[i]);
		assert_true(w->ended[i] && w->end[i] <= w->job[i].deadline * SECOND);
	}
}

static uint64_t followed, worlds;

static void one_world(enum ref_sharing_kind kind, bool alike, enum runtimes how)
{
	static struct ref_sharer job[REF_JOBS], ref[REF_JOBS];
	static struct world w;
	struct ref_sharing c = { .kind = kind };
	size_t n, decided;

	random_nodes(&c, alike || kind == REF_DEMAND);
	n = random_jobs(&c, job, how);
	for (size_t i = 0; i < n && (alike || kind == REF_DEMAND); i++)
		job[i].processors = 0;
	memcpy(ref, job, sizeof(ref));
	decided = ref_sharing_run(&c, ref, n);
	run(&w, &c, job, n);
	compare(&w, ref, decided);
	if (how != ANY && (kind == REF_LIBRA || kind == REF_DEMAND))
		check_promises(&w);
	followed += decided == n;
	worlds++;
}

static void test_schedules(void **state)
{
	(void)state;
	for (uint64_t i = 0; i < seed_rounds(400); i++) {
		for (int kind = REF_LIBRA; kind <= REF_EDF; kind++) {
			one_world((enum ref_sharing_kind)kind, true, (enum runtimes)(i % 3));
			one_world((enum ref_sharing_kind)kind, false, (enum runtimes)(i % 3));
		}
	}
	print_message("%" PRIu64 " of %" PRIu64 " worlds followed to the end\n", followed, worlds);
	assert_true(followed > worlds / 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_schedules),
	};

	return seed_run("test_sharing", tests);
}
