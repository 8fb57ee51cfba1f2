/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * grant.c - in a partition whose jobs take turns nothing is allocated but what the plan starts just now
 */
#include "slurm/acting/grant.h"

#include "slurm/acting/begin.h"
#include "slurm/base/scheduler.h"
#include "slurm/config/loaded.h"
#include "slurm/config/realms.h"
#include "slurm/state/poke.h"

/* Of this thread. By ids: Slurm may split a task from its array, as a record of its own, before it asks for nodes. */
static _Thread_local struct {
	bool given, alone;
	uint32_t job_id, array;
	const bitstr_t *forbid;
} grant;

static bool is_granted(const job_record_t *job)
{
	return grant.given &&
	       (job->job_id == grant.job_id || (grant.array && job->array_job_id == grant.array));
}

static bool granted(const job_record_t *job, bitstr_t *nodes)
{
	if (!job->part_ptr || !realms_slice(job->part_ptr->name))
		return true;
	if (!is_granted(job))
		return false;
	if (grant.forbid)
		bit_and_not(nodes, (bitstr_t *)grant.forbid);
	return true;
}

/* What is suspended still counts to select/linear. */
static uint32_t beyond(const job_record_t *job, bitstr_t *nodes)
{
	uint32_t most = 0;

	if (!grant.alone || !is_granted(job) || !job->part_ptr ||
	    !realms_slice(job->part_ptr->name))
		return 0;
	for (int i = 0; i < bit_size(nodes); i++) {
		const node_record_t *node = bit_test(nodes, i) ? node_record_table_ptr[i] : NULL;

		if (node)
			most = MAX(most, (uint32_t)node->run_job_cnt + node->sus_job_cnt);
	}
	return MAX(most, job->part_ptr->max_share & ~SHARED_FORCE) + 1;
}

/* Without turns Slurm's own guess stands. */
static bool begins(const job_record_t *job, const bitstr_t *nodes, time_t *start)
{
	return job->part_ptr && realms_slice(job->part_ptr->name) &&
	       begin_planned(job, nodes, start);
}

static const struct gang_asks asks = {
	.granted = granted,
	.beyond = beyond,
	.begins = begins,
	.changed = poke,
};

const struct gang_asks *grant_asks(void)
{
	return &asks;
}

static struct gang_gate *find_gate(void)
{
	struct gang_gate *gate = loaded_symbol(GANG_FILE, GANG_SYMBOL);

	return gate && gate->version == GANG_VERSION ? gate : NULL;
}

void grant_attach(void)
{
	struct gang_gate *gate = find_gate();

	if (gate)
		gate->asks = &asks;
	else if (slurm_conf.select_type && !strcmp(slurm_conf.select_type, "select/gang"))
		error("%s: " GANG_FILE " is of another version of Pact than this plugin: jobs that "
		      "are to take turns are given nodes without; install both of one version",
		      scheduler_type());
}

void grant_detach(void)
{
	struct gang_gate *gate = find_gate();

	if (gate)
		gate->asks = NULL;
}

void grant_begin(const job_record_t *job, const bitstr_t *forbid, bool alone)
{
	grant.given = true;
	grant.alone = alone;
	grant.job_id = job->job_id;
	grant.array = job->array_job_id;
	grant.forbid = forbid;
}

void grant_end(void)
{
	grant.given = false;
}
