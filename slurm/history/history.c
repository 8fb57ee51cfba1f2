/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * history.c - decisions and outcomes as entries of the history
 */
#include "slurm/history/history.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "slurm/history/history_queue.h"

static const char *decided(const struct ledger_decision *d)
{
	if (d->promised)
		return "accepted";
	if (d->expected)
		return "expected";
	return d->observed ? "observed" : "refused";
}

struct history_entry history_entry_of(const struct ledger_decision *d)
{
	return (struct history_entry){
		.when = d->when,
		.what = decided(d),
		.uid = d->uid,
		.account = d->account,
		.partition = d->partition,
		.deadline = d->deadline,
		.limit = d->limit,
		.start = d->start,
		.end = d->end,
		.late = d->critical_late < INT32_MAX ? d->critical_late : 0,
		.nodes = d->width,
		.tasks = d->tasks,
		.reference = d->ref,
		.reason = d->why ? d->why : "",
		.text = d->text,
		.promise = d->promise,
	};
}

void history_decided(const struct ledger_decision *decision)
{
	struct history_item *item;

	if (!history_is_on())
		return;
	item = calloc(1, sizeof(*item));
	if (item) {
		item->decision = *decision;
		item->entry = history_entry_of(&item->decision);
	}
	history_push(item);
}

struct history_entry history_entry_of_end(const struct ledger_outcome *o, int64_t when)
{
	return (struct history_entry){
		.when = when,
		.what = o->how,
		.job = o->job.job_id,
		.base = o->base_id,
		.task = o->task,
		.uid = o->job.uid,
		.account = o->job.account,
		.partition = o->job.partition,
		.deadline = o->deadline,
		.limit = o->limit,
		.start = o->start,
		.end = o->end,
		.late = o->end ? o->end - o->deadline : 0,
		.nodes = o->nodes,
		.tasks = o->tasks,
		.reference = "",
		.reason = o->why ? o->why : "",
		.text = o->list,
		.promise = o->promise,
	};
}

void history_ended(const struct ledger_outcome *outcome, int64_t when)
{
	struct history_item *item;

	if (!history_is_on())
		return;
	item = calloc(1, sizeof(*item));
	if (item) {
		item->outcome = *outcome;
		item->entry = history_entry_of_end(&item->outcome, when);
	}
	history_push(item);
}

void history_learned(const struct history_past *past)
{
	struct history_item *item;

	if (!history_is_on())
		return;
	item = calloc(1, sizeof(*item));
	if (item) {
		item->past = *past;
		item->entry = (struct history_entry){ .op = HISTORY_LEARN, .past = &item->past };
	}
	history_push(item);
}

void history_resized(const struct history_resize *resize)
{
	struct history_item *item;
	struct ledger_job *owner;

	if (!history_is_on())
		return;
	item = calloc(1, sizeof(*item));
	if (item) {
		owner = &item->owner;
		snprintf(owner->account, sizeof(owner->account), "%s",
			 resize->account ? resize->account : "");
		snprintf(owner->partition, sizeof(owner->partition), "%s",
			 resize->partition ? resize->partition : "");
		item->resize = *resize;
		item->resize.account = owner->account;
		item->resize.partition = owner->partition;
		item->entry =
			(struct history_entry){ .op = HISTORY_RESIZE, .resize = &item->resize };
	}
	history_push(item);
}

/* An item that changes what is there; it has an entry without texts. */
static struct history_item *change(enum history_op op, uint64_t promise)
{
	struct history_item *item = calloc(1, sizeof(*item));

	if (!item)
		return NULL;
	item->entry = history_entry_of_end(&item->outcome, time(NULL));
	item->entry.what = "";
	item->entry.op = op;
	item->entry.promise = promise;
	return item;
}

void history_bound(uint64_t promise, const struct ledger_job *job, uint32_t base, uint32_t task)
{
	struct history_item *item;

	if (!history_is_on())
		return;
	item = change(HISTORY_BIND, promise);
	if (item) {
		item->outcome.job = *job;
		item->entry.job = job->job_id;
		item->entry.base = base;
		item->entry.task = task;
	}
	history_push(item);
}

void history_void(uint64_t promise)
{
	if (history_is_on())
		history_push(change(HISTORY_VOID, promise));
}

void history_check(const struct history_live *live, size_t nlive)
{
	struct history_item *item;

	if (!history_is_on())
		return;
	item = change(HISTORY_CHECK, 0);
	if (item)
		item->live = calloc(nlive ? nlive : 1, sizeof(*live));
	if (item && !item->live) {
		free(item);
		item = NULL;
	}
	if (item) {
		if (nlive) /* none may be NULL */
			memcpy(item->live, live, nlive * sizeof(*live));
		item->entry.live = item->live;
		item->entry.nlive = nlive;
	}
	history_push(item);
}
