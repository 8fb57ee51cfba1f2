/* SPDX-License-Identifier: GPL-2.0-or-later */
/* describe_world: nodes and partitions that are played, for tests of what the planner knows of a record. */
#ifndef PACT_TEST_DESCRIBE_WORLD_H
#define PACT_TEST_DESCRIBE_WORLD_H

#include "slurm/base/compat.h"

#include "slurm/eligibility/describe.h"
#include "testsuite/unit/seed.h"

/* A partition of three nodes, which are one. A test that changes these, or slurm_conf, puts it back. */
extern part_record_t part;
extern node_record_t node, *nodes[];
extern config_record_t config;
/* MCSParameters=select */
extern bool labels_select;

/* A submission for the partition as sbatch makes it. */
void describe_wish(job_desc_msg_t *desc);

/* Around all tests of a program. RET 0 */
int describe_set_up(void **state);
int describe_tear_down(void **state);

#endif
