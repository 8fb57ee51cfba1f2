/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * configure.c - what pact.conf and slurm.conf say, brought to where it counts
 */
#include "slurm/base/compat.h"

#include "slurm/agent/configure.h"
#include "slurm/base/scheduler.h"
#include "slurm/config/faults.h"
#include "slurm/config/realms.h"
#include "slurm/history/history.h"
#include "slurm/nodes/reports.h"
#include "slurm/serving/munge_socket.h"
#include "slurm/serving/serve.h"
#include "slurm/state/core.h"
#include "slurm/state/recorder.h"
#include "slurm/state/running_policy.h"

/* Seconds until a history that could not be written is tried again. */
#define HISTORY_RETRY 60
/* Seconds after which a write counts as hanging. */
#define HISTORY_HANGS 30

/* With the mutex. */
static void take_safety(struct bridge *b, const struct safety *safety)
{
	const char *absent;
	bool turned;

	turned = b->conf && b->named != safety->named;
	if (!safety->safe && strcmp(safety->unsafe, b->unsafe))
		error("%s: no promise is made from now on: %s", scheduler_type(), safety->unsafe);
	b->named = safety->named;
	b->safe = safety->safe;
	snprintf(b->unsafe, sizeof(b->unsafe), "%s", safety->unsafe);
	absent = bridge_absent(b);
	if (turned)
		info("%s: %s", scheduler_type(),
		     absent ? absent : "slurm.conf: JobSubmitPlugins has deadline again");
}

/* With the mutex: whose nodes are whose, as the scheduler's name that goes with it has it. */
static void take_nodes(struct bridge *b, const struct partitions *parts)
{
	nodeset_destroy(b->realm);
	nodeset_destroy(b->daemons);
	b->realm = partitions_realm_nodes(parts, b->conf->own, b->conf->nown, false);
	b->daemons = partitions_realm_nodes(parts, b->conf->own, b->conf->nown, true);
	b->slices = partitions_rows(parts, b->conf->own, b->conf->nown) > 0;
	free(b->places);
	b->places = partitions_realm_jobs(parts, b->conf->own, b->conf->nown);
	partitions_free(&b->realms);
	(void)partitions_sharing(parts, b->conf->own, b->conf->nown, &b->realms);
}

/* With the mutex: which scheduler has which nodes from now on. A change of it makes the plan anew. */
static void compose(struct bridge *b, const struct partitions *parts)
{
	char err[sizeof(b->apart)], *name;

	if (!b->conf || !parts->known)
		return;
	name = conf_scheduler(b->conf, parts, err, sizeof(err));
	if (!name) {
		if (strcmp(err, b->apart))
			error("%s: pact.conf: %s; each keeps the nodes that it had",
			      scheduler_type(), err);
		snprintf(b->apart, sizeof(b->apart), "%s", err);
		return;
	}
	b->apart[0] = '\0';
	take_nodes(b, parts);
	if (!strcmp(name, b->schedulers ? b->schedulers : scheduler_name())) {
		free(name);
		return;
	}
	info("%s: nodes by scheduler: %s", scheduler_type(), name);
	free(b->schedulers);
	b->schedulers = name;
	b->recompose = true;
}

void configure_safety(struct bridge *b, const struct safety *safety)
{
	pthread_mutex_lock(&b->lock);
	take_safety(b, safety);
	compose(b, &safety->site.parts);
	pthread_mutex_unlock(&b->lock);
}

static void say_history(bool bad, const char *text)
{
	if (bad)
		error("%s: %s", scheduler_type(), text);
	else
		info("%s: %s", scheduler_type(), text);
}

static void configure_history(const struct conf *conf)
{
	history_configure(&(struct history_settings){
		.file = conf->history_file,
		.age = conf->history_age,
		.size = conf->history_size,
		.retry = HISTORY_RETRY,
		.hangs = HISTORY_HANGS,
		.say = say_history,
	});
}

static void configure_socket(const struct conf *conf)
{
	struct serve_settings settings = { .mode = (uint32_t)conf->socket_mode & 0777,
					   .rate = conf->socket_rate,
					   .timeout_us = conf->socket_timeout * 1000000 };

	snprintf(settings.path, sizeof(settings.path), "%s",
		 conf->socket_path ? conf->socket_path : "");
	serve_configure(&settings);
}

/* Reports are for realms whose jobs share nodes. */
static void configure_reports(const struct conf *conf)
{
	struct reports_settings settings = { .interval = (uint32_t)conf->share_interval,
					     .user = slurm_conf.slurm_user_id };

	for (size_t i = 0; i < conf->nown; i++)
		if (conf->own[i].key == OWN_ADMISSION && conf->own[i].promises)
			settings.port = (uint16_t)conf->report_port;
	(void)munge_socket(settings.munge, sizeof(settings.munge));
	reports_configure(&settings);
}

/* With the mutex: whether and how running jobs are resized. A change of it makes the plan anew. */
static void take_resizing(struct bridge *b, const struct safety *safety)
{
	bool other = scheduler_lend(b->conf->sched.loans != LOANS_NONE);

	b->recompose |= scheduler_pursue(b->conf->strategy) || other;
	if (scheduler_resizes() && !safety->resizing)
		error("%s: slurm.conf: %s", scheduler_type(), safety->rigid);
}

/* With the mutex: the core, unless it is to be made anew. */
static void configure_core(struct bridge *b)
{
	struct sched_config config;
	char err[256];

	bridge_sched_config(b, &config);
	if (sched_configure(b->core, &config, err, sizeof(err)))
		error("%s: pact.conf: %s", scheduler_type(), err);
	running_policy_configured(b);
}

bool configure_read(struct bridge *b, const struct safety *safety)
{
	char err[512], *path = conf_path();
	struct conf *conf = conf_load(path, &safety->site, err, sizeof(err));
	bool ok = conf;

	if (conf)
		faults_taken(conf, time(NULL));
	else
		faults_refused(err, time(NULL));
	pthread_mutex_lock(&b->lock);
	take_safety(b, safety);
	if (!conf)
		error("%s: pact.conf refused%s: %s", scheduler_type(),
		      b->conf ? ", the one in force stays" : "", err);
	if (conf) {
		conf_destroy(b->conf);
		b->conf = conf;
		b->admission_us = conf->admission_ms * 1000;
		b->observe = conf->observe;
		realms_use(conf->own, conf->nown);
		take_resizing(b, safety);
		recorder_configure(conf);
		configure_history(conf);
		configure_socket(conf);
	}
	if (conf && b->core && !b->recompose)
		configure_core(b);
	compose(b, &safety->site.parts);
	pthread_mutex_unlock(&b->lock);
	/* Threads may have to end for it. Only this thread replaces b->conf. */
	if (conf)
		configure_reports(conf);
	free(path);
	return ok;
}
