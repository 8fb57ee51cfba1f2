#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# again: what failed beside the emulated clusters is run once more by `quickstart check`, and only that counts (TAP).
# A make of the test's own says what its tests did, as automake's harness does.
set -u
top=${PACT_TOP:-$(cd "$(dirname "$0")/.." && pwd)}
# shellcheck source=testsuite/tap.sh
. "$top/testsuite/tap.sh"
dir=$(mktemp -d "${TMPDIR:-/tmp}/again-t.XXXXXX") || exit 1
trap 'rm -rf "$dir"' EXIT
mkdir -p "$dir/build/check" "$dir/tree" || exit 1
cd "$dir" || exit 1

# Its first run has one of each kind; what the second one of unit/late and elastic.t says is in `second`.
cat >"$dir/make" <<'END'
#!/bin/sh
said() { echo "$*" | tee -a tree/test-suite.log; }
echo "$*" >>calls
: >tree/test-suite.log
case $* in
*check-first*)
	printf '%s: %s\n' PASS 'unit/good 1 - a' SKIP 'unit/good 2 - b' PASS 'unit/late 1 - c' FAIL 'unit/late 2 - d' \
		ERROR 'unit/late - exited with status 1' SKIP 'unit/late 3 - e' PASS 'unit/later 1 - f' ERROR 'elastic.t - no plan'
	said 'not ok 2 - d, the first time'
	printf '# %s: %s\n' PASS 3 SKIP 2 XFAIL 0 FAIL 1 XPASS 0 ERROR 2
	exit 2
	;;
*check-broken*) echo "cc: error: no such file"; exit 2 ;;
*check-fine*) printf '# %s: %s\n' PASS 7 SKIP 1 FAIL 0 ERROR 0; exit 0 ;;
*) . ./second ;;
esac
END
chmod 755 "$dir/make"
say() { echo "== $*"; }
# shellcheck source=testsuite/check.sh
. "$top/testsuite/check.sh"

# All that there is, one after the other; output in $dir/out.
run() { # KIND...
	local kind
	beside=() beside_in=() passed=0 failed=0 skipped=0
	rm -f calls
	for kind; do
		run_beside "the $kind one" "$kind" tree ./make -j2 "check-$kind"
	done
	bash -c "$(beside_command)"
	judge_beside >"$dir/out" 2>&1
}

totals() { # PASSED FAILED SKIPPED
	[ "$passed $failed $skipped" = "$*" ]
}

says() { # PATTERN
	grep -qE -- "$1" "$dir/out"
}

tap_failed() {
	echo "$passed passed, $failed failed, $skipped skipped"
	cat "$dir/out" calls
}

cat >second <<'END'
printf '# %s: %s\n' PASS 5 SKIP 1 FAIL 0 ERROR 0
END
run fine first
ok "what failed is run again, by name, and nothing else is" \
	test "$(tail -n 1 calls)" = "-j2 -j1 check check_PROGRAMS= TESTS=elastic.t unit/late "
ok "once" test "$(wc -l <calls)" = 3
ok "what it had passed or skipped before counts once, what is named nearly as it counts, too" totals $((7 + 2 + 5)) 0 $((1 + 1 + 1))
ok "its first failure is shown" says 'not ok 2 - d, the first time'
ok "and that it is run again" says '^---- run again, alone, and that counts: elastic.t unit/late'

cat >second <<'END'
said 'not ok 2 - d, the second time'
printf '# %s: %s\n' PASS 4 SKIP 1 FAIL 1 ERROR 0
exit 2
END
run first
ok "a second failure is one" totals $((2 + 4)) 1 $((1 + 1))
ok "and is shown" says 'not ok 2 - d, the second time'

echo 'exit 2' >second
run first
ok "a second run that cannot be had is a failure" totals 2 1 1

run broken fine
ok "what cannot be built is a failure" totals 7 2 1
ok "and is not run again" test "$(wc -l <calls)" = 2
tap_end
