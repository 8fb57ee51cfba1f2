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
#include "slurm/config/conf_dynp.h"

#include <ctype.h>
#include <errno.h>
#include <grp.h>
#include <stdarg.h>
#include <strings.h>
#include <sys/stat.h>

/* Slurm checks limits every 30 s (PERIODIC_TIMEOUT, a compile-time constant). */
#define LIMIT_CHECK 30
/* Where pact looks, too (contrib/pact/socket_path.c). */
#define SOCKET_PATH "/run/slurm/pact.sock"
/* SocketTimeout's default in seconds; where a decision may take longer than usual, so may this. */
#define SOCKET_TIMEOUT 10
#define USUAL_ADMISSION_MS 20
/* Seconds for messages, and for an epilog that has no time-out of its own. */
#define END_ALLOWANCE 10
#define EPILOG_ALLOWANCE 60

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
	ListIterator iter;

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
	ListIterator iter;

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

void conf_look(struct conf_site *site)
{
	int64_t suspend;

	site->ending = LIMIT_CHECK + slurm_conf.kill_wait + over_time() * 60;
	sleeping(&site->waking, &suspend);
	/* A node that is falling asleep takes no job before it sleeps: then a start is late. */
	site->guard = site->ending + site->waking + suspend + END_ALLOWANCE;
	if (slurm_conf.epilog && slurm_conf.epilog[0]) {
		if (slurm_conf.prolog_epilog_timeout != NO_VAL16)
			site->guard += slurm_conf.prolog_epilog_timeout;
		else
			site->guard += EPILOG_ALLOWANCE;
	}
}

static void resolve_guard(struct conf *conf, const struct conf_site *site)
{
	int64_t least = site->ending + site->waking;

	if (conf->guard < 0)
		conf->guard = site->guard;
	else if (conf->guard < least)
		info("warning: pact.conf: Guard=%" PRId64 ": Slurm may take %" PRId64 " s to end "
		     "a job (KillWait, OverTimeLimit and ResumeTimeout of slurm.conf and its "
		     "partitions): promises behind such a job can be late",
		     conf->guard, least);
	conf->ending = site->ending;
	/* Whatever the guard does not need for ending jobs is for starting them late. */
	if (conf->guard > least) {
		conf->waking = site->waking;
		conf->lateness = conf->guard - least;
	} else {
		conf->lateness =
			conf->guard > conf->ending ? conf->guard - conf->ending : conf->guard / 2;
	}
}

static struct conf *conf_defaults(void)
{
	struct conf *conf = calloc(1, sizeof(*conf));

	if (!conf)
		return NULL;
	conf->mode = CONF_MODE_SLURM;
	conf->admission = CONF_ADMISSION_QOPS;
	conf->order = CONF_ORDER_EDF;
	conf->kfactor = 5;
	conf->relax_milli = 2000;
	conf->min_artificial = 24 * 60 * 60;
	conf->guard = -1;
	conf->plan_interval = 30;
	conf->admission_ms = 20;
	conf->accept_message = true;
	conf_dynp_init(&conf->sched);
	snprintf(conf->socket.path, sizeof(conf->socket.path), "%s", SOCKET_PATH);
	conf->socket.mode = 0777;
	conf->record.files = 8;
	conf->socket.rate = 20;
	conf->socket.timeout_us = SOCKET_TIMEOUT * INT64_C(1000000);
	return conf;
}

void conf_destroy(struct conf *conf)
{
	if (!conf)
		return;
	for (size_t i = 0; i < conf->nparts; i++)
		free(conf->parts[i].name);
	free(conf->parts);
	free(conf->record.dir);
	free(conf->history.file);
	free(conf->allow_accounts);
	free(conf->allow_qos);
	free(conf->allow_groups);
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

enum conf_admission conf_admission(const struct conf *conf, const char *partition)
{
	/* Of several lines, the last one counts. */
	for (size_t i = conf->nparts; partition && i > 0; i--)
		if (!strcmp(conf->parts[i - 1].name, partition))
			return conf->parts[i - 1].admission;
	return conf->admission;
}

/* A key whose value is one of two words. */
static bool get_word(s_p_hashtbl_t *tbl, const char *key, const char *first, const char *second,
		     int *out, char *err, size_t err_size)
{
	char *value = NULL;
	bool ok = true;

	if (!s_p_get_string(&value, key, tbl))
		return true;
	if (!strcasecmp(value, first))
		*out = 0;
	else if (!strcasecmp(value, second))
		*out = 1;
	else
		ok = false;
	if (!ok)
		say(err, err_size, "%s=%s: must be %s or %s", key, value, first, second);
	xfree(value);
	return ok;
}

/* A key whose value is a whole number in a range. */
static bool get_number(s_p_hashtbl_t *tbl, const char *key, int64_t min, int64_t max, int64_t *out,
		       char *err, size_t err_size)
{
	char *value = NULL, *end = NULL;
	long long number;
	bool ok;

	if (!s_p_get_string(&value, key, tbl))
		return true;
	errno = 0;
	number = strtoll(value, &end, 10);
	ok = !errno && end != value && !*end && number >= min && number <= max;
	if (ok)
		*out = number;
	else
		say(err, err_size, "%s=%s: must be a whole number from %" PRId64 " to %" PRId64,
		    key, value, min, max);
	xfree(value);
	return ok;
}

/* Digits, and at most three after a point: thousandths. -1: none, or more than `most`. */
static int64_t thousandths(const char *text, int64_t most)
{
	static const char digits[] = "0123456789";
	size_t whole = strspn(text, digits), part = 0;
	int64_t v = 0;

	if (text[whole] == '.')
		part = strspn(text + whole + 1, digits);
	if (!whole || part > 3 || (text[whole] == '.' && !part) ||
	    text[whole + (part ? part + 1 : 0)])
		return -1;
	for (size_t i = 0; i < whole + 3; i++) {
		size_t at = i < whole ? i : i + 1;

		v = v * 10 + (i < whole + part ? text[at] - '0' : 0);
		if (v > most)
			return -1;
	}
	return v;
}

/* A key whose value is a number with a fraction, kept in thousandths. */
static bool get_milli(s_p_hashtbl_t *tbl, const char *key, int64_t min, int64_t max, int64_t *out,
		      char *err, size_t err_size)
{
	char *value = NULL;
	int64_t number;
	bool ok;

	if (!s_p_get_string(&value, key, tbl))
		return true;
	number = thousandths(value, max * 1000);
	ok = number >= min * 1000;
	if (ok)
		*out = number;
	else
		say(err, err_size,
		    "%s=%s: must be a number from %" PRId64 " to %" PRId64
		    ", with at most 3 decimals",
		    key, value, min, max);
	xfree(value);
	return ok;
}

static void get_list(s_p_hashtbl_t *tbl, const char *key, char **out)
{
	char *value = NULL;

	if (s_p_get_string(&value, key, tbl))
		*out = strdup(value);
	xfree(value);
}

/* Socket=none or a path, SocketMode= in octal digits, SocketRate=, SocketTimeout=. */
static bool get_socket(s_p_hashtbl_t *tbl, struct conf *conf, char *err, size_t err_size)
{
	int64_t timeout = 0;
	char *value = NULL;
	bool ok = true;

	if (s_p_get_string(&value, "Socket", tbl)) {
		bool none = !strcasecmp(value, "none");

		ok = none || (value[0] == '/' && strlen(value) < sizeof(conf->socket.path) - 4);
		snprintf(conf->socket.path, sizeof(conf->socket.path), "%s", none ? "" : value);
		if (!ok)
			say(err, err_size,
			    "Socket=%s: must be none, or a path from / of at most %zu characters",
			    value, sizeof(conf->socket.path) - 5);
	}
	xfree(value);
	if (ok && s_p_get_string(&value, "SocketMode", tbl)) {
		ok = value[0] && strspn(value, "01234567") == strlen(value) && strlen(value) <= 4;
		conf->socket.mode = ok ? (uint32_t)strtoul(value, NULL, 8) & 0777 : 0;
		if (!ok)
			say(err, err_size, "SocketMode=%s: must be octal digits, such as 0770",
			    value);
	}
	xfree(value);
	ok = ok && get_number(tbl, "SocketRate", 0, 1000000, &conf->socket.rate, err, err_size) &&
	     get_number(tbl, "SocketTimeout", 1, 3600, &timeout, err, err_size);
	if (!timeout)
		timeout = conf->admission_ms > USUAL_ADMISSION_MS
				  ? SOCKET_TIMEOUT * conf->admission_ms / USUAL_ADMISSION_MS
				  : SOCKET_TIMEOUT;
	conf->socket.timeout_us = timeout * 1000000;
	return ok;
}

/* Record=off|on, RecordUsers=off|on, RecordDir= a path from /, RecordSize= in MiB, RecordFiles=. */
static bool get_record(s_p_hashtbl_t *tbl, struct conf *conf, char *err, size_t err_size)
{
	int64_t size = 64;
	int on = 0, users = 0;

	if (!get_word(tbl, "Record", "off", "on", &on, err, err_size) ||
	    !get_word(tbl, "RecordUsers", "off", "on", &users, err, err_size) ||
	    !get_number(tbl, "RecordSize", 1, 10000, &size, err, err_size) ||
	    !get_number(tbl, "RecordFiles", 2, 10000, &conf->record.files, err, err_size))
		return false;
	get_list(tbl, "RecordDir", &conf->record.dir);
	conf->record.on = on;
	conf->record.users = users;
	conf->record.size = size << 20;
	if (conf->record.dir && (conf->record.dir[0] != '/' || strlen(conf->record.dir) > 2000)) {
		say(err, err_size, "RecordDir=%.100s: must be a path from /", conf->record.dir);
		return false;
	}
	if (on && !conf->record.dir) {
		say(err, err_size, "Record=on: RecordDir= is missing");
		return false;
	}
	return true;
}

/* History=none or a path from /, HistoryAge= in days, HistorySize= in MiB. */
static bool get_history(s_p_hashtbl_t *tbl, struct conf *conf, char *err, size_t err_size)
{
	int64_t age = 365, size = 64;

	if (!get_number(tbl, "HistoryAge", 1, 36500, &age, err, err_size) ||
	    !get_number(tbl, "HistorySize", 1, 100000, &size, err, err_size))
		return false;
	get_list(tbl, "History", &conf->history.file);
	conf->history.age = age * 24 * 60 * 60;
	conf->history.size = size << 20;
	if (conf->history.file && !strcasecmp(conf->history.file, "none")) {
		free(conf->history.file);
		conf->history.file = NULL;
	}
	if (!conf->history.file ||
	    (conf->history.file[0] == '/' && strlen(conf->history.file) <= 2000))
		return true;
	say(err, err_size, "History=%.100s: must be none or a path from /", conf->history.file);
	return false;
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
	size_t n = 0;

	if (!conf->allow_groups)
		return true;
	uids = get_groups_members(conf->allow_groups);
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

static bool add_part(struct conf *conf, const char *name, enum conf_admission admission)
{
	struct conf_part *more = realloc(conf->parts, (conf->nparts + 1) * sizeof(*more));

	if (!more)
		return false;
	conf->parts = more;
	more[conf->nparts].name = strdup(name);
	more[conf->nparts].admission = admission;
	if (!more[conf->nparts].name)
		return false;
	conf->nparts++;
	return true;
}

/* A line "PartitionName=a,b Admission=none". */
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

/*
 * For the parser: names is the line's first value, the rest is *leftover.  (Slurm has
 * a type for such lines, but frees none of its tables where there is no such line.)
 */
static int read_part_line(void **out, slurm_parser_enum_t type, const char *key, const char *names,
			  const char *line, char **leftover)
{
	s_p_options_t keys[] = { { .key = "Admission", .type = S_P_STRING }, { NULL } };
	struct part_line *part = calloc(1, sizeof(*part));

	(void)type, (void)key, (void)line;
	if (!part)
		return -1;
	part->keys = s_p_hashtbl_create(keys);
	part->names = strdup(names);
	if (!part->names || !s_p_parse_line(part->keys, *leftover, leftover)) {
		free_part_line(part);
		return -1;
	}
	*out = part;
	return 1;
}

static bool get_part(const struct part_line *part, struct conf *conf, char *err, size_t err_size)
{
	char *names, *rest = NULL;
	int word = -1;
	bool ok = true;

	if (!get_word(part->keys, "Admission", "none", "qops", &word, err, err_size))
		return false;
	if (word < 0) {
		say(err, err_size, "PartitionName=%s: Admission= is missing", part->names);
		return false;
	}
	names = strdup(part->names);
	for (char *name = names ? strtok_r(names, ",", &rest) : NULL; ok && name;
	     name = strtok_r(NULL, ",", &rest))
		ok = add_part(conf, name, word ? CONF_ADMISSION_QOPS : CONF_ADMISSION_NONE);
	if (!names || !ok)
		say(err, err_size, "out of memory");
	free(names);
	return names && ok;
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

static bool get_all(s_p_hashtbl_t *tbl, struct conf *conf, char *err, size_t err_size)
{
	int mode = conf->mode, observe = 0, admission = 1, order = 0, quiet = 0;
	int64_t kfactor = conf->kfactor;
	bool ok;

	ok = get_word(tbl, "Mode", "slurm", "paper", &mode, err, err_size) &&
	     get_word(tbl, "AdmissionMode", "enforce", "observe", &observe, err, err_size) &&
	     get_word(tbl, "Admission", "none", "qops", &admission, err, err_size) &&
	     get_word(tbl, "Order", "edf", "llf", &order, err, err_size) &&
	     get_word(tbl, "AcceptMessage", "yes", "no", &quiet, err, err_size) &&
	     get_number(tbl, "KFactor", 0, 1000000, &kfactor, err, err_size) &&
	     get_milli(tbl, "Relaxation", 1, 1000000, &conf->relax_milli, err, err_size) &&
	     get_number(tbl, "MinArtificialDeadline", 0, INT32_MAX, &conf->min_artificial, err,
			err_size) &&
	     get_number(tbl, "Guard", 0, 86400, &conf->guard, err, err_size) &&
	     get_number(tbl, "PlanInterval", 1, 3600, &conf->plan_interval, err, err_size) &&
	     get_number(tbl, "AdmissionTime", 1, 5000, &conf->admission_ms, err, err_size) &&
	     get_socket(tbl, conf, err, err_size) && get_record(tbl, conf, err, err_size) &&
	     get_history(tbl, conf, err, err_size) &&
	     conf_dynp_read(tbl, &conf->sched, err, err_size) &&
	     get_parts(tbl, conf, err, err_size);
	if (!ok)
		return false;
	conf->mode = mode ? CONF_MODE_PAPER : CONF_MODE_SLURM;
	conf->observe = observe;
	conf->admission = admission ? CONF_ADMISSION_QOPS : CONF_ADMISSION_NONE;
	conf->order = order ? CONF_ORDER_LLF : CONF_ORDER_EDF;
	conf->accept_message = !quiet;
	conf->kfactor = (int32_t)kfactor;
	get_list(tbl, "AllowAccounts", &conf->allow_accounts);
	get_list(tbl, "AllowQOS", &conf->allow_qos);
	get_list(tbl, "AllowGroups", &conf->allow_groups);
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

static s_p_hashtbl_t *parse(const char *path, char *err, size_t err_size)
{
	static const s_p_options_t own[] = {
		{ .key = "Mode", .type = S_P_STRING },
		{ .key = "AdmissionMode", .type = S_P_STRING },
		{ .key = "Admission", .type = S_P_STRING },
		{ .key = "Order", .type = S_P_STRING },
		{ .key = "KFactor", .type = S_P_STRING },
		{ .key = "Relaxation", .type = S_P_STRING },
		{ .key = "MinArtificialDeadline", .type = S_P_STRING },
		{ .key = "Guard", .type = S_P_STRING },
		{ .key = "PlanInterval", .type = S_P_STRING },
		{ .key = "AdmissionTime", .type = S_P_STRING },
		{ .key = "AcceptMessage", .type = S_P_STRING },
		{ .key = "AllowAccounts", .type = S_P_STRING },
		{ .key = "AllowQOS", .type = S_P_STRING },
		{ .key = "AllowGroups", .type = S_P_STRING },
		{ .key = "Socket", .type = S_P_STRING },
		{ .key = "SocketMode", .type = S_P_STRING },
		{ .key = "SocketRate", .type = S_P_STRING },
		{ .key = "SocketTimeout", .type = S_P_STRING },
		{ .key = "Record", .type = S_P_STRING },
		{ .key = "RecordDir", .type = S_P_STRING },
		{ .key = "RecordUsers", .type = S_P_STRING },
		{ .key = "RecordSize", .type = S_P_STRING },
		{ .key = "RecordFiles", .type = S_P_STRING },
		{ .key = "History", .type = S_P_STRING },
		{ .key = "HistoryAge", .type = S_P_STRING },
		{ .key = "HistorySize", .type = S_P_STRING },
		{ .key = "PartitionName",
		  .type = S_P_ARRAY,
		  .handler = read_part_line,
		  .destroy = free_part_line },
	};
	const size_t n = sizeof(own) / sizeof(own[0]);
	s_p_options_t keys[n + CONF_DYNP_KEYS + 1];
	s_p_hashtbl_t *tbl;

	memset(keys, 0, sizeof(keys));
	memcpy(keys, own, sizeof(own));
	conf_dynp_keys(keys + n);
	tbl = s_p_hashtbl_create(keys);

	if (s_p_parse_file(tbl, NULL, (char *)path, false, NULL) != SLURM_SUCCESS) {
		say(err, err_size,
		    "%s: unknown key or unreadable line, which the line before this one "
		    "in slurmctld's log names",
		    path);
		s_p_hashtbl_destroy(tbl);
		return NULL;
	}
	return tbl;
}

struct conf *conf_load(const char *path, const struct conf_site *site, char *err, size_t err_size)
{
	struct conf *conf = conf_defaults();
	s_p_hashtbl_t *tbl;
	bool missing = !path, ok;

	err[0] = '\0';
	if (!conf) {
		say(err, err_size, "out of memory");
		return NULL;
	}
	ok = !path || file_ok(path, &missing, err, err_size);
	if (ok && !missing) {
		tbl = parse(path, err, err_size);
		ok = tbl && get_all(tbl, conf, err, err_size);
		s_p_hashtbl_destroy(tbl);
	}
	if (!ok) {
		conf_destroy(conf);
		return NULL;
	}
	err[0] = '\0';
	resolve_guard(conf, site);
	return conf;
}
