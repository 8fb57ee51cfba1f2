/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_question: a question computes without slurmctld's locks, and gives way as soon as any thread that has
 * them waits for the plan. The core is made to take as long as it is let: a question ends because it gives
 * way, or after the minute that it is granted here.
 */
#include "slurm/base/compat.h"

#include <semaphore.h>

#include "slurm/snapshot/access.h"
#include "slurm/admission/admission.h"
#include "slurm/admission/admit.h"
#include "slurm/agent/agent.h"
#include "slurm/eligibility/entry.h"
#include "slurm/state/core.h"
#include "slurm/agent/configure.h"
#include "slurm/eligibility/account.h"
#include "slurm/eligibility/partition.h"
#include "slurm/eligibility/submit_limits.h"
#include "testsuite/unit/bridge_feed.h"
#include "testsuite/unit/ctld.h"
#include "testsuite/unit/eventually.h"
#include "testsuite/unit/seed.h"

#define MINUTE (60 * 1000000LL)

static struct nodeset *all;

/* ---- what admission.c asks of slurmctld's records ---- */

static enum describe_wait waits; /* of every job */

struct regions *regions_create(void)
{
	return (struct regions *)all;
}

bool describe_submission(struct regions *regions, const job_desc_msg_t *desc,
			 struct description *out)
{
	(void)regions;
	*out = (struct description){
		.width = 1,
		.limit = 100,
		.limit_given = true,
		.least = 100,
		.deadline = desc->deadline,
		.waits = waits,
		.waits_at = PARTITION_DOWN,
		.nalt = 1,
		.alt = { all },
		.part = { "batch" },
	};
	return true;
}

/* Slurm's own checks refuse nothing here: they read records that are not played. */
int entry_refused(const job_desc_msg_t *desc, uint32_t submitter, const struct description *what,
		  char *why, size_t size)
{
	(void)desc, (void)submitter, (void)what, (void)size;
	why[0] = '\0';
	return SLURM_SUCCESS;
}

static const char *no_entry; /* why, where he may not submit */

bool eligibility_enters(const job_desc_msg_t *desc, uint32_t submitter, char *why, size_t why_size)
{
	(void)desc, (void)submitter;
	if (no_entry)
		snprintf(why, why_size, "%s", no_entry);
	return !no_entry;
}

void eligibility_user(uid_t uid, char out[NAMES_USER])
{
	snprintf(out, NAMES_USER, "uid %u", (unsigned int)uid);
}

int entry_label(const job_desc_msg_t *desc, char *why, size_t size)
{
	(void)desc, (void)why, (void)size;
	return SLURM_SUCCESS;
}

void entry_seen(const job_desc_msg_t *desc)
{
	(void)desc;
}

static const char *not_taken; /* the limit, where Slurm would not take it */

bool eligibility_submits(const job_desc_msg_t *desc, char *why, size_t why_size)
{
	(void)desc;
	if (not_taken)
		snprintf(why, why_size, "%s", not_taken);
	return !not_taken;
}

void eligibility_account(uid_t uid, const char *part, const char *name, char *out, size_t size)
{
	(void)uid, (void)part;
	snprintf(out, size, "%s", name ? name : "");
}

bool eligibility_allows(const struct conf *conf, const struct eligibility_job *job, char *why,
			size_t why_size)
{
	(void)conf, (void)job, (void)why, (void)why_size;
	return true;
}

enum obstacle eligibility_obstacle(const struct eligibility_job *job, int64_t *longest, char *why,
				   size_t why_size)
{
	(void)job, (void)why, (void)why_size;
	*longest = PACT_FOREVER;
	return OBSTACLE_NONE;
}

/* ---- a core that takes its time; the linker puts these in front of the true ones ---- */

int __real_sched_ask(struct sched *s, int64_t now, const struct sched_job *jobs, uint32_t n,
		     struct sched_decision *decision);
int __wrap_sched_ask(struct sched *s, int64_t now, const struct sched_job *jobs, uint32_t n,
		     struct sched_decision *decision);
void __real_lock_slurmctld(slurmctld_lock_t levels);
void __wrap_lock_slurmctld(slurmctld_lock_t levels);

static _Atomic int slow;     /* questions that are to take as long as they are let */
static _Atomic bool at_work; /* one of them is */
static _Atomic int gave_way; /* so many have ended before their time */
static _Atomic int questions;
static _Atomic bool pestered; /* by an urgent thread, whenever one is at work */
static _Atomic bool hold_start;
static sem_t ask_now;

int __wrap_sched_ask(struct sched *s, int64_t now, const struct sched_job *jobs, uint32_t n,
		     struct sched_decision *decision)
{
	struct timespec nap = { 0, 1000000 };
	struct bridge *b = bridge_get();
	struct sched_config config;

	questions++;
	if (slow <= 0)
		return __real_sched_ask(s, now, jobs, n, decision);
	slow--;
	bridge_sched_config(b, &config);
	b->urgent += pestered;
	for (at_work = true; !config.expired(config.expired_arg);)
		nanosleep(&nap, NULL);
	b->urgent -= pestered;
	at_work = false;
	gave_way += b->gave_way;
	memset(decision, 0, sizeof(*decision));
	decision->reason = REFUSE_BUDGET;
	return PACT_OK;
}

/* Between the mutex, which it has given up, and slurmctld's locks, a start meets a question. */
void __wrap_lock_slurmctld(slurmctld_lock_t levels)
{
	struct timespec nap = { 0, 1000000 };

	if (hold_start && bridge_get()->starting) {
		hold_start = false;
		sem_post(&ask_now);
		while (!at_work)
			nanosleep(&nap, NULL);
	}
	__real_lock_slurmctld(levels);
}

/* ---- helpers ---- */

#define eventually(truth) eventually_within(20, truth)

static void *question(void *arg)
{
	struct access operator= { .all = true };
	job_desc_msg_t desc;

	sem_wait(&ask_now);
	slurm_init_job_desc_msg(&desc);
	desc.deadline = time(NULL) + 3600;
	admit_ask(&desc, &operator, false, arg);
	return NULL;
}

static struct bridge *fresh(void)
{
	struct bridge *b = played_bridge();

	b->admission_us = MINUTE;
	b->attached = true;
	slow = gave_way = questions = 0;
	pestered = hold_start = false;
	return b;
}

/* ---- tests ---- */

/* Before the first pass, or where there never is one, there is no plan; whoever comes is told why. */
static void test_no_pass(void **state)
{
	struct bridge *b = bridge_get();
	struct admit_answer answer;
	struct safety safety;
	job_desc_msg_t desc;

	(void)state;
	assert_null(b->core);
	b->attached = true;
	for (int off = 0; off < 2; off++) {
		const char *why = off ? SAFETY_SWITCHED_OFF : "the plan is being built";
		char *message = NULL;

		ctld_switched_off = off;
		safety_look(&safety);
		assert_true(configure_read(b, &safety));
		slurm_init_job_desc_msg(&desc);
		desc.deadline = time(NULL) + 3600;
		assert_int_equal(admit_submission(&desc, 0, &message), ESLURM_INVALID_TIME_LIMIT);
		assert_non_null(strstr(message, why));
		xfree(message);
		sem_post(&ask_now);
		question(&answer);
		assert_true(answer.decided && !answer.promised);
		assert_int_equal(answer.busy, !off);
		assert_non_null(strstr(answer.decision.text, why));
	}
	ctld_switched_off = false;
	assert_null(b->core);
}

/* Job 7 may start at any time, and Slurm says no. */
static struct snapshot *job_waits(void)
{
	struct snapshot *snap = ctld_idle(1);
	struct snap_job *j = played_job(snap, 7, SNAP_PENDING, all);

	j->token = (struct token){ 0 };
	j->token_rc = TOKEN_NONE;
	return snap;
}

/* A start holds slurmctld's write lock while it waits for the mutex: no longer than the question needs to stop. */
static void test_start(void **state)
{
	struct admit_answer answer;
	pthread_t thread;

	(void)state;
	(void)fresh();
	slurmctld_config.thread_id_save = pthread_self();
	last_job_update = time(NULL) + 10000; /* pass after pass */
	ctld_seen = job_waits;
	assert_true(agent_start());
	for (int round = 1; round <= 5; round++) {
		assert_int_equal(pthread_create(&thread, NULL, question, &answer), 0);
		slow = 1;
		hold_start = true;
		eventually(gave_way == round);
		pthread_join(thread, NULL);
		assert_true(answer.decided && !answer.busy); /* asked once more */
		assert_int_equal(questions, 2 * round);
	}
	agent_stop();
	ctld_seen = NULL;
	last_job_update = 0;
}

/* So does a submission, which has slurmctld's read locks; and so does a change that was decided. */
static void test_submission(void **state)
{
	const slurmctld_lock_t none = { NO_LOCK, NO_LOCK, NO_LOCK, NO_LOCK, NO_LOCK };
	struct admit_answer answer;
	pthread_t thread;

	(void)state;
	for (int round = 0; round < 3; round++) {
		struct bridge *b = fresh();

		slow = 1;
		assert_int_equal(pthread_create(&thread, NULL, question, &answer), 0);
		sem_post(&ask_now);
		eventually(at_work);
		lock_slurmctld(none);
		assert_true(admission_lock(b));
		unlock_slurmctld(none);
		assert_int_equal(gave_way, 1);
		admission_unlock(b);
		pthread_join(thread, NULL);
		assert_true(answer.promised);
		assert_int_equal(questions, 2);
	}
}

/* It comes back a bounded number of times, and then says that the plan is busy. */
static void test_busy(void **state)
{
	struct admit_answer answer;
	struct bridge *b = fresh();

	(void)state;
	slow = 1000;
	pestered = true;
	sem_post(&ask_now);
	question(&answer);
	assert_true(answer.busy && !answer.promised);
	assert_non_null(strstr(answer.decision.text, "the plan is busy"));
	assert_true(questions > 1 && questions < 20);
	assert_int_equal(gave_way, questions);
	assert_int_equal(b->urgent, 0);
	/* what gives way once leaves nothing behind */
	slow = 0;
	sem_post(&ask_now);
	question(&answer);
	assert_true(answer.promised && !answer.busy);
}

/* Where he may not submit he is told so, and the plan is not asked. */
static void test_entry(void **state)
{
	struct admit_answer answer;

	(void)state;
	(void)fresh();
	no_entry = "not for him";
	sem_post(&ask_now);
	question(&answer);
	assert_true(answer.decided && !answer.promised && !answer.may_enter);
	assert_non_null(strstr(answer.decision.text, "not for him"));
	assert_int_equal(questions, 0);
	no_entry = NULL;
	/* so he is where a limit forbids it */
	not_taken = "over a limit";
	sem_post(&ask_now);
	question(&answer);
	assert_true(answer.decided && !answer.promised && answer.may_enter);
	assert_non_null(strstr(answer.decision.text, "over a limit"));
	assert_int_equal(questions, 0);
	not_taken = NULL;
	sem_post(&ask_now);
	question(&answer);
	assert_true(answer.promised && answer.may_enter);
}

/* Where nothing decides, there is nothing to wait for. */
static void test_absent(void **state)
{
	struct bridge *b = fresh();

	(void)state;
	for (int round = 0; round < 8; round++) {
		struct admit_answer answer;
		bool named = round & 1, alone = round & 2;

		waits = round & 4 ? DESCRIBE_STATE : DESCRIBE_RUNS;
		b->named = named;
		b->alone = alone;
		sem_post(&ask_now);
		question(&answer);
		assert_int_equal(answer.waits, named && !alone && waits);
		assert_int_equal(answer.promised, named && !alone && !waits);
		if (!named)
			assert_non_null(strstr(answer.decision.text, "has no deadline"));
		else if (alone)
			assert_non_null(strstr(answer.decision.text, "restart slurmctld"));
	}
	b->alone = false;
	waits = DESCRIBE_RUNS;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_no_pass), /* first: nothing has been planned yet */
		cmocka_unit_test(test_start),	cmocka_unit_test(test_submission),
		cmocka_unit_test(test_busy),	cmocka_unit_test(test_entry),
		cmocka_unit_test(test_absent),
	};
	log_options_t quiet = LOG_OPTS_INITIALIZER;

	quiet.stderr_level = LOG_LEVEL_ERROR;
	log_init("test_question", quiet, SYSLOG_FACILITY_DAEMON, NULL);
	sem_init(&ask_now, 0, 0);
	all = nodeset_create(NODES);
	nodeset_fill(all);
	return seed_run("test_question", tests);
}
