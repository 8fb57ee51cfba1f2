/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_gang_events: what may happen to the gang engine beside arrivals and ends: a driver that refuses, jobs that are
 * suspended, resumed, migrated or started elsewhere by hand, nodes that are lost, low or short of memory, whole jobs,
 * another number of rows. And with a driver that refuses at random no job is lost.
 */
#include <stdio.h>
#include <string.h>

#include "core/sched.h"
#include "testsuite/unit/seed.h"

#define NODES 4
#define IDS 64

/* What a driver knows of a job. */
struct known {
	bool waits, started, runs, changed;
	struct nodeset *at;
};

struct world {
	struct sched *s;
	int64_t now, wake;
	struct known job[IDS];
	int refuse;	/* one action in so many; 0: none */
	bool deadlines; /* some jobs have one, or get one */
	char said[512]; /* the actions of the last drain, a letter each and the id */
};

static struct nodeset *set_of(uint64_t mask)
{
	struct nodeset *s = nodeset_create(NODES);

	for (uint32_t n = 0; n < NODES; n++) {
		if (mask >> n & 1)
			nodeset_set(s, n);
	}
	return s;
}

static uint64_t mask_of(const struct nodeset *s)
{
	uint64_t mask = 0;

	for (uint32_t n = 0; n < NODES; n++)
		mask |= (uint64_t)nodeset_test(s, n) << n;
	return mask;
}

static void open_with(struct world *w, const char *name, const struct sched_config *c)
{
	char why[200] = "";

	*w = (struct world){ .wake = PACT_FOREVER };
	w->s = sched_create(name, NODES, c, why, sizeof(why));
	if (!w->s)
		fail_msg("%s", why);
}

static void open_world(struct world *w, const char *name, const char *const *settings)
{
	struct sched_config c;
	char why[200] = "";

	sched_config_init(&c);
	for (; *settings; settings += 2)
		assert_true(settings_apply(&c, settings[0], settings[1], why, sizeof(why)));
	open_with(w, name, &c);
}

static void close_world(struct world *w)
{
	sched_destroy(w->s);
	for (int i = 0; i < IDS; i++)
		nodeset_destroy(w->job[i].at);
}

static int tell(struct world *w, struct sched_event ev)
{
	ev.now = w->now;
	w->wake = PACT_FOREVER; /* until the next drain */
	return sched_event(w->s, &ev);
}

/* No node is used by two that run. */
static void check_nodes(const struct world *w)
{
	uint64_t used = 0;

	for (int i = 0; i < IDS; i++) {
		if (!w->job[i].runs)
			continue;
		if (used & mask_of(w->job[i].at))
			fail_msg("time %d: job %d has nodes of another one: %s", (int)w->now, i,
				 w->said);
		used |= mask_of(w->job[i].at);
	}
}

static void say(struct world *w, const struct sched_action *a, bool refused)
{
	static const char letters[] = {
		[ACT_START] = 'S',  [ACT_SUSPEND] = 's', [ACT_RESUME] = 'r', [ACT_MIGRATE] = 'm',
		[ACT_REFUSE] = 'R', [ACT_BROKEN] = 'b',	 [ACT_ACCEPT] = 'A', [ACT_MENDED] = 'M'
	};
	size_t n = strlen(w->said);

	snprintf(w->said + n, sizeof(w->said) - n, "%s%c%d%s", n ? " " : "", letters[a->type],
		 (int)a->id, refused ? "!" : "");
}

static void do_action(struct world *w, const struct sched_action *a)
{
	struct sched_event ev = { .id = a->id };
	struct known *j = &w->job[a->id];
	bool refused = w->refuse && !seed_below(w->refuse);

	say(w, a, refused);
	if (a->type == ACT_REFUSE && w->deadlines && !j->changed)
		j->waits = false;
	if (a->type == ACT_REFUSE || a->type == ACT_BROKEN || a->type == ACT_ACCEPT ||
	    a->type == ACT_MENDED)
		return;
	ev.type = a->type == ACT_START	   ? (refused ? EV_START_FAILED : EV_STARTED)
		  : refused		   ? EV_REFUSED
		  : a->type == ACT_SUSPEND ? EV_SUSPENDED
		  : a->type == ACT_RESUME  ? EV_RESUMED
					   : EV_MIGRATED;
	if (!refused) {
		if (a->allowed) {
			assert_int_equal(nodeset_count(a->allowed), a->width);
			nodeset_destroy(j->at);
			j->at = nodeset_dup(a->allowed);
		}
		assert_true(a->type != ACT_MIGRATE || !j->runs);
		j->started |= a->type == ACT_START;
		j->waits &= a->type != ACT_START;
		j->runs = a->type == ACT_START || a->type == ACT_RESUME;
		ev.nodes = j->at;
		ev.start = w->now;
	}
	check_nodes(w);
	assert_int_equal(tell(w, ev), PACT_OK);
}

static void drain(struct world *w)
{
	struct sched_action a;

	while (sched_next(w->s, &a)) {
		if (a.type == ACT_WAKE)
			w->wake = a.end;
		else
			do_action(w, &a);
	}
	assert_string_equal(sched_error(w->s), "");
}

/* Everything up to that instant, and the instant itself, is over. */
static void go(struct world *w, int64_t to)
{
	w->said[0] = '\0';
	drain(w);
	for (int n = 0; w->wake <= to; n++) {
		assert_true(n < 10000);
		w->now = w->wake > w->now ? w->wake : w->now;
		assert_int_equal(tell(w, (struct sched_event){ .type = EV_TIME }), PACT_OK);
		drain(w);
	}
	w->now = to;
}

static struct sched_job job_of(uint64_t id, int32_t width)
{
	return (struct sched_job){ .id = id, .width = width, .limit = 1000, .planned = -1 };
}

static int submit(struct world *w, struct sched_job d)
{
	d.submit = w->now;
	w->job[d.id].waits = true;
	return tell(w, (struct sched_event){ .type = EV_SUBMIT, .jobs = &d, .njobs = 1 });
}

static void by_hand(struct world *w, enum sched_event_type type, uint64_t id, uint64_t mask)
{
	struct nodeset *nodes = mask ? set_of(mask) : NULL;

	if (nodes) {
		nodeset_destroy(w->job[id].at);
		w->job[id].at = nodeset_dup(nodes);
	}
	if (type == EV_SUSPENDED || type == EV_FINISH)
		w->job[id].runs = false;
	if (type == EV_RESUMED || type == EV_STARTED)
		w->job[id].runs = w->job[id].started = true;
	assert_int_equal(tell(w,
			      (struct sched_event){
				      .type = type, .id = id, .nodes = nodes, .start = w->now }),
			 PACT_OK);
	nodeset_destroy(nodes);
}

static const char *const two_rows[] = { "Rows", "2", "Slice", "10", NULL };

/* Two jobs that need all nodes take turns. */
static void test_turns(void **state)
{
	struct world w;

	(void)state;
	open_world(&w, "gs", two_rows);
	submit(&w, job_of(1, 4));
	submit(&w, job_of(2, 4));
	go(&w, 0);
	assert_string_equal(w.said, "S1");
	go(&w, 10);
	assert_string_equal(w.said, "s1 S2");
	go(&w, 20);
	assert_string_equal(w.said, "s2 r1");
	by_hand(&w, EV_FINISH, 1, 0);
	go(&w, 25);
	assert_string_equal(w.said, "r2");
	go(&w, 60); /* it is in both rows: nothing is switched */
	assert_string_equal(w.said, "");
	close_world(&w);
}

/* A job that is suspended by hand has no turns until it is resumed. */
static void test_stopped(void **state)
{
	struct world w;

	(void)state;
	open_world(&w, "gs", two_rows);
	submit(&w, job_of(1, 4));
	submit(&w, job_of(2, 4));
	go(&w, 5);
	by_hand(&w, EV_SUSPENDED, 1, 0);
	go(&w, 10);
	assert_string_equal(w.said, "S2");
	go(&w, 20);
	assert_string_equal(w.said, "s2");
	go(&w, 30);
	assert_string_equal(w.said, "r2");
	by_hand(&w, EV_SUSPENDED, 2, 0);
	by_hand(&w, EV_RESUMED, 1, 0);
	go(&w, 32); /* not its turn */
	assert_string_equal(w.said, "s1");
	go(&w, 40);
	assert_string_equal(w.said, "r1");
	close_world(&w);
}

/* It was suspended by hand, and is so no more, though another one has its turn just now: it has its own again. */
static void test_let_go(void **state)
{
	struct world w;

	(void)state;
	open_world(&w, "gs", two_rows);
	submit(&w, job_of(1, 4));
	submit(&w, job_of(2, 4));
	go(&w, 5);
	by_hand(&w, EV_SUSPENDED, 1, 0);
	go(&w, 10);
	assert_string_equal(w.said, "S2");
	tell(&w, (struct sched_event){ .type = EV_SUSPENDED, .id = 1, .reserve = true });
	go(&w, 20);
	assert_string_equal(w.said, "s2 r1");
	close_world(&w);
}

/* A start that failed is tried again when time passes, with nothing else to happen. */
static void test_tried_again(void **state)
{
	struct world w;

	(void)state;
	open_world(&w, "gs", two_rows);
	w.refuse = 1;
	submit(&w, job_of(1, 4));
	go(&w, 3);
	assert_false(w.job[1].started);
	w.refuse = 0;
	tell(&w, (struct sched_event){ .type = EV_TIME });
	go(&w, 4);
	assert_true(w.job[1].started);
	close_world(&w);
}

/* A driver comes up, and finds one that is suspended as it was another one's turn: it has its own. */
static void test_found_suspended(void **state)
{
	struct world w;

	(void)state;
	open_world(&w, "gs", two_rows);
	for (uint64_t id = 1; id <= 2; id++) {
		submit(&w, job_of(id, 4));
		by_hand(&w, EV_STARTED, id, 15);
		if (id == 1)
			assert_int_equal(tell(&w, (struct sched_event){ .type = EV_SUSPENDED,
									.id = id,
									.reserve = true }),
					 PACT_OK);
		w.job[1].runs = false;
	}
	go(&w, 1);
	assert_string_equal(w.said, "s2 r1");
	go(&w, 11);
	assert_string_equal(w.said, "s1 r2");
	close_world(&w);
}

/* What was migrated by hand is where it is; what has no row left waits aside, before all others. */
static void test_moved(void **state)
{
	struct world w;

	(void)state;
	open_world(&w, "gs", two_rows);
	submit(&w, job_of(1, 2));
	go(&w, 1);
	assert_int_equal(mask_of(w.job[1].at), 3);
	by_hand(&w, EV_MIGRATED, 1, 6);
	submit(&w, job_of(2, 2));
	go(&w, 2);
	assert_string_equal(w.said, "S2"); /* beside it, on what it left */
	assert_int_equal(mask_of(w.job[2].at), 9);
	submit(&w, job_of(3, 3)); /* the other row */
	go(&w, 12);
	assert_int_equal(mask_of(w.job[3].at), 7);
	by_hand(&w, EV_SUSPENDED, 3, 0);
	by_hand(&w, EV_MIGRATED, 2, 2); /* one node, which both others have */
	submit(&w, job_of(4, 1));
	go(&w, 60);
	assert_false(w.job[4].started || w.job[2].runs);
	by_hand(&w, EV_FINISH, 3, 0);
	go(&w, 80);
	assert_true(w.job[4].started);
	close_world(&w);
}

/* A node of height 1 bears one job, whatever the rows; memory is given once. */
static void test_bounds(void **state)
{
	struct sched_job big = job_of(3, 1);
	struct nodeset *low = set_of(3), *all = set_of(12);
	struct world w;

	(void)state;
	open_world(&w, "gs", two_rows);
	assert_int_equal(
		tell(&w, (struct sched_event){ .type = EV_NODES, .nodes = low, .most = 1 }),
		PACT_OK);
	assert_int_equal(
		tell(&w, (struct sched_event){ .type = EV_NODES, .nodes = all, .memory = 10 }),
		PACT_OK);
	submit(&w, job_of(1, 4));
	submit(&w, job_of(2, 2)); /* beside it on the others, in turn */
	go(&w, 10);
	assert_int_equal(mask_of(w.job[2].at), 12);
	big.memory = 6;
	submit(&w, big);
	big.id = 4;
	go(&w, 11);
	submit(&w, big);
	go(&w, 40);
	/* two rows are full: their nodes have one job more each only where that fits */
	assert_false(w.job[3].started || w.job[4].started);
	by_hand(&w, EV_FINISH, 1, 0);
	go(&w, 80);
	assert_true(w.job[3].started && w.job[4].started);
	assert_int_equal(mask_of(w.job[3].at) & mask_of(w.job[4].at), 0);
	close_world(&w);
	nodeset_destroy(low);
	nodeset_destroy(all);
}

/* A whole job gives its nodes to no other. */
static void test_whole(void **state)
{
	struct sched_job whole = job_of(1, 2);
	struct world w;

	(void)state;
	open_world(&w, "bgs", two_rows);
	whole.flags = JOB_WHOLE;
	submit(&w, whole);
	submit(&w, job_of(2, 2));
	submit(&w, job_of(3, 2));
	submit(&w, job_of(4, 3));
	go(&w, 0);
	assert_string_equal(w.said, "S1 S2");
	go(&w, 10);
	assert_string_equal(w.said, "s2 S3");
	go(&w, 20);
	assert_string_equal(w.said, "s3 r2");
	by_hand(&w, EV_FINISH, 1, 0);
	go(&w, 40);
	assert_false(w.job[4].started); /* a row has two nodes free */
	by_hand(&w, EV_FINISH, 2, 0);
	go(&w, 60);
	assert_true(w.job[4].started);
	close_world(&w);
}

/* Nodes that are held by others get nothing that would end later. */
static void test_held(void **state)
{
	struct sched_job brief = job_of(2, 2);
	struct nodeset *half = set_of(3);
	struct world w;

	(void)state;
	open_world(&w, "bgs", two_rows);
	assert_int_equal(
		tell(&w,
		     (struct sched_event){
			     .type = EV_BLOCK, .id = 50, .nodes = half, .start = 100, .end = 200 }),
		PACT_OK);
	submit(&w, job_of(1, 2));
	brief.limit = 40;
	submit(&w, brief);
	go(&w, 0);
	assert_int_equal(mask_of(w.job[1].at), 12);
	assert_int_equal(mask_of(w.job[2].at), 3);
	by_hand(&w, EV_FINISH, 2, 0);
	submit(&w, job_of(3, 3));
	go(&w, 90);
	assert_false(w.job[3].started);
	assert_int_equal(tell(&w, (struct sched_event){ .type = EV_FINISH, .id = 50 }), PACT_OK);
	go(&w, 110);
	assert_true(w.job[3].started);
	close_world(&w);
	nodeset_destroy(half);
}

/* With fewer rows those that had started and have none wait for one. */
static void test_rows(void **state)
{
	struct sched_config c;
	struct world w;
	char why[200];

	(void)state;
	open_world(&w, "gs", two_rows);
	submit(&w, job_of(1, 4));
	submit(&w, job_of(2, 4));
	go(&w, 15);
	sched_config_init(&c);
	c.slice = 10;
	c.rows = 1;
	assert_int_equal(sched_configure(w.s, &c, why, sizeof(why)), PACT_OK);
	go(&w, 100);
	assert_true(w.job[1].runs && !w.job[2].runs);
	by_hand(&w, EV_FINISH, 1, 0);
	go(&w, 120);
	assert_true(w.job[2].runs);
	close_world(&w);
}

/* Another number of rows while a start is not answered. */
static void test_rows_between(void **state)
{
	struct sched_action a;
	struct sched_config c;
	struct nodeset *all = set_of(15);
	struct world w;
	char why[200];

	(void)state;
	open_world(&w, "gs", two_rows);
	submit(&w, job_of(1, 4));
	drain(&w);
	assert_int_equal(tell(&w, (struct sched_event){ .type = EV_TIME }), PACT_OK);
	assert_true(sched_next(w.s, &a) && a.type == ACT_START);
	sched_config_init(&c);
	c.rows = 3;
	assert_int_equal(sched_configure(w.s, &c, why, sizeof(why)), PACT_OK);
	by_hand(&w, EV_STARTED, 1, 15);
	w.job[1].waits = false;
	go(&w, 20);
	by_hand(&w, EV_FINISH, 1, 0);
	submit(&w, job_of(2, 4));
	go(&w, 60);
	assert_true(w.job[2].runs);
	close_world(&w);
	nodeset_destroy(all);
}

/* What is refused is tried again at the next turn, and not before. */
static void test_refused_once(void **state)
{
	struct world w;

	(void)state;
	open_world(&w, "gs", two_rows);
	submit(&w, job_of(1, 4));
	submit(&w, job_of(2, 4));
	go(&w, 5);
	w.refuse = 1;
	go(&w, 10);
	assert_string_equal(w.said, "s1!");
	go(&w, 19);
	assert_string_equal(w.said, "");
	w.refuse = 0;
	go(&w, 30);
	assert_string_equal(w.said, "s1 S2"); /* at 20 the first one has its turn and runs */
	close_world(&w);
}

/* A job that was running when the driver came up stays within its partition; so do those that never fit wait alone. */
static void test_partitions(void **state)
{
	struct nodeset *low = set_of(3);
	struct sched_job d = job_of(1, 2), wide = job_of(9, 5);
	struct world w;

	(void)state;
	open_world(&w, "mgs", two_rows);
	d.nalt = 1;
	d.alt[0] = low;
	submit(&w, d);
	w.job[1].waits = false;
	by_hand(&w, EV_STARTED, 1, 3);
	submit(&w, wide);
	for (uint64_t id = 2; id < 5; id++)
		submit(&w, job_of(id, 2));
	for (int i = 0; i < 20; i++) {
		go(&w, w.now + 10);
		assert_int_equal(mask_of(w.job[1].at), 3);
	}
	assert_true(w.job[2].started && w.job[3].started && w.job[4].started);
	close_world(&w);
	nodeset_destroy(low);
}

/* Nodes are lost under a job that was to start there. */
static void test_lost(void **state)
{
	struct nodeset *half = set_of(12);
	struct world w;

	(void)state;
	open_world(&w, "gs", two_rows);
	submit(&w, job_of(1, 4));
	submit(&w, job_of(2, 4));
	go(&w, 6);
	assert_int_equal(
		tell(&w,
		     (struct sched_event){
			     .type = EV_BLOCK, .id = 50, .nodes = half, .start = 6, .end = 500 }),
		PACT_OK);
	go(&w, 100);
	assert_false(w.job[2].started);
	assert_int_equal(tell(&w, (struct sched_event){ .type = EV_FINISH, .id = 50 }), PACT_OK);
	go(&w, 120);
	assert_true(w.job[2].started);
	close_world(&w);
	nodeset_destroy(half);
}

/* Nodes that are lost under a running job are not taken from the others, too. */
static void test_lost_under(void **state)
{
	struct nodeset *half = set_of(3);
	struct world w;

	(void)state;
	open_world(&w, "bf", two_rows + 4);
	submit(&w, job_of(1, 2));
	go(&w, 5);
	assert_int_equal(
		tell(&w,
		     (struct sched_event){
			     .type = EV_BLOCK, .id = 50, .nodes = half, .start = 5, .end = 5000 }),
		PACT_OK);
	submit(&w, job_of(2, 2));
	go(&w, 6);
	assert_true(w.job[2].started);
	assert_int_equal(mask_of(w.job[2].at), 12);
	close_world(&w);
	nodeset_destroy(half);
}

/* Nodes that two hold at once, lost and reserved, are taken from the others once. */
static void test_held_twice(void **state)
{
	struct nodeset *half = set_of(3);
	struct world w;

	(void)state;
	open_world(&w, "bf", two_rows + 4);
	for (uint64_t id = 50; id < 52; id++)
		assert_int_equal(tell(&w, (struct sched_event){ .type = EV_BLOCK,
								.id = id,
								.nodes = half,
								.end = 5000 }),
				 PACT_OK);
	submit(&w, job_of(1, 2));
	go(&w, 1);
	assert_true(w.job[1].started);
	close_world(&w);
	nodeset_destroy(half);
}

static void start_at(struct world *w, uint64_t id, int32_t width, int64_t memory, uint64_t mask)
{
	struct sched_job d = job_of(id, width);

	d.memory = memory;
	submit(w, d);
	by_hand(w, EV_STARTED, id, mask);
	w->job[id].waits = w->job[id].runs = false; /* until the first turns are taken */
}

static void configure_rows(struct world *w, int32_t rows)
{
	struct sched_config c;
	char why[200] = "";

	sched_config_init(&c);
	assert_true(settings_apply(&c, "Phases", "clean,schedule,collapse2", why, sizeof(why)));
	c.slice = 10;
	c.rows = rows;
	assert_int_equal(sched_configure(w->s, &c, why, sizeof(why)), PACT_OK);
}

/*
 * Job 4 was started by hand on nodes 0 and 1, where node 0 is taken in both rows: it has no row, but its memory is
 * there. So node 1 has none for job 1 or 2, of which one would have to go there if both are to be in row 0.
 */
static void test_memory_aside(void **state)
{
	static const char *const settings[] = { "Rows", "2",	  "Slice",
						"10",	"Phases", "clean,schedule,collapse2",
						NULL };
	struct nodeset *all = set_of(15);
	struct world w;

	(void)state;
	open_world(&w, "mgs", settings);
	assert_int_equal(
		tell(&w, (struct sched_event){ .type = EV_NODES, .nodes = all, .memory = 100 }),
		PACT_OK);
	start_at(&w, 1, 1, 30, 1);
	start_at(&w, 2, 1, 30, 1);
	start_at(&w, 3, 2, 30, 12);
	start_at(&w, 4, 2, 80, 3);
	go(&w, 35);
	assert_int_equal(mask_of(w.job[1].at) | mask_of(w.job[2].at), 1);
	configure_rows(&w, 1); /* other matrices know of it, too */
	configure_rows(&w, 2);
	go(&w, 105);
	assert_int_equal(mask_of(w.job[1].at) | mask_of(w.job[2].at), 1);
	by_hand(&w, EV_FINISH, 4, 0);
	go(&w, 125); /* now there is memory */
	assert_int_equal(mask_of(w.job[1].at) | mask_of(w.job[2].at), 3);
	close_world(&w);
	nodeset_destroy(all);
}

/* Only arrivals and ends end a slice, not what is refused. */
static void test_cut(void **state)
{
	static const char *const settings[] = { "Rows", "2", "Slice", "10", "Cut", "next", NULL };
	struct sched_job d = job_of(3, 4);
	struct world w;

	(void)state;
	open_world(&w, "gs", settings);
	submit(&w, job_of(1, 4));
	submit(&w, job_of(2, 4));
	go(&w, 3);
	d.deadline = 5000;
	submit(&w, d);
	w.job[3].waits = false;
	go(&w, 5);
	assert_string_equal(w.said, "R3");
	d.deadline = 0;
	submit(&w, d);
	go(&w, 6);
	assert_string_equal(w.said, "s1 S2");
	close_world(&w);
}

/* No promise is made; one that was made elsewhere is said to be broken. */
static void test_promises(void **state)
{
	struct sched_job d = job_of(1, 1);
	struct sched_matrix m;
	struct sched_place place;
	struct world w;

	(void)state;
	open_world(&w, "gs", two_rows);
	d.deadline = 5000;
	submit(&w, d);
	go(&w, 0);
	assert_string_equal(w.said, "R1");
	d.flags = JOB_PROMISED;
	submit(&w, d);
	go(&w, 0);
	assert_string_equal(w.said, "b1 S1");
	close_world(&w);
	/* beside turns, it is decided, or kept */
	open_world(&w, "bgs", two_rows);
	submit(&w, d);
	go(&w, 0);
	assert_string_equal(w.said, "S1");
	d.id = 2;
	d.flags = 0;
	submit(&w, d);
	go(&w, 0);
	assert_string_equal(w.said, "A2 S2");
	/* it is in all rows */
	assert_int_equal(sched_matrix(w.s, &m), PACT_OK);
	assert_int_equal(m.jobs, 2);
	for (size_t i = 0; i < m.jobs; i++) {
		assert_int_equal(sched_matrix_place(w.s, i, &place), PACT_OK);
		assert_true(place.whole && place.started && place.rows == 3);
		assert_int_equal(mask_of(place.nodes), mask_of(w.job[place.id].at));
	}
	assert_int_equal(sched_matrix_place(w.s, m.jobs, &place), PACT_ENOENT);
	close_world(&w);
}

/* ---- at random ---- */

#define BLOCK 100

static int64_t random_deadline(const struct world *w, const struct sched_job *d)
{
	return seed_below(3) ? w->now + d->limit + seed_below(400) : 0;
}

/* Other terms for what waits: a deadline comes or goes. */
static void random_change(struct world *w, uint64_t id)
{
	struct sched_job d = job_of(id, 1 + (int32_t)seed_below(NODES));

	go(w, w->now); /* what was decided about it is told */
	if (!w->job[id].waits)
		return;
	d.submit = w->now;
	d.limit = 1 + seed_below(60);
	d.deadline = random_deadline(w, &d);
	w->job[id].changed = true;
	assert_int_equal(tell(w, (struct sched_event){ .type = EV_CHANGE, .jobs = &d, .njobs = 1 }),
			 PACT_OK);
	go(w, w->now);
}

/* Nodes are lost; what runs there goes on. And they are back. */
static void random_loss(struct world *w, bool *lost)
{
	struct nodeset *nodes = set_of(1u << seed_below(NODES));
	struct sched_event ev = {
		.type = EV_BLOCK, .id = BLOCK, .nodes = nodes, .start = w->now, .end = PACT_FOREVER
	};

	if (*lost)
		ev = (struct sched_event){ .type = EV_FINISH, .id = BLOCK };
	assert_int_equal(tell(w, ev), PACT_OK);
	*lost = !*lost;
	nodeset_destroy(nodes);
}

static void random_event(struct world *w, uint64_t *next)
{
	uint64_t id = 1 + (uint64_t)seed_below(IDS - 1);
	struct sched_job d = job_of(*next, 1 + (int32_t)seed_below(NODES));

	d.limit = 1 + seed_below(60);
	d.flags = seed_below(6) ? 0 : JOB_WHOLE;
	d.deadline = w->deadlines ? random_deadline(w, &d) : 0;
	if (*next < IDS && seed_below(2)) {
		assert_int_equal(submit(w, d), PACT_OK);
		(*next)++;
	} else if (w->job[id].started) {
		by_hand(w, EV_FINISH, id, 0);
		w->job[id] = (struct known){ .at = w->job[id].at };
	} else if (w->job[id].waits && w->deadlines && seed_below(2)) {
		random_change(w, id);
	} else if (w->job[id].waits) {
		assert_int_equal(tell(w, (struct sched_event){ .type = EV_WITHDRAW, .id = id }),
				 PACT_OK);
		w->job[id].waits = false;
	}
}

/* What is there is known, as what it is. */
static void check_known(struct world *w)
{
	for (uint64_t id = 1; id < IDS; id++) {
		struct sched_view v;
		bool known = w->job[id].waits || w->job[id].started;

		assert_int_equal(sched_view(w->s, id, &v), known ? PACT_OK : PACT_ENOENT);
		if (known)
			assert_int_equal(v.running, w->job[id].started);
	}
}

static bool is_any_left(const struct world *w)
{
	bool any = false;

	for (uint64_t id = 1; id < IDS; id++)
		any |= w->job[id].waits || w->job[id].started;
	return any;
}

/* When nothing is refused any more, and those that run end, all that waits gets its turn. */
static void finish(struct world *w, int64_t slice)
{
	w->refuse = 0;
	/* at worst each row's turn has to come for each of them */
	for (int round = 0; is_any_left(w) && round < 64 * IDS; round++) {
		for (uint64_t id = 1; id < IDS; id++) {
			if (!w->job[id].runs)
				continue;
			by_hand(w, EV_FINISH, id, 0);
			w->job[id].started = false;
		}
		go(w, w->now + slice);
		check_known(w);
	}
	assert_false(is_any_left(w));
}

static const char *const all_names[] = { "gs", "bgs", "mgs", "mbgs", "bf", "ambgs" };
#define NAMES (sizeof(all_names) / sizeof(all_names[0]))

static void test_refusals(void **state)
{
	static const char *const settings[] = { "Slice", "10", "Rows", "3", "Switch", "0.2", NULL };
	uint64_t rounds = seed_rounds(60);

	(void)state;
	for (uint64_t round = 0; round < rounds; round++) {
		struct world w;
		uint64_t next = 1;

		open_world(&w, all_names[round % NAMES], settings);
		w.refuse = 2 + (int)seed_below(6);
		for (int i = 0; i < 200; i++) {
			random_event(&w, &next);
			if (seed_below(3))
				go(&w, w.now + seed_below(30));
			check_known(&w);
		}
		finish(&w, 10);
		close_world(&w);
	}
}

/* What each may be, and what none can. */
static const struct {
	const char *key, *value[8], *wrong[4];
} absurd[] = {
	{ "Rows", { "1", "2", "5", "64" }, { "0", "65", "-1", "many" } },
	{ "Slice", { "1", "7", "200", "1000000" }, { "0", "1000001", "-200", "" } },
	{ "Switch", { "0", "0.0001", "0.5", "1" }, { "1.1", "-0.1", "0.00001", "much" } },
	{ "MigrationCost", { "0", "1", "1000000" }, { "-1", "1000001", "1.5" } },
	{ "MigrationQuota", { "0", "1", "1000000000" }, { "-1", "1000000001" } },
	{ "Cut", { "keep", "next" }, { "now", "" } },
	{ "Discrete", { "no", "yes" }, { "maybe" } },
	{ "Phases",
	  { "own", "schedule", "schedule,fill", "clean,schedule", "clean,schedule,fill2",
	    "clean,schedule,collapse2", "clean,compact,schedule,collapse2,schedule2,fill,fill2" },
	  { "", "fill", "compact,schedule", "schedule,schedule" } },
	{ "QueueOrder", { "fcfs", "sjf", "bfit", "wfit" }, { "lifo" } },
	{ "Lateness", { "0", "60", "86400" }, { "-1" } },
};

static const char *draw(const char *const *list, size_t room)
{
	size_t n = 0;

	while (n < room && list[n])
		n++;
	return list[seed_below((int64_t)n)];
}

static void draw_settings(struct sched_config *c)
{
	sched_config_init(c);
	c->guard = 86400; /* a lateness is not above it */
	for (size_t i = 0; i < sizeof(absurd) / sizeof(*absurd); i++) {
		struct sched_config before = *c;
		char why[300] = "";

		assert_false(settings_apply(c, absurd[i].key, draw(absurd[i].wrong, 4), why,
					    sizeof(why)));
		assert_memory_equal(c, &before, sizeof(before));
		if (!strstr(why, absurd[i].key))
			fail_msg("'%s' does not name %s", why, absurd[i].key);
		if (!settings_apply(c, absurd[i].key, draw(absurd[i].value, 8), why, sizeof(why)))
			fail_msg("%s", why);
	}
}

/* With whatever settings, and others half way, no job is lost. */
static void test_absurd_settings(void **state)
{
	uint64_t rounds = seed_rounds(60);

	(void)state;
	for (uint64_t round = 0; round < rounds; round++) {
		struct sched_config c;
		struct world w;
		uint64_t next = 1;
		char why[200];

		draw_settings(&c);
		open_with(&w, all_names[round % 5], &c);
		w.refuse = seed_below(2) ? 0 : 3;
		for (int i = 0; i < 120; i++) {
			random_event(&w, &next);
			if (seed_below(3))
				go(&w, w.now + seed_below(2 * c.slice));
			if (i == 60) {
				draw_settings(&c);
				assert_int_equal(sched_configure(w.s, &c, why, sizeof(why)),
						 PACT_OK);
			}
			check_known(&w);
		}
		finish(&w, c.slice);
		close_world(&w);
	}
}

/* Promises beside turns: an action of either engine is refused, nodes are lost, deadlines come and go. */
static void test_refusals_beside(void **state)
{
	/* nothing here ends a job at its limit: it is late */
	static const char *const settings[] = { "Slice",	 "10", "Rows",	   "3",
						"MigrationCost", "2",  "Lateness", "5",
						"Guard",	 "5",  NULL };
	static const char *const names[] = { "bgs", "mbgs" };
	uint64_t rounds = seed_rounds(200);

	(void)state;
	for (uint64_t round = 0; round < rounds; round++) {
		struct world w;
		uint64_t next = 1;
		bool lost = false;

		open_world(&w, names[round % 2], settings);
		w.deadlines = true;
		w.refuse = 2 + (int)seed_below(6);
		for (int i = 0; i < 200; i++) {
			random_event(&w, &next);
			if (!seed_below(20))
				random_loss(&w, &lost);
			go(&w, w.now + (seed_below(3) ? seed_below(30) : 0));
			check_known(&w);
		}
		if (lost)
			random_loss(&w, &lost);
		finish(&w, 10);
		close_world(&w);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_turns),
		cmocka_unit_test(test_stopped),
		cmocka_unit_test(test_moved),
		cmocka_unit_test(test_bounds),
		cmocka_unit_test(test_whole),
		cmocka_unit_test(test_held),
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_promises),
		cmocka_unit_test(test_rows_between),
		cmocka_unit_test(test_refused_once),
		cmocka_unit_test(test_partitions),
		cmocka_unit_test(test_lost),
		cmocka_unit_test(test_lost_under),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_held_twice),
		cmocka_unit_test(test_memory_aside),
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_refusals_beside),
		cmocka_unit_test(test_found_suspended),
		cmocka_unit_test(test_let_go),
		cmocka_unit_test(test_tried_again),
		cmocka_unit_test(test_absurd_settings),
	};

	return seed_run("test_gang_events", tests);
}
