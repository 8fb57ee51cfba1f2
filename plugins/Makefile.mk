# SPDX-License-Identifier: GPL-2.0-or-later
# plugins: what slurmctld loads, and slurmd (spank_pact) and all of Slurm (select_gang), a thin shell each. They are built into plugins/.libs
# (which may stand in PluginDir as it is). To add one: an entry in pact_plugins (the name of the .so), in
# noinst_LTLIBRARIES, and its _SOURCES, _CPPFLAGS, _LDFLAGS, _LIBADD.
#
# They are installed by hand and not by libtool: a daemon has the old file mapped, so the new one has
# to take its place by rename.

pact_plugins =

# -rpath makes a noinst library a shared one.
pact_plugin_ldflags = $(AM_LDFLAGS) -module -avoid-version -shared -rpath $(slurmplugindir)

if BUILD_PLUGINS
# The owner of the plan stays in the process once loaded (slurm/agent/shared.h), and without
# job_submit/deadline that is the scheduler's shell; a thread that hung on a disk and was left behind
# (slurm/base/patience.h) needs its code when the disk answers: nodelete.
pact_plugins += job_submit_deadline.so
noinst_LTLIBRARIES += %D%/job_submit_deadline.la
%C%_job_submit_deadline_la_SOURCES = %D%/jobsubmit_deadline/job_submit_deadline.c
%C%_job_submit_deadline_la_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS)
%C%_job_submit_deadline_la_LDFLAGS = $(pact_plugin_ldflags) -Wl,-z,nodelete \
	-export-symbols-regex '^(plugin_(name|type|version)|init|fini|job_submit|job_modify|pact_shared_2)$$'
%C%_job_submit_deadline_la_LIBADD = slurm/libpactslurm.la $(PLUGIN_LIBS)

pact_plugins += sched_qops.so
noinst_LTLIBRARIES += %D%/sched_qops.la
%C%_sched_qops_la_SOURCES = %D%/sched_qops/sched_qops.c
%C%_sched_qops_la_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS)
%C%_sched_qops_la_LDFLAGS = $(pact_plugin_ldflags) -Wl,-z,nodelete \
	-export-symbols-regex '^(plugin_(name|type|version)|init|fini|sched_p_reconfig)$$'
%C%_sched_qops_la_LIBADD = slurm/libpactslurm.la $(PLUGIN_LIBS)

pact_plugins += sched_dynp.so
noinst_LTLIBRARIES += %D%/sched_dynp.la
%C%_sched_dynp_la_SOURCES = %D%/sched_dynp/sched_dynp.c
%C%_sched_dynp_la_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS)
%C%_sched_dynp_la_LDFLAGS = $(pact_plugin_ldflags) -Wl,-z,nodelete \
	-export-symbols-regex '^(plugin_(name|type|version)|init|fini|sched_p_reconfig)$$'
%C%_sched_dynp_la_LIBADD = slurm/libpactslurm.la $(PLUGIN_LIBS)

pact_plugins += sched_malleable.so
noinst_LTLIBRARIES += %D%/sched_malleable.la
%C%_sched_malleable_la_SOURCES = %D%/sched_malleable/sched_malleable.c
%C%_sched_malleable_la_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS)
%C%_sched_malleable_la_LDFLAGS = $(pact_plugin_ldflags) -Wl,-z,nodelete \
	-export-symbols-regex '^(plugin_(name|type|version)|init|fini|sched_p_reconfig)$$'
%C%_sched_malleable_la_LIBADD = slurm/libpactslurm.la $(PLUGIN_LIBS)

# Of spank.h alone: slurmd, srun and sbatch load it, not slurmctld.
pact_plugins += spank_pact.so
noinst_LTLIBRARIES += %D%/spank_pact.la
%C%_spank_pact_la_SOURCES = %D%/spank_pact/spank_pact.c
%C%_spank_pact_la_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS)
%C%_spank_pact_la_LDFLAGS = $(pact_plugin_ldflags) \
	-export-symbols-regex '^(plugin_(name|type|version)|spank_plugin_version|slurm_spank_[a-z_]+)$$'
%C%_spank_pact_la_LIBADD = common/libpactcommon.la

# slurmctld, slurmd, slurmstepd and every client load it: of Slurm's headers alone.
pact_plugins += select_gang.so
noinst_LTLIBRARIES += %D%/select_gang.la
%C%_select_gang_la_SOURCES = %D%/select_gang/select_gang.c
%C%_select_gang_la_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS)
%C%_select_gang_la_LDFLAGS = $(pact_plugin_ldflags) -Wl,-z,nodelete \
	-export-symbols-regex '^(plugin_(name|type|version|id)|init|fini|select_p_[a-z_]+|pact_gang_5)$$'
%C%_select_gang_la_LIBADD = $(PLUGIN_LIBS)

install-exec-local:
	$(MKDIR_P) '$(DESTDIR)$(slurmplugindir)'
	@for so in $(pact_plugins); do \
		new="$(DESTDIR)$(slurmplugindir)/.$$so.new"; \
		echo "install $$so into $(DESTDIR)$(slurmplugindir)"; \
		$(INSTALL_PROGRAM) %D%/.libs/$$so "$$new" && \
		mv -f "$$new" "$(DESTDIR)$(slurmplugindir)/$$so" || exit 1; \
	done

uninstall-local:
	@for so in $(pact_plugins); do \
		rm -f "$(DESTDIR)$(slurmplugindir)/$$so"; \
	done
endif
