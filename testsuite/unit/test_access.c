/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_access: what a user may know of others' jobs that he names in a dependency, and how often Slurm is asked
 * about groups for that: each time may ask a directory, and writes into the partition.
 */
#include "slurm/base/compat.h"

#include "slurm/snapshot/access.h"
#include "slurm/promise/depend.h"
#include "testsuite/unit/ctld.h"
#include "testsuite/unit/seed.h"

#define ALICE 1001
#define BOB 1002
#define ROOT 0

/* ---- played: partitions, groups, jobs ---- */

static part_record_t parts[] = {
	{ .name = "batch" },
	{ .name = "club", .allow_groups = "club" },
	{ .name = "lab", .allow_groups = "lab" },
	{ .name = "attic", .allow_groups = "attic" },
};
static job_record_t jobs[] = {
	{ .job_id = 11, .user_id = ALICE, .partition = "batch" },
	{ .job_id = 12, .user_id = ALICE, .partition = "club" },
	{ .job_id = 13, .user_id = ALICE, .partition = "attic,lab" },
	{ .job_id = 14, .user_id = BOB, .partition = "club" },
};

#define PARTS (sizeof(parts) / sizeof(*parts))
#define JOBS (sizeof(jobs) / sizeof(*jobs))

void *acct_db_conn;
static int asked[PARTS];

/* Alice is in the club and in the lab, Bob in the lab only. */
int validate_group(part_record_t *part, uid_t uid)
{
	asked[part - parts]++;
	return !part->allow_groups || !strcmp(part->name, "lab") ||
	       (uid == ALICE && !strcmp(part->name, "club"));
}

bool validate_operator(uid_t uid)
{
	return uid == ROOT;
}

part_record_t *find_part_record(char *name)
{
	for (size_t i = 0; i < PARTS; i++)
		if (!strcmp(parts[i].name, name))
			return &parts[i];
	return NULL;
}

job_record_t *find_job_record(uint32_t id)
{
	for (size_t i = 0; i < JOBS; i++)
		if (jobs[i].job_id == id)
			return &jobs[i];
	return NULL;
}

job_record_t *find_job_array_rec(uint32_t id, uint32_t task)
{
	return task == 5 ? find_job_record(id) : NULL;
}

/* ---- helpers ---- */

/* What a user may see who names these jobs; NULL: of anything. */
static struct access open_for(uid_t uid, const char *text)
{
	struct access_about about;
	struct access a;

	memset(asked, 0, sizeof(asked));
	if (text)
		depend_about(text, uid, &about);
	assert_true(access_read(&a, uid, text ? &about : NULL));
	return a;
}

/* How often Slurm was asked about groups, in the order of parts[]: "0100". */
static void assert_asked(const char *times)
{
	for (size_t i = 0; i < PARTS; i++)
		assert_int_equal(asked[i], times[i] - '0');
}

static void assert_sees(const struct access *a, uint32_t id, bool sees)
{
	assert_int_equal(access_record(a, find_job_record(id)), sees);
}

/* ---- tests ---- */

static void test_anything(void **state)
{
	struct access a = open_for(BOB, NULL);

	(void)state;
	assert_asked("1111");
	assert_sees(&a, 11, true);
	assert_sees(&a, 12, false);
	assert_sees(&a, 13, true);
	assert_sees(&a, 14, true);
	assert_true(access_hides_jobs(&a));
	access_close(&a);
	a = open_for(ROOT, NULL);
	assert_asked("0000");
	assert_sees(&a, 12, true);
	access_close(&a);
}

/* One's own jobs are nobody else's to show. */
static void test_own(void **state)
{
	struct access a = open_for(ALICE, "afterok:11:12,after:13+5");

	(void)state;
	assert_asked("0000");
	for (uint32_t id = 11; id <= 13; id++)
		assert_sees(&a, id, true);
	access_close(&a);
	a = open_for(ROOT, "afterok:11:99");
	assert_asked("0000");
	access_close(&a);
}

/* Of others' jobs, their partitions. */
static void test_others(void **state)
{
	static const struct {
		uid_t uid;
		const char *text, *times;
		uint32_t id;
		bool sees;
	} cases[] = {
		{ BOB, "afterany:11", "1000", 11, true },
		{ BOB, "11", "1000", 11, true },
		{ BOB, "afterok:12", "0100", 12, false },
		{ BOB, "afterok:12:14,afterany:14", "0100", 12, false },
		{ BOB, "afterok:13_5", "0011", 13, true },
		{ BOB, "afterok:14,afterany:13_*", "0011", 13, true },
		{ ALICE, "after:14+10", "0100", 14, true },
		{ ALICE, "nonsense:14x", "0000", 11, true },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct access a = open_for(cases[i].uid, cases[i].text);

		assert_asked(cases[i].times);
		assert_sees(&a, cases[i].id, cases[i].sees);
		access_close(&a);
	}
}

/* What is not there may be hidden: one partition that is not for him is enough to say so. */
static void test_absent(void **state)
{
	struct access a = open_for(BOB, "afterany:99");

	(void)state;
	assert_asked("1100");
	assert_true(access_hides_jobs(&a));
	access_close(&a);
	a = open_for(BOB, "afterany:11_7:13_5");
	assert_asked("1111");
	assert_sees(&a, 13, true);
	assert_true(access_hides_jobs(&a));
	access_close(&a);
	parts[3].flags = PART_FLAG_HIDDEN;
	a = open_for(BOB, "afterany:99");
	assert_asked("0000");
	assert_true(access_hides_jobs(&a));
	access_close(&a);
	parts[3].flags = 0;
	slurm_conf.private_data = PRIVATE_DATA_JOBS;
	a = open_for(ALICE, "afterany:99");
	assert_asked("0000");
	assert_true(access_hides_jobs(&a));
	access_close(&a);
	slurm_conf.private_data = 0;
	a = open_for(ALICE, "afterany:99");
	assert_asked("1111");
	assert_true(access_hides_jobs(&a));
	access_close(&a);
}

/* A text of any length costs no more than is looked at. */
static void test_many(void **state)
{
	char text[16 * ACCESS_ABOUT + 32] = "afterany";
	struct access_about about;

	(void)state;
	for (int i = 0; i < 2 * ACCESS_ABOUT; i++)
		strcat(text, i % 2 ? ":12" : ":11");
	depend_about(text, BOB, &about);
	assert_int_equal(about.nparts, ACCESS_ABOUT);
	assert_false(about.absent);
}

/* All that are not hidden, and nobody's groups are asked for. */
static void test_names(void **state)
{
	char **names;

	(void)state;
	memset(asked, 0, sizeof(asked));
	parts[2].flags = PART_FLAG_HIDDEN;
	names = access_part_names();
	parts[2].flags = 0;
	assert_non_null(names);
	assert_string_equal(names[0], "batch");
	assert_string_equal(names[1], "club");
	assert_string_equal(names[2], "attic");
	assert_null(names[3]);
	assert_asked("0000");
	access_names_free(names);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_anything), cmocka_unit_test(test_own),
		cmocka_unit_test(test_others),	 cmocka_unit_test(test_absent),
		cmocka_unit_test(test_many),	 cmocka_unit_test(test_names),
	};
	int rc;

	part_list = list_create(NULL);
	for (size_t i = 0; i < PARTS; i++)
		list_append(part_list, &parts[i]);
	rc = cmocka_run_group_tests(tests, NULL, NULL);
	FREE_NULL_LIST(part_list);
	return rc;
}
