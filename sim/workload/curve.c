/* SPDX-License-Identifier: GPL-2.0-or-later */
/* curve: see curve.h. */
#include "sim/workload/curve.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "common/number.h"

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

bool curve_parse(const char *text, struct list64 *curve)
{
	int64_t *v = calloc(SPEEDUP_NUMBERS, sizeof(*v));
	char *copy = strdup(text), *next, *item;
	uint32_t n = 0;
	bool ok = v && copy;

	for (item = ok ? strtok_r(copy, ",", &next) : NULL; item && ok;
	     item = strtok_r(NULL, ",", &next)) {
		char *factor = strchr(item, ':');

		if (factor)
			*factor++ = '\0';
		ok = factor && n < SPEEDUP_NUMBERS && number_int(item, &v[n]) &&
		     number_micro(factor, &v[n + 1]);
		n += 2;
	}
	free(copy);
	*curve = (struct list64){ v, n };
	if (ok && n && speedup_valid(curve))
		return true;
	free(v);
	*curve = (struct list64){ 0 };
	return false;
}

int64_t curve_time(const struct list64 *curve, int64_t time, int32_t from, int32_t to)
{
	uint128 work = (uint128)time * (uint64_t)speedup_rate(curve, from);
	uint128 speed = (uint128)speedup_rate(curve, to);
	uint128 t = (work + speed - 1) / speed;

	return t > INT64_MAX ? INT64_MAX : (int64_t)t;
}
