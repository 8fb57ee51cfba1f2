/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_scenario: every worked example in testsuite/scenarios comes out as written, malformed ones
 * are refused with the line and what is wrong, and a wrong expectation is noticed.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "sim/check/scenario.h"

static void tell(void *arg, bool ok, const char *what)
{
	if (!ok)
		print_message("# %s: %s\n", (const char *)arg, what);
}

static void test_files(void **state)
{
	const char *top = getenv("PACT_TOP");
	char pattern[4096], why[512];
	int failures = 0;
	glob_t files;

	(void)state;
	snprintf(pattern, sizeof(pattern), "%s/testsuite/scenarios/*.scn", top ? top : ".");
	assert_int_equal(glob(pattern, 0, NULL, &files), 0);
	assert_true(files.gl_pathc >= 15);
	for (size_t i = 0; i < files.gl_pathc; i++) {
		struct scenario *sc = scenario_read(files.gl_pathv[i], why, sizeof(why));
		int n;

		if (!sc)
			fail_msg("%s", why);
		n = scenario_run(sc, tell, files.gl_pathv[i], why, sizeof(why));
		if (n < 0)
			fail_msg("%s: %s", files.gl_pathv[i], why);
		failures += n;
		scenario_destroy(sc);
	}
	globfree(&files);
	assert_int_equal(failures, 0);
}

/* Write the text into a file and read it as a scenario. */
static struct scenario *read_text(const char *text, char *why, size_t size)
{
	char path[] = "test_scenario.XXXXXX";
	int fd = mkstemp(path);
	struct scenario *sc;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
	sc = scenario_read(path, why, size);
	unlink(path);
	return sc;
}

#define JOB_1 "job 1 submit=0 width=1 limit=60 runtime=60 start=0\n"
#define JOB "nodes 2\n" JOB_1

static const struct {
	const char *text, *reason;
} malformed[] = {
	{ "", "no 'nodes' line" },
	{ "nodes 2\n", "no 'job' line" },
	{ "nodes 0\n", ":1: 'nodes N' wanted" },
	{ "nodes x\n", ":1: 'nodes N' wanted" },
	{ "nodez 2\n", ":1: 'nodez'" },
	{ "job 1 width=1 limit=60 runtime=60\n", ":1: job 1 lacks the expected start" },
	{ "nodes 2\njob x\n", ":2: 'job ID" },
	{ "nodes 2\njob 1 width\n", ":2: 'width' is not KEY=VALUE" },
	{ "nodes 2\njob 1 width=-1\n", "width=-1" },
	{ "nodes 2\njob 1 limit=1h\n", "limit=1h" },
	{ "nodes 2\njob 1 colour=red\n", "unknown key 'colour'" },
	{ "nodes 2\njob 1 limit=60 runtime=60 start=0\n", "lacks width or limit" },
	{ "nodes 2\njob 1 width=1 limit=60 start=0\n", "lacks its runtime" },
	{ "nodes 2\njob 1 nodes=left\n", "nodes=left: no such set" },
	{ "nodes 2\nset left 1-2\n", "nodes '1-2'" },
	{ "nodes 2\nset left 1-0\n", "nodes '1-0'" },
	{ "nodes 2\nconfig kfactor=many\n", "KFactor=many: must be a whole number" },
	{ "nodes 2\nconfig kfactor=1 KFactor=2\n", ":2: KFactor=2: KFactor is given twice" },
	{ "nodes 2\nconfig scheduler=easy\nconfig scheduler=qops\n", ":3: scheduler=qops: " },
	{ "nodes 2\nconfig order=llf scheduler=easy\n" JOB_1,
	  ": config order: scheduler easy does not use it (only qops" },
	{ "nodes 2\nconfig slots=order\n" JOB_1, "config slots: scheduler qops does not use it" },
	{ "nodes 2\nconfig flavour=none\n", "flavour=none: unknown setting" },
	{ "nodes 2\njob 1 width=1 limit=60 runtime=60 deadline=60 start=0\n",
	  "a deadline goes with" },
	{ "nodes 2\njob 1 expect=maybe\n", "expect=maybe" },
	{ "nodes 2\njob 1 reason=mood\n", "reason=mood" },
	{ JOB "job 1 width=1 limit=60 runtime=60 start=0\n", "not a greater id" },
	{ "nodes 2\njob 1 submit=60 width=1 limit=60 runtime=60 start=60\n"
	  "job 2 submit=0 width=1 limit=60 runtime=60 start=0\n",
	  "submitted before" },
	{ JOB "event 10 cancel 7\n", "job 7 is not listed" },
	{ JOB "event 10 up 0\n", "are not down" },
	{ JOB "event 10 paint 0\n", "'down NODES'" },
	{ JOB "event 10 reserve 0 5\n", "'down NODES'" },
	{ JOB "event 10 down 0\nevent 5 up 0\n", "after a later one" },
	{ JOB "event 10\n", "'event TIME WHAT ...' wanted" },
	{ "nodes 2\nnode\n", "'node NODES KEY=VALUE ...' wanted" },
	{ "nodes 2\nnode 2 rating=5\n", "nodes '2': neither a set nor a list within 0-1" },
	{ "nodes 2\nnode 0-1 rating=0\n", "rating=0: rating, processors or memory, a number" },
	{ "nodes 2\nnode 0-1 speed=5\n", "speed=5: rating, processors or memory, a number" },
	{ "nodes 2\nnode 0-1 memory\n", "memory=: rating, processors or memory, a number" },
	{ "nodes 2\njob 1 processors=0\n", "processors=0: a number of processors wanted" },
	{ "nodes 2\njob 1 memory=x\n", "memory=x: a number from 1 on wanted" },
	{ "nodes 2\njob 1 outlives=no\n", "outlives=no: yes wanted" },
	{ "nodes 2\njob 1 end=soon\n", "end=soon: seconds >= 0 wanted" },
	{ JOB "share 10\n", "'share TIME NODE ID=PART ...' wanted" },
	{ JOB "share 10 2 1=1\n", "'share TIME NODE ID=PART ...' wanted" },
	{ JOB "share 10 0 2=1\n", "job 2 is not listed above" },
	{ JOB "share 10 0 1=2\n", "job 1: a part from 0 to 1, as in 1/3, or - wanted" },
	{ JOB "share 10 0 1=1/0\n", "job 1: a part from 0 to 1" },
	{ JOB "share 10 0 1\n", "job 1: a part from 0 to 1" },
	{ "nodes 2\njob 1 most=0\n", "most=0: a number of nodes wanted" },
	{ "nodes 4\njob 1 width=3 most=2 limit=60 runtime=60 start=0\n",
	  "most=2 is less than its" },
	{ "nodes 2\njob 1 value=much\n", "value=much: a number from 0 to 1000000 wanted" },
	{ "nodes 2\njob 1 value=1000001\n", "value=1000001: a number from 0 to 1000000" },
	{ "nodes 2\njob 1 speedup=fast\n", "speedup=fast: linear, table, or NODES:FACTOR" },
	{ "nodes 2\njob 1 speedup=2:1,1:2\n", "speedup=2:1,1:2: linear, table, or" },
	{ "nodes 2\njob 1 speedup=1:1,2:1.5 speedup=1:1\n", "speedup=1:1: linear, table, or" },
	{ "nodes 2\njob 1 grace=-1\n", "grace=-1: seconds >= 0 wanted" },
	{ "nodes 2\njob 1 answers=no\n", "answers=no: seconds >= 0 wanted" },
	{ "nodes 2\njob 1 resizes=few\n", "resizes=few: a number wanted" },
	{ "nodes 2\njob 1 whole=no\n", "whole=no: yes wanted" },
	{ JOB "runs\n", "'runs TIME [ID=NODES ...]' wanted" },
	{ JOB "runs soon 1=0\n", "runs=soon: seconds >= 0 wanted" },
	{ JOB "runs 10 2=0\n", "job 2 is not listed above" },
	{ JOB "runs 10 1\n", "job 1: ID=NODES wanted, and once" },
	{ JOB "runs 10 1=0 1=1\n", "job 1: ID=NODES wanted, and once" },
	{ JOB "runs 10 1=2\n", "nodes '2': neither a set nor a list within 0-1" },
};

static void test_malformed(void **state)
{
	char why[512];

	(void)state;
	for (size_t i = 0; i < sizeof(malformed) / sizeof(malformed[0]); i++) {
		struct scenario *sc = read_text(malformed[i].text, why, sizeof(why));

		if (sc)
			fail_msg("accepted: %s", malformed[i].text);
		if (!strstr(why, malformed[i].reason))
			fail_msg("'%s' instead of '%s'", why, malformed[i].reason);
	}
	assert_null(scenario_read("/nonexistent/file", why, sizeof(why)));
	assert_non_null(strstr(why, "No such file"));
}

/* Two that take turns: 0-10, 20-25 and 10-20, 25-30. */
#define TURNS \
	"nodes 2\nconfig scheduler=gs rows=2 slice=10\n" \
	"job 1 width=2 limit=15 runtime=15 start=0 end=25\n" \
	"job 2 width=2 limit=15 runtime=15 start=10 end=30\n"

/* Each of these expects something wrong: exactly that many comparisons must say so. */
static const struct {
	const char *text;
	int failures;
} otherwise[] = {
	{ "nodes 2\njob 1 width=1 limit=60 runtime=60 start=60\n", 1 },
	{ "nodes 2\njob 1 width=1 limit=60 runtime=60 deadline=60 expect=refuse start=0\n", 1 },
	{ "nodes 2\njob 1 width=1 limit=60 runtime=60 deadline=50 expect=accept start=0\n", 2 },
	{ "nodes 2\njob 1 width=1 limit=60 runtime=60 deadline=50 expect=refuse reason=full\n", 1 },
	{ "nodes 2\njob 1 width=1 limit=60 runtime=60 deadline=50 expect=refuse offer=61\n", 1 },
	{ "nodes 2\njob 1 width=3 limit=60 runtime=60 start=0\n", 2 },
	{ "nodes 2\njob 1 width=1 limit=60 runtime=60 start=0 end=61\n", 1 },
	{ "nodes 2\njob 1 width=1 limit=60 runtime=70 start=0 end=60\n", 0 },
	{ "nodes 2\njob 1 width=1 limit=60 runtime=70 outlives=yes start=0 end=70\n", 0 },
	{ JOB "share 30 0 1=1/2\nshare 30 1 1=-\n", 1 },
	{ JOB "runs 0 1=0\nruns 59 1=0\nruns 60\n", 0 },
	{ JOB "runs 0\nruns 59 1=1\nruns 60 1=0\n", 3 },
	{ TURNS "runs 9 1=0-1\nruns 10 2=0-1\nruns 20 1=0-1\nruns 30\n", 0 },
	{ TURNS "runs 9\nruns 10 1=0-1\nruns 10 1=0-1 2=0-1\nruns 20 1=0\n", 4 },
	{ JOB, 0 },
};

static void test_otherwise(void **state)
{
	char why[512];

	(void)state;
	for (size_t i = 0; i < sizeof(otherwise) / sizeof(otherwise[0]); i++) {
		struct scenario *sc = read_text(otherwise[i].text, why, sizeof(why));
		char name[] = "expected here";

		assert_non_null(sc);
		assert_int_equal(scenario_run(sc, tell, name, why, sizeof(why)),
				 otherwise[i].failures);
		scenario_destroy(sc);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_files),
		cmocka_unit_test(test_malformed),
		cmocka_unit_test(test_otherwise),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
