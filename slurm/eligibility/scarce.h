/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scarce.h - why a partition never has as many nodes as a job asks for
 *
 * Each thing that it asks for is tried alone: what alone leaves too few nodes is
 * the reason; if nothing does, all that leave out any are.  For a refusal only:
 * every thing costs a look at all nodes of the partition.
 */
#ifndef PACT_SLURM_SCARCE_H
#define PACT_SLURM_SCARCE_H

#include "slurm/records/region.h"
#include "slurm/eligibility/request.h"

struct scarce {
	const part_record_t *part;
	const struct request *req;
	struct node_need need; /* of each node in that partition */
	const struct nodeset *fits;
	int32_t width; /* nodes; more than fit, or those that are required do not */
};

/*
 * OUT out - "5 nodes are more than the 4 of partition batch that fit --constraint=big; ask for
 *	fewer nodes", "no node of partition batch fits --mem=3000M (at most 1000M); ...", or
 *	of --nodelist the first node that does not fit
 * Reads slurmctld's node and partition records: read locks.
 */
void scarce_tell(const struct scarce *ask, char *out, size_t size);

#endif /* PACT_SLURM_SCARCE_H */
