# SPDX-License-Identifier: GPL-2.0-or-later
# testsuite: tests of the tree as a whole (TAP scripts, part of `make check`).

tree_tests = \
	%D%/again.t \
	%D%/against.t \
	%D%/ansible.t \
	%D%/configure.t \
	%D%/container.t \
	%D%/get-slurm-src.t \
	%D%/install.t \
	%D%/lanes.t \
	%D%/lint.t \
	%D%/options.t \
	%D%/packages.t \
	%D%/quickstart.t \
	%D%/rooms.t \
	%D%/rpm.t \
	%D%/settings.t \
	%D%/slurm-root.t

# Once is enough.
if !SANITIZERS
TESTS += $(tree_tests)
endif
EXTRA_DIST += $(tree_tests) %D%/Quiet.pm %D%/check.sh %D%/lanes %D%/rooms %D%/tap.sh
