/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * question.c - what a submission would be told, without making one
 */
#include "slurm/base/compat.h"

#include "slurm/snapshot/access.h"
#include "slurm/admission/admission.h"
#include "slurm/admission/admit.h"
#include "slurm/history/ledger.h"
#include "slurm/promise/pending.h"
#include "slurm/promise/unconfirmed.h"
#include "slurm/base/clock.h"
#include "slurm/admission/checks.h"
#include "slurm/admission/submission.h"

/* So many tasks an array in a question may have. */
#define ASK_TASKS 1000
/*
 * A question gives way to a thread that has slurmctld's locks so often (over 127 ms); then the
 * plan is busy.
 */
#define ASK_TRIES 8

/* As slurmctld has them when it calls job_submit(). */
static const slurmctld_lock_t ask_locks = { READ_LOCK, READ_LOCK, READ_LOCK, READ_LOCK, READ_LOCK };

/*
 * A question holds nothing, so it waits for nothing that a start may still take, and needs
 * slurmctld's locks no more: they are given up, and the plan is asked without them, until an RPC
 * that has them waits for the mutex.
 * RET false: it is too large a question
 */
static bool give_locks_up(struct admission *a)
{
	if (a->tasks > ASK_TASKS)
		return admission_unplannable(a, "so many tasks in a question (at most 1000)");
	(void)unconfirmed_sweep(a->b, a->now);
	unlock_slurmctld(ask_locks);
	a->unlocked = a->b->question = true;
	return true;
}

/*
 * Both locks, as a submission has them.  Nothing of slurmctld's is held while
 * the mutex is waited for: no thread but the asker's is to wait.
 */
static bool lock_question(struct bridge *b)
{
	struct timespec nap = { 0, 500000 };
	int64_t start = clock_us();
	bool have = false;

	b->waiting++;
	while (!have && clock_us() - start <= b->admission_us) {
		/* A thread that holds slurmctld's locks while it waits goes first. */
		if (b->urgent) {
			nanosleep(&nap, NULL);
			continue;
		}
		lock_slurmctld(ask_locks);
		have = !pthread_mutex_trylock(&b->lock);
		if (have)
			break;
		unlock_slurmctld(ask_locks);
		nanosleep(&nap, NULL);
	}
	b->waiting--;
	if (have)
		b->budget_end = clock_us() + b->admission_us;
	return have;
}

/* The same of one that is not there and of one that is hidden. */
static void no_partition(const char *names, char *text, size_t size)
{
	if (!names || !names[0])
		snprintf(text, size, "partition: there is no default one, so it has to be given");
	else
		snprintf(text, size, "partition=%.60s: no such partition%s", names,
			 strchr(names, ',') ? " among them" : "");
}

/* With both locks; slurmctld's may be given up on the way. */
static void ask(struct admission *a, job_desc_msg_t *desc, struct admit_answer *out)
{
	if (access_hides_part(a->access, desc->partition) ||
	    !describe_submission(a->regions, desc, &a->what)) {
		no_partition(desc->partition, out->decision.text, sizeof(out->decision.text));
		return;
	}
	if (!admission_resizable(a, desc, out->decision.text, sizeof(out->decision.text)))
		return;
	admission_fit_range(a, desc);
	admission_entry(a, desc, desc->user_id);
	if (!a->b->conf) {
		message_plain(a->text, ADMISSION_NOT_ATTACHED);
	} else if (!bridge_absent(a->b) && a->what.ordered && !a->what.opaque && !a->no_entry[0]) {
		admission_say_ordered(a);
		out->waits = true;
	} else if (!bridge_absent(a->b) && admission_waits(a, desc)) {
		admission_say_waits(a, desc);
		out->waits = true;
	} else {
		struct message_ask asked;

		out->decided = true;
		out->promised = admission_decide(a, desc);
		out->busy = !out->promised && a->why == TALLY_BUSY;
		asked = admission_asked(a, a->limit);
		message_after(out->after, &asked);
	}
	if (a->b->gave_way && !out->promised) {
		message_plain(a->text, ADMISSION_BUSY);
		out->busy = true;
	}
	if (out->decided && a->decision.reason != REFUSE_NONE) {
		out->most_limit = a->decision.most_limit;
		out->most_width = a->decision.most_width;
	}
	admission_ledger(a, desc, out->promised, &out->decision);
	snprintf(out->decision.text, sizeof(out->decision.text), "%s", a->text);
}

/* One try.  RET false: it has given way to something urgent, and has no answer */
static bool ask_once(job_desc_msg_t *desc, const struct access *access, bool brief,
		     struct admit_answer *out)
{
	struct admission a = { .b = bridge_get(),
			       .uid = desc->user_id,
			       .now = time(NULL),
			       .access = access,
			       .decided = give_locks_up,
			       .brief = brief };
	bool gave_way, may_enter;

	lock_slurmctld(ask_locks);
	may_enter = admission_enters(&a, desc, desc->user_id);
	unlock_slurmctld(ask_locks);
	*out = (struct admit_answer){ .may_enter = may_enter,
				      .most_limit = PACT_FOREVER,
				      .most_width = INT32_MAX };
	a.regions = regions_create();
	if (!a.regions || !lock_question(a.b)) {
		regions_destroy(a.regions);
		out->busy = true;
		snprintf(out->decision.text, sizeof(out->decision.text), "%s", ADMISSION_BUSY);
		return true;
	}
	pending_resolve(a.b, false);
	ask(&a, desc, out);
	gave_way = a.b->gave_way;
	admission_unlock(a.b);
	if (!a.unlocked)
		unlock_slurmctld(ask_locks);
	regions_destroy(a.regions);
	return out->promised || !gave_way;
}

void admit_ask(job_desc_msg_t *desc, const struct access *access, bool brief,
	       struct admit_answer *out)
{
	struct timespec nap = { 0, 1000000 };

	for (int try = 1; !ask_once(desc, access, brief, out) && try < ASK_TRIES; try++) {
		nanosleep(&nap, NULL);
		nap.tv_nsec *= 2; /* it comes back when there is less to do */
	}
}
