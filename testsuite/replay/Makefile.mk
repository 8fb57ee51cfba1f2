# SPDX-License-Identifier: GPL-2.0-or-later
# replay: a slice of a log with a promise for every job, on an emulated cluster and in the simulator.
# `make check-replay` takes half an hour; CHECK_REPLAY_FLAGS for more. 70-replay-promises.t is short.
# `make check-shares-replay`: jobs that share nodes, a quarter of an hour; CHECK_SHARES_REPLAY_FLAGS for more,
# 82-shares-replay.t is short.
# `make check-turns-replay`: select/gang beside Slurm's gang scheduler and sched/qops without slices, eight hours;
# CHECK_TURNS_REPLAY_FLAGS for less.
# `make check-malleable-replay`: Table 4.4 of malleable, jobs that really grow and shrink; two hours and a half,
# CHECK_MALLEABLE_REPLAY_FLAGS for less; 93-table44.t is short.
# `make check-dynp-replay`: sched/dynp beside sched/backfill, on two machines; CHECK_DYNP_REPLAY_FLAGS.

emulated_tests += \
	testsuite/emulated/70-replay-promises.t \
	testsuite/emulated/82-shares-replay.t \
	testsuite/emulated/93-table44.t
EXTRA_DIST += \
	%D%/check-dynp-replay \
	%D%/check-malleable-replay \
	%D%/check-replay \
	%D%/check-shares-replay \
	%D%/check-turns-replay \
	%D%/compare \
	%D%/compare-ends \
	%D%/compare-malleable \
	%D%/compare-turns \
	%D%/measure-turns \
	%D%/table41.c

# The program of check-malleable-replay's jobs.
if HAVE_LIBSLURM
noinst_PROGRAMS += %D%/table41
%C%_table41_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE
%C%_table41_SOURCES = %D%/table41.c
%C%_table41_LDADD = client/libpact-malleable.la sim/libpactsim.la core/libpactcore.la common/libpactcommon.la
endif

.PHONY: check-replay
check-replay: all
	PACT_TOP='$(abs_top_srcdir)' PACT_BUILD='$(abs_top_builddir)' \
		$(srcdir)/testsuite/replay/check-replay $(CHECK_REPLAY_FLAGS)

.PHONY: check-shares-replay
check-shares-replay: all
	PACT_TOP='$(abs_top_srcdir)' PACT_BUILD='$(abs_top_builddir)' \
		$(srcdir)/testsuite/replay/check-shares-replay $(CHECK_SHARES_REPLAY_FLAGS)

.PHONY: check-dynp-replay
check-dynp-replay: all
	PACT_TOP='$(abs_top_srcdir)' PACT_BUILD='$(abs_top_builddir)' \
		$(srcdir)/testsuite/replay/check-dynp-replay $(CHECK_DYNP_REPLAY_FLAGS)

.PHONY: check-turns-replay
check-turns-replay: all
	PACT_TOP='$(abs_top_srcdir)' PACT_BUILD='$(abs_top_builddir)' \
		$(srcdir)/testsuite/replay/check-turns-replay $(CHECK_TURNS_REPLAY_FLAGS)

.PHONY: check-malleable-replay
check-malleable-replay: all
	PACT_TOP='$(abs_top_srcdir)' PACT_BUILD='$(abs_top_builddir)' \
		$(srcdir)/testsuite/replay/check-malleable-replay $(CHECK_MALLEABLE_REPLAY_FLAGS)
