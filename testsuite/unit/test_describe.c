/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_describe: what the planner knows of a record, where one table of places serves many records. Nodes
 * and partitions are played.
 */
#include "slurm/compat.h"

#include "slurm/describe.h"
#include "testsuite/unit/seed.h"

/* ---- played ---- */

List part_list, active_feature_list;
part_record_t *default_part_loc;

bool slurm_preemption_enabled(void)
{
	return false;
}

part_record_t *find_part_record(char *name)
{
	(void)name;
	return NULL;
}

int list_find_feature(void *feature, void *name)
{
	return !strcmp(((node_feature_t *)feature)->name, name);
}

/* ---- a cluster of three nodes ---- */

static config_record_t config = { .cpus = 16, .real_memory = 100000 };
static node_record_t node = { .config_ptr = &config };
static node_record_t *nodes[] = { &node, &node, &node };
static node_feature_t first = { .name = "first" };
static part_record_t part = { .name = "batch",
			      .state_up = PARTITION_UP,
			      .max_time = INFINITE,
			      .max_nodes = INFINITE,
			      .min_nodes = 1,
			      .default_time = NO_VAL,
			      .max_cpus_per_node = INFINITE };

static int set_up(void **state)
{
	(void)state;
	node_record_table_ptr = nodes;
	node_record_count = 3;
	first.node_bitmap = bit_alloc(3);
	bit_set(first.node_bitmap, 0);
	active_feature_list = list_create(NULL);
	list_append(active_feature_list, &first);
	part.node_bitmap = bit_alloc(3);
	bit_set_all(part.node_bitmap);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	FREE_NULL_LIST(active_feature_list);
	FREE_NULL_BITMAP(first.node_bitmap);
	FREE_NULL_BITMAP(part.node_bitmap);
	xfree(slurm_conf.node_features_plugins);
	return 0;
}

/* The record of a job of one node with these features. */
static void look(struct places *places, char *features, struct description *out)
{
	struct job_details details = { .min_nodes = 1,
				       .max_nodes = 1,
				       .min_cpus = 1,
				       .orig_min_cpus = 1,
				       .pn_min_cpus = 1,
				       .orig_pn_min_cpus = 1,
				       .num_tasks = 1,
				       .ntasks_per_node = NO_VAL16,
				       .core_spec = NO_VAL16,
				       .features = features };
	job_record_t job = { .details = &details, .part_ptr = &part, .time_limit = 10 };

	assert_true(describe_record(places, &job, out));
	assert_int_equal(out->nalt, 1);
}

/* ---- tests ---- */

/* What cannot be planned cannot be for the next job of its kind, either. */
static void test_unplannable(void **state)
{
	static char *odd[] = { "first|other", "first*2", "[first|other]" };
	struct places *places = places_create();
	struct description what;

	(void)state;
	for (size_t i = 0; i < sizeof(odd) / sizeof(*odd); i++) {
		for (int round = 0; round < 3; round++) {
			look(places, odd[i], &what);
			assert_non_null(what.opaque);
			assert_non_null(strstr(what.opaque, "features (--constraint)"));
			assert_int_equal(nodeset_count(what.alt[0]), 3);
		}
	}
	places_destroy(places);
}

/* Nor does it make others so. */
static void test_plannable(void **state)
{
	struct places *places = places_create();
	struct description what;

	(void)state;
	look(places, "first|other", &what);
	for (int round = 0; round < 3; round++) {
		look(places, "first", &what);
		assert_null(what.opaque);
		assert_int_equal(nodeset_count(what.alt[0]), 1);
		look(places, NULL, &what);
		assert_null(what.opaque);
		assert_int_equal(nodeset_count(what.alt[0]), 3);
	}
	places_destroy(places);
}

/* A feature that a node may get by a reboot. */
static void test_changing_features(void **state)
{
	struct places *places = places_create();
	struct description what;

	(void)state;
	slurm_conf.node_features_plugins = xstrdup("node_features/helpers");
	for (int round = 0; round < 3; round++) {
		look(places, "first", &what);
		assert_non_null(what.opaque);
		assert_string_equal(what.opaque,
				    "features that nodes may change by a reboot (--constraint)");
		look(places, NULL, &what);
		assert_null(what.opaque);
	}
	places_destroy(places);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_unplannable),
		cmocka_unit_test(test_plannable),
		cmocka_unit_test(test_changing_features),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
