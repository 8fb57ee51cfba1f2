# SPDX-License-Identifier: GPL-2.0-or-later
# elastic: pact-elastic, which uses the nodes of a malleable job as they come and go; and examples of jobs.

EXTRA_DIST += \
	%D%/examples/charm.sh \
	%D%/examples/dask.sh \
	%D%/examples/hook.sh \
	%D%/examples/torchrun.sh \
	%D%/examples/workers.sh

if HAVE_LIBSLURM
bin_PROGRAMS += %D%/pact-elastic
%C%_pact_elastic_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE -DPACT_VERSION='"$(PACKAGE_VERSION)"'
%C%_pact_elastic_SOURCES = \
	%D%/answers.c \
	%D%/answers.h \
	%D%/ccs.c \
	%D%/ccs.h \
	%D%/charm.c \
	%D%/crew.c \
	%D%/elastic.c \
	%D%/elastic.h \
	%D%/hook.c \
	%D%/loop.c \
	%D%/loop.h \
	%D%/main.c \
	%D%/options.c \
	%D%/options.h
%C%_pact_elastic_LDADD = client/libpact-malleable.la common/libpactcommon.la

elasticexamplesdir = $(docdir)/examples/elastic
elasticexamples_SCRIPTS = \
	%D%/examples/charm.sh \
	%D%/examples/dask.sh \
	%D%/examples/hook.sh \
	%D%/examples/torchrun.sh \
	%D%/examples/workers.sh
endif
