/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_moves: a job that is asked to leave its nodes, by its record: what is asked when, and what becomes of that in whatever
 * order Slurm ends, requeues, suspends and starts it. slurmctld is played. What the core makes of it is in test_turns.
 */
#include "slurm/base/compat_played.h"

#include <sys/wait.h>

#include "slurm/acting/migrate.h"
#include "slurm/records/job_env.h"
#include "slurm/records/move.h"
#include "testsuite/unit/bridge_feed.h"
#include "testsuite/unit/ctld.h"
#include "testsuite/unit/seed.h"

#define OPTION "_SLURM_SPANK_OPTION_spank_pact_migratable"
#define ID 7
#define MINUTES 10
/* As its batch script ends with it, a status of wait(). */
#define CODE(code) W_EXITCODE(code, 0)

/* ---- the played slurmctld ---- */

static job_record_t *job; /* of that number; NULL: it is not known any more */
static int signals, last_signal, last_flags, signal_rc;

job_record_t *find_job_record(uint32_t id)
{
	return id == ID ? job : NULL;
}

int job_signal(job_record_t *of, uint16_t signal, uint16_t flags, uid_t uid, bool preempt)
{
	assert_ptr_equal(of, job);
	assert_int_equal(uid, 0);
	assert_false(preempt);
	signals++;
	last_signal = signal;
	last_flags = flags;
	return signal_rc;
}

static node_record_t first = { .name = (char *)"n1" };

node_record_t *find_node_record(char *name)
{
	return strcmp(name, first.name) ? NULL : &first;
}

static int open_job(void **state)
{
	(void)state;
	job = xmalloc(sizeof(*job));
	job->details = xmalloc(sizeof(*job->details));
	job->job_id = ID;
	job->batch_flag = 1;
	job->nodes = xstrdup("n[1-2]");
	job->batch_host = xstrdup("n1");
	job->job_state = JOB_RUNNING;
	job->time_limit = MINUTES;
	job->start_time = time(NULL) - 100;
	job->end_time = job->start_time + 60 * MINUTES;
	job->details->submit_time = job->start_time - 50;
	job->details->requeue = 1;
	job->details->open_mode = OPEN_MODE_APPEND;
	job_env_put(job, OPTION, "USR1");
	slurm_conf.requeue_exit = xstrdup("99");
	signals = signal_rc = 0;
	return 0;
}

static int close_job(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < job->spank_job_env_size; i++)
		xfree(job->spank_job_env[i]);
	xfree(job->spank_job_env);
	xfree(job->nodes);
	xfree(job->batch_host);
	xfree(job->details);
	xfree(job);
	xfree(slurm_conf.requeue_exit);
	return 0;
}

/* ---- what Slurm does to it ---- */

static struct move now_is(void)
{
	struct move m;

	move_of(job, &m);
	return m;
}

/* It has run for so long, and is over; its epilog still runs. */
static void ends(uint32_t base, int64_t ran)
{
	job->job_state = base | JOB_COMPLETING;
	job->end_time = job->start_time + ran;
}

/* By hand. batch_requeue_fini(): its times are gone, and it has to wait for two minutes. */
static void is_requeued(int64_t now)
{
	job->job_state = JOB_PENDING;
	job->restart_cnt++;
	job->start_time = job->end_time = job->suspend_time = job->pre_sus_time = 0;
	job->details->submit_time = now;
	job->details->begin_time = now + 121;
}

/* It has ended with a code of RequeueExit. */
static void has_left(int64_t now)
{
	job->exit_code = CODE(99);
	is_requeued(now);
}

static void is_started(int64_t now)
{
	job->job_state = JOB_RUNNING;
	job->exit_code = 0;
	job->start_time = now;
	job->end_time = now + 60 * job->time_limit;
}

static void is_suspended(int64_t now)
{
	job->pre_sus_time += now - (job->suspend_time ? job->suspend_time : job->start_time);
	job->suspend_time = now;
	job->job_state = JOB_SUSPENDED;
}

static void is_resumed(int64_t now)
{
	job->suspend_time = now;
	job->job_state = JOB_RUNNING;
}

/* ---- its record ---- */

/* Asked, gone, requeued and started, twice: its first submission, what it has used, and what that has cost. */
static void test_moved(void **state)
{
	int64_t t0 = job->start_time, first = job->details->submit_time;

	(void)state;
	move_ask(job, t0 + 100);
	assert_int_equal(now_is().state, MOVE_ASKED);
	assert_int_equal(now_is().asked, 100);
	assert_false(move_renew(job, t0 + 107));
	assert_int_equal(now_is().ran, 107);
	ends(JOB_FAILED, 110);
	assert_false(move_renew(job, t0 + 130)); /* of its epilog nothing counts */
	assert_int_equal(now_is().ran, 110);
	has_left(t0 + 131);
	assert_true(move_renew(job, t0 + 131));
	assert_int_equal(now_is().state, MOVE_MOVED);
	assert_int_equal(now_is().used, 110);
	assert_int_equal(now_is().cost, 10);
	assert_int_equal(now_is().submit, first);
	assert_int_equal(job->time_limit, 9); /* 490 s */
	assert_int_equal(job->details->begin_time, t0 + 132);
	assert_false(move_renew(job, t0 + 132));
	is_started(t0 + 133);
	assert_false(move_renew(job, t0 + 140));
	assert_int_equal(now_is().state, MOVE_MOVED);
	move_ask(job, t0 + 143);
	ends(JOB_FAILED, 13);
	assert_false(move_renew(job, t0 + 147));
	has_left(t0 + 147);
	assert_true(move_renew(job, t0 + 147));
	assert_int_equal(now_is().used, 123);
	assert_int_equal(now_is().cost, 3);
	assert_int_equal(now_is().submit, first);
	assert_int_equal(now_is().limit, 60 * MINUTES);
	assert_int_equal(job->time_limit, 8); /* 477 s */
}

/* While it is suspended it does nothing that counts, be it before it is asked or after. */
static void test_suspended(void **state)
{
	int64_t t0 = job->start_time;

	(void)state;
	is_suspended(t0 + 20);
	is_resumed(t0 + 50);
	move_ask(job, t0 + 60);
	assert_int_equal(now_is().asked, 30);
	is_suspended(t0 + 65);
	assert_false(move_renew(job, t0 + 90));
	assert_int_equal(now_is().ran, 35);
	is_resumed(t0 + 100);
	assert_false(move_renew(job, t0 + 104));
	assert_int_equal(now_is().ran, 39);
	/* asked once more in its next turn: its time counts from the first one */
	move_ask(job, t0 + 104);
	assert_int_equal(now_is().asked, 30);
	is_suspended(t0 + 106);
	has_left(t0 + 107); /* while it was stopped, and was seen neither ending nor stopped */
	assert_true(move_renew(job, t0 + 107));
	assert_int_equal(now_is().used, 39);
}

/* It dies of the signal: it is over, and that is all. */
static void test_dies(void **state)
{
	int64_t t0 = job->start_time;

	(void)state;
	move_ask(job, t0 + 100);
	ends(JOB_FAILED, 101);
	assert_false(move_renew(job, t0 + 102));
	job->job_state = JOB_FAILED;
	assert_false(move_renew(job, t0 + 103));
	assert_int_equal(now_is().state, MOVE_ASKED);
	assert_int_equal(job->time_limit, MINUTES);
	assert_int_equal(signals, 0);
}

/* Requeued by other hands it begins anew, with its whole limit: after a move, and after it stayed. */
static void test_begins_anew(void **state)
{
	int64_t t0 = job->start_time;

	(void)state;
	move_ask(job, t0 + 100);
	move_renew(job, t0 + 200);
	has_left(t0 + 200);
	assert_true(move_renew(job, t0 + 200));
	assert_int_equal(job->time_limit, 7);
	is_started(t0 + 210);
	assert_false(move_renew(job, t0 + 215));
	is_requeued(t0 + 220);
	assert_true(move_renew(job, t0 + 220));
	assert_int_equal(now_is().state, MOVE_NONE);
	assert_int_equal(job->time_limit, MINUTES);
	assert_int_equal(job->details->begin_time, t0 + 341); /* that is Slurm's */
	is_started(t0 + 400);
	move_ask(job, t0 + 410);
	move_give_up(job);
	assert_int_equal(now_is().state, MOVE_STAYS);
	assert_int_equal(migrate_ask(ID), MIGRATE_NEVER);
	is_requeued(t0 + 430);
	assert_true(move_renew(job, t0 + 430));
	assert_int_equal(now_is().state, MOVE_NONE);
	is_started(t0 + 560);
	assert_int_equal(migrate_ask(ID), MIGRATE_ASKED);
}

/* Requeued when it was asked: has it left? */
static void check_left(uint32_t status, uint16_t tries, const char *codes, bool left)
{
	int64_t t0 = job->start_time;

	xfree(slurm_conf.requeue_exit);
	slurm_conf.requeue_exit = xstrdup(codes);
	move_ask(job, t0 + 100);
	assert_false(move_renew(job, t0 + 240));
	job->exit_code = status;
	job->batch_flag = tries;
	is_requeued(t0 + 240);
	assert_true(move_renew(job, t0 + 240));
	assert_int_equal(now_is().state, left ? MOVE_MOVED : MOVE_NONE);
	assert_int_equal(job->time_limit, left ? 6 : MINUTES);
	assert_int_equal(job->details->begin_time, t0 + (left ? 241 : 361));
	job_env_put(job, "PACT_MOVE", NULL);
	is_started(t0);
	job->time_limit = MINUTES;
	job->batch_flag = 1;
}

/*
 * By its code; or Slurm has missed it on its node, as after a start of slurmctld. By scontrol requeue, or with a node that is
 * lost, it has no code, and begins anew, with all of its limit.
 */
static void test_requeued(void **state)
{
	(void)state;
	check_left(CODE(99), 1, "99", true);
	check_left(CODE(99), 1, "3,90-99", true);
	check_left(CODE(90), 1, "3,90-99,120", true);
	check_left(CODE(3), 1, "3,90-99", true);
	check_left(0, 2, "99", true);
	check_left(0, 1, "99", false);
	check_left(0, 1, "0,99", false);
	check_left(0, 1, "", false);
	check_left(0, 1, NULL, false);
	check_left(CODE(99), 1, NULL, false); /* by hand, when it had failed */
	check_left(CODE(9), 1, "99", false);
	check_left(CODE(100), 1, "3,90-99", false);
	check_left(CODE(89), 1, "3,90-99", false);
	check_left(CODE(1), 1, "99", false);
	check_left(SIGKILL, 1, "9,99", false); /* of a signal, and then by hand */
}

/* Another limit that an operator sets is for what is left; one without a limit has none later. */
static void test_limits(void **state)
{
	int64_t t0 = job->start_time;

	(void)state;
	move_ask(job, t0 + 100);
	move_renew(job, t0 + 100);
	has_left(t0 + 101);
	assert_true(move_renew(job, t0 + 101));
	is_started(t0 + 102);
	job->time_limit = 60;
	move_ask(job, t0 + 112);
	assert_int_equal(now_is().limit, 3600);
	move_renew(job, t0 + 112);
	has_left(t0 + 113);
	assert_true(move_renew(job, t0 + 113));
	assert_int_equal(job->time_limit, 60); /* 3590 s */
	is_started(t0 + 114);
	job->time_limit = INFINITE;
	move_ask(job, t0 + 120);
	move_renew(job, t0 + 120);
	has_left(t0 + 121);
	assert_true(move_renew(job, t0 + 121));
	assert_int_equal(job->time_limit, INFINITE);
}

/* While it is asked, too: for the run that it leaves, and all before. */
static void test_limit_when_asked(void **state)
{
	int64_t t0 = job->start_time;

	(void)state;
	move_ask(job, t0 + 100);
	job->time_limit = 20;
	move_renew(job, t0 + 120);
	has_left(t0 + 121);
	assert_true(move_renew(job, t0 + 121));
	assert_int_equal(now_is().limit, 1200);
	assert_int_equal(job->time_limit, 18); /* 1080 s */
	is_started(t0 + 122);
	move_ask(job, t0 + 222);
	job->time_limit = INFINITE;
	move_renew(job, t0 + 242);
	has_left(t0 + 243);
	assert_true(move_renew(job, t0 + 243));
	assert_int_equal(job->time_limit, INFINITE);
	is_started(t0 + 244);
	move_ask(job, t0 + 344);
	job->time_limit = 5; /* what it has had before does not count */
	move_renew(job, t0 + 364);
	has_left(t0 + 365);
	assert_true(move_renew(job, t0 + 365));
	assert_int_equal(now_is().limit, 300);
	assert_int_equal(job->time_limit, 3);
}

/* Requeued by other hands it keeps what an operator has set, in each state, as Slurm has it. */
static void check_kept(enum move_state of, uint32_t set, uint32_t has)
{
	int64_t t0 = job->start_time;

	job->time_limit = MINUTES;
	move_ask(job, t0 + 100);
	move_renew(job, t0 + 240);
	if (of == MOVE_MOVED) {
		has_left(t0 + 241);
		assert_true(move_renew(job, t0 + 241));
		is_started(t0);
	} else if (of == MOVE_STAYS) {
		move_give_up(job);
	}
	assert_int_equal(now_is().state, of);
	if (set)
		job->time_limit = set;
	is_requeued(t0 + 300);
	assert_true(move_renew(job, t0 + 300));
	assert_int_equal(now_is().state, MOVE_NONE);
	assert_int_equal(job->time_limit, has);
	is_started(t0);
}

static void test_limit_anew(void **state)
{
	static const enum move_state states[] = { MOVE_ASKED, MOVE_MOVED, MOVE_STAYS };

	(void)state;
	for (size_t i = 0; i < sizeof(states) / sizeof(*states); i++) {
		check_kept(states[i], 0, MINUTES);
		check_kept(states[i], 20, 20);
		check_kept(states[i], 3, 3);
		check_kept(states[i], INFINITE, INFINITE);
		check_kept(states[i], NO_VAL, NO_VAL); /* Slurm takes the partition's */
	}
}

/* Likewise when it is asked once more before it is requeued; and what Slurm counts of its earlier runs is no sign that it left. */
static void test_asked_anew(void **state)
{
	int64_t t0 = job->start_time;

	(void)state;
	move_ask(job, t0 + 100);
	move_renew(job, t0 + 240);
	has_left(t0 + 241);
	assert_true(move_renew(job, t0 + 241));
	is_started(t0 + 242);
	job->time_limit = 20;
	job->batch_flag = 2;
	move_ask(job, t0 + 300);
	is_requeued(t0 + 400);
	assert_true(move_renew(job, t0 + 400));
	assert_int_equal(now_is().state, MOVE_NONE);
	assert_int_equal(job->time_limit, 20);
}

/* It has had more than all of its limit: a minute is left. */
static void test_used_up(void **state)
{
	int64_t t0 = job->start_time;

	(void)state;
	move_ask(job, t0 + 100);
	move_renew(job, t0 + 60 * MINUTES + 20);
	has_left(t0 + 700);
	assert_true(move_renew(job, t0 + 700));
	assert_int_equal(job->time_limit, 1);
}

/* Slurm counts the age of what is requeued anew; of one that has left it is that of before, and from then on Slurm's again. */
static void test_age(void **state)
{
	int64_t t0 = job->start_time, since = t0 - 40;

	(void)state;
	for (int64_t at = t0; at < t0 + 400; at += 200) {
		job->details->accrue_time = since;
		move_ask(job, at + 100);
		ends(JOB_FAILED, 110);
		assert_false(move_age(job));
		has_left(at + 111);
		job->details->accrue_time = 0;
		assert_true(move_renew(job, at + 111));
		assert_false(move_age(job)); /* it does not count yet */
		job->details->accrue_time = at + 112;
		assert_true(move_age(job));
		assert_int_equal(job->details->accrue_time, since);
		job->details->accrue_time = at + 120; /* it was held */
		assert_false(move_age(job));
		assert_int_equal(now_is().state, MOVE_MOVED);
		is_started(at + 130);
	}
}

/* What stands in its record is not what was written: it was never asked. */
static void test_torn(void **state)
{
	static const char *const texts[] = { "",
					     "2:asked",
					     "2:asked:1:9:2:3:4:5:6",
					     "2:asked:1:9:2:3:4:5:6:7:8",
					     "2:asked:1:9:2:3:4:5:6:x",
					     "1:asked:1:9:2:3:4:5:6:7",
					     "2:gone:1:9:2:3:4:5:6:7",
					     "2:none:1:9:2:3:4:5:6:7",
					     "2:askedaskedasked:1:9:2:3:4:5:6:7",
					     "2:asked:1:9:2:-3:4:5:6:7",
					     "2:asked:1:9:2:3:4:-5:6:7" };

	(void)state;
	job_env_put(job, "PACT_MOVE", "2:asked:1:9:2:3:4:5:6:7");
	assert_int_equal(now_is().state, MOVE_ASKED);
	assert_int_equal(now_is().ran, 5);
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		job_env_put(job, "PACT_MOVE", texts[i]);
		assert_int_equal(now_is().state, MOVE_NONE);
		assert_int_equal(now_is().ran, 0);
		is_requeued(1000);
		assert_false(move_renew(job, 1000));
		assert_int_equal(job->time_limit, MINUTES);
	}
}

/* ---- the signal ---- */

static void test_asked(void **state)
{
	(void)state;
	assert_int_equal(migrate_ask(ID + 1), MIGRATE_NEVER);
	assert_int_equal(migrate_ask(ID), MIGRATE_ASKED);
	assert_int_equal(signals, 1);
	assert_int_equal(last_signal, SIGUSR1);
	assert_int_equal(last_flags, KILL_JOB_BATCH);
	assert_int_equal(now_is().state, MOVE_ASKED);
	assert_int_equal(migrate_ask(ID), MIGRATE_ASKED); /* once more */
	assert_int_equal(signals, 2);
	is_suspended(time(NULL));
	assert_int_equal(migrate_ask(ID), MIGRATE_LATER); /* slurmstepd would drop it */
	is_resumed(time(NULL));
	job->job_state |= JOB_CONFIGURING;
	assert_int_equal(migrate_ask(ID), MIGRATE_LATER);
	ends(JOB_FAILED, 100);
	assert_int_equal(migrate_ask(ID), MIGRATE_LATER); /* it may be leaving */
	job->job_state = JOB_PENDING;
	assert_int_equal(migrate_ask(ID), MIGRATE_LATER); /* it has left, which is not seen yet */
	assert_int_equal(signals, 2);
}

/* It is over, was never one of these, or the signal cannot be sent: it is not asked, and one that was not sent has not begun. */
static void test_not_asked(void **state)
{
	job_record_t *gone = job;

	(void)state;
	ends(JOB_COMPLETE, 100);
	assert_int_equal(migrate_ask(ID), MIGRATE_NEVER);
	job->job_state = JOB_PENDING;
	assert_int_equal(migrate_ask(ID), MIGRATE_NEVER);
	job->job_state = JOB_RUNNING;
	job->batch_flag = 0;
	assert_int_equal(migrate_ask(ID), MIGRATE_NEVER);
	job->batch_flag = 1;
	job_env_put(job, OPTION, "KILL");
	assert_int_equal(migrate_ask(ID), MIGRATE_NEVER);
	job_env_put(job, OPTION, NULL);
	assert_int_equal(migrate_ask(ID), MIGRATE_NEVER);
	job_env_put(job, OPTION, "(null)");
	job = NULL;
	assert_int_equal(migrate_ask(ID), MIGRATE_NEVER);
	migrate_give_up(ID);
	job = gone;
	assert_int_equal(now_is().state, MOVE_NONE);
	migrate_give_up(ID); /* it was not asked */
	assert_int_equal(now_is().state, MOVE_NONE);
	assert_int_equal(signals, 0);
	signal_rc = ESLURM_ALREADY_DONE;
	assert_int_equal(migrate_ask(ID), MIGRATE_NEVER);
	assert_int_equal(signals, 1);
	assert_int_equal(now_is().state, MOVE_STAYS);
	assert_false(move_renew(job, time(NULL)));
	assert_int_equal(job->time_limit, MINUTES);
}

static void check_signal(const char *codes, uint16_t requeue, uint8_t mode, bool append, int signal)
{
	xfree(slurm_conf.requeue_exit);
	slurm_conf.requeue_exit = xstrdup(codes);
	slurm_conf.job_file_append = append;
	job->details->requeue = requeue;
	job->details->open_mode = mode;
	assert_int_equal(move_signal(job), signal);
	slurm_conf.job_file_append = 0;
}

/* What would end for good, or begin its output again, is not asked: without job_submit/deadline nothing has seen to that. */
static void test_would_go_on(void **state)
{
	(void)state;
	check_signal("99", 1, OPEN_MODE_APPEND, false, SIGUSR1);
	check_signal(NULL, 1, OPEN_MODE_APPEND, false, 0);
	check_signal("", 1, OPEN_MODE_APPEND, false, 0);
	check_signal("99", 0, OPEN_MODE_APPEND, false, 0);
	check_signal("99", 1, OPEN_MODE_TRUNCATE, true, 0);
	check_signal("99", 1, 0, false, 0);
	check_signal("99", 1, 0, true, SIGUSR1);
	xfree(job->details);
	assert_int_equal(move_signal(job), 0);
}

/* ---- is it there? ---- */

/* Did its node have to register, so that Slurm misses what it does not have? */
static bool is_sought(uint32_t id)
{
	bool found;

	first.boot_time = 500;
	ping_nodes_now = false;
	job->time_last_active = job->start_time + 90;
	found = migrate_find(id);
	assert_int_equal(ping_nodes_now, found);
	assert_int_equal(first.boot_time, found ? 0 : 500);
	assert_int_equal(job->time_last_active, job->start_time + (found ? 0 : 90));
	return found;
}

static void test_found(void **state)
{
	(void)state;
	assert_false(is_sought(ID + 1));
	assert_true(is_sought(ID));
	job->job_state |= JOB_CONFIGURING;
	assert_false(is_sought(ID));
	is_suspended(time(NULL)); /* Slurm may not look at it then */
	assert_false(is_sought(ID));
	ends(JOB_FAILED, 100);
	assert_false(is_sought(ID));
	job->job_state = JOB_RUNNING;
	xfree(job->batch_host);
	assert_false(is_sought(ID));
	job->batch_host = xstrdup("n3"); /* it is in no table any more */
	assert_false(is_sought(ID));
}

/* ---- submissions ---- */

static bool takes(const char *option, bool script, uint16_t requeue, char *why, size_t size)
{
	job_desc_msg_t desc = { .requeue = requeue, .script = script ? (char *)"x" : NULL };
	char *env[2] = { NULL, NULL };
	bool ok;

	if (option)
		env[desc.spank_job_env_size++] = xstrdup_printf(OPTION "=%s", option);
	/* what only we write */
	env[desc.spank_job_env_size++] = xstrdup("PACT_MOVE=2:moved:1:9:2:3:4:5:6:7");
	desc.spank_job_env = env;
	*why = '\0';
	ok = move_submit(&desc, why, size);
	assert_int_equal(desc.spank_job_env_size, option ? 1 : 0);
	assert_int_equal(ok, !*why);
	if (ok && option) {
		assert_int_equal(desc.requeue, 1);
		assert_int_equal(desc.open_mode, OPEN_MODE_APPEND);
	}
	for (int i = 0; i < 2; i++)
		xfree(env[i]);
	return ok;
}

static void test_submit(void **state)
{
	char why[256];

	(void)state;
	slurm_conf.requeue_exit = xstrdup("99");
	assert_true(takes(NULL, false, 0, why, sizeof(why)));
	assert_true(takes("(null)", true, NO_VAL16, why, sizeof(why)));
	assert_true(takes("SIGUSR2", true, 1, why, sizeof(why)));
	assert_false(takes("KILL", true, 1, why, sizeof(why)));
	assert_non_null(strstr(why, "--migratable=KILL: the signal has to be"));
	assert_false(takes("USR1", false, 1, why, sizeof(why)));
	assert_non_null(strstr(why, "only a batch job"));
	assert_false(takes("USR1", true, 0, why, sizeof(why)));
	assert_non_null(strstr(why, "--no-requeue"));
	xfree(slurm_conf.requeue_exit);
	assert_false(takes("USR1", true, 1, why, sizeof(why)));
	assert_non_null(strstr(why, "RequeueExit"));
}

#define moves(test) cmocka_unit_test_setup_teardown(test, open_job, close_job)

int main(void)
{
	const struct CMUnitTest tests[] = {
		moves(test_moved),
		moves(test_age),
		moves(test_suspended),
		moves(test_dies),
		moves(test_begins_anew),
		moves(test_requeued),
		moves(test_limits),
		moves(test_limit_when_asked),
		moves(test_limit_anew),
		moves(test_asked_anew),
		moves(test_used_up),
		moves(test_torn),
		moves(test_asked),
		moves(test_not_asked),
		moves(test_would_go_on),
		moves(test_found),
		cmocka_unit_test(test_submit),
	};

	return seed_run("test_moves", tests);
}
