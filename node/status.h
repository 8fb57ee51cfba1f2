/* SPDX-License-Identifier: GPL-2.0-or-later */
/* status: what there is to be told of a node: to the controller, to `pactd status`, and to people. */
#ifndef PACT_NODE_STATUS_H
#define PACT_NODE_STATUS_H

#include <stdbool.h>
#include <stdio.h>

#include "node/daemon.h"

/* All but the count. To be released. False: no memory. */
bool status_fill(const struct daemon *d, struct node_report *r);

/* The report, and what concerns this node alone, as one line of JSON with its end. NULL: no memory. */
char *status_line(const struct daemon *d);

/* That line as a table. False: it is none. */
bool status_show(const char *line, FILE *out);

#endif
