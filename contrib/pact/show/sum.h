/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sum.h - the summary of a history, put together of its parts
 *
 * slurmctld reads so many rows for an answer and no more, so each line of it is a part of one.  Numbers are
 * added up, and slacks are collected, each value with its count, so that a median is that of all.
 */
#ifndef PACT_CONTRIB_PACT_SUM_H
#define PACT_CONTRIB_PACT_SUM_H

#include <stdbool.h>

#include <json-c/json.h>

struct sum;

/* NULL: no memory. */
struct sum *sum_create(void);
void sum_destroy(struct sum *sum);

/*
 * One more part: lines as doc/protocol.md has them, each with month, user, account, counts, reasons and slacks.
 * What is no such line is passed over.
 * RET false: no memory; the sum is good for nothing but sum_destroy() then
 */
bool sum_add(struct sum *sum, json_object *lines);

/*
 * All of it: arrays lines (by month, user and account), months, and all (one line, or none), where reasons are
 * added up, and slack is the median in seconds.  May be called once.
 * RET the caller's; NULL: no memory
 */
json_object *sum_finish(struct sum *sum);

#endif /* PACT_CONTRIB_PACT_SUM_H */
