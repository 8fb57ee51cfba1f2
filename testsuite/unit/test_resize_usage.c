/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_resize_usage: a job that is resized now and then, and what its user, its account, its QOS and its partition's have of it:
 * what it has used, and nothing of what it may run still when it is over. priority/multifactor's arithmetic is played.
 */
#include "slurm/base/compat_played.h"

#include <math.h>

#include "slurm/base/scheduler.h"
#include "slurm/records/resize_usage.h"
#include "testsuite/unit/seed.h"

#define ID 7
#define PERIOD 300
#define TRES 5
#define BILLED 3 /* for a processor and second */
#define HOLDERS 4
/* What others have, so that what is taken off too much shows. */
#define MORE 1000000000u

/* ---- the played slurmctld ---- */

int slurmctld_tres_cnt = TRES;
static slurmdb_assoc_rec_t account, user = { .id = 2 };
static slurmdb_qos_rec_t qos, of_part;
static part_record_t part = { .qos_ptr = &of_part };
static uint64_t tres[TRES];
list_t *job_list;
static job_record_t job;
static time_t now, last_ran;
static bool multifactor;
/* of which each holder has the same */
static double used, seconds;

time_t __wrap_time(time_t *out);
time_t __real_time(time_t *out);

time_t __wrap_time(time_t *out)
{
	if (!now)
		return __real_time(out); /* for the seed */
	if (out)
		*out = now;
	return now;
}

const char *scheduler_type(void)
{
	return "sched/qops";
}

static double factor(const job_record_t *of)
{
	return of->qos_ptr && of->qos_ptr->usage_factor >= 0 ? of->qos_ptr->usage_factor : 1;
}

double calc_job_billable_tres(job_record_t *of, time_t since, bool locked)
{
	(void)since;
	assert_true(locked);
	return BILLED * (double)of->tres_alloc_cnt[TRES_ARRAY_CPU];
}

static void apply_to(const job_record_t *of, uint64_t *to_run, long double *tres_used,
		     long double *raw, double *wall, uint64_t less, double ran)
{
	*raw += ran * BILLED * (double)of->tres_alloc_cnt[TRES_ARRAY_CPU];
	*wall += ran;
	for (int i = 0; i < TRES; i++) {
		if (i == TRES_ARRAY_ENERGY || of->tres_alloc_cnt[i] == NO_CONSUME_VAL64)
			continue;
		tres_used[i] += ran * (double)of->tres_alloc_cnt[i];
		assert_true(to_run[i] >= less * of->tres_alloc_cnt[i]); /* an error of Slurm's */
		to_run[i] -= less * of->tres_alloc_cnt[i];
	}
}

static void apply_to_qos(const job_record_t *of, slurmdb_qos_rec_t *to, uint64_t less, double ran)
{
	if (to)
		apply_to(of, to->usage->grp_used_tres_run_secs, to->usage->usage_tres_raw,
			 &to->usage->usage_raw, &to->usage->grp_used_wall, less, ran);
}

/* As _apply_new_usage(). */
static void apply(job_record_t *of, time_t end, bool ends)
{
	const time_t since = of->start_time > last_ran ? of->start_time : last_ran;
	const time_t limit = of->start_time + 60 * (time_t)of->time_limit;
	double ran;
	uint64_t less;

	if (of->end_time_exp == (time_t)NO_VAL)
		return;
	if (of->end_time && ends && end > of->end_time)
		end = of->end_time;
	ran = end > since ? difftime(end, since) : 0;
	if (since >= limit)
		less = 0;
	else if (IS_JOB_FINISHED(of) || IS_JOB_RESIZING(of))
		less = (uint64_t)(limit - since);
	else if (end > of->end_time_exp)
		less = of->end_time_exp > since ? (uint64_t)(of->end_time_exp - since) : 0;
	else
		less = (uint64_t)ran;
	if (ends)
		of->end_time_exp = (time_t)NO_VAL;
	ran *= factor(of);
	less = (uint64_t)((double)less * factor(of));
	apply_to_qos(of, of->qos_ptr, less, ran);
	if (of->part_ptr && of->part_ptr->qos_ptr != of->qos_ptr)
		apply_to_qos(of, of->part_ptr->qos_ptr, less, ran);
	for (slurmdb_assoc_rec_t *assoc = of->assoc_ptr; assoc;
	     assoc = assoc->usage->parent_assoc_ptr)
		apply_to(of, assoc->usage->grp_used_tres_run_secs, assoc->usage->usage_tres_raw,
			 &assoc->usage->usage_raw, &assoc->usage->grp_used_wall, less, ran);
}

/* priority/basic takes out the whole limit, and counts no use. */
void priority_g_job_end(job_record_t *of)
{
	slurmdb_assoc_usage_t *usage = of->assoc_ptr->usage;

	if (multifactor)
		apply(of, now, true);
	else
		apply_to(of, usage->grp_used_tres_run_secs, usage->usage_tres_raw,
			 &usage->usage_raw, &usage->grp_used_wall, 60 * (uint64_t)of->time_limit,
			 0);
}

/* ---- a life ---- */

static void to_run(uint64_t **all)
{
	all[0] = user.usage->grp_used_tres_run_secs;
	all[1] = account.usage->grp_used_tres_run_secs;
	all[2] = qos.usage->grp_used_tres_run_secs;
	all[3] = of_part.usage->grp_used_tres_run_secs;
}

/* As acct_policy_job_begin(). */
static void begins(void)
{
	uint64_t *all[HOLDERS];

	to_run(all);
	for (int h = 0; h < HOLDERS; h++)
		for (int i = 0; i < TRES; i++)
			if (tres[i] != NO_CONSUME_VAL64)
				all[h][i] += tres[i] *
					     (uint64_t)((double)job.time_limit * 60 * factor(&job));
	job.end_time_exp = job.end_time;
}

static void set_width(uint64_t width)
{
	tres[TRES_ARRAY_CPU] = 4 * width;
	tres[TRES_ARRAY_MEM] = NO_CONSUME_VAL64;
	tres[TRES_ARRAY_NODE] = width;
}

static void has_more(uint64_t *run, long double *tres_used, long double *raw, double *wall)
{
	for (int i = 0; i < TRES; i++) {
		run[i] = MORE;
		tres_used[i] = MORE;
	}
	*raw = *wall = MORE;
}

static void qos_has_more(slurmdb_qos_rec_t *of)
{
	has_more(of->usage->grp_used_tres_run_secs, of->usage->usage_tres_raw,
		 &of->usage->usage_raw, &of->usage->grp_used_wall);
}

static int open_life(void **state)
{
	(void)state;
	user.usage = slurmdb_create_assoc_usage(TRES);
	account.usage = slurmdb_create_assoc_usage(TRES);
	user.usage->parent_assoc_ptr = &account;
	qos.usage = xmalloc(sizeof(*qos.usage));
	of_part.usage = xmalloc(sizeof(*qos.usage));
	qos.usage->grp_used_tres_run_secs = xcalloc(TRES, sizeof(uint64_t));
	qos.usage->usage_tres_raw = xcalloc(TRES, sizeof(long double));
	of_part.usage->grp_used_tres_run_secs = xcalloc(TRES, sizeof(uint64_t));
	of_part.usage->usage_tres_raw = xcalloc(TRES, sizeof(long double));
	has_more(user.usage->grp_used_tres_run_secs, user.usage->usage_tres_raw,
		 &user.usage->usage_raw, &user.usage->grp_used_wall);
	has_more(account.usage->grp_used_tres_run_secs, account.usage->usage_tres_raw,
		 &account.usage->usage_raw, &account.usage->grp_used_wall);
	qos_has_more(&qos);
	qos_has_more(&of_part);
	qos.usage_factor = 1;
	slurm_conf.accounting_storage_enforce = ACCOUNTING_ENFORCE_LIMITS;
	slurm_conf.priority_calc_period = PERIOD;
	multifactor = true;
	now = last_ran = 1700000000;
	resize_usage_begin();
	resize_usage_tend();
	now++;
	job_list = list_create(NULL);
	list_append(job_list, &job);
	used = seconds = 0;
	job = (job_record_t){ .job_id = ID,
			      .job_state = JOB_RUNNING,
			      .time_limit = 600,
			      .tres_alloc_cnt = tres,
			      .assoc_ptr = &user,
			      .qos_ptr = &qos,
			      .part_ptr = &part };
	return 0;
}

static void close_qos(slurmdb_qos_rec_t *of)
{
	xfree(of->usage->grp_used_tres_run_secs);
	xfree(of->usage->usage_tres_raw);
	xfree(of->usage);
}

static int close_life(void **state)
{
	(void)state;
	now++;
	resize_usage_find(now);
	FREE_NULL_LIST(job_list);
	slurmdb_destroy_assoc_usage(user.usage);
	slurmdb_destroy_assoc_usage(account.usage);
	close_qos(&qos);
	close_qos(&of_part);
	return 0;
}

static void starts(uint64_t width)
{
	set_width(width);
	job.start_time = now;
	job.end_time = now + 60 * (time_t)job.time_limit;
	begins();
}

/* It runs for so long, and the books are kept as the plugin's thread does it. */
static void runs(int so_long)
{
	for (int i = 0; i < so_long; i++) {
		now++;
		used += factor(&job) * (double)tres[TRES_ARRAY_CPU];
		seconds += factor(&job);
		if (now < last_ran + PERIOD)
			continue;
		apply(&job, now, false);
		last_ran = now;
	}
}

/* As Slurm does it, between job_pre_resize_acctg() and job_post_resize_acctg(). */
static void resizes(uint64_t width)
{
	const uint32_t state = job.job_state;

	job.job_state |= JOB_RESIZING;
	job.resize_time = now;
	priority_g_job_end(&job);
	set_width(width);
	begins();
	job.job_state = state;
}

static void ends(void)
{
	job.job_state = JOB_COMPLETE;
	job.end_time = now;
	priority_g_job_end(&job);
}

static void are_right(const slurmdb_assoc_rec_t *assoc, const slurmdb_qos_rec_t *of,
		      double runs_still)
{
	const uint64_t *run =
		assoc ? assoc->usage->grp_used_tres_run_secs : of->usage->grp_used_tres_run_secs;
	const long double *has = assoc ? assoc->usage->usage_tres_raw : of->usage->usage_tres_raw;
	const long double raw = assoc ? assoc->usage->usage_raw : of->usage->usage_raw;
	const double wall = assoc ? assoc->usage->grp_used_wall : of->usage->grp_used_wall;

	assert_int_equal(run[TRES_ARRAY_CPU], MORE + (uint64_t)(4 * runs_still));
	assert_int_equal(run[TRES_ARRAY_NODE], MORE + (uint64_t)runs_still);
	assert_int_equal(run[TRES_ARRAY_MEM], MORE);
	assert_int_equal(llroundl(has[TRES_ARRAY_CPU]) - MORE, llround(used));
	assert_int_equal(4 * (llroundl(has[TRES_ARRAY_NODE]) - MORE), llround(used));
	assert_int_equal(llroundl(raw) - MORE, llround(BILLED * used));
	assert_int_equal(llround(wall) - MORE, llround(seconds));
}

/* IN runs_still - node-seconds of its limit from the plugin's last time on */
static void books_are_right(double runs_still)
{
	are_right(&user, NULL, runs_still);
	are_right(&account, NULL, runs_still);
	are_right(NULL, &qos, runs_still);
	are_right(NULL, &of_part, runs_still);
}

static void test_resized(void **state)
{
	(void)state;
	now += 100;
	starts(8);
	runs(2000);
	resizes(6);
	resize_usage_resized(&job);
	runs((int)(last_ran + PERIOD - now));
	books_are_right(6 * difftime(job.end_time, now));
	ends();
	books_are_right(0);
}

/* Before the plugin has counted anything of it. */
static void test_resized_at_once(void **state)
{
	(void)state;
	starts(2);
	runs(10);
	resizes(3);
	resize_usage_resized(&job);
	resizes(5);
	resize_usage_resized(&job);
	runs(17);
	ends();
	books_are_right(0);
}

/* What Slurm has counted anew since has it once: another life, or a configuration that was read again. */
static void test_counted_anew(void **state)
{
	(void)state;
	starts(8);
	runs(3 * PERIOD - 1);
	job.resize_time = now;
	resize_usage_begin();
	resize_usage_find(now);
	runs(1);
	resize_usage_tend();
	resize_usage_find(now - 1);
	runs(PERIOD - 1);
	books_are_right(8 * difftime(job.end_time, now));
	resizes(4);
	resize_usage_find(now);
	books_are_right(4 * difftime(job.end_time, now));
}

/* One that has used nothing is not left with less than that. */
static void test_used_nothing(void **state)
{
	(void)state;
	starts(1);
	user.usage->usage_raw = 0;
	runs(10);
	resizes(9);
	resize_usage_resized(&job);
	assert_true(user.usage->usage_raw >= 0);
}

/* It runs longer than its limit (OverTimeLimit): it may run no more. */
static void test_over(void **state)
{
	long double books_have;

	(void)state;
	job.time_limit = 10;
	starts(4);
	runs(1000);
	books_have = user.usage->usage_raw;
	resizes(3);
	resize_usage_resized(&job);
	assert_true(user.usage->usage_raw == books_have);
	assert_int_equal(user.usage->grp_used_tres_run_secs[TRES_ARRAY_CPU], MORE);
	ends();
	assert_int_equal(user.usage->grp_used_tres_run_secs[TRES_ARRAY_CPU], MORE);
}

/* priority/basic, or no limits are enforced: nothing is taken from any. */
static void test_none(void **state)
{
	(void)state;
	starts(8);
	runs(3 * PERIOD - 1);
	job.resize_time = now;
	slurm_conf.accounting_storage_enforce = 0;
	resize_usage_resized(&job);
	books_are_right(8 * difftime(job.end_time, last_ran));
	slurm_conf.accounting_storage_enforce = ACCOUNTING_ENFORCE_LIMITS;
	multifactor = false;
	resize_usage_resized(&job);
	books_are_right(8 * difftime(job.end_time, last_ran));
	multifactor = true;
	job.assoc_ptr = NULL;
	resize_usage_resized(&job);
	job.assoc_ptr = &user;
	runs((int)(last_ran + PERIOD - now));
	books_are_right(8 * difftime(job.end_time, now));
}

/* By us, or by Slurm alone and found in one of the next passes: once, even if it is looked for again. */
static void is_resized(void)
{
	const time_t before = now;
	const bool own = seed_below(2);

	resizes(1 + (uint64_t)seed_below(9));
	if (own)
		resize_usage_resized(&job);
	else if (now == last_ran)
		runs(1);
	runs((int)seed_below(seed_below(20) ? 3 : 3 * PERIOD));
	resize_usage_find(before);
	resize_usage_find(now);
	runs(1);
}

static void test_lives(void **state)
{
	for (uint64_t rounds = seed_rounds(300); rounds; rounds--) {
		close_life(state);
		open_life(state);
		qos.usage_factor = (double)seed_below(3) - 1;
		job.time_limit = 150 + (uint32_t)seed_below(200);
		starts(1 + (uint64_t)seed_below(9));
		for (int64_t n = seed_below(12); n; n--) {
			runs((int)seed_below(700));
			is_resized();
		}
		runs((int)seed_below(500));
		ends();
		books_are_right(0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_resized, open_life, close_life),
		cmocka_unit_test_setup_teardown(test_resized_at_once, open_life, close_life),
		cmocka_unit_test_setup_teardown(test_counted_anew, open_life, close_life),
		cmocka_unit_test_setup_teardown(test_used_nothing, open_life, close_life),
		cmocka_unit_test_setup_teardown(test_over, open_life, close_life),
		cmocka_unit_test_setup_teardown(test_none, open_life, close_life),
		cmocka_unit_test_setup_teardown(test_lives, open_life, close_life),
	};

	return seed_run("test_resize_usage", tests);
}
