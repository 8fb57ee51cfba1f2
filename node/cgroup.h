/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cgroup: which version of control groups this node has. */
#ifndef PACT_NODE_CGROUP_H
#define PACT_NODE_CGROUP_H

#include "node/cgroup_tree.h"

/*
 * Which version it is: 2 where root has cgroup.controllers with cpu in it, else 1 where a mount point below root has
 * cpu.shares; else c->lacks says so. root, group and proc are copied; they must fit.
 */
void cgroup_open(struct cgroup *c, const char *root, const char *group, const char *proc,
		 uint32_t cap);

#endif
