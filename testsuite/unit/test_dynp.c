/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_dynp: the dynP paper row by row and term by term: Table 1 for both deciders, the qualities,
 * slackness, reduced future, combinations, basic dynP, the settings' text; and what the scheduler
 * tells its driver.
 */
#include <math.h>
#include <string.h>

#include "core/policies/dynp/decider.h"
#include "core/planning/state/job.h"
#include "testsuite/unit/feed.h"
#include "testsuite/unit/seed.h"

enum { F = DYNP_FCFS, S = DYNP_SJF, L = DYNP_LJF };

/* ---- Table 1 ---- */

struct row {
	const char *table, *counted; /* the paper's case, and where Table 6 counts it */
	int64_t f, s, l;	     /* qualities */
	int current, simple, advanced;
};

static const struct row rows[] = {
	{ "1 (FCFS)", "1", 5, 5, 5, F, F, F }, { "1 (SJF)", "1", 5, 5, 5, S, F, S },
	{ "1 (LJF)", "1", 5, 5, 5, L, F, L },  { "2", "2 & 7", 5, 4, 6, F, S, S },
	{ "2", "2 & 7", 6, 4, 5, L, S, S },    { "3", "3 & 9", 4, 5, 6, S, F, F },
	{ "3", "3 & 9", 4, 6, 5, L, F, F },    { "4a", "4a", 5, 6, 4, F, L, L },
	{ "4b", "4b & 5", 5, 5, 4, S, L, L },  { "4c", "4c", 6, 5, 4, F, L, L },
	{ "5", "4b & 5", 6, 6, 5, F, L, L },   { "6a", "6a", 4, 4, 5, F, F, F },
	{ "6b", "6b", 4, 4, 5, S, F, S },      { "6c", "6c", 4, 4, 5, L, F, F },
	{ "7", "2 & 7", 5, 4, 5, L, S, S },    { "8a", "8a", 4, 5, 4, F, F, F },
	{ "8b", "8b", 4, 5, 4, S, F, F },      { "8c", "8c", 4, 5, 4, L, F, L },
	{ "9", "3 & 9", 4, 5, 5, S, F, F },    { "10a", "10a", 5, 4, 4, F, S, S },
	{ "10b", "10b", 5, 4, 4, S, S, S },    { "10c", "10c", 5, 4, 4, L, S, L },
};

static const bool all[DYNP_ORDERS] = { true, true, true, true, true, true };

static struct decision choose(enum dynp_decider decider, const struct row *r, const bool *eligible)
{
	struct fraction q[3] = { { r->f, 3 }, { r->s, 3 }, { r->l, 3 } };
	struct sched_config set;
	struct dynp_config *c = &set.dynp;

	sched_config_init(&set);
	c->decider = decider;
	return decider_choose(c, q, eligible, r->current);
}

static void test_table1(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct row *r = &rows[i];
		struct decision simple = choose(DYNP_SIMPLE, r, all);
		struct decision advanced = choose(DYNP_ADVANCED, r, all);

		if (simple.chosen != r->simple || advanced.chosen != r->advanced)
			fail_msg("case %s: simple %d, advanced %d", r->table, simple.chosen,
				 advanced.chosen);
		assert_string_equal(dynp_case_name(simple.row), r->counted);
		assert_string_equal(dynp_case_name(advanced.row), r->counted);
		assert_false(simple.differs);
		assert_int_equal(advanced.differs, r->simple != r->advanced);
	}
}

/* Section 3.2, "A Simple Decider", as it stands there. */
static int simple_decider(int64_t f, int64_t s, int64_t l)
{
	if (s <= l)
		return f <= s ? F : S;
	return f <= l ? F : L;
}

/* All three qualities from 1 to 3, every running policy, every set of eligible ones. */
static void test_every_relation(void **state)
{
	(void)state;
	for (int n = 0; n < 27 * 3 * 8; n++) {
		struct row r = { .f = n % 3 + 1, .s = n / 3 % 3 + 1, .l = n / 9 % 3 + 1 };
		bool can[DYNP_ORDERS] = { n / 81 & 1, n / 81 & 2, n / 81 & 4 };
		int64_t q[3] = { can[F] ? r.f : 9, can[S] ? r.s : 9, can[L] ? r.l : 9 };
		struct decision simple, advanced;

		r.current = n / 27 % 3;
		simple = choose(DYNP_SIMPLE, &r, can);
		advanced = choose(DYNP_ADVANCED, &r, can);
		if (!can[F] && !can[S] && !can[L]) {
			/* nothing was decided, and nothing is counted */
			assert_int_equal(simple.chosen, -1);
			assert_int_equal(advanced.chosen, -1);
			assert_true(simple.row == -1 && advanced.row == -1);
			assert_false(simple.differs || advanced.differs);
			continue;
		}
		assert_true(simple.row >= 0 && simple.row == advanced.row);
		assert_int_equal(simple.chosen, simple_decider(q[F], q[S], q[L]));
		/* never worse than any other, and it stays where that is as good */
		for (int i = 0; i < 3; i++) {
			assert_true(q[simple.chosen] <= q[i]);
			assert_true(q[advanced.chosen] <= q[i]);
		}
		if (q[r.current] == q[advanced.chosen])
			assert_int_equal(advanced.chosen, r.current);
	}
}

/* Over the same three in another order the table does not apply, but its rule does. */
static void test_other_lists(void **state)
{
	struct fraction q[4] = { { 7, 2 }, { 6, 2 }, { 6, 2 }, { 9, 2 } };
	struct sched_config set;
	struct dynp_config *c = &set.dynp;

	(void)state;
	sched_config_init(&set);
	assert_true(settings_apply(&set, "policies", "ffia,sjf,fcfs,ffda", NULL, 0));
	for (int current = 0; current < 4; current++) {
		struct decision d = decider_choose(c, q, all, current);

		assert_int_equal(d.chosen, current == 2 ? 2 : 1);
		assert_int_equal(d.row, -1);
		c->decider = DYNP_SIMPLE;
		assert_int_equal(decider_choose(c, q, all, current).chosen, 1);
		c->decider = DYNP_ADVANCED;
	}
}

static void test_slackness(void **state)
{
	struct row r = { .f = 1000, .s = 951, .l = 2000, .current = F };
	struct sched_config set;
	struct dynp_config *c = &set.dynp;

	(void)state;
	sched_config_init(&set);
	assert_true(settings_apply(&set, "Slackness", "5", NULL, 0));
	for (int64_t s = 940; s < 960; s++) {
		struct fraction q[3] = { { r.f, 7 }, { s, 7 }, { r.l, 7 } };

		assert_int_equal(decider_choose(c, q, all, F).chosen, s <= 950 ? S : F);
		/* from a policy that breaks a promise it always goes away */
		assert_int_equal(
			decider_choose(c, q, (const bool[]){ false, true, true }, F).chosen, S);
	}
	/* as good is not better */
	c->decider = DYNP_SIMPLE;
	struct fraction same[3] = { { 4, 1 }, { 4, 1 }, { 4, 1 } };

	assert_int_equal(decider_choose(c, same, all, L).chosen, L);
}

/* Ours: the list's first, unless another one is better than that by the slackness. */
static void test_preferred(void **state)
{
	struct sched_config set;
	struct dynp_config *c = &set.dynp;

	(void)state;
	sched_config_init(&set);
	assert_true(settings_apply(&set, "Policies", "sjf,fcfs,ljf", NULL, 0));
	assert_true(settings_apply(&set, "Decider", "Preferred", NULL, 0));
	for (int32_t slack = 0; slack <= 5; slack += 5) {
		c->slackness_ppm = slack * 10000;
		for (int current = 0; current < 3; current++) {
			for (int64_t v = 940; v < 1010; v++) {
				struct fraction q[3] = { { 1000, 7 }, { v, 7 }, { 2000, 7 } };
				struct fraction same[3] = { { 1000, 7 }, { v, 7 }, { v, 7 } };
				bool better = slack ? v <= 950 : v < 1000;

				/* whatever runs: it is the first that must be beaten */
				assert_int_equal(decider_choose(c, q, all, current).chosen,
						 better ? 1 : 0);
				/* of equals that beat it the one that runs stays */
				assert_int_equal(decider_choose(c, same, all, current).chosen,
						 !better	? 0
						 : current == 2 ? 2
								: 1);
			}
		}
	}
	struct fraction q[3] = { { 1, 1 }, { 3, 1 }, { 2, 1 } };

	/* the first breaks a promise, all do, and all are alike */
	assert_int_equal(decider_choose(c, q, (const bool[]){ false, true, true }, 1).chosen, 2);
	assert_int_equal(decider_choose(c, q, (const bool[]){ false, false, false }, 1).chosen, -1);
	q[1] = q[2] = q[0];
	assert_int_equal(decider_choose(c, q, all, 2).chosen, 0);
}

/* ---- qualities ---- */

/* Three jobs at 1000: the first two have been submitted at 900 and 950. */
static size_t make_assignments(struct assignment *v, struct job *j)
{
	static const int64_t terms[3][4] = {
		/* submit, width, limit, start */
		{ 900, 4, 600, 1000 },
		{ 950, 1, 30, 1010 },
		{ 1000, 3, 60, 1600 },
	};

	memset(j, 0, 3 * sizeof(*j));
	for (int i = 0; i < 3; i++) {
		j[i].id = (uint64_t)i + 1;
		j[i].submit = terms[i][0];
		j[i].req.width = (int32_t)terms[i][1];
		j[i].limit = terms[i][2];
		v[i] = (struct assignment){ .job = &j[i],
					    .submit = terms[i][0],
					    .width = (int32_t)terms[i][1],
					    .limit = terms[i][2] };
		placement_init(&v[i].at);
		v[i].at.start = terms[i][3];
		v[i].at.end = terms[i][3] + terms[i][2];
	}
	return 3;
}

static double measure(struct sched_config *set, const char *quality, struct assignment *v, size_t n)
{
	struct order_item scratch[8];
	struct quality q;
	struct fraction f;

	assert_true(settings_apply(set, "quality", quality, NULL, 0));
	quality_measure(&q, &set->dynp, v, n, 1000, 0, scratch);
	quality_combine(&set->dynp, &q, all, 1, &f);
	return fraction_value(&f);
}

static void test_qualities(void **state)
{
	struct sched_config set;
	struct dynp_config *c = &set.dynp;
	struct assignment v[3];
	struct job j[3];
	size_t n = make_assignments(v, j);
	double slow[3] = { 700.0 / 600, 90.0 / 60, 660.0 / 60 };

	(void)state;
	sched_config_init(&set);
	/* responses 700, 90, 660; waits 100, 60, 600 */
	assert_float_equal(measure(&set, "artww", v, n), (4 * 700 + 90 + 3 * 660) / 8.0, 1e-9);
	assert_float_equal(measure(&set, "art", v, n), (700 + 90 + 660) / 3.0, 1e-9);
	assert_float_equal(measure(&set, "ms", v, n), 1660, 1e-9);
	assert_float_equal(measure(&set, "wait", v, n), (100 + 60 + 600) / 3.0, 1e-9);
	assert_float_equal(measure(&set, "sld", v, n), (slow[0] + slow[1] + slow[2]) / 3, 1e-5);
	assert_float_equal(measure(&set, "sldww", v, n), (4 * slow[0] + slow[1] + 3 * slow[2]) / 8,
			   1e-5);
	/* reduced future: the first two starts; starts within 10 s, within 5 s, and none at all */
	c->future_starts = 2;
	assert_float_equal(measure(&set, "art", v, n), (700 + 90) / 2.0, 1e-9);
	c->future_starts = 0;
	c->future_seconds = 10;
	assert_float_equal(measure(&set, "art", v, n), (700 + 90) / 2.0, 1e-9);
	c->future_seconds = 5;
	assert_float_equal(measure(&set, "art", v, n), 700, 1e-9);
	assert_true(isinf(measure(&set, "art", v + 1, 2)));
}

/* Slowdowns that are the same in sum are equal, though their terms are thirds and sixtieths. */
static void test_slowdown_tie(void **state)
{
	static const int64_t limits[] = { 1, 59, 60, 180, 420, 1620, 14400, 86400, 172800, 604800 };
	const char *const names[] = { "sld", "sldww" };
	struct order_item scratch[2];
	struct sched_config set;
	struct dynp_config *c = &set.dynp;

	(void)state;
	sched_config_init(&set);
	for (size_t i = 0; i < 2 * sizeof(limits) / sizeof(*limits); i++) {
		struct quality q[2];
		struct fraction f[2];
		int64_t limit = limits[i / 2];

		assert_true(settings_apply(&set, "quality", names[i % 2], NULL, 0));
		/* one of two equal jobs a second earlier, the other a second later */
		for (int k = 0; k < 2; k++) {
			struct assignment v[2] = { { .limit = limit, .width = 1 },
						   { .limit = limit, .width = 1 } };

			v[0].at.start = 1061 - k;
			v[1].at.start = 1062 + k;
			quality_measure(&q[k], c, v, 2, 1000, 0, scratch);
		}
		quality_combine(c, q, all, 2, f);
		assert_int_equal(fraction_compare(&f[0], &f[1]), 0);
	}
}

/* Each metric in shares of the worst policy's, weighted. */
static void test_combination(void **state)
{
	struct quality q[2] = { { .part = { [DYNP_ART] = { 300, 3 }, [DYNP_MS] = { 500, 1 } } },
				{ .part = { [DYNP_ART] = { 150, 3 }, [DYNP_MS] = { 1000, 1 } } } };
	struct fraction f[2];
	struct sched_config set;
	struct dynp_config *c = &set.dynp;

	(void)state;
	sched_config_init(&set);
	assert_true(settings_apply(&set, "Quality", "art:3+ms", NULL, 0));
	quality_combine(c, q, all, 2, f);
	assert_float_equal(fraction_value(&f[0]), 3 * 1.0 + 0.5, 1e-9);
	assert_float_equal(fraction_value(&f[1]), 3 * 0.5 + 1.0, 1e-9);
	assert_true(fraction_compare(&f[1], &f[0]) < 0);
}

static void test_fractions(void **state)
{
	(void)state;
	for (int i = 0; i < 20000; i++) {
		struct fraction a = { seed_below(40), seed_below(8) };
		struct fraction b = { seed_below(40), seed_below(8) };
		int64_t left = (int64_t)(a.num * b.den), right = (int64_t)(b.num * a.den);
		int want = !a.den || !b.den ? !a.den - !b.den : (left > right) - (left < right);

		assert_int_equal(fraction_compare(&a, &b), want);
	}
	/* longer than 128 bits as a product, and one apart */
	int128 big = (int128)1 << 120;
	struct fraction a = { big + 1, big }, b = { big + 2, big + 1 };

	assert_true(fraction_compare(&b, &a) < 0 && fraction_compare(&a, &b) > 0);
	assert_int_equal(fraction_compare(&a, &a), 0);
}

/* ---- basic ---- */

static void test_basic(void **state)
{
	struct sched_config set;
	struct dynp_config *c = &set.dynp;
	struct job j[6] = { { .limit = 0 } };
	struct assignment v[6];

	(void)state;
	sched_config_init(&set);
	for (int i = 0; i < 6; i++)
		v[i] = (struct assignment){ .job = &j[i] };
	for (int i = 0; i < 6; i++)
		j[i].limit = 7200;
	assert_int_equal(decider_basic(c, v, 4), -1); /* below the threshold */
	assert_int_equal(decider_basic(c, v, 5), S);
	j[0].limit++;
	assert_int_equal(decider_basic(c, v, 5), F);
	for (int i = 0; i < 6; i++)
		j[i].limit = 9000;
	assert_int_equal(decider_basic(c, v, 6), F);
	j[5].limit++;
	assert_int_equal(decider_basic(c, v, 6), L);
	j[5].limit = PACT_FOREVER;
	assert_int_equal(decider_basic(c, v, 6), L);
}

/* ---- settings ---- */

static void test_settings(void **state)
{
	static const char *const bad[][2] = {
		{ "Policies", "" },
		{ "Policies", "fcfs,fcfs" },
		{ "Policies", "fcfs," },
		{ "Policies", "lifo" },
		{ "Decider", "clever" },
		{ "Quality", "art+" },
		{ "Quality", "art+art" },
		{ "Quality", "art:0" },
		{ "Quality", "art:1001" },
		{ "Quality", "speed" },
		{ "Slackness", "100" },
		{ "Slackness", "-1" },
		{ "Slackness", "5.12345" },
		{ "Slackness", "5." },
		{ "FutureStarts", "x" },
		{ "FutureTime", "-1" },
		{ "Threshold", "" },
		{ "JobPriority", "last" },
		{ "LowerBound", "99999999999999999999" },
		{ "Spread", "1000001" },
		{ "Spread", "1.5" },
		{ "Gain", "1000001" },
		{ "Gain", "much" },
	};
	struct sched_config set, was;
	struct dynp_config *c = &set.dynp;
	char why[256];

	(void)state;
	sched_config_init(&set);
	assert_true(settings_valid(&set, why, sizeof(why)));
	was = set;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		why[0] = '\0';
		assert_false(settings_apply(&set, bad[i][0], bad[i][1], why, sizeof(why)));
		assert_non_null(strstr(why, bad[i][0]));
		assert_memory_equal(&set, &was, sizeof(set));
	}
	assert_true(settings_apply(&set, "POLICIES", "LJF,ffia", why, sizeof(why)));
	assert_true(c->npolicies == 2 && c->policy[0] == DYNP_LJF && c->policy[1] == DYNP_FFIA);
	assert_true(settings_apply(&set, "decider", "Basic", why, sizeof(why)));
	assert_false(settings_valid(&set, why, sizeof(why))); /* it needs all three */
	assert_string_equal(why, "Decider=basic: needs fcfs, sjf and ljf, not Policies=ljf,ffia");
	assert_false(settings_valid(&set, why, 3));
	assert_true(settings_apply(&set, "slackness", "2.5", why, sizeof(why)));
	assert_int_equal(c->slackness_ppm, 25000);
	assert_true(settings_apply(&set, "quality", "artww:2+sld", why, sizeof(why)));
	assert_true(c->weight[DYNP_ARTWW] == 2 && c->weight[DYNP_SLD] == 1 && !c->weight[DYNP_ART]);
	c->lower_bound = 10;
	c->upper_bound = 9;
	c->decider = DYNP_SIMPLE;
	assert_false(settings_valid(&set, why, sizeof(why)));
	assert_string_equal(why, "LowerBound=10: must not be above UpperBound=9");
	assert_false(settings_valid(&set, NULL, 0));
	assert_false(settings_apply(&set, "FutureTime", "9999999999999", why, sizeof(why)));
	assert_string_equal(why, "FutureTime=9999999999999: must be a whole number of seconds from "
				 "0 to 1099511627776");
}

/* ---- the scheduler ---- */

static enum dynp_order running(struct feed *f, struct dynp_view *v)
{
	assert_int_equal(sched_dynp_view(f->s, v), PACT_OK);
	return v->running;
}

static void test_switch_is_told(void **state)
{
	struct feed f = { 0 };
	struct sched_action a;
	struct dynp_view v;

	(void)state;
	feed_open_switch(&f, NULL, 0);
	assert_int_equal(running(&f, &v), DYNP_FCFS);
	assert_true(sched_next(f.s, &a));
	assert_int_equal(a.type, ACT_POLICY);
	assert_true(a.from == DYNP_FCFS && a.to == DYNP_SJF);
	assert_string_equal(dynp_case_name(a.row), "2 & 7");
	feed_drain(&f);
	assert_int_equal(running(&f, &v), DYNP_SJF);
	assert_true(v.compared[DYNP_LJF] && v.eligible[DYNP_LJF] && !v.compared[DYNP_FFIA]);
	/* submissions at 0, as feed_job() has it */
	assert_float_equal(v.quality[DYNP_FCFS], (1600 + 1700) / 2.0, 1e-9);
	assert_float_equal(v.quality[DYNP_SJF], (700 + 1700) / 2.0, 1e-9);
	assert_true(v.steps == 3 && v.kept == 2 && v.switches[DYNP_SJF] == 1);
	assert_true(v.started[DYNP_FCFS] == 1 && v.many == 1 && v.backlog == 4);
	assert_int_equal(feed_starts(&f, 3), 600);
	assert_int_equal(feed_starts(&f, 2), 700);
	feed_close(&f);
}

/*
 * One node of four is lost for ever, and a job wants all four: it has a place by no policy, and hides none that
 * is better. One that has a place by some of them counts.
 */
static void test_unplaced(void **state)
{
	static const char *const quality[] = { "artww", "artww+sld" };
	struct nodeset *lost = feed_nodes(4, 8);

	(void)state;
	for (int i = 0; i < 4; i++) {
		struct sched_config c;
		struct feed f = { 0 };
		struct dynp_view v;
		bool endless = i > 1;

		sched_config_init(&c);
		assert_true(settings_apply(&c, "Quality", quality[i % 2], NULL, 0));
		assert_true(settings_apply(&c, "Slackness", "5", NULL, 0));
		feed_open(&f, "dynp", 4, &c);
		assert_int_equal(feed_block(&f, 50, lost, 0, PACT_FOREVER), PACT_OK);
		feed_submit(&f, feed_job(9, 4, 60));
		feed_submit(&f, feed_job(1, 3, 600));
		feed_drain(&f);
		f.now = 60;
		feed_submit(&f, feed_job(2, 3, endless ? PACT_FOREVER : 1000));
		feed_submit(&f, feed_job(3, 3, 100));
		feed_drain(&f);
		assert_int_equal(running(&f, &v), DYNP_SJF);
		assert_int_equal(feed_starts(&f, 3), 600);
		assert_int_equal(feed_starts(&f, 9), PACT_FOREVER);
		if (i == 0) {
			assert_float_equal(v.quality[DYNP_FCFS], (1600 + 1700) / 2.0, 1e-9);
			assert_float_equal(v.quality[DYNP_SJF], (700 + 1700) / 2.0, 1e-9);
		}
		if (i == 2)
			assert_true(v.quality[DYNP_FCFS] > 1e9 && v.quality[DYNP_SJF] < 1e9);
		feed_close(&f);
	}
	nodeset_destroy(lost);
}

static void test_promise_bars_a_policy(void **state)
{
	struct feed f = { 0 };
	struct dynp_view v;

	(void)state;
	feed_open_switch(&f, NULL, 1650);
	feed_drain(&f);
	assert_int_equal(f.accepted, 1);
	assert_int_equal(running(&f, &v), DYNP_FCFS);
	assert_true(!v.eligible[DYNP_SJF] && v.compared[DYNP_SJF] && v.eligible[DYNP_LJF]);
	assert_int_equal(feed_starts(&f, 2), 600);
	assert_int_equal(feed_starts(&f, 3), 1600);
	feed_close(&f);
}

/* With SJF alone no schedule keeps the promise: the promised job keeps its place all the same. */
static void test_no_policy_is_left(void **state)
{
	struct sched_config c;
	struct feed f = { 0 };
	struct dynp_view v;

	(void)state;
	sched_config_init(&c);
	assert_true(settings_apply(&c, "Policies", "sjf", NULL, 0));
	feed_open_switch(&f, &c, 1650);
	feed_drain(&f);
	assert_int_equal(running(&f, &v), DYNP_SJF);
	assert_int_equal(v.blocked, 1);
	assert_int_equal(feed_starts(&f, 2), 600);
	assert_int_equal(feed_starts(&f, 3), 1600);
	feed_close(&f);
}

/* A scheduler without policies, whatever the number. */
static void refuses_policies(const char *name, enum sched_mode mode)
{
	struct sched_config c;
	struct feed f = { 0 };
	struct dynp_view v;

	sched_config_init(&c);
	c.mode = mode;
	feed_open(&f, name, 4, &c);
	for (uint64_t id = 0; id < DYNP_ORDERS; id++)
		assert_int_equal(
			feed_event(&f, (struct sched_event){ .type = EV_POLICY, .id = id }),
			PACT_EINVAL);
	assert_int_equal(sched_dynp_view(f.s, &v), PACT_ENOENT);
	feed_close(&f);
}

static void test_restore(void **state)
{
	struct feed f = { 0 };
	struct dynp_view v;

	(void)state;
	feed_open(&f, "dynp", 4, NULL);
	assert_int_equal(feed_event(&f, (struct sched_event){ .type = EV_POLICY, .id = DYNP_FFIA }),
			 PACT_EINVAL); /* not in the list */
	assert_int_equal(
		feed_event(&f, (struct sched_event){ .type = EV_POLICY, .id = UINT64_MAX }),
		PACT_EINVAL);
	assert_int_equal(running(&f, &v), DYNP_FCFS);
	assert_int_equal(feed_event(&f, (struct sched_event){ .type = EV_POLICY, .id = DYNP_LJF }),
			 PACT_OK);
	feed_drain(&f);
	feed_submit(&f, feed_job(1, 4, 600));
	feed_drain(&f);
	/* case 1: all equal, the advanced decider stays */
	assert_int_equal(running(&f, &v), DYNP_LJF);
	assert_int_equal(v.started[DYNP_LJF], 1);
	feed_close(&f);
	refuses_policies("qops", SCHED_MODE_PAPER);
	refuses_policies("qops", SCHED_MODE_SLURM);
	refuses_policies("easy", SCHED_MODE_PAPER);
	refuses_policies("fcfs", SCHED_MODE_SLURM);
}

static void test_reconfigure(void **state)
{
	struct sched_config c;
	struct feed f = { 0 };
	struct dynp_view v;

	(void)state;
	feed_open_switch(&f, NULL, 0);
	feed_drain(&f);
	sched_config_init(&c);
	assert_true(settings_apply(&c, "Policies", "ljf,sjf", NULL, 0));
	assert_int_equal(sched_configure(f.s, &c, NULL, 0), PACT_OK);
	feed_at(&f, 130);
	assert_int_equal(running(&f, &v), DYNP_SJF); /* it stays where it is in the list */
	assert_true(settings_apply(&c, "Policies", "ljf", NULL, 0));
	assert_int_equal(sched_configure(f.s, &c, NULL, 0), PACT_OK);
	feed_at(&f, 140);
	assert_int_equal(running(&f, &v), DYNP_LJF);
	assert_int_equal(feed_starts(&f, 2), 600);
	c.dynp.npolicies = 0;
	assert_int_equal(sched_configure(f.s, &c, NULL, 0), PACT_EINVAL);
	feed_close(&f);
}

/* Ties by priority, or priority before all. */
static void test_job_priority(void **state)
{
	static const char *const meaning[] = { "none", "ties", "first" };
	static const uint64_t order[3][3] = { { 4, 2, 3 }, { 4, 3, 2 }, { 3, 2, 4 } };

	(void)state;
	for (int i = 0; i < 3; i++) {
		struct sched_config c;
		struct feed f = { 0 };

		sched_config_init(&c);
		assert_true(settings_apply(&c, "Policies", "sjf", NULL, 0));
		assert_true(settings_apply(&c, "JobPriority", meaning[i], NULL, 0));
		feed_open(&f, "dynp", 4, &c);
		feed_submit(&f, feed_job(1, 4, 600));
		feed_drain(&f);
		for (uint64_t id = 2; id <= 4; id++)
			feed_submit(&f, feed_job(id, 4, id == 4 ? 50 : 100));
		feed_drain(&f);
		assert_int_equal(feed_event(&f, (struct sched_event){ .type = EV_PRIORITY,
								      .id = 3,
								      .priority = 9 }),
				 PACT_OK);
		assert_int_equal(feed_event(&f, (struct sched_event){ .type = EV_PRIORITY,
								      .id = 2,
								      .priority = 5 }),
				 PACT_OK);
		for (int k = 0; k < 3; k++) {
			f.now = 600 + 200 * k;
			feed_finish(&f, k ? order[i][k - 1] : 1);
			feed_drain(&f);
			assert_int_equal(f.order[k + 1], order[i][k]);
		}
		feed_close(&f);
	}
}

/* A decision in the middle of a pass, before the start that is out is answered: no job has two turns. */
static void test_decision_while_starting(void **state)
{
	struct feed f = { 0 };

	(void)state;
	for (int reserve = 0; reserve < 2; reserve++) {
		feed_open(&f, "dynp", 4, NULL);
		f.hold_starts = true;
		feed_submit(&f, feed_job(1, 2, 100));
		feed_submit(&f, feed_job(2, 1, 100));
		feed_submit(&f, feed_job(3, 1, 100));
		assert_int_equal(feed_drain(&f), 1);
		assert_int_equal(f.start.id, 1);
		feed_submit(&f, feed_deadline(10, 1, 50, 1000));
		feed_event(&f, (struct sched_event){
				       .type = EV_START_FAILED, .id = 1, .reserve = reserve });
		assert_int_equal(feed_drain(&f), 1);
		assert_int_not_equal(f.start.id, 1);
		assert_true(feed_starts(&f, 1) > 0);
		assert_int_equal(f.accepted, 1);
		feed_close(&f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table1),
		cmocka_unit_test(test_decision_while_starting),
		cmocka_unit_test(test_every_relation),
		cmocka_unit_test(test_other_lists),
		cmocka_unit_test(test_slackness),
		cmocka_unit_test(test_preferred),
		cmocka_unit_test(test_qualities),
		cmocka_unit_test(test_slowdown_tie),
		cmocka_unit_test(test_combination),
		cmocka_unit_test(test_fractions),
		cmocka_unit_test(test_basic),
		cmocka_unit_test(test_settings),
		cmocka_unit_test(test_switch_is_told),
		cmocka_unit_test(test_unplaced),
		cmocka_unit_test(test_promise_bars_a_policy),
		cmocka_unit_test(test_no_policy_is_left),
		cmocka_unit_test(test_restore),
		cmocka_unit_test(test_reconfigure),
		cmocka_unit_test(test_job_priority),
	};

	return seed_run("test_dynp", tests);
}
