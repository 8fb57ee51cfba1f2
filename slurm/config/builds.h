/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * builds.h - is this slurmctld the one that the plugin was built for?
 *
 * Slurm compares the number of its release with that of the plugin's headers, and no more.  Headers of a
 * neighbour, or of a patched package, fit by their number, and every record is read and written beside
 * what stands there.  So it is looked at what the two builds have in common: the symbols, the sizes of
 * slurmctld's own variables and of its records, and where these have their magic numbers.
 *
 * Where anything differs one line in the log names both builds and the remedy, and from then on, until
 * slurmctld is restarted, no record is read or written, nothing is promised and nothing is planned.
 *
 * A job's record can be looked at when there is one: where only that differs, the first submission to a
 * slurmctld without jobs may be promised before; Slurm's scheduler starts it then, as all others.
 */
#ifndef PACT_SLURM_BUILDS_H
#define PACT_SLURM_BUILDS_H

#include <stdbool.h>

/*
 * What can be known without a record: before anything else of slurmctld is used, in a plugin's init().
 * IN who - the plugin, for the log
 * IN say - unless another plugin has said it
 * RET false: they differ
 */
bool builds_start(const char *who, bool say);

/*
 * A record of each kind that there is: nodes, partitions, jobs.  Called with slurmctld's read locks on
 * these three wherever records are about to be looked at; costs next to nothing, and nothing when one of
 * each has been seen.
 * RET false: they differ, or did before (logged once)
 */
bool builds_records(void);

/* The line, if they differ; else NULL.  Any thread, any lock. */
const char *builds_unfit(void);

/* Is a description what our headers say, in size? For builds_unfit(), when nothing else is sure. */
struct job_descriptor;
bool builds_readable(const struct job_descriptor *desc);

#endif /* PACT_SLURM_BUILDS_H */
