# SPDX-License-Identifier: GPL-2.0-or-later
# pact: the command for people; it speaks doc/protocol.md to the plugin.

if BUILD_PLUGINS
# All but main() and munge, which the tests replace (testsuite/pact).
noinst_LTLIBRARIES += %D%/libpactcommand.la
%C%_libpactcommand_la_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE $(JSON_C_CFLAGS) $(MUNGE_CFLAGS)
%C%_libpactcommand_la_SOURCES = \
	%D%/chart.c \
	%D%/chart.h \
	%D%/clean.c \
	%D%/clean.h \
	%D%/client.c \
	%D%/client.h \
	%D%/cmd_ask.c \
	%D%/cmd_explain.c \
	%D%/cmd_history.c \
	%D%/cmd_plan.c \
	%D%/cmd_record.c \
	%D%/cmd_stats.c \
	%D%/cmd_status.c \
	%D%/command.h \
	%D%/socket_path.c \
	%D%/screen.c \
	%D%/screen.h \
	%D%/show.c \
	%D%/show.h \
	%D%/show_ask.c \
	%D%/show_explain.c \
	%D%/show_history.c \
	%D%/show_summary.c \
	%D%/show_plan.c \
	%D%/show_policy.c \
	%D%/show_policy.h \
	%D%/show_record.c \
	%D%/show_stats.c \
	%D%/show_status.c \
	%D%/sum.c \
	%D%/sum.h \
	%D%/take_user.c \
	slurm/base/message.c \
	slurm/base/message.h
%C%_libpactcommand_la_LIBADD = core/libpactcore.la common/libpactcommon.la draw/libpactdraw.la $(JSON_C_LIBS)

pact_cppflags = $(AM_CPPFLAGS) -D_GNU_SOURCE $(JSON_C_CFLAGS) -DPACT_VERSION='"$(PACKAGE_VERSION)"'

bin_PROGRAMS += %D%/pact
%C%_pact_CPPFLAGS = $(pact_cppflags)
%C%_pact_SOURCES = %D%/main.c
%C%_pact_LDADD = %D%/libpactcommand.la $(JSON_C_LIBS) $(MUNGE_LIBS)

dist_bashcompletion_DATA += contrib/completions/pact
endif
