/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * client.h - one question to the query socket (doc/protocol.md)
 */
#ifndef PACT_CONTRIB_PACT_CLIENT_H
#define PACT_CONTRIB_PACT_CLIENT_H

#include <json-c/json.h>

/* Pinned: exit codes of pact(1). */
enum status {
	STATUS_OK = 0,		/* answered; ask: it could be promised */
	STATUS_NO = 1,		/* ask: it could not */
	STATUS_USAGE = 2,	/* the command line, or an argument that the plugin did not take */
	STATUS_UNREACHABLE = 3, /* no socket, no munge, no answer */
	STATUS_DENIED = 4,	/* not for this user */
	STATUS_NOT_FOUND = 5,	/* no such job or reference, or not for this user */
	STATUS_BUSY = 6,	/* try again */
	STATUS_NOMEM = 10,
};

#define CLIENT_WHY 512

/*
 * IN path - of the socket
 * IN args - an object or NULL; its reference is taken over
 * OUT why - one line, when it is not STATUS_OK
 * OUT answer - to be given to json_object_put(); NULL when it is not STATUS_OK
 */
enum status client_ask(const char *path, const char *request, json_object *args,
		       json_object **answer, char why[CLIENT_WHY]);

/* The socket's path: PACT_SOCKET, else pact.conf's beside slurm.conf, else the default.  malloc()ed. */
char *client_socket(void);

#endif /* PACT_CONTRIB_PACT_CLIENT_H */
