# SPDX-License-Identifier: GPL-2.0-or-later
# slurm: tests of Slurm's own regression suite, with stock and with ours.
# `make check-slurm` runs its families test15 and test17 in all configurations, some hours; CHECK_SLURM_SELECT=gang those
# with our own select plugin alone, likewise cons_tres and linear. With the suite of
# Debian 13's Slurm, on Debian 12, after `./quickstart check --release trixie 60` has built for it:
#
#	contrib/slurm-root run .deps/root-trixie make -C build/trixie check-slurm
#
# CHECK_SLURM_FLAGS has more options, as `--tests test15.8,test17.10` for a few, or `--accounting`.
#
# 60-check-slurm.t runs ten of them, with ours.

emulated_tests += testsuite/emulated/60-check-slurm.t
EXTRA_DIST += \
	%D%/accounting.conf \
	%D%/check-slurm \
	%D%/cons_tres.conf \
	%D%/excused \
	%D%/gres.conf \
	%D%/linear.conf \
	%D%/sliced.conf

.PHONY: check-slurm
check-slurm: all
	status=0; for select in $(or $(CHECK_SLURM_SELECT),cons_tres linear gang); do \
		PACT_TOP='$(abs_top_srcdir)' PACT_BUILD='$(abs_top_builddir)' \
		$(srcdir)/testsuite/slurm/check-slurm --all --select $$select \
			$(CHECK_SLURM_FLAGS) || status=1; \
	done; exit $$status
