/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wire.c - the lines of the query socket: a request in, an answer out
 */
#include "slurm/queries/wire.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/utf8.h"

static const char *fail(const char *code, const char *text, char why[WIRE_WHY_MAX])
{
	snprintf(why, WIRE_WHY_MAX, "%s", text);
	return code;
}

json_object *wire_millionths(int32_t millionths)
{
	char text[24];
	size_t n = (size_t)snprintf(text, sizeof(text), "%d.%06d", millionths / 1000000,
				    millionths % 1000000);

	while (text[n - 1] == '0' && text[n - 2] != '.')
		text[--n] = '\0';
	return json_object_new_double_s(millionths / 1e6, text);
}

/* One object, and nothing after it.  NULL: it is none. */
static json_object *parse_object(const char *line, size_t len, char why[WIRE_WHY_MAX])
{
	struct json_tokener *tok;
	json_object *root;
	enum json_tokener_error rc;

	if (!len || len >= WIRE_LINE_MAX || memchr(line, '\0', len)) {
		fail(WIRE_SYNTAX, len ? "a zero byte, or too long" : "an empty line", why);
		return NULL;
	}
	tok = json_tokener_new_ex(WIRE_DEPTH);
	if (!tok) {
		fail(WIRE_SYNTAX, "out of memory", why);
		return NULL;
	}
	json_tokener_set_flags(tok, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
	root = json_tokener_parse_ex(tok, line, (int)len);
	rc = json_tokener_get_error(tok);
	if (rc != json_tokener_success)
		snprintf(why, WIRE_WHY_MAX, "no JSON: %s",
			 rc == json_tokener_continue ? "it ends in the middle"
						     : json_tokener_error_desc(rc));
	else if (!json_object_is_type(root, json_type_object))
		fail(WIRE_SYNTAX, "no JSON object", why);
	if (rc != json_tokener_success || !json_object_is_type(root, json_type_object)) {
		json_object_put(root);
		root = NULL;
	}
	json_tokener_free(tok);
	return root;
}

/* A member that has to be a text without zero bytes, which json lets in as \u0000. */
static const char *text_member(json_object *root, const char *key)
{
	json_object *member;
	const char *text;

	if (!json_object_object_get_ex(root, key, &member) ||
	    !json_object_is_type(member, json_type_string))
		return NULL;
	text = json_object_get_string(member);
	return strlen(text) == (size_t)json_object_get_string_len(member) ? text : NULL;
}

static bool good_id(json_object *id)
{
	if (json_object_is_type(id, json_type_string))
		return json_object_get_string_len(id) <= WIRE_ID_MAX;
	return json_object_is_type(id, json_type_int);
}

const char *wire_parse(const char *line, size_t len, struct wire_request *out,
		       char why[WIRE_WHY_MAX])
{
	json_object *member;

	memset(out, 0, sizeof(*out));
	why[0] = '\0';
	out->root = parse_object(line, len, why);
	if (!out->root)
		return WIRE_SYNTAX;
	if (json_object_object_get_ex(out->root, "id", &member) && member) {
		if (!good_id(member))
			return fail(WIRE_SYNTAX, "id: neither a short text nor a number", why);
		out->id = member;
	}
	if (!json_object_object_get_ex(out->root, "pact", &member) ||
	    !json_object_is_type(member, json_type_int))
		return fail(WIRE_SYNTAX, "pact: no version of the protocol", why);
	if (json_object_get_int64(member) != WIRE_VERSION) {
		snprintf(why, WIRE_WHY_MAX, "pact: version %d is spoken here", WIRE_VERSION);
		return WIRE_BAD_VERSION;
	}
	out->name = text_member(out->root, "request");
	if (!out->name)
		return fail(WIRE_SYNTAX, "request: no text", why);
	out->cred = text_member(out->root, "cred");
	if (!out->cred)
		return fail(WIRE_IDENTITY, "cred: no munge credential", why);
	if (json_object_object_get_ex(out->root, "args", &out->args) && out->args &&
	    !json_object_is_type(out->args, json_type_object))
		return fail(WIRE_SYNTAX, "args: no object", why);
	return NULL;
}

void wire_release(struct wire_request *request)
{
	json_object_put(request->root);
	memset(request, 0, sizeof(*request));
}

/*
 * An object's line; its reference is taken over.  A text that was cut, or an
 * account that is no UTF-8, does not make an answer that others cannot read.
 */
static char *line_of(json_object *root, size_t *len)
{
	const char *text = NULL;
	char *valid, *line = NULL;
	size_t n;

	*len = 0;
	if (root)
		text = json_object_to_json_string_ext(root, JSON_C_TO_STRING_PLAIN |
								    JSON_C_TO_STRING_NOSLASHESCAPE);
	valid = text ? utf8_valid(text) : NULL;
	json_object_put(root);
	n = valid ? strlen(valid) : 0;
	if (valid)
		line = realloc(valid, n + 2);
	if (!line) {
		free(valid);
		return NULL;
	}
	line[n] = '\n';
	line[n + 1] = '\0';
	*len = n + 1;
	return line;
}

static json_object *start(json_object *id)
{
	json_object *root = json_object_new_object();

	if (!root)
		return NULL;
	wire_add(root, "pact", json_object_new_int(WIRE_VERSION));
	if (id)
		wire_add(root, "id", json_object_get(id));
	return root;
}

char *wire_answer(json_object *id, json_object *answer, size_t *len)
{
	json_object *root = start(id);

	if (!root) {
		json_object_put(answer);
		*len = 0;
		return NULL;
	}
	wire_add_bool(root, "ok", true);
	wire_add(root, "answer", answer);
	return line_of(root, len);
}

char *wire_error(json_object *id, const char *code, const char *text, size_t *len)
{
	json_object *root = start(id), *error = json_object_new_object();

	if (!root || !error) {
		json_object_put(root);
		json_object_put(error);
		*len = 0;
		return NULL;
	}
	wire_add_text(error, "code", code);
	wire_add_text(error, "text", text);
	wire_add_bool(root, "ok", false);
	wire_add(root, "error", error);
	return line_of(root, len);
}

char *wire_greeting(const char *version, const char *munge, size_t *len)
{
	json_object *root = start(NULL);

	if (root)
		wire_add_text(root, "version", version);
	if (root)
		wire_add(root, "munge", munge ? json_object_new_string(munge) : NULL);
	return line_of(root, len);
}

/* RET whether it is there; *member is not NULL then. */
static bool argument(json_object *args, const char *key, json_object **member)
{
	return args && json_object_object_get_ex(args, key, member) && *member;
}

bool wire_arg_text(json_object *args, const char *key, size_t longest, const char **out,
		   char why[WIRE_WHY_MAX])
{
	json_object *member;
	const char *text;

	if (!argument(args, key, &member))
		return true;
	text = text_member(args, key);
	if (!text || strlen(text) > longest) {
		snprintf(why, WIRE_WHY_MAX, "%s: must be a text of at most %zu characters", key,
			 longest);
		return false;
	}
	*out = text;
	return true;
}

bool wire_arg_number(json_object *args, const char *key, int64_t min, int64_t max, int64_t *out,
		     char why[WIRE_WHY_MAX])
{
	json_object *member;
	int64_t number;

	if (!argument(args, key, &member))
		return true;
	number = json_object_get_int64(member);
	if (!json_object_is_type(member, json_type_int) || number < min || number > max) {
		snprintf(why, WIRE_WHY_MAX,
			 "%s: must be a whole number from %" PRId64 " to %" PRId64, key, min, max);
		return false;
	}
	*out = number;
	return true;
}

bool wire_arg_bool(json_object *args, const char *key, bool *out, char why[WIRE_WHY_MAX])
{
	json_object *member;

	if (!argument(args, key, &member))
		return true;
	if (!json_object_is_type(member, json_type_boolean)) {
		snprintf(why, WIRE_WHY_MAX, "%s: must be true or false", key);
		return false;
	}
	*out = json_object_get_boolean(member);
	return true;
}

bool wire_args_known(json_object *args, const char *const *keys, char why[WIRE_WHY_MAX])
{
	struct json_object_iterator at, end;

	if (!args)
		return true;
	at = json_object_iter_begin(args);
	end = json_object_iter_end(args);
	for (; !json_object_iter_equal(&at, &end); json_object_iter_next(&at)) {
		const char *name = json_object_iter_peek_name(&at);
		const char *const *key = keys;

		while (*key && strcmp(*key, name))
			key++;
		if (!*key) {
			snprintf(why, WIRE_WHY_MAX, "%.40s: no such argument", name);
			return false;
		}
	}
	return true;
}
