/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * track.c - the jobs that both slurmctld and the core know
 */
#include "slurm/base/compat.h"

#include "slurm/state/recorder.h"
#include "slurm/state/terms.h"
#include "slurm/state/track.h"

#define RULED_OUT 600

uint64_t track_key(uint32_t base_id, uint32_t task)
{
	return ((uint64_t)base_id << 32) | task;
}

uint64_t track_spread(uint64_t key)
{
	/* Both steps can be undone: no two keys become one. */
	key ^= key >> 32;
	return key * 0xd6e8feb86659fd93ULL;
}

struct track *track_find(struct bridge *b, uint64_t key)
{
	return b->by_key ? table_find(b->by_key, track_spread(key)) : NULL;
}

struct track *track_by_core(struct bridge *b, uint64_t core)
{
	return b->by_core ? table_find(b->by_core, core) : NULL;
}

struct track *track_first_task(struct bridge *b, uint32_t base_id)
{
	return b->by_array ? table_find(b->by_array, base_id) : NULL;
}

/* Tasks of an array know each other.  RET false: no memory */
static bool join_array(struct bridge *b, struct track *track)
{
	struct track *first;

	if ((uint32_t)track->key == NO_VAL)
		return true;
	first = track_first_task(b, track->key >> 32);
	if (!first)
		return !table_insert(b->by_array, track->key >> 32, track);
	track->prev_task = first;
	track->next_task = first->next_task;
	if (first->next_task)
		first->next_task->prev_task = track;
	first->next_task = track;
	return true;
}

static void leave_array(struct bridge *b, struct track *track)
{
	if (!track->prev_task && track_first_task(b, track->key >> 32) != track)
		return;
	if (track->next_task)
		track->next_task->prev_task = track->prev_task;
	if (track->prev_task) {
		track->prev_task->next_task = track->next_task;
		return;
	}
	/* What was taken out left room for what comes in. */
	table_remove(b->by_array, track->key >> 32);
	if (track->next_task)
		table_insert(b->by_array, track->key >> 32, track->next_task);
}

struct track *track_add(struct bridge *b, uint64_t key, uint64_t core)
{
	struct track *track = calloc(1, sizeof(*track));

	if (!track)
		return NULL;
	track->key = key;
	track->core = core ? core : ++b->next_core;
	if (table_insert(b->by_key, track_spread(key), track)) {
		free(track);
		return NULL;
	}
	if (table_insert(b->by_core, track->core, track)) {
		table_remove(b->by_key, track_spread(key));
		free(track);
		return NULL;
	}
	if (!join_array(b, track)) {
		track_remove(b, track);
		return NULL;
	}
	recorder_note(track->core, key);
	return track;
}

static void release(struct track *track)
{
	nodeset_destroy(track->lacks);
	nodeset_destroy(track->ruled_out);
	free(track->books);
	free(track);
}

void track_remove(struct bridge *b, struct track *track)
{
	table_remove(b->by_key, track_spread(track->key));
	table_remove(b->by_core, track->core);
	leave_array(b, track);
	terms_leave(b, &track->asked, TALLY_GONE);
	release(track);
}

void track_forget_all(struct bridge *b)
{
	struct track *track;
	size_t i = 0;

	if (b->by_key)
		while ((track = table_next(b->by_key, &i))) {
			terms_leave(b, &track->asked, TALLY_ANEW);
			release(track);
		}
	table_destroy(b->by_key);
	table_destroy(b->by_core);
	table_destroy(b->by_array);
	b->by_key = b->by_core = b->by_array = NULL;
}

static struct track_rule rule_from(const struct track *track, int64_t now)
{
	return (struct track_rule){
		.until = now + RULED_OUT,
		.conf = slurm_conf.last_update,
		.width = track->width,
	};
}

static bool holds(const struct track *track, const struct track_rule *rule, int64_t now)
{
	return now < rule->until && rule->conf == slurm_conf.last_update &&
	       rule->width == track->width;
}

void track_rule_out(struct track *track, const struct nodeset *nodes, int64_t now)
{
	nodeset_destroy(track->ruled_out);
	track->ruled_out = nodeset_dup(nodes);
	track->never = rule_from(track, now);
}

void track_rule_out_more(struct track *track, int64_t now)
{
	track->no_more = rule_from(track, now);
}

bool track_ruled_out(const struct track *track, const struct nodeset *nodes, int64_t now)
{
	if (holds(track, &track->no_more, now) && nodeset_count(nodes) > track->width)
		return true;
	return track->ruled_out && holds(track, &track->never, now) &&
	       nodeset_equal(track->ruled_out, nodes);
}
