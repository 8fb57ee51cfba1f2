/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * query_desc.c - a question's arguments as the job description that sbatch would send
 *
 * Slurm's own parsers read these texts, some of which trust their input: what
 * they get here is short and made of the characters that belong in it.
 */
#include "slurm/base/compat.h"

#include <ctype.h>

#include "slurm/queries/query_desc.h"
#include "slurm/records/malleable.h"

/* The most of any count; what is larger is no cluster's. */
#define COUNT_MAX 1000000
#define MINUTES_MAX (INT64_C(100) * 366 * 24 * 60)

static bool wrong(struct query *q, const char *key, const char *what)
{
	snprintf(q->why, sizeof(q->why), "%s: %s", key, what);
	return false;
}

/* The same of a text, the beginning of which is told; the client makes it harmless. */
static bool wrong_text(struct query *q, const char *key, const char *text, const char *what)
{
	snprintf(q->why, sizeof(q->why), "%s=%.40s: %s", key, text, what);
	return false;
}

/* No run of digits is longer than any number that is meant. */
static bool short_numbers(const char *text)
{
	int run = 0;

	for (; *text; text++) {
		run = isdigit((unsigned char)*text) ? run + 1 : 0;
		if (run > 10)
			return false;
	}
	return true;
}

/* Minutes, as --time takes them. */
static bool arg_minutes(struct query *q, const char *key, uint32_t *out)
{
	const char *text = NULL;
	int minutes;

	if (!wire_arg_text(q->args, key, QUERY_TIME_MAX, &text, q->why))
		return false;
	if (!text)
		return true;
	if (!isdigit((unsigned char)text[0]) || strspn(text, "0123456789:-") != strlen(text) ||
	    !short_numbers(text))
		return wrong_text(q, key, text, "must be a time limit, such as 30 or 1-12:00:00");
	minutes = time_str2mins(text);
	if (minutes <= 0 || minutes > MINUTES_MAX)
		return wrong_text(q, key, text, "must be a time limit of at least a minute");
	*out = (uint32_t)minutes;
	return true;
}

/* A moment: seconds since the epoch, or as --begin takes it. */
bool query_arg_moment(struct query *q, const char *key, time_t *out)
{
	json_object *member = NULL;
	const char *text = NULL;
	int64_t when = 0;

	if (q->args && json_object_object_get_ex(q->args, key, &member) &&
	    json_object_is_type(member, json_type_int)) {
		if (!wire_arg_number(q->args, key, 1, INT32_MAX, &when, q->why))
			return false;
		*out = (time_t)when;
		return true;
	}
	if (!wire_arg_text(q->args, key, QUERY_TIME_MAX, &text, q->why))
		return false;
	if (!text)
		return true;
	if (!isalnum((unsigned char)text[0]) || !short_numbers(text) ||
	    strspn(text, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ:+-/.") !=
		    strlen(text))
		return wrong_text(q, key, text, "must be a time, such as 18:00 or now+2hours");
	*out = parse_time(text, 0);
	if (*out <= 0)
		return wrong_text(q, key, text, "must be a time, such as 18:00 or now+2hours");
	return true;
}

static bool arg_count(struct query *q, const char *key, int64_t max, int64_t *out)
{
	return wire_arg_number(q->args, key, 1, max, out, q->why);
}

/* A text of printable characters. */
static bool arg_text(struct query *q, const char *key, char **out)
{
	const char *text = NULL;

	if (!wire_arg_text(q->args, key, QUERY_TEXT_MAX, &text, q->why))
		return false;
	if (!text || !text[0])
		return true;
	for (const char *at = text; *at; at++)
		if (!isgraph((unsigned char)*at))
			return wrong_text(q, key, text, "no blanks or control characters, please");
	*out = xstrdup(text);
	return true;
}

/* Names of nodes: bounded before anybody expands them. */
static bool arg_hosts(struct query *q, const char *key, uint32_t nodes, char **out)
{
	const char *text = NULL;
	int depth = 0, groups = 0, count;
	hostlist_t *list;

	if (!wire_arg_text(q->args, key, QUERY_HOSTS_MAX, &text, q->why))
		return false;
	if (!text || !text[0])
		return true;
	for (const char *at = text; *at; at++) {
		depth += (*at == '[') - (*at == ']');
		groups = *at == ',' && !depth ? 0 : groups + (*at == '[');
		if (depth < 0 || depth > 1 || groups > 1 ||
		    (!isalnum((unsigned char)*at) && !strchr("[],-._", *at)))
			return wrong_text(q, key, text,
					  "must be a list of nodes, such as n1,n[4-7]");
	}
	if (depth || !short_numbers(text))
		return wrong_text(q, key, text, "must be a list of nodes, such as n1,n[4-7]");
	list = hostlist_create(text);
	count = list ? hostlist_count(list) : -1;
	if (list)
		hostlist_destroy(list);
	if (count < 1 || (uint32_t)count > nodes)
		return wrong_text(q, key, text, "must be a list of no more nodes than there are");
	*out = xstrdup(text);
	return true;
}

/* Tasks and their processors, as sbatch derives them. */
static void fill_tasks(job_desc_msg_t *desc, int64_t nodes, int64_t tasks, int64_t cpus)
{
	int64_t n = tasks ? tasks : nodes ? nodes : 1;

	if (tasks)
		desc->num_tasks = (uint32_t)tasks;
	if (cpus)
		desc->cpus_per_task = (uint16_t)cpus;
	desc->min_cpus = (uint32_t)(n * (cpus ? cpus : 1));
	if (desc->pn_min_cpus == NO_VAL16 && cpus)
		desc->pn_min_cpus = (uint16_t)cpus;
}

static bool fill_size(struct query *q, job_desc_msg_t *desc)
{
	int64_t nodes = 0, most = 0, tasks = 0, cpus = 0, per_node = 0, mem = 0;
	bool exclusive = false;

	if (!arg_count(q, "nodes", COUNT_MAX, &nodes) ||
	    !arg_count(q, "max_nodes", COUNT_MAX, &most) ||
	    !arg_count(q, "tasks", COUNT_MAX, &tasks) ||
	    !arg_count(q, "cpus_per_task", 1000, &cpus) ||
	    !arg_count(q, "tasks_per_node", 1000, &per_node) ||
	    !arg_count(q, "mem", INT64_C(1) << 40, &mem) ||
	    !wire_arg_bool(q->args, "exclusive", &exclusive, q->why))
		return false;
	if (most && most < nodes)
		return wrong(q, "max_nodes", "must not be less than nodes");
	/* As sbatch has it: no node without a task. */
	if (tasks && nodes > tasks && (!most || most == nodes))
		nodes = most = tasks;
	desc->min_nodes = nodes ? (uint32_t)nodes : 1;
	if (nodes || most)
		desc->max_nodes = (uint32_t)(most ? most : nodes);
	if (per_node)
		desc->ntasks_per_node = (uint16_t)per_node;
	if (mem)
		desc->pn_min_memory = (uint64_t)mem;
	if (exclusive)
		desc->shared = 0;
	fill_tasks(desc, nodes, tasks ? tasks : per_node * (nodes ? nodes : 1), cpus);
	return true;
}

/* What spank_pact would give it, checked as of a submission.  An empty --malleable is one, too. */
static bool arg_malleable(struct query *q, job_desc_msg_t *desc)
{
	const char *malleable = NULL, *value = NULL;
	char why[256];

	if (!wire_arg_text(q->args, "malleable", QUERY_TEXT_MAX, &malleable, q->why) ||
	    !wire_arg_text(q->args, "value", QUERY_TEXT_MAX, &value, q->why))
		return false;
	malleable_pretend(desc, malleable, value);
	if (malleable_check(desc, why, sizeof(why)))
		return true;
	snprintf(q->why, sizeof(q->why), "%s", why);
	return false;
}

bool query_desc(struct query *q, uint32_t nodes, job_desc_msg_t *desc)
{
	static const char *const keys[] = {
		"nodes",     "max_nodes",  "tasks",	 "cpus_per_task", "tasks_per_node",
		"mem",	     "exclusive",  "time",	 "time_min",	  "begin",
		"deadline",  "partition",  "constraint", "exclude",	  "nodelist",
		"account",   "qos",	   "dependency", "array",	  "wckey",
		"mcs_label", "acctg_freq", "malleable",	 "value",	  NULL
	};

	slurm_init_job_desc_msg(desc);
	desc->user_id = q->uid;
	/* What it leaves out. */
	desc->het_job_offset = NO_VAL;
	return wire_args_known(q->args, keys, q->why) && fill_size(q, desc) &&
	       arg_minutes(q, "time", &desc->time_limit) &&
	       arg_minutes(q, "time_min", &desc->time_min) &&
	       query_arg_moment(q, "begin", &desc->begin_time) &&
	       query_arg_moment(q, "deadline", &desc->deadline) &&
	       arg_text(q, "partition", &desc->partition) &&
	       arg_text(q, "constraint", &desc->features) &&
	       arg_hosts(q, "exclude", nodes, &desc->exc_nodes) &&
	       arg_hosts(q, "nodelist", nodes, &desc->req_nodes) &&
	       arg_text(q, "account", &desc->account) && arg_text(q, "qos", &desc->qos) &&
	       arg_text(q, "dependency", &desc->dependency) &&
	       arg_text(q, "array", &desc->array_inx) && arg_text(q, "wckey", &desc->wckey) &&
	       arg_text(q, "mcs_label", &desc->mcs_label) &&
	       arg_text(q, "acctg_freq", &desc->acctg_freq) && arg_malleable(q, desc);
}

void query_desc_free(job_desc_msg_t *desc)
{
	xfree(desc->partition);
	xfree(desc->features);
	xfree(desc->exc_nodes);
	xfree(desc->req_nodes);
	xfree(desc->account);
	xfree(desc->qos);
	xfree(desc->dependency);
	xfree(desc->array_inx);
	xfree(desc->wckey);
	xfree(desc->mcs_label);
	xfree(desc->acctg_freq);
	xfree(desc->admin_comment);
	malleable_pretend(desc, NULL, NULL);
}
