/* SPDX-License-Identifier: GPL-2.0-or-later */
/* daemon: see daemon.h. */
#include "node/daemon.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "common/number.h"
#include "node/log.h"
#include "node/proc.h"
#include "node/status.h"

#define JOBS_MOST 1024
#define TIDY SHARE_SECOND
#define EVICT (5 * SHARE_SECOND) /* after that processes that linger are put where they came from */
#define WHY 600

static int64_t microseconds(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (int64_t)t.tv_sec * SHARE_SECOND + t.tv_nsec / 1000;
}

int64_t daemon_clock(void)
{
	return microseconds(CLOCK_BOOTTIME);
}

/* ---- measuring and giving out ---- */

/* All at one time, as how busy the node was is of all of them. */
static void measure(struct daemon *d)
{
	struct usage_since *since = calloc(d->parts.n + 1, sizeof(*since));
	int64_t now = daemon_clock(), interval = now - d->measured;
	size_t n = since && d->cgroup.ops ? d->parts.n : 0;
	uint64_t used = 0;
	uint32_t busy;

	if (!since)
		log_line(LOG_BAD, "no memory to measure jobs");
	for (size_t i = 0; i < n; i++) {
		struct part *p = &d->parts.part[i];

		if (!usage_measure(&p->usage, &d->cgroup, &p->place, &since[i])) {
			log_line(LOG_BAD, "job %u: no memory to measure it", p->id);
			/* Then it has used nothing, and waited all the time. */
			since[i].waited = (uint64_t)interval * 1000 * p->processors;
		}
		used += since[i].used;
	}
	busy = parts_busy(&d->parts, interval, used, d->cgroup.cap);
	for (size_t i = 0; i < n; i++)
		parts_progress(&d->parts, &d->parts.part[i], interval, &since[i], busy,
			       d->cgroup.cap);
	free(since);
	d->measured = now;
}

static void weigh(const struct daemon *d, const struct part *p)
{
	uint32_t quota =
		parts_rule(&d->parts) == SHARE_IDLE ? parts_quota(&d->parts, p, d->cgroup.cap) : 0;

	if (!p->place.dir[0] || !d->cgroup.ops)
		return;
	if (!d->cgroup.ops->weigh(&p->place, parts_weight(&d->parts, p), quota))
		log_line(errno == ENOENT ? LOG_TOLD : LOG_BAD, "job %u: %s: %s", p->id,
			 p->place.dir, strerror(errno));
}

static void save(const struct daemon *d)
{
	char why[WHY];

	if (!kept_save(d->o->dir, &d->parts, d->boot, d->measured, why, sizeof(why)))
		log_line(LOG_BAD, "%s", why);
}

static void give_out(struct daemon *d)
{
	int64_t wall = microseconds(CLOCK_REALTIME), until = parts_share(&d->parts, wall);

	d->next_share = until == SHARE_NEVER ? until : daemon_clock() + (until - wall);
	for (size_t i = 0; i < d->parts.n; i++) {
		weigh(d, &d->parts.part[i]);
		log_line(LOG_TOLD, "job %u: share %.4f, work %.1f s", d->parts.part[i].id,
			 d->parts.part[i].share / (double)SHARE_WHOLE,
			 (double)d->parts.part[i].work / SHARE_SECOND);
	}
}

static void report(struct daemon *d)
{
	struct node_report r = { .count = ++d->count };

	if (!d->reporter || !status_fill(d, &r))
		return;
	reporter_send(d->reporter, report_write(&r));
	report_release(&r);
}

/* After a measurement, and what has changed by an event. */
static void settle(struct daemon *d)
{
	give_out(d);
	save(d);
	report(d);
}

/* ---- events: the caller has measured, and settles ---- */

static bool begin(struct daemon *d, uint32_t id, const char *text, char *why, size_t size)
{
	struct part *old = parts_find(&d->parts, id);
	bool changed = !old || strcmp(old->text, text);

	if (!parts_set(&d->parts, id, text, why, size))
		return false;
	if (changed)
		log_line(LOG_SAID, "job %u: %s %s", id,
			 old ? "has changed terms:" : "begins:", text);
	d->empty_since = SHARE_NEVER;
	return true;
}

static void end(struct daemon *d, uint32_t id)
{
	struct part *p = parts_find(&d->parts, id);

	kept_remove(d->o->dir, id);
	if (p) {
		log_line(LOG_SAID, "job %u: is over, work %.1f s", id,
			 (double)p->work / SHARE_SECOND);
		/* What lingers takes nothing from others. */
		p->share = 0;
		weigh(d, p);
		parts_remove(&d->parts, id);
	}
	d->next_tidy = daemon_clock();
}

/* The files are what counts: spank_pact may have written and removed some while pactd was down. */
static bool match_files(struct daemon *d)
{
	uint32_t id[JOBS_MOST];
	long n = kept_jobs(d->o->dir, id, JOBS_MOST);
	char text[TERMS_MAX], why[WHY];
	bool changed = false;

	for (size_t i = d->parts.n; n >= 0 && i-- > 0;) {
		long at = 0;

		while (at < n && id[at] != d->parts.part[i].id)
			at++;
		if (at < n)
			continue;
		end(d, d->parts.part[i].id);
		changed = true;
	}
	for (long i = 0; i < n; i++) {
		if (parts_find(&d->parts, id[i]))
			continue;
		if (kept_terms(d->o->dir, id[i], text, why, sizeof(why)) &&
		    begin(d, id[i], text, why, sizeof(why)))
			changed = true;
		else
			log_line(LOG_BAD, "job %u: %s", id[i], why);
	}
	return changed;
}

/* Take groups of jobs that are over out of the tree; processes may linger in them. */
static void tidy(struct daemon *d)
{
	uint32_t id[JOBS_MOST];
	int64_t now = daemon_clock();
	size_t n = 0, left = 0;

	if (d->cgroup.ops)
		n = d->cgroup.ops->found(&d->cgroup, id, JOBS_MOST);
	for (size_t i = 0; i < n; i++) {
		if (!parts_find(&d->parts, id[i]))
			left += !d->cgroup.ops->remove(&d->cgroup, id[i]);
	}
	if (d->parts.n) {
		d->empty_since = SHARE_NEVER;
	} else {
		if (d->empty_since == SHARE_NEVER)
			d->empty_since = now;
		if (d->cgroup.ops)
			left += !d->cgroup.ops->clear(&d->cgroup, now - d->empty_since >= EVICT);
	}
	d->next_tidy = left ? now + TIDY : SHARE_NEVER;
}

/* ---- the local socket ---- */

static char *say(const char *why)
{
	char *text;

	if (!why)
		return strdup("ok\n");
	return asprintf(&text, "no %s\n", why) < 0 ? NULL : text;
}

static char *take_terms(struct daemon *d, uint32_t id)
{
	char text[TERMS_MAX], why[WHY];
	bool taken;

	if (!kept_terms(d->o->dir, id, text, why, sizeof(why)))
		return say(why);
	measure(d);
	taken = begin(d, id, text, why, sizeof(why));
	settle(d);
	return say(taken ? NULL : why);
}

static char *join(struct daemon *d, uint32_t id, pid_t pid)
{
	struct part *p = parts_find(&d->parts, id);
	struct cgroup_place was;
	char why[WHY], *refused;

	if (!p) {
		refused = take_terms(d, id);
		p = parts_find(&d->parts, id);
		if (!p)
			return refused;
		free(refused);
	}
	if (!d->cgroup.ops)
		return say(d->cgroup.lacks);
	was = p->place;
	if (!d->cgroup.ops->join(&d->cgroup, &p->place, id, pid, why, sizeof(why))) {
		snprintf(d->cgroup.lacks, sizeof(d->cgroup.lacks), "%.*s",
			 (int)sizeof(d->cgroup.lacks) - 1, why);
		log_line(LOG_BAD, "job %u: %s", id, why);
		return say(why);
	}
	d->cgroup.lacks[0] = '\0';
	usage_join(&p->usage, &d->cgroup, &p->place, pid);
	weigh(d, p);
	if (memcmp(&was, &p->place, sizeof(was)))
		save(d);
	log_line(LOG_TOLD, "job %u: process %d joins", id, (int)pid);
	return say(NULL);
}

static bool number(const char *word, int64_t most, int64_t *n)
{
	return word && number_int(word, n) && *n >= 1 && *n <= most;
}

char *daemon_ask(void *arg, const char *line)
{
	struct daemon *d = arg;
	char copy[64], *rest, *what, *first, *second, *more;
	int64_t id, pid;

	if ((size_t)snprintf(copy, sizeof(copy), "%s", line) >= sizeof(copy))
		return say("what is that?");
	what = strtok_r(copy, " ", &rest);
	first = what ? strtok_r(NULL, " ", &rest) : NULL;
	second = first ? strtok_r(NULL, " ", &rest) : NULL;
	more = second ? strtok_r(NULL, " ", &rest) : NULL;
	if (what && !first && !strcmp(what, "status"))
		return status_line(d);
	if (!number(first, UINT32_MAX, &id) || more)
		return say("what is that?");
	if (!strcmp(what, "join") && number(second, INT32_MAX, &pid))
		return join(d, (uint32_t)id, (pid_t)pid);
	if (!second && !strcmp(what, "terms"))
		return take_terms(d, (uint32_t)id);
	if (!second && !strcmp(what, "over")) {
		measure(d);
		end(d, (uint32_t)id);
		settle(d);
		return say(NULL);
	}
	return say("what is that?");
}

/* ---- the controller ---- */

static bool change(struct daemon *d, const struct answer_job *j)
{
	struct part *p = parts_find(&d->parts, j->id);
	struct job_terms terms;
	char why[WHY];

	if (!p || p->terms.submit != j->submit || !strcmp(p->text, j->terms))
		return false;
	if (!job_terms_read(j->terms, &terms, why, sizeof(why))) {
		log_line(LOG_BAD, "job %u: the controller's terms: %s", j->id, why);
		return false;
	}
	if (terms.submit != j->submit) {
		log_line(LOG_BAD, "job %u: the controller's terms are of another submission",
			 j->id);
		return false;
	}
	if (!kept_set_terms(d->o->dir, j->id, j->terms, why, sizeof(why)))
		log_line(LOG_BAD, "job %u: %s", j->id, why);
	return begin(d, j->id, j->terms, why, sizeof(why));
}

void daemon_answer(struct daemon *d, const char *text)
{
	struct node_answer a;
	bool changed = false;
	char why[WHY];

	if (!answer_read(text, strlen(text), &a, why, sizeof(why))) {
		log_line(LOG_BAD, "the controller's answer is not understood: %s", why);
		return;
	}
	measure(d);
	if (a.interval != d->interval) {
		d->interval = a.interval;
		d->next_round = daemon_clock() + d->interval * SHARE_SECOND;
	}
	for (size_t i = 0; i < a.n; i++)
		changed = change(d, &a.job[i]) || changed;
	for (size_t i = 0; i < a.n_gone; i++) {
		if (!parts_find(&d->parts, a.gone[i]))
			continue;
		end(d, a.gone[i]);
		changed = true;
	}
	answer_release(&a);
	if (changed)
		settle(d);
}

/* ---- time ---- */

int daemon_turn(struct daemon *d)
{
	int64_t now = daemon_clock(), next;

	if (now >= d->next_round || now >= d->next_share) {
		measure(d);
		if (now >= d->next_round) {
			match_files(d);
			d->next_round = now + d->interval * SHARE_SECOND;
		}
		settle(d);
	}
	if (now >= d->next_tidy)
		tidy(d);
	next = d->next_round < d->next_share ? d->next_round : d->next_share;
	next = next < d->next_tidy ? next : d->next_tidy;
	now = daemon_clock();
	return next <= now ? 0 : (int)((next - now) / 1000 + 1);
}

static void read_boots(struct daemon *d, const char *proc)
{
	char path[300];
	uint64_t random[2] = { 0 };

	snprintf(path, sizeof(path), "%s/sys/kernel/random/boot_id", proc);
	if (proc_read(path, d->boot, KEPT_BOOT) <= 0)
		strcpy(d->boot, "unknown");
	d->boot[strcspn(d->boot, "\n")] = '\0';
	if (getrandom(random, sizeof(random), 0) < 0)
		random[0] = (uint64_t)microseconds(CLOCK_REALTIME);
	snprintf(d->start, sizeof(d->start), "%016" PRIx64 "%016" PRIx64, random[0], random[1]);
}

bool daemon_open(struct daemon *d, const struct options *o, const char *proc, char *why,
		 size_t size)
{
	int64_t measured;

	memset(d, 0, sizeof(*d));
	d->o = o;
	d->interval = o->interval;
	d->parts.processors = o->processors;
	d->parts.rating = (int32_t)o->rating;
	d->next_share = d->empty_since = SHARE_NEVER;
	read_boots(d, proc);
	cgroup_open(&d->cgroup, o->cgroup_root, o->group, proc, o->cap);
	if (!kept_make(o->dir, why, size))
		return false;
	if (d->cgroup.lacks[0])
		log_line(LOG_BAD, "this node cannot share its processors: %s", d->cgroup.lacks);
	match_files(d);
	d->measured = daemon_clock();
	if (kept_load(o->dir, &d->parts, d->boot, &measured) && measured && measured <= d->measured)
		d->measured = measured;
	/* The first turn measures the time without us, gives out shares, and reports. */
	return true;
}

void daemon_close(struct daemon *d)
{
	measure(d);
	save(d);
	parts_release(&d->parts);
}
