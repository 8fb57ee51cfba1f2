/* SPDX-License-Identifier: GPL-2.0-or-later */
/* give_back.c - nodes that a running job has given back, see give_back.h */
#include "slurm/records/give_back.h"

#include <errno.h>
#include <stdatomic.h>

#include "slurm/base/metered.h"
#include "slurm/records/job_nodes.h"
#include "slurm/records/malleable.h"
#include "slurm/records/region.h"
#include "slurm/records/resize_books.h"
#include "slurm/records/resize_usage.h"
#include "slurm/base/scheduler.h"
#include "slurm/base/state_file.h"

/* Seconds after which a slurmd that has not answered is asked again, */
#define ASK_AGAIN 60
/*
 * and after which it is not waited for any more where the job has gone, or waits, so that Slurm drops the answer: the only time that
 * is guessed. An epilog may take longer where the site has said how long (PrologEpilogTimeout).
 */
#define UNANSWERED 120
/* One that was asked twice may answer twice, the second time so late: by that it would take the node from its job again. */
#define ANSWERS_TWICE 10
/* No list of names is nearly as long. */
#define FILE_MOST (16 << 20)

struct leaving {
	uint32_t job_id;
	unsigned life;	 /* in which it was noted */
	time_t asked;	 /* the last time; 0: not yet in this life */
	bool again;	 /* more than once, or in an earlier life, too */
	time_t until;	 /* so long the job gets no nodes */
	bool saved;	 /* that these nodes are no longer the job's */
	time_t busy;	 /* what their last_busy is until slurmd has answered */
	bitstr_t *nodes; /* COMPLETING, until slurmd has answered */
	bitstr_t *due;	 /* of these, those to be asked (again) */
	/* Of these, where another job's epilog has not ended yet: Slurm makes the node idle after it. */
	bitstr_t *behind;
	/* Of these, where Slurm sets last_busy at any sign of life, as it does not take the node for idle (UNKNOWN). */
	bitstr_t *unsure;
	/* These went down before they were clean: they are asked again when Slurm has them back. */
	bitstr_t *down;
	char *names; /* of `nodes` and `down`: 22.05 may number nodes anew at a reconfiguration */
	struct leaving *next;
};

static struct leaving *all;   /* under slurmctld's job lock */
static node_record_t **table; /* of which their sets are */
static _Atomic bool asks;
static time_t next_again;
static _Atomic bool unsaved; /* the file says something else; written under the job lock */
static bool unread;	     /* it is an earlier life's; the agent's thread alone */
static bool failed;	     /* it could not be written; likewise */
static unsigned life;

static void look_at_base(struct leaving *l, const node_record_t *node)
{
	if (IS_NODE_IDLE(node))
		bit_clear(l->unsure, node->index);
	else
		bit_set(l->unsure, node->index);
}

/*
 * Nobody's, until its slurmd says that it is clean: no job is counted on it, so that the answer alone is waited for. A slurmd that
 * registers makes it clean as well, as no job is counted there, but then last_busy stays as it is.
 */
static void mark(struct leaving *l, node_record_t *node)
{
	node->last_busy = l->busy;
	look_at_base(l, node);
	node->node_state |= NODE_STATE_COMPLETING;
	bit_set(cg_node_bitmap, node->index);
	bit_clear(idle_node_bitmap, node->index);
	last_node_update = time(NULL);
}

/* Of the table that there is now; best effort: those that it does not have any more are clean. */
static bitstr_t *nodes_of(const struct leaving *l)
{
	bitstr_t *nodes = NULL;

	(void)node_name2bitmap(l->names, true, &nodes, NULL);
	return nodes ? nodes : bit_alloc(node_record_count);
}

static void forget_sets(struct leaving *l)
{
	FREE_NULL_BITMAP(l->nodes);
	FREE_NULL_BITMAP(l->due);
	FREE_NULL_BITMAP(l->behind);
	FREE_NULL_BITMAP(l->unsure);
	FREE_NULL_BITMAP(l->down);
}

/* All sets but `unsure`. IN nodes - it keeps them */
static void sort_nodes(struct leaving *l, bitstr_t *nodes)
{
	l->nodes = nodes;
	l->behind = bit_alloc(node_record_count);
	l->down = bit_alloc(node_record_count);
	for (bitoff_t i = bit_ffs(nodes), last = bit_fls(nodes); i >= 0 && i <= last; i++) {
		if (!bit_test(nodes, i))
			continue;
		if (node_record_table_ptr[i]->comp_job_cnt)
			bit_set(l->behind, i);
		if (IS_NODE_DOWN(node_record_table_ptr[i]))
			bit_set(l->down, i);
	}
	bit_and_not(nodes, l->down);
	bit_and_not(l->behind, l->down);
	l->due = bit_copy(nodes);
}

/* After a reconfiguration in place. Where another job still cleans up that is waited for as before. */
static void number_anew(void)
{
	for (struct leaving *l = node_record_table_ptr == table ? NULL : all; l; l = l->next) {
		forget_sets(l);
		sort_nodes(l, nodes_of(l));
		l->unsure = bit_copy(l->nodes);
	}
	table = node_record_table_ptr;
}

static bool any_left(const struct leaving *l)
{
	return bit_ffs(l->nodes) >= 0 || bit_ffs(l->down) >= 0;
}

static void add_to(bitstr_t **set, const bitstr_t *nodes)
{
	if (!*set)
		*set = bit_alloc(node_record_count);
	bit_or(*set, (bitstr_t *)nodes);
}

static void add_left(bitstr_t **set, const struct leaving *l)
{
	add_to(set, l->nodes);
	add_to(set, l->down);
}

/* What it has left and is not clean, or went down. RET the caller's to free; NULL: there are none */
static bitstr_t *left_by(uint32_t job_id)
{
	bitstr_t *nodes = NULL, *these;

	for (const struct leaving *l = all; l; l = l->next) {
		if (l->job_id != job_id || !any_left(l))
			continue;
		if (node_record_table_ptr == table) {
			add_left(&nodes, l);
			continue;
		}
		these = nodes_of(l);
		add_to(&nodes, these);
		FREE_NULL_BITMAP(these);
	}
	return nodes;
}

/* All that it has left stands in its record, too. Job write lock. */
static void tell_record(uint32_t job_id)
{
	job_record_t *job = find_job_record(job_id);
	bitstr_t *nodes = job ? left_by(job_id) : NULL;
	char *names = nodes ? bitmap2node_name(nodes) : NULL;

	if (job && (names || malleable_left(job)))
		malleable_left_put(job, names);
	FREE_NULL_BITMAP(nodes);
	xfree(names);
}

static void note(uint32_t job_id, bitstr_t *nodes)
{
	struct leaving *l = xmalloc(sizeof(*l));

	number_anew();
	l->job_id = job_id;
	l->life = life;
	l->busy = time(NULL) - 1; /* no answer is as early */
	l->names = bitmap2node_name(nodes);
	l->unsure = bit_alloc(node_record_count);
	sort_nodes(l, bit_copy(nodes));
	for (bitoff_t i = bit_ffs(l->nodes), last = bit_fls(l->nodes); i >= 0 && i <= last; i++)
		if (bit_test(l->nodes, i))
			mark(l, node_record_table_ptr[i]);
	l->next = all;
	all = l;
	asks = unsaved = true;
	tell_record(job_id);
}

/* As Slurm's update_job() does it, but for the message that it sends to the nodes. */
void give_back(job_record_t *job, bitstr_t *nodes)
{
	bitstr_t *before = bit_copy(job->job_resrcs->node_bitmap);

	resize_books_begin(job);
	job_pre_resize_acctg(job); /* tells what it had: before what follows */
	resize_books_leaves(job, nodes);
	for (bitoff_t i = bit_ffs(nodes), last = bit_fls(nodes); i >= 0 && i <= last; i++) {
		if (!bit_test(nodes, i))
			continue;
		kill_step_on_node(job, node_record_table_ptr[i], false);
		excise_node_from_job(job, node_record_table_ptr[i]);
	}
	steps_resized(job, before);
	gs_job_start(job);
	job_post_resize_acctg(job);
	FREE_NULL_BITMAP(before);
	resize_books_resized(job, nodes);
	resize_usage_resized(job);
	note(job->job_id, nodes);
	last_job_update = time(NULL);
	schedule_job_save();
	schedule_node_save();
}

/* Slurm drops what a slurmd says of a job that is over and forgotten, or that waits again. */
static bool can_answer(const job_record_t *job)
{
	return job && job->details && job->job_resrcs && job->node_bitmap;
}

/* It is not there, or on its way off: whatever ran there is over, or will be. */
static bool is_off(const node_record_t *node)
{
	return IS_NODE_FUTURE(node) || IS_NODE_POWERING_DOWN(node) || IS_NODE_POWERED_DOWN(node);
}

/* It was clean, as a job has it: another one, or this one again. */
static bool is_used(const job_record_t *job, const node_record_t *node)
{
	return node->run_job_cnt || node->sus_job_cnt ||
	       (job && job->node_bitmap && bit_test(job->node_bitmap, node->index));
}

/* What Slurm has taken for it was no answer. */
static void mark_again(struct leaving *l, node_record_t *node)
{
	mark(l, node);
	bit_set(l->due, node->index);
	asks = true;
}

/* One that is off is not waited for, and no answer would take the mark from it. */
static void unmark(node_record_t *node)
{
	if (!IS_NODE_COMPLETING(node) || node->comp_job_cnt)
		return;
	node->node_state &= ~NODE_STATE_COMPLETING;
	bit_clear(cg_node_bitmap, node->index);
	if (!node->run_job_cnt)
		bit_set(idle_node_bitmap, node->index);
	last_node_update = time(NULL);
}

static time_t patience(void)
{
	uint16_t epilog = epilog_limit();

	return UNANSWERED + (epilog == NO_VAL16 ? 0 : epilog);
}

/* Of one node, where the other job's epilog has ended if it had one. RET true: it is clean, or lost */
static bool has_answered(struct leaving *l, node_record_t *node, time_t now)
{
	bool can = can_answer(find_job_record(l->job_id));

	if (IS_NODE_COMPLETING(node)) {
		if (!can && l->asked && now - l->asked > patience()) {
			make_node_idle(node, NULL);
			return true;
		}
		/* which it is to a reconfiguration of 22.05, as no job is counted there */
		bit_clear(idle_node_bitmap, node->index);
		/* Slurm sets that, too, when it first hears of a node after a start; the second time it takes the mark */
		node->last_busy = l->busy;
		look_at_base(l, node);
		return false;
	}
	/*
	 * Where a job runs that was resumed beside it an answer leaves last_busy as it is, as a registration does; and so does an order to
	 * power the node down at once.
	 */
	if (node->run_job_cnt || IS_NODE_POWER_DOWN(node) || !can ||
	    (node->last_busy != l->busy && !bit_test(l->unsure, node->index)))
		return true;
	mark_again(l, node);
	return false;
}

/* Of one node. RET true: it is clean, or lost, or down */
static bool is_clean(struct leaving *l, int i, time_t now)
{
	node_record_t *node = node_record_table_ptr[i];

	if (!node)
		return true;
	if (IS_NODE_DOWN(node) || is_off(node)) {
		if (IS_NODE_DOWN(node))
			bit_set(l->down, i);
		unmark(node);
		return true;
	}
	if (!bit_test(l->behind, i))
		return has_answered(l, node, now);
	if (node->comp_job_cnt)
		return false;
	/* that was the other's answer */
	bit_clear(l->behind, i);
	mark_again(l, node);
	return false;
}

/* Of one that went down: is it there, the job's to leave as before, once Slurm has it back? */
static bool is_of_job(const struct leaving *l, int i)
{
	const node_record_t *node = node_record_table_ptr[i];
	const job_record_t *job = find_job_record(l->job_id);

	return node && !is_off(node) && can_answer(job) && !IS_JOB_FINISHED(job) &&
	       !is_used(job, node);
}

static bool stays_down(const struct leaving *l, int i)
{
	return is_of_job(l, i) && IS_NODE_DOWN(node_record_table_ptr[i]);
}

/*
 * Slurm may only not have heard of a node for a while, and makes it idle when it has: its epilog runs on meanwhile.
 * RET whether some of those that were down are back, or will not be waited for
 */
static bool settle_down(struct leaving *l)
{
	bool any = false;

	for (bitoff_t i = bit_ffs(l->down), last = bit_fls(l->down); i >= 0 && i <= last; i++) {
		if (!bit_test(l->down, i) || stays_down(l, (int)i))
			continue;
		bit_clear(l->down, i);
		any = true;
		if (!is_of_job(l, (int)i))
			continue;
		bit_set(l->nodes, i);
		mark_again(l, node_record_table_ptr[i]);
	}
	return any;
}

static void settle(struct leaving *l, time_t now)
{
	bool any = settle_down(l);
	bitstr_t *left = NULL;

	for (bitoff_t i = bit_ffs(l->nodes), last = bit_fls(l->nodes); i >= 0 && i <= last; i++) {
		if (!bit_test(l->nodes, i) || !is_clean(l, (int)i, now))
			continue;
		bit_clear(l->nodes, i);
		bit_clear(l->due, i);
		any = true;
	}
	if (!any)
		return;
	if (l->again)
		l->until = now + ANSWERS_TWICE;
	xfree(l->names);
	add_left(&left, l);
	l->names = bitmap2node_name(left);
	FREE_NULL_BITMAP(left);
	unsaved = true;
	tell_record(l->job_id);
}

static void forget(struct leaving *l)
{
	forget_sets(l);
	xfree(l->names);
	xfree(l);
}

void give_back_settle(void)
{
	time_t now = time(NULL);
	struct leaving **at = &all, *l;

	number_anew();
	while ((l = *at)) {
		settle(l, now);
		if (any_left(l) || now <= l->until) {
			at = &l->next;
			continue;
		}
		*at = l->next;
		forget(l);
	}
}

/* ---- over a restart ---- */

/* RET what the file is to say, NULL: nothing, there is to be none.  Job read lock */
static char *describe_all(void)
{
	char *text = NULL;

	for (const struct leaving *l = all; l; l = l->next)
		if (any_left(l))
			xstrfmtcat(text, "%s%u %s\n", text ? "" : GIVE_BACK_FORM, l->job_id,
				   l->names);
	return text;
}

/*
 * Written before we have Slurm save that the nodes are no longer the job's: what is said here of nodes that it has by that is void. The
 * file stays unwritten where the disk is full: then it is as if there were no such nodes to the next slurmctld.
 */
static void write_file(void)
{
	static const slurmctld_lock_t locks = { .job = READ_LOCK };
	struct metered metered;
	char *text;
	int err = 0;

	if (!unsaved)
		return;
	metered_take(&metered, &locks);
	text = describe_all();
	unsaved = false;
	metered_give(&metered);
	if (text)
		err = state_file_write(GIVE_BACK_FILE, text);
	else
		state_file_remove(GIVE_BACK_FILE);
	failed = err > 0;
	if (failed)
		error("%s: %s: %s: nodes that jobs have just left are taken for clean if slurmctld "
		      "is started anew",
		      scheduler_type(), GIVE_BACK_FILE, strerror(err));
	xfree(text);
}

/* RET what it says, NULL: there is none, or it cannot be read */
static char *read_file(void)
{
	char *text = NULL;

	for (size_t size = 1 << 16; size <= FILE_MOST; size *= 2) {
		ssize_t n;

		xrealloc(text, size);
		n = state_file_read(GIVE_BACK_FILE, text, size - 1);
		if (n >= 0 && (size_t)n < size - 1) {
			text[n] = '\0';
			return text;
		}
		if (n < 0 && errno == ENOENT)
			break;
		if (n < 0 || size == FILE_MOST) {
			error("%s: %s: %s: it is not used", scheduler_type(), GIVE_BACK_FILE,
			      n < 0 ? strerror(errno) : "it is too long");
			break;
		}
	}
	xfree(text);
	return NULL;
}

/* Of one that is no more than named in the file. */
static bool is_left(const job_record_t *job, const node_record_t *node)
{
	return !is_off(node) && !is_used(job, node);
}

/* Its processes and epilog there may not have ended. What is known of already, by the file or by its record, is not taken up again. */
static void take_up(uint32_t job_id, char *names)
{
	const job_record_t *job = find_job_record(job_id);
	bitstr_t *nodes = NULL, *known = left_by(job_id);

	(void)node_name2bitmap(names, true, &nodes, NULL);
	if (nodes && known)
		bit_and_not(nodes, known);
	FREE_NULL_BITMAP(known);
	if (!nodes)
		return;
	for (bitoff_t i = bit_ffs(nodes), last = bit_fls(nodes); i >= 0 && i <= last; i++)
		if (bit_test(nodes, i) && !is_left(job, node_record_table_ptr[i]))
			bit_clear(nodes, i);
	if (bit_ffs(nodes) >= 0) {
		note(job_id, nodes);
		all->saved = all->again = true;
		info("%s: JobId=%u: before slurmctld was started it had left %s, which may not be "
		     "clean yet",
		     scheduler_type(), job_id, all->names);
	}
	FREE_NULL_BITMAP(nodes);
}

/* A line of it each: the job, a blank, the nodes. */
static void take_up_all(char *text)
{
	const size_t form = strlen(GIVE_BACK_FORM);
	char *line, *rest = text + form, *names;
	unsigned long job_id;

	if (strncmp(text, GIVE_BACK_FORM, form)) {
		error("%s: %s: it is another build's, or damaged: it is not used", scheduler_type(),
		      GIVE_BACK_FILE);
		return;
	}
	while ((line = strsep(&rest, "\n"))) {
		job_id = strtoul(line, &names, 10);
		if (names != line && *names == ' ' && names[1] && job_id && job_id < NO_VAL)
			take_up((uint32_t)job_id, names + 1);
	}
}

/* Those that the file was not written for in time, or could not be, and were saved as left. */
static void take_up_records(void)
{
	list_itr_t *iter = list_iterator_create(job_list);
	const job_record_t *job;
	char *names;

	while ((job = list_next(iter))) {
		if (!malleable_left(job))
			continue;
		names = xstrdup(malleable_left(job));
		take_up(job->job_id, names);
		xfree(names);
		tell_record(job->job_id); /* of some it may be too late to be said */
	}
	list_iterator_destroy(iter);
}

void give_back_begin(void)
{
	unread = true;
	life++;
}

/* Those of earlier lives, which the file has, too. */
static void forget_old(void)
{
	struct leaving **at = &all, *l;

	while ((l = *at)) {
		if (l->life == life) {
			at = &l->next;
			continue;
		}
		*at = l->next;
		forget(l);
	}
}

static void take_up_file(void)
{
	static const slurmctld_lock_t locks = { READ_LOCK, WRITE_LOCK, WRITE_LOCK, READ_LOCK,
						READ_LOCK };
	char *text = failed ? NULL : read_file();
	struct metered metered;

	unread = false;
	metered_take(&metered, &locks);
	number_anew();
	if (!failed)
		forget_old();
	if (text)
		take_up_all(text);
	take_up_records();
	unsaved = text || all;
	metered_give(&metered);
	xfree(text);
}

void give_back_write(void)
{
	if (!unread)
		write_file();
}

/* ---- the slurmds ---- */

/* One message for all that are due. */
static void ask(const struct leaving *l, job_record_t *job)
{
	agent_arg_t *message = job_nodes_message(REQUEST_TERMINATE_JOB, l->due);
	kill_job_msg_t *what = create_kill_job_msg(job, message->protocol_version);

	xfree(what->nodes);
	what->nodes = bitmap2node_name(l->due);
	debug("%s: %pJ: it has left %s", scheduler_type(), job, what->nodes);
	job_nodes_tell(message, what);
}

/* What is given back from now on is for the next call. */
static void save_all(void)
{
	static const slurmctld_lock_t locks = { .job = WRITE_LOCK };
	struct metered metered;

	metered_take(&metered, &locks);
	asks = false;
	for (struct leaving *l = all; l; l = l->next)
		l->saved = true;
	metered_give(&metered);
	dump_all_job_state();
}

static void ask_all(void)
{
	static const slurmctld_lock_t locks = { READ_LOCK, WRITE_LOCK, WRITE_LOCK, READ_LOCK,
						READ_LOCK };
	struct metered metered;
	time_t now = time(NULL);
	job_record_t *job;
	bool any = false;

	metered_take(&metered, &locks);
	give_back_settle();
	for (struct leaving *l = all; l; l = l->next) {
		any |= bit_ffs(l->nodes) >= 0;
		if (l->asked && now - l->asked >= ASK_AGAIN)
			bit_or(l->due, l->nodes);
		if (!l->saved || bit_ffs(l->due) < 0)
			continue;
		job = find_job_record(l->job_id);
		if (can_answer(job)) {
			ask(l, job);
			l->again |= l->asked;
			l->until = l->again ? now + ANSWERS_TWICE : now;
			l->asked = now;
		} else if (!l->asked) {
			l->asked = now; /* from then on it counts (UNANSWERED) */
		}
		bit_clear_all(l->due);
	}
	next_again = any ? now + ASK_AGAIN : 0;
	metered_give(&metered);
}

bool give_back_asks(void)
{
	return asks;
}

void give_back_ask(void)
{
	bool first;

	if (unread)
		take_up_file();
	first = asks;
	write_file();
	if (!first && !(next_again && time(NULL) >= next_again))
		return;
	if (first)
		save_all();
	ask_all();
}

bool give_back_asked_now(uint32_t job_id)
{
	time_t now = time(NULL);

	for (const struct leaving *l = all; l; l = l->next)
		if (l->job_id == job_id && now <= l->until)
			return true;
	return false;
}

bool give_back_any(void)
{
	time_t now = time(NULL);

	if (node_record_table_ptr != table)
		return all;
	for (const struct leaving *l = all; l; l = l->next) {
		if (bit_ffs(l->nodes) >= 0 || now <= l->until || bit_ffs(l->down) < 0)
			return true;
		for (bitoff_t i = bit_ffs(l->down), last = bit_fls(l->down); i >= 0 && i <= last;
		     i++)
			if (bit_test(l->down, i) && !stays_down(l, (int)i))
				return true;
	}
	return false;
}

bitstr_t *give_back_of(uint32_t job_id)
{
	bitstr_t *nodes = left_by(job_id);

	for (bitoff_t i = nodes ? bit_ffs(nodes) : -1, last = nodes ? bit_fls(nodes) : -1;
	     i >= 0 && i <= last; i++)
		if (bit_test(nodes, i) &&
		    (!node_record_table_ptr[i] || IS_NODE_DOWN(node_record_table_ptr[i])))
			bit_clear(nodes, i);
	if (nodes && bit_ffs(nodes) < 0)
		FREE_NULL_BITMAP(nodes);
	return nodes;
}

uint32_t give_back_add(uint32_t job_id, struct nodeset *nodes)
{
	bitstr_t *leaving = give_back_of(job_id);
	struct nodeset *more = leaving ? region_from_bitmap(leaving) : NULL;
	uint32_t had = nodeset_count(nodes);

	if (more)
		nodeset_or(nodes, more);
	nodeset_destroy(more);
	FREE_NULL_BITMAP(leaving);
	return nodeset_count(nodes) - had;
}
