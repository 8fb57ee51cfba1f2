/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * board.c - the plan as it was at the end of the last pass, for whoever asks
 */
#include "slurm/base/compat.h"

#include "slurm/bridge/board.h"
#include "slurm/bridge/hold.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct board *up;
/* Of the thread that plans. */
static uint64_t passes;

static void names_free(char **names, uint32_t n)
{
	for (uint32_t i = 0; names && i < n; i++)
		free(names[i]);
	free(names);
}

static void board_destroy(struct board *board)
{
	if (!board)
		return;
	names_free(board->names, board->snap ? board->snap->nodes : 0);
	snapshot_destroy(board->snap);
	free(board->rows);
	free(board);
}

static void add_row(struct bridge *b, struct board *board, const struct snap_job *j, uint32_t task)
{
	struct board_row *row = &board->rows[board->nrows++];
	struct track *track = track_find(b, track_key(j->base_id, task));

	row->job = j;
	row->task = task;
	if (!track || sched_view(b->core, track->core, &row->view))
		return;
	row->planned = true;
	row->wait = sched_why(b->core, track->core);
	row->promised = track->promised || (track->running && track->token.id &&
					    track->token.state != TOKEN_WITHDRAWN);
}

static size_t count_rows(const struct snapshot *snap)
{
	size_t n = 0;

	for (size_t i = 0; i < snap->njobs; i++)
		n += snap->jobs[i].tasks ? snap->jobs[i].ntasks : 1;
	return n;
}

struct board *board_make(struct bridge *b, struct snapshot *snap)
{
	struct board *board = calloc(1, sizeof(*board));

	if (board)
		board->rows = calloc(count_rows(snap) + 1, sizeof(*board->rows));
	if (!board || !board->rows) {
		free(board);
		return NULL;
	}
	for (size_t i = 0; i < snap->njobs; i++) {
		const struct snap_job *j = &snap->jobs[i];

		if (j->state != SNAP_PENDING && j->state != SNAP_RUNNING)
			continue;
		if (!j->tasks)
			add_row(b, board, j, j->task);
		for (uint32_t t = 0; j->tasks && t < j->ntasks; t++)
			add_row(b, board, j, j->tasks[t]);
	}
	board->refs = 1;
	board->passes = ++passes;
	board->guard = b->conf->guard;
	board->lateness = b->conf->lateness;
	board->mode = b->conf->mode;
	board->observe = b->conf->observe;
	board->safe = !bridge_unsafe(b);
	snprintf(board->unsafe, sizeof(board->unsafe), "%s", board->safe ? "" : bridge_unsafe(b));
	board->tally = b->tally;
	tally_open(b, &board->open, &board->risk);
	policy_look(b, &board->policy);
	return board;
}

/* The names of the nodes of this snapshot's table. */
static char **take_names(const struct snapshot *snap)
{
	static const slurmctld_lock_t read_nodes = { .node = READ_LOCK };
	char **names = calloc(snap->nodes + 1, sizeof(*names));
	struct hold hold;
	bool ok = names;

	if (!ok)
		return NULL;
	hold_take(&hold, &read_nodes);
	ok = (uint32_t)node_record_count == snap->nodes;
	for (uint32_t i = 0; ok && i < snap->nodes; i++) {
		const node_record_t *node = node_record_table_ptr[i];

		names[i] = strdup(node && node->name ? node->name : "");
		ok = names[i];
	}
	hold_give(&hold);
	if (ok)
		return names;
	names_free(names, snap->nodes);
	return NULL;
}

/* As long as the table stays the same, so do the names. */
static char **copy_names(const struct board *from)
{
	char **names = calloc(from->snap->nodes + 1, sizeof(*names));
	bool ok = names;

	for (uint32_t i = 0; ok && i < from->snap->nodes; i++) {
		names[i] = strdup(from->names[i]);
		ok = names[i];
	}
	if (ok)
		return names;
	names_free(names, from->snap->nodes);
	return NULL;
}

void board_show(struct board *board, struct snapshot *snap)
{
	struct board *old;

	if (!board) {
		snapshot_destroy(snap);
		return;
	}
	board->snap = snap;
	/* Only this thread puts one up: it cannot go meanwhile. */
	if (up && up->names && up->snap->names == snap->names && up->snap->nodes == snap->nodes)
		board->names = copy_names(up);
	else
		board->names = take_names(snap);
	pthread_mutex_lock(&lock);
	old = up;
	up = board;
	pthread_mutex_unlock(&lock);
	board_put(old);
}

struct board *board_get(void)
{
	struct board *board;

	pthread_mutex_lock(&lock);
	board = up;
	if (board)
		board->refs++;
	pthread_mutex_unlock(&lock);
	return board;
}

void board_put(struct board *board)
{
	if (board && --board->refs == 0)
		board_destroy(board);
}

void board_clear(void)
{
	struct board *old;

	pthread_mutex_lock(&lock);
	old = up;
	up = NULL;
	pthread_mutex_unlock(&lock);
	board_put(old);
}

const char *board_none(void)
{
	return safety_scheduling() ? "there is no plan yet"
				   : "there is no plan: " SAFETY_SWITCHED_OFF;
}

char *board_nodes(const struct board *board, const struct nodeset *nodes)
{
	char *text, *copy = NULL;
	hostlist_t list;

	if (!board->names || !nodes || nodeset_size(nodes) != board->snap->nodes)
		return NULL;
	list = hostlist_create(NULL);
	if (!list)
		return NULL;
	for (uint32_t i = nodeset_next(nodes, 0); i < board->snap->nodes;
	     i = nodeset_next(nodes, i + 1))
		hostlist_push_host(list, board->names[i]);
	text = hostlist_ranged_string_xmalloc(list);
	if (text)
		copy = strdup(text);
	xfree(text);
	hostlist_destroy(list);
	return copy;
}
