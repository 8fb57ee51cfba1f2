/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * builds.c - is this slurmctld the one that the plugin was built for?
 *
 * Slurm makes every record by itself, by xmalloc(), which knows how large it has made it: so a record
 * whose magic number stands where we look for it, and which has a member more behind it, is found too.
 */
#include "slurm/base/compat.h"

#include "slurm/config/builds.h"
#include "slurm/base/scheduler.h"
#include "slurm/config/symbols.h"

enum { NODE = 1, PART = 2, JOB = 4, ALL = NODE | PART | JOB };

static _Atomic int seen; /* kinds of records that fit */

/* The line is written once, before anything reads it. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char line[512];
static _Atomic bool unfit;

/* The release of this slurmctld, as one of its own plugins has it: it has loaded none of another. */
static unsigned release(void)
{
	static const char *const ours[] = { "job_submit/deadline", "sched/qops", "sched/dynp",
					    "sched/malleable", NULL };
	unsigned number;

	return symbols_first("plugin_version", "plugin_type", ours, &number)
		       ? number
		       : (unsigned)SLURM_VERSION_NUMBER;
}

/* RET false, so that a check may end with it */
static bool differ(const char *who, bool say, const char *how)
{
	unsigned number = release();
	char program[128];
	ssize_t n = readlink("/proc/self/exe", program, sizeof(program) - 1);

	program[n < 0 ? 0 : n] = '\0';
	pthread_mutex_lock(&lock);
	if (!unfit) {
		snprintf(line, sizeof(line),
			 "Pact was built for another Slurm %s than this slurmctld, which is %s "
			 "%u.%02u.%u: %s; "
			 "install the Pact made for it, or build it against its source",
			 SLURM_VERSION_STRING, program, SLURM_VERSION_MAJOR(number),
			 SLURM_VERSION_MINOR(number), SLURM_VERSION_MICRO(number), how);
		unfit = true;
		if (say)
			error("%s: %s", who, line);
	}
	pthread_mutex_unlock(&lock);
	return false;
}

/* Of slurmctld's variables those that have members. */
static bool sizes_fit(char *how, size_t size)
{
	const struct {
		const char *name;
		const void *at;
		size_t wanted;
	} all[] = {
		{ "slurm_conf", &slurm_conf, sizeof(slurm_conf) },
		{ "slurmctld_config", &slurmctld_config, sizeof(slurmctld_config) },
		{ "slurmctld_diag_stats", &slurmctld_diag_stats, sizeof(slurmctld_diag_stats) },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		size_t has = symbols_size(all[i].at);

		if (!has || has == all[i].wanted)
			continue;
		snprintf(how, size, "%s has %zu bytes, not %zu", all[i].name, has, all[i].wanted);
		return false;
	}
	return true;
}

bool builds_start(const char *who, bool say)
{
	char how[160], missing[100];
	unsigned number;

	if (unfit)
		return false;
	number = release();
	if ((number & 0xffffff) != (SLURM_VERSION_NUMBER & 0xffffff))
		return differ(who, say, "its release is another");
	if (symbols_missing(&unfit, missing, sizeof(missing))) {
		snprintf(how, sizeof(how), "it has no %s", missing);
		return differ(who, say, how);
	}
	return sizes_fit(how, sizeof(how)) ? true : differ(who, say, how);
}

/* The magic number is looked at only in a record that is large enough for it. */
#define FITS(record, magic_wanted, name) \
	fits(name, xsize((void *)(record)), sizeof(*(record)), &(record)->magic, magic_wanted)

static bool fits(const char *name, size_t size, size_t wanted, const uint32_t *magic,
		 uint32_t magic_wanted)
{
	char how[160];

	if (size == wanted && *magic == magic_wanted)
		return true;
	if (size != wanted)
		snprintf(how, sizeof(how), "the record of a %s has %zu bytes, not %zu", name, size,
			 wanted);
	else
		snprintf(how, sizeof(how), "the record of a %s has no magic number at its place",
			 name);
	return differ(scheduler_type(), true, how);
}

static bool node_fits(void)
{
	for (int i = 0; node_record_table_ptr && i < node_record_count; i++) {
		const node_record_t *node = node_record_table_ptr[i];

		if (!node)
			continue;
		if (!FITS(node, NODE_MAGIC, "node"))
			return false;
		seen |= NODE;
		break;
	}
	return true;
}

static bool part_fits(void)
{
	const part_record_t *part = part_list ? list_peek(part_list) : NULL;

	if (part && !FITS(part, PART_MAGIC, "partition"))
		return false;
	if (part)
		seen |= PART;
	return true;
}

static bool job_fits(void)
{
	const job_record_t *job = job_list ? list_peek(job_list) : NULL;

	if (!job)
		return true;
	if (!FITS(job, JOB_MAGIC, "job") ||
	    (job->details && !FITS(job->details, DETAILS_MAGIC, "job's details")))
		return false;
	seen |= JOB;
	return true;
}

bool builds_records(void)
{
	if (unfit)
		return false;
	return seen == ALL || (node_fits() && part_fits() && job_fits());
}

const char *builds_unfit(void)
{
	return unfit ? line : NULL;
}

bool builds_readable(const job_desc_msg_t *desc)
{
	return xsize((void *)desc) == sizeof(*desc);
}
