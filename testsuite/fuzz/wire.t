#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# wire: the query socket's request parser under libFuzzer for PACT_FUZZ_TIME (10), with the address and
# undefined-behaviour sanitizers. PACT_SEED repeats a run. Skips without clang and its fuzzer.
set -u
top=${PACT_TOP:-$(cd "$(dirname "$0")/../.." && pwd)}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

echo 1..3
skip() {
	local n
	for n in 1 2 3; do echo "ok $n # skip $*"; done
	exit 0
}
command -v clang >/dev/null || skip "clang is not installed"
cflags=$(pkg-config --cflags json-c 2>/dev/null) && libs=$(pkg-config --libs json-c 2>/dev/null) ||
	skip "json-c is not installed"
echo 'int LLVMFuzzerTestOneInput(const char *d, long n) { return d && n < 0; }' >"$dir/try.c"
clang -fsanitize=fuzzer,address,undefined -o "$dir/try" "$dir/try.c" 2>/dev/null ||
	skip "clang has no fuzzer here"

# shellcheck disable=SC2086
clang -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined -I"$top" $cflags \
	-o "$dir/wire" "$top/testsuite/fuzz/fuzz_wire.c" "$top/slurm/queries/wire.c" \
	"$top/common/utf8.c" $libs >"$dir/cc.log" 2>&1 ||
	echo -n "not "
echo "ok 1 - the fuzzer is built"
sed 's/^/# /' "$dir/cc.log"

mkdir "$dir/corpus"
cat >"$dir/corpus/plain" <<'EOF'
{"pact":1,"request":"plan","cred":"MUNGE:x:"}
EOF
cat >"$dir/corpus/full" <<'EOF'
{"pact":1,"id":"a","request":"ask","cred":"MUNGE:x:","args":{"nodes":4,"time":"30","exclusive":true}}
EOF
cat >"$dir/words" <<'EOF'
"\"pact\""
"\"request\""
"\"cred\""
"\"args\""
"\"id\""
"\\u0000"
"null"
"[[[[[[[["
"1e999"
EOF
seed=${PACT_SEED:-$(date +%s)}
(cd "$dir" && ./wire -max_total_time="${PACT_FUZZ_TIME:-10}" -max_len=70000 -dict="$dir/words" \
	-seed="$seed" -print_final_stats=1 corpus >"$dir/log" 2>&1) || echo -n "not "
echo "ok 2 - no line does any harm (seed $seed)"
runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$dir/log")
[ "${runs:-0}" -gt 100 ] || echo -n "not "
echo "ok 3 - of ${runs:-0}"
tail -n 20 "$dir/log" | sed 's/^/# /'
