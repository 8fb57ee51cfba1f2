# SPDX-License-Identifier: GPL-2.0-or-later
# core: the algorithms, as a convenience library for the simulator, the plugins and the tests.
# To add a module: one line for each of its files in libpactcore_la_SOURCES.

noinst_LTLIBRARIES += %D%/libpactcore.la
%C%_libpactcore_la_CFLAGS = $(AM_CFLAGS) -std=c11
%C%_libpactcore_la_SOURCES = \
	%D%/base/array.h \
	%D%/base/freelist.h \
	%D%/base/nodeset.c \
	%D%/base/nodeset.h \
	%D%/base/steps.h \
	%D%/base/table.c \
	%D%/base/table.h \
	%D%/capacity/fill.c \
	%D%/capacity/fill.h \
	%D%/capacity/fill_nodes.h \
	%D%/capacity/fill_search.c \
	%D%/capacity/machine.c \
	%D%/capacity/machine.h \
	%D%/capacity/plan.c \
	%D%/capacity/plan.h \
	%D%/capacity/profile.c \
	%D%/capacity/profile.h \
	%D%/capacity/profile_build.c \
	%D%/capacity/profile_filter.c \
	%D%/capacity/profile_flat.c \
	%D%/capacity/profile_search.c \
	%D%/capacity/profile_tree.h \
	%D%/kernel/engine.h \
	%D%/kernel/job.h \
	%D%/kernel/retell.h \
	%D%/kernel/watch.h \
	%D%/planning/agenda.c \
	%D%/planning/agenda.h \
	%D%/planning/compress.c \
	%D%/planning/event.c \
	%D%/planning/holds.c \
	%D%/planning/holds.h \
	%D%/planning/order.c \
	%D%/planning/order.h \
	%D%/planning/remap.c \
	%D%/planning/repair.c \
	%D%/planning/save.c \
	%D%/planning/shorten.c \
	%D%/planning/start.c \
	%D%/planning/config.c \
	%D%/planning/job.c \
	%D%/planning/plan_policy.h \
	%D%/planning/planner.c \
	%D%/planning/planner.h \
	%D%/planning/queue.c \
	%D%/planning/trial.c \
	%D%/planning/trial.h \
	%D%/planning/view.c \
	%D%/policies/conservative.c \
	%D%/policies/dynp/sorted_queue.c \
	%D%/policies/dynp/sorted_queue.h \
	%D%/policies/dynp/decider.c \
	%D%/policies/dynp/decider.h \
	%D%/policies/dynp/dynp.c \
	%D%/policies/dynp/dynp.h \
	%D%/policies/dynp/dynp_config.c \
	%D%/policies/dynp/quality.c \
	%D%/policies/dynp/quality.h \
	%D%/policies/dynp/spread.c \
	%D%/policies/dynp/spread.h \
	%D%/policies/dynp/schedule.c \
	%D%/policies/dynp/schedule.h \
	%D%/policies/easy/backfill_index.c \
	%D%/policies/easy/backfill_index.h \
	%D%/policies/easy/easy.c \
	%D%/policies/fcfs.c \
	%D%/policies/mrt.c \
	%D%/policies/msb.c \
	%D%/policies/policies.h \
	%D%/policies/qops.c \
	%D%/policies/qops_best.c \
	%D%/promise/admission.c \
	%D%/promise/admission.h \
	%D%/promise/attempt.c \
	%D%/promise/cost.c \
	%D%/promise/figure3.c \
	%D%/promise/room.c \
	%D%/registry.c \
	%D%/registry.h \
	%D%/sched.c \
	%D%/sched.h
