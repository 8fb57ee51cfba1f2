/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * words: what Slurm says beside its error code.
 *
 * When a submission is refused, slurmctld sends the plugin's text along, and libslurm (22.05, while
 * it unpacks RESPONSE_SLURM_RC_MSG) writes it to its log and drops it: the caller gets an error
 * number only. libslurm's log is the standard error unless told otherwise, by functions that are
 * not public. So the standard error points to a memory file around each call, and is read back from
 * there. The program itself is single-threaded.
 */
#ifndef PACT_REPLAY_WORDS_H
#define PACT_REPLAY_WORDS_H

#include <stdbool.h>
#include <stddef.h>

struct words;

/* NULL with errno set: no memory file or no memory. */
struct words *words_create(void);
void words_destroy(struct words *w);

/* From here on the standard error is caught. What was caught before is forgotten. */
void words_begin(struct words *w);
/*
 * The standard error is itself again. Returns what was caught, without the "program: error: "
 * before each line, lines joined by "; ", owned by `w` until the next words_begin(); "" if there
 * was nothing.
 */
const char *words_end(struct words *w);

/* A refusal by Pact's plugin? */
bool words_refused(const char *text);

/* Does the text say that only AdmissionMode=observe let the job in? Nothing is promised then. */
bool words_observed(const char *text);

/*
 * The kind of a refusal, for counting: the text without its prefix, up to its first ';' or '(', and
 * with every word that has a digit in it as N ("1 node" as "N nodes"), so that two refusals of one
 * kind give the same kind.
 */
void words_kind(const char *text, char *buf, size_t size);

#endif /* PACT_REPLAY_WORDS_H */
