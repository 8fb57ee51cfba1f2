/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * names.c - is a name one of a comma list?
 */
#include "slurm/names.h"

bool names_have(const char *names, const char *name,
		int (*compare)(const char *, const char *, size_t))
{
	size_t size = name ? strlen(name) : 0;

	while (size && names && *names) {
		size_t len = strcspn(names, ",");

		if (len == size && !compare(names, name, len))
			return true;
		names += len + (names[len] == ',');
	}
	return false;
}
