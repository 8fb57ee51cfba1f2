# SPDX-License-Identifier: GPL-2.0-or-later
# doc: man pages and the site's guide. Man pages are troff source: one line each in dist_man_MANS.

dist_man_MANS += \
	%D%/pact.1 \
	%D%/pact-elastic.1 \
	%D%/pact-emulate.1 \
	%D%/pact-malleable.3 \
	%D%/pact-replay.1 \
	%D%/pact-sim.1 \
	%D%/pactd.8 \
	%D%/pact.conf.5 \
	%D%/spank_pact.8
dist_doc_DATA += \
	README.md \
	%D%/formats.md \
	%D%/guide.md \
	%D%/laboratory.md \
	%D%/malleable.md \
	%D%/protocol.md \
	%D%/works-with.md
# A site's beginning: every line a comment, so that a copy changes nothing.
examplesdir = $(docdir)/examples
dist_examples_DATA = %D%/pact.conf
# What is said of the settings in five files is made of their tables: `make update-docs` writes it into the
# source tree, testsuite/settings.t sees that it was done.
check_PROGRAMS += %D%/settings
%C%_settings_SOURCES = \
	%D%/settings.c \
	slurm/config/conf.h \
	slurm/config/site.c \
	slurm/config/site.def \
	slurm/config/site.h
%C%_settings_CFLAGS = $(AM_CFLAGS)
%C%_settings_LDADD = core/libpactcore.la

.PHONY: update-docs
update-docs: %D%/settings$(EXEEXT)
	%D%/settings$(EXEEXT) update $(top_srcdir)

EXTRA_DIST += \
	%D%/design.md \
	%D%/engines.md \
	%D%/glossary.md \
	%D%/papers.md \
	%D%/qops-best.md \
	%D%/scenarios.md \
	%D%/schedule.svg \
	%D%/slurm.md
