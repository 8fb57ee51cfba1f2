/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * describe_wait.c - what of a partition makes Slurm keep a job waiting
 */
#include "slurm/describe.h"

enum describe_wait describe_part_wait(const struct description *job, const part_record_t *part,
				      uint32_t nodes, bool limited)
{
	if (!(part->state_up & PARTITION_SCHED))
		return DESCRIBE_STATE;
	if (part->max_time != INFINITE && job->least > (int64_t)part->max_time * 60 && limited)
		return DESCRIBE_MAX_TIME;
	if (part->max_nodes != INFINITE && job->width > (int32_t)part->max_nodes)
		return DESCRIBE_MAX_NODES;
	if (part->min_nodes > 1 && part->min_nodes != INFINITE && nodes < part->min_nodes)
		return DESCRIBE_MIN_NODES;
	return DESCRIBE_RUNS;
}

uint32_t describe_part_at(const part_record_t *part, enum describe_wait why)
{
	switch (why) {
	case DESCRIBE_STATE:
		return part->state_up;
	case DESCRIBE_MAX_TIME:
		return part->max_time;
	case DESCRIBE_MAX_NODES:
		return part->max_nodes;
	case DESCRIBE_MIN_NODES:
		return part->min_nodes;
	case DESCRIBE_RUNS:
		break;
	}
	return 0;
}

void describe_waits(const struct description *what, char *out, size_t size)
{
	const char *part = what->waits_in, *state = "INACTIVE";

	switch (what->waits) {
	case DESCRIBE_STATE:
		if (what->waits_at == PARTITION_DOWN)
			state = "DOWN";
		snprintf(out, size, "partition %.60s: State=%s", part, state);
		break;
	case DESCRIBE_MAX_TIME:
		snprintf(out, size,
			 "partition %.60s: MaxTime=%u (minutes) is less than its time limit", part,
			 what->waits_at);
		break;
	case DESCRIBE_MAX_NODES:
		snprintf(out, size, "partition %.60s: MaxNodes=%u is less than its node count",
			 part, what->waits_at);
		break;
	case DESCRIBE_MIN_NODES:
		snprintf(out, size, "partition %.60s: MinNodes=%u is more than its node count",
			 part, what->waits_at);
		break;
	case DESCRIBE_RUNS:
		out[0] = '\0';
		break;
	}
}
