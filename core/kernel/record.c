/* SPDX-License-Identifier: GPL-2.0-or-later */
/* record: the table of what both engines and recordings tell, see record.h. */
#include "core/kernel/record.h"

#include <string.h>

#include "core/kernel/protocol.h"

const struct field record_job[] = {
	RECORD_FIELD(sched_job, id, FIELD_ID),
	RECORD_FIELD(sched_job, submit, FIELD_I64),
	RECORD_FIELD(sched_job, eligible, FIELD_I64),
	RECORD_FIELD(sched_job, begin, FIELD_I64),
	RECORD_FIELD(sched_job, limit, FIELD_I64),
	RECORD_FIELD(sched_job, least, FIELD_I64),
	RECORD_FIELD(sched_job, deadline, FIELD_I64),
	RECORD_FIELD(sched_job, priority, FIELD_I64),
	RECORD_FIELD(sched_job, planned, FIELD_I64),
	RECORD_FIELD(sched_job, width, FIELD_I32),
	RECORD_FIELD(sched_job, most, FIELD_I32),
	RECORD_FIELD(sched_job, own, FIELD_I32),
	RECORD_FIELD(sched_job, value, FIELD_I64),
	RECORD_FIELD(sched_job, speedup, FIELD_LIST64),
	RECORD_FIELD(sched_job, processors, FIELD_I32),
	RECORD_FIELD(sched_job, memory, FIELD_I64),
	RECORD_FIELD(sched_job, user, FIELD_I64),
	RECORD_FIELD(sched_job, migration, FIELD_I64),
	RECORD_FIELD(sched_job, grace, FIELD_I64),
	RECORD_FIELD(sched_job, flags, FIELD_U32),
	RECORD_FIELD(sched_job, nalt, FIELD_U32),
	RECORD_FIELD(sched_job, required, FIELD_NODES),
	{ "alternatives", offsetof(struct sched_job, alt), FIELD_SETS, NULL, NULL,
	  offsetof(struct sched_job, nalt) },
	RECORD_END,
};

const struct record_form *record_form_of(const struct record_form *const *forms, size_t n,
					 const char *name)
{
	for (size_t i = 0; i < n; i++) {
		if (!strcmp(forms[i]->name, name))
			return forms[i];
	}
	return NULL;
}
