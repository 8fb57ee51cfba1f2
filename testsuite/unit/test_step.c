/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_step: shares of jobs whose parts go on in step, on machines at random, of which many have nodes with the same
 * jobs: no node gives more than it has, all parts of a job go at one pace, and a job that could use more has a node
 * that has nothing left.
 */
#include "testsuite/unit/seed.h"

#include <string.h>

#include "core/sharing/shares/step.h"

#define NODES 4
#define JOBS 6
#define NEAR 64 /* parts of SHARE_WHOLE that rounding may leave, for each processor */

struct machine {
	struct step step;
	struct step_node node[NODES];
	struct step_job job[JOBS];
	struct step_part part[NODES * JOBS];
	uint32_t on[NODES * JOBS];
	bool there[NODES][JOBS];
};

/* A job is on the nodes of the one before it, or on others; it has something to do. */
static void draw_jobs(struct machine *m)
{
	for (uint32_t j = 0; j < m->step.jobs; j++) {
		bool alike = j && seed_below(2), any = false;

		for (uint32_t i = 0; i < m->step.nodes; i++) {
			m->there[i][j] = alike ? m->there[i][j - 1] : seed_below(2);
			any |= m->there[i][j];
		}
		if (!any)
			m->there[seed_below(m->step.nodes)][j] = true;
	}
}

static struct share_part draw_part(int64_t work, int64_t due, uint16_t processors, int32_t rating)
{
	return (struct share_part){ .left = share_work_of(work, rating, 1000),
				    .deadline = due,
				    .processors = processors };
}

static void lay_out(struct machine *m)
{
	struct step *s = &m->step;
	uint32_t on = 0;

	for (uint32_t j = 0; j < s->jobs; j++) {
		int64_t work = 1 + seed_below(INT64_C(1000) * SHARE_SECOND);
		int64_t due = 1 + work / (1 + seed_below(5)) + seed_below(SHARE_SECOND);
		uint16_t processors = (uint16_t)(1 + seed_below(2));

		m->job[j] = (struct step_job){ .first = s->parts };
		for (uint32_t i = 0; i < s->nodes; i++) {
			if (!m->there[i][j])
				continue;
			m->job[j].n++;
			m->part[s->parts++] = (struct step_part){
				draw_part(work, due, processors, m->node[i].rating), i, j
			};
		}
	}
	for (uint32_t i = 0; i < s->nodes; i++) {
		m->node[i].first = on;
		for (uint32_t k = 0; k < s->parts; k++) {
			if (m->part[k].node == i)
				m->on[on++] = k;
		}
		m->node[i].n = on - m->node[i].first;
	}
}

static void draw(struct machine *m)
{
	static const int32_t ratings[] = { 1000, 2000, 1250, 500, 1537 };

	memset(m, 0, sizeof(*m));
	m->step = (struct step){ .node = m->node, .job = m->job, .part = m->part, .on = m->on };
	m->step.nodes = 1 + (uint32_t)seed_below(NODES);
	m->step.jobs = 1 + (uint32_t)seed_below(JOBS);
	for (uint32_t i = 0; i < m->step.nodes; i++) {
		m->node[i].rating = ratings[seed_below(5)];
		/* often as much on each, so that it hangs on rounding which of them gives the least */
		m->node[i].processors = (uint16_t)(4000 / m->node[i].rating);
	}
	draw_jobs(m);
	lay_out(m);
}

/* What a node has not given, in parts of SHARE_WHOLE. */
static int64_t left_on(const struct machine *m, uint32_t node)
{
	int64_t left = (int64_t)SHARE_WHOLE * m->node[node].processors;

	for (uint32_t k = 0; k < m->step.parts; k++) {
		if (m->part[k].node == node)
			left -= (int64_t)m->part[k].at.share * m->part[k].at.processors;
	}
	return left;
}

static void check_job(const struct machine *m, const struct step_job *j, bool idle)
{
	bool held = false;

	for (uint32_t k = j->first; k < j->first + j->n; k++) {
		const struct step_part *p = &m->part[k];
		const struct step_node *x = &m->node[p->node];
		uint64_t here = step_pace(p->at.share, x->rating);

		assert_true(here >= j->pace && here < j->pace + (uint32_t)x->rating);
		held |= left_on(m, p->node) < NEAR * x->processors;
		held |= p->at.share + NEAR >= SHARE_WHOLE;
		held |= idle && p->at.share + NEAR >= p->at.claim;
	}
	assert_true(held);
}

static void test_nothing_is_left(void **state)
{
	static struct machine m;

	(void)state;
	for (uint64_t i = 0; i < seed_rounds(20000); i++) {
		bool idle = i % 4 == 3;

		draw(&m);
		step_out(&m.step, 0, idle ? SHARE_IDLE : SHARE_SPARE);
		for (uint32_t node = 0; node < m.step.nodes; node++)
			assert_true(left_on(&m, node) >= 0);
		for (uint32_t j = 0; j < m.step.jobs; j++)
			check_job(&m, &m.job[j], idle);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_nothing_is_left) };

	return seed_run("test_step", tests);
}
