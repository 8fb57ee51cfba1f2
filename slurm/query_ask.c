/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * query_ask.c - could this be promised, and what could?
 *
 * The question is decided as the submission would be (admit_ask).  What would
 * help is not guessed: each alternative is asked, too, by bisection where there
 * are many.
 */
#include "slurm/compat.h"

#include "slurm/access.h"
#include "slurm/admit.h"
#include "slurm/meter.h"
#include "slurm/query_desc.h"
#include "slurm/query_row.h"

/* Questions of one bisection: a quarter of an hour of a day is found. */
#define PROBES 7
/* Other partitions that are tried. */
#define PARTS 8

struct question {
	struct query *q;
	job_desc_msg_t desc;
	struct access access;
	struct admit_answer answer;
	struct board *board;
	json_object *alternatives;
	int64_t until; /* no more questions after that, bridge_clock() */
	bool open;     /* no deadline was given: the earliest is wanted */
};

static void add_number(json_object *to, const char *key, int64_t value)
{
	json_object_object_add(to, key, json_object_new_int64(value));
}

/* The completion to be promised at the earliest, to be given to --deadline; 0: none. */
static int64_t earliest(const struct admit_answer *answer)
{
	int64_t end = message_round_offer(answer->decision.end);

	if (!answer->promised)
		return answer->decision.end;
	return end < answer->decision.deadline ? end : answer->decision.deadline;
}

static bool ask(struct question *x, struct admit_answer *out)
{
	if (bridge_clock() > x->until)
		return false;
	admit_ask(&x->desc, &x->access, out);
	return out->decided && !out->busy;
}

/* Is it what the user wants: the deadline kept, or an earlier end? */
static bool helps(const struct question *x, const struct admit_answer *other)
{
	int64_t mine = earliest(&x->answer), its = earliest(other);

	if (!x->open)
		return other->promised;
	return its && (!mine || its < mine);
}

static json_object *alternative(struct question *x, const char *change,
				const struct admit_answer *answer)
{
	json_object *to = json_object_new_object();

	json_object_object_add(to, "change", json_object_new_string(change));
	add_number(to, "nodes", answer->decision.width);
	add_number(to, "limit", answer->decision.limit);
	if (earliest(answer))
		add_number(to, "earliest", earliest(answer));
	json_object_array_add(x->alternatives, to);
	return to;
}

/* The most of a number below the one asked for that helps; tested. */
static bool bisect(struct question *x, uint32_t most,
		   bool (*set)(job_desc_msg_t *desc, uint32_t value), struct admit_answer *found)
{
	uint32_t low = 0, high = most;
	struct admit_answer answer;

	for (int i = 0; i < PROBES && high - low > 1; i++) {
		uint32_t mid = low + (high - low) / 2;

		if (!set(&x->desc, mid) || !ask(x, &answer))
			break;
		if (helps(x, &answer)) {
			low = mid;
			*found = answer;
		} else {
			high = mid;
		}
	}
	return low > 0;
}

static bool set_nodes(job_desc_msg_t *desc, uint32_t nodes)
{
	desc->min_nodes = desc->max_nodes = nodes;
	if (desc->num_tasks == NO_VAL)
		desc->min_cpus =
			nodes * (desc->cpus_per_task != NO_VAL16 ? desc->cpus_per_task : 1);
	return true;
}

static bool set_limit(job_desc_msg_t *desc, uint32_t minutes)
{
	desc->time_limit = minutes;
	return true;
}

/* Tasks that are given need their nodes: then fewer are no alternative. */
static void try_nodes(struct question *x)
{
	job_desc_msg_t saved = x->desc;
	struct admit_answer found;

	if (x->answer.decision.width > 1 && x->desc.num_tasks == NO_VAL && !x->desc.req_nodes &&
	    bisect(x, (uint32_t)x->answer.decision.width, set_nodes, &found))
		alternative(x, "nodes", &found);
	x->desc = saved;
}

static void try_limit(struct question *x)
{
	int64_t minutes = x->answer.decision.limit / 60;
	job_desc_msg_t saved = x->desc;
	struct admit_answer found;

	/* Whatever is shorter ends earlier: that is no news. */
	if (!x->open && minutes > 1 && minutes < UINT32_MAX && x->desc.time_min == NO_VAL &&
	    bisect(x, (uint32_t)minutes, set_limit, &found))
		alternative(x, "time", &found);
	x->desc = saved;
}

/* Is this one of the partitions asked for, or the one that was taken without? */
static bool asked_for(const struct question *x, const char *name)
{
	const char *names = x->answer.decision.partition;
	size_t len = strlen(name);

	for (const char *at = names; (at = strstr(at, name)); at += len)
		if ((at == names || at[-1] == ',') && (!at[len] || at[len] == ','))
			return true;
	return false;
}

static void try_parts(struct question *x, char *const *parts)
{
	char *saved = x->desc.partition;
	struct admit_answer answer;

	for (int i = 0, n = 0; parts && parts[i] && n < PARTS; i++) {
		if (asked_for(x, parts[i]))
			continue;
		n++;
		x->desc.partition = parts[i];
		if (ask(x, &answer) && helps(x, &answer))
			json_object_object_add(alternative(x, "partition", &answer), "partition",
					       json_object_new_string(parts[i]));
	}
	x->desc.partition = saved;
}

static void try_all(struct question *x)
{
	struct access parts;

	x->alternatives = json_object_new_array();
	json_object_object_add(x->q->answer, "alternatives", x->alternatives);
	if (!x->answer.decided || (x->answer.promised && !x->open))
		return;
	try_nodes(x);
	try_limit(x);
	/* Those that he may use; operators too want to see what a user could. */
	if (access_parts(&parts, x->q->uid))
		try_parts(x, parts.parts);
	access_close(&parts);
}

static void tell_critical(struct question *x)
{
	const struct ledger_decision *d = &x->answer.decision;
	json_object *to;

	if (x->answer.promised || !d->critical_late || x->open)
		return;
	to = json_object_new_object();
	json_object_object_add(to, "itself", json_object_new_boolean(d->itself));
	if (d->critical_late < PACT_FOREVER)
		add_number(to, "late", d->critical_late);
	if (d->critical.job_id && query_sees(x->board, &x->access, d->critical.job_id))
		add_number(to, "job", d->critical.job_id);
	json_object_object_add(x->q->answer, "critical", to);
}

static void tell(struct question *x)
{
	const struct ledger_decision *d = &x->answer.decision;
	json_object *to = x->q->answer;

	add_number(to, "now", time(NULL));
	json_object_object_add(to, "promised", json_object_new_boolean(x->answer.promised));
	json_object_object_add(to, "waits", json_object_new_boolean(x->answer.waits));
	if (!x->open)
		json_object_object_add(to, "text", json_object_new_string(d->text));
	if (!x->open && !x->answer.promised)
		json_object_object_add(to, "reason", json_object_new_string(d->why));
	if (!x->open)
		add_number(to, "deadline", d->deadline);
	add_number(to, "nodes", d->width);
	add_number(to, "limit", d->limit);
	add_number(to, "tasks", d->tasks);
	if (d->start)
		add_number(to, "start", d->start);
	if (earliest(&x->answer))
		add_number(to, "earliest", earliest(&x->answer));
	tell_critical(x);
}

/* Without a deadline: the earliest that could be promised, asked again as a deadline. */
static void ask_open(struct question *x)
{
	struct admit_answer first = x->answer;

	if (first.decided && !first.promised && earliest(&first)) {
		x->desc.deadline = (time_t)earliest(&first);
		if (ask(x, &x->answer) && x->answer.promised)
			return;
		x->answer = first;
	}
}

static const char *answer(struct question *x)
{
	if (!x->answer.decided && !x->answer.waits) {
		snprintf(x->q->why, sizeof(x->q->why), "%.200s", x->answer.decision.text);
		return x->answer.busy ? WIRE_BUSY : WIRE_ARGUMENT;
	}
	if (x->answer.busy) {
		snprintf(x->q->why, sizeof(x->q->why), "%.200s", x->answer.decision.text);
		return WIRE_BUSY;
	}
	/* What is not planned at all has no earliest: the reason is the answer. */
	if (x->open && x->answer.decided && !x->answer.promised) {
		ask_open(x);
		x->open = x->answer.promised || earliest(&x->answer);
	}
	tell(x);
	try_all(x);
	return NULL;
}

static const char *decide(struct question *x)
{
	x->open = !x->desc.deadline || x->desc.deadline == (time_t)NO_VAL;
	if (x->open)
		x->desc.deadline = time(NULL) + 1;
	admit_ask(&x->desc, &x->access, &x->answer);
	return answer(x);
}

const char *query_ask(struct query *q)
{
	struct question x = { .q = q, .board = board_get() };
	int64_t start = bridge_clock();
	const char *code = WIRE_BUSY;

	if (!x.board) {
		snprintf(q->why, sizeof(q->why), "there is no plan yet");
		return WIRE_BUSY;
	}
	x.until = start + 10 * bridge_get()->admission_us;
	if (!query_desc(q, x.board->snap->nodes, &x.desc)) {
		code = WIRE_ARGUMENT;
	} else if (!access_open(&x.access, q->uid)) {
		snprintf(q->why, sizeof(q->why), "out of memory");
	} else {
		code = decide(&x);
	}
	board_put(x.board);
	access_close(&x.access);
	query_desc_free(&x.desc);
	meter_add(METER_ASK, bridge_clock() - start);
	return code;
}
