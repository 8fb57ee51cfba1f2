/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_tape: what random worlds, and drivers out of their minds, say to every scheduler is recorded,
 * begun anew at random moments, and each part is played by itself: not one answer may differ. And a
 * line that is changed, stale or misplaced is found.
 *
 * PACT_ROUNDS is the number of worlds.
 */
#include <stdio.h>
#include <stdlib.h>
#include <inttypes.h>
#include <string.h>

#include <json-c/json.h>

#include "core/base/nodeset.h"
#include "tape/play.h"
#include "tape/tape.h"
#include "testsuite/unit/seed.h"
#include "testsuite/unit/world.h"

/* A recording in memory. */
struct reel {
	char **line;
	size_t n, room;
};

static void keep_line(void *arg, const char *text, size_t length)
{
	struct reel *r = arg;

	if (r->n == r->room) {
		r->room = r->room ? 2 * r->room : 256;
		r->line = realloc(r->line, r->room * sizeof(*r->line));
		assert_non_null(r->line);
	}
	assert_null(memchr(text, '\n', length));
	r->line[r->n] = strndup(text, length);
	assert_non_null(r->line[r->n]);
	r->n++;
}

/* A beginning that was copied when the reel had `at` lines, and is told now; *told becomes NULL. */
static void tell_late(struct reel *r, struct retold **told, size_t at)
{
	size_t behind = r->n - at, n;
	char **line = malloc((behind + 1) * sizeof(*line));

	assert_non_null(line);
	if (!*told) {
		free(line);
		return;
	}
	if (behind)
		memcpy(line, r->line + at, behind * sizeof(*line));
	r->n = at;
	tape_tell(*told, keep_line, r);
	retold_destroy(*told);
	*told = NULL;
	n = r->n + behind;
	r->line = realloc(r->line, (n + 1) * sizeof(*r->line));
	assert_non_null(r->line);
	if (behind)
		memcpy(r->line + r->n, line, behind * sizeof(*line));
	r->n = n;
	r->room = n + 1;
	free(line);
}

static void reel_clear(struct reel *r)
{
	for (size_t i = 0; i < r->n; i++)
		free(r->line[i]);
	free(r->line);
	*r = (struct reel){ 0 };
}

/* All of it; *counts may be NULL. The number of heads. */
static uint64_t play_all(const struct reel *r, struct play_counts *counts)
{
	struct play *p = play_create();

	assert_non_null(p);
	for (size_t i = 0; i < r->n; i++) {
		enum play_verdict verdict = play_line(p, r->line[i], strlen(r->line[i]));

		if (verdict != PLAY_OK)
			fail_msg("line %zu: verdict %d, %s\nrecorded %s\nnow      %s", i + 1,
				 verdict, play_said(p),
				 *play_expected(p) ? play_expected(p) : r->line[i], play_got(p));
	}
	uint64_t heads = play_counts(p)->heads;

	if (counts)
		*counts = *play_counts(p);
	play_destroy(p);
	return heads;
}

/* ---- sane worlds, under those that make promises ---- */

/* Not dynp: its worlds reach into it, behind the back of what watches. */
static const char *const worlds[] = { "qops", "msb", "qops", "mrt", "qops" };

static void test_worlds(void **state)
{
	uint64_t rounds = seed_rounds(20), heads = 0, expected = 0, starts = 0, decisions = 0;

	(void)state;
	for (uint64_t round = 0; round < rounds; round++) {
		static struct world w;
		struct reel r = { 0 };
		struct tape *t = tape_create(keep_line, &r);
		struct play_counts counts;

		assert_non_null(t);
		const char *name = worlds[round % (sizeof(worlds) / sizeof(worlds[0]))];
		bool paper = strcmp(name, "qops") != 0 || round & 1;

		world_create(&w, name, seed_of_round(round),
			     paper ? SCHED_MODE_PAPER : SCHED_MODE_SLURM, round & 2);
		for (int i = 0; i < 120; i++) {
			/* the first one in the middle of a life, too */
			if (i == 0 || i == 10 || !seed_below(15)) {
				assert_int_equal(tape_start(t, w.s, w.nodes, &w.c, "here"),
						 PACT_OK);
				expected++;
			}
			world_step(&w);
		}
		tape_destroy(t);
		world_destroy(&w);
		heads += play_all(&r, &counts);
		starts += counts.starts;
		decisions += counts.decisions;
		reel_clear(&r);
	}
	assert_int_equal(heads, expected);
	print_message("# %llu beginnings, %llu starts, %llu decisions\n", (unsigned long long)heads,
		      (unsigned long long)starts, (unsigned long long)decisions);
	assert_true(starts > rounds && decisions > rounds);
}

/* ---- any driver, every scheduler ---- */

#define NODES 11
#define SETS 6
#define IDS 30

static struct nodeset *set[SETS];
static struct nodeset *other; /* of another machine */

/* The budget of a call: used up at the so-many-th question. */
static int64_t budget;

static bool expired(void *arg)
{
	int64_t *left = arg;

	return *left && --*left == 0 ? (*left = 1, true) : false;
}

static int64_t wild(void)
{
	static const int64_t edge[] = {
		INT64_MIN, -1, 0, 1, UINT32_MAX, PACT_FOREVER / 4, PACT_FOREVER - 1, PACT_FOREVER
	};

	return seed_below(6) ? seed_below(1000) : edge[seed_below(sizeof(edge) / sizeof(*edge))];
}

static const struct nodeset *any_set(void)
{
	int64_t k = seed_below(SETS + 2);

	return k < SETS ? set[k] : k == SETS || seed_below(10) ? NULL : other;
}

static bool lends; /* of a whole life: what is idle is lent */

static struct sched_job any_job(int64_t now)
{
	struct sched_job d = { .id = seed_below(50) ? (uint64_t)seed_below(IDS) : UINT64_MAX,
			       .submit = now > 0 ? now : 0,
			       .eligible = seed_below(3) ? 0 : wild(),
			       .begin = seed_below(4) ? 0 : now + seed_below(100),
			       .limit = 1 + seed_below(300),
			       .least = seed_below(3) ? 0 : 1 + seed_below(100),
			       .deadline = seed_below(2) ? 0 : now + 1 + seed_below(2000),
			       .priority = seed_below(5),
			       .planned = seed_below(2) ? -1 : wild(),
			       .width = 1 + (int32_t)seed_below(NODES),
			       .flags = seed_below(2) ? 0 : (uint32_t)seed_below(16),
			       .nalt = (uint32_t)seed_below(4) };

	if (!seed_below(40))
		d.nalt = SCHED_MAX_ALT + 2;
	if (!seed_below(20))
		d.limit = wild();
	for (uint32_t i = 0; i < d.nalt && i < SCHED_MAX_ALT; i++)
		d.alt[i] = any_set();
	d.required = seed_below(6) ? NULL : any_set();
	if (lends) {
		d.most = seed_below(3) ? d.width + (int32_t)seed_below(NODES) : 0;
		d.grace = seed_below(3) ? 0 : seed_below(60);
		d.value = seed_below(1000000000);
	}
	return d;
}

static void any_event(struct sched *s, int64_t now)
{
	struct sched_job jobs[3] = { any_job(now), any_job(now), any_job(now) };
	struct sched_past past[2] = { { seed_below(3), 60, (int32_t)seed_below(1000000), true },
				      { 1, wild(), (int32_t)seed_below(1000000), false } };
	struct sched_event ev = { .type = (enum sched_event_type)seed_below(EV_PAST + 2),
				  .now = now,
				  .jobs = jobs,
				  .njobs = seed_below(3) ? 1 : (size_t)seed_below(4),
				  .id = (uint64_t)seed_below(IDS),
				  .new_id = (uint64_t)seed_below(IDS),
				  .priority = wild(),
				  .nodes = any_set(),
				  .start = seed_below(2) ? 0 : wild(),
				  .end = seed_below(2) ? now + seed_below(500) : wild(),
				  .reserve = seed_below(2),
				  .width = (int32_t)seed_below(3),
				  .stays = seed_below(4) ? 0 : (int32_t)seed_below(3) - 1,
				  .cleans = seed_below(4) ? 0 : (int32_t)seed_below(3) - 1,
				  .cut = seed_below(2),
				  .past = past,
				  .npast = (size_t)seed_below(3) };

	if (!seed_below(2))
		ev.type = EV_SUBMIT;
	sched_event(s, &ev);
}

static void answer_resize(struct sched *s, int64_t now, const struct sched_action *a)
{
	static const enum sched_event_type types[] = { EV_RESIZED, EV_RESIZED, EV_LEAVING,
						       EV_REFUSED };
	struct sched_event ev = { .type = types[seed_below(4)],
				  .now = now,
				  .id = a->id,
				  .nodes = a->allowed,
				  .width = a->width };

	sched_event(s, &ev);
}

static void any_drain(struct sched *s, int64_t now, bool whole)
{
	struct sched_action a;

	for (int64_t left = whole ? 1000 : seed_below(8); left > 0 && sched_next(s, &a); left--) {
		if (a.type == ACT_RESIZE)
			answer_resize(s, now, &a);
		if (a.type != ACT_START || (!whole && !seed_below(10)))
			continue;
		sched_event(s, &(struct sched_event){ .type = seed_below(3) ? EV_STARTED
									    : EV_START_FAILED,
						      .now = now,
						      .id = a.id,
						      .nodes = lends && !a.allowed ? any_set()
							       : lends || !a.exact ? a.allowed
										   : NULL,
						      .reserve = seed_below(2) });
		if (!seed_below(10))
			any_event(s, now);
	}
	if (!seed_below(3))
		sched_poll(s, &a);
}

static bool in_step; /* of a whole life */

static struct sched_config any_config(const char *name)
{
	bool paper_only = strstr(name, "msb") || strstr(name, "mrt") || strstr(name, "best") ||
			  strstr(name, "dynp");
	struct sched_config c;

	sched_config_init(&c);
	c.mode = paper_only || seed_below(2) ? SCHED_MODE_PAPER : SCHED_MODE_SLURM;
	c.cost = (enum sched_cost)seed_below(3);
	c.slots = (enum sched_slots)seed_below(2);
	c.compress = (enum sched_compress)seed_below(2);
	c.backtracks = (int32_t)seed_below(6);
	c.effort = (int32_t)seed_below(1000);
	c.order = seed_below(2) ? ORDER_EDF : ORDER_LLF;
	c.offer_probes = (int32_t)seed_below(4);
	c.min_artificial = seed_below(5) ? seed_below(2000) : INT64_C(100000000000);
	c.loans = lends ? (enum sched_loans)(LOANS_UNIFORM + seed_below(2)) : LOANS_NONE;
	c.resize_grace = seed_below(3) * 30;
	c.loan_time = seed_below(100);
	c.resize_interval = seed_below(2) * 20;
	c.parts = in_step ? PARTS_STEP : PARTS_INDEPENDENT;
	c.guard = seed_below(3) ? seed_below(60) : 0;
	c.lateness = seed_below(2) ? 0 : c.guard / 2;
	c.dynp.decider = (enum dynp_decider)seed_below(DYNP_PREFERRED + 1);
	c.dynp.spread = seed_below(2) ? 150 : 0;
	c.dynp.gain = seed_below(2) ? 400 : 0;
	c.dynp.job_priority = (enum dynp_priority)seed_below(3);
	c.dynp.npolicies = 3 + (uint32_t)seed_below(3);
	c.dynp.policy[3] = DYNP_FFDA;
	c.dynp.policy[4] = DYNP_FFIA;
	c.dynp.policy[5] = DYNP_QUEUE;
	c.dynp.weight[seed_below(DYNP_METRICS)]++;
	c.dynp.slackness_ppm = (int32_t)seed_below(3) * 1000;
	c.dynp.lower_bound = seed_below(200);
	c.dynp.upper_bound = c.dynp.lower_bound + seed_below(100);
	c.dynp.threshold = seed_below(4);
	c.expired = expired;
	c.expired_arg = &budget;
	return c;
}

static void any_question(struct sched *s, int64_t now)
{
	struct sched_job jobs[2] = { any_job(now), any_job(now) };
	struct sched_decision d;

	if (seed_below(2))
		sched_ask(s, now, jobs, (size_t)seed_below(3), &d);
	else
		sched_ask_change(s, now, jobs, &d);
}

/* RET beginnings */
static uint64_t any_life(const char *name, struct reel *r)
{
	bool may = !strcmp(name, "libra") || !strcmp(name, "librarisk");
	bool lender =
		!strcmp(name, "qops") || !strcmp(name, "dynp") || !strcmp(name, "conservative");
	struct tape *t = tape_create(keep_line, r);
	struct sched_config c =
		(in_step = may && seed_below(2), lends = lender && seed_below(2), any_config(name));
	struct sched *s = sched_create(name, NODES, &c, NULL, 0);
	struct retold *late = NULL; /* a beginning that is made into lines much later */
	size_t at = 0;
	uint64_t begun = 0;
	int64_t now = 100;

	assert_non_null(t);
	assert_non_null(s);
	if (!strcmp(name, "dynp") || seed_below(2)) {
		assert_int_equal(tape_start(t, s, NODES, &c, NULL), PACT_OK);
		begun++;
	}
	for (int i = 0; i < 150; i++) {
		budget = seed_below(10) ? 0 : 1 + seed_below(4);
		now += seed_below(3) ? 0 : seed_below(40);
		any_event(s, now);
		any_drain(s, now, seed_below(2));
		if (!seed_below(8))
			any_question(s, now);
		if (!seed_below(20)) {
			c = any_config(name);
			assert_int_equal(sched_configure(s, &c, NULL, 0), PACT_OK);
		}
		if (!begun || !seed_below(6)) {
			size_t before;
			bool wait = seed_below(2);
			int rc;

			tell_late(r, &late, at);
			before = r->n;
			rc = wait ? tape_start_later(t, s, NODES, &c, NULL, 1 << 20, &late)
				  : tape_start(t, s, NODES, &c, NULL);
			assert_true(rc == PACT_OK || rc == PACT_EPROTO);
			assert_true((r->n > before) == (!wait && rc == PACT_OK));
			assert_true(!late == (!wait || rc != PACT_OK));
			at = before;
			begun += rc == PACT_OK;
		}
	}
	tape_destroy(t);
	tell_late(r, &late, at);
	sched_destroy(s);
	lends = false;
	return begun;
}

/* ---- version 1 ---- */

/* A line as an object, which replaces it at the end. */
static struct json_object *open_line(const struct reel *r, size_t i)
{
	struct json_object *o = json_tokener_parse(r->line[i]);

	assert_non_null(o);
	return o;
}

static void close_line(struct reel *r, size_t i, struct json_object *o)
{
	free(r->line[i]);
	r->line[i] = strdup(json_object_to_json_string_ext(o, JSON_C_TO_STRING_PLAIN));
	json_object_put(o);
}

static void set_flag(struct json_object *o, const char *name, int64_t value)
{
	if (value)
		json_object_object_add(o, name, json_object_new_boolean(1));
}

/* The line `kept` of a beginning is gone; what it says stands in the lines before it, from `state` on. */
static void move_kept(struct reel *r, size_t from, size_t at, const int64_t *kept, bool easy)
{
	for (size_t i = from; i < at; i++) {
		struct json_object *o = open_line(r, i), *what, *id;

		if (json_object_object_get_ex(o, "state", &what)) {
			set_flag(what, easy ? "only_new" : "ordered",
				 easy ? seed_below(2) : kept[1]);
			if (easy)
				json_object_object_add(what, "tested",
						       json_object_new_int64(seed_below(9)));
		} else if (json_object_object_get_ex(o, "job", &what) && easy) {
			json_object_object_get_ex(what, "terms", &id);
			json_object_object_get_ex(id, "id", &id);
			set_flag(what, "head", !seed_below(4));
			set_flag(what, "reserved", kept[0] && json_object_get_int64(id) == kept[1]);
		}
		close_line(r, i, o);
	}
	free(r->line[at]);
	memmove(&r->line[at], &r->line[at + 1], (--r->n - at) * sizeof(r->line[0]));
}

/* A recording of easy, or of qops, as version 1 had it. What easy does not keep any more is any number there. */
static void make_version1(struct reel *r, bool easy)
{
	size_t head = 0;

	for (size_t i = 0; i < r->n; i++) {
		struct json_object *o = open_line(r, i), *what;
		int64_t kept[2];
		size_t n = 0;

		if (json_object_object_get_ex(o, "tape", NULL)) {
			json_object_object_add(o, "tape", json_object_new_int(1));
			head = i;
		}
		if (json_object_object_get_ex(o, "kept", &what)) {
			for (n = 0; n < json_object_array_length(what); n++)
				kept[n] = json_object_get_int64(json_object_array_get_idx(what, n));
		}
		close_line(r, i, o);
		if (n)
			move_kept(r, head + 1, i--, kept, easy);
	}
}

static void test_version1(void **state)
{
	static const char *const names[] = { "easy", "qops" };
	uint64_t rounds = seed_rounds(20);

	(void)state;
	for (uint64_t round = 0; round < 2 * rounds; round++) {
		struct reel r = { 0 };
		uint64_t n = any_life(names[round % 2], &r);

		make_version1(&r, round % 2 == 0);
		assert_int_equal(play_all(&r, NULL), n);
		reel_clear(&r);
	}
}

/* The first recordings of version 2 held four numbers of easy's, of which one still counts. */
static void test_easy_four(void **state)
{
	uint64_t rounds = seed_rounds(20);

	(void)state;
	for (uint64_t round = 0; round < rounds; round++) {
		struct reel r = { 0 };
		uint64_t n = any_life("easy", &r), changed = 0;

		for (size_t i = 0; i < r.n; i++) {
			struct json_object *o = open_line(&r, i), *kept, *four;

			if (json_object_object_get_ex(o, "kept", &kept)) {
				bool reserved =
					json_object_get_int64(json_object_array_get_idx(kept, 0));
				int64_t id =
					json_object_get_int64(json_object_array_get_idx(kept, 1));

				four = json_object_new_array();
				json_object_array_add(four, json_object_new_int64(seed_below(2)));
				json_object_array_add(four, json_object_new_int64(seed_below(9)));
				json_object_array_add(four, json_object_new_int64(seed_below(9)));
				json_object_array_add(four,
						      json_object_new_int64(reserved ? id : -1));
				json_object_object_add(o, "kept", four);
				changed++;
			}
			close_line(&r, i, o);
		}
		assert_int_equal(changed, n);
		assert_int_equal(play_all(&r, NULL), n);
		reel_clear(&r);
	}
}

static void play_lives(const char *name)
{
	uint64_t rounds = seed_rounds(20), begun = 0;

	for (uint64_t round = 0; round < rounds; round++) {
		struct reel r = { 0 };
		uint64_t n = any_life(name, &r);

		begun += n;
		assert_int_equal(play_all(&r, NULL), n);
		reel_clear(&r);
	}
	assert_true(begun >= rounds);
}

static void test_all_schedulers(void **state)
{
	(void)state;
	for (const char *const *name = sched_names(); *name; name++)
		play_lives(*name);
}

/* Sets and holds lie across them, and drivers are as much out of their minds. */
static void test_domains(void **state)
{
	(void)state;
	play_lives("qops@0-5+easy@6-10");
	play_lives("easy@1,3,7-10+qops@0,2,4-6");
	play_lives("qops@0-3+dynp@4-6+conservative@7-10");
	play_lives("msb@0-4+mrt@5-10");
}

/* A copy keeps within its bound, and costs nothing when it does not. */
static void test_bound(void **state)
{
	struct reel r = { 0 };
	struct tape *t = tape_create(keep_line, &r);
	struct sched_config c = any_config("qops");
	struct sched *s = sched_create("qops", NODES, &c, NULL, 0);
	struct retold *told, *same = NULL;
	size_t size, lines;

	(void)state;
	assert_int_equal(tape_start_later(t, s, NODES, &c, "here", SIZE_MAX, &told), PACT_OK);
	size = retold_bytes(told);
	for (uint64_t id = 0; id < 2500; id++) {
		struct sched_job d = { .id = id, .submit = 1, .limit = 9, .width = 1, .nalt = 1 };

		d.alt[0] = set[id % 2 ? SETS - 1 : 0];
		assert_int_equal(sched_event(s, &(struct sched_event){ .type = EV_SUBMIT,
								       .now = 1,
								       .jobs = &d,
								       .njobs = 1 }),
				 PACT_OK);
	}
	any_drain(s, 1, true);
	assert_int_equal(tape_start_later(t, s, NODES, &c, "here", size, &same), PACT_ENOMEM);
	assert_null(same);
	assert_int_equal(tape_start_later(t, s, NODES, &c, "here", SIZE_MAX, &same), PACT_OK);
	size = retold_bytes(same);
	assert_in_range(size, 250000, 1250000); /* its bytes per job are 100 to 500 */
	retold_destroy(same);
	assert_int_equal(tape_start_later(t, s, NODES, &c, "here", size - 1, &same), PACT_ENOMEM);
	lines = r.n;
	sched_event(s, &(struct sched_event){ .type = EV_TIME, .now = 2 });
	assert_int_equal(r.n, lines + 1); /* what had begun goes on */
	tell_late(&r, &told, 0);
	assert_int_equal(play_all(&r, NULL), 1);
	tape_destroy(t);
	sched_destroy(s);
	reel_clear(&r);
}

static void submit_to(struct sched *s, struct sched_job d)
{
	struct sched_action a;

	d.planned = -1;
	assert_int_equal(sched_event(s, &(struct sched_event){ .type = EV_SUBMIT,
							       .now = d.submit,
							       .jobs = &d,
							       .njobs = 1 }),
			 PACT_OK);
	while (sched_next(s, &a)) {
		if (a.type == ACT_START)
			fail_msg("job %" PRIu64 " is started", a.id);
	}
}

/* The first job of a queue keeps its nodes whatever its number is, also if that could mean that there is no job. */
static void test_last_id(void **state)
{
	struct nodeset *two = nodeset_create(4);
	struct reel r = { 0 };
	struct tape *t = tape_create(keep_line, &r);
	struct sched_config c;

	(void)state;
	nodeset_set(two, 0);
	nodeset_set(two, 1);
	sched_config_init(&c);
	struct sched *s = sched_create("easy", 4, &c, NULL, 0);

	assert_int_equal(sched_event(s, &(struct sched_event){ .type = EV_STARTED,
							       .now = 1,
							       .id = 1,
							       .nodes = two,
							       .start = 1,
							       .end = 100 }),
			 PACT_OK);
	submit_to(s, (struct sched_job){ .id = UINT64_MAX, .submit = 1, .limit = 9, .width = 4 });
	/* not all are alike: the queue is walked */
	submit_to(
		s,
		(struct sched_job){
			.id = 3, .submit = 2, .limit = 9, .width = 1, .nalt = 1, .alt = { two } });
	assert_int_equal(tape_start(t, s, 4, &c, NULL), PACT_OK);
	submit_to(s, (struct sched_job){ .id = 4, .submit = 3, .limit = 200, .width = 1 });
	assert_int_equal(play_all(&r, NULL), 1);
	tape_destroy(t);
	sched_destroy(s);
	reel_clear(&r);
	nodeset_destroy(two);
}

/* A job may name a set without nodes among others: it is told, and taken in. */
static void test_empty_set(void **state)
{
	struct nodeset *none = nodeset_create(4), *two = nodeset_create(4);
	struct sched_job d = {
		.id = 1, .submit = 1, .limit = 9, .width = 2, .planned = -1, .nalt = 2
	};
	struct reel r = { 0 };
	struct tape *t = tape_create(keep_line, &r);
	struct sched_config c;
	struct sched_action a;

	(void)state;
	nodeset_set(two, 1);
	nodeset_set(two, 2);
	d.alt[0] = none;
	d.alt[1] = two;
	sched_config_init(&c);
	struct sched *s = sched_create("qops", 4, &c, NULL, 0);

	assert_int_equal(sched_event(s,
				     &(struct sched_event){
					     .type = EV_SUBMIT, .now = 1, .jobs = &d, .njobs = 1 }),
			 PACT_OK);
	assert_int_equal(tape_start(t, s, 4, &c, NULL), PACT_OK);
	while (sched_next(s, &a)) {
		if (a.type == ACT_START)
			sched_event(s, &(struct sched_event){ .type = EV_STARTED,
							      .now = 1,
							      .id = a.id,
							      .nodes = two });
	}
	assert_int_equal(play_all(&r, NULL), 1);
	tape_destroy(t);
	sched_destroy(s);
	reel_clear(&r);
	nodeset_destroy(none);
	nodeset_destroy(two);
}

/* ---- what is wrong is found ---- */

static struct reel fixed_reel(void)
{
	struct sched_config c;
	struct reel r = { 0 };
	struct tape *t = tape_create(keep_line, &r);
	struct sched_action a;

	sched_config_init(&c);
	struct sched *s = sched_create("qops", 4, &c, NULL, 0);

	assert_non_null(t);
	assert_int_equal(tape_start(t, s, 4, &c, NULL), PACT_OK);
	for (uint64_t id = 1; id <= 6; id++) {
		struct sched_job d = { .id = id,
				       .submit = 10,
				       .limit = 100,
				       .width = 2,
				       .planned = -1,
				       .deadline = id < 3 ? 1000 : 0 };

		sched_event(s, &(struct sched_event){
				       .type = EV_SUBMIT, .now = 10, .jobs = &d, .njobs = 1 });
		while (sched_next(s, &a)) {
			if (a.type == ACT_START)
				sched_event(s, &(struct sched_event){
						       .type = EV_STARTED, .now = 10, .id = a.id });
		}
	}
	tape_note(t, 3, "user", "a \"name\"\n");
	tape_destroy(t);
	sched_destroy(s);
	return r;
}

/* Replace the first `from` of a line of the reel by `to`; the verdict that this line then gets. */
static enum play_verdict verdict_of(const char *kind, const char *from, const char *to)
{
	struct reel r = fixed_reel();
	struct play *p = play_create();
	enum play_verdict verdict = PLAY_OK;
	bool changed = false;

	assert_non_null(p);
	for (size_t i = 0; i < r.n && verdict == PLAY_OK; i++) {
		char *at = strstr(r.line[i], from), line[4096];

		if (!changed && at && !strncmp(r.line[i] + 2, kind, strlen(kind))) {
			snprintf(line, sizeof(line), "%.*s%s%s", (int)(at - r.line[i]), r.line[i],
				 to, at + strlen(from));
			changed = true;
			verdict = play_line(p, line, strlen(line));
		} else {
			verdict = play_line(p, r.line[i], strlen(r.line[i]));
		}
		if (verdict != PLAY_OK)
			assert_true(*play_said(p));
	}
	assert_true(changed);
	play_destroy(p);
	reel_clear(&r);
	return verdict;
}

static void test_changed_line(void **state)
{
	static const struct {
		const char *kind, *from, *to;
		enum play_verdict verdict;
	} table[] = {
		/* a decision, a start, an event: the answer or what follows is another */
		{ "next", "\"end\":110", "\"end\":111", PLAY_DIFFERS },
		{ "next", "\"accepted\":true,", "", PLAY_DIFFERS },
		{ "next", "\"width\":2", "\"width\":1", PLAY_DIFFERS },
		{ "event", "\"width\":2", "\"width\":3", PLAY_DIFFERS },
		{ "event", "\"limit\":100", "\"limit\":99", PLAY_DIFFERS },
		{ "event", "\"deadline\":1000", "\"deadline\":20", PLAY_DIFFERS },
		{ "event", "}", "},\"rc\":11", PLAY_BAD },
		/* what is no line of a recording */
		{ "event", "\"submit\"", "\"sbmit\"", PLAY_BAD },
		{ "event", "\"width\"", "\"witdh\"", PLAY_BAD },
		{ "event", "\"limit\":100", "\"limit\":\"100\"", PLAY_BAD },
		{ "event", "\"id\":1", "\"id\":-1", PLAY_BAD },
		{ "event", "\"width\":2", "\"width\":99999999999", PLAY_BAD },
		{ "event", "\"limit\":100", "\"nalt\":1,\"alternatives\":[\"0-9\"]", PLAY_BAD },
		{ "event", "\"limit\":100", "\"nalt\":1,\"alternatives\":[\"1-0\"]", PLAY_BAD },
		{ "event", "\"limit\":100", "\"nalt\":2,\"alternatives\":[\"0\"]", PLAY_BAD },
		{ "event", "}", "", PLAY_BAD },
		{ "event", "{\"event\"", "[\"event\"", PLAY_BAD },
		{ "tape", "\"tape\":2", "\"tape\":3", PLAY_BAD },
		{ "tape", "\"tape\":2", "\"tape\":0", PLAY_BAD },
		{ "tape", "\"qops\"", "\"qosp\"", PLAY_BAD },
		{ "tape", "\"nodes\":4", "\"nodes\":0", PLAY_BAD },
		{ "tape", "\"nodes\":4", "\"nodes\":4000000000", PLAY_BAD },
		{ "tape", "\"kfactor\":5", "\"kfactor\":-5", PLAY_BAD },
		/* settings that the program that recorded did not have; 0 is none of their values */
		{ "tape", "\"short_time\":600,", "", PLAY_OK },
		{ "tape", "\"switch_loss\":100,", "", PLAY_OK },
		{ "tape", "\"short_time\":600,", "\"short_time\":0,", PLAY_BAD },
		{ "state", "\"classes\":1", "\"classes\":2", PLAY_BAD },
		{ "state", "\"class_of\":[0", "\"class_of\":[1", PLAY_BAD },
		{ "go", "{\"go\":null}", "{\"hold\":{\"id\":1,\"count\":9,\"end\":9}}", PLAY_BAD },
		{ "go", "{\"go\":null}", "{\"event\":{\"type\":\"time\"}}", PLAY_BAD },
		{ "go", "{\"go\":null}", "{\"mark\":\"the disk is full\"}", PLAY_MARK },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		enum play_verdict got = verdict_of(table[i].kind, table[i].from, table[i].to);

		if (got != table[i].verdict)
			fail_msg("row %zu (%s -> %s): verdict %d", i, table[i].from, table[i].to,
				 got);
	}
}

/* Whatever single digit of a recording is another, nothing breaks, and mostly it is found. */
static void test_any_digit(void **state)
{
	uint64_t rounds = seed_rounds(400), found = 0;

	(void)state;
	for (uint64_t round = 0; round < rounds; round++) {
		struct reel r = fixed_reel();
		struct play *p = play_create();
		size_t i = (size_t)seed_below((int64_t)r.n);
		char *at = r.line[i] + seed_below((int64_t)strlen(r.line[i]));
		enum play_verdict verdict = PLAY_OK;

		*at = (char)(' ' + seed_below(95));
		for (size_t k = 0; k < r.n && verdict == PLAY_OK; k++)
			verdict = play_line(p, r.line[k], strlen(r.line[k]));
		found += verdict != PLAY_OK;
		play_destroy(p);
		reel_clear(&r);
	}
	assert_true(rounds < 20 || found > rounds / 2);
}

/* A file may end anywhere: every prefix is either good or cut, and says so. */
static void test_torn(void **state)
{
	struct reel r = fixed_reel();

	(void)state;
	for (size_t cut = 0; cut < strlen(r.line[r.n - 2]); cut++) {
		struct play *p = play_create();

		for (size_t i = 0; i + 2 < r.n; i++)
			assert_int_equal(play_line(p, r.line[i], strlen(r.line[i])), PLAY_OK);
		assert_int_equal(play_line(p, r.line[r.n - 2], cut), PLAY_BAD);
		assert_true(*play_said(p));
		play_destroy(p);
	}
	reel_clear(&r);
}

static int set_up(void **state)
{
	(void)state;
	other = nodeset_create(NODES + 60);
	nodeset_set(other, 70);
	for (int i = 0; i < SETS; i++) {
		set[i] = nodeset_create(NODES);
		nodeset_set(set[i], (uint32_t)i);
		for (uint32_t n = 0; n < NODES; n++) {
			if (seed_below(2))
				nodeset_set(set[i], n);
		}
	}
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	for (int i = 0; i < SETS; i++)
		nodeset_destroy(set[i]);
	nodeset_destroy(other);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_worlds),
		cmocka_unit_test_setup_teardown(test_all_schedulers, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_domains, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_version1, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_easy_four, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_bound, set_up, tear_down),
		cmocka_unit_test(test_empty_set),
		cmocka_unit_test(test_last_id),
		cmocka_unit_test(test_changed_line),
		cmocka_unit_test(test_any_digit),
		cmocka_unit_test(test_torn),
	};

	return seed_run("test_tape", tests);
}
