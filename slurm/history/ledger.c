/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ledger.c - the latest decisions and outcomes, for those who ask why
 */
#include "slurm/history/ledger.h"

#include <pthread.h>
#include <string.h>
#include <time.h>

#include "slurm/base/array.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct ledger_decision decisions[LEDGER_DECISIONS];
static struct ledger_outcome outcomes[LEDGER_OUTCOMES];
static uint64_t ndecisions, noutcomes, nrefs;

/*
 * No vowels and nothing that looks like something else: no words, read over the
 * telephone.  The count is turned into a number that looks random by an odd
 * factor, which no two counts share below 23^5.
 */
void ledger_reference(char ref[LEDGER_REF])
{
	static const char letters[] = "bcdfghjkmnpqrstvwxz2346";
	const uint64_t base = sizeof(letters) - 1;
	uint64_t n, space = base * base * base * base * base;

	pthread_mutex_lock(&lock);
	/* After a restart no old reference is to name a new decision. */
	if (!nrefs)
		nrefs = (uint64_t)time(NULL) * 1000;
	n = nrefs++ % space * 2654435761u % space;
	pthread_mutex_unlock(&lock);
	ref[0] = 'R';
	for (int i = 1; i <= 5; i++) {
		ref[i] = letters[n % base];
		n /= base;
	}
	ref[6] = '\0';
}

void ledger_decided(const struct ledger_decision *decision)
{
	pthread_mutex_lock(&lock);
	decisions[ndecisions++ % LEDGER_DECISIONS] = *decision;
	pthread_mutex_unlock(&lock);
}

void ledger_ended(const struct ledger_outcome *outcome)
{
	pthread_mutex_lock(&lock);
	outcomes[noutcomes++ % LEDGER_OUTCOMES] = *outcome;
	pthread_mutex_unlock(&lock);
}

/* By reference, or (NULL) by user. */
static bool find_decision(const char *ref, uint32_t uid, struct ledger_decision *out)
{
	bool found = false;

	pthread_mutex_lock(&lock);
	for (uint64_t n = ndecisions; n > 0 && n + LEDGER_DECISIONS > ndecisions && !found; n--) {
		const struct ledger_decision *d = &decisions[(n - 1) % LEDGER_DECISIONS];

		found = ref ? d->ref[0] && !strcmp(d->ref, ref) : d->uid == uid;
		if (found)
			*out = *d;
	}
	pthread_mutex_unlock(&lock);
	return found;
}

bool ledger_find_decision(const char *ref, struct ledger_decision *out)
{
	return find_decision(ref, 0, out);
}

bool ledger_last_decision(uint32_t uid, struct ledger_decision *out)
{
	return find_decision(NULL, uid, out);
}

/* By record, or by array and task (whole false). */
static bool find_outcome(uint32_t id, uint32_t task, bool whole, struct ledger_outcome *out)
{
	bool found = false;

	pthread_mutex_lock(&lock);
	for (uint64_t n = noutcomes; n > 0 && n + LEDGER_OUTCOMES > noutcomes && !found; n--) {
		const struct ledger_outcome *o = &outcomes[(n - 1) % LEDGER_OUTCOMES];

		found = whole ? o->job.job_id == id || (o->list[0] && o->base_id == id)
			      : o->base_id == id && (o->task == task || array_has(o->list, task));
		if (found)
			*out = *o;
	}
	pthread_mutex_unlock(&lock);
	return found;
}

bool ledger_find_outcome(uint32_t job_id, struct ledger_outcome *out)
{
	return find_outcome(job_id, 0, true, out);
}

bool ledger_find_task(uint32_t base_id, uint32_t task, struct ledger_outcome *out)
{
	return find_outcome(base_id, task, false, out);
}
