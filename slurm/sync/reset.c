/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reset.c - a core is begun anew
 */
#include "slurm/base/compat.h"

#include "slurm/sync/reset.h"
#include "slurm/sync/sync_reports.h"
#include "slurm/base/scheduler.h"
#include "slurm/promise/pending.h"
#include "slurm/promise/reliance.h"
#include "slurm/promise/unconfirmed.h"
#include "slurm/state/core.h"
#include "slurm/state/learned.h"
#include "slurm/state/recorder.h"
#include "slurm/state/running_policy.h"
#include "slurm/state/track.h"

static void forget_blocks(struct bridge *b)
{
	for (size_t i = 0; i < b->nblocks; i++)
		nodeset_destroy(b->blocks[i].nodes);
	free(b->blocks);
	b->blocks = NULL;
	b->nblocks = 0;
	sync_forget_nodes(b);
	nodeset_destroy(b->down);
	b->down = NULL;
	b->down_core = 0;
}

static void resume_policy(struct bridge *b)
{
	enum dynp_order order;

	if (running_policy_resume(b, &order))
		bridge_event(
			b,
			&(struct sched_event){ .type = EV_POLICY, .now = time(NULL), .id = order },
			"the policy that was running");
}

/* Where the partitions' schedulers do not fit this table of nodes, SchedulerType's has all until they do. */
static struct sched *make_core(struct bridge *b, uint32_t nodes, const struct sched_config *config,
			       char *why, size_t size)
{
	struct sched *s =
		b->schedulers ? sched_create(b->schedulers, nodes, config, why, size) : NULL;

	if (s)
		return s;
	if (b->schedulers)
		error("%s: %s: %s: %s plans for all nodes until partitions are read again",
		      scheduler_type(), b->schedulers, why, scheduler_name());
	why[0] = '\0';
	return sched_create(scheduler_name(), nodes, config, why, size);
}

bool reset_core(struct bridge *b, uint32_t nodes, uint64_t names)
{
	struct sched_config config;
	char why[256] = "";

	recorder_forget();
	running_policy_part(b);
	sched_destroy(b->core);
	track_forget_all(b);
	forget_blocks(b);
	pending_forget(b);
	reliance_forget(b);
	unconfirmed_reset(b);
	b->ready = false;
	b->wake = b->latest = 0;
	bridge_sched_config(b, &config);
	b->recompose = false;
	b->core = make_core(b, nodes, &config, why, sizeof(why));
	b->by_key = table_create();
	b->by_core = table_create();
	b->by_array = table_create();
	b->nodes = nodes;
	b->names = names;
	if (b->core && b->by_key && b->by_core && b->by_array) {
		learned_begin(b);
		recorder_rest(b);
		resume_policy(b);
		return true;
	}
	error("%s: cannot plan for %u node%s: %s", scheduler_type(), nodes, nodes == 1 ? "" : "s",
	      why[0] ? why : "out of memory");
	recorder_forget();
	sched_destroy(b->core);
	b->core = NULL;
	return false;
}
