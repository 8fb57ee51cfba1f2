/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hypererlang_set: a workload by classes of widths (gang, section 2.1): for each class the first three moments
 * of its interarrival times and of its runtimes, and their Hyper-Erlang fits. Kept as text (see HYPERERLANG
 * SETS in pact-sim(1)); fitted to a log by hypererlang_log.h.
 */
#ifndef PACT_SIM_HYPERERLANG_SET_H
#define PACT_SIM_HYPERERLANG_SET_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "sim/models/hypererlang.h"

#define HYPERERLANG_MAX_CLASSES 1024

/* In seconds. */
struct hypererlang_times {
	double moment[HYPERERLANG_MOMENTS];
	struct hypererlang fit; /* its order is at most HYPERERLANG_MAX_DRAWN */
};

struct hypererlang_class {
	int32_t lo, hi;	     /* both in it; 1 <= lo <= hi */
	int64_t upper_micro; /* the chance to be as wide as hi; else the width is uniform in the class */
	struct hypererlang_times interarrival, runtime;
};

struct hypererlang_set {
	char *source;	    /* what it was made from, one line; "" if not known */
	int64_t nodes;	    /* size of that machine; 0: not known */
	int64_t load_micro; /* what a sample is to offer (model_hypererlang.c); 0: as it comes */
	struct hypererlang_class *class; /* in the order of their widths */
	size_t classes;
};

/* An empty one, and NULL when memory is short; the caller owns it. */
struct hypererlang_set *hypererlang_set_create(void);
void hypererlang_set_destroy(struct hypererlang_set *s);

/* Append a class. 0 or PACT_ENOMEM. */
int hypererlang_set_add(struct hypererlang_set *s, const struct hypererlang_class *class);

/*
 * Read a file of at most 64 MiB. 0, PACT_EINVAL (cannot be read, malformed, moments that cannot be fitted; why
 * names file and line) or PACT_ENOMEM; *s is NULL then, and otherwise the caller's.
 */
int hypererlang_set_read(const char *path, struct hypererlang_set **s, char *why, size_t size);

/* The same from text[0 .. length); name stands for the file in messages. */
int hypererlang_set_parse(const char *name, const char *text, size_t length,
			  struct hypererlang_set **s, char *why, size_t size);

/* The text of a built-in set and its length, or NULL: no such name. There is one, blue. */
const char *hypererlang_set_builtin(const char *name, size_t *length);

/* As text that hypererlang_set_read() reads to the same numbers, but for its first line. */
void hypererlang_set_write(const struct hypererlang_set *s, FILE *f);

/* Fit times for drawing: as hypererlang_fit(), and PACT_EINVAL above HYPERERLANG_MAX_DRAWN. */
int hypererlang_times_fit(struct hypererlang_times *t, char *why, size_t size);

#endif
