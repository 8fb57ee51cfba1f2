/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * limits.c - what the enforced limits of accounts and QOS mean for one job
 */
#include "slurm/eligibility/limits.h"

/* Where a limit may come from: one of the two. */
struct source {
	const slurmdb_qos_rec_t *qos;
	const slurmdb_assoc_rec_t *assoc;
	bool above; /* an account above the job's association: its group limits count only */
};

#define NOWHERE SIZE_MAX

/* Numbers of jobs and minutes: every one depends on other jobs. */
static const struct count_limit {
	const char *name;
	size_t qos, assoc;
	bool group, time;
} counts[] = {
	{ "GrpJobs", offsetof(slurmdb_qos_rec_t, grp_jobs), offsetof(slurmdb_assoc_rec_t, grp_jobs),
	  true, false },
	{ "GrpWall", offsetof(slurmdb_qos_rec_t, grp_wall), offsetof(slurmdb_assoc_rec_t, grp_wall),
	  true, true },
	{ "MaxJobsPerAccount", offsetof(slurmdb_qos_rec_t, max_jobs_pa), NOWHERE, false, false },
	{ "MaxJobsPerUser", offsetof(slurmdb_qos_rec_t, max_jobs_pu), NOWHERE, false, false },
	{ "MaxJobs", NOWHERE, offsetof(slurmdb_assoc_rec_t, max_jobs), false, false },
};

enum limit_kind {
	LIMIT_SHARED,  /* depends on other jobs */
	LIMIT_SUM,     /* at most so much for the job and others together */
	LIMIT_JOB,     /* at most so much for the job */
	LIMIT_NODE,    /* at most so much on each of its nodes */
	LIMIT_MINUTES, /* at most so much, times its run time */
	LIMIT_LEAST,   /* at least so much */
};

static const struct tres_limit {
	const char *name;
	size_t qos, assoc;
	enum limit_kind kind;
	bool group;    /* holds in all accounts above */
	bool factored; /* an association's is multiplied by the QOS's LimitFactor */
} tres_limits[] = {
	{ "MaxTRES", offsetof(slurmdb_qos_rec_t, max_tres_pj_ctld),
	  offsetof(slurmdb_assoc_rec_t, max_tres_ctld), LIMIT_JOB, false, true },
	{ "MaxTRESPerNode", offsetof(slurmdb_qos_rec_t, max_tres_pn_ctld),
	  offsetof(slurmdb_assoc_rec_t, max_tres_pn_ctld), LIMIT_NODE, false, false },
	{ "MaxTRESMins", offsetof(slurmdb_qos_rec_t, max_tres_mins_pj_ctld),
	  offsetof(slurmdb_assoc_rec_t, max_tres_mins_ctld), LIMIT_MINUTES, false, false },
	{ "MinTRES", offsetof(slurmdb_qos_rec_t, min_tres_pj_ctld), NOWHERE, LIMIT_LEAST, false,
	  false },
	{ "GrpTRES", offsetof(slurmdb_qos_rec_t, grp_tres_ctld),
	  offsetof(slurmdb_assoc_rec_t, grp_tres_ctld), LIMIT_SUM, true, true },
	{ "GrpTRESMins", offsetof(slurmdb_qos_rec_t, grp_tres_mins_ctld),
	  offsetof(slurmdb_assoc_rec_t, grp_tres_mins_ctld), LIMIT_SHARED, true, false },
	{ "GrpTRESRunMins", offsetof(slurmdb_qos_rec_t, grp_tres_run_mins_ctld),
	  offsetof(slurmdb_assoc_rec_t, grp_tres_run_mins_ctld), LIMIT_SHARED, true, false },
	{ "MaxTRESPerAccount", offsetof(slurmdb_qos_rec_t, max_tres_pa_ctld), NOWHERE, LIMIT_SUM,
	  false, false },
	{ "MaxTRESPerUser", offsetof(slurmdb_qos_rec_t, max_tres_pu_ctld), NOWHERE, LIMIT_SUM,
	  false, false },
#if QOS_RUN_MINUTES
	{ "MaxTRESRunMinsPerAccount", offsetof(slurmdb_qos_rec_t, max_tres_run_mins_pa_ctld),
	  NOWHERE, LIMIT_SHARED, false, false },
	{ "MaxTRESRunMinsPerUser", offsetof(slurmdb_qos_rec_t, max_tres_run_mins_pu_ctld), NOWHERE,
	  LIMIT_SHARED, false, false },
#endif
};

#define NCOUNTS (sizeof(counts) / sizeof(counts[0]))
#define NTRES (sizeof(tres_limits) / sizeof(tres_limits[0]))

/* One look at a job's limits. */
struct check {
	const struct limits_job *job;
	const slurmdb_qos_rec_t *qos[2]; /* in the order in which they count */
	double limit_factor;		 /* of limits of associations; 1: none */
	double usage_factor;		 /* of run time */
	uint64_t *least, *most; /* of each TRES that the job may get; NULL: not yet known */
	int64_t *longest;
	char *why;
	size_t why_size;
};

static bool is_set(uint32_t limit)
{
	return limit != INFINITE && limit != NO_VAL;
}

static bool is_set64(uint64_t limit)
{
	return limit != INFINITE64 && limit != NO_VAL64;
}

/* From one source to the next, in Slurm's order.  RET false: that was the last. */
static bool next_source(const struct check *c, size_t *step, struct source *s)
{
	for (; *step < 2; (*step)++)
		if (c->qos[*step]) {
			*s = (struct source){ .qos = c->qos[(*step)++] };
			return true;
		}
	if (*step == 2) {
		*s = (struct source){ .assoc = c->job->assoc };
		(*step)++;
		return s->assoc;
	}
	s->assoc = s->assoc && s->assoc->usage ? s->assoc->usage->parent_assoc_ptr : NULL;
	s->above = true;
	return s->assoc;
}

static void say_source(const struct check *c, const struct source *s, char *out, size_t size)
{
	/* Its limits are told as Slurm has counted them out, not in the percents that were set. */
	const char *relative = s->qos && s->qos->flags & QOS_FLAG_RELATIVE ? " (Relative)" : "";

	if (s->assoc && s->assoc->user)
		snprintf(out, size, "user %s in account %s", s->assoc->user, s->assoc->acct);
	else if (s->assoc)
		snprintf(out, size, "account %s", s->assoc->acct ? s->assoc->acct : "root");
	else if (s->qos == c->job->qos)
		snprintf(out, size, "QOS %s%s", s->qos->name, relative);
	else
		snprintf(out, size, "QOS %s%s of partition %s", s->qos->name, relative,
			 c->job->part->name);
}

static enum limits_answer over(struct check *c, const struct source *s, const char *limit,
			       const char *asks)
{
	char from[80];

	say_source(c, s, from, sizeof(from));
	snprintf(c->why, c->why_size, "over limit %s of %s: the job %s", limit, from, asks);
	return LIMITS_OVER;
}

static enum limits_answer shared(struct check *c, const struct source *s, const char *limit)
{
	char from[80];

	say_source(c, s, from, sizeof(from));
	snprintf(c->why, c->why_size, "limit %s of %s may keep it waiting", limit, from);
	return LIMITS_SHARED;
}

/* ---- numbers and run time ---- */

static enum limits_answer check_count(struct check *c, const struct count_limit *kind)
{
	struct source s = { 0 };
	size_t step = 0;
	char text[64];

	if (kind->time && c->job->lifted && c->job->lifted->time == ADMIN_SET_LIMIT)
		return LIMITS_NONE;
	while (next_source(c, &step, &s)) {
		size_t at = s.qos ? kind->qos : kind->assoc;
		const char *base = s.qos ? (const char *)s.qos : (const char *)s.assoc;
		uint32_t value;

		if (at == NOWHERE || (s.above && !kind->group))
			continue;
		memcpy(&value, base + at, sizeof(value));
		if (!is_set(value))
			continue;
		snprintf(text, sizeof(text), "%s=%u", kind->name, value);
		return shared(c, &s, text);
	}
	return LIMITS_NONE;
}

/*
 * Slurm looks at the limit that the record has, before it is shortened for the
 * start; a job that names none gets MaxWall as its limit.
 */
static enum limits_answer check_wall(struct check *c)
{
	const struct description *what = c->job->what;
	struct source s = { 0 };
	size_t step = 0;
	char text[64], asks[64];

	if (c->job->lifted && c->job->lifted->time == ADMIN_SET_LIMIT)
		return LIMITS_NONE;
	while (next_source(c, &step, &s)) {
		uint32_t wall = s.qos ? s.qos->max_wall_pj : s.assoc->max_wall_pj;
		double minutes = what->limit_given ? (double)what->limit / 60 : wall;

		if (s.above || !is_set(wall))
			continue;
		if (*c->longest > (int64_t)wall * 60)
			*c->longest = (int64_t)wall * 60;
		if (minutes * c->usage_factor < (double)wall + 1 && c->job->least <= *c->longest)
			return LIMITS_NONE;
		snprintf(text, sizeof(text), "MaxWall=%u (minutes)", wall);
		if (what->limit_given && what->limit >= PACT_FOREVER)
			snprintf(asks, sizeof(asks), "has no limit");
		else
			snprintf(asks, sizeof(asks), "asks for %" PRId64,
				 (what->limit_given ? what->limit : c->job->least) / 60);
		return over(c, &s, text, asks);
	}
	return LIMITS_NONE;
}

/* ---- size ---- */

/* What a job on so many whole nodes may get of each TRES; generic resources are not planned: any number. */
static void measure(struct check *c, int32_t nodes)
{
	const struct description *what = c->job->what;
	const struct region_size *size = &what->size;
	bool counted = slurm_conf.select_type_param & CR_MEMORY;
	uint64_t width = nodes > 0 ? nodes : 1;

	c->least = xcalloc(2 * (size_t)slurmctld_tres_cnt, sizeof(*c->least));
	c->most = c->least + slurmctld_tres_cnt;
	c->least[TRES_ARRAY_CPU] = width * size->least_cpus;
	c->most[TRES_ARRAY_CPU] = width * size->most_cpus;
	c->least[TRES_ARRAY_MEM] = counted ? width * what->least_memory : 0;
	c->most[TRES_ARRAY_MEM] = width * what->most_memory;
	c->least[TRES_ARRAY_NODE] = c->most[TRES_ARRAY_NODE] = width;
	for (int i = TRES_ARRAY_TOTAL_CNT; i < slurmctld_tres_cnt; i++)
		if (size->gres && !xstrcasecmp(assoc_mgr_tres_array[i]->type, "gres"))
			c->most[i] = UINT32_MAX;
	c->least[TRES_ARRAY_BILLING] = assoc_mgr_tres_weighted(
		c->least, c->job->part->billing_weights, slurm_conf.priority_flags, true);
	c->most[TRES_ARRAY_BILLING] = assoc_mgr_tres_weighted(
		c->most, c->job->part->billing_weights, slurm_conf.priority_flags, true);
}

/* One TRES's limit from one source; INFINITE64: none. */
static uint64_t tres_value(const struct check *c, const struct tres_limit *kind,
			   const struct source *s, int i)
{
	size_t at = s->qos ? kind->qos : kind->assoc;
	const char *base = s->qos ? (const char *)s->qos : (const char *)s->assoc;
	const uint64_t *values;

	if (at == NOWHERE || (s->above && !kind->group))
		return INFINITE64;
	memcpy(&values, base + at, sizeof(values));
	if (!values || !is_set64(values[i]))
		return INFINITE64;
	if (s->assoc && kind->factored)
		return (uint64_t)((double)values[i] * c->limit_factor);
	return values[i];
}

/* Minutes times TRES: a run time that may be shortened is, as far as it has to be. */
static bool minutes_fit(struct check *c, uint64_t value, uint64_t each)
{
	double allowed;

	if (!each || c->usage_factor <= 0)
		return true;
	allowed = (double)value / (double)each / c->usage_factor;
	if (allowed < (double)(*c->longest / 60))
		*c->longest = (int64_t)allowed * 60;
	return c->job->least <= *c->longest;
}

static enum limits_answer compare(struct check *c, const struct tres_limit *kind,
				  const struct source *s, int i, uint64_t value)
{
	const char *tres = assoc_mgr_tres_name_array[i];
	uint64_t width = c->most[TRES_ARRAY_NODE];
	uint64_t has = kind->kind == LIMIT_LEAST  ? c->least[i]
		       : kind->kind == LIMIT_NODE ? c->most[i] / width
						  : c->most[i];
	char text[128], asks[96];
	bool fits;

	snprintf(text, sizeof(text), "%s=%s=%" PRIu64, kind->name, tres, value);
	if (kind->kind == LIMIT_SHARED || kind->kind == LIMIT_SUM)
		return has ? shared(c, s, text) : LIMITS_NONE;
	if (kind->kind == LIMIT_MINUTES) {
		fits = minutes_fit(c, value, has);
		snprintf(asks, sizeof(asks), "may use %" PRIu64 " for %" PRId64 " minute%s", has,
			 c->job->least / 60, c->job->least / 60 == 1 ? "" : "s");
	} else {
		fits = kind->kind == LIMIT_LEAST ? has >= value : has <= value;
		snprintf(asks, sizeof(asks),
			 has == UINT32_MAX	     ? "gets all of a node"
			 : kind->kind == LIMIT_LEAST ? "may get %" PRIu64 " only"
						     : "may get %" PRIu64,
			 has);
	}
	return fits ? LIMITS_NONE : over(c, s, text, asks);
}

/* One TRES's limit from the first source that sets it; INFINITE64: none does, or an operator has lifted it. */
static uint64_t find_value(const struct check *c, const struct tres_limit *kind, int i,
			   struct source *s)
{
	uint64_t value = INFINITE64;
	size_t step = 0;

	*s = (struct source){ 0 };
	if (c->job->lifted && c->job->lifted->tres && c->job->lifted->tres[i] == ADMIN_SET_LIMIT)
		return value;
	while (value == INFINITE64 && next_source(c, &step, s))
		value = tres_value(c, kind, s, i);
	return value;
}

static enum limits_answer check_tres(struct check *c, const struct tres_limit *kind)
{
	enum limits_answer answer = LIMITS_NONE;

	for (int i = 0; !answer && i < slurmctld_tres_cnt; i++) {
		struct source s;
		uint64_t value = find_value(c, kind, i, &s);

		if (value == INFINITE64)
			continue;
		if (!c->most)
			measure(c, c->job->what->width);
		answer = compare(c, kind, &s, i, value);
	}
	return answer;
}

/* ---- all of them ---- */

static void qos_order(struct check *c)
{
	const slurmdb_qos_rec_t *job = c->job->qos, *part = c->job->part->qos_ptr;
	bool job_first = !part || (job && job->flags & QOS_FLAG_OVER_PART_QOS);

	c->qos[0] = job_first ? job : part;
	c->qos[1] = job_first ? part : job;
	if (c->qos[0] == c->qos[1])
		c->qos[1] = NULL;
	c->limit_factor = c->usage_factor = 1;
	for (int i = 1; i >= 0; i--)
		if (c->qos[i] && !fuzzy_equal(c->qos[i]->limit_factor, INFINITE) &&
		    c->qos[i]->limit_factor > 0)
			c->limit_factor = c->qos[i]->limit_factor;
	if (job && job->flags & QOS_FLAG_USAGE_FACTOR_SAFE && job->usage_factor >= 0)
		c->usage_factor = job->usage_factor;
}

/* Only with fair share, and then any job of the user's moves it. */
static enum limits_answer check_threshold(struct check *c)
{
	const slurmdb_qos_rec_t *qos = c->job->qos;

	if (!qos || !(qos->flags & QOS_FLAG_ENFORCE_USAGE_THRES) ||
	    fuzzy_equal(qos->usage_thres, NO_VAL))
		return LIMITS_NONE;
	return shared(c, &(struct source){ .qos = qos }, "UsageThreshold");
}

/* Percents that were set since Slurm last looked at its partitions count as numbers until it does so again. */
static enum limits_answer check_relative(struct check *c)
{
	for (int i = 0; i < 2; i++)
		if (c->qos[i] && c->qos[i]->flags & QOS_FLAG_RELATIVE &&
		    !(c->qos[i]->flags & QOS_FLAG_RELATIVE_SET))
			return shared(c, &(struct source){ .qos = c->qos[i] },
				      "in percent, which Slurm has not counted out yet,");
	return LIMITS_NONE;
}

enum limits_answer limits_check(const struct limits_job *job, int64_t *longest, char *why,
				size_t why_size)
{
	struct check c = { .job = job, .longest = longest, .why = why, .why_size = why_size };
	enum limits_answer answer = LIMITS_NONE;

	qos_order(&c);
	if (accounting_enforce & ACCOUNTING_ENFORCE_LIMITS) {
		answer = check_relative(&c);
		if (!answer)
			answer = check_wall(&c);
		for (size_t i = 0; !answer && i < NTRES; i++)
			answer = check_tres(&c, &tres_limits[i]);
		for (size_t i = 0; !answer && i < NCOUNTS; i++)
			answer = check_count(&c, &counts[i]);
	}
	if (!answer)
		answer = check_threshold(&c);
	xfree(c.least);
	return answer;
}

/* ---- how many nodes of a range ---- */

/*
 * Nothing beside the job makes it more; what of minutes its own limit comes to is so also where its start shortens that.
 * IN of - what it gets of each TRES
 */
static bool is_bound(const struct check *c, const struct tres_limit *kind, int i,
		     const uint64_t *of)
{
	struct source s;
	uint64_t value = find_value(c, kind, i, &s);
	double has = (double)of[i];

	if (value == INFINITE64)
		return false;
	if (kind->kind == LIMIT_MINUTES)
		has *= (double)c->job->what->limit / 60 * c->usage_factor;
	return (kind->kind == LIMIT_JOB || kind->kind == LIMIT_SUM ||
		kind->kind == LIMIT_MINUTES) &&
	       has > (double)value;
}

/* What it gets if its nodes are the largest of those that it may get, or the smallest. */
enum sizes { LARGEST, SMALLEST };

/* Generic resources aside: a job that gets any is not resized. */
static bool may_have(const struct limits_job *job, int32_t nodes, enum sizes sizes)
{
	struct check c = { .job = job };
	const uint64_t *of;
	bool may = true;

	qos_order(&c);
	measure(&c, nodes);
	of = sizes == LARGEST ? c.most : c.least;
	for (size_t k = 0; may && k < NTRES; k++)
		for (int i = 0; may && i < slurmctld_tres_cnt && i < TRES_ARRAY_TOTAL_CNT; i++)
			may = !is_bound(&c, &tres_limits[k], i, of);
	xfree(c.least);
	return may;
}

int32_t limits_most(const struct limits_job *job, int32_t most)
{
	int32_t low = job->what->width, high = most;

	if (!(accounting_enforce & ACCOUNTING_ENFORCE_LIMITS) || may_have(job, most, LARGEST))
		return most;
	/* its fewest may be too many on some nodes, and are on no others; more than these may be too many wherever it is */
	if (!may_have(job, low, LARGEST))
		return may_have(job, low, SMALLEST) ? low : most;
	while (high - low > 1) {
		int32_t middle = low + (high - low) / 2;

		if (may_have(job, middle, LARGEST))
			low = middle;
		else
			high = middle;
	}
	return low;
}
