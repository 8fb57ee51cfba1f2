/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * take_user.c - the option --user
 */
#include <ctype.h>
#include <errno.h>
#include <pwd.h>
#include <stdlib.h>

#include "contrib/pact/command.h"

/* RET false: no number of a user */
static bool read_uid(const char *value, unsigned long long *out)
{
	char *end;

	errno = 0;
	*out = strtoull(value, &end, 10);
	return !errno && isdigit((unsigned char)value[0]) && !*end && *out <= UINT32_MAX;
}

int take_user(struct session *s, const char *value)
{
	const struct passwd *pw = getpwnam(value);
	unsigned long long uid;

	if (!pw && !read_uid(value, &uid)) {
		fprintf(stderr, "pact: --user=%s: no such user\n", value);
		return STATUS_USAGE;
	}
	json_object_object_add(s->args, "user",
			       json_object_new_int64(pw ? (int64_t)pw->pw_uid : (int64_t)uid));
	return STATUS_OK;
}
