#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# matrix.t: pact-sim matrix: a matrix worked out by hand, as text and as a picture; a wide machine; what is wrong.

top=${PACT_TOP:-$(cd "$(dirname "$0")/../.." && pwd)}
sim=${PACT_BUILD:-$top}/sim/pact-sim
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
. "$top/testsuite/tap.sh"
tap_failed() { tail -n 20 "$dir/out" "$dir/err"; }

# result STATUS NAME
result() { ok "$2" test "$1" = 0; }

job() { # ID SUBMIT RUNTIME NODES
	echo "$1 $2 -1 $3 $4 -1 -1 $4 $3 -1 1 -1 -1 -1 -1 -1 -1 -1"
}

# Four nodes, two rows, slices of 10 s. Job 22 is as wide as the machine, so it has a row of its own and begins when
# that has its turn, at 10. It ends at 15, and the others get replicas there.
{
	echo '; MaxProcs: 4'
	job 1 0 100 2
	job 22 0 5 4
	job 3 0 60 1
} >"$dir/few.swf"
few=(matrix --trace "$dir/few.swf" --scheduler gs --set Rows=2 Slice=10)

# shows NAME WANTED ARGUMENT...: the text but for its last line
shows() {
	local name=$1 wanted=$2
	shift 2
	"$sim" "${few[@]}" "$@" 2>"$dir/err" | sed '$d' | sed '$d' >"$dir/out"
	printf '%s\n' "$wanted" | cmp -s - "$dir/out"
	result $? "$name"
}
shows 'at first: one row runs, one waits' 'The matrix of gs
0 s: 4 nodes, 3 jobs in the matrix, 0 outside; row 0 until 10 s, in slice 0

nodes               0-1    2    3
> row 0: 3            1    3    .
  row 1: 4          22~  22~  22~' --at 0
shows 'the next slice begins with its second' 'The matrix of gs
10 s: 4 nodes, 3 jobs in the matrix, 0 outside; row 1 until 20 s, in slice 1

nodes               0-1   2   3
  row 0: 3            1   3   .
> row 1: 4           22  22  22' --at 10s
shows 'replicas when a job has ended' 'The matrix of gs
15 s: 4 nodes, 2 jobs in the matrix, 0 outside; row 1 until 20 s, in slice 1

nodes               0-1    2  3
  row 0: 3            1    3  .
> row 1: 3          (1)  (3)  .' --at 15
shows 'nothing when all have' 'mine
3600 s: 4 nodes, 0 jobs in the matrix, 0 outside

nodes               0-3
  row 0: 0            .
  row 1: 0            .' --at 1h --title mine
"$sim" "${few[@]}" --at 15 2>"$dir/err" | tail -n 1 >"$dir/out"
[ "$(cat "$dir/out")" = 'Behind a row: how many nodes are taken. >: it runs. (1): a replica. .: free.' ]
result $? 'the signs that are in use are told'

"$sim" "${few[@]}" --at 15 --svg "$dir/few.svg" >"$dir/out" 2>"$dir/err" && [ ! -s "$dir/out" ] &&
	[ "$(grep -c '<title>job 1: 2 nodes, home row 0</title><rect class="e ko"' "$dir/few.svg")" = 1 ] &&
	[ "$(grep -c '<title>job 1: 2 nodes, home row 0</title><rect class="p kn"' "$dir/few.svg")" = 1 ] &&
	[ "$(grep -c '<title>job 3: 1 node, home row 0</title>' "$dir/few.svg")" = 2 ] &&
	[ "$(grep -c '<g><rect class="r kn"' "$dir/few.svg")" = 2 ] && grep -q '<rect class="f u"' "$dir/few.svg"
result $? 'as a picture: home, replica, free, the row that runs'
"$sim" "${few[@]}" --at 5 --svg - >"$dir/w.svg" 2>"$dir/err" &&
	grep -q '<title>job 22: 4 nodes, home row 1, not started</title><rect class="e kn"' "$dir/w.svg"
result $? 'what has not started yet; on standard output'

# Ten thousand nodes, hundreds of jobs: no line is wider than the paper, and each column is of some nodes.
wide=(matrix --model poisson --nodes 10000 --jobs 1:600 --set model.load=1.2 --scheduler mbgs --set Rows=4 --at 20h)
"$sim" "${wide[@]}" >"$dir/wide" 2>"$dir/err" && [ "$(wc -L <"$dir/wide")" -le 100 ] &&
	grep -Eq '^[0-9]+ s: 10000 nodes, [1-9][0-9]* jobs? in the matrix' "$dir/wide" &&
	sed -n 's/^nodes *//p' "$dir/wide" | tr -s ' ' '\n' |
	awk -F- '{ last = NF > 1 ? $2 : $1; if ($1 != next_one + 0) exit 1; next_one = last + 1 }
		END { exit next_one != 10000 }'
result $? 'a wide machine: all nodes, in columns, on pages that can be read'
"$sim" "${wide[@]}" --svg "$dir/wide.svg" 2>"$dir/err" && [ "$(wc -c <"$dir/wide.svg")" -lt 1000000 ] &&
	sed -n 's/^.*<rect class="[^"]*" x="\([0-9.]*\)" y="[0-9.]*" width="\([0-9.]*\)".*$/\1 \2/p' "$dir/wide.svg" |
	awk '{ if ($1 + $2 > 1200.1) exit 1; n++ } END { exit n < 20 }'
result $? 'and its picture has no box beyond the page'

# expect STATUS WORDS NAME ARGUMENT...
expect() {
	local status=$1 words=$2 name=$3
	shift 3
	"$sim" "$@" >"$dir/out" 2>"$dir/err"
	[ $? = "$status" ] && [ "$(wc -l <"$dir/err")" -le 1 ] && cat "$dir/out" "$dir/err" | grep -q -e "$words"
	result $? "$name"
}
expect 0 '^usage: pact-sim matrix --at T' 'help' matrix --help
expect 1 '--at T is missing' 'no time' "${few[@]}"
expect 1 '--at soon: not seconds' 'no number' "${few[@]}" --at soon
expect 1 '--scheduler easy: its jobs take no turns' 'a scheduler without a matrix' matrix --trace "$dir/few.swf" --at 5
expect 1 'its jobs take no turns' 'several schedulers' matrix --trace "$dir/few.swf" --scheduler gs@0-1+bf@2-3 --at 5
expect 1 "unrecognized option '--now'" 'an option of gantt' "${few[@]}" --at 5 --now 5
expect 2 'No such file' 'no log' matrix --trace "$dir/none.swf" --scheduler gs --at 5
expect 4 'cannot write /dev/full' 'a full disk' "${few[@]}" --at 5 --svg /dev/full
tap_end
