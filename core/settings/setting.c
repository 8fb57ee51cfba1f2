/* SPDX-License-Identifier: GPL-2.0-or-later */
/* setting: see setting.h. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/settings/setting.h"

/* ---- text ---- */

static int lower(char c)
{
	return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

bool setting_is_name(const char *text, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++) {
		if (!name[i] || lower(text[i]) != lower(name[i]))
			return false;
	}
	return !name[n];
}

int64_t setting_whole(const char *text, size_t n, int64_t most)
{
	int64_t v = 0;

	if (!n)
		return -1;
	for (size_t i = 0; i < n; i++) {
		if (text[i] < '0' || text[i] > '9' || v > most / 10)
			return -1;
		v = v * 10 + (text[i] - '0');
		if (v > most)
			return -1;
	}
	return v;
}

bool setting_listed(const char *name, const char *list)
{
	size_t length = strlen(name);

	for (;;) {
		size_t n = strcspn(list, ",");

		if (n == length && !strncmp(list, name, n))
			return true;
		if (!list[n])
			return false;
		list += n + 2;
	}
}

/* Add to a text that has `used` of `size` characters; what does not fit is cut off. */
static void add(char *out, size_t size, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

static void add(char *out, size_t size, const char *fmt, ...)
{
	size_t used = strlen(out);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(out + used, size - used, fmt, ap);
	va_end(ap);
}

/* ---- members ---- */

static int64_t get(const struct setting *s, const void *config)
{
	const char *at = (const char *)config + s->offset;
	int32_t narrow;
	int64_t wide;

	if (s->type == SETTING_BOOL)
		return *(const bool *)at;
	if (s->type == SETTING_I64) {
		memcpy(&wide, at, sizeof(wide));
		return wide;
	}
	memcpy(&narrow, at, sizeof(narrow));
	return narrow;
}

static void put(const struct setting *s, void *config, int64_t v)
{
	char *at = (char *)config + s->offset;
	int32_t narrow = (int32_t)v;

	if (s->type == SETTING_BOOL)
		*(bool *)at = v;
	else if (s->type == SETTING_I64)
		memcpy(at, &v, sizeof(v));
	else
		memcpy(at, &narrow, sizeof(narrow));
}

static char *text_of(const struct setting *s, const void *config)
{
	char *text;

	memcpy(&text, (const char *)config + s->offset, sizeof(text));
	return text;
}

static int64_t power(const struct setting *s)
{
	int64_t p = 1;

	for (int i = 0; i < s->digits; i++)
		p *= 10;
	return p;
}

static int64_t times(const struct setting *s)
{
	return s->times ? s->times : 1;
}

/* ---- words ---- */

static size_t count_words(const struct setting *s)
{
	size_t n = 0;

	while (s->words[n])
		n++;
	return n;
}

static bool may_choose(const struct setting *s, size_t i)
{
	return !s->choices || s->choices >> i & 1;
}

const char *setting_choice(const struct setting *s, size_t i)
{
	size_t n = count_words(s);

	for (size_t at = 0; at < n; at++) {
		if (may_choose(s, at) && !i--)
			return s->words[at];
	}
	return NULL;
}

/* -1: no such name. What is no choice may still be the default (by: 0). */
static int find_word(const struct setting *s, int by, const char *value)
{
	for (int i = 0; s->words[i]; i++) {
		if ((may_choose(s, (size_t)i) || (!by && !strcmp(value, s->initial))) &&
		    setting_is_name(value, strlen(value), s->words[i]))
			return i;
	}
	return -1;
}

static bool word_valid(const struct setting *s, int64_t v)
{
	return v >= 0 && v < (int64_t)count_words(s) && find_word(s, 0, s->words[v]) == v;
}

/* ---- numbers ---- */

/* As it is kept; -1: not well formed, or too much. */
static int64_t parse_number(const struct setting *s, const char *value, int64_t most)
{
	size_t n = strcspn(value, "."), decimals = value[n] ? strlen(value + n + 1) : 0;
	int64_t v, part = 0, p = power(s);

	if (s->octal)
		return value[strspn(value, "01234567")] || !value[0] || strlen(value) > 9
			       ? -1
			       : (int64_t)strtol(value, NULL, 8);
	v = setting_whole(value, n, most / p);
	if (value[n]) {
		part = decimals <= (size_t)s->digits ? setting_whole(value + n + 1, decimals, p)
						     : -1;
		for (int i = (int)decimals; part > 0 && i < s->digits; i++)
			part *= 10;
	}
	return v < 0 || part < 0 ? -1 : v * p + part;
}

static void format_number(const struct setting *s, int64_t v, char *out, size_t size)
{
	int64_t p = power(s), whole = v / p, part = v < 0 ? -(v % p) : v % p;
	size_t n;

	if (s->octal) {
		snprintf(out, size, "%04" PRIo64, (uint64_t)v);
		return;
	}
	snprintf(out, size, "%s%" PRId64, v < 0 && !whole ? "-" : "", whole);
	if (!part)
		return;
	add(out, size, ".%0*" PRId64, s->digits, part);
	for (n = strlen(out); out[n - 1] == '0'; n--)
		out[n - 1] = '\0';
}

static void number_bounds(const struct setting *s, enum setting_by by, int64_t *least,
			  int64_t *most)
{
	bool narrow = by == SETTING_BY_CONF && s->site_most;

	*least = narrow ? s->site_least : s->least;
	*most = narrow ? s->site_most : s->most;
}

void setting_bounds(const struct setting *s, enum setting_by by, char *least, char *most,
		    size_t size)
{
	int64_t from, to;

	number_bounds(s, by, &from, &to);
	format_number(s, from, least, size);
	format_number(s, to, most, size);
}

/* ---- what it must be ---- */

static void say_words(const struct setting *s, char *out, size_t size)
{
	const char *word;

	for (size_t i = 0; (word = setting_choice(s, i)); i++) {
		const char *between = setting_choice(s, i + 1) ? ", " : " or ";

		add(out, size, "%s%s", i ? between : "", word);
	}
}

static void say_number(const struct setting *s, enum setting_by by, char *out, size_t size)
{
	char first[32], last[32];

	setting_bounds(s, by, first, last, sizeof(first));
	add(out, size, "%s number%s%s from %s to %s",
	    s->octal	? "an octal"
	    : s->digits ? "a"
			: "a whole",
	    s->unit && strcmp(s->unit, "number") ? " of " : "",
	    s->unit && strcmp(s->unit, "number") ? s->unit : "", first, last);
	if (s->digits)
		add(out, size, ", with at most %d decimals", s->digits);
}

static void say_text(const struct setting *s, char *out, size_t size)
{
	add(out, size, "%s%s", s->none ? "none or " : "", s->path ? "a path from /" : "a text");
	if (s->most)
		add(out, size, " of at most %" PRId64 " characters", s->most);
}

/* false, and why: "KEY=VALUE: must be ...". */
static bool refuse(const struct setting *s, enum setting_by by, const char *value, char *why,
		   size_t size)
{
	char text[256] = "";

	if (s->type == SETTING_OWN)
		add(text, sizeof(text), "%s", s->own->what);
	else if (s->type == SETTING_WORD || s->type == SETTING_BOOL)
		say_words(s, text, sizeof(text));
	else if (s->type == SETTING_TEXT)
		say_text(s, text, sizeof(text));
	else
		say_number(s, by, text, sizeof(text));
	if (why)
		snprintf(why, size, "%s=%.200s: must be %s", s->key, value, text);
	return false;
}

/* ---- from text, to text ---- */

static bool set_text(const struct setting *s, void *config, const char *value, char *why,
		     size_t size)
{
	char *old = text_of(s, config), *new = NULL;
	size_t n = strlen(value);

	if (s->none && setting_is_name(value, n, "none"))
		n = 0;
	else if ((s->path && value[0] != '/') || (s->most && n > (size_t)s->most))
		return refuse(s, SETTING_BY_CONF, value, why, size);
	if (n || !s->none) {
		new = malloc(n + 1);
		if (!new) {
			if (why)
				snprintf(why, size, "%s: out of memory", s->key);
			return false;
		}
		memcpy(new, value, n + 1);
	}
	free(old);
	memcpy((char *)config + s->offset, &new, sizeof(new));
	return true;
}

bool setting_set(const struct setting *s, void *config, enum setting_by by, const char *value,
		 char *why, size_t size)
{
	int64_t v, least, most;

	if (s->type == SETTING_TEXT)
		return set_text(s, config, value, why, size);
	if (s->type == SETTING_OWN)
		return s->own->parse(config, value) || refuse(s, by, value, why, size);
	if (s->type == SETTING_WORD || s->type == SETTING_BOOL) {
		v = find_word(s, (int)by, value);
		if (v < 0)
			return refuse(s, by, value, why, size);
	} else {
		number_bounds(s, by, &least, &most);
		v = parse_number(s, value, most);
		if (v < least || v > most)
			return refuse(s, by, value, why, size);
		v *= times(s);
	}
	put(s, config, v);
	return true;
}

void setting_format(const struct setting *s, const void *config, char *out, size_t size)
{
	int64_t v;

	if (s->type == SETTING_OWN) {
		s->own->format(config, out, size);
		return;
	}
	if (s->type == SETTING_TEXT) {
		const char *text = text_of(s, config);

		snprintf(out, size, "%s", text ? text : "none");
		return;
	}
	v = get(s, config);
	if ((s->type == SETTING_WORD || s->type == SETTING_BOOL) && v >= 0 &&
	    v < (int64_t)count_words(s))
		snprintf(out, size, "%s", s->words[v]);
	else
		format_number(s, v / times(s), out, size);
}

/* ---- tables ---- */

const struct setting *setting_find(const struct setting *table, const char *key)
{
	for (; table->key; table++) {
		if (setting_is_name(key, strlen(key), table->key))
			return table;
	}
	return NULL;
}

const char *setting_initial(const struct setting *s, enum setting_by by)
{
	return by == SETTING_BY_CONF && s->site_initial ? s->site_initial : s->initial;
}

void setting_begin(const struct setting *table, void *config, enum setting_by by)
{
	for (; table->key; table++) {
		const char *initial = setting_initial(table, by);

		/* A test sees that each of them is well formed. */
		if (initial)
			setting_set(table, config, 0, initial, NULL, 0);
	}
}

void setting_clear(const struct setting *table, void *config)
{
	static char *const none;

	for (; table->key; table++) {
		if (table->type != SETTING_TEXT)
			continue;
		free(text_of(table, config));
		memcpy((char *)config + table->offset, &none, sizeof(none));
	}
}

static bool within(const struct setting *s, const void *config)
{
	int64_t v;

	if (s->type == SETTING_OWN)
		return s->own->valid(config);
	if (s->type == SETTING_TEXT)
		return true;
	v = get(s, config);
	if (s->type == SETTING_WORD || s->type == SETTING_BOOL)
		return word_valid(s, v);
	return v >= s->least * times(s) && v <= s->most * times(s);
}

/* One setting, and with the others. */
static bool one_valid(const struct setting *s, const struct setting *table, const void *config,
		      char *why, size_t size)
{
	const struct setting *other = s->not_above ? setting_find(table, s->not_above) : NULL;
	char value[128], limit[128];

	setting_format(s, config, value, sizeof(value));
	if (!within(s, config))
		return refuse(s, SETTING_BY_SET, value, why, size);
	if (other && get(s, config) > get(other, config)) {
		setting_format(other, config, limit, sizeof(limit));
		if (why)
			snprintf(why, size, "%s=%s: must not be above %s=%s", s->key, value,
				 other->key, limit);
		return false;
	}
	return true;
}

bool setting_valid(const struct setting *table, const void *config, char *why, size_t size)
{
	for (const struct setting *s = table; s->key; s++) {
		if (!one_valid(s, table, config, why, size))
			return false;
	}
	for (const struct setting *s = table; s->key; s++) {
		if (s->together && !s->together(config, why, size))
			return false;
	}
	return true;
}

void setting_syntax(const struct setting *s, char *out, size_t size)
{
	const char *word;
	size_t n = 0;

	out[0] = '\0';
	if (s->type == SETTING_WORD || s->type == SETTING_BOOL) {
		for (size_t i = 0; (word = setting_choice(s, i)); i++)
			add(out, size, "%s%s", i ? "|" : "", word);
		return;
	}
	for (; s->unit[n] && n + 1 < size; n++)
		out[n] = s->unit[n] >= 'a' && s->unit[n] <= 'z' ? (char)(s->unit[n] - 'a' + 'A')
								: s->unit[n];
	out[n] = '\0';
	if (s->none)
		add(out, size, "|none");
}
