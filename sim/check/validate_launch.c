/* SPDX-License-Identifier: GPL-2.0-or-later */
/* validate_launch: what jobs did on nodes that did nothing for them at first (sim_job.launch). */
#include "core/base/nodeset.h"
#include "sim/check/validate_own.h"

/* Since when the job has a node, as it was its first ones or came later. */
static int64_t begins(const struct sim_job *j, const struct sim_history *h, size_t k, uint32_t node)
{
	while (k && nodeset_test(h->span[k - 1].nodes, node))
		k--;
	return h->span[k].from +
	       (h->span[k].from == h->span[0].from ? j->launch.start : j->launch.grow);
}

/* Nodes of span k that work at `at`; *until becomes when there are more, or the span's end. */
static int32_t count(const struct sim_job *j, const struct sim_history *h, size_t k, int64_t at,
		     int64_t *until)
{
	const struct sim_span *x = &h->span[k];
	int32_t n = 0;

	*until = x->to;
	for (uint32_t i = 0; i < nodeset_size(x->nodes); i++) {
		int64_t begin = nodeset_test(x->nodes, i) ? begins(j, h, k, i) : INT64_MAX;

		n += begin <= at;
		if (begin > at && begin < *until)
			*until = begin;
	}
	return n;
}

void add_launched(const struct sim_job *j, const struct sim_history *h, size_t k, struct account *a)
{
	for (int64_t at = h->span[k].from, until; at < h->span[k].to; at = until) {
		int32_t n = count(j, h, k, at, &until);

		a->last = n ? (amount)work_rate(j->speedup, n) : 0;
		a->done += a->last * (amount)(until - at);
	}
}
