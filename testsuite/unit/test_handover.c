/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_handover: what a slurmctld hands to the one that a reconfiguration starts. Each process here is one of its
 * own: what it hands over is taken by one that begins while it lives, and by no other.
 */
#include "slurm/base/compat.h"

#include <sys/wait.h>

#include "slurm/base/state_file.h"
#include "slurm/state/handover.h"
#include "slurm/state/recorder.h"
#include "testsuite/unit/bridge_feed.h"
#include "testsuite/unit/seed.h"

static char dir[] = "/tmp/pact-handover-XXXXXX";
static char file[64];

/* A process that begins now. RET what it returns */
static int elsewhere(int (*what)(void))
{
	int status = 0;
	pid_t pid = fork();

	if (!pid)
		_exit(what());
	assert_true(pid > 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void count(uint64_t accepted, uint64_t late)
{
	struct tally *t = &bridge_get()->tally;

	memset(t, 0, sizeof(*t));
	t->accepted = accepted;
	t->refused = t->why[TALLY_TOO_LATE] = late;
	t->left_out[TALLY_GONE] = 2;
	bridge_get()->slicing = (struct slices){ .switches = accepted, .repeated = late };
}

static int hand(void)
{
	struct bridge *b = bridge_get();
	char text[HANDOVER_SIZE];

	pthread_mutex_lock(&b->lock);
	handover_tell(b, text);
	pthread_mutex_unlock(&b->lock);
	handover_write(text);
	return 0;
}

/* What has been counted after it, in one number, so that a process can return it. */
static int take(void)
{
	const struct tally *t = &bridge_get()->tally;

	count(0, 0);
	bridge_get()->tally.left_out[TALLY_GONE] = 0;
	handover_take(bridge_get());
	handover_take(bridge_get()); /* once */
	if (bridge_get()->slicing.switches != t->accepted ||
	    bridge_get()->slicing.repeated != t->refused)
		return 98;
	if (t->refused != t->why[TALLY_TOO_LATE] || t->kept || t->why[TALLY_NO_ROOM] ||
	    t->left_out[TALLY_GONE] != (t->accepted ? 2 : 0))
		return 99;
	return (int)(10 * t->accepted + t->refused);
}

/* What `slurmctld -D` does: it becomes the new one in place. */
static int hand_and_take(void)
{
	count(4, 2);
	(void)hand();
	return take();
}

static bool there(void)
{
	return !access(file, F_OK);
}

static void test_taken(void **state)
{
	(void)state;
	assert_int_equal(elsewhere(take), 0);
	count(5, 3);
	(void)hand();
	assert_true(there());
	assert_int_equal(elsewhere(take), 53);
	assert_false(there());
	assert_int_equal(elsewhere(take), 0);
	assert_int_equal(elsewhere(hand_and_take), 42);
	/* a second reconfiguration, and one in vain before it */
	count(6, 1);
	(void)hand();
	count(7, 1);
	(void)hand();
	assert_int_equal(elsewhere(take), 71);
}

/* After a restart counting begins anew. */
static void test_restart(void **state)
{
	(void)state;
	count(5, 3);
	assert_int_equal(elsewhere(hand), 0);
	assert_true(there());
	assert_int_equal(elsewhere(take), 0);
	assert_true(there());
	state_file_remove(HANDOVER_FILE);
}

/* The text of this process, but for its first words, and with more behind. */
static void put(const char *format, const char *more)
{
	char text[HANDOVER_SIZE], changed[HANDOVER_SIZE + 256];

	count(5, 3);
	pthread_mutex_lock(&bridge_get()->lock);
	handover_tell(bridge_get(), text);
	pthread_mutex_unlock(&bridge_get()->lock);
	snprintf(changed, sizeof(changed), "%s%s%s", format, strchr(text, ' '), more);
	assert_int_equal(state_file_write(HANDOVER_FILE, changed), 0);
}

/* What is not understood is passed over. */
static void test_strange(void **state)
{
	(void)state;
	put("pact-handover-1", "kept in mind 3\nnonsense\n\n refused\nobserved -\nrefused ");
	assert_int_equal(elsewhere(take), 53);
	put("pact-handover-2", "");
	assert_int_equal(elsewhere(take), 0);
	put("", "");
	assert_int_equal(elsewhere(take), 0);
	assert_int_equal(state_file_write(HANDOVER_FILE, ""), 0);
	assert_int_equal(elsewhere(take), 0);
	assert_int_equal(state_file_write(HANDOVER_FILE, "pact-handover-1 ? 0 0\naccepted 5\n"), 0);
	assert_int_equal(elsewhere(take), 0);
	state_file_remove(HANDOVER_FILE);
	state_file_use_dir("");
	assert_int_equal(elsewhere(take), 0);
	assert_int_equal(state_file_write(HANDOVER_FILE, "x"), -1);
	state_file_use_dir(dir);
}

/* ---- pact record ---- */

static void configure(bool on)
{
	struct bridge *b = bridge_get();
	struct conf *conf = b->conf;

	conf->record_on = on;
	free(conf->record_dir);
	conf->record_dir = strdup(dir);
	recorder_configure(conf);
}

static bool wanted(void)
{
	struct recorder_status now;

	recorder_look(&now);
	return now.wanted;
}

/* Nothing has been asked for here. */
static int take_wish(bool on)
{
	configure(!on);
	configure(on);
	if (wanted() != on)
		return 99;
	handover_take(bridge_get());
	return wanted();
}

static int take_off(void)
{
	return take_wish(false);
}

static int take_on(void)
{
	return take_wish(true);
}

static void test_record(void **state)
{
	char why[RECORDER_WHY];

	(void)state;
	configure(true);
	configure(false);
	(void)hand();
	assert_int_equal(elsewhere(take_off), false);
	assert_true(recorder_want(true, why));
	configure(false);
	assert_true(wanted());
	(void)hand();
	assert_int_equal(elsewhere(take_off), true);
	(void)hand();
	assert_int_equal(elsewhere(take_on), true);
	configure(true);
	assert_true(recorder_want(false, why));
	configure(true);
	assert_false(wanted());
	(void)hand();
	assert_int_equal(elsewhere(take_on), false);
	/* Record= is another one: that counts */
	(void)hand();
	assert_int_equal(elsewhere(take_off), false);
	configure(false);
	assert_false(wanted());
	assert_true(recorder_want(true, why));
	(void)hand();
	assert_int_equal(elsewhere(take_on), true);
	configure(true);
	configure(false);
	assert_false(wanted());
	(void)hand();
	assert_int_equal(elsewhere(take_off), false);
}

static int open_all(void **state)
{
	(void)state;
	if (!mkdtemp(dir))
		return -1;
	snprintf(file, sizeof(file), "%s/" HANDOVER_FILE, dir);
	state_file_use_dir(dir);
	return played_bridge()->conf ? 0 : -1;
}

static int close_all(void **state)
{
	(void)state;
	state_file_remove(HANDOVER_FILE);
	return rmdir(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_taken),
		cmocka_unit_test(test_restart),
		cmocka_unit_test(test_strange),
		cmocka_unit_test(test_record),
	};

	if (open_all(NULL))
		return 1;
	return seed_run("test_handover", tests) + (close_all(NULL) ? 1 : 0);
}
