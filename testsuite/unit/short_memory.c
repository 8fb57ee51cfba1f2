/* SPDX-License-Identifier: GPL-2.0-or-later */
/* short_memory: see short_memory.h. */
#include "testsuite/unit/short_memory.h"

#include "testsuite/unit/seed.h"

#include <stdlib.h>

struct short_memory memory;

static bool fails(void)
{
	if (!memory.inside || ++memory.asked != memory.fails_at)
		return false;
	memory.shaken = true;
	return true;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t size);
void *__real_aligned_alloc(size_t line, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t size);
void *__wrap_aligned_alloc(size_t line, size_t size);

void *__wrap_malloc(size_t size)
{
	return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t n, size_t size)
{
	return fails() ? NULL : __real_calloc(n, size);
}

void *__wrap_realloc(void *p, size_t size)
{
	return fails() ? NULL : __real_realloc(p, size);
}

void *__wrap_aligned_alloc(size_t line, size_t size)
{
	return fails() ? NULL : __real_aligned_alloc(line, size);
}

/* ---- the entry points: once more after a failure, which must have had no effect ---- */

int __real_sched_ask(struct sched *s, int64_t now, const struct sched_job *jobs, size_t n,
		     struct sched_decision *d);
int __real_sched_ask_change(struct sched *s, int64_t now, const struct sched_job *job,
			    struct sched_decision *d);
int __wrap_sched_event(struct sched *s, const struct sched_event *ev);
bool __wrap_sched_next(struct sched *s, struct sched_action *action);
int __wrap_sched_ask(struct sched *s, int64_t now, const struct sched_job *jobs, size_t n,
		     struct sched_decision *d);
int __wrap_sched_ask_change(struct sched *s, int64_t now, const struct sched_job *job,
			    struct sched_decision *d);

bool short_memory_again(int rc)
{
	memory.inside = false;
	if (rc != PACT_ENOMEM)
		return false;
	assert_true(memory.shaken);
	memory.told++;
	return true;
}

int __wrap_sched_event(struct sched *s, const struct sched_event *ev)
{
	memory.inside = true;
	int rc = __real_sched_event(s, ev);

	return short_memory_again(rc) ? __real_sched_event(s, ev) : rc;
}

bool __wrap_sched_next(struct sched *s, struct sched_action *action)
{
	memory.inside = true;
	bool more = __real_sched_next(s, action);

	memory.inside = false;
	if (more || !*sched_error(s))
		return more;
	assert_true(memory.shaken);
	memory.told++;
	return __real_sched_next(s, action);
}

int __wrap_sched_ask(struct sched *s, int64_t now, const struct sched_job *jobs, size_t n,
		     struct sched_decision *d)
{
	memory.inside = true;
	int rc = __real_sched_ask(s, now, jobs, n, d);

	return short_memory_again(rc) ? __real_sched_ask(s, now, jobs, n, d) : rc;
}

int __wrap_sched_ask_change(struct sched *s, int64_t now, const struct sched_job *job,
			    struct sched_decision *d)
{
	memory.inside = true;
	int rc = __real_sched_ask_change(s, now, job, d);

	return short_memory_again(rc) ? __real_sched_ask_change(s, now, job, d) : rc;
}

void short_memory_at(uint64_t fails_at)
{
	memory.asked = 0;
	memory.fails_at = fails_at;
	memory.shaken = false;
}
