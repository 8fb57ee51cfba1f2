/* SPDX-License-Identifier: GPL-2.0-or-later */
/* history_queue.c - see history_queue.h */
#include "slurm/history/history_queue.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "slurm/history/history_db.h"
#include "slurm/base/patience.h"

/* Of one transaction. */
#define BATCH 64
/* Seconds between two looks at what is too old. */
#define PRUNE_EVERY 60

/* All with lock. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static struct history_item *head, **tail = &head;
static size_t queued;
static struct history_settings settings; /* its file: below */
static struct history_status status;
static uint64_t version;			      /* of the settings */
static bool look;				      /* whether the file can be opened by now */
static bool asked;				      /* what jobs needed is to be read */
static enum history_reading reading = HISTORY_UNREAD; /* of that, */
static struct history_pasts past;		      /* what was read */
static int64_t at_work; /* monotonic: when the write at work began; 0: none */

static struct patience life; /* of the thread */

/* What the writing thread works with. */
struct work {
	struct history_db *db;
	struct history_settings settings;
	char file[PATH_MAX];
	uint64_t version;
	int64_t again;	/* monotonic: not opened before */
	bool unopened;	/* the trouble is that it cannot be opened */
	int64_t pruned; /* monotonic */
	struct history_item *items[BATCH];
	struct history_entry entries[BATCH];
	size_t n;
	bool reads; /* what jobs needed is to be read, after these */
};

static int64_t monotonic(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec;
}

static void item_free(struct history_item *item)
{
	if (item)
		free(item->live);
	free(item);
}

/* ---- the thread that writes ---- */

static void say(const struct work *w, bool bad, const char *text)
{
	if (w->settings.say)
		w->settings.say(bad, text);
}

/* It is told once, until something has been written again or another trouble comes. */
static void trouble(struct work *w, const char *why)
{
	char line[PATH_MAX + 2 * HISTORY_WHY];
	bool told;

	pthread_mutex_lock(&lock);
	told = status.trouble[0];
	snprintf(status.trouble, sizeof(status.trouble), "%s", why);
	pthread_mutex_unlock(&lock);
	history_db_close(w->db);
	w->db = NULL;
	w->again = monotonic() + w->settings.retry;
	snprintf(line, sizeof(line), "History=%s: nothing is written: %s", w->file, why);
	if (!told)
		say(w, true, line);
}

static void prune(struct work *w)
{
	char why[HISTORY_WHY];

	w->pruned = monotonic();
	if (w->db && history_db_prune(w->db, time(NULL) - w->settings.age, why))
		trouble(w, why);
}

/* No more trouble: that is told. */
static void well(struct work *w)
{
	char line[PATH_MAX + HISTORY_WHY];
	int64_t bytes = history_db_bytes(w->db);
	bool again;

	pthread_mutex_lock(&lock);
	again = status.trouble[0];
	status.trouble[0] = '\0';
	status.bytes = bytes;
	pthread_mutex_unlock(&lock);
	snprintf(line, sizeof(line), "History=%s: is written again", w->file);
	if (again)
		say(w, false, line);
}

static void open_db(struct work *w)
{
	char why[HISTORY_WHY], line[2 * PATH_MAX + HISTORY_WHY];
	bool moved;

	if (w->db || !w->file[0] || monotonic() < w->again)
		return;
	w->db = history_db_open(w->file, w->settings.size, &moved, why);
	if (moved) {
		snprintf(line, sizeof(line), "History=%s: it was corrupt, and is now %s.corrupt",
			 w->file, w->file);
		say(w, true, line);
	}
	if (!w->db)
		trouble(w, why);
	else if (w->unopened)
		well(w);
	w->unopened = !w->db;
	if (w->db)
		prune(w);
}

/* What is written or not is counted. */
static void count(struct work *w, bool ok)
{
	pthread_mutex_lock(&lock);
	if (ok)
		status.written += w->n;
	else if (w->file[0])
		status.lost += w->n;
	pthread_mutex_unlock(&lock);
	if (ok)
		well(w);
}

/* A full one is tried once more without its oldest entries, a corrupt one with a new file. */
static bool write_batch(struct work *w)
{
	char why[HISTORY_WHY], ignored[HISTORY_WHY];
	int rc;

	for (int try = 0; try < 2; try++) {
		open_db(w);
		if (!w->db)
			return false;
		rc = history_db_write(w->db, w->entries, w->n, why);
		if (rc == SQLITE_OK)
			return true;
		if ((rc & 0xff) == SQLITE_FULL)
			history_db_prune(w->db, time(NULL) - w->settings.age, ignored);
		else if (!history_db_corrupt(rc))
			break;
		else {
			history_db_close(w->db);
			w->db = NULL;
		}
	}
	trouble(w, why);
	return false;
}

/* Settings and entries, as they have come.  RET false: the end */
static bool take(struct work *w)
{
	bool changed, looks;

	pthread_mutex_lock(&lock);
	while (!head && !life.ending && version == w->version && !look && !asked)
		pthread_cond_wait(&more, &lock);
	changed = version != w->version;
	looks = look || changed;
	look = false;
	if (changed) {
		w->version = version;
		w->settings = settings;
		snprintf(w->file, sizeof(w->file), "%s", status.file);
	}
	for (w->n = 0; head && w->n < BATCH; w->n++) {
		w->items[w->n] = head;
		head = head->next;
		queued--;
	}
	if (!head)
		tail = &head;
	w->reads = asked && !head;
	asked = asked && head;
	at_work = w->n || looks || w->reads ? monotonic() : 0;
	pthread_mutex_unlock(&lock);
	if (changed) {
		history_db_close(w->db);
		w->db = NULL;
		w->again = 0;
		w->unopened = false;
	}
	return w->n || looks || w->reads;
}

/* What jobs needed, for the thread that has asked. */
static void read_past(struct work *w)
{
	struct history_pasts found = { 0 };
	char why[HISTORY_WHY];
	int rc;

	open_db(w);
	rc = w->db ? history_db_past(w->db, &found, why) : SQLITE_CANTOPEN;
	if (w->db && rc != SQLITE_OK)
		trouble(w, why);
	pthread_mutex_lock(&lock);
	free(past.v);
	past = found;
	reading = rc == SQLITE_OK ? HISTORY_READ : HISTORY_UNREAD;
	pthread_mutex_unlock(&lock);
}

static void *writer(void *arg)
{
	struct work *w = arg;

	while (take(w)) {
		for (size_t i = 0; i < w->n; i++)
			w->entries[i] = w->items[i]->entry;
		if (w->n)
			count(w, write_batch(w));
		else
			open_db(w);
		for (size_t i = 0; i < w->n; i++)
			item_free(w->items[i]);
		if (w->reads)
			read_past(w);
		/* Every transaction may be the one too much; ages change slowly. */
		if (w->db && (w->n == BATCH || monotonic() - w->pruned >= PRUNE_EVERY))
			prune(w);
		pthread_mutex_lock(&lock);
		at_work = 0;
		pthread_mutex_unlock(&lock);
		life.progress++;
	}
	history_db_close(w->db);
	free(w);
	patience_over(&life, &lock);
	return NULL;
}

/* ---- the queue ---- */

/* With lock.  RET false: no memory, or an earlier one hangs on its disk */
static bool start_thread(void)
{
	struct work *w;

	if (life.running)
		return true;
	w = calloc(1, sizeof(*w));
	if (w && !patience_begin(&life, writer, w))
		return true;
	free(w);
	return false;
}

void history_configure(const struct history_settings *new)
{
	const char *file = new->file ? new->file : "";

	pthread_mutex_lock(&lock);
	settings = *new;
	settings.file = NULL;
	status.on = file[0] != '\0';
	status.trouble[0] = '\0';
	if (strcmp(status.file, file))
		status.bytes = 0;
	snprintf(status.file, sizeof(status.file), "%s", file);
	version++;
	pthread_cond_broadcast(&more);
	pthread_mutex_unlock(&lock);
}

void history_push(struct history_item *item)
{
	void (*tell)(bool bad, const char *text) = NULL;
	char line[PATH_MAX + 2 * HISTORY_WHY];
	bool full = false, running;

	pthread_mutex_lock(&lock);
	running = status.on && start_thread();
	if (!item || !running || queued >= HISTORY_QUEUE) {
		full = status.on;
	} else {
		*tail = item;
		tail = &item->next;
		queued++;
		item = NULL;
		pthread_cond_broadcast(&more);
	}
	status.lost += full;
	if (full && !status.trouble[0]) {
		snprintf(status.trouble, sizeof(status.trouble), "%s",
			 running ? "its queue is full: the disk is slow, or hangs"
				 : "its thread hangs on the disk, or cannot be begun");
		snprintf(line, sizeof(line), "History=%s: entries are lost: %s", status.file,
			 status.trouble);
		tell = settings.say;
	}
	pthread_mutex_unlock(&lock);
	item_free(item);
	if (tell)
		tell(true, line);
}

void history_open(void)
{
	pthread_mutex_lock(&lock);
	if (status.on && start_thread() && status.trouble[0]) {
		look = true;
		pthread_cond_broadcast(&more);
	}
	pthread_mutex_unlock(&lock);
}

void history_past_ask(void)
{
	pthread_mutex_lock(&lock);
	asked = status.on && start_thread();
	reading = asked ? HISTORY_READING : HISTORY_UNREAD;
	pthread_cond_broadcast(&more);
	pthread_mutex_unlock(&lock);
}

enum history_reading history_past_take(struct history_pasts *out)
{
	enum history_reading how;

	*out = (struct history_pasts){ 0 };
	pthread_mutex_lock(&lock);
	how = reading;
	if (how == HISTORY_READ) {
		*out = past;
		past = (struct history_pasts){ 0 };
		reading = HISTORY_UNREAD;
	}
	pthread_mutex_unlock(&lock);
	return how;
}

bool history_is_on(void)
{
	bool on;

	pthread_mutex_lock(&lock);
	on = status.on;
	pthread_mutex_unlock(&lock);
	return on;
}

void history_look(struct history_status *out)
{
	pthread_mutex_lock(&lock);
	*out = status;
	pthread_mutex_unlock(&lock);
}

bool history_hangs(void)
{
	bool yes;

	pthread_mutex_lock(&lock);
	yes = at_work && monotonic() - at_work >= settings.hangs;
	pthread_mutex_unlock(&lock);
	return yes;
}

void history_stop(void)
{
	void (*tell)(bool bad, const char *text);
	char line[PATH_MAX + HISTORY_WHY];

	if (patience_end(&life, &lock, &more))
		return;
	pthread_mutex_lock(&lock);
	tell = settings.say;
	snprintf(line, sizeof(line), "History=%s: its disk hangs: what is queued may be lost",
		 status.file);
	pthread_mutex_unlock(&lock);
	if (tell)
		tell(true, line);
}
