/* SPDX-License-Identifier: GPL-2.0-or-later */
/* curve: see curve.h. */
#include "sim/workload/curve.h"

#include <stddef.h>
#include <string.h>

#include "common/rng.h"

__extension__ typedef unsigned __int128 uint128;

#define MICRO INT64_C(1000000)
#define TENTH (MICRO / 10)
#define MOST_COLUMNS 8

struct curve {
	const char *name;
	int columns;		     /* 0: linear */
	int64_t tenth[MOST_COLUMNS]; /* on 1, 2, 4, ... nodes */
};

const struct curve curve_linear = { .name = "linear" };

const struct curve curve_table41 = {
	.name = "table",
	.columns = 7,
	.tenth = { 10, 18, 34, 63, 112, 181, 263 },
};

const struct curve *curve_by_name(const char *name)
{
	static const struct curve *const curve[] = { &curve_linear, &curve_table41 };

	for (size_t i = 0; i < sizeof(curve) / sizeof(curve[0]); i++)
		if (!strcmp(curve[i]->name, name))
			return curve[i];
	return NULL;
}

int64_t curve_micro(const struct curve *s, int32_t nodes)
{
	uint64_t log = rng_log2_q32((uint64_t)nodes);
	int column = (int)(log >> 32);
	int64_t from, rise;

	if (!s->columns)
		return nodes * MICRO;
	if (column >= s->columns - 1)
		return s->tenth[s->columns - 1] * TENTH;
	from = s->tenth[column] * TENTH;
	rise = s->tenth[column + 1] * TENTH - from;
	return from + (int64_t)(((uint128)rise * (uint32_t)log) >> 32);
}

int64_t curve_time(const struct curve *s, int64_t time, int32_t from, int32_t to)
{
	uint128 work = (uint128)time * (uint64_t)curve_micro(s, from);
	uint128 speed = (uint128)curve_micro(s, to);
	uint128 t = (work + speed - 1) / speed;

	return t > INT64_MAX ? INT64_MAX : (int64_t)t;
}
