# SPDX-License-Identifier: GPL-2.0-or-later
# doc: man pages and the site's guide. Man pages are troff source: one line each in dist_man_MANS.

dist_man_MANS += \
	%D%/pact.1 \
	%D%/pact-emulate.1 \
	%D%/pact-replay.1 \
	%D%/pact-sim.1 \
	%D%/pact.conf.5
dist_doc_DATA += \
	README.md \
	%D%/formats.md \
	%D%/guide.md \
	%D%/laboratory.md \
	%D%/protocol.md
# A site's beginning: every line a comment, so that a copy changes nothing.
examplesdir = $(docdir)/examples
dist_examples_DATA = %D%/pact.conf
EXTRA_DIST += \
	%D%/design.md \
	%D%/engines.md \
	%D%/glossary.md \
	%D%/papers.md \
	%D%/qops-best.md \
	%D%/scenarios.md \
	%D%/schedule.svg \
	%D%/slurm.md
