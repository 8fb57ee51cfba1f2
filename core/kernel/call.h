/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * call: what an engine keeps of the call that it is in (engine.h): why it fails, in words, and how often the budget of
 * an admission was asked. Zeroed: nothing has failed, and there is no budget. Internal to core.
 */
#ifndef PACT_CORE_CALL_H
#define PACT_CORE_CALL_H

#include <stdbool.h>
#include <stdint.h>

#include "core/kernel/protocol.h"

struct call {
	/* The engine's settings as they are, borrowed for its life: whose budget that is. NULL: there is none. */
	const struct sched_config *config;
	int64_t asked,
		spent;	 /* questions for it; the first that was told that it is used up, 0: none */
	char error[256]; /* empty: nothing has failed. Good until the next call */
};

static inline void call_begin(struct call *c)
{
	c->asked = c->spent = 0;
	c->error[0] = '\0';
}

/* The same, and time goes on to then: *latest never goes back. False: it is no time, which is told. */
bool call_begin_at(struct call *c, int64_t now, int64_t *latest);

/* What is wrong, and of which job or hold. Returns the code. */
int call_fail(struct call *c, int code, const char *what, uint64_t id);
/* The same, of a record that is taken in (retell.h). */
int call_retold(struct call *c, int code, const char *what, uint64_t id);
/* In just these words: those of an engine inside this one, say. Returns the code. */
int call_fail_as(struct call *c, int code, const char *error);

/* Are the event's nodes some of a machine of so many? PACT_OK or PACT_EINVAL, which is told. */
int call_nodes(struct call *c, const struct sched_event *ev, uint32_t nodes);

/* The same, and the job works on one of them at least: it has not given back all of them. */
int call_works(struct call *c, const struct sched_event *ev, uint32_t nodes);

/* Of these the one that a job never gives back, by its EV_STARTED. PACT_OK or PACT_EINVAL, which is told: there are not so many. */
int call_stays(struct call *c, const struct sched_event *ev, const struct nodeset *nodes,
	       uint32_t *node);

/* Ask the budget: is it used up? */
static inline bool call_expired(struct call *c)
{
	const struct sched_config *config = c->config;

	if (!config || !config->expired)
		return false;
	c->asked++;
	if (!config->expired(config->expired_arg))
		return false;
	if (!c->spent)
		c->spent = c->asked;
	return true;
}

/* The settings for an engine inside this one: it asks the same budget, and its questions count in this call. */
struct sched_config call_config(struct call *c, const struct sched_config *config);

#endif
