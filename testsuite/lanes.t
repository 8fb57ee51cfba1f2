#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# lanes: are scripts run beside each other, or alone where they want it; does what fails get its second
# try, and only the second count; is everything ended by a signal (TAP)? Made-up scripts.
set -u
top=${PACT_TOP:-$(cd "$(dirname "$0")/.." && pwd)}
# shellcheck source=testsuite/tap.sh
. "$top/testsuite/tap.sh"
dir=$(mktemp -d "${TMPDIR:-/tmp}/lanes-t.XXXXXX") || exit 1
trap 'rm -rf "$dir"' EXIT
mkdir "$dir/log"

# A TAP script: NAME, and what it does; a second argument is its head.
script() { # NAME TEXT [HEAD]
	printf '#!/bin/bash\n# SPDX-License-Identifier: GPL-2.0-or-later\n%s\ncd "%s" || exit 1\n%s\n' \
		"${3-# made up}" "$dir" "$2" >"$dir/$1.t"
	chmod 755 "$dir/$1.t"
}

tap_failed() {
	cat "$dir/out"
}

# Run them; output in $dir/out, status in $rc.
lanes() { # OPTION... NAME...
	local args=() word
	for word; do
		case $word in
		[a-z]*) args+=("$dir/$word.t") ;;
		*) args+=("$word") ;;
		esac
	done
	rm -f "$dir/totals"
	"$top/testsuite/lanes" --logs "$dir/log" --totals "$dir/totals" "${args[@]}" >"$dir/out" 2>&1
	rc=$?
}

totals() { # PASSED FAILED SKIPPED
	[ "$(cat "$dir/totals")" = "$*" ]
}

says() { # PATTERN
	grep -qE -- "$1" "$dir/out"
}

# Each waits until the other is there: alone they would wait for ever.
meet='touch "$0.here"
for ((i = 0; i < 600; i++)); do [ -e "$other.here" ] && break; sleep 0.1; done
[ -e "$other.here" ] || echo -n "not "
echo "ok 1 - not alone"; echo 1..1'
script left "other=$dir/right.t; $meet"
script right "other=$dir/left.t; $meet"
script lonely 'n=$(ls running.* 2>/dev/null | wc -l); touch running.$$; sleep 1
n=$((n + $(ls running.* | wc -l) - 1)); rm running.$$
[ $n = 0 ] || echo -n "not "; echo "ok 1 - alone"; echo 1..1' '# Runs alone: it says so.'
script social 'touch running.$$; sleep 2; rm running.$$; echo "ok 1"; echo 1..1'
cp "$dir/social.t" "$dir/sociable.t"
lanes --lanes 2 left right
ok "two run beside each other" test $rc = 0
ok "and their tests are summed" totals 2 0 0
script hasty 'echo "ok 1"; echo 1..1' '# Runs first: it says so.'
lanes --lanes 1 social hasty
ok "one that wants to be first is" test "$(sed -n 's/\.t: .*//p' "$dir/out" | head -n 1)" = hasty
lanes --lanes 2 social lonely sociable
ok "a script that wants to be alone is" test $rc = 0
ok "and comes last" test "$(sed -n 's/\.t: .*//p' "$dir/out" | tail -n 1)" = lonely

# Of three that bear one other two meet, and the third is not there before one of them has gone.
bear='# Runs with one other: it says so.'
script west "touch guest.\$\$; other=$dir/east.t; ${meet/echo 1..1/sleep 1; rm guest.\$\$}; echo 1..1" "$bear"
script east "touch guest.\$\$; other=$dir/west.t; ${meet/echo 1..1/sleep 1; rm guest.\$\$}; echo 1..1" "$bear"
script north 'sleep 0.5; n=$(ls guest.* 2>/dev/null | wc -l); [ "$n" -lt 2 ] && ! ls running.* 2>/dev/null || echo -n "not "
echo "ok 1 - with one at most"; echo 1..1' "$bear"
lanes --lanes 3 lonely west east north social
ok "scripts that bear one other have one beside them" test $rc = 0
ok "and come before those that run alone" test "$(sed -n 's/\.t: .*//p' "$dir/out" | tail -n 1)" = lonely

script early 'echo "ok 1"; echo 1..1' "$bear
# Runs first of these: it says so."
script fleet 'echo "ok 1"; echo 1..1' "$bear"
lanes --lanes 1 fleet early social
ok "one of these may be the first of them" test "$(sed -n 's/\.t: .*//p' "$dir/out" | tr '\n' ' ')" = "social early fleet "

script once 'echo "# said it"; [ -e was ] || echo -n "not "; touch was; echo "ok 1 - late"; echo "ok 2"; echo 1..2'
lanes once social
ok "what fails beside others passes alone" test $rc = 0
ok "only the second run is counted" totals 3 0 0
ok "the first one is shown" says '^  \| # said it'
ok "and marked" says '^---- once.t failed beside others'
ok "each run says how long it took" says '^social.t: 1 passed, 0 failed, 0 skipped \([0-9]+ s\)$'
ok "the first output is kept" grep -q 'not ok 1 - late' "$dir/log/once.t.first.log"

script never 'echo x >>tries; echo "    not ok 3 - its part"; seq -f "# %g" 30; echo "not ok 1 - broken"; echo "ok 2"; echo 1..2'
lanes never social
ok "what fails twice has failed" test $rc = 1
ok "and is counted as failed" totals 2 1 0
ok "with the part of it that has" says '^    not ok 3 - its part'
ok "after two runs" test "$(wc -l <"$dir/tries")" = 2
script dies 'echo "ok 1"; exit 3'
lanes dies
ok "a script that ends without its plan has failed" totals 1 1 0
script hangs 'echo "ok 1"; sleep 600'
lanes --timeout 5 hangs
ok "one that hangs has, too" totals 1 1 0
ok "and it says so" says 'still running after 5 seconds'
script skips 'echo "1..0 # SKIP no wings"'
script parts 'echo "ok 1 # SKIP no feet"; echo "ok 2"; echo 1..2'
lanes skips parts
ok "what is skipped is counted" totals 1 0 2
ok "with its reason" says 'skipped: no feet'

# What runs beside them meets one of them, and has ended when another runs alone.
rm -f "$dir"/*.here
script guest 'touch right.t.here
for ((i = 0; i < 600; i++)); do [ -e left.t.here ] && break; sleep 0.1; done
nice >niceness; cat /proc/self/autogroup >autogroup 2>/dev/null; sleep 1; [ ! -e left.t.here ] || touch gone'
script later '[ -e gone ] || echo -n "not "; echo "ok 1 - it has ended"; echo 1..1' '# Runs alone: it says so.'
lanes --lanes 1 --beside "$dir/guest.t" later left
ok "something runs beside the lanes, and has ended before what runs alone" test $rc = 0
ok "  at the lowest priority" grep -qx 19 "$dir/niceness"
if [ -e /proc/self/autogroup ]; then
	ok "  which its session has, too" grep -q "nice 19\$" "$dir/autogroup"
fi
rm -f "$dir"/*.here "$dir/gone"
lanes --lanes 1 --beside "$dir/guest.t" left
ok "it is waited for when nothing runs alone" test -e "$dir/gone"

# All get the signal once, take down what they have, and are waited for.
clean='trap "sleep 0.5; echo x >>$0.cleaned; echo \"# cleaned\"; exit 143" TERM
touch "$0.ready"; while :; do sleep 0.1; done'
script first "$clean"
script second "$clean"
script third "$clean"
set -m
"$top/testsuite/lanes" --lanes 2 --logs "$dir/log" --beside "$dir/third.t" "$dir/first.t" "$dir/second.t" >"$dir/out" 2>&1 &
pid=$!
set +m
for ((i = 0; i < 600; i++)); do
	[ -e "$dir/first.t.ready" ] && [ -e "$dir/second.t.ready" ] && [ -e "$dir/third.t.ready" ] && break
	sleep 0.1
done
kill -TERM $pid
wait $pid
ok "a signal ends it" test $? = 143
ok "after the scripts and what runs beside them, of which each got it once" \
	test "$(cat "$dir/first.t.cleaned" "$dir/second.t.cleaned" "$dir/third.t.cleaned" | wc -l)" = 3

lanes --lanes 0 social
ok "a bad number is refused" test $rc = 2
tap_end
