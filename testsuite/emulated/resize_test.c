/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * resize_test: a job_submit plugin of the tests, which resizes jobs by slurm/resizing/resize.h as the bridge
 * does it, without a plan.
 *
 * A super user says what is to be done in the job's comment, "WORD SERIAL NODES" (`scontrol update JobId=5
 * Comment="grow 1 n[3-4]"`): grow by these nodes, shrink to them, or die, which is to shrink to them and
 * kill -9 slurmctld in the same moment; diegrown, the same for growing, and diehelped, when the helper has its nodes and is not
 * merged; or hide them, so that Slurm gives them to no job though they are idle, or show them again; or count the job once more.
 * The job's AdminComment tells the answer, "SERIAL done MICROSECONDS"
 * (for which the locks were held), "SERIAL later WHY" or "SERIAL never WHY".
 */
#include "slurm/base/compat.h"

#include <signal.h>

#include "slurm/records/give_back.h"
#include "slurm/resizing/resize.h"
#include "slurm/resizing/resize_helper.h"
#include "slurm/base/clock.h"
#include "slurm/records/region.h"

const char plugin_name[] = "resizes jobs as the tests ask";
const char plugin_type[] = "job_submit/resize_test";
const uint32_t plugin_version = SLURM_VERSION_NUMBER;

static pthread_t thread;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile bool stopping, awake;
static struct {
	uint32_t job_id;
	char text[512];
} wish;

static void answer(uint32_t job_id, const char *text)
{
	job_record_t *job = find_job_record(job_id);

	if (!job)
		return;
	xfree(job->admin_comment);
	job->admin_comment = xstrdup(text);
	last_job_update = time(NULL);
}

static void die(void)
{
	kill(getpid(), SIGKILL);
	for (;;)
		pause(); /* nothing else is done until that comes */
}

static bool dies_helped;

int __real_helper_merge(job_record_t *helper);
int __wrap_helper_merge(job_record_t *helper);

/* In place of that of resize_helper.c, by the linker: between the two halves of a growth. */
int __wrap_helper_merge(job_record_t *helper)
{
	if (dies_helped)
		die();
	return __real_helper_merge(helper);
}

/* Idle nodes are no job's to have; nor is there a count of Slurm's that would be healed, and they with it. */
static void hide(bitstr_t *nodes)
{
	for (bitoff_t i = bit_ffs(nodes), last = bit_fls(nodes); i >= 0 && i <= last; i++)
		if (bit_test(nodes, i) && bit_test(idle_node_bitmap, i))
			node_record_table_ptr[i]->no_share_job_cnt = 0;
	bit_and_not(share_node_bitmap, nodes);
}

/* Slurm's books become wrong: nodes are no job's to have, or the select plugin counts a job twice, and when it has ended once. */
static bool miscount(uint32_t job_id, const char *word, bitstr_t *nodes)
{
	job_record_t *job = find_job_record(job_id);

	if (!strcmp(word, "hide"))
		hide(nodes);
	else if (!strcmp(word, "show"))
		bit_or(share_node_bitmap, nodes);
	else if (!strcmp(word, "count") && job)
		(void)select_g_job_resume(job, true);
	else
		return false;
	return true;
}

/* resize_locks */
static void fulfil(uint32_t job_id, const char *text)
{
	char word[16] = "", serial[16] = "", nodes[256] = "", why[RESIZE_WHY] = "", said[512];
	enum resize_rc rc = RESIZE_NEVER;
	bitstr_t *bits = NULL;
	struct nodeset *set;
	int64_t began = clock_us();

	if (sscanf(text, "%15s %15s %255s", word, serial, nodes) != 3 ||
	    node_name2bitmap(nodes, false, &bits, NULL))
		return;
	set = region_from_bitmap(bits);
	dies_helped = !strcmp(word, "diehelped");
	give_back_settle();
	if (miscount(job_id, word, bits))
		rc = RESIZE_DONE;
	else if (!strcmp(word, "grow") || !strncmp(word, "dieg", 4) || dies_helped)
		rc = resize_grow(job_id, set, why, sizeof(why));
	else
		rc = resize_shrink(job_id, set, why, sizeof(why));
	nodeset_destroy(set);
	FREE_NULL_BITMAP(bits);
	if (rc == RESIZE_DONE && !strncmp(word, "die", 3))
		die();
	if (rc == RESIZE_DONE)
		snprintf(said, sizeof(said), "%s done %" PRId64, serial, clock_us() - began);
	else
		snprintf(said, sizeof(said), "%s %s %s", serial,
			 rc == RESIZE_BUSY     ? "busy"
			 : rc == RESIZE_LATER  ? "later"
			 : rc == RESIZE_DENIED ? "denied"
					       : "never",
			 why);
	answer(job_id, said);
}

static void *run(void *arg)
{
	(void)arg;
	while (!stopping) {
		char text[sizeof(wish.text)];
		uint32_t job_id;

		usleep(20000);
		resize_keep();
		if (!awake)
			continue;
		slurm_mutex_lock(&lock);
		job_id = wish.job_id;
		memcpy(text, wish.text, sizeof(text));
		wish.job_id = 0;
		slurm_mutex_unlock(&lock);
		resize_tend();
		if (!job_id)
			continue;
		lock_slurmctld(resize_locks);
		fulfil(job_id, text);
		unlock_slurmctld(resize_locks);
	}
	return NULL;
}

int init(void)
{
	stopping = false;
	resize_begin();
	return pthread_create(&thread, NULL, run, NULL) ? SLURM_ERROR : SLURM_SUCCESS;
}

int fini(void)
{
	stopping = true;
	pthread_join(thread, NULL);
	return SLURM_SUCCESS;
}

int job_submit(job_desc_msg_t *desc, uint32_t uid, char **message)
{
	(void)desc;
	(void)uid;
	(void)message;
	awake = true;
	return SLURM_SUCCESS;
}

int JOB_MODIFY(job_desc_msg_t *desc, job_record_t *job, uint32_t uid, char **message)
{
	(void)JOB_MODIFY_MESSAGE(message);
	awake = true;
	if (resize_is_own())
		return SLURM_SUCCESS;
	resize_requested(desc, job, uid);
	if (desc->comment && !uid) {
		slurm_mutex_lock(&lock);
		wish.job_id = job->job_id;
		snprintf(wish.text, sizeof(wish.text), "%s", desc->comment);
		slurm_mutex_unlock(&lock);
	}
	return SLURM_SUCCESS;
}
