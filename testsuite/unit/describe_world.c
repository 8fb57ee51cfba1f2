/* SPDX-License-Identifier: GPL-2.0-or-later */
/* describe_world: see the header. */
#include "testsuite/unit/describe_world.h"

#include "slurm/eligibility/widest.h"

/* ---- played ---- */

/* No limit is in the way: these have a test of their own (test_widest). */
int32_t eligibility_widest(const struct eligibility_job *job)
{
	return job->what->most;
}

slurmdb_federation_rec_t *fed_mgr_fed_rec;
list_t *part_list, *active_feature_list;
part_record_t *default_part_loc;

bool slurm_preemption_enabled(void)
{
	return false;
}

static int part_is(void *record, void *name)
{
	return !strcmp(((part_record_t *)record)->name, name);
}

part_record_t *find_part_record(char *name)
{
	return list_find_first(part_list, part_is, name);
}

/* Of the partitions in part_list, unsorted. */
void get_part_list(char *names, list_t **parts, part_record_t **first, char **unknown)
{
	char *copy = xstrdup(names), *rest = NULL;
	list_t *found = list_create(NULL);

	(void)unknown;
	*parts = found;
	for (char *name = strtok_r(copy, ",", &rest); name; name = strtok_r(NULL, ",", &rest)) {
		part_record_t *one = find_part_record(name);

		assert_non_null(one);
		list_append(found, one);
	}
	xfree(copy);
	*first = list_peek(found);
}

int list_find_feature(void *feature, void *name)
{
	return !strcmp(((node_feature_t *)feature)->name, name);
}

bool node_features_g_changeable_feature(char *name)
{
	return !strcmp(name, "hot");
}

/* One node: n0, n1, n2. */
int node_name2bitmap(char *names, bool best_effort, bitstr_t **bitmap, hostlist_t **unknown)
{
	(void)best_effort, (void)unknown;
	*bitmap = bit_alloc(3);
	bit_set(*bitmap, names[1] - '0');
	return SLURM_SUCCESS;
}

void schedule_job_save(void)
{
}

bool labels_select;

int slurm_mcs_get_select(job_record_t *job)
{
	assert_null(job->details);
	return labels_select;
}

bool validate_operator(uid_t uid)
{
	return !uid;
}

/* ---- a cluster of three nodes ---- */

config_record_t config = { .cpus = 16, .real_memory = 100000 };
node_record_t node = { .config_ptr = &config };
node_record_t *nodes[] = { &node, &node, &node };
static node_feature_t first = { .name = "first" };
part_record_t part = { .name = "batch",
		       .state_up = PARTITION_UP,
		       .max_time = INFINITE,
		       .max_nodes = INFINITE,
		       .min_nodes = 1,
		       .default_time = NO_VAL,
		       .max_cpus_per_node = INFINITE };

void describe_wish(job_desc_msg_t *desc)
{
	slurm_init_job_desc_msg(desc);
	desc->partition = part.name;
	desc->het_job_offset = NO_VAL; /* what slurmctld makes of it */
}

int describe_set_up(void **state)
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

int describe_tear_down(void **state)
{
	(void)state;
	FREE_NULL_LIST(active_feature_list);
	FREE_NULL_BITMAP(first.node_bitmap);
	FREE_NULL_BITMAP(part.node_bitmap);
	xfree(slurm_conf.node_features_plugins);
	return 0;
}
