/* SPDX-License-Identifier: GPL-2.0-or-later */
/* once: see once.h. */
#include "common/once.h"

#include <stdio.h>
#include <string.h>

bool once_add(struct once *o, const char *name, const char *value, char *why, size_t size)
{
	if (!value)
		return true;
	for (size_t i = 0; i < o->n; i++)
		if (!strcmp(o->given[i].name, name)) {
			snprintf(why, size, "--%s %s: it is given already, as --%s %s", name, value,
				 name, o->given[i].value);
			return false;
		}
	if (o->n == ONCE_MAX) {
		snprintf(why, size, "--%s %s: too many options", name, value);
		return false;
	}
	o->given[o->n].name = name;
	o->given[o->n++].value = value;
	return true;
}
