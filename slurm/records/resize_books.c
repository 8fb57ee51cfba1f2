/* SPDX-License-Identifier: GPL-2.0-or-later */
/* resize_books.c - Slurm's own counters after a resize, see resize_books.h */
#include "slurm/records/resize_books.h"

#include "slurm/base/clock.h"
#include "slurm/base/compat.h"
#include "slurm/base/scheduler.h"
#include "slurm/records/resize_usage.h"

/* That no row has. NO_VAL64 slurmdbd takes for none, and looks for a row by the job's times. */
#define NO_ROW INFINITE64
/* Seconds after which slurmdbd is asked again for numbers that it has not given, */
#define ASK_AGAIN 10
/* and for so many at most, as slurmctld's locks are held. */
#define ASKS 8
/*
 * It is not asked while it has not answered all else, as each of these waits for its answer (up to 15 minutes, by Slurm's own
 * limit), nor for so many seconds after one got none, or got it after more than so many microseconds.
 */
#define IN_VAIN 60
#define SLOW 100000

static time_t healed;	 /* all resizes before this second */
static bool unnumbered;	 /* there was a job that has none */
static time_t in_vain;	 /* one was asked for then, and it took long */
static uint32_t awaited; /* this job is being resized while Slurm waits for its first number */

/* Is a job numbered anew for slurmdbd when it is resized? */
static bool numbers(void)
{
	return resizes_are_numbered() && slurm_with_slurmdbd() &&
	       !(slurm_conf.accounting_storage_enforce & ACCOUNTING_ENFORCE_NO_JOBS);
}

/* It was requeued since it was resized: with that time Slurm would give its next run no row. */
static bool is_of_earlier_run(const job_record_t *job)
{
	if (!job->resize_time || IS_JOB_COMPLETING(job) || !numbers())
		return false;
	return IS_JOB_PENDING(job) || (!IS_JOB_FINISHED(job) && job->resize_time < job->start_time);
}

/* Stamps have one-second grain: what was resized in the second of the last call may have come after it. */
bool resize_books_behind(void)
{
	list_itr_t *iter;
	const job_record_t *job;
	bool any = false;

	if (unnumbered && time(NULL) >= healed + ASK_AGAIN)
		return true;
	if (last_job_update < healed)
		return false;
	iter = list_iterator_create(job_list);
	while (!any && (job = list_next(iter)))
		any = (job->resize_time >= healed && job->resize_time) || is_of_earlier_run(job);
	list_iterator_destroy(iter);
	return any;
}

static bool has_number(const job_record_t *job)
{
	return job->db_index && job->db_index != NO_VAL64;
}

/* At once; where a slurmdbd has just gone it is not known yet. */
static bool is_there(void)
{
	int active = 0;

	return !acct_storage_g_get_data(acct_db_conn, ACCT_STORAGE_INFO_CONN_ACTIVE, &active) &&
	       active;
}

static bool may_ask(void)
{
	int behind = 0;

	return numbers() && is_there() && time(NULL) >= in_vain + IN_VAIN &&
	       !acct_storage_g_get_data(acct_db_conn, ACCT_STORAGE_INFO_AGENT_COUNT, &behind) &&
	       !behind;
}

bool resize_books_away(void)
{
	return numbers() && !is_there();
}

/* Of the row of its last resize, which is made if it is not there yet.  It waits for slurmdbd. */
static bool ask_number(job_record_t *job)
{
	uint32_t state = job->job_state;

	job_state_set(job, state | JOB_RESIZING);
	job->db_index = NO_VAL64;
	jobacct_storage_g_job_start(acct_db_conn, job);
	job_state_set(job, state);
	return has_number(job);
}

/* RET it has none still */
static bool lacks_number(job_record_t *job, int *asks)
{
	int64_t since = clock_us();
	bool has;

	if (*asks <= 0 || IS_JOB_COMPLETING(job)) {
		job->db_index = 0;
		return true;
	}
	has = ask_number(job);
	(*asks)--;
	if (!has || clock_us() - since > SLOW) {
		*asks = 0;
		in_vain = time(NULL);
	}
	if (!has)
		job->db_index = 0;
	return !has;
}

/*
 * One that has none, and was resized, does without: with NO_VAL64 Slurm would refuse to change it. One that is over has one that
 * no row has: else Slurm would send its start once more when it forgets it, and overwrite the row of its first size.
 * IN asks - for so many slurmdbd is asked, as long as it answers
 */
static void number(job_record_t *job, int *asks)
{
	if (job->db_index == NO_ROW && !IS_JOB_FINISHED(job))
		job->db_index = 0;
	if (is_of_earlier_run(job))
		job->resize_time = 0;
	if (!job->resize_time || has_number(job))
		return;
	if (!numbers())
		job->db_index =
			slurm_with_slurmdbd() && !resizes_are_numbered() ? job->db_index : 0;
	else if (IS_JOB_COMPLETED(job))
		job->db_index = NO_ROW;
	else if (!IS_JOB_PENDING(job))
		unnumbered |= lacks_number(job, asks);
}

/* The row that it has, which Slurm would not end: it looks for one of the next resize. */
static void end_row(job_record_t *job)
{
	uint32_t state = job->job_state;
	time_t end = job->end_time;

	job->end_time = time(NULL);
	job_state_set(job, JOB_COMPLETE);
	jobacct_storage_g_job_complete(acct_db_conn, job);
	job_state_set(job, state);
	job->end_time = end;
}

void resize_books_begin(job_record_t *job)
{
	if (!numbers())
		return;
	if (is_of_earlier_run(job))
		job->resize_time = 0;
	awaited = job->db_index == NO_VAL64 && !job->resize_time ? job->job_id : 0;
	if (!has_number(job) && !job->resize_time)
		jobacct_storage_g_job_start(acct_db_conn, job);
	if (has_number(job))
		return;
	end_row(job);
	job->db_index = NO_ROW;
}

/* Of some nodes: all processors, and those that are for no job. */
struct cpus {
	uint32_t all, special;
};

static struct cpus cpus_of(bitstr_t *nodes)
{
	struct cpus cpus = { 0 };

	for (bitoff_t i = bit_ffs(nodes), last = bit_fls(nodes); i >= 0 && i <= last; i++) {
		const node_record_t *node = node_record_table_ptr[i];

		if (!bit_test(nodes, i) || !node || !node->config_ptr)
			continue;
		cpus.all += node->config_ptr->cpus;
		if (node->cpus_efctv < node->config_ptr->cpus)
			cpus.special += node->config_ptr->cpus - node->cpus_efctv;
	}
	return cpus;
}

void resize_books_leaves(job_record_t *job, bitstr_t *nodes)
{
	struct cpus has, goes = cpus_of(nodes);

	if (!goes.special || !job->details || !(job->details->whole_node & WHOLE_NODE_REQUIRED))
		return;
	has = cpus_of(job->node_bitmap);
	if (job->total_cpus != has.all - has.special)
		return;
	job->cpu_cnt += goes.special;
	job->total_cpus += goes.special;
}

/* Slurm counts a job on its nodes while it runs; a suspended one may be counted or not. */
static void count(const job_record_t *job, uint16_t *alone)
{
	if (!(IS_JOB_RUNNING(job) || IS_JOB_SUSPENDED(job)) || !job->details ||
	    job->details->share_res || !job->node_bitmap)
		return;
	for (bitoff_t i = bit_ffs(job->node_bitmap), last = bit_fls(job->node_bitmap);
	     i >= 0 && i <= last; i++)
		alone[i] += bit_test(job->node_bitmap, i);
}

static void heal_node(node_record_t *node, int i, uint16_t alone)
{
	if (node->no_share_job_cnt <= alone)
		return;
	debug("%s: node %s is counted as %u jobs' alone, and is %u jobs'", scheduler_type(),
	      node->name, node->no_share_job_cnt, alone);
	node->no_share_job_cnt = alone;
	if (!alone)
		bit_set(share_node_bitmap, i);
	last_node_update = time(NULL);
}

void resize_books_resized(job_record_t *job, bitstr_t *nodes)
{
	int asks = 0;

	/*
	 * The answer that Slurm waits for comes after this, and would be taken for the new row's number: it is dropped where
	 * there is none, and the right one is asked for.
	 */
	if (job->job_id == awaited)
		job->db_index = 0;
	awaited = 0;
	number(job, &asks);
	for (bitoff_t i = bit_ffs(nodes), last = bit_fls(nodes); i >= 0 && i <= last; i++)
		if (bit_test(nodes, i) && node_record_table_ptr[i])
			heal_node(node_record_table_ptr[i], (int)i,
				  job->node_bitmap && bit_test(job->node_bitmap, i));
}

static void heal_nodes(const uint16_t *alone)
{
	node_record_t *node;

	for (int i = 0; (node = next_node(&i)); i++)
		heal_node(node, i, alone[i]);
}

/* Of each node, of how many jobs it is that one's alone; the caller frees it. */
static uint16_t *count_all(void)
{
	uint16_t *alone = xcalloc(node_record_count, sizeof(*alone));
	list_itr_t *iter = list_iterator_create(job_list);
	int asks = unnumbered && may_ask() ? ASKS : 0;
	job_record_t *job;

	unnumbered = false;
	while ((job = list_next(iter))) {
		count(job, alone);
		number(job, &asks);
	}
	list_iterator_destroy(iter);
	return alone;
}

void resize_books_heal(void)
{
	time_t now = time(NULL);
	uint16_t *alone;

	if (!resize_books_behind())
		return;
	alone = count_all();
	heal_nodes(alone);
	xfree(alone);
	resize_usage_find(healed);
	healed = now;
}

void resize_books_recount(void)
{
	uint16_t *alone = count_all();
	node_record_t *node;

	heal_nodes(alone);
	for (int i = 0; (node = next_node(&i)); i++)
		if (!alone[i] && IS_NODE_IDLE(node))
			bit_set(share_node_bitmap, i);
	xfree(alone);
	last_node_update = time(NULL);
}
