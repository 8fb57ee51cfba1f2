/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * malleable_option: what sbatch's and salloc's --malleable=KEY:VALUE,... and --value= say, one reading for the option
 * itself (spank_pact) and for slurmctld, which it comes to with the job.
 *
 * A key is given once at most:
 *	speedup:W=S/W=S...	so many nodes are so fast together, in nodes: 4=3.5/8=6.2; without it n nodes are n times as fast
 *	grace:SECONDS		the notice that it wants before nodes are taken from it; without it that of pact.conf
 */
#ifndef PACT_COMMON_MALLEABLE_OPTION_H
#define PACT_COMMON_MALLEABLE_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MALLEABLE_KEYS "speedup:NODES=SPEED/..., grace:SECONDS"
/* Pairs of a speedup, twice as many numbers. */
#define MALLEABLE_PAIRS 16
#define MALLEABLE_GRACE_MOST 86400
/* The most that an end can be worth, in millionths. */
#define MALLEABLE_VALUE_MOST (INT64_C(1000000000) * 1000000)

struct malleable_option {
	int64_t grace; /* seconds; 0: not said */
	uint32_t
		n; /* numbers in speedup: pairs of a width and a speed, in millionths of one node's */
	int64_t speedup[2 * MALLEABLE_PAIRS];
};

/*
 * IN text - NULL, "" and Slurm's "(null)" say nothing
 * OUT why - one line that names key and value, when it is false
 */
bool malleable_option_read(const char *text, struct malleable_option *out, char *why, size_t size);

/* The same of --value: what the job's end is worth at best, in millionths. It has to say something. */
bool malleable_value_read(const char *text, int64_t *out, char *why, size_t size);

#endif
