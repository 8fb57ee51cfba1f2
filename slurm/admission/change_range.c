/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * change_range.c - the range of nodes of a job whose terms are changed, as if it was submitted with these
 */
#include "slurm/base/compat.h"

#include "slurm/admission/change_range.h"
#include "slurm/eligibility/describe.h"
#include "slurm/records/malleable.h"

bool change_of_range(const job_desc_msg_t *desc)
{
	return desc->partition || desc->max_nodes != NO_VAL;
}

/* What it asks for itself, as one number of nodes, is no reason to refuse it. */
static bool stays_resized(const struct change *c, const struct description *what)
{
	struct malleable_option option;

	return what->malleable || !change_of_range(c->desc) ||
	       !(what->bounded || what->slices || what->shares) || !malleable_of(c->job, &option);
}

bool change_range(const struct change *c, const struct description *what, char *why, size_t size)
{
	if (!stays_resized(c, what)) {
		describe_rigid(what, why, size);
		return false;
	}
	if (what->bounded)
		c->desc->max_nodes = (uint32_t)MAX(what->most, what->width);
	return true;
}
