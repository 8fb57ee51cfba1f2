# SPDX-License-Identifier: GPL-2.0-or-later
# pact: the command for people; it speaks doc/protocol.md to the plugin.

if BUILD_PLUGINS
# All but main() and munge, which the tests replace (testsuite/pact).
noinst_LTLIBRARIES += %D%/libpactcommand.la
%C%_libpactcommand_la_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE $(JSON_C_CFLAGS) $(MUNGE_CFLAGS)
%C%_libpactcommand_la_SOURCES = \
	%D%/cmd_ask.c \
	%D%/cmd_explain.c \
	%D%/cmd_history.c \
	%D%/cmd_matrix.c \
	%D%/cmd_plan.c \
	%D%/cmd_record.c \
	%D%/cmd_stats.c \
	%D%/cmd_status.c \
	%D%/command.h \
	%D%/show/chart.c \
	%D%/show/chart.h \
	%D%/show/show.c \
	%D%/show/show.h \
	%D%/show/show_ask.c \
	%D%/show/show_explain.c \
	%D%/show/show_history.c \
	%D%/show/show_matrix.c \
	%D%/show/show_plan.c \
	%D%/show/show_policy.c \
	%D%/show/show_policy.h \
	%D%/show/show_record.c \
	%D%/show/show_stats.c \
	%D%/show/show_status.c \
	%D%/show/show_summary.c \
	%D%/show/show_turn.c \
	%D%/show/sum.c \
	%D%/show/sum.h \
	%D%/socket/client.c \
	%D%/socket/client.h \
	%D%/socket/socket_path.c \
	%D%/take_user.c \
	%D%/watch.c \
	%D%/terminal/clean.c \
	%D%/terminal/clean.h \
	%D%/terminal/screen.c \
	%D%/terminal/screen.h \
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
