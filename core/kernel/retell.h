/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * retell: the state of a scheduler, told in records that bring a fresh one into the same state, so that
 * from then on both decide alike. It is how a recording begins in the middle of a life (watch.h).
 *
 * "The same" includes what no driver sees but decisions depend on. What the records are is the engine's:
 * only their form (record.h) is known to anything else. They are to be taken in in the order in which they
 * were told.
 */
#ifndef PACT_CORE_RETELL_H
#define PACT_CORE_RETELL_H

#include "core/kernel/record.h"

struct sched;

/* A record of that form; valid during the call only. */
typedef void retell_fn(void *arg, const struct record_form *form, const void *record);

/*
 * Tell the state (`tell` NULL: only say whether it can be told); nothing changes. 0; PACT_EPROTO: in the
 * middle of a pass or with an action that was not taken yet, to be tried again after the drain (dynp:
 * when no job waits); PACT_ENOMEM. Nothing was told then.
 */
int sched_retell(struct sched *s, retell_fn *tell, void *arg);

/* The form of that name that may come next in what a scheduler takes in; NULL: there is none. */
const struct record_form *sched_recall_form(const struct sched *s, const char *name);

/*
 * Take a record into a scheduler that was just created with the same name, nodes and configuration; its
 * pointers are borrowed for the call. 0 or enum pact_err, sched_error() says why; the scheduler is then good
 * for sched_destroy() only.
 */
int sched_recall(struct sched *s, const struct record_form *form, const void *record);

/* All has been told. Errors as of sched_recall(). */
int sched_recall_done(struct sched *s);

#endif
