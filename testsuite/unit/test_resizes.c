/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_resizes: what the core wants of a job's nodes and Slurm does not do is asked for again when there is a reason to: not
 * in each pass. Slurm is played, and so is the core.
 */
#include "slurm/base/compat_played.h"

#include "slurm/agent/resizes.h"
#include "slurm/base/metered.h"
#include "slurm/base/scheduler.h"
#include "slurm/resizing/wishes.h"
#include "slurm/state/core.h"
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
static enum sched_event_type told; /* and the core told this */

int __wrap_sched_event(struct sched *s, const struct sched_event *ev);
time_t __wrap_time(time_t *at);

int __wrap_sched_event(struct sched *s, const struct sched_event *ev)
{
	(void)s;
	assert_int_equal(ev->id, CORE);
	told = ev->type;
	return PACT_OK;
}

static time_t now = 1000;

time_t __wrap_time(time_t *at)
{
	if (at)
		*at = now;
	return now;
}

enum wishes_rc wishes_ask(uint32_t job_id, const struct nodeset *to, int64_t by,
			  struct nodeset **has)
{
	(void)by;
	assert_int_equal(job_id, ID);
	*has = says == WISHES_RESIZED ? nodeset_dup(to) : NULL;
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

/* What Slurm would never do is ruled out for these nodes alone, beside that. */
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

/* What a job is asked for is dropped where it is resized no more, or where an earlier run of it was asked; then all is looked at anew. */
static void test_dropped(void **state)
{
	struct snap_job job = { .job_id = ID, .run = { .own = 2, .has = 4 } };
	const struct snapshot snap = { .now = now, .jobs = &job, .njobs = 1 };

	(void)state;
	assert_false(resizes_take(&snap));
	assert_int_equal(dropped + begun, 0);
	job.asked = true;
	assert_true(resizes_take(&snap));
	assert_int_equal(dropped, 1);
	job.asked = false;
	job.begun = true;
	assert_true(resizes_take(&snap));
	assert_int_equal(begun, 1);
	assert_int_equal(dropped, 1);
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, open_job, close_job)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_denied), TEST(test_denied_gives), TEST(test_denied_conf),
		TEST(test_never),  TEST(test_refused),	    TEST(test_dropped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
