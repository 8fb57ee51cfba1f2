/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_unconfirmed.c - how long a submission without a record keeps its place
 *
 * slurm/promise/unconfirmed.c alone: what it takes from the bridge and from slurmctld is
 * played here, the clock too.
 */
#include "slurm/base/compat.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "slurm/promise/unconfirmed.h"
#include "slurm/base/clock.h"
#include "slurm/state/track.h"
#include "slurm/state/core.h"

slurm_conf_t slurm_conf;
list_t *job_list;
slurmctld_config_t slurmctld_config;

static struct bridge bridge;
static int64_t played_us;

struct bridge *bridge_get(void)
{
	return &bridge;
}

/* What locks end with that cannot be taken. */
void fatal_abort(const char *format, ...)
{
	(void)format;
	abort();
}

int64_t clock_us(void)
{
	return played_us;
}

char *xstrcasestr(const char *haystack, const char *needle)
{
	return haystack ? strcasestr(haystack, needle) : NULL;
}

/* No record has shown up yet. */
struct track *track_find(struct bridge *b, uint64_t key)
{
	(void)b;
	(void)key;
	return NULL;
}

/* Places given back. */
static int withdrawn;

bool bridge_event(struct bridge *b, const struct sched_event *ev, const char *what)
{
	(void)b;
	(void)what;
	assert_int_equal(ev->type, EV_WITHDRAW);
	withdrawn++;
	return true;
}

/* Acceptances that the history takes back. */
static int voided;

void history_void(uint64_t promise)
{
	assert_int_not_equal(promise, 0);
	voided++;
}

/* Acceptances of which the history is told their job, the last one of them, and that. */
static int bound;
static uint64_t bound_promise;
static uint32_t bound_job, bound_base;

void history_bound(uint64_t promise, const struct ledger_job *job, uint32_t base, uint32_t task)
{
	assert_int_equal(task, NO_VAL);
	bound++;
	bound_promise = promise;
	bound_job = job->job_id;
	bound_base = base;
}

/* slurmctld's records. */
static job_record_t record;

int list_for_each(list_t *l, ListForF f, void *arg)
{
	(void)l;
	f(&record, arg);
	return 1;
}

int get_log_level(void)
{
	return LOG_LEVEL_QUIET;
}

void log_var(const log_level_t level, const char *fmt, ...)
{
	(void)level;
	(void)fmt;
}

static int begin(void **state)
{
	(void)state;
	memset(&bridge, 0, sizeof(bridge));
	memset(&slurm_conf, 0, sizeof(slurm_conf));
	pthread_mutex_init(&bridge.lock, NULL);
	memset(&record, 0, sizeof(record));
	bridge.epoch = 1;
	withdrawn = voided = bound = 0;
	played_us = 5000000;
	return 0;
}

static int end(void **state)
{
	struct unconfirmed *p, *next;

	(void)state;
	for (p = bridge.unconfirmed; p; p = next) {
		next = p->next;
		free(p->core);
		free(p);
	}
	bridge.unconfirmed = NULL;
	pthread_mutex_destroy(&bridge.lock);
	return 0;
}

/* One submission, as an RPC makes it. */
static void *submit(void *arg)
{
	uint64_t *core = calloc(1, sizeof(*core));

	(void)arg;
	pthread_mutex_lock(&bridge.lock);
	assert_non_null(core);
	assert_true(unconfirmed_add(&bridge, unconfirmed_token(&bridge), true, 7, core, 1));
	pthread_mutex_unlock(&bridge.lock);
	return NULL;
}

static void in_thread(void)
{
	pthread_t thread;

	assert_int_equal(pthread_create(&thread, NULL, submit, NULL), 0);
	assert_int_equal(pthread_join(thread, NULL), 0);
}

static bool lapsed(void)
{
	return unconfirmed_lapsed(&bridge, bridge.unconfirmed);
}

static void test_thread_ends(void **state)
{
	(void)state;
	in_thread();
	unconfirmed_collect(&bridge);
	assert_true(bridge.unconfirmed->over);
	/* The snapshot at work may be older than the record. */
	assert_false(lapsed());
	bridge.epoch++;
	assert_true(lapsed());
}

static void test_thread_lives_on(void **state)
{
	(void)state;
	submit(NULL);
	assert_false(bridge.unconfirmed->over);
	for (bridge.epoch = 2; bridge.epoch < 100; bridge.epoch++)
		assert_false(lapsed());
	played_us += 599 * 1000000LL;
	assert_false(lapsed());
	played_us += 2 * 1000000LL;
	assert_true(lapsed());
	/* Where messages may take longer, so may an RPC. */
	slurm_conf.msg_timeout = 400;
	assert_false(lapsed());
	played_us += 200 * 1000000LL;
	assert_true(lapsed());
}

/* An admission that finds no room looks at once, and frees only what has no record. */
static void test_sweep(void **state)
{
	char comment[128];

	(void)state;
	in_thread();
	snprintf(comment, sizeof(comment),
		 "pact1(id=%016" PRIx64 ",deadline=9,limit=60,state=promised)",
		 bridge.unconfirmed->token);
	record.admin_comment = comment;
	record.job_id = 12;
	record.array_job_id = 11;
	assert_false(unconfirmed_sweep(&bridge, 0));
	assert_int_equal(withdrawn + voided, 0);
	/* Another slurmctld may be the one that takes the first snapshot with it. */
	assert_int_equal(bound, 1);
	assert_int_equal(bound_promise, bridge.unconfirmed->token);
	assert_int_equal(bound_job, 12);
	assert_int_equal(bound_base, 11);
	in_thread();
	assert_true(unconfirmed_sweep(&bridge, 0));
	assert_int_equal(withdrawn, 1);
	assert_int_equal(voided, 1);
	assert_int_equal(bound, 1);
	assert_non_null(bridge.unconfirmed);
	assert_null(bridge.unconfirmed->next);
}

static void test_rpc_queue(void **state)
{
	(void)state;
	slurm_conf.slurmctld_params = (char *)"enable_rpc_queue";
	submit(NULL);
	assert_true(bridge.unconfirmed->over);
	bridge.epoch++;
	assert_true(lapsed());
}

static void test_tokens(void **state)
{
	uint64_t first = unconfirmed_token(&bridge);

	(void)state;
	assert_int_not_equal(first, 0);
	assert_int_not_equal(unconfirmed_token(&bridge), first);
	bridge.next_token = UINT64_MAX;
	assert_int_equal(unconfirmed_token(&bridge), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_thread_ends, begin, end),
		cmocka_unit_test_setup_teardown(test_thread_lives_on, begin, end),
		cmocka_unit_test_setup_teardown(test_sweep, begin, end),
		cmocka_unit_test_setup_teardown(test_rpc_queue, begin, end),
		cmocka_unit_test_setup_teardown(test_tokens, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
