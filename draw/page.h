/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * page: the file around a chart: its head, and the style sheet with the patterns that the chart's classes
 * stand for. Kinds can be told apart without colour, by hatching and outline.
 */
#ifndef PACT_DRAW_PAGE_H
#define PACT_DRAW_PAGE_H

#include <stddef.h>
#include <stdio.h>

#define PAGE_WIDTH 1200.0

/* Write the page with this body; title NULL: "Schedule". 0, or an errno of writing. */
int page_write(const char *title, const char *body, size_t size, double height, FILE *out);

#endif
