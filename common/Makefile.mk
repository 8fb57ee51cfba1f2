# SPDX-License-Identifier: GPL-2.0-or-later
# common: what is not scheduling, for the programs and the bridge; core includes nothing of it.

noinst_LTLIBRARIES += %D%/libpactcommon.la
%C%_libpactcommon_la_SOURCES = \
	%D%/utf8.c \
	%D%/utf8.h
