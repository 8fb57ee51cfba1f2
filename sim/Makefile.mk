# SPDX-License-Identifier: GPL-2.0-or-later
# sim: the simulator, pact-sim. Its modules other than main.c go into libpactsim, so that unit tests
# and the replay can link them.

noinst_LTLIBRARIES += %D%/libpactsim.la
%C%_libpactsim_la_CPPFLAGS = $(AM_CPPFLAGS) $(ZLIB_CFLAGS) $(JSON_C_CFLAGS)
%C%_libpactsim_la_SOURCES = \
	%D%/commands/cmd.h \
	%D%/commands/run.c \
	%D%/commands/run.h \
	%D%/commands/run_options.c \
	%D%/commands/run_options.h \
	%D%/commands/sweep.c \
	%D%/commands/sweep.h \
	%D%/commands/sweep_table.c \
	%D%/commands/sweep_table.h \
	%D%/models/histogram.c \
	%D%/models/histogram.h \
	%D%/models/histogram_builtin.c \
	%D%/models/histogram_extract.c \
	%D%/models/histogram_file.c \
	%D%/models/histogram_file.h \
	%D%/models/histogram_read.c \
	%D%/models/hypererlang.c \
	%D%/models/hypererlang.h \
	%D%/models/hypererlang_log.c \
	%D%/models/hypererlang_log.h \
	%D%/models/hypererlang_set.c \
	%D%/models/hypererlang_set.h \
	%D%/models/lines.c \
	%D%/models/lines.h \
	%D%/models/model.c \
	%D%/models/model.h \
	%D%/models/model_exponential.c \
	%D%/models/model_hypererlang.c \
	%D%/models/model_kind.h \
	%D%/models/model_malleable.c \
	%D%/models/model_poisson.c \
	%D%/models/model_weibull.c \
	%D%/report/bound.c \
	%D%/report/bound.h \
	%D%/report/classes.c \
	%D%/report/classes.h \
	%D%/report/held.c \
	%D%/report/held.h \
	%D%/report/loss.c \
	%D%/report/loss.h \
	%D%/report/metrics.c \
	%D%/report/metrics.h \
	%D%/report/report.c \
	%D%/report/report.h \
	%D%/report/results.c \
	%D%/report/results.h \
	%D%/report/student.c \
	%D%/report/student.h \
	%D%/check/aways.c \
	%D%/check/aways.h \
	%D%/check/scenario.c \
	%D%/check/scenario.h \
	%D%/check/scenario_own.h \
	%D%/check/scenario_run.c \
	%D%/check/validate.c \
	%D%/check/validate.h \
	%D%/check/validate_aside.c \
	%D%/check/validate_launch.c \
	%D%/check/validate_nodes.c \
	%D%/check/validate_own.h \
	%D%/check/validate_resize.c \
	%D%/check/validate_slices.c \
	%D%/run/answers.c \
	%D%/run/answers.h \
	%D%/run/change.c \
	%D%/run/change.h \
	%D%/run/deadlines.c \
	%D%/run/deadlines.h \
	%D%/run/deadlines_draw.c \
	%D%/run/ends.c \
	%D%/run/ends.h \
	%D%/run/notices.c \
	%D%/run/notices.h \
	%D%/run/record.c \
	%D%/run/record.h \
	%D%/run/slices.c \
	%D%/run/slices.h \
	%D%/run/timeshare.c \
	%D%/run/timeshare.h \
	%D%/run/simulate.c \
	%D%/run/simulate.h \
	%D%/run/simulate_change.c \
	%D%/run/simulate_change.h \
	%D%/run/simulate_own.c \
	%D%/run/simulate_own.h \
	%D%/run/team.c \
	%D%/run/team.h \
	%D%/run/work.c \
	%D%/run/work.h \
	%D%/run/workers.c \
	%D%/run/workers.h \
	%D%/workload/blocks.c \
	%D%/workload/blocks.h \
	%D%/workload/curve.c \
	%D%/workload/curve.h \
	%D%/workload/cut.c \
	%D%/workload/cut.h \
	%D%/workload/estimates.c \
	%D%/workload/estimates.h \
	%D%/workload/gunzip.c \
	%D%/workload/gunzip.h \
	%D%/workload/job_lines.c \
	%D%/workload/job_lines.h \
	%D%/workload/jobs_csv.c \
	%D%/workload/jobs_csv.h \
	%D%/workload/launches.c \
	%D%/workload/launches.h \
	%D%/workload/load.c \
	%D%/workload/load.h \
	%D%/workload/numbers.c \
	%D%/workload/numbers.h \
	%D%/workload/ranges.c \
	%D%/workload/ranges.h \
	%D%/workload/survey.c \
	%D%/workload/survey.h \
	%D%/workload/survey_report.c \
	%D%/workload/survey_report.h \
	%D%/workload/swf.c \
	%D%/workload/swf.h \
	%D%/workload/workload.c \
	%D%/workload/workload.h
%C%_libpactsim_la_LIBADD = tape/libtape.la core/libpactcore.la common/libpactcommon.la draw/libpactdraw.la $(ZLIB_LIBS) $(JSON_C_LIBS) -lm

# The built-in histograms and the built-in set of hypererlang, as arrays of bytes.
histograms = \
	%D%/histograms/ctc.histogram \
	%D%/histograms/kth.histogram \
	%D%/histograms/pc2.histogram \
	%D%/histograms/sdsc.histogram
hypererlangs = \
	%D%/hypererlang/blue.hypererlang
EXTRA_DIST += $(histograms) $(hypererlangs)

nodist_%C%_libpactsim_la_SOURCES = %D%/model_data.c
CLEANFILES += %D%/model_data.c
%D%/model_data.c: $(histograms) $(hypererlangs) %D%/Makefile.mk
	$(AM_V_GEN)$(MKDIR_P) %D% && { \
		echo "/* SPDX-License-Identifier: GPL-2.0-or-later */" && \
		echo "/* Made from sim/histograms and sim/hypererlang. */ /* clang-format off */" && \
		echo "#include <stddef.h>" && \
		for file in histograms/ctc histograms/kth histograms/pc2 histograms/sdsc \
			hypererlang/blue; do \
			name=$${file#*/} && kind=$${file%%/*} && kind=$${kind%s} && \
			echo "const char $${kind}_$$name[] = {" && \
			od -An -v -w256 -tu1 "$(srcdir)/%D%/$$file.$$kind" | \
				sed 's/\([0-9]\)\( \|$$\)/\1,\2/g' && \
			echo "};" && \
			echo "const size_t $${kind}_$${name}_length = sizeof($${kind}_$$name);" || exit; \
		done; } >$@.new && mv $@.new $@

bin_PROGRAMS += %D%/pact-sim
%C%_pact_sim_SOURCES = \
	%D%/commands/cmd_bound.c \
	%D%/commands/cmd_gantt.c \
	%D%/commands/cmd_line.c \
	%D%/commands/cmd_matrix.c \
	%D%/commands/cmd_output.c \
	%D%/commands/cmd_replay.c \
	%D%/commands/cmd_run.c \
	%D%/commands/cmd_scenario.c \
	%D%/commands/cmd_sweep.c \
	%D%/commands/cmd_trace.c \
	%D%/commands/main.c \
	%D%/commands/watch.c \
	%D%/commands/watch.h
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
	testsuite/scenarios/demand-nearest.scn \
	testsuite/scenarios/dynp-makespan.scn \
	testsuite/scenarios/dynp-promise.scn \
	testsuite/scenarios/dynp-queue.scn \
	testsuite/scenarios/dynp-switch.scn \
	testsuite/scenarios/easy.scn \
	testsuite/scenarios/edf-no-backfill.scn \
	testsuite/scenarios/edf-order.scn \
	testsuite/scenarios/fcfs.scn \
	testsuite/scenarios/gang-aligned.scn \
	testsuite/scenarios/gang-aside.scn testsuite/scenarios/gang-aside-discrete.scn \
	testsuite/scenarios/gang-backfill.scn \
	testsuite/scenarios/gang-clean.scn \
	testsuite/scenarios/gang-clock.scn \
	testsuite/scenarios/gang-collapse-2.scn \
	testsuite/scenarios/gang-compact.scn \
	testsuite/scenarios/gang-discrete.scn \
	testsuite/scenarios/gang-figure9.scn \
	testsuite/scenarios/gang-fill.scn \
	testsuite/scenarios/gang-launch.scn \
	testsuite/scenarios/gang-fill-2.scn \
	testsuite/scenarios/gang-memory.scn \
	testsuite/scenarios/gang-next.scn \
	testsuite/scenarios/gang-no-reservation.scn \
	testsuite/scenarios/gang-option-2.scn \
	testsuite/scenarios/gang-promise.scn \
	testsuite/scenarios/gang-promise-outlast.scn \
	testsuite/scenarios/gang-promise-refuse.scn \
	testsuite/scenarios/gang-promise-spared.scn \
	testsuite/scenarios/gang-promise-starves.scn \
	testsuite/scenarios/gang-quota.scn \
	testsuite/scenarios/gang-reservation.scn \
	testsuite/scenarios/gang-schedule.scn \
	testsuite/scenarios/gang-schedule-2.scn \
	testsuite/scenarios/gang-stay.scn \
	testsuite/scenarios/gang-switch.scn \
	testsuite/scenarios/gang-whole.scn \
	testsuite/scenarios/lazy-deferred.scn \
	testsuite/scenarios/lazy-forced.scn \
	testsuite/scenarios/lazy-undated.scn \
	testsuite/scenarios/libra-full.scn \
	testsuite/scenarios/libra-idle.scn \
	testsuite/scenarios/libra-memory.scn \
	testsuite/scenarios/libra-outlived.scn \
	testsuite/scenarios/libra-processors.scn \
	testsuite/scenarios/libra-spare.scn \
	testsuite/scenarios/libra-step-unlike.scn \
	testsuite/scenarios/libra-step.scn \
	testsuite/scenarios/libra-unlike.scn \
	testsuite/scenarios/librarisk-alike.scn \
	testsuite/scenarios/librarisk-late.scn \
	testsuite/scenarios/librarisk-past.scn \
	testsuite/scenarios/librarisk-step.scn \
	testsuite/scenarios/loans-floor.scn \
	testsuite/scenarios/loans-instant.scn \
	testsuite/scenarios/loans-moldable.scn \
	testsuite/scenarios/loans-promise.scn \
	testsuite/scenarios/mrt-llf.scn \
	testsuite/scenarios/mrt-no-backtrack.scn \
	testsuite/scenarios/mrt.scn \
	testsuite/scenarios/msb-infinite.scn \
	testsuite/scenarios/msb-patient.scn \
	testsuite/scenarios/msb-slots.scn \
	testsuite/scenarios/msb-wait.scn \
	testsuite/scenarios/msb.scn \
	testsuite/scenarios/profit-accept.scn \
	testsuite/scenarios/profit-floor.scn \
	testsuite/scenarios/profit-full.scn \
	testsuite/scenarios/profit-loss.scn \
	testsuite/scenarios/profit-notice.scn \
	testsuite/scenarios/profit-undated.scn \
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
	testsuite/scenarios/qops-slurm-urgent.scn \
	testsuite/scenarios/uniform-first.scn \
	testsuite/scenarios/uniform-grace.scn \
	testsuite/scenarios/uniform-kept.scn \
	testsuite/scenarios/uniform-moldable.scn \
	testsuite/scenarios/uniform-notice.scn \
	testsuite/scenarios/uniform-parts.scn \
	testsuite/scenarios/uniform-refusal.scn

sim_tests = \
	testsuite/sim/bound.t \
	testsuite/sim/deadlines.t \
	testsuite/sim/gantt.t \
	testsuite/sim/golden.t \
	testsuite/sim/matrix.t \
	testsuite/sim/models.t \
	testsuite/sim/run.t \
	testsuite/sim/sweep.t \
	testsuite/sim/trace.t

# They check figures, over many jobs, which the sanitizers would not change; the code is that of the others and of the unit tests.
sim_figures = \
	testsuite/sim/laboratory.t \
	testsuite/sim/malleable.t

TESTS += $(sim_tests)
if !SANITIZERS
TESTS += $(sim_figures)
endif
EXTRA_DIST += \
	$(sim_tests) \
	$(sim_figures) \
	testsuite/sim/experiments-dynp.t \
	testsuite/sim/experiments-aside.t \
	testsuite/sim/experiments-beyond.t \
	testsuite/sim/experiments-gang.t \
	testsuite/sim/experiments-libra.t \
	testsuite/sim/experiments-malleable.t \
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
	testsuite/sim/experiments-aside.t \
	testsuite/sim/experiments-beyond.t \
	testsuite/sim/experiments-gang.t \
	testsuite/sim/experiments-libra.t \
	testsuite/sim/experiments-malleable.t \
	testsuite/sim/experiments.t \
	testsuite/sim/fuzz.t
endif

# When results are meant to change; the commit says why.
update-golden: sim/pact-sim
	PACT_TOP='$(abs_top_srcdir)' PACT_BUILD='$(abs_top_builddir)' \
		$(top_srcdir)/testsuite/sim/golden.sh --update >golden.new
	mv golden.new $(top_srcdir)/testsuite/sim/golden.csv
.PHONY: update-golden
