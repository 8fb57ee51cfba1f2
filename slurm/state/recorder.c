/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * recorder.c - what the bridge says to the core, written down
 *
 * The queue's own lock is held for a few instructions at a time, by the thread
 * that writes too: a thread that makes lines never waits for a disk.
 */
#include "slurm/base/compat.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <json-c/json.h>

#include "core/kernel/retell.h"
#include "slurm/base/patience.h"
#include "slurm/state/recorder.h"
#include "slurm/base/scheduler.h"
#include "slurm/base/clock.h"
#include "slurm/state/core.h"
#include "tape/layout.h"
#include "tape/tape.h"

/* Bytes that may wait to be written; what 10,000 jobs are told by takes about 4 MB. */
#define QUEUE_MOST (64 << 20)
/* Microseconds between two tellings. */
#define TELL_EVERY (30 * 1000000LL)
/* Names that a new file is tried under. */
#define MOST_NAMES 1000

struct item {
	struct item *next;
	enum {
		LINE,
		OPEN,
		CLOSE,
		USER
	} what;		     /* OPEN: a new file, in the directory that `text` names */
	int files;	     /* OPEN: how many to keep */
	struct retold *told; /* OPEN: what the file begins with, not yet as text */
	uint64_t core;	     /* USER: the job */
	uint32_t uid;	     /* USER: its user */
	size_t length;
	char text[];
};

/* With the bridge's mutex. */
static struct tape *tape;
static bool wanted, recording, users;
static struct recorder_wish wish;
static char dir[4096];
static int64_t size_most;
static int files_most;
static int64_t told; /* clock_us() of the last telling; 0: none */

/* With queue_lock. */
static pthread_mutex_t queue_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t queue_more = PTHREAD_COND_INITIALIZER;
static struct item *head, **tail = &head;
static size_t queued;
static struct patience life;	   /* of the thread */
static char current[PATH_MAX];	   /* the file at work */
static char stopped[RECORDER_WHY]; /* why, when broken */

/* Set by either side. */
static _Atomic bool broken;
static _Atomic int64_t written; /* bytes of the file at work */

/* The writing thread's own. */
static FILE *file;
static int serial;

/* ---- the thread that writes ---- */

static void fail(const char *what, int err)
{
	if (atomic_exchange(&broken, true))
		return;
	error("%s: the recording stops: %s: %s", scheduler_type(), what, strerror(err));
	pthread_mutex_lock(&queue_lock);
	snprintf(stopped, sizeof(stopped), "%.200s: %s", what, strerror(err));
	pthread_mutex_unlock(&queue_lock);
}

static void show_file(const char *name)
{
	pthread_mutex_lock(&queue_lock);
	snprintf(current, sizeof(current), "%s", name);
	pthread_mutex_unlock(&queue_lock);
}

static void close_file(void)
{
	if (file && fclose(file))
		fail("closing its file", errno);
	file = NULL;
	show_file("");
}

static int is_ours(const struct dirent *entry)
{
	size_t n = strlen(entry->d_name);

	return n > 9 && !strncmp(entry->d_name, "pact-", 5) &&
	       !strcmp(entry->d_name + n - 4, ".rec");
}

/* A newer Pact's, by the version that a recording begins with. */
static bool is_newer(const char *name)
{
	static const char begin[] = "{\"tape\":";
	char head[32] = "";
	int fd = open(name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return false;
	n = read(fd, head, sizeof(head) - 1);
	close(fd);
	return n > 0 && !strncmp(head, begin, sizeof(begin) - 1) &&
	       strtol(head + sizeof(begin) - 1, NULL, 10) > TAPE_VERSION;
}

/* The names have the time in them: from the last one on, `keep` of them stay, and what a newer Pact has left. */
static void prune(const char *path, int keep)
{
	struct dirent **list = NULL;
	int n = scandir(path, &list, is_ours, alphasort);

	for (int i = n - 1; i >= 0; i--) {
		char name[PATH_MAX];

		if (snprintf(name, sizeof(name), "%s/%s", path, list[i]->d_name) <
			    (int)sizeof(name) &&
		    !is_newer(name) && keep-- <= 0)
			unlink(name);
		free(list[i]);
	}
	free(list);
}

/*
 * A new file of this second; one is there already where a controller that was killed within it has begun
 * that. RET its descriptor or -1; OUT name
 */
static int create_file(const char *path, char *name, size_t size)
{
	time_t now = time(NULL);
	char stamp[32];
	struct tm tm;
	int fd, tries = 0;

	localtime_r(&now, &tm);
	strftime(stamp, sizeof(stamp), "%Y%m%d-%H%M%S", &tm);
	do {
		snprintf(name, size, "%s/pact-%s-%06d.rec", path, stamp, ++serial);
		fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	} while (fd < 0 && errno == EEXIST && ++tries < MOST_NAMES);
	return fd;
}

static void open_file(const char *path, int keep)
{
	char name[PATH_MAX];
	int fd;

	close_file();
	if (mkdir(path, 0700) && errno != EEXIST) {
		fail(path, errno);
		return;
	}
	prune(path, keep - 1);
	fd = create_file(path, name, sizeof(name));
	file = fd >= 0 ? fdopen(fd, "w") : NULL;
	if (!file) {
		fail(name, errno);
		if (fd >= 0)
			close(fd);
		return;
	}
	written = 0;
	show_file(name);
	info("%s: recording into %s", scheduler_type(), name);
}

static void write_line(const char *text, size_t length)
{
	if (fwrite(text, 1, length, file) != length || fputc('\n', file) == EOF)
		fail("writing", errno);
	written += (int64_t)length + 1;
}

static void write_told(void *arg, const char *text, size_t length)
{
	(void)arg;
	if (broken)
		return;
	write_line(text, length);
	life.progress++;
}

/* Names come from anywhere, and may be slow. */
static void write_user(const struct item *item)
{
	struct json_object *line = json_object_new_object(), *note = json_object_new_object();
	char *name = uid_to_string(item->uid);
	const char *text;

	json_object_object_add(note, "id", json_object_new_int64((int64_t)item->core));
	json_object_object_add(note, "user", json_object_new_string(name));
	json_object_object_add(line, "note", note);
	text = json_object_to_json_string_ext(line, JSON_C_TO_STRING_PLAIN);
	if (text)
		write_line(text, strlen(text));
	json_object_put(line);
	xfree(name);
}

static void write_item(const struct item *item)
{
	if (broken || item->what == CLOSE) {
		close_file(); /* with a gap it could not be played */
		return;
	}
	if (item->what == OPEN) {
		open_file(item->text, item->files);
		if (file)
			tape_tell(item->told, write_told, NULL);
		return;
	}
	if (file && item->what == USER)
		write_user(item);
	else if (file)
		write_line(item->text, item->length);
}

static size_t item_bytes(const struct item *item)
{
	return sizeof(*item) + item->length + (item->told ? retold_bytes(item->told) : 0);
}

static void free_item(struct item *item)
{
	if (item)
		retold_destroy(item->told);
	free(item);
}

static struct item *next_item(void)
{
	struct item *item;

	pthread_mutex_lock(&queue_lock);
	if (!head && file) {
		/* what a kill -9 may take is what came since the queue was empty */
		pthread_mutex_unlock(&queue_lock);
		if (fflush(file))
			fail("writing", errno);
		pthread_mutex_lock(&queue_lock);
	}
	while (!head && !life.ending)
		pthread_cond_wait(&queue_more, &queue_lock);
	item = head;
	if (item) {
		head = item->next;
		if (!head)
			tail = &head;
		queued -= item_bytes(item);
	}
	pthread_mutex_unlock(&queue_lock);
	return item;
}

static void *writer(void *arg)
{
	struct item *item;

	(void)arg;
	while ((item = next_item())) {
		write_item(item);
		free_item(item);
		life.progress++;
	}
	close_file();
	patience_over(&life, &queue_lock);
	return NULL;
}

/* ---- the queue ---- */

static struct item *new_item(const char *text, size_t length, int what)
{
	struct item *item = malloc(sizeof(*item) + length + 1);

	if (!item)
		return NULL;
	*item = (struct item){ .what = what, .files = files_most, .length = length };
	memcpy(item->text, text, length);
	item->text[length] = '\0';
	return item;
}

/* NULL: no memory. */
static void push_item(struct item *item)
{
	bool full = !item;

	if (item) {
		pthread_mutex_lock(&queue_lock);
		full = queued + item_bytes(item) > QUEUE_MOST;
		if (!full) {
			*tail = item;
			tail = &item->next;
			queued += item_bytes(item);
			pthread_cond_signal(&queue_more);
		}
		pthread_mutex_unlock(&queue_lock);
	}
	if (full) {
		free_item(item);
		fail("its queue", ENOBUFS);
	}
}

static void push(const char *text, size_t length, int what)
{
	push_item(new_item(text, length, what));
}

static void take_line(void *arg, const char *text, size_t length)
{
	(void)arg;
	if (!broken)
		push(text, length, LINE);
}

/* ---- the bridge's side ---- */

void recorder_configure(const struct conf *conf)
{
	if (wish.instead_of != conf->record_on)
		wish = (struct recorder_wish){ .instead_of = conf->record_on };
	users = conf->record_users;
	snprintf(dir, sizeof(dir), "%s", conf->record_dir ? conf->record_dir : "");
	size_most = conf->record_size;
	files_most = (int)conf->record_files;
	wanted = dir[0] && (wish.asked ? wish.on : conf->record_on);
	recorder_forget(); /* a new file, in the directory that holds now */
	if (!wanted && life.running)
		push("", 0, CLOSE);
	broken = false;
}

bool recorder_want(bool on, char why[RECORDER_WHY])
{
	if (on && !dir[0]) {
		snprintf(why, RECORDER_WHY, "RecordDir= is missing in pact.conf");
		return false;
	}
	wish.asked = true;
	wish.on = on;
	if (on && wanted && !broken)
		return true;
	recorder_forget();
	wanted = on;
	if (on)
		broken = false;
	else if (life.running)
		push("", 0, CLOSE);
	return true;
}

void recorder_wish(struct recorder_wish *out)
{
	*out = wish;
}

void recorder_resume(const struct recorder_wish *then)
{
	char why[RECORDER_WHY];

	if (then->asked && then->instead_of == wish.instead_of)
		(void)recorder_want(then->on, why);
}

void recorder_look(struct recorder_status *out)
{
	*out = (struct recorder_status){ .wanted = wanted, .bytes = written };
	out->recording = recording && wanted && !broken;
	pthread_mutex_lock(&queue_lock);
	snprintf(out->file, sizeof(out->file), "%s", current);
	if (broken)
		snprintf(out->stopped, sizeof(out->stopped), "%s", stopped);
	pthread_mutex_unlock(&queue_lock);
	if (!out->file[0])
		out->bytes = 0;
}

void recorder_forget(void)
{
	if (tape)
		tape_stop(tape);
	recording = false;
	told = 0;
}

void recorder_rest(struct bridge *b)
{
	int64_t now = clock_us();
	struct sched_config config;
	struct item *begin;
	int rc;

	if (recording && (!wanted || broken))
		recorder_forget();
	if (!wanted || broken || !b->core || (recording && written < size_most) ||
	    (told && now - told < TELL_EVERY) || sched_retell(b->core, NULL, NULL) != PACT_OK)
		return;
	if (!tape)
		tape = tape_create(take_line, NULL);
	rc = tape ? patience_begin(&life, writer, NULL) : ENOMEM;
	if (rc) {
		fail(rc == EBUSY ? "its disk hangs" : "starting it", rc);
		return;
	}
	bridge_sched_config(b, &config);
	begin = new_item(dir, strlen(dir), OPEN);
	if (begin && tape_start_later(tape, b->core, b->nodes, &config, "slurmctld", QUEUE_MOST,
				      &begin->told) != PACT_OK) {
		free_item(begin);
		fail("telling what is known", ENOMEM);
		return;
	}
	/* before the writer can see it: what it counts from then on is the new file's */
	written = 0;
	push_item(begin);
	recording = true;
	told = clock_us();
}

void recorder_note(uint64_t core, uint64_t key)
{
	char text[48];

	if (!recording || broken)
		return;
	if ((uint32_t)key == NO_VAL)
		snprintf(text, sizeof(text), "%" PRIu64, key >> 32);
	else
		snprintf(text, sizeof(text), "%" PRIu64 "_%" PRIu32, key >> 32, (uint32_t)key);
	tape_note(tape, core, "job", text);
}

void recorder_note_user(uint64_t core, uint32_t uid)
{
	struct item *item;

	if (!users || !recording || broken)
		return;
	item = new_item("", 0, USER);
	if (item) {
		item->core = core;
		item->uid = uid;
	}
	push_item(item);
}

void recorder_stop(void)
{
	if (!patience_end(&life, &queue_lock, &queue_more))
		error("%s: the recording's disk hangs: what is queued may be lost",
		      scheduler_type());
}
