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
#include "slurm/serving/serve.h"

enum conf_mode { CONF_MODE_SLURM, CONF_MODE_PAPER };
enum conf_admission { CONF_ADMISSION_NONE, CONF_ADMISSION_QOPS };
enum conf_order { CONF_ORDER_EDF, CONF_ORDER_LLF };

/* Admission of one partition, where pact.conf says it. */
struct conf_part {
	char *name;
	enum conf_admission admission;
};

struct conf {
	enum conf_mode mode;
	bool observe; /* decide and log, refuse nothing */
	enum conf_admission admission;
	enum conf_order order;
	int32_t kfactor;
	int64_t relax_milli;	/* R in thousandths */
	int64_t min_artificial; /* seconds */
	int64_t guard;		/* seconds, resolved: never negative */
	int64_t ending;		/* seconds of these that Slurm may take to end a job */
	int64_t waking;		/* and its nodes to wake before it begins */
	int64_t lateness;	/* and by which a start may be late */
	int64_t plan_interval;	/* seconds */
	int64_t admission_ms;	/* milliseconds */
	bool accept_message;
	struct serve_settings socket;
	struct {
		bool on, users; /* users: with their names */
		char *dir;	/* NULL: none */
		int64_t size;	/* bytes of a file */
		int64_t files;	/* kept */
	} record;
	struct {
		char *file;   /* NULL: none is kept */
		int64_t age;  /* seconds */
		int64_t size; /* bytes */
	} history;
	struct sched_config sched; /* sched/dynp: its part, dynp */
	char *allow_accounts;	   /* comma lists; NULL: everybody */
	char *allow_qos;
	char *allow_groups;
	uid_t *allow_uids;    /* members of allow_groups, 0-terminated */
	char *unknown_groups; /* those of allow_groups that there are none of; NULL: all are known */
	struct conf_part *parts;
	size_t nparts;
};

/*
 * Seconds that a job may hold its nodes beyond its limit, by slurm.conf and the
 * partitions.
 */
struct conf_site {
	int64_t ending; /* until Slurm ends it */
	int64_t waking; /* its sleeping nodes may take that to wake, and its limit counts from then on */
	int64_t guard; /* Guard's default: with both, messages, epilog and late starts */
};

/* Reads slurm_conf and part_list: their read locks, or a plugin's init(). */
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

/* The path of pact.conf, beside slurm.conf.  malloc()ed. */
char *conf_path(void);

/* Admission in a partition: its own, else the general one. */
enum conf_admission conf_admission(const struct conf *conf, const char *partition);

#endif /* PACT_SLURM_CONF_H */
