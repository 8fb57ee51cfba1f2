/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * histogram_file: `pact-sim trace --histogram FILE`.
 */
#ifndef PACT_SIM_HISTOGRAM_FILE_H
#define PACT_SIM_HISTOGRAM_FILE_H

#include <stdint.h>

#include "sim/workload.h"

/*
 * Extract the histogram of a sorted workload and write it to path ("-": standard output). `source`
 * is the log's name, of which only the last component is kept; nodes may be 0, for not known. What
 * goes wrong is told on stderr. Returns an exit code of cmd.h.
 */
int histogram_to_file(const struct workload *w, uint32_t nodes, const char *source,
		      const char *path);

#endif
