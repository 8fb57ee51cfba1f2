# SPDX-License-Identifier: GPL-2.0-or-later
# installed.sh: what `make install` of the tree in $build installs, with the directories of a distribution with rpm,
# and the plugins in PLUGINDIR; for rpm.t and check-rpm.
# shellcheck shell=bash disable=SC2154

installed() { # DIR [PLUGINDIR]
	MAKEFLAGS='' make -s -C "$build" install DESTDIR="$1" prefix=/usr datarootdir=/usr/share \
		libdir=/usr/lib64 mandir=/usr/share/man docdir=/usr/share/doc/pact slurmplugindir="${2:-/usr/lib64/slurm}" >"$1.log" 2>&1
	(cd "$1" && find . ! -type d | sed 's/^\.//' | sort)
}
