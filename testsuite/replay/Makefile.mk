# SPDX-License-Identifier: GPL-2.0-or-later
# replay: a slice of a log with a promise for every job, on an emulated cluster and in the simulator.
# `make check-replay` takes half an hour; CHECK_REPLAY_FLAGS for more. 70-replay-promises.t is short.
# `make check-shares-replay`: jobs that share nodes, a quarter of an hour; CHECK_SHARES_REPLAY_FLAGS for more,
# 82-shares-replay.t is short.
# `make check-turns-replay`: select/gang beside Slurm's gang scheduler and sched/qops without slices, eight hours;
# CHECK_TURNS_REPLAY_FLAGS for less.
# `make check-dynp-replay`: sched/dynp beside sched/backfill, on two machines; CHECK_DYNP_REPLAY_FLAGS.

emulated_tests += \
	testsuite/emulated/70-replay-promises.t \
	testsuite/emulated/82-shares-replay.t
EXTRA_DIST += \
	%D%/check-dynp-replay \
	%D%/check-replay \
	%D%/check-shares-replay \
	%D%/check-turns-replay \
	%D%/compare \
	%D%/compare-ends \
	%D%/compare-turns

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
