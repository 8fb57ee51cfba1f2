/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * conf.h - pact.conf: what the site may decide
 *
 * pact.conf stands beside slurm.conf and is optional: every key has a default.
 * It is read with Slurm's own parser.  A configuration is read and checked as a
 * whole and only then used: a bad one is refused with a text that names key and
 * value, and the one in force stays.  Reading never ends the daemon and never
 * waits (Slurm's parser sleeps up to 60 s for a file that is not there, so a
 * missing file is no call of it and "Include" lines are refused).
 *
 * A loaded configuration never changes; it is replaced.
 */
#ifndef PACT_SLURM_CONF_H
#define PACT_SLURM_CONF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/settings/settings.h"
#include "slurm/base/scheduler.h"
#include "slurm/config/partitions.h"

/* Admission of one partition, where pact.conf says it. */
struct conf_part {
	char *name;
	bool promises;
};

#define SETTING(key, member, type, ...) type member;

struct conf {
	/* What the schedulers are told; guard and lateness are resolved: neither is 0. */
	struct sched_config sched;
#include "slurm/config/site.def"
	int64_t ending; /* seconds of the guard for what Slurm takes to end a job */
	int64_t waking; /* seconds of the guard for what its nodes take to wake before it begins */
	int64_t prolog; /* seconds that a node's prolog may take; 0: there is none */
	uid_t *allow_uids;    /* members of allow_groups, 0-terminated */
	char *unknown_groups; /* those of allow_groups that there are none of; NULL: all are known */
	struct conf_part *parts;
	size_t nparts;
	uint64_t shape;		   /* partitions_shape() of those that it was read with */
	struct own_scheduler *own; /* of partitions */
	size_t nown;
};

#undef SETTING

/*
 * Seconds that a job may hold its nodes beyond its limit, by slurm.conf and the
 * partitions.
 */
struct conf_site {
	int64_t ending; /* until Slurm ends it */
	int64_t waking; /* its sleeping nodes may take that to wake, and its limit counts from then on */
	int64_t guard;	/* Guard's default: with both, messages, epilog and late starts */
	int64_t prolog; /* that a node's may take before a job is launched there; 0: there is none */
	struct partitions parts;
};

/* It reads slurm_conf and part_list: their read locks, or a plugin's init().  partitions_free() its parts. */
void conf_look(struct conf_site *site);

/*
 * The configuration of a file.
 * IN path - NULL, or a file that does not exist, gives the defaults
 * OUT err - says what is wrong, naming key and value
 * RET a configuration for conf_destroy(), NULL when the file is bad
 * Asks the group database for AllowGroups: call without any lock held.
 */
struct conf *conf_load(const char *path, const struct conf_site *site, char *err, size_t err_size);
void conf_destroy(struct conf *conf);

/*
 * Seconds, by a clock of whole ones, after a job's turn has begun in which it is not asked to leave its nodes: of a step that is
 * suspended slurmstepd drops a signal, and it resumes none in the two seconds that a suspension takes; and a batch script that has
 * just been started may be ended by a signal that it was to catch.
 */
#define CONF_TURN_BEGINNING 4

/* Seconds that SwitchGap takes of each slice, rounded up; 0: none. */
int64_t conf_gap(const struct conf *conf);

/* Has a realm a RiskLimit? */
bool conf_learns(const struct conf *conf);

/* The path of pact.conf, beside slurm.conf.  malloc()ed. */
char *conf_path(void);

/* Is anything promised in a partition?  Its own Admission, else the general one. */
bool conf_promises(const struct conf *conf, const char *partition);

/* The scheduler of a partition's own that makes no promises; NULL: the one that it has makes them. */
const struct own_scheduler *conf_unpromising(const struct conf *conf, const char *partition);

/* partitions_scheduler() with SchedulerType's and those of this configuration. */
char *conf_scheduler(const struct conf *conf, const struct partitions *parts, char *err,
		     size_t err_size);

#endif /* PACT_SLURM_CONF_H */
