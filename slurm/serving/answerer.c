/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * answerer.c - the thread that answers what the socket has read
 */
#include "slurm/base/compat.h"

#include <errno.h>
#include <signal.h>

#include "slurm/serving/answerer.h"
#include "slurm/serving/identity.h"
#include "slurm/base/listener.h"
#include "slurm/base/patience.h"
#include "slurm/queries/query.h"
#include "slurm/base/scheduler.h"
#include "slurm/serving/munge_socket.h"
#include "slurm/queries/wire.h"

/* Questions that may wait: one of each connection. A user who goes away leaves one, and may come again. */
#define WAITING_MOST 64

static struct {
	pthread_mutex_t lock;
	pthread_cond_t work;
	struct patience thread;
	struct exchange *in, *out; /* first come, first served; but see next_exchange() */
	int waiting;		   /* in */
	uid_t last;		   /* whose turn it was */
	int wake;		   /* -1: no thread is there to be woken */
} answerer = { .lock = PTHREAD_MUTEX_INITIALIZER, .work = PTHREAD_COND_INITIALIZER, .wake = -1 };

void exchange_destroy(struct exchange *exchange)
{
	if (!exchange)
		return;
	free(exchange->line);
	free(exchange->answer);
	free(exchange);
}

static void append(struct exchange **list, struct exchange *exchange)
{
	while (*list)
		list = &(*list)->next;
	exchange->next = NULL;
	*list = exchange;
}

/* The first of the user who comes after the last one's number, so that all take turns. */
static struct exchange *next_exchange(void)
{
	struct exchange **best = NULL, *exchange;

	for (struct exchange **at = &answerer.in; *at; at = &(*at)->next)
		if (!best || (*at)->uid - answerer.last - 1 < (*best)->uid - answerer.last - 1)
			best = at;
	if (!best)
		return NULL;
	exchange = *best;
	*best = exchange->next;
	answerer.waiting--;
	answerer.last = exchange->uid;
	return exchange;
}

static void answer_query(struct exchange *exchange, const struct wire_request *request)
{
	struct query q = { .uid = exchange->uid, .args = request->args };
	const char *code;

	q.answer = json_object_new_object();
	code = q.answer ? query_run(request->name, &q) : WIRE_BUSY;
	if (!q.answer)
		snprintf(q.why, sizeof(q.why), "out of memory");
	exchange->cost = q.cost;
	if (code) {
		json_object_put(q.answer);
		exchange->answer = wire_error(request->id, code, q.why, &exchange->answer_len);
	} else {
		exchange->answer = wire_answer(request->id, q.answer, &exchange->answer_len);
	}
}

static void answer(struct exchange *exchange)
{
	struct wire_request request;
	char why[WIRE_WHY_MAX], munge[LISTENER_PATH_MAX];
	const char *code = wire_parse(exchange->line, exchange->len, &request, why);

	exchange->cost = 1;
	if (!code &&
	    !identity_check(request.cred, exchange->uid,
			    munge_socket(munge, sizeof(munge)) ? munge : NULL, why, sizeof(why)))
		code = WIRE_IDENTITY;
	if (code) {
		exchange->forgeable = true;
		exchange->answer = wire_error(request.id, code, why, &exchange->answer_len);
	} else {
		answer_query(exchange, &request);
	}
	wire_release(&request);
}

/* With the lock. */
static void give_back(struct exchange *exchange)
{
	uint64_t one = 1;

	append(&answerer.out, exchange);
	if (write(answerer.wake, &one, sizeof(one)) != sizeof(one))
		debug("%s: socket: the wake-up call is lost, the next one counts",
		      scheduler_type());
}

static void *work(void *arg)
{
	struct exchange *exchange;

	(void)arg;
	pthread_mutex_lock(&answerer.lock);
	while (!answerer.thread.ending) {
		exchange = next_exchange();
		if (!exchange) {
			pthread_cond_wait(&answerer.work, &answerer.lock);
			continue;
		}
		pthread_mutex_unlock(&answerer.lock);
		answer(exchange);
		pthread_mutex_lock(&answerer.lock);
		answerer.thread.progress++;
		if (answerer.thread.ending)
			exchange_destroy(exchange); /* its connection has gone */
		else
			give_back(exchange);
	}
	pthread_mutex_unlock(&answerer.lock);
	patience_over(&answerer.thread, &answerer.lock);
	return NULL;
}

/* With the lock.  RET 0, or an errno; EBUSY: an earlier one hangs */
static int begin(void)
{
	sigset_t all, old;
	int rc;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	rc = patience_begin(&answerer.thread, work, NULL);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return rc;
}

bool answerer_start(int wake)
{
	int rc;

	pthread_mutex_lock(&answerer.lock);
	rc = begin();
	answerer.wake = wake;
	pthread_mutex_unlock(&answerer.lock);
	return !rc || rc == EBUSY; /* answerer_post() tries again */
}

static void drop_all(struct exchange **list)
{
	struct exchange *next;

	for (; *list; *list = next) {
		next = (*list)->next;
		exchange_destroy(*list);
	}
}

bool answerer_stop(void)
{
	bool ended = patience_end(&answerer.thread, &answerer.lock, &answerer.work);

	pthread_mutex_lock(&answerer.lock);
	answerer.wake = -1;
	drop_all(&answerer.in);
	answerer.waiting = 0;
	drop_all(&answerer.out);
	pthread_mutex_unlock(&answerer.lock);
	return ended;
}

/* With the lock. */
static void turn_away(struct exchange *exchange, const char *why)
{
	exchange->cost = 1;
	exchange->answer = wire_error(NULL, WIRE_BUSY, why, &exchange->answer_len);
	give_back(exchange);
}

void answerer_post(struct exchange *exchange)
{
	pthread_mutex_lock(&answerer.lock);
	if (begin()) {
		turn_away(exchange, "a question that was asked before hangs on a disk: try again");
	} else if (answerer.waiting >= WAITING_MOST) {
		turn_away(exchange, "too many questions wait: try again");
	} else {
		append(&answerer.in, exchange);
		answerer.waiting++;
		pthread_cond_signal(&answerer.work);
	}
	pthread_mutex_unlock(&answerer.lock);
}

struct exchange *answerer_take(void)
{
	struct exchange *exchange;

	pthread_mutex_lock(&answerer.lock);
	exchange = answerer.out;
	if (exchange)
		answerer.out = exchange->next;
	pthread_mutex_unlock(&answerer.lock);
	return exchange;
}
