/* SPDX-License-Identifier: GPL-2.0-or-later */
/* told: see told.h. A new member is a line here: it is then copied, written and read. */
#include "core/planning/told.h"

#include <string.h>

static const struct field region_fields[] = {
	RECORD_FIELD(told_region, nodes, FIELD_NODES),
	RECORD_END,
};

static const struct field state_fields[] = {
	RECORD_FIELD(told_state, now, FIELD_I64),
	RECORD_FIELD(told_state, pass_now, FIELD_I64),
	RECORD_FIELD(told_state, dirty, FIELD_BOOL),
	RECORD_FIELD(told_state, loosened, FIELD_BOOL),
	RECORD_FIELD(told_state, tightened, FIELD_BOOL),
	RECORD_FIELD(told_state, told, FIELD_BOOL),
	RECORD_FIELD(told_state, named, FIELD_BOOL),
	RECORD_FIELD(told_state, all, FIELD_BOOL),
	RECORD_FIELD(told_state, forgotten, FIELD_U32),
	RECORD_FIELD(told_state, classes, FIELD_U32),
	RECORD_FIELD(told_state, class_of, FIELD_LIST32),
	RECORD_FIELD(told_state, demand, FIELD_LIST32),
	RECORD_END,
};

static const struct field hold_fields[] = {
	RECORD_FIELD(told_hold, id, FIELD_ID),
	RECORD_FIELD(told_hold, start, FIELD_I64),
	RECORD_FIELD(told_hold, end, FIELD_I64),
	RECORD_FIELD(told_hold, nodes, FIELD_NODES),
	RECORD_FIELD(told_hold, count, FIELD_I32),
	RECORD_FIELD(told_hold, block, FIELD_BOOL),
	RECORD_FIELD(told_hold, region, FIELD_BOOL),
	RECORD_FIELD(told_hold, promised, FIELD_BOOL),
	RECORD_FIELD(told_hold, broken, FIELD_BOOL),
	RECORD_FIELD(told_hold, submit, FIELD_I64),
	RECORD_FIELD(told_hold, deadline, FIELD_I64),
	RECORD_FIELD(told_hold, prolonged, FIELD_I64),
	RECORD_END,
};

static const struct field job_fields[] = {
	RECORD_FIELD(told_job, whole, FIELD_I64),
	RECORD_FIELD(told_job, granted, FIELD_I64),
	RECORD_FIELD(told_job, duration, FIELD_I64),
	RECORD_FIELD(told_job, artificial, FIELD_I64),
	RECORD_FIELD(told_job, due, FIELD_I64),
	RECORD_FIELD(told_job, promised, FIELD_BOOL),
	RECORD_FIELD(told_job, broken, FIELD_BOOL),
	RECORD_FIELD(told_job, failed, FIELD_BOOL),
	RECORD_FIELD(told_job, retried, FIELD_BOOL),
	RECORD_FIELD(told_job, unreserved, FIELD_BOOL),
	RECORD_FIELD(told_job, start, FIELD_I64),
	RECORD_FIELD(told_job, end, FIELD_I64),
	RECORD_FIELD(told_job, alt, FIELD_U32),
	{ "terms", offsetof(struct told_job, terms), FIELD_OBJECT, NULL, record_job, 0 },
	RECORD_FIELD(told_job, shares, FIELD_LIST32),
	RECORD_END,
};

static const struct field kept_fields[] = {
	RECORD_FIELD(told_kept, numbers, FIELD_LIST64),
	RECORD_END,
};

const struct record_form told_region = { "region", sizeof(struct told_region), region_fields,
					 true };
const struct record_form told_state = { "state", sizeof(struct told_state), state_fields, false };
const struct record_form told_hold = { "hold", sizeof(struct told_hold), hold_fields, false };
const struct record_form told_job = { "job", sizeof(struct told_job), job_fields, false };
const struct record_form told_kept = { "kept", sizeof(struct told_kept), kept_fields, true };

const struct record_form *told_find(const char *name)
{
	static const struct record_form *const forms[] = { &told_region, &told_state, &told_hold,
							   &told_job, &told_kept };

	return record_form_of(forms, sizeof(forms) / sizeof(forms[0]), name);
}
