/* SPDX-License-Identifier: GPL-2.0-or-later */
/* log: see log.h. */
#include "node/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <syslog.h>
#include <time.h>

static bool to_stderr = true, verbose;

void log_open(bool stderr_too, bool all)
{
	to_stderr = stderr_too;
	verbose = all;
	if (!to_stderr)
		openlog("pactd", LOG_PID, LOG_DAEMON);
}

void log_line(enum log_level level, const char *format, ...)
{
	static const int priority[] = { LOG_ERR, LOG_INFO, LOG_DEBUG };
	char text[1024], stamp[32];
	struct tm tm;
	time_t now = time(NULL);
	va_list ap;

	if (level == LOG_TOLD && !verbose)
		return;
	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	if (!to_stderr) {
		syslog(priority[level], "%s", text);
		return;
	}
	strftime(stamp, sizeof(stamp), "%Y-%m-%dT%H:%M:%S", localtime_r(&now, &tm));
	fprintf(stderr, "[%s] %s%s\n", stamp, level == LOG_BAD ? "error: " : "", text);
}
