/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * poke.c - wakes the thread that plans
 */
#include "slurm/state/poke.h"

#include <stdatomic.h>

static _Atomic bool came, reread;

void poke(void)
{
	came = true;
}

void poke_to_reread(void)
{
	reread = true;
	came = true;
}

bool poke_came(void)
{
	return came;
}

bool poke_take(void)
{
	came = false;
	return atomic_exchange(&reread, false);
}
