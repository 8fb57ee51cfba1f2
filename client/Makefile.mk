# SPDX-License-Identifier: GPL-2.0-or-later
# client: what a running job is told of its nodes, and what it answers. The bridge has the words from here, too.

noinst_LTLIBRARIES += %D%/libpactwish.la
%C%_libpactwish_la_SOURCES = \
	%D%/wish.c \
	%D%/wish.h
