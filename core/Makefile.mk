# SPDX-License-Identifier: GPL-2.0-or-later
# core: the algorithms, as a convenience library for the simulator, the plugins and the tests.
# To add a module: one line for each of its files in libpactcore_la_SOURCES.

noinst_LTLIBRARIES += %D%/libpactcore.la
%C%_libpactcore_la_CFLAGS = $(AM_CFLAGS) -std=c11
%C%_libpactcore_la_SOURCES = \
	%D%/admission.c \
	%D%/admission.h \
	%D%/agenda.c \
	%D%/agenda.h \
	%D%/attempt.c \
	%D%/best.c \
	%D%/board.c \
	%D%/board.h \
	%D%/compress.c \
	%D%/conservative.c \
	%D%/cost.c \
	%D%/decider.c \
	%D%/decider.h \
	%D%/desk.c \
	%D%/desk.h \
	%D%/dynp.c \
	%D%/dynp.h \
	%D%/dynp_config.c \
	%D%/easy.c \
	%D%/event.c \
	%D%/fcfs.c \
	%D%/figure3.c \
	%D%/fill.c \
	%D%/fill_search.c \
	%D%/fill.h \
	%D%/fill_nodes.h \
	%D%/grow.h \
	%D%/holds.c \
	%D%/holds.h \
	%D%/job.h \
	%D%/line.c \
	%D%/line.h \
	%D%/machine.c \
	%D%/machine.h \
	%D%/mrt.c \
	%D%/msb.c \
	%D%/nodeset.c \
	%D%/nodeset.h \
	%D%/order.c \
	%D%/order.h \
	%D%/plan.c \
	%D%/plan.h \
	%D%/profile.c \
	%D%/profile.h \
	%D%/profile_build.c \
	%D%/profile_filter.c \
	%D%/profile_flat.c \
	%D%/profile_search.c \
	%D%/profile_tree.h \
	%D%/qops.c \
	%D%/quality.c \
	%D%/quality.h \
	%D%/remap.c \
	%D%/retell.c \
	%D%/retell.h \
	%D%/room.c \
	%D%/sched.c \
	%D%/sched.h \
	%D%/settle.c \
	%D%/shorten.c \
	%D%/spare.h \
	%D%/spread.c \
	%D%/spread.h \
	%D%/start.c \
	%D%/state.h \
	%D%/steps.h \
	%D%/table.c \
	%D%/table.h \
	%D%/utf8.c \
	%D%/utf8.h \
	%D%/view.c \
	%D%/virtual.c \
	%D%/virtual.h \
	%D%/watch.h
