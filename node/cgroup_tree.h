/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cgroup_tree: where the processes of a job are, what weight they have, and what they have used: the kernel's
 * control groups, of version 1 or 2, behind one struct of functions.
 *
 * Version 1: each job has a group of ours, ROOT/cpu/GROUP/job_ID, into which processes are moved; Slurm has none
 * there. Version 2: a process has one place for all controllers, which is Slurm's; so none is moved, and what is
 * written is the weight of Slurm's own directory of the job.
 */
#ifndef PACT_NODE_CGROUP_TREE_H
#define PACT_NODE_CGROUP_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define CGROUP_PATH 384
#define CGROUP_WHOLE 100000u   /* weights are of this much: all processors of the node */
#define CGROUP_PERIOD 1000000u /* of quotas: a second, the kernel's longest, is the most precise */

/* Where a job is. Zeroed: none of its processes has joined yet. */
struct cgroup_place {
	char dir[CGROUP_PATH];	/* processes, weight, quota */
	char acct[CGROUP_PATH]; /* processor time used */
	bool own_acct; /* version 1: that directory is ours, and processes are moved into it */
};

struct cgroup {
	const struct cgroup_ops *ops; /* NULL: there is no version that we can use, see lacks */
	char root[CGROUP_PATH];
	char cpu[CGROUP_PATH];	/* version 1: the mount point that has cpu.shares */
	char acct[CGROUP_PATH]; /* the one that has cpuacct.usage; "": none */
	char group[128];	/* version 1: our group in there */
	char proc[64];		/* /proc, but in tests */
	uint32_t cap;		/* percent of one processor for all jobs together; 0: no cap */
	char lacks[160];	/* for people; "": nothing */
};

struct cgroup_ops {
	const char *name; /* "v1", "v2" */
	/* The process belongs to the job; *place is filled in. False: it does not, see why. */
	bool (*join)(const struct cgroup *c, struct cgroup_place *place, uint32_t id, pid_t pid,
		     char *why, size_t size);
	/* weight: of CGROUP_WHOLE. quota: microseconds in CGROUP_PERIOD, 0: none. False: see errno. */
	bool (*weigh)(const struct cgroup_place *place, uint32_t weight, uint32_t quota);
	/* Processor time used so far, nanoseconds. False: there is no such counter (any more). */
	bool (*used)(const struct cgroup_place *place, uint64_t *nanoseconds);
	/* Has the process been halted with its control group, as Slurm does with the jobs that it suspends? */
	bool (*frozen)(const struct cgroup *c, pid_t pid);
	/* The job is over: take away what is ours. False: not yet, its processes are still there. */
	bool (*remove)(const struct cgroup *c, uint32_t id);
	/* No job is left: the same for what all have in common. evict: processes that linger go where they came from. */
	bool (*clear)(const struct cgroup *c, bool evict);
	/* Jobs that have something of ours. RET how many were written to id[0 .. most). */
	size_t (*found)(const struct cgroup *c, uint32_t *id, size_t most);
};

extern const struct cgroup_ops cgroup_v1, cgroup_v2;

/* Called for each process. False: stop. */
typedef bool cgroup_visit(void *arg, pid_t pid);

/* Each process in the place, in groups below it as well. False: the visitor said so. */
bool cgroup_processes(const char *dir, cgroup_visit *visit, void *arg);

/* Is the text in the file ROOT GROUP/NAME? GROUP begins with a slash. */
bool cgroup_says(const char *root, const char *group, const char *name, const char *what);

/* Write a text to DIR/NAME. False: see errno. */
bool cgroup_write(const char *dir, const char *name, const char *text);

/*
 * The same, if DIR/NAME does not say so already. For quotas: whenever one is written, even the same, the kernel begins
 * its period anew, and the group is given all of it once more.
 */
bool cgroup_keep(const char *dir, const char *name, const char *text);

/* Cut "/slurm_n1/uid_0/job_7/step_0" behind job_7. False: it has no such part. */
bool cgroup_cut(char *path, uint32_t id);

/* Put "A/B" into out. False: it does not fit. */
bool cgroup_join_path(char *out, size_t size, const char *a, const char *b);

#endif
