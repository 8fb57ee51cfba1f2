/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_describe_turns: what the planner knows of a record where jobs take turns. Nodes and partitions are played. */
#include "slurm/config/realms.h"
#include "testsuite/unit/describe_world.h"

/* Jobs of the partition take turns, or do not any more. */
static void slice(bool on)
{
	struct own_scheduler own = {
		.partition = part.name, .scheduler = "mbgs", .settings = "", .key = OWN_GANG
	};

	part.max_share = on ? SHARED_FORCE | 4 : 0;
	slurm_conf.select_type = on ? "select/gang" : NULL;
	realms_use(&own, on);
}

/*
 * Slurm writes into a record that it has tried with OverSubscribe=FORCE that it shares nodes: that is no wish of the job's, which
 * names a partition of another kind, too. Of one that runs its own partition counts alone.
 */
static void test_two_kinds(void **state)
{
	static const struct {
		uint32_t is;
		uint16_t share; /* in the other partition: 2, if a job wants that */
		bool whole;
	} cases[] = {
		{ JOB_PENDING, 1, false },
		{ JOB_PENDING, 2, true },
		{ JOB_RUNNING, 2, false },
		{ JOB_SUSPENDED, 1, false },
	};
	part_record_t other = part;

	(void)state;
	other.name = "other";
	slice(true);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct regions *regions = regions_create();
		job_details_t details = { .min_nodes = 1, .core_spec = NO_VAL16, .share_res = 1 };
		job_record_t job = { .job_state = cases[i].is,
				     .details = &details,
				     .part_ptr = &part,
				     .part_ptr_list = list_create(NULL),
				     .time_limit = 10 };
		struct description what;

		other.max_share = cases[i].share;
		list_append(job.part_ptr_list, &part);
		list_append(job.part_ptr_list, &other);
		assert_true(describe_record(regions, &job, &what));
		assert_true(what.slices && what.whole == cases[i].whole);
		assert_int_equal(what.nalt, cases[i].is == JOB_PENDING ? 2 : 1);
		FREE_NULL_LIST(job.part_ptr_list);
		regions_destroy(regions);
	}
	slice(false);
}

/* Where Slurm keeps jobs of other users, or of other labels, from its nodes a job takes no turns with others. */
static void test_kept_apart(void **state)
{
	(void)state;
	part_list = list_create(NULL);
	list_append(part_list, &part);
	slice(true);
	for (int i = 0; i < 4; i++) {
		struct regions *regions = regions_create();
		struct description what;
		job_desc_msg_t desc;

		describe_wish(&desc);
		part.flags = i == 1 ? PART_FLAG_EXCLUSIVE_USER : 0;
		slurm_conf.mcs_plugin = i == 2 ? "mcs/user" : "mcs/none";
		labels_select = i >= 2;
		assert_true(describe_submission(regions, &desc, &what));
		assert_null(what.opaque);
		assert_true(what.slices && what.whole == (i == 1 || i == 2));
		regions_destroy(regions);
	}
	slice(false);
	part.flags = 0;
	slurm_conf.mcs_plugin = NULL;
	labels_select = false;
	FREE_NULL_LIST(part_list);
}

#ifdef STEPMGR_ENABLED
/* The steps of a job that manages them itself begin in turns of others: such a job takes none. */
static void test_step_manager(void **state)
{
	job_details_t details = { .min_nodes = 1, .core_spec = NO_VAL16 };
	job_record_t job = { .details = &details, .part_ptr = &part, .time_limit = 10 };

	(void)state;
	part_list = list_create(NULL);
	list_append(part_list, &part);
	slice(true);
	slurm_conf.prolog_flags = PROLOG_FLAG_CONTAIN;
	for (int manages = 0; manages < 2; manages++) {
		struct regions *regions = regions_create();
		struct description what;
		job_desc_msg_t desc;

		describe_wish(&desc);
		desc.bitflags |= manages ? STEPMGR_ENABLED : 0;
		job.bit_flags |= manages ? STEPMGR_ENABLED : 0;
		assert_true(describe_submission(regions, &desc, &what));
		assert_true(what.slices && what.whole == manages);
		job.job_state = JOB_RUNNING;
		assert_true(describe_record(regions, &job, &what));
		assert_true(what.slices && what.whole == manages);
		regions_destroy(regions);
	}
	slice(false);
	slurm_conf.prolog_flags = 0;
	FREE_NULL_LIST(part_list);
}
#endif

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_two_kinds),
		cmocka_unit_test(test_kept_apart),
#ifdef STEPMGR_ENABLED
		cmocka_unit_test(test_step_manager),
#endif
	};

	return cmocka_run_group_tests(tests, describe_set_up, describe_tear_down);
}
