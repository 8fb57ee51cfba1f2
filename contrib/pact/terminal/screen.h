/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * screen.h - a text that is shown on a terminal again and again, in its own place
 */
#ifndef PACT_CONTRIB_PACT_SCREEN_H
#define PACT_CONTRIB_PACT_SCREEN_H

#include <stdio.h>

struct screen {
	int rows, columns; /* 0: no bound */
};

/* The terminal's size now; without one, no bounds. */
struct screen screen_size(int fd);

/*
 * Put a text in place of what is on the screen: lines are cut to its width, and where there
 * are more than it has rows, the last row says how many are left.  The screen is not cleared
 * first, so it does not flicker.  Escape sequences for colours have no width and are all kept.
 */
void screen_show(const struct screen *screen, const char *text, FILE *out);

#endif /* PACT_CONTRIB_PACT_SCREEN_H */
