/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wire.h - the lines of the query socket: a request in, an answer out
 *
 * One JSON object per line, as doc/protocol.md has it.  Whatever a client sends
 * is either a request with the right types in it or an error with a code; it is
 * bounded in length and depth, and costs no more than one reading of it.
 *
 * Plain C and json-c, no Slurm header: unit tested and fuzzed by itself.
 */
#ifndef PACT_SLURM_WIRE_H
#define PACT_SLURM_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <json-c/json.h>

/* The version of the protocol; it stands in every line as "pact". */
#define WIRE_VERSION 1
/* Longest request, with its newline. */
#define WIRE_LINE_MAX 65536
/* Objects and arrays within each other. */
#define WIRE_DEPTH 8
/* Longest "id", and longest text of an error. */
#define WIRE_ID_MAX 64
#define WIRE_WHY_MAX 256

/* The codes of errors: words that never change, for scripts. */
#define WIRE_SYNTAX "syntax"	   /* no JSON object, or a member of the wrong type */
#define WIRE_BAD_VERSION "version" /* another version of the protocol */
#define WIRE_UNKNOWN "unknown"	   /* no such request */
#define WIRE_IDENTITY "identity"   /* the credential is not to be trusted */
#define WIRE_DENIED "denied"	   /* not for this user */
#define WIRE_ARGUMENT "argument"   /* an argument is missing, or wrong */
#define WIRE_NOT_FOUND "not_found" /* no such job, or not to be seen by this user */
#define WIRE_BUSY "busy"	   /* no answer in time: try again */
#define WIRE_TOO_MANY "too_many"   /* connections */
#define WIRE_TOO_LONG "too_long"   /* a line */

/* A request; pointers are into root. */
struct wire_request {
	json_object *root;
	const char *name;
	const char *cred;
	json_object *args; /* an object, or NULL */
	json_object *id;   /* a string or a number, or NULL */
};

/*
 * Read one line, without its newline.
 * OUT out - cleared first; to be given to wire_release(), after an error too (its id may be known)
 * OUT why - the error's text
 * RET NULL, or the error's code
 */
const char *wire_parse(const char *line, size_t len, struct wire_request *out,
		       char why[WIRE_WHY_MAX]);
void wire_release(struct wire_request *request);

/*
 * Lines for a client, with newline, malloc()ed; NULL: no memory.
 * IN id - the request's, or NULL
 * IN answer - its reference is taken over
 */
char *wire_answer(json_object *id, json_object *answer, size_t *len);
char *wire_error(json_object *id, const char *code, const char *text, size_t *len);
/* The first line on every connection.  IN munge - munged's socket, or NULL: the usual one */
char *wire_greeting(const char *version, const char *munge, size_t *len);

/* A member of an object; its reference is taken over. */
static inline void wire_add(json_object *to, const char *key, json_object *value)
{
	json_object_object_add(to, key, value);
}

static inline void wire_add_number(json_object *to, const char *key, int64_t value)
{
	wire_add(to, key, json_object_new_int64(value));
}

static inline void wire_add_text(json_object *to, const char *key, const char *value)
{
	wire_add(to, key, json_object_new_string(value));
}

static inline void wire_add_bool(json_object *to, const char *key, bool value)
{
	wire_add(to, key, json_object_new_boolean(value));
}

/* A share of 1, given in millionths, as a number with as many decimals as it needs. */
json_object *wire_millionths(int32_t millionths);

/*
 * One argument.  An absent one (or null) leaves *out as it is.
 * OUT why - names the argument, when false is returned
 */
bool wire_arg_text(json_object *args, const char *key, size_t longest, const char **out,
		   char why[WIRE_WHY_MAX]);
bool wire_arg_number(json_object *args, const char *key, int64_t min, int64_t max, int64_t *out,
		     char why[WIRE_WHY_MAX]);
bool wire_arg_bool(json_object *args, const char *key, bool *out, char why[WIRE_WHY_MAX]);

/*
 * Is every member of args one of these names?
 * IN keys - NULL-terminated
 */
bool wire_args_known(json_object *args, const char *const *keys, char why[WIRE_WHY_MAX]);

#endif /* PACT_SLURM_WIRE_H */
