/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slices: see slices.h. What a scheduler does not use of the settings, it does not have. */
#include "sim/run/slices.h"

#include <string.h>

#include "core/base/nodeset.h"

static bool uses(const char *scheduler, const struct sched_config *config, const char *key)
{
	char why[256];

	return settings_used(config, scheduler, key, why, sizeof(why));
}

/* A row goes on while the switch cost more than that part, in ten thousandths, of the time that it has had. */
static int64_t longest_turn(const struct sim_slices *s, int64_t part)
{
	int64_t turn = (s->switch_loss * 10000 + part * s->length - 1) / (part * s->length);

	return turn > 1 ? turn : 1;
}

bool sim_slices_of(const char *scheduler, const struct sched_config *config,
		   struct sim_slices *slices)
{
	char other[64];

	if (sched_name_part(scheduler, 1, other, sizeof(other)) || !sched_name_turns(scheduler))
		return false;
	*slices = (struct sim_slices){ .rows = 1, .length = config->slice, .turn = 1 };
	slices->discrete = config->discrete;
	if (uses(scheduler, config, "Rows"))
		slices->rows = config->rows;
	/* of a slice, in ten thousandths, half a second up */
	if (uses(scheduler, config, "Switch"))
		slices->switch_loss = (config->slice * config->switch_cost + 5000) / 10000;
	if (uses(scheduler, config, "SwitchLoss"))
		slices->turn = longest_turn(slices, config->switch_loss);
	if (uses(scheduler, config, "MigrationQuota")) {
		slices->quota = config->migration_quota;
		slices->cost = config->migration_cost;
	}
	if (uses(scheduler, config, "PromiseAside")) {
		slices->aside = config->aside;
		slices->relax = config->relax_milli;
		slices->min_artificial = config->min_artificial;
	}
	if (uses(scheduler, config, "Cut"))
		slices->next = config->cut == CUT_NEXT;
	return true;
}

int64_t sim_artificial(const struct sched *s, const struct sched_config *config, uint64_t id)
{
	struct sched_view v;

	return config->aside && sched_view(s, id, &v) == PACT_OK ? v.artificial : 0;
}

bool sim_span_begins(const struct sim_history *h, size_t k)
{
	return !h->span[k].suspended && (k == 0 || h->span[k - 1].suspended);
}

int64_t sim_span_switch_loss(const struct sim_slices *slices, const struct sim_span *x)
{
	return x->lost < slices->switch_loss ? x->lost : slices->switch_loss;
}

bool sim_span_moves(const struct sim_history *h, size_t k)
{
	const struct nodeset *now = h->span[k].nodes, *was = k ? h->span[k - 1].nodes : now;

	return now != was && now && was && !nodeset_equal(now, was);
}

size_t sim_count_by(const void *v, size_t n, size_t size, int64_t at)
{
	size_t from = 0, to = n;

	while (from < to) {
		size_t middle = from + (to - from) / 2;
		int64_t its;

		memcpy(&its, (const char *)v + middle * size, sizeof(its));
		if (its <= at)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}
