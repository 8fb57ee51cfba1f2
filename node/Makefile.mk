# SPDX-License-Identifier: GPL-2.0-or-later
# node: pactd, the daemon of a node whose jobs share its processors; and its reports (node/report), which
# the bridge reads too.

if BUILD_PLUGINS
noinst_LTLIBRARIES += %D%/report/libpactreport.la
%C%_report_libpactreport_la_CPPFLAGS = $(AM_CPPFLAGS) $(JSON_C_CFLAGS) $(MUNGE_CFLAGS)
%C%_report_libpactreport_la_SOURCES = \
	%D%/report/report.c \
	%D%/report/report.h \
	%D%/report/sealed.c \
	%D%/report/sealed.h
%C%_report_libpactreport_la_LIBADD = $(JSON_C_LIBS) $(MUNGE_LIBS)

# All but main().
noinst_LTLIBRARIES += %D%/libpactnode.la
%C%_libpactnode_la_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE $(JSON_C_CFLAGS) \
	-DPACT_VERSION='"$(PACKAGE_VERSION)"'
%C%_libpactnode_la_SOURCES = \
	%D%/cgroup.c \
	%D%/cgroup.h \
	%D%/cgroup_tree.c \
	%D%/cgroup_tree.h \
	%D%/cgroup_v1.c \
	%D%/cgroup_v2.c \
	%D%/daemon.c \
	%D%/daemon.h \
	%D%/kept.c \
	%D%/kept.h \
	%D%/local.c \
	%D%/local.h \
	%D%/log.c \
	%D%/log.h \
	%D%/options.c \
	%D%/options.h \
	%D%/part.c \
	%D%/part.h \
	%D%/proc.c \
	%D%/proc.h \
	%D%/reporter.c \
	%D%/reporter.h \
	%D%/status.c \
	%D%/status.h \
	%D%/terms.c \
	%D%/terms.h \
	%D%/usage.c \
	%D%/usage.h
%C%_libpactnode_la_LIBADD = %D%/report/libpactreport.la core/libpactcore.la common/libpactcommon.la

sbin_PROGRAMS += %D%/pactd
%C%_pactd_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE -DPACT_VERSION='"$(PACKAGE_VERSION)"'
%C%_pactd_SOURCES = %D%/main.c
%C%_pactd_LDADD = %D%/libpactnode.la $(JSON_C_LIBS)
endif
