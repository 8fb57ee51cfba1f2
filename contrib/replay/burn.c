/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * burn.c: see burn.h.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "common/number.h"
#include "contrib/replay/burn.h"
#include "node/proc.h"

/* Nanoseconds of our own between two looks at the group: a look is a thousandth of that. */
#define STRIDE INT64_C(2000000)

int64_t burn_time(double seconds, int64_t percent)
{
	return (int64_t)(seconds * 10000.0 * (double)percent);
}

static int fail(const char *what, const char *why)
{
	fprintf(stderr, "pact-replay: %s %s: %s\n", BURN_OPTION, what, why);
	return 1;
}

/* The last part of the path is job_ID: a group that pactd made for this job, and none of more than it. */
static bool is_of_job(const char *path)
{
	const char *id = getenv("SLURM_JOB_ID"), *slash = strrchr(path, '/');
	char name[32];

	snprintf(name, sizeof(name), "/job_%s", id ? id : "");
	return id && slash && !strcmp(slash, name);
}

/* Where the job's processor time on this node is counted. Both hierarchies may be one, under either name. */
static bool find_usage(char *file, size_t size)
{
	static const char *const mounts[] = { "cpuacct", "cpu,cpuacct", "cpuacct,cpu" };
	char path[256];

	if (!proc_group("/proc", getpid(), "cpuacct", path, sizeof(path)) || !is_of_job(path))
		return false;
	for (size_t i = 0; i < sizeof(mounts) / sizeof(mounts[0]); i++) {
		int n = snprintf(file, size, "/sys/fs/cgroup/%s%s/cpuacct.usage", mounts[i], path);

		if (n > 0 && (size_t)n < size && access(file, R_OK) == 0)
			return true;
	}
	return false;
}

static int64_t own_time(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

static void spin(int64_t nanoseconds)
{
	int64_t until = own_time() + nanoseconds;

	while (own_time() < until)
		;
}

int burn(const char *microseconds)
{
	int64_t wanted, used;
	char file[384], text[64];

	if (!number_int(microseconds, &wanted) || wanted < 0 || wanted > INT64_MAX / 1000)
		return fail(microseconds, "microseconds are wanted");
	wanted *= 1000;
	if (!find_usage(file, sizeof(file)))
		return fail(microseconds, "this job is in no control group of pactd, version 1");
	while (true) {
		if (proc_read(file, text, sizeof(text)) <= 0 ||
		    sscanf(text, "%" SCNd64, &used) != 1)
			return fail(file, "cannot be read");
		if (used >= wanted)
			return 0;
		spin(wanted - used < STRIDE ? wanted - used : STRIDE);
	}
}
