#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# fuzz: the readers of what comes from outside, below libFuzzer with address and undefined behaviour
# sanitizers, each for PACT_FUZZ_TIME seconds (10). Real examples are the seeds.
top=${PACT_TOP:-$(cd "$(dirname "$0")/../.." && pwd)}
build=${PACT_BUILD:-$top}
sim=$build/sim/pact-sim
. "$top/testsuite/tap.sh"

need clang pkg-config
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
san=(-g -O1 -fsanitize=fuzzer-no-link,address,undefined \
	-fno-sanitize-recover=undefined -fno-sanitize=pointer-overflow) # NULL + 0 is no harm
echo 'int LLVMFuzzerTestOneInput(const char *d, unsigned long n) { (void)d; (void)n; return 0; }' >"$dir/try.c"
clang -fsanitize=fuzzer,address "$dir/try.c" -o "$dir/try" 2>/dev/null ||
	skip_all "this clang has no libFuzzer"

compile() { # FILE...: objects into $dir
	local f
	for f; do
		clang -std=gnu11 "${san[@]}" -I"$top" $(pkg-config --cflags json-c) -c "$f" \
			-o "$dir/$(echo "${f#"$top"/}" | tr / _).o" || return
	done
}

link() { # NAME LIBRARY...
	local name=$1
	shift
	clang "${san[@]}" -fsanitize=fuzzer "$dir"/*.o "$@" -o "$dir/$name"
}

run() { # NAME: the corpus is $dir/NAME.in
	(cd "$dir" && "./$1" -seed=1 -max_total_time="${PACT_FUZZ_TIME:-10}" -timeout=300 \
		-rss_limit_mb=4096 -max_len=4096 -verbosity=0 -print_final_stats=1 "$1.in")
}

# Short recordings: whole files, and their beginnings with the first few calls.
seeds() {
	local scheduler n
	mkdir "$dir/fuzz_tape.in" || return
	for scheduler in easy qops; do
		"$sim" run --model poisson --nodes 8 --jobs 1:12 --quiet --scheduler "$scheduler" \
			--deadlines stringency:0.2,fraction:0.5 --record "$dir/$scheduler.rec" || return
		for n in 6 12 40; do
			head -n "$n" "$dir/$scheduler.rec" >"$dir/fuzz_tape.in/$scheduler-$n"
		done
	done
	cat >"$dir/fuzz_tape.in/told" <<-'END'
	{"tape":1,"scheduler":"qops","nodes":4,"config":{"mode":"slurm","order":"edf","admission":true}}
	{"region":"0-3"}
	{"region":"0-1"}
	{"state":{"now":20,"pass_now":10,"dirty":true,"all":true,"classes":2,"class_of":[1,1,0,0],"demand":[1,2]}}
	{"hold":{"id":1,"start":5,"end":90,"nodes":"0","submit":5,"deadline":95,"promised":true}}
	{"job":{"whole":10,"duration":10,"due":99,"start":20,"end":30,"shares":[0,1,1,1],"terms":{"id":7,"limit":10,"width":2,"nalt":1,"alternatives":["0-3"]}}}
	{"go":null}
	{"ask":{"now":20,"jobs":[{"id":9,"limit":5,"width":1,"deadline":99}]},"decision":{"reason":"none"}}
	END
}

ok 'recordings to begin with' seeds
ok 'the player of recordings compiles for the fuzzer' \
	compile $(find "$top/core" -name '*.c') "$top"/tape/*.c "$top/testsuite/fuzz/fuzz_tape.c"
ok 'and links' link fuzz_tape $(pkg-config --libs json-c)
ok 'no recording can break the player' run fuzz_tape
tap_end
