/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * describe_wait.c - what of a partition makes Slurm keep a job waiting, or its nodes as they are
 */
#include "slurm/eligibility/describe.h"

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

/* MaxMemPerNode or, with MEM_PER_CPU, MaxMemPerCPU; 0: none */
static uint64_t most_memory(const part_record_t *part)
{
	uint64_t most = part->max_mem_per_cpu ? part->max_mem_per_cpu : slurm_conf.max_mem_per_cpu;

	return most == MEM_PER_CPU ? 0 : most;
}

/* To Slurm every node of a partition is like its first. */
static const node_record_t *first_node(const part_record_t *part)
{
	bitoff_t first = part->node_bitmap ? bit_ffs(part->node_bitmap) : -1;

	return first < 0 ? NULL : node_record_table_ptr[first];
}

/* MiB; without a word about it all of a node */
static uint64_t node_memory(const part_record_t *part, const struct node_need *need)
{
	const node_record_t *node = first_node(part);

	if (need->memory)
		return need->memory;
	if (!node || node->config_ptr->real_memory < node->mem_spec_limit)
		return 0;
	return node->config_ptr->real_memory - node->mem_spec_limit;
}

/* Processors of a node that memory is counted for: all, or what the job asks for. */
static uint64_t counted_cpus(const part_record_t *part, const struct node_need *need, uint32_t cpus)
{
	const node_record_t *node = first_node(part);

	if (need->whole)
		return node ? node->config_ptr->cpus : 0;
	return cpus ? cpus : 1;
}

enum describe_wait describe_memory_wait(const part_record_t *part, const struct node_need *need,
					uint32_t cpus)
{
	uint64_t most = most_memory(part);

	if (!most)
		return DESCRIBE_RUNS;
	if (need->cpu_memory && most & MEM_PER_CPU)
		return DESCRIBE_RUNS; /* on more processors: describe_memory_ratio() */
	if (need->cpu_memory)
		return need->cpu_memory * counted_cpus(part, need, cpus) > most
			       ? DESCRIBE_MAX_MEMORY
			       : DESCRIBE_RUNS;
	if (!(most & MEM_PER_CPU))
		return node_memory(part, need) > most ? DESCRIBE_MAX_MEMORY : DESCRIBE_RUNS;
	/* Slurm raises the processors to what it compares, but not those that are enough. */
	if (!need->whole || cpus < describe_memory_cpus(part, need))
		return DESCRIBE_RUNS;
	return node_memory(part, need) > (most & ~MEM_PER_CPU) * counted_cpus(part, need, cpus)
		       ? DESCRIBE_CPU_MEMORY
		       : DESCRIBE_RUNS;
}

uint32_t describe_memory_cpus(const part_record_t *part, const struct node_need *need)
{
	uint64_t each = most_memory(part), cpus;

	if (!(each & MEM_PER_CPU) || need->cpu_memory)
		return 0;
	each &= ~MEM_PER_CPU;
	cpus = (node_memory(part, need) + each - 1) / each;
	return cpus < UINT16_MAX ? (uint32_t)cpus : UINT16_MAX;
}

uint32_t describe_memory_ratio(const part_record_t *part, uint64_t memory)
{
	uint64_t each = most_memory(part) & ~MEM_PER_CPU, ratio;

	if (!(most_memory(part) & memory & MEM_PER_CPU))
		return 1;
	memory &= ~MEM_PER_CPU;
	ratio = (memory + each - 1) / each;
	if (ratio > UINT16_MAX)
		return UINT16_MAX;
	return ratio ? (uint32_t)ratio : 1;
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
	case DESCRIBE_MAX_MEMORY:
	case DESCRIBE_CPU_MEMORY:
		return (uint32_t)most_memory(part);
	case DESCRIBE_CPUS:
	case DESCRIBE_REQUIRED:
	case DESCRIBE_CROWDED:
	case DESCRIBE_RUNS:
		break;
	}
	return 0;
}

bool describe_in_vain(const struct description *what)
{
	return what->waits == DESCRIBE_CPUS || what->waits == DESCRIBE_REQUIRED ||
	       what->waits == DESCRIBE_CROWDED;
}

bool describe_closed(const struct description *what)
{
	return what->waits == DESCRIBE_STATE && !(what->waits_at & PARTITION_SUBMIT);
}

void describe_waits(const struct description *what, char *out, size_t size)
{
	const char *part = what->waits_in, *state = "INACTIVE";

	switch (what->waits) {
	case DESCRIBE_STATE:
		if (what->waits_at == PARTITION_DOWN)
			state = "DOWN";
		snprintf(out, size, "partition %.60s: State=%s, no job starts in it", part, state);
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
	case DESCRIBE_MAX_MEMORY:
	case DESCRIBE_CPU_MEMORY:
		snprintf(out, size, "partition %.60s: %s=%u (MB) is less than its memory", part,
			 what->waits == DESCRIBE_CPU_MEMORY ? "MaxMemPerCPU" : "MaxMemPerNode",
			 what->waits_at);
		break;
	case DESCRIBE_CPUS:
		snprintf(out, size, "%d node%s of partition %.60s ha%s too few processors",
			 what->width, what->width == 1 ? "" : "s", part,
			 what->width == 1 ? "s" : "ve");
		break;
	case DESCRIBE_REQUIRED:
		snprintf(out, size, "it requires %u nodes by name, more than its node count",
			 what->waits_at);
		break;
	case DESCRIBE_CROWDED:
		snprintf(out, size,
			 "its tasks need %u nodes by --ntasks-per-node, more than its node count",
			 what->waits_at);
		break;
	case DESCRIBE_RUNS:
		out[0] = '\0';
		break;
	}
}

void describe_rigid(const struct description *what, char *out, size_t size)
{
	const char *part = what->nalt ? what->part[0] : "";

	if (what->slices)
		snprintf(out, size, "--malleable: in partition %s jobs take turns on their nodes",
			 part);
	else if (what->shares)
		snprintf(out, size, "--malleable: in partition %s jobs share their nodes", part);
	else if (what->opaque || what->stays)
		snprintf(out, size, "--malleable: a job is not resized that has %s",
			 what->opaque ? what->opaque : what->stays);
	else if (what->bounded)
		snprintf(out, size,
			 "--malleable: by a limit of its partition, account or QOS it may have no "
			 "more than its fewest nodes, %d",
			 what->width);
	else
		snprintf(out, size, "--malleable: it needs all of its %d nodes", what->width);
}
