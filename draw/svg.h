/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * svg: the few elements of SVG 1.1 that a chart is made of, and how wide its words will be.
 *
 * Everything is in user units, one of which is a pixel; y grows downwards. Coordinates are written with
 * one decimal whatever the locale says. Text is UTF-8: what XML does not allow, control characters and
 * marks that turn the direction of writing become U+FFFD, so that a file is well-formed and reads as it is
 * written whatever a name holds.
 */
#ifndef PACT_DRAW_SVG_H
#define PACT_DRAW_SVG_H

#include <stdio.h>

enum svg_anchor { SVG_START, SVG_MIDDLE, SVG_END };

/* A coordinate or length. */
void svg_number(FILE *out, double value);

/* Text as the content of an element or the value of an attribute. */
void svg_escape(FILE *out, const char *text);

/* `class` is one of the file's own style sheet; x and y are of the baseline. */
void svg_text(FILE *out, const char *class, double x, double y, enum svg_anchor anchor,
	      const char *text);

/* An open tag, with more attributes in `more` ("" or with a leading blank): for children. */
void svg_rect(FILE *out, const char *class, double x, double y, double width, double height);

void svg_line(FILE *out, const char *class, double x1, double y1, double x2, double y2);

/*
 * How wide a text of that size will be at most, in any of the common sans-serif fonts: by the widths
 * of DejaVu Sans, the widest of them, rounded up for each kind of letter.
 */
double svg_text_width(const char *text, double size);

#endif
