/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scheduler.c - which of the core's schedulers plans in this process
 */
#include "slurm/base/scheduler.h"

#include <stdatomic.h>
#include <string.h>

#define PREFIX "sched/"

/* The shell's own texts would go with it: the bridge may outlive the shell. */
static const char *const types[] = { PREFIX "qops", PREFIX "dynp", PREFIX "malleable" };
enum { QOPS, DYNP, MALLEABLE, TYPES };

/* By enum scheduler_strategy. */
static const char *const strategies[] = { "uniform", "profit", "lazy" };

static _Atomic int used = QOPS, strategy = STRATEGY_UNIFORM;
static _Atomic bool lending;

static int find(const char *type)
{
	for (int i = 0; type && i < TYPES; i++)
		if (!strcmp(types[i], type))
			return i;
	return -1;
}

const char *scheduler_type(void)
{
	return types[used];
}

const char *scheduler_name(void)
{
	return used == MALLEABLE ? strategies[strategy] : types[used] + strlen(PREFIX);
}

bool scheduler_is_dynp(void)
{
	return used == DYNP;
}

bool scheduler_is_malleable(void)
{
	return used == MALLEABLE;
}

bool scheduler_pursue(enum scheduler_strategy by)
{
	return atomic_exchange(&strategy, by) != (int)by && used == MALLEABLE;
}

bool scheduler_resizes(void)
{
	return used == MALLEABLE || lending;
}

bool scheduler_lend(bool lends)
{
	return atomic_exchange(&lending, lends) != lends;
}

bool scheduler_use(const char *type)
{
	int i = find(type);

	if (i >= 0)
		used = i;
	return i >= 0;
}

bool scheduler_known(const char *type)
{
	return find(type) >= 0;
}
