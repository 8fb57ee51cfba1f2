# SPDX-License-Identifier: GPL-2.0-or-later
# common: what is not scheduling, for the programs and the bridge; core includes nothing of it.

noinst_LTLIBRARIES += %D%/libpactcommon.la
%C%_libpactcommon_la_SOURCES = \
	%D%/exits.h \
	%D%/malleable_option.c \
	%D%/malleable_option.h \
	%D%/number.c \
	%D%/number.h \
	%D%/once.c \
	%D%/once.h \
	%D%/progress.c \
	%D%/progress.h \
	%D%/rng.c \
	%D%/rng.h \
	%D%/signal_word.c \
	%D%/signal_word.h \
	%D%/utf8.c \
	%D%/utf8.h \
	%D%/why.c \
	%D%/why.h
