/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * checks.c - what stands against a promise before the plan is asked
 */
#include "slurm/base/compat.h"

#include "slurm/admission/checks.h"
#include "slurm/admission/admission.h"
#include "slurm/base/array.h"
#include "slurm/base/scheduler.h"
#include "slurm/base/message.h"
#include "slurm/eligibility/entry.h"
#include "slurm/history/history.h"
#include "slurm/promise/depend.h"
#include "slurm/snapshot/access.h"
#include "slurm/state/core.h"
#include "slurm/eligibility/partition.h"
#include "slurm/eligibility/submit_limits.h"

/* Tasks of a submission; 0: no array that could be planned, named in `why`. */
static uint32_t count_tasks(const char *text, char *why, size_t why_size)
{
	uint32_t n;

	if (!text || !text[0])
		return 1;
	if (strchr(text, '%')) {
		snprintf(why, why_size, "%s", DESCRIBE_THROTTLE);
		return 0;
	}
	n = array_count(text, DESCRIBE_TASKS);
	if (!n)
		snprintf(why, why_size, "this array of tasks (at most %d)", DESCRIBE_TASKS);
	return n;
}

bool admission_plain(struct admission *a, const char *why)
{
	a->why = TALLY_NOT_ALLOWED;
	message_plain(a->text, why);
	return false;
}

bool admission_unplannable(struct admission *a, const char *what)
{
	a->why = TALLY_UNPLANNABLE;
	if (!strcmp(what, DESCRIBE_PART_OF_NODE))
		message_plain(a->text, "only whole nodes can be promised: add --exclusive");
	else
		message_unplannable(a->text, what);
	return false;
}

bool admission_no_obstacle(struct admission *a, const struct eligibility_job *job)
{
	char why[256];
	int64_t longest;

	switch (eligibility_obstacle(job, &longest, why, sizeof(why))) {
	case OBSTACLE_OVER:
		return admission_plain(a, why);
	case OBSTACLE_WAITS:
		/* Of a record it may be its array; and it may say itself what to do. */
		if (!job->record && !strchr(why, ';'))
			snprintf(why + strlen(why), sizeof(why) - strlen(why),
				 "; use another partition, account or QOS");
		return admission_unplannable(a, why);
	case OBSTACLE_NONE:
		break;
	}
	if (longest < a->what.limit)
		a->what.limit = longest;
	return true;
}

/* Has the user or the partition's DefaultTime said how long it may run?  UNLIMITED says nothing. */
static bool limited(const struct admission *a)
{
	return a->what.limit_given && a->what.least < PACT_FOREVER;
}

static bool no_limit(struct admission *a)
{
	a->decision.reason = REFUSE_NO_LIMIT;
	a->why = tally_reason(REFUSE_NO_LIMIT);
	message_refused(a->text, &(struct message_ask){ .width = a->what.width }, &a->decision);
	return false;
}

/* It could never be started. */
static bool in_vain(struct admission *a)
{
	char why[160];

	describe_waits(&a->what, why, sizeof(why));
	(void)admission_plain(a, why);
	a->why = TALLY_TOO_WIDE;
	a->code = ESLURM_REQUESTED_NODE_CONFIG_UNAVAILABLE;
	return false;
}

/* Does no scheduler of its partitions make promises? */
static bool unpromising(const struct admission *a, char *why, size_t size)
{
	const struct own_scheduler *own = NULL;

	for (uint32_t i = 0; i < a->what.nalt; i++) {
		own = conf_unpromising(a->b->conf, a->what.part[i]);
		if (!own)
			return false;
	}
	if (own)
		snprintf(why, size,
			 "partition %s is scheduled by %s (%s=%s), which makes no promises; "
			 "submit without --deadline",
			 a->what.part[a->what.nalt - 1], own->scheduler, partitions_key(own),
			 own->scheduler);
	return own;
}

bool admission_standard(const struct admission *a)
{
	for (uint32_t i = 0; i < a->what.nalt; i++)
		if (partitions_own(a->b->conf->own, a->b->conf->nown, a->what.part[i]))
			return false;
	return true;
}

/* sched/malleable's strategy that knows no deadlines. */
static bool is_uniform(const struct admission *a)
{
	return scheduler_is_malleable() && a->b->conf->strategy == STRATEGY_UNIFORM &&
	       admission_standard(a);
}

bool admission_permitted(struct admission *a, const struct eligibility_job *job)
{
	char why[160];

	for (uint32_t i = 0; i < a->what.nalt; i++)
		if (!conf_promises(a->b->conf, a->what.part[i])) {
			snprintf(why, sizeof(why),
				 "promises are switched off in partition %s "
				 "(Admission=none); submit without --deadline",
				 a->what.part[i]);
			return admission_plain(a, why);
		}
	if (is_uniform(a))
		return admission_plain(a,
				       "sched/malleable with Strategy=uniform makes no promises; "
				       "submit without --deadline");
	if (unpromising(a, why, sizeof(why)) ||
	    !eligibility_allows(a->b->conf, job, why, sizeof(why)))
		return admission_plain(a, why);
	if (!limited(a))
		return no_limit(a);
	if (a->what.opaque)
		return admission_unplannable(a, a->what.opaque);
	if (describe_in_vain(&a->what))
		return in_vain(a);
	return admission_no_obstacle(a, job);
}

bool checks_all(struct admission *a, const job_desc_msg_t *desc)
{
	struct eligibility_job job = {
		.uid = desc->user_id,
		.account = desc->account,
		.qos = desc->qos,
		.what = &a->what,
		.least = a->what.least,
	};
	char why[160];

	if (a->no_entry[0])
		return admission_plain(a, a->no_entry);
	if (!admission_permitted(a, &job))
		return false;
	a->tasks = count_tasks(desc->array_inx, why, sizeof(why));
	if (!a->tasks)
		return admission_unplannable(a, why);
	if (a->tasks > 1 && scheduler_is_malleable() && admission_standard(a))
		return admission_unplannable(a, "several tasks at a time under sched/malleable");
	if (!a->not_taken[0])
		return true;
	a->code = ESLURM_ACCOUNTING_POLICY;
	return admission_plain(a, a->not_taken);
}

bool checks_working(struct admission *a)
{
	char why[320];

	if (!a->b->attached)
		return admission_plain(a, ADMISSION_NOT_ATTACHED);
	if (bridge_refuses(a->b, why, sizeof(why)))
		return admission_plain(a, why);
	if (a->b->ready && nodeset_size(a->what.alt[0]) == a->b->nodes && bridge_same_nodes(a->b))
		return true;
	admission_plain(a, "cannot be promised now: the plan is being built; try again");
	a->why = TALLY_BUSY;
	return false;
}

void admission_entry(struct admission *a, const job_desc_msg_t *desc, uint32_t submitter)
{
	char why[sizeof(a->no_entry)];
	int code = entry_refused(desc, submitter, &a->what, why, sizeof(why));

	if (!code)
		return;
	a->code = code;
	snprintf(a->no_entry, sizeof(a->no_entry), "%s", why);
}

bool admission_enters(struct admission *a, const job_desc_msg_t *desc, uint32_t submitter)
{
	if (!eligibility_enters(desc, submitter, a->no_entry, sizeof(a->no_entry)))
		return false;
	a->code = entry_label(desc, a->no_entry, sizeof(a->no_entry));
	if (!a->code)
		(void)eligibility_submits(desc, a->not_taken, sizeof(a->not_taken));
	return true;
}

bool admission_waits(const struct admission *a, const job_desc_msg_t *desc)
{
	char why[160];

	return (desc->priority == 0 || a->what.waits) && !a->what.opaque && limited(a) &&
	       !a->no_entry[0] && !describe_in_vain(&a->what) && !describe_closed(&a->what) &&
	       count_tasks(desc->array_inx, why, sizeof(why));
}

void admission_say_waits(struct admission *a, const job_desc_msg_t *desc)
{
	char why[160] = "the job is held";

	if (desc->priority)
		describe_waits(&a->what, why, sizeof(why));
	message_waits(a->text, why);
}

void admission_say_ordered(struct admission *a)
{
	char why[160];

	snprintf(why, sizeof(why),
		 "partition %s runs jobs in the order of their deadlines; one that would be late "
		 "when it is its turn ends in state DEADLINE",
		 a->what.part[0]);
	message_ordered(a->text, why);
}

bool admission_access(struct admission *a, struct access *access, const job_desc_msg_t *desc,
		      uint32_t uid)
{
	struct access_about about;

	*access = (struct access){ .all = true };
	a->access = access;
	if (!desc->dependency || !desc->dependency[0])
		return true;
	depend_about(desc->dependency, uid, &about);
	return access_read(access, uid, &about);
}
