/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_selection: the nodes that a start is kept from. slurmctld is played. */
#include "slurm/base/compat_played.h"

#include "slurm/acting/selection.h"
#include "slurm/config/realms.h"
#include "testsuite/unit/ctld.h"
#include "testsuite/unit/seed.h"

/* ---- the played slurmctld ---- */

bitstr_t *avail_node_bitmap;
static node_record_t nodes[NODES], *table[NODES];
static slurmctld_resv_t resv;
static part_record_t part;
static job_record_t job = { .part_ptr = &part };

int select_nodes(job_node_select_t *what, bool test_only, bool uncommitted, uint32_t flags)
{
	(void)what, (void)test_only, (void)uncommitted, (void)flags;
	fail();
	return SLURM_ERROR;
}

int job_req_node_filter(job_record_t *record, bitstr_t *avail, bool test_only)
{
	(void)record, (void)avail, (void)test_only;
	fail();
	return SLURM_ERROR;
}

void acct_policy_alter_job(job_record_t *record, uint32_t limit)
{
	(void)record, (void)limit;
	fail();
}

/* ---- a start inside a reservation of all nodes but the last ---- */

static void begin(const char *partition)
{
	part.name = (char *)partition;
	job.resv_ptr = &resv;
	memset(nodes, 0, sizeof(nodes));
	for (int i = 0; i < NODES; i++) {
		table[i] = &nodes[i];
		nodes[i].index = (uint32_t)i;
	}
	bit_set_all(resv.node_bitmap);
	bit_clear(resv.node_bitmap, NODES - 1);
}

/* It is kept from these, and from no other; a string of 0 and 1 in the order of the nodes. */
static void kept_from(const char *expected)
{
	struct launch launch = { .inside = true };
	bitstr_t *forbidden = selection_forbidden(&launch, &job);
	char found[NODES + 1] = "";

	for (int i = 0; i < NODES; i++)
		found[i] = forbidden && bit_test(forbidden, i) ? '1' : '0';
	FREE_NULL_BITMAP(forbidden);
	assert_string_equal(found, expected);
}

/* Where jobs take turns it gets nodes that none has: one that runs, or is stopped. What has just been started counts. */
static void test_sliced(void **state)
{
	(void)state;
	begin("slice");
	kept_from("0001");
	nodes[0].run_job_cnt = 1;
	kept_from("1001");
	nodes[1].sus_job_cnt = 2;
	kept_from("1101");
	nodes[2].run_job_cnt = 1;
	kept_from("1111");
	nodes[0].run_job_cnt = 0;
	kept_from("0111");
}

/* Elsewhere Slurm knows best. */
static void test_other(void **state)
{
	(void)state;
	begin("batch");
	nodes[0].run_job_cnt = nodes[1].sus_job_cnt = 1;
	kept_from("0001");
}

/* A reservation that is over has no nodes, and gives none. */
static void test_none(void **state)
{
	(void)state;
	begin("slice");
	job.resv_ptr = NULL;
	kept_from("1111");
}

static int begin_all(void **state)
{
	static struct own_scheduler slice = { .partition = (char *)"slice",
					      .scheduler = (char *)"mbgs",
					      .settings = (char *)"",
					      .key = OWN_GANG };

	(void)state;
	avail_node_bitmap = bit_alloc(NODES);
	bit_set_all(avail_node_bitmap);
	resv.node_bitmap = bit_alloc(NODES);
	node_record_table_ptr = table;
	node_record_count = NODES;
	realms_use(&slice, 1);
	return !realms_slice("slice") || realms_slice("batch");
}

static int end_all(void **state)
{
	(void)state;
	realms_use(NULL, 0);
	FREE_NULL_BITMAP(avail_node_bitmap);
	FREE_NULL_BITMAP(resv.node_bitmap);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sliced),
		cmocka_unit_test(test_other),
		cmocka_unit_test(test_none),
	};

	return cmocka_run_group_tests_name("test_selection", tests, begin_all, end_all);
}
