/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * screen.c - a text that is shown on a terminal again and again, in its own place
 *
 * Sequences of ECMA-48: CUP (H) puts the cursor into the corner, EL (K) clears the rest of a
 * line, ED (J) the rest of the screen.  A line is cleared before it is written: behind a line
 * as long as the screen is wide the cursor still stands on its last character.
 */
#include "contrib/pact/terminal/screen.h"

#include <string.h>
#include <sys/ioctl.h>

#include "common/utf8.h"

struct screen screen_size(int fd)
{
	struct winsize size;

	if (ioctl(fd, TIOCGWINSZ, &size))
		return (struct screen){ 0, 0 };
	return (struct screen){ size.ws_row, size.ws_col };
}

static size_t count_lines(const char *text)
{
	size_t n = 0;

	for (; *text; n++) {
		text += strcspn(text, "\n");
		text += *text == '\n';
	}
	return n;
}

/* The bytes of a sequence for colours (SGR) that begins here; 0: none does. */
static size_t colour(const char *text)
{
	size_t n = 2;

	if (text[0] != '\033' || text[1] != '[')
		return 0;
	n += strspn(text + n, "0123456789;");
	return text[n] == 'm' ? n + 1 : 0;
}

/* A line, at most so many characters of it.  RET where the next one begins */
static const char *show_line(const char *text, int columns, FILE *out)
{
	int left = columns;
	size_t n;

	fputs("\033[K", out);
	for (; *text && *text != '\n'; text += n) {
		uint32_t code;

		n = colour(text);
		if (n) {
			fwrite(text, 1, n, out);
			continue;
		}
		n = utf8_character(text, &code);
		n = n ? n : 1;
		if (columns && left-- <= 0)
			continue;
		fwrite(text, 1, n, out);
	}
	fputc('\n', out);
	return text + (*text == '\n');
}

void screen_show(const struct screen *screen, const char *text, FILE *out)
{
	size_t lines = count_lines(text), shown = lines;
	char more[40];

	/* The cursor's own row stays free. */
	if (screen->rows > 0 && lines > (size_t)screen->rows - 1)
		shown = screen->rows > 2 ? (size_t)screen->rows - 2 : 0;
	fputs("\033[H", out);
	for (size_t i = 0; i < shown; i++)
		text = show_line(text, screen->columns, out);
	snprintf(more, sizeof(more), "... %zu more", lines - shown);
	if (shown < lines)
		show_line(more, screen->columns, out);
	fputs("\033[J", out);
	fflush(out);
}
