/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scarce.c - why a partition never has as many nodes as a job asks for
 */
#include "slurm/eligibility/scarce.h"

/* What a job asks of its nodes, in the order in which it is told. */
enum thing { FEATURES, MEMORY, CPUS, MOST_CPUS, DISK, EXCLUDE, THINGS };

/* One look at a partition. */
struct look {
	const struct scarce *ask;
	struct nodeset *have[THINGS]; /* the nodes that have one thing; NULL: it is not asked for */
	struct nodeset *all;
	struct region_size size; /* of all */
	uint32_t disk;		 /* MiB, the most of one node */
};

/* Is it asked for?  Then alone, as region_make() takes it. */
static bool alone(const struct scarce *ask, enum thing thing, struct node_need *need)
{
	const struct node_need *all = &ask->need;

	*need = (struct node_need){ .whole = all->whole };
	switch (thing) {
	case FEATURES:
		return ask->req->features && ask->req->features[0];
	case MEMORY:
		need->memory = all->memory;
		need->cpu_memory = all->cpu_memory;
		/* Memory for each of them counts as often; those that are too many are named below. */
		need->cpus = all->cpu_memory ? all->cpus : 0;
		return all->memory || all->cpu_memory;
	case CPUS:
		need->cpus = all->cpus;
		return all->cpus > 1;
	case MOST_CPUS:
		need->most_cpus = all->most_cpus;
		return all->most_cpus;
	case DISK:
		need->tmp_disk = all->tmp_disk;
		return all->tmp_disk;
	default:
		return ask->req->exclude;
	}
}

static struct nodeset *nodes_with(const struct scarce *ask, enum thing thing)
{
	struct node_need need;
	const char *why;

	if (!alone(ask, thing, &need))
		return NULL;
	return region_make(ask->part, thing == FEATURES ? ask->req->features : NULL,
			   thing == EXCLUDE ? ask->req->exclude : NULL, &need, &why);
}

static void open_look(struct look *look, const struct scarce *ask)
{
	const struct node_need nothing = { 0 };
	const char *why;
	uint32_t n;

	*look = (struct look){ .ask = ask,
			       .all = region_make(ask->part, NULL, NULL, &nothing, &why) };
	for (enum thing thing = 0; thing < THINGS; thing++)
		look->have[thing] = nodes_with(ask, thing);
	if (!look->all)
		return;
	region_measure(look->all, &look->size);
	n = nodeset_size(look->all);
	for (uint32_t i = nodeset_next(look->all, 0); i < n; i = nodeset_next(look->all, i + 1)) {
		uint32_t disk = node_record_table_ptr[i]->config_ptr->tmp_disk;

		look->disk = disk > look->disk ? disk : look->disk;
	}
}

static void close_look(struct look *look)
{
	for (enum thing thing = 0; thing < THINGS; thing++)
		nodeset_destroy(look->have[thing]);
	nodeset_destroy(look->all);
}

static void say_memory(const struct look *look, char *out, size_t size)
{
	const struct node_need *need = &look->ask->need;
	bool given = look->ask->req->memory_given;

	if (need->cpu_memory)
		snprintf(out, size, "%s=%" PRIu64 "%s (they have at most %" PRIu64 "M)",
			 given ? "--mem-per-cpu" : "DefMemPerCPU", need->cpu_memory,
			 given ? "M" : "", look->size.most_memory);
	else
		snprintf(out, size, "%s=%" PRIu64 "%s (they have at most %" PRIu64 "M)",
			 given ? "--mem" : "DefMemPerNode", need->memory, given ? "M" : "",
			 look->size.most_memory);
}

/* As the user has asked for it. */
static void say(const struct look *look, enum thing thing, char *out, size_t size)
{
	const struct scarce *ask = look->ask;

	switch (thing) {
	case FEATURES:
		snprintf(out, size, "--constraint=%.40s", ask->req->features);
		break;
	case MEMORY:
		say_memory(look, out, size);
		break;
	case CPUS:
		snprintf(out, size, "%u CPUs a node (they have at most %u)", ask->need.cpus,
			 look->size.most_cpus);
		break;
	case MOST_CPUS:
		snprintf(out, size, "MaxCPUsPerNode=%u (all CPUs of a node)", ask->need.most_cpus);
		break;
	case DISK:
		snprintf(out, size, "--tmp=%uM (they have at most %uM)", ask->need.tmp_disk,
			 look->disk);
		break;
	default:
		if (ask->req->among) {
			snprintf(out, size, "--nodelist=%.40s", ask->req->among);
			break;
		}
		snprintf(out, size, "--exclude=%.40s",
			 ask->req->exclude_key ? ask->req->exclude_key : "");
	}
}

/* Does it stand in the way?  Of one node that is required, or of so many. */
static bool lacks(const struct look *look, enum thing thing, int64_t node, uint32_t width)
{
	const struct nodeset *have = look->have[thing];

	if (!have)
		return false;
	return node >= 0 ? !nodeset_test(have, (uint32_t)node) : nodeset_count(have) < width;
}

/*
 * What stands in the way, joined.
 * OUT left - nodes that there are in spite of it
 */
static void reasons(const struct look *look, int64_t node, char *out, size_t size, uint32_t *left)
{
	uint32_t width = (uint32_t)look->ask->width;
	int found = 0;
	char one[96];

	for (enum thing thing = 0; thing < THINGS; thing++)
		found += lacks(look, thing, node, width);
	/* Only all of them together leave too few. */
	if (!found)
		width = nodeset_count(look->all);
	*left = nodeset_count(look->ask->fits);
	out[0] = '\0';
	for (enum thing thing = 0; thing < THINGS; thing++) {
		size_t used = strlen(out);

		if (!lacks(look, thing, node, width))
			continue;
		if (found == 1)
			*left = nodeset_count(look->have[thing]);
		say(look, thing, one, sizeof(one));
		snprintf(out + used, size - used, "%s%s", used ? " and " : "", one);
	}
}

/* The first node that is required and not to be had; -1: all are. */
static int64_t required_missing(const struct scarce *ask)
{
	bitstr_t *required = (bitstr_t *)ask->req->required;

	for (bitoff_t i = required ? bit_ffs(required) : -1; i >= 0 && i <= bit_fls(required); i++)
		if (bit_test(required, i) && !nodeset_test(ask->fits, (uint32_t)i))
			return i;
	return -1;
}

/* How many are too many: "10 nodes (for 20 CPUs)". */
static void say_width(const struct scarce *ask, char *out, size_t size)
{
	bool cpus = ask->width > (int32_t)ask->req->min_nodes;

	snprintf(out, size, "%d node%s", ask->width, ask->width == 1 ? "" : "s");
	if (cpus)
		snprintf(out + strlen(out), size - strlen(out), " (for %u CPUs)", ask->req->cpus);
}

static void tell(const struct look *look, char *out, size_t size)
{
	const struct scarce *ask = look->ask;
	const char *part = ask->part->name, *are = ask->width == 1 ? "is" : "are";
	uint32_t all = nodeset_count(look->all), left;
	int64_t node = required_missing(ask);
	char nodes[64], why[160];

	say_width(ask, nodes, sizeof(nodes));
	if (node >= 0 && !nodeset_test(look->all, (uint32_t)node)) {
		snprintf(out, size, "node %.40s (--nodelist) is none of partition %.40s",
			 node_record_table_ptr[node]->name, part);
		return;
	}
	if (all < (uint32_t)ask->width) {
		snprintf(out, size,
			 "%s %s more than the %u of partition %.40s; ask for fewer nodes", nodes,
			 are, all, part);
		return;
	}
	reasons(look, node, why, sizeof(why), &left);
	if (node >= 0)
		snprintf(out, size, "node %.40s (--nodelist) does not fit %s",
			 node_record_table_ptr[node]->name, why);
	else if (left)
		snprintf(out, size,
			 "%s %s more than the %u of partition %.40s that fit%s %s; ask for fewer "
			 "nodes, or less of each",
			 nodes, are, left, part, left == 1 ? "s" : "", why);
	else
		snprintf(out, size,
			 "no node of partition %.40s fits %s; ask for less, or another "
			 "partition",
			 part, why);
}

void scarce_tell(const struct scarce *ask, char *out, size_t size)
{
	struct look look;

	open_look(&look, ask);
	if (look.all)
		tell(&look, out, size);
	else
		snprintf(out, size, "%d node%s more than partition %.40s has", ask->width,
			 ask->width == 1 ? " is" : "s are", ask->part->name);
	close_look(&look);
}
