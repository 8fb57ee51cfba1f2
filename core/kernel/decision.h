/* SPDX-License-Identifier: GPL-2.0-or-later */
/* decision: which submissions and changes are decided about, and answers that say no (protocol.h). Internal to core. */
#ifndef PACT_CORE_DECISION_H
#define PACT_CORE_DECISION_H

#include <stdbool.h>
#include <stdint.h>

#include "core/kernel/protocol.h"

/* Has the job a deadline that is still to be promised? One that was promised earlier simply holds. */
static inline bool decision_wanted(const struct sched_job *job)
{
	return job->deadline && !(job->flags & JOB_PROMISED);
}

/* It is refused, and nothing is known of what could be had instead. REFUSE_NONE: an answer that is still to be found. */
static inline struct sched_decision decision_refused(enum refuse_reason reason)
{
	return (struct sched_decision){ .reason = reason,
					.offer_start = PACT_FOREVER,
					.offer_end = PACT_FOREVER,
					.most_limit = PACT_FOREVER,
					.most_width = INT32_MAX };
}

/* The same of an engine that says when what it accepts starts and ends: this does never. */
static inline struct sched_decision decision_never(enum refuse_reason reason)
{
	struct sched_decision d = decision_refused(reason);

	d.start = d.end = PACT_FOREVER;
	return d;
}

#endif
