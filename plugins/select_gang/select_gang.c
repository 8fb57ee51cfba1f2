/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * select_gang.c - select/gang: select/linear, for partitions whose jobs take turns
 *
 *	SelectType=select/gang
 *
 * It stands on select/linear, which Slurm's own plugin loader opens for it: every question is passed on. In slurmctld it
 * gives a job nodes of such a partition only when the bridge has granted it these (slurm/acting/grant.h), and wakes the bridge
 * when a job begins, ends, stops, goes on or is resized.
 *
 * slurmd, slurmstepd and every client load it too: it needs nothing of slurmctld's at load.
 */
#include "slurm/base/compat.h"
#include "slurm/base/compat_select_plugin.h"

#include "slurm/acting/grant.h"

/*
 * What is called by its name in libslurm, which exports Slurm's functions by no other: programs that are linked to it
 * (pact-replay is one) load every select plugin, and one that lacks a function ends them. libslurm of 24.11 has no
 * plugin_context_create() any more; what that calls is there in 22.05, too.
 */
extern int slurm_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
extern bool slurm_running_in_slurmctld(void);
extern plugin_handle_t slurm_plugin_load_and_link(const char *type, int count, const char *names[],
						  void *symbols[]);
extern void slurm_plugin_unload(plugin_handle_t plugin);

#define EXPORT __attribute__((visibility("default")))
#define STANDS_ON "select/linear"

EXPORT const char plugin_name[] = "Node selection for time slices (gang)";
EXPORT const char plugin_type[] = "select/gang";
EXPORT const uint32_t plugin_version = SLURM_VERSION_NUMBER;
/* Slurm's own have 101 to 109, and it starts with no two of one number. */
EXPORT const uint32_t plugin_id = 190;

/* The bridge finds it here, and puts into it by what it is asked. */
EXPORT struct gang_gate pact_gang_5 = { .version = GANG_VERSION };

#define POINTER(type, name, parameters, arguments) type(*name) parameters;
#define NAME(type, name, parameters, arguments) "select_p_" #name,

static struct {
	int(*job_test) SELECT_TEST_PARAMETERS;
	SELECT_OPS(POINTER)
} linear;

static const char *linear_names[] = { "select_p_job_test", SELECT_OPS(NAME) };
static plugin_handle_t handle = PLUGIN_INVALID_HANDLE;

/*
 * Only sched/qops suspends and resumes: under another scheduler jobs of one node would run all at once. slurmctld loads
 * each select plugin that is there, SelectType's or not.
 */
static bool scheduler_slices(void)
{
	if (!slurm_running_in_slurmctld() || !slurm_conf.select_type ||
	    strcmp(slurm_conf.select_type, plugin_type) ||
	    (slurm_conf.schedtype && !strcmp(slurm_conf.schedtype, "sched/qops")))
		return true;
	slurm_error("%s: slurm.conf: SchedulerType=%s: sched/qops is wanted with it", plugin_type,
		    slurm_conf.schedtype);
	return false;
}

EXPORT int init(void)
{
	if (!scheduler_slices())
		return SLURM_ERROR;
	handle = slurm_plugin_load_and_link(STANDS_ON,
					    sizeof(linear_names) / sizeof(linear_names[0]),
					    linear_names, (void **)&linear);
	if (handle == PLUGIN_INVALID_HANDLE) {
		slurm_error("%s: it stands on %s, which cannot be loaded from PluginDir=%s",
			    plugin_type, STANDS_ON, slurm_conf.plugindir);
		return SLURM_ERROR;
	}
	return SLURM_SUCCESS;
}

EXPORT int fini(void)
{
	slurm_plugin_unload(handle);
	handle = PLUGIN_INVALID_HANDLE;
	return SLURM_SUCCESS;
}

#define PASS_ON(type, name, parameters, arguments) \
	EXPORT type select_p_##name parameters; \
	EXPORT type select_p_##name parameters \
	{ \
		return linear.name arguments; \
	}

SELECT_OPS_PASSED_ON(PASS_ON)

#define DECLARE(type, name, parameters, arguments) EXPORT type select_p_##name parameters;

SELECT_OPS_OWN(DECLARE)

/* When select/linear has counted anew what there is on all nodes: jobs that are suspended then, with their memory, too. */
static time_t counted;

EXPORT int select_p_node_init(void)
{
	counted = time(NULL);
	return linear.node_init();
}

EXPORT int select_p_reconfigure(void)
{
	counted = time(NULL);
	return linear.reconfigure();
}

/* By hand or for another job's turn: where jobs take turns one that is suspended keeps its place. */
static bool keeps_place(const job_record_t *job)
{
	return job->part_ptr && job->part_ptr->max_share & SHARED_FORCE &&
	       (job->part_ptr->max_share & ~SHARED_FORCE) > 1;
}

/*
 * Is it to leave its nodes to others as long as it is suspended, and was it? When it is resumed select/linear counts it once
 * more, with all memory of its nodes, whether it has left them, was suspended already, or is counted anew since: in the last
 * two cases no other job would have room there any more.
 */
static bool has_left(const job_record_t *job)
{
	return !keeps_place(job) && job->suspend_time >= counted;
}

/* The bridge's stamps would show it, too, but not at once. */
static int tell(int rc)
{
	const struct gang_asks *bridge = pact_gang_5.asks;

	if (bridge)
		bridge->changed();
	return rc;
}

EXPORT int select_p_job_suspend(job_record_t *job, bool indf)
{
	return tell(linear.job_suspend(job, indf && !keeps_place(job)));
}

EXPORT int select_p_job_resume(job_record_t *job, bool indf)
{
	return tell(linear.job_resume(job, indf && has_left(job)));
}

#define PASS_ON_AND_TELL(type, name, parameters, arguments) \
	EXPORT type select_p_##name parameters \
	{ \
		return tell(linear.name arguments); \
	}

SELECT_OPS_TOLD(PASS_ON_AND_TELL)

EXPORT int select_p_job_test SELECT_TEST_PARAMETERS;
EXPORT int select_p_job_test SELECT_TEST_PARAMETERS
{
	const struct gang_asks *bridge = pact_gang_5.asks;
	part_record_t *part = job->part_ptr, wider;
	uint32_t beyond;
	bool planned;
	time_t start;
	int rc;

	/* when it could run the plan knows, and on how many of what nodes is answered as ever */
	if ((mode & SELECT_MODE_BASE) == SELECT_MODE_WILL_RUN && bridge) {
		planned = bridge->begins(job, nodes, &start);
		rc = linear.job_test SELECT_TEST_ARGUMENTS;
		if (planned && rc == SLURM_SUCCESS)
			job->start_time = start;
		return rc;
	}
	/* what only asks whether it could run ever likewise */
	if ((mode & SELECT_MODE_BASE) != SELECT_MODE_RUN_NOW || !bridge)
		return linear.job_test SELECT_TEST_ARGUMENTS;
	if (!bridge->granted(job, nodes))
		return SLURM_ERROR;
	/* how many jobs there may be is all that select/linear asks the partition here; others may be reading the real one */
	beyond = bridge->beyond(job, nodes);
	if (beyond) {
		wider = *part;
		wider.max_share = (uint16_t)(SHARED_FORCE | MIN(beyond, SHARED_FORCE - 1));
		job->part_ptr = &wider;
	}
	rc = linear.job_test SELECT_TEST_ARGUMENTS;
	job->part_ptr = part;
	return rc;
}
