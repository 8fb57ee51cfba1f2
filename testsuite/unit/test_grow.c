/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_grow: a running job is to get nodes of which Slurm does not give some, though they look free, nor what is asked for beside
 * them: all others are given, in however many holds of slurmctld's locks, and each hold comes closer to that. The helper job is
 * played.
 */
#include "slurm/base/compat_played.h"

#include "slurm/base/metered.h"
#include "slurm/base/scheduler.h"
#include "slurm/config/builds.h"
#include "slurm/config/realms.h"
#include "slurm/records/give_back.h"
#include "slurm/records/job_nodes.h"
#include "slurm/records/refused_nodes.h"
#include "slurm/records/region.h"
#include "slurm/records/resize_books.h"
#include "slurm/records/wish_of.h"
#include "slurm/resizing/resize.h"
#include "slurm/resizing/resize_batch.h"
#include "slurm/resizing/resize_helper.h"
#include "slurm/resizing/resize_lost.h"
#include "slurm/resizing/resize_obstacle.h"
#include "slurm/resizing/resize_prolog.h"
#include "testsuite/unit/seed.h"

#define ID 7
#define MOST 2000

/* ---- the played slurmctld ---- */

bitstr_t *idle_node_bitmap, *avail_node_bitmap, *cg_node_bitmap;
list_t *job_list;
static node_record_t nodes[MOST], *table[MOST];
static part_record_t part;
static job_record_t *job, helper;
static bool away;  /* slurmdbd */
static bool begun; /* the books are ready for it */
static int given_back;
static bitstr_t *bad, *refused;
static int bad_as = ESLURM_NODES_BUSY; /* what Slurm says of them */
static int tries;		       /* in this hold */
static int denied;		       /* what Slurm says of any; 0: nothing */
static int room = MOST;		       /* by a limit it may have so many more */
static bool apart;		       /* what it gives cannot be merged */

job_record_t *find_job_record(uint32_t id)
{
	return id == ID ? job : NULL;
}

job_record_t *helper_start(const job_record_t *target, bitstr_t *wanted, int *rc)
{
	assert_ptr_equal(target, job);
	assert_true(bit_set_count(wanted) > 0);
	tries++;
	*rc = denied			     ? denied
	      : bit_set_count(wanted) > room ? ESLURM_ACCOUNTING_POLICY
	      : bit_overlap_any(wanted, bad) ? bad_as
					     : SLURM_SUCCESS;
	helper.node_bitmap = wanted;
	return *rc ? NULL : &helper;
}

int helper_merge(job_record_t *merged)
{
	assert_false(bit_overlap_any(job->node_bitmap, merged->node_bitmap));
	assert_true(begun);
	begun = false;
	if (apart)
		return SLURM_ERROR;
	room -= (int)bit_set_count(merged->node_bitmap);
	bit_or(job->node_bitmap, merged->node_bitmap);
	bit_and_not(idle_node_bitmap, merged->node_bitmap);
	return SLURM_SUCCESS;
}

bool permit_job_expansion(void)
{
	return true;
}

bool permit_job_shrink(void)
{
	return true;
}

int node_name_get_inx(char *name)
{
	(void)name;
	return -1;
}

int node_name2bitmap(char *names, bool best_effort, bitstr_t **bitmap, hostlist_t **invalid)
{
	(void)names, (void)best_effort, (void)bitmap, (void)invalid;
	return SLURM_ERROR;
}

bool validate_operator(uid_t uid)
{
	(void)uid;
	return false;
}

void schedule_job_save(void)
{
}

void schedule_node_save(void)
{
}

/* ---- and what of the bridge resize.c stands on ---- */

const char *scheduler_type(void)
{
	return "sched/qops";
}

bool realms_share(const char *partition)
{
	(void)partition;
	return false;
}

bool realms_slice(const char *partition)
{
	(void)partition;
	return false;
}

bool job_nodes_partly(const job_record_t *of)
{
	(void)of;
	return false;
}

bitstr_t *region_to_bitmap(const struct nodeset *set)
{
	bitstr_t *bits = bit_alloc(MOST);

	for (uint32_t i = nodeset_next(set, 0); i < MOST; i = nodeset_next(set, i + 1))
		bit_set(bits, i);
	return bits;
}

static bool gives_back; /* in this second */

bool give_back_asked_now(uint32_t id)
{
	(void)id;
	return gives_back;
}

void give_back(job_record_t *from, bitstr_t *set)
{
	assert_ptr_equal(from, job);
	given_back = bit_set_count(set);
}

void refused_nodes_add(int node, time_t now)
{
	assert_true(now > 0 && bit_test(bad, node));
	bit_set(refused, node);
}

void refused_nodes_leave_out(bitstr_t *set, time_t now)
{
	(void)now;
	bit_and_not(set, refused);
}

static int met;

void wish_met(job_record_t *of)
{
	assert_ptr_equal(of, job);
	met++;
}

void resize_usage_begin(void)
{
}

void resize_usage_tend(void)
{
}

void give_back_begin(void)
{
}

void give_back_write(void)
{
}

/* Records are of the size that they are taken for; and how often they were looked at. */
static bool fit = true;
static int looks;

bool builds_records(void)
{
	return fit;
}

void give_back_ask(void)
{
	looks++;
}

bool give_back_any(void)
{
	looks++;
	return false;
}

void give_back_settle(void)
{
}

bool resize_books_away(void)
{
	return away;
}

void resize_books_begin(job_record_t *of)
{
	assert_ptr_equal(of, job);
	begun = true;
}

void resize_usage_resized(const job_record_t *of)
{
	assert_ptr_equal(of, job);
}

void resize_books_resized(job_record_t *of, bitstr_t *set)
{
	(void)of, (void)set;
}

bool resize_books_behind(void)
{
	return false;
}

void resize_books_heal(void)
{
}

bool resize_lost_behind(void)
{
	return false;
}

void resize_lost_tend(void)
{
}

void resize_prolog_begin(void)
{
}

void resize_prolog_launch(job_record_t *of, bitstr_t *added)
{
	(void)of, (void)added;
}

bool resize_prolog_behind(void)
{
	return false;
}

void resize_prolog_tend(void)
{
}

bool resize_batch_any(void)
{
	looks++;
	return false;
}

void resize_batch_keep(void)
{
}

bool helper_at_work(void)
{
	return false;
}

void metered_take(struct metered *metered, const slurmctld_lock_t *locks)
{
	(void)metered, (void)locks;
}

void metered_give(struct metered *metered)
{
	(void)metered;
}

/* ---- worlds ---- */

static void open_world(void)
{
	node_record_count = MOST;
	node_record_table_ptr = table;
	part.name = "batch";
	part.node_bitmap = bit_alloc(MOST);
	idle_node_bitmap = bit_alloc(MOST);
	avail_node_bitmap = bit_alloc(MOST);
	cg_node_bitmap = bit_alloc(MOST);
	bad = bit_alloc(MOST);
	refused = bit_alloc(MOST);
	for (int i = 0; i < MOST; i++) {
		nodes[i] = (node_record_t){ .index = i, .name = "n" };
		table[i] = &nodes[i];
		bit_set(part.node_bitmap, i);
		bit_set(avail_node_bitmap, i);
		if (i > 0)
			bit_set(idle_node_bitmap, i);
	}
	job = xmalloc(sizeof(*job));
	job->details = xmalloc(sizeof(*job->details));
	job->job_resrcs = xmalloc(sizeof(*job->job_resrcs));
	job->part_ptr = &part;
	job->magic = JOB_MAGIC;
	job->job_id = ID;
	job->job_state = JOB_RUNNING;
	job->node_bitmap = bit_alloc(MOST);
	bit_set(job->node_bitmap, 0);
	room = MOST;
}

static void close_world(void)
{
	FREE_NULL_BITMAP(refused);
	FREE_NULL_BITMAP(part.node_bitmap);
	FREE_NULL_BITMAP(idle_node_bitmap);
	FREE_NULL_BITMAP(avail_node_bitmap);
	FREE_NULL_BITMAP(cg_node_bitmap);
	FREE_NULL_BITMAP(bad);
	FREE_NULL_BITMAP(job->node_bitmap);
	xfree(job->job_resrcs);
	xfree(job->details);
	xfree(job);
}

/* By all of the first n nodes that it has not. */
static enum resize_rc ask(int n)
{
	struct nodeset *add = nodeset_create(MOST);
	enum resize_rc rc;
	char why[RESIZE_WHY];

	for (int i = 0; i <= n; i++) {
		if (!bit_test(job->node_bitmap, i))
			nodeset_set(add, (uint32_t)i);
	}
	tries = 0;
	rc = resize_grow(ID, add, why, sizeof(why));
	nodeset_destroy(add);
	return rc;
}

/*
 * Of n nodes so many are bad, the lowest or any. Each hold gives some, or finds a bad one, in few tries; when the bad ones alone
 * are left the job has all others. RET holds
 */
static int grow(int n, int bads, bool lowest)
{
	int holds = 0, has = 1, found = 0, left = n;

	bads = bads < n ? bads : n;
	open_world();
	for (int i = 0; i < bads; i++)
		bit_set(bad, lowest ? 1 + i : 1 + (int)seed_below(n));
	bads = (int)bit_set_count(bad);
	while (left > bads || found < bads) {
		enum resize_rc rc = ask(n);
		int more = (int)bit_set_count(job->node_bitmap);

		assert_int_equal(rc, more > has ? RESIZE_DONE : RESIZE_LATER);
		if (more == has && (int)bit_set_count(refused) == found)
			fail_msg("%d nodes, %d bad ones: a hold came to nothing with %d given and "
				 "%d refused",
				 n, bads, has - 1, found);
		assert_true(tries <= 16);
		has = more;
		found = (int)bit_set_count(refused);
		left = n + 1 - has;
		holds++;
	}
	assert_int_equal(has, 1 + n - bads);
	assert_false(bit_overlap_any(job->node_bitmap, bad));
	assert_int_equal(bads ? ask(n) : RESIZE_BUSY, RESIZE_BUSY);
	close_world();
	return holds;
}

/* In the second in which it gives nodes back it is put off: it is no refusal, and is asked for again soon. */
static void test_gives_back(void **state)
{
	(void)state;
	open_world();
	gives_back = true;
	assert_int_equal(ask(3), RESIZE_BUSY);
	assert_int_equal(tries, 0);
	gives_back = false;
	assert_int_equal(ask(3), RESIZE_DONE);
	assert_int_equal(bit_set_count(job->node_bitmap), 4);
	close_world();
}

/* While slurmdbd is away: it is no refusal either. What it gives back is taken all the same. */
static void test_away(void **state)
{
	struct nodeset *keep = nodeset_create(MOST);

	(void)state;
	open_world();
	assert_int_equal(ask(3), RESIZE_DONE);
	away = true;
	tries = 0;
	assert_int_equal(ask(3), RESIZE_AWAY);
	assert_int_equal(tries, 0);
	given_back = 0;
	nodeset_set(keep, 0);
	nodeset_set(keep, 3);
	assert_int_equal(resize_shrink(ID, keep, NULL, 0), RESIZE_DONE);
	assert_int_equal(given_back, 2);
	away = false;
	nodeset_destroy(keep);
	close_world();
}

/*
 * Power saving has nodes asleep, or on their way there or back: a running job gets the others, and where there are none it is
 * no refusal, which would be noted each time.
 */
static void test_asleep(void **state)
{
	static const uint32_t states[] = { NODE_STATE_POWERED_DOWN, NODE_STATE_POWERING_DOWN,
					   NODE_STATE_POWERING_UP };

	(void)state;
	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
		open_world();
		nodes[1].node_state = nodes[3].node_state = NODE_STATE_IDLE | states[i];
		assert_int_equal(ask(3), RESIZE_DONE);
		assert_int_equal(bit_set_count(job->node_bitmap), 2);
		assert_true(bit_test(job->node_bitmap, 2));
		assert_int_equal(ask(3), RESIZE_BUSY);
		assert_int_equal(tries, 0);
		assert_int_equal(bit_set_count(refused), 0);
		nodes[3].node_state = NODE_STATE_IDLE;
		assert_int_equal(ask(3), RESIZE_DONE);
		assert_true(bit_test(job->node_bitmap, 3));
		close_world();
	}
}

/* What its user gives back of it may be what it was asked for. */
static void test_requested(void **state)
{
	job_desc_msg_t desc;

	(void)state;
	open_world();
	bit_nset(job->node_bitmap, 0, 3);
	job->node_cnt = 4;
	slurm_init_job_desc_msg(&desc);
	assert_false(resize_requested(&desc, job, 0));
	desc.min_nodes = desc.max_nodes = 4;
	assert_false(resize_requested(&desc, job, 0));
	assert_int_equal(met, 0);
	desc.min_nodes = desc.max_nodes = 2;
	assert_true(resize_requested(&desc, job, 0));
	assert_int_equal(desc.min_nodes, NO_VAL);
	assert_int_equal(met, 1);
	close_world();
}

/* --exclusive=user and the like, as each release has them, before a start and since. */
static void test_others_alone(void **state)
{
	(void)state;
	open_world();
	for (uint8_t whole = 0; whole < 16; whole++) {
		job->details->whole_node = whole;
		assert_int_equal(!resize_obstacle(job), !whole || whole == WHOLE_NODE_REQUIRED);
	}
	close_world();
}

/*
 * A limit stands against any node: it is told apart from what is against these nodes alone, and no node is to blame. Fewer are
 * tried where it may be for their number.
 */
static void test_denied(void **state)
{
	static const struct {
		int says;
		enum resize_rc rc;
		int tries;
	} cases[] = {
		{ ESLURM_ACCOUNTING_POLICY, RESIZE_DENIED, 2 },
		{ ESLURM_REQUESTED_PART_CONFIG_UNAVAILABLE, RESIZE_DENIED, 1 },
		{ ESLURM_QOS_THRES, RESIZE_DENIED, 1 },
		{ ESLURM_RESERVATION_NOT_USABLE, RESIZE_DENIED, 1 },
	};

	(void)state;
	open_world();
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		denied = cases[i].says;
		assert_int_equal(ask(3), cases[i].rc);
		assert_int_equal(tries, cases[i].tries);
		assert_int_equal(bit_set_count(refused), 0);
	}
	denied = 0;
	/* nor is it a limit where Slurm has given some */
	apart = true;
	assert_int_equal(ask(3), RESIZE_LATER);
	apart = false;
	assert_int_equal(ask(3), RESIZE_DONE);
	close_world();
}

/* It is given as many as the limit lets it have, in one hold and few tries; then none. */
static void to_limit(int n, int may)
{
	int log = 0;

	open_world();
	room = may;
	assert_int_equal(ask(n), may ? RESIZE_DONE : RESIZE_DENIED);
	assert_int_equal(bit_set_count(job->node_bitmap), 1 + (may < n ? may : n));
	assert_int_equal(bit_set_count(refused), 0);
	while (n >> log)
		log++;
	assert_true(tries <= 1 + log);
	if (may < n)
		assert_int_equal(ask(n), RESIZE_DENIED);
	close_world();
}

static void test_limit(void **state)
{
	uint64_t rounds = seed_rounds(300);

	(void)state;
	for (int may = 0; may <= 6; may++)
		to_limit(6, may);
	to_limit(MOST - 1, 1000);
	for (uint64_t round = 0; round < rounds; round++) {
		int n = 1 + (int)seed_below(200);

		to_limit(n, (int)seed_below(n + 1));
	}
}

/* Both: of those that the limit would let it have one is bad. What is not given now is given, or refused, in a hold to come. */
static void test_limit_bad(void **state)
{
	int has = 1;

	(void)state;
	open_world();
	room = 5;
	bit_set(bad, 2);
	for (int hold = 0; hold < 8 && has < 6; hold++) {
		assert_int_equal(ask(10), RESIZE_DONE);
		assert_true(tries <= 16);
		assert_true(bit_set_count(job->node_bitmap) > has);
		has = bit_set_count(job->node_bitmap);
	}
	assert_int_equal(has, 6);
	close_world();
}

static void test_all_good(void **state)
{
	(void)state;
	assert_int_equal(grow(1, 0, true), 1);
	assert_int_equal(grow(MOST - 1, 0, true), 1);
	assert_int_equal(tries, 1);
}

static void test_some_bad(void **state)
{
	static const int says[] = { ESLURM_NODES_BUSY, ESLURM_NODE_NOT_AVAIL,
				    ESLURM_RESERVATION_BUSY, ESLURM_RESERVATION_MAINT };
	uint64_t rounds = seed_rounds(300);

	(void)state;
	for (uint64_t round = 0; round < rounds; round++) {
		bad_as = says[seed_below(4)];
		grow(1 + (int)seed_below(200), 1 + (int)seed_below(6), seed_below(2));
	}
	bad_as = ESLURM_NODES_BUSY;
}

/* So many that the lowest ones are not found in the tries that do for few. */
static void test_wide(void **state)
{
	(void)state;
	for (int n = 200; n < MOST; n += 199) {
		grow(n, 1, true);
		grow(n, 3, true);
		grow(n, 5, false);
	}
}

/* Plugins that were built for another slurmctld: whatever they made of a record would be wrong. */
static void test_unfit(void **state)
{
	int none = 0;

	(void)state;
	job_list = list_create(NULL);
	list_append(job_list, &none);
	fit = false;
	resize_begin();
	resize_keep();
	resize_tend();
	assert_int_equal(looks, 0);
	fit = true;
	resize_keep();
	resize_tend();
	assert_int_equal(looks, 3);
	FREE_NULL_LIST(job_list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_unfit),	  cmocka_unit_test(test_gives_back),
		cmocka_unit_test(test_away),	  cmocka_unit_test(test_asleep),
		cmocka_unit_test(test_requested), cmocka_unit_test(test_denied),
		cmocka_unit_test(test_limit),	  cmocka_unit_test(test_limit_bad),
		cmocka_unit_test(test_all_good),  cmocka_unit_test(test_some_bad),
		cmocka_unit_test(test_wide),	  cmocka_unit_test(test_others_alone),
	};

	log_options_t quiet = LOG_OPTS_INITIALIZER;

	quiet.stderr_level = LOG_LEVEL_ERROR;
	log_init("test_grow", quiet, SYSLOG_FACILITY_DAEMON, NULL);
	return seed_run("test_grow", tests);
}
