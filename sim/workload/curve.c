/* SPDX-License-Identifier: GPL-2.0-or-later */
/* curve: see curve.h. */
#include "sim/workload/curve.h"

#include <stddef.h>
#include <string.h>

__extension__ typedef unsigned __int128 uint128;

static const int64_t table41[] = {
	1, 1000000, 2, 1800000, 4, 3400000, 8, 6300000, 16, 11200000, 32, 18100000, 64, 26300000,
};

const struct list64 curve_linear = { NULL, 0 };
const struct list64 curve_table41 = { table41, sizeof(table41) / sizeof(table41[0]) };

const struct list64 *curve_by_name(const char *name)
{
	if (!strcmp(name, "linear"))
		return &curve_linear;
	return strcmp(name, "table") ? NULL : &curve_table41;
}

int64_t curve_time(const struct list64 *curve, int64_t time, int32_t from, int32_t to)
{
	uint128 work = (uint128)time * (uint64_t)speedup_rate(curve, from);
	uint128 speed = (uint128)speedup_rate(curve, to);
	uint128 t = (work + speed - 1) / speed;

	return t > INT64_MAX ? INT64_MAX : (int64_t)t;
}
