/* SPDX-License-Identifier: GPL-2.0-or-later */
/* route: which domain a job could go to, and what it is told there. */
#include <stdlib.h>

#include "core/domains/state.h"

struct nodeset *to_local(const struct domain *d, const struct nodeset *set)
{
	struct nodeset *out = nodeset_create(d->n);

	for (uint32_t i = 0; out && i < d->n; i++) {
		if (nodeset_test(set, d->node[i]))
			nodeset_set(out, i);
	}
	return out;
}

void to_machine(const struct domain *d, const struct nodeset *local, struct nodeset *out)
{
	nodeset_clear(out);
	for (uint32_t i = 0; i < d->n; i++) {
		if (!local || nodeset_test(local, i))
			nodeset_set(out, d->node[i]);
	}
}

uint64_t domains_of(const struct domains *s, const struct nodeset *set)
{
	uint64_t in = 0;

	for (uint32_t i = 0; i < s->n; i++) {
		if (nodeset_overlap(s->v[i].nodes, set))
			in |= UINT64_C(1) << i;
	}
	return in ? in : 1;
}

/* ---- jobs as a domain knows them ---- */

/* NULL for NULL, and when there is no memory: *good is false then. */
static struct nodeset *keep_local(struct local_jobs *l, const struct domain *d,
				  const struct nodeset *set, bool *good)
{
	struct nodeset *local = set ? to_local(d, set) : NULL;

	if (local)
		l->set[l->nsets++] = local;
	*good &= local || !set;
	return local;
}

/*
 * What needs nodes of two domains can never start: it is told as a job that is wider than its only
 * alternative.
 */
static bool make_impossible(struct local_jobs *l, const struct domain *d, struct sched_job *to)
{
	struct nodeset *one = nodeset_create(d->n);
	int32_t least = (int32_t)nodeset_count(to->required);

	if (!one)
		return false;
	l->set[l->nsets++] = one;
	nodeset_set(one, 0);
	if (to->width < least)
		to->width = least;
	to->required = NULL;
	to->alt[0] = one;
	to->nalt = 1;
	return true;
}

/* *alts gets the alternatives that the domain knows, too. */
static bool make_local(struct local_jobs *l, const struct domain *d, struct sched_job *to,
		       uint32_t *alts)
{
	uint32_t n = 0, nalt = to->nalt;
	bool good = true;

	*alts = 0;
	if (to->required && !nodeset_subset(to->required, d->nodes))
		return make_impossible(l, d, to);
	for (uint32_t i = 0; i < nalt; i++) {
		const struct nodeset *set = to->alt[i];

		/* the last one stays if none has nodes here: then there is no place for it */
		if (set && !nodeset_overlap(set, d->nodes) && (n || i + 1 < nalt))
			continue;
		to->alt[n++] = keep_local(l, d, set, &good);
		*alts |= 1u << i;
	}
	to->nalt = n;
	to->required = keep_local(l, d, to->required, &good);
	return good;
}

bool local_jobs_make(struct local_jobs *l, const struct domain *d, const struct sched_job *jobs,
		     size_t n)
{
	bool good;

	*l = (struct local_jobs){ .v = calloc(n, sizeof(*l->v)),
				  .n = n,
				  .set = calloc(n * (SCHED_MAX_ALT + 1),
						sizeof(struct nodeset *)) };
	good = l->v && l->set;
	for (size_t i = 0; good && i < n; i++) {
		uint32_t alts;

		l->v[i] = jobs[i];
		good = make_local(l, d, &l->v[i], &alts);
		if (i == 0)
			l->alts = alts;
	}
	return good;
}

void local_jobs_release(struct local_jobs *l)
{
	for (size_t i = 0; i < l->nsets; i++)
		nodeset_destroy(l->set[i]);
	free(l->set);
	free(l->v);
}

/* ---- the way ---- */

/* Sets of this machine, and not too many. */
static bool is_known(const struct domains *s, const struct sched_job *job)
{
	if (job->nalt > SCHED_MAX_ALT ||
	    (job->required && nodeset_size(job->required) != s->parts->nodes))
		return false;
	for (uint32_t i = 0; i < job->nalt; i++) {
		if (job->alt[i] && nodeset_size(job->alt[i]) != s->parts->nodes)
			return false;
	}
	return true;
}

/* A bit for each domain that has nodes of this alternative, and all that are required. */
static uint64_t domains_for(const struct domains *s, const struct sched_job *job,
			    const struct nodeset *alt)
{
	uint64_t in = 0;

	for (uint32_t i = 0; i < s->n; i++) {
		if ((!alt || nodeset_overlap(alt, s->v[i].nodes)) &&
		    (!job->required || nodeset_subset(job->required, s->v[i].nodes)))
			in |= UINT64_C(1) << i;
	}
	return in;
}

static uint64_t domains_for_job(const struct domains *s, const struct sched_job *job)
{
	uint64_t in = job->nalt ? 0 : domains_for(s, job, NULL);

	for (uint32_t i = 0; i < job->nalt; i++)
		in |= domains_for(s, job, job->alt[i]);
	return in;
}

/* Those of `in` in the order of their numbers; they are taken out of *left. */
static uint32_t list(uint64_t in, uint64_t *left, uint32_t *order, uint32_t n)
{
	in &= *left;
	*left &= ~in;
	for (uint32_t i = 0; in; i++, in >>= 1) {
		if (in & 1)
			order[n++] = i;
	}
	return n;
}

uint32_t route(struct domains *s, const struct sched_job *jobs, size_t n, uint32_t *order)
{
	uint64_t all = UINT64_MAX, left;
	uint32_t found = 0;

	for (size_t i = 0; i < n; i++) {
		if (!is_known(s, &jobs[i])) {
			domains_fail(s, PACT_EINVAL, "nodes of another machine, or too many sets",
				     jobs[i].id);
			return 0;
		}
		all &= domains_for_job(s, &jobs[i]);
	}
	left = all;
	for (uint32_t i = 0; i < jobs[0].nalt; i++)
		found = list(domains_for(s, &jobs[0], jobs[0].alt[i]), &left, order, found);
	found = list(all, &left, order, found);
	if (!found)
		order[found++] = 0; /* it can start nowhere, and is told so there */
	return found;
}

/* Has an alternative as many nodes in this domain as the job takes? */
static bool is_wide_enough(const struct domain *d, const struct sched_job *job)
{
	int32_t most = job->nalt ? 0 : (int32_t)d->n;

	for (uint32_t i = 0; i < job->nalt && most < job->width; i++) {
		int32_t here = 0;

		for (uint32_t k = 0; k < d->n && here < job->width; k++)
			here += !job->alt[i] || nodeset_test(job->alt[i], d->node[k]);
		most = here > most ? here : most;
	}
	return most >= job->width;
}

uint32_t route_least(const struct domains *s, const struct sched_job *job, const uint32_t *order,
		     uint32_t n)
{
	uint32_t best = order[0];

	for (uint32_t i = 1; i < n; i++) {
		const struct domain *a = &s->v[best], *b = &s->v[order[i]];
		bool fits = is_wide_enough(b, job), fitted = is_wide_enough(a, job);

		if (fits != fitted ? fits : b->demand * a->n < a->demand * b->n)
			best = order[i];
	}
	return best;
}
