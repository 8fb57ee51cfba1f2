/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * query_record.c - the recorder: on, off, and how it stands
 */
#include "slurm/base/compat.h"

#include "slurm/state/poke.h"
#include "slurm/eligibility/eligibility.h"
#include "slurm/queries/query.h"
#include "slurm/state/recorder.h"
#include "slurm/base/scheduler.h"
#include "slurm/eligibility/account.h"

static const char *read_change(struct query *q, bool *change, bool *on)
{
	static const char *const keys[] = { "set", NULL };
	const char *set = NULL;

	if (!wire_args_known(q->args, keys, q->why) ||
	    !wire_arg_text(q->args, "set", 3, &set, q->why))
		return WIRE_ARGUMENT;
	*change = set != NULL;
	*on = set && !strcmp(set, "on");
	if (set && !*on && strcmp(set, "off")) {
		snprintf(q->why, sizeof(q->why), "set: must be on or off, not %.3s", set);
		return WIRE_ARGUMENT;
	}
	if (set && !validate_operator(q->uid)) {
		snprintf(q->why, sizeof(q->why), "record %s: for Slurm's operators only", set);
		return WIRE_DENIED;
	}
	return NULL;
}

const char *query_record(struct query *q)
{
	struct bridge *b = bridge_get();
	char why[RECORDER_WHY] = "", user[NAMES_USER];
	struct recorder_status now;
	bool change, on, ok = true;
	const char *code = read_change(q, &change, &on);

	if (code)
		return code;
	if (!bridge_lock_soon(b)) {
		snprintf(q->why, sizeof(q->why), "the plan is being made: try again");
		return WIRE_BUSY;
	}
	if (change)
		ok = recorder_want(on, why);
	recorder_look(&now);
	pthread_mutex_unlock(&b->lock);
	if (!ok) {
		snprintf(q->why, sizeof(q->why), "%s", why);
		return WIRE_ARGUMENT;
	}
	if (change) {
		eligibility_user(q->uid, user);
		info("%s: %s: record %s", scheduler_type(), user, on ? "on" : "off");
		poke(); /* it begins when a pass leaves the core at rest */
	}
	wire_add_bool(q->answer, "wanted", now.wanted);
	wire_add_bool(q->answer, "recording", now.recording);
	if (now.file[0]) {
		wire_add_text(q->answer, "file", now.file);
		wire_add_number(q->answer, "bytes", now.bytes);
	}
	if (now.wanted && now.stopped[0])
		wire_add_text(q->answer, "stopped", now.stopped);
	return NULL;
}
