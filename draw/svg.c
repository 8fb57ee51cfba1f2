/* SPDX-License-Identifier: GPL-2.0-or-later */
/* svg: see svg.h. */
#include "draw/svg.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define LARGEST 1e9

void svg_number(FILE *out, double value)
{
	int64_t tenths;

	/* False for what is not a number, too. */
	if (!(fabs(value) < LARGEST))
		value = value > 0 ? LARGEST : 0;
	tenths = llround(value * 10);
	fprintf(out, "%s%" PRId64, tenths < 0 ? "-" : "", (tenths < 0 ? -tenths : tenths) / 10);
	if (tenths % 10)
		fprintf(out, ".%d", (int)((tenths < 0 ? -tenths : tenths) % 10));
}

/*
 * What XML 1.0 does not allow or discourages, and what is not seen but turns other characters round:
 * overrides, isolates and marks of UAX #9.
 */
static bool is_unfit(uint32_t c)
{
	return (c < 0x20 && c != '\t') || (c >= 0x7f && c < 0xa0) || c == 0x61c || c == 0x200e ||
	       c == 0x200f || (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) ||
	       c == 0xfffe || c == 0xffff;
}

/*
 * One character of UTF-8: how many bytes it has; *code is it, or U+FFFD for bytes that are none or that
 * are unfit.
 */
static size_t next_character(const char *text, uint32_t *code)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *p = (const unsigned char *)text;
	size_t length = *p < 0x80	      ? 1
			: (*p & 0xe0) == 0xc0 ? 2
			: (*p & 0xf0) == 0xe0 ? 3
			: (*p & 0xf8) == 0xf0 ? 4
					      : 0;
	uint32_t c = length == 1 ? *p : length ? *p & (0x7fu >> length) : 0;
	size_t have = length ? 1 : 0;

	*code = 0xfffd;
	while (have && have < length && (p[have] & 0xc0) == 0x80)
		c = c << 6 | (p[have++] & 0x3f);
	if (!have || have < length)
		return have ? have : 1;
	if (c >= least[length] && c <= 0x10ffff && (c < 0xd800 || c > 0xdfff) && !is_unfit(c))
		*code = c;
	return length;
}

void svg_escape(FILE *out, const char *text)
{
	while (*text) {
		uint32_t code;
		size_t length = next_character(text, &code);

		if (code == 0xfffd)
			fputs("\xef\xbf\xbd", out);
		else if (code == '&')
			fputs("&amp;", out);
		else if (code == '<')
			fputs("&lt;", out);
		else if (code == '>')
			fputs("&gt;", out);
		else if (code == '"')
			fputs("&quot;", out);
		else
			fwrite(text, 1, length, out);
		text += length;
	}
}

static void attribute(FILE *out, const char *name, double value)
{
	fprintf(out, " %s=\"", name);
	svg_number(out, value);
	fputc('"', out);
}

void svg_text(FILE *out, const char *class, double x, double y, enum svg_anchor anchor,
	      const char *text)
{
	static const char *const name[] = {
		"",
		" text-anchor=\"middle\"",
		" text-anchor=\"end\"",
	};

	fprintf(out, "<text class=\"%s\"%s", class, name[anchor]);
	attribute(out, "x", x);
	attribute(out, "y", y);
	fputc('>', out);
	svg_escape(out, text);
	fputs("</text>\n", out);
}

void svg_rect(FILE *out, const char *class, double x, double y, double width, double height)
{
	fprintf(out, "<rect class=\"%s\"", class);
	attribute(out, "x", x);
	attribute(out, "y", y);
	attribute(out, "width", width);
	attribute(out, "height", height);
	fputs("/>\n", out);
}

void svg_line(FILE *out, const char *class, double x1, double y1, double x2, double y2)
{
	fprintf(out, "<line class=\"%s\"", class);
	attribute(out, "x1", x1);
	attribute(out, "y1", y1);
	attribute(out, "x2", x2);
	attribute(out, "y2", y2);
	fputs("/>\n", out);
}

/* In thousandths of the size. What lies beyond ASCII may be as wide as it is high, or a little wider. */
static int width_of(uint32_t code)
{
	if (code > 0x7e)
		return 1100;
	if (strchr("ijl|I'.,:; ()[]!/\\", (int)code))
		return 410;
	if (strchr("mwMW%@+=<>~^#&_", (int)code))
		return 1000;
	if (code >= 'A' && code <= 'Z')
		return 790;
	return 650;
}

double svg_text_width(const char *text, double size)
{
	double thousandths = 0;

	while (*text) {
		uint32_t code;

		text += next_character(text, &code);
		thousandths += width_of(code);
	}
	return thousandths * size / 1000;
}
