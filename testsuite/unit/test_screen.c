/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_screen.c - what stands on a terminal, played here, after a text was shown on it
 */
#include "contrib/pact/terminal/screen.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "testsuite/unit/seed.h"

#define ROWS_MOST 12
#define COLUMNS_MOST 20

/* A terminal of ECMA-48's CUP, EL, ED and SGR, with the margin that xterm has. */
struct terminal {
	int rows, columns, row, column;
	bool pending; /* a character stands in the last column, the next one wraps */
	bool colour;
	int scrolled;
	char cell[ROWS_MOST][COLUMNS_MOST + 1];
};

static void terminal_clear(struct terminal *t, int rows, int columns, char with)
{
	memset(t, 0, sizeof(*t));
	t->rows = rows;
	t->columns = columns;
	for (int i = 0; i < rows; i++)
		memset(t->cell[i], with, (size_t)columns);
}

static void new_line(struct terminal *t)
{
	t->pending = false;
	if (t->row + 1 < t->rows)
		t->row++;
	else
		t->scrolled++;
}

static const char *sequence(struct terminal *t, const char *text)
{
	assert_int_equal(text[1], '[');
	text += 2 + strspn(text + 2, "0123456789;");
	switch (*text) {
	case 'H':
		t->row = t->column = 0;
		t->pending = false;
		break;
	case 'J':
		for (int i = t->row + 1; i < t->rows; i++)
			memset(t->cell[i], ' ', (size_t)t->columns);
		/* fall through */
	case 'K':
		memset(t->cell[t->row] + t->column, ' ', (size_t)(t->columns - t->column));
		break;
	case 'm':
		t->colour = text[-1] != '0' && text[-1] != '[';
		break;
	default:
		fail_msg("a sequence that ends in %c", *text);
	}
	return text + 1;
}

static void terminal_take(struct terminal *t, const char *text)
{
	while (*text) {
		if (*text == '\033') {
			text = sequence(t, text);
			continue;
		}
		if (*text == '\n') {
			new_line(t);
			t->column = 0;
		} else {
			if (t->pending) {
				new_line(t);
				t->column = 0;
			}
			t->cell[t->row][t->column] = *text;
			t->pending = t->column + 1 == t->columns;
			t->column += !t->pending;
		}
		text++;
	}
}

static void show(struct terminal *t, const char *text)
{
	const struct screen screen = { t->rows, t->columns };
	char *said = NULL;
	size_t size;
	FILE *out = open_memstream(&said, &size);

	assert_non_null(out);
	screen_show(&screen, text, out);
	fclose(out);
	terminal_take(t, said);
	free(said);
	assert_int_equal(t->scrolled, 0);
	assert_false(t->colour);
}

static void row_is(const struct terminal *t, int row, const char *want)
{
	char padded[COLUMNS_MOST + 1];

	snprintf(padded, sizeof(padded), "%-*.*s", t->columns, t->columns, want);
	assert_string_equal(t->cell[row], padded);
}

static void test_by_hand(void **state)
{
	struct terminal t;

	(void)state;
	terminal_clear(&t, 4, 8, '#');
	show(&t, "one\ntwo and more\n\033[31mred and more\033[0m\n");
	row_is(&t, 0, "one");
	row_is(&t, 1, "two and ");
	row_is(&t, 2, "red and ");
	row_is(&t, 3, "");
	/* As wide as the screen; less than before; more than there is room for. */
	show(&t, "12345678\n");
	row_is(&t, 0, "12345678");
	row_is(&t, 1, "");
	row_is(&t, 2, "");
	show(&t, "a\nb\nc\nd\ne\n");
	row_is(&t, 0, "a");
	row_is(&t, 1, "b");
	row_is(&t, 2, "... 3 more");
	show(&t, "");
	row_is(&t, 0, "");
	row_is(&t, 2, "");
}

static void test_random(void **state)
{
	(void)state;
	for (uint64_t round = seed_rounds(2000); round; round--) {
		char text[1024] = "", line[64][32];
		struct terminal t;
		size_t n = 0;
		int lines = (int)seed_below(ROWS_MOST + 4);
		int rows = 3 + (int)seed_below(ROWS_MOST - 2);

		terminal_clear(&t, rows, 1 + (int)seed_below(COLUMNS_MOST), '#');
		for (int i = 0; i < lines; i++) {
			int length = (int)seed_below(COLUMNS_MOST + 5);
			bool red = seed_below(3) == 0;

			for (int k = 0; k < length; k++)
				line[i][k] = (char)('a' + seed_below(26));
			line[i][length] = '\0';
			n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%s%s\n",
					      red ? "\033[31m" : "", line[i], red ? "\033[0m" : "");
		}
		show(&t, text);
		for (int i = 0; i < rows; i++) {
			char more[32];

			snprintf(more, sizeof(more), "... %d more", lines - (rows - 2));
			if (lines > rows - 1 && i == rows - 2)
				row_is(&t, i, more);
			else
				row_is(&t, i, i < lines && i < rows - 1 ? line[i] : "");
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_by_hand),
		cmocka_unit_test(test_random),
	};

	return seed_run("screen", tests);
}
