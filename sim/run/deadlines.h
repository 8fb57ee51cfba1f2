/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * deadlines: gives deadlines to the jobs of a workload, as QoPS, section 4.1 does and
 * doc/papers.md reads it. The jobs are first run under EASY, on the estimates that they have and
 * without a guard; then
 *
 *	deadline = arrival + max(estimate + guard, (1 - s) x EASY response time)
 *
 * for a fraction of them that the seed chooses. With exact estimates (workload_exact() before) and
 * no guard that is the paper's own formula. The share of the response time is rounded down to
 * seconds.
 *
 * Or by urgency, as LibraRisk, section 4 does: a share of the jobs is of high urgency, the others of low;
 *
 *	deadline = arrival + mean x (1 + z / 4) x runtime
 *
 * rounded up, with z standard normal, drawn again while |z| > 3, and for those of low urgency the mean times
 * the ratio (the paper's "deadline high:low ratio"), rounded down to millionths. Or by the estimate: arrival +
 * f x estimate, rounded up and at least a second, with f uniform between two bounds, in millionths.
 *
 * A slack, if given, is added to every deadline: against a real Slurm some time has passed
 * between a submission and the decision.
 *
 * Or they are read from a file, a line per job: "JOB,SECONDS", JOB its number in the workload and SECONDS
 * counted from its submission, whatever becomes of that, or "JOB,-" for none. Jobs that are not there have
 * none; jobs that the workload has not, or that stand there twice, are errors. Blank lines, lines that begin
 * with # and a first one that begins with "job," are not looked at.
 */
#ifndef PACT_SIM_DEADLINES_H
#define PACT_SIM_DEADLINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/workload/workload.h"

/* By what they are made; the first key that is of one of them alone says it. */
enum deadlines_by {
	DEADLINES_NOT_SAID, /* no such key: as by EASY, with s = 0 */
	DEADLINES_EASY,
	DEADLINES_URGENCY,
	DEADLINES_ESTIMATE,
};

struct deadlines {
	bool on;	  /* false: no job gets one */
	const char *file; /* of deadlines; NULL: made as above. Borrowed. */
	enum deadlines_by by;
	int64_t stringency_micro; /* s, in millionths, 0 .. 10^6 */
	int64_t urgency_micro;	  /* share of jobs of high urgency, in millionths */
	int64_t mean_micro;	  /* of deadline / runtime of these, in millionths, */
	int64_t ratio_micro;	  /* and what it is multiplied with for the others */
	int64_t low_micro;	  /* least factor of the estimate, in millionths, */
	int64_t high_micro;	  /* and the greatest */
	int64_t fraction_micro;	  /* share of jobs that get one, in millionths */
	int64_t relax_micro;	  /* R, for the scheduler's configuration; < 0: not given */
	int64_t slack;		  /* seconds; < 0: not given, which counts as 0 */
};

/*
 * Parse "none", "file:PATH" (all of the rest), or a list of "key:value" in any order, no key twice: one of
 * stringency:S, urgency:F (with mean:M and ratio:R, each 4 unless given, the paper's) and estimate:LOW-HIGH, which
 * is needed, and fraction:P (1 unless given), relax:R, slack:SECONDS. The text must live as long as *d. 0 or
 * PACT_EINVAL with the reason; *d is then "none".
 */
int deadlines_parse(const char *text, struct deadlines *d, char *why, size_t size);

/*
 * Change one key of it. Jobs have deadlines then; with mean or ratio alone a fifth of them is of high urgency.
 * 0, PACT_ENOENT (no such key) or PACT_EINVAL with the reason, which a key of another kind than the one
 * said is, too; no effect then.
 */
int deadlines_set(struct deadlines *d, const char *key, const char *value, char *why, size_t size);

/* The keys, NULL-terminated; and whether it is one of them. */
const char *const *deadlines_keys(void);
bool deadlines_has_key(const char *key);

/* Whether a text for deadlines_parse() is a list of keys. */
bool deadlines_is_list(const char *text);

/* Whether the estimates' guard has a part in them. */
bool deadlines_use_guard(const struct deadlines *d);

/*
 * Deadlines from a file: read it once all jobs of the source are there, and before any of them is left
 * out, moved or submitted once more. job[].deadline is seconds after the submission then, until
 * deadlines_assign(). Without a file nothing is done. 0; PACT_EINVAL (the file cannot be read or is malformed;
 * the reason names file and line) or PACT_ENOMEM.
 */
int deadlines_read(const struct deadlines *d, struct workload *w, char *why, size_t size);

/*
 * Set job[].deadline throughout (0: none). Without any that are asked for, those that the jobs came with (a model's)
 * are counted from their submission; else these are forgotten. Job by job in order, a draw below the fraction chooses
 * it: a larger fraction with the same seed chooses the same jobs and more. No job may be wider than the machine. 0 or
 * enum pact_err with the reason; no job has a deadline then.
 */
int deadlines_assign(const struct deadlines *d, struct workload *w, uint32_t nodes, int64_t guard,
		     uint64_t seed, char *why, size_t size);

struct rng;

/*
 * Seconds from the submission to a deadline by urgency or by the estimate, slack excluded: at least 1, at most
 * WORKLOAD_MAX_TIME. Two draws or more by urgency, one by the estimate.
 */
int64_t deadlines_draw(const struct deadlines *d, const struct sim_job *job, struct rng *rng);

#endif
