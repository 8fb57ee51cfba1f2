/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * watch: looks at Slurm's job records and carries what they say into the track.
 *
 * slurmctld forgets an ended job MinJobAge seconds after its end, so the looks must come closer
 * than that; watch_interval() says how close. A look asks for what changed only: if nothing did, it
 * is one short message.
 */
#ifndef PACT_REPLAY_WATCH_H
#define PACT_REPLAY_WATCH_H

#include "contrib/replay/submit.h"
#include "contrib/replay/track.h"
#include "contrib/replay/words.h"

/* What the replay needs to know of the cluster, asked once. */
struct cluster {
	int32_t nodes;	     /* of the partition */
	int64_t min_job_age; /* seconds; 0: ended jobs are never forgotten */
	int64_t guard; /* seconds that Pact's plan adds to a limit: pact.conf's, else its default */
	char name[64];
	char version[32];
	char partition[64];
	char scheduler[64]; /* SchedulerType */
	char plugins[128];  /* JobSubmitPlugins */
	char jobcomp[256];  /* file of jobcomp/filetxt; "" if that is not configured */
};

enum cluster_rc {
	CLUSTER_OK,
	CLUSTER_SILENT,	      /* Slurm did not answer */
	CLUSTER_NO_PARTITION, /* there is none of that name, or no default one */
};

/* partition NULL: Slurm's default one. The reason of a failure goes into `why`. */
enum cluster_rc cluster_load(struct cluster *c, const char *partition, struct words *words,
			     char *why, size_t size);

struct watch;

/* Called once for each change that a look found, after the job carries it. */
typedef void (*watch_fn)(const struct replay_job *job, enum fate before, void *arg);

/* Borrows the rest. `tell` may be NULL. NULL: no memory. */
struct watch *watch_create(const struct cluster *c, struct track *t, struct words *words,
			   watch_fn tell, void *arg);
void watch_destroy(struct watch *w);

/* Looks. False: Slurm did not answer (nothing changed then); words_end()'s text says why. */
bool watch_look(struct watch *w);

/* Seconds of the cluster's clock from one look to the next, from what looks have cost so far. */
double watch_interval(const struct watch *w);

/*
 * The id of the job of that name, 0 if there is none: after a submission without an answer. False:
 * Slurm did not answer this time either.
 */
bool watch_by_name(struct watch *w, const char *name, uint32_t *id);

#endif /* PACT_REPLAY_WATCH_H */
