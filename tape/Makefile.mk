# SPDX-License-Identifier: GPL-2.0-or-later
# tape: recordings of what a driver and a scheduler said to each other, written and played; for the
# simulator and the plugins.

noinst_LTLIBRARIES += %D%/libtape.la
%C%_libtape_la_CPPFLAGS = $(AM_CPPFLAGS) $(JSON_C_CFLAGS)
%C%_libtape_la_SOURCES = \
	%D%/fields.c \
	%D%/fields.h \
	%D%/layout.c \
	%D%/layout.h \
	%D%/play.c \
	%D%/play.h \
	%D%/retold.c \
	%D%/retold.h \
	%D%/tape.c \
	%D%/tape.h \
	%D%/version1.c \
	%D%/version1.h
%C%_libtape_la_LIBADD = $(JSON_C_LIBS)
