/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * agent.c - the thread that plans and starts jobs
 *
 * Nothing notifies a scheduler in slurmctld: a few times a second the thread
 * looks at the time stamps of jobs, nodes, partitions and reservations, which
 * needs no lock, and makes a pass when one has moved, when the plan's next start
 * is due, or when PlanInterval is over.  Stamps count whole seconds: one that is
 * not older than the second of the last snapshot means that something may have
 * changed after it.
 */
#include "slurm/base/compat.h"

#include "slurm/agent/agent.h"
#include "slurm/agent/pass.h"
#include "slurm/agent/repeats.h"
#include "slurm/agent/stand_in.h"
#include "slurm/agent/warnings.h"
#include "slurm/config/builds.h"
#include "slurm/state/handover.h"
#include "slurm/state/last_plan.h"
#include "slurm/config/faults.h"
#include "slurm/history/history.h"
#include "slurm/base/metered.h"
#include "slurm/acting/gap.h"
#include "slurm/acting/grant.h"
#include "slurm/acting/life.h"
#include "slurm/acting/recount.h"
#include "slurm/state/running_policy.h"
#include "slurm/promise/unconfirmed.h"
#include "slurm/state/recorder.h"
#include "slurm/records/resize_usage.h"
#include "slurm/resizing/resize.h"
#include "slurm/base/scheduler.h"
#include "slurm/base/state_file.h"
#include "slurm/serving/munge_socket.h"
#include "slurm/nodes/reports.h"
#include "slurm/serving/serve.h"
#include "slurm/acting/wind_down.h"
#include "slurm/base/clock.h"
#include "slurm/agent/configure.h"
#include "slurm/state/poke.h"

/* Seconds after a pass in which reports of nodes make no other. */
#define REPORTS_WAIT 5

/* How often the stamps are looked at; and how often before the first pass, for which users wait. */
#define PEEK_MS 200
#define FIRST_MS 5
/* A nap is slept in slices: whatever the clock does, it ends, and a call is heard. */
#define SLICE_MS 50

static pthread_t thread;
static bool running;
static _Atomic bool stopping;

static struct pass at_work = { .stopping = &stopping };

static bool stamps_moved(int64_t since)
{
	return last_job_update >= since || last_node_update >= since || last_part_update >= since ||
	       last_resv_update >= since;
}

/* Sleep for so many milliseconds; false: stop. */
static bool nap(int ms, bool *reread)
{
	while (ms > 0 && !stopping && !poke_came()) {
		struct timespec slice = { 0, (ms < SLICE_MS ? ms : SLICE_MS) * 1000000L };

		nanosleep(&slice, NULL);
		ms -= SLICE_MS;
	}
	*reread = poke_take();
	return !stopping;
}

/* Partitions have another OverTimeLimit, or another number of jobs that take turns. */
static bool is_other(const struct bridge *b, const struct conf_site *site)
{
	return site->ending != b->conf->ending ||
	       (site->parts.known && partitions_shape(&site->parts) != b->conf->shape);
}

/* What a reconfiguration has counted twice. */
static void recount(void)
{
	static const slurmctld_lock_t locks = { .job = READ_LOCK, .node = WRITE_LOCK };
	struct metered metered;

	metered_take(&metered, &locks);
	recount_suspended();
	metered_give(&metered);
}

/* After a reconfiguration everything is read again; after most changes of partitions only what they change. */
static void configure(struct bridge *b, bool reread)
{
	static const slurmctld_lock_t locks = { READ_LOCK, READ_LOCK, READ_LOCK, READ_LOCK,
						NO_LOCK };
	struct safety safety;
	struct metered metered;
	bool fit;

	metered_take(&metered, &locks);
	fit = builds_records();
	if (fit) {
		safety_look(&safety);
		munge_socket_use(safety.munge);
		state_file_use_dir(safety.state_dir);
	}
	metered_give(&metered);
	if (!fit)
		return;
	if (reread || is_other(b, &safety.site))
		configure_read(b, &safety);
	else
		configure_safety(b, &safety);
	partitions_free(&safety.site.parts);
	if (!reread)
		return;
	recount();
	resize_usage_begin();
	pthread_mutex_lock(&b->lock);
	tally_report(b, true);
	pthread_mutex_unlock(&b->lock);
}

/* Names in a new pact.conf that nothing has: told once, when all of slurmctld is there. */
static void tell_faults(void)
{
	static const slurmctld_lock_t locks = { NO_LOCK, NO_LOCK, NO_LOCK, READ_LOCK, NO_LOCK };
	struct faults faults;
	struct metered metered;

	if (!faults_untold())
		return;
	metered_take(&metered, &locks);
	faults_find(&faults);
	metered_give(&metered);
	faults_tell(&faults);
	faults_free(&faults);
}

/* Nothing is looked at or started from now on: a plan of before is worse than none. */
static void take_down(struct bridge *b)
{
	bridge_stale(b);
	last_plan_clear();
}

/* Slurm's records are not what they were taken for: Slurm's own scheduler goes on. */
static void give_way(struct bridge *b)
{
	take_down(b);
	grant_detach();
	(void)stand_in_start(scheduler_type());
}

/* RET when the pass was begun, as pass_make() has it; *took: microseconds, what it waited for a gap left out */
static int64_t make_pass(int64_t *took)
{
	int64_t began = clock_us(), waited = gap_waited();
	int64_t when = pass_make(&at_work);

	*took = clock_us() - began - (gap_waited() - waited);
	return when;
}

/*
 * A slow pass is not repeated at once, or submissions would starve. The end of a slice is not put off for as long: the next
 * one begins then, and all others would be later by that.
 */
static bool is_too_soon(int64_t ended, int64_t took, bool woken)
{
	return clock_us() - ended < (woken ? took : 2 * took);
}

static void *work(void *arg)
{
	struct bridge *b = arg;
	int64_t looked = 0;
	int64_t last = 0, took = 0, ended = clock_us();
	bool reread, off = false;

	at_work.b = b;
	while (nap(last || off ? PEEK_MS : FIRST_MS, &reread)) {
		int64_t now = time(NULL);
		bool switched = off == safety_scheduling(), woken;

		if (builds_unfit()) {
			give_way(b);
			continue;
		}

		/* a federation switches scheduling off and on without a word */
		if (reread || switched || last_part_update >= looked || now < looked) {
			off ^= switched;
			looked = now;
			configure(b, reread);
			if (builds_unfit())
				continue;
		}
		if (switched && off)
			take_down(b);
		if (!bridge_in_charge() || off || slurmctld_config.shutdown_time)
			continue;
		tell_faults();
		resize_keep();
		woken = b->wake && b->wake <= now;
		if (is_too_soon(ended, took, woken))
			continue;
		if (!reread && (b->ready || !b->core) && !stamps_moved(last) && !life_put_off() &&
		    !(now >= last + REPORTS_WAIT && reports_came()) &&
		    !((at_work.refused || at_work.unread) && now != last) && !woken &&
		    now < last + b->conf->plan_interval && now >= last)
			continue;
		last = make_pass(&took);
		ended = clock_us();
	}
	return NULL;
}

bool agent_start(void)
{
	struct bridge *b = bridge_get();

	if (running)
		return false;
	stopping = false;
	(void)poke_take();
	/* What an earlier life as the controller in charge knew is out of date: build it anew. */
	pthread_mutex_lock(&b->lock);
	b->nodes = 0;
	b->nupdates = 0;
	pthread_mutex_unlock(&b->lock);
	life_begin();
	repeats_begin();
	warnings_begin();
	wind_down_begin();
	resize_begin();
	running_policy_forget();
	if (RECONFIGURE_RESPAWNS)
		handover_take(b);
	if (pthread_create(&thread, NULL, work, b))
		return false;
	running = true;
	grant_attach();
	serve_start();
	pthread_mutex_lock(&b->lock);
	b->attached = true;
	pthread_mutex_unlock(&b->lock);
	return true;
}

/*
 * No submission is decided any more.  One without a record (--test-only) is told void now: to the next
 * process it would be a job that has vanished.
 */
static void settle(struct bridge *b)
{
	static const slurmctld_lock_t locks = { NO_LOCK, READ_LOCK, NO_LOCK, NO_LOCK, NO_LOCK };
	struct metered metered;

	if (builds_unfit())
		return;
	metered_take(&metered, &locks);
	bridge_lock_urgent(b);
	(void)unconfirmed_sweep(b, time(NULL));
	pthread_mutex_unlock(&b->lock);
	metered_give(&metered);
}

void agent_stop(void)
{
	struct bridge *b = bridge_get();
	char handover[HANDOVER_SIZE];

	if (!running)
		return;
	stopping = true;
	serve_stop();
	pthread_join(thread, NULL);
	reports_stop();
	running = false;
	grant_detach();
	last_plan_clear();
	if (!builds_unfit())
		resize_end();
	settle(b);
	pthread_mutex_lock(&b->lock);
	tally_report(b, true);
	b->attached = b->ready = false;
	handover_tell(b, handover);
	recorder_forget();
	pthread_mutex_unlock(&b->lock);
	if (RECONFIGURE_RESPAWNS)
		handover_write(handover);
	recorder_stop();
	history_stop();
}
