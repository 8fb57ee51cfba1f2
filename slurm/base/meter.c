/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * meter.c - how long things take: histograms since slurmctld started
 */
#include "slurm/base/meter.h"

#include <stdatomic.h>

static struct {
	_Atomic uint64_t count[METER_BOUNDS + 1];
	_Atomic int64_t sum, worst;
} meters[METERS];

const char *meter_name(enum meter meter)
{
	static const char *const names[METERS] = {
		[METER_DECISION] = "decision",
		[METER_WAIT] = "wait",
		[METER_ASK] = "ask",
		[METER_PASS] = "pass",
		[METER_PASS_CPU] = "pass_cpu",
		[METER_PLANNING] = "planning",
		[METER_SNAPSHOT] = "snapshot",
		[METER_WRITING] = "writing",
		[METER_READ_LOCK] = "read_lock",
		[METER_WRITE_LOCK] = "write_lock",
		[METER_READ_CPU] = "read_lock_cpu",
		[METER_WRITE_CPU] = "write_lock_cpu",
		[METER_SWITCH] = "switch",
		[METER_RESIZE] = "resize",
		[METER_RESIZE_CPU] = "resize_cpu",
	};

	return names[meter];
}

int64_t meter_bound(int i)
{
	static const int64_t steps[] = { 1, 2, 5 };
	int64_t bound = 100;

	for (int p = i / 3; p > 0; p--)
		bound *= 10;
	return bound * steps[i % 3];
}

void meter_add(enum meter meter, int64_t us)
{
	int64_t worst = atomic_load(&meters[meter].worst);
	int i = 0;

	while (i < METER_BOUNDS && us > meter_bound(i))
		i++;
	atomic_fetch_add(&meters[meter].count[i], 1);
	atomic_fetch_add(&meters[meter].sum, us > 0 ? us : 0);
	while (us > worst && !atomic_compare_exchange_weak(&meters[meter].worst, &worst, us))
		;
}

void meter_read(enum meter meter, struct meter_reading *out)
{
	out->n = 0;
	for (int i = 0; i <= METER_BOUNDS; i++) {
		out->count[i] = atomic_load(&meters[meter].count[i]);
		out->n += out->count[i];
	}
	out->sum = atomic_load(&meters[meter].sum);
	out->worst = atomic_load(&meters[meter].worst);
}
