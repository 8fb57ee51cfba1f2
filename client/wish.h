/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wish.h - what is wanted of a running job's nodes, as it stands in its AdminComment, and the job's "not now"
 *
 * A wish is one word without blanks, beside the promise and whatever else stands there:
 *
 *	pactwish1(serial=3,width=8,by=1763740800,leave=n[09-16])
 *
 * The digit after "pactwish" is the format's version: a word of another one is no wish to this reader. Unknown keys
 * before leave= are skipped, so that keys can be added. Of nodes that were asked for at several times the first are due
 * at `by`, and the others each by their own, with '+' where their list has a comma (a reader without the key gives them
 * back by the first time, too):
 *
 *	pactwish1(serial=4,width=6,by=1763740800,later=1763740830:n[11+13-14],leave=n[09-14])
 *
 * The answer "not now" is a comment of its own:
 *
 *	pactwish1(serial=3,refused)
 *
 * Invariants:
 * - what wish_format() makes is read back by wish_parse() unchanged, likewise the answer;
 * - wish_put() and wish_remove() touch no other text, nor a wish of another version;
 * - whatever the text, nothing is read beyond it, and nothing that was read is longer than WISH_LEAVE_MAX.
 *
 * Plain C, no Slurm header: the bridge writes wishes, the job's side reads them.
 */
#ifndef PACT_CLIENT_WISH_H
#define PACT_CLIENT_WISH_H

#include <stddef.h>
#include <stdint.h>

/* The longest `leave`, with its final '\0': thousands of nodes that have no two numbers in a row. */
#define WISH_LEAVE_MAX 65536
/* The longest answer, with its final '\0'. */
#define WISH_ANSWER_MAX 64

/* So many times beside the first. */
#define WISH_LATER_MOST 8

/* Nodes of those to be given back that may be kept longer. */
struct wish_later {
	int64_t by;  /* seconds since the epoch, at least 1 */
	char *nodes; /* hostlist */
};

struct wish {
	int64_t serial; /* grows by one with each wish to that job, from 1 on */
	int64_t width;	/* nodes that the job is to have, at least 1 */
	int64_t by; /* seconds since the epoch, for what is due first; 0: at once, they are gone already */
	size_t laters;
	struct wish_later later[WISH_LATER_MOST];
	char *leave; /* hostlist as Slurm writes it, of the nodes to be given back; "": it grew. NULL: no wish */
};

enum wish_rc {
	WISH_OK = 0,
	WISH_NONE = 1,	/* no wish in this text, or one of another version */
	WISH_BAD = 2,	/* looks like a wish and is none: to be ignored */
	WISH_NOMEM = 3, /* out of memory */
};

/*
 * Write a wish.
 * IN wish - numbers within their bounds, leave a hostlist (wish_hosts()) or "", the lists of those that are due later hostlists
 * RET malloc()ed text; NULL when the wish is none, or out of memory
 */
char *wish_format(const struct wish *wish);

/*
 * Find and read the first wish of this version in a comment.
 * IN comment - may be NULL
 * OUT wish - zeroed first; filled only on WISH_OK, then to be released by wish_clear()
 * RET see enum wish_rc
 */
enum wish_rc wish_parse(const char *comment, struct wish *wish);

/* Release what wish_parse() filled in, and zero it. A zeroed one is fine. */
void wish_clear(struct wish *wish);

/*
 * A copy of a comment with its wishes of this version replaced by this one, appended after one blank.
 * IN comment - may be NULL
 * RET malloc()ed text; NULL when the wish is none, or out of memory
 */
char *wish_put(const char *comment, const struct wish *wish);

/*
 * A copy of a comment with its wishes of this version replaced by the one of another comment, or without any when that has
 * none, appended as by wish_put().
 * IN comment, from - may be NULL
 * RET malloc()ed text, possibly empty; NULL when out of memory
 */
char *wish_carry(const char *comment, const char *from);

/*
 * A copy of a comment without any wish of this version, and without the blank before it.
 * IN comment - may be NULL
 * RET malloc()ed text, possibly empty; NULL when out of memory
 */
char *wish_remove(const char *comment);

/* Could this be a list of nodes as Slurm writes it (n1,n[3-5,07]), shorter than WISH_LEAVE_MAX? Not NULL, not "". */
int wish_hosts(const char *text);

/* Write "not now" to the wish of that serial, at least 1. */
void wish_refusal_format(int64_t serial, char buf[WISH_ANSWER_MAX]);

/*
 * Is this comment, as a whole, "not now" to a wish?
 * IN comment - may be NULL
 * OUT serial - of the wish; 0 unless WISH_OK
 * RET WISH_NONE: a comment about something else; WISH_BAD: it begins like an answer of this version and is none
 */
enum wish_rc wish_refusal_parse(const char *comment, int64_t *serial);

#endif /* PACT_CLIENT_WISH_H */
