/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compat_select.c - select_nodes() of older releases, in its newest form
 */
#include "slurm/base/compat.h"

#ifdef select_nodes
#undef select_nodes

int compat_select_nodes(job_node_select_t *what, bool test_only, bool submission,
			uint32_t scheduler)
{
	return select_nodes(what->job_ptr, test_only, NULL, what->err_msg, submission, scheduler);
}

#endif
