/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * faults.c - what is wrong with pact.conf: it was refused, or names what is not there
 */
#include "slurm/base/compat.h"
#include "slurm/config/faults.h"

enum kind { PARTITION, ACCOUNT, QOS, GROUP };

static const struct {
	const char *key, *why;
} kinds[] = {
	[PARTITION] = { "PartitionName", "there is no such partition" },
	[ACCOUNT] = { "AllowAccounts", "accounting has no such account" },
	[QOS] = { "AllowQOS", "accounting has no such QOS" },
	[GROUP] = { "AllowGroups", "there is no such group" },
};

/* A name of the configuration in force. */
struct named {
	enum kind kind;
	char *name;
};

struct names {
	struct named *list;
	size_t n;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct names names;
static struct faults state; /* without names */
static bool untold;

static void add_name(struct names *to, enum kind kind, const char *name)
{
	struct named *more = realloc(to->list, (to->n + 1) * sizeof(*more));

	if (!more)
		return;
	to->list = more;
	more[to->n] = (struct named){ kind, strdup(name) };
	to->n += more[to->n].name != NULL;
}

static void add_list(struct names *to, enum kind kind, const char *list)
{
	char *copy = list ? strdup(list) : NULL, *rest = NULL;

	for (char *name = copy ? strtok_r(copy, ",", &rest) : NULL; name;
	     name = strtok_r(NULL, ",", &rest))
		add_name(to, kind, name);
	free(copy);
}

static void free_names(struct names *which)
{
	for (size_t i = 0; i < which->n; i++)
		free(which->list[i].name);
	free(which->list);
}

void faults_refused(const char *why, int64_t now)
{
	pthread_mutex_lock(&lock);
	state.refused = now;
	snprintf(state.why, sizeof(state.why), "%s", why);
	pthread_mutex_unlock(&lock);
}

void faults_taken(const struct conf *conf, int64_t now)
{
	struct names taken = { 0 }, before;

	for (size_t i = 0; i < conf->nparts; i++)
		add_name(&taken, PARTITION, conf->parts[i].name);
	for (size_t i = 0; i < conf->nown; i++)
		add_name(&taken, PARTITION, conf->own[i].partition);
	add_list(&taken, ACCOUNT, conf->allow_accounts);
	add_list(&taken, QOS, conf->allow_qos);
	add_list(&taken, GROUP, conf->unknown_groups);
	pthread_mutex_lock(&lock);
	before = names;
	names = taken;
	state = (struct faults){ .taken = now };
	untold = true;
	pthread_mutex_unlock(&lock);
	free_names(&before);
}

static int same_part(void *part, void *name)
{
	return !strcmp(((part_record_t *)part)->name, name);
}

/* Where accounting has not told its accounts yet, none is unknown. */
static bool knows_account(char *name)
{
	slurmdb_assoc_rec_t ask = { .acct = name, .uid = NO_VAL }, *found = NULL;

	if (!slurm_with_slurmdbd() || !assoc_mgr_assoc_list || !list_count(assoc_mgr_assoc_list))
		return true;
	assoc_mgr_fill_in_assoc(NULL, &ask, 0, &found, true);
	return found;
}

static bool knows_qos(char *name)
{
	slurmdb_qos_rec_t ask = { .name = name }, *found = NULL;

	if (!slurm_with_slurmdbd() || !assoc_mgr_qos_list || !list_count(assoc_mgr_qos_list))
		return true;
	assoc_mgr_fill_in_qos(NULL, &ask, 0, &found, true);
	return found;
}

static bool known(const struct named *named)
{
	switch (named->kind) {
	case PARTITION:
		return !part_list || list_find_first(part_list, same_part, named->name);
	case ACCOUNT:
		return knows_account(named->name);
	case QOS:
		return knows_qos(named->name);
	case GROUP:
		break; /* only those that were unknown are listed */
	}
	return false;
}

static void copy_names(struct names *to)
{
	for (size_t i = 0; i < names.n; i++)
		add_name(to, names.list[i].kind, names.list[i].name);
}

void faults_find(struct faults *out)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK, .qos = READ_LOCK };
	struct names all = { 0 };

	pthread_mutex_lock(&lock);
	*out = state;
	copy_names(&all);
	pthread_mutex_unlock(&lock);
	out->unknown = all.n ? calloc(all.n, sizeof(*out->unknown)) : NULL;
	assoc_mgr_lock(&locks);
	for (size_t i = 0; out->unknown && i < all.n; i++) {
		struct named *named = &all.list[i];

		if (known(named))
			continue;
		out->unknown[out->nunknown++] = (struct fault){ kinds[named->kind].key, named->name,
								kinds[named->kind].why };
		named->name = NULL;
	}
	assoc_mgr_unlock(&locks);
	free_names(&all);
}

void faults_look(struct faults *out)
{
	pthread_mutex_lock(&lock);
	*out = state;
	pthread_mutex_unlock(&lock);
}

void faults_free(struct faults *faults)
{
	for (size_t i = 0; i < faults->nunknown; i++)
		free(faults->unknown[i].name);
	free(faults->unknown);
	faults->unknown = NULL;
	faults->nunknown = 0;
}

bool faults_untold(void)
{
	bool yes;

	pthread_mutex_lock(&lock);
	yes = untold;
	pthread_mutex_unlock(&lock);
	return yes;
}

void faults_tell(const struct faults *faults)
{
	bool tell;

	pthread_mutex_lock(&lock);
	tell = untold;
	untold = false;
	pthread_mutex_unlock(&lock);
	for (size_t i = 0; tell && i < faults->nunknown; i++)
		info("warning: pact.conf: %s=%s: %s", faults->unknown[i].key,
		     faults->unknown[i].name, faults->unknown[i].why);
}
