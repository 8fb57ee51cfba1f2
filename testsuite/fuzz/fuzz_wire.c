/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz_wire.c - libFuzzer on the query socket's lines: whatever comes in, a request or an error comes out
 */
#include <stdlib.h>
#include <string.h>

#include "slurm/queries/wire.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What a handler does with a request's arguments. */
static void use(const struct wire_request *request)
{
	static const char *const keys[] = { "nodes", "time", "exclusive", NULL };
	char why[WIRE_WHY_MAX];
	const char *text = NULL;
	int64_t number = 0;
	bool yes = false;
	size_t len;
	char *line;

	if (!request->name || !request->cred)
		abort();
	(void)wire_args_known(request->args, keys, why);
	if (wire_arg_text(request->args, "time", 40, &text, why) && text && strlen(text) > 40)
		abort();
	if (wire_arg_number(request->args, "nodes", 1, 9, &number, why) &&
	    (number < 0 || number > 9))
		abort();
	(void)wire_arg_bool(request->args, "exclusive", &yes, why);
	line = wire_answer(request->id, json_object_get(request->args), &len);
	if (line && (line[len - 1] != '\n' || memchr(line, '\n', len) != line + len - 1))
		abort();
	free(line);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct wire_request request;
	char why[WIRE_WHY_MAX], *line = malloc(size + 1);
	const char *code;
	size_t len;

	if (!line)
		return 0;
	if (size)
		memcpy(line, data, size);
	line[size] = '\0';
	code = wire_parse(line, size, &request, why);
	if (!code)
		use(&request);
	else if (!why[0])
		abort();
	free(line);
	line = code ? wire_error(request.id, code, why, &len) : NULL;
	free(line);
	wire_release(&request);
	return 0;
}
