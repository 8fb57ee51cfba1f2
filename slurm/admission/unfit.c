/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unfit.c - what is said of deadlines where nothing can be decided
 */
#include "slurm/base/compat.h"

#include "slurm/admission/admission.h"
#include "slurm/admission/admit.h"
#include "slurm/config/builds.h"

#define UNFIT \
	"nothing is promised: Pact was built for another Slurm than runs here; tell the " \
	"administrators, or submit without --deadline"

int admit_unfit(job_desc_msg_t *desc, char **message)
{
	char text[MESSAGE_MAX];

	if (!builds_readable(desc))
		return SLURM_SUCCESS;
	admission_strip_token(desc);
	if (!admission_has_deadline(desc))
		return SLURM_SUCCESS;
	message_plain(text, UNFIT);
	info("job_submit/deadline: %s", text);
	if (bridge_get()->observe)
		return SLURM_SUCCESS;
	if (message)
		*message = xstrdup(text);
	return ESLURM_INVALID_TIME_LIMIT;
}
