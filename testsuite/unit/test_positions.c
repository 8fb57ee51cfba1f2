/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_positions: where a position of Figure 3 is not tried, as the new job was late at once at an earlier
 * one, it is tried here, and comes to the same: the new job alone is late, and no earlier.
 *
 * partial_open(), search_failed() and search_fresh(), with which each search begins, are wrapped by the linker.
 */
#include <inttypes.h>

#include "core/promise/admission.h"
#include "core/promise/partial.h"
#include "testsuite/unit/feed.h"
#include "testsuite/unit/inside.h"
#include "testsuite/unit/seed.h"

#define ROUNDS 48

int __real_partial_open(struct attempt *a, struct partial *w);
int __wrap_partial_open(struct attempt *a, struct partial *w);
struct job **__real_search_fresh(struct search *q);
struct job **__wrap_search_fresh(struct search *q);
void __real_search_failed(struct search *q, const struct attempt_report *r);
void __wrap_search_failed(struct search *q, const struct attempt_report *r);

static size_t tried, noted; /* positions of this search, and how many of its failures were noted */
static uint64_t untried;

/* At the position it is late at once, too, and no earlier. */
static void try_untried(const struct search *q, const struct attempt_report *r, size_t ts)
{
	struct attempt a = { .s = q->s,
			     .trial = &q->s->trial,
			     .prefix = q->order,
			     .ts = ts,
			     .list = q->order + ts,
			     .list_n = q->n - ts,
			     .sorted = q->s->sorted,
			     .fresh = q->s->fresh,
			     .fresh_n = q->fresh_n,
			     .fresh_first = true,
			     .k = q->s->config.kfactor };

	assert_int_equal(attempt_run(&a), 0);
	assert_int_equal(a.report.violations, 1);
	assert_ptr_equal(a.report.critical, q->s->fresh[0]);
	assert_ptr_equal(r->critical, q->s->fresh[0]);
	assert_true(a.report.late >= r->late && q->best.late <= r->late);
	untried++;
}

void __wrap_search_failed(struct search *q, const struct attempt_report *r)
{
	size_t before = tried;

	if (++noted > tried) {
		assert_int_equal(r->violations, 1);
		try_untried(q, r, figure3_position(q->n, (unsigned)(noted - 1)));
	}
	tried = before; /* that one does not count */
	__real_search_failed(q, r);
}

struct job **__wrap_search_fresh(struct search *q)
{
	tried = noted = 0;
	return __real_search_fresh(q);
}

int __wrap_partial_open(struct attempt *a, struct partial *w)
{
	tried++;
	return __real_partial_open(a, w);
}

/* ---- long queues ---- */

#define NODES 8
#define JOBS 120
#define MOST 3 /* that come together */

static struct sched_job some_job(struct feed *f, struct nodeset *const *half, uint64_t id,
				 bool hurry)
{
	struct sched_job j = feed_job(id, (int32_t)(1 + seed_below(NODES / 2)), 1 + seed_below(90));

	j.submit = f->now;
	j.priority = -seed_below(50);
	if (half[0] && seed_below(2))
		j.alt[j.nalt++] = half[seed_below(2)];
	else if (!seed_below(4))
		j.width = NODES;
	if (hurry)
		j.deadline = f->now + j.limit + 1 + seed_below(seed_below(2) ? 300 : 2000);
	return j;
}

static void submit(struct feed *f, struct nodeset *const *half, uint64_t id)
{
	struct sched_job j[MOST];
	size_t n = seed_below(3) ? 1 : 1 + (size_t)seed_below(MOST);
	bool hurry = seed_below(4);
	struct sched_decision d;

	for (size_t i = 0; i < n; i++)
		j[i] = some_job(f, half, id + i, hurry);
	if (hurry && !seed_below(4))
		sched_ask(f->s, f->now, j, n, &d);
	assert_int_equal(
		feed_event(f, (struct sched_event){ .type = EV_SUBMIT, .jobs = j, .njobs = n }),
		PACT_OK);
}

/* A waiting job gets other terms, perhaps; a job that runs out ends. */
static void go_on(struct feed *f, struct nodeset *const *half, uint64_t last)
{
	struct sched_view v;

	for (uint64_t id = 1; id < last; id++) {
		if (sched_view(f->s, id, &v) != PACT_OK)
			continue;
		if (v.running && (v.end <= f->now || !seed_below(20))) {
			feed_finish(f, id);
		} else if (!v.running && !seed_below(60)) {
			struct sched_job j = some_job(f, half, id, seed_below(4));
			struct sched_decision d;

			j.submit = v.submit;
			if (j.deadline && seed_below(2))
				sched_ask_change(f->s, f->now, &j, &d);
			feed_event(f, (struct sched_event){
					      .type = EV_CHANGE, .jobs = &j, .njobs = 1 });
		}
	}
}

static void busy(enum sched_mode mode, uint64_t round)
{
	struct nodeset *half[2] = { NULL, NULL };
	struct sched_config c;
	struct feed f = { 0 };

	sched_config_init(&c);
	c.mode = mode;
	c.kfactor = (int32_t)(round % 7);
	c.order = round & 8 ? ORDER_LLF : ORDER_EDF;
	c.min_artificial = 100;
	c.offer_probes = (int32_t)seed_below(4);
	for (int i = 0; i < 2 && round % 2; i++)
		half[i] = feed_nodes(NODES, i ? 0xf0 : 0x3f);
	feed_open(&f, "qops", NODES, &c);
	for (uint64_t id = 1; id <= JOBS; id += MOST) {
		submit(&f, half, id);
		if (seed_below(3))
			feed_drain(&f);
		f.now += seed_below(4);
		go_on(&f, half, id);
	}
	feed_close(&f);
	nodeset_destroy(half[0]);
	nodeset_destroy(half[1]);
}

static void test_busy(void **state)
{
	uint64_t rounds = seed_rounds(ROUNDS);

	(void)state;
	for (uint64_t round = 0; round < rounds; round++)
		busy(round / 3 % 2 ? SCHED_MODE_SLURM : SCHED_MODE_PAPER, round);
	print_message("# %" PRIu64 " positions not tried\n", untried);
	assert_true(untried > rounds);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_busy),
	};

	return seed_run("test_positions", tests);
}
