/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * answers: what simulated jobs do when they are asked, with notice, to give nodes back: how soon they do, and how often they do
 * not, so that the nodes are taken when the notice is over (--answers).
 */
#ifndef PACT_SIM_RUN_ANSWERS_H
#define PACT_SIM_RUN_ANSWERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rng;

/* A job that gives nothing back. */
#define ANSWER_NEVER INT64_C(-1)

struct answers {
	bool on;	      /* something was said */
	int64_t low, high;    /* seconds after it was asked, each as likely; 0: at once */
	int64_t refuse_micro; /* the part of the requests that are refused, by the seed */
	uint64_t seed;
};

/* At once, and always. */
void answers_init(struct answers *a);

/*
 * A list of keys: time:SECONDS or time:LOW-HIGH (whole seconds, default 0), refuse:P (0 to 1, default 0). 0 or PACT_EINVAL with
 * the reason, which names key and value; *a is the default then.
 */
int answers_parse(const char *text, struct answers *a, char *why, size_t size);

/* Seconds after which one of them gives back what it is asked for, or ANSWER_NEVER. Two draws each. */
int64_t answers_draw(const struct answers *a, struct rng *rng);

#endif
