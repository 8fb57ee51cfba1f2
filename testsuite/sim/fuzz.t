#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# fuzz.t: the reader of logs and the options of a run against whatever libFuzzer thinks of, with the
# sanitizers on. PACT_FUZZ_SECONDS is how long each (10); the seeds are made here.

top=${PACT_TOP:-$(cd "$(dirname "$0")/../.." && pwd)}
build=${PACT_BUILD:-$top}
seconds=${PACT_FUZZ_SECONDS:-10}
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
. "$top/testsuite/tap.sh"
tap_failed() { tail -n 40 "$dir/log"; }

need clang ar pkg-config gzip base64
echo 'int LLVMFuzzerTestOneInput(const char *d, unsigned long n) { return d && n ? 0 : 0; }' >"$dir/try.c"
clang -fsanitize=fuzzer,address,undefined "$dir/try.c" -o "$dir/try" 2>"$dir/log" ||
	skip_all 'this clang has no libFuzzer, or no sanitizers'
"$dir/try" -runs=1 >"$dir/log" 2>&1 || skip_all "libFuzzer does not run here"

# Everything that the simulator may need, but its commands, as a library that the two targets share.
compile() { # compile SOURCE
	local object
	object=$dir/$(echo "$1" | tr / _).o
	# shellcheck disable=SC2046
	clang -std=gnu11 -g -O1 -fsanitize=fuzzer-no-link,address,undefined \
		-fno-sanitize-recover=undefined -I"$top" -I"$build" $(pkg-config --cflags zlib json-c) \
		-D_GNU_SOURCE -c "$1" -o "$object"
}
export -f compile
export top build dir
compile_all() {
	find "$top/common" "$top/core" "$top/draw" "$top/sim" "$build/sim" -name '*.c' ! -name 'cmd_*.c' \
		! -name main.c -print0 | sort -uz |
		xargs -0 -n 1 -P 2 bash -c 'compile "$1"' compile >"$dir/log" 2>&1 &&
		ar rc "$dir/libsim.a" "$dir"/*.o >>"$dir/log" 2>&1
}
ok 'the simulator compiles with clang' compile_all

fuzz() { # fuzz TARGET SEEDS DICTIONARY-WORD...
	local target=$1 seeds=$2 word
	shift 2
	for word; do echo "\"$word\""; done >"$dir/dictionary"
	# shellcheck disable=SC2046
	clang -std=gnu11 -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined \
		-I"$top" -I"$build" -D_GNU_SOURCE "$top/testsuite/sim/$target.c" \
		"$dir/libsim.a" $(pkg-config --libs zlib json-c) -o "$dir/$target" >"$dir/log" 2>&1 &&
		TMPDIR=$dir "$dir/$target" -max_total_time="$seconds" -timeout=120 -rss_limit_mb=4096 \
			-print_final_stats=1 -dict="$dir/dictionary" -artifact_prefix="$dir/" "$seeds" \
			>"$dir/log" 2>&1
	local status=$?
	if [ $status -ne 0 ]; then
		for f in "$dir"/crash-* "$dir"/timeout-* "$dir"/oom-* "$dir"/leak-*; do
			[ -e "$f" ] && echo "$f:" >>"$dir/log" && base64 "$f" >>"$dir/log"
		done
	fi
	echo "# $target: $(sed -n 's/^stat::number_of_executed_units: *//p' "$dir/log") inputs"
	return $status
}

mkdir "$dir/logs" "$dir/words"
line='1 0 -1 50 4 -1 -1 8 60 -1 1 3 -1 -1 -1 -1 -1 -1'
printf '; MaxProcs: 16\n; UnixStartTime: 1000\n%s\n2%s\n' "$line" "${line#1}" >"$dir/logs/plain"
printf '%s\n; MaxNodes: 8 (of 9)\n\n3 5 -1 0 4 0.25 -1 -1 60 -1\n%s 19\n' "$line" "$line" >"$dir/logs/odd"
printf '2 99999999999 -1 50 4 -1 -1 8 -1 -1 1 3 -1 -1 -1 -1 -1 -1\n%s' "$line" >"$dir/logs/order"
printf '4 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1\n\0\n' >"$dir/logs/missing"
gzip -9nc "$dir/logs/plain" >"$dir/logs/gzip"
head -c 40 "$dir/logs/gzip" >"$dir/logs/short"
ok "any bytes as a log, for $seconds s" fuzz fuzz_swf "$dir/logs" '; MaxProcs:' '; MaxNodes:' ' -1' \
	'99999999999' '2147483647' '\x1f\x8b'

# The first byte of a line chooses the option: all bytes, so that every option is met.
for value in 'load=1.2,1.4' KFactor=5 KFactor=-5 Relaxation=-1 Guard=-9 -1 -0.5 Order=llf \
	Relaxation=2.5 model.load=0.8 Guard=60 Mode=slurm 1:5 1.25 exact omega:2 phi:0.2 inaccuracy:0.5 \
	urgency:0.2,mean:2,ratio:4 estimate:0.1-2 'stringency:0.2,fraction:0.5,relax:2,slack:5' poisson easy 64; do
	for byte in {a..z}; do echo "$byte$value" >"$dir/words/$byte-${value%%:*}"; done
done
ok "any words as options and sweeps, for $seconds s" fuzz fuzz_set "$dir/words" KFactor= Order= model. \
	stringency: fraction: relax: slack: omega: phi: ';' ',' 9223372036854775807 -1 0.000001

tap_end
