/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gantt: see gantt.h.
 *
 * Every word goes through say(), which keeps the box around each and refuses one that would touch
 * another or leave the page: that is why no text can lie over text. The words that matter most are
 * asked first. The page is put together in memory, because how high it is depends on the legend.
 */
#include "draw/gantt.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "draw/page.h"
#include "draw/svg.h"

#define PAGE PAGE_WIDTH
#define RIGHT 24.0
#define TOP 70.0
#define TICK_SPACE 64 /* between marks of the time axis, at least */
#define SMALL 10.0    /* sizes of text */
#define NORMAL 11.0
#define LARGE 15.0
#define LINE 14.0    /* between lines of text */
#define THIN_BOX 4.0 /* a box that is thinner has no room for a pattern: it is filled */

struct box {
	double x, y, width, height;
};

struct drawing {
	const struct gantt_chart *c;
	FILE *out;
	double left, width, height, row; /* of the plot; row: of one node */
	struct box *said;		 /* where there are words */
	size_t said_count, said_room;
	int err;
};

static double low(double a, double b)
{
	return a < b ? a : b;
}

static double high(double a, double b)
{
	return a > b ? a : b;
}

/* ---- words ---- */

static bool apart(const struct box *a, const struct box *b)
{
	return a->x + a->width <= b->x || b->x + b->width <= a->x || a->y + a->height <= b->y ||
	       b->y + b->height <= a->y;
}

static bool remember(struct drawing *d, const struct box *b)
{
	if (d->said_count == d->said_room) {
		size_t room = d->said_room ? 2 * d->said_room : 256;
		struct box *more = realloc(d->said, room * sizeof(*more));

		if (!more) {
			d->err = ENOMEM;
			return false;
		}
		d->said = more;
		d->said_room = room;
	}
	d->said[d->said_count++] = *b;
	return true;
}

static bool is_free(const struct drawing *d, const struct box *b)
{
	for (size_t i = 0; i < d->said_count; i++)
		if (!apart(b, &d->said[i]))
			return false;
	return true;
}

/* On the page, and free? Then it is taken. */
static bool reserve(struct drawing *d, const struct box *b)
{
	return b->x >= 0 && b->x + b->width <= PAGE && is_free(d, b) && remember(d, b);
}

/*
 * Write a text with its baseline at y, if it fits there. `ground` is the class of what is laid behind
 * it, so that lines and hatching do not run through the words; NULL: nothing is.
 */
static bool say(struct drawing *d, double x, double y, double size, enum svg_anchor anchor,
		const char *text, const char *ground)
{
	double width = svg_text_width(text, size);
	struct box b = { x, y - size * 0.95, width, size * 1.2 };
	const char *class = size == SMALL ? "s" : size == LARGE ? "l" : "n";

	b.x -= anchor == SVG_MIDDLE ? width / 2 : anchor == SVG_END ? width : 0;
	if (!reserve(d, &b))
		return false;
	if (ground)
		svg_rect(d->out, ground, b.x + width * 0.05, b.y, width * 0.9, b.height);
	svg_text(d->out, class, x, y, anchor, text);
	return true;
}

/* A line at the left, its end cut off where the page is too narrow for it. */
static void say_line(struct drawing *d, double y, double size, const char *text)
{
	char part[256];
	int length = (int)strnlen(text, sizeof(part) - 4);

	if (say(d, 14, y, size, SVG_START, text, NULL))
		return;
	for (; length > 0; length--) {
		if (((unsigned char)text[length] & 0xc0) == 0x80)
			continue; /* within a character */
		snprintf(part, sizeof(part), "%.*s\u2026", length, text);
		if (say(d, 14, y, size, SVG_START, part, NULL))
			return;
	}
}

/* ---- places ---- */

static double x_of(const struct drawing *d, double t)
{
	double share = (t - (double)d->c->from) / ((double)d->c->to - (double)d->c->from);

	return d->left + d->width * high(0, low(1, share));
}

static double y_of(const struct drawing *d, uint32_t node)
{
	return TOP + d->row * node;
}

static bool in_view(const struct drawing *d, const struct gantt_bar *b)
{
	return b->start < d->c->to && b->end > d->c->from && b->start <= b->end;
}

/* What is drawn of a range that the job has for a while; false: nothing. */
static bool turn_box(const struct drawing *d, int64_t from, int64_t to, const struct rows_range *r,
		     struct box *box)
{
	uint32_t last = r->last < d->c->nodes ? r->last : d->c->nodes - 1;

	if (r->first > last || from >= d->c->to || to <= d->c->from)
		return false;
	box->x = x_of(d, (double)from);
	box->width = high(0.5, x_of(d, (double)to) - box->x);
	box->y = y_of(d, r->first);
	box->height = d->row * (last - r->first + 1);
	return true;
}

static bool box_of(const struct drawing *d, const struct gantt_bar *b, const struct rows_range *r,
		   struct box *box)
{
	return in_view(d, b) && turn_box(d, b->start, b->end, r, box);
}

/* What is drawn of a band; false: nothing, or less than can be seen. */
static bool band_box(const struct drawing *d, const struct gantt_band *b, struct box *box)
{
	if (b->node >= d->c->nodes || b->from >= (double)d->c->to || b->to <= (double)d->c->from)
		return false;
	box->x = x_of(d, b->from);
	box->width = x_of(d, b->to) - box->x;
	box->y = y_of(d, b->node) + d->row * b->low;
	box->height = d->row * (b->high - b->low);
	return box->width >= 0.1 && box->height >= 0.1;
}

/* The largest of its bands. */
static bool main_band(const struct drawing *d, const struct gantt_bar *b, struct box *box)
{
	struct box one;
	bool any = false;

	for (size_t i = 0; i < b->bands; i++)
		if (band_box(d, &b->band[i], &one) &&
		    (!any || one.width * one.height > box->width * box->height)) {
			*box = one;
			any = true;
		}
	return any;
}

/* The largest box of its turns. */
static bool main_turn(const struct drawing *d, const struct gantt_bar *b, struct box *box)
{
	struct box one;
	bool any = false;

	for (size_t t = 0; t < b->turns; t++) {
		const struct gantt_turn *x = &b->turn[t];

		for (size_t i = 0; i < x->ranges; i++)
			if (turn_box(d, x->from, x->to, &x->range[i], &one) &&
			    (!any || one.width * one.height > box->width * box->height)) {
				*box = one;
				any = true;
			}
	}
	return any;
}

/* The largest of a bar's boxes. */
static bool main_box(const struct drawing *d, const struct gantt_bar *b, struct box *box)
{
	struct box one;
	bool any = false;

	if (b->bands)
		return main_band(d, b, box);
	if (b->turns)
		return main_turn(d, b, box);

	for (size_t i = 0; i < b->ranges; i++)
		if (box_of(d, b, &b->range[i], &one) && (!any || one.height > box->height)) {
			*box = one;
			any = true;
		}
	return any;
}

/* ---- axes ---- */

/* The last byte of the text that is not of its last character. */
static size_t before_last(const char *text, size_t length)
{
	while (length && (text[--length] & 0xc0) == 0x80)
		;
	return length;
}

/* Names that are too long for the margin end in dots. */
static void node_label(const struct drawing *d, uint32_t node, char *text, size_t size)
{
	const char *name = d->c->node_name ? d->c->node_name[node] : NULL;
	size_t length = name ? strlen(name) : 0;

	if (!name)
		snprintf(text, size, "%" PRIu32, node + 1);
	else if (length < size && svg_text_width(name, NORMAL) <= PAGE / 4)
		strcpy(text, name);
	else
		for (length = length < size ? length : size - 4;;) {
			length = before_last(name, length);
			snprintf(text, size, "%.*s...", (int)length, name);
			if (!length || svg_text_width(text, NORMAL) <= PAGE / 4)
				break;
		}
}

/* Every so many nodes have a label. */
static uint32_t node_step(const struct drawing *d)
{
	return ticks_count_step(d->c->nodes, (int)high(1, d->height / LINE));
}

/* Names may be long: those that are shown decide on the margin, up to a quarter of the page. */
static void measure(struct drawing *d)
{
	const struct gantt_chart *c = d->c;
	double widest = svg_text_width("nodes", NORMAL);

	d->row = c->nodes <= 32 ? 24 : c->nodes <= 128 ? 5 : c->nodes <= 215 ? 4 : 2;
	d->row = low(d->row, 1000.0 / c->nodes);
	d->row = high(d->row, low(24, 640.0 / c->nodes));
	d->height = d->row * c->nodes;
	for (uint32_t i = 0, step = node_step(d); i < c->nodes; i += step) {
		char text[80];

		node_label(d, i, text, sizeof(text));
		widest = high(widest, svg_text_width(text, NORMAL));
	}
	d->left = low(widest, PAGE / 4) + 14;
	d->width = PAGE - d->left - RIGHT;
}

static void node_axis(struct drawing *d)
{
	uint32_t step = node_step(d);

	say(d, d->left - 8, TOP - 10, NORMAL, SVG_END, "nodes", NULL);
	/* Counted from 1, the round numbers are marked: 1, 10, 20, ... */
	for (uint32_t i = 0; i < d->c->nodes;
	     i = d->c->node_name || i ? i + step : step - !!(step > 1)) {
		double y = y_of(d, i) + d->row / 2;
		char text[80];

		node_label(d, i, text, sizeof(text));
		say(d, d->left - 8, y + NORMAL * 0.35, NORMAL, SVG_END, text, NULL);
		svg_line(d->out, "a", d->left - 5, y, d->left, y);
		if (step == 1 && i + 1 == d->c->nodes)
			break;
	}
}

static void time_axis(struct drawing *d)
{
	const struct gantt_chart *c = d->c;
	int64_t step = ticks_step(c->to - c->from, (int)(d->width / TICK_SPACE));
	int64_t t = ticks_first(c->clock, c->origin, c->from, step);
	double bottom = TOP + d->height;
	char text[40], date[40], last[40] = "";

	for (; t <= c->to; t += step) {
		double x = x_of(d, (double)t);

		svg_line(d->out, "r", x, TOP, x, bottom + 5);
		ticks_label(c->clock, c->origin, t, step, text, sizeof(text));
		say(d, x, bottom + 17, NORMAL, SVG_MIDDLE, text, NULL);
		if (c->clock != TICKS_DAYTIME || step >= 86400)
			continue;
		ticks_date(t, date, sizeof(date));
		if (strcmp(date, last) != 0 &&
		    (say(d, x, bottom + 17 + LINE, NORMAL, SVG_MIDDLE, date, NULL) ||
		     say(d, PAGE - 2, bottom + 17 + LINE, NORMAL, SVG_END, date, NULL)))
			strcpy(last, date);
	}
	if (c->clock == TICKS_ELAPSED)
		say(d, d->left + d->width / 2, bottom + 17 + LINE + 2, NORMAL, SVG_MIDDLE,
		    step % 3600 == 0 ? "time since the start"
		    : step % 60 == 0 ? "hours:minutes since the start"
				     : "hours:minutes:seconds since the start",
		    NULL);
}

/* ---- bars ---- */

static const char *const kind_class[] = { "e", "u", "p", "e", "b" };
static const char *const kind_words[] = { "ended", "running", "planned", "failed or cancelled",
					  "down or reserved" };

static const char *fill_class(const struct gantt_bar *b, bool thin)
{
	if (b->kind == GANTT_BLOCKED)
		return "kb";
	if (b->kind == GANTT_LOST)
		return thin ? "tl" : "kl";
	if (b->promised)
		return thin ? "tp" : "kp";
	return thin ? "to" : "ko";
}

/* Times in words, for the tooltip. */
static void print_time(const struct drawing *d, const char *what, int64_t t)
{
	char date[40] = "", text[40];

	ticks_label(d->c->clock, d->c->origin, t, 1, text, sizeof(text));
	if (d->c->clock == TICKS_DAYTIME)
		ticks_date(t, date, sizeof(date));
	fprintf(d->out, ", %s %s%s%s", what, date, *date ? " " : "", text);
}

static uint64_t count_nodes(const struct rows_range *range, size_t n)
{
	uint64_t count = 0;

	for (size_t i = 0; i < n; i++)
		count += (uint64_t)range[i].last - range[i].first + 1;
	return count;
}

/* How many: "1 node", or "2 to 8 nodes" of a job whose number of them changes. */
static void print_nodes(const struct drawing *d, const struct gantt_bar *b)
{
	uint64_t most = count_nodes(b->range, b->ranges), least = most, n;

	for (size_t i = 0; i < b->turns; i++) {
		n = count_nodes(b->turn[i].range, b->turn[i].ranges);
		least = !i || n < least ? n : least;
		most = !i || n > most ? n : most;
	}
	if (least < most)
		fprintf(d->out, "%" PRIu64 " to ", least);
	fprintf(d->out, "%" PRIu64 " node%s", most, most == 1 ? "" : "s");
}

static void tooltip(const struct drawing *d, const struct gantt_bar *b)
{
	char id[24];

	fputs("<title>", d->out);
	if (b->id)
		fprintf(d->out, "job %" PRIu64 " ", b->id);
	/* A label that is but the number says nothing new. */
	snprintf(id, sizeof(id), "%" PRIu64, b->id);
	if (b->label && strcmp(b->label, id) != 0) {
		svg_escape(d->out, b->label);
		fputc(' ', d->out);
	}
	if (b->user) {
		fputs("of ", d->out);
		svg_escape(d->out, b->user);
		fputc(' ', d->out);
	}
	fprintf(d->out, "(%s): ", kind_words[b->kind]);
	print_nodes(d, b);
	print_time(d, "from", b->start);
	print_time(d, "to", b->end);
	if (b->deadline)
		print_time(d, b->promised ? "promised by" : "deadline", b->deadline);
	fputs("</title>", d->out);
}

/* Where a band of a job leads into the next one on that node no line is drawn: it is one job. */
static bool leads(const struct gantt_band *a, const struct gantt_band *b)
{
	return a->node == b->node && a->to >= b->from && a->low < b->high && b->low < a->high;
}

static void band_edges(struct drawing *d, const struct gantt_bar *b, size_t i,
		       const struct box *box)
{
	double right = box->x + box->width, bottom = box->y + box->height;
	const struct gantt_band *band = &b->band[i];

	svg_line(d->out, "j", box->x, box->y, right, box->y);
	svg_line(d->out, "j", box->x, bottom, right, bottom);
	if (!i || !leads(band - 1, band))
		svg_line(d->out, "j", box->x, box->y, box->x, bottom);
	if (i + 1 == b->bands || !leads(band, band + 1))
		svg_line(d->out, "j", right, box->y, right, bottom);
}

/* What belongs to one job is a group with its tooltip, once there is anything of it. */
static void open_group(struct drawing *d, const struct gantt_bar *b, bool *open)
{
	if (*open)
		return;
	fputs("<g>", d->out);
	tooltip(d, b);
	fputc('\n', d->out);
	*open = true;
}

static void draw_box(struct drawing *d, const struct gantt_bar *b, const struct box *box,
		     const char *outline, bool thin)
{
	char class[8];

	snprintf(class, sizeof(class), "%s %s", outline, fill_class(b, thin));
	svg_rect(d->out, class, box->x, box->y, box->width, box->height);
}

static void draw_whole(struct drawing *d, const struct gantt_bar *b, const struct box *box)
{
	draw_box(d, b, box, kind_class[b->kind], box->height < THIN_BOX || box->width < THIN_BOX);
}

static void draw_bands(struct drawing *d, const struct gantt_bar *b, bool *open)
{
	struct box box;

	for (size_t i = 0; i < b->bands; i++) {
		if (!band_box(d, &b->band[i], &box))
			continue;
		open_group(d, b, open);
		draw_box(d, b, &box, "i", box.height < THIN_BOX);
		band_edges(d, b, i, &box);
	}
}

static void draw_turns(struct drawing *d, const struct gantt_bar *b, bool *open)
{
	struct box box;

	for (size_t t = 0; t < b->turns; t++) {
		const struct gantt_turn *x = &b->turn[t];

		for (size_t i = 0; i < x->ranges; i++) {
			if (!turn_box(d, x->from, x->to, &x->range[i], &box))
				continue;
			open_group(d, b, open);
			draw_whole(d, b, &box);
		}
	}
}

static void draw_bar(struct drawing *d, const struct gantt_bar *b)
{
	struct box box;
	bool open = false;

	draw_bands(d, b, &open);
	draw_turns(d, b, &open);
	for (size_t i = 0; i < b->ranges && !b->bands && !b->turns; i++) {
		if (!box_of(d, b, &b->range[i], &box))
			continue;
		open_group(d, b, &open);
		draw_whole(d, b, &box);
	}
	if (open)
		fputs("</g>\n", d->out);
}

/* A flag at x, its pole beside the rows y - h/2 .. y + h/2; full when the deadline was missed. */
static void flag(struct drawing *d, double x, double y, double h, bool missed)
{
	double side = low(h, 6);

	fprintf(d->out, "<path class=\"%s\" d=\"M", missed ? "m" : "d");
	svg_number(d->out, x);
	fputc(' ', d->out);
	svg_number(d->out, y + h / 2);
	fputs("V", d->out);
	svg_number(d->out, y - h / 2);
	fputs("l", d->out);
	svg_number(d->out, -side);
	fputc(' ', d->out);
	svg_number(d->out, side / 2);
	fputs("l", d->out);
	svg_number(d->out, side);
	fputc(' ', d->out);
	svg_number(d->out, side / 2);
	fputs("\"/>\n", d->out);
}

static bool has_flag(const struct gantt_bar *b)
{
	return b->promised && b->deadline != 0;
}

/*
 * Where deadlines meet, flags would cover each other: each takes the first free of a few heights beside
 * its job, from the middle outwards; the middle, if none is. It gives the box of the flag with its pole.
 */
static struct box flag_box(const struct drawing *d, double x, const struct box *job, double h)
{
	static const double share[] = { 0.5, 0.3, 0.7, 0.1, 0.9, 0.4, 0.6, 0.2, 0.8, 0, 1 };
	double room = high(0, job->height - h);
	struct box box = { x - 7, 0, 8, h + 2 };

	for (size_t i = 0; i < sizeof(share) / sizeof(*share); i++) {
		box.y = job->y + job->height / 2 + room * (share[i] - 0.5) - h / 2 - 1;
		if (is_free(d, &box))
			return box;
	}
	box.y = job->y + job->height / 2 - h / 2 - 1;
	return box;
}

/* What is between the end of a promised job and its deadline is its slack. */
static void draw_deadline(struct drawing *d, const struct gantt_bar *b)
{
	double x = x_of(d, (double)b->deadline), y, h;
	struct box box, around;
	bool shown;

	if (!has_flag(b) || !main_box(d, b, &box))
		return;
	h = high(7, low(12, box.height - 2));
	shown = b->deadline > d->c->from && b->deadline <= d->c->to;
	around = flag_box(d, x, &box, h);
	y = shown ? around.y + 1 + h / 2 : box.y + box.height / 2;
	if (b->deadline > b->end)
		svg_line(d->out, "k", b->bands ? x_of(d, (double)b->end) : box.x + box.width, y, x,
			 y);
	if (shown) {
		flag(d, x, y, h, b->end > b->deadline);
		/* Labels keep off flags. */
		remember(d, &around);
	}
}

/* Somewhere in the box: in the middle if that is free, else a quarter off it. */
static bool say_within(struct drawing *d, const struct box *box, const char *text,
		       const char *ground)
{
	static const double share[] = { 0.5, 0.25, 0.75 };
	double width = svg_text_width(text, SMALL) + 4, height = SMALL * 1.2;

	if (width > box->width || height > box->height)
		return false;
	for (int i = 0; i < 9; i++) {
		double x = (box->width - width) * (share[i / 3] - 0.5) + box->x + box->width / 2;
		double y = (box->height - height) * (share[i % 3] - 0.5) + box->y + box->height / 2;

		if (say(d, x, y + SMALL * 0.35, SMALL, SVG_MIDDLE, text, ground))
			return true;
	}
	return false;
}

/* The label in this box, else the number alone. */
static void say_label(struct drawing *d, const struct gantt_bar *b, const struct box *box)
{
	char id[24];
	const char *ground = b->promised || b->kind >= GANTT_LOST ? "g" : "o";

	snprintf(id, sizeof(id), "%" PRIu64, b->id);
	if (b->label && *b->label && say_within(d, box, b->label, ground))
		return;
	if (b->id)
		say_within(d, box, id, ground);
}

/* In the longest band that it has on each node, by and by. */
static void label_bands(struct drawing *d, const struct gantt_bar *b, const struct box *main)
{
	struct box box, best = { 0 };

	for (size_t i = 0; i < b->bands; i++) {
		if (band_box(d, &b->band[i], &box) &&
		    box.width * box.height > best.width * best.height)
			best = box;
		if (i + 1 < b->bands && b->band[i + 1].node == b->band[i].node)
			continue;
		if (best.width > 0 && (best.x != main->x || best.y != main->y))
			say_label(d, b, &best);
		best = (struct box){ 0 };
	}
}

/* In the largest box of a job; or in its others, once the largest of all jobs have theirs. */
static void draw_labels(struct drawing *d, const struct gantt_bar *b, bool others)
{
	struct box main, box;

	if (!main_box(d, b, &main))
		return;
	if (!others)
		say_label(d, b, &main);
	if (others && b->bands)
		label_bands(d, b, &main);
	for (size_t i = 0; others && !b->bands && i < b->ranges; i++)
		if (box_of(d, b, &b->range[i], &box) && box.y != main.y)
			say_label(d, b, &box);
}

static void now_line(struct drawing *d)
{
	const struct gantt_chart *c = d->c;
	char text[64] = "now ";
	double x = x_of(d, (double)c->now);

	if (c->now < c->from || c->now > c->to)
		return;
	ticks_label(c->clock, c->origin, c->now, 60, text + 4, sizeof(text) - 4);
	svg_line(d->out, "w", x, TOP - 6, x, TOP + d->height + 3);
	if (!say(d, x, TOP - 10, NORMAL, SVG_MIDDLE, text, NULL) &&
	    !say(d, x - 4, TOP - 10, NORMAL, SVG_END, text, NULL))
		say(d, x + 4, TOP - 10, NORMAL, SVG_START, text, NULL);
}

/* ---- legend ---- */

/* What there is in the picture: only that is explained. */
struct seen {
	bool kind[GANTT_BLOCKED + 1];
	bool promised, plain, flag, missed, now;
};

static struct seen look(const struct drawing *d)
{
	const struct gantt_chart *c = d->c;
	struct seen seen = { .now = c->now >= c->from && c->now <= c->to };

	for (size_t i = 0; i < c->bars; i++) {
		const struct gantt_bar *b = &c->bar[i];

		if (!in_view(d, b))
			continue;
		seen.kind[b->kind] = true;
		if (b->kind >= GANTT_LOST)
			continue;
		seen.promised |= b->promised;
		seen.plain |= !b->promised;
		seen.missed |= has_flag(b) && b->end > b->deadline;
		seen.flag |= has_flag(b) && b->end <= b->deadline;
	}
	return seen;
}

/* The next place in the legend for a sample of 26 and these words; a new line when it is full. */
static void next_place(const struct drawing *d, double *x, double *y, const char *words)
{
	double width = 26 + 6 + svg_text_width(words, NORMAL) + 18;

	if (*x > d->left && *x + width > PAGE - RIGHT + 18) {
		*x = d->left;
		*y += LINE + 6;
	}
}

static void explain(struct drawing *d, double *x, double *y, const char *class, const char *words)
{
	next_place(d, x, y, words);
	if (*class == 'd' || *class == 'm')
		flag(d, *x + 14, *y - 4, 12, *class == 'm');
	else if (*class == 'w')
		svg_line(d->out, class, *x + 13, *y - 11, *x + 13, *y + 3);
	else
		svg_rect(d->out, class, *x, *y - 10, 26, 12);
	say(d, *x + 32, *y, NORMAL, SVG_START, words, NULL);
	*x += 26 + 6 + svg_text_width(words, NORMAL) + 18;
}

/* It gives where the page ends. */
static double legend(struct drawing *d)
{
	struct seen seen = look(d);
	double x = d->left, y = TOP + d->height + 17 + LINE + 2 + LINE + 12;

	if (seen.promised)
		explain(d, &x, &y, "e kp", "promised job");
	if (seen.plain)
		explain(d, &x, &y, "e ko", "other job");
	if (seen.flag)
		explain(d, &x, &y, "d", "deadline of a promise, and the slack before it");
	if (seen.missed)
		explain(d, &x, &y, "m", "deadline that was missed");
	if (seen.kind[GANTT_RUNNING])
		explain(d, &x, &y, "u kn", "running");
	if (seen.kind[GANTT_PLANNED])
		explain(d, &x, &y, "p kn", "planned");
	if (seen.kind[GANTT_ENDED] && (seen.kind[GANTT_RUNNING] || seen.kind[GANTT_PLANNED]))
		explain(d, &x, &y, "e kn", "ended");
	if (seen.kind[GANTT_LOST])
		explain(d, &x, &y, "e kl", "failed or cancelled");
	if (seen.kind[GANTT_BLOCKED])
		explain(d, &x, &y, "b kb", "down or reserved");
	if (seen.now)
		explain(d, &x, &y, "w", "now");
	return y + 14;
}

/* ---- the page ---- */

static void draw(struct drawing *d)
{
	const struct gantt_chart *c = d->c;

	if (c->title)
		say_line(d, 24, LARGE, c->title);
	if (c->subtitle)
		say_line(d, 42, NORMAL, c->subtitle);
	node_axis(d);
	time_axis(d);
	for (size_t i = 0; i < c->bars; i++)
		draw_bar(d, &c->bar[i]);
	svg_rect(d->out, "f", d->left, TOP, d->width, d->height);
	for (size_t i = 0; i < c->bars; i++)
		draw_deadline(d, &c->bar[i]);
	now_line(d);
	for (size_t i = 0; i < 2 * c->bars; i++)
		draw_labels(d, &c->bar[i % c->bars], i >= c->bars);
}

int gantt_svg(const struct gantt_chart *chart, FILE *out)
{
	struct drawing d = { .c = chart };
	char *body = NULL;
	size_t size = 0;
	double height;

	if (!chart->nodes || chart->from >= chart->to)
		return EINVAL;
	d.out = open_memstream(&body, &size);
	if (!d.out)
		return ENOMEM;
	measure(&d);
	draw(&d);
	height = legend(&d);
	if (fclose(d.out) && !d.err)
		d.err = ENOMEM;
	if (!d.err)
		d.err = page_write(chart->title, body, size, height, out);
	free(body);
	free(d.said);
	return d.err;
}
