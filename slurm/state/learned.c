/* SPDX-License-Identifier: GPL-2.0-or-later */
/* learned.c - see learned.h */
#include "slurm/base/compat.h"

#include <time.h>

#include "slurm/base/scheduler.h"
#include "slurm/history/history.h"
#include "slurm/state/aliases.h"
#include "slurm/state/core.h"
#include "slurm/state/learned.h"

/* Jobs told by one event. */
#define LESSON 4096
/* Seconds until what could not be read is tried again. */
#define AGAIN 60

/* The planning thread's own, changed with the mutex. */
static struct {
	bool asked, come;
	int64_t again; /* not tried before */
	struct history_pasts found;
} reading;

static bool wants(const struct bridge *b)
{
	return b->conf && conf_learns(b->conf) && !b->taught;
}

bool learned_load(struct bridge *b)
{
	enum history_reading how;
	bool wanted;

	pthread_mutex_lock(&b->lock);
	wanted = wants(b) && !reading.come && time(NULL) >= reading.again;
	pthread_mutex_unlock(&b->lock);
	if (!wanted)
		return true;
	if (!reading.asked)
		history_past_ask();
	reading.asked = true;
	how = history_past_take(&reading.found);
	if (how == HISTORY_READING)
		return false;
	reading.asked = false;
	reading.come = how == HISTORY_READ;
	if (!reading.come)
		reading.again = time(NULL) + AGAIN;
	return true;
}

void learned_begin(struct bridge *b)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	b->life = now.tv_sec * INT64_C(1000000) + now.tv_nsec / 1000;
	b->taught = false;
	b->nlessons = b->nlearned = 0;
}

/* ---- teaching ---- */

/* The first partition whose nodes have to do with this one's, over any number of others: one engine has them all. */
static size_t group_of(const struct partitions *p, size_t i)
{
	size_t first = i;
	struct nodeset *nodes = nodeset_dup(p->v[i].nodes);

	for (size_t k = 0; nodes && k < p->n;) {
		bool joins = nodeset_overlap(nodes, p->v[k].nodes) &&
			     !nodeset_subset(p->v[k].nodes, nodes);

		if (nodeset_overlap(nodes, p->v[k].nodes) && k < first)
			first = k;
		if (joins)
			nodeset_or(nodes, p->v[k].nodes);
		k = joins ? 0 : k + 1;
	}
	nodeset_destroy(nodes);
	return first;
}

static const struct partition *find_partition(const struct partitions *p, const char *name)
{
	for (size_t i = 0; i < p->n; i++)
		if (!strcmp(p->v[i].name, name))
			return &p->v[i];
	return NULL;
}

static bool tell(struct bridge *b, const struct nodeset *nodes, const struct sched_past *past,
		 size_t n)
{
	if (!n)
		return true;
	if (!bridge_event(b,
			  &(struct sched_event){ .type = EV_PAST,
						 .now = time(NULL),
						 .nodes = nodes,
						 .past = past,
						 .npast = n },
			  "what was learned earlier"))
		return false;
	b->nlessons += n;
	return true;
}

/* All that jobs of one engine's partitions needed, the earliest first. */
static bool teach_group(struct bridge *b, size_t group, const size_t *groups,
			struct sched_past *lesson)
{
	const struct partitions *p = &b->realms;
	size_t n = 0;

	for (size_t i = 0; i < reading.found.n; i++) {
		const struct history_past *past = &reading.found.v[i];
		const struct partition *of = find_partition(p, past->partition);

		/* what this core has learned by itself it knows */
		if (!of || groups[of - p->v] != group || past->life == b->life)
			continue;
		lesson[n++] = (struct sched_past){
			.user = past->uid == NO_VAL ? 0 : alias_of(b, past->uid),
			.limit = past->limit,
			.part = past->part,
			.cut = past->cut,
		};
		if (n < LESSON)
			continue;
		if (!tell(b, p->v[group].nodes, lesson, n))
			return false;
		n = 0;
	}
	return tell(b, p->v[group].nodes, lesson, n);
}

void learned_teach(struct bridge *b)
{
	const struct partitions *p = &b->realms;
	struct sched_past *lesson;
	size_t *groups;
	bool ok;

	if (!b->core || !wants(b) || !reading.come || p->nodes != b->nodes)
		return;
	lesson = calloc(LESSON, sizeof(*lesson));
	groups = calloc(p->n + 1, sizeof(*groups));
	ok = lesson && groups;
	b->nlessons = 0;
	for (size_t i = 0; ok && i < p->n; i++)
		groups[i] = group_of(p, i);
	for (size_t i = 0; ok && i < p->n; i++)
		ok = groups[i] != i || teach_group(b, i, groups, lesson);
	if (!ok)
		error("%s: not all that was learned of earlier jobs is known", scheduler_type());
	info("%s: RiskLimit: what %" PRIu64 " earlier jobs needed is known", scheduler_type(),
	     b->nlessons);
	b->taught = true;
	reading.come = false;
	free(reading.found.v);
	reading.found = (struct history_pasts){ 0 };
	free(lesson);
	free(groups);
}

/* ---- what is new ---- */

/* One of the partitions whose jobs share that node; NULL: none does any more. */
static const char *partition_of(const struct bridge *b, uint32_t node)
{
	const struct partitions *p = &b->realms;

	for (size_t i = 0; i < p->n && node < p->nodes; i++)
		if (nodeset_test(p->v[i].nodes, node))
			return p->v[i].name;
	return NULL;
}

void learned_note(struct bridge *b, const struct sched_action *action)
{
	const char *partition = partition_of(b, action->node);
	struct history_past past = {
		.when = time(NULL),
		.uid = alias_uid(b, action->past.user),
		.limit = action->past.limit,
		.part = action->past.part,
		.cut = action->past.cut,
		.life = b->life,
	};

	b->nlearned++;
	if (!partition)
		return;
	snprintf(past.partition, sizeof(past.partition), "%s", partition);
	history_learned(&past);
}
