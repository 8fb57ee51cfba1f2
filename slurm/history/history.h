/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * history.h - decisions and outcomes in a database, for longer than the ledger keeps them
 *
 * Off unless pact.conf says History=FILE.  The thread that decides only puts a copy into
 * a queue of bounded length (a lock for a few instructions, no I/O); a thread of
 * its own writes them into an sqlite database in WAL mode with synchronous=NORMAL:
 * a kill -9 loses at most what was in the queue, a power failure the latest
 * commits, neither the database.  It is bounded by age and by size: the oldest go first.
 *
 * The books balance: what was accepted (its tasks) is kept, at_limit, broken, cancelled,
 * withdrawn, unknown or still open.  An acceptance that left no job becomes void.  What a
 * slurmctld that was killed has not told is found by its next life (history_check()); what
 * it tells twice is written once, by the promise's number.
 *
 * A database that is full, read-only or cannot be opened is told once, in the log
 * and in the status, and tried again later; meanwhile what comes is counted as
 * lost.  So is what comes when the queue is full because the disk hangs.  A corrupt one is renamed
 * to FILE.corrupt, and a new one begun.
 *
 * Plain C and sqlite3, no Slurm header: unit tested by itself.
 */
#ifndef PACT_SLURM_HISTORY_H
#define PACT_SLURM_HISTORY_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "slurm/history/ledger.h"

#define HISTORY_WHY 256
/* Entries that may wait to be written: about 4 MB. */
#define HISTORY_QUEUE 4096
/* Rows that are read for one answer of the socket at most: a client asks for page after page. */
#define HISTORY_PAGE 10000

struct history_settings {
	const char *file; /* NULL or "": none is kept */
	int64_t age;	  /* seconds for which an entry is kept */
	int64_t size;	  /* bytes of the database; its log takes up to 4 MiB more */
	int64_t retry;	  /* seconds until a database that has failed is tried again */
	int64_t hangs;	  /* seconds that a write takes when its disk hangs; then nothing is read */
	/* One line for the log; from any thread. */
	void (*say)(bool bad, const char *text);
};

struct history_status {
	bool on;
	char file[PATH_MAX];
	int64_t bytes;		   /* of the database, by the latest commit */
	uint64_t written, lost;	   /* entries since slurmctld started */
	char trouble[HISTORY_WHY]; /* why nothing is written now; "": it is */
};

/* A promise that slurmctld's records have, and so many tasks of it. */
struct history_live {
	uint64_t promise;
	uint32_t tasks;
};

/* What is to be done with an entry. */
enum history_op {
	HISTORY_ADD,   /* written, unless it is an outcome that is there */
	HISTORY_BIND,  /* the acceptance of that promise gets job, base, task, account, partition */
	HISTORY_VOID,  /* it left no job */
	HISTORY_CHECK, /* all but the live ones are over: what became of them is unknown */
	HISTORY_LEARN, /* what a job needed, in `past`; no decision or outcome */
	HISTORY_RESIZE, /* of a running job, in `resize`; likewise */
};

/* What became of a running job's nodes once, and what that cost. */
struct history_resize {
	int64_t row;  /* its number in its table; 0: it has none yet */
	int64_t when; /* it was done, or refused */
	uint32_t job, uid;
	const char *account, *partition;
	const char *what; /* a word of history_resize_word() */
	const char *by; /* that asked for it: "scheduler", "job" (or its user), "operator", or "" */
	uint32_t was, has; /* nodes, before and after */
	uint32_t wanted;   /* nodes that it was to have, where the scheduler asked; else 0 */
	uint32_t for_job;  /* it was called in for this one; 0: none, or that is not known */
	int64_t asked;	   /* when; 0: nothing was asked, or that is not known */
	int64_t notice;	   /* seconds that it was given */
	bool not_now;	   /* the job answered that it would rather not */
	int64_t held;	   /* microseconds of slurmctld's locks that it took; 0: none of Pact's */
};

/* What a job that has ended needed of its limit (RiskLimit, slurm/state/learned.h). */
struct history_past {
	int64_t when;
	uint32_t uid;  /* Slurm's NO_VAL: not known */
	int64_t limit; /* seconds */
	int32_t part;  /* of that, in millionths, */
	bool cut;      /* or more: it was ended before it was done */
	int64_t life;  /* which core has learned it */
	char partition[LEDGER_NAME];
};

struct history_pasts {
	struct history_past *v; /* the earliest first; free() it */
	size_t n;
};

/* So many of the latest are kept, and read. */
#define HISTORY_PAST_MOST 65536

/* One decision or outcome; texts are "" and numbers 0 where there is none. */
struct history_entry {
	enum history_op op;
	int64_t row; /* its number in the database; 0: it has none yet */
	int64_t when;
	const char *what; /* a word of history_word() */
	/* Outcomes, and acceptances whose job was seen; task: of an array, else Slurm's NO_VAL. */
	uint32_t job, base, task;
	uint32_t uid;
	const char *account, *partition;
	int64_t deadline, limit, start, end, late;
	int64_t nodes, tasks; /* tasks: 0 is one */
	/* text: of a decision; of an outcome of many tasks which (ledger.h) */
	const char *reference, *reason, *text;
	uint64_t promise; /* the token's id; 0: none, or from before it was kept */
	const struct history_live *live;
	size_t nlive;
	const struct history_past *past;
	const struct history_resize *resize;
};

struct history_filter {
	int64_t since, until;	    /* inclusive; 0: unbounded */
	int64_t uid;		    /* -1: any */
	int64_t job;		    /* its record, or its array; 0: any */
	const char *account, *what; /* NULL: any */
	const char *reference;	    /* of a decision; NULL: any */
	int64_t before;		    /* older than that row; 0: any */
};

/* RET false: no more are wanted */
typedef bool history_visit(void *arg, const struct history_entry *entry);
typedef bool history_resize_visit(void *arg, const struct history_resize *resize);

/* Other settings from now on; the file is opened by history_open(), or when there is something to write.  Blocks on nothing. */
void history_configure(const struct history_settings *settings);

/*
 * Have the thread that writes open the file, that has not been yet, so that what is wrong with it is told before the
 * first entry is lost; one that could not be opened is tried again after `retry`.  Blocks on nothing.
 */
void history_open(void);

/* A decision as an entry; texts are the decision's. */
struct history_entry history_entry_of(const struct ledger_decision *decision);

/* An outcome as an entry of that time; texts are the outcome's. */
struct history_entry history_entry_of_end(const struct ledger_outcome *outcome, int64_t when);

/* What ledger_decided() and ledger_ended() got.  Block on nothing. */
void history_decided(const struct ledger_decision *decision);
void history_ended(const struct ledger_outcome *outcome, int64_t when);

/* The record of an accepted submission has shown up: whose job it is.  Blocks on nothing. */
void history_bound(uint64_t promise, const struct ledger_job *job, uint32_t base, uint32_t task);

/* An accepted submission left no job: Slurm refused it, or it was only asked for. */
void history_void(uint64_t promise);

/*
 * The first look at slurmctld's records: promises of earlier lives that these do not have, and of
 * which no outcome was written, get one: unknown.  Outcomes of what they do have still are taken
 * back: slurmctld was killed before it had saved them.
 * IN live - copied
 */
void history_check(const struct history_live *live, size_t nlive);

/* What a job needed.  Blocks on nothing. */
void history_learned(const struct history_past *past);

/* What became of a job's nodes; its texts are copied.  Blocks on nothing. */
void history_resized(const struct history_resize *resize);

/*
 * Have the thread that writes read all of that which is kept, what is queued by now included.  Blocks on
 * nothing.
 */
void history_past_ask(void);

enum history_reading {
	HISTORY_READING, /* not yet */
	HISTORY_READ,	 /* *out has it */
	HISTORY_UNREAD, /* it cannot be read now: the log says why; or nothing is kept, or was asked for */
};
/* What was asked for last, once. */
enum history_reading history_past_take(struct history_pasts *out);

void history_look(struct history_status *out);

/*
 * Entries, the latest first, by a connection of the caller's own.
 * IN most_ms - gives up after so many milliseconds
 * OUT complete - all of them were visited, or `visit` wanted no more
 * OUT why - when false is returned
 * RET false: none is kept, or it cannot be read
 */
bool history_find(const struct history_filter *filter, int64_t most_ms, history_visit *visit,
		  void *arg, bool *complete, char why[HISTORY_WHY]);

/* Likewise resizes; a filter's `what` is one of their words, there are no references. */
bool history_find_resizes(const struct history_filter *filter, int64_t most_ms,
			  history_resize_visit *visit, void *arg, bool *complete,
			  char why[HISTORY_WHY]);

/* What one row adds to the summary: to the line of a user with an account in a month. */
struct history_share {
	int month; /* 202611, local time */
	uint32_t uid;
	const char *account;
	const char *what;   /* a word of history_word() */
	const char *reason; /* of "refused"; else "" */
	int64_t tasks;
	int64_t open;  /* promises more (or, below 0, fewer) of which nothing has become yet */
	bool ran;      /* kept, at_limit or broken: */
	int64_t slack; /* seconds of each task, below 0: late */
};

/* Behind which row a part begins; row 0: with the first one. */
struct history_part {
	int64_t when, row;
};

typedef void history_share_visit(void *arg, const struct history_share *share);
typedef bool history_sees(void *arg, uint32_t uid, const char *account, const char *partition);

/*
 * A part of the summary, the oldest rows first.  A promise with
 * all that became of it belongs to the month, user, account and partition of its first acceptance
 * that is still kept, so that the books balance in each line: accepted is the sum of the outcomes
 * and "open".  An outcome without its acceptance is left out.  Those of a database of version 1 are
 * not tied to each other: each counts when it was written, and none as open.
 * IN filter - since and until are of the first acceptance, or of a refusal; no job, what, reference
 * IN/OUT part - the latest row that was read: where the next part begins
 * IN most_rows - that are read, whether they count or not
 * IN sees - whose rows count; NULL: everybody's
 * OUT complete - false: there may be more rows, or it took too long; what was visited counts
 * Else as history_find().
 */
bool history_sum(const struct history_filter *filter, struct history_part *part, int64_t most_rows,
		 int64_t most_ms, history_sees *sees, history_share_visit *visit, void *arg,
		 bool *complete, char why[HISTORY_WHY]);

/* Has a write been at work for so long that the disk seems to hang? */
bool history_hangs(void);

/*
 * Is it one of the words of `what`?  They are, of decisions: accepted, expected (let in, nothing
 * promised), refused, observed (would have been refused), void (accepted, and no job came of it); of outcomes: kept, at_limit, broken,
 * cancelled, withdrawn, unknown.
 */
bool history_word(const char *what);
/*
 * One of a resize?  grown; given_back (asked for, or not); taken (at once, or as the notice was over); lost (nothing asked
 * for it: a node failed under --no-kill); revoked (what it was asked for it may keep); refused (by Slurm: nothing was done).
 */
bool history_resize_word(const char *what);
/* One of an outcome? */
bool history_outcome(const char *what);

/*
 * The end: what is queued is written, the thread ends; unless the disk hangs, which is waited
 * for 5 s and no longer (patience.h).  No lock held.
 */
void history_stop(void);

#endif /* PACT_SLURM_HISTORY_H */
