/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pact-sim gantt: a schedule as a picture. See pact-sim(1).
 *
 * What it draws it reads from a file of --jobs-csv. Without one it makes the run that the options of run
 * ask for.
 */
#include "sim/commands/cmd.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/sched.h"
#include "draw/gantt.h"
#include "sim/run/timeshare.h"
#include "sim/workload/jobs_csv.h"
#include "sim/commands/watch.h"
#include "sim/workload/workload.h"

#define MAX_BARS 20000
#define MAX_NODES 1000000
#define MAX_BANDS 300000
#define MAX_TURNS 300000

/* One job's turn: its place and ranges in the list of rows. */
struct turn {
	int64_t from, to;
	size_t place, ranges;
};

struct picture {
	const char *csv_path, *shares_path, *output, *title;
	int64_t nodes; /* 0: not given */
	/* From the first submission on; GANTT_NO_TIME: not given. */
	int64_t from, to, now;
	struct run_options run;
	const char *not_ours; /* an option of run that has no part in drawing a file */
	bool quiet;

	struct jobs_csv csv;
	struct shares_csv shared; /* of --shares-csv */
	int64_t zero;		  /* the first submission */
	size_t promised, refused, lost, beyond;
	struct gantt_bar *bar;
	struct rows_job *row;
	struct rows rows;
	size_t bars;
	struct sim_shares shares; /* of a run; empty: nothing was shared */
	struct piece *piece;	  /* its bands, by job */
	struct gantt_band *band;
	size_t pieces, room;
	struct turn *turn;	  /* of a run whose jobs take turns, by job */
	size_t *first_turn;	  /* of each job, and the end of all; NULL: no job takes turns */
	struct gantt_turn *drawn; /* those in view, of which the bars have theirs */
	char subtitle[160];
	char why[512];
};

/* A band, and whose it is. */
struct piece {
	struct gantt_band band;
	uint32_t job;
};

static const char help[] =
	"usage: pact-sim gantt --jobs-csv FILE --nodes N [OPTIONS]\n"
	"       pact-sim gantt OPTIONS-OF-RUN [OPTIONS]\n"
	"\n"
	"Draws a schedule as SVG: nodes over time, a box for each job, hatched if it was\n"
	"promised, with a flag at its deadline. Where jobs share nodes, a node's row is divided\n"
	"into bands as high as their shares. Where jobs take turns, a job has a box for each.\n"
	"\n"
	"What to draw\n"
	"  --jobs-csv FILE       what run or pact-replay wrote with that option (- for standard\n"
	"                        input); needs --nodes N, the size of the machine\n"
	"  --shares-csv FILE     with it, of jobs that shared nodes: at,node,job,share, a line "
	"whenever\n"
	"                        the job's share of the node (0 to 1; empty: it is gone) has "
	"changed\n"
	"  the options of run    without a file: which workload to run first, and how: --trace,\n"
	"                        --model, --jobs, --scheduler, --set ...\n"
	"  --from T, --to T      only this part; seconds since the first submission, or with a\n"
	"                        unit as in 90m, 12h, 2d\n"
	"  --now T               as things stood then: what ran, what was only planned\n"
	"\n"
	"What to say\n"
	"  --output FILE         where the picture goes (default: standard output)\n"
	"  --title TEXT          above the picture\n"
	"  --quiet               no progress on the terminal\n"
	"\n"
	"Examples\n"
	"  pact-sim gantt --model poisson --nodes 16 --jobs 1:40 --set model.load=1.2 \\\n"
	"      --deadlines stringency:0.2,fraction:0.5 --output schedule.svg\n"
	"  pact-sim gantt --jobs-csv build/show/jobs.csv --nodes 128 --to 6h >schedule.svg\n"
	"\n"
	"Exit: 0, 1 usage, 2 bad input, 4 cannot write; with options of run also its own.\n";

static const struct option own_options[] = {
	{ "jobs-csv", required_argument, NULL, 'C' },
	{ "shares-csv", required_argument, NULL, 'S' },
	{ "from", required_argument, NULL, 'F' },
	{ "to", required_argument, NULL, 'T' },
	{ "now", required_argument, NULL, 'N' },
	{ "output", required_argument, NULL, 'O' },
	{ "title", required_argument, NULL, 't' },
	{ "quiet", no_argument, NULL, 'q' },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

static int usage_error(const char *option, const char *value, const char *what)
{
	char why[512];

	snprintf(why, sizeof(why), "%s %s: %s", option, value, what);
	return cmd_usage_error("pact-sim gantt", why);
}

static int input_error(const char *text)
{
	fprintf(stderr, "pact-sim gantt: %s\n", text);
	return EXIT_INPUT;
}

static int no_memory(void)
{
	fprintf(stderr, "pact-sim gantt: out of memory\n");
	return PACT_ENOMEM;
}

/* ---- options ---- */

static int take(void *arg, int letter, const char *value)
{
	struct picture *p = arg;

	switch (letter) {
	case 'C':
		p->csv_path = value;
		return EXIT_OK;
	case 'S':
		p->shares_path = value;
		return EXIT_OK;
	case 'F':
		return cmd_take_time("pact-sim gantt", "--from", value, &p->from);
	case 'T':
		return cmd_take_time("pact-sim gantt", "--to", value, &p->to);
	case 'N':
		return cmd_take_time("pact-sim gantt", "--now", value, &p->now);
	case 'O':
		p->output = value;
		return EXIT_OK;
	case 't':
		p->title = value;
		return EXIT_OK;
	default:
		p->quiet = true;
		return EXIT_OK;
	}
}

static int taken(void *arg, const char *name, const char *value)
{
	struct picture *p = arg;

	(void)value;
	if (strcmp(name, "nodes") != 0)
		p->not_ours = name;
	return EXIT_OK;
}

/* With a file nothing is run. */
static int check_file(struct picture *p)
{
	char option[64], nodes[32];

	if (p->not_ours) {
		snprintf(option, sizeof(option), "--%s", p->not_ours);
		return usage_error(option, "with --jobs-csv",
				   "an option of run, which has no part in drawing a file");
	}
	if (!p->run.nodes)
		return usage_error("--jobs-csv", p->csv_path, "needs --nodes N");
	p->nodes = p->run.nodes;
	if (p->nodes <= MAX_NODES)
		return EXIT_OK;
	snprintf(nodes, sizeof(nodes), "%" PRId64, p->nodes);
	return usage_error("--nodes", nodes, "too many for a picture");
}

static int parse(struct picture *p, int argc, char **argv, bool *done)
{
	struct cmd_line line = { .help = help,
				 .own = own_options,
				 .run = &p->run,
				 .take = take,
				 .taken = taken,
				 .arg = p };
	int err;

	run_options_init(&p->run);
	err = cmd_take_run_options(&line, argc, argv, done);
	if (err || *done)
		return err;
	if (p->shares_path && !p->csv_path)
		return usage_error("--shares-csv", p->shares_path, "needs --jobs-csv FILE");
	return p->csv_path ? check_file(p) : cmd_check_run_options(&p->run, argv[0]);
}

/* ---- what is drawn ---- */

static int read_csv(struct picture *p, const char *path)
{
	int err = jobs_csv_read(&p->csv, path, p->why, sizeof(p->why));

	return err == PACT_EINVAL ? input_error(p->why) : err ? no_memory() : EXIT_OK;
}

/* These nodes, where they have names; where they stand in the list, and how many ranges. 0 or PACT_ENOMEM. */
static int list_ranges(struct picture *p, const struct nodeset *nodes, size_t *place,
		       size_t *ranges)
{
	uint32_t n = nodes ? nodeset_next(nodes, 0) : 0, size = nodes ? nodeset_size(nodes) : 0;

	*place = p->csv.rows.count;
	while (n < size) {
		uint32_t first = n;

		while (n < size && nodeset_test(nodes, n))
			n++;
		if (rows_add(&p->csv.rows, first, n - 1))
			return no_memory();
		n = nodeset_next(nodes, n);
	}
	*ranges = p->csv.rows.count - *place;
	return EXIT_OK;
}

/* The times that the job ran; the next one is k. What a span has the nodes of has its ranges, too. */
static int list_turns(struct picture *p, const struct sim_history *h, size_t *k)
{
	const struct nodeset *listed = NULL;
	size_t place = 0, ranges = 0;

	for (size_t i = 0; h && i < h->n; i++) {
		const struct sim_span *x = &h->span[i];

		if (x->suspended || x->from == x->to)
			continue;
		if (x->nodes != listed && list_ranges(p, x->nodes, &place, &ranges))
			return PACT_ENOMEM;
		listed = x->nodes;
		p->turn[(*k)++] = (struct turn){ x->from, x->to, place, ranges };
	}
	return EXIT_OK;
}

/* Of all jobs of a run, if any was suspended or moved. */
static int list_all_turns(struct picture *p, const struct run *run)
{
	size_t room = 0, k = 0;

	for (size_t i = 0; i < run->w.count; i++)
		room += run->out[i].history ? run->out[i].history->n : 0;
	if (!room)
		return EXIT_OK;
	p->turn = malloc(room * sizeof(*p->turn));
	p->first_turn = calloc(run->w.count + 1, sizeof(*p->first_turn));
	if (!p->turn || !p->first_turn)
		return no_memory();
	for (size_t i = 0; i < run->w.count; i++) {
		p->first_turn[i] = k;
		if (list_turns(p, run->out[i].history, &k))
			return PACT_ENOMEM;
	}
	p->first_turn[run->w.count] = k;
	return EXIT_OK;
}

/* Its nodes in the end. */
static const struct nodeset *last_nodes(const struct sim_outcome *o)
{
	return o->history && o->history->n ? o->history->span[o->history->n - 1].nodes : o->nodes;
}

/* A finished run as if it had been read from its --jobs-csv. */
static int list_run(struct picture *p, struct run *run)
{
	size_t count = run->w.count;

	p->csv.job = calloc(count, sizeof(*p->csv.job));
	if (!p->csv.job)
		return no_memory();
	p->csv.count = p->csv.room = count;
	for (size_t i = 0; i < count; i++) {
		const struct sim_job *j = &run->w.job[i];
		const struct sim_outcome *o = &run->out[i];

		p->csv.job[i] = (struct csv_job){
			.id = j->id,
			.width = (uint32_t)j->width,
			.submit = j->submit,
			.start = o->start,
			.end = o->end,
			.deadline = j->deadline,
			.promised = o->promised,
		};
		snprintf(p->csv.job[i].state, sizeof(p->csv.job[i].state), "%s",
			 sim_state_name(o->state));
		if (list_ranges(p, last_nodes(o), &p->csv.job[i].place, &p->csv.job[i].ranges))
			return PACT_ENOMEM;
	}
	p->shares = run->shares;
	run->shares = (struct sim_shares){ 0 };
	return list_all_turns(p, run);
}

static int run_first(struct picture *p)
{
	struct watch watch;
	struct run_hooks hooks = watch_begin(&watch, p->quiet);
	struct run run;
	int err = run_execute(&p->run, &hooks, &run);

	watch_end(&watch);
	p->nodes = err ? 0 : run.report.metrics.nodes;
	if (!err && p->nodes > MAX_NODES)
		err = input_error("too many nodes for a picture");
	if (!err)
		err = list_run(p, &run);
	run_release(&run);
	return err;
}

static int by_id(const void *a, const void *b)
{
	const struct csv_job *x = *(struct csv_job *const *)a, *y = *(struct csv_job *const *)b;

	return x->id < y->id ? -1 : x->id > y->id;
}

/* By the places of their jobs in the other file; what is said of others is passed over. 0 or PACT_ENOMEM. */
static int list_shares(struct picture *p)
{
	size_t n = p->csv.count;
	const struct csv_job **job = malloc((n + 1) * sizeof(*job));

	p->shares.v = calloc(p->shared.count + 1, sizeof(*p->shares.v));
	if (!job || !p->shares.v) {
		free(job);
		return no_memory();
	}
	for (size_t i = 0; i < n; i++)
		job[i] = &p->csv.job[i];
	qsort(job, n, sizeof(*job), by_id);
	for (size_t i = 0; i < p->shared.count; i++) {
		const struct csv_share *from = &p->shared.v[i];
		const struct csv_job key = { .id = from->job }, *wanted = &key;
		const struct csv_job **at = bsearch(&wanted, job, n, sizeof(*job), by_id);

		if (!at)
			continue;
		p->shares.v[p->shares.n++] = (struct sim_share){
			.at = from->at,
			.job = (uint32_t)(*at - p->csv.job),
			.node = from->node,
			.share = from->share < 0 ? SIM_SHARE_NONE
						 : (uint32_t)((uint64_t)from->share * SHARE_WHOLE /
							      1000000),
		};
	}
	free(job);
	return EXIT_OK;
}

static int by_place(const void *a, const void *b)
{
	const struct sim_share *x = *(struct sim_share *const *)a,
			       *y = *(struct sim_share *const *)b;

	if (x->job != y->job)
		return x->job < y->job ? -1 : 1;
	return x->node < y->node ? -1 : x->node > y->node;
}

/* The nodes of each job are those that it had a share of. */
static int place_jobs(struct picture *p)
{
	size_t n = p->shares.n;
	const struct sim_share **v = malloc((n + 1) * sizeof(*v));
	int err = v ? EXIT_OK : no_memory();

	for (size_t i = 0; i < n && !err; i++)
		v[i] = &p->shares.v[i];
	if (!err)
		qsort(v, n, sizeof(*v), by_place);
	for (size_t i = 0; i < n && !err; i++) {
		struct csv_job *job = &p->csv.job[v[i]->job];

		if (i && v[i - 1]->job == v[i]->job && v[i - 1]->node == v[i]->node)
			continue;
		if (!i || v[i - 1]->job != v[i]->job) {
			job->place = p->csv.rows.count;
			job->ranges = 0;
		}
		if (rows_add(&p->csv.rows, v[i]->node, v[i]->node))
			err = no_memory();
		job->ranges++;
	}
	free(v);
	return err;
}

static int read_shares(struct picture *p)
{
	int err = shares_csv_read(&p->shared, p->shares_path, p->why, sizeof(p->why));

	if (err)
		return err == PACT_EINVAL ? input_error(p->why) : no_memory();
	err = list_shares(p);
	return err ? err : place_jobs(p);
}

static bool is_lost(const struct csv_job *job)
{
	static const char *const fine[] = { "", "completed", "killed", "running" };

	for (size_t i = 0; i < sizeof(fine) / sizeof(*fine); i++)
		if (!strcmp(job->state, fine[i]))
			return false;
	return true;
}

static enum gantt_kind kind_of(const struct picture *p, const struct csv_job *job)
{
	if (p->now != GANTT_NO_TIME) {
		if (job->start > p->now)
			return GANTT_PLANNED;
		if (job->end > p->now)
			return GANTT_RUNNING;
	}
	return job->end < 0 ? GANTT_RUNNING : is_lost(job) ? GANTT_LOST : GANTT_ENDED;
}

/* The first submission, and the last end; counts what the subtitle tells. */
static int64_t survey(struct picture *p)
{
	int64_t first = INT64_MAX, last = 0;

	for (size_t i = 0; i < p->csv.count; i++) {
		const struct csv_job *job = &p->csv.job[i];
		int64_t begin = job->submit >= 0 ? job->submit : job->start;

		if (begin >= 0 && begin < first)
			first = begin;
		last = job->start > last ? job->start : last;
		last = job->end > last ? job->end : last;
		p->promised += job->promised;
		p->refused += !strcmp(job->state, "refused");
	}
	p->zero = first == INT64_MAX ? 0 : first;
	return last;
}

/* What is shown of time; seconds since the first submission become the file's own. */
static int set_span(struct picture *p, int64_t last)
{
	char text[128];

	p->from = p->from == GANTT_NO_TIME ? p->zero : p->zero + p->from;
	p->to = p->to == GANTT_NO_TIME ? last : p->zero + p->to;
	if (p->now != GANTT_NO_TIME)
		p->now += p->zero;
	if (p->to > p->from)
		return EXIT_OK;
	snprintf(text, sizeof(text), "nothing between --from %" PRId64 " and --to %" PRId64 " s",
		 p->from - p->zero, p->to - p->zero);
	return input_error(text);
}

/* Where jobs share nodes, only those are drawn of which it is known on which. */
static bool in_view(const struct picture *p, const struct csv_job *job)
{
	if (p->shares_path && !job->ranges)
		return false;
	return job->start >= 0 && job->start < p->to && (job->end < 0 || job->end > p->from);
}

/* Is the job on the machine? */
static int check_nodes(struct picture *p, const struct csv_job *job)
{
	uint32_t last = job->ranges ? p->csv.rows.range[job->place + job->ranges - 1].last : 0;

	if (job->width > p->nodes)
		snprintf(p->why, sizeof(p->why),
			 "job %" PRIu64 " has %" PRIu32 " nodes of %" PRId64, job->id, job->width,
			 p->nodes);
	else if (last >= p->nodes)
		snprintf(p->why, sizeof(p->why),
			 "job %" PRIu64 " is on node %" PRIu32 ", counted from 0, of %" PRId64,
			 job->id, last, p->nodes);
	else
		return EXIT_OK;
	return input_error(p->why);
}

/* The jobs in view as bars, their nodes still to come. */
static int list_bars(struct picture *p)
{
	p->bar = calloc(p->csv.count + 1, sizeof(*p->bar));
	p->row = calloc(p->csv.count + 1, sizeof(*p->row));
	if (!p->bar || !p->row)
		return no_memory();
	for (size_t i = 0; i < p->csv.count; i++) {
		const struct csv_job *job = &p->csv.job[i];
		int64_t end = job->end >= 0 ? job->end : p->to > job->start ? p->to : job->start;

		if (!in_view(p, job))
			continue;
		if (check_nodes(p, job))
			return EXIT_INPUT;
		p->bar[p->bars] = (struct gantt_bar){
			.id = job->id,
			.range = job->ranges ? p->csv.rows.range + job->place : NULL,
			.ranges = job->ranges,
			.start = job->start,
			.end = end,
			.deadline = job->deadline,
			.promised = job->promised,
			.kind = kind_of(p, job),
		};
		p->row[p->bars++] = (struct rows_job){ job->start, end, job->width, 0, 0 };
	}
	if (p->bars <= MAX_BARS)
		return EXIT_OK;
	snprintf(p->why, sizeof(p->why),
		 "%zu jobs are too many for a picture (%d at most): --from and --to take a part",
		 p->bars, MAX_BARS);
	return input_error(p->why);
}

/* Nodes for the jobs, unless the file has them for all. */
static int give_nodes(struct picture *p)
{
	size_t known = 0;

	for (size_t i = 0; i < p->bars; i++)
		known += p->bar[i].ranges > 0;
	if (known == p->bars)
		return EXIT_OK;
	if (known)
		return input_error("only some jobs have their nodes in the file");
	if (rows_assign(&p->rows, (uint32_t)p->nodes, p->row, p->bars))
		return no_memory();
	for (size_t i = 0; i < p->bars; i++) {
		p->bar[i].range = p->rows.range + p->row[i].place;
		p->bar[i].ranges = p->row[i].ranges;
	}
	if (p->rows.shared)
		fprintf(stderr, "pact-sim gantt: %zu job%s some with others\n", p->rows.shared,
			p->rows.shared == 1 ? " finds fewer free nodes than it had: it shares"
					    : "s find fewer free nodes than they had: they share");
	return EXIT_OK;
}

/* ---- bands ---- */

static bool keep_band(struct picture *p, uint32_t job, const struct gantt_band *b)
{
	if (b->from >= (double)p->to || b->to <= (double)p->from || b->high <= b->low ||
	    b->from >= b->to)
		return true;
	if (p->pieces == p->room) {
		size_t room = p->room ? 2 * p->room : 256;
		struct piece *grown = realloc(p->piece, room * sizeof(*grown));

		if (!grown)
			return false;
		p->piece = grown;
		p->room = room;
	}
	p->piece[p->pieces++] = (struct piece){ *b, job };
	return true;
}

/* What is on a node at a time, by job: a band for each, that began when it last changed. */
struct stack {
	struct piece *v;
	double *share;
	size_t n, room;
};

static bool stack_set(struct stack *s, const struct sim_share *e)
{
	double share = e->share == SIM_SHARE_NONE ? 0 : (double)e->share / SHARE_WHOLE;
	size_t i = 0;

	while (i < s->n && s->v[i].job < e->job)
		i++;
	if (i < s->n && s->v[i].job == e->job) {
		s->share[i] = share;
		return true;
	}
	if (s->n == s->room) {
		size_t room = s->room ? 2 * s->room : 16;
		struct piece *v = realloc(s->v, room * sizeof(*v));
		double *shares;

		s->v = v ? v : s->v;
		shares = v ? realloc(s->share, room * sizeof(*shares)) : NULL;
		s->share = shares ? shares : s->share;
		if (!shares)
			return false;
		s->room = room;
	}
	memmove(s->v + i + 1, s->v + i, (s->n - i) * sizeof(*s->v));
	memmove(s->share + i + 1, s->share + i, (s->n - i) * sizeof(*s->share));
	s->n++;
	s->v[i] = (struct piece){ .job = e->job, .band = { .node = e->node } };
	s->share[i] = share;
	return true;
}

/* From `at` on each stands upon those before it: bands that change end, and others begin. */
static bool restack(struct picture *p, struct stack *s, double at)
{
	double low = 0;
	size_t kept = 0;

	for (size_t i = 0; i < s->n; i++) {
		struct gantt_band *b = &s->v[i].band;
		double high = low + s->share[i] > 1 ? 1 : low + s->share[i];

		if (b->low != low || b->high != high) {
			b->to = at;
			if (!keep_band(p, s->v[i].job, b))
				return false;
			b->from = at;
			b->low = low;
			b->high = high;
		}
		low = high;
		if (s->share[i] <= 0)
			continue;
		s->v[kept] = s->v[i];
		s->share[kept++] = s->share[i];
	}
	s->n = kept;
	return true;
}

/* As they stand in the log: in order of time. */
static int by_node(const void *a, const void *b)
{
	const struct sim_share *x = *(struct sim_share *const *)a,
			       *y = *(struct sim_share *const *)b;

	if (x->node != y->node)
		return x->node < y->node ? -1 : 1;
	return x < y ? -1 : x > y;
}

static int by_piece(const void *a, const void *b)
{
	const struct piece *x = a, *y = b;

	if (x->job != y->job)
		return x->job < y->job ? -1 : 1;
	if (x->band.node != y->band.node)
		return x->band.node < y->band.node ? -1 : 1;
	return x->band.from < y->band.from ? -1 : x->band.from > y->band.from;
}

/* Node by node. Of several words about a job at one instant the last counts. */
static bool make_pieces(struct picture *p)
{
	size_t n = p->shares.n;
	const struct sim_share **v = malloc(n * sizeof(*v));
	struct stack s = { 0 };
	bool ok = v;

	for (size_t i = 0; i < n && ok; i++)
		v[i] = &p->shares.v[i];
	if (ok)
		qsort(v, n, sizeof(*v), by_node);
	for (size_t i = 0; i < n && ok; i++) {
		ok = stack_set(&s, v[i]);
		if (i + 1 < n && v[i + 1]->node == v[i]->node && v[i + 1]->at == v[i]->at)
			continue;
		ok = ok && restack(p, &s, (double)v[i]->at / SIM_SECOND);
	}
	free(v);
	free(s.v);
	free(s.share);
	return ok;
}

/* The bands of what was shared, for the bars that have some. */
static int give_bands(struct picture *p)
{
	size_t k = 0;

	if (!p->shares.n)
		return EXIT_OK;
	if (!make_pieces(p))
		return no_memory();
	if (p->pieces > MAX_BANDS) {
		snprintf(p->why, sizeof(p->why),
			 "%zu bands are too many for a picture (%d at most): --from and --to take "
			 "a part",
			 p->pieces, MAX_BANDS);
		return input_error(p->why);
	}
	if (p->pieces)
		qsort(p->piece, p->pieces, sizeof(*p->piece), by_piece);
	p->band = calloc(p->pieces + 1, sizeof(*p->band));
	if (!p->band)
		return no_memory();
	for (size_t i = 0; i < p->pieces; i++)
		p->band[i] = p->piece[i].band;
	for (size_t i = 0, bar = 0; i < p->csv.count; i++) {
		size_t from = k;

		while (k < p->pieces && p->piece[k].job == i)
			k++;
		if (!in_view(p, &p->csv.job[i]))
			continue;
		p->bar[bar].band = p->band + from;
		p->bar[bar++].bands = k - from;
	}
	return EXIT_OK;
}

/* The turns in view, for the bars that have some. */
static int give_turns(struct picture *p)
{
	size_t n = 0;

	if (!p->first_turn)
		return EXIT_OK;
	p->drawn = calloc(p->first_turn[p->csv.count] + 1, sizeof(*p->drawn));
	if (!p->drawn)
		return no_memory();
	for (size_t i = 0, bar = 0; i < p->csv.count; i++) {
		size_t before = n;

		if (!in_view(p, &p->csv.job[i]))
			continue;
		for (size_t k = p->first_turn[i]; k < p->first_turn[i + 1]; k++) {
			const struct turn *t = &p->turn[k];

			if (t->from < p->to && t->to > p->from)
				p->drawn[n++] = (struct gantt_turn){ t->from, t->to,
								     p->csv.rows.range + t->place,
								     t->ranges };
		}
		p->bar[bar].turn = p->drawn + before;
		p->bar[bar].turns = n - before;
		if (n == before && p->first_turn[i] < p->first_turn[i + 1])
			p->bar[bar].ranges = 0; /* suspended all the time */
		bar++;
	}
	if (n <= MAX_TURNS)
		return EXIT_OK;
	snprintf(p->why, sizeof(p->why),
		 "%zu turns are too many for a picture (%d at most): --from and --to take a part",
		 n, MAX_TURNS);
	return input_error(p->why);
}

static int write_chart(const void *chart, FILE *out)
{
	return gantt_svg(chart, out);
}

static int draw(struct picture *p)
{
	struct gantt_chart chart = {
		.title = p->title ? p->title : "Schedule",
		.subtitle = p->subtitle,
		.nodes = (uint32_t)p->nodes,
		.from = p->from,
		.to = p->to,
		.now = p->now,
		.clock = TICKS_ELAPSED,
		.origin = p->zero,
		.bar = p->bar,
		.bars = p->bars,
	};

	return cmd_write(p->output ? p->output : "-", write_chart, &chart);
}

static int make(struct picture *p)
{
	int err = p->csv_path ? read_csv(p, p->csv_path) : run_first(p);

	if (!err && p->shares_path)
		err = read_shares(p);
	if (!err)
		err = set_span(p, survey(p));
	if (!err)
		err = list_bars(p);
	if (!err)
		err = give_nodes(p);
	if (!err)
		err = give_bands(p);
	if (!err)
		err = give_turns(p);
	if (err)
		return err;
	if (!p->promised && !p->refused)
		snprintf(p->subtitle, sizeof(p->subtitle), "%" PRId64 " node%s, %zu job%s",
			 p->nodes, p->nodes == 1 ? "" : "s", p->csv.count,
			 p->csv.count == 1 ? "" : "s");
	else
		snprintf(p->subtitle, sizeof(p->subtitle),
			 "%" PRId64 " node%s; of %zu job%s %zu %s, %zu refused", p->nodes,
			 p->nodes == 1 ? "" : "s", p->csv.count, p->csv.count == 1 ? "" : "s",
			 p->promised,
			 p->promised == 1 ? "was promised its deadline"
					  : "were promised their deadline",
			 p->refused);
	return draw(p);
}

static int check_outputs(const struct picture *p, const char *name)
{
	const struct cmd_output v = { "output", p->output };

	return p->csv_path ? cmd_check_outputs(name, p->csv_path, &v, 1)
			   : cmd_check_run_outputs(name, &p->run, &v, 1);
}

int cmd_gantt(int argc, char **argv)
{
	struct picture *p = calloc(1, sizeof(*p));
	bool done = false;
	int err;

	if (!p)
		return no_memory();
	p->from = p->to = p->now = GANTT_NO_TIME;
	err = parse(p, argc, argv, &done);
	if (!err && !done)
		err = check_outputs(p, argv[0]);
	if (!err && !done)
		err = make(p);
	free(p->bar);
	free(p->row);
	free(p->shares.v);
	free(p->shared.v);
	free(p->piece);
	free(p->band);
	free(p->turn);
	free(p->first_turn);
	free(p->drawn);
	rows_release(&p->rows);
	jobs_csv_release(&p->csv);
	free(p);
	return err;
}
