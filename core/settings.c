/* SPDX-License-Identifier: GPL-2.0-or-later */
/* settings: what the settings are at first, and whether they are well formed. */
#include <inttypes.h>
#include <stdio.h>

#include "core/settings.h"

void sched_config_init(struct sched_config *c)
{
	*c = (struct sched_config){
		.mode = SCHED_MODE_PAPER,
		.order = ORDER_EDF,
		.cost = COST_OWN,
		.slots = SLOTS_START,
		.compress = COMPRESS_ARRIVAL,
		.backtracks = 5,
		.effort = 1000,
		.admission = true,
		.kfactor = 5,
		.relax_milli = 2000,
		.min_artificial = 24 * 3600,
	};
	dynp_config_init(&c->dynp);
}

bool settings_valid(const struct sched_config *c, char *why, size_t size)
{
	const char *what = NULL;
	char text[128];

	if (c->mode != SCHED_MODE_PAPER && c->mode != SCHED_MODE_SLURM)
		what = "mode: neither paper nor slurm";
	else if (c->order != ORDER_EDF && c->order != ORDER_LLF)
		what = "order: neither edf nor llf";
	else if (c->cost != COST_SLACK && c->cost != COST_WAIT && c->cost != COST_AREA &&
		 c->cost != COST_WORK && c->cost != COST_OWN)
		what = "cost: neither slack nor wait nor area nor work";
	else if (c->slots != SLOTS_START && c->slots != SLOTS_ORDER)
		what = "slots: neither start nor order";
	else if (c->compress != COMPRESS_ARRIVAL && c->compress != COMPRESS_START)
		what = "compress: neither arrival nor start";
	else if (c->backtracks < 0)
		what = "backtracks: below 0";
	else if (c->effort < 0)
		what = "effort: below 0";
	else if (c->kfactor < 0)
		what = "kfactor: below 0";
	else if (c->relax_milli < 0)
		what = "relaxation: below 0";
	else if (c->min_artificial < 0)
		what = "minimum artificial deadline: below 0";
	else if (c->guard < 0)
		what = "guard: below 0";
	else if (c->lateness < 0 || c->lateness > c->guard) {
		snprintf(text, sizeof(text),
			 "lateness: %" PRId64 " is below 0 or more than the guard, %" PRId64,
			 c->lateness, c->guard);
		what = text;
	} else if (c->offer_probes < 0)
		what = "offer probes: below 0";
	else
		return dynp_config_valid(&c->dynp, why, size);
	if (why)
		snprintf(why, size, "%s", what);
	return false;
}
