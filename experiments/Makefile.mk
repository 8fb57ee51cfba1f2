# SPDX-License-Identifier: GPL-2.0-or-later
# experiments: the papers' evaluations, anew. `make check-experiments` runs them whole, which takes
# hours (see experiments/README.md), and judges; testsuite/sim/experiments.t runs a small cut.

EXTRA_DIST += \
	%D%/README.md \
	%D%/Rows.pm \
	%D%/Verdicts.pm \
	%D%/check \
	%D%/steps.sh \
	%D%/dynp/Claims.pm \
	%D%/dynp/Paper.pm \
	%D%/dynp/causes \
	%D%/dynp/report \
	%D%/dynp/run \
	%D%/gang/Claims.pm \
	%D%/gang/Figures.pm \
	%D%/gang/Jobs.pm \
	%D%/gang/Paper.pm \
	%D%/gang/Points.pm \
	%D%/gang/aside \
	%D%/gang/aside-report \
	%D%/gang/beyond \
	%D%/gang/beyond-report \
	%D%/gang/causes \
	%D%/gang/jobs \
	%D%/gang/report \
	%D%/gang/run \
	%D%/libra/Claims.pm \
	%D%/libra/causes \
	%D%/libra/chance \
	%D%/libra/report \
	%D%/libra/run \
	%D%/malleable/Claims.pm \
	%D%/malleable/Paper.pm \
	%D%/malleable/causes \
	%D%/malleable/compare \
	%D%/malleable/report \
	%D%/malleable/run \
	%D%/malleable/settings \
	%D%/qops/Beyond.pm \
	%D%/qops/Claims.pm \
	%D%/qops/Figures.pm \
	%D%/qops/causes \
	%D%/qops/report \
	%D%/qops/run

.PHONY: check-experiments check-experiments-dynp check-experiments-gang check-experiments-libra \
	check-experiments-malleable check-experiments-qops
EXPERIMENTS = $(abs_top_builddir)/experiments
check-experiments: all
	PACT_BUILD='$(abs_top_builddir)' $(srcdir)/experiments/check \
		--out '$(EXPERIMENTS)' $(CHECK_EXPERIMENTS_FLAGS)
check-experiments-dynp: all
	PACT_BUILD='$(abs_top_builddir)' $(srcdir)/experiments/dynp/run --out '$(EXPERIMENTS)/dynp'
check-experiments-gang: all
	PACT_BUILD='$(abs_top_builddir)' $(srcdir)/experiments/gang/run \
		--out '$(EXPERIMENTS)/gang' $(CHECK_EXPERIMENTS_FLAGS)
	PACT_BUILD='$(abs_top_builddir)' $(srcdir)/experiments/gang/beyond --out '$(EXPERIMENTS)/gang-beyond'
	PACT_BUILD='$(abs_top_builddir)' $(srcdir)/experiments/gang/aside --out '$(EXPERIMENTS)/gang-aside'
check-experiments-libra: all
	PACT_BUILD='$(abs_top_builddir)' $(srcdir)/experiments/libra/run \
		--out '$(EXPERIMENTS)/libra' $(CHECK_EXPERIMENTS_FLAGS)
	PACT_BUILD='$(abs_top_builddir)' $(srcdir)/experiments/libra/chance
check-experiments-malleable: all
	PACT_BUILD='$(abs_top_builddir)' $(srcdir)/experiments/malleable/run \
		--out '$(EXPERIMENTS)/malleable' $(CHECK_EXPERIMENTS_FLAGS)
check-experiments-qops: all
	PACT_BUILD='$(abs_top_builddir)' $(srcdir)/experiments/qops/run \
		--out '$(EXPERIMENTS)/qops' $(CHECK_EXPERIMENTS_FLAGS)
