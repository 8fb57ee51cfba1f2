/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_give_back: nodes that a running job has given back go to no other job until their slurmds have answered, and those slurmds
 * alone are asked; whatever a reconfiguration in place makes of Slurm's sets and numbers meanwhile, slurmds that register of their
 * marks, and a new slurmctld of what it does not know. slurmctld is played.
 */
#include "slurm/base/compat_played.h"

#include "slurm/base/scheduler.h"
#include "slurm/base/state_file.h"
#include "slurm/base/metered.h"
#include "slurm/records/give_back.h"
#include "slurm/records/job_nodes.h"
#include "slurm/records/malleable.h"
#include "slurm/records/resize_books.h"
#include "testsuite/unit/seed.h"

#define ID 7
#define NODES 4

/* ---- the played slurmctld: n0 to n3, all of them the job's ---- */

bitstr_t *idle_node_bitmap, *cg_node_bitmap;
list_t *job_list;
time_t last_job_update, last_node_update;
static node_record_t nodes[NODES], *tables[2][NODES];
static char names[NODES][4];
static job_record_t *job;
static int books;   /* so often they were made ready for a resize that did not come yet */
static char *asked; /* these slurmds, by the last message; NULL: none */
static char *left;  /* by the job's record; NULL: none */
static int saved;
static time_t now = 1700000000;
static char dir[] = "/tmp/pact-give-back-XXXXXX";

time_t __wrap_time(time_t *out);

time_t __wrap_time(time_t *out)
{
	if (out)
		*out = now;
	return now;
}

job_record_t *find_job_record(uint32_t id)
{
	return id == ID ? job : NULL;
}

/* One name after the other. */
char *bitmap2node_name(bitstr_t *set)
{
	char *text = xstrdup("");

	for (int i = 0; i < NODES; i++)
		if (bit_test(set, i))
			xstrfmtcat(text, "%s%s", text[0] ? "," : "",
				   node_record_table_ptr[i]->name);
	return text;
}

int node_name2bitmap(char *text, bool best_effort, bitstr_t **set, hostlist_t **unknown)
{
	assert_true(best_effort);
	assert_null(unknown);
	*set = bit_alloc(NODES);
	for (int i = 0; i < NODES; i++)
		if (xstrstr(text, node_record_table_ptr[i]->name))
			bit_set(*set, i);
	return SLURM_SUCCESS;
}

void make_node_idle(node_record_t *node, job_record_t *of)
{
	(void)of;
	node->node_state &= ~NODE_STATE_COMPLETING;
	bit_clear(cg_node_bitmap, node->index);
	if (IS_NODE_DOWN(node))
		return;
	node->node_state = NODE_STATE_IDLE | (node->node_state & NODE_STATE_FLAGS);
	node->last_busy = now;
	bit_set(idle_node_bitmap, node->index);
}

void excise_node_from_job(job_record_t *of, node_record_t *node)
{
	bit_clear(of->node_bitmap, node->index);
	make_node_idle(node, of);
}

agent_arg_t *job_nodes_message(slurm_msg_type_t type, const bitstr_t *set)
{
	assert_int_equal(type, REQUEST_TERMINATE_JOB);
	xfree(asked);
	asked = bitmap2node_name((bitstr_t *)set);
	return xmalloc(sizeof(agent_arg_t));
}

kill_job_msg_t *create_kill_job_msg(job_record_t *of, uint16_t version)
{
	(void)of, (void)version;
	return xmalloc(sizeof(kill_job_msg_t));
}

void job_nodes_tell(agent_arg_t *message, void *what)
{
	kill_job_msg_t *kill = what;

	assert_string_equal(kill->nodes, asked);
	xfree(kill->nodes);
	xfree(kill);
	xfree(message);
}

int dump_all_job_state(void)
{
	saved++;
	return SLURM_SUCCESS;
}

void metered_take(struct metered *metered, const slurmctld_lock_t *locks)
{
	(void)metered, (void)locks;
}

void metered_give(struct metered *metered)
{
	(void)metered;
}

void job_pre_resize_acctg(job_record_t *of)
{
	assert_ptr_equal(of, job);
	assert_int_equal(books--, 1);
}

void job_post_resize_acctg(job_record_t *of)
{
	(void)of;
}

void kill_step_on_node(job_record_t *of, node_record_t *node, bool fail)
{
	(void)of, (void)node, (void)fail;
}

void rebuild_step_bitmaps(job_record_t *of, bitstr_t *before)
{
	(void)of, (void)before;
}

void gs_job_start(job_record_t *of)
{
	(void)of;
}

void resize_books_begin(job_record_t *of)
{
	assert_ptr_equal(of, job);
	books++;
}

void resize_books_leaves(job_record_t *of, bitstr_t *set)
{
	assert_ptr_equal(of, job);
	assert_true(bit_super_set(set, of->node_bitmap));
}

const char *malleable_left(const job_record_t *of)
{
	assert_ptr_equal(of, job);
	return left;
}

void malleable_left_put(job_record_t *of, const char *text)
{
	assert_ptr_equal(of, job);
	xfree(left);
	left = xstrdup(text);
}

void resize_usage_resized(const job_record_t *of)
{
	assert_ptr_equal(of, job);
}

void resize_books_resized(job_record_t *of, bitstr_t *set)
{
	(void)of, (void)set;
}

void schedule_job_save(void)
{
}

void schedule_node_save(void)
{
}

const char *scheduler_type(void)
{
	return "sched/malleable";
}

/* ---- worlds ---- */

static int open_world(void **state)
{
	(void)state;
	node_record_count = NODES;
	node_record_table_ptr = tables[0];
	idle_node_bitmap = bit_alloc(NODES);
	cg_node_bitmap = bit_alloc(NODES);
	job = xmalloc(sizeof(*job));
	job->details = xmalloc(sizeof(*job->details));
	job->job_resrcs = xmalloc(sizeof(*job->job_resrcs));
	job->job_id = ID;
	job->node_bitmap = bit_alloc(NODES);
	bit_set_all(job->node_bitmap);
	job->job_resrcs->node_bitmap = bit_copy(job->node_bitmap);
	for (int i = 0; i < NODES; i++) {
		snprintf(names[i], sizeof(names[i]), "n%d", i);
		nodes[i] = (node_record_t){ .index = i,
					    .name = names[i],
					    .node_state = NODE_STATE_ALLOCATED };
		tables[0][i] = &nodes[i];
	}
	saved = 0;
	job_list = list_create(NULL);
	list_append(job_list, job);
	return 0;
}

static int close_world(void **state)
{
	(void)state;
	now += 11; /* second answers are over */
	give_back_settle();
	assert_false(give_back_any());
	assert_null(left);
	FREE_NULL_LIST(job_list);
	xfree(asked);
	FREE_NULL_BITMAP(job->job_resrcs->node_bitmap);
	FREE_NULL_BITMAP(job->node_bitmap);
	xfree(job->job_resrcs);
	xfree(job->details);
	xfree(job);
	FREE_NULL_BITMAP(idle_node_bitmap);
	FREE_NULL_BITMAP(cg_node_bitmap);
	return 0;
}

/* Of these numbers. */
static void gives(const char *which)
{
	bitstr_t *set = bit_alloc(NODES);

	for (; *which; which++)
		bit_set(set, *which - '0');
	give_back(job, set);
	assert_int_equal(books, 0);
	FREE_NULL_BITMAP(set);
}

/* Its slurmd says that it is clean. */
static void answers(int node)
{
	make_node_idle(&nodes[node], job);
	now++;
	give_back_settle();
}

static void leaves(const char *which)
{
	bitstr_t *set = give_back_of(ID);
	char *text = set ? bitmap2node_name(set) : xstrdup("");

	assert_string_equal(text, which);
	/* its record has the same, in whatever order */
	assert_int_equal(strlen(left ? left : ""), strlen(which));
	for (int i = 0; set && i < NODES; i++)
		assert_int_equal(bit_test(set, i),
				 xstrstr(left, node_record_table_ptr[i]->name) != NULL);
	xfree(text);
	FREE_NULL_BITMAP(set);
}

/* As 22.05 does it: a table of its own, in any order; by state and what it counts a node is idle where no job is counted. */
static void reconfigure(const char *order)
{
	bitstr_t *had = job->node_bitmap;

	job->node_bitmap = bit_alloc(NODES);
	FREE_NULL_BITMAP(idle_node_bitmap);
	FREE_NULL_BITMAP(cg_node_bitmap);
	idle_node_bitmap = bit_alloc(NODES);
	cg_node_bitmap = bit_alloc(NODES);
	node_record_table_ptr = tables[node_record_table_ptr == tables[0]];
	for (int i = 0; i < NODES; i++) {
		node_record_t *node = &nodes[order[i] - '0'];

		if (bit_test(had, node->index))
			bit_set(job->node_bitmap, i);
		node->index = i;
		node_record_table_ptr[i] = node;
		if (IS_NODE_COMPLETING(node)) {
			bit_set(cg_node_bitmap, i);
			bit_set(idle_node_bitmap, i);
		}
	}
	FREE_NULL_BITMAP(had);
}

static void test_answered(void **state)
{
	(void)state;
	gives("23");
	assert_true(IS_NODE_COMPLETING((&nodes[2])) && bit_test(cg_node_bitmap, 2));
	assert_false(bit_test(idle_node_bitmap, 2));
	leaves("n2,n3");
	give_back_ask();
	assert_int_equal(saved, 1);
	assert_string_equal(asked, "n2,n3");
	answers(3);
	leaves("n2");
	answers(2);
	leaves("");
	assert_true(bit_test(idle_node_bitmap, 2));
}

/* Nodes that are not clean yet look idle then: they are not before a start is tried (launch_try()). */
static void test_reconfigured(void **state)
{
	(void)state;
	gives("23");
	reconfigure("0123");
	assert_true(bit_test(idle_node_bitmap, 2));
	give_back_settle();
	assert_false(bit_test(idle_node_bitmap, 2) || bit_test(idle_node_bitmap, 3));
	leaves("n2,n3");
	give_back_ask();
	answers(2);
	reconfigure("0123");
	give_back_settle();
	leaves("n3");
	answers(3);
}

/* Numbers are other nodes' then: what the job has given back is known by its names, and the nodes that it has are not asked. */
static void test_numbered_anew(void **state)
{
	(void)state;
	gives("23");
	reconfigure("3210");
	leaves("n3,n2");
	give_back_ask();
	assert_string_equal(asked, "n3,n2");
	assert_false(bit_test(idle_node_bitmap, 0) || bit_test(idle_node_bitmap, 1));
	answers(2);
	leaves("n3");
	reconfigure("0123");
	gives("1");
	leaves("n1,n3");
	give_back_settle();
	answers(3);
	leaves("n1");
	answers(1);
}

/* Another job's epilog is waited for as before. */
static void test_behind(void **state)
{
	(void)state;
	nodes[3].comp_job_cnt = 1;
	gives("3");
	reconfigure("3210");
	give_back_settle();
	nodes[3].comp_job_cnt = 0;
	answers(3); /* that was the other one's */
	leaves("n3");
	assert_true(IS_NODE_COMPLETING((&nodes[3])) && !bit_test(idle_node_bitmap, 0));
	answers(3);
}

/* Its job has ended and is forgotten, so that Slurm would not know what an answer is about: it is waited for, not for ever. */
static void test_unanswered(void **state)
{
	job_record_t *gone = job;

	(void)state;
	gives("3");
	give_back_ask();
	assert_string_equal(asked, "n3");
	xfree(asked);
	job = NULL;
	now += 61;
	give_back_ask();
	give_back_settle();
	assert_false(bit_test(idle_node_bitmap, 3));
	now += 61;
	give_back_ask();
	give_back_settle();
	assert_true(bit_test(idle_node_bitmap, 3));
	assert_null(asked);
	job = gone;
	xfree(left); /* its record would be gone, too */
}

/* The first sign of life of a node as node_did_resp() takes it. */
static void responds(int node)
{
	if (!IS_NODE_UNKNOWN((&nodes[node])))
		return;
	nodes[node].node_state = NODE_STATE_IDLE | (nodes[node].node_state & NODE_STATE_FLAGS);
	nodes[node].last_busy = now;
	give_back_settle(); /* a change of a node has a pass follow */
}

/* As validate_node_specs() does it where no job is counted: the first time it does not take the mark from a node that it did not know. */
static void registers_unseen(int node)
{
	if (IS_NODE_UNKNOWN((&nodes[node])) || IS_NODE_DOWN((&nodes[node]))) {
		nodes[node].node_state =
			NODE_STATE_IDLE | (nodes[node].node_state & NODE_STATE_FLAGS);
		nodes[node].last_busy = now;
	} else {
		nodes[node].node_state &= ~NODE_STATE_COMPLETING;
		bit_clear(cg_node_bitmap, nodes[node].index);
	}
	bit_set(idle_node_bitmap, nodes[node].index);
	now++;
}

static void registers(int node)
{
	registers_unseen(node);
	give_back_settle();
}

/* As set_node_down_ptr() does it. */
static void goes_down(int node)
{
	nodes[node].node_state = NODE_STATE_DOWN | (nodes[node].node_state & NODE_STATE_FLAGS &
						    ~NODE_STATE_COMPLETING);
	bit_clear(cg_node_bitmap, nodes[node].index);
	bit_set(idle_node_bitmap, nodes[node].index);
}

/* That is no answer: it is asked once more, even if it was a moment ago. */
static void test_registered(void **state)
{
	(void)state;
	gives("23");
	give_back_ask();
	answers(2);
	xfree(asked);
	registers(3);
	leaves("n3");
	assert_true(IS_NODE_COMPLETING((&nodes[3])) && bit_test(cg_node_bitmap, 3));
	assert_false(bit_test(idle_node_bitmap, 3));
	give_back_ask();
	assert_string_equal(asked, "n3");
	answers(3);
	leaves("");
}

/* Those alone are asked again, and the job gets nothing until a second answer can be no more. */
static void test_asked_twice(void **state)
{
	(void)state;
	gives("23");
	give_back_ask();
	assert_true(give_back_asked_now(ID));
	now++;
	assert_false(give_back_asked_now(ID));
	registers(3);
	give_back_ask();
	assert_string_equal(asked, "n3");
	answers(3);
	now += 20;
	answers(2); /* from then on it counts */
	assert_true(give_back_asked_now(ID));
	leaves("");
	now += 11;
	assert_false(give_back_asked_now(ID));
}

/* It waits again, so that what its slurmds say is dropped: then a registration has to do. */
static void test_requeued(void **state)
{
	bitstr_t *had = job->node_bitmap;

	(void)state;
	gives("23");
	give_back_ask();
	job->node_bitmap = NULL;
	registers(2);
	leaves("n3");
	now += 121;
	give_back_settle();
	leaves("");
	assert_true(bit_test(idle_node_bitmap, 3));
	job->node_bitmap = had;
}

/* Forced off, asleep, or with a job that was resumed there: it is not waited for, and keeps no mark. */
static void test_off(void **state)
{
	(void)state;
	gives("123");
	give_back_ask();
	nodes[1].node_state |= NODE_STATE_POWER_DOWN;
	registers(1);
	nodes[2].node_state |= NODE_STATE_POWERED_DOWN;
	nodes[3].run_job_cnt = 1;
	registers(3);
	leaves("");
	assert_false(IS_NODE_COMPLETING((&nodes[1])) || IS_NODE_COMPLETING((&nodes[2])) ||
		     IS_NODE_COMPLETING((&nodes[3])));
	assert_false(bit_test(cg_node_bitmap, 2));
	assert_true(bit_test(idle_node_bitmap, 2));
}

/* ---- over a restart ---- */

/* slurmctld is killed, and another one comes up that has these nodes as the job's. */
static void restart(const char *has)
{
	bit_clear_all(job->node_bitmap);
	for (; *has; has++)
		bit_set(job->node_bitmap, *has - '0');
	for (int i = 0; i < NODES; i++) {
		bool mine = bit_test(job->node_bitmap, i);

		if (mine)
			nodes[i].node_state = NODE_STATE_ALLOCATED;
		else if (!IS_NODE_DOWN((&nodes[i])))
			nodes[i].node_state = NODE_STATE_UNKNOWN;
		nodes[i].run_job_cnt = mine;
		nodes[i].last_busy = now;
		bit_clear(cg_node_bitmap, i);
		mine ? bit_clear(idle_node_bitmap, i) : bit_set(idle_node_bitmap, i);
	}
	xfree(asked);
	now++;
	give_back_begin();
	give_back_ask();
}

static void test_restarted(void **state)
{
	(void)state;
	gives("123");
	give_back_ask();
	answers(1);
	give_back_ask();
	restart("0");
	leaves("n2,n3");
	assert_string_equal(asked, "n2,n3");
	assert_false(bit_test(idle_node_bitmap, 2) || bit_test(idle_node_bitmap, 3));
	responds(2);
	registers(2);
	leaves("n2,n3");
	now += 20;
	answers(3);
	answers(2);
	leaves("n3"); /* its registrations could look like that */
	answers(3);
	/* an earlier life had asked them, too */
	assert_true(give_back_asked_now(ID));
	now += 11;
	assert_false(give_back_asked_now(ID));
	give_back_ask();
	restart("0");
	assert_null(asked);
}

/* Its slurmd registers twice between two looks, by which last_busy changes and the mark goes: that is no answer either. */
static void test_registered_twice(void **state)
{
	(void)state;
	gives("3");
	give_back_ask();
	restart("012");
	xfree(asked);
	registers_unseen(3);
	registers(3);
	leaves("n3");
	assert_true(IS_NODE_COMPLETING((&nodes[3])));
	give_back_ask();
	assert_string_equal(asked, "n3");
	answers(3);
	leaves("");
}

/* Slurm has not heard of them for a while, and has them back: their epilogs may run there as before. */
static void test_down(void **state)
{
	(void)state;
	gives("123");
	give_back_ask();
	xfree(asked);
	for (int i = 1; i < NODES; i++)
		goes_down(i);
	give_back_settle();
	assert_null(give_back_of(ID));
	assert_string_equal(left, "n1,n2,n3");
	now += 600;
	reconfigure("3210"); /* they are known by their names */
	give_back_ask();
	assert_null(asked);
	/* nothing is looked for meanwhile, not even where one is taken out of Slurm's table */
	assert_false(give_back_any());
	node_record_table_ptr[1] = NULL;
	assert_null(give_back_of(ID));
	node_record_table_ptr[1] = &nodes[2];
	registers_unseen(1);
	assert_true(give_back_any());
	give_back_settle();
	assert_true(IS_NODE_COMPLETING((&nodes[1])) && !bit_test(idle_node_bitmap, 2));
	give_back_ask();
	assert_string_equal(asked, "n1");
	answers(1);
	assert_string_equal(left, "n3,n2");
	/* another job has it, if an operator will have it so */
	nodes[2].run_job_cnt = 1;
	registers(2);
	assert_string_equal(left, "n3");
	nodes[2].run_job_cnt = 0;
	reconfigure("0123");
	give_back_ask();
	restart("012");
	assert_null(asked);
	registers(3);
	leaves("n3");
	give_back_ask();
	assert_string_equal(asked, "n3");
	answers(3);
	leaves("");
}

/* What it says would be dropped when its job is over: then it is idle as it is without this. */
static void test_down_until_over(void **state)
{
	bitstr_t *had = job->node_bitmap;

	(void)state;
	gives("3");
	give_back_ask();
	goes_down(3);
	give_back_settle();
	assert_true(give_back_any());
	job->node_bitmap = NULL;
	now += 11;
	give_back_settle();
	assert_false(give_back_any());
	job->node_bitmap = had;
}

/* What Slurm had not saved is undone: the job has these nodes; and those that another one has meanwhile are clean. */
static void test_restarted_undone(void **state)
{
	(void)state;
	gives("123");
	give_back_ask();
	restart("01");
	leaves("n2,n3");
	nodes[2].run_job_cnt = 1;
	give_back_begin();
	give_back_ask();
	leaves("n3");
	nodes[2].run_job_cnt = 0;
	registers(3);
	answers(3);
}

/* slurmctld dies before the file is written, and after Slurm has saved the job: its record says it. */
static void test_record(void **state)
{
	(void)state;
	gives("23");
	state_file_remove(GIVE_BACK_FILE);
	restart("01");
	assert_string_equal(asked, "n2,n3");
	leaves("n2,n3");
	registers(2);
	answers(2);
	/* both say it */
	give_back_ask();
	restart("01");
	leaves("n3");
	registers(3);
	answers(3);
	give_back_ask();
	/* and what it says of nodes that are not there, or are the job's again, is dropped */
	left = xstrdup("n1,nowhere");
	restart("01");
	leaves("");
	assert_null(asked);
}

/* slurmctld ends in good order before the slurmds are asked. */
static void test_ended(void **state)
{
	(void)state;
	gives("3");
	give_back_write();
	restart("012");
	assert_string_equal(asked, "n3");
	registers(3);
	answers(3);
}

/* What is given back before the file was read stays; and what could not be written, in the same process. */
static void test_lives(void **state)
{
	(void)state;
	gives("3");
	give_back_ask();
	give_back_begin();
	gives("2");
	give_back_ask();
	leaves("n2,n3");
	state_file_use_dir("/nowhere");
	gives("1");
	give_back_ask();
	give_back_begin();
	give_back_ask();
	leaves("n1,n2,n3");
	state_file_use_dir(dir);
	answers(1);
	answers(2);
	answers(3);
	give_back_ask();
}

/* What cannot be read is passed over. */
static void test_damaged(void **state)
{
	static const char *const bad[] = { "",
					   "pact leaving 2\n7 n3\n",
					   GIVE_BACK_FORM,
					   GIVE_BACK_FORM "7",
					   GIVE_BACK_FORM "7 \nx n3\n0 n3",
					   GIVE_BACK_FORM "-7 n3\n7n3\n",
					   GIVE_BACK_FORM "4294967294 n3\n7 nowhere\n" };

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(state_file_write(GIVE_BACK_FILE, bad[i]), 0);
		restart("012");
		assert_null(asked);
	}
	assert_int_equal(state_file_write(GIVE_BACK_FILE, GIVE_BACK_FORM "x\n7 n2,n3\n"), 0);
	restart("01");
	leaves("n2,n3");
	registers(2);
	registers(3);
	answers(2);
	answers(3);
}

static int open_group(void **state)
{
	(void)state;
	if (!mkdtemp(dir))
		return -1;
	state_file_use_dir(dir);
	return 0;
}

static int close_group(void **state)
{
	(void)state;
	state_file_remove(GIVE_BACK_FILE);
	return rmdir(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_answered, open_world, close_world),
		cmocka_unit_test_setup_teardown(test_reconfigured, open_world, close_world),
		cmocka_unit_test_setup_teardown(test_numbered_anew, open_world, close_world),
		cmocka_unit_test_setup_teardown(test_behind, open_world, close_world),
		cmocka_unit_test_setup_teardown(test_unanswered, open_world, close_world),
		cmocka_unit_test_setup_teardown(test_registered, open_world, close_world),
		cmocka_unit_test_setup_teardown(test_asked_twice, open_world, close_world),
		cmocka_unit_test_setup_teardown(test_requeued, open_world, close_world),
		cmocka_unit_test_setup_teardown(test_off, open_world, close_world),
		cmocka_unit_test_setup_teardown(test_restarted, open_world, close_world),
		cmocka_unit_test_setup_teardown(test_registered_twice, open_world, close_world),
		cmocka_unit_test_setup_teardown(test_down, open_world, close_world),
		cmocka_unit_test_setup_teardown(test_down_until_over, open_world, close_world),
		cmocka_unit_test_setup_teardown(test_restarted_undone, open_world, close_world),
		cmocka_unit_test_setup_teardown(test_record, open_world, close_world),
		cmocka_unit_test_setup_teardown(test_ended, open_world, close_world),
		cmocka_unit_test_setup_teardown(test_lives, open_world, close_world),
		cmocka_unit_test_setup_teardown(test_damaged, open_world, close_world),
	};

	log_options_t quiet = LOG_OPTS_INITIALIZER;

	quiet.stderr_level = LOG_LEVEL_ERROR;
	log_init("test_give_back", quiet, SYSLOG_FACILITY_DAEMON, NULL);
	return cmocka_run_group_tests_name("test_give_back", tests, open_group, close_group);
}
