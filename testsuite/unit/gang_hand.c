/* SPDX-License-Identifier: GPL-2.0-or-later */
/* gang_hand: see gang_hand.h. */
#include "testsuite/unit/gang_hand.h"

#include <stdio.h>
#include <string.h>

#include "testsuite/unit/seed.h"

struct nodeset *set_of(uint64_t mask)
{
	struct nodeset *s = nodeset_create(NODES);

	for (uint32_t n = 0; n < NODES; n++) {
		if (mask >> n & 1)
			nodeset_set(s, n);
	}
	return s;
}

uint64_t mask_of(const struct nodeset *s)
{
	uint64_t mask = 0;

	for (uint32_t n = 0; n < NODES; n++)
		mask |= (uint64_t)nodeset_test(s, n) << n;
	return mask;
}

void open_with(struct world *w, const char *name, const struct sched_config *c)
{
	char why[200] = "";

	*w = (struct world){ .wake = PACT_FOREVER };
	w->s = sched_create(name, NODES, c, why, sizeof(why));
	if (!w->s)
		fail_msg("%s", why);
}

void open_world(struct world *w, const char *name, const char *const *settings)
{
	struct sched_config c;
	char why[200] = "";

	sched_config_init(&c);
	for (; *settings; settings += 2)
		assert_true(settings_apply(&c, settings[0], settings[1], why, sizeof(why)));
	open_with(w, name, &c);
}

void close_world(struct world *w)
{
	sched_destroy(w->s);
	for (int i = 0; i < IDS; i++)
		nodeset_destroy(w->job[i].at);
}

int tell(struct world *w, struct sched_event ev)
{
	ev.now = w->now;
	w->wake = PACT_FOREVER; /* until the next drain */
	return sched_event(w->s, &ev);
}

/* No node is used by two that run. */
static void check_nodes(const struct world *w)
{
	uint64_t used = 0;

	for (int i = 0; i < IDS; i++) {
		if (!w->job[i].runs)
			continue;
		if (used & mask_of(w->job[i].at))
			fail_msg("time %d: job %d has nodes of another one: %s", (int)w->now, i,
				 w->said);
		used |= mask_of(w->job[i].at);
	}
}

static void say(struct world *w, const struct sched_action *a, bool refused)
{
	static const char letters[] = {
		[ACT_START] = 'S',  [ACT_SUSPEND] = 's', [ACT_RESUME] = 'r', [ACT_MIGRATE] = 'm',
		[ACT_REFUSE] = 'R', [ACT_BROKEN] = 'b',	 [ACT_ACCEPT] = 'A', [ACT_MENDED] = 'M'
	};
	size_t n = strlen(w->said);

	snprintf(w->said + n, sizeof(w->said) - n, "%s%c%d%s", n ? " " : "", letters[a->type],
		 (int)a->id, refused ? "!" : "");
}

static bool is_clean(const struct world *w, const struct sched_action *a)
{
	bool clean = true;

	for (uint32_t n = 0; a->type == ACT_START && n < NODES; n++) {
		if (!w->cleans[n] || !nodeset_test(a->allowed, n))
			continue;
		clean = false;
		if (w->now - w->cleans[n] < w->lateness)
			fail_msg("time %d: job %d is to start on node %d, which cleans up since %d",
				 (int)w->now, (int)a->id, (int)n, (int)w->cleans[n]);
	}
	return clean;
}

static void do_action(struct world *w, const struct sched_action *a)
{
	struct sched_event ev = { .id = a->id };
	struct known *j = &w->job[a->id];
	bool barred = a->type == ACT_START && w->barred >> a->id & 1, clean = is_clean(w, a);
	bool refused = !clean || barred || (w->refuse && !seed_below(w->refuse));

	say(w, a, refused);
	w->now += w->slow;
	if (a->type == ACT_REFUSE && w->deadlines && !j->changed)
		j->waits = false;
	if (a->type == ACT_REFUSE || a->type == ACT_BROKEN || a->type == ACT_ACCEPT ||
	    a->type == ACT_MENDED)
		return;
	ev.type = a->type == ACT_START	   ? (refused ? EV_START_FAILED : EV_STARTED)
		  : refused		   ? EV_REFUSED
		  : a->type == ACT_SUSPEND ? EV_SUSPENDED
		  : a->type == ACT_RESUME  ? EV_RESUMED
		  : j->leaves		   ? EV_LEAVING
					   : EV_MIGRATED;
	ev.reserve = !clean; /* it lacks nodes, and nothing else */
	if (ev.type == EV_LEAVING) {
		assert_true(j->runs && !j->asked);
		j->asked = true;
	} else if (!refused) {
		if (a->allowed) {
			assert_int_equal(nodeset_count(a->allowed), a->width);
			nodeset_destroy(j->at);
			j->at = nodeset_dup(a->allowed);
		}
		assert_true(a->type != ACT_MIGRATE || !j->runs);
		w->hasty += a->type == ACT_RESUME && j->stopped == w->now;
		if (a->type == ACT_SUSPEND)
			j->stopped = w->now;
		j->started |= a->type == ACT_START;
		j->waits &= a->type != ACT_START;
		j->runs = a->type == ACT_START || a->type == ACT_RESUME;
		ev.nodes = j->at;
		ev.start = w->now;
	}
	check_nodes(w);
	assert_int_equal(tell(w, ev), PACT_OK);
}

void drain(struct world *w)
{
	struct sched_action a;

	while (sched_next(w->s, &a)) {
		if (a.type == ACT_WAKE)
			w->wake = a.end;
		else
			do_action(w, &a);
	}
	assert_string_equal(sched_error(w->s), "");
}

/* Everything up to that instant, and the instant itself, is over. */
void go(struct world *w, int64_t to)
{
	w->said[0] = '\0';
	drain(w);
	for (int n = 0; w->wake <= to; n++) {
		assert_true(n < 10000);
		w->now = w->wake > w->now ? w->wake : w->now;
		assert_int_equal(tell(w, (struct sched_event){ .type = EV_TIME }), PACT_OK);
		drain(w);
	}
	w->now = to;
}

struct sched_job job_of(uint64_t id, int32_t width)
{
	return (struct sched_job){ .id = id, .width = width, .limit = 1000, .planned = -1 };
}

int submit(struct world *w, struct sched_job d)
{
	d.submit = w->now;
	w->job[d.id].waits = true;
	return tell(w, (struct sched_event){ .type = EV_SUBMIT, .jobs = &d, .njobs = 1 });
}

void by_hand(struct world *w, enum sched_event_type type, uint64_t id, uint64_t mask)
{
	struct nodeset *nodes = mask ? set_of(mask) : NULL;

	if (nodes) {
		nodeset_destroy(w->job[id].at);
		w->job[id].at = nodeset_dup(nodes);
	}
	if (type == EV_SUSPENDED || type == EV_FINISH)
		w->job[id].runs = false;
	if (type == EV_RESUMED || type == EV_STARTED)
		w->job[id].runs = w->job[id].started = true;
	assert_int_equal(tell(w,
			      (struct sched_event){
				      .type = type, .id = id, .nodes = nodes, .start = w->now }),
			 PACT_OK);
	nodeset_destroy(nodes);
}

void halt(struct world *w, uint64_t id, bool halted)
{
	assert_int_equal(
		tell(w, (struct sched_event){ .type = EV_SUSPENDED, .id = id, .reserve = !halted }),
		PACT_OK);
	w->job[id].runs = false;
	w->job[id].halted = halted;
}

void vacate(struct world *w, uint64_t id)
{
	assert_int_equal(tell(w, (struct sched_event){ .type = EV_MIGRATED, .id = id }), PACT_OK);
	w->job[id].waits = true;
	w->job[id].started = w->job[id].runs = w->job[id].asked = w->job[id].halted = false;
}
