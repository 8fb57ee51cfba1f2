/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_malleable_ref: the engine of malleable jobs and the plain strategies of ref_malleable are the same. On random jobs
 * each is refused or accepted by both, and starts, ends, and has as many nodes at each time between.
 *
 * A driver tells ends one by one, and the engine decides after each; so does the reference where it is told to (`apart`),
 * and then the two are the same whatever happens at one instant. As the paper's tables are run all ends of an instant
 * are one event: to that the engine is compared where no two jobs end at once.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/kernel/speedup.h"
#include "testsuite/unit/malleable_hand.h"
#include "testsuite/unit/ref_malleable.h"
#include "testsuite/unit/seed.h"

#define MOST_JOBS 30
#define MOST_NODES 12
#define MOST_STEPS (4 * MOST_JOBS)

static const struct malleable_kind *const kinds[] = {
	[REF_UNIFORM] = &malleable_uniform,
	[REF_PROFIT] = &malleable_profit,
	[REF_LAZY] = &malleable_lazy,
};

/* What a job had from which time on; the last is 0, its end. None: it was refused. */
struct course {
	size_t n;
	struct {
		int64_t from;
		int width;
	} step[MOST_STEPS];
};

struct world {
	int nodes;
	size_t n;
	struct sched_job job[MOST_JOBS];
	struct ref_malleable_job plain[MOST_JOBS];
	int64_t points[MOST_JOBS][MOST_NODES * 2];
	int64_t rate[MOST_JOBS][MOST_NODES + 1];
	/* of the engine */
	struct hand hand;
	ref_work left[MOST_JOBS];
	size_t next;
	bool ended[MOST_JOBS];
};

/* What lasts for no time was not. */
static void put(struct course *c, int64_t now, int width)
{
	if (c->n && c->step[c->n - 1].from == now)
		c->n--;
	if ((c->n ? c->step[c->n - 1].width : 0) == width)
		return;
	assert_true(c->n < MOST_STEPS);
	c->step[c->n].from = now;
	c->step[c->n++].width = width;
}

/* ---- worlds ---- */

static int64_t from_to(uint64_t *seed, int64_t lo, int64_t hi)
{
	return lo + (int64_t)(seed_next(seed) % (uint64_t)(hi - lo + 1));
}

/* One in four is n times as fast on n nodes. */
static void make_speedup(struct world *w, size_t i, uint64_t *seed)
{
	struct list64 *s = &w->job[i].speedup;
	int64_t *v = w->points[i], speed = 0;
	uint32_t n = 0;

	for (int64_t at = 1; from_to(seed, 0, 3) && at <= w->nodes; at += from_to(seed, 1, 4)) {
		speed += from_to(seed, n == 0, 1500000);
		v[n++] = at;
		v[n++] = speed;
	}
	*s = (struct list64){ n ? v : NULL, n };
	for (int32_t k = 1; k <= w->nodes; k++)
		w->rate[i][k] = speedup_rate(s, k);
}

/* Times in units of so many seconds, and some seconds more. With 1 ties and several events at an instant are common. */
static int64_t draw_time(uint64_t *seed, int64_t unit, int64_t lo, int64_t hi)
{
	return unit * from_to(seed, lo, hi) + from_to(seed, 0, unit - 1);
}

/*
 * One in four is long, valuable and in a hurry: what others take from it costs much, so that these are refused for that,
 * or are forced when they were accepted for later.
 */
static void make_job(struct world *w, size_t i, uint64_t *seed, int64_t unit)
{
	bool large = from_to(seed, 0, 3) == 0;
	int32_t least = (int32_t)from_to(seed, 1, from_to(seed, 1, w->nodes));
	int32_t most = from_to(seed, 0, 3) ? (int32_t)from_to(seed, least, w->nodes) : least;
	struct sched_job *j = &w->job[i];

	*j = hand_range(i + 1, least, large ? w->nodes : most,
			draw_time(seed, unit, 1, large ? 200 : 20));
	j->submit = (i ? j[-1].submit : 0) + draw_time(seed, unit, 0, 8);
	j->deadline = j->submit + (large ? 1 + j->limit * from_to(seed, 4, 12) / 10
					 : draw_time(seed, unit, 1, 80));
	j->value = from_to(seed, 0, 5) * (large ? 1000000000 : 1000000);
	make_speedup(w, i, seed);
	w->plain[i] = (struct ref_malleable_job){ .submit = j->submit,
						  .least = least,
						  .most = j->most,
						  .rate = w->rate[i],
						  .work = (ref_work)j->limit * w->rate[i][least],
						  .deadline = j->deadline,
						  .value = j->value };
}

static void make_world(struct world *w, uint64_t *seed, int64_t unit)
{
	w->nodes = (int)from_to(seed, 1, MOST_NODES);
	w->n = (size_t)from_to(seed, 1, MOST_JOBS);
	for (size_t i = 0; i < w->n; i++)
		make_job(w, i, seed, unit);
}

/* ---- the reference ---- */

static void write_width(void *arg, int64_t now, size_t job, int width)
{
	put((struct course *)arg + job, now, width);
}

static void run_plain(struct world *w, enum ref_malleable_strategy strategy, bool apart,
		      struct course *c)
{
	const struct ref_malleable_setup setup = { .strategy = strategy,
						   .nodes = w->nodes,
						   .apart = apart,
						   .resized = write_width,
						   .arg = c };

	memset(c, 0, MOST_JOBS * sizeof(*c));
	assert_int_equal(ref_malleable_run(&setup, w->plain, w->n), 0);
}

/* ---- the engine ---- */

static int width_of(const struct world *w, size_t i)
{
	return (int)hand_width(&w->hand, w->job[i].id);
}

/* When it is done with what it has; PACT_FOREVER: it has nothing. */
static int64_t end_of(const struct world *w, size_t i)
{
	int64_t rate = w->rate[i][width_of(w, i)];

	return rate ? w->hand.now + (int64_t)((w->left[i] + rate - 1) / rate) : PACT_FOREVER;
}

static int64_t next_time(const struct world *w)
{
	int64_t t = w->next < w->n ? w->job[w->next].submit : PACT_FOREVER;

	t = w->hand.wake < t ? w->hand.wake : t;
	for (size_t i = 0; i < w->n; i++)
		t = end_of(w, i) < t ? end_of(w, i) : t;
	return t;
}

static void go_on(struct world *w, int64_t t)
{
	for (size_t i = 0; i < w->n; i++)
		w->left[i] -= (ref_work)w->rate[i][width_of(w, i)] * (t - w->hand.now);
	w->hand.now = t;
}

/* After an event. */
static void write_widths(struct world *w, struct course *c)
{
	assert_null(strstr(w->hand.text, "broken"));
	w->hand.text[0] = '\0';
	for (size_t i = 0; i < w->n; i++)
		put(&c[i], w->hand.now, width_of(w, i));
}

static void tell_ends(struct world *w, struct course *c)
{
	for (size_t i = 0; i < w->n; i++) {
		if (!width_of(w, i) || w->left[i] > 0)
			continue;
		assert_int_equal(hand_finish(&w->hand, w->job[i].id), PACT_OK);
		write_widths(w, c);
	}
}

static void run_engine(struct world *w, enum ref_malleable_strategy strategy, struct course *c)
{
	memset(c, 0, MOST_JOBS * sizeof(*c));
	hand_open(&w->hand, kinds[strategy], (uint32_t)w->nodes, NULL);
	w->next = 0;
	for (size_t i = 0; i < w->n; i++)
		w->left[i] = w->plain[i].work;
	for (int64_t t = next_time(w); t != PACT_FOREVER; t = next_time(w)) {
		go_on(w, t);
		tell_ends(w, c);
		while (w->next < w->n && w->job[w->next].submit == t) {
			struct sched_job j = w->job[w->next++];

			if (strategy == REF_UNIFORM)
				j.deadline = 0;
			assert_int_equal(hand_submit(&w->hand, j), PACT_OK);
			write_widths(w, c);
		}
		if (w->hand.wake <= t) {
			hand_event(&w->hand, (struct sched_event){ .type = EV_TIME });
			write_widths(w, c);
		}
	}
	hand_close(&w->hand);
}

/* ---- both ---- */

static bool is_same(const struct course *a, const struct course *b)
{
	bool same = a->n == b->n;

	for (size_t i = 0; same && i < a->n; i++)
		same = a->step[i].from == b->step[i].from && a->step[i].width == b->step[i].width;
	return same;
}

static void print(const char *what, const struct course *c)
{
	print_error("  %s:", what);
	for (size_t i = 0; i < c->n; i++)
		print_error(" %" PRId64 ":%d", c->step[i].from, c->step[i].width);
	print_error("\n");
}

static void compare(const struct world *w, const struct course *plain, const struct course *engine,
		    enum ref_malleable_strategy strategy, uint64_t seed)
{
	bool same = true;

	for (size_t i = 0; i < w->n; i++)
		same &= is_same(&plain[i], &engine[i]);
	if (same)
		return;
	print_error("%d nodes\n", w->nodes);
	for (size_t i = 0; i < w->n; i++) {
		const struct sched_job *j = &w->job[i];

		print_error("job %zu: submit %" PRId64 " nodes %d-%d limit %" PRId64
			    " deadline %" PRId64 " value %" PRId64 "%s\n",
			    i + 1, j->submit, j->width, j->most, j->limit, j->deadline, j->value,
			    is_same(&plain[i], &engine[i]) ? "" : ": differs");
		print("plain ", &plain[i]);
		print("engine", &engine[i]);
	}
	fail_msg("PACT_SEED=%" PRIu64 " PACT_ROUNDS=1: strategy %d: not the same", seed,
		 (int)strategy);
}

static bool two_end_at_once(const struct world *w)
{
	for (size_t i = 0; i < w->n; i++) {
		for (size_t k = 0; k < i; k++) {
			if (w->plain[i].end >= 0 && w->plain[i].end == w->plain[k].end)
				return true;
		}
	}
	return false;
}

struct seen {
	uint64_t alike, refused, deferred, forced, resized;
};

static void count(const struct world *w, const struct course *c, struct seen *seen)
{
	for (size_t i = 0; i < w->n; i++) {
		seen->refused += w->plain[i].state == REF_REFUSED;
		seen->deferred += w->plain[i].state == REF_ENDED && w->plain[i].deferred;
		seen->forced += w->plain[i].forced;
		seen->resized += c[i].n > 2;
	}
}

/* One world, all strategies. */
static void check_world(uint64_t first, int64_t unit, bool apart, struct seen *seen)
{
	static struct world w;
	static struct course plain[MOST_JOBS], engine[MOST_JOBS];
	uint64_t seed = first;

	make_world(&w, &seed, unit);
	for (int s = REF_UNIFORM; s <= REF_LAZY; s++) {
		enum ref_malleable_strategy strategy = (enum ref_malleable_strategy)s;

		run_plain(&w, strategy, apart, plain);
		if (!apart && two_end_at_once(&w))
			continue;
		seen->alike++;
		count(&w, plain, seen);
		run_engine(&w, strategy, engine);
		compare(&w, plain, engine, strategy, first);
	}
}

static void check_worlds(int64_t unit, bool apart)
{
	uint64_t rounds = seed_rounds(4000);
	struct seen seen = { 0 };

	for (uint64_t round = 0; round < rounds; round++)
		check_world(seed_of_round(round), unit, apart, &seen);
	print_message("%" PRIu64 " of %" PRIu64 " compared; jobs refused %" PRIu64
		      ", deferred %" PRIu64 ", forced %" PRIu64 ", resized %" PRIu64 "\n",
		      seen.alike, 3 * rounds, seen.refused, seen.deferred, seen.forced,
		      seen.resized);
	assert_true(rounds < 100 || (seen.alike > 2 * rounds && seen.refused > rounds &&
				     seen.deferred > rounds / 4 && seen.forced > rounds / 100 &&
				     seen.resized > rounds));
}

/* Hardly ever do two things happen at once. */
static void test_no_ties(void **state)
{
	(void)state;
	check_worlds(100000, false);
}

static void test_ties(void **state)
{
	(void)state;
	check_worlds(1, true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_no_ties),
		cmocka_unit_test(test_ties),
	};

	return seed_run("test_malleable_ref", tests);
}
