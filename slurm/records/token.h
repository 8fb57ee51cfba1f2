/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * token.h - the promise as it travels with a job, in AdminComment
 *
 * A promise is written into the job's AdminComment as one word without blanks,
 * beside whatever else stands there:
 *
 *	pact1(id=00f3a2b1c4d5e6f7,deadline=1763740800,limit=3600,state=promised)
 *
 * The digit after "pact" is the format's version.  A reader that meets a
 * higher version leaves the word alone and promises nothing for that job.
 * A malleable job has "own=8", too: on so many nodes it was promised.
 * When the job is over, "ended=kept" (at_limit, broken, cancelled, void) is added: then
 * its promise is in the books (judge.h), once.
 * Unknown fields of the same version are skipped, so fields can be added; whoever writes the token anew drops them,
 * so what must outlive a downgrade needs a higher version.
 *
 * Invariants:
 * - text made by token_format() is read back by token_parse() unchanged;
 * - a comment holds at most one token: token_put() replaces, token_remove()
 *   removes every one, and neither touches any other text;
 * - neither function ever fails on text that somebody else wrote.
 *
 * Plain C, no Slurm header: unit tested by itself.
 */
#ifndef PACT_SLURM_TOKEN_H
#define PACT_SLURM_TOKEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Longest token, with its final '\0'. */
#define TOKEN_MAX 160

enum token_state {
	TOKEN_PROMISED = 0, /* to be kept */
	TOKEN_EXPECTED =
		5, /* let in by its deadline, and nothing promised: it is late by its own limit */
	TOKEN_BROKEN = 10,    /* can no longer be kept; told, logged */
	TOKEN_WITHDRAWN = 20, /* held, or over a limit: nothing is promised */
};

struct token {
	uint64_t id;	  /* of the submission; never 0 */
	int64_t deadline; /* promised completion, seconds since the epoch */
	int64_t limit;	  /* seconds of run time promised, without guard */
	enum token_state state;
	int64_t own; /* of a malleable job: so many of its nodes are its own by that; 0: not told */
	const char *ended; /* what became of it, one of token_ended()'s; NULL: it is open */
};

enum token_rc {
	TOKEN_OK = 0,
	TOKEN_NONE = 1,	 /* no token in this text */
	TOKEN_NEWER = 2, /* a token of a later version */
	TOKEN_BAD = 3,	 /* looks like a token and is none: ignored */
};

/*
 * Write a token's text.
 * IN token - what to write, id must not be 0
 * OUT buf - at least TOKEN_MAX bytes
 */
void token_format(const struct token *token, char buf[TOKEN_MAX]);

/*
 * Find and read the first token in a comment.
 * IN comment - may be NULL
 * OUT token - zeroed first; filled only on TOKEN_OK
 * RET see enum token_rc
 */
enum token_rc token_parse(const char *comment, struct token *token);

/*
 * A copy of a comment with its token replaced, or appended after one blank.
 * IN comment - may be NULL
 * RET malloc()ed text, NULL when out of memory
 */
char *token_put(const char *comment, const struct token *token);

/*
 * A copy of a comment with its token replaced by that of another one, as it stands there, of whatever version;
 * without one when that has none.
 * IN comment, from - may be NULL
 * RET malloc()ed text, NULL when out of memory
 */
char *token_carry(const char *comment, const char *from);

/*
 * A copy of a comment without any token, and without the blank before it.
 * IN comment - may be NULL
 * RET malloc()ed text, possibly empty, NULL when out of memory
 */
char *token_remove(const char *comment);

/* Is there a promise that is neither withdrawn nor over?  Not for a token of id 0. */
bool token_binds(const struct token *token);

/* Was it let in without a promise, and is it not over?  Not for a token of id 0. */
bool token_expects(const struct token *token);

/* The word for what became of a promise as the tokens have it, static; NULL: it is none. */
const char *token_ended(const char *word);

/* A state's name as it stands in the token, never NULL. */
const char *token_state_name(enum token_state state);

#endif /* PACT_SLURM_TOKEN_H */
