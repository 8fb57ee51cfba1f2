/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * snapshot_loans.c - of a snapshot, a running job that is resized: what is its own, and what it is to give back
 */
#include "slurm/base/compat.h"

#include "slurm/snapshot/snapshot_own.h"

#include "slurm/records/malleable.h"
#include "slurm/records/wish_of.h"

/* What it is to give back, and by when. */
static void take_calls(struct snap_job *out, const job_record_t *job)
{
	struct wish_calls *calls = calloc(1, sizeof(*calls));

	if (calls && wish_calls_of(job, out->nodes, calls) && calls->n)
		out->keeps = nodeset_dup(out->nodes);
	if (!out->keeps) {
		if (calls)
			wish_calls_clear(calls);
		free(calls);
		return;
	}
	wish_calls_drop(calls, out->keeps);
	out->notice = calls->call[0].by;
	out->calls = calls;
}

/* One that stock Slurm has started was never resized. */
static struct malleable_run stock_run(const struct snap_job *out)
{
	uint32_t width = (uint32_t)out->what.width, has = nodeset_count(out->nodes);
	uint32_t own = width < has ? width : has;

	return (struct malleable_run){ .own = own, .lost = width - own, .has = has };
}

bool snapshot_take_loans(struct snap_job *out, const job_record_t *job)
{
	int32_t own;

	/* a word beside it is of an earlier run, by whatever nodes it names and whenever these were due */
	out->begun = !malleable_run_of(job, &out->run);
	if (out->begun)
		out->run = stock_run(out);
	else
		take_calls(out, job);
	/* more than it is for are its own for a promise only */
	own = (int32_t)out->run.own;
	if (own > out->what.width && !(out->token_rc == TOKEN_OK && token_binds(&out->token)))
		own = out->what.width;
	out->own = malleable_own(job, out->keeps ? out->keeps : out->nodes, own);
	out->before = out->own ? malleable_before_batch(job, out->own) : 0;
	return out->own;
}
