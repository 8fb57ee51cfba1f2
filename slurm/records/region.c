/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * region.c - where a job may run: Slurm's bitmaps and features as the core's node sets
 */
#include "slurm/records/region.h"

struct nodeset *region_from_bitmap(const bitstr_t *bitmap)
{
	struct nodeset *set = nodeset_create(node_record_count);

	if (!set || !bitmap)
		return set;
	for (bitoff_t i = bit_ffs((bitstr_t *)bitmap), last = bit_fls((bitstr_t *)bitmap);
	     i >= 0 && i <= last; i++)
		if (bit_test((bitstr_t *)bitmap, i))
			nodeset_set(set, i);
	return set;
}

bitstr_t *region_to_bitmap(const struct nodeset *set)
{
	bitstr_t *bitmap = bit_alloc(node_record_count);
	uint32_t size = nodeset_size(set);

	for (uint32_t i = nodeset_next(set, 0); i < size; i = nodeset_next(set, i + 1))
		if (i < (uint32_t)node_record_count)
			bit_set(bitmap, i);
	return bitmap;
}

uint64_t region_memory(const node_record_t *node)
{
	uint64_t all = node->config_ptr->real_memory;

	return all > node->mem_spec_limit ? all - node->mem_spec_limit : 0;
}

static uint32_t cpus_of(const node_record_t *node)
{
	return node->cpus_efctv ? node->cpus_efctv : node->config_ptr->cpus;
}

void region_measure(const struct nodeset *set, struct region_size *size)
{
	uint32_t n = nodeset_size(set);

	for (uint32_t i = nodeset_next(set, 0); i < n; i = nodeset_next(set, i + 1)) {
		const node_record_t *node = node_record_table_ptr[i];
		uint32_t cpus = cpus_of(node);
		uint64_t memory = region_memory(node);

		if (!size->least_cpus || memory < size->least_memory)
			size->least_memory = memory;
		if (!size->least_cpus || cpus < size->least_cpus)
			size->least_cpus = cpus;
		if (cpus > size->most_cpus)
			size->most_cpus = cpus;
		if (node->config_ptr->real_memory > size->most_memory)
			size->most_memory = node->config_ptr->real_memory;
		size->gres |= node->gres && node->gres[0];
	}
}

/* Keep the nodes that have one feature now. */
static void keep_feature(struct nodeset *set, const char *name)
{
	node_feature_t *feature;
	struct nodeset *have;

	feature = list_find_first(active_feature_list, list_find_feature, (void *)name);
	have = region_from_bitmap(feature ? feature->node_bitmap : NULL);
	if (have)
		nodeset_and(set, have);
	else
		nodeset_clear(set);
	nodeset_destroy(have);
}

/*
 * A feature that a plugin of NodeFeaturesPlugins can give to a node by a reboot tells nothing of where a job may
 * start, nor when; all others are the node's own, whatever plugins there are.
 */
static bool changes(const char *name)
{
	const char *plugins = slurm_conf.node_features_plugins;

	return plugins && plugins[0] && node_features_g_changeable_feature((char *)name);
}

static bool keep_features(struct nodeset *set, const char *features, const char **why)
{
	char *copy, *rest = NULL;
	bool lasting = true;

	if (!features || !features[0])
		return true;
	if (strpbrk(features, "|*[](),")) {
		*why = "alternatives or counts of features (--constraint)";
		return false;
	}
	copy = xstrdup(features);
	for (char *name = strtok_r(copy, "&", &rest); name && lasting;
	     name = strtok_r(NULL, "&", &rest)) {
		lasting = !changes(name);
		keep_feature(set, name);
	}
	xfree(copy);
	if (!lasting)
		*why = "features that nodes may change by a reboot (--constraint)";
	return lasting;
}

/*
 * As job_req_node_filter() looks at a node; and where memory is counted, as the select plugins
 * do, which set some aside for the system and give a whole node memory for all its processors.
 */
static bool has_memory(const node_record_t *node, const struct node_need *need)
{
	uint64_t cpus = need->cpus ? need->cpus : 1, memory = node->config_ptr->real_memory;

	if (slurm_conf.select_type_param & CR_MEMORY) {
		memory -= node->mem_spec_limit < memory ? node->mem_spec_limit : memory;
		if (need->whole)
			cpus = cpus_of(node);
	}
	return memory >= need->memory && memory >= need->cpu_memory * cpus;
}

static bool meets(const node_record_t *node, const struct node_need *need)
{
	const config_record_t *config = node->config_ptr;

	return config->cpus >= need->cpus && config->tmp_disk >= need->tmp_disk &&
	       (!need->most_cpus || cpus_of(node) <= need->most_cpus) && has_memory(node, need);
}

static void keep_needs(struct nodeset *set, const struct node_need *need)
{
	uint32_t size = nodeset_size(set);

	for (uint32_t i = nodeset_next(set, 0); i < size; i = nodeset_next(set, i + 1))
		if (!meets(node_record_table_ptr[i], need))
			nodeset_unset(set, i);
}

struct nodeset *region_make(const part_record_t *part, const char *features,
			    const bitstr_t *exclude, const struct node_need *need, const char **why)
{
	struct nodeset *set = region_from_bitmap(part->node_bitmap);
	struct nodeset * not ;

	*why = "out of memory";
	if (!set)
		return NULL;
	for (int i = 0; i < node_record_count; i++)
		if (!node_record_table_ptr[i])
			nodeset_unset(set, i);
	if (!keep_features(set, features, why)) {
		nodeset_destroy(set);
		return NULL;
	}
	keep_needs(set, need);
	if (exclude && (not = region_from_bitmap(exclude))) {
		nodeset_and_not(set, not );
		nodeset_destroy(not );
	}
	return set;
}
