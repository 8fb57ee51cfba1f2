/* SPDX-License-Identifier: GPL-2.0-or-later */
/* options: the command line of pactd(8). */
#ifndef PACT_NODE_OPTIONS_H
#define PACT_NODE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define OPTIONS_CONTROLLERS 4

struct options {
	const char *dir, *node, *group;
	const char *controller[OPTIONS_CONTROLLERS]; /* HOST[:PORT], in their order */
	size_t controllers;
	uid_t slurm_user;  /* whose answers count beside root's */
	const char *munge; /* munged's socket; NULL: the usual one */
	const char *cgroup_root;
	uint32_t interval, rating, processors;
	uint32_t cap; /* percent of one processor; 0: none */
	bool foreground, verbose;
	bool status, json; /* ask the one that runs */
};

enum options_result { OPTIONS_OK, OPTIONS_DONE, OPTIONS_WRONG };

/*
 * Read them; what is not given has its default. Texts are argv's, or static. OPTIONS_DONE: --help or --version were
 * printed; OPTIONS_WRONG: what is wrong was printed.
 */
enum options_result options_read(struct options *o, int argc, char **argv);

#endif
