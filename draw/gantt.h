/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gantt: a schedule as a picture, nodes over time, in SVG.
 *
 * Nodes stand on the y axis, counted downwards, time on the x axis. A job is a box on each contiguous
 * range of its nodes, or several where it was suspended in between; where jobs share nodes, a node's row is divided into bands as high as their shares. What can be told from it, also in black and white: hatched boxes are promised
 * jobs, and a small flag stands at the deadline of each; outlines are thin for what has ended, thick
 * for what runs, dashed for what is planned. Words never lie over words: what does not fit is left off,
 * and stands in the box's tooltip.
 *
 * It knows nothing but the C library: simulator and commands both call it.
 */
#ifndef PACT_DRAW_GANTT_H
#define PACT_DRAW_GANTT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "draw/rows.h"
#include "draw/ticks.h"

enum gantt_kind {
	GANTT_ENDED = 0, /* at its own end, or at its limit */
	GANTT_RUNNING,
	GANTT_PLANNED,
	GANTT_LOST,    /* ended otherwise: failed, cancelled, past its deadline */
	GANTT_BLOCKED, /* no job: nodes that are down or reserved */
};

/* What a job has of one node for a while. */
struct gantt_band {
	uint32_t node;
	double from, to;  /* time */
	double low, high; /* of the row, from its upper edge: 0 to 1 */
};

/* A job runs for a while, on these nodes. */
struct gantt_turn {
	int64_t from, to;
	const struct rows_range *range;
	size_t ranges;
};

struct gantt_bar {
	uint64_t id;	   /* stands in the box where no label fits; 0: nothing does */
	const char *label; /* UTF-8; NULL: the id alone. Not owned, like all that follows */
	const char *user;  /* for the tooltip; NULL: not known */
	const struct rows_range *range;
	size_t ranges;
	/* Drawn instead of whole rows, where there are any; by node, then time. */
	const struct gantt_band *band;
	size_t bands;
	/* Or these: it was suspended in between, or had other nodes. By time. */
	const struct gantt_turn *turn;
	size_t turns;
	int64_t start, end;
	int64_t deadline; /* 0: none. A mark is drawn for promised jobs only */
	bool promised;
	enum gantt_kind kind;
};

#define GANTT_NO_TIME INT64_MIN

struct gantt_chart {
	const char *title;    /* NULL: none */
	const char *subtitle; /* NULL: none */
	uint32_t nodes;	      /* at least 1 */
	/* The name of each node; NULL: they are counted from 1. */
	const char *const *node_name;
	int64_t from, to; /* what is shown of time; from < to */
	int64_t now;	  /* where the now-line is; GANTT_NO_TIME, or out of view: none */
	enum ticks_clock clock;
	int64_t origin; /* TICKS_ELAPSED: what the axis counts from */
	const struct gantt_bar *bar;
	size_t bars;
};

/*
 * Write it. Bars, or parts of them, out of view are left off; nodes beyond the last one too. 0, or an
 * errno: ENOMEM, EINVAL for a chart without nodes or span, or one of writing.
 */
int gantt_svg(const struct gantt_chart *chart, FILE *out);

#endif
