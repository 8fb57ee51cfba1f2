/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * conf.c - pact.conf: what the site may decide
 *
 * Slurm's parser only cuts the file into keys and values, all as strings; the
 * values are checked here, so that a refusal can name key and value.  What the
 * parser itself refuses (an unknown key) it has written to the log; the checks
 * done before it runs (regular file, no Include) keep it from waiting.
 */
#include "slurm/base/compat.h"
#include "slurm/config/conf.h"
#include "slurm/config/site.h"
#include "slurm/base/scheduler.h"
#include "core/sched.h"

#include <ctype.h>
#include <errno.h>
#include <grp.h>
#include <stdarg.h>
#include <strings.h>
#include <sys/stat.h>

/* Slurm checks limits every 30 s (PERIODIC_TIMEOUT, a compile-time constant). */
#define LIMIT_CHECK 30
/* SocketTimeout's default in seconds; where a decision may take longer than usual, so may this. */
#define SOCKET_TIMEOUT 10
#define USUAL_ADMISSION_MS 20
/* Seconds for messages, and for a script that has no time-out of its own. */
#define END_ALLOWANCE 10
#define SCRIPT_ALLOWANCE 60

/* Seconds after which a node's prolog has ended as far as we look, where it may take longer or has no limit. */
#define PROLOG_MOST 300

/* Seconds that are enough for a launch: with less left of its turn a job's tasks, and its prolog, would run into the next one. */
#define LAUNCH_MOST 20

static void say(char *err, size_t err_size, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

static void say(char *err, size_t err_size, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(err, err_size, fmt, ap);
	va_end(ap);
}

/*
 * Minutes by which a job may outlive its limit.  A partition's own OverTimeLimit
 * goes before slurm.conf's, and whose job holds a node is not known beforehand:
 * the longest.  For UNLIMITED see safety.h.
 */
static int64_t over_time(void)
{
	uint16_t general = slurm_conf.over_time_limit;
	int64_t longest = general != INFINITE16 ? general : 0;
	const part_record_t *part;
	list_itr_t *iter;

	if (!part_list)
		return longest;
	iter = list_iterator_create(part_list);
	while ((part = list_next(iter)))
		if (part->over_time_limit != NO_VAL16 && part->over_time_limit != INFINITE16 &&
		    part->over_time_limit > longest)
			longest = part->over_time_limit;
	list_iterator_destroy(iter);
	return longest;
}

static void raise_to(int64_t *most, uint16_t seconds)
{
	if (seconds != NO_VAL16 && seconds != INFINITE16 && seconds > *most)
		*most = seconds;
}

/*
 * Power saving: the longest that a node may take to wake, and to fall asleep; a partition
 * may say more.
 */
static void sleeping(int64_t *resume, int64_t *suspend)
{
	const part_record_t *part;
	list_itr_t *iter;

	*resume = *suspend = 0;
	if (!slurm_conf.resume_program || !slurm_conf.resume_program[0])
		return;
	raise_to(resume, slurm_conf.resume_timeout);
	raise_to(suspend, slurm_conf.suspend_timeout);
	if (!part_list)
		return;
	iter = list_iterator_create(part_list);
	while ((part = list_next(iter))) {
		raise_to(resume, part->resume_timeout);
		raise_to(suspend, part->suspend_timeout);
	}
	list_iterator_destroy(iter);
}

static int64_t script_time(uint16_t limit)
{
	return limit != NO_VAL16 ? limit : SCRIPT_ALLOWANCE;
}

void conf_look(struct conf_site *site)
{
	int64_t suspend;

	site->ending = LIMIT_CHECK + slurm_conf.kill_wait + over_time() * 60;
	sleeping(&site->waking, &suspend);
	/* A node that is falling asleep takes no job before it sleeps: then a start is late. */
	site->guard = site->ending + site->waking + suspend + END_ALLOWANCE;
	if (slurm_conf.epilog && slurm_conf.epilog[0])
		site->guard += script_time(epilog_limit());
	/* Slurm counts a job's limit anew when that is over (job_config_fini()): likewise. */
	if (slurm_conf.prolog_slurmctld && slurm_conf.prolog_slurmctld[0])
		site->guard += script_time(prolog_limit());
	/* what means no limit is above that */
	site->prolog =
		slurm_conf.prolog && slurm_conf.prolog[0] ? MIN(prolog_limit(), PROLOG_MOST) : 0;
	partitions_look(&site->parts);
}

static void resolve_guard(struct conf *conf, const struct conf_site *site, bool given)
{
	struct sched_config *c = &conf->sched;
	int64_t least = site->ending + site->waking;

	if (given && c->guard < least)
		info("warning: pact.conf: Guard=%" PRId64 ": Slurm may take %" PRId64 " s to end "
		     "a job (KillWait, OverTimeLimit and ResumeTimeout of slurm.conf and its "
		     "partitions): promises behind such a job can be late",
		     c->guard, least);
	conf->ending = site->ending;
	conf->prolog = site->prolog;
	/* Whatever the guard does not need for ending jobs is for starting them late. */
	if (c->guard > least) {
		conf->waking = site->waking;
		c->lateness = c->guard - least;
	} else {
		c->lateness = c->guard > conf->ending ? c->guard - conf->ending : c->guard / 2;
	}
	/*
	 * Slurm ends no job at the very second.  Without a lateness the core takes its driver for exact
	 * (core/kernel/protocol.h): a promised job would be started beside one that has not ended, as where
	 * jobs take turns Slurm refuses it no nodes.
	 */
	if (!c->lateness)
		c->guard = c->lateness = 1;
}

void conf_destroy(struct conf *conf)
{
	if (!conf)
		return;
	for (size_t i = 0; i < conf->nparts; i++)
		free(conf->parts[i].name);
	free(conf->parts);
	partitions_drop(conf->own, conf->nown);
	setting_clear(site_settings, conf);
	free(conf->allow_uids);
	free(conf->unknown_groups);
	free(conf);
}

char *conf_path(void)
{
	char *path = get_extra_conf_path("pact.conf");
	char *copy = path ? strdup(path) : NULL;

	xfree(path);
	return copy;
}

bool conf_promises(const struct conf *conf, const char *partition)
{
	/* Of several lines, the last one counts. */
	for (size_t i = conf->nparts; partition && i > 0; i--)
		if (!strcmp(conf->parts[i - 1].name, partition))
			return conf->parts[i - 1].promises;
	return conf->sched.admission;
}

const struct own_scheduler *conf_unpromising(const struct conf *conf, const char *partition)
{
	const struct own_scheduler *own =
		partition ? partitions_own(conf->own, conf->nown, partition) : NULL;

	return own && !own->promises ? own : NULL;
}

char *conf_scheduler(const struct conf *conf, const struct partitions *parts, char *err,
		     size_t err_size)
{
	return partitions_scheduler(parts, conf->own, conf->nown, scheduler_name(), err, err_size);
}

/* A directory that does not answer is none that says no. */
static bool group_there(const char *name)
{
	size_t size = 1 << 12;
	struct group group, *found = NULL;
	char *buffer = NULL, *more;
	int rc = ERANGE;

	while (rc == ERANGE && size <= 1 << 24 && (more = realloc(buffer, size))) {
		buffer = more;
		rc = getgrnam_r(name, &group, buffer, size, &found);
		size *= 4;
	}
	free(buffer);
	return found || (rc && rc != ENOENT && rc != ESRCH);
}

/* The names of groups that there are not, as a comma list.  NULL: none, or no memory. */
static char *unknown_groups(const char *groups)
{
	char *copy = strdup(groups), *unknown = calloc(1, strlen(groups) + 2), *rest = NULL;
	size_t len = 0;

	for (char *name = copy && unknown ? strtok_r(copy, ",", &rest) : NULL; name;
	     name = strtok_r(NULL, ",", &rest))
		if (!group_there(name))
			len += (size_t)sprintf(unknown + len, "%s%s", len ? "," : "", name);
	free(copy);
	if (len)
		return unknown;
	free(unknown);
	return NULL;
}

/* AllowGroups: the members, once, so that no submission waits for a directory. */
static bool resolve_groups(struct conf *conf, char *err, size_t err_size)
{
	uid_t *uids;
	int count = 0;
	size_t n = 0;

	if (!conf->allow_groups)
		return true;
	uids = get_groups_members(conf->allow_groups, &count);
	while (uids && uids[n])
		n++;
	conf->unknown_groups = unknown_groups(conf->allow_groups);
	conf->allow_uids = calloc(n + 1, sizeof(*conf->allow_uids));
	if (conf->allow_uids && uids)
		memcpy(conf->allow_uids, uids, n * sizeof(*uids));
	xfree(uids);
	if (!conf->allow_uids)
		say(err, err_size, "out of memory");
	else if (!n)
		say(err, err_size, "AllowGroups=%s: no such group, or no member",
		    conf->allow_groups);
	return conf->allow_uids && n;
}

static bool add_part(struct conf *conf, const char *name, bool promises)
{
	struct conf_part *more = realloc(conf->parts, (conf->nparts + 1) * sizeof(*more));

	if (!more)
		return false;
	conf->parts = more;
	more[conf->nparts].name = strdup(name);
	more[conf->nparts].promises = promises;
	if (!more[conf->nparts].name)
		return false;
	conf->nparts++;
	return true;
}

static bool add_own(struct conf *conf, const char *name, const char *scheduler,
		    const char *settings, enum own_key key)
{
	struct own_scheduler *to;
	struct own_scheduler *more = realloc(conf->own, (conf->nown + 1) * sizeof(*more));

	if (!more)
		return false;
	conf->own = more;
	to = &more[conf->nown++];
	*to = (struct own_scheduler){ .partition = strdup(name),
				      .scheduler = strdup(scheduler),
				      .settings = strdup(settings),
				      .key = key };
	return to->partition && to->scheduler && to->settings;
}

static size_t count_keys(const struct setting *s)
{
	size_t n = 0;

	while (s[n].key)
		n++;
	return n;
}

/* A line "PartitionName=a,b Admission=none Scheduler=easy", of which one will do. */
struct part_line {
	char *names;
	s_p_hashtbl_t *keys; /* the others */
};

static void free_part_line(void *arg)
{
	struct part_line *part = arg;

	s_p_hashtbl_destroy(part->keys);
	free(part->names);
	free(part);
}

/* Those of a partition's line: its own, and of the schedulers' those that may differ.  NULL: no memory. */
static s_p_hashtbl_t *make_part_keys(void)
{
	s_p_options_t *keys = calloc(count_keys(sched_settings) + 4, sizeof(*keys));
	s_p_hashtbl_t *tbl;
	size_t n = 3;

	if (!keys)
		return NULL;
	keys[0] = (s_p_options_t){ .key = "Admission", .type = S_P_STRING };
	keys[1] = (s_p_options_t){ .key = "Gang", .type = S_P_STRING };
	keys[2] = (s_p_options_t){ .key = "Scheduler", .type = S_P_STRING };
	for (const struct setting *s = sched_settings; s->key; s++)
		if (s->apart && s->by & SETTING_BY_CONF)
			keys[n++] = (s_p_options_t){ .key = (char *)s->key, .type = S_P_STRING };
	tbl = s_p_hashtbl_create(keys);
	free(keys);
	return tbl;
}

/*
 * For the parser: names is the line's first value, the rest is *leftover.  (Slurm has
 * a type for such lines, but frees none of its tables where there is no such line.)
 */
static int read_part_line(void **out, slurm_parser_enum_t type, const char *key, const char *names,
			  const char *line, char **leftover)
{
	struct part_line *part = calloc(1, sizeof(*part));

	(void)type, (void)key, (void)line;
	if (!part)
		return -1;
	part->keys = make_part_keys();
	part->names = strdup(names);
	if (!part->keys || !part->names || !s_p_parse_line(part->keys, *leftover, leftover)) {
		free_part_line(part);
		return -1;
	}
	*out = part;
	return 1;
}

/* Is it one of those whose jobs share nodes, or have them in the order of deadlines? */
static bool is_realm(const char *name)
{
	char why[200];

	return !strpbrk(name, "@+") && sched_name_valid(name, why, sizeof(why)) &&
	       sched_name_by_number(name) && !sched_name_turns(name);
}

/* Is it one that a partition can have for itself? */
static bool own_ok(const char *names, const char *scheduler, char *err, size_t err_size)
{
	char why[200] = "only SchedulerType can name it";

	if (strpbrk(scheduler, "@+"))
		snprintf(why, sizeof(why), "one scheduler is wanted");
	else if (is_realm(scheduler))
		snprintf(why, sizeof(why), "it is a way of admission: Admission=%s", scheduler);
	else if (sched_name_turns(scheduler))
		snprintf(why, sizeof(why), "it lets jobs take turns: Gang=%s", scheduler);
	else if (sched_name_valid(scheduler, why, sizeof(why)) &&
		 (strcmp(scheduler, "dynp") || scheduler_is_dynp()))
		return true;
	say(err, err_size, "PartitionName=%s Scheduler=%s: %s", names, scheduler, why);
	return false;
}

/* Both may be missing. */
static bool add_names(struct conf *conf, const char *names, const bool *promises,
		      const char *scheduler, const char *settings, enum own_key key)
{
	char *copy = strdup(names), *rest = NULL;
	bool ok = copy;

	for (char *name = copy ? strtok_r(copy, ",", &rest) : NULL; ok && name;
	     name = strtok_r(NULL, ",", &rest))
		ok = (!promises || add_part(conf, name, *promises)) &&
		     (!scheduler || add_own(conf, name, scheduler, settings, key));
	free(copy);
	return ok;
}

/* Are jobs to take turns by it? */
static bool gang_ok(const char *names, const char *gang, char *err, size_t err_size)
{
	if (!setting_listed(gang, "mbgs, mgs, bgs, gs"))
		say(err, err_size, "PartitionName=%s Gang=%s: mbgs, mgs, bgs, gs or off is wanted",
		    names, gang);
	else if (scheduler_is_dynp() || scheduler_is_malleable())
		say(err, err_size,
		    "PartitionName=%s Gang=%s: slurm.conf has to have SchedulerType=sched/qops",
		    names, gang);
	else
		return true;
	return false;
}

/* What a line says of its partitions; `settings` are the realm's own. */
static bool take_part(struct conf *conf, const char *names, const char *admission,
		      const char *scheduler, const char *settings, char *err, size_t err_size)
{
	struct sched_config own = conf->sched;
	bool realm = admission && is_realm(admission), ok = true;

	if (realm && scheduler) {
		say(err, err_size,
		    "PartitionName=%s Admission=%s Scheduler=%s: its nodes can be of one only",
		    names, admission, scheduler);
		return false;
	}
	if (realm)
		own.admission = true;
	else if (admission)
		ok = setting_set(setting_find(sched_settings, "Admission"), &own, SETTING_BY_CONF,
				 admission, err, err_size);
	ok = ok && (!scheduler || own_ok(names, scheduler, err, err_size));
	if (ok && !add_names(conf, names, admission ? &own.admission : NULL,
			     realm ? admission : scheduler, settings,
			     realm ? OWN_ADMISSION : OWN_SCHEDULER)) {
		say(err, err_size, "out of memory");
		ok = false;
	}
	return ok;
}

/* Its nodes are not to be another's. `off`: its jobs are SchedulerType's, and share nodes as Slurm lets them. */
static bool take_gang(struct conf *conf, const char *names, const char *admission,
		      const char *scheduler, const char *gang, const char *settings, char *err,
		      size_t err_size)
{
	if (scheduler || (admission && is_realm(admission))) {
		say(err, err_size, "PartitionName=%s Gang=%s %s=%s: its nodes can be of one only",
		    names, gang, scheduler ? "Scheduler" : "Admission",
		    scheduler ? scheduler : admission);
		return false;
	}
	if (!strcmp(gang, "off")) {
		gang = scheduler_name();
	} else if (!gang_ok(names, gang, err, err_size)) {
		return false;
	}
	if (add_names(conf, names, NULL, gang, settings, OWN_GANG))
		return true;
	say(err, err_size, "out of memory");
	return false;
}

/* By which key a partition gets a scheduler that looks at the setting. */
static enum own_key key_for(const struct setting *s)
{
	char first[32];

	snprintf(first, sizeof(first), "%.*s", (int)strcspn(s->users, ","), s->users);
	return sched_name_turns(first) ? OWN_GANG : OWN_ADMISSION;
}

/* One setting of the realm's own, or of those that take turns, after those at `settings`. */
static bool add_setting(const struct part_line *part, const struct setting *s, const char *value,
			const char *scheduler, char *settings, size_t size, char *err,
			size_t err_size)
{
	const struct own_scheduler wanted = { .key = key_for(s) };
	size_t used = strlen(settings);
	struct sched_config scratch;
	char why[256], text[64];

	if (!setting_listed(scheduler ? scheduler : "", s->users)) {
		say(err, err_size, "PartitionName=%s %s=%s: %s= has to be one of %s", part->names,
		    s->key, value, partitions_key(&wanted), s->users);
		return false;
	}
	sched_config_init(&scratch);
	if (!setting_set(s, &scratch, SETTING_BY_CONF, value, why, sizeof(why))) {
		say(err, err_size, "PartitionName=%s %s", part->names, why);
		return false;
	}
	setting_format(s, &scratch, text, sizeof(text));
	snprintf(settings + used, size - used, ":%s=%s", s->key, text);
	return true;
}

/* The settings that the line gives its partitions alone, as they stand in a scheduler's name. */
static bool get_settings(const struct part_line *part, const char *admission, const char *gang,
			 char *settings, size_t size, char *err, size_t err_size)
{
	bool ok = true;

	settings[0] = '\0';
	for (const struct setting *s = sched_settings; ok && s->key; s++) {
		char *value = NULL;

		if (s->apart && s->by & SETTING_BY_CONF &&
		    s_p_get_string(&value, s->key, part->keys))
			ok = add_setting(part, s, value, key_for(s) == OWN_GANG ? gang : admission,
					 settings, size, err, err_size);
		xfree(value);
	}
	return ok;
}

static bool get_part(const struct part_line *part, struct conf *conf, char *err, size_t err_size)
{
	char *admission = NULL, *scheduler = NULL, *gang = NULL, settings[256];
	bool ok;

	s_p_get_string(&admission, "Admission", part->keys);
	s_p_get_string(&scheduler, "Scheduler", part->keys);
	s_p_get_string(&gang, "Gang", part->keys);
	ok = get_settings(part, admission, gang, settings, sizeof(settings), err, err_size);
	if (ok && (admission || scheduler))
		ok = take_part(conf, part->names, admission, scheduler, settings, err, err_size);
	else if (ok && !gang)
		say(err, err_size, "PartitionName=%s: Admission=, Scheduler= or Gang= is missing",
		    part->names);
	ok = ok && (admission || scheduler || gang) &&
	     (!gang ||
	      take_gang(conf, part->names, admission, scheduler, gang, settings, err, err_size));
	xfree(admission);
	xfree(scheduler);
	xfree(gang);
	return ok;
}

static bool get_parts(s_p_hashtbl_t *tbl, struct conf *conf, char *err, size_t err_size)
{
	void **lines = NULL;
	int n = 0;

	if (!s_p_get_array(&lines, &n, "PartitionName", tbl))
		return true;
	for (int i = 0; i < n; i++)
		if (!get_part(lines[i], conf, err, err_size))
			return false;
	return true;
}

/* The values of a table's keys, those that are there. */
static bool get_table(s_p_hashtbl_t *tbl, const struct setting *s, void *into, char *err,
		      size_t err_size)
{
	bool ok = true;

	for (; ok && s->key; s++) {
		char *value = NULL;

		if (s->by & SETTING_BY_CONF && s_p_get_string(&value, s->key, tbl))
			ok = setting_set(s, into, SETTING_BY_CONF, value, err, err_size);
		xfree(value);
	}
	return ok;
}

static bool get_all(s_p_hashtbl_t *tbl, struct conf *conf, char *err, size_t err_size)
{
	if (!get_table(tbl, sched_settings, &conf->sched, err, err_size) ||
	    !get_table(tbl, site_settings, conf, err, err_size) ||
	    !get_parts(tbl, conf, err, err_size))
		return false;
	if (conf->record_on && !conf->record_dir) {
		say(err, err_size, "Record=on: RecordDir= is missing");
		return false;
	}
	return resolve_groups(conf, err, err_size);
}

/*
 * Is this a file that Slurm's parser can be given?  A file that is not there is
 * no error (*missing); Include would make the parser wait for its target.
 */
static bool file_ok(const char *path, bool *missing, char *err, size_t err_size)
{
	struct stat st;
	char line[1024];
	bool ok = true;
	FILE *file;

	*missing = false;
	if (stat(path, &st)) {
		*missing = errno == ENOENT;
		say(err, err_size, "%s: %s", path, strerror(errno));
		return *missing;
	}
	if (!S_ISREG(st.st_mode)) {
		say(err, err_size, "%s: not a regular file", path);
		return false;
	}
	file = fopen(path, "r");
	if (!file) {
		say(err, err_size, "%s: %s", path, strerror(errno));
		return false;
	}
	while (ok && fgets(line, sizeof(line), file)) {
		char *at = line;

		while (isspace((unsigned char)*at))
			at++;
		ok = strncasecmp(at, "include", 7) || !isspace((unsigned char)at[7]);
	}
	fclose(file);
	if (!ok)
		say(err, err_size, "%s: Include is not supported in this file", path);
	return ok;
}

static size_t add_keys(s_p_options_t *out, const struct setting *s)
{
	size_t n = 0;

	for (; s->key; s++) {
		if (s->by & SETTING_BY_CONF)
			out[n++] = (s_p_options_t){ .key = (char *)s->key, .type = S_P_STRING };
	}
	return n;
}

/* All keys there are.  NULL: no memory. */
static s_p_hashtbl_t *make_keys(void)
{
	size_t n = count_keys(sched_settings) + count_keys(site_settings), at;
	s_p_options_t *keys = calloc(n + 2, sizeof(*keys));
	s_p_hashtbl_t *tbl;

	if (!keys)
		return NULL;
	at = add_keys(keys, sched_settings);
	at += add_keys(keys + at, site_settings);
	keys[at] = (s_p_options_t){ .key = "PartitionName",
				    .type = S_P_ARRAY,
				    .handler = read_part_line,
				    .destroy = free_part_line };
	tbl = s_p_hashtbl_create(keys);
	free(keys);
	return tbl;
}

static s_p_hashtbl_t *parse(const char *path, char *err, size_t err_size)
{
	s_p_hashtbl_t *tbl = make_keys();

	if (!tbl) {
		say(err, err_size, "out of memory");
		return NULL;
	}
	if (parse_config_file(tbl, path) != SLURM_SUCCESS) {
		say(err, err_size,
		    "%s: unknown key or unreadable line, which the line before this one "
		    "in slurmctld's log names",
		    path);
		s_p_hashtbl_destroy(tbl);
		return NULL;
	}
	return tbl;
}

/* A scheduler of a partition's own, tried with the settings: does it know the mode, and make promises? */
static bool try_own(struct own_scheduler *own, const struct sched_config *settings, char *err,
		    size_t err_size)
{
	struct sched_job job = {
		.id = 1, .limit = 1, .width = 1, .planned = -1, .deadline = settings->guard + 86400
	};
	struct sched_config config = *settings;
	struct sched_decision d;
	struct sched *s;
	char why[200] = "";

	config.admission = true;
	if (scheduler_is_dynp())
		config.mode = SCHED_MODE_SLURM;
	s = sched_create(own->scheduler, 1, &config, why, sizeof(why));
	if (!s) {
		say(err, err_size, "PartitionName=%s %s=%s: %s", own->partition,
		    partitions_key(own), own->scheduler, why);
		return false;
	}
	own->promises = !sched_ask(s, 0, &job, 1, &d) && d.reason != REFUSE_DISABLED;
	sched_destroy(s);
	return true;
}

/* Under select/gang jobs of a partition with OverSubscribe=FORCE take turns, whatever pact.conf does not say. */
static bool default_gang(struct conf *conf, const struct partitions *parts)
{
	bool ok = true;

	for (size_t i = 0; ok && parts->gang && i < parts->n; i++) {
		const struct partition *part = &parts->v[i];

		if (part->forced && part->jobs > 1 &&
		    !partitions_own(conf->own, conf->nown, part->name))
			ok = add_own(conf, part->name, "mbgs", "", OWN_GANG);
	}
	return ok;
}

/* One row at least is for all jobs, in each partition where some are kept. */
static bool short_rows_ok(const struct conf *conf, const struct partitions *parts, char *err,
			  size_t err_size)
{
	const char *keeps = setting_find(sched_settings, "ShortRows")->users;

	for (size_t i = 0; i < parts->n; i++) {
		const struct partition *part = &parts->v[i];
		const struct own_scheduler *own = partitions_own(conf->own, conf->nown, part->name);
		uint16_t rows;

		if (!own || !partitions_slices(own) || !setting_listed(own->scheduler, keeps))
			continue;
		rows = partitions_rows_at(parts, conf->own, conf->nown, part);
		if (conf->sched.short_rows < rows)
			continue;
		say(err, err_size,
		    "ShortRows=%d: must be below the %u rows of slurm.conf's "
		    "OverSubscribe=FORCE:%u (PartitionName=%s)",
		    conf->sched.short_rows, rows, rows, part->name);
		return false;
	}
	return true;
}

static int64_t default_launch(const struct conf *conf)
{
	return MIN(LAUNCH_MOST, conf->sched.slice / 3);
}

/* Slurm's srun gives a step up whose tasks are not all there by then, also when its job was stopped meanwhile. */
#define SRUN_WAITS 600

/* What does not stand against it, and will surprise. */
static void warn_gang(const struct conf *conf, const struct partitions *parts)
{
	int64_t stopped = (conf->sched.rows - 1) * conf->sched.slice;
	const char *name;

	for (size_t i = 0; (name = partitions_immodest(parts, conf->own, conf->nown, i)); i++)
		info("warning: slurm.conf: PartitionName=%s: DefMemPerNode is missing: a job that "
		     "names "
		     "no memory gets all of its nodes', and no other one takes turns with it",
		     name);
	if (stopped >= SRUN_WAITS)
		info("warning: slurm.conf: SchedulerTimeSlice=%" PRId64
		     " and OverSubscribe=FORCE:%d: a job may be stopped for %" PRId64
		     " s; srun gives up a step whose tasks are not there after %d s, so one that "
		     "it "
		     "begins just before that is lost",
		     conf->sched.slice, conf->sched.rows, stopped, SRUN_WAITS);
	if (conf->prolog && !conf->sched.launch_time)
		info("pact.conf: LaunchTime: a job begins while %" PRId64
		     " s are left of its turn; where Prolog takes most of that, say how long it "
		     "and "
		     "the launch take",
		     default_launch(conf));
}

static bool any_migrates(const struct conf *conf)
{
	const char *users = setting_find(sched_settings, "MigrationQuota")->users;
	bool any = false;

	for (size_t i = 0; i < conf->nown; i++)
		any |= setting_listed(conf->own[i].scheduler, users);
	return any;
}

/* Which jobs are asked to leave their nodes, and what that takes: the turn in which it is asked is no whole one. */
static void resolve_migration(struct conf *conf)
{
	int64_t turn = conf->sched.slice - conf_gap(conf);

	conf->sched.migration_quota = conf->migrate_tasks;
	conf->sched.leave_time = conf->migrate_grace + conf->sched.slice;
	if (turn > CONF_TURN_BEGINNING || !conf->migrate_tasks)
		return;
	conf->sched.migration_quota = 0;
	if (!any_migrates(conf))
		return;
	info("warning: slurm.conf: SchedulerTimeSlice=%" PRId64 " and SwitchGap=%" PRId64
	     ": no job is migrated, as turns of %" PRId64 " s are too short to ask it in",
	     conf->sched.slice, conf->switch_gap, turn);
}

/* A line of its own keeps a partition from being sliced by default. */
static void warn_unsliced(const struct conf *conf, const struct partitions *parts)
{
	const struct own_scheduler *own;
	const char *name;

	for (size_t i = 0; (own = partitions_unsliced(parts, conf->own, conf->nown, i, &name)); i++)
		info("warning: pact.conf: PartitionName=%s %s=%s: its jobs take no turns, though "
		     "slurm.conf has OverSubscribe=FORCE for it",
		     name, partitions_key(own), own->scheduler);
}

/* As many rows as jobs may be on a node, and slices as Slurm's. */
static bool resolve_gang(struct conf *conf, const struct partitions *parts, char *err,
			 size_t err_size)
{
	uint16_t rows = partitions_rows(parts, conf->own, conf->nown);

	warn_unsliced(conf, parts);
	if (!rows)
		return true;
	if (!short_rows_ok(conf, parts, err, err_size))
		return false;
	conf->sched.rows = rows;
	conf->sched.slice = slurm_conf.sched_time_slice;
	warn_gang(conf, parts);
	if (!conf->sched.launch_time)
		conf->sched.launch_time = default_launch(conf);
	/* what runs on these nodes may have to be stopped first */
	conf->sched.launch_time += conf_gap(conf);
	if (conf->switch_gap && conf->switch_gap > (conf->sched.slice - 1) * 1000) {
		say(err, err_size,
		    "SwitchGap=%" PRId64 ": it has to leave a second of slurm.conf's "
		    "SchedulerTimeSlice, of %" PRId64 " s",
		    conf->switch_gap, conf->sched.slice);
		return false;
	}
	resolve_migration(conf);
	/* what each slice lacks, in parts of 10,000 */
	if (conf->switch_gap)
		conf->sched.switch_cost =
			(int32_t)((conf->switch_gap * 10 + conf->sched.slice - 1) /
				  conf->sched.slice);
	return true;
}

/* Jobs are set aside where they take turns and something is promised, and nowhere else. */
static bool resolve_aside(const struct conf *conf, char *err, size_t err_size)
{
	const struct setting *aside = setting_find(sched_settings, "PromiseAside");
	bool used = !conf->sched.aside;

	for (size_t i = 0; i < conf->nown; i++)
		used |= setting_listed(conf->own[i].scheduler, aside->users);
	if (!used)
		say(err, err_size, "%s=yes: no partition whose jobs take turns has Gang= one of %s",
		    aside->key, aside->users);
	return used;
}

/* Partitions that share nodes and have different schedulers are refused. */
static bool resolve_own(struct conf *conf, const struct partitions *parts, char *err,
			size_t err_size)
{
	char *name;
	bool ok;

	if (!default_gang(conf, parts)) {
		say(err, err_size, "out of memory");
		return false;
	}
	for (size_t i = 0; i < conf->nown; i++)
		if (!try_own(&conf->own[i], &conf->sched, err, err_size))
			return false;
	if (!parts->known)
		return true;
	conf->shape = partitions_shape(parts);
	for (size_t i = 0; i < conf->nown; i++)
		if (!partitions_fit(parts, &conf->own[i], conf->gang_unchecked, err, err_size))
			return false;
	if (!resolve_gang(conf, parts, err, err_size) || !resolve_aside(conf, err, err_size))
		return false;
	name = conf_scheduler(conf, parts, err, err_size);
	ok = name && sched_name_valid(name, err, err_size);
	free(name);
	return ok;
}

/* Which RiskLimit each realm has: its own, or that of all. */
static void find_risks(struct conf *conf, const struct setting *risk)
{
	for (size_t i = 0; i < conf->nown; i++) {
		struct own_scheduler *own = &conf->own[i];
		const char *at = strstr(own->settings, ":RiskLimit=");
		struct sched_config c = conf->sched;
		char value[32];

		if (own->key != OWN_ADMISSION || !setting_listed(own->scheduler, risk->users))
			continue;
		if (at && sscanf(at, ":RiskLimit=%31[^:]", value) == 1)
			setting_set(risk, &c, SETTING_BY_CONF, value, NULL, 0);
		own->risk_limit = c.risk_limit;
	}
}

/* Chances to miss are of realms that know them, and are learned over restarts. */
static bool resolve_risk(struct conf *conf, char *err, size_t err_size)
{
	const struct setting *risk = setting_find(sched_settings, "RiskLimit");
	const struct own_scheduler *first = NULL;
	struct sched_config c = conf->sched;
	bool used = false;
	char value[32];

	find_risks(conf, risk);
	for (size_t i = 0; i < conf->nown; i++) {
		used |= conf->own[i].key == OWN_ADMISSION &&
			setting_listed(conf->own[i].scheduler, risk->users);
		if (!first && conf->own[i].risk_limit)
			first = &conf->own[i];
	}
	if (!first && (!c.risk_limit || used))
		return true;
	c.risk_limit = first ? first->risk_limit : c.risk_limit;
	setting_format(risk, &c, value, sizeof(value));
	if (!used)
		say(err, err_size, "%s=%s: no PartitionName has Admission= one of %s", risk->key,
		    value, risk->users);
	else if (!conf->history_file)
		say(err, err_size, "%s=%s: History= is missing, where what it learns is kept",
		    risk->key, value);
	return used && conf->history_file;
}

int64_t conf_gap(const struct conf *conf)
{
	return (conf->switch_gap + 999) / 1000;
}

bool conf_learns(const struct conf *conf)
{
	for (size_t i = 0; i < conf->nown; i++)
		if (conf->own[i].risk_limit)
			return true;
	return false;
}

/* What hangs on other settings. */
static bool resolve(struct conf *conf, const struct conf_site *site, char *err, size_t err_size)
{
	bool given = conf->sched.guard >= 0;

	/* how many rows there are is known later (resolve_gang) */
	if (conf->sched.rows <= conf->sched.short_rows)
		conf->sched.rows = conf->sched.short_rows + 1;
	if (!given)
		conf->sched.guard = site->guard;
	if (!settings_valid(&conf->sched, err, err_size))
		return false;
	if (!resolve_risk(conf, err, err_size))
		return false;
	resolve_guard(conf, site, given);
	if (!conf->socket_timeout)
		conf->socket_timeout =
			conf->admission_ms > USUAL_ADMISSION_MS
				? SOCKET_TIMEOUT * conf->admission_ms / USUAL_ADMISSION_MS
				: SOCKET_TIMEOUT;
	return resolve_own(conf, &site->parts, err, err_size);
}

struct conf *conf_load(const char *path, const struct conf_site *site, char *err, size_t err_size)
{
	struct conf *conf = calloc(1, sizeof(*conf));
	s_p_hashtbl_t *tbl;
	bool missing = !path, ok;

	err[0] = '\0';
	if (!conf) {
		say(err, err_size, "out of memory");
		return NULL;
	}
	setting_begin(sched_settings, &conf->sched, SETTING_BY_CONF);
	setting_begin(site_settings, conf, SETTING_BY_CONF);
	conf->sched.guard = -1;
	ok = !path || file_ok(path, &missing, err, err_size);
	if (ok && !missing) {
		tbl = parse(path, err, err_size);
		ok = tbl && get_all(tbl, conf, err, err_size);
		s_p_hashtbl_destroy(tbl);
	}
	ok = ok && resolve(conf, site, err, err_size);
	if (!ok) {
		conf_destroy(conf);
		return NULL;
	}
	err[0] = '\0';
	return conf;
}
