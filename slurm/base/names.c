/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * names.c - names in comma lists, and of users in messages
 */
#include "slurm/base/names.h"

#include <stdio.h>

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

void names_user(const char *name, uint32_t uid, char out[NAMES_USER])
{
	if (name && name[0])
		snprintf(out, NAMES_USER, "user %s", name);
	else
		snprintf(out, NAMES_USER, "uid %u", uid);
}
