/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bridge.c - between slurmctld and the core: the state both plugins share
 */
#include "slurm/base/compat.h"

#include "slurm/bridge/bridge.h"
#include "slurm/config/faults.h"
#include "slurm/history/history.h"
#include "slurm/base/message.h"
#include "slurm/eligibility/reliance.h"
#include "slurm/bridge/pending.h"
#include "slurm/bridge/running_policy.h"
#include "slurm/bridge/recorder.h"
#include "slurm/config/safety.h"
#include "slurm/bridge/scheduler.h"
#include "slurm/bridge/terms.h"
#include "slurm/serving/serve.h"

/* Searches to bring a counter-offer forward; each halves what it is off, within AdmissionTime. */
#define OFFER_PROBES 6
/* Seconds until a history that could not be written is tried again. */
#define HISTORY_RETRY 60
/* And after which a write hangs. */
#define HISTORY_HANGS 30

static struct bridge the_bridge = { .lock = PTHREAD_MUTEX_INITIALIZER };

struct bridge *bridge_get(void)
{
	return &the_bridge;
}

const char *bridge_absent(const struct bridge *b)
{
	if (!b->named)
		return "slurm.conf: JobSubmitPlugins has no deadline";
	if (b->alone)
		return "slurm.conf: JobSubmitPlugins=deadline was not loaded with the scheduler; "
		       "restart slurmctld";
	return NULL;
}

const char *bridge_unsafe(const struct bridge *b)
{
	const char *absent = bridge_absent(b);

	return absent || b->safe ? absent : b->unsafe;
}

bool bridge_refuses(const struct bridge *b, char *out, size_t size)
{
	const char *why = bridge_unsafe(b);

	out[0] = '\0';
	if (why)
		snprintf(out, size, "nothing is promised under this configuration: %s", why);
	return why;
}

void bridge_stale(struct bridge *b)
{
	pthread_mutex_lock(&b->lock);
	b->ready = false;
	pthread_mutex_unlock(&b->lock);
}

/*
 * The thread that saves the state is made after all that, and a backup controller on standby has
 * none.  (It has one that takes calls, whose number stays while it takes over.)
 */
bool bridge_in_charge(void)
{
	return slurmctld_config.thread_id_save != 0;
}

bool bridge_lock_soon(struct bridge *b)
{
	struct timespec nap = { 0, 500000 };
	int64_t start = bridge_clock();

	while (pthread_mutex_trylock(&b->lock)) {
		if (bridge_clock() - start > b->admission_us)
			return false;
		nanosleep(&nap, NULL);
	}
	return true;
}

void bridge_lock_urgent(struct bridge *b)
{
	b->urgent++;
	pthread_mutex_lock(&b->lock);
	b->urgent--;
}

int64_t bridge_clock(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000000 + ts.tv_nsec / 1000;
}

uint64_t track_key(uint32_t base_id, uint32_t task)
{
	return ((uint64_t)base_id << 32) | task;
}

void bridge_yield(struct bridge *b)
{
	struct timespec nap = { 0, 200000 };

	/* No more than a burst at a time, or a flood of submissions would stop all starts. */
	for (int i = 0; b->waiting && i < 50; i++) {
		pthread_mutex_unlock(&b->lock);
		nanosleep(&nap, NULL);
		pthread_mutex_lock(&b->lock);
	}
}

uint64_t bridge_spread(uint64_t key)
{
	/* Both steps can be undone: no two keys become one. */
	key ^= key >> 32;
	return key * 0xd6e8feb86659fd93ULL;
}

struct track *track_find(struct bridge *b, uint64_t key)
{
	return b->by_key ? table_find(b->by_key, bridge_spread(key)) : NULL;
}

struct track *track_by_core(struct bridge *b, uint64_t core)
{
	return b->by_core ? table_find(b->by_core, core) : NULL;
}

struct track *track_first_task(struct bridge *b, uint32_t base_id)
{
	return b->by_array ? table_find(b->by_array, base_id) : NULL;
}

/* Tasks of an array know each other.  RET false: no memory */
static bool join_array(struct bridge *b, struct track *track)
{
	struct track *first;

	if ((uint32_t)track->key == NO_VAL)
		return true;
	first = track_first_task(b, track->key >> 32);
	if (!first)
		return !table_insert(b->by_array, track->key >> 32, track);
	track->prev_task = first;
	track->next_task = first->next_task;
	if (first->next_task)
		first->next_task->prev_task = track;
	first->next_task = track;
	return true;
}

static void leave_array(struct bridge *b, struct track *track)
{
	if (!track->prev_task && track_first_task(b, track->key >> 32) != track)
		return;
	if (track->next_task)
		track->next_task->prev_task = track->prev_task;
	if (track->prev_task) {
		track->prev_task->next_task = track->next_task;
		return;
	}
	/* What was taken out left room for what comes in. */
	table_remove(b->by_array, track->key >> 32);
	if (track->next_task)
		table_insert(b->by_array, track->key >> 32, track->next_task);
}

struct track *track_add(struct bridge *b, uint64_t key, uint64_t core)
{
	struct track *track = calloc(1, sizeof(*track));

	if (!track)
		return NULL;
	track->key = key;
	track->core = core ? core : ++b->next_core;
	if (table_insert(b->by_key, bridge_spread(key), track)) {
		free(track);
		return NULL;
	}
	if (table_insert(b->by_core, track->core, track)) {
		table_remove(b->by_key, bridge_spread(key));
		free(track);
		return NULL;
	}
	if (!join_array(b, track)) {
		track_remove(b, track);
		return NULL;
	}
	recorder_note(track->core, key);
	return track;
}

void track_remove(struct bridge *b, struct track *track)
{
	table_remove(b->by_key, bridge_spread(track->key));
	table_remove(b->by_core, track->core);
	leave_array(b, track);
	terms_leave(b, &track->asked, TALLY_GONE);
	free(track->books);
	free(track);
}

static void forget_tracks(struct bridge *b)
{
	struct track *track;
	size_t i = 0;

	if (b->by_key)
		while ((track = table_next(b->by_key, &i))) {
			terms_leave(b, &track->asked, TALLY_ANEW);
			free(track->books);
			free(track);
		}
	table_destroy(b->by_key);
	table_destroy(b->by_core);
	table_destroy(b->by_array);
	b->by_key = b->by_core = b->by_array = NULL;
}

static void forget_blocks(struct bridge *b)
{
	for (size_t i = 0; i < b->nblocks; i++)
		nodeset_destroy(b->blocks[i].nodes);
	free(b->blocks);
	b->blocks = NULL;
	b->nblocks = 0;
	nodeset_destroy(b->down);
	b->down = NULL;
	b->down_core = 0;
}

static bool budget_expired(void *arg)
{
	struct bridge *b = arg;

	if (b->question && b->urgent)
		b->gave_way = true;
	return b->gave_way || (b->budget_end && bridge_clock() > b->budget_end);
}

void bridge_sched_config(struct bridge *b, struct sched_config *out)
{
	*out = b->conf->sched;
	/* Mode says how sched/qops orders jobs; sched/dynp's order is its policy. */
	if (scheduler_is_dynp())
		out->mode = SCHED_MODE_SLURM;
	/* Which partitions may promise is decided before the core is asked. */
	out->admission = true;
	out->offer_probes = OFFER_PROBES;
	out->expired = budget_expired;
	out->expired_arg = b;
}

bool bridge_reset(struct bridge *b, uint32_t nodes, uint64_t names)
{
	struct sched_config config;
	char why[256] = "";

	recorder_forget();
	running_policy_part(b);
	sched_destroy(b->core);
	forget_tracks(b);
	forget_blocks(b);
	pending_forget(b);
	reliance_forget(b);
	/* Their records may come yet, with a promise: until then no place is given away. */
	for (struct unconfirmed *p = b->unconfirmed; p; p = p->next) {
		terms_leave(b, &p->asked, TALLY_ANEW);
		free(p->core);
		p->core = NULL;
		p->ncore = 0;
		p->over = true;
		p->over_epoch = b->epoch;
	}
	b->ready = false;
	b->wake = b->latest = 0;
	bridge_sched_config(b, &config);
	b->core = sched_create(scheduler_name(), nodes, &config, why, sizeof(why));
	b->by_key = table_create();
	b->by_core = table_create();
	b->by_array = table_create();
	b->nodes = nodes;
	b->names = names;
	if (b->core && b->by_key && b->by_core && b->by_array) {
		recorder_rest(b);
		running_policy_resume(b);
		return true;
	}
	error("%s: cannot plan for %u node%s: %s", scheduler_type(), nodes, nodes == 1 ? "" : "s",
	      why[0] ? why : "out of memory");
	recorder_forget();
	sched_destroy(b->core);
	b->core = NULL;
	return false;
}

void bridge_set_safety(struct bridge *b, const struct safety *safety)
{
	const char *absent;
	bool turned;

	pthread_mutex_lock(&b->lock);
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

bool bridge_configure(struct bridge *b, const struct safety *safety)
{
	char err[512], *path = conf_path();
	struct conf *conf = conf_load(path, &safety->site, err, sizeof(err));
	struct sched_config config;
	bool ok = conf;

	if (conf)
		faults_taken(conf, time(NULL));
	else
		faults_refused(err, time(NULL));
	bridge_set_safety(b, safety);
	pthread_mutex_lock(&b->lock);
	if (!conf)
		error("%s: pact.conf refused%s: %s", scheduler_type(),
		      b->conf ? ", the one in force stays" : "", err);
	if (conf) {
		conf_destroy(b->conf);
		b->conf = conf;
		b->admission_us = conf->admission_ms * 1000;
		b->observe = conf->observe;
		recorder_configure(conf);
		configure_history(conf);
		configure_socket(conf);
	}
	if (conf && b->core) {
		bridge_sched_config(b, &config);
		if (sched_configure(b->core, &config, err, sizeof(err)))
			error("%s: pact.conf: %s", scheduler_type(), err);
		running_policy_configured(b);
	}
	pthread_mutex_unlock(&b->lock);
	free(path);
	return ok;
}

bool bridge_event(struct bridge *b, const struct sched_event *ev, const char *what)
{
	int rc = sched_event(b->core, ev);

	if (ev->now > b->latest)
		b->latest = ev->now;
	if (rc != PACT_OK)
		error("%s: %s (id %" PRIu64 "): %s", scheduler_type(), what,
		      ev->njobs ? ev->jobs[0].id : ev->id, sched_error(b->core));
	return rc == PACT_OK;
}

void bridge_promise(struct bridge *b, struct track *track, bool lost, int64_t end)
{
	struct record_update update = {
		.job_id = track->job_id,
		.print = track->print,
		.seen = track->token,
	};
	char by[32], planned[32] = "unknown";

	if (!track->token.id || (track->token.state == TOKEN_BROKEN) == lost)
		return;
	track->token.state = lost ? TOKEN_BROKEN : TOKEN_PROMISED;
	message_time(by, track->token.deadline);
	if (end < PACT_FOREVER)
		message_time(planned, end);
	if (lost)
		error("%s: JobId=%u: the promised completion by %s can no longer be kept, "
		      "planned completion is %s",
		      scheduler_type(), track->job_id, by, planned);
	else
		info("%s: JobId=%u: the promised completion by %s will be kept after all",
		     scheduler_type(), track->job_id, by);
	update.token = track->token;
	bridge_update_record(b, &update);
}

bool bridge_answer(struct bridge *b, uint64_t id, struct sched_decision *decision)
{
	struct sched_action action;
	bool accepted = false;

	/* Notices of broken promises may be lost here: publish_collect() looks for itself. */
	memset(decision, 0, sizeof(*decision));
	while (sched_poll(b->core, &action)) {
		if (action.type == ACT_POLICY)
			running_policy_switched(b, &action);
		if (action.id != id || (action.type != ACT_ACCEPT && action.type != ACT_REFUSE))
			continue;
		*decision = action.decision;
		accepted = action.type == ACT_ACCEPT;
	}
	return accepted;
}

bool bridge_recall(struct bridge *b, int64_t now)
{
	uint64_t core = atomic_exchange(&b->starting, 0);

	if (!core)
		return false;
	debug("%s: a start makes way for an admission, and is made again at once",
	      scheduler_type());
	return bridge_event(
		b,
		&(struct sched_event){
			.type = EV_START_FAILED, .now = now, .id = core, .reserve = true },
		"a start was recalled");
}

void bridge_update_record(struct bridge *b, const struct record_update *update)
{
	const struct record_update *before = b->nupdates ? &b->updates[b->nupdates - 1] : NULL;
	struct record_update e = *update;

	/* One after the other: what the first has seen is what both will find. */
	if (before && before->job_id == e.job_id) {
		e.seen = before->seen;
		e.terms |= before->terms;
		if (!e.books.how)
			e.books = before->books;
		b->nupdates--;
	}
	if (b->nupdates == b->updates_room) {
		size_t room = b->updates_room ? b->updates_room * 2 : 16;
		struct record_update *more = realloc(b->updates, room * sizeof(*more));

		if (!more)
			return;
		b->updates = more;
		b->updates_room = room;
	}
	b->updates[b->nupdates++] = e;
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * 0x9e3779b97f4a7c15ULL;
	return hash ^ (hash >> 31);
}

uint64_t bridge_shape(const struct sched_job *job)
{
	uint64_t hash = mix(1, (uint64_t)job->limit);

	hash = mix(hash, (uint64_t)job->least);
	hash = mix(hash, (uint64_t)job->begin);
	hash = mix(hash, (uint64_t)job->deadline);
	hash = mix(hash, (uint64_t)job->width);
	hash = mix(hash, job->flags & (JOB_OPAQUE | JOB_NEEDED));
	for (uint32_t i = 0; i < job->nalt; i++)
		hash = mix(hash, nodeset_hash(job->alt[i]));
	return job->required ? mix(hash, nodeset_hash(job->required)) : hash;
}
