/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * socket_path.c - where the query socket is
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "contrib/pact/socket/client.h"

/* As the plugin has it (slurm/config/conf.c). */
#define SOCKET_PATH "/run/pact/pact.sock"
#define SLURM_CONF_PATH "/etc/slurm/slurm.conf"

/* pact.conf beside slurm.conf. */
static char *conf_path(void)
{
	const char *slurm = getenv("SLURM_CONF");
	const char *slash;
	char *path = NULL;

	if (!slurm || !slurm[0])
		slurm = SLURM_CONF_PATH;
	slash = strrchr(slurm, '/');
	if (asprintf(&path, "%.*spact.conf", slash ? (int)(slash - slurm) + 1 : 0, slurm) < 0)
		return NULL;
	return path;
}

/* The value of Socket= in a line, up to a blank or a comment; NULL: there is none. */
static char *value_of(const char *line)
{
	for (const char *at = line; *at && *at != '#'; at++) {
		if (strncasecmp(at, "socket=", 7) || (at > line && !isspace((unsigned char)at[-1])))
			continue;
		return strndup(at + 7, strcspn(at + 7, " \t\r\n#"));
	}
	return NULL;
}

static char *from_conf(void)
{
	char *path = conf_path(), *found = NULL, *value, line[1024];
	FILE *file = path ? fopen(path, "r") : NULL;

	while (file && fgets(line, sizeof(line), file)) {
		value = value_of(line);
		if (!value)
			continue;
		free(found);
		found = value;
	}
	if (file)
		fclose(file);
	free(path);
	return found;
}

char *client_socket(void)
{
	const char *given = getenv("PACT_SOCKET");
	char *path;

	if (given && given[0])
		return strdup(given);
	path = from_conf();
	return path ? path : strdup(SOCKET_PATH);
}
