/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * handover.c - what a slurmctld hands to the one that a reconfiguration starts in its place
 */
#include "slurm/base/compat.h"

#include <errno.h>

#include "slurm/base/scheduler.h"
#include "slurm/base/state_file.h"
#include "slurm/state/handover.h"
#include "slurm/state/recorder.h"
#include "slurm/state/running_policy.h"
#include "slurm/state/terms.h"

/* The file's first words, behind which its writer is named. */
#define FORMAT "pact-handover-1"
/* What `pact record` asked for: 1 off, 2 on; and against which Record=, likewise. */
#define RECORD_ASKED "record asked"
#define RECORD_INSTEAD_OF "record instead of"
#define SWITCH(on) ((on) ? 2 : 1)

/* ---- who writes ---- */

/* This machine's life; "?" where there is none to read. */
static void boot(char out[64])
{
	FILE *f = fopen("/proc/sys/kernel/random/boot_id", "re");

	if (!f || fscanf(f, "%63s", out) != 1)
		snprintf(out, 64, "?");
	if (f)
		fclose(f);
}

/* When a process began, in ticks since then: with its number, no other has that.  RET 0: there is none */
static unsigned long long began(long pid)
{
	unsigned long long ticks = 0;
	char name[64], line[1024] = "";
	const char *at;
	FILE *f;

	snprintf(name, sizeof(name), "/proc/%ld/stat", pid);
	f = fopen(name, "re");
	if (!f)
		return 0;
	/* The second field is its command in brackets, which may have any in it; this one is the 22nd. */
	at = fgets(line, sizeof(line), f) ? strrchr(line, ')') : NULL;
	fclose(f);
	for (int field = 2; at && field < 22; field++)
		at = strchr(at + 1, ' ');
	return at && sscanf(at, "%llu", &ticks) == 1 ? ticks : 0;
}

/* Does the writer of a text live? */
static bool of_the_living(const char *text)
{
	char there[64], here[64];
	unsigned long long ticks;
	long pid;

	boot(here);
	return sscanf(text, FORMAT " %63s %ld %llu", there, &pid, &ticks) == 3 &&
	       !strcmp(there, here) && pid > 0 && ticks && began(pid) == ticks;
}

/* ---- writing ---- */

struct telling {
	char *text;
	size_t used;
};

static void tell(void *arg, const char *name, uint64_t *counter)
{
	struct telling *t = arg;
	size_t room = HANDOVER_SIZE - t->used;
	int n;

	if (!*counter)
		return;
	n = snprintf(t->text + t->used, room, "%s %" PRIu64 "\n", name, *counter);
	if (n > 0 && (size_t)n < room)
		t->used += (size_t)n;
	else
		t->text[t->used] = '\0'; /* as a whole or not at all */
}

static void tell_wish(struct telling *t)
{
	struct recorder_wish wish;

	recorder_wish(&wish);
	if (!wish.asked)
		return;
	tell(t, RECORD_ASKED, &(uint64_t){ SWITCH(wish.on) });
	tell(t, RECORD_INSTEAD_OF, &(uint64_t){ SWITCH(wish.instead_of) });
}

void handover_tell(struct bridge *b, char text[HANDOVER_SIZE])
{
	struct telling t = { .text = text };
	struct tally tally = b->tally;
	char life[64];

	boot(life);
	t.used = (size_t)snprintf(text, HANDOVER_SIZE, FORMAT " %s %ld %llu\n", life,
				  (long)getpid(), began(getpid()));
	tally.left_out[TALLY_ANEW] += terms_open(b);
	tally_each(&tally, tell, &t);
	slices_each(&b->slicing, tell, &t);
	running_policy_tell(b, tell, &t);
	tell_wish(&t);
}

void handover_write(const char text[HANDOVER_SIZE])
{
	int err = state_file_write(HANDOVER_FILE, text);

	if (err > 0)
		error("%s: %s: %s: if this is a reconfiguration, counting begins anew",
		      scheduler_type(), HANDOVER_FILE, strerror(err));
}

/* ---- taking ---- */

struct line {
	const char *name;
	uint64_t number;
};

static void take(void *arg, const char *name, uint64_t *counter)
{
	const struct line *line = arg;

	if (!strcmp(name, line->name))
		*counter += line->number;
}

/* "NAME NUMBER"; what this Pact does not know is passed over. */
static void take_line(struct bridge *b, char *text, uint64_t *asked, uint64_t *instead_of)
{
	struct line line = { .name = text };
	char *number = strrchr(text, ' ');

	if (!number || sscanf(number, " %" SCNu64, &line.number) != 1)
		return;
	*number = '\0';
	tally_each(&b->tally, take, &line);
	slices_each(&b->slicing, take, &line);
	running_policy_add(take, &line);
	take(&line, RECORD_ASKED, asked);
	take(&line, RECORD_INSTEAD_OF, instead_of);
}

/* The lines behind the first. */
static void take_all(struct bridge *b, char *text)
{
	uint64_t asked = 0, instead_of = 0;
	char *rest = NULL;

	(void)strtok_r(text, "\n", &rest);
	for (char *line; (line = strtok_r(NULL, "\n", &rest));)
		take_line(b, line, &asked, &instead_of);
	recorder_resume(&(struct recorder_wish){ .asked = asked,
						 .on = asked == SWITCH(true),
						 .instead_of = instead_of == SWITCH(true) });
}

void handover_take(struct bridge *b)
{
	static bool taken; /* by the thread that calls init() */
	char text[HANDOVER_SIZE];
	ssize_t n;

	if (taken)
		return;
	taken = true;
	n = state_file_read(HANDOVER_FILE, text, sizeof(text) - 1);
	if (n < 0 && errno != ENOENT)
		error("%s: %s: %s: counting begins anew", scheduler_type(), HANDOVER_FILE,
		      strerror(errno));
	if (n <= 0)
		return;
	text[n] = '\0';
	if (!of_the_living(text))
		return;
	pthread_mutex_lock(&b->lock);
	take_all(b, text);
	pthread_mutex_unlock(&b->lock);
	state_file_remove(HANDOVER_FILE);
	debug("%s: goes on with the counters of the slurmctld before", scheduler_type());
}
