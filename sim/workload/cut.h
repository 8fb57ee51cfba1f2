/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cut: a log written anew: the selected jobs of a survey, their submit times shifted, plain or
 * compressed.
 *
 * The lines stay as they are, but for the submit time of a shifted job, in the order of the file.
 * Comments and blank lines are kept; the header's MaxJobs, MaxRecords and UnixStartTime are corrected
 * and a Note says what was done. Where nothing is left out and nothing shifted, the text is the same
 * to the byte. What a run would drop is left out, other than jobs wider than the machine, which is a
 * matter of --nodes: a run over the new log makes the same schedule as one over these jobs of the old.
 */
#ifndef PACT_SIM_CUT_H
#define PACT_SIM_CUT_H

#include <stddef.h>
#include <stdint.h>

#include "sim/workload/survey.h"

/*
 * Write the selected jobs of `from`, which the survey is of, into `to` (compressed if the name ends in
 * ".gz"; "-": standard output, plain). A file is written under another name and then renamed: it may
 * be `from` itself, and is never there by half. 0; PACT_EINVAL: `from` cannot be read (any more), or a
 * shifted time is below 0 or too large; PACT_EPROTO: `to` cannot be written; with the reason.
 */
int cut_write(const struct survey *s, const char *from, int64_t shift, const char *to, char *why,
	      size_t size);

#endif
