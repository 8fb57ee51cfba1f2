/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * answers: what is wanted back, what the way answers to it, and what Slurm is told
 *
 * A wish has one answer of the way's, for what is due at a time. When it could not be told for the moment, the answer stays what
 * it is and is told after the next look.
 */
#ifndef PACT_ELASTIC_ANSWERS_H
#define PACT_ELASTIC_ANSWERS_H

#include <stdbool.h>

struct elastic;
struct answers;

/* RET NULL: out of memory */
struct answers *answers_create(void);
/* NULL is fine. */
void answers_destroy(struct answers *a);

/*
 * Ask the way about what is wanted, and tell Slurm.
 * IN looked - a look was just made: what could not be told before it is told again
 * RET whether nodes were given back
 */
bool answers_give(struct elastic *e, bool looked);

/* Behind a look: has the job nodes still that the program has left, and that are not wanted any more? They are its own again. */
bool answers_back(struct elastic *e);

/* Of some nodes those that the program has not left. RET to be freed; NULL: out of memory */
const char **answers_ours(const struct elastic *e, const char *const *nodes);

#endif
