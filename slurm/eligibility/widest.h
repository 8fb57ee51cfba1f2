/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * widest.h - how many nodes of its range a job may have
 *
 * Slurm lets a job with a range start on fewer nodes than its most where a limit wants that, or never on so many; and a job that is
 * resized grows past such a limit, as what it gets is judged alone (resize_helper.h). So what is planned and lent is up to the
 * limit and not to what the job asks for.
 */
#ifndef PACT_SLURM_WIDEST_H
#define PACT_SLURM_WIDEST_H

#include "slurm/eligibility/eligibility.h"

/*
 * By the MaxNodes of its partitions, unless its QOS has PartitionMaxNodes, and by the enforced limits of its account and QOS on
 * the size of a job. Whichever partition it gets. Under slurmctld's read locks; it takes assoc_mgr's where there is any.
 * IN job - its description: partitions, width, most, and what it may have of a node
 * RET from the description's width to its most; one that runs has a range as long as it does, and room for what it has. That of
 * one whose width alone is over a limit on all nodes stays its most: it waits, or is refused for that
 */
int32_t eligibility_widest(const struct eligibility_job *job);

#endif /* PACT_SLURM_WIDEST_H */
