/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * core.c - what the core is told, and what it answers
 */
#include "slurm/base/compat.h"

#include "core/kernel/progress.h"
#include "core/kernel/speedup.h"
#include "slurm/base/clock.h"
#include "slurm/base/scheduler.h"
#include "slurm/state/core.h"
#include "slurm/state/running_policy.h"

/* Searches to bring a counter-offer forward; each halves what it is off, within AdmissionTime. */
#define OFFER_PROBES 6

static bool budget_expired(void *arg)
{
	struct bridge *b = arg;

	if (b->question && b->urgent)
		b->gave_way = true;
	return b->gave_way || (b->budget_end && clock_us() > b->budget_end);
}

void bridge_sched_config(struct bridge *b, struct sched_config *out)
{
	*out = b->conf->sched;
	/* Mode says how sched/qops orders jobs; sched/dynp's order is its policy. */
	if (scheduler_is_dynp())
		out->mode = SCHED_MODE_SLURM;
	/* Which partitions may promise is decided before the core is asked. */
	out->admission = true;
	out->offer_probes = OFFER_PROBES;
	out->expired = budget_expired;
	out->expired_arg = b;
}

bool bridge_event(struct bridge *b, const struct sched_event *ev, const char *what)
{
	int rc = sched_event(b->core, ev);

	if (ev->now > b->latest)
		b->latest = ev->now;
	if (rc != PACT_OK)
		error("%s: %s (id %" PRIu64 "): %s", scheduler_type(), what,
		      ev->njobs ? ev->jobs[0].id : ev->id, sched_error(b->core));
	return rc == PACT_OK;
}

bool bridge_answer(struct bridge *b, uint64_t id, struct sched_decision *decision)
{
	struct sched_action action;
	bool accepted = false;

	/* Notices of broken promises may be lost here: publish_collect() looks for itself. */
	memset(decision, 0, sizeof(*decision));
	while (sched_poll(b->core, &action)) {
		if (action.type == ACT_POLICY)
			running_policy_switched(b, &action);
		if (action.id != id || (action.type != ACT_ACCEPT && action.type != ACT_REFUSE))
			continue;
		*decision = action.decision;
		accepted = action.type == ACT_ACCEPT;
	}
	return accepted;
}

bool bridge_recall(struct bridge *b, int64_t now)
{
	uint64_t core = atomic_exchange(&b->starting, 0);

	if (!core)
		return false;
	debug("%s: a start makes way for an admission, and is made again at once",
	      scheduler_type());
	return bridge_event(
		b,
		&(struct sched_event){
			.type = EV_START_FAILED, .now = now, .id = core, .reserve = true },
		"a start was recalled");
}

void bridge_range(const struct description *what, struct sched_job *job)
{
	job->value = what->value;
	if (what->malleable) {
		job->most = what->most;
		job->grace = what->grace;
		job->speedup = (struct list64){ what->speedup, what->nspeedup };
	} else if (what->most) {
		job->most = what->most;
		job->flags |= JOB_MOLDABLE;
	}
}

int64_t bridge_run_limit(const struct snap_job *j)
{
	/* also of a promise that is broken: what was taken from the job was its own by that */
	bool binds = j->token_rc == TOKEN_OK && token_binds(&j->token);

	return binds && j->token.limit < j->what.limit ? j->token.limit : j->what.limit;
}

int64_t bridge_run_left(const struct snap_job *j)
{
	struct sched_job job = { .width = j->what.width };
	int64_t limit = bridge_run_limit(j), left;
	uint32_t has = nodeset_count(j->nodes) - j->cleaning;
	struct progress run = { .since = j->run.ran };

	bridge_range(&j->what, &job);
	run.left = limit >= PACT_END_OF_TIME ? PACT_FOREVER
		   : limit > j->run.done     ? progress_work(limit - j->run.done,
							     speedup_rate(&job.speedup, job.width))
					     : 0;
	run.rate = speedup_rate(&job.speedup, (int32_t)(has < j->run.has ? has : j->run.has));
	left = progress_limit(&run, speedup_rate(&job.speedup, job.width), j->runtime);
	return left > 0 ? left : 1;
}

bool bridge_same_nodes(const struct bridge *b)
{
	return b->table == (const void *)node_record_table_ptr ||
	       (b->nodes == (uint32_t)node_record_count && b->names == snapshot_names());
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * 0x9e3779b97f4a7c15ULL;
	return hash ^ (hash >> 31);
}

uint64_t bridge_shape(const struct sched_job *job)
{
	uint64_t hash = mix(1, (uint64_t)job->limit);

	hash = mix(hash, (uint64_t)job->least);
	hash = mix(hash, (uint64_t)job->begin);
	hash = mix(hash, (uint64_t)job->deadline);
	hash = mix(hash, (uint64_t)job->width);
	if (job->most > job->width)
		hash = mix(hash, (uint64_t)job->most);
	if (job->value)
		hash = mix(hash, (uint64_t)job->value);
	hash = mix(hash, job->flags & (JOB_OPAQUE | JOB_NEEDED));
	/* a promised one has its nodes for itself in any case */
	if (job->flags & JOB_WHOLE && !job->deadline)
		hash = mix(hash, JOB_WHOLE);
	if (job->processors || job->memory)
		hash = mix(mix(hash, (uint64_t)job->processors), (uint64_t)job->memory);
	for (uint32_t i = 0; i < job->nalt; i++)
		hash = mix(hash, nodeset_hash(job->alt[i]));
	return job->required ? mix(hash, nodeset_hash(job->required)) : hash;
}
