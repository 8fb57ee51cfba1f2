/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pact-replay: submits a workload log to a Slurm, with its timing, and reports which promises were
 * kept. See pact-replay(1).
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <slurm/slurm.h>

#include "common/number.h"
#include "contrib/replay/burn.h"
#include "contrib/replay/clock.h"
#include "contrib/replay/feed.h"
#include "contrib/replay/options.h"
#include "contrib/replay/replay.h"
#include "contrib/replay/report.h"
#include "contrib/replay/turns.h"

/* Pinned; in the man page. */
enum {
	STATUS_KEPT = 0,
	STATUS_USAGE = 1,
	STATUS_INPUT = 2,
	STATUS_BROKEN = 3,
	STATUS_UNREACHABLE = 4,
	STATUS_INTERRUPTED = 5,
	STATUS_NOT_TAKEN = 6,
	STATUS_NOMEM = 10,
};

static int fail(int status, const char *what, const char *why)
{
	fprintf(stderr, "pact-replay: %s%s%s\n", what, *what ? ": " : "", why);
	return status;
}

/* A tenth of a second of the wall, on the cluster's clock. */
static int64_t default_slack(void)
{
	clock_settle();
	return (int64_t)ceil(clock_speed() / 10);
}

/* What a node of the cluster has of a processor, in per cent; 0: no matter. False: jobs are to burn, and cannot. */
static bool find_shares(const struct options *o, int64_t *percent)
{
	const char *shares = getenv("PACT_EMULATE_SHARES");

	*percent = 0;
	if (o->work != WORK_BURN)
		return true;
	clock_settle();
	if (clock_speed() > 1.5)
		fprintf(stderr,
			"pact-replay: --burn: the cluster's clock is %.0f times as fast as the "
			"wall's, and "
			"processors have the wall's only\n",
			clock_speed());
	else if (!shares || !number_int(shares, percent) || *percent < 1 || *percent > 100)
		fprintf(stderr,
			"pact-replay: --burn: nothing says what a node has to share "
			"(PACT_EMULATE_SHARES, from 1 to 100): this is no cluster of pact-emulate "
			"--shares\n");
	else
		return true;
	return false;
}

static bool write_files(const struct report *r, const struct options *o)
{
	bool ok = true;

	if (o->json && !report_json(r, o->json))
		ok = fail(0, o->json, strerror(errno)) != 0;
	if (o->csv && !report_csv(r, o->csv))
		ok = fail(0, o->csv, strerror(errno)) != 0;
	if (o->text && !report_text_file(r, o->text))
		ok = fail(0, o->text, strerror(errno)) != 0;
	return ok;
}

static int status_of(enum replay_rc rc, const struct summary *s)
{
	if (rc == REPLAY_NOMEM)
		return STATUS_NOMEM;
	if (s->broken > 0 || s->lost > 0)
		return STATUS_BROKEN;
	if (rc == REPLAY_UNREACHABLE)
		return STATUS_UNREACHABLE;
	if (rc == REPLAY_INTERRUPTED)
		return STATUS_INTERRUPTED;
	return s->failed > 0 ? STATUS_NOT_TAKEN : STATUS_KEPT;
}

/* Everything is ready: run and report. */
static int run(const struct options *o, const struct feed_options *f,
	       const struct feed_stats *stats, struct replay *r)
{
	double wall = clock_wall();
	enum replay_rc rc;
	struct report report;

	rc = replay_run(r);
	report = (struct report){
		.feed = f,
		.stats = stats,
		.cluster = r->cluster,
		.track = r->track,
		.start = r->start,
		.slack = f->deadlines.slack,
		.speed = clock_speed(),
		.work = o->work,
		.wall = clock_wall() - wall,
		.interrupted = rc != REPLAY_DONE,
	};
	summarize(r->track, r->cluster->nodes, o->work, &report.sum);
	if (!(o->json && !strcmp(o->json, "-")))
		report_text(&report, stdout);
	if (!write_files(&report, o))
		return STATUS_INPUT;
	return status_of(rc, &report.sum);
}

static int replay(const struct options *o, const struct cluster *c, const struct feed_options *f,
		  const struct feed_stats *stats, struct track *t, struct words *words)
{
	struct replay r = { .options = o, .cluster = c, .track = t, .words = words };
	int status = STATUS_NOMEM;
	int64_t shares;

	if (!find_shares(o, &shares))
		return STATUS_INPUT;
	r.start = (int64_t)ceil(clock_now());
	r.submitter = submit_create(o->partition, o->work, shares, words);
	r.show = show_create(o->show, t, r.start);
	if (r.submitter && r.show)
		r.watch = watch_create(c, t, words, replay_on_change, &r);
	if (r.watch)
		status = run(o, f, stats, &r);
	else
		fail(status, "", "memory is short");
	watch_destroy(r.watch);
	show_destroy(r.show);
	submit_destroy(r.submitter);
	return status;
}

static int dry_run(const struct options *o, const struct feed_options *f,
		   const struct feed_stats *stats, const struct track *t)
{
	struct report r = { .feed = f, .stats = stats, .track = t };

	return report_csv(&r, o->csv ? o->csv : "-")
		       ? STATUS_KEPT
		       : fail(STATUS_INPUT, "output", strerror(errno));
}

/* The jobs, and then what is to be done with them. */
static int with_track(const struct options *o, const struct cluster *c, struct words *words)
{
	struct feed_options f = o->feed;
	struct track *t = track_create();
	struct feed_stats stats;
	char why[512];
	int status;

	if (!t)
		return fail(STATUS_NOMEM, "", "memory is short");
	if (f.nodes == 0)
		f.nodes = (uint32_t)c->nodes;
	if (f.guard < 0)
		f.guard = c->guard;
	if (o->slack >= 0 || f.deadlines.slack < 0)
		f.deadlines.slack = o->slack >= 0 ? o->slack : default_slack();
	if (!o->dry_run && f.nodes > (uint32_t)c->nodes)
		fprintf(stderr, "pact-replay: --nodes %u: partition %s has only %d\n", f.nodes,
			c->partition, c->nodes);
	if (feed(&f, t, &stats, why, sizeof(why)))
		status = fail(STATUS_INPUT, "", why);
	else if (o->dry_run)
		status = dry_run(o, &f, &stats, t);
	else
		status = replay(o, c, &f, &stats, t, words);
	track_destroy(t);
	return status;
}

int main(int argc, char **argv)
{
	struct options o;
	struct cluster cluster = { .nodes = 0 };
	struct words *words;
	enum options_rc rc;
	enum cluster_rc found;
	char why[512];
	int status;

	if (argc == 3 && !strcmp(argv[1], BURN_OPTION))
		return burn(argv[2]);
	if (argc == 4 && !strcmp(argv[1], TURNS_OPTION))
		return turns_run(argv[2], argv[3]);
	rc = options_parse(argc, argv, &o);
	if (rc != OPTIONS_GO)
		return rc == OPTIONS_DONE ? STATUS_KEPT : STATUS_USAGE;
	clock_start();
	if (o.dry_run && o.feed.nodes > 0 && o.feed.guard >= 0)
		return with_track(&o, &cluster, NULL);
	words = words_create();
	if (!words)
		return fail(STATUS_NOMEM, "memory file", strerror(errno));
	/* Beyond a bad slurm.conf libslurm ends the process itself, with its own words. */
	if (o.slurm_conf)
		setenv("SLURM_CONF", o.slurm_conf, 1); /* for the jobs' own commands */
	slurm_init(o.slurm_conf);
	found = cluster_load(&cluster, o.partition, words, why, sizeof(why));
	if (found == CLUSTER_OK)
		status = with_track(&o, &cluster, words);
	else
		status = fail(found == CLUSTER_SILENT ? STATUS_UNREACHABLE : STATUS_INPUT, "Slurm",
			      why);
	slurm_fini();
	words_destroy(words);
	return status;
}
