/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * token.c - the promise as it travels with a job, in AdminComment
 *
 * A token is found by its head, "pact" and digits and "(", at the start of
 * a word, and ends at the next ")".  See token.h for the format.
 */
#include "slurm/records/token.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TOKEN_VERSION 1

/* Where a token stands in a text. */
struct span {
	const char *start;
	const char *fields; /* after the "(" */
	const char *end;    /* after the ")" */
	long version;
};

static const struct {
	enum token_state state;
	const char *name;
} states[] = {
	{ TOKEN_PROMISED, "promised" },
	{ TOKEN_EXPECTED, "expected" },
	{ TOKEN_BROKEN, "broken" },
	{ TOKEN_WITHDRAWN, "withdrawn" },
};

static const char *const ends[] = { "kept", "at_limit", "broken", "cancelled", "void" };

#define ENDS (sizeof(ends) / sizeof(ends[0]))
#define STATES (sizeof(states) / sizeof(states[0]))

const char *token_state_name(enum token_state state)
{
	for (size_t i = 0; i < STATES; i++)
		if (states[i].state == state)
			return states[i].name;
	return "unknown";
}

bool token_binds(const struct token *token)
{
	return token->id && !token->ended &&
	       (token->state == TOKEN_PROMISED || token->state == TOKEN_BROKEN);
}

bool token_expects(const struct token *token)
{
	return token->id && !token->ended && token->state == TOKEN_EXPECTED;
}

/* Does a token start exactly here? */
static bool span_at(const char *text, struct span *span)
{
	const char *at = text + 4;

	if (strncmp(text, "pact", 4) || !isdigit((unsigned char)*at))
		return false;
	span->start = text;
	span->version = 0;
	while (isdigit((unsigned char)*at)) {
		if (span->version < 100000)
			span->version = span->version * 10 + (*at - '0');
		at++;
	}
	if (*at != '(')
		return false;
	span->fields = at + 1;
	at = strchr(at, ')');
	if (!at)
		return false;
	span->end = at + 1;
	return true;
}

/* The first token at the start of a word in text. */
static bool span_find(const char *text, struct span *span)
{
	const char *at = text;

	while (at && (at = strstr(at, "pact"))) {
		if ((at == text || isspace((unsigned char)at[-1])) && span_at(at, span))
			return true;
		at += 4;
	}
	return false;
}

static bool read_int(const char *text, int base, int64_t *out)
{
	char *end;

	if (!isxdigit((unsigned char)*text))
		return false;
	errno = 0;
	*out = (int64_t)strtoull(text, &end, base);
	return !errno && (*end == ',' || *end == ')');
}

static bool read_state(const char *text, enum token_state *out)
{
	for (size_t i = 0; i < STATES; i++) {
		size_t len = strlen(states[i].name);

		if (!strncmp(text, states[i].name, len) && (text[len] == ',' || text[len] == ')')) {
			*out = states[i].state;
			return true;
		}
	}
	return false;
}

const char *token_ended(const char *word)
{
	for (size_t i = 0; i < ENDS; i++)
		if (!strcmp(ends[i], word))
			return ends[i];
	return NULL;
}

static bool read_end(const char *text, const char **out)
{
	size_t len = strcspn(text, ",)");
	char word[16];

	if (len >= sizeof(word))
		return false;
	memcpy(word, text, len);
	word[len] = '\0';
	*out = token_ended(word);
	return *out;
}

/* Read one "key=value" into the token; unknown keys are skipped. */
static bool read_field(const char *at, struct token *token, unsigned int *seen)
{
	int64_t value;

	if (!strncmp(at, "id=", 3)) {
		*seen |= 1;
		if (!read_int(at + 3, 16, &value) || !value)
			return false;
		token->id = (uint64_t)value;
		return true;
	}
	if (!strncmp(at, "deadline=", 9)) {
		*seen |= 2;
		return read_int(at + 9, 10, &token->deadline) && token->deadline > 0;
	}
	if (!strncmp(at, "limit=", 6)) {
		*seen |= 4;
		return read_int(at + 6, 10, &token->limit) && token->limit >= 0;
	}
	if (!strncmp(at, "state=", 6)) {
		*seen |= 8;
		return read_state(at + 6, &token->state);
	}
	if (!strncmp(at, "own=", 4))
		return read_int(at + 4, 10, &token->own) && token->own > 0 &&
		       token->own <= INT32_MAX;
	if (!strncmp(at, "ended=", 6))
		return read_end(at + 6, &token->ended);
	return true;
}

enum token_rc token_parse(const char *comment, struct token *token)
{
	struct token found = { 0 };
	unsigned int seen = 0;
	struct span span;
	const char *at;

	memset(token, 0, sizeof(*token));
	if (!comment || !span_find(comment, &span))
		return TOKEN_NONE;
	if (span.version > TOKEN_VERSION)
		return TOKEN_NEWER;
	if (span.version != TOKEN_VERSION)
		return TOKEN_BAD;
	at = span.fields;
	while (at && at < span.end) {
		if (!read_field(at, &found, &seen))
			return TOKEN_BAD;
		at = strchr(at, ',');
		if (at)
			at++;
	}
	if (seen != 15)
		return TOKEN_BAD;
	*token = found;
	return TOKEN_OK;
}

void token_format(const struct token *token, char buf[TOKEN_MAX])
{
	char own[32] = "";

	if (token->own)
		snprintf(own, sizeof(own), ",own=%" PRId64, token->own);
	snprintf(buf, TOKEN_MAX,
		 "pact%d(id=%016" PRIx64 ",deadline=%" PRId64 ",limit=%" PRId64 ",state=%s%s%s%s)",
		 TOKEN_VERSION, token->id, token->deadline, token->limit,
		 token_state_name(token->state), own, token->ended ? ",ended=" : "",
		 token->ended ? token->ended : "");
}

char *token_remove(const char *comment)
{
	char *copy = strdup(comment ? comment : "");
	struct span span;

	while (copy && span_find(copy, &span)) {
		char *start = copy + (span.start - copy);

		if (start > copy)
			start--;
		else if (*span.end == ' ')
			span.end++;
		memmove(start, span.end, strlen(span.end) + 1);
	}
	return copy;
}

/* A comment with a word, of that length, in the place of its tokens. */
static char *put_word(const char *comment, const char *word, size_t length)
{
	char *rest = token_remove(comment);
	char *out;
	size_t len;

	if (!rest)
		return NULL;
	len = strlen(rest);
	out = malloc(len + 1 + length + 1);
	if (out)
		sprintf(out, "%s%s%.*s", rest, len ? " " : "", (int)length, word);
	free(rest);
	return out;
}

char *token_put(const char *comment, const struct token *token)
{
	char text[TOKEN_MAX];

	token_format(token, text);
	return put_word(comment, text, strlen(text));
}

char *token_carry(const char *comment, const char *from)
{
	struct span span;

	if (!from || !span_find(from, &span))
		return token_remove(comment);
	return put_word(comment, span.start, (size_t)(span.end - span.start));
}
