/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * checks.h - what stands against a promise before the plan is asked
 *
 * All but admission_access() and admission_enters() with the mutex.
 */
#ifndef PACT_SLURM_CHECKS_H
#define PACT_SLURM_CHECKS_H

#include "slurm/admission/admission.h"

/* A refusal with this text.  RET false */
bool admission_plain(struct admission *a, const char *why);

/* A refusal for what the plan cannot hold, which `what` names.  RET false */
bool admission_unplannable(struct admission *a, const char *what);

/*
 * Nothing keeps such a job waiting, or over a limit; one that may be trimmed is, to what
 * its account and QOS allow.  RET false: a->text says what does
 */
bool admission_no_obstacle(struct admission *a, const struct eligibility_job *job);

/*
 * As admission_no_obstacle(), and its user may have the promise: by partition, account, QOS, groups, and
 * by what the job uses.
 */
bool admission_permitted(struct admission *a, const struct eligibility_job *job);

/* Is it in partitions of SchedulerType's own scheduler alone? */
bool admission_standard(const struct admission *a);

/* Everything but the plan itself. */
bool checks_all(struct admission *a, const job_desc_msg_t *desc);

/* Can anything be promised at all? */
bool checks_working(struct admission *a);

/* Would Slurm refuse it whatever is decided?  Into a->no_entry and a->code; before admission_waits(). */
void admission_entry(struct admission *a, const job_desc_msg_t *desc, uint32_t submitter);

/*
 * May it go where it wants to, with its label, and do its account's limits let it?  Into a->no_entry,
 * a->code and a->not_taken.  Groups and names are looked up: not with the mutex.
 * RET false: its partition does not let it in
 */
bool admission_enters(struct admission *a, const job_desc_msg_t *desc, uint32_t submitter);

/*
 * Will Slurm keep it waiting?  Then nothing is promised until that has gone.  What can
 * never be promised is not waited for.
 */
bool admission_waits(const struct admission *a, const job_desc_msg_t *desc);

/* a->text says why. */
void admission_say_waits(struct admission *a, const job_desc_msg_t *desc);

/* Nothing is decided at submission where jobs run in the order of their deadlines: the text that says so. */
void admission_say_ordered(struct admission *a);

/*
 * What uid may see, of what desc is to wait for: that must not tell him of jobs that are hidden
 * from him.  Into *access, which a->access is from now on; access_close() it.  RET false: no
 * memory.  It asks for groups, so before the mutex is taken.
 */
bool admission_access(struct admission *a, struct access *access, const job_desc_msg_t *desc,
		      uint32_t uid);

#endif /* PACT_SLURM_CHECKS_H */
