/* SPDX-License-Identifier: GPL-2.0-or-later */
/* allot: see allot.h. */
#include "core/malleable/allot.h"

/* ---- a node ---- */

static void change(struct job *j, int32_t n)
{
	j->n = n;
	j->rate = n > 0 ? speedup_rate(&j->speedup, n) : 0;
	j->changed = true;
}

/* One of those that it was to have is not its. If it has not started yet, the others may be too few to start on. */
static void lose(struct job *j)
{
	change(j, j->n - 1);
	j->kept |= j->start < 0 && j->n < j->floor;
}

/* It is the job's last one from now on. */
static void join(struct malleable *s, struct job *j, uint32_t node)
{
	s->owner[node] = j;
	j->lost += s->held[node] > 0;
	s->prev[node] = j->last;
	s->next[node] = NO_NODE;
	if (j->last == NO_NODE)
		j->first = node;
	else
		s->next[j->last] = node;
	j->last = node;
}

static void leave(struct malleable *s, struct job *j, uint32_t node)
{
	uint32_t before = s->prev[node], behind = s->next[node];

	s->owner[node] = NULL;
	j->lost -= s->held[node] > 0;
	if (before == NO_NODE)
		j->first = behind;
	else
		s->next[before] = behind;
	if (behind == NO_NODE)
		j->last = before;
	else
		s->prev[behind] = before;
}

/* One of the job's is its first one from now on. */
static void lead(struct malleable *s, struct job *j, uint32_t node)
{
	if (node == j->first)
		return;
	leave(s, j, node);
	s->owner[node] = j;
	j->lost += s->held[node] > 0;
	s->prev[node] = NO_NODE;
	s->next[node] = j->first;
	s->prev[j->first] = node;
	j->first = node;
}

static void set_idle(struct malleable *s, uint32_t node, bool idle)
{
	if (idle == nodeset_test(s->idle, node))
		return;
	if (idle)
		nodeset_set(s->idle, node);
	else
		nodeset_unset(s->idle, node);
	s->idle_n += idle ? 1 : -1;
}

/* What is no job's is idle unless it is held. */
static void let_go(struct malleable *s, struct job *j, uint32_t node)
{
	leave(s, j, node);
	set_idle(s, node, !s->held[node]);
}

/* Another job's, or idle. */
static void get(struct malleable *s, struct job *j, uint32_t node)
{
	struct job *other = s->owner[node];

	if (other) {
		leave(s, other, node);
		lose(other);
	}
	set_idle(s, node, false);
	join(s, j, node);
}

/* ---- which nodes ---- */

/* By then it has ended at the latest, if it is started now or runs: it never has less than its fewest nodes. */
static int64_t ends_by(const struct malleable *s, const struct job *j)
{
	return malleable_with_guard(
		s, progress_end(j->done.left, speedup_rate(&j->speedup, j->least), s->now));
}

static bool may_by(const struct malleable *s, const struct job *j, uint32_t node, int64_t end)
{
	const struct nodeset *set = j->nalt ? j->alt[j->chosen] : NULL;

	return (!set || nodeset_test(set, node)) && s->closed[node] >= end;
}

bool allot_may(const struct malleable *s, const struct job *j, uint32_t node)
{
	return may_by(s, j, node, s->closings ? ends_by(s, j) : 0);
}

static bool any_will_do(const struct malleable *s, const struct job *j)
{
	return !j->picky && !s->closings;
}

int32_t allot_can(const struct malleable *s, const struct job *j)
{
	int64_t end = s->closings ? ends_by(s, j) : 0;
	int32_t n = 0;

	if (any_will_do(s, j))
		return s->idle_n;
	for (uint32_t i = nodeset_next(s->idle, 0); i < s->nodes; i = nodeset_next(s->idle, i + 1))
		n += may_by(s, j, i, end);
	return n;
}

bool allot_at_once(const struct malleable *s, const struct job *j, int32_t n)
{
	if (!s->config.resize_grace)
		return true;
	for (uint32_t i = nodeset_next(s->idle, 0); n > 0 && i < s->nodes;
	     i = nodeset_next(s->idle, i + 1))
		n -= !s->had[i] && allot_may(s, j, i);
	for (uint32_t i = j->required ? nodeset_next(j->required, 0) : s->nodes; i < s->nodes;
	     i = nodeset_next(j->required, i + 1)) {
		if (s->had[i])
			return false;
	}
	return n <= 0;
}

/* Those of the set that are idle and may be had; there: and that no other job has. */
static int32_t take_of(struct malleable *s, struct job *j, const struct nodeset *set, bool there,
		       int32_t n)
{
	int64_t end = s->closings ? ends_by(s, j) : 0;
	int32_t got = 0;

	for (uint32_t i = nodeset_next(set, 0); got < n && i < s->nodes;
	     i = nodeset_next(set, i + 1)) {
		if (!nodeset_test(s->idle, i) || !may_by(s, j, i, end) ||
		    (there && !notice_there(s, j, i)))
			continue;
		set_idle(s, i, false);
		join(s, j, i);
		got++;
	}
	return got;
}

int32_t allot_take(struct malleable *s, struct job *j, int32_t n)
{
	int32_t got = 0;

	if (n <= 0)
		return 0;
	if (j->has > j->n)
		got += take_of(s, j, j->at, false, n - got);
	if (s->config.resize_grace)
		got += take_of(s, j, s->idle, true, n - got);
	got += take_of(s, j, s->idle, false, n - got);
	if (got)
		change(j, j->n + got);
	return got;
}

int32_t allot_surplus(const struct malleable *s, const struct job *j)
{
	int32_t surplus = j->n - j->least, usable = j->n - j->lost;

	usable -= j->n && !s->held[j->first];
	return surplus < usable ? surplus : usable;
}

void allot_give(struct malleable *s, struct job *j, int32_t n)
{
	int32_t left = n;

	for (uint32_t i = j->last, before; j->lost && left && i != j->first; i = before) {
		before = s->prev[i];
		if (s->held[i])
			continue;
		let_go(s, j, i);
		left--;
	}
	for (; left; left--)
		let_go(s, j, j->last);
	change(j, j->n - n);
}

/* ---- from one to another ---- */

static bool can_pass(const struct job *j, uint32_t node)
{
	return node != j->first && !(j->required && nodeset_test(j->required, node));
}

int32_t allot_spare(const struct malleable *s, const struct job *j, const struct job *to)
{
	int32_t most = j->n - j->floor, n = 0;
	int64_t end = s->closings ? ends_by(s, to) : 0;

	if (most <= 0 || (any_will_do(s, to) && !j->required && !j->lost))
		return most > 0 ? most : 0;
	for (uint32_t i = j->last; n < most && i != NO_NODE; i = s->prev[i])
		n += can_pass(j, i) && !s->held[i] && may_by(s, to, i, end);
	return n;
}

/* With those that it has, or the others. How many. */
static int32_t pass(struct malleable *s, struct job *j, struct job *to, bool has, int32_t n)
{
	int64_t end = s->closings ? ends_by(s, to) : 0;
	int32_t done = 0;

	for (uint32_t i = j->last, before; done < n && i != NO_NODE; i = before) {
		before = s->prev[i];
		if (!can_pass(j, i) || s->held[i] || !may_by(s, to, i, end) ||
		    (!has && nodeset_test(j->at, i)))
			continue;
		leave(s, j, i);
		join(s, to, i);
		done++;
	}
	return done;
}

/* As long as nodes come after a notice, what it has not yet goes first: with what it has it goes on. */
void allot_pass(struct malleable *s, struct job *j, struct job *to, int32_t n)
{
	int32_t done = s->config.resize_grace ? pass(s, j, to, false, n) : 0;

	done += pass(s, j, to, true, n - done);
	if (!done)
		return;
	change(j, j->n - done);
	change(to, to->n + done);
}

/* Is it no other job's, or one's that does not need it? */
static bool can_get(const struct malleable *s, const struct job *j, uint32_t node)
{
	const struct job *from = s->owner[node];

	return from != j && !s->held[node] && allot_may(s, j, node) &&
	       (!from || (from->n > from->floor && can_pass(from, node)));
}

bool allot_required(struct malleable *s, struct job *j, bool take)
{
	for (uint32_t i = j->required ? nodeset_next(j->required, 0) : s->nodes; i < s->nodes;
	     i = nodeset_next(j->required, i + 1)) {
		if (!can_get(s, j, i))
			return false;
		if (!take)
			continue;
		get(s, j, i);
		change(j, j->n + 1);
	}
	return true;
}

/* Is no other job there, or was it asked to leave by the time when the job is to start? */
static bool is_coming(const struct malleable *s, const struct job *j, uint32_t node)
{
	return !s->had[node] || (s->due[node] <= j->ready && nodeset_test(s->called, node));
}

static bool required_come(const struct malleable *s, const struct job *j)
{
	for (uint32_t i = j->required ? nodeset_next(j->required, 0) : s->nodes; i < s->nodes;
	     i = nodeset_next(j->required, i + 1)) {
		if (!is_coming(s, j, i))
			return false;
	}
	return true;
}

/* What `from` was asked to give back by then and the job can have: when that is due at the latest; -1: there is none. */
static int64_t last_due(const struct malleable *s, const struct job *j, const struct job *from,
			int64_t by)
{
	int64_t last = -1;

	for (uint32_t i = from->leaving ? nodeset_next(from->goes, 0) : s->nodes; i < s->nodes;
	     i = nodeset_next(from->goes, i + 1)) {
		if (s->due[i] > last && s->due[i] <= by && can_get(s, j, i))
			last = s->due[i];
	}
	return last;
}

static void get_due(struct malleable *s, struct job *j, const struct job *from, int64_t due,
		    int32_t n)
{
	for (uint32_t i = from->leaving ? nodeset_next(from->goes, 0) : s->nodes;
	     j->n < n && i < s->nodes; i = nodeset_next(from->goes, i + 1)) {
		if (s->due[i] != due || !can_get(s, j, i))
			continue;
		get(s, j, i);
		change(j, j->n + 1);
	}
}

/* Those that are due last by its start go first: what is due earlier may be another one's, which is to start before it. */
static void get_leaving(struct malleable *s, struct job *j, int32_t n)
{
	for (int64_t by = j->ready, due; j->n < n; by = due - 1) {
		due = -1;
		for (size_t k = 0; k < s->running_n; k++) {
			int64_t last = last_due(s, j, s->running[k], by);

			due = last > due ? last : due;
		}
		if (due < 0)
			return;
		for (size_t k = 0; k < s->running_n; k++)
			get_due(s, j, s->running[k], due, n);
	}
}

bool allot_called(struct malleable *s, struct job *j, int32_t n)
{
	bool all = required_come(s, j) && allot_required(s, j, true);

	if (all)
		get_leaving(s, j, n);
	for (uint32_t i = 0; all && j->n < n && i < s->nodes; i++) {
		if (s->had[i] || !can_get(s, j, i))
			continue;
		get(s, j, i);
		change(j, j->n + 1);
	}
	if (all && j->n >= n)
		return true;
	allot_clear(s, j);
	return false;
}

/* ---- all of a job ---- */

bool allot_these(struct malleable *s, struct job *j, const uint32_t *node, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		if (s->owner[node[i]])
			return false;
		set_idle(s, node[i], false);
		join(s, j, node[i]);
	}
	change(j, (int32_t)n);
	return true;
}

void allot_clear(struct malleable *s, struct job *j)
{
	while (j->last != NO_NODE)
		let_go(s, j, j->last);
	change(j, 0);
}

/* Those that it was to have before keep their order. */
void allot_set(struct malleable *s, struct job *j, const struct nodeset *nodes)
{
	int32_t n = 0;

	for (uint32_t i = j->first, behind; i != NO_NODE; i = behind) {
		behind = s->next[i];
		if (!nodeset_test(nodes, i) || nodeset_test(j->goes, i))
			let_go(s, j, i);
		else
			n++;
	}
	for (uint32_t i = nodeset_next(nodes, 0); i < s->nodes; i = nodeset_next(nodes, i + 1)) {
		if (s->owner[i] == j || nodeset_test(j->goes, i))
			continue;
		get(s, j, i);
		n++;
	}
	change(j, n);
}

void allot_order(struct malleable *s, struct job *j)
{
	uint32_t i = j->first, behind;

	for (int32_t left = j->n; left; left--, i = behind) {
		behind = s->next[i];
		if (nodeset_test(j->at, i))
			continue;
		leave(s, j, i);
		join(s, j, i);
	}
}

void allot_lead(struct malleable *s, struct job *j, uint32_t node)
{
	if (node < s->nodes && s->owner[node] == j)
		lead(s, j, node);
}

bool allot_follow(struct malleable *s, struct job *j, const struct nodeset *nodes)
{
	int32_t n = j->n;
	bool any = false;

	for (uint32_t i = nodeset_next(j->at, 0); i < s->nodes; i = nodeset_next(j->at, i + 1)) {
		if (nodeset_test(nodes, i) || s->owner[i] != j)
			continue;
		let_go(s, j, i);
		any = true;
		n--;
	}
	for (uint32_t i = nodeset_next(nodes, 0); i < s->nodes; i = nodeset_next(nodes, i + 1)) {
		if (nodeset_test(j->at, i) || s->owner[i] == j)
			continue;
		get(s, j, i);
		any = true;
		n++;
	}
	if (any)
		change(j, n);
	return any;
}

/* ---- held by others ---- */

void allot_hold(struct malleable *s, uint32_t node)
{
	struct job *j = s->owner[node];

	if (j && !s->held[node])
		j->lost++;
	s->held[node]++;
	set_idle(s, node, false);
	if (j && !nodeset_test(j->at, node)) {
		leave(s, j, node);
		lose(j);
	}
}

void allot_unhold(struct malleable *s, uint32_t node)
{
	s->held[node]--;
	if (!s->held[node] && s->owner[node])
		s->owner[node]->lost--;
	if (!s->held[node] && !s->owner[node])
		set_idle(s, node, true);
}

void malleable_decide(struct malleable *s, struct job *fresh, bool ended)
{
	ended |= s->dirty;
	s->dirty = s->todo_fresh = false;
	s->kind->decide(s, fresh, ended);
	s->news = true;
}

void malleable_leave(struct malleable *s, struct job *j)
{
	job_wait_no_more(s, j);
	accepted_remove(s, j);
	allot_clear(s, j);
	running_remove(s, j);
	if (j->has)
		job_set_at(s, j, NULL, s->now);
	j->kept = false;
	if (s->asked == j)
		s->asked = NULL;
	if (s->has_ahead && s->ahead_id == j->id)
		s->has_ahead = false;
}

struct stand malleable_step_out(struct malleable *s, struct job *j)
{
	struct stand at = {
		.waits = j->waits,
		.owed = j->owed,
		.listed = j->listed,
		.kept = j->kept,
		.has_ahead = s->has_ahead,
		.ahead_id = s->ahead_id,
		.ahead = s->ahead,
		.latest = j->latest,
		.ready = j->ready,
		.chosen = j->chosen,
	};

	for (uint32_t i = j->first; i != NO_NODE; i = s->next[i])
		s->stood[at.n++] = i;
	malleable_leave(s, j);
	return at;
}

void malleable_ahead_again(struct malleable *s, const struct stand *at)
{
	s->has_ahead = at->has_ahead;
	s->ahead_id = at->ahead_id;
	s->ahead = at->ahead;
}

void malleable_step_in(struct malleable *s, struct job *j, const struct stand *at)
{
	malleable_ahead_again(s, at);
	j->latest = at->latest;
	j->ready = at->ready;
	j->chosen = at->chosen;
	if (at->waits)
		job_wait(s, j);
	if (at->owed)
		accepted_add(s, j, at->latest);
	if (!at->listed)
		return;
	running_add(s, j);
	allot_these(s, j, s->stood, at->n);
	j->kept = at->kept;
}
