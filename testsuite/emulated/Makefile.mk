# SPDX-License-Identifier: GPL-2.0-or-later
# emulated: TAP scripts against an emulated cluster. `make check-emulated` runs them all under prove.
# To add one: its name in emulated_tests.

emulated_tests = \
	%D%/00-emulate.t \
	%D%/10-plain.t \
	%D%/11-shared.t \
	%D%/12-preempt.t \
	%D%/20-admission.t \
	%D%/21-deadline.t \
	%D%/22-changes.t \
	%D%/23-arrays.t \
	%D%/24-interactive.t \
	%D%/25-regions.t \
	%D%/26-limits.t \
	%D%/27-depend.t \
	%D%/28-newer.t \
	%D%/30-conf.t \
	%D%/31-reconfigure.t \
	%D%/40-concurrency.t \
	%D%/41-restart.t \
	%D%/42-backup.t \
	%D%/44-takeover.t \
	%D%/43-faults.t \
	%D%/45-review.t \
	%D%/50-scenarios.t \
	%D%/46-changes-review.t \
	%D%/47-changes-refused.t \
	%D%/48-tally.t \
	%D%/49-refused.t \
	%D%/61-memory.t \
	%D%/51-time-min.t \
	%D%/52-expiry.t \
	%D%/53-suspended.t \
	%D%/54-completing.t \
	%D%/55-power.t \
	%D%/56-switched-off.t \
	%D%/57-builds.t \
	%D%/58-late.t \
	%D%/59-slow-prolog.t \
	%D%/62-socket.t \
	%D%/63-pact.t \
	%D%/65-ask.t \
	%D%/66-explain.t \
	%D%/67-private.t \
	%D%/68-hostile.t \
	%D%/69-history.t \
	%D%/64-record.t \
	%D%/71-dynp.t \
	%D%/72-fields.t \
	%D%/73-storm.t \
	%D%/74-books.t \
	%D%/75-domains.t \
	%D%/76-rest.t \
	%D%/77-works-with.t \
	%D%/78-downgrade.t \
	%D%/79-decisions.t \
	%D%/80-realms.t \
	%D%/80-shares-node.t \
	%D%/81-shares.t \
	%D%/82-realms-life.t \
	%D%/82-risk.t \
	%D%/83-quickstart-shares.t \
	%D%/83-quickstart-malleable.t \
	%D%/83-quickstart-slices.t \
	%D%/84-remove-gang.t \
	%D%/84-select-gang.t \
	%D%/85-gang.t \
	%D%/86-gang-promises.t \
	%D%/87-migration.t \
	%D%/88-gang-example.t \
	%D%/88-gang-kinds.t \
	%D%/88-short-rows.t \
	%D%/89-limits-sliced.t \
	%D%/89-partitions-sliced.t \
	%D%/90-resize.t \
	%D%/91-lazy.t \
	%D%/91-malleable.t \
	%D%/91-takeover.t \
	%D%/92-elastic.t \
	%D%/94-loans.t \
	%D%/95-range-limits.t \
	%D%/96-counted.t \
	%D%/97-resize-prolog.t \
	%D%/97-slurmdbd-away.t \
	%D%/98-brief-turns.t \
	%D%/98-held-prolog.t \
	%D%/98-kill-turns.t \
	%D%/98-late-launches.t \
	%D%/98-turns.t \
	%D%/replay.t
emulated_helpers = \
	%D%/61-memory.supp \
	%D%/79-decisions.golden \
	%D%/Cluster.pm \
	%D%/Hostile.pm \
	%D%/Latency.pm \
	%D%/Malleable.pm \
	%D%/Storm.pm \
	%D%/Turns.pm \
	%D%/ccs_server.pl \
	%D%/long/Moves.pm \
	%D%/long/Seen.pm \
	%D%/long/dask.t \
	%D%/long/torchrun.t \
	%D%/long/gang-life.t \
	%D%/long/migration-life.t \
	%D%/long/resize-life.t \
	%D%/show.sh

EXTRA_DIST += $(emulated_tests) $(emulated_helpers) %D%/load_nodes.c %D%/resize_test.c %D%/submit_id.c %D%/terms_of.c %D%/update_nodes.c

# What 47-changes-refused and 65-ask ask of Slurm's API.
if BUILD_PLUGINS
if HAVE_SLURMFULL
noinst_PROGRAMS += %D%/submit_id %D%/update_nodes
%C%_submit_id_SOURCES = %D%/submit_id.c
%C%_submit_id_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS)
%C%_submit_id_LDADD = $(SLURMFULL_LIBS)
%C%_update_nodes_SOURCES = %D%/update_nodes.c
%C%_update_nodes_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS)
%C%_update_nodes_LDADD = $(SLURMFULL_LIBS)
endif
endif

# What 84-select-gang asks by libslurm.
if BUILD_PLUGINS
if HAVE_LIBSLURM
noinst_PROGRAMS += %D%/load_nodes
%C%_load_nodes_SOURCES = %D%/load_nodes.c
%C%_load_nodes_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS)
%C%_load_nodes_LDADD = $(SLURM_LIBS)
endif
endif

# What 80-shares-node gives jobs terms with.
if BUILD_PLUGINS
noinst_LTLIBRARIES += %D%/terms_of.la
%C%_terms_of_la_SOURCES = %D%/terms_of.c
%C%_terms_of_la_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS)
%C%_terms_of_la_LDFLAGS = $(pact_plugin_ldflags)
endif

# What 90-resize resizes jobs with.
if BUILD_PLUGINS
noinst_LTLIBRARIES += %D%/job_submit_resize_test.la
%C%_job_submit_resize_test_la_SOURCES = %D%/resize_test.c
%C%_job_submit_resize_test_la_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS)
%C%_job_submit_resize_test_la_LDFLAGS = $(pact_plugin_ldflags) -Wl,-z,nodelete -Wl,--wrap=helper_merge
%C%_job_submit_resize_test_la_LIBADD = slurm/libpactslurm.la $(PLUGIN_LIBS)
endif

.PHONY: check-emulated
check-emulated: all
	cd $(top_srcdir) && PACT_TOP='$(abs_top_srcdir)' PACT_BUILD='$(abs_top_builddir)' \
		prove $(PROVE_FLAGS) $(emulated_tests)

# The example for Dask, with that of the distribution (python3-distributed). 40 s.
.PHONY: check-dask
check-dask: all
	cd $(top_srcdir) && PACT_TOP='$(abs_top_srcdir)' PACT_BUILD='$(abs_top_builddir)' \
		prove -v $(PROVE_FLAGS) testsuite/emulated/long/dask.t

# The example for torchrun, with that of the distribution (python3-torch). Two minutes.
.PHONY: check-torchrun
check-torchrun: all
	cd $(top_srcdir) && PACT_TOP='$(abs_top_srcdir)' PACT_BUILD='$(abs_top_builddir)' \
		prove -v $(PROVE_FLAGS) testsuite/emulated/long/torchrun.t

# 50 migrations of the demo; CHECK_MIGRATIONS for more or fewer. In `make check` it is 5.
.PHONY: check-migrations
check-migrations: all
	cd $(top_srcdir) && PACT_TOP='$(abs_top_srcdir)' PACT_BUILD='$(abs_top_builddir)' \
		PACT_MIGRATIONS='$(or $(CHECK_MIGRATIONS),50)' prove -v $(PROVE_FLAGS) testsuite/emulated/87-migration.t

# What a cluster whose jobs take turns comes through: slurmctld killed in 200 switches, slurmds away in 40, what people do, memory,
# long prologs, 64 nodes, 70 jobs on one, 10,000 switches, a backup controller. Three hours and a half; CHECK_GANG_LIFE for
# more or fewer rounds, and PACT_LIFE='kill nodes ...' for some of it. Nothing of it is in `make check`.
.PHONY: check-gang-life
check-gang-life: all
	cd $(top_srcdir) && PACT_TOP='$(abs_top_srcdir)' PACT_BUILD='$(abs_top_builddir)' \
		PACT_ROUNDS='$(or $(CHECK_GANG_LIFE),200)' prove -v $(PROVE_FLAGS) testsuite/emulated/long/gang-life.t

# A job that is migrated, and slurmctld killed in each step of that, saved and unsaved; epilogs, lost nodes. A quarter of an hour;
# PACT_LIFE='away epilog-late ...' for some of it. Nothing of it is in `make check`.
.PHONY: check-migration-life
check-migration-life: all
	cd $(top_srcdir) && PACT_TOP='$(abs_top_srcdir)' PACT_BUILD='$(abs_top_builddir)' \
		prove -v $(PROVE_FLAGS) testsuite/emulated/long/migration-life.t

# 64 nodes, 16 malleable jobs among rigid ones with deadlines, 1000 resizes, slurmctld killed every 50; CHECK_RESIZE_LIFE for
# more or fewer resizes, and the script's head for what else can be set. Nothing of it is in `make check`.
.PHONY: check-resize-life
check-resize-life: all
	cd $(top_srcdir) && PACT_TOP='$(abs_top_srcdir)' PACT_BUILD='$(abs_top_builddir)' \
		PACT_ROUNDS='$(or $(CHECK_RESIZE_LIFE),1000)' prove -v $(PROVE_FLAGS) testsuite/emulated/long/resize-life.t

# Resizes, wishes, loans and take-overs with each select plugin, with each kind of prolog, with slurmdbd and without, two at a time: an hour
# and a half. CHECK_RESIZE_MATRIX='cons_tres/Contain/1 ...' for some of it. In `make check` it is linear/Alloc/0.
resize_matrix = $(foreach s,linear cons_tres,$(foreach p,none Alloc Contain,$(foreach a,0 1,$(s)/$(p)/$(a))))
.PHONY: check-resize-matrix
check-resize-matrix: all
	@cd $(top_srcdir) && failed=; export PACT_TOP='$(abs_top_srcdir)' PACT_BUILD='$(abs_top_builddir)'; \
	for one in $(or $(CHECK_RESIZE_MATRIX),$(resize_matrix)); do \
		echo "== select/$${one%%/*}, PrologFlags, slurmdbd: $${one#*/}"; \
		prolog=$${one#*/}; accounting=$${one##*/}; \
		PACT_SELECT=$${one%%/*} PACT_PROLOG=$${prolog%/*} PACT_ACCOUNTING=$${accounting#0} \
			prove -j2 $(PROVE_FLAGS) $(resize_tests) || failed="$$failed $$one"; \
	done; \
	test -z "$$failed" || { echo "failed:$$failed" >&2; exit 1; }
resize_tests = \
	%D%/90-resize.t \
	%D%/91-lazy.t \
	%D%/91-malleable.t \
	%D%/91-takeover.t \
	%D%/92-elastic.t \
	%D%/94-loans.t

# 10,000 random submissions, half of them with select/linear, in a quarter of an hour; CHECK_FIELDS for more or
# fewer. In `make check` it is 500.
.PHONY: check-fields
check-fields: all
	cd $(top_srcdir) && PACT_TOP='$(abs_top_srcdir)' PACT_BUILD='$(abs_top_builddir)' \
		PACT_FIELDS='$(or $(CHECK_FIELDS),10000)' prove -v $(PROVE_FLAGS) testsuite/emulated/72-fields.t

# 2000 random submissions and changes, under both schedulers in both modes, in three minutes; CHECK_STORM for
# more or fewer. In `make check` it is 200.
.PHONY: check-storm
check-storm: all
	cd $(top_srcdir) && PACT_TOP='$(abs_top_srcdir)' PACT_BUILD='$(abs_top_builddir)' \
		PACT_STORM='$(or $(CHECK_STORM),2000)' prove -v $(PROVE_FLAGS) testsuite/emulated/73-storm.t

# slurmctld killed 200 times, and reconfigured 200 times, under load: no promise is lost. About three quarters of an
# hour; CHECK_SURVIVAL for more or fewer. In `make check` it is 4 and 6. With the Slurm of Debian 13:
# PACT_ROUNDS=200 PACT_SCRIPT_TIMEOUT=7200 ./quickstart check --release trixie 41-restart 31-reconfigure
.PHONY: check-survival
check-survival: all
	cd $(top_srcdir) && PACT_TOP='$(abs_top_srcdir)' PACT_BUILD='$(abs_top_builddir)' \
		PACT_ROUNDS='$(or $(CHECK_SURVIVAL),200)' prove -v $(PROVE_FLAGS) \
		testsuite/emulated/41-restart.t testsuite/emulated/31-reconfigure.t

# Data races, by helgrind: half a minute a round or more, and only as good as the schedule it saw, so not in CI. Best in a
# build tree configured with CFLAGS='-g -O1'. CHECK_RACES_ROUNDS for more of it.
.PHONY: check-races
check-races: all
	cd $(top_srcdir) && PACT_TOP='$(abs_top_srcdir)' PACT_BUILD='$(abs_top_builddir)' \
		PACT_VALGRIND=helgrind PACT_ROUNDS='$(or $(CHECK_RACES_ROUNDS),1)' \
		prove -v $(PROVE_FLAGS) testsuite/emulated/61-memory.t
