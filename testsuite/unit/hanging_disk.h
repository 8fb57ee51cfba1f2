/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hanging_disk: sqlite on a disk that hangs, for one test program, which is linked with
 * -Wl,--wrap=sqlite3_step: this then stands in front of sqlite's own.
 */
#ifndef PACT_TEST_HANGING_DISK_H
#define PACT_TEST_HANGING_DISK_H

#include <stdbool.h>
#include <time.h>

#include <sqlite3.h>

/* Set hangs; hung says that a thread waits for the disk. */
static _Atomic bool hangs, hung;

int __real_sqlite3_step(sqlite3_stmt *s);
int __wrap_sqlite3_step(sqlite3_stmt *s);

int __wrap_sqlite3_step(sqlite3_stmt *s)
{
	struct timespec nap = { 0, 1000000 };

	for (; hangs; hung = true)
		nanosleep(&nap, NULL);
	return __real_sqlite3_step(s);
}

#endif
