/* SPDX-License-Identifier: GPL-2.0-or-later */
/* malleable_hand: see malleable_hand.h. */
#include "testsuite/unit/malleable_hand.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "testsuite/unit/seed.h"

static void say(struct hand *h, const char *what, uint64_t id, const char *how, int64_t n)
{
	size_t used = strlen(h->text);

	if (used > sizeof(h->text) - 128)
		return;
	snprintf(h->text + used, sizeof(h->text) - used, "%s%s %" PRIu64 "%s", used ? "; " : "",
		 what, id, how);
	used = strlen(h->text);
	if (n >= 0)
		snprintf(h->text + used, sizeof(h->text) - used, "%" PRId64, n);
}

void hand_open(struct hand *h, const struct malleable_kind *kind, uint32_t nodes,
	       const struct sched_config *config)
{
	struct scheduler of = { "hand", &engine_malleable, kind, kind, NULL };
	static struct scheduler kept[4];
	static size_t next;

	memset(h, 0, sizeof(*h));
	sched_config_init(&h->config);
	if (config)
		h->config = *config;
	kept[next = (next + 1) % 4] = of;
	h->of = &kept[next];
	assert_true(nodes <= HAND_NODES);
	h->s = sched_create_of(h->of, nodes, &h->config, NULL, 0);
	assert_non_null(h->s);
	h->nodes = nodes;
	h->busy = nodeset_create(nodes);
	h->lost = nodeset_create(nodes);
	h->wake = PACT_FOREVER;
}

void hand_open_notice(struct hand *h, const struct malleable_kind *kind, uint32_t nodes,
		      int64_t grace)
{
	struct sched_config c;

	sched_config_init(&c);
	c.resize_grace = grace;
	hand_open(h, kind, nodes, &c);
}

void hand_close(struct hand *h)
{
	sched_destroy(h->s);
	sched_destroy(h->twin);
	for (size_t i = 0; i < HAND_JOBS; i++)
		nodeset_destroy(h->job[i].at);
	nodeset_destroy(h->busy);
	nodeset_destroy(h->lost);
}

static struct hand_job *find(struct hand *h, uint64_t id)
{
	assert_true(id < HAND_JOBS && h->job[id].known);
	return &h->job[id];
}

static void forget(struct hand *h, uint64_t id)
{
	struct hand_job *j = find(h, id);

	if (j->at)
		nodeset_and_not(h->busy, j->at);
	for (uint32_t i = 0; j->at && i < h->nodes; i++)
		h->gives[i] = nodeset_test(j->at, i) ? 0 : h->gives[i];
	nodeset_destroy(j->at);
	*j = (struct hand_job){ .known = false };
}

/* ---- both schedulers ---- */

static int feed(struct hand *h, const struct sched_event *ev)
{
	int rc = sched_event(h->s, ev);

	if (h->twin)
		assert_int_equal(sched_event(h->twin, ev), rc);
	return rc;
}

static void check_same(const struct sched_action *a, const struct sched_action *b)
{
	assert_int_equal(a->type, b->type);
	assert_int_equal(a->id, b->id);
	assert_int_equal(a->width, b->width);
	assert_int_equal(a->spare, b->spare);
	assert_int_equal(a->end, b->end);
	assert_int_equal(!a->allowed, !b->allowed);
	if (a->allowed)
		assert_true(nodeset_equal(a->allowed, b->allowed));
}

static bool next(struct hand *h, struct sched_action *a)
{
	bool any = sched_next(h->s, a);
	struct sched_action b;

	if (!h->twin)
		return any;
	assert_int_equal(sched_next(h->twin, &b), any);
	if (any)
		check_same(a, &b);
	return any;
}

static void recall(void *arg, const struct record_form *form, const void *record)
{
	const struct record_form *same = sched_recall_form(arg, form->name);

	assert_ptr_equal(same, form);
	if (sched_recall(arg, form, record) != PACT_OK)
		fail_msg("%s", sched_error(arg));
}

void hand_twin(struct hand *h)
{
	sched_destroy(h->twin);
	h->twin = sched_create_of(h->of, h->nodes, &h->config, NULL, 0);
	assert_non_null(h->twin);
	assert_int_equal(sched_retell(h->s, recall, h->twin), PACT_OK);
	assert_int_equal(sched_recall_done(h->twin), PACT_OK);
}

/* ---- actions ---- */

static void check_width(const struct hand *h, const struct hand_job *j,
			const struct sched_action *a)
{
	int32_t most = j->terms.most > j->terms.width ? j->terms.most : j->terms.width;

	(void)h;
	assert_non_null(a->allowed);
	assert_int_equal(nodeset_count(a->allowed), a->width + a->spare);
	assert_true(a->width + a->spare <= most);
	if (j->terms.nalt && j->terms.alt[a->alt])
		assert_true(nodeset_subset(a->allowed, j->terms.alt[a->alt]));
	if (j->terms.required)
		assert_true(nodeset_subset(j->terms.required, a->allowed));
}

static struct sched_event do_start(struct hand *h, const struct sched_action *a)
{
	struct hand_job *j = find(h, a->id);

	assert_null(j->at);
	check_width(h, j, a);
	assert_true(a->width >= j->terms.width);
	assert_false(nodeset_overlap(a->allowed, h->busy));
	assert_false(nodeset_overlap(a->allowed, h->lost));
	if (h->fail == a->id) {
		say(h, "fail", a->id, "", -1);
		return (struct sched_event){ .type = EV_START_FAILED,
					     .id = a->id,
					     .reserve = h->reserve };
	}
	j->at = nodeset_dup(a->allowed);
	for (int32_t n = h->narrow == a->id ? a->spare : 0; n > 0; n--)
		nodeset_unset(j->at, nodeset_next(j->at, 0));
	j->first = nodeset_next(j->at, 0);
	nodeset_or(h->busy, j->at);
	say(h, "start", a->id, " on ", (int64_t)nodeset_count(j->at));
	return (struct sched_event){
		.type = EV_STARTED, .id = a->id, .nodes = j->at, .start = h->now
	};
}

/* With notice: it has them until then, or so soon as it likes. */
static struct sched_event do_ask(struct hand *h, const struct sched_action *a)
{
	struct hand_job *j = find(h, a->id);
	int64_t most = h->config.resize_grace, own = j->terms.grace;
	int64_t grace =
		own && most && (own < most || h->of->kind == &malleable_uniform) ? own : most;
	bool goes = false;

	assert_int_equal(a->end, h->now + grace);
	assert_true(nodeset_subset(a->allowed, j->at));
	for (uint32_t i = nodeset_next(j->at, 0); i < h->nodes; i = nodeset_next(j->at, i + 1)) {
		bool keeps = nodeset_test(a->allowed, i);

		goes |= !keeps;
		if (keeps)
			h->gives[i] = 0;
		if (keeps || h->gives[i])
			continue;
		h->by[i] = a->end;
		h->gives[i] = h->soon ? h->now + 1 + seed_below(grace) : a->end;
	}
	if (!goes) {
		say(h, "keep", a->id, " on ", a->width);
		return (struct sched_event){
			.type = EV_RESIZED, .id = a->id, .nodes = j->at, .width = a->width
		};
	}
	say(h, "ask", a->id, " to ", a->width);
	say(h, "by", (uint64_t)a->end, "", -1);
	return (struct sched_event){ .type = EV_LEAVING, .id = a->id };
}

/* It shrinks, or it grows by nodes that are free. */
static struct sched_event do_resize(struct hand *h, const struct sched_action *a)
{
	struct hand_job *j = find(h, a->id);
	struct nodeset *more;

	assert_non_null(j->at);
	check_width(h, j, a);
	assert_true(nodeset_test(a->allowed, j->first) || !nodeset_test(j->at, j->first));
	h->cause = a->cause;
	if (a->end && h->refuse != a->id)
		return do_ask(h, a);
	more = nodeset_dup(a->allowed);
	nodeset_and_not(more, j->at);
	assert_false(nodeset_equal(a->allowed, j->at));
	assert_true(nodeset_subset(a->allowed, j->at) || nodeset_subset(j->at, a->allowed));
	assert_false(nodeset_overlap(more, h->busy) || nodeset_overlap(more, h->lost));
	nodeset_destroy(more);
	if (h->refuse == a->id) {
		say(h, "stay", a->id, "", -1);
		return (struct sched_event){ .type = EV_REFUSED, .id = a->id };
	}
	nodeset_and_not(h->busy, j->at);
	nodeset_copy(j->at, a->allowed);
	nodeset_or(h->busy, j->at);
	say(h, "resize", a->id, " to ", a->width);
	return (struct sched_event){
		.type = EV_RESIZED, .id = a->id, .nodes = j->at, .width = a->width
	};
}

static void do_refuse(struct hand *h, const struct sched_action *a)
{
	static const char *const words[] = {
		[REFUSE_DISABLED] = " disabled", [REFUSE_TOO_LATE] = " late",
		[REFUSE_NEVER_FITS] = " never",	 [REFUSE_NO_LIMIT] = " limit",
		[REFUSE_FULL] = " full",	 [REFUSE_LOSS] = " loss"
	};

	h->decision = a->decision;
	say(h, "refuse", a->id, words[a->decision.reason], -1);
	if (h->job[a->id].known && !h->job[a->id].at)
		forget(h, a->id);
}

/*
 * A promise of a job that waits does not break as long as a new job with its terms could be promised that it has its nodes by a
 * notice from now.
 */
static void check_broken(struct hand *h, uint64_t id)
{
	struct hand_job *j = find(h, id);
	struct sched_job anew = j->terms;
	struct sched_decision d;

	j->broken = true;
	if (j->at || h->fail == id)
		return;
	anew.id = HAND_JOBS;
	anew.flags |= JOB_PROBE;
	assert_int_equal(sched_ask(h->s, h->now, &anew, 1, &d), PACT_OK);
	assert_false(d.accepted && d.start <= h->now + h->config.resize_grace);
	/* a question sets the floors to those of now: the twin is asked it, too */
	if (h->twin)
		assert_int_equal(sched_ask(h->twin, h->now, &anew, 1, &d), PACT_OK);
}

static void do_action(struct hand *h, const struct sched_action *a)
{
	struct sched_event ev = { .type = EV_TIME };

	h->actions++;
	switch (a->type) {
	case ACT_ACCEPT:
		h->decision = a->decision;
		find(h, a->id)->promised = true;
		say(h, "accept", a->id, "", -1);
		return;
	case ACT_REFUSE:
		do_refuse(h, a);
		return;
	case ACT_BROKEN:
		say(h, "broken", a->id, "", -1);
		check_broken(h, a->id);
		return;
	case ACT_MENDED:
		say(h, "mended", a->id, "", -1);
		find(h, a->id)->broken = false;
		return;
	case ACT_WAKE:
		h->wake = a->end;
		return;
	case ACT_START:
		ev = do_start(h, a);
		break;
	case ACT_RESIZE:
		ev = do_resize(h, a);
		break;
	default:
		fail_msg("action %d", (int)a->type);
	}
	ev.now = h->now;
	assert_int_equal(feed(h, &ev), PACT_OK);
}

void hand_drain(struct hand *h)
{
	struct sched_action a;

	h->wake = PACT_FOREVER;
	for (int i = 0; next(h, &a); i++) {
		assert_true(i < 10000);
		do_action(h, &a);
	}
	assert_string_equal(sched_error(h->s), "");
}

/* ---- events ---- */

int hand_event(struct hand *h, struct sched_event ev)
{
	int rc;

	ev.now = h->now;
	rc = feed(h, &ev);
	hand_drain(h);
	return rc;
}

int hand_submit(struct hand *h, struct sched_job job)
{
	struct hand_job *j = &h->job[job.id];
	int rc;

	assert_true(job.id < HAND_JOBS && !j->known);
	if (!job.submit)
		job.submit = h->now;
	*j = (struct hand_job){ .terms = job, .known = true };
	rc = hand_event(h, (struct sched_event){ .type = EV_SUBMIT, .jobs = &job, .njobs = 1 });
	if (rc != PACT_OK)
		forget(h, job.id);
	return rc;
}

int hand_finish(struct hand *h, uint64_t id)
{
	forget(h, id);
	return hand_event(h, (struct sched_event){ .type = EV_FINISH, .id = id });
}

static int block(struct hand *h, uint32_t node)
{
	struct nodeset *set = nodeset_create(h->nodes);
	struct sched_event ev = { .type = EV_BLOCK,
				  .id = HAND_JOBS + 1 + node,
				  .now = h->now,
				  .nodes = set,
				  .end = PACT_FOREVER };
	int rc;

	nodeset_set(set, node);
	rc = feed(h, &ev);
	nodeset_destroy(set);
	return rc;
}

void hand_lose(struct hand *h, uint32_t node)
{
	nodeset_set(h->lost, node);
	assert_int_equal(block(h, node), PACT_OK);
	hand_drain(h);
}

void hand_find(struct hand *h, uint32_t node)
{
	nodeset_unset(h->lost, node);
	assert_int_equal(hand_event(h, (struct sched_event){ .type = EV_FINISH,
							     .id = HAND_JOBS + 1 + node }),
			 PACT_OK);
}

int hand_resized(struct hand *h, uint64_t id, int32_t width)
{
	struct hand_job *j = find(h, id);

	nodeset_and_not(h->busy, j->at);
	for (uint32_t i = nodeset_next(j->at, 0); i < h->nodes; i = nodeset_next(j->at, i + 1)) {
		if (width-- <= 0)
			nodeset_unset(j->at, i);
	}
	if (!nodeset_test(j->at, j->first))
		j->first = nodeset_next(j->at, 0);
	nodeset_or(h->busy, j->at);
	return hand_event(h, (struct sched_event){ .type = EV_RESIZED,
						   .id = id,
						   .nodes = j->at,
						   .width = (int32_t)nodeset_count(j->at) });
}

int32_t hand_width(const struct hand *h, uint64_t id)
{
	return h->job[id].at ? (int32_t)nodeset_count(h->job[id].at) : 0;
}

int64_t hand_next_leave(const struct hand *h)
{
	int64_t at = PACT_FOREVER;

	for (uint32_t i = 0; i < h->nodes; i++)
		at = h->gives[i] && h->gives[i] < at ? h->gives[i] : at;
	return at;
}

/* What it has left; false: it gives nothing back now. */
static bool give(struct hand *h, struct hand_job *j)
{
	bool any = false;

	for (uint32_t i = j->at ? nodeset_next(j->at, 0) : h->nodes; i < h->nodes;
	     i = nodeset_next(j->at, i + 1)) {
		if (!h->gives[i] || h->gives[i] > h->now)
			continue;
		h->gives[i] = 0;
		nodeset_unset(j->at, i);
		nodeset_unset(h->busy, i);
		any = true;
	}
	return any;
}

void hand_leave(struct hand *h)
{
	for (uint64_t id = 0; id < HAND_JOBS; id++) {
		struct hand_job *j = &h->job[id];
		struct sched_event ev = { .type = EV_RESIZED, .now = h->now, .id = id };

		if (!j->at || !give(h, j))
			continue;
		ev.nodes = j->at;
		ev.width = (int32_t)nodeset_count(j->at);
		assert_int_equal(feed(h, &ev), PACT_OK);
	}
	hand_drain(h);
}

/* ---- a driver that comes up ---- */

void hand_tell(struct hand *h, struct sched_event ev)
{
	ev.now = h->now;
	assert_int_equal(feed(h, &ev), PACT_OK);
}

/* That its promise is broken its record says still. */
static void submit_again(struct hand *h, struct hand_job *j, int64_t planned)
{
	struct sched_job job = j->terms;

	job.planned = j->promised && planned < PACT_FOREVER ? planned : -1;
	if (j->promised)
		job.flags |= JOB_PROMISED;
	hand_tell(h, (struct sched_event){ .type = EV_SUBMIT, .jobs = &job, .njobs = 1 });
}

/* What it has and was not asked for; what is due first of the rest, or PACT_FOREVER. */
static struct nodeset *keeps_of(const struct hand *h, const struct hand_job *j, int64_t *first)
{
	struct nodeset *keeps = nodeset_dup(j->at);

	*first = PACT_FOREVER;
	for (uint32_t i = 0; i < h->nodes; i++) {
		if (!h->gives[i] || !nodeset_test(keeps, i))
			continue;
		nodeset_unset(keeps, i);
		*first = h->by[i] < *first ? h->by[i] : *first;
	}
	return keeps;
}

/* What is due first is told first, and that it keeps all that is due later. */
static void leave_again(struct hand *h, uint64_t id, int64_t by)
{
	const struct hand_job *j = &h->job[id];
	struct nodeset *keeps = nodeset_dup(j->at);
	int64_t later = PACT_FOREVER;

	for (uint32_t i = nodeset_next(j->at, 0); i < h->nodes; i = nodeset_next(j->at, i + 1)) {
		if (h->gives[i] && h->by[i] <= by)
			nodeset_unset(keeps, i);
		else if (h->gives[i] && h->by[i] < later)
			later = h->by[i];
	}
	hand_tell(h,
		  (struct sched_event){ .type = EV_LEAVING, .id = id, .nodes = keeps, .end = by });
	nodeset_destroy(keeps);
	if (later < PACT_FOREVER)
		leave_again(h, id, later);
}

/* Those that are its own, its first one among them. */
static struct nodeset *own_of(const struct hand *h, const struct hand_job *j,
			      const struct nodeset *keeps, int32_t n)
{
	struct nodeset *own = nodeset_create(h->nodes);

	nodeset_set(own, j->first);
	for (uint32_t i = nodeset_next(keeps, 0); i < h->nodes && (int32_t)nodeset_count(own) < n;
	     i = nodeset_next(keeps, i + 1))
		nodeset_set(own, i);
	return own;
}

/* A job that runs, as the bridge tells it (slurm/sync/sync_running.c, sync_resized.c). */
static void run_again(struct hand *h, struct hand_job *j, const struct sched_view *v)
{
	int64_t first;
	struct nodeset *keeps = keeps_of(h, j, &first);
	struct nodeset *own = own_of(h, j, keeps, v->width - v->lent);
	struct sched_event ev = {
		.type = EV_STARTED, .id = v->id, .nodes = own, .start = v->start
	};

	for (uint32_t i = nodeset_next(own, 0); i < j->first; i = nodeset_next(own, i + 1))
		ev.stays++;
	ev.width = v->width - v->lent;
	/* it was rounded up once already when it was written down */
	ev.left = v->left > 0 ? v->left + seed_below(2) : 1;
	submit_again(h, j, -1);
	hand_tell(h, ev);
	hand_tell(h, (struct sched_event){ .type = EV_RESIZED,
					   .id = v->id,
					   .nodes = j->at,
					   .width = (int32_t)nodeset_count(j->at) });
	if (first < PACT_FOREVER)
		leave_again(h, v->id, first);
	nodeset_destroy(keeps);
	nodeset_destroy(own);
}

static int by_submission(const void *a, const void *b)
{
	const struct sched_view *x = a, *y = b;

	if (x->submit != y->submit)
		return x->submit < y->submit ? -1 : 1;
	return x->id < y->id ? -1 : x->id > y->id;
}

/* The nodes that are lost, then what runs, then the others in the order in which they came (slurm/sync/sync.c). */
void hand_restart(struct hand *h)
{
	struct sched_view v[HAND_JOBS];
	size_t n = 0;

	for (uint64_t id = 0; id < HAND_JOBS; id++) {
		if (h->job[id].known)
			assert_int_equal(sched_view(h->s, id, &v[n++]), PACT_OK);
	}
	sched_destroy(h->s);
	sched_destroy(h->twin);
	h->twin = NULL;
	h->s = sched_create_of(h->of, h->nodes, &h->config, NULL, 0);
	assert_non_null(h->s);
	for (uint32_t i = nodeset_next(h->lost, 0); i < h->nodes; i = nodeset_next(h->lost, i + 1))
		assert_int_equal(block(h, i), PACT_OK);
	for (size_t i = 0; i < n; i++) {
		if (v[i].running)
			run_again(h, &h->job[v[i].id], &v[i]);
	}
	qsort(v, n, sizeof(*v), by_submission);
	for (size_t i = 0; i < n; i++) {
		if (!v[i].running)
			submit_again(h, &h->job[v[i].id], v[i].start);
	}
	hand_drain(h);
}

void hand_did(struct hand *h, const char *text)
{
	assert_string_equal(h->text, text);
	h->text[0] = '\0';
}

struct sched_job hand_range(uint64_t id, int32_t least, int32_t most, int64_t limit)
{
	return (struct sched_job){
		.id = id, .width = least, .most = most, .limit = limit, .planned = -1
	};
}
