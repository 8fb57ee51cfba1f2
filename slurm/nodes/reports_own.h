/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reports_own.h - what the port and what it keeps share; internal to reports.h
 */
#ifndef PACT_SLURM_REPORTS_OWN_H
#define PACT_SLURM_REPORTS_OWN_H

#include <stddef.h>
#include <stdint.h>

/* Take a report's text; the answer's, malloc()ed.  NULL: it is refused, and why. */
char *reports_answer(const char *text, size_t len, char *why, size_t size);

/* Seconds between two reports of a node. */
void reports_use(uint32_t seconds_between);

void reports_forget(void);

#endif /* PACT_SLURM_REPORTS_OWN_H */
