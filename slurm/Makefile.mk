# SPDX-License-Identifier: GPL-2.0-or-later
# slurm: the bridge, as a convenience library for the plugins; it sees Slurm's headers.
# No file here may bear the name of a public header of Slurm (slurm.h, slurm_errno.h, ...), because
# -I$(top_srcdir) comes first. array.c, fair.c, history*.c, ledger.c, listener.c, message.c, meter.c, names.c,
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
	%D%/base/array.c \
	%D%/base/array.h \
	%D%/base/compat.h \
	%D%/base/fair.c \
	%D%/base/fair.h \
	%D%/base/listener.c \
	%D%/base/listener.h \
	%D%/base/message.c \
	%D%/base/message.h \
	%D%/base/meter.c \
	%D%/base/meter.h \
	%D%/base/names.c \
	%D%/base/names.h \
	%D%/base/patience.c \
	%D%/base/patience.h \
	%D%/base/texts.c \
	%D%/base/texts.h \
	%D%/bridge/agent.c \
	%D%/bridge/agent.h \
	%D%/bridge/last_plan.c \
	%D%/bridge/last_plan.h \
	%D%/bridge/bridge.c \
	%D%/bridge/bridge.h \
	%D%/bridge/confirm.c \
	%D%/bridge/confirm.h \
	%D%/bridge/metered.c \
	%D%/bridge/metered.h \
	%D%/bridge/pending.c \
	%D%/bridge/pending.h \
	%D%/bridge/running_policy.c \
	%D%/bridge/running_policy.h \
	%D%/bridge/unconfirmed.c \
	%D%/bridge/unconfirmed.h \
	%D%/bridge/recorder.c \
	%D%/bridge/recorder.h \
	%D%/bridge/release.c \
	%D%/bridge/release.h \
	%D%/bridge/scheduler.c \
	%D%/bridge/scheduler.h \
	%D%/bridge/shared.c \
	%D%/bridge/shared.h \
	%D%/bridge/sync.c \
	%D%/bridge/sync.h \
	%D%/bridge/terms.c \
	%D%/bridge/terms.h \
	%D%/config/conf.c \
	%D%/config/conf.h \
	%D%/config/faults.c \
	%D%/config/faults.h \
	%D%/config/safety.c \
	%D%/config/safety.h \
	%D%/config/site.c \
	%D%/config/site.def \
	%D%/config/site.h \
	%D%/eligibility/eligibility.c \
	%D%/eligibility/eligibility.h \
	%D%/eligibility/depend.c \
	%D%/eligibility/depend.h \
	%D%/eligibility/describe.c \
	%D%/eligibility/describe.h \
	%D%/eligibility/describe_wait.c \
	%D%/eligibility/entry.c \
	%D%/eligibility/entry.h \
	%D%/eligibility/limits.c \
	%D%/eligibility/limits.h \
	%D%/eligibility/reliance.c \
	%D%/eligibility/reliance.h \
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
	%D%/history/judge.c \
	%D%/history/judge.h \
	%D%/history/tally.c \
	%D%/history/tally.h \
	%D%/records/access.c \
	%D%/records/access.h \
	%D%/records/region.c \
	%D%/records/region.h \
	%D%/records/queue.c \
	%D%/records/queue.h \
	%D%/records/request.c \
	%D%/records/request.h \
	%D%/records/runnable.c \
	%D%/records/runnable.h \
	%D%/records/snapshot.c \
	%D%/records/snapshot.h \
	%D%/records/snapshot_print.c \
	%D%/records/token.c \
	%D%/records/token.h \
	%D%/serving/answerer.c \
	%D%/serving/answerer.h \
	%D%/serving/identity.c \
	%D%/serving/identity.h \
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
	%D%/serving/wire.h
EXTRA_DIST += $(bridge_sources)

if BUILD_PLUGINS
noinst_LTLIBRARIES += %D%/libpactslurm.la
%C%_libpactslurm_la_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS) \
	$(JSON_C_CFLAGS) $(MUNGE_CFLAGS) $(SQLITE3_CFLAGS) -DPACT_VERSION='"$(PACKAGE_VERSION)"'
%C%_libpactslurm_la_SOURCES = $(bridge_sources)
%C%_libpactslurm_la_LIBADD = tape/libtape.la core/libpactcore.la common/libpactcommon.la $(JSON_C_LIBS) $(MUNGE_LIBS) $(SQLITE3_LIBS)
endif
