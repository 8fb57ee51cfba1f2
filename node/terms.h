/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * terms: what a job was accepted for, as text in Slurm's job environment (PACT_TERMS):
 *
 *	1:SUBMIT:ESTIMATE:DEADLINE:PROCESSORS:RULE
 *
 * Version; submission, seconds since the epoch; estimate, seconds at full speed of a node of rating 1000;
 * deadline, seconds since the epoch; processors that it takes on each node, 0 for all; share, idle or
 * nearest (enum share_rule).
 */
#ifndef PACT_NODE_TERMS_H
#define PACT_NODE_TERMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/sharing/shares/share.h"

#define TERMS_MAX 128 /* room for the text */

struct job_terms {
	int64_t submit;
	int64_t estimate;
	int64_t deadline;
	uint16_t processors; /* 0: all */
	enum share_rule rule;
};

/* Read such a text. False: it is none; `why` names what is wrong, and *out is as it was. */
bool job_terms_read(const char *text, struct job_terms *out, char *why, size_t size);

#endif
