/* SPDX-License-Identifier: GPL-2.0-or-later */
/* event: what happens to jobs that borrow; all else goes to the engine inside. Submissions and changes are in submit.c. */
#include "core/kernel/held.h"
#include "core/loans/state.h"

/* Seconds after a refusal before it is asked again. */
#define ASK_AGAIN 30

static struct borrower *find_running(const struct loans *s, uint64_t id)
{
	struct borrower *b = borrower_find(s, id);

	return b && b->start >= 0 ? b : NULL;
}

/* Is it the answer to what was asked for last? It is then none any more. */
static bool take_answer(struct loans *s, const struct borrower *b)
{
	bool answer = s->asked && s->asked == b;

	if (answer)
		s->asked = NULL;
	return answer;
}

/* ---- starts ---- */

/* The chosen alternative is one that has these nodes; of one that was not started by us that is not known. */
static void find_alternative(struct borrower *b)
{
	for (uint32_t i = 0; i < b->nalt; i++) {
		uint32_t k = (b->chosen + i) % b->nalt;

		if (b->alt[k] && !nodeset_subset(b->at, b->alt[k]))
			continue;
		b->chosen = k;
		return;
	}
}

static int on_started(struct loans *s, const struct sched_event *ev)
{
	struct borrower *b = borrower_find(s, ev->id);
	struct sched_event started = *ev;
	int64_t since, due;
	uint32_t stays;
	int rc;

	if (!b || !ev->nodes || b->start >= 0)
		return inner_event(s, ev);
	if (call_nodes(&s->call, ev, s->nodes) != PACT_OK ||
	    call_stays(&s->call, ev, ev->nodes, &stays) != PACT_OK)
		return PACT_EINVAL;
	if (borrower_runs(s, b) < 0)
		return call_fail(&s->call, PACT_ENOMEM, "out of memory", b->id);
	due = floor_begin(s, b, ev);
	b->stays = stays;
	b->cleans = 0;
	since = b->done.since;
	b->done.rate = 0;
	rc = tell_nodes(s, b, ev->nodes, true);
	started.nodes = b->own;
	/* the plan has it on more nodes than its limit is for; one that runs already ends when its driver says */
	if (due && (b->starting || ev->end <= 0))
		started.end = b->starting ? 0 : due + s->config.guard;
	if (rc == PACT_OK)
		rc = inner_event(s, &started);
	if (rc != PACT_OK) {
		tell_gone(s, b);
		borrower_stops(s, b);
		return rc;
	}
	b->done.since = since;
	b->start = ev->start > 0 && ev->start < s->now ? ev->start : s->now;
	b->starting = false;
	b->done.rate = borrower_rate(b);
	find_alternative(b);
	return rc;
}

/* ---- running jobs ---- */

/* Did it give some back just now, or are they clean and it has them again? False: what it has been told to have has changed, too. */
static bool only_works(struct loans *s, struct borrower *b, const struct sched_event *ev)
{
	if (s->asked == b || ev->cleans == b->cleans || !nodeset_equal(b->at, ev->nodes))
		return false;
	progress_advance(&b->done, s->now);
	b->cleans = ev->cleans;
	b->done.rate = borrower_rate(b);
	return true;
}

static int on_resized(struct loans *s, const struct sched_event *ev)
{
	struct borrower *b = find_running(s, ev->id);
	int32_t cleans;
	int rc;

	if (!b || !b->at)
		return inner_event(s, ev);
	if (call_works(&s->call, ev, s->nodes) != PACT_OK)
		return PACT_EINVAL;
	if (only_works(s, b, ev))
		return PACT_OK;
	cleans = b->cleans;
	b->cleans = ev->cleans;
	/* to what an earlier driver had of it already, more comes unasked */
	rc = tell_nodes(s, b, ev->nodes,
			s->asked != b && !ev->reserve && nodeset_subset(b->at, ev->nodes));
	if (rc != PACT_OK) {
		b->cleans = cleans;
		return rc;
	}
	if (!take_answer(s, b))
		s->planned = false;
	b->changed = s->now;
	b->again = 0;
	b->lacks = borrower_lost(b) && b->lent;
	return rc;
}

/* It keeps what it has. It may just have ended, which is told next: what the plan counts on stays as it is until then. */
static int on_refused(struct loans *s, const struct sched_event *ev)
{
	struct borrower *b = find_running(s, ev->id);
	bool calling = s->calling;
	int rc = PACT_OK;

	if (!b || (s->asked != b && !b->calls))
		return call_fail(&s->call, PACT_EPROTO, "nothing was asked for", ev->id);
	s->stale = true;
	if (s->asked == b && !calling) {
		take_answer(s, b);
		b->more_at = s->now + ASK_AGAIN;
		return PACT_OK;
	}
	b->again = s->now + ASK_AGAIN;
	if (s->asked != b)
		rc = tell_refused(s, b);
	if (rc == PACT_OK)
		take_answer(s, b);
	return rc;
}

/* What it was refused can be had now. */
static int on_time(struct loans *s, const struct sched_event *ev)
{
	struct borrower *b = ev->id ? find_running(s, ev->id) : NULL;
	int rc = inner_event(s, ev);

	if (rc == PACT_OK && b) {
		b->more_at = 0;
		s->stale = true;
	}
	return rc;
}

/* It was told to give nodes back: what was asked for, or, by an earlier driver, all that it is not to keep. */
static int on_leaving(struct loans *s, const struct sched_event *ev)
{
	struct borrower *b = find_running(s, ev->id);
	struct nodeset *leaves;
	int rc;

	if (!b || !b->at)
		return inner_event(s, ev);
	if (s->asked == b && s->calling) {
		rc = tell_called(s, b, s->taken, s->call_end);
		if (rc == PACT_OK)
			take_answer(s, b);
		return rc;
	}
	if (s->asked == b || call_nodes(&s->call, ev, s->nodes) != PACT_OK)
		return call_fail(&s->call, PACT_EPROTO, "it was not asked to give nodes back",
				 ev->id);
	leaves = nodeset_dup(b->at);
	if (!leaves)
		return call_fail(&s->call, PACT_ENOMEM, "out of memory", ev->id);
	nodeset_and_not(leaves, ev->nodes);
	rc = tell_called(s, b, leaves, ev->end);
	nodeset_destroy(leaves);
	return rc;
}

/* The plan hears of no earlier end for a loan (doc/design.md, "The promise", 12.): its own moves as far as what it is told. */
static int on_end_changed(struct loans *s, const struct sched_event *ev)
{
	struct borrower *b = find_running(s, ev->id);
	struct sched_event plans = *ev;
	int64_t own, moved = 0;
	struct sched_view v;
	int rc;

	if (!b)
		return inner_event(s, ev);
	plans.reserve = false;
	own = borrower_own_end(s, b);
	if (ev->end > 0 && ev->end < PACT_END_OF_TIME && own < PACT_END_OF_TIME &&
	    s->kind->engine->view(s->own, ev->id, &v) == PACT_OK && v.end > 0 &&
	    v.end < PACT_END_OF_TIME) {
		moved = ev->end - own;
		plans.end = v.end + moved;
	}
	rc = inner_event(s, &plans);
	if (rc != PACT_OK)
		return rc;
	progress_advance(&b->done, s->now);
	if (ev->reserve && moved > 0)
		progress_stood(&b->done, moved);
	else
		b->done.left = progress_left(ev->end, s->config.guard,
					     speedup_rate(&b->speedup, b->floor), s->now);
	if (b->due)
		b->due = b->due + moved > s->now ? b->due + moved : s->now;
	return rc;
}

static int on_end(struct loans *s, const struct sched_event *ev)
{
	struct borrower *b = borrower_find(s, ev->id);
	int rc = b ? tell_gone(s, b) : PACT_OK;

	if (rc == PACT_OK)
		rc = inner_event(s, ev);
	if (rc == PACT_OK && b)
		borrower_remove(s, b);
	return rc;
}

static int on_confirm(struct loans *s, const struct sched_event *ev)
{
	struct borrower *b = borrower_find(s, ev->id);
	int rc;

	if (!b)
		return inner_event(s, ev);
	rc = held_rename(&s->call, s->members, NULL, ev, b);
	if (rc != PACT_OK)
		return rc;
	rc = inner_event(s, ev);
	held_renamed(s->members, ev, rc == PACT_OK);
	if (rc == PACT_OK)
		b->id = ev->new_id;
	return rc;
}

static int dispatch(struct loans *s, const struct sched_event *ev)
{
	switch (ev->type) {
	case EV_SUBMIT:
		return loans_submit(s, ev);
	case EV_CHANGE:
		return loans_change(s, ev);
	case EV_CONFIRM:
		return on_confirm(s, ev);
	case EV_STARTED:
		return on_started(s, ev);
	case EV_RESIZED:
		return on_resized(s, ev);
	case EV_REFUSED:
		return on_refused(s, ev);
	case EV_LEAVING:
		return on_leaving(s, ev);
	case EV_END_CHANGED:
		return on_end_changed(s, ev);
	case EV_TIME:
		return on_time(s, ev);
	case EV_FINISH:
	case EV_WITHDRAW:
		return on_end(s, ev);
	default:
		return inner_event(s, ev);
	}
}

/* No id of the driver's is one of ours. */
static int evade_all(struct loans *s, const struct sched_event *ev)
{
	int rc = s->pool_n || table_count(s->holds) ? tell_evade(s, ev->id) : PACT_OK;

	if (rc == PACT_OK && ev->type == EV_CONFIRM)
		rc = tell_evade(s, ev->new_id);
	for (size_t i = 0; rc == PACT_OK && ev->type == EV_SUBMIT && i < ev->njobs; i++)
		rc = tell_evade(s, ev->jobs[i].id);
	return rc;
}

int loans_event(void *own, const struct sched_event *ev)
{
	struct loans *s = own;
	bool later = ev->now > s->now;
	int rc;

	if (!loans_called(s, ev->now))
		return PACT_EINVAL;
	rc = evade_all(s, ev);
	if (rc == PACT_OK && later)
		rc = lend_time(s);
	/* what was found holds as long as nothing but an answer comes */
	if (!s->asked || ev->id != s->asked->id)
		s->planned = false;
	return rc == PACT_OK ? dispatch(s, ev) : rc;
}
