# SPDX-License-Identifier: GPL-2.0-or-later
# slurm: the bridge, as a convenience library for the plugins; it sees Slurm's headers.
# No file here may bear the name of a public header of Slurm (slurm.h, slurm_errno.h, ...), because
# -I$(top_srcdir) comes first. array.c, fair.c, history*.c, ledger.c, listener.c, message.c, meter.c, names.c,
# texts.c, token.c and wire.c see none of Slurm and are unit tested.

# All of it, once: for the plugins here, for test_bridge in testsuite/unit.
bridge_sources = \
	%D%/access.c \
	%D%/access.h \
	%D%/admission.c \
	%D%/admission.h \
	%D%/admit.h \
	%D%/agent.c \
	%D%/agent.h \
	%D%/array.c \
	%D%/array.h \
	%D%/barrier.c \
	%D%/barrier.h \
	%D%/board.c \
	%D%/board.h \
	%D%/bridge.c \
	%D%/bridge.h \
	%D%/cause.c \
	%D%/cause.h \
	%D%/change.c \
	%D%/clerk.c \
	%D%/clerk.h \
	%D%/compat.h \
	%D%/conf.c \
	%D%/conf.h \
	%D%/conf_dynp.c \
	%D%/conf_dynp.h \
	%D%/confirm.c \
	%D%/confirm.h \
	%D%/depend.c \
	%D%/depend.h \
	%D%/describe.c \
	%D%/describe.h \
	%D%/describe_wait.c \
	%D%/entry.c \
	%D%/entry.h \
	%D%/fair.c \
	%D%/fair.h \
	%D%/faults.c \
	%D%/faults.h \
	%D%/history.c \
	%D%/history.h \
	%D%/history_db.c \
	%D%/history_db.h \
	%D%/history_find.c \
	%D%/history_sum.c \
	%D%/hold.c \
	%D%/hold.h \
	%D%/identity.c \
	%D%/identity.h \
	%D%/launch.c \
	%D%/launch.h \
	%D%/ledger.c \
	%D%/ledger.h \
	%D%/limits.c \
	%D%/limits.h \
	%D%/listener.c \
	%D%/listener.h \
	%D%/message.c \
	%D%/message.h \
	%D%/meter.c \
	%D%/meter.h \
	%D%/names.c \
	%D%/names.h \
	%D%/need.c \
	%D%/need.h \
	%D%/patience.c \
	%D%/patience.h \
	%D%/pending.c \
	%D%/pending.h \
	%D%/place.c \
	%D%/place.h \
	%D%/policy.c \
	%D%/policy.h \
	%D%/provision.c \
	%D%/provision.h \
	%D%/publish.c \
	%D%/publish.h \
	%D%/query.c \
	%D%/query.h \
	%D%/query_ask.c \
	%D%/query_desc.c \
	%D%/query_desc.h \
	%D%/query_explain.c \
	%D%/query_history.c \
	%D%/query_past.c \
	%D%/query_plan.c \
	%D%/query_policy.c \
	%D%/query_policy.h \
	%D%/query_record.c \
	%D%/query_row.h \
	%D%/query_stats.c \
	%D%/query_status.c \
	%D%/question.c \
	%D%/queue.c \
	%D%/queue.h \
	%D%/recorder.c \
	%D%/recorder.h \
	%D%/refusal.c \
	%D%/refusal.h \
	%D%/release.c \
	%D%/release.h \
	%D%/request.c \
	%D%/request.h \
	%D%/runnable.c \
	%D%/runnable.h \
	%D%/safety.c \
	%D%/safety.h \
	%D%/scarce.c \
	%D%/scarce.h \
	%D%/scheduler.c \
	%D%/scheduler.h \
	%D%/serve.c \
	%D%/serve.h \
	%D%/settle.c \
	%D%/settle.h \
	%D%/shared.c \
	%D%/shared.h \
	%D%/snapshot.c \
	%D%/snapshot.h \
	%D%/snapshot_print.c \
	%D%/sync.c \
	%D%/sync.h \
	%D%/tally.c \
	%D%/tally.h \
	%D%/terms.c \
	%D%/terms.h \
	%D%/texts.c \
	%D%/texts.h \
	%D%/token.c \
	%D%/token.h \
	%D%/wire.c \
	%D%/wire.h
EXTRA_DIST += $(bridge_sources)

if BUILD_PLUGINS
noinst_LTLIBRARIES += %D%/libpactslurm.la
%C%_libpactslurm_la_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS) \
	$(JSON_C_CFLAGS) $(MUNGE_CFLAGS) $(SQLITE3_CFLAGS) -DPACT_VERSION='"$(PACKAGE_VERSION)"'
%C%_libpactslurm_la_SOURCES = $(bridge_sources)
%C%_libpactslurm_la_LIBADD = tape/libtape.la core/libpactcore.la common/libpactcommon.la $(JSON_C_LIBS) $(MUNGE_LIBS) $(SQLITE3_LIBS)
endif
