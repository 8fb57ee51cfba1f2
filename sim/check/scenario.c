/* SPDX-License-Identifier: GPL-2.0-or-later */
/* scenario: see scenario.h and doc/scenarios.md. The file is read word by word, strictly. */
#include "sim/check/scenario_own.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/nodeset.h"
#include "core/sched.h"
#include "common/number.h"
#include "common/why.h"
#include "sim/workload/curve.h"
#include "sim/workload/workload.h"

#define MAX_GIVEN 32
#define MAX_LINE 512
#define MOST_VALUE INT64_C(1000000000000) /* in millionths */

/* Where reading stands. */
struct place {
	struct scenario *sc;
	const char *path;
	int line;
	char *why;
	size_t size;
	char given[MAX_GIVEN][NAME]; /* keys of config lines */
	size_t ngiven;
};

static int wrong(struct place *p, const char *format, ...) __attribute__((format(printf, 2, 3)));

static int wrong(struct place *p, const char *format, ...)
{
	char text[256];
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	return why_set(p->why, p->size, PACT_EINVAL, "%s:%d: %s", p->path, p->line, text);
}

/* One "3" or "2-5" of a list into the set. */
static bool parse_range(char *text, struct nodeset *set, uint32_t nodes)
{
	char *dash = strchr(text, '-');
	uint64_t lo, hi;

	if (dash)
		*dash++ = '\0';
	if (!number_unsigned(text, &lo) || !number_unsigned(dash ? dash : text, &hi) || lo > hi ||
	    hi >= nodes)
		return false;
	for (uint64_t n = lo; n <= hi; n++)
		nodeset_set(set, (uint32_t)n);
	return true;
}

/* "0-3,7" or a set's name, as a new set; NULL with the reason. */
static struct nodeset *parse_nodes(struct place *p, const char *text)
{
	struct scenario *sc = p->sc;
	struct nodeset *set;
	char copy[MAX_LINE], *next, *item;

	if (!sc->nodes) {
		wrong(p, "'nodes N' has to come first");
		return NULL;
	}
	for (size_t i = 0; i < sc->nsets; i++)
		if (!strcmp(sc->set[i].name, text))
			return nodeset_dup(sc->set[i].nodes);
	set = nodeset_create(sc->nodes);
	snprintf(copy, sizeof(copy), "%s", text);
	for (item = strtok_r(copy, ",", &next); item && set; item = strtok_r(NULL, ",", &next)) {
		if (parse_range(item, set, sc->nodes))
			continue;
		wrong(p, "nodes '%s': neither a set nor a list within 0-%" PRIu32, text,
		      sc->nodes - 1);
		nodeset_destroy(set);
		return NULL;
	}
	return set;
}

static int parse_time(struct place *p, const char *key, const char *text, int64_t *out)
{
	if (number_int(text, out) && *out >= 0 && *out <= WORKLOAD_MAX_TIME)
		return PACT_OK;
	return wrong(p, "%s=%s: seconds >= 0 wanted", key, text);
}

static int parse_set(struct place *p, char *name, char *list)
{
	struct scenario *sc = p->sc;

	if (!name || !list || strlen(name) >= NAME)
		return wrong(p, "'set NAME NODES' wanted");
	if (sc->nsets == MAX_SETS)
		return wrong(p, "more than %d sets", MAX_SETS);
	sc->set[sc->nsets].nodes = parse_nodes(p, list);
	if (!sc->set[sc->nsets].nodes)
		return PACT_EINVAL;
	strcpy(sc->set[sc->nsets++].name, name);
	return PACT_OK;
}

static int parse_config(struct place *p, char *key, char *value)
{
	struct scenario *sc = p->sc;
	char text[256];

	for (size_t i = 0; i < p->ngiven; i++)
		if (!strcasecmp(p->given[i], key))
			return wrong(p, "%s=%s: %s is given twice", key, value, key);
	if (p->ngiven == MAX_GIVEN || strlen(key) >= NAME)
		return wrong(p, "%s=%s: unknown setting, or too many", key, value);
	strcpy(p->given[p->ngiven++], key);
	if (!strcmp(key, "scheduler")) {
		if (strlen(value) >= NAME)
			return wrong(p, "scheduler=%s: unknown", value);
		strcpy(sc->scheduler, value);
		return PACT_OK;
	}
	if (!settings_apply(&sc->config, key, value, text, sizeof(text)))
		return wrong(p, "%s", text);
	return PACT_OK;
}

/* Settings that the scheduler does not look at would be of no use; it is known when all is read. */
static int check_config(struct place *p)
{
	char text[256];

	for (size_t i = 0; i < p->ngiven; i++)
		if (strcmp(p->given[i], "scheduler") != 0 &&
		    !settings_used(&p->sc->config, p->sc->scheduler, p->given[i], text,
				   sizeof(text)))
			return why_set(p->why, p->size, PACT_EINVAL, "%s: config %s: %s", p->path,
				       p->given[i], text);
	return PACT_OK;
}

static int parse_expect(struct place *p, const char *key, const char *value, struct expected *e)
{
	if (!strcmp(key, "start")) {
		if (strcmp(value, "never") != 0)
			return parse_time(p, key, value, &e->start);
		e->start = -1;
		return PACT_OK;
	}
	if (!strcmp(key, "end"))
		return parse_time(p, key, value, &e->end);
	if (!strcmp(key, "offer"))
		return parse_time(p, key, value, &e->offer);
	if (!strcmp(key, "reason")) {
		e->reason = scenario_reason(value);
		return e->reason < 0 ? wrong(p, "reason=%s: unknown", value) : PACT_OK;
	}
	if (!strcmp(value, "accept"))
		e->decision = EXPECT_ACCEPT;
	else if (!strcmp(value, "refuse"))
		e->decision = EXPECT_REFUSE;
	else if (!strcmp(value, "late"))
		e->decision = EXPECT_LATE;
	else if (!strcmp(value, "wait"))
		e->decision = EXPECT_WAIT;
	else if (!strcmp(value, "queue"))
		e->decision = EXPECT_QUEUE;
	else
		return wrong(p, "expect=%s: accept, late, wait, refuse or queue wanted", value);
	return PACT_OK;
}

/* ---- ranges ---- */

static int parse_speedup(struct place *p, const char *value, struct sim_job *j)
{
	struct list64 *own = &p->sc->speedup[p->sc->w.count];

	j->speedup = curve_by_name(value);
	if (j->speedup)
		return PACT_OK;
	if (own->v || !curve_parse(value, own))
		return wrong(p, "speedup=%s: linear, table, or NODES:FACTOR,... wanted", value);
	j->speedup = own;
	return PACT_OK;
}

static int parse_most(struct place *p, const char *value, struct sim_job *j)
{
	int64_t v;

	if (!number_int(value, &v) || v < 1 || v > INT32_MAX)
		return wrong(p, "most=%s: a number of nodes wanted", value);
	j->most = (int32_t)v;
	return PACT_OK;
}

/* Of jobs with a range of nodes. -1: it is no such key. */
static int parse_range_key(struct place *p, const char *key, const char *value, struct sim_job *j,
			   struct expected *e)
{
	int64_t *answer = &p->sc->answer[p->sc->w.count];

	if (!strcmp(key, "most"))
		return parse_most(p, value, j);
	if (!strcmp(key, "moldable"))
		return (j->moldable = !strcmp(value, "yes"))
			       ? PACT_OK
			       : wrong(p, "moldable=%s: yes wanted", value);
	if (!strcmp(key, "value"))
		return number_micro(value, &j->value) && j->value <= MOST_VALUE
			       ? PACT_OK
			       : wrong(p, "value=%s: a number from 0 to 1000000 wanted", value);
	if (!strcmp(key, "speedup"))
		return parse_speedup(p, value, j);
	if (!strcmp(key, "grace"))
		return parse_time(p, key, value, &j->grace);
	if (!strcmp(key, "resizes"))
		return number_int(value, &e->resizes) && e->resizes >= 0
			       ? PACT_OK
			       : wrong(p, "resizes=%s: a number wanted", value);
	if (strcmp(key, "answers") != 0)
		return -1;
	*answer = ANSWER_NEVER;
	return strcmp(value, "never") ? parse_time(p, key, value, answer) : PACT_OK;
}

static int parse_job_key(struct place *p, const char *key, const char *value, struct sim_job *j,
			 struct expected *e)
{
	int range = parse_range_key(p, key, value, j, e);
	int64_t v;

	if (range >= 0)
		return range;

	if (!strcmp(key, "submit"))
		return parse_time(p, key, value, &j->submit);
	if (!strcmp(key, "limit") && !strcmp(value, "none")) {
		j->estimate = PACT_FOREVER;
		return PACT_OK;
	}
	if (!strcmp(key, "limit"))
		return parse_time(p, key, value, &j->estimate);
	if (!strcmp(key, "runtime"))
		return parse_time(p, key, value, &j->runtime);
	if (!strcmp(key, "deadline"))
		return parse_time(p, key, value, &j->deadline);
	if (!strcmp(key, "begin"))
		return parse_time(p, key, value, &j->begin);
	if (!strcmp(key, "priority"))
		return parse_time(p, key, value, &j->priority);
	if (!strcmp(key, "memory")) {
		if (!number_int(value, &j->memory) || j->memory < 1)
			return wrong(p, "memory=%s: a number from 1 on wanted", value);
		return PACT_OK;
	}
	if (!strcmp(key, "processors")) {
		if (!number_int(value, &v) || v < 1 || v > UINT16_MAX)
			return wrong(p, "processors=%s: a number of processors wanted", value);
		j->processors = (int32_t)v;
		return PACT_OK;
	}
	if (!strcmp(key, "outlives") || !strcmp(key, "whole")) {
		if (strcmp(value, "yes") != 0)
			return wrong(p, "%s=%s: yes wanted", key, value);
		p->sc->outlive |= !strcmp(key, "outlives");
		j->whole |= !strcmp(key, "whole");
		return PACT_OK;
	}
	if (!strcmp(key, "width")) {
		if (!number_int(value, &v) || v < 1 || v > INT32_MAX)
			return wrong(p, "width=%s: a number of nodes wanted", value);
		j->width = (int32_t)v;
		return PACT_OK;
	}
	if (!strcmp(key, "nodes")) {
		for (size_t i = 0; i < p->sc->nsets; i++)
			if (!strcmp(p->sc->set[i].name, value))
				j->nodes = p->sc->set[i].nodes;
		p->sc->named = true;
		return j->nodes ? PACT_OK : wrong(p, "nodes=%s: no such set", value);
	}
	if (!strcmp(key, "start") || !strcmp(key, "end") || !strcmp(key, "offer") ||
	    !strcmp(key, "reason") || !strcmp(key, "expect"))
		return parse_expect(p, key, value, e);
	return wrong(p, "unknown key '%s'", key);
}

/* What the keys together must satisfy. */
static int check_job(struct place *p, struct sim_job *j, const struct expected *e, bool outlives)
{
	const struct workload *w = &p->sc->w;

	if (!j->width || !j->estimate)
		return wrong(p, "job %" PRIu64 " lacks width or limit", j->id);
	if (!j->runtime)
		return wrong(p, "job %" PRIu64 " lacks its runtime", j->id);
	if (j->most && j->most < j->width)
		return wrong(p, "job %" PRIu64 ": most=%" PRId32 " is less than its width", j->id,
			     j->most);
	if (j->moldable && !j->most)
		return wrong(p, "job %" PRIu64 ": moldable=yes needs most", j->id);
	if (w->count && w->job[w->count - 1].submit > j->submit)
		return wrong(p, "job %" PRIu64 " is submitted before the one above it", j->id);
	if (w->count && w->job[w->count - 1].id >= j->id)
		return wrong(p, "job %" PRIu64 " has not a greater id than the one above it",
			     j->id);
	if ((e->decision != EXPECT_QUEUE) != (j->deadline != 0))
		return wrong(p,
			     "job %" PRIu64
			     ": a deadline goes with expect=accept, late, wait or refuse",
			     j->id);
	if (e->start == -2)
		return wrong(p, "job %" PRIu64 " lacks the expected start", j->id);
	j->killed = j->runtime > j->estimate && !outlives;
	if (j->killed)
		j->runtime = j->estimate;
	return PACT_OK;
}

static int parse_job(struct place *p, char **words)
{
	struct scenario *sc = p->sc;
	struct expected *e = &sc->expect[sc->w.count];
	struct sim_job j = { .user = -1 };
	bool before = sc->outlive;
	char *word, *value;
	int err = PACT_OK;

	sc->outlive = false;
	if (sc->w.count == MAX_JOBS)
		return wrong(p, "more than %d jobs", MAX_JOBS);
	e->start = -2;
	e->end = -1;
	e->offer = -1;
	e->reason = -1;
	e->resizes = -1;
	word = strtok_r(NULL, " \t", words);
	if (!word || !number_unsigned(word, &j.id))
		return wrong(p, "'job ID KEY=VALUE ...' wanted");
	while (!err && (word = strtok_r(NULL, " \t", words))) {
		value = strchr(word, '=');
		if (!value)
			return wrong(p, "'%s' is not KEY=VALUE", word);
		*value++ = '\0';
		err = parse_job_key(p, word, value, &j, e);
	}
	if (e->decision == EXPECT_REFUSE && e->start == -2)
		e->start = -1;
	sc->may_wait |= e->start == -1 && e->decision != EXPECT_REFUSE;
	if (!err)
		err = check_job(p, &j, e, sc->outlive);
	sc->outlive |= before;
	return err ? err : workload_add(&sc->w, &j);
}

/* The job with this number, by its place. */
static int find_job(struct place *p, const char *text, size_t *index)
{
	uint64_t id;

	if (!number_unsigned(text, &id))
		return wrong(p, "job '%s': a number wanted", text);
	for (size_t i = 0; i < p->sc->w.count; i++)
		if (p->sc->w.job[i].id == id) {
			*index = i;
			return PACT_OK;
		}
	return wrong(p, "job %s is not listed above", text);
}

/* The last block of just these nodes. */
static int find_block(struct place *p, const struct nodeset *nodes, size_t *index)
{
	for (size_t i = p->sc->nevents; i-- > 0;)
		if (p->sc->event[i].type == SIM_BLOCK &&
		    nodeset_equal(p->sc->event[i].nodes, nodes)) {
			*index = i;
			return PACT_OK;
		}
	return wrong(p, "these nodes are not down");
}

static int parse_node_event(struct place *p, struct sim_event *e, const char *what,
			    const char *list, const char *from, const char *until)
{
	struct nodeset *nodes = parse_nodes(p, list);

	if (!nodes)
		return PACT_EINVAL;
	p->sc->event_nodes[p->sc->nevents] = nodes;
	p->sc->named = true;
	e->type = SIM_BLOCK;
	e->nodes = nodes;
	e->start = e->at;
	e->end = PACT_FOREVER;
	if (!strcmp(what, "up")) {
		e->type = SIM_UNBLOCK;
		return find_block(p, nodes, &e->index);
	}
	if (!strcmp(what, "down"))
		return PACT_OK;
	if (strcmp(what, "reserve") != 0 || !from || !until)
		return wrong(p, "'down NODES', 'up NODES', 'reserve NODES FROM UNTIL' or "
				"'cancel ID' wanted");
	return parse_time(p, "from", from, &e->start) || parse_time(p, "until", until, &e->end)
		       ? PACT_EINVAL
		       : PACT_OK;
}

static int parse_event(struct place *p, char **words)
{
	struct scenario *sc = p->sc;
	struct sim_event e = { 0 };
	char *word[5];
	int err;

	for (size_t i = 0; i < 5; i++)
		word[i] = strtok_r(NULL, " \t", words);
	if (!word[2])
		return wrong(p, "'event TIME WHAT ...' wanted");
	if (sc->nevents == MAX_EVENTS)
		return wrong(p, "more than %d events", MAX_EVENTS);
	err = parse_time(p, "event", word[0], &e.at);
	if (err)
		return err;
	if (sc->nevents && sc->event[sc->nevents - 1].at > e.at)
		return wrong(p, "event at %s comes after a later one", word[0]);
	if (!strcmp(word[1], "cancel")) {
		sc->named = true;
		e.type = SIM_CANCEL;
		err = find_job(p, word[2], &e.index);
	} else {
		err = parse_node_event(p, &e, word[1], word[2], word[3], word[4]);
	}
	/* Counted even after an error, so that its nodes are given back. */
	sc->event[sc->nevents++] = e;
	return err;
}

/* ---- nodes, and what is shared of them ---- */

static int parse_node_key(struct place *p, const char *key, const char *value, struct sim_node *n)
{
	int64_t v;
	bool number = number_int(value, &v) && v >= 1;

	if (!strcmp(key, "rating") && number && v <= 1000000)
		n->rating = (int32_t)v;
	else if (!strcmp(key, "processors") && number && v <= UINT16_MAX)
		n->processors = (int32_t)v;
	else if (!strcmp(key, "memory") && number)
		n->memory = v;
	else
		return wrong(p, "%s=%s: rating, processors or memory, a number from 1 on, wanted",
			     key, value);
	return PACT_OK;
}

static int parse_node(struct place *p, char **words)
{
	char *list = strtok_r(NULL, " \t", words), *word, *value;
	struct nodeset *nodes = list ? parse_nodes(p, list) : NULL;
	struct sim_node n = { 0 };
	int err = PACT_OK;

	if (!list)
		return wrong(p, "'node NODES KEY=VALUE ...' wanted");
	if (!nodes)
		return PACT_EINVAL;
	if (!p->sc->node)
		p->sc->node = calloc(p->sc->nodes, sizeof(*p->sc->node));
	if (!p->sc->node)
		err = wrong(p, "out of memory");
	while (!err && (word = strtok_r(NULL, " \t", words))) {
		value = strchr(word, '=');
		if (value)
			*value++ = '\0';
		err = parse_node_key(p, word, value ? value : "", &n);
	}
	for (uint32_t i = nodeset_next(nodes, 0); i < p->sc->nodes && !err;
	     i = nodeset_next(nodes, i + 1))
		p->sc->node[i] = n;
	nodeset_destroy(nodes);
	return err;
}

/* "0", "1", "1/3", or "-" for a part that is not there. */
static bool parse_part(char *text, struct expected_share *e)
{
	char *of = strchr(text, '/');

	e->part = e->of = 0;
	if (!strcmp(text, "-"))
		return true;
	if (of)
		*of++ = '\0';
	e->of = 1;
	return number_int(text, &e->part) && (!of || number_int(of, &e->of)) && e->part >= 0 &&
	       e->of >= 1 && e->of <= 1000000000 && e->part <= e->of;
}

static int parse_share(struct place *p, char **words)
{
	struct scenario *sc = p->sc;
	char *at = strtok_r(NULL, " \t", words), *node = strtok_r(NULL, " \t", words), *word;
	struct expected_share e = { 0 };
	uint64_t n;
	int err;

	if (!at || !node || !number_unsigned(node, &n) || n >= sc->nodes)
		return wrong(p, "'share TIME NODE ID=PART ...' wanted");
	e.node = (uint32_t)n;
	err = parse_time(p, "share", at, &e.at);
	while (!err && (word = strtok_r(NULL, " \t", words))) {
		char *value = strchr(word, '=');

		if (value)
			*value++ = '\0';
		err = find_job(p, word, &e.job);
		if (!err && (!value || !parse_part(value, &e)))
			err = wrong(p, "job %s: a part from 0 to 1, as in 1/3, or - wanted", word);
		if (!err && sc->nshares == MAX_SHARES)
			err = wrong(p, "more than %d shares", MAX_SHARES);
		if (!err)
			sc->share[sc->nshares++] = e;
	}
	return err;
}

static int parse_runs(struct place *p, char **words)
{
	struct scenario *sc = p->sc;
	char *at = strtok_r(NULL, " \t", words), *word;
	struct expected_runs *e = &sc->runs[sc->nruns];
	size_t job;
	int err;

	if (!at)
		return wrong(p, "'runs TIME [ID=NODES ...]' wanted");
	if (sc->nruns == MAX_RUNS)
		return wrong(p, "more than %d times to look at what runs", MAX_RUNS);
	/* counted even after an error, so that its nodes are given back */
	sc->nruns++;
	sc->named = true;
	err = parse_time(p, "runs", at, &e->at);
	while (!err && (word = strtok_r(NULL, " \t", words))) {
		char *value = strchr(word, '=');

		if (value)
			*value++ = '\0';
		err = find_job(p, word, &job);
		if (!err && (!value || e->nodes[job]))
			err = wrong(p, "job %s: ID=NODES wanted, and once", word);
		if (!err && !(e->nodes[job] = parse_nodes(p, value)))
			err = PACT_EINVAL;
	}
	return err;
}

/* What stands on lines that are like each other: -1, it is another word. */
static int parse_list(struct place *p, const char *word, char **words)
{
	static const struct {
		const char *word;
		int (*parse)(struct place *p, char **words);
	} lists[] = {
		{ "job", parse_job },	  { "event", parse_event }, { "node", parse_node },
		{ "share", parse_share }, { "runs", parse_runs },
	};

	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++)
		if (!strcmp(word, lists[i].word))
			return lists[i].parse(p, words);
	return -1;
}

static int parse_line(struct place *p, char *line)
{
	char *words = NULL, *word, *value;
	int64_t nodes;
	int err = PACT_OK;

	word = strtok_r(line, " \t", &words);
	/* "about" is for people, "live" for the test on an emulated cluster. */
	if (!word || !strcmp(word, "about") || !strcmp(word, "live"))
		return PACT_OK;
	if (!strcmp(word, "nodes")) {
		word = strtok_r(NULL, " \t", &words);
		if (!word || !number_int(word, &nodes) || nodes < 1 || nodes > 100000)
			return wrong(p, "'nodes N' wanted");
		p->sc->nodes = (uint32_t)nodes;
		return PACT_OK;
	}
	if (!strcmp(word, "set")) {
		word = strtok_r(NULL, " \t", &words);
		return parse_set(p, word, strtok_r(NULL, " \t", &words));
	}
	if (strcmp(word, "config") != 0) {
		err = parse_list(p, word, &words);
		return err >= 0 ? err
				: wrong(p,
					"'%s': about, live, nodes, node, set, config, job, event, "
					"share or runs wanted",
					word);
	}
	while (!err && (word = strtok_r(NULL, " \t", &words))) {
		value = strchr(word, '=');
		if (!value)
			return wrong(p, "'%s' is not KEY=VALUE", word);
		*value++ = '\0';
		err = parse_config(p, word, value);
	}
	return err;
}

static int read_lines(struct place *p, FILE *f)
{
	char line[MAX_LINE];
	int err = PACT_OK;

	while (!err && fgets(line, sizeof(line), f)) {
		char *comment;
		size_t before = p->sc->w.count;

		p->line++;
		if (!strchr(line, '\n') && !feof(f))
			return wrong(p, "line is longer than %d bytes", MAX_LINE - 2);
		line[strcspn(line, "\r\n")] = '\0';
		comment = strchr(line, '#');
		if (comment)
			*comment++ = '\0';
		err = parse_line(p, line);
		if (!err && comment && p->sc->w.count > before)
			snprintf(p->sc->expect[before].note, sizeof(p->sc->expect[before].note),
				 "%s", comment + strspn(comment, " \t"));
	}
	if (!err && (!p->sc->nodes || !p->sc->w.count))
		err = wrong(p, "no '%s' line", p->sc->nodes ? "job" : "nodes");
	return err ? err : check_config(p);
}

struct scenario *scenario_read(const char *path, char *why, size_t size)
{
	struct scenario *sc = calloc(1, sizeof(*sc));
	struct place p = { .sc = sc, .path = path, .why = why, .size = size };
	FILE *f;
	int err;

	if (!sc) {
		why_set(why, size, 0, "%s: out of memory", path);
		return NULL;
	}
	f = fopen(path, "r");
	if (!f) {
		why_set(why, size, 0, "%s: %s", path, strerror(errno));
		free(sc);
		return NULL;
	}
	strcpy(sc->scheduler, "qops");
	sched_config_init(&sc->config);
	err = read_lines(&p, f);
	fclose(f);
	if (!err)
		return sc;
	scenario_destroy(sc);
	return NULL;
}

void scenario_destroy(struct scenario *sc)
{
	if (!sc)
		return;
	for (size_t i = 0; i < sc->nsets; i++)
		nodeset_destroy(sc->set[i].nodes);
	for (size_t i = 0; i < sc->nevents; i++)
		nodeset_destroy(sc->event_nodes[i]);
	for (size_t i = 0; i < sc->nruns; i++)
		for (size_t k = 0; k < MAX_JOBS; k++)
			nodeset_destroy(sc->runs[i].nodes[k]);
	for (size_t i = 0; i < MAX_JOBS; i++)
		free((void *)(uintptr_t)sc->speedup[i].v);
	workload_release(&sc->w);
	free(sc->node);
	free(sc);
}
