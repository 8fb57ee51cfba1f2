/* SPDX-License-Identifier: GPL-2.0-or-later */
/* notice: see notice.h. */
#include "core/malleable/notice.h"

#include "core/malleable/allot.h"

int64_t notice_of(const struct malleable *s, const struct job *j)
{
	return j->grace && j->grace < s->config.resize_grace ? j->grace : s->config.resize_grace;
}

bool notice_there(const struct malleable *s, const struct job *j, uint32_t node)
{
	return s->had[node] == nodeset_test(j->at, node);
}

bool notice_at_once(const struct malleable *s, const struct job *j, int32_t n)
{
	if (!s->config.resize_grace)
		return true;
	for (uint32_t i = nodeset_next(s->idle, 0); n > 0 && i < s->nodes;
	     i = nodeset_next(s->idle, i + 1))
		n -= !s->had[i] && allot_may(s, j, i);
	for (uint32_t i = j->required ? nodeset_next(j->required, 0) : s->nodes; i < s->nodes;
	     i = nodeset_next(j->required, i + 1)) {
		if (s->had[i])
			return false;
	}
	return n <= 0;
}

bool notice_is_due(const struct malleable *s, const struct job *j)
{
	for (uint32_t i = nodeset_next(j->at, 0); i < s->nodes; i = nodeset_next(j->at, i + 1)) {
		if ((s->owner[i] == j) == nodeset_test(j->goes, i))
			return true;
	}
	return false;
}

void notice_give(struct job *j, const struct nodeset *keeps)
{
	nodeset_copy(j->goes, j->at);
	nodeset_and_not(j->goes, keeps);
	j->leaving = (int32_t)nodeset_count(j->goes);
}

void notice_keep(struct job *j, const struct nodeset *keeps)
{
	if (!j->leaving)
		return;
	if (keeps)
		nodeset_and_not(j->goes, keeps);
	else
		nodeset_clear(j->goes);
	j->leaving = (int32_t)nodeset_count(j->goes);
}

bool notice_is_kept(const struct malleable *s, const struct job *j, const struct nodeset *keeps)
{
	int32_t kept = 0;

	for (uint32_t i = nodeset_next(j->at, 0); i < s->nodes; i = nodeset_next(j->at, i + 1)) {
		bool keep = nodeset_test(keeps, i);

		if (keep == nodeset_test(j->goes, i))
			return false;
		kept += keep;
	}
	return kept == (int32_t)nodeset_count(keeps);
}

void notice_has(struct malleable *s, struct job *j, const struct nodeset *nodes)
{
	for (uint32_t i = nodeset_next(j->at, 0); i < s->nodes; i = nodeset_next(j->at, i + 1)) {
		if (nodes && nodeset_test(nodes, i))
			continue;
		s->had[i]--;
		j->leaving -= nodeset_test(j->goes, i);
		nodeset_unset(j->goes, i);
		/* something waited for it, maybe */
		s->todo_fresh &= !s->held_up;
	}
	for (uint32_t i = nodes ? nodeset_next(nodes, 0) : s->nodes; i < s->nodes;
	     i = nodeset_next(nodes, i + 1))
		s->had[i] += !nodeset_test(j->at, i);
	if (nodes)
		nodeset_copy(j->at, nodes);
	else
		nodeset_clear(j->at);
	j->has = (int32_t)nodeset_count(j->at);
}
