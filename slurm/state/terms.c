/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * terms.c - is what was decided what its record asks for?
 */
#include "slurm/base/compat.h"

#include "slurm/base/scheduler.h"
#include "slurm/state/terms.h"

#define PARTS_MAX 160

/* A description without its table. */
struct terms {
	int64_t when; /* it was noted */
	uint32_t tasks;
	struct description what;		 /* its pointers into the table are not used */
	uint64_t nodes[SCHED_MAX_ALT], required; /* hashes; required 0: none */
	uint32_t count[SCHED_MAX_ALT], nparts;	 /* of those in which there is a node for it */
	char parts[PARTS_MAX];			 /* what does not fit is told by the hashes */
};

/* Differences found so far, as a text. */
struct found {
	char *text;
	size_t size, used;
};

static void fill(struct terms *t, const struct description *what, uint32_t tasks)
{
	size_t used = 0;

	*t = (struct terms){ .when = time(NULL), .tasks = tasks, .what = *what };
	for (uint32_t i = 0; i < what->nalt; i++) {
		uint32_t n = t->nparts;

		if (nodeset_empty(what->alt[i]))
			continue;
		t->nodes[n] = nodeset_hash(what->alt[i]);
		t->count[n] = nodeset_count(what->alt[i]);
		t->nparts++;
		if (used < sizeof(t->parts))
			used += (size_t)snprintf(t->parts + used, sizeof(t->parts) - used, "%s%s",
						 n ? "," : "", what->part[i]);
	}
	if (what->required)
		t->required = nodeset_hash(what->required);
}

struct terms *terms_note(const struct description *what, uint32_t tasks)
{
	struct terms *t = malloc(sizeof(*t));

	if (t)
		fill(t, what, tasks);
	return t;
}

static void add(struct found *f, const char *name, const char *noted, const char *has)
{
	if (f->used < f->size)
		f->used +=
			(size_t)snprintf(f->text + f->used, f->size - f->used, "%s%s: %s, now %s",
					 f->used ? "; " : "", name, noted, has);
}

static void number(struct found *f, const char *name, uint64_t noted, uint64_t has)
{
	char a[24], b[24];

	if (noted == has)
		return;
	snprintf(a, sizeof(a), "%" PRIu64, noted);
	snprintf(b, sizeof(b), "%" PRIu64, has);
	add(f, name, noted == UINT64_MAX ? "none" : a, has == UINT64_MAX ? "none" : b);
}

/* Seconds or a time. */
static void seconds(struct found *f, const char *name, int64_t noted, int64_t has)
{
	number(f, name, noted >= PACT_FOREVER ? UINT64_MAX : (uint64_t)noted,
	       has >= PACT_FOREVER ? UINT64_MAX : (uint64_t)has);
}

static void text(struct found *f, const char *name, const char *noted, const char *has)
{
	noted = noted ? noted : "none";
	has = has ? has : "none";
	if (strcmp(noted, has))
		add(f, name, noted, has);
}

/* The nodes that it may have, in each partition. */
static void where(struct found *f, const struct terms *noted, const struct terms *has)
{
	text(f, "partitions", noted->parts, has->parts);
	for (uint32_t i = 0; i < noted->nparts && i < has->nparts; i++) {
		number(f, "nodes to choose from", noted->count[i], has->count[i]);
		if (noted->count[i] == has->count[i] && noted->nodes[i] != has->nodes[i])
			add(f, "nodes to choose from", "some", "others");
	}
	if (noted->required != has->required)
		add(f, "nodes required", noted->required ? "some" : "none",
		    has->required ? "others" : "none");
}

/* What limits of accounts and QOS are compared with (limits.h). */
static void sizes(struct found *f, const struct description *noted, const struct description *has)
{
	number(f, "least memory of a node", noted->least_memory, has->least_memory);
	number(f, "most memory of a node", noted->most_memory, has->most_memory);
	number(f, "least processors", noted->size.least_cpus, has->size.least_cpus);
	number(f, "most processors", noted->size.most_cpus, has->size.most_cpus);
	number(f, "generic resources", noted->size.gres, has->size.gres);
}

/* Slurm gives a job without a limit the MaxWall of its account or QOS for one (limits.c). */
static bool limit_filled_in(const struct description *noted, const struct description *has)
{
	return !noted->limit_given && has->limit_given && has->limit <= noted->limit;
}

bool terms_equal(const struct terms *noted, const struct snap_job *j, char *out, size_t size)
{
	struct found f = { .text = out, .size = size };
	const struct description *was = &noted->what, *is = &j->what;
	struct terms has;

	out[0] = '\0';
	fill(&has, is, j->tasks ? j->ntasks : 1);
	number(&f, "tasks", noted->tasks, has.tasks);
	text(&f, "cannot be planned", was->opaque, is->opaque);
	number(&f, "waits", was->waits, is->waits);
	where(&f, noted, &has);
	seconds(&f, "width", was->width, is->width);
	number(&f, "most nodes", (uint64_t)was->most, (uint64_t)is->most);
	if (!limit_filled_in(was, is)) {
		seconds(&f, "time limit", was->limit, is->limit);
		number(&f, "time limit given", was->limit_given, is->limit_given);
	}
	seconds(&f, "least time", was->least, is->least);
	seconds(&f, "deadline", was->deadline, is->deadline);
	seconds(&f, "begin", was->begin > j->taken ? was->begin : 0,
		is->begin > j->taken ? is->begin : 0);
	sizes(&f, was, is);
	return !f.used;
}

void terms_leave(struct bridge *b, struct terms **terms, enum tally_left why)
{
	if (!*terms)
		return;
	b->tally.left_out[why]++;
	free(*terms);
	*terms = NULL;
}

void terms_expect(struct bridge *b, struct track *track, struct terms *terms)
{
	terms_leave(b, &track->asked, TALLY_CHANGED);
	track->asked = terms;
	b->tally.left_out[TALLY_MEMORY] += !terms;
}

uint64_t terms_open(const struct bridge *b)
{
	struct track *track;
	uint64_t n = 0;
	size_t i = 0;

	while (b->by_key && (track = table_next(b->by_key, &i)))
		n += track->asked != NULL;
	for (const struct unconfirmed *p = b->unconfirmed; p; p = p->next)
		n += p->asked != NULL;
	return n;
}

void terms_check(struct bridge *b, struct track *track, const struct snap_job *j, int64_t site)
{
	char what[512];
	bool equal;

	if (!track->asked)
		return;
	equal = terms_equal(track->asked, j, what, sizeof(what));
	/* Stamps have a grain of a second. */
	if (!equal && site >= track->asked->when) {
		terms_leave(b, &track->asked, TALLY_SITE);
		return;
	}
	b->tally.compared++;
	if (!equal) {
		b->tally.differing++;
		error("%s: JobId=%u: its record has other terms than were promised: %s",
		      scheduler_type(), track->job_id, what);
	}
	free(track->asked);
	track->asked = NULL;
}
