/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * show_ask.c - pact ask in words
 */
#include <inttypes.h>
#include <string.h>

#include "contrib/pact/show/show.h"
#include "slurm/base/message.h"

static void show_alternative(json_object *one, FILE *out)
{
	const char *change = get_text(one, "change");
	char limit[32], end[32];

	fprintf(out, "  ");
	if (!strcmp(change, "nodes") && get_member(one, "max_nodes"))
		fprintf(out, "--nodes=%" PRId64 "-%" PRId64, get_number(one, "nodes"),
			get_number(one, "max_nodes"));
	else if (!strcmp(change, "nodes"))
		fprintf(out, "--nodes=%" PRId64, get_number(one, "nodes"));
	else if (!strcmp(change, "time"))
		fprintf(out, "--time=%s", show_duration(get_number(one, "limit"), limit));
	else
		fprintf(out, "--partition=%s", get_text(one, "partition"));
	fprintf(out, "  could complete by %s\n", show_time(get_number(one, "earliest"), end));
}

void show_critical(json_object *answer, FILE *out)
{
	json_object *critical = get_member(answer, "critical");
	char late[32] = "";

	if (!critical)
		return;
	if (get_member(critical, "late"))
		show_duration(get_number(critical, "late"), late);
	if (get_bool(critical, "itself"))
		fprintf(out, "in the best attempt it would have missed its own deadline");
	else if (get_member(critical, "job"))
		fprintf(out, "in the best attempt job %" PRId64 " would have missed its deadline",
			get_number(critical, "job"));
	else
		fprintf(out,
			"in the best attempt another promised job would have missed its deadline");
	if (late[0])
		fprintf(out, " by %s\n", late);
	else
		fprintf(out, ": there was no place for it at all\n");
}

void show_ask(json_object *answer, const struct style *style, FILE *out)
{
	json_object *others = get_member(answer, "alternatives");
	bool promised = get_bool(answer, "promised");
	char start[32], end[80];

	fprintf(out, "%s%s%s", style_on(style, promised ? STYLE_GREEN : STYLE_RED),
		promised		       ? "could be promised"
		: get_bool(answer, "expected") ? "would be let in, and promised nothing"
		: get_bool(answer, "waits")    ? "nothing could be promised yet"
					       : "could not be promised",
		style_off(style));
	if (*get_text(answer, "text"))
		fprintf(out, ": %s", get_text(answer, "text"));
	fprintf(out, "\n");
	show_critical(answer, out);
	if (get_member(answer, "earliest")) {
		message_deadline(end, get_number(answer, "earliest"));
		show_time(get_number(answer, get_member(answer, "earliest_start") ? "earliest_start"
										  : "start"),
			  start);
		fprintf(out, "earliest completion: %s, start %s", end, start);
		if (get_member(answer, "earliest_own"))
			fprintf(out, " on %" PRId64 " of its nodes",
				get_number(answer, "earliest_own"));
		fputc('\n', out);
	}
	if (*get_text(answer, "dependency"))
		fprintf(out, "%s\n", get_text(answer, "dependency"));
	if (get_count(others))
		fprintf(out, "what would help:\n");
	for (size_t i = 0; i < get_count(others); i++)
		show_alternative(json_object_array_get_idx(others, i), out);
	if (get_bool(answer, "cut"))
		fprintf(out,
			"more was not tried: the time for a question (AdmissionTime) was up\n");
}
