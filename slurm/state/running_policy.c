/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * running_policy.c - sched/dynp's running policy: told in the log, kept over a restart
 */
#include "slurm/base/compat.h"

#include <errno.h>
#include <math.h>

#include "slurm/state/bridge.h"
#include "slurm/state/running_policy.h"
#include "slurm/base/scheduler.h"
#include "slurm/base/state_file.h"

#define NONE DYNP_ORDERS
/* The file's first word: its format, with the format's version. */
#define FORMAT_NAME "pact-policy-"
#define FORMAT_VERSION 1
#define FORMAT FORMAT_NAME "1"

/* With the bridge's mutex. */
static struct dynp_view past; /* counted by cores that are gone */
static enum dynp_order running = NONE;

/* Of the thread that plans. */
static bool loaded, complained;
static bool newer; /* the file is a newer Pact's: it is left alone */
static enum dynp_order settled = NONE, saved = NONE;

/* ---- the file ---- */

void running_policy_forget(void)
{
	loaded = newer = false;
	settled = saved = NONE;
}

/* RET the policy of "pact-policy-1 NAME" and a line's end, or -1: of what is damaged nothing is believed */
static int parse(const char *text, size_t n)
{
	const size_t before = strlen(FORMAT " ");
	char name[32];

	if (n <= before + 1 || n - before > sizeof(name) || memcmp(text, FORMAT " ", before) ||
	    text[n - 1] != '\n')
		return -1;
	n -= before + 1;
	memcpy(name, text + before, n);
	name[n] = '\0';
	return strlen(name) == n ? dynp_order_by_name(name) : -1;
}

/* Does it begin with "pact-policy-N ", N a higher version? */
static bool is_newer(const char *text, size_t n)
{
	const size_t before = strlen(FORMAT_NAME);
	long version = 0;
	size_t at = before;

	if (n <= before || memcmp(text, FORMAT_NAME, before))
		return false;
	for (; at < n && text[at] >= '0' && text[at] <= '9' && version < 100000; at++)
		version = version * 10 + (text[at] - '0');
	return at < n && text[at] == ' ' && version > FORMAT_VERSION;
}

/*
 * RET the policy, or NONE: there is no such file, or not one of ours
 * OUT why - why not; NULL: there is none
 */
static enum dynp_order read_file(const char **why)
{
	char text[64];
	ssize_t n = state_file_read(RUNNING_POLICY_FILE, text, sizeof(text));
	int order = -1;

	*why = NULL;
	if (n < 0 && errno == ENOENT)
		return NONE;
	if (n < 0)
		*why = strerror(errno);
	else
		order = parse(text, (size_t)n);
	newer = order < 0 && n > 0 && is_newer(text, (size_t)n);
	if (n >= 0 && order < 0)
		*why = newer ? "made by a newer Pact, and left alone" : "not understood";
	return order < 0 ? NONE : (enum dynp_order)order;
}

/* A scheduler that this process loads again still knows which policy ran before. */
static void load_failed(const char *why, enum dynp_order known)
{
	char name[PATH_MAX];

	state_file_name(RUNNING_POLICY_FILE, name, sizeof(name));
	if (known == NONE)
		error("%s: %s: %s: the first of Policies= runs", scheduler_type(), name, why);
	else
		error("%s: %s: %s: goes on with %s, which this process knows was running",
		      scheduler_type(), name, why, dynp_order_name(known));
}

void running_policy_load(struct bridge *b)
{
	enum dynp_order order, known;
	const char *why;

	if (loaded || !scheduler_is_dynp())
		return;
	loaded = true;
	order = read_file(&why);
	saved = order;
	pthread_mutex_lock(&b->lock);
	known = running;
	if (order != NONE)
		running = order;
	pthread_mutex_unlock(&b->lock);
	if (why)
		load_failed(why, known);
	else if (order != NONE)
		info("%s: goes on with %s, the policy that was running", scheduler_type(),
		     dynp_order_name(order));
}

void running_policy_save(void)
{
	char name[PATH_MAX], text[64];
	int err;

	if (newer || settled == NONE || settled == saved)
		return;
	snprintf(text, sizeof(text), FORMAT " %s\n", dynp_order_name(settled));
	err = state_file_write(RUNNING_POLICY_FILE, text);
	state_file_name(RUNNING_POLICY_FILE, name, sizeof(name));
	if (!err)
		saved = settled;
	else if (err > 0 && !complained)
		error("%s: %s: %s: after a restart another policy may run", scheduler_type(), name,
		      strerror(err));
	complained = err > 0;
}

/* ---- counters ---- */

static void add(struct dynp_view *to, const struct dynp_view *v)
{
	to->steps += v->steps;
	to->many += v->many;
	to->kept += v->kept;
	to->blocked += v->blocked;
	to->differed += v->differed;
	to->backlog += v->backlog;
	for (int i = 0; i < DYNP_ORDERS; i++) {
		to->switches[i] += v->switches[i];
		to->started[i] += v->started[i];
	}
	for (int i = 0; i < DYNP_CASES; i++)
		to->cases[i] += v->cases[i];
}

void running_policy_part(struct bridge *b)
{
	struct dynp_view v;

	if (b->core && !sched_dynp_view(b->core, &v))
		add(&past, &v);
}

void running_policy_look(struct bridge *b, struct running_policy_view *out)
{
	memset(out, 0, sizeof(*out));
	if (!b->core || sched_dynp_view(b->core, &out->now))
		return;
	out->there = true;
	out->config = b->conf->sched.dynp;
	add(&out->now, &past);
}

static void visit_all(struct dynp_view *v, running_policy_visit *visit, void *arg)
{
	char name[64];

	visit(arg, "dynp: steps", &v->steps);
	visit(arg, "dynp: many", &v->many);
	visit(arg, "dynp: kept", &v->kept);
	visit(arg, "dynp: blocked", &v->blocked);
	visit(arg, "dynp: differed", &v->differed);
	visit(arg, "dynp: backlog", &v->backlog);
	for (int i = 0; i < DYNP_ORDERS; i++) {
		snprintf(name, sizeof(name), "dynp: switches to %s",
			 dynp_order_name((enum dynp_order)i));
		visit(arg, name, &v->switches[i]);
		snprintf(name, sizeof(name), "dynp: started under %s",
			 dynp_order_name((enum dynp_order)i));
		visit(arg, name, &v->started[i]);
	}
	for (int i = 0; i < DYNP_CASES; i++) {
		snprintf(name, sizeof(name), "dynp: case %s", dynp_case_name(i));
		visit(arg, name, &v->cases[i]);
	}
}

void running_policy_tell(struct bridge *b, running_policy_visit *visit, void *arg)
{
	struct dynp_view v;

	if (!b->core || sched_dynp_view(b->core, &v))
		memset(&v, 0, sizeof(v));
	add(&v, &past);
	visit_all(&v, visit, arg);
}

void running_policy_add(running_policy_visit *visit, void *arg)
{
	visit_all(&past, visit, arg);
}

/* ---- which one runs ---- */

static bool listed(const struct bridge *b, enum dynp_order order)
{
	for (uint32_t i = 0; i < b->conf->sched.dynp.npolicies; i++)
		if (b->conf->sched.dynp.policy[i] == order)
			return true;
	return false;
}

bool running_policy_resume(struct bridge *b, enum dynp_order *order)
{
	if (!scheduler_is_dynp() || !b->core || running == NONE)
		return false;
	*order = running;
	if (listed(b, running))
		return true;
	info("%s: %s was running and is not in Policies= any more: %s runs", scheduler_type(),
	     dynp_order_name(running), dynp_order_name(b->conf->sched.dynp.policy[0]));
	return false;
}

void running_policy_configured(struct bridge *b)
{
	struct dynp_view v;

	if (!b->core || sched_dynp_view(b->core, &v))
		return;
	if (running != NONE && v.running != running)
		info("%s: %s was running and is not in Policies= any more: %s runs",
		     scheduler_type(), dynp_order_name(running), dynp_order_name(v.running));
	running = v.running;
}

void running_policy_note(struct bridge *b)
{
	struct dynp_view v;

	if (!b->core || sched_dynp_view(b->core, &v))
		return;
	running = settled = v.running;
}

/* ---- why ---- */

void running_policy_measure(const struct dynp_config *c, char *out, size_t size)
{
	size_t used = 0;

	out[0] = '\0';
	for (int m = 0; m < DYNP_METRICS && used < size; m++) {
		if (!c->weight[m])
			continue;
		used += (size_t)snprintf(out + used, size - used, "%s%s", used ? "+" : "",
					 dynp_metric_name((enum dynp_metric)m));
		if (c->weight[m] != 1 && used < size)
			used += (size_t)snprintf(out + used, size - used, ":%" PRId32,
						 c->weight[m]);
	}
}

/* "fcfs 5120.0, sjf 4800.5, ljf breaks a promise" */
static void write_qualities(const struct dynp_config *c, const struct dynp_view *v, char *out,
			    size_t size)
{
	size_t used = 0;

	out[0] = '\0';
	for (uint32_t i = 0; i < c->npolicies && used < size; i++) {
		enum dynp_order order = c->policy[i];

		if (!v->compared[order])
			continue;
		used += (size_t)snprintf(out + used, size - used, "%s%s ", used ? ", " : "",
					 dynp_order_name(order));
		if (used >= size)
			break;
		if (!v->eligible[order])
			used += (size_t)snprintf(out + used, size - used, "breaks a promise");
		else if (isfinite(v->quality[order]))
			used += (size_t)snprintf(out + used, size - used, "%.6g",
						 v->quality[order]);
		else
			used += (size_t)snprintf(out + used, size - used, "plans nothing");
	}
}

/* dynP, section 3.1: what the mean estimate of the waiting jobs has to be. */
static void write_bounds(const struct dynp_config *c, enum dynp_order to, char *out, size_t size)
{
	if (to == DYNP_SJF)
		snprintf(out, size, "the mean limit of the waiting jobs is at most %" PRId64 " s",
			 c->lower_bound);
	else if (to == DYNP_LJF)
		snprintf(out, size, "the mean limit of the waiting jobs is above %" PRId64 " s",
			 c->upper_bound);
	else
		snprintf(out, size,
			 "the mean limit of the waiting jobs is above %" PRId64
			 " s and at most %" PRId64 " s",
			 c->lower_bound, c->upper_bound);
}

void running_policy_switched(struct bridge *b, const struct sched_action *action)
{
	const struct dynp_config *c = &b->conf->sched.dynp;
	char measure[96], why[256], by[48] = "";
	struct dynp_view v;

	running = action->to;
	if (!b->core || sched_dynp_view(b->core, &v))
		return;
	if (c->decider == DYNP_BASIC) {
		write_bounds(c, action->to, why, sizeof(why));
		info("%s: switches from %s to %s: %s (Decider=basic)", scheduler_type(),
		     dynp_order_name(action->from), dynp_order_name(action->to), why);
		return;
	}
	running_policy_measure(c, measure, sizeof(measure));
	write_qualities(c, &v, why, sizeof(why));
	if (action->row >= 0)
		snprintf(by, sizeof(by), ", case %s of Table 1", dynp_case_name(action->row));
	info("%s: switches from %s to %s: %s of the plans, less is better: %s (Decider=%s%s)",
	     scheduler_type(), dynp_order_name(action->from), dynp_order_name(action->to), measure,
	     why, dynp_decider_name(c->decider), by);
}
