/* SPDX-License-Identifier: GPL-2.0-or-later */
/* page: see page.h. */
#include "draw/page.h"

#include <errno.h>

#include "draw/svg.h"

/*
 * Classes are one letter or two, because there may be thousands of boxes: s n l text; a axis, r ruler,
 * f frame; i no outline, j edges of bands; e u p b outlines of ended, running, planned, blocked; k. patterns, t. plain fills of promised,
 * other, lost, blocked; d m flags; k slack; w now; g o grounds of labels.
 */
static const char style[] =
	"<style>"
	"text{font-family:'DejaVu Sans',Verdana,Helvetica,Arial,sans-serif;fill:#000}"
	".s{font-size:10px}.n{font-size:11px}.l{font-size:15px;font-weight:normal}"
	".a{stroke:#000}.r{stroke:#ddd}.f{fill:none;stroke:#000}"
	".i{stroke:none}.j{stroke:#222;stroke-width:.7}"
	".e{stroke:#222;stroke-width:.7}.u{stroke:#000;stroke-width:2}"
	".p{stroke:#000;stroke-width:1;stroke-dasharray:4 "
	"2;fill-opacity:.6}.b{stroke:#888;stroke-width:.7}"
	".kp{fill:url(#hp)}.ko{fill:#ececec}.kl{fill:url(#hl)}.kb{fill:url(#hb)}.kn{fill:#fff}"
	".tp{fill:#3b76af;stroke-width:.3}.to{fill:#dcdcdc;stroke-width:.3}"
	".tl{fill:#999;stroke-width:.3}"
	".d{fill:#fff;stroke:#b00000;stroke-width:1.2}.m{fill:#b00000;stroke:#b00000;stroke-width:"
	"2}"
	".k{stroke:#b00000;stroke-width:.8;stroke-dasharray:1 2}"
	".w{stroke:#000;stroke-width:1.5;stroke-dasharray:7 3}.g{fill:#fff}.o{fill:#ececec}"
	"</style>\n"
	"<defs>"
	"<pattern id=\"hp\" patternUnits=\"userSpaceOnUse\" width=\"5\" height=\"5\">"
	"<rect width=\"5\" height=\"5\" fill=\"#d9e7f4\"/>"
	"<path d=\"M-1 1l2-2M0 5l5-5M4 6l2-2\" stroke=\"#3b76af\" stroke-width=\"1.2\"/></pattern>"
	"<pattern id=\"hl\" patternUnits=\"userSpaceOnUse\" width=\"6\" height=\"6\">"
	"<rect width=\"6\" height=\"6\" fill=\"#fff\"/>"
	"<path d=\"M0 0l6 6M6 0l-6 6\" stroke=\"#666\" stroke-width=\".8\"/></pattern>"
	"<pattern id=\"hb\" patternUnits=\"userSpaceOnUse\" width=\"4\" height=\"4\">"
	"<rect width=\"4\" height=\"4\" fill=\"#f4f4f4\"/>"
	"<circle cx=\"2\" cy=\"2\" r=\".9\" fill=\"#888\"/></pattern>"
	"</defs>\n";

int page_write(const char *title, const char *body, size_t size, double height, FILE *out)
{
	errno = 0;
	fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1200\" height=\"",
	      out);
	svg_number(out, height);
	fputs("\" viewBox=\"0 0 1200 ", out);
	svg_number(out, height);
	fputs("\">\n<title>", out);
	svg_escape(out, title ? title : "Schedule");
	fputs("</title>\n", out);
	fputs(style, out);
	svg_rect(out, "g", 0, 0, PAGE_WIDTH, height);
	fwrite(body, 1, size, out);
	fputs("</svg>\n", out);
	if (fflush(out) == 0 && !ferror(out))
		return 0;
	return errno ? errno : EIO;
}
