/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * snapshot.c - what slurmctld's records say at one moment
 */
#include "slurm/snapshot/snapshot_own.h"

#include "slurm/config/builds.h"
#include "slurm/config/realms.h"
#include "slurm/base/metered.h"
#include "slurm/base/scheduler.h"
#include "slurm/records/asleep.h"
#include "slurm/records/refused_nodes.h"
#include "slurm/records/region.h"
#include "slurm/records/wish_of.h"

/*
 * Nothing can be planned on this node.  One that merely does not answer yet, as
 * all do for some seconds after a restart of slurmctld, is not lost: Slurm takes
 * it down when it stays silent, and starts nothing on it until it speaks.  Nor
 * is one that power saving has put to sleep: a job wakes it, and the time that
 * takes is part of the guard.
 */
static bool lost(const node_record_t *node)
{
	return !node || IS_NODE_DOWN(node) || IS_NODE_DRAIN(node) || IS_NODE_FAIL(node) ||
	       IS_NODE_FUTURE(node);
}

uint64_t snapshot_names(void)
{
	uint64_t names = 0xcbf29ce484222325ULL;

	for (int i = 0; i < node_record_count; i++) {
		const node_record_t *node = node_record_table_ptr[i];

		names ^= snapshot_said(node ? node->name : NULL);
		names *= 0x100000001b3ULL;
	}
	return names;
}

static bool take_nodes(struct snapshot *snap)
{
	bool named = realms_any();

	snap->names = snapshot_names();
	snap->table = node_record_table_ptr;
	snap->down = nodeset_create(snap->nodes);
	snap->has = calloc((size_t)snap->nodes + 1, sizeof(*snap->has));
	if (!snap->down || !snap->has)
		return false;
	if (scheduler_resizes() && cg_node_bitmap)
		snap->unclean = region_from_bitmap(cg_node_bitmap);
	for (int i = 0; i < node_record_count; i++) {
		const node_record_t *node = node_record_table_ptr[i];

		if (lost(node))
			nodeset_set(snap->down, i);
		if (!node)
			continue;
		if (snap->unclean && node_is_asleep(node))
			nodeset_set(snap->unclean, (uint32_t)i);
		snap->has[i].processors = node->config_ptr->cpus;
		snap->has[i].memory = (int64_t)region_memory(node);
		if (named && !snapshot_text(snap, &snap->has[i].name, node->name))
			return false;
	}
	if (snap->unclean)
		refused_nodes_put_in(snap->unclean, snap->now);
	return true;
}

struct snapshot *snapshot_take(void)
{
	static const slurmctld_lock_t locks = { READ_LOCK, READ_LOCK, READ_LOCK, READ_LOCK,
						NO_LOCK };
	struct snapshot *snap = calloc(1, sizeof(*snap));
	int64_t since = time(NULL);
	struct metered metered;
	bool ok = snap && (snap->texts = texts_create()) && (snap->regions = regions_create()) &&
		  (snap->queue = queue_take(snap->texts));

	if (ok) {
		metered_take(&metered, &locks);
		snap->since = since;
		snap->now = time(NULL);
		snap->site = last_part_update > slurm_conf.last_update ? last_part_update
								       : slurm_conf.last_update;
		snap->nodes = node_record_count;
		ok = take_nodes(snap) && snapshot_take_resvs(snap) && snapshot_take_jobs(snap);
		metered_give(&metered);
	}
	if (!ok) {
		snapshot_destroy(snap);
		return NULL;
	}
	snapshot_sort_jobs(snap);
	return snap;
}

void snapshot_destroy(struct snapshot *snap)
{
	if (!snap)
		return;
	for (size_t i = 0; i < snap->njobs; i++) {
		free(snap->jobs[i].tasks);
		free(snap->jobs[i].depends);
		free(snap->jobs[i].obstacle);
		nodeset_destroy(snap->jobs[i].nodes);
		nodeset_destroy(snap->jobs[i].keeps);
		if (snap->jobs[i].calls)
			wish_calls_clear(snap->jobs[i].calls);
		free(snap->jobs[i].calls);
		nodeset_destroy(snap->jobs[i].own);
	}
	for (size_t i = 0; i < snap->nresvs; i++)
		nodeset_destroy(snap->resvs[i].nodes);
	free(snap->jobs);
	free(snap->cut);
	free(snap->resvs);
	nodeset_destroy(snap->down);
	nodeset_destroy(snap->unclean);
	free(snap->has);
	regions_destroy(snap->regions);
	queue_destroy(snap->queue);
	texts_destroy(snap->texts);
	free(snap);
}
