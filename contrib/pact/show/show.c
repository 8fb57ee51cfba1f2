/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * show.c - answers in words: what all of them share
 */
#include "contrib/pact/show/show.h"

#include <inttypes.h>
#include <pwd.h>
#include <string.h>

#include "slurm/base/message.h"

json_object *get_member(json_object *object, const char *key)
{
	json_object *value = NULL;

	if (json_object_is_type(object, json_type_object))
		json_object_object_get_ex(object, key, &value);
	return value;
}

int64_t get_number(json_object *object, const char *key)
{
	return json_object_get_int64(get_member(object, key));
}

const char *get_text(json_object *object, const char *key)
{
	json_object *value = get_member(object, key);

	return json_object_is_type(value, json_type_string) ? json_object_get_string(value) : "";
}

bool get_bool(json_object *object, const char *key)
{
	return json_object_get_boolean(get_member(object, key));
}

size_t get_count(json_object *array)
{
	return json_object_is_type(array, json_type_array) ? json_object_array_length(array) : 0;
}

bool show_counts(json_object *counts, const struct counts *how, FILE *out)
{
	bool any = false;

	if (!json_object_is_type(counts, json_type_object))
		return false;
	json_object_object_foreach(counts, name, value)
	{
		int64_t count = json_object_get_int64(value);

		if (!count && !how->zeros)
			continue;
		fputs(any ? how->between : how->before, out);
		how->tell(how, name, count, out);
		any = true;
	}
	return any;
}

void show_count(const struct counts *how, const char *name, int64_t count, FILE *out)
{
	fprintf(out, "%s%s%" PRId64, name, how->word, count);
}

static void tell_sample(const struct counts *how, const char *name, int64_t count, FILE *out)
{
	fprintf(out, "%s{%s=\"%s\"} %" PRId64 "\n", how->word, how->label, name, count);
}

void show_samples(json_object *counts, const char *metric, const char *label, FILE *out)
{
	const struct counts lines = { .before = "",
				      .between = "",
				      .zeros = true,
				      .tell = tell_sample,
				      .word = metric,
				      .label = label };

	show_counts(counts, &lines, out);
}

const char *show_time(int64_t when, char out[32])
{
	if (!when)
		return strcpy(out, "-");
	message_time(out, when);
	return out;
}

const char *show_short_time(int64_t when, int64_t now, char out[32])
{
	static const size_t date = sizeof("2026-11-21T") - 1, offset = sizeof("+01:00") - 1;
	char today[32];
	size_t length;

	show_time(now, today);
	length = strlen(show_time(when, out));
	if (!when || length < date + offset)
		return out;
	if (!strcmp(out + length - offset, today + strlen(today) - offset))
		out[length - offset] = '\0';
	if (!strncmp(today, out, date))
		memmove(out, out + date, strlen(out + date) + 1);
	return out;
}

const char *show_duration(int64_t seconds, char out[32])
{
	const char *sign = seconds < 0 ? "-" : "";
	int64_t all = seconds < 0 ? -seconds : seconds, days = all / 86400;
	int rest = (int)(all % 86400);

	if (days)
		snprintf(out, 32, "%s%" PRId64 "-%02d:%02d:%02d", sign, days, rest / 3600,
			 rest / 60 % 60, rest % 60);
	else
		snprintf(out, 32, "%s%02d:%02d:%02d", sign, rest / 3600, rest / 60 % 60, rest % 60);
	return out;
}

/* The latest few names: a plan has thousands of rows, and each name may be a question to a network. */
const char *show_user(int64_t uid, char out[64])
{
	static struct {
		bool known;
		int64_t uid;
		char name[64];
	} names[64];
	struct passwd *pw;
	size_t i = (size_t)((uint64_t)uid % (sizeof(names) / sizeof(names[0])));

	if (!names[i].known || names[i].uid != uid) {
		pw = getpwuid((uid_t)uid);
		if (pw)
			snprintf(names[i].name, sizeof(names[i].name), "%s", pw->pw_name);
		else
			snprintf(names[i].name, sizeof(names[i].name), "%" PRId64, uid);
		names[i].uid = uid;
		names[i].known = true;
	}
	return strcpy(out, names[i].name);
}

const char *style_on(const struct style *style, const char *code)
{
	static char text[2][16];
	static int turn;

	if (!style->colours)
		return "";
	turn = !turn;
	snprintf(text[turn], sizeof(text[turn]), "\033[%sm", code);
	return text[turn];
}

const char *style_off(const struct style *style)
{
	return style->colours ? "\033[0m" : "";
}
