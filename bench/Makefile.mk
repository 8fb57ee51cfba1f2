# SPDX-License-Identifier: GPL-2.0-or-later
# bench: benchmarks, each against a stated reference in the same run. `make bench` runs them; `make check` only
# builds them. Add the program to bench_programs, its script to bench_scripts.

bench_programs =
bench_scripts = \
	%D%/profile.sh \
	%D%/admission.sh \
	%D%/retell.sh \
	%D%/ask.pl \
	%D%/hostile.pl \
	%D%/controller.pl \
	%D%/dynp.sh \
	%D%/gang.sh \
	%D%/loans.sh \
	%D%/malleable.sh \
	%D%/reports.pl \
	%D%/resizes.pl \
	%D%/shares.pl \
	%D%/sharing.sh \
	%D%/simulator.pl \
	%D%/tables.pl \
	%D%/turns.pl

bench_programs += %D%/profile
%C%_profile_SOURCES = \
	%D%/bench.h \
	%D%/profile.c \
	testsuite/unit/ref_profile.c \
	testsuite/unit/ref_profile.h
%C%_profile_LDADD = core/libpactcore.la

bench_programs += %D%/admission
%C%_admission_SOURCES = \
	%D%/admission.c \
	%D%/bench.h \
	testsuite/unit/ref_profile.c \
	testsuite/unit/ref_profile.h
%C%_admission_LDADD = core/libpactcore.la

bench_programs += %D%/retell
%C%_retell_SOURCES = %D%/bench.h %D%/retell.c
%C%_retell_LDADD = tape/libtape.la core/libpactcore.la

bench_programs += %D%/dynp
%C%_dynp_SOURCES = %D%/bench.h %D%/dynp.c
%C%_dynp_LDADD = sim/libpactsim.la core/libpactcore.la

bench_programs += %D%/gang
%C%_gang_SOURCES = %D%/bench.h %D%/gang.c
%C%_gang_LDADD = core/libpactcore.la

bench_programs += %D%/malleable
%C%_malleable_SOURCES = %D%/bench.h %D%/malleable.c %D%/plain_worth.h
%C%_malleable_LDADD = core/libpactcore.la

bench_programs += %D%/loans
%C%_loans_SOURCES = %D%/bench.h %D%/loans.c %D%/plain_worth.h
%C%_loans_LDADD = core/libpactcore.la

bench_programs += %D%/sharing
%C%_sharing_SOURCES = %D%/bench.h %D%/sharing.c
%C%_sharing_LDADD = core/libpactcore.la

if BUILD_PLUGINS
bench_programs += %D%/reports
%C%_reports_SOURCES = %D%/reports.c
%C%_reports_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE $(MUNGE_CFLAGS)
%C%_reports_LDADD = node/report/libpactreport.la $(MUNGE_LIBS)

# Beside what is timed: many jobs that wait.
bench_programs += %D%/queue
%C%_queue_SOURCES = %D%/queue.c
%C%_queue_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS)
%C%_queue_LDADD = $(SLURMFULL_LIBS)
endif

check_PROGRAMS += $(bench_programs)
EXTRA_DIST += $(bench_scripts) %D%/Needs.pm %D%/decisions.sh %D%/against

.PHONY: bench bench-programs
# Beside what is timed: plain strategies.
bench-programs: $(bench_programs) testsuite/unit/ref_malleable
# All of them, whatever one of them finds; at the end, who failed.
bench: all bench-programs
	@failed=; for script in $(bench_scripts); do \
		echo "== $$script"; \
		PACT_TOP='$(abs_top_srcdir)' PACT_BUILD='$(abs_top_builddir)' \
			$(top_srcdir)/$$script || failed="$$failed $$script"; \
	done; \
	test -z "$$failed" || { echo "bench: failed:$$failed" >&2; exit 1; }

# What a change costs those who do not use it, beside an older REVISION: `make bench-against REVISION=v1`. Five minutes.
.PHONY: bench-against
bench-against: all bench-programs
	@PACT_TOP='$(abs_top_srcdir)' PACT_BUILD='$(abs_top_builddir)' \
		$(top_srcdir)/bench/against $(BENCH_AGAINST_FLAGS) '$(or $(REVISION),$(error REVISION is wanted))'
