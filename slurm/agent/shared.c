/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * shared.c - two plugins, one plan
 */
#include "slurm/base/compat.h"

#include "slurm/agent/agent.h"
#include "slurm/agent/stand_in.h"
#include "slurm/config/builds.h"
#include "slurm/state/poke.h"
#include "slurm/state/bridge.h"
#include "slurm/config/safety.h"
#include "slurm/config/loaded.h"
#include "slurm/base/scheduler.h"
#include "slurm/base/state_file.h"
#include "slurm/nodes/reports.h"
#include "slurm/serving/munge_socket.h"
#include "slurm/agent/shared.h"
#include "slurm/agent/configure.h"

static bool start(const char *type)
{
	struct safety safety;
	char err[256];
	bool ok;

	if (!scheduler_use(type)) {
		error("%s: job_submit/deadline is of another version, and does not know it", type);
		return false;
	}
	if (!safety_scheduler(err, sizeof(err))) {
		error("%s: %s", scheduler_type(), err);
		return false;
	}
	/* The scheduler's init() comes with slurmctld's write locks held (read_slurm_conf). */
	if (!builds_records()) {
		(void)stand_in_start(scheduler_type());
		return true;
	}
	safety_look(&safety);
	munge_socket_use(safety.munge);
	state_file_use_dir(safety.state_dir);
	ok = configure_read(bridge_get(), &safety) || bridge_get()->conf;
	partitions_free(&safety.site.parts);
	if (ok && agent_start())
		return true;
	reports_stop();
	return false;
}

static void stop(void)
{
	agent_stop();
	stand_in_stop();
}

static void reconfigure(void)
{
	if (builds_unfit())
		stand_in_reconfigure();
	else
		poke_to_reread();
}

static const struct shared own = {
	.version = SHARED_VERSION,
	.size = sizeof(struct shared),
	.start = start,
	.stop = stop,
	.reconfigure = reconfigure,
};

const struct shared *shared_own(void)
{
	return &own;
}

/*
 * The owner's, or NULL.
 * OUT unfit - it is there, and has said that it was built for another slurmctld
 */
static const struct shared *find_owner(bool *unfit)
{
	/* it is linked to stay */
	const struct shared *found = loaded_symbol(SHARED_OWNER, SHARED_SYMBOL);

	*unfit = found && !found->version;
	if (found && (found->version != SHARED_VERSION || found->size < sizeof(*found)))
		found = NULL;
	return found;
}

const struct shared *shared_start(const char *type)
{
	bool told;
	const struct shared *owner = find_owner(&told), *plan = owner ? owner : shared_own();

	if (!builds_start(type, !told)) {
		(void)stand_in_start(type);
		return shared_own();
	}
	bridge_get()->alone =
		!owner; /* of this copy, which is asked only where there is no other */
	if (!plan->start(type)) {
		error("%s: not started, see the line before", type);
		return NULL;
	}
	verbose("%s loaded, %s", type,
		owner ? "with promises" : "no promises without JobSubmitPlugins=deadline");
	return plan;
}
