/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compat_nodes.c - node_name2bitmap() of older releases, in its newest form
 */
#include "slurm/base/compat.h"

#ifdef node_name2bitmap
#undef node_name2bitmap

int compat_node_name2bitmap(char *names, bool best_effort, bitstr_t **nodes, hostlist_t **unknown)
{
	if (unknown)
		*unknown = NULL;
	return node_name2bitmap(names, best_effort, nodes);
}

#endif
