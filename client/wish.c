/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wish.c - see wish.h
 *
 * A wish is found by its head at the start of a word, and ends at the next ")", before any blank.
 */
#include "client/wish.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD "pactwish1("
/* Numbers of up to 18 digits fit into 64 bits with their sign. */
#define DIGITS 18

/* Where a wish stands in a text. */
struct span {
	const char *start;
	const char *fields; /* after the "(" */
	const char *close;  /* the ")", or the end of the word when there is none */
	bool whole;
};

/* A key's bit in what was seen, and its least value. */
static const struct number {
	const char *key;
	unsigned int bit;
	int64_t least;
} numbers[] = {
	{ "serial=", 1, 1 },
	{ "width=", 2, 1 },
	{ "by=", 4, 0 },
};

#define NUMBERS (sizeof(numbers) / sizeof(numbers[0]))
#define SEEN_NUMBERS 7

static const char leave_key[] = "leave=", later_key[] = "later=";

/* The first wish at the start of a word in text. */
static bool span_find(const char *text, struct span *span)
{
	const size_t head = strlen(HEAD);
	const char *at = text;

	while ((at = strstr(at, HEAD))) {
		if (at == text || isspace((unsigned char)at[-1])) {
			span->start = at;
			span->fields = at + head;
			span->close = span->fields + strcspn(span->fields, ") \t\r\n\v\f");
			span->whole = *span->close == ')';
			return true;
		}
		at += head;
	}
	return false;
}

/* Decimal digits, all of at[0 .. length), into *out. */
static bool read_number(const char *at, size_t length, int64_t *out)
{
	int64_t value = 0;

	if (!length || length > DIGITS)
		return false;
	for (size_t i = 0; i < length; i++) {
		if (!isdigit((unsigned char)at[i]))
			return false;
		value = value * 10 + (at[i] - '0');
	}
	*out = value;
	return true;
}

static int64_t *member(struct wish *wish, unsigned int bit)
{
	return bit == 1 ? &wish->serial : bit == 2 ? &wish->width : &wish->by;
}

/* A comma would end the field. */
static void put_for(char *text, char old, char new)
{
	for (; *text; text++)
		if (*text == old)
			*text = new;
}

/* TIME:NODES */
static enum wish_rc read_later(const char *at, size_t length, struct wish *wish)
{
	const char *colon = memchr(at, ':', length);
	struct wish_later *later = &wish->later[wish->laters];

	if (!colon || wish->laters == WISH_LATER_MOST ||
	    !read_number(at, (size_t)(colon - at), &later->by) || later->by < 1)
		return WISH_BAD;
	later->nodes = strndup(colon + 1, length - (size_t)(colon + 1 - at));
	if (!later->nodes)
		return WISH_NOMEM;
	wish->laters++;
	put_for(later->nodes, '+', ',');
	return wish_hosts(later->nodes) ? WISH_OK : WISH_BAD;
}

/* One key with its value; what no key of ours begins is skipped. */
static enum wish_rc read_field(const char *at, size_t length, struct wish *wish, unsigned int *seen)
{
	const size_t later = strlen(later_key);

	if (length >= later && !strncmp(at, later_key, later))
		return read_later(at + later, length - later, wish);
	for (size_t i = 0; i < NUMBERS; i++) {
		const struct number *n = &numbers[i];
		size_t key = strlen(n->key);
		int64_t *out = member(wish, n->bit);

		if (length < key || strncmp(at, n->key, key) != 0)
			continue;
		if (*seen & n->bit)
			return WISH_BAD;
		*seen |= n->bit;
		return read_number(at + key, length - key, out) && *out >= n->least ? WISH_OK
										    : WISH_BAD;
	}
	return WISH_OK;
}

/* May c stand behind `before` there, in brackets or outside of them? The list's beginning counts as a comma. */
static bool host_char(unsigned char c, unsigned char before, bool inside)
{
	if (inside)
		return isdigit(c) || (strchr("-,]", c) && isdigit(before));
	return isalnum(c) || strchr("._-", c) || (strchr(",[", c) && before != ',');
}

/* Names with numbers in brackets: no name and no number is empty, brackets do not nest and are closed. */
static bool hosts_fit(const char *at, size_t length)
{
	unsigned char before = ',';
	bool inside = false;

	if (!length || length >= WISH_LEAVE_MAX)
		return false;
	for (size_t i = 0; i < length; i++) {
		unsigned char c = (unsigned char)at[i];

		if (!host_char(c, before, inside))
			return false;
		inside = c == '[' || (inside && c != ']');
		before = c;
	}
	return !inside && before != ',';
}

int wish_hosts(const char *text)
{
	return text && hosts_fit(text, strnlen(text, WISH_LEAVE_MAX));
}

static enum wish_rc read_leave(const char *at, const char *close, struct wish *wish)
{
	size_t length = (size_t)(close - at);

	if (length && !hosts_fit(at, length))
		return WISH_BAD;
	wish->leave = strndup(at, length);
	return wish->leave ? WISH_OK : WISH_NOMEM;
}

static enum wish_rc read_fields(const struct span *span, struct wish *wish)
{
	const size_t key = strlen(leave_key);
	const char *at = span->fields;
	unsigned int seen = 0;

	while (at < span->close) {
		size_t length = strcspn(at, ",)");
		enum wish_rc rc;

		if (!strncmp(at, leave_key, key))
			return seen == SEEN_NUMBERS ? read_leave(at + key, span->close, wish)
						    : WISH_BAD;
		rc = read_field(at, length, wish, &seen);
		if (rc != WISH_OK)
			return rc;
		at += length + 1;
	}
	return WISH_BAD;
}

enum wish_rc wish_parse(const char *comment, struct wish *wish)
{
	struct wish found = { 0 };
	struct span span;
	enum wish_rc rc;

	memset(wish, 0, sizeof(*wish));
	if (!comment || !span_find(comment, &span))
		return WISH_NONE;
	rc = span.whole ? read_fields(&span, &found) : WISH_BAD;
	if (rc == WISH_OK)
		*wish = found;
	else
		wish_clear(&found);
	return rc;
}

void wish_clear(struct wish *wish)
{
	free(wish->leave);
	for (size_t i = 0; i < wish->laters; i++)
		free(wish->later[i].nodes);
	memset(wish, 0, sizeof(*wish));
}

/* Within the bounds of what is read back? */
static bool fits(int64_t value, int64_t least)
{
	return value >= least && value < INT64_C(1000000000000000000);
}

/* Can all of it be read back? */
static bool is_writable(const struct wish *wish)
{
	if (!fits(wish->serial, 1) || !fits(wish->width, 1) || !fits(wish->by, 0) || !wish->leave ||
	    (*wish->leave && !wish_hosts(wish->leave)) || wish->laters > WISH_LATER_MOST)
		return false;
	for (size_t i = 0; i < wish->laters; i++)
		if (!fits(wish->later[i].by, 1) || !wish_hosts(wish->later[i].nodes))
			return false;
	return true;
}

/* Room for them, and what they are written as. */
static size_t laters_size(const struct wish *wish)
{
	size_t size = 0;

	for (size_t i = 0; i < wish->laters; i++)
		size += strlen(later_key) + DIGITS + strlen(":,") + strlen(wish->later[i].nodes);
	return size;
}

static char *write_laters(char *at, const struct wish *wish)
{
	for (size_t i = 0; i < wish->laters; i++) {
		char *field = at;

		at += sprintf(at, "%s%" PRId64 ":%s", later_key, wish->later[i].by,
			      wish->later[i].nodes);
		put_for(field, ',', '+');
		*at++ = ',';
	}
	return at;
}

char *wish_format(const struct wish *wish)
{
	char *text, *at;

	if (!is_writable(wish))
		return NULL;
	text = malloc(sizeof(HEAD "serial=,width=,by=,leave=)") + 3 * DIGITS + laters_size(wish) +
		      strlen(wish->leave));
	if (!text)
		return NULL;
	at = text + sprintf(text, HEAD "serial=%" PRId64 ",width=%" PRId64 ",by=%" PRId64 ",",
			    wish->serial, wish->width, wish->by);
	at = write_laters(at, wish);
	sprintf(at, "leave=%s)", wish->leave);
	return text;
}

char *wish_remove(const char *comment)
{
	char *copy = strdup(comment ? comment : "");
	struct span span;

	while (copy && span_find(copy, &span)) {
		char *start = copy + (span.start - copy);
		const char *end = span.close + span.whole;

		if (start > copy)
			start--;
		else if (*end == ' ')
			end++;
		memmove(start, end, strlen(end) + 1);
	}
	return copy;
}

char *wish_carry(const char *comment, const char *from)
{
	struct wish wish;
	enum wish_rc rc = wish_parse(from, &wish);
	char *out;

	if (rc == WISH_NOMEM)
		return NULL;
	out = rc == WISH_OK ? wish_put(comment, &wish) : wish_remove(comment);
	wish_clear(&wish);
	return out;
}

char *wish_put(const char *comment, const struct wish *wish)
{
	char *rest = wish_remove(comment), *word = wish_format(wish), *out = NULL;

	if (rest && word) {
		size_t size = strlen(rest) + 1 + strlen(word) + 1;

		out = malloc(size);
		if (out)
			snprintf(out, size, "%s%s%s", rest, *rest ? " " : "", word);
	}
	free(rest);
	free(word);
	return out;
}

void wish_refusal_format(int64_t serial, char buf[WISH_ANSWER_MAX])
{
	snprintf(buf, WISH_ANSWER_MAX, HEAD "serial=%" PRId64 ",refused)", serial);
}

enum wish_rc wish_refusal_parse(const char *comment, int64_t *serial)
{
	const size_t head = strlen(HEAD "serial=");
	char again[WISH_ANSWER_MAX];
	int64_t found;

	*serial = 0;
	if (!comment || strncmp(comment, HEAD, strlen(HEAD)) != 0)
		return WISH_NONE;
	if (strncmp(comment, HEAD "serial=", head) != 0 ||
	    !read_number(comment + head, strcspn(comment + head, ","), &found) || found < 1)
		return WISH_BAD;
	/* There is one way to write it. */
	wish_refusal_format(found, again);
	if (strcmp(again, comment) != 0)
		return WISH_BAD;
	*serial = found;
	return WISH_OK;
}
