/* SPDX-License-Identifier: GPL-2.0-or-later */
/* estimates: see estimates.h. */
#include "sim/workload/estimates.h"

#include <string.h>

#include "core/sched.h"
#include "common/number.h"
#include "common/rng.h"
#include "common/why.h"

#define MICRO INT64_C(1000000)
#define MAX_OMEGA_MICRO (1000 * MICRO)
/* Uniform draws in [0, 1) are multiples of one 2^32nd. */
#define UNIT (UINT64_C(1) << 32)

__extension__ typedef unsigned __int128 uint128;

static const struct {
	const char *prefix;
	enum estimates_kind kind;
	int64_t most;
	const char *wrong;
} models[] = {
	{ "omega:", ESTIMATES_OMEGA, MAX_OMEGA_MICRO, "W is no number from 0 to 1000" },
	{ "phi:", ESTIMATES_PHI, MICRO, "F is no number from 0 to 1" },
	{ "inaccuracy:", ESTIMATES_INACCURACY, MICRO, "P is no number from 0 to 1" },
};

int estimates_parse(const char *text, struct estimates *e, char *why, size_t size)
{
	int64_t v;

	*e = (struct estimates){ .kind = ESTIMATES_LOG };
	if (!strcmp(text, "log"))
		return PACT_OK;
	if (!strcmp(text, "exact")) {
		e->kind = ESTIMATES_EXACT;
		return PACT_OK;
	}
	for (size_t i = 0; i < sizeof(models) / sizeof(models[0]); i++) {
		size_t n = strlen(models[i].prefix);

		if (strncmp(text, models[i].prefix, n) != 0)
			continue;
		if (!number_micro(text + n, &v) || v > models[i].most)
			return why_set(why, size, PACT_EINVAL, "%s", models[i].wrong);
		*e = (struct estimates){ .kind = models[i].kind, .micro = v };
		return PACT_OK;
	}
	return why_set(why, size, PACT_EINVAL, "log, exact, omega:W, phi:F or inaccuracy:P wanted");
}

/* runtime x numerator / denominator, rounded up. */
static int64_t over(int64_t runtime, uint128 numerator, uint128 denominator)
{
	uint128 v = ((uint128)runtime * numerator + denominator - 1) / denominator;

	return v > (uint128)WORKLOAD_MAX_TIME ? WORKLOAD_MAX_TIME : (int64_t)v;
}

static int64_t omega_estimate(int64_t runtime, int64_t omega_micro, struct rng *rng)
{
	uint128 one = (uint128)MICRO * UNIT;

	return over(runtime, one + (uint128)omega_micro * rng_below(rng, UNIT), one);
}

static int64_t phi_estimate(int64_t runtime, int64_t phi_micro, struct rng *rng)
{
	uint64_t y = rng_below(rng, UNIT);

	if ((uint128)y * MICRO < (uint128)phi_micro * UNIT)
		return runtime;
	return over(runtime, (uint128)(MICRO - phi_micro) * UNIT, (uint128)MICRO * (UNIT - y));
}

static int64_t inaccurate_estimate(const struct sim_job *j, int64_t micro)
{
	uint128 more = (uint128)(j->estimate - j->runtime) * (uint64_t)micro;

	return j->runtime + (int64_t)((more + MICRO / 2) / MICRO);
}

void estimates_apply(const struct estimates *e, struct workload *w, uint64_t seed)
{
	struct rng rng;

	if (e->kind == ESTIMATES_LOG)
		return;
	if (e->kind == ESTIMATES_EXACT) {
		workload_exact(w);
		return;
	}
	rng_seed(&rng, seed, RNG_ESTIMATES);
	for (size_t i = 0; i < w->count; i++) {
		struct sim_job *j = &w->job[i];

		if (e->kind == ESTIMATES_INACCURACY) {
			j->estimate = inaccurate_estimate(j, e->micro);
			continue;
		}
		j->estimate = e->kind == ESTIMATES_OMEGA
				      ? omega_estimate(j->runtime, e->micro, &rng)
				      : phi_estimate(j->runtime, e->micro, &rng);
		j->killed = false;
	}
}
