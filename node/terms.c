/* SPDX-License-Identifier: GPL-2.0-or-later */
/* terms: see terms.h. */
#include "node/terms.h"

#include <string.h>

#include "common/number.h"
#include "common/why.h"
#include "node/report/report.h"

#define FIELDS 6

static const char *const field_name[FIELDS] = {
	"version", "submission", "estimate", "deadline", "processors", "rule",
};

/* Cut the text at its colons. False: there are not FIELDS. */
static bool split(char *text, char *field[FIELDS])
{
	size_t n = 0;

	for (char *p = text; p; n++) {
		char *end = strchr(p, ':');

		if (n == FIELDS)
			return false;
		field[n] = p;
		if (end)
			*end++ = '\0';
		p = end;
	}
	return n == FIELDS;
}

bool job_terms_read(const char *text, struct job_terms *out, char *why, size_t size)
{
	static const int64_t least[FIELDS] = { 1, 0, 0, 1, 0, 0 };
	static const int64_t most[FIELDS] = { 1,	 REPORT_TIME_MOST, INT64_MAX,
					      INT64_MAX, UINT16_MAX,	   0 };
	char copy[TERMS_MAX], *field[FIELDS];
	int64_t number[FIELDS];
	enum share_rule rule;

	if (strlen(text) >= sizeof(copy))
		return why_set(why, size, false, "the terms are too long");
	strcpy(copy, text);
	if (strncmp(copy, "1:", 2))
		return why_set(why, size, false, "terms of another version than 1: %.40s", text);
	if (!split(copy, field))
		return why_set(why, size, false, "terms of version 1 have %d fields: %s", FIELDS,
			       text);
	for (int i = 0; i < FIELDS - 1; i++) {
		if (!number_int(field[i], &number[i]) || number[i] < least[i] ||
		    number[i] > most[i])
			return why_set(why, size, false, "%s '%s' of the terms is not right",
				       field_name[i], field[i]);
	}
	if (!share_rule_find(field[FIELDS - 1], &rule))
		return why_set(why, size, false, "rule '%s' of the terms is not known",
			       field[FIELDS - 1]);
	/* A job may have no limit, and be due at no time: microseconds have to fit. */
	for (int i = 2; i <= 3; i++)
		number[i] = number[i] < REPORT_TIME_MOST ? number[i] : REPORT_TIME_MOST;
	*out = (struct job_terms){
		.submit = number[1],
		.estimate = number[2],
		.deadline = number[3],
		.processors = (uint16_t)number[4],
		.rule = rule,
	};
	return true;
}
