/* SPDX-License-Identifier: GPL-2.0-or-later */
/* registry: see registry.h. A new scheduler is a line of `schedulers` and one of `names`. */
#include "core/registry.h"

#include <string.h>

#include "core/beside/beside.h"
#include "core/domains/domains.h"
#include "core/gang/gang.h"
#include "core/loans/loans.h"
#include "core/malleable/malleable.h"
#include "core/planning/planning.h"
#include "core/policies/dynp/dynp.h"
#include "core/policies/policies.h"
#include "core/sharing/sharing.h"

/* In both modes the same. */
#define ANY_MODE(policy) &(policy), &(policy)
#define PAPER_MODE(policy) &(policy), NULL

/* A deadline is decided by QoPS, beside what takes turns. */
#define BESIDE(plan, turns) \
	&(const struct beside_kind) \
	{ \
		&engine_planning, &(plan), &engine_gang, &(turns) \
	}
#define BESIDE_QOPS(turns) BESIDE(policy_qops, turns), BESIDE(policy_qops_slurm, turns)

/*
 * The same, and what its plan leaves idle is lent. Nodes are called in for the starts that are planned: a scheduler that plans none
 * does not lend.
 */
#define LENDING_IN(name, policy, slurm) \
	&(const struct scheduler) \
	{ \
		name, &engine_loans, &(const struct loans_kind){ &engine_planning, &(policy) }, \
			slurm, NULL \
	}
#define LENDING(name, policy, slurm_policy) \
	LENDING_IN(name, policy, (&(const struct loans_kind){ &engine_planning, &(slurm_policy) }))
#define PAPER_LENDING(name, policy) LENDING_IN(name, policy, NULL)

static const struct scheduler schedulers[] = {
	{ "fcfs", &engine_planning, ANY_MODE(policy_fcfs), NULL },
	{ "easy", &engine_planning, ANY_MODE(policy_easy), NULL },
	{ "conservative", &engine_planning, ANY_MODE(policy_conservative),
	  LENDING("conservative", policy_conservative, policy_conservative) },
	{ "qops", &engine_planning, &policy_qops, &policy_qops_slurm,
	  LENDING("qops", policy_qops, policy_qops_slurm) },
	{ "msb", &engine_planning, PAPER_MODE(policy_msb), PAPER_LENDING("msb", policy_msb) },
	{ "mrt", &engine_planning, PAPER_MODE(policy_mrt), PAPER_LENDING("mrt", policy_mrt) },
	{ "qops-best", &engine_planning, PAPER_MODE(policy_best),
	  PAPER_LENDING("qops-best", policy_best) },
	{ "dynp", &engine_planning, ANY_MODE(policy_dynp),
	  LENDING("dynp", policy_dynp, policy_dynp) },
	{ "libra", &engine_sharing, ANY_MODE(sharing_libra), NULL },
	{ "librarisk", &engine_sharing, ANY_MODE(sharing_librarisk), NULL },
	{ "demand", &engine_sharing, ANY_MODE(sharing_demand), NULL },
	{ "edf", &engine_sharing, ANY_MODE(sharing_edf), NULL },
	{ "gs", &engine_gang, ANY_MODE(gang_gs), NULL },
	{ "bgs", &engine_beside, BESIDE_QOPS(gang_bgs), NULL },
	{ "mgs", &engine_gang, ANY_MODE(gang_mgs), NULL },
	{ "mbgs", &engine_beside, BESIDE_QOPS(gang_mbgs), NULL },
	{ "ambgs", &engine_gang, ANY_MODE(gang_ambgs), NULL },
	{ "bf", &engine_gang, ANY_MODE(gang_bf), NULL },
	{ "uniform", &engine_malleable, ANY_MODE(malleable_uniform), NULL },
	{ "profit", &engine_malleable, ANY_MODE(malleable_profit), NULL },
	{ "lazy", &engine_malleable, ANY_MODE(malleable_lazy), NULL },
};

#define SCHEDULERS (sizeof(schedulers) / sizeof(schedulers[0]))

static const char *const names[SCHEDULERS + 1] = {
	"fcfs",	 "easy",      "conservative", "qops",	"msb",	"mrt", "qops-best", "dynp",
	"libra", "librarisk", "demand",	      "edf",	"gs",	"bgs", "mgs",	    "mbgs",
	"ambgs", "bf",	      "uniform",      "profit", "lazy", NULL,
};

const char *const *sched_names(void)
{
	return names;
}

const struct scheduler *registry_find(const char *name)
{
	for (size_t i = 0; i < SCHEDULERS; i++) {
		if (!strcmp(schedulers[i].name, name))
			return &schedulers[i];
	}
	return NULL;
}

/* The view of dynP, by an engine that has no others in it. */
static int dynp_view_of(const struct engine *engine, const void *own, struct dynp_view *v)
{
	if (engine == &engine_loans)
		own = loans_inside(own, &engine);
	return engine == &engine_planning ? dynp_view(own, v) : PACT_ENOENT;
}

int registry_dynp_view(const struct engine *engine, const void *own, struct dynp_view *v)
{
	const struct engine *part;
	const void *part_own;
	int rc = dynp_view_of(engine, own, v);

	for (uint32_t i = 0; rc == PACT_ENOENT && engine == &engine_domains; i++) {
		part_own = domains_part(own, i, &part);
		if (!part_own)
			break;
		rc = dynp_view_of(part, part_own, v);
	}
	return rc;
}
