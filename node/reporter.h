/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reporter: the thread that sends reports to the controllers, the first that answers, and takes what they answer. Nobody
 * waits for it: of reports that it has not come to, the last one counts. A controller that is away, or whose
 * answers cannot be believed, is told in the log when that begins, when the reason is another, and when it ends.
 */
#ifndef PACT_NODE_REPORTER_H
#define PACT_NODE_REPORTER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct reporter;

struct reporter_options {
	const char *const *controller; /* HOST[:PORT]; kept by the caller, as all texts */
	size_t n;
	uid_t slurm_user;
	const char *munge;
	int wake; /* an eventfd to be written when there is an answer */
};

/* NULL: no controllers, or no thread. */
struct reporter *reporter_start(const struct reporter_options *o);

/* Takes the text over; NULL is fine, and so is no reporter. */
void reporter_send(struct reporter *r, char *text);

/* The next answer, to be freed; NULL: none. */
char *reporter_answer(struct reporter *r);

/* Where the last report went to, or why it went nowhere. */
void reporter_state(struct reporter *r, char *text, size_t size);

#endif
