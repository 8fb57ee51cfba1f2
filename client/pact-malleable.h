/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pact-malleable.h - the job's side of a malleable Slurm job: which nodes it has, which of them are wanted back and by
 * when, and its answer
 *
 * A program looks now and then (pact_malleable_pause() tells when the next look is due), and asks what is wanted. It
 * answers each wish once: pact_malleable_give() when nothing of its own runs on the nodes any more, or
 * pact_malleable_refuse(). Nodes that a job gets, or loses, need no answer: the next look shows them.
 *
 * Invariants:
 * - no function exits, prints, or leaves anything behind in the process. Slurm is asked by a program of its own,
 *   which a function starts and waits for, at most PACT_MALLEABLE_PATIENCE seconds; libslurm is not linked;
 * - rights are the user's: of a job that is not his, Slurm tells little and changes nothing;
 * - a function that fails changes nothing, and pact_malleable_error() has one line about it;
 * - what a function returns as text belongs to the handle, until the next pact_malleable_look() or _close().
 *
 * A handle is for one thread at a time. A program that waits for any child (wait()) may take the answer's process
 * away, and gets the answer all the same.
 */
#ifndef PACT_MALLEABLE_H
#define PACT_MALLEABLE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Seconds that one call takes at most. */
#define PACT_MALLEABLE_PATIENCE 30

enum pact_malleable_rc {
	PACT_MALLEABLE_OK = 0,
	PACT_MALLEABLE_INVALID = 10, /* an argument is none; nothing was asked */
	PACT_MALLEABLE_AGAIN = 20,   /* Slurm could not be asked, or has no time now: later */
	PACT_MALLEABLE_GONE = 30,    /* there is no such job, or it does not run */
	PACT_MALLEABLE_REFUSED =
		40, /* Slurm, or the site, does not allow it: it will not later, either */
	PACT_MALLEABLE_NOMEM = 50,
};

struct pact_malleable;

/* Nodes that are wanted back by one time. */
struct pact_malleable_due {
	int64_t by;	   /* seconds since the epoch: what runs there then is killed */
	size_t count;	   /* so many of the wish's leaves, behind those that are due before */
	const char *leave; /* the same as a hostlist */
};

/* Nodes that are wanted back. */
struct pact_malleable_wish {
	int64_t serial; /* grows with each wish to the job */
	int64_t width;	/* nodes that the job is to have when it has given all of them back */
	int64_t by; /* seconds since the epoch, of what is due first: what runs there then is killed */
	const char *
		leave; /* hostlist: what the job still has of the nodes that are wanted, whenever they are due */
	const char *const
		*leaves; /* the same, a name each, the first due first, and NULL at the end */
	const struct pact_malleable_due
		*due; /* the same, by when they are due, the first due first */
	size_t dues;  /* at least one */
};

/*
 * A handle for a job. Nothing is asked yet.
 * IN job - 0: that of SLURM_JOB_ID
 * IN notice - the job's notice in seconds (--malleable=grace:N, or the site's ResizeGrace); 0: 60. Looks are due that
 *	often that a wish is seen when at most a sixth of it has gone by
 * RET NULL with errno: EINVAL without a job or with a notice that is none, ENOMEM
 */
struct pact_malleable *pact_malleable_open(uint32_t job, int64_t notice);

/* NULL is fine. */
void pact_malleable_close(struct pact_malleable *job);

/*
 * Ask Slurm for the job's nodes and for what is wanted: one request to slurmctld.
 * RET OK, AGAIN, GONE, NOMEM
 */
int pact_malleable_look(struct pact_malleable *job);

/*
 * Seconds from the latest look to the next one, 1 to 60: a sixth of the notice, 10 by default; twice as long with each
 * look in a row that had no answer.
 */
int64_t pact_malleable_pause(const struct pact_malleable *job);

/* The job's nodes at the latest look: a name each, NULL at the end; empty before the first look. Never NULL. */
const char *const *pact_malleable_nodes(const struct pact_malleable *job);

/*
 * Have the job's nodes changed between the look before the latest and that one? Also when the names are the same again: a node
 * was lost, with what ran there, and the job has it anew. Slurm's clock is in seconds: of two changes within one, the second is
 * seen by the names alone.
 * RET 1, or 0; 0 at the first look
 */
int pact_malleable_resized(const struct pact_malleable *job);

/* The node of the batch script, which cannot be given back; NULL: there is none (salloc), or no look yet. */
const char *pact_malleable_batch_node(const struct pact_malleable *job);

/*
 * What is wanted back and not answered yet, at the latest look. NULL: nothing, or it was answered since. What is due later than
 * the nodes that were given back is there again at the next look.
 */
const struct pact_malleable_wish *pact_malleable_wanted(const struct pact_malleable *job);

/*
 * Give nodes back. Processes of the job there are killed at once.
 * IN nodes - hostlist; nodes that the job has not any more are fine
 * RET OK: what is due when these nodes are is answered, and they are gone when the next look shows it; INVALID: no hostlist, all nodes, or
 *	with the batch script's; AGAIN: not answered yet; GONE, REFUSED, NOMEM
 */
int pact_malleable_give(struct pact_malleable *job, const char *nodes);

/*
 * Not now, to all that is wanted. The nodes may be taken all the same, when the notice is over.
 * RET OK, also when nothing is wanted; AGAIN, GONE, REFUSED, NOMEM. But for AGAIN the wish is answered
 */
int pact_malleable_refuse(struct pact_malleable *job);

/*
 * Signal the job's steps that are on some nodes only, and have some name.
 * IN nodes - hostlist: a step with a task elsewhere is left alone; NULL: wherever
 * IN name - as srun's --job-name; NULL: any
 * OUT count - steps signalled, 0 when it fails; may be NULL
 * RET OK, INVALID, AGAIN, GONE, REFUSED, NOMEM
 */
int pact_malleable_signal(struct pact_malleable *job, const char *nodes, const char *name,
			  int signal, unsigned int *count);

/* The nodes of the steps that the latest pact_malleable_signal() signalled: a name each, NULL at the end. Never NULL. */
const char *const *pact_malleable_signalled(const struct pact_malleable *job);

/* One line about the latest function that failed; "" if none has. Never NULL. */
const char *pact_malleable_error(const struct pact_malleable *job);

#ifdef __cplusplus
}
#endif

#endif /* PACT_MALLEABLE_H */
