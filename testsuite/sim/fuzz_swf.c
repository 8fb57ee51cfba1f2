/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz_swf: any bytes as a log (libFuzzer; see fuzz.t). Whatever they are, every line is accounted for,
 * what comes out keeps the invariants of a workload, and what is cut from it has the jobs asked for.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/sched.h"
#include "sim/workload/cut.h"
#include "sim/workload/survey.h"
#include "sim/workload/survey_report.h"
#include "sim/workload/swf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char path[64], cut_path[512];
static int fd = -1;

/* The bytes as a file. */
static void put(const uint8_t *data, size_t size)
{
	const char *dir = getenv("TMPDIR");

	if (fd < 0) {
		fd = memfd_create("log", 0);
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
		snprintf(cut_path, sizeof(cut_path), "%s/fuzz.%d.swf", dir ? dir : "/tmp",
			 (int)getpid());
	}
	assert(fd >= 0);
	assert(ftruncate(fd, 0) == 0);
	assert(pwrite(fd, data, size, 0) == (ssize_t)size);
}

static void complain(void *arg, const char *message)
{
	uint64_t *n = arg;

	assert(message[0]);
	++*n;
}

static bool twice; /* two jobs have one number */

/* Returns the number of jobs. */
static size_t read_it(void)
{
	struct swf_stats stats;
	struct workload w;
	char why[512] = "";
	uint64_t told = 0;
	const struct swf_hooks hooks = { .complain = complain, .arg = &told };
	size_t count;
	int err;

	workload_init(&w);
	err = swf_read(path, &w, &stats, &hooks, why, sizeof(why));
	assert(told == stats.malformed);
	twice = err && strstr(why, ": job number ");
	assert(!err || (err == PACT_EINVAL && why[0] && !w.count));
	for (size_t i = 0; i < w.count; i++) {
		const struct sim_job *j = &w.job[i];

		assert(j->width >= 1 && j->runtime >= 1 && j->estimate >= j->runtime);
		assert(j->submit >= 0 && j->submit <= WORKLOAD_MAX_TIME);
		assert(j->estimate <= WORKLOAD_MAX_TIME);
		assert(!i || w.job[i - 1].submit <= j->submit);
	}
	count = w.count;
	workload_release(&w);
	return count;
}

static void cut_it(struct survey *s, size_t jobs)
{
	struct survey_choice choice = { .first = 1 + jobs / 3, .count = 1 + jobs / 2, .until = -1 };
	struct survey again;
	char why[512];

	assert(survey_select(s, &choice) == PACT_OK);
	assert(s->selected ==
	       (choice.count < jobs - choice.first + 1 ? choice.count : jobs - choice.first + 1));
	if (cut_write(s, path, 0, cut_path, why, sizeof(why)) != PACT_OK)
		abort();
	if (s->selected) {
		assert(survey_read(&again, cut_path, 0, NULL, why, sizeof(why)) == PACT_OK);
		assert(again.count == s->selected);
		assert(again.records == s->selected);
		survey_release(&again);
	}
	unlink(cut_path);
}

static void survey_it(size_t jobs)
{
	struct survey_figures f;
	struct survey s;
	char why[512];
	int err = survey_read(&s, path, 0, NULL, why, sizeof(why));

	assert(s.count == jobs || err || (twice && s.odd[ODD_REPEATED_NUMBER].count));
	assert(err || s.stats.lines == s.comments + s.blank + s.records + s.stats.malformed);
	assert(err || s.records + s.stats.malformed == s.count + swf_dropped(&s.stats));
	if (!err) {
		FILE *out = fopen("/dev/null", "w");

		assert(out);
		assert(survey_figures(&s, &f) == PACT_OK);
		survey_text(&s, &f, path, out);
		assert(survey_json(&s, &f, path, out) == 0);
		fclose(out);
		cut_it(&s, s.count);
	}
	survey_release(&s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	put(data, size);
	survey_it(read_it());
	return 0;
}
