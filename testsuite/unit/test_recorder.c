/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_recorder: what is written about users; and a disk that hangs: nothing waits for the thread that
 * writes, and it goes on once the disk answers.
 */
#include "slurm/base/compat.h"

#include <dirent.h>
#include <sys/stat.h>

#include "slurm/state/recorder.h"
#include "slurm/state/core.h"
#include "testsuite/unit/bridge_feed.h"
#include "testsuite/unit/ctld.h"
#include "testsuite/unit/eventually.h"
#include "testsuite/unit/seed.h"

#define eventually(truth) eventually_within(60, truth)

/* ---- the disk; the linker puts this in front of the true one ---- */

size_t __real_fwrite(const void *from, size_t size, size_t n, FILE *file);
size_t __wrap_fwrite(const void *from, size_t size, size_t n, FILE *file);

static _Atomic bool hangs, hung;

size_t __wrap_fwrite(const void *from, size_t size, size_t n, FILE *file)
{
	struct timespec nap = { 0, 1000000 };

	for (; hangs; hung = true)
		nanosleep(&nap, NULL);
	return __real_fwrite(from, size, n, file);
}

/* ---- helpers ---- */

static char dir[] = "/tmp/pact-recorder-XXXXXX";

/* In any of the files. */
static bool written(const char *text)
{
	char command[600];

	snprintf(command, sizeof(command), "grep -qrF '%s' %s", text, dir);
	return !system(command);
}

static void remove_all(void)
{
	DIR *list = opendir(dir);
	struct dirent *entry;
	char name[512];

	while (list && (entry = readdir(list))) {
		snprintf(name, sizeof(name), "%s/%s", dir, entry->d_name);
		unlink(name);
	}
	if (list)
		closedir(list);
	rmdir(dir);
}

/* The core at rest, after an event that is recorded. */
static void event(struct bridge *b)
{
	struct sched_event ev = { .type = EV_TIME, .now = b->latest + 1 };
	struct sched_action action;

	pthread_mutex_lock(&b->lock);
	assert_true(bridge_event(b, &ev, "time"));
	while (sched_next(b->core, &action))
		;
	recorder_rest(b);
	pthread_mutex_unlock(&b->lock);
}

static struct recorder_status look(struct bridge *b)
{
	struct recorder_status now;

	pthread_mutex_lock(&b->lock);
	recorder_look(&now);
	pthread_mutex_unlock(&b->lock);
	return now;
}

static void configure(struct bridge *b)
{
	pthread_mutex_lock(&b->lock);
	recorder_configure(b->conf);
	pthread_mutex_unlock(&b->lock);
}

static void record_into_dir(struct bridge *b, bool users, int files)
{
	b->conf->record_on = true;
	free(b->conf->record_dir);
	b->conf->record_dir = strdup(dir);
	b->conf->record_size = 1 << 20;
	b->conf->record_files = files;
	b->conf->record_users = users;
	configure(b);
	event(b);
	eventually(look(b).file[0] && look(b).bytes > 0);
	assert_true(look(b).recording);
}

static _Atomic bool stopped;

static void *stop(void *arg)
{
	struct bridge *b = bridge_get();

	pthread_mutex_lock(&b->lock);
	recorder_forget();
	pthread_mutex_unlock(&b->lock);
	recorder_stop();
	stopped = true;
	return arg;
}

/* ---- tests ---- */

static void test_hang(void **state)
{
	struct bridge *b = played_bridge();
	struct recorder_status now;
	pthread_t thread;

	(void)state;
	record_into_dir(b, false, 3);
	hangs = true;
	event(b);
	eventually(hung);
	for (int i = 0; i < 100; i++)
		event(b); /* does not wait */
	assert_int_equal(pthread_create(&thread, NULL, stop, NULL), 0);
	eventually(stopped);
	pthread_join(thread, NULL);

	/* a second thread would only hang as well */
	event(b);
	now = look(b);
	assert_false(now.recording);
	assert_non_null(strstr(now.stopped, "its disk hangs"));

	hangs = false;
	eventually((configure(b), event(b), look(b).recording));
	eventually(look(b).file[0] && look(b).bytes > 0);
	stop(NULL);
	recorder_stop(); /* twice is no harm */
}

/* Whose a job is stands there only if that is wanted. */
static void test_users(void **state)
{
	struct nodeset *all = nodeset_create(NODES);

	(void)state;
	nodeset_fill(all);
	for (int users = 0; users < 2; users++) {
		struct bridge *b = played_bridge();
		struct snapshot *snap = ctld_idle(1);
		struct snap_job *j = played_job(snap, 7 + (uint32_t)users, SNAP_PENDING, all);

		record_into_dir(b, users, 3);
		j->token = (struct token){ 0 };
		j->token_rc = TOKEN_NONE;
		played_pass(b, snap);
		stop(NULL);
		assert_true(written(users ? "\"job\":\"8\"" : "\"job\":\"7\""));
		assert_int_equal(written("\"user\":\"root\""), users);
	}
	nodeset_destroy(all);
}

/* The first numbers of the seconds that come are taken, as by a controller that was killed just now. */
static void test_same_second(void **state)
{
	struct bridge *b = played_bridge();
	time_t now = time(NULL);
	char name[128], stamp[32];
	struct tm tm;
	FILE *f;

	(void)state;
	for (time_t then = now; then < now + 300; then++) {
		localtime_r(&then, &tm);
		strftime(stamp, sizeof(stamp), "%Y%m%d-%H%M%S", &tm);
		for (int number = 1; number <= 2; number++) {
			snprintf(name, sizeof(name), "%s/pact-%s-%06d.rec", dir, stamp, number);
			f = fopen(name, "w");
			assert_non_null(f);
			fclose(f);
		}
	}
	record_into_dir(b, false, 1000);
	assert_string_equal(look(b).stopped, "");
	assert_non_null(strstr(look(b).file, "-000003.rec"));
	stop(NULL);
	remove_all();
	assert_int_equal(mkdir(dir, 0700), 0);
}

static bool is_there(const char *file)
{
	char name[128];

	snprintf(name, sizeof(name), "%s/%s", dir, file);
	return !access(name, F_OK);
}

static void leave(const char *file, const char *head)
{
	char name[128];
	FILE *f;

	snprintf(name, sizeof(name), "%s/%s", dir, file);
	f = fopen(name, "w");
	assert_non_null(f);
	fputs(head, f);
	fclose(f);
}

/* The oldest go; what a newer Pact has recorded is not counted, and stays. */
static void test_newer(void **state)
{
	struct bridge *b = played_bridge();

	(void)state;
	leave("pact-20200101-000000-000001.rec", "{\"tape\":1,\"scheduler\":\"qops\"}\n");
	leave("pact-20200101-000000-000002.rec", "{\"tape\":3,\"scheduler\":\"qops\"}\n");
	leave("pact-20200101-000000-000003.rec", "");
	leave("pact-20200101-000000-000004.rec", "{\"tape\":10,\"scheduler\":\"qops\"}\n");
	leave("pact-20200101-000000-000005.rec", "{\"tape\":2,\"scheduler\":\"qops\"}\n");
	leave("pact-20200101-000000-000006.rec", "{\"tape\":99,\"scheduler\":\"qops\"}\n");
	record_into_dir(b, false, 2);
	assert_false(is_there("pact-20200101-000000-000001.rec"));
	assert_true(is_there("pact-20200101-000000-000002.rec"));
	assert_false(is_there("pact-20200101-000000-000003.rec"));
	assert_true(is_there("pact-20200101-000000-000004.rec"));
	assert_true(is_there("pact-20200101-000000-000005.rec"));
	assert_true(is_there("pact-20200101-000000-000006.rec"));
	stop(NULL);
	remove_all();
	assert_int_equal(mkdir(dir, 0700), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same_second), /* the first numbers are this process's */
		cmocka_unit_test(test_newer),
		cmocka_unit_test(test_users),
		cmocka_unit_test(test_hang),
	};
	log_options_t quiet = LOG_OPTS_INITIALIZER;
	int rc;

	quiet.stderr_level = LOG_LEVEL_FATAL;
	log_init("test_recorder", quiet, SYSLOG_FACILITY_DAEMON, NULL);
	if (!mkdtemp(dir))
		return 1;
	rc = seed_run("test_recorder", tests);
	remove_all();
	return rc;
}
