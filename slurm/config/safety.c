/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * safety.c - is this slurm.conf one under which promises can be kept?
 */
#include "slurm/base/compat.h"
#include "slurm/base/names.h"
#include "slurm/config/safety.h"
#include "slurm/base/scheduler.h"

/* One of SchedulerParameters, as a whole word between commas. */
static bool has_parameter(const char *word)
{
	char *list = slurm_conf.sched_params, *at = list;
	size_t len = strlen(word);

	while (at && (at = xstrcasestr(at, word))) {
		if ((at == list || at[-1] == ',') && (!at[len] || at[len] == ','))
			return true;
		at += len;
	}
	return false;
}

bool safety_scheduler(char *err, size_t err_size)
{
	const char *missing = NULL;

	if (!has_parameter("sched_interval=-1"))
		missing = "sched_interval=-1";
	else if (!has_parameter("defer"))
		missing = "defer";
	if (missing)
		snprintf(err, err_size,
			 "slurm.conf: SchedulerParameters=%s is unsafe: Slurm's main "
			 "scheduler would start jobs beside the plan; add %s to "
			 "SchedulerParameters (sched_interval=-1,defer)",
			 slurm_conf.sched_params ? slurm_conf.sched_params : "", missing);
	return !missing;
}

/* A partition's own OverTimeLimit goes before slurm.conf's (job_time_limit). */
static bool safe_partitions(char *err, size_t err_size)
{
	const char *endless = NULL;
	const part_record_t *part;
	list_itr_t *iter;

	if (!part_list)
		return true;
	iter = list_iterator_create(part_list);
	while (!endless && (part = list_next(iter)))
		if (part->over_time_limit == INFINITE16)
			endless = part->name;
	if (endless)
		snprintf(err, err_size,
			 "slurm.conf: PartitionName=%s: OverTimeLimit=UNLIMITED lets "
			 "its jobs outlive their limits for ever; set OverTimeLimit to a number "
			 "of minutes",
			 endless);
	list_iterator_destroy(iter);
	return !endless;
}

/*
 * A job that would be given sleeping nodes is not started while that makes too many that are up, whatever
 * sleeps elsewhere by then; the plan knows how long a node takes to wake, not how many may.
 */
static bool safe_power(char *err, size_t err_size)
{
	uint32_t most = powered_nodes_most();

	if (most >= (uint32_t)node_record_count)
		return true;
	snprintf(err, err_size,
		 "slurm.conf: SlurmctldParameters=max_powered_nodes=%u may keep a promised job "
		 "waiting for nodes that sleep; remove it, or let it be %d, as many as there are",
		 most, node_record_count);
	return false;
}

/* The word socket=... of AuthInfo, as auth/munge takes it. */
static void munge_socket(char *out, size_t size)
{
	const char *at = xstrstr(slurm_conf.authinfo, "socket=");

	out[0] = '\0';
	if (at)
		snprintf(out, size, "%.*s", (int)strcspn(at + 7, ","), at + 7);
}

/* By its own name or with its kind before it, as job_submit_plugin_init() takes them. */
static bool names_deadline(const char *plugins)
{
	return names_have(plugins, "deadline", strncmp) ||
	       names_have(plugins, "job_submit/deadline", strncmp);
}

bool safety_scheduling(void)
{
	return !slurmctld_config.scheduling_disabled;
}

/* RET false: why says what stands against it, naming the key */
static bool resizing_permitted(char *why, size_t size)
{
	bool grow = xstrcasestr(slurm_conf.sched_params, "permit_job_expansion");
	bool shrink = !xstrcasestr(slurm_conf.sched_params, "disable_job_shrink");

	snprintf(why, size, "%s%s%s",
		 grow ? ""
		      : "no running job can grow without SchedulerParameters=permit_job_expansion",
		 grow || shrink ? "" : "; ",
		 shrink ? "" : "none can shrink under SchedulerParameters=disable_job_shrink");
	return grow && shrink;
}

void safety_look(struct safety *out)
{
	memset(out, 0, sizeof(*out));
	out->named = names_deadline(slurm_conf.job_submit_plugins);
	if (!safety_scheduling())
		snprintf(out->unsafe, sizeof(out->unsafe), SAFETY_SWITCHED_OFF);
	else
		out->safe = safety_promises(out->unsafe, sizeof(out->unsafe)) &&
			    safe_partitions(out->unsafe, sizeof(out->unsafe)) &&
			    safe_power(out->unsafe, sizeof(out->unsafe));
	out->resizing = resizing_permitted(out->rigid, sizeof(out->rigid));
	conf_look(&out->site);
	munge_socket(out->munge, sizeof(out->munge));
	if (slurm_conf.state_save_location &&
	    strlen(slurm_conf.state_save_location) < sizeof(out->state_dir))
		strcpy(out->state_dir, slurm_conf.state_save_location);
}

bool safety_promises(char *err, size_t err_size)
{
	if (!safety_scheduler(err, err_size))
		return false;
	if (!scheduler_known(slurm_conf.schedtype)) {
		snprintf(err, err_size,
			 "slurm.conf: SchedulerType=%s keeps no promises; set "
			 "SchedulerType=sched/qops, sched/dynp or sched/malleable, or remove "
			 "deadline from "
			 "JobSubmitPlugins",
			 slurm_conf.schedtype ? slurm_conf.schedtype : "");
		return false;
	}
	if (slurm_conf.over_time_limit == INFINITE16) {
		snprintf(err, err_size,
			 "slurm.conf: OverTimeLimit=UNLIMITED lets every job outlive "
			 "its limit for ever; set OverTimeLimit to a number of minutes");
		return false;
	}
	if ((slurm_conf.preempt_mode & PREEMPT_MODE_GANG)) {
		snprintf(err, err_size,
			 "slurm.conf: PreemptMode=GANG time-slices promised jobs; "
			 "remove GANG from PreemptMode");
		return false;
	}
	return true;
}
