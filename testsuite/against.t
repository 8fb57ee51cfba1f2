#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# against: does bench/against say yes of today's simulator beside itself, and no of one that does more work, plans otherwise, or
# answers otherwise (TAP)? The older revision is made up: today's programs, or a script that lies to them.
set -u
top=${PACT_TOP:-$(cd "$(dirname "$0")/.." && pwd)}
# shellcheck source=testsuite/tap.sh
. "$top/testsuite/tap.sh"
build=${PACT_BUILD:-$top}
against=$top/bench/against

need git valgrind
head=$(git -C "$top" rev-parse --verify --quiet HEAD 2>/dev/null) || skip_all "this is no clone"
[ -x "$build/sim/pact-sim" ] || skip_all "pact-sim is not built"
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT

tap_failed() {
	cat "$dir/said" 2>/dev/null
}

# An older revision whose pact-sim is that text of a script, or today's.
older() { # NAME [SCRIPT]
	mkdir -p "$dir/$1/$head/build/sim"
	: >"$dir/$1/$head/built"
	if [ $# = 1 ]; then
		cp "$build/sim/pact-sim" "$dir/$1/$head/build/sim"
	else
		printf '#!/bin/sh\n%s\n' "$2" >"$dir/$1/$head/build/sim/pact-sim"
		chmod 755 "$dir/$1/$head/build/sim/pact-sim"
	fi
}

against() { # STATUS NAME OPTION...
	local want=$1 old=$dir/$2
	shift 2
	PACT_TOP=$top PACT_BUILD=$build "$against" --old "$old" --jobs 30 --only 'poisson easy' "$@" HEAD >"$dir/said" 2>&1
	test $? = "$want"
}

said() {
	grep -q -- "$1" "$dir/said"
}

older same
ok "today's beside itself: as before" against 0 same
ok "and the schedule is the same" said 'yes poisson easy .*  same'
# A script's own instructions are counted, and not those of what it starts: as if today's did a lot more.
older less "'$build/sim/pact-sim' \"\$@\"; exit \$?"
ok "one that did less work: not as before" against 1 less
ok "with the same schedule" said 'NO  poisson easy .* same'
older other "for word; do shift; [ \$word = model.load=1.1 ] && word=model.load=0.7; set -- \"\$@\" \$word; done
'$build/sim/pact-sim' \"\$@\"; exit \$?"
ok "one that planned otherwise, where more work is allowed: not as before" against 1 other --most 100000
ok "and says in which columns" said 'other: .*start'
older none 'exit 1'
ok "one that does not know a scheduler is not compared" against 0 none
ok "and says so" said 'poisson easy .* was not there'
ok "a name that nothing has" against 2 same --only nothing
ok "a revision that git does not know" not env PACT_TOP="$top" PACT_BUILD="$build" "$against" nosuchrevision
tap_end
