/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * histogram_file: `pact-sim trace --histogram FILE`.
 */
#ifndef PACT_SIM_HISTOGRAM_FILE_H
#define PACT_SIM_HISTOGRAM_FILE_H

#include "sim/workload/survey.h"

/*
 * Extract the histogram of the selected jobs of a log and write it to out ("-": standard output).
 * Jobs wider than the machine, if its size is known, are left out. What goes wrong is told on
 * stderr. Returns an exit code of common/exits.h.
 */
int histogram_to_file(const struct survey *s, const char *path, const char *out);

#endif
