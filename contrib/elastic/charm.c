/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * charm: a Charm++ program that was started by charmrun, with a CCS server
 *
 * charmrun starts the program anew by its node list, process p on line p / --pes: so the list is rewritten first, those that
 * stay in their order and what came behind them. The reply to set_bitmap tells nothing: what ccs_getinfo says counts. A program
 * is asked once for each change of its nodes.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "contrib/elastic/ccs.h"
#include "contrib/elastic/elastic.h"

/* Seconds for a change that nothing presses, without --notice. */
#define GROW_TIME 60
/* Of the notice's rest, a part that is kept for giving back, or for saying no. */
#define KEPT_PART 5

struct charm {
	char **hosts; /* in the order of the node list: NULL-terminated */
	size_t count;
};

static bool add(struct charm *c, const char *name, size_t length)
{
	char **more = realloc(c->hosts, (c->count + 2) * sizeof(*more));

	if (!more)
		return false;
	c->hosts = more;
	more[c->count] = strndup(name, length);
	if (!more[c->count])
		return false;
	more[++c->count] = NULL;
	return true;
}

static void forget(struct charm *c)
{
	for (size_t i = 0; i < c->count; i++)
		free(c->hosts[i]);
	free(c->hosts);
	*c = (struct charm){ 0 };
}

static bool has(const struct charm *c, const char *name)
{
	return c->count && elastic_has((const char *const *)c->hosts, name);
}

/* The hosts of a node list that is there already. */
static bool read_list(const char *path, struct charm *c)
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
		ok = add(c, at, strcspn(at, " \t\r\n"));
	}
	fclose(f);
	return ok;
}

/* Whole or not at all. */
static bool write_list(const struct elastic *e, const struct charm *c)
{
	char path[4096];
	FILE *f = NULL;
	bool ok = false;

	if ((size_t)snprintf(path, sizeof(path), "%s.new", e->options->nodelist) < sizeof(path))
		f = fopen(path, "w");
	if (f) {
		fprintf(f, "group main\n");
		for (size_t i = 0; i < c->count; i++)
			fprintf(f, "host %s ++cpus %lld\n", c->hosts[i],
				(long long)e->options->pes);
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
	if (c && read_list(e->options->nodelist, c))
		return true;
	elastic_error("%s: %s", e->options->nodelist, strerror(errno));
	return false;
}

/* Until the program says that it runs on so many, until then. */
static bool comes_to(struct elastic *e, int64_t processors, int64_t until)
{
	for (;;) {
		if (ccs_processors(e->options->charm) == processors)
			return true;
		if (e->signal || elastic_now() >= until)
			return false;
		/* A child of ours is none that this waits for. */
		elastic_wait(e, 1000);
	}
}

/*
 * From one list of hosts to another one. A program that is not as wide as the first one says is asked nothing: it is not what we
 * know, or in the midst of something. False: told why.
 */
static bool change(struct elastic *e, const struct charm *from, const struct charm *to,
		   int64_t until)
{
	const int64_t pes = e->options->pes;
	const size_t processors = from->count * (size_t)pes;
	int64_t has_now = ccs_processors(e->options->charm);
	char *stays;
	bool done;
	int fd;

	if (has_now != (int64_t)processors) {
		elastic_error("%s: %s", e->options->charm,
			      has_now < 0 ? strerror(errno)
					  : "it has not the processors that its node list says");
		return false;
	}
	stays = calloc(1, processors + 1);
	if (!stays || !write_list(e, to)) {
		free(stays);
		return false;
	}
	for (size_t p = 0; p < processors; p++)
		stays[p] = has(to, from->hosts[p / (size_t)pes]);
	fd = ccs_resize(e->options->charm, stays, processors, (int32_t)(to->count * (size_t)pes));
	free(stays);
	done = fd >= 0 && comes_to(e, (int64_t)to->count * pes, until);
	if (!done) {
		elastic_error("%s: %s", e->options->charm,
			      fd < 0 ? strerror(errno) : "it has not changed in time");
		write_list(e, from);
	}
	if (fd >= 0)
		close(fd);
	return done;
}

static void take(struct charm *c, struct charm *to)
{
	forget(c);
	*c = *to;
}

static void charm_nodes(struct elastic *e, const char *const *nodes)
{
	struct charm *c = e->own, to = { 0 };
	const int64_t time = e->options->notice ? e->options->notice : GROW_TIME;
	bool first = !c->count, lost = false, ok = true;

	for (size_t i = 0; ok && i < c->count; i++) {
		if (elastic_has(nodes, c->hosts[i]))
			ok = add(&to, c->hosts[i], strlen(c->hosts[i]));
		else
			lost = true;
	}
	for (const char *const *n = nodes; ok && *n; n++)
		if (!has(c, *n))
			ok = add(&to, *n, strlen(*n));
	if (!ok || (!lost && to.count == c->count)) {
		forget(&to);
		return;
	}
	if (first) {
		write_list(e, &to);
	} else if (lost) {
		elastic_tell(e, "nodes were taken under the program: its node list has those that "
				"are left");
		write_list(e, &to);
	} else if (!change(e, c, &to, elastic_now() + time)) {
		e->counts.failed++;
		forget(&to);
		return;
	}
	take(c, &to);
}

static enum answer charm_leave(struct elastic *e, const struct pact_malleable_wish *wish)
{
	const int64_t left = wish->by - elastic_now();
	struct charm *c = e->own, to = { 0 };
	bool ok = true;

	for (size_t i = 0; ok && i < c->count; i++)
		if (!elastic_has(wish->leaves, c->hosts[i]))
			ok = add(&to, c->hosts[i], strlen(c->hosts[i]));
	/* What the program does not run on may go. */
	if (ok && to.count == c->count) {
		forget(&to);
		return ANSWER_GIVE;
	}
	if (!ok || !to.count || left <= 0 || !change(e, c, &to, wish->by - left / KEPT_PART)) {
		forget(&to);
		return e->signal ? ANSWER_NONE : ANSWER_NOT_NOW;
	}
	take(c, &to);
	return ANSWER_GIVE;
}

static void charm_forget(struct elastic *e)
{
	forget(e->own);
}

const struct way charm_way = {
	.begin = charm_begin,
	.nodes = charm_nodes,
	.leave = charm_leave,
	.forget = charm_forget,
};
