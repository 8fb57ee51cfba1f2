/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * partitions.c - which scheduler has which nodes, where partitions have their own
 */
#include "slurm/base/compat.h"
#include "slurm/config/partitions.h"

/* As the core's setting Rows has it. */
#define MOST_ROWS 64

/* ---- Slurm's ---- */

/*
 * A scheduler's init() comes before partitions have bitmaps: they have the names of slurm.conf.  (Those of
 * a NodeSet are not known then; what it shares is found by the first look at its bitmap.)
 */
static void name_nodes(const part_record_t *part, struct nodeset *set)
{
	hostlist_t *names = part->orig_nodes ? hostlist_create(part->orig_nodes) : NULL;
	bool all = !xstrcasecmp(part->orig_nodes, "ALL");

	for (uint32_t i = 0; i < nodeset_size(set); i++)
		if (node_record_table_ptr[i] &&
		    (all || (names && hostlist_find(names, node_record_table_ptr[i]->name) >= 0)))
			nodeset_set(set, i);
	if (names)
		hostlist_destroy(names);
}

static struct nodeset *copy_nodes(const part_record_t *part, uint32_t nodes)
{
	struct nodeset *set = nodeset_create(nodes);

	if (set && !part->node_bitmap)
		name_nodes(part, set);
	for (uint32_t i = 0; set && part->node_bitmap && i < nodes; i++)
		if (bit_test(part->node_bitmap, i))
			nodeset_set(set, i);
	return set;
}

static bool add_partition(struct partitions *p, const part_record_t *part)
{
	struct partition *one = &p->v[p->n];

	one->name = strdup(part->name);
	one->nodes = copy_nodes(part, p->nodes);
	one->forced = part->max_share & SHARED_FORCE;
	one->jobs = part->max_share & ~SHARED_FORCE;
	one->modest = part->def_mem_per_cpu || slurm_conf.def_mem_per_cpu;
	p->n++;
	return one->name && one->nodes;
}

void partitions_look(struct partitions *out)
{
	const part_record_t *part;
	list_itr_t *iter;

	*out = (struct partitions){ .nodes =
					    node_record_count > 0 ? (uint32_t)node_record_count : 0,
				    .memory = slurm_conf.select_type_param & CR_MEMORY,
				    .prolog = slurm_conf.prolog_flags & PROLOG_FLAG_ALLOC,
				    .gang = !xstrcmp(slurm_conf.select_type, "select/gang"),
				    .own_gang = slurm_conf.preempt_mode & PREEMPT_MODE_GANG };
	if (!part_list || !out->nodes)
		return;
	out->v = calloc((size_t)list_count(part_list) + 1, sizeof(*out->v));
	out->known = out->v;
	iter = list_iterator_create(part_list);
	while (out->known && (part = list_next(iter)))
		out->known = add_partition(out, part);
	list_iterator_destroy(iter);
}

void partitions_free(struct partitions *p)
{
	for (size_t i = 0; i < p->n; i++) {
		free(p->v[i].name);
		nodeset_destroy(p->v[i].nodes);
	}
	free(p->v);
	*p = (struct partitions){ 0 };
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
	return (hash ^ value) * 1099511628211u;
}

uint64_t partitions_shape(const struct partitions *p)
{
	uint64_t hash = 14695981039346656037u;

	for (size_t i = 0; p->gang && i < p->n; i++) {
		for (const char *at = p->v[i].name; *at; at++)
			hash = mix(hash, (unsigned char)*at);
		hash = mix(hash, (uint64_t)p->v[i].jobs << 1 | p->v[i].forced);
	}
	return p->gang ? hash : 0;
}

/* ---- together ---- */

const struct own_scheduler *partitions_own(const struct own_scheduler *own, size_t n,
					   const char *partition)
{
	while (n > 0)
		if (!strcmp(own[--n].partition, partition))
			return &own[n];
	return NULL;
}

void partitions_drop(struct own_scheduler *own, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free(own[i].partition);
		free(own[i].scheduler);
		free(own[i].settings);
	}
	free(own);
}

struct own_scheduler *partitions_copy(const struct own_scheduler *own, size_t n, size_t *out_n)
{
	struct own_scheduler *copy = calloc(n + 1, sizeof(*copy));
	bool ok = copy;

	for (size_t i = 0; ok && i < n; i++) {
		copy[i] = own[i];
		copy[i].partition = strdup(own[i].partition);
		copy[i].scheduler = strdup(own[i].scheduler);
		copy[i].settings = strdup(own[i].settings);
		ok = copy[i].partition && copy[i].scheduler && copy[i].settings;
	}
	*out_n = ok ? n : 0;
	if (ok)
		return copy;
	if (copy)
		partitions_drop(copy, n);
	return NULL;
}

/* Nodes that are one scheduler's; of == NULL: they have been joined to others. */
struct group {
	const char *of, *settings;
	struct nodeset *nodes;
};

static void join(struct group *to, struct group *from)
{
	nodeset_or(to->nodes, from->nodes);
	from->of = NULL;
}

/*
 * Each partition is a group, and the rest is the last; those of one scheduler that share nodes become one.
 * Partitions without a scheduler of their own belong to the rest from the start.
 */
static void join_all(struct group *g, size_t n)
{
	bool again = true;

	while (again) {
		again = false;
		for (size_t i = 0; i < n; i++)
			for (size_t k = i + 1; k < n && g[i].of; k++)
				if (g[k].of && nodeset_overlap(g[i].nodes, g[k].nodes)) {
					join(&g[k], &g[i]);
					again = true;
				}
	}
}

/* Which scheduler it has, with which settings of its own; for people. */
struct kept_by {
	char text[256];
};

static struct kept_by kept_by(const struct partitions *p, size_t i, const struct own_scheduler *own,
			      size_t n, const char *standard)
{
	const struct own_scheduler *found = partitions_own(own, n, p->v[i].name);
	struct kept_by by;

	snprintf(by.text, sizeof(by.text), "%s%s", found ? found->scheduler : standard,
		 found ? found->settings : "");
	for (char *at = by.text; (at = strchr(at, ':'));)
		*at = ' ';
	return by;
}

const char *partitions_key(const struct own_scheduler *own)
{
	static const char *const keys[] = {
		[OWN_SCHEDULER] = "Scheduler", [OWN_ADMISSION] = "Admission", [OWN_GANG] = "Gang"
	};

	return keys[own->key];
}

/* Is each node of one scheduler only? */
static bool check(const struct partitions *p, const struct own_scheduler *own, size_t n,
		  const char *standard, char *err, size_t err_size)
{
	for (size_t i = 0; i < p->n; i++) {
		struct kept_by of = kept_by(p, i, own, n, standard);

		for (size_t k = 0; k < p->n; k++) {
			struct kept_by other = kept_by(p, k, own, n, standard);

			if (!partitions_own(own, n, p->v[i].name) || !strcmp(of.text, other.text) ||
			    !nodeset_overlap(p->v[i].nodes, p->v[k].nodes))
				continue;
			snprintf(err, err_size,
				 "PartitionName=%s %s=%s: it shares nodes with partition %s, "
				 "whose scheduler is %s",
				 p->v[i].name, partitions_key(partitions_own(own, n, p->v[i].name)),
				 of.text, p->v[k].name, other.text);
			return false;
		}
	}
	return true;
}

static void write_nodes(FILE *out, const struct nodeset *nodes)
{
	uint32_t size = nodeset_size(nodes);
	const char *comma = "";

	for (uint32_t n = nodeset_next(nodes, 0); n < size; comma = ",") {
		uint32_t last = n;

		while (last + 1 < size && nodeset_test(nodes, last + 1))
			last++;
		fprintf(out, last > n ? "%s%u-%u" : "%s%u", comma, n, last);
		n = nodeset_next(nodes, last + 1);
	}
}

/* SchedulerType's comes first. */
static char *write_groups(const struct group *g, size_t n, const char *standard)
{
	char *text = NULL;
	size_t size = 0, written = 0;
	FILE *out = open_memstream(&text, &size);

	for (size_t i = n; out && i > 0; i--) {
		if (!g[i - 1].of || nodeset_empty(g[i - 1].nodes))
			continue;
		fprintf(out, "%s%s%s@", written++ ? "+" : "", g[i - 1].of, g[i - 1].settings);
		write_nodes(out, g[i - 1].nodes);
	}
	if (!out || fclose(out)) {
		free(text);
		return NULL;
	}
	if (written == 1 && g[n - 1].of && !nodeset_empty(g[n - 1].nodes)) {
		free(text);
		return strdup(standard);
	}
	return text;
}

/* The groups of the partitions with schedulers of their own, and at the end the rest.  false: no memory. */
static bool make_groups(struct group *g, const struct partitions *p,
			const struct own_scheduler *own, size_t n, const char *standard)
{
	struct group *rest = &g[p->n];

	rest->of = standard;
	rest->settings = "";
	rest->nodes = nodeset_create(p->nodes);
	if (!rest->nodes)
		return false;
	nodeset_fill(rest->nodes);
	for (size_t i = 0; i < p->n; i++) {
		const struct own_scheduler *found = partitions_own(own, n, p->v[i].name);

		g[i].nodes = nodeset_dup(p->v[i].nodes);
		if (!g[i].nodes)
			return false;
		if (!found)
			continue;
		g[i].of = found->scheduler;
		g[i].settings = found->settings;
		nodeset_and_not(rest->nodes, g[i].nodes);
	}
	for (size_t i = 0; i < p->n; i++)
		if (!g[i].of)
			join(rest, &g[i]);
	return true;
}

uint16_t partitions_rows_at(const struct partitions *p, const struct own_scheduler *own, size_t n,
			    const struct partition *at)
{
	struct nodeset *nodes = nodeset_dup(at->nodes);
	uint16_t rows = nodes ? at->jobs : 0;
	bool again = nodes;

	while (again) {
		again = false;
		for (size_t i = 0; i < p->n; i++) {
			const struct own_scheduler *of = partitions_own(own, n, p->v[i].name);

			if (!of || !partitions_slices(of) || !nodeset_overlap(p->v[i].nodes, nodes))
				continue;
			rows = p->v[i].jobs > rows ? p->v[i].jobs : rows;
			again |= !nodeset_subset(p->v[i].nodes, nodes);
			nodeset_or(nodes, p->v[i].nodes);
		}
	}
	nodeset_destroy(nodes);
	return rows;
}

/* The schedulers of matrices with fewer rows than another one has are told so. false: no memory. */
static bool add_rows(const struct partitions *p, struct own_scheduler *own, size_t n)
{
	uint16_t most = partitions_rows(p, own, n);

	for (size_t i = 0; i < p->n; i++) {
		/* they are ours */
		struct own_scheduler *of =
			(struct own_scheduler *)partitions_own(own, n, p->v[i].name);
		uint16_t rows = of && partitions_slices(of)
					? partitions_rows_at(p, own, n, &p->v[i])
					: most;
		char text[300], *settings;

		if (rows == most)
			continue;
		snprintf(text, sizeof(text), "%s:Rows=%u", of->settings, rows);
		settings = rows ? strdup(text) : NULL;
		if (!settings)
			return false;
		free(of->settings);
		of->settings = settings;
	}
	return true;
}

/* By number: checked, and with room for them. */
static char *name_groups(const struct partitions *p, struct own_scheduler *own, size_t n,
			 const char *standard)
{
	struct group *g = calloc(p->n + 1, sizeof(*g));
	char *name = NULL;

	if (g && add_rows(p, own, n) && make_groups(g, p, own, n, standard)) {
		join_all(g, p->n + 1);
		name = write_groups(g, p->n + 1, standard);
	}
	for (size_t i = 0; g && i <= p->n; i++)
		nodeset_destroy(g[i].nodes);
	free(g);
	return name;
}

char *partitions_scheduler(const struct partitions *p, const struct own_scheduler *own, size_t n,
			   const char *standard, char *err, size_t err_size)
{
	struct own_scheduler *copy;
	char *name = NULL;

	if (!n)
		return strdup(standard);
	if (!check(p, own, n, standard, err, err_size))
		return NULL;
	snprintf(err, err_size, "out of memory");
	copy = partitions_copy(own, n, &n);
	if (!copy)
		return NULL;
	name = name_groups(p, copy, n, standard);
	partitions_drop(copy, n);
	return name;
}

/* ---- realms ---- */

bool partitions_slices(const struct own_scheduler *own)
{
	return own->key == OWN_GANG && sched_name_turns(own->scheduler);
}

/* What slurm.conf has to say of a realm's partition; NULL: it does. */
static const char *realm_lacks(const struct partitions *p, const struct own_scheduler *own,
			       const struct partition *part)
{
	if (own->promises && (!part->forced || part->jobs < 2))
		return "OverSubscribe=FORCE:N, N jobs to a node at most";
	if (!own->promises && part->jobs > 1)
		return "OverSubscribe=NO";
	if (own->promises && !p->memory)
		return "SelectTypeParameters=CR_Memory (or CR_CPU_Memory, CR_Core_Memory, ...), or "
		       "jobs get memory twice";
	if (own->promises && !p->prolog)
		return "PrologFlags=Alloc, or nodes are not told the terms of jobs";
	return NULL;
}

/* The same of one whose jobs take turns. */
static const char *gang_lacks(const struct partitions *p, const struct partition *part,
			      bool unchecked)
{
	if (!p->gang)
		return "SelectType=select/gang";
	if (!part->forced || part->jobs < 2)
		return "OverSubscribe=FORCE:N, N jobs that take turns on a node at most";
	if (part->jobs > MOST_ROWS)
		return "OverSubscribe=FORCE:N with an N of 64 at most";
	if (!p->memory && !unchecked)
		return "SelectTypeParameters=CR_Memory, or jobs get memory twice (unless pact.conf "
		       "has "
		       "GangMemory=unchecked)";
	if (p->own_gang)
		return "PreemptMode= without GANG, or jobs are suspended by two schedulers";
	return NULL;
}

bool partitions_fit(const struct partitions *p, const struct own_scheduler *own, bool unchecked,
		    char *err, size_t err_size)
{
	for (size_t i = 0; i < p->n; i++) {
		const struct partition *part = &p->v[i];
		const char *wanted = NULL;

		if (strcmp(part->name, own->partition))
			continue;
		if (own->key == OWN_ADMISSION)
			wanted = realm_lacks(p, own, part);
		else if (partitions_slices(own))
			wanted = gang_lacks(p, part, unchecked);
		if (!wanted)
			continue;
		snprintf(err, err_size, "PartitionName=%s %s=%s: slurm.conf has to have %s",
			 own->partition, partitions_key(own), own->scheduler, wanted);
		return false;
	}
	return true;
}

const char *partitions_immodest(const struct partitions *p, const struct own_scheduler *own,
				size_t n, size_t i)
{
	for (size_t k = 0; p->memory && k < p->n; k++) {
		const struct own_scheduler *of = partitions_own(own, n, p->v[k].name);

		if (of && partitions_slices(of) && !p->v[k].modest && !i--)
			return p->v[k].name;
	}
	return NULL;
}

const struct own_scheduler *partitions_unsliced(const struct partitions *p,
						const struct own_scheduler *own, size_t n, size_t i,
						const char **name)
{
	for (size_t k = 0; p->gang && k < p->n; k++) {
		const struct own_scheduler *of = partitions_own(own, n, p->v[k].name);

		if (of && of->key == OWN_SCHEDULER && p->v[k].forced && p->v[k].jobs > 1 && !i--) {
			*name = p->v[k].name;
			return of;
		}
	}
	return NULL;
}

uint16_t partitions_rows(const struct partitions *p, const struct own_scheduler *own, size_t n)
{
	uint16_t rows = 0;

	for (size_t i = 0; i < p->n; i++) {
		const struct own_scheduler *of = partitions_own(own, n, p->v[i].name);

		if (of && partitions_slices(of) && p->v[i].jobs > rows)
			rows = p->v[i].jobs;
	}
	return rows;
}

/* Is it a realm whose jobs share nodes? */
static bool shares(const struct own_scheduler *own)
{
	return own && own->key == OWN_ADMISSION && own->promises;
}

struct nodeset *partitions_realm_nodes(const struct partitions *p, const struct own_scheduler *own,
				       size_t n, bool sharing)
{
	struct nodeset *all = NULL;

	for (size_t i = 0; i < p->n; i++) {
		const struct own_scheduler *of = partitions_own(own, n, p->v[i].name);

		if (!of || !(shares(of) ||
			     (!sharing && (of->key == OWN_ADMISSION || partitions_slices(of)))))
			continue;
		if (!all && !(all = nodeset_create(p->nodes)))
			return NULL;
		nodeset_or(all, p->v[i].nodes);
	}
	return all;
}

bool partitions_sharing(const struct partitions *p, const struct own_scheduler *own, size_t n,
			struct partitions *out)
{
	bool ok = true;

	*out = (struct partitions){ .nodes = p->nodes, .v = calloc(p->n + 1, sizeof(*out->v)) };
	for (size_t i = 0; out->v && ok && i < p->n; i++) {
		const struct own_scheduler *of = partitions_own(own, n, p->v[i].name);

		if (!shares(of))
			continue;
		out->v[out->n] = (struct partition){ .name = strdup(p->v[i].name),
						     .nodes = nodeset_dup(p->v[i].nodes) };
		ok = out->v[out->n].name && out->v[out->n].nodes;
		out->n++;
	}
	if (out->v && ok)
		return true;
	partitions_free(out);
	return false;
}

uint16_t *partitions_realm_jobs(const struct partitions *p, const struct own_scheduler *own,
				size_t n)
{
	uint16_t *jobs = calloc((size_t)p->nodes + 1, sizeof(*jobs));

	for (size_t i = 0; jobs && i < p->n; i++) {
		const struct partition *part = &p->v[i];
		const struct own_scheduler *of = partitions_own(own, n, part->name);

		if (!shares(of) && !(of && partitions_slices(of)))
			continue;
		for (uint32_t k = nodeset_next(part->nodes, 0); k < p->nodes;
		     k = nodeset_next(part->nodes, k + 1))
			if (!jobs[k] || part->jobs < jobs[k])
				jobs[k] = part->jobs;
	}
	return jobs;
}
