/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * show_record.c - pact record in words
 */
#include <inttypes.h>

#include "contrib/pact/show/show.h"

void show_record(json_object *answer, const struct style *style, FILE *out)
{
	const char *stopped = get_text(answer, "stopped");

	if (!get_bool(answer, "wanted"))
		fprintf(out, "recording is off\n");
	else if (stopped[0])
		fprintf(out, "recording has %sstopped%s: %s\n", style_on(style, STYLE_RED),
			style_off(style), stopped);
	else if (!get_bool(answer, "recording") || !get_text(answer, "file")[0])
		fprintf(out, "recording is on, and begins with the next planning pass\n");
	else
		fprintf(out, "recording into %s, %" PRId64 " bytes so far\n",
			get_text(answer, "file"), get_number(answer, "bytes"));
}
