/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * change_range.h - the range of nodes of a job whose terms are changed, as if it was submitted with these
 */
#ifndef PACT_SLURM_CHANGE_RANGE_H
#define PACT_SLURM_CHANGE_RANGE_H

#include "slurm/admission/change_what.h"

struct description;

/* Does the change say how wide it may be, or where? */
bool change_of_range(const job_desc_msg_t *desc);

/*
 * The request gets the most nodes that it may have where these are fewer than it asks for, as a submission does
 * (admission_fit_range()). Of a waiting record; job read lock.
 * IN what - the job as it will be
 * OUT why - when false is returned: it is malleable, and where it is to be it is none that is resized, by name
 */
bool change_range(const struct change *c, const struct description *what, char *why, size_t size);

#endif /* PACT_SLURM_CHANGE_RANGE_H */
