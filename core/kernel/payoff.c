/* SPDX-License-Identifier: GPL-2.0-or-later */
/* payoff: see payoff.h. */
#include "core/kernel/payoff.h"

__extension__ typedef __int128 wide;

int64_t payoff_at(const struct payoff *p, int64_t end)
{
	int64_t all = p->deadline - p->submit;

	if (end >= p->deadline)
		return 0;
	if (end - p->submit <= all / 2)
		return p->value;
	return (int64_t)((wide)p->value * 2 * (p->deadline - end) / all);
}
