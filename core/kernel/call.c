/* SPDX-License-Identifier: GPL-2.0-or-later */
/* call: see call.h. */
#include "core/kernel/call.h"

#include <stdio.h>

#include "core/base/nodeset.h"

bool call_begin_at(struct call *c, int64_t now, int64_t *latest)
{
	call_begin(c);
	if (now < 0 || now > PACT_END_OF_TIME) {
		call_fail(c, PACT_EINVAL, "time is none", 0);
		return false;
	}
	*latest = now > *latest ? now : *latest;
	return true;
}

int call_fail(struct call *c, int code, const char *what, uint64_t id)
{
	snprintf(c->error, sizeof(c->error), "%s (id %llu)", what, (unsigned long long)id);
	return code;
}

int call_retold(struct call *c, int code, const char *what, uint64_t id)
{
	snprintf(c->error, sizeof(c->error), "retold %s (id %llu)", what, (unsigned long long)id);
	return code;
}

int call_fail_as(struct call *c, int code, const char *error)
{
	snprintf(c->error, sizeof(c->error), "%s", error);
	return code;
}

int call_nodes(struct call *c, const struct sched_event *ev, uint32_t nodes)
{
	if (!ev->nodes || nodeset_size(ev->nodes) != nodes || nodeset_empty(ev->nodes))
		return call_fail(c, PACT_EINVAL, "none of the machine's nodes", ev->id);
	return PACT_OK;
}

int call_works(struct call *c, const struct sched_event *ev, uint32_t nodes)
{
	int rc = call_nodes(c, ev, nodes);

	if (rc == PACT_OK &&
	    (ev->cleans < 0 || (ev->cleans && (uint32_t)ev->cleans >= nodeset_count(ev->nodes))))
		rc = call_fail(c, PACT_EINVAL, "works on none of its nodes", ev->id);
	return rc;
}

int call_stays(struct call *c, const struct sched_event *ev, const struct nodeset *nodes,
	       uint32_t *node)
{
	if (ev->stays < 0 || (ev->stays && (uint32_t)ev->stays >= nodeset_count(nodes)))
		return call_fail(c, PACT_EINVAL, "stays on none of its nodes", ev->id);
	*node = nodeset_next(nodes, 0);
	for (int32_t before = ev->stays; before; before--)
		*node = nodeset_next(nodes, *node + 1);
	return PACT_OK;
}

static bool is_expired(void *arg)
{
	return call_expired(arg);
}

struct sched_config call_config(struct call *c, const struct sched_config *config)
{
	struct sched_config inner = *config;

	if (inner.expired) {
		inner.expired = is_expired;
		inner.expired_arg = c;
	}
	return inner;
}
