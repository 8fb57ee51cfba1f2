/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_resizes: what the core wants of a job's nodes and Slurm does not do is asked for again when there is a reason to: not
 * in each pass. Slurm is played, and so is the core.
 */
#include "slurm/base/compat_played.h"

#include "slurm/agent/resizes.h"
#include "slurm/base/metered.h"
#include "slurm/base/scheduler.h"
#include "slurm/records/region.h"
#include "slurm/records/wish_of.h"
#include "slurm/resizing/wishes.h"
#include "slurm/state/core.h"
#include "slurm/state/resizings.h"
#include "slurm/state/track.h"
#include "testsuite/unit/ctld.h"
#include "testsuite/unit/seed.h"

#define CORE 5
#define ID 7
#define TABLE 8

/* ---- played ---- */

static struct bridge bridge;
static struct track *track;
static enum wishes_rc says;
static int asked;		   /* so often was Slurm asked */
static enum sched_event_type told; /* and the core told this, */
static int32_t told_cleans;	   /* with this */

int __wrap_sched_event(struct sched *s, const struct sched_event *ev);
time_t __wrap_time(time_t *at);

int __wrap_sched_event(struct sched *s, const struct sched_event *ev)
{
	(void)s;
	assert_int_equal(ev->id, CORE);
	told = ev->type;
	told_cleans = ev->cleans;
	return PACT_OK;
}

static time_t now = 1000;

time_t __wrap_time(time_t *at)
{
	if (at)
		*at = now;
	return now;
}

static job_record_t job;   /* with nodes: the record that there is */
static void (*does)(void); /* to it, when it is asked */
static uint32_t unclean;   /* so many nodes it has left */

job_record_t *find_job_record(uint32_t id)
{
	return id == ID && job.node_bitmap ? &job : NULL;
}

void schedule_job_save(void)
{
}

/* Nodes are n0 to n7, of which one name after the other is written. */
char *bitmap2node_name(bitstr_t *bitmap)
{
	char *names = xstrdup("");

	for (int i = 0; i < TABLE; i++)
		if (bit_test(bitmap, i))
			xstrfmtcat(names, "%sn%d", names[0] ? "," : "", i);
	return names;
}

int node_name2bitmap(char *names, bool best_effort, bitstr_t **nodes, hostlist_t **unknown)
{
	(void)best_effort, (void)unknown;
	*nodes = bit_alloc(TABLE);
	for (char *at = names; at && *at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
		bit_set(*nodes, atoi(at + 1));
	return SLURM_SUCCESS;
}

enum wishes_rc wishes_ask(uint32_t job_id, const struct nodeset *to, int64_t by,
			  struct nodeset **has, uint32_t *cleans)
{
	(void)by;
	assert_int_equal(job_id, ID);
	if (does)
		does();
	*has = says == WISHES_RESIZED ? nodeset_dup(to) : NULL;
	*cleans = unclean;
	asked++;
	return says;
}

static int dropped, begun;

void wishes_drop(uint32_t job_id)
{
	assert_int_equal(job_id, ID);
	dropped++;
}

void wishes_begun(uint32_t job_id, const struct malleable_run *run)
{
	assert_int_equal(job_id, ID);
	assert_int_equal(run->has, 4);
	begun++;
}

static struct nodeset *set_of(const char *nodes)
{
	struct nodeset *set = nodeset_create(TABLE);

	for (; *nodes; nodes++)
		nodeset_set(set, (uint32_t)(*nodes - '0'));
	return set;
}

/* It is to have these. RET: was Slurm asked? */
static bool wants(const char *nodes)
{
	struct nodeset *to = set_of(nodes);
	struct sched_action action = { .type = ACT_RESIZE, .id = CORE, .allowed = to };
	int before = asked;

	told = EV_TIME;
	pthread_mutex_lock(&bridge.lock);
	resizes_do(&bridge, &action);
	pthread_mutex_unlock(&bridge.lock);
	nodeset_destroy(to);
	assert_int_not_equal(told, EV_TIME);
	return asked > before;
}

/* It has the nodes 0 to 3. */
static int open_job(void **state)
{
	(void)state;
	bridge.by_key = table_create();
	bridge.by_core = table_create();
	bridge.by_array = table_create();
	track = track_add(&bridge, track_key(ID, NO_VAL), CORE);
	assert_non_null(track);
	track->job_id = ID;
	track->resizes = track->running = true;
	track->width = 4;
	now = 1000;
	slurm_conf.last_update = 500;
	scheduler_use("sched/malleable");
	return 0;
}

static int close_job(void **state)
{
	(void)state;
	FREE_NULL_BITMAP(job.node_bitmap);
	xfree(job.admin_comment);
	does = NULL;
	track_forget_all(&bridge);
	return 0;
}

/* ---- tests ---- */

/* A limit is in the way: no growth is asked for, whichever nodes are idle in that pass, as each try costs a job id. */
static void test_denied(void **state)
{
	(void)state;
	says = WISHES_DENIED;
	assert_true(wants("01234"));
	assert_int_equal(told, EV_REFUSED);
	for (now = 1001; now < 1600; now += 7) {
		assert_false(wants("01234"));
		assert_int_equal(told, EV_REFUSED);
		assert_false(wants("012367"));
	}
	now = 1600;
	assert_true(wants("01234"));
	assert_false(wants("01235"));
}

/* Nodes are taken from it all the same; then it has another width, and may be under the limit. */
static void test_denied_gives(void **state)
{
	(void)state;
	says = WISHES_DENIED;
	assert_true(wants("01234"));
	says = WISHES_LEAVING;
	assert_true(wants("012"));
	assert_int_equal(told, EV_LEAVING);
	assert_false(wants("01234"));
	track->width = 3;
	says = WISHES_RESIZED;
	assert_true(wants("0125"));
	assert_int_equal(told, EV_RESIZED);
}

/* Slurm has read its configuration anew: the limit may be gone. */
static void test_denied_conf(void **state)
{
	(void)state;
	says = WISHES_DENIED;
	assert_true(wants("01234"));
	assert_false(wants("01234"));
	slurm_conf.last_update = 1000;
	assert_true(wants("01234"));
}

/* It never grows, as slurm.conf has it: which nodes are idle makes no difference to that. What it has may be taken. */
static void test_never_grows(void **state)
{
	(void)state;
	says = WISHES_NEVER;
	assert_true(wants("01234"));
	assert_false(wants("01234"));
	assert_false(wants("012356"));
	says = WISHES_LEAVING;
	assert_true(wants("012"));
	slurm_conf.last_update = 1000;
	says = WISHES_RESIZED;
	assert_true(wants("012356"));
}

/* What Slurm would never take is ruled out for these nodes alone, beside that. */
static void test_never(void **state)
{
	(void)state;
	says = WISHES_NEVER;
	assert_true(wants("123"));
	assert_false(wants("123"));
	assert_true(wants("012"));
	says = WISHES_DENIED;
	assert_true(wants("01234"));
	assert_false(wants("01235"));
	assert_false(wants("012"));
}

/* A node is taken, or the job starts: that may be over in the next pass. */
static void test_refused(void **state)
{
	(void)state;
	says = WISHES_REFUSED;
	for (int i = 0; i < 3; i++)
		assert_true(wants("01234"));
	assert_int_equal(told, EV_REFUSED);
}

/* ---- what is counted ---- */

static uint64_t counted(enum resizing what, uint64_t *times)
{
	uint64_t nodes;

	resizings_read(what, times, &nodes);
	return nodes;
}

static void check_counted(enum resizing what, const char *to, uint64_t nodes, uint64_t times)
{
	uint64_t before, after, had = counted(what, &before);

	(void)wants(to);
	assert_int_equal(counted(what, &after) - had, nodes);
	assert_int_equal(after - before, times);
}

/* It is to give back these by that time, and the others by the other. */
static void put_calls(const char *first, int64_t by, const char *second, int64_t by2)
{
	struct wish_calls calls = { 0 };
	struct nodeset *a = set_of(first), *b = set_of(second);

	assert_true(wish_calls_add(&calls, by, a));
	if (*second)
		assert_true(wish_calls_add(&calls, by2, b));
	assert_true(wish_put_calls(&job, (uint32_t)bit_set_count(job.node_bitmap), &calls));
	wish_calls_clear(&calls);
	nodeset_destroy(a);
	nodeset_destroy(b);
}

static void call_one(void)
{
	put_calls("67", 1300, "", 0);
}

static void call_more(void)
{
	put_calls("45", 1001, "67", 1300);
}

static void take_one(void)
{
	bit_nclear(job.node_bitmap, 4, 5);
	call_one();
}

/* What a second call asks for, or what is taken at once, is counted without what the first one has asked for. */
static void test_counted(void **state)
{
	(void)state;
	node_record_count = TABLE;
	job.node_bitmap = bit_alloc(TABLE);
	bit_set_all(job.node_bitmap);
	track->width = 8;
	says = WISHES_LEAVING;
	does = call_one;
	check_counted(RESIZING_CALLED, "012345", 2, 1);
	check_counted(RESIZING_CALLED, "012345", 0, 0);
	does = call_more;
	check_counted(RESIZING_CALLED, "0123", 2, 1);
	does = call_one;
	check_counted(RESIZING_CALLED, "012345", 0, 0);
	does = take_one;
	check_counted(RESIZING_TAKEN, "0123", 2, 1);
	check_counted(RESIZING_TAKEN, "0123", 0, 0);
}

/*
 * It grows while a node that it has given back is not clean: to the core it has that still, and does nothing there. Else the next pass
 * would tell that it has it again, unasked.
 */
static void test_unclean(void **state)
{
	(void)state;
	track->cleaning = unclean = 1;
	says = WISHES_RESIZED;
	check_counted(RESIZING_GROWN, "012345", 2, 1);
	assert_int_equal(told, EV_RESIZED);
	assert_int_equal(told_cleans, 1);
	assert_int_equal(track->width, 6);
	assert_int_equal(track->cleaning, 1);
	unclean = 0;
}

/* What a job is asked for is dropped where it is resized no more, or where an earlier run of it was asked; then all is looked at anew. */
static void test_dropped(void **state)
{
	struct snap_job j = { .job_id = ID, .run = { .own = 2, .has = 4 } };
	const struct snapshot snap = { .now = now, .jobs = &j, .njobs = 1 };

	(void)state;
	assert_false(resizes_take(&snap));
	assert_int_equal(dropped + begun, 0);
	j.asked = true;
	assert_true(resizes_take(&snap));
	assert_int_equal(dropped, 1);
	j.asked = false;
	j.begun = true;
	assert_true(resizes_take(&snap));
	assert_int_equal(begun, 1);
	assert_int_equal(dropped, 1);
}

/* Slurm's table of nodes was made anew since the core has seen it: its numbers may be other nodes'. */
static void test_numbered_anew(void **state)
{
	node_record_t *other[TABLE] = { NULL };

	(void)state;
	says = WISHES_LEAVING;
	assert_true(wants("012"));
	node_record_table_ptr = other;
	node_record_count = TABLE;
	bridge.nodes = TABLE;
	bridge.names = 2;
	assert_false(wants("01"));
	assert_int_equal(told, EV_REFUSED);
	bridge.names = snapshot_names();
	assert_true(wants("01"));
	bridge.names = 2;
	bridge.table = other; /* as a pass finds it */
	assert_true(wants("0"));
	bridge.table = node_record_table_ptr = NULL;
}

/* When is the next pass, of a job that has not given back by then what it was asked for? */
static int64_t next_pass(int64_t notice, bool suspended)
{
	struct snap_job job = { .keeps = set_of("01"),
				.notice = notice,
				.suspended = suspended,
				.state = SNAP_RUNNING };
	struct snapshot snap = { .jobs = &job, .njobs = 1, .now = now };

	bridge.wake = 0;
	resizes_wake(&bridge, &snap);
	nodeset_destroy(job.keeps);
	return bridge.wake;
}

/* What cannot be taken just now is tried each second; but not of one that is suspended, maybe for days. */
static void test_wake(void **state)
{
	(void)state;
	assert_int_equal(next_pass(now + 50, false), now + 50);
	assert_int_equal(next_pass(now - 50, false), now + 1);
	assert_int_equal(next_pass(now + 50, true), 0);
	assert_int_equal(next_pass(now - 50, true), 0);
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, open_job, close_job)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_denied),	TEST(test_denied_gives), TEST(test_denied_conf),
		TEST(test_never),	TEST(test_refused),	 TEST(test_counted),
		TEST(test_dropped),	TEST(test_wake),	 TEST(test_numbered_anew),
		TEST(test_never_grows), TEST(test_unclean),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
