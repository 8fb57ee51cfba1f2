# SPDX-License-Identifier: GPL-2.0-or-later
# doc: man pages and the site's guide. Man pages are troff source: one line each in dist_man_MANS.

dist_man_MANS += \
	%D%/pact.1 \
	%D%/pact-emulate.1 \
	%D%/pact-replay.1 \
	%D%/pact-sim.1 \
	%D%/pact.conf.5
EXTRA_DIST += \
	%D%/formats.md \
	%D%/guide.md \
	%D%/laboratory.md \
	%D%/protocol.md \
	%D%/qops-best.md \
	%D%/scenarios.md \
	%D%/schedule.svg
