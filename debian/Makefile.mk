# SPDX-License-Identifier: GPL-2.0-or-later
# debian: packages for Debian, of a tree like this one or of a tarball. README.source tells how.

EXTRA_DIST += \
	%D%/README.source \
	%D%/changelog \
	%D%/control \
	%D%/copyright \
	%D%/libpact-malleable-dev.install \
	%D%/libpact-malleable-dev.lintian-overrides \
	%D%/libpact-malleable-dev.manpages \
	%D%/libpact-malleable0.install \
	%D%/libpact-malleable0.lintian-overrides \
	%D%/pact-elastic.install \
	%D%/pact-elastic.lintian-overrides \
	%D%/pact-elastic.manpages \
	%D%/pact-replay.install \
	%D%/pact-replay.lintian-overrides \
	%D%/pact-replay.manpages \
	%D%/pact-slurm-node.README.Debian \
	%D%/pact-slurm-node.install \
	%D%/pact-slurm-node.lintian-overrides \
	%D%/pact-slurm-node.manpages \
	%D%/pact-slurm-node.prerm \
	%D%/pact-slurm-plugins.README.Debian \
	%D%/pact-slurm-plugins.install \
	%D%/pact-slurm-plugins.lintian-overrides \
	%D%/pact-slurm-plugins.manpages \
	%D%/pact-slurm-plugins.prerm \
	%D%/pact-slurm-select.README.Debian \
	%D%/pact-slurm-select.install \
	%D%/pact-slurm-select.lintian-overrides \
	%D%/pact-slurm-select.prerm \
	%D%/pact-tools.install \
	%D%/pact-tools.lintian-overrides \
	%D%/pact-tools.manpages \
	%D%/rules \
	%D%/slurm-release \
	%D%/source/format \
	%D%/source/lintian-overrides \
	%D%/source/options
