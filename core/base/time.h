/* SPDX-License-Identifier: GPL-2.0-or-later */
/* time: seconds, in core always int64_t, on whatever clock the driver has. */
#ifndef PACT_CORE_TIME_H
#define PACT_CORE_TIME_H

#include <stdint.h>

/* Later than every time. As an end: "for ever". As an answer: "never". */
#define PACT_FOREVER INT64_MAX

/* Beyond this a time is nonsense, and sums of times would leave the range. */
#define PACT_END_OF_TIME (PACT_FOREVER / 4)

#endif
