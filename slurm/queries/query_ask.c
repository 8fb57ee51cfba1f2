/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * query_ask.c - could this be promised, and what could?
 *
 * The question is decided as the submission would be (admit_ask).  What would
 * help is not guessed: each alternative is asked, too, by bisection where there
 * are many, from the bound that the running jobs set.  That ends when
 * AdmissionTime has passed since the answer was known; what changes least is
 * asked first.
 */
#include "slurm/base/compat.h"

#include "slurm/snapshot/access.h"
#include "slurm/admission/admit.h"
#include "slurm/promise/depend.h"
#include "slurm/base/meter.h"
#include "slurm/base/names.h"
#include "slurm/queries/query_desc.h"
#include "slurm/queries/query_row.h"
#include "slurm/base/clock.h"
#include "slurm/records/malleable.h"
#include "slurm/admission/checks.h"

/* Questions of one bisection: a quarter of an hour of a day is found. */
#define PROBES 7
/* So many other partitions are tried, looked for among so many that the user may see. */
#define PARTS 8
#define PARTS_SEEN 32

struct question {
	struct query *q;
	job_desc_msg_t desc;
	struct access access;
	struct admit_answer answer;
	struct admit_answer soonest; /* what could be promised at the earliest; else as answer */
	struct admit_answer refused; /* of what an alternative has to be better than: its bounds */
	struct last_plan *last;
	json_object *alternatives;
	int64_t until; /* no alternatives after that, clock_us() */
	bool cut;      /* which has come: not all were tried */
	bool open;     /* no deadline was given: the earliest is wanted */
};

/* What a realm would let in without a promise is none. */
static bool is_promised(const struct admit_answer *answer)
{
	return answer->promised && !answer->decision.expected;
}

/* The completion to be promised at the earliest, to be given to --deadline; 0: none. */
static int64_t earliest(const struct admit_answer *answer)
{
	int64_t end = message_round_offer(answer->decision.end);

	if (!answer->promised)
		return answer->decision.end;
	return end < answer->decision.deadline ? end : answer->decision.deadline;
}

/* Could an alternative be promised?  RET false: no, or no time is left */
static bool probe(struct question *x, struct admit_answer *out)
{
	x->cut |= clock_us() > x->until;
	if (x->cut)
		return false;
	admit_ask(&x->desc, &x->access, true, out);
	x->cut |= out->busy; /* no answer is no refusal */
	return is_promised(out);
}

/*
 * An alternative, as x->desc has it, that was promised.  The completion that is told
 * may be another than the deadline that was asked for: then it is asked for itself.
 */
static json_object *alternative(struct question *x, const char *change,
				const struct admit_answer *found)
{
	json_object *to = json_object_new_object();
	time_t deadline = x->desc.deadline;
	/* That of an open question is before the earliest by more than it is rounded up. */
	int64_t end = x->open ? message_round_offer(found->decision.end) : earliest(found);
	struct malleable_option option;
	struct admit_answer again;

	x->desc.deadline = (time_t)end;
	if (end != deadline && !probe(x, &again))
		end = deadline;
	x->desc.deadline = deadline;
	wire_add_text(to, "change", change);
	wire_add_number(to, "nodes", found->decision.width);
	if (malleable_asked(&x->desc, &option))
		wire_add_number(to, "max_nodes", x->desc.max_nodes);
	wire_add_number(to, "limit", found->decision.limit);
	wire_add_number(to, "earliest", end);
	json_object_array_add(x->alternatives, to);
	return to;
}

/*
 * The most of a number below the one asked for that helps; tested.  More than `bound`
 * cannot be, whatever waits: often just that is possible, so it is the first to be tried.
 * x->desc has it.  RET false: none was found
 */
static bool bisect(struct question *x, uint32_t most, int64_t bound,
		   void (*set)(job_desc_msg_t *desc, uint32_t value), struct admit_answer *found)
{
	uint32_t low = 0, high = bound < most ? (uint32_t)bound + 1 : most;
	uint32_t mid = high - 1;
	struct admit_answer answer;

	if (bound >= most)
		mid = high / 2;
	for (int i = 0; i < PROBES && high - low > 1 && !x->cut; i++) {
		set(&x->desc, mid);
		if (probe(x, &answer)) {
			low = mid;
			*found = answer;
		} else {
			high = mid;
		}
		mid = low + (high - low) / 2;
	}
	if (low)
		set(&x->desc, low);
	return low > 0;
}

/* A job that is to be resized has a range: of that the fewest. */
static void set_nodes(job_desc_msg_t *desc, uint32_t nodes)
{
	struct malleable_option option;

	desc->min_nodes = nodes;
	if (!malleable_asked(desc, &option))
		desc->max_nodes = nodes;
	if (desc->num_tasks == NO_VAL)
		desc->min_cpus =
			nodes * (desc->cpus_per_task != NO_VAL16 ? desc->cpus_per_task : 1);
}

static void set_limit(job_desc_msg_t *desc, uint32_t minutes)
{
	desc->time_limit = minutes;
}

/* Tasks that are given need their nodes: then fewer are no alternative. */
static void try_nodes(struct question *x, const struct admit_answer *refused)
{
	uint32_t width = (uint32_t)x->answer.decision.width;
	job_desc_msg_t saved = x->desc;
	struct admit_answer found;

	if (width > 1 && x->desc.num_tasks == NO_VAL && !x->desc.req_nodes &&
	    bisect(x, width, refused->most_width, set_nodes, &found))
		alternative(x, "nodes", &found);
	x->desc = saved;
}

static void try_limit(struct question *x, const struct admit_answer *refused)
{
	int64_t minutes = x->answer.decision.limit / 60;
	job_desc_msg_t saved = x->desc;
	struct admit_answer found;

	/* Whatever is shorter ends earlier: that is no news. */
	if (!x->open && minutes > 1 && minutes < UINT32_MAX && x->desc.time_min == NO_VAL &&
	    bisect(x, (uint32_t)minutes, refused->most_limit / 60, set_limit, &found))
		alternative(x, "time", &found);
	x->desc = saved;
}

/* The question itself finds out which partitions the user may not use, of as few as can be. */
static void try_parts(struct question *x, char *const *parts)
{
	/* of those asked for, or of the one that was taken without */
	const char *tried = x->answer.decision.partition;
	char *saved = x->desc.partition;

	for (int i = 0, n = 0, seen = 0; parts && parts[i] && n < PARTS && !x->cut; i++) {
		struct admit_answer answer = { 0 };

		if (names_have(tried, parts[i], strncmp))
			continue;
		/* Each takes slurmctld's locks, of the time that is left for what follows. */
		if (++seen > PARTS_SEEN)
			break;
		x->desc.partition = parts[i];
		if (probe(x, &answer))
			wire_add_text(alternative(x, "partition", &answer), "partition", parts[i]);
		n += answer.may_enter;
	}
	x->desc.partition = saved;
}

/* The latest completion that would be told as an earlier one; what could be offered is rounded already. */
static int64_t better(const struct question *x)
{
	int64_t end = x->answer.decision.end;

	return ((x->answer.promised ? message_round_offer(end) : end) - 120) / 60 * 60;
}

/* What is told is that end with a minute to spare, however long before it the last deadline was. */
static void leave_a_minute(struct question *x, int64_t most)
{
	int64_t offer = message_round_offer(x->answer.decision.end);
	struct admit_answer again;

	x->desc.deadline = (time_t)(offer < most ? offer : most);
	if (x->desc.deadline > x->answer.decision.deadline && probe(x, &again))
		x->answer.decision.deadline = x->desc.deadline;
}

/*
 * The earliest of an open question came from a search that stops short of the last minute.  What is
 * better than that is worth telling only if the job cannot have it as it is: so it is asked for that
 * first, by bisection, until it is refused.  Then no alternative could be asked, and gain by this
 * question in its turn.  x->refused and x->desc are those of the last minute that is refused.
 */
static void refine(struct question *x)
{
	int64_t most = x->answer.decision.deadline, low = x->answer.decision.when / 60 * 60;
	int64_t try = better(x);
	struct admit_answer again;

	while (is_promised(&x->answer) && try > low && !x->cut) {
		x->desc.deadline = (time_t)try;
		if (probe(x, &again)) {
			x->answer = again;
		} else {
			x->refused = again;
			low = try;
		}
		try = low + ((better(x) - low) / 60 + 1) / 2 * 60;
	}
	if (is_promised(&x->answer))
		leave_a_minute(x, most);
	x->desc.deadline = (time_t)better(x);
}

/*
 * What could be promised by its deadline may be planned for later than it could be had: where it moves nobody, say.
 */
static void find_soonest(struct question *x)
{
	struct admit_answer asked = x->answer;
	time_t deadline = x->desc.deadline;

	refine(x);
	x->soonest = x->answer;
	x->answer = asked;
	x->desc.deadline = deadline;
}

/* What changes the job least comes first. */
static void try_others(struct question *x)
{
	char **parts;

	if (!x->answer.decided || (x->answer.promised && !x->open) || !x->last)
		return;
	/* Operators too want to see what a user could. */
	parts = access_part_names();
	try_parts(x, parts);
	access_names_free(parts);
	try_nodes(x, &x->refused);
	try_limit(x, &x->refused);
}

static void try_all(struct question *x)
{
	x->alternatives = json_object_new_array();
	wire_add(x->q->answer, "alternatives", x->alternatives);
	try_others(x);
	if (x->cut)
		wire_add_bool(x->q->answer, "cut", true);
}

/* May the user see a job of the plan?  Slurm is asked for the groups of its partition alone. */
static bool sees(const struct question *x, uint32_t job_id)
{
	static const slurmctld_lock_t read = { .conf = READ_LOCK, .part = READ_LOCK };
	const struct snap_job *job = query_job(x->last, job_id);
	struct access_about about = { .part = { job ? job->partition : NULL }, .nparts = !!job };
	struct access access;
	bool sees;

	lock_slurmctld(read);
	sees = access_read(&access, x->q->uid, &about);
	unlock_slurmctld(read);
	sees = sees && query_sees(x->last, &access, job_id);
	access_close(&access);
	return sees;
}

static void tell_critical(struct question *x)
{
	const struct ledger_decision *d = &x->answer.decision;
	json_object *to;

	if (x->answer.promised || !d->critical_late || x->open)
		return;
	to = json_object_new_object();
	wire_add_bool(to, "itself", d->itself);
	if (d->critical_late < PACT_FOREVER)
		wire_add_number(to, "late", d->critical_late);
	if (d->critical.job_id && sees(x, d->critical.job_id))
		wire_add_number(to, "job", d->critical.job_id);
	wire_add(x->q->answer, "critical", to);
}

static void tell(struct question *x)
{
	const struct ledger_decision *d = &x->answer.decision;
	json_object *to = x->q->answer;

	wire_add_number(to, "now", time(NULL));
	wire_add_bool(to, "promised", x->answer.promised && !d->expected);
	if (d->expected)
		wire_add_bool(to, "expected", true);
	if (d->chance)
		wire_add(to, "chance", wire_millionths(d->chance));
	wire_add_bool(to, "waits", x->answer.waits);
	if (!x->open || x->answer.waits)
		wire_add_text(to, "text", d->text);
	if (x->open && x->answer.after[0])
		wire_add_text(to, "dependency", x->answer.after);
	if (!x->open && !x->answer.promised)
		wire_add_text(to, "reason", d->why);
	if (!x->open)
		wire_add_number(to, "deadline", d->deadline);
	wire_add_number(to, "nodes", d->width);
	if (x->answer.promised && d->own)
		wire_add_number(to, "own", d->own);
	wire_add_number(to, "limit", d->limit);
	wire_add_number(to, "tasks", d->tasks);
	if (d->start)
		wire_add_number(to, "start", d->start);
	if (earliest(&x->soonest))
		wire_add_number(to, "earliest", earliest(&x->soonest));
	if (earliest(&x->soonest) && x->soonest.decision.start)
		wire_add_number(to, "earliest_start", x->soonest.decision.start);
	if (earliest(&x->soonest) && x->soonest.decision.own)
		wire_add_number(to, "earliest_own", x->soonest.decision.own);
	tell_critical(x);
}

/* Without a deadline: the earliest that could be promised, asked again as a deadline. */
static void ask_open(struct question *x)
{
	struct admit_answer first = x->answer;

	if (first.decided && !first.promised && earliest(&first)) {
		x->desc.deadline = (time_t)earliest(&first);
		admit_ask(&x->desc, &x->access, true, &x->answer);
		if (is_promised(&x->answer))
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
	x->until = clock_us() + bridge_get()->admission_us;
	x->refused = x->answer;
	if (x->open && x->last)
		refine(x);
	x->soonest = x->answer;
	if (x->answer.decision.expected)
		x->soonest = (struct admit_answer){ 0 };
	if (!x->open && is_promised(&x->answer) && x->last)
		find_soonest(x);
	tell(x);
	try_all(x);
	return NULL;
}

static const char *decide(struct question *x)
{
	x->open = !x->desc.deadline || x->desc.deadline == (time_t)NO_VAL;
	if (x->open)
		x->desc.deadline = time(NULL) + 1;
	admit_ask(&x->desc, &x->access, false, &x->answer);
	return answer(x);
}

/* What the user may see of the jobs that the question depends on; as admission_access(). */
static bool open_access(struct question *x)
{
	static const slurmctld_lock_t read = { .conf = READ_LOCK,
					       .job = READ_LOCK,
					       .part = READ_LOCK };
	struct access_about about = { 0 };
	bool ok;

	lock_slurmctld(read);
	if (x->desc.dependency && x->desc.dependency[0])
		depend_about(x->desc.dependency, x->q->uid, &about);
	ok = access_read(&x->access, x->q->uid, &about);
	unlock_slurmctld(read);
	return ok;
}

static uint32_t count_nodes(const struct last_plan *last)
{
	static const slurmctld_lock_t read = { .node = READ_LOCK };
	uint32_t n;

	if (last)
		return last->snap->nodes;
	lock_slurmctld(read);
	n = (uint32_t)node_record_count;
	unlock_slurmctld(read);
	return n;
}

/* Where there is no plan, a submission is told why: so is a question. */
const char *query_ask(struct query *q)
{
	struct question x = { .q = q, .last = last_plan_get() };
	int64_t start = clock_us();
	const char *code = WIRE_BUSY;

	if (!query_desc(q, count_nodes(x.last), &x.desc)) {
		code = WIRE_ARGUMENT;
	} else if (!open_access(&x)) {
		snprintf(q->why, sizeof(q->why), "out of memory");
	} else {
		code = decide(&x);
	}
	last_plan_put(x.last);
	access_close(&x.access);
	query_desc_free(&x.desc);
	meter_add(METER_ASK, clock_us() - start);
	return code;
}
