/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * show_turn.c - a job that takes turns, in words
 */
#include <inttypes.h>
#include <string.h>

#include "contrib/pact/show/show.h"

static const char *time_of(json_object *turns, const char *key, int64_t now, char out[32])
{
	return now ? show_short_time(get_number(turns, key), now, out)
		   : show_time(get_number(turns, key), out);
}

void show_turn(json_object *job, int64_t now, FILE *out)
{
	json_object *turns = get_member(job, "turns");
	const bool waits = !strcmp(get_text(job, "state"), "waiting");
	char since[32], next[32];

	if (get_bool(turns, "by_hand")) {
		fprintf(out, "stopped by hand since %s", time_of(turns, "stopped", now, since));
		return;
	}
	if (get_member(turns, "stopped"))
		fprintf(out, "stopped since %s, ", time_of(turns, "stopped", now, since));
	if (get_member(turns, "aside_until"))
		fprintf(out, "set aside for a promised job until %s",
			time_of(turns, "aside_until", now, next));
	else if (get_bool(turns, "aside"))
		fprintf(out, "set aside until a row has its nodes free");
	else if (waits && get_member(turns, "next"))
		fprintf(out, "begins at %s", time_of(turns, "next", now, next));
	else if (waits)
		fprintf(out, "waits for a row");
	else if (get_member(turns, "stopped"))
		fprintf(out, "runs next at %s", time_of(turns, "next", now, next));
	else
		fprintf(out, "runs");
	if (get_bool(turns, "leaves"))
		fprintf(out, "; it is asked to leave its nodes, and goes on on others");
}

static const char *lack_words(const char *lack)
{
	static const char *const words[][2] = {
		{ "row", "no row has its nodes free" },
		{ "short", "no row that it may have has its nodes free; the others are kept for "
			   "shorter jobs" },
		{ "memory", "a row has nodes free, but beside the other rows' jobs not the memory "
			    "or the room" },
		{ "held", "a row has nodes free, but they are lost, reserved, promised before it "
			  "would end, or those of a job that is set aside" },
		{ "order", "a row has nodes free, and jobs before it in order are to have them" },
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcmp(words[i][0], lack))
			return words[i][1];
	return lack;
}

/* "at home in row 2, in 1 of 5 rows: 20.0 % of the time; since 17:00:00 it was due 20.0 % and got 19.8 %" */
void show_rows(json_object *job, FILE *out)
{
	json_object *turns = get_member(job, "turns"), *rows = get_member(turns, "rows");
	char since[32];

	if (!get_number(turns, "of"))
		return;
	if (get_count(rows) && get_bool(turns, "whole"))
		fprintf(out, "has its nodes in all of %" PRId64 " rows", get_number(turns, "of"));
	else if (get_count(rows))
		fprintf(out, "at home in row %" PRId64 ", in %zu of %" PRId64 " rows",
			get_number(turns, "home"), get_count(rows), get_number(turns, "of"));
	else if (get_bool(turns, "whole"))
		fprintf(out, "is to have its nodes in all of %" PRId64 " rows",
			get_number(turns, "of"));
	else
		fprintf(out, "in none of %" PRId64 " rows", get_number(turns, "of"));
	if (*get_text(turns, "lacks"))
		fprintf(out, ": %s", lack_words(get_text(turns, "lacks")));
	else if (get_count(rows))
		fprintf(out, ": %.1f %% of the time", (double)get_number(turns, "share") / 1e4);
	if (get_member(turns, "since"))
		fprintf(out, "; since %s it was due %.1f %% and got %.1f %%",
			show_time(get_number(turns, "since"), since),
			(double)get_number(turns, "due") / 1e4,
			(double)get_number(turns, "got") / 1e4);
	fprintf(out, "\n");
}
