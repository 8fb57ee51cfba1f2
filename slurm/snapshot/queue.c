/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * queue.c - what may run now, in Slurm's words
 */
#include "slurm/snapshot/queue.h"

#include "slurm/base/metered.h"
#include "slurm/snapshot/runnable.h"
#include "slurm/snapshot/snapshot.h"
#include "slurm/base/clock.h"

/* The locks are given up after so many microseconds, looked at every so many records. */
#define PIECE_US 2000
#define PIECE_LOOK 32

/* Arrays of which Slurm has split enough are left to it again after so many microseconds. */
#define SPLIT_AGAIN_US 60000000

/* What is copied of one way to run a job while the locks are held. */
struct copy {
	uint32_t job_id;
	uint32_t place; /* in Slurm's order among the job's own */
	int64_t order;
	uint64_t print; /* of the record as it was asked */
	struct entry entry;
};

/* A queue in the making. */
struct taking {
	struct texts *texts;
	uint32_t *ids; /* of the records there were */
	size_t nids;
	struct copy *copies;
	size_t ncopies, room;
	list_t *ways;	/* of the record at work */
	uint64_t split; /* the arrays to be split first, as they stand; 0: none */
};

struct queue {
	struct entry *entries;
	struct run *runs;
	size_t nruns;
};

/* Slurm's order (sort_job_queue2): reservation, tier, priority. */
static int64_t order_of(const job_queue_rec_t *rec)
{
	bool resv = rec->job_ptr->resv_id || rec->resv_ptr;
	int64_t tier = rec->part_ptr->priority_tier;

	return ((int64_t)resv << 50) | (tier << 33) | rec->priority;
}

/* RET NULL: no memory */
static struct copy *next_copy(struct taking *t)
{
	size_t room = t->room ? 2 * t->room : 256;
	struct copy *more;

	if (t->ncopies < t->room)
		return &t->copies[t->ncopies++];
	more = realloc(t->copies, room * sizeof(*more));
	if (!more)
		return NULL;
	t->copies = more;
	t->room = room;
	return &t->copies[t->ncopies++];
}

/* RET false: no memory */
static bool copy_way(struct taking *t, const job_queue_rec_t *rec, uint32_t place, uint64_t print)
{
	const slurmctld_resv_t *resv = rec->resv_ptr ? rec->resv_ptr : rec->job_ptr->resv_ptr;
	struct copy *out = next_copy(t);

	if (!out)
		return false;
	*out = (struct copy){
		.job_id = rec->job_id,
		.place = place,
		.order = order_of(rec),
		.print = print,
		.entry = { .part = texts_keep(t->texts,
					      rec->part_ptr->name ? rec->part_ptr->name : ""),
			   .priority = rec->priority,
			   .resv_id = rec->resv_ptr ? rec->resv_ptr->resv_id : 0,
			   .qos_id = queue_rec_qos(rec),
			   .inside = resv && resv->node_bitmap,
			   .prefer = rec->use_prefer },
	};
	return out->entry.part;
}

/* Ask one record.  Its ways are few: only where there are several does their order matter. */
static bool take_record(struct taking *t, job_record_t *job)
{
	job_queue_rec_t *rec;
	uint64_t print = 0;
	bool ok = true;

	runnable_ask(job, t->ways);
	if (list_count(t->ways))
		print = snapshot_print(job);
	if (list_count(t->ways) > 1)
		sort_job_queue(t->ways);
	for (uint32_t place = 0; (rec = list_pop(t->ways)); place++) {
		ok = ok && copy_way(t, rec, place, print);
		xfree(rec);
	}
	return ok;
}

/*
 * Slurm splits a few tasks off, and no more while these wait.  So whether it would split any
 * depends on how many of its array wait, how many are left to split, and its configuration.
 */
static uint64_t split_state(uint64_t hash, const job_record_t *job)
{
	const uint64_t values[] = { job->job_id, job->array_recs->task_cnt,
				    (uint64_t)num_pending_job_array_tasks(job->array_job_id),
				    (uint64_t)slurm_conf.last_update };

	if (!hash)
		hash = 0xcbf29ce484222325ULL;
	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++) {
		hash = (hash ^ values[i]) * 0x9e3779b97f4a7c15ULL;
		hash ^= hash >> 29;
	}
	return hash;
}

static int note_record(void *record, void *arg)
{
	const job_record_t *job = record;
	struct taking *t = arg;

	t->ids[t->nids++] = job->job_id;
	if (runnable_wants_split(job))
		t->split = split_state(t->split, job);
	return 0;
}

/* RET false: no memory */
static bool note_records(struct taking *t)
{
	static const slurmctld_lock_t locks = { .conf = READ_LOCK, .job = READ_LOCK };
	struct metered metered;

	metered_take(&metered, &locks);
	free(t->ids);
	t->nids = 0;
	t->split = 0;
	t->ids = calloc((size_t)list_count(job_list) + 1, sizeof(*t->ids));
	if (t->ids)
		list_for_each(job_list, note_record, t);
	metered_give(&metered);
	return t->ids;
}

static const slurmctld_lock_t queue_locks = { READ_LOCK, WRITE_LOCK, WRITE_LOCK, READ_LOCK,
					      READ_LOCK };

/*
 * Are there arrays to split that have changed since they were last left to Slurm?  It may also
 * have failed for want of room for a record: so from time to time they are, changed or not.
 */
static bool to_split(const struct taking *t)
{
	static uint64_t last;
	static int64_t when;
	int64_t now;

	if (!t->split)
		return false;
	now = clock_us();
	if (t->split == last && now < when + SPLIT_AGAIN_US)
		return false;
	last = t->split;
	when = now;
	return true;
}

/* Have Slurm split what is to be split; what else it says is asked again. */
static void split_arrays(void)
{
	struct metered metered;
	list_t *list;

	metered_take(&metered, &queue_locks);
	(void)bb_g_load_state(false); /* what it splits may be for a burst buffer */
	list = build_job_queue(false, true);
	metered_give(&metered);
	FREE_NULL_LIST(list);
}

/* RET false: no memory */
static bool take_records(struct taking *t, bool loaded)
{
	struct metered metered;
	bool ok = true;

	metered_take(&metered, &queue_locks);
	if (!loaded)
		(void)bb_g_load_state(false);
	for (size_t i = 0; ok && i < t->nids; i++) {
		job_record_t *job = find_job_record(t->ids[i]);

		if (job)
			ok = take_record(t, job);
		if (i % PIECE_LOOK == PIECE_LOOK - 1 && metered_long(&metered, PIECE_US))
			metered_yield(&metered);
	}
	metered_give(&metered);
	return ok;
}

static int by_job(const void *a, const void *b)
{
	const struct copy *x = a, *y = b;

	if (x->job_id != y->job_id)
		return x->job_id < y->job_id ? -1 : 1;
	return x->place < y->place ? -1 : x->place > y->place;
}

/* Group what was copied by job. */
static struct queue *make(struct copy *copies, size_t n)
{
	struct queue *queue = calloc(1, sizeof(*queue));
	struct run *run = NULL;

	if (!queue)
		return NULL;
	queue->entries = calloc(n + 1, sizeof(*queue->entries));
	queue->runs = calloc(n + 1, sizeof(*queue->runs));
	if (!queue->entries || !queue->runs) {
		queue_destroy(queue);
		return NULL;
	}
	if (n)
		qsort(copies, n, sizeof(*copies), by_job);
	for (size_t i = 0; i < n; i++) {
		if (!run || run->job_id != copies[i].job_id) {
			run = &queue->runs[queue->nruns++];
			run->job_id = copies[i].job_id;
			run->print = copies[i].print;
			run->entries = &queue->entries[i];
		}
		queue->entries[i] = copies[i].entry;
		run->nentries++;
		if (copies[i].order > run->priority)
			run->priority = copies[i].order;
	}
	return queue;
}

struct queue *queue_take(struct texts *texts)
{
	struct taking t = { .texts = texts, .ways = list_create(xfree_ptr) };
	struct queue *queue = NULL;
	bool ok = note_records(&t);
	bool split = ok && to_split(&t);

	if (split) {
		split_arrays();
		ok = note_records(&t);
	}
	if (ok && take_records(&t, split))
		queue = make(t.copies, t.ncopies);
	FREE_NULL_LIST(t.ways);
	free(t.copies);
	free(t.ids);
	return queue;
}

void queue_destroy(struct queue *queue)
{
	if (!queue)
		return;
	free(queue->entries);
	free(queue->runs);
	free(queue);
}

static int to_run(const void *key, const void *element)
{
	uint32_t job_id = *(const uint32_t *)key;
	const struct run *run = element;

	return job_id < run->job_id ? -1 : job_id > run->job_id;
}

const struct run *queue_find(const struct queue *queue, uint32_t job_id, uint64_t print)
{
	const struct run *run =
		bsearch(&job_id, queue->runs, queue->nruns, sizeof(*queue->runs), to_run);

	return run && run->print == print ? run : NULL;
}
