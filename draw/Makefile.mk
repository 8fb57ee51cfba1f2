# SPDX-License-Identifier: GPL-2.0-or-later
# draw: pictures of schedules in SVG, as a convenience library for pact-sim and other commands. It knows
# nothing but the C library.

noinst_LTLIBRARIES += %D%/libpactdraw.la
%C%_libpactdraw_la_SOURCES = \
	%D%/gantt.c \
	%D%/gantt.h \
	%D%/matrix.c \
	%D%/matrix.h \
	%D%/page.c \
	%D%/page.h \
	%D%/rows.c \
	%D%/rows.h \
	%D%/svg.c \
	%D%/svg.h \
	%D%/ticks.c \
	%D%/ticks.h
%C%_libpactdraw_la_LIBADD = -lm
