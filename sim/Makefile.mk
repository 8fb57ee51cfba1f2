# SPDX-License-Identifier: GPL-2.0-or-later
# sim: the simulator, pact-sim. Its modules other than main.c go into libpactsim, so that unit tests
# and the replay can link them.

noinst_LTLIBRARIES += %D%/libpactsim.la
%C%_libpactsim_la_CPPFLAGS = $(AM_CPPFLAGS) $(ZLIB_CFLAGS) $(JSON_C_CFLAGS)
%C%_libpactsim_la_SOURCES = \
	%D%/blocks.c \
	%D%/blocks.h \
	%D%/bound.c \
	%D%/bound.h \
	%D%/cmd.h \
	%D%/change.c \
	%D%/change.h \
	%D%/classes.c \
	%D%/classes.h \
	%D%/cut.c \
	%D%/cut.h \
	%D%/deadlines.c \
	%D%/deadlines.h \
	%D%/deadlines_file.c \
	%D%/estimates.c \
	%D%/estimates.h \
	%D%/gunzip.c \
	%D%/gunzip.h \
	%D%/histogram.c \
	%D%/histogram.h \
	%D%/histogram_builtin.c \
	%D%/histogram_extract.c \
	%D%/histogram_file.c \
	%D%/histogram_file.h \
	%D%/histogram_read.c \
	%D%/jobs_csv.c \
	%D%/jobs_csv.h \
	%D%/load.c \
	%D%/load.h \
	%D%/metrics.c \
	%D%/metrics.h \
	%D%/model.c \
	%D%/model.h \
	%D%/model_exponential.c \
	%D%/model_kind.h \
	%D%/model_poisson.c \
	%D%/model_weibull.c \
	%D%/number.c \
	%D%/number.h \
	%D%/numbers.c \
	%D%/numbers.h \
	%D%/once.c \
	%D%/once.h \
	%D%/progress.c \
	%D%/progress.h \
	%D%/record.c \
	%D%/record.h \
	%D%/report.c \
	%D%/report.h \
	%D%/results.c \
	%D%/results.h \
	%D%/rng.c \
	%D%/rng.h \
	%D%/run.c \
	%D%/run.h \
	%D%/run_options.c \
	%D%/run_options.h \
	%D%/scenario.c \
	%D%/scenario.h \
	%D%/settings.c \
	%D%/settings.h \
	%D%/simulate.c \
	%D%/simulate.h \
	%D%/student.c \
	%D%/student.h \
	%D%/survey.c \
	%D%/survey.h \
	%D%/survey_report.c \
	%D%/survey_report.h \
	%D%/sweep.c \
	%D%/sweep.h \
	%D%/sweep_table.c \
	%D%/sweep_table.h \
	%D%/swf.c \
	%D%/swf.h \
	%D%/team.c \
	%D%/team.h \
	%D%/validate.c \
	%D%/validate.h \
	%D%/why.c \
	%D%/why.h \
	%D%/workers.c \
	%D%/workers.h \
	%D%/workload.c \
	%D%/workload.h
%C%_libpactsim_la_LIBADD = tape/libtape.la core/libpactcore.la common/libpactcommon.la draw/libpactdraw.la $(ZLIB_LIBS) $(JSON_C_LIBS) -lm

# The built-in histograms, as arrays of bytes.
histograms = \
	%D%/histograms/ctc.histogram \
	%D%/histograms/kth.histogram \
	%D%/histograms/pc2.histogram \
	%D%/histograms/sdsc.histogram
EXTRA_DIST += $(histograms)

nodist_%C%_libpactsim_la_SOURCES = %D%/histogram_data.c
CLEANFILES += %D%/histogram_data.c
%D%/histogram_data.c: $(histograms) %D%/Makefile.mk
	$(AM_V_GEN)$(MKDIR_P) %D% && { \
		echo "/* SPDX-License-Identifier: GPL-2.0-or-later */" && \
		echo "/* Made from sim/histograms. */ /* clang-format off */" && \
		echo "#include <stddef.h>" && \
		for name in ctc kth pc2 sdsc; do \
			echo "const char histogram_$$name[] = {" && \
			od -An -v -w256 -tu1 "$(srcdir)/%D%/histograms/$$name.histogram" | \
				sed 's/\([0-9]\)\( \|$$\)/\1,\2/g' && \
			echo "};" && \
			echo "const size_t histogram_$${name}_length = sizeof(histogram_$$name);" || exit; \
		done; } >$@.new && mv $@.new $@

bin_PROGRAMS += %D%/pact-sim
%C%_pact_sim_SOURCES = \
	%D%/cmd_bound.c \
	%D%/cmd_gantt.c \
	%D%/cmd_line.c \
	%D%/cmd_output.c \
	%D%/cmd_replay.c \
	%D%/cmd_run.c \
	%D%/cmd_scenario.c \
	%D%/cmd_sweep.c \
	%D%/cmd_trace.c \
	%D%/main.c \
	%D%/watch.c \
	%D%/watch.h
%C%_pact_sim_CPPFLAGS = $(AM_CPPFLAGS) $(JSON_C_CFLAGS)
%C%_pact_sim_LDADD = %D%/libpactsim.la $(JSON_C_LIBS)

# Worked examples, see doc/scenarios.md.
EXTRA_DIST += \
	testsuite/scenarios/best-cheapest.scn \
	testsuite/scenarios/best-improve.scn \
	testsuite/scenarios/best-no-effort.scn \
	testsuite/scenarios/best-repair.scn \
	testsuite/scenarios/compress-arrival.scn \
	testsuite/scenarios/compress-start.scn \
	testsuite/scenarios/conservative-cancel.scn \
	testsuite/scenarios/conservative-classes.scn \
	testsuite/scenarios/conservative-compress.scn \
	testsuite/scenarios/conservative.scn \
	testsuite/scenarios/dynp-makespan.scn \
	testsuite/scenarios/dynp-promise.scn \
	testsuite/scenarios/dynp-queue.scn \
	testsuite/scenarios/dynp-switch.scn \
	testsuite/scenarios/easy.scn \
	testsuite/scenarios/fcfs.scn \
	testsuite/scenarios/mrt-llf.scn \
	testsuite/scenarios/mrt-no-backtrack.scn \
	testsuite/scenarios/mrt.scn \
	testsuite/scenarios/msb-infinite.scn \
	testsuite/scenarios/msb-patient.scn \
	testsuite/scenarios/msb-slots.scn \
	testsuite/scenarios/msb-wait.scn \
	testsuite/scenarios/msb.scn \
	testsuite/scenarios/qops-accept.scn \
	testsuite/scenarios/qops-begin.scn \
	testsuite/scenarios/qops-classes.scn \
	testsuite/scenarios/qops-early-end.scn \
	testsuite/scenarios/qops-guard.scn \
	testsuite/scenarios/qops-kfactor-0.scn \
	testsuite/scenarios/qops-kfactor-1.scn \
	testsuite/scenarios/qops-later-position.scn \
	testsuite/scenarios/qops-llf.scn \
	testsuite/scenarios/qops-no-limit.scn \
	testsuite/scenarios/qops-node-lost.scn \
	testsuite/scenarios/qops-refuse.scn \
	testsuite/scenarios/qops-reservation.scn \
	testsuite/scenarios/qops-slurm-least.scn \
	testsuite/scenarios/qops-slurm-mode.scn \
	testsuite/scenarios/qops-slurm-urgent.scn

sim_tests = \
	testsuite/sim/bound.t \
	testsuite/sim/gantt.t \
	testsuite/sim/golden.t \
	testsuite/sim/laboratory.t \
	testsuite/sim/models.t \
	testsuite/sim/run.t \
	testsuite/sim/sweep.t \
	testsuite/sim/trace.t

TESTS += $(sim_tests)
EXTRA_DIST += \
	$(sim_tests) \
	testsuite/sim/experiments-dynp.t \
	testsuite/sim/experiments.t \
	testsuite/sim/fuzz.t \
	testsuite/sim/fuzz_set.c \
	testsuite/sim/fuzz_swf.c \
	testsuite/sim/golden.csv \
	testsuite/sim/golden.sh

# Once is enough: hundreds of runs; sanitizers of its own.
if !SANITIZERS
TESTS += \
	testsuite/sim/experiments-dynp.t \
	testsuite/sim/experiments.t \
	testsuite/sim/fuzz.t
endif

# When results are meant to change; the commit says why.
update-golden: sim/pact-sim
	PACT_TOP='$(abs_top_srcdir)' PACT_BUILD='$(abs_top_builddir)' \
		$(top_srcdir)/testsuite/sim/golden.sh --update >golden.new
	mv golden.new $(top_srcdir)/testsuite/sim/golden.csv
.PHONY: update-golden
