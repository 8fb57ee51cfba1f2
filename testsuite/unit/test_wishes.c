/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_wishes: what the planner wants of a running job's nodes, by its record: asked for with notice, taken, given, called
 * off; and the job's "not now". slurmctld is played, and so is what it does to the nodes.
 */
#include "slurm/base/compat_played.h"

#include "client/wish.h"
#include "slurm/records/job_env.h"
#include "slurm/records/region.h"
#include "slurm/records/wish_of.h"
#include "slurm/resizing/wishes.h"
#include "slurm/snapshot/snapshot_own.h"
#include "testsuite/unit/ctld.h"
#include "testsuite/unit/seed.h"

#define ID 7
#define TABLE 8
#define PROMISE "pact1(id=4,deadline=9,limit=3,state=promised)"

/* ---- the played slurmctld ---- */

static job_record_t job;
static enum resize_rc resize_rc;
static int unclean = TABLE; /* this node is being cleaned up; TABLE: none is */
static bool leaves;	    /* it has given back n3, which is not clean yet */
static int saves, shrunk, grown;

job_record_t *find_job_record(uint32_t id)
{
	return id == ID ? &job : NULL;
}

void schedule_job_save(void)
{
	saves++;
}

bool validate_operator(uid_t uid)
{
	return uid == 0;
}

/* Nodes are n0 to n7, of which one name after the other is written. */
char *bitmap2node_name(bitstr_t *bitmap)
{
	char *names = xstrdup("");

	for (int i = 0; i < TABLE; i++)
		if (bit_test((bitstr_t *)bitmap, i))
			xstrfmtcat(names, "%sn%d", names[0] ? "," : "", i);
	return names;
}

int node_name_get_inx(char *name)
{
	return name[1] - '0';
}

int node_name2bitmap(char *names, bool best_effort, bitstr_t **nodes, hostlist_t **unknown)
{
	assert_true(best_effort);
	assert_null(unknown);
	*nodes = bit_alloc(TABLE);
	for (char *at = names; at && *at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
		int n = atoi(at + 1);

		if (n < TABLE)
			bit_set(*nodes, n);
	}
	return SLURM_SUCCESS;
}

enum resize_rc resize_shrink(uint32_t id, const struct nodeset *keep, char *why, size_t size)
{
	assert_int_equal(id, ID);
	shrunk++;
	snprintf(why, size, "%s", resize_rc == RESIZE_DONE ? "" : "no");
	if (resize_rc == RESIZE_DONE) {
		FREE_NULL_BITMAP(job.node_bitmap);
		job.node_bitmap = region_to_bitmap(keep);
	}
	return resize_rc;
}

enum resize_rc resize_may_shrink(uint32_t id, const struct nodeset *keep, char *why, size_t size)
{
	assert_int_equal(id, ID);
	assert_false(nodeset_empty(keep));
	snprintf(why, size, "%s", resize_rc == RESIZE_DONE ? "" : "no");
	return resize_rc;
}

enum resize_rc resize_grow(uint32_t id, const struct nodeset *add, char *why, size_t size)
{
	bitstr_t *more = region_to_bitmap(add);

	assert_int_equal(id, ID);
	grown++;
	snprintf(why, size, "%s", resize_rc == RESIZE_DONE ? "" : "no");
	assert_false(bit_overlap_any(job.node_bitmap, more));
	if (unclean < TABLE)
		bit_clear(more, unclean);
	if (resize_rc == RESIZE_DONE)
		bit_or(job.node_bitmap, more);
	FREE_NULL_BITMAP(more);
	return resize_rc;
}

bitstr_t *give_back_of(uint32_t id)
{
	bitstr_t *nodes = leaves ? bit_alloc(TABLE) : NULL;

	assert_int_equal(id, ID);
	if (nodes)
		bit_set(nodes, 3);
	return nodes;
}

uint32_t give_back_add(uint32_t id, struct nodeset *nodes)
{
	bool more = leaves && !nodeset_test(nodes, 3);

	assert_int_equal(id, ID);
	if (more)
		nodeset_set(nodes, 3);
	return more;
}

static struct nodeset *set_of(const char *nodes)
{
	struct nodeset *set = nodeset_create(TABLE);

	for (; *nodes; nodes++)
		nodeset_set(set, (uint32_t)(*nodes - '0'));
	return set;
}

static int open_job(void **state)
{
	(void)state;
	node_record_count = TABLE;
	memset(&job, 0, sizeof(job));
	job.job_id = ID;
	job.user_id = 1000;
	job.job_state = JOB_RUNNING;
	job.admin_comment = xstrdup("ticket " PROMISE);
	job.node_bitmap = bit_alloc(TABLE);
	bit_nset(job.node_bitmap, 0, 3);
	resize_rc = RESIZE_DONE;
	saves = shrunk = grown = 0;
	return 0;
}

static int close_job(void **state)
{
	(void)state;
	xfree(job.admin_comment);
	FREE_NULL_BITMAP(job.node_bitmap);
	for (uint32_t i = 0; i < job.spank_job_env_size; i++)
		xfree(job.spank_job_env[i]);
	xfree(job.spank_job_env);
	return 0;
}

static enum wishes_rc asks(const char *to, int64_t by, const char *gets)
{
	struct nodeset *set = set_of(to), *has, *wanted = gets ? set_of(gets) : NULL;
	uint32_t cleans;
	enum wishes_rc rc = wishes_ask(ID, set, by, &has, &cleans);

	assert_int_equal(has != NULL, gets != NULL);
	assert_int_equal(cleans, gets && leaves);
	if (gets)
		assert_true(nodeset_equal(has, wanted));
	nodeset_destroy(wanted);
	nodeset_destroy(has);
	nodeset_destroy(set);
	return rc;
}

static void check_nodes(const char *nodes)
{
	struct nodeset *has = region_from_bitmap(job.node_bitmap), *wanted = set_of(nodes);

	assert_true(nodeset_equal(has, wanted));
	nodeset_destroy(has);
	nodeset_destroy(wanted);
}

static void check_wish_with(int64_t serial, int64_t width, int64_t by, const char *more,
			    const char *leave)
{
	char *text;

	assert_true(asprintf(&text,
			     "ticket " PROMISE " pactwish1(serial=%" PRId64 ",width=%" PRId64
			     ",by=%" PRId64 ",%sleave=%s)",
			     serial, width, by, more, leave) > 0);
	assert_string_equal(job.admin_comment, text);
	free(text);
}

static void check_wish(int64_t serial, int64_t width, int64_t by, const char *leave)
{
	check_wish_with(serial, width, by, "", leave);
}

/* Of `leave` these are due by another time. */
static void check_wish_later(int64_t serial, int64_t width, int64_t by, int64_t by2,
			     const char *later, const char *leave)
{
	char more[64];

	snprintf(more, sizeof(more), "later=%" PRId64 ":%s,", by2, later);
	check_wish_with(serial, width, by, more, leave);
}

/* ---- what it is asked for ---- */

/* With notice: it keeps its nodes until then, and what its record says is saved. */
static void test_notice(void **state)
{
	int64_t by = time(NULL) + 60;

	(void)state;
	assert_int_equal(asks("01", by, NULL), WISHES_LEAVING);
	check_wish(1, 2, by, "n2,n3");
	check_nodes("0123");
	assert_int_equal(saves, 1);
	assert_int_equal(wishes_take(ID), WISHES_RESIZED);
	/* more of them, by another time, which is not that of the first */
	assert_int_equal(asks("0", by + 5, NULL), WISHES_LEAVING);
	check_wish_later(2, 1, by, by + 5, "n1", "n1,n2,n3");
	/* it may keep them after all, which is a wish for nothing */
	assert_int_equal(asks("0123", 0, "0123"), WISHES_RESIZED);
	check_wish(3, 4, 0, "");
	assert_int_equal(shrunk + grown, 0);
	/* what will never be taken is not asked for; what cannot be taken just now is, as it may be then */
	resize_rc = RESIZE_NEVER;
	assert_int_equal(asks("01", by, NULL), WISHES_NEVER);
	check_wish(3, 4, 0, "");
	resize_rc = RESIZE_LATER;
	assert_int_equal(asks("01", by, NULL), WISHES_LEAVING);
	check_wish(4, 2, by, "n2,n3");
}

/* At once: it is told what is gone. If Slurm refuses it is told nothing. */
static void test_taken(void **state)
{
	(void)state;
	resize_rc = RESIZE_LATER;
	assert_int_equal(asks("03", 0, NULL), WISHES_REFUSED);
	assert_string_equal(job.admin_comment, "ticket " PROMISE);
	resize_rc = RESIZE_DONE;
	assert_int_equal(asks("03", 0, NULL), WISHES_LEAVING);
	check_wish(1, 2, 0, "n1,n2");
	check_nodes("03");
	/* nodes that are to be taken come before those that it is to be given */
	assert_int_equal(asks("45", 0, NULL), WISHES_LEAVING);
	check_nodes("");
}

static void test_given(void **state)
{
	(void)state;
	assert_int_equal(asks("012345", 0, "012345"), WISHES_RESIZED);
	check_wish(1, 6, 0, "");
	resize_rc = RESIZE_NEVER;
	assert_int_equal(asks("01234567", 0, NULL), WISHES_NEVER);
	resize_rc = RESIZE_DENIED;
	assert_int_equal(asks("01234567", 0, NULL), WISHES_DENIED);
	check_wish(1, 6, 0, "");
	check_nodes("012345");
	assert_int_equal(grown, 3);
	assert_int_equal(shrunk, 0);
}

/* It has left by its record, to the planner only when that is clean: it leaves, or each pass would resize it anew. */
static void test_left(void **state)
{
	(void)state;
	assert_int_equal(asks("012", 0, NULL), WISHES_LEAVING);
	check_nodes("012");
	leaves = true;
	assert_int_equal(asks("012", 0, NULL), WISHES_LEAVING);
	/* so it has that, too, when it grows meanwhile */
	unclean = 3;
	assert_int_equal(asks("01235", 0, "01235"), WISHES_RESIZED);
	check_nodes("0125");
	unclean = TABLE;
	leaves = false;
	bit_clear(job.node_bitmap, 5);
	assert_int_equal(asks("012", 0, "012"), WISHES_RESIZED);
	assert_int_equal(shrunk, 1);
}

/* What is being cleaned up is left out, and the job told what it has; where that is all, nothing is done. */
static void test_busy(void **state)
{
	(void)state;
	unclean = 5;
	assert_int_equal(asks("0123456", 0, "012346"), WISHES_RESIZED);
	check_wish(1, 6, 0, "");
	unclean = TABLE;
	resize_rc = RESIZE_BUSY;
	assert_int_equal(asks("0123456", 0, "012346"), WISHES_BUSY);
	check_wish(1, 6, 0, "");
	check_nodes("012346");
}

/* Nothing is done to what does not run, or is not there. */
static void test_over(void **state)
{
	struct nodeset *set = set_of("01"), *has;
	uint32_t cleans;

	(void)state;
	job.job_state = JOB_SUSPENDED;
	assert_int_equal(asks("01", 0, NULL), WISHES_REFUSED);
	job.job_state = JOB_COMPLETE;
	assert_int_equal(asks("01", time(NULL) + 60, NULL), WISHES_REFUSED);
	assert_int_equal(wishes_ask(ID + 1, set, 0, &has, &cleans), WISHES_REFUSED);
	assert_null(has);
	assert_int_equal(wishes_take(ID), WISHES_RESIZED);
	assert_int_equal(wishes_take(ID + 1), WISHES_RESIZED);
	assert_int_equal(shrunk + grown + saves, 0);
	nodeset_destroy(set);
}

/* ---- the notice is over ---- */

static void put_wish(int64_t by, const char *leave)
{
	struct wish wish = { .serial = 4, .width = 2, .by = by, .leave = (char *)leave };
	char *text = wish_put("ticket " PROMISE, &wish);

	xfree(job.admin_comment);
	job.admin_comment = xstrdup(text);
	free(text);
}

/* What it has not given back is taken, and it is told once more. */
static void test_late(void **state)
{
	(void)state;
	put_wish(time(NULL) + 60, "n2,n3");
	assert_int_equal(wishes_take(ID), WISHES_RESIZED);
	put_wish(time(NULL) - 1, "n2,n3");
	bit_clear(job.node_bitmap, 2);
	assert_int_equal(wishes_take(ID), WISHES_LEAVING);
	check_nodes("01");
	check_wish(5, 2, 0, "n3");
	assert_int_equal(wishes_take(ID), WISHES_RESIZED);
	assert_int_equal(shrunk, 1);
}

/* Nodes that were asked for at two times: each is taken when its own notice is over, whichever was asked for first. */
static void test_late_twice(void **state)
{
	int64_t now = time(NULL);

	(void)state;
	put_wish(now - 1, "n3");
	assert_int_equal(asks("01", now + 60, NULL), WISHES_LEAVING);
	check_wish_later(5, 2, now - 1, now + 60, "n2", "n2,n3");
	assert_int_equal(wishes_take(ID), WISHES_LEAVING);
	check_nodes("012");
	check_wish(6, 2, now + 60, "n2");
	assert_int_equal(wishes_take(ID), WISHES_RESIZED);
	/* another one is due before that */
	assert_int_equal(asks("0", now + 30, NULL), WISHES_LEAVING);
	check_wish_later(7, 1, now + 30, now + 60, "n2", "n1,n2");
	/* and may be kept after all; what it keeps else is no call */
	assert_int_equal(asks("01", now + 90, NULL), WISHES_LEAVING);
	check_wish(8, 2, now + 60, "n2");
	/* at once: that one alone */
	assert_int_equal(asks("0", 0, NULL), WISHES_LEAVING);
	check_nodes("02");
	check_wish(9, 1, now + 60, "n2");
	assert_int_equal(shrunk, 2);
}

/* Both are over, and are taken together. If that is never done none is asked for any more. */
static void test_late_both(void **state)
{
	int64_t now = time(NULL);
	char *later;

	(void)state;
	put_wish(now - 5, "n3");
	assert_int_equal(asks("01", now + 1, NULL), WISHES_LEAVING);
	later = strstr(job.admin_comment, "later=");
	assert_non_null(later);
	later[strlen("later=")] = '0'; /* long ago */
	resize_rc = RESIZE_LATER;
	assert_int_equal(wishes_take(ID), WISHES_BUSY);
	resize_rc = RESIZE_DONE;
	assert_int_equal(wishes_take(ID), WISHES_LEAVING);
	check_nodes("01");
	check_wish(6, 2, 0, "n2,n3");
	assert_int_equal(shrunk, 2);
}

/* Is what stands in the calls of this node due by then, and do times rise? */
static bool is_due(const struct wish_calls *calls, const struct nodeset *node, int64_t by)
{
	bool found = false;

	for (size_t i = 0; i < calls->n; i++) {
		if (nodeset_overlap(calls->call[i].nodes, node))
			found = calls->call[i].by <= by;
		if (i && calls->call[i].by <= calls->call[i - 1].by)
			return false;
	}
	return found;
}

/* More times than there is room for: none is due later than it was to be. */
static void test_many(void **state)
{
	enum { WIDE = 40, TIMES = 1 + WISH_LATER_MOST };
	struct wish_calls calls = { 0 };
	struct nodeset *node[WIDE], *all = nodeset_create(WIDE);
	int64_t by[WIDE];

	(void)state;
	for (uint32_t i = 0; i < WIDE; i++) {
		node[i] = nodeset_create(WIDE);
		nodeset_set(node[i], i);
		nodeset_set(all, i);
		by[i] = 20 - (i * 7) % 20;
		assert_true(wish_calls_add(&calls, by[i], node[i]));
		for (uint32_t k = 0; k <= i; k++)
			assert_true(is_due(&calls, node[k], by[k]));
		assert_int_equal(calls.n, i < TIMES ? i + 1 : TIMES);
	}
	wish_calls_drop(&calls, all);
	assert_true(nodeset_empty(all));
	nodeset_destroy(all);
	wish_calls_clear(&calls);
	for (uint32_t i = 0; i < WIDE; i++)
		nodeset_destroy(node[i]);
}

/* If Slurm does not do it now the wish stands, and it is tried again. */
static void test_late_again(void **state)
{
	int64_t by = time(NULL) - 1;

	(void)state;
	put_wish(by, "n2,n3");
	resize_rc = RESIZE_LATER;
	assert_int_equal(wishes_take(ID), WISHES_BUSY);
	check_wish(4, 2, by, "n2,n3");
	resize_rc = RESIZE_DONE;
	assert_int_equal(wishes_take(ID), WISHES_LEAVING);
	check_nodes("01");
}

/* If Slurm will never do it the job is asked no more: it has what it has. */
static void test_late_never(void **state)
{
	(void)state;
	put_wish(time(NULL) - 1, "n2,n3");
	resize_rc = RESIZE_NEVER;
	assert_int_equal(wishes_take(ID), WISHES_NEVER);
	check_nodes("0123");
	check_wish(5, 4, 0, "");
	assert_int_equal(wishes_take(ID), WISHES_RESIZED);
	assert_int_equal(shrunk, 1);
}

static void check_keeps(const char *keeps)
{
	struct nodeset *has = region_from_bitmap(job.node_bitmap), *wanted = set_of(keeps);
	struct wish_calls calls;

	assert_true(wish_calls_of(&job, has, &calls));
	assert_int_equal(calls.n != 0, *keeps != '\0');
	assert_int_equal(wish_open(&job, has), *keeps != '\0');
	wish_calls_drop(&calls, has);
	if (calls.n)
		assert_true(nodeset_equal(has, wanted));
	wish_calls_clear(&calls);
	nodeset_destroy(has);
	nodeset_destroy(wanted);
}

static void test_keeps(void **state)
{
	(void)state;
	check_keeps("");
	put_wish(5, "n1,n3");
	check_keeps("02");
	put_wish(5, "n3,n4,n77"); /* nodes that it has not any more, or that are none */
	check_keeps("012");
	put_wish(5, "n5"); /* it has given back all */
	check_keeps("");
	put_wish(0, "n1"); /* that was taken; it has it again */
	check_keeps("");
	put_wish(5, "");
	check_keeps("");
	xfree(job.admin_comment);
	check_keeps("");
}

/* What it has given back itself is wanted no more, also when it has the same nodes again; what it has still is. */
static void test_met(void **state)
{
	(void)state;
	put_wish(5, "n1,n3");
	bit_clear(job.node_bitmap, 1);
	wish_met(&job);
	check_wish(4, 2, 5, "n1,n3");
	check_keeps("02");
	bit_clear(job.node_bitmap, 3);
	wish_met(&job);
	check_wish(5, 2, 0, "");
	bit_nset(job.node_bitmap, 0, 3);
	check_keeps("");
	/* of a job that was asked for nothing nothing changes */
	wish_met(&job);
	check_wish(5, 2, 0, "");
	xfree(job.admin_comment);
	wish_met(&job);
	assert_null(job.admin_comment);
}

/* One that is resized no more is asked for nothing. */
static void test_drop(void **state)
{
	(void)state;
	wishes_drop(ID + 1);
	wishes_drop(ID);
	assert_string_equal(job.admin_comment, "ticket " PROMISE);
	put_wish(time(NULL) - 1, "n2,n3");
	wishes_drop(ID);
	check_wish(5, 4, 0, "");
	check_keeps("");
	assert_int_equal(wishes_take(ID), WISHES_RESIZED);
	assert_int_equal(shrunk, 0);
}

/* ---- not now ---- */

/* Of a job for two nodes the snapshot has so many as its own, and these as what it keeps; "": it is asked for none. */
static struct malleable_run check_loans(bool begun, uint32_t own, const char *keeps)
{
	struct snap_job out = { .nodes = region_from_bitmap(job.node_bitmap),
				.what = { .width = 2 } };
	struct nodeset *wanted = set_of(keeps);

	assert_true(snapshot_take_loans(&out, &job));
	assert_int_equal(out.begun, begun);
	assert_int_equal(nodeset_count(out.own), own);
	assert_int_equal(out.keeps != NULL, *keeps != '\0');
	assert_int_equal(out.calls != NULL, *keeps != '\0');
	if (out.keeps)
		assert_true(nodeset_equal(out.keeps, wanted));
	if (out.calls)
		wish_calls_clear(out.calls);
	free(out.calls);
	nodeset_destroy(out.keeps);
	nodeset_destroy(out.own);
	nodeset_destroy(out.nodes);
	nodeset_destroy(wanted);
	return out.run;
}

/* A slurmctld without Pact has requeued it and begun it again, on nodes that its earlier run was asked for. */
static void test_another_run(void **state)
{
	const struct malleable_run three = { .own = 3, .has = 4 };
	struct malleable_run run;

	(void)state;
	put_wish(time(NULL) + 60, "n2,n3");
	malleable_run_put(&job, &three);
	(void)check_loans(false, 2, "01");
	job.restart_cnt++;
	run = check_loans(true, 2, "");
	wishes_begun(ID, &run);
	check_wish(5, 4, 0, "");
	assert_true(malleable_run_of(&job, &run));
	assert_int_equal(run.own, 2);
	assert_int_equal(run.has, 4);
	(void)check_loans(false, 2, "");
	/* what this run is asked for counts */
	assert_int_equal(asks("013", time(NULL) + 60, NULL), WISHES_LEAVING);
	(void)check_loans(false, 2, "013");
}

/* Of so many the snapshot has just these as its own. */
static void check_own(uint32_t width, const char *nodes)
{
	struct nodeset *has = region_from_bitmap(job.node_bitmap), *wanted = set_of(nodes);
	struct nodeset *own = malleable_own(&job, has, (int32_t)width);

	assert_true(nodeset_equal(own, wanted));
	nodeset_destroy(own);
	nodeset_destroy(wanted);
	nodeset_destroy(has);
}

/* Lower ones that it was lent are none of its own to the next slurmctld, either: another job may be promised these. */
static void test_started(void **state)
{
	static char nodes[] = "n2,n3";

	(void)state;
	job_env_put(&job, "_SLURM_SPANK_OPTION_spank_pact_malleable", "");
	job.nodes = nodes;
	bit_nclear(job.node_bitmap, 0, 1);
	malleable_begin(&job);
	bit_nset(job.node_bitmap, 0, 3);
	check_own(2, "23");
	check_own(1, "2");
	/* one of them is lost */
	bit_clear(job.node_bitmap, 2);
	check_own(2, "03");
	bit_set(job.node_bitmap, 2);
	/* that was another run */
	job.restart_cnt++;
	check_own(2, "01");
	malleable_begin(&job);
	check_own(2, "23");
	job.job_state = JOB_PENDING;
	malleable_requeued(&job);
	assert_null(job_env_get(&job, "PACT_STARTED"));
	check_own(2, "01");
}

/* Where its batch script runs it stays, also when that is not the lowest of its own any more: the core is told which that is. */
static void test_batch_stays(void **state)
{
	static char batch[] = "n2";
	struct snap_job out = { .nodes = region_from_bitmap(job.node_bitmap),
				.what = { .width = 2 } };

	(void)state;
	malleable_run_put(&job, &(struct malleable_run){ .own = 2, .has = 4 });
	job.batch_host = batch;
	check_own(2, "02");
	assert_true(snapshot_take_loans(&out, &job));
	assert_int_equal(out.before, 1);
	nodeset_destroy(out.own);
	/* it is lost */
	bit_clear(job.node_bitmap, 2);
	nodeset_unset(out.nodes, 2);
	assert_true(snapshot_take_loans(&out, &job));
	assert_int_equal(out.before, 0);
	nodeset_destroy(out.own);
	nodeset_destroy(out.nodes);
	job.batch_host = NULL;
}

/* One that stock Slurm has begun, with fewer nodes than it is for: what it lacks it has lost. */
static void test_begun(void **state)
{
	struct malleable_run run;

	(void)state;
	bit_nclear(job.node_bitmap, 1, 3);
	run = check_loans(true, 1, "");
	wishes_begun(ID, &run);
	check_nodes("0");
	run = check_loans(false, 1, "");
	assert_int_equal(run.own, 1);
	assert_int_equal(run.lost, 1);
	assert_string_equal(job.admin_comment, "ticket " PROMISE);
}

static void answers(const char *comment, uint32_t uid, bool is_answer, int wanted)
{
	job_desc_msg_t desc = { .comment = xstrdup(comment) };
	int rc = -1;

	assert_int_equal(wish_not_now(&desc, &job, uid, &rc), is_answer);
	if (is_answer)
		assert_int_equal(rc, wanted);
	/* the job's own comment stays only if that is taken out */
	assert_int_equal(desc.comment != NULL, comment && !(is_answer && wanted == SLURM_SUCCESS));
	xfree(desc.comment);
}

static void test_not_now(void **state)
{
	(void)state;
	answers(NULL, 1000, false, 0);
	answers("my comment", 1000, false, 0);
	answers("pactwish2(serial=1,refused)", 1000, false, 0);
	answers("pactwish1(serial=1,refused)", 1000, true, SLURM_SUCCESS);
	answers("pactwish1(serial=1,refused)", 0, true, SLURM_SUCCESS);
	answers("pactwish1(serial=1,refused)", 1001, true, ESLURM_ACCESS_DENIED);
	answers("pactwish1(serial=1", 1000, true, EINVAL);
	answers("pactwish1(serial=1", 1001, true, EINVAL);
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, open_job, close_job)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_notice),	TEST(test_taken),	TEST(test_given),
		TEST(test_left),	TEST(test_busy),	TEST(test_over),
		TEST(test_late),	TEST(test_late_again),	TEST(test_late_never),
		TEST(test_keeps),	TEST(test_met),		TEST(test_late_twice),
		TEST(test_late_both),	TEST(test_many),	TEST(test_drop),
		TEST(test_not_now),	TEST(test_another_run), TEST(test_begun),
		TEST(test_batch_stays), TEST(test_started),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
