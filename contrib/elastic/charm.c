/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * charm: a Charm++ program that was started by charmrun, with a CCS server
 *
 * charmrun starts the program anew by its node list, process p on line p / --pes: so the list is rewritten first, those that
 * stay in their order and what came behind them. The reply to set_bitmap tells nothing: what ccs_getinfo says counts. A program
 * is asked once for each change of its nodes. One that does not change in time may do so later, by the list as it was rewritten:
 * that is looked for, and is how it is then.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "contrib/elastic/answers.h"
#include "contrib/elastic/ccs.h"
#include "contrib/elastic/elastic.h"

/* So many looks in a row a program that cannot be asked to grow is tried again: it may be starting. */
#define GROW_TRIES 20
/* Of the notice's rest, a part that is kept for giving back, or for saying no. */
#define KEPT_PART 5

/* In the order of the node list; names NULL-terminated, NULL when there is none. */
struct hosts {
	char **name;
	size_t count;
};

struct charm {
	struct hosts runs;  /* that the program runs on */
	struct hosts asked; /* that it is late to run on; none: it is not late */
	int64_t by; /* of the latest wish: until then its nodes may be taken, whatever was answered */
	bool grows; /* there may be nodes that it has not taken up */
	bool tried; /* since the latest look */
	unsigned int tries;
};

static bool add(struct hosts *h, const char *name, size_t length)
{
	char **more = realloc(h->name, (h->count + 2) * sizeof(*more));

	if (!more)
		return false;
	h->name = more;
	more[h->count] = strndup(name, length);
	if (!more[h->count])
		return false;
	more[++h->count] = NULL;
	return true;
}

static void forget(struct hosts *h)
{
	for (size_t i = 0; i < h->count; i++)
		free(h->name[i]);
	free(h->name);
	*h = (struct hosts){ 0 };
}

static void take(struct hosts *h, struct hosts *to)
{
	forget(h);
	*h = *to;
	*to = (struct hosts){ 0 };
}

static bool has(const struct hosts *h, const char *name)
{
	return h->count && elastic_has((const char *const *)h->name, name);
}

static bool has_any(const struct hosts *h, const char *const *names)
{
	while (*names && !has(h, *names))
		names++;
	return *names;
}

static bool is_same(const struct hosts *a, const struct hosts *b)
{
	size_t i = 0;

	while (i < a->count && has(b, a->name[i]))
		i++;
	return i == a->count && i == b->count;
}

/* The hosts of a node list that is there already. */
static bool read_list(const char *path, struct hosts *h)
{
	FILE *f = fopen(path, "r");
	char line[1024];
	bool ok = true;

	if (!f)
		return errno == ENOENT;
	while (ok && fgets(line, sizeof(line), f)) {
		const char *at = line + strspn(line, " \t");

		if (strncmp(at, "host", 4) != 0 || !strchr(" \t", at[4]))
			continue;
		at += 4;
		at += strspn(at, " \t");
		ok = add(h, at, strcspn(at, " \t\r\n"));
	}
	fclose(f);
	return ok;
}

/* Whole or not at all. */
static bool write_list(const struct elastic *e, const struct hosts *h)
{
	char path[4096];
	FILE *f = NULL;
	bool ok = false;

	if ((size_t)snprintf(path, sizeof(path), "%s.new", e->options->nodelist) < sizeof(path))
		f = fopen(path, "w");
	if (f) {
		fprintf(f, "group main\n");
		for (size_t i = 0; i < h->count; i++)
			fprintf(f, "host %s ++cpus %lld\n", h->name[i], (long long)e->options->pes);
		ok = !ferror(f);
		ok = !fclose(f) && ok && !rename(path, e->options->nodelist);
	}
	if (!ok)
		elastic_error("%s: %s", e->options->nodelist, strerror(errno));
	return ok;
}

static bool charm_begin(struct elastic *e)
{
	struct charm *c = calloc(1, sizeof(*c));

	e->own = c;
	if (c && read_list(e->options->nodelist, &c->runs))
		return true;
	elastic_error("%s: %s", e->options->nodelist, strerror(errno));
	return false;
}

/* Until the program says that it runs on so many, until then by elastic_clock(). */
static bool comes_to(struct elastic *e, int64_t processors, int64_t until)
{
	for (;;) {
		if (ccs_processors(e->options->charm) == processors)
			return true;
		if (e->signal || elastic_clock() >= until)
			return false;
		/* A child of ours is none that this waits for. */
		elastic_wait(e, 1000);
	}
}

/* Has it come to what it was asked for? */
static void adopt(struct elastic *e)
{
	struct charm *c = e->own;

	if (!c->asked.count ||
	    ccs_processors(e->options->charm) != (int64_t)c->asked.count * e->options->pes)
		return;
	elastic_tell(e, "%s: it has changed, late", e->options->charm);
	take(&c->runs, &c->asked);
	c->grows = true;
	c->tries = 0;
}

/*
 * A program that is not as wide as its node list says is asked nothing: it is not what we know, or in the midst of something.
 * OUT fd - to be closed when it has changed, or is late
 * RET false: it was not asked; OUT why - why not
 */
static bool ask(struct elastic *e, const struct hosts *to, int *fd, const char **why)
{
	const struct charm *c = e->own;
	const size_t pes = (size_t)e->options->pes, processors = c->runs.count * pes;
	int64_t has_now = ccs_processors(e->options->charm);
	char *stays;

	*why = has_now < 0 ? strerror(errno) : "it has not the processors that its node list says";
	if (has_now != (int64_t)processors)
		return false;
	*why = "its node list cannot be written";
	stays = calloc(1, processors + 1);
	if (!stays || !write_list(e, to)) {
		free(stays);
		return false;
	}
	for (size_t p = 0; p < processors; p++)
		stays[p] = has(to, c->runs.name[p / pes]);
	*fd = ccs_resize(e->options->charm, stays, processors, (int32_t)(to->count * pes));
	free(stays);
	if (*fd >= 0)
		return true;
	*why = strerror(errno);
	write_list(e, c->asked.count ? &c->asked : &c->runs);
	return false;
}

enum change {
	CHANGED,
	LATE,
	NOT_ASKED,
};

/* To other hosts, which are taken, until then by elastic_clock(). OUT why - when it is not CHANGED */
static enum change change(struct elastic *e, struct hosts *to, int64_t until, const char **why)
{
	struct charm *c = e->own;
	int fd = -1;
	bool done;

	/* What it is late for is only waited for. */
	if (!is_same(to, &c->asked) && !ask(e, to, &fd, why))
		return NOT_ASKED;
	done = comes_to(e, (int64_t)to->count * e->options->pes, until);
	if (fd >= 0)
		close(fd);
	*why = "it has not changed in time";
	take(done ? &c->runs : &c->asked, to);
	if (done)
		forget(&c->asked);
	return done ? CHANGED : LATE;
}

static void grow(struct elastic *e, struct hosts *to)
{
	const int64_t notice = e->options->notice ? e->options->notice : NOTICE;
	struct charm *c = e->own;
	const char *why;
	enum change changed = change(e, to, elastic_clock() + notice * 1000, &why);

	c->tried = true;
	c->grows = changed == NOT_ASKED && ++c->tries < GROW_TRIES;
	if (c->grows && c->tries == 1)
		elastic_tell(e, "%s: %s: tried again", e->options->charm, why);
	if (c->grows)
		return;
	c->tries = 0;
	if (changed == CHANGED)
		return;
	e->counts.failed++;
	elastic_error("%s: %s", e->options->charm, why);
}

static void charm_nodes(struct elastic *e, const char *const *nodes)
{
	struct charm *c = e->own;
	struct hosts to = { 0 };
	bool first = !c->runs.count, lost = false, ok = true;

	adopt(e);
	for (size_t i = 0; ok && i < c->runs.count; i++) {
		if (elastic_has(nodes, c->runs.name[i]))
			ok = add(&to, c->runs.name[i], strlen(c->runs.name[i]));
		else
			lost = true;
	}
	for (const char *const *n = nodes; ok && *n; n++)
		if (!has(&c->runs, *n))
			ok = add(&to, *n, strlen(*n));
	if (!ok || (!lost && to.count == c->runs.count)) {
		c->grows = false;
	} else if (first || lost) {
		if (lost)
			elastic_tell(e, "nodes were taken under the program: its node list has "
					"those that are left");
		write_list(e, &to);
		take(&c->runs, &to);
		forget(&c->asked);
	} else {
		grow(e, &to);
	}
	forget(&to);
}

/* What it could not be asked for, or was late with, may be possible by now. */
static void charm_looked(struct elastic *e)
{
	struct charm *c = e->own;
	bool tried = c->tried;
	const char **ours;

	c->tried = false;
	adopt(e);
	if (tried || !c->grows || pact_malleable_wanted(e->job) || elastic_now() <= c->by)
		return;
	ours = answers_ours(e, pact_malleable_nodes(e->job));
	if (ours)
		charm_nodes(e, ours);
	c->tried = false;
	free(ours);
}

static enum answer shrink(struct elastic *e, struct hosts *to, int64_t by)
{
	const int64_t left = elastic_until(by) - elastic_clock();
	const char *why = "there is no time left";

	if (left > 0 && change(e, to, elastic_clock() + left - left / KEPT_PART, &why) == CHANGED)
		return ANSWER_GIVE;
	if (e->signal)
		return ANSWER_NONE;
	elastic_error("%s: %s", e->options->charm, why);
	return ANSWER_NOT_NOW;
}

static enum answer charm_leave(struct elastic *e, const struct pact_malleable_wish *wish)
{
	enum answer answer = ANSWER_NOT_NOW;
	struct charm *c = e->own;
	struct hosts to = { 0 };
	bool ok = true;

	c->by = wish->by;
	adopt(e);
	for (size_t i = 0; ok && i < c->runs.count; i++)
		if (!elastic_has(wish->leaves, c->runs.name[i]))
			ok = add(&to, c->runs.name[i], strlen(c->runs.name[i]));
	/* What the program does not run on may go, unless it is late to take that up: then it can do so at any moment. */
	if (ok && to.count == c->runs.count)
		answer = has_any(&c->asked, wish->leaves) ? ANSWER_NOT_NOW : ANSWER_GIVE;
	else if (ok && to.count)
		answer = shrink(e, &to, wish->by);
	forget(&to);
	return answer;
}

static void charm_forget(struct elastic *e)
{
	struct charm *c = e->own;

	forget(&c->runs);
	forget(&c->asked);
}

const struct way charm_way = {
	.begin = charm_begin,
	.nodes = charm_nodes,
	.looked = charm_looked,
	.leave = charm_leave,
	.forget = charm_forget,
};
