/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * clerk.c - the thread that answers what the socket has read
 */
#include "slurm/base/compat.h"

#include <errno.h>
#include <signal.h>

#include "slurm/serving/clerk.h"
#include "slurm/serving/identity.h"
#include "slurm/base/patience.h"
#include "slurm/serving/query.h"
#include "slurm/bridge/scheduler.h"
#include "slurm/serving/serve.h"
#include "slurm/serving/wire.h"

/* Questions that may wait: one of each connection. Who goes away leaves his, and may come again. */
#define WAITING_MOST 64

static struct {
	pthread_mutex_t lock;
	pthread_cond_t work;
	struct patience thread;
	struct chit *in, *out; /* first come, first served; but see next_chit() */
	int waiting;	       /* in */
	uid_t last;	       /* whose turn it was */
	int wake;	       /* -1: nobody is there to be woken */
} clerk = { .lock = PTHREAD_MUTEX_INITIALIZER, .work = PTHREAD_COND_INITIALIZER, .wake = -1 };

void chit_destroy(struct chit *chit)
{
	if (!chit)
		return;
	free(chit->line);
	free(chit->answer);
	free(chit);
}

static void append(struct chit **list, struct chit *chit)
{
	while (*list)
		list = &(*list)->next;
	chit->next = NULL;
	*list = chit;
}

/* The first of the user who comes after the last one's number, so that all take turns. */
static struct chit *next_chit(void)
{
	struct chit **best = NULL, *chit;

	for (struct chit **at = &clerk.in; *at; at = &(*at)->next)
		if (!best || (*at)->uid - clerk.last - 1 < (*best)->uid - clerk.last - 1)
			best = at;
	if (!best)
		return NULL;
	chit = *best;
	*best = chit->next;
	clerk.waiting--;
	clerk.last = chit->uid;
	return chit;
}

static void answer_query(struct chit *chit, const struct wire_request *request)
{
	struct query q = { .uid = chit->uid, .args = request->args };
	const char *code;

	q.answer = json_object_new_object();
	code = q.answer ? query_run(request->name, &q) : WIRE_BUSY;
	if (!q.answer)
		snprintf(q.why, sizeof(q.why), "out of memory");
	chit->cost = q.cost;
	if (code) {
		json_object_put(q.answer);
		chit->answer = wire_error(request->id, code, q.why, &chit->answer_len);
	} else {
		chit->answer = wire_answer(request->id, q.answer, &chit->answer_len);
	}
}

static void answer(struct chit *chit)
{
	struct wire_request request;
	char why[WIRE_WHY_MAX], munge[SERVE_PATH_MAX];
	const char *code = wire_parse(chit->line, chit->len, &request, why);

	chit->cost = 1;
	if (!code &&
	    !identity_check(request.cred, chit->uid,
			    serve_munge(munge, sizeof(munge)) ? munge : NULL, why, sizeof(why)))
		code = WIRE_IDENTITY;
	if (code) {
		chit->forgeable = true;
		chit->answer = wire_error(request.id, code, why, &chit->answer_len);
	} else {
		answer_query(chit, &request);
	}
	wire_release(&request);
}

/* With the lock. */
static void give_back(struct chit *chit)
{
	uint64_t one = 1;

	append(&clerk.out, chit);
	if (write(clerk.wake, &one, sizeof(one)) != sizeof(one))
		debug("%s: socket: the wake-up call is lost, the next one counts",
		      scheduler_type());
}

static void *work(void *arg)
{
	struct chit *chit;

	(void)arg;
	pthread_mutex_lock(&clerk.lock);
	while (!clerk.thread.ending) {
		chit = next_chit();
		if (!chit) {
			pthread_cond_wait(&clerk.work, &clerk.lock);
			continue;
		}
		pthread_mutex_unlock(&clerk.lock);
		answer(chit);
		pthread_mutex_lock(&clerk.lock);
		clerk.thread.progress++;
		if (clerk.thread.ending)
			chit_destroy(chit); /* whoever asked has gone, in a life before perhaps */
		else
			give_back(chit);
	}
	pthread_mutex_unlock(&clerk.lock);
	patience_over(&clerk.thread, &clerk.lock);
	return NULL;
}

/* With the lock.  RET 0, or an errno; EBUSY: an earlier one hangs */
static int begin(void)
{
	sigset_t all, old;
	int rc;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	rc = patience_begin(&clerk.thread, work, NULL);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return rc;
}

bool clerk_start(int wake)
{
	int rc;

	pthread_mutex_lock(&clerk.lock);
	rc = begin();
	clerk.wake = wake;
	pthread_mutex_unlock(&clerk.lock);
	return !rc || rc == EBUSY; /* clerk_post() tries again */
}

static void drop_all(struct chit **list)
{
	struct chit *next;

	for (; *list; *list = next) {
		next = (*list)->next;
		chit_destroy(*list);
	}
}

bool clerk_stop(void)
{
	bool ended = patience_end(&clerk.thread, &clerk.lock, &clerk.work);

	pthread_mutex_lock(&clerk.lock);
	clerk.wake = -1;
	drop_all(&clerk.in);
	clerk.waiting = 0;
	drop_all(&clerk.out);
	pthread_mutex_unlock(&clerk.lock);
	return ended;
}

/* With the lock. */
static void turn_away(struct chit *chit, const char *why)
{
	chit->cost = 1;
	chit->answer = wire_error(NULL, WIRE_BUSY, why, &chit->answer_len);
	give_back(chit);
}

void clerk_post(struct chit *chit)
{
	pthread_mutex_lock(&clerk.lock);
	if (begin()) {
		turn_away(chit, "a question that was asked before hangs on a disk: try again");
	} else if (clerk.waiting >= WAITING_MOST) {
		turn_away(chit, "too many questions wait: try again");
	} else {
		append(&clerk.in, chit);
		clerk.waiting++;
		pthread_cond_signal(&clerk.work);
	}
	pthread_mutex_unlock(&clerk.lock);
}

struct chit *clerk_take(void)
{
	struct chit *chit;

	pthread_mutex_lock(&clerk.lock);
	chit = clerk.out;
	if (chit)
		clerk.out = chit->next;
	pthread_mutex_unlock(&clerk.lock);
	return chit;
}
