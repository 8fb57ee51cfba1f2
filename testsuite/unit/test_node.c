/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_node: terms, measures, shares and what is kept of a node's jobs; control groups on a tree of plain files. */
#include "core/base/limits.h"
#include "core/sharing/shares/share.h"
#include "node/cgroup.h"
#include "node/kept.h"
#include "node/part.h"
#include "node/report/report.h"
#include "node/terms.h"
#include "node/usage.h"
#include "testsuite/unit/seed.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char why[600];

/* ---- a tree of files ---- */

static char top[64];

static int make_top(void **state)
{
	(void)state;
	snprintf(top, sizeof(top), "%s/pact-node-XXXXXX", "/tmp");
	return !mkdtemp(top);
}

static int remove_top(void **state)
{
	char command[128];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf '%s'", top);
	return system(command);
}

static const char *at(const char *path)
{
	static char text[4][512];
	static int next;

	next = (next + 1) % 4;
	snprintf(text[next], sizeof(text[next]), "%s/%s", top, path);
	return text[next];
}

/* With all directories above it. */
static void put(const char *path, const char *text)
{
	char command[700];
	FILE *f;

	snprintf(command, sizeof(command), "mkdir -p \"$(dirname '%s')\"", at(path));
	assert_int_equal(system(command), 0);
	f = fopen(at(path), "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static const char *get(const char *path)
{
	static char text[512];

	assert_true(proc_read(at(path), text, sizeof(text)) >= 0);
	return text;
}

/* A process of one thread in /proc, with this name and state. */
static void put_process_as(int pid, const char *groups, uint64_t start, uint64_t delay,
			   uint64_t ran, const char *as)
{
	char path[64], text[200];

	snprintf(path, sizeof(path), "proc/%d/cgroup", pid);
	put(path, groups);
	snprintf(path, sizeof(path), "proc/%d/task/%d/schedstat", pid, pid);
	snprintf(text, sizeof(text), "%" PRIu64 " %" PRIu64 " 7\n", ran, delay);
	put(path, text);
	snprintf(path, sizeof(path), "proc/%d/task/%d/stat", pid, pid);
	snprintf(text, sizeof(text),
		 "%d %s 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 %" PRIu64 " 9\n", pid, as,
		 start);
	put(path, text);
}

static void put_process(int pid, const char *groups, uint64_t start, uint64_t delay, uint64_t ran)
{
	put_process_as(pid, groups, start, delay, ran, "(a ) b) S");
}

/* ---- terms ---- */

static void test_terms(void **state)
{
	static const char *const bad[][2] = {
		{ "", "terms of another version than 1: " },
		{ "2:1:2:3:4:share:more", "terms of another version than 1: 2:1:2:3:4:share:more" },
		{ "11:1:2:3:4:share", "terms of another version than 1: 11:1:2:3:4:share" },
		{ "1:1:2:3:4", "terms of version 1 have 6 fields: 1:1:2:3:4" },
		{ "1:1:2:3:4:share:5", "terms of version 1 have 6 fields: 1:1:2:3:4:share:5" },
		{ "1:1:2:3:4:share:", "terms of version 1 have 6 fields: 1:1:2:3:4:share:" },
		{ "1:1:2:3:4:other", "rule 'other' of the terms is not known" },
		{ "1:1:2:3:4:", "rule '' of the terms is not known" },
		{ "1:-1:2:3:4:share", "submission '-1' of the terms is not right" },
		{ "1:1:x:3:4:share", "estimate 'x' of the terms is not right" },
		{ "1:1:2:0:4:share", "deadline '0' of the terms is not right" },
		{ "1:1:2: 3:4:share", "deadline ' 3' of the terms is not right" },
		{ "1:9999999999999:2:3:4:share",
		  "submission '9999999999999' of the terms is not right" },
		{ "1:1:2:9223372036854775808:4:share",
		  "deadline '9223372036854775808' of the terms is not right" },
		{ "1:1:2:3:65536:share", "processors '65536' of the terms is not right" },
		{ "1:1:2:3::share", "processors '' of the terms is not right" },
	};
	struct job_terms t, was;
	char longer[TERMS_MAX + 1];

	(void)state;
	assert_true(job_terms_read("1:100:60:900:2:idle", &t, why, sizeof(why)));
	assert_int_equal(t.submit, 100);
	assert_int_equal(t.estimate, 60);
	assert_int_equal(t.deadline, 900);
	assert_int_equal(t.processors, 2);
	assert_int_equal(t.rule, SHARE_IDLE);
	/* a job without a limit, due at no time */
	assert_true(job_terms_read("1:100:9223372036854775807:9223372036854775807:0:share", &was,
				   why, sizeof(why)));
	assert_int_equal(was.estimate, REPORT_TIME_MOST);
	assert_int_equal(was.deadline, REPORT_TIME_MOST);
	was = t;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		assert_false(job_terms_read(bad[i][0], &t, why, sizeof(why)));
		assert_string_equal(why, bad[i][1]);
		assert_memory_equal(&t, &was, sizeof(t));
	}
	memset(longer, '1', sizeof(longer) - 1);
	longer[sizeof(longer) - 1] = '\0';
	assert_false(job_terms_read(longer, &t, why, sizeof(why)));
	assert_string_equal(why, "the terms are too long");
}

/* ---- progress ---- */

/* A job's progress in so many seconds; all else in milliseconds, and millionths. */
static void progress(const struct parts *parts, struct part *p, int64_t seconds, uint64_t waited,
		     uint64_t used, uint64_t unseen, uint32_t busy, uint32_t cap)
{
	struct usage_since since = { .waited = waited * 1000000,
				     .used = used * 1000000,
				     .unseen = unseen * 1000000 };

	parts_progress(parts, p, seconds * SHARE_SECOND, &since, busy, cap);
}

static void test_progress(void **state)
{
	(void)state;
	assert_int_equal(usage_progress(1000, 1, 0, 0), 1000);	   /* it slept */
	assert_int_equal(usage_progress(1000, 1, 700, 300), 300);  /* it burned all that it got */
	assert_int_equal(usage_progress(1000, 1, 250, 100), 750);  /* it slept for a while */
	assert_int_equal(usage_progress(1000, 1, 5000, 400), 400); /* many threads */
	assert_int_equal(usage_progress(1000, 4, 0, 1000),
			 1000); /* one thread of four processors */
	assert_int_equal(usage_progress(1000, 2, 3000, 800), 400);
	assert_int_equal(usage_progress(1000, 1, 0, 1100), 1000); /* clocks differ */
	assert_int_equal(usage_progress(1000, 1, 2000, 0), 0);
	assert_int_equal(usage_progress(0, 1, 0, 0), 0);
	/* two fifths of a second of a node that is capped at a fifth: two seconds */
	struct parts parts = { .processors = 1, .rating = RATING_WHOLE };
	struct part p = { .processors = 1 };

	progress(&parts, &p, 2, 2000, 400, 0, 1000000, 20);
	assert_int_equal(p.work, 2 * SHARE_SECOND);
	progress(&parts, &p, 2, 2000, 100, 0, 1000000, 20);
	assert_int_equal(p.work, 2 * SHARE_SECOND + SHARE_SECOND / 2);
	progress(&parts, &p, 2, 2000, 100, 0, 1000000, 0);
	assert_int_equal(p.work, 2 * SHARE_SECOND + SHARE_SECOND * 6 / 10);
}

/* A thread that is gone has used so much at a quarter of the processor: it has waited three times as long. */
static void test_unseen(void **state)
{
	struct parts parts = { .processors = 1, .rating = RATING_WHOLE };
	struct part p = { .processors = 1, .share = SHARE_WHOLE / 4 };

	(void)state;
	progress(&parts, &p, 1, 0, 250, 250, 1000000, 0);
	assert_int_equal(p.work, SHARE_SECOND / 4);
	p.work = 0;
	progress(&parts, &p, 1, 0, 100, 100, 1000000, 0);
	assert_int_equal(p.work, SHARE_SECOND * 7 / 10);
	/* as far as the node was busy */
	p.work = 0;
	progress(&parts, &p, 1, 0, 100, 100, 500000, 0);
	assert_int_equal(p.work, SHARE_SECOND * 85 / 100);
	p.work = 0;
	progress(&parts, &p, 1, 0, 100, 100, 0, 0);
	assert_int_equal(p.work, SHARE_SECOND);
	/* a quarter of a fifth; and no share at all */
	p.work = 0;
	progress(&parts, &p, 1, 0, 10, 10, 1000000, 20);
	assert_int_equal(p.work, SHARE_SECOND * 81 / 100);
	p.work = 0;
	p.share = 0;
	progress(&parts, &p, 1, 0, 1, 1, 1000000, 0);
	assert_int_equal(p.work, SHARE_SECOND / 1000);
	assert_int_equal(parts_busy(&parts, SHARE_SECOND, 500000000, 0), 500000);
	assert_int_equal(parts_busy(&parts, SHARE_SECOND, 150000000, 20), 750000);
	assert_int_equal(parts_busy(&parts, SHARE_SECOND, 2000000000, 0), 1000000);
	assert_int_equal(parts_busy(&parts, 0, 1, 0), 0);
}

/* Waited: what is new, by thread and its start. */
static void test_measure(void **state)
{
	struct cgroup c;
	struct cgroup_place place = { 0 };
	struct usage u = { 0 };
	struct usage_since since;

	(void)state;
	put("cg/cpu/cpu.shares", "1024");
	put("cg/cpu/cpuacct.usage", "0");
	cgroup_open(&c, at("cg"), "g", at("proc"), 0);
	put("cg/cpu/g/job_7/cgroup.procs", "");
	put("cg/cpu/g/job_7/cpuacct.usage", "5000\n");
	put_process(11, "3:cpu,cpuacct:/\n", 100, 1000, 300);
	assert_true(c.ops->join(&c, &place, 7, 11, why, sizeof(why)));
	usage_join(&u, &c, &place, 11);
	assert_int_equal(u.used, 5000);
	put_process(11, "", 100, 1600, 1000);
	put("cg/cpu/g/job_7/cgroup.procs", "11\n12\n");
	put_process(12, "", 200, 70, 500); /* a child: all its waiting counts */
	put("cg/cpu/g/job_7/cpuacct.usage", "9000\n");
	assert_true(usage_measure(&u, &c, &place, &since));
	assert_int_equal(since.waited, 670);
	assert_int_equal(since.used, 4000);
	assert_int_equal(since.unseen, 4000 - 700 - 500);
	assert_int_equal(u.processes, 2);
	put_process(12, "", 300, 90, 150);	      /* another process with its number */
	put("cg/cpu/g/job_7/cpuacct.usage", "100\n"); /* the counter began anew */
	assert_true(usage_measure(&u, &c, &place, &since));
	assert_int_equal(since.waited, 90);
	assert_int_equal(since.used, 100);
	assert_int_equal(since.unseen, 0);
	put("cg/cpu/g/job_7/cgroup.procs", "");
	put("cg/cpu/g/job_7/sub/cgroup.procs", "11\n"); /* moved into a group below by its owner */
	assert_true(usage_measure(&u, &c, &place, &since));
	assert_int_equal(u.processes, 1);
	usage_release(&u);
}

/* Measured once more: did it count as stopped? */
static bool stopped(struct usage *u, const struct cgroup *c, const struct cgroup_place *place)
{
	struct usage_since since;

	assert_true(usage_measure(u, c, place, &since));
	return since.stopped;
}

/* Stopped by a signal, or with its group; all of it, but for what is Slurm's own. */
static void test_stopped(void **state)
{
	static const char *const groups =
		"5:freezer:/slurm/job_7/step_0\n3:cpu:/g/job_7\n0::/job_7\n";
	struct parts parts = { .processors = 2, .rating = RATING_WHOLE };
	struct part p = { .processors = 2, .share = SHARE_WHOLE };
	struct usage_since since = { .used = SHARE_SECOND * 400, .stopped = true };
	struct cgroup c;
	struct cgroup_place place = { 0 };
	struct usage u = { 0 };

	(void)state;
	put("fz/cpu/cpu.shares", "1024");
	put("fz/cpu/cpuacct.usage", "0");
	cgroup_open(&c, at("fz"), "g", at("proc"), 0);
	snprintf(place.dir, sizeof(place.dir), "%s", at("fz/cpu/g/job_7"));
	put("fz/cpu/g/job_7/cgroup.procs", "31\n32\n");
	put_process_as(31, groups, 1, 0, 0, "(a) T b) S");
	put_process_as(32, groups, 1, 0, 0, "(b) T");
	assert_false(stopped(&u, &c, &place));
	put_process_as(31, groups, 1, 0, 0, "(a) T");
	assert_true(stopped(&u, &c, &place));
	put_process_as(31, groups, 1, 0, 0, "(a) R");
	assert_true(stopped(&u, &c, &place)); /* some of the time before */
	assert_false(stopped(&u, &c, &place));
	put("fz/freezer/slurm/job_7/step_0/freezer.state", "THAWED\n");
	assert_false(stopped(&u, &c, &place));
	put("fz/freezer/slurm/job_7/step_0/freezer.state", "FROZEN\n");
	assert_true(stopped(&u, &c, &place));
	put("fz/freezer/slurm/job_7/step_0/freezer.state", "THAWED\n");
	assert_true(stopped(&u, &c, &place));
	put_process_as(31, groups, 1, 0, 0, "(slurmstepd) S");
	assert_true(stopped(&u, &c, &place)); /* 32 alone is the job's */
	put("fz/cpu/g/job_7/cgroup.procs", "31\n");
	assert_true(stopped(&u, &c, &place));
	assert_false(stopped(&u, &c, &place)); /* nothing of it is there */
	put("fz/cpu/g/job_7/cgroup.procs", "32\n");
	put_process_as(32, groups, 1, 0, 0, "(b) S");
	c.ops = &cgroup_v2;
	put("fz/job_7/cgroup.events", "populated 1\nfrozen 0\n");
	assert_false(stopped(&u, &c, &place));
	put("fz/job_7/cgroup.events", "populated 1\nfrozen 1\n");
	assert_true(stopped(&u, &c, &place));
	usage_release(&u);
	/* it has done what it used, and nothing else */
	parts_progress(&parts, &p, SHARE_SECOND, &since, 1000000, 0);
	assert_int_equal(p.work, SHARE_SECOND * 2 / 10);
}

/* ---- shares ---- */

static void add(struct parts *parts, uint32_t id, int64_t submit, int64_t estimate,
		int64_t deadline, unsigned processors, const char *rule)
{
	char text[TERMS_MAX];

	snprintf(text, sizeof(text), "1:%" PRId64 ":%" PRId64 ":%" PRId64 ":%u:%s", submit,
		 estimate, deadline, processors, rule);
	assert_non_null(parts_set(parts, id, text, why, sizeof(why)));
}

/* What share.h gives for parts in the order of deadlines is what the jobs get, whatever order they came in. */
static void test_shares_random(void **state)
{
	static const char *const rules[] = { "share", "idle", "nearest" };

	(void)state;
	for (uint64_t round = 0; round < seed_rounds(2000); round++) {
		uint32_t k = 1 + (uint32_t)seed_below(8), n = (uint32_t)seed_below(9);
		struct parts parts = { .processors = k, .rating = 500 + (int32_t)seed_below(1000) };
		struct share_part s[9];
		size_t rule = (size_t)seed_below(3);
		int64_t now = 1000 * SHARE_SECOND;

		for (uint32_t i = 0; i < n; i++) {
			/* deadlines grow with i, ids do not */
			uint32_t id = 1 + (i * 7) % 9, width = 1 + (uint32_t)seed_below(k);
			int64_t estimate = seed_below(400), work = seed_below(300) * SHARE_SECOND,
				deadline = 950 + 100 * i + seed_below(99);
			share_work all = share_work_of(estimate * SHARE_SECOND, parts.rating, 1000),
				   done = (share_work)work * SHARE_WHOLE;

			add(&parts, id, 100, estimate, deadline, width, rules[rule]);
			parts_find(&parts, id)->work = work;
			s[i] = (struct share_part){ .left = done < all ? all - done : 0,
						    .deadline = deadline * SHARE_SECOND,
						    .processors = (uint16_t)width,
						    .of = (void *)(uintptr_t)id };
		}
		share_out(s, n, k, now, (enum share_rule)rule);
		assert_int_equal(parts_share(&parts, now), share_until(s, n, now, rule));
		for (uint32_t i = 0; i < n; i++)
			assert_int_equal(parts_find(&parts, (uint32_t)(uintptr_t)s[i].of)->share,
					 s[i].share);
		parts_release(&parts);
	}
}

static void test_weights(void **state)
{
	struct parts parts = { .processors = 4, .rating = 1000 };
	struct part *p;

	(void)state;
	add(&parts, 5, 100, 50, 1100, 2, "idle");
	add(&parts, 3, 101, 10, 1100, 0, "idle"); /* all four */
	p = parts_find(&parts, 3);
	assert_int_equal(p->processors, 4);
	assert_ptr_equal(p, &parts.part[0]);
	parts_share(&parts, 1000 * SHARE_SECOND);
	assert_int_equal(p->share, SHARE_WHOLE / 10);
	assert_int_equal(parts_weight(&parts, p), CGROUP_WHOLE / 10);
	assert_int_equal(parts_quota(&parts, p, 0), CGROUP_PERIOD * 4 / 10);
	assert_int_equal(parts_quota(&parts, p, 50), CGROUP_PERIOD / 20);
	p = parts_find(&parts, 5);
	assert_int_equal(p->share, SHARE_WHOLE / 2);
	assert_int_equal(parts_weight(&parts, p), CGROUP_WHOLE / 4);
	assert_int_equal(parts_quota(&parts, p, 0), CGROUP_PERIOD);
	/* changed terms keep what was done, another submission does not; the last submitted one rules */
	p->work = 7;
	add(&parts, 5, 100, 60, 1200, 2, "share");
	assert_int_equal(parts_find(&parts, 5)->work, 7);
	assert_int_equal(parts_rule(&parts), SHARE_IDLE);
	add(&parts, 5, 102, 60, 1200, 2, "share");
	assert_int_equal(parts_find(&parts, 5)->work, 0);
	assert_int_equal(parts_rule(&parts), SHARE_SPARE);
	assert_null(parts_set(&parts, 9, "2:x", why, sizeof(why)));
	assert_int_equal(parts.n, 2);
	parts_remove(&parts, 3);
	parts_remove(&parts, 4);
	assert_int_equal(parts.n, 1);
	assert_null(parts_find(&parts, 3));
	parts_release(&parts);
}

/* ---- control groups ---- */

/* When it was written last; set back to 1970, so that any writing shows. */
static bool written(const char *name)
{
	const struct timespec old[2] = { { .tv_sec = 1 }, { .tv_sec = 1 } };
	struct stat st;
	bool is;

	assert_int_equal(stat(at(name), &st), 0);
	is = st.st_mtime != 1;
	assert_int_equal(utimensat(AT_FDCWD, at(name), old, 0), 0);
	return is;
}

static void test_v1(void **state)
{
	struct cgroup c;
	struct cgroup_place place = { 0 };
	uint64_t used;
	uint32_t id[8];

	(void)state;
	put("v1/cpu/cpu.shares", "1024");
	put("v1/cpuacct/cpuacct.usage", "0");
	put("v1/cpu/g/cpu.cfs_period_us", "100000");
	put("v1/cpu/g/cpu.cfs_quota_us", "-1");
	put("v1/cpu/g/job_7/cgroup.procs", "");
	put("v1/cpu/g/job_7/cpu.shares", "1024");
	put("v1/cpu/g/job_7/cpu.cfs_period_us", "100000");
	put("v1/cpu/g/job_7/cpu.cfs_quota_us", "-1");
	put("v1/cpuacct/slurm_n1/uid_0/job_7/cpuacct.usage", "777\n");
	cgroup_open(&c, at("v1"), "g", at("proc"), 6);
	assert_ptr_equal(c.ops, &cgroup_v1);
	assert_string_equal(c.lacks, "");
	put_process(21, "9:cpuset:/\n4:cpuacct:/slurm_n1/uid_0/job_7/step_0/task_0\n1:cpu:/\n", 1,
		    1, 1);
	assert_true(c.ops->join(&c, &place, 7, 21, why, sizeof(why)));
	assert_string_equal(place.dir, at("v1/cpu/g/job_7"));
	assert_string_equal(place.acct, at("v1/cpuacct/slurm_n1/uid_0/job_7"));
	assert_false(place.own_acct);
	assert_string_equal(get("v1/cpu/g/job_7/cgroup.procs"), "21");
	assert_string_equal(get("v1/cpu/g/cpu.cfs_quota_us"), "60000");
	assert_string_equal(get("v1/cpu/g/cpu.cfs_period_us"), "1000000");
	assert_true(written("v1/cpu/g/cpu.cfs_quota_us"));
	assert_true(c.ops->join(&c, &place, 7, 21, why, sizeof(why)));
	/* it would begin a new period, with all of it to be used once more */
	assert_false(written("v1/cpu/g/cpu.cfs_quota_us"));
	assert_true(c.ops->used(&place, &used));
	assert_int_equal(used, 777);
	assert_true(c.ops->weigh(&place, 0, 0));
	assert_string_equal(get("v1/cpu/g/job_7/cpu.shares"), "2");
	assert_string_equal(get("v1/cpu/g/job_7/cpu.cfs_quota_us"), "-1");
	assert_true(c.ops->weigh(&place, CGROUP_WHOLE / 2, 500));
	assert_string_equal(get("v1/cpu/g/job_7/cpu.shares"), "50000");
	assert_string_equal(get("v1/cpu/g/job_7/cpu.cfs_quota_us"), "1000"); /* the least */
	assert_int_equal(c.ops->found(&c, id, 8), 1);
	assert_int_equal(id[0], 7);
	/* no directory of Slurm's: one of ours, where the process goes, too */
	put("v1/cpuacct/g/job_7/cgroup.procs", "");
	put_process(22, "4:cpuacct:/\n1:cpu:/\n", 1, 1, 1);
	assert_true(c.ops->join(&c, &place, 7, 22, why, sizeof(why)));
	assert_true(place.own_acct);
	assert_string_equal(place.acct, at("v1/cpuacct/g/job_7"));
	assert_string_equal(get("v1/cpuacct/g/job_7/cgroup.procs"), "22");
	/* files are in the way of plain directories, so it is not gone; empty ones are */
	assert_false(c.ops->remove(&c, 7));
	assert_int_equal(unlink(at("v1/cpuacct/g/job_7/cgroup.procs")), 0);
	assert_int_equal(unlink(at("v1/cpu/g/job_7/cgroup.procs")), 0);
	assert_int_equal(unlink(at("v1/cpu/g/job_7/cpu.shares")), 0);
	assert_int_equal(unlink(at("v1/cpu/g/job_7/cpu.cfs_period_us")), 0);
	assert_int_equal(unlink(at("v1/cpu/g/job_7/cpu.cfs_quota_us")), 0);
	assert_true(c.ops->remove(&c, 7));
	assert_int_equal(access(at("v1/cpu/g/job_7"), F_OK), -1);
	assert_int_equal(access(at("v1/cpuacct/g/job_7"), F_OK), -1);
	assert_true(c.ops->remove(&c, 7)); /* nothing is there */
	assert_false(c.ops->clear(&c, false));
	assert_int_equal(unlink(at("v1/cpu/g/cpu.cfs_period_us")), 0);
	assert_int_equal(unlink(at("v1/cpu/g/cpu.cfs_quota_us")), 0);
	assert_true(c.ops->clear(&c, false));
	assert_int_equal(access(at("v1/cpu/g"), F_OK), -1);
	assert_int_equal(access(at("v1/cpu/cpu.shares"), F_OK), 0);
}

static void test_v2(void **state)
{
	struct cgroup c;
	struct cgroup_place place = { 0 }, was;
	uint64_t used;

	(void)state;
	put("v2/cgroup.controllers", "cpuset cpu io memory\n");
	put("v2/cpu/cpu.shares", "1024"); /* does not count */
	put("v2/system.slice/slurmstepd.scope/cpu.max", "max 100000");
	put("v2/system.slice/slurmstepd.scope/job_7/cpu.stat",
	    "nr_periods 1\nusage_usec 42\nuser_usec 1\n");
	put("v2/system.slice/slurmstepd.scope/job_7/cpu.max", "max 100000");
	put("v2/system.slice/slurmstepd.scope/job_70/step_0/cgroup.procs", "");
	cgroup_open(&c, at("v2"), "g", at("proc"), 50);
	assert_ptr_equal(c.ops, &cgroup_v2);
	put_process(31, "0::/system.slice/slurmstepd.scope/job_7/step_0/user/task_0\n", 1, 1, 1);
	was = place;
	assert_false(c.ops->join(&c, &place, 7, 31, why, sizeof(why)));
	assert_non_null(strstr(why, "cpu.weight"));
	assert_memory_equal(&place, &was, sizeof(place));
	assert_false(c.ops->join(&c, &place, 70, 31, why, sizeof(why))); /* of another job */
	assert_non_null(strstr(why, "Slurm has no directory job_70 for process 31"));
	put("v2/system.slice/slurmstepd.scope/job_7/cpu.weight", "100");
	assert_true(c.ops->join(&c, &place, 7, 31, why, sizeof(why)));
	assert_string_equal(place.dir, at("v2/system.slice/slurmstepd.scope/job_7"));
	assert_string_equal(get("v2/system.slice/slurmstepd.scope/cpu.max"), "500000 1000000");
	assert_true(written("v2/system.slice/slurmstepd.scope/cpu.max"));
	assert_true(c.ops->join(&c, &place, 7, 31, why, sizeof(why)));
	assert_false(written("v2/system.slice/slurmstepd.scope/cpu.max"));
	assert_true(c.ops->used(&place, &used));
	assert_int_equal(used, 42000);
	assert_true(c.ops->weigh(&place, CGROUP_WHOLE, 0));
	assert_string_equal(get("v2/system.slice/slurmstepd.scope/job_7/cpu.weight"), "10000");
	assert_string_equal(get("v2/system.slice/slurmstepd.scope/job_7/cpu.max"), "max 1000000");
	assert_true(c.ops->weigh(&place, 0, 250000));
	assert_string_equal(get("v2/system.slice/slurmstepd.scope/job_7/cpu.weight"), "1");
	assert_string_equal(get("v2/system.slice/slurmstepd.scope/job_7/cpu.max"),
			    "250000 1000000");
	put_process(32, "0::/user.slice\n", 1, 1, 1);
	assert_false(c.ops->join(&c, &place, 7, 32, why, sizeof(why)));
}

/* As here: version 2 beside version 1 without cpu; and nothing at all. */
static void test_neither(void **state)
{
	struct cgroup c;

	(void)state;
	put("none/cgroup.controllers", "hugetlb\n");
	cgroup_open(&c, at("none"), "g", at("proc"), 0);
	assert_null(c.ops);
	assert_non_null(strstr(c.lacks, "no cpu controller"));
	put("none/cpu,cpuacct/cpu.shares", "1024");
	cgroup_open(&c, at("none"), "g", at("proc"), 0);
	assert_null(c.ops);
	assert_non_null(strstr(c.lacks, "no cpuacct controller"));
	put("none/cpu,cpuacct/cpuacct.usage", "1");
	cgroup_open(&c, at("none"), "g", at("proc"), 0);
	assert_ptr_equal(c.ops, &cgroup_v1);
	assert_string_equal(c.cpu, c.acct);
}

static void test_cut(void **state)
{
	char path[100];

	(void)state;
	strcpy(path, "/a/job_70/job_7/step_1");
	assert_true(cgroup_cut(path, 7));
	assert_string_equal(path, "/a/job_70/job_7");
	assert_true(cgroup_cut(path, 70));
	assert_string_equal(path, "/a/job_70");
	assert_false(cgroup_cut(path, 7));
}

/* ---- kept ---- */

static void test_kept(void **state)
{
	struct parts parts = { .processors = 1, .rating = 1000 };
	char dir[100], text[TERMS_MAX];
	int64_t measured;
	uint32_t id[4];
	struct part *p;

	(void)state;
	snprintf(dir, sizeof(dir), "%s", at("run/n1"));
	assert_true(kept_make(dir, why, sizeof(why)));
	assert_false(kept_terms(dir, 7, text, why, sizeof(why)));
	assert_true(kept_set_terms(dir, 7, "1:100:60:900:1:share", why, sizeof(why)));
	put("run/n1/jobs/8.new", "half a f");
	assert_true(kept_terms(dir, 7, text, why, sizeof(why)));
	assert_string_equal(text, "1:100:60:900:1:share");
	assert_int_equal(kept_jobs(dir, id, 4), 1);
	assert_int_equal(id[0], 7);
	add(&parts, 7, 100, 60, 900, 1, "share");
	add(&parts, 8, 100, 60, 900, 1, "share");
	p = parts_find(&parts, 7);
	p->work = 4711;
	parts_find(&parts, 8)->work = 1;
	p->usage.used = 99;
	strcpy(p->place.dir, "/sys/fs/cgroup/cpu/g/job_7");
	p->usage.n = 1;
	p->usage.thread = calloc(1, sizeof(*p->usage.thread));
	p->usage.thread[0] = (struct proc_thread){ .tid = 5, .start = 6, .ran = 8, .delay = 7 };
	assert_true(kept_save(dir, &parts, "boot-1", 123456, why, sizeof(why)));
	parts_release(&parts);
	add(&parts, 7, 100, 60, 900, 1, "share");
	add(&parts, 8, 101, 60, 900, 1, "share"); /* another submission */
	assert_true(kept_load(dir, &parts, "boot-1", &measured));
	assert_int_equal(measured, 123456);
	p = parts_find(&parts, 7);
	assert_int_equal(p->work, 4711);
	assert_int_equal(parts_find(&parts, 8)->work, 0);
	assert_int_equal(p->usage.used, 99);
	assert_int_equal(p->usage.n, 1);
	assert_int_equal(p->usage.thread[0].ran, 8);
	assert_int_equal(p->usage.thread[0].delay, 7);
	assert_string_equal(p->place.dir, "/sys/fs/cgroup/cpu/g/job_7");
	assert_string_equal(p->place.acct, "");
	parts_release(&parts);
	/* after a boot only the work counts */
	add(&parts, 7, 100, 60, 900, 1, "share");
	assert_true(kept_load(dir, &parts, "boot-2", &measured));
	assert_int_equal(measured, 0);
	p = parts_find(&parts, 7);
	assert_int_equal(p->work, 4711);
	assert_int_equal(p->usage.n, 0);
	assert_string_equal(p->place.dir, "");
	put("run/n1/state", "pactd 2 something\n");
	assert_false(kept_load(dir, &parts, "boot-2", &measured));
	kept_remove(dir, 7);
	assert_int_equal(kept_jobs(dir, id, 4), 0);
	parts_release(&parts);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_terms),
		cmocka_unit_test(test_progress),
		cmocka_unit_test(test_unseen),
		cmocka_unit_test_setup_teardown(test_measure, make_top, remove_top),
		cmocka_unit_test_setup_teardown(test_stopped, make_top, remove_top),
		cmocka_unit_test(test_shares_random),
		cmocka_unit_test(test_weights),
		cmocka_unit_test_setup_teardown(test_v1, make_top, remove_top),
		cmocka_unit_test_setup_teardown(test_v2, make_top, remove_top),
		cmocka_unit_test_setup_teardown(test_neither, make_top, remove_top),
		cmocka_unit_test(test_cut),
		cmocka_unit_test_setup_teardown(test_kept, make_top, remove_top),
	};

	return seed_run("node", tests);
}
