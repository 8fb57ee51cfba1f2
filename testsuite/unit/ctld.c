/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ctld: see the header. The played functions have their contracts in Slurm's headers and in slurm/. */
#include "slurm/base/compat_played.h"

#include "slurm/snapshot/access.h"
#include "slurm/eligibility/describe.h"
#include "slurm/eligibility/eligibility.h"
#include "slurm/state/bridge.h"
#include "slurm/acting/launch.h"
#include "slurm/acting/life.h"
#include "slurm/acting/migrate.h"
#include "slurm/acting/recount.h"
#include "slurm/records/cleaned.h"
#include "slurm/records/give_back.h"
#include "slurm/resizing/resize.h"
#include "slurm/acting/turn.h"
#include "slurm/acting/publish.h"
#include "slurm/resizing/wishes.h"
#include "slurm/serving/serve.h"
#include "testsuite/unit/ctld.h"
#include "testsuite/unit/seed.h"

/* ---- slurmctld ---- */

slurmctld_config_t slurmctld_config;
diag_stats_t slurmctld_diag_stats;
time_t last_job_update, last_node_update, last_part_update, last_resv_update;
list_t *part_list, *job_list;
bool ping_nodes_now;
slurmdb_federation_rec_t *fed_mgr_fed_rec;
const slurmctld_lock_t launch_locks;
__attribute__((weak)) const slurmctld_lock_t turn_locks;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local bool inside;
_Atomic int ctld_snapshots, ctld_updates, ctld_looks, ctld_recounts;
struct snapshot *(*ctld_seen)(void);
struct conf_site ctld_site = { .ending = 20, .guard = 60 };
void (*ctld_parts)(struct partitions *out);
const char *ctld_state_dir;
_Atomic bool ctld_switched_off;

void lock_slurmctld(slurmctld_lock_t levels)
{
	(void)levels;
	pthread_mutex_lock(&lock);
	inside = true;
}

bool ctld_holds(pthread_mutex_t *mutex)
{
	struct timespec until;
	bool held;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += 5;
	held = pthread_mutex_timedlock(mutex, &until);
	if (!held)
		pthread_mutex_unlock(mutex);
	return held;
}

bool ctld_locked(void)
{
	return inside;
}

void unlock_slurmctld(slurmctld_lock_t levels)
{
	(void)levels;
	inside = false;
	pthread_mutex_unlock(&lock);
}

__attribute__((weak)) void schedule_job_save(void)
{
}

void schedule_node_save(void)
{
}

__attribute__((weak)) bool validate_operator(uid_t uid)
{
	return !uid;
}

/* weak: a test may play it better, or take the true one */
__attribute__((weak)) job_record_t *find_job_record(uint32_t id)
{
	(void)id;
	return NULL;
}

__attribute__((weak)) job_record_t *find_job_array_rec(uint32_t id, uint32_t task)
{
	(void)id, (void)task;
	return NULL;
}

bool test_job_array_finished(uint32_t id)
{
	(void)id;
	return true;
}

bool test_job_array_complete(uint32_t id)
{
	(void)id;
	return true;
}

PLAYED_GROUPS_MEMBERS(names)
{
	(void)names;
	return NULL;
}

/* ---- parts of the bridge that look into slurmctld ---- */

__attribute__((weak)) void launch_try(struct launch *launch)
{
	launch->started = false;
}

void recount_suspended(void)
{
	ctld_recounts++;
}

void serve_configure(const struct serve_settings *settings)
{
	(void)settings;
}

void serve_start(void)
{
}

void serve_stop(void)
{
}

void resize_usage_begin(void)
{
}

void resize_begin(void)
{
}

void resize_end(void)
{
}

void resize_keep(void)
{
}

void resize_tend(void)
{
}

void give_back_write(void)
{
}

const slurmctld_lock_t resize_locks;

/* Nor is one given nodes, or asked for them. */
__attribute__((weak)) enum wishes_rc wishes_ask(uint32_t job_id, const struct nodeset *to,
						int64_t by, struct nodeset **has, uint32_t *cleans)
{
	(void)job_id, (void)to, (void)by;
	*has = NULL;
	*cleans = 0;
	return WISHES_REFUSED;
}

__attribute__((weak)) enum wishes_rc wishes_take(uint32_t job_id)
{
	(void)job_id;
	return WISHES_RESIZED;
}

__attribute__((weak)) void wishes_drop(uint32_t job_id)
{
	(void)job_id;
}

__attribute__((weak)) void wishes_begun(uint32_t job_id, const struct malleable_run *run)
{
	(void)job_id, (void)run;
}

void life_begin(void)
{
}

bool life_put_off(void)
{
	return false;
}

__attribute__((weak)) bool life_registered(void)
{
	return true;
}

__attribute__((weak)) struct nodeset *life_returned(void)
{
	return NULL;
}

__attribute__((weak)) bool turn_take(uint32_t job_id, bool suspend, int64_t end)
{
	(void)job_id;
	(void)suspend;
	(void)end;
	return false;
}

__attribute__((weak)) void turn_show_end(uint32_t job_id, int64_t end)
{
	(void)job_id;
	(void)end;
}

__attribute__((weak)) bool turn_warn(uint32_t job_id, int64_t after)
{
	(void)job_id;
	(void)after;
	return false;
}

__attribute__((weak)) bool turn_repeat(uint32_t job_id)
{
	(void)job_id;
	return true;
}

__attribute__((weak)) enum migrate_rc migrate_ask(uint32_t job_id)
{
	(void)job_id;
	return MIGRATE_NEVER;
}

__attribute__((weak)) bool migrate_find(uint32_t job_id)
{
	(void)job_id;
	return true;
}

__attribute__((weak)) bool cleaned_end(uint32_t job_id)
{
	(void)job_id;
	return true;
}

__attribute__((weak)) void migrate_give_up(uint32_t job_id)
{
	(void)job_id;
}

__attribute__((weak)) uint64_t snapshot_print(const job_record_t *job)
{
	(void)job;
	return 0;
}

__attribute__((weak)) bool access_read(struct access *a, uid_t uid,
				       const struct access_about *about)
{
	(void)about;
	*a = (struct access){ .uid = uid, .all = !uid };
	return true;
}

__attribute__((weak)) void access_close(struct access *a)
{
	(void)a;
}

__attribute__((weak)) bool access_record(const struct access *a, const job_record_t *job)
{
	(void)job;
	return a->all;
}

__attribute__((weak)) bool access_hides_jobs(const struct access *a)
{
	return !a->all;
}

__attribute__((weak)) bool access_hides_part(const struct access *a, const char *names)
{
	(void)names;
	return !a->all;
}

__attribute__((weak)) struct regions *regions_create(void)
{
	return (struct regions *)&ctld_snapshots;
}

__attribute__((weak)) bool eligibility_record(struct regions *regions, const job_record_t *job)
{
	(void)regions, (void)job;
	return false;
}

/* Nothing is described, unless a test plays that. */
__attribute__((weak)) bool describe_record(struct regions *regions, const job_record_t *job,
					   struct description *out)
{
	(void)regions, (void)job, (void)out;
	return false;
}

void regions_destroy(struct regions *regions)
{
	(void)regions;
}

bool safety_scheduling(void)
{
	return !ctld_switched_off;
}

void safety_look(struct safety *out)
{
	ctld_looks++;
	*out = (struct safety){ .named = true, .safe = !ctld_switched_off, .site = ctld_site };
	if (ctld_parts)
		ctld_parts(&out->site.parts);
	if (!out->safe)
		snprintf(out->unsafe, sizeof(out->unsafe), SAFETY_SWITCHED_OFF);
	if (ctld_state_dir)
		snprintf(out->state_dir, sizeof(out->state_dir), "%s", ctld_state_dir);
}

__attribute__((weak)) struct publication *publish_collect(struct bridge *b,
							  const struct snapshot *snap)
{
	(void)snap;
	ctld_updates += (int)b->nupdates;
	b->nupdates = 0;
	return NULL;
}

__attribute__((weak)) void publish_write(struct publication *pub)
{
	assert_null(pub);
}

struct snapshot *ctld_idle(uint64_t names)
{
	struct snapshot *snap = calloc(1, sizeof(*snap));

	snap->since = snap->now = time(NULL);
	snap->nodes = NODES;
	snap->names = names;
	snap->table = node_record_table_ptr;
	snap->down = nodeset_create(NODES);
	return snap;
}

__attribute__((weak)) uint64_t snapshot_names(void)
{
	return 1;
}

struct snapshot *snapshot_take(void)
{
	struct snapshot *snap = ctld_seen ? ctld_seen() : ctld_idle(1);

	ctld_snapshots++;
	return snap;
}

void snapshot_destroy(struct snapshot *snap)
{
	for (size_t i = 0; i < snap->njobs; i++) {
		nodeset_destroy(snap->jobs[i].nodes);
		free(snap->jobs[i].depends);
	}
	nodeset_destroy(snap->down);
	free(snap->jobs);
	free(snap);
}
