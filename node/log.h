/* SPDX-License-Identifier: GPL-2.0-or-later */
/* log: lines for people, on standard error or to syslog. */
#ifndef PACT_NODE_LOG_H
#define PACT_NODE_LOG_H

#include <stdbool.h>

enum log_level { LOG_BAD, LOG_SAID, LOG_TOLD }; /* an error; worth knowing; only with -v */

/* To standard error, with the time, or to syslog as `pactd`. */
void log_open(bool to_stderr, bool verbose);

void log_line(enum log_level level, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
