# SPDX-License-Identifier: GPL-2.0-or-later
# core: the algorithms, as a convenience library for the simulator, the plugins and the tests.
# To add a module: one line for each of its files in libpactcore_la_SOURCES.

noinst_LTLIBRARIES += %D%/libpactcore.la
%C%_libpactcore_la_CFLAGS = $(AM_CFLAGS) -std=c11
%C%_libpactcore_la_SOURCES = \
	%D%/profile.c \
	%D%/profile.h
