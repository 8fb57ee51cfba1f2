/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * queue.c - what may run now, by Slurm's own build_job_queue()
 */
#include "slurm/queue.h"

#include "slurm/hold.h"

/* What is copied of one record of Slurm's queue while the locks are held. */
struct copy {
	job_queue_rec_t *rec; /* to be freed; nothing in it is followed without the locks */
	uint32_t job_id;
	uint32_t place; /* in Slurm's order among the job's own */
	int64_t order;
	struct entry entry;
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

/* RET false: no memory for its partition's name */
static bool copy_rec(struct copy *out, job_queue_rec_t *rec, uint32_t place, struct texts *texts)
{
	const slurmctld_resv_t *resv = rec->resv_ptr ? rec->resv_ptr : rec->job_ptr->resv_ptr;

	*out = (struct copy){
		.rec = rec,
		.job_id = rec->job_id,
		.place = place,
		.order = order_of(rec),
		.entry = { .part = texts_keep(texts,
					      rec->part_ptr->name ? rec->part_ptr->name : ""),
			   .priority = rec->priority,
			   .resv_id = rec->resv_ptr ? rec->resv_ptr->resv_id : 0,
			   .inside = resv && resv->node_bitmap,
			   .prefer = rec->use_prefer },
	};
	return out->entry.part;
}

/*
 * Take the records out of Slurm's list.  Those of one job stand together in it;
 * only where there are several does their order matter, and only these are sorted.
 * RET how many copies; *ok false: memory was short
 */
static size_t copy_list(List list, struct copy *copies, struct texts *texts, bool *ok)
{
	job_queue_rec_t *rec = list_pop(list), *next;
	List several = list_create(xfree_ptr);
	bool more, follows = false;
	size_t n = 0;

	for (; rec; rec = next, follows = more) {
		next = list_pop(list);
		more = next && next->job_id == rec->job_id;
		if (!*ok || !rec->job_ptr || !rec->part_ptr)
			xfree(rec);
		else if (more || follows)
			list_append(several, rec);
		else
			*ok = copy_rec(&copies[n++], rec, 0, texts);
	}
	sort_job_queue(several);
	for (uint32_t place = 0; (rec = list_pop(several)); place++)
		*ok &= copy_rec(&copies[n++], rec, place, texts);
	FREE_NULL_LIST(several);
	return n;
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
	qsort(copies, n, sizeof(*copies), by_job);
	for (size_t i = 0; i < n; i++) {
		if (!run || run->job_id != copies[i].job_id) {
			run = &queue->runs[queue->nruns++];
			run->job_id = copies[i].job_id;
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
	static const slurmctld_lock_t locks = { READ_LOCK, WRITE_LOCK, WRITE_LOCK, READ_LOCK,
						READ_LOCK };
	struct queue *queue;
	struct copy *copies;
	struct hold hold;
	size_t n = 0;
	bool ok;
	List list;

	hold_take(&hold, &locks);
	(void)bb_g_load_state(false);
	list = build_job_queue(false, true);
	copies = calloc((size_t)list_count(list) + 1, sizeof(*copies));
	ok = copies;
	if (ok)
		n = copy_list(list, copies, texts, &ok);
	hold_give(&hold);
	FREE_NULL_LIST(list);
	for (size_t i = 0; i < n; i++)
		xfree(copies[i].rec);
	queue = ok ? make(copies, n) : NULL;
	free(copies);
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

const struct run *queue_find(const struct queue *queue, uint32_t job_id)
{
	size_t low = 0, high = queue->nruns;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (queue->runs[mid].job_id < job_id)
			low = mid + 1;
		else
			high = mid;
	}
	return low < queue->nruns && queue->runs[low].job_id == job_id ? &queue->runs[low] : NULL;
}
