/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unconfirmed.c - an accepted submission holds its place until its record shows up
 *
 * A key of the thread lists the tokens of its submissions; the key's destructor
 * runs when the thread ends, with no lock held.  The plugin stays resident, so
 * the destructor's code is always there.
 */
#include "slurm/base/compat.h"

#include <fcntl.h>

#include "slurm/history/history.h"
#include "slurm/promise/unconfirmed.h"
#include "slurm/state/track.h"
#include "slurm/base/scheduler.h"
#include "slurm/state/terms.h"
#include "slurm/base/clock.h"
#include "slurm/state/core.h"

/* No RPC takes so long, however loaded the controller is. */
#define UNCONFIRMED_MOST 600 /* seconds; or twice MessageTimeout if that is longer */

struct mine {
	struct mine *next;
	uint64_t token;
};

static pthread_key_t key;
static pthread_once_t key_once = PTHREAD_ONCE_INIT;
static bool key_made;
/* This thread serves an RPC: in the count of those that are being served it is itself. */
static __thread bool serving;

/* Of threads that have ended; noted without the mutex, which the plan may hold for a while. */
static pthread_mutex_t ended_lock = PTHREAD_MUTEX_INITIALIZER;
static struct mine *ended;

/* The RPC of these submissions is over. */
static void thread_ended(void *arg)
{
	struct mine *mine = arg, **last = &mine;

	while (*last)
		last = &(*last)->next;
	pthread_mutex_lock(&ended_lock);
	*last = ended;
	ended = mine;
	pthread_mutex_unlock(&ended_lock);
}

static void make_key(void)
{
	key_made = !pthread_key_create(&key, thread_ended);
}

void unconfirmed_serve(bool begins)
{
	struct mine *mine;

	serving = begins;
	if (!RPC_THREADS_LIVE_ON || !begins)
		return;
	pthread_once(&key_once, make_key);
	mine = key_made ? pthread_getspecific(key) : NULL;
	if (mine && !pthread_setspecific(key, NULL))
		thread_ended(mine);
}

/* Those without an RPC any more: their count was taken after they were accepted. */
static void collect_all(struct bridge *b)
{
	for (struct unconfirmed *p = b->unconfirmed; p; p = p->next) {
		if (p->over)
			continue;
		p->over = true;
		p->over_epoch = b->epoch;
	}
}

void unconfirmed_collect(struct bridge *b)
{
	struct mine *mine, *next;

	if (RPC_THREADS_LIVE_ON && b->unconfirmed && rpcs_served() <= serving)
		collect_all(b);

	pthread_mutex_lock(&ended_lock);
	mine = ended;
	ended = NULL;
	pthread_mutex_unlock(&ended_lock);
	for (; mine; mine = next) {
		for (struct unconfirmed *p = b->unconfirmed; p; p = p->next)
			if (p->token == mine->token) {
				p->over = true;
				p->over_epoch = b->epoch;
			}
		next = mine->next;
		free(mine);
	}
}

/* Batch submissions alone are queued for one thread (enable_rpc_queue): its end says nothing. */
static bool remember(uint64_t token, bool batch)
{
	struct mine *mine;

	pthread_once(&key_once, make_key);
	if (!key_made || (batch && xstrcasestr(slurm_conf.slurmctld_params, "enable_rpc_queue")))
		return false;
	mine = malloc(sizeof(*mine));
	if (!mine)
		return false;
	mine->token = token;
	mine->next = pthread_getspecific(key);
	if (!pthread_setspecific(key, mine))
		return true;
	free(mine);
	return false;
}

uint64_t unconfirmed_token(struct bridge *b)
{
	if (!b->next_token) {
		int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);

		if (fd < 0 || read(fd, &b->next_token, sizeof(b->next_token)) !=
				      (ssize_t)sizeof(b->next_token))
			b->next_token = (uint64_t)time(NULL) << 24 ^ (uint64_t)getpid();
		if (fd >= 0)
			close(fd);
	}
	if (!++b->next_token)
		b->next_token++;
	return b->next_token;
}

bool unconfirmed_add(struct bridge *b, uint64_t token, bool batch, uint64_t shape, uint64_t *core,
		     size_t ncore)
{
	struct unconfirmed *p = calloc(1, sizeof(*p));

	if (!p)
		return false;
	p->token = token;
	p->since = clock_us();
	p->shape = shape;
	p->core = core;
	p->ncore = ncore;
	p->next = b->unconfirmed;
	b->unconfirmed = p;
	if (!remember(token, batch)) {
		p->over = true;
		p->over_epoch = b->epoch;
	}
	return true;
}

void unconfirmed_asked(struct bridge *b, uint64_t token, struct terms *asked)
{
	struct unconfirmed *p = *unconfirmed_find(b, token);

	b->tally.left_out[TALLY_MEMORY] += !asked;
	if (p)
		p->asked = asked;
	else
		terms_leave(b, &asked, TALLY_GONE);
}

void unconfirmed_drop(struct bridge *b, struct unconfirmed **at, int64_t now)
{
	struct unconfirmed *p = *at;

	*at = p->next;
	for (size_t i = 0; i < p->ncore; i++)
		bridge_event(
			b,
			&(struct sched_event){ .type = EV_WITHDRAW, .now = now, .id = p->core[i] },
			"a submission without a record");
	if (p->expected)
		b->tally.expected -= p->ncore;
	else
		b->tally.accepted -= p->ncore;
	history_void(p->token);
	debug("%s: submission %016" PRIx64 " left no job: its place is free", scheduler_type(),
	      p->token);
	terms_leave(b, &p->asked, TALLY_GONE);
	free(p->core);
	free(p);
}

/* Ended, and its record has not been looked for yet.  One without places waits for a snapshot. */
static bool unsure(const struct unconfirmed *p)
{
	return p->over && p->ncore && !p->recorded;
}

void unconfirmed_bound(const job_record_t *job, uint64_t token)
{
	struct ledger_job who = { .job_id = job->job_id, .uid = job->user_id };

	snprintf(who.account, sizeof(who.account), "%s", job->account ? job->account : "");
	snprintf(who.partition, sizeof(who.partition), "%s", job->partition ? job->partition : "");
	history_bound(token, &who, job->array_job_id ? job->array_job_id : job->job_id, NO_VAL);
}

static int look(void *x, void *arg)
{
	const job_record_t *job = x;
	struct bridge *b = arg;
	struct token token;

	if (!job->admin_comment || token_parse(job->admin_comment, &token) != TOKEN_OK)
		return 0;
	for (struct unconfirmed *p = b->unconfirmed; p; p = p->next)
		if (p->token == token.id && !p->recorded) {
			p->recorded = true;
			/* Another process may take the first snapshot that has it. */
			unconfirmed_bound(job, token.id);
		}
	return 0;
}

bool unconfirmed_sweep(struct bridge *b, int64_t now)
{
	struct unconfirmed **at = &b->unconfirmed;
	bool any = false;

	unconfirmed_collect(b);
	for (struct unconfirmed *p = b->unconfirmed; p && !any; p = p->next)
		any = unsure(p);
	if (!any)
		return false;
	(void)list_for_each(job_list, look, b);
	any = false;
	while (*at) {
		if (!unsure(*at)) {
			at = &(*at)->next;
			continue;
		}
		unconfirmed_drop(b, at, now);
		any = true;
	}
	return any;
}

bool unconfirmed_lapsed(const struct bridge *b, const struct unconfirmed *p)
{
	int64_t most = 2 * (int64_t)slurm_conf.msg_timeout;

	if (most < UNCONFIRMED_MOST)
		most = UNCONFIRMED_MOST;
	if (p->over)
		return p->over_epoch < b->epoch;
	return clock_us() - p->since > most * 1000000;
}

struct unconfirmed **unconfirmed_find(struct bridge *b, uint64_t token)
{
	struct unconfirmed **at = &b->unconfirmed;

	while (*at && (*at)->token != token)
		at = &(*at)->next;
	return at;
}

void unconfirmed_reset(struct bridge *b)
{
	/* Their records may come yet, with a promise: until then no place is given away. */
	for (struct unconfirmed *p = b->unconfirmed; p; p = p->next) {
		terms_leave(b, &p->asked, TALLY_ANEW);
		free(p->core);
		p->core = NULL;
		p->ncore = 0;
		p->over = true;
		p->over_epoch = b->epoch;
	}
}

void unconfirmed_changed(struct bridge *b, uint64_t token, uint64_t key)
{
	struct unconfirmed *p = *unconfirmed_find(b, token);
	struct track *track = track_find(b, key);

	if (p)
		terms_leave(b, &p->asked, TALLY_CHANGED);
	if (track)
		terms_leave(b, &track->asked, TALLY_CHANGED);
}
