/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * eventually: waiting, in a test, for what another thread does
 */
#ifndef PACT_TEST_EVENTUALLY_H
#define PACT_TEST_EVENTUALLY_H

#include <time.h>

/* What comes true while another thread works: within so many seconds of naps, or the test fails. */
#define eventually_within(seconds, truth) \
	do { \
		struct timespec nap_ = { 0, 2000000 }; \
		for (int left_ = (seconds)*500; !(truth); left_--) { \
			if (!left_) \
				fail_msg("waited in vain: %s", #truth); \
			nanosleep(&nap_, NULL); \
		} \
	} while (0)

#endif
