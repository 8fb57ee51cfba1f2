/* SPDX-License-Identifier: GPL-2.0-or-later */
/* options: pact-elastic's command line. */
#ifndef PACT_ELASTIC_OPTIONS_H
#define PACT_ELASTIC_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

/* pact-elastic's own failures, as timeout(1) and env(1) have them: beside the exit codes of commands. */
#define EXIT_ELASTIC 125

#define SRUN_OPTIONS 32

#define NOTICE 60 /* of a site that has not said otherwise */

struct options {
	uint32_t job;	/* 0: SLURM_JOB_ID's */
	int64_t notice; /* seconds; 0: the library's, NOTICE */
	bool quiet;
	/* One of three: */
	char **command; /* one on each node, NULL-terminated */
	const char *hook;
	const char *charm; /* HOST:PORT of charmrun's CCS server */
	/* With a command: */
	const char *srun[SRUN_OPTIONS + 1];
	int64_t restarts; /* of a command that has failed, on each node */
	/* With Charm++: */
	const char *nodelist;
	int64_t pes; /* on each node */
};

/* Read it. True: go on. False: *status is the exit code, all has been said. */
bool elastic_options(int argc, char **argv, struct options *o, int *status);

#endif
