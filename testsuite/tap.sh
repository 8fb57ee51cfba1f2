# SPDX-License-Identifier: GPL-2.0-or-later
# tap.sh: TAP for tests that are bash scripts, which source it. They end with `tap_end`.
# A test's output is kept and shown, as comments, when it fails; a script that knows more of interest
# than that defines tap_failed, whose output is shown too.

tap_count=0

# A command's success is the test. It runs in this shell: what it sets stays.
ok() { # NAME COMMAND...
	local name=$1 said
	shift
	said=$(mktemp) || exit 1
	tap_count=$((tap_count + 1))
	if "$@" >"$said" 2>&1; then
		echo "ok $tap_count - $name"
	else
		echo "not ok $tap_count - $name"
		echo "# failed: $*"
		{
			tail -n 30 "$said"
			! declare -F tap_failed >/dev/null || tap_failed
		} | sed 's/^/# /'
	fi
	rm -f "$said"
}

not() { ! "$@"; }

# The command ends with this status and says this text, in which nothing is a pattern. All that it said is in the
# script's $dir/said.
exits() { # STATUS TEXT COMMAND...
	local code=$1 text=$2 status
	shift 2
	"$@" >"$dir/said" 2>&1
	status=$?
	tail -n 20 "$dir/said"
	[ $status -eq "$code" ] && grep -qF -- "$text" "$dir/said"
}

skip_all() { # WHY
	echo "1..0 # SKIP $*"
	exit 0
}

# Skip all, unless each of these programs is there.
need() { # PROGRAM...
	local p
	for p; do
		command -v "$p" >/dev/null || skip_all "$p is not installed"
	done
}

tap_end() {
	echo "1..$tap_count"
}
