# SPDX-License-Identifier: GPL-2.0-or-later
# slurm: the bridge, as a convenience library for the plugins; it sees Slurm's headers.
# No file here may bear the name of a public header of Slurm (slurm.h, slurm_errno.h, ...), because
# -I$(top_srcdir) comes first. array.c, clock.c, fair.c, history*.c, ledger.c, listener.c, message.c, meter.c, names.c,
# texts.c, token.c and wire.c see none of Slurm and are unit tested.

# All of it, once: for the plugins here, for test_bridge in testsuite/unit.
bridge_sources = \
	%D%/acting/cause.c \
	%D%/acting/cause.h \
	%D%/acting/launch.c \
	%D%/acting/launch.h \
	%D%/acting/publish.c \
	%D%/acting/publish.h \
	%D%/acting/refusal.c \
	%D%/acting/refusal.h \
	%D%/admission/admission.c \
	%D%/admission/admission.h \
	%D%/admission/admit.h \
	%D%/admission/change.c \
	%D%/admission/question.c \
	%D%/agent/agent.c \
	%D%/agent/agent.h \
	%D%/agent/configure.c \
	%D%/agent/configure.h \
	%D%/agent/reset.c \
	%D%/agent/reset.h \
	%D%/agent/shared.c \
	%D%/agent/shared.h \
	%D%/agent/sync.c \
	%D%/agent/sync.h \
	%D%/base/array.c \
	%D%/base/array.h \
	%D%/base/clock.c \
	%D%/base/clock.h \
	%D%/base/compat_nodes.c \
	%D%/base/compat_parts.c \
	%D%/base/compat_select.c \
	%D%/base/compat.h \
	%D%/base/fair.c \
	%D%/base/fair.h \
	%D%/base/listener.c \
	%D%/base/listener.h \
	%D%/base/message.c \
	%D%/base/message.h \
	%D%/base/meter.c \
	%D%/base/meter.h \
	%D%/base/metered.c \
	%D%/base/metered.h \
	%D%/base/names.c \
	%D%/base/names.h \
	%D%/base/patience.c \
	%D%/base/patience.h \
	%D%/base/scheduler.c \
	%D%/base/scheduler.h \
	%D%/base/texts.c \
	%D%/base/texts.h \
	%D%/config/conf.c \
	%D%/config/conf.h \
	%D%/config/faults.c \
	%D%/config/faults.h \
	%D%/config/partitions.c \
	%D%/config/partitions.h \
	%D%/config/safety.c \
	%D%/config/safety.h \
	%D%/config/site.c \
	%D%/config/site.def \
	%D%/config/site.h \
	%D%/eligibility/describe.c \
	%D%/eligibility/describe.h \
	%D%/eligibility/describe_wait.c \
	%D%/eligibility/eligibility.c \
	%D%/eligibility/eligibility.h \
	%D%/eligibility/entry.c \
	%D%/eligibility/entry.h \
	%D%/eligibility/limits.c \
	%D%/eligibility/limits.h \
	%D%/eligibility/scarce.c \
	%D%/eligibility/scarce.h \
	%D%/history/history.c \
	%D%/history/history.h \
	%D%/history/history_db.c \
	%D%/history/history_db.h \
	%D%/history/history_find.c \
	%D%/history/history_sum.c \
	%D%/history/ledger.c \
	%D%/history/ledger.h \
	%D%/promise/confirm.c \
	%D%/promise/confirm.h \
	%D%/promise/depend.c \
	%D%/promise/depend.h \
	%D%/promise/judge.c \
	%D%/promise/judge.h \
	%D%/promise/pending.c \
	%D%/promise/pending.h \
	%D%/promise/release.c \
	%D%/promise/release.h \
	%D%/promise/reliance.c \
	%D%/promise/reliance.h \
	%D%/promise/unconfirmed.c \
	%D%/promise/unconfirmed.h \
	%D%/records/region.c \
	%D%/records/region.h \
	%D%/records/request.c \
	%D%/records/request.h \
	%D%/records/token.c \
	%D%/records/token.h \
	%D%/serving/answerer.c \
	%D%/serving/answerer.h \
	%D%/serving/identity.c \
	%D%/serving/identity.h \
	%D%/serving/munge_socket.c \
	%D%/serving/munge_socket.h \
	%D%/serving/query.c \
	%D%/serving/query.h \
	%D%/serving/query_ask.c \
	%D%/serving/query_desc.c \
	%D%/serving/query_desc.h \
	%D%/serving/query_explain.c \
	%D%/serving/query_history.c \
	%D%/serving/query_past.c \
	%D%/serving/query_plan.c \
	%D%/serving/query_policy.c \
	%D%/serving/query_policy.h \
	%D%/serving/query_record.c \
	%D%/serving/query_row.h \
	%D%/serving/query_stats.c \
	%D%/serving/query_status.c \
	%D%/serving/serve.c \
	%D%/serving/serve.h \
	%D%/serving/wire.c \
	%D%/serving/wire.h \
	%D%/snapshot/access.c \
	%D%/snapshot/access.h \
	%D%/snapshot/dependency.c \
	%D%/snapshot/dependency.h \
	%D%/snapshot/queue.c \
	%D%/snapshot/queue.h \
	%D%/snapshot/runnable.c \
	%D%/snapshot/runnable.h \
	%D%/snapshot/snapshot.c \
	%D%/snapshot/snapshot.h \
	%D%/snapshot/snapshot_print.c \
	%D%/state/bridge.c \
	%D%/state/bridge.h \
	%D%/state/core.c \
	%D%/state/core.h \
	%D%/state/last_plan.c \
	%D%/state/last_plan.h \
	%D%/state/poke.c \
	%D%/state/poke.h \
	%D%/state/recorder.c \
	%D%/state/recorder.h \
	%D%/state/running_policy.c \
	%D%/state/running_policy.h \
	%D%/state/tally.c \
	%D%/state/tally.h \
	%D%/state/terms.c \
	%D%/state/terms.h \
	%D%/state/track.c \
	%D%/state/track.h \
	%D%/state/updates.c \
	%D%/state/updates.h
EXTRA_DIST += $(bridge_sources)

if BUILD_PLUGINS
noinst_LTLIBRARIES += %D%/libpactslurm.la
%C%_libpactslurm_la_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS) \
	$(JSON_C_CFLAGS) $(MUNGE_CFLAGS) $(SQLITE3_CFLAGS) -DPACT_VERSION='"$(PACKAGE_VERSION)"'
%C%_libpactslurm_la_SOURCES = $(bridge_sources)
%C%_libpactslurm_la_LIBADD = tape/libtape.la core/libpactcore.la common/libpactcommon.la $(JSON_C_LIBS) $(MUNGE_LIBS) $(SQLITE3_LIBS)
endif
