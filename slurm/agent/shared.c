/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * shared.c - two plugins, one plan
 */
#include "slurm/base/compat.h"

#include <dlfcn.h>
#include <link.h>

#include "slurm/agent/agent.h"
#include "slurm/agent/stand_in.h"
#include "slurm/config/builds.h"
#include "slurm/state/poke.h"
#include "slurm/state/bridge.h"
#include "slurm/config/safety.h"
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

/* The path of the owner among the loaded libraries. */
static int find_path(struct dl_phdr_info *info, size_t size, void *arg)
{
	const char *base = info->dlpi_name ? strrchr(info->dlpi_name, '/') : NULL;
	char **path = arg;

	(void)size;
	if (!base || strcmp(base + 1, SHARED_OWNER))
		return 0;
	*path = strdup(info->dlpi_name);
	return 1;
}

/*
 * The owner's, or NULL.
 * OUT unfit - it is there, and has said that it was built for another slurmctld
 */
static const struct shared *find_owner(bool *unfit)
{
	const struct shared *found = NULL;
	char *path = NULL;
	void *handle;

	*unfit = false;
	dl_iterate_phdr(find_path, &path);
	if (!path)
		return NULL;
	handle = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
	free(path);
	if (!handle)
		return NULL;
	found = dlsym(handle, SHARED_SYMBOL);
	/* The owner is linked to stay: giving the handle back does not unload it. */
	dlclose(handle);
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
