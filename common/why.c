/* SPDX-License-Identifier: GPL-2.0-or-later */
/* why: see why.h. */
#include "common/why.h"

#include <stdarg.h>
#include <stdio.h>

int why_set(char *why, size_t size, int err, const char *format, ...)
{
	va_list ap;

	if (!why || !size)
		return err;
	va_start(ap, format);
	vsnprintf(why, size, format, ap);
	va_end(ap);
	return err;
}
