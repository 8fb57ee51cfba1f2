# SPDX-License-Identifier: GPL-2.0-or-later
# show.sh: tests of `quickstart shares`, `slices` and `malleable`, which source it behind tap.sh: `show NAME PLUGIN...` skips them where
# these plugins are not built, and sets $output, for what is said, $shown, the show's own directory, and $cluster.
# shellcheck shell=bash disable=SC2034,SC2154

# The cluster of a show that was interrupted goes with the test.
show_down() {
	[ -z "${pid-}" ] || kill -TERM "$pid" 2>/dev/null
	[ ! -d "$cluster" ] || "$top/contrib/emulate/emulate" --dir "$cluster" down --purge
	rm -rf "$TMPDIR"
}

show() { # NAME PLUGIN...
	local name=$1
	shift
	build=${PACT_BUILD:-$top/build/main}
	PATH=$PATH:/usr/sbin:/sbin
	need slurmctld munged
	[ "$build" = "$top/build/main" ] || skip_all "quickstart has a build of its own, $top/build/main"
	for plugin; do
		[ -r "$build/plugins/.libs/$plugin.so" ] || skip_all "the plugins are not built"
	done
	TMPDIR=$(mktemp -d "${TMPDIR:-/tmp}/qs.XXXXXX") || exit 1
	export TMPDIR
	chmod 755 "$TMPDIR" # munged insists
	output=$TMPDIR/output
	shown=$top/build/$name
	cluster=$TMPDIR/pact-quickstart-$(id -u)
	trap show_down EXIT
	trap 'exit 130' INT TERM HUP
}

# What belongs to that cluster. Its directory is in the environment of each of its processes.
show_left() {
	grep -lzF "$cluster" /proc/[0-9]*/environ 2>/dev/null
	ls -d "$cluster" 2>/dev/null
}
