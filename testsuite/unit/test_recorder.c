/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_recorder: what the recorder's thread writes hangs in the disk: nobody waits for it, and it goes on
 * once the disk answers.
 */
#include "slurm/compat.h"

#include <dirent.h>

#include "slurm/recorder.h"
#include "testsuite/unit/bridge_feed.h"
#include "testsuite/unit/ctld.h"
#include "testsuite/unit/seed.h"

/* What comes true while another thread works: within a minute, or the test fails. */
#define eventually(truth) \
	do { \
		struct timespec nap_ = { 0, 10000000 }; \
		for (int left_ = 6000; !(truth); left_--) { \
			if (!left_) \
				fail_msg("waited in vain: %s", #truth); \
			nanosleep(&nap_, NULL); \
		} \
	} while (0)

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
	b->conf->record.on = true;
	b->conf->record.dir = strdup(dir);
	b->conf->record.size = 1 << 20;
	b->conf->record.files = 3;
	configure(b);
	event(b);
	eventually(look(b).file[0] && look(b).bytes > 0);
	assert_true(look(b).recording);

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

int main(void)
{
	const struct CMUnitTest tests[] = {
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
