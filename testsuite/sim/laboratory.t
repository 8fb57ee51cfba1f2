#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# laboratory.t: the commands of doc/laboratory.md run as they are written there, one after the other.

top=${PACT_TOP:-$(cd "$(dirname "$0")/../.." && pwd)}
build=${PACT_BUILD:-$top}
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
. "$top/testsuite/tap.sh"
export PATH=$build/sim:$PATH

# Indented lines, those that end in a backslash with what follows; not how it is built.
sed -n 's/^    //p' "$top/doc/laboratory.md" | sed -e ':a' -e '/\\$/{N;s/\\\n//;ba' -e '}' |
	grep -v '^\./bootstrap\|^export PATH' >"$dir/commands"
ok 'there are commands' [ "$(grep -c '^pact-sim' "$dir/commands")" -ge 10 ]
cd "$dir" || exit 99
while IFS= read -r command; do
	ok "$command" bash -c "$command"
done <"$dir/commands"
ok 'the picture is one' grep -q '</svg>' schedule.svg
ok 'and the sweep has all its rows' [ "$(wc -l <load.csv)" = 28 ]
tap_end
