/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * recorder.h - what the bridge says to the core, written down (doc/formats.md, "Recordings")
 *
 * Off unless pact.conf says Record=on, or an operator `pact record on`, which holds until Record= is
 * another one, or slurmctld is restarted.  The lines
 * of events and actions are made in the thread that calls the core, with the
 * bridge's mutex held, and put into a queue; a thread of its own writes them into
 * files of RecordDir, of which it keeps RecordFiles.  No I/O is done under the mutex.
 * When the queue is full (a disk that is slower than the plan) or a file cannot be
 * written, the recording stops, the log says so, and scheduling goes on; a
 * reconfiguration or `pact record on` begins anew.
 *
 * Each file begins with all that the core knows: when the recording begins, and
 * when a file has RecordSize, at most every 30 s.  It is copied with the mutex held,
 * and made into lines by the thread that writes.
 */
#ifndef PACT_SLURM_RECORDER_H
#define PACT_SLURM_RECORDER_H

#include <limits.h>

#include "slurm/state/bridge.h"

#define RECORDER_WHY 256

struct recorder_status {
	bool wanted;		    /* by pact.conf, or by what was asked for since */
	bool recording;		    /* what happens now is written */
	char file[PATH_MAX];	    /* at work; "": none */
	int64_t bytes;		    /* of it */
	char stopped[RECORDER_WHY]; /* why, with wanted and not recording; "": it begins soon */
};

/* What an operator has asked for. */
struct recorder_wish {
	bool asked; /* something, that is */
	bool on;
	bool instead_of; /* Record=on of pact.conf, by which it holds */
};

/* pact.conf was read: a new file begins; what was asked for ends if Record= is another one.  With the mutex. */
void recorder_configure(const struct conf *conf);

/*
 * Begin or end, whatever pact.conf says; one that has stopped begins anew.
 * With the mutex.
 * OUT why - one line, when false is returned
 * RET false: pact.conf has no RecordDir
 */
bool recorder_want(bool on, char why[RECORDER_WHY]);

/* What is asked for; and to ask for it in another process (handover.h), if Record= is as it was.  With the mutex. */
void recorder_wish(struct recorder_wish *out);
void recorder_resume(const struct recorder_wish *wish);

/* How it stands.  With the mutex. */
void recorder_look(struct recorder_status *out);

/*
 * The core is at rest (drained, or new): begin a file where one is due.  With the
 * mutex; b->core may be NULL.
 */
void recorder_rest(struct bridge *b);

/* The core is about to be destroyed.  With the mutex. */
void recorder_forget(void);

/* Which job the core's id is.  With the mutex. */
void recorder_note(uint64_t core, uint64_t key);

/*
 * Which user it belongs to, with RecordUsers=on.  The name is looked up by the thread that writes, which
 * may take its time.  With the mutex.
 */
void recorder_note_user(uint64_t core, uint32_t uid);

/*
 * The end: what is queued is written, the thread ends; unless the disk hangs, which is waited
 * for 5 s and no longer (patience.h): nothing is recorded again before it answers.  Without
 * the mutex.
 */
void recorder_stop(void);

#endif /* PACT_SLURM_RECORDER_H */
