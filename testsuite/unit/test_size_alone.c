/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_size_alone: a change of a running job's nodes is made before Slurm has looked at the rest of the request: only if there is
 * nothing that it could refuse.
 */
#include "slurm/base/compat_played.h"

#include "slurm/admission/change_what.h"
#include "testsuite/unit/seed.h"

/* ---- played ---- */

void *acct_db_conn;

bool validate_operator(uid_t uid)
{
	return !uid;
}

bool admission_has_deadline(const job_desc_msg_t *desc)
{
	return desc->deadline;
}

/* ---- tests ---- */

/* As scontrol update sends it. */
static job_desc_msg_t two_nodes(void)
{
	job_desc_msg_t desc;

	slurm_init_job_desc_msg(&desc);
	desc.job_id = 7;
	desc.min_nodes = desc.max_nodes = 2;
	return desc;
}

static void test_alone(void **state)
{
	job_desc_msg_t desc = two_nodes();

	(void)state;
	assert_true(change_of_size_alone(&desc));
	slurm_init_job_desc_msg(&desc);
	desc.req_nodes = (char *)"n[1-2]";
	desc.comment = (char *)"what it is for";
	assert_true(change_of_size_alone(&desc));
}

#define REFUSED_WITH(field, value) \
	do { \
		job_desc_msg_t desc = two_nodes(); \
\
		desc.field = value; \
		assert_false(change_of_size_alone(&desc)); \
	} while (0)

static void test_more(void **state)
{
	(void)state;
	REFUSED_WITH(time_limit, 60);
	REFUSED_WITH(end_time, 1700000000);
	REFUSED_WITH(deadline, 1700000000);
	REFUSED_WITH(partition, (char *)"other");
	REFUSED_WITH(qos, (char *)"high");
	REFUSED_WITH(account, (char *)"other");
	REFUSED_WITH(reservation, (char *)"r");
	REFUSED_WITH(dependency, (char *)"after:1");
	REFUSED_WITH(admin_comment, (char *)"of a user");
	REFUSED_WITH(wckey, (char *)"k");
	REFUSED_WITH(priority, 0);
	REFUSED_WITH(nice, NICE_OFFSET - 100);
	REFUSED_WITH(requeue, 1);
	REFUSED_WITH(num_tasks, 4);
	REFUSED_WITH(licenses, (char *)"matlab");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_alone),
		cmocka_unit_test(test_more),
	};

	return cmocka_run_group_tests_name("test_size_alone", tests, NULL, NULL);
}
