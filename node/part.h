/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * part: the jobs of this node, what each has done, and its share (LibraRisk, section 3.1, by core/sharing/shares/share.h
 * alone). What is left of a job is its estimate less the work that was measured: shares never count as work.
 *
 * Times are microseconds since the epoch, work is microseconds at a full share of this node.
 */
#ifndef PACT_NODE_PART_H
#define PACT_NODE_PART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "node/cgroup_tree.h"
#include "node/terms.h"
#include "node/usage.h"

#define RATING_WHOLE 1000

struct part {
	uint32_t id;
	uint32_t share;	     /* of SHARE_WHOLE, of its own processors */
	uint16_t processors; /* its terms', 1 to the node's */
	struct job_terms terms;
	char text[TERMS_MAX]; /* the terms as they came */
	int64_t work;
	struct usage usage;
	struct cgroup_place place;
};

struct parts {
	struct part *part; /* in the order of ids */
	size_t n, room;
	uint32_t processors; /* of the node */
	int32_t rating;
};

/* NULL: there is none. Pointers are good until one is added or removed. */
struct part *parts_find(const struct parts *parts, uint32_t id);

/*
 * The job with these terms, new or changed; work stays, but for a job of another submission, which has done
 * none. NULL: no memory, or the text is wrong (see why).
 */
struct part *parts_set(struct parts *parts, uint32_t id, const char *text, char *why, size_t size);

void parts_remove(struct parts *parts, uint32_t id);
void parts_release(struct parts *parts);

/*
 * Give out the node's processors: the share of each. The rule is that of the job submitted last (then the greater
 * id): those of a realm agree. RET when that must be done anew though nothing happens, or SHARE_NEVER.
 * No memory: shares stay, and it is to be tried again in a second.
 */
int64_t parts_share(struct parts *parts, int64_t now);

/* The rule in force. */
enum share_rule parts_rule(const struct parts *parts);

/* A share as a weight of CGROUP_WHOLE: of the node's processors. */
uint32_t parts_weight(const struct parts *parts, const struct part *p);

/* A share as microseconds of processors in CGROUP_PERIOD; cap: as struct cgroup has it. */
uint32_t parts_quota(const struct parts *parts, const struct part *p, uint32_t cap);

/*
 * How busy the node was in an interval, microseconds, in which all its jobs used so many nanoseconds: millionths
 * of what it can give, its cap if it has one.
 */
uint32_t parts_busy(const struct parts *parts, int64_t interval, uint64_t used, uint32_t cap);

/*
 * What the job did in an interval, microseconds, is added to its work. On a node with a cap all processors together
 * are cap / 100 of one, and what was used counts for as much more. What was used unseen is taken to have waited as
 * a thread does that gets the job's share of a processor and no more, as far as the node was busy.
 */
void parts_progress(const struct parts *parts, struct part *p, int64_t interval,
		    const struct usage_since *since, uint32_t busy, uint32_t cap);

#endif
