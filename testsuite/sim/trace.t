#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# trace.t: pact-sim trace says what a log contains, cuts and converts it; a bad log gives a message
# with its line, never a crash or a silent loss.

top=${PACT_TOP:-$(cd "$(dirname "$0")/../.." && pwd)}
build=${PACT_BUILD:-$top}
sim=$build/sim/pact-sim
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
. "$top/testsuite/tap.sh"
tap_failed() { tail -n 20 "$dir/out" "$dir/err"; }

# says EXIT TEXT ARGUMENT...: run, compare the exit code, look for the text
says() {
	local code=$1 text=$2 status
	shift 2
	"$sim" "$@" >"$dir/out" 2>"$dir/err"
	status=$?
	[ $status -eq "$code" ] && cat "$dir/out" "$dir/err" | grep -qF -- "$text"
}
expect() {
	ok "pact-sim ${*:3} exits $1, says '$2'" says "$@"
}

# value KEY: a number or text out of $dir/json
value() {
	sed -n "s/^ *\"$1\": *\"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}$/\1/p" "$dir/json" | head -n 1
}

# lines KEY: count and first lines of an oddity, in one line
lines() {
	tr -d ' \n' <"$dir/json" | sed -n "s/.*\"$1\":{\"count\":\([0-9]*\),\"first_lines\":\[\([0-9,]*\)\]}.*/\1 \2/p"
}

job() { # job ID SUBMIT RUNTIME WIDTH ESTIMATE [USED]: a line of a log
	echo "$1 $2 -1 $3 ${6-$4} -1 -1 $4 $5 -1 1 1 -1 -1 -1 -1 -1 -1"
}

# ---- usage

expect 0 'usage: pact-sim trace' trace --help
expect 1 'a FILE is needed' trace
expect 1 'one FILE only' trace a b
expect 1 '--jobs 0:1: not FIRST:COUNT' trace x --jobs 0:1
expect 1 '--from x: not a number of seconds' trace x --from x
expect 1 '--nodes 0: not a number of nodes' trace x --nodes 0
expect 1 '--shift x: not a number' trace x --shift x --write y
from_pipe() {
	echo '1 0 -1 10 2 -1 -1 2 20 -1 1 1 1 1 1 1 -1 -1' | says "$@"
}
ok 'a log out of a pipe is not cut' from_pipe 2 '/dev/stdin: --write reads twice, which a pipe cannot be' \
	trace /dev/stdin --write "$dir/piped.swf"
ok '  and leaves no file' test ! -e "$dir/piped.swf"
ok '  but looked at' from_pipe 0 'jobs looked at' trace /dev/stdin --nodes 4
ok 'standard input is a log, too' from_pipe 0 'jobs looked at' trace - --nodes 4
ok '  which is not cut' from_pipe 2 'standard input: --write reads twice' trace - --write "$dir/piped.swf"
ok '  and leaves no file' test ! -e "$dir/piped.swf"
ok '  nor is an empty one a log' eval 'says 2 "standard input: no job in 0 lines" trace - </dev/null'
expect 1 'needs --write OUT' trace x --shift 5
expect 2 'No such file' trace "$dir/nothing"

# ---- what would do harm on a terminal

{
	printf '; Computer: A\033[2JB\302\2332J\n'
	job 1 0 10 4 20
} >"$dir/evil.swf"
expect 0 'A\x1b[2JB\x9b2J' trace "$dir/evil.swf"

# ---- what a log contains

{
	printf '; Computer: Gro\337e Maschine\n' # not UTF-8
	echo '; UnixStartTime: 1000000000'
	echo '; MaxJobs: 99'
	echo '; MaxProcs: 8'
	job 1 0 10 4 20		 # line 5
	job 2 100 30 4 20	 # 6: overrun
	job 3 200 10 9 20	 # 7: too wide
	job 4 300 -1 4 20	 # 8: negative runtime
	echo '5 6'		 # 9: malformed
	job 6 400 0 8 20	 # 10: runtime 0
	job 7 350 10 -1 20 2	 # 11: out of order, width from field 5
	job 8 500 10 -1 20	 # 12: no width
	job 8 -1 10 1 20	 # 13: no submit time
	job 1 600 10 1 -1	 # 14: number seen before, no estimate
	echo                     # 15: blank
	echo '9 700 -1 x 1 -1 -1 1 20 -1 1 1 -1 -1 -1 -1 -1 -1' # 16: not a number
	echo '10 700 -1 99999999999999 1 -1 -1 1 20 -1 1 1 -1 -1 -1 -1 -1 -1' # 17: range
} >"$dir/odd.swf"
expect 0 'odd.swf:9: 2 of 18 columns; line skipped' trace "$dir/odd.swf" --json "$dir/json"
ok 'a field that is no number is told with its line' grep -q 'odd.swf:16: field 4: not a number' "$dir/err"
ok 'a number out of range is told with its line' grep -q 'odd.swf:17: field 4: number out of range' "$dir/err"
says 0 '' trace "$dir/odd.swf" --json "$dir/json" --quiet
ok 'quiet is quiet' [ ! -s "$dir/err" ]
ok 'lines are all accounted for' [ "$(value lines) $(value comments) $(value blank) $(value records) $(value jobs)" = '17 4 1 9 6' ]
expect 0 ': 9 records, 4 comments, ' trace "$dir/odd.swf"
{
	echo '; one of each'
	job 1 0 10 1 20
} >"$dir/one.swf"
expect 0 ' 2: 1 record, 1 comment, 0 blank' trace "$dir/one.swf"
check_odd() { # what --json says about each oddity
	[ "$(lines malformed)" = '3 9,16,17' ] && [ "$(lines no_width)" = '1 12' ] &&
		[ "$(lines negative_runtime)" = '1 8' ] && [ "$(lines no_submit)" = '1 13' ] &&
		[ "$(lines too_wide)" = '1 7' ] && [ "$(lines used_width)" = '1 11' ] &&
		[ "$(lines zero_runtime)" = '1 10' ] && [ "$(lines no_estimate)" = '1 14' ] &&
		[ "$(lines overrun)" = '1 6' ] && [ "$(lines out_of_order)" = '1 11' ] &&
		[ "$(lines repeated_number)" = '1 14' ]
}
ok 'each oddity is counted, with its line' check_odd
parts='4 10 5 90 4 -1 -1 4 99 -1 1 1 -1 -1 -1 -1 -1 -1\n4 -1 7 40 4 -1 -1 4 99 -1 3 1 -1 -1 -1 -1 -1 -1\n'
printf "; MaxProcs: 8\n$parts" >"$dir/parts.swf"
says 0 '' trace "$dir/parts.swf" --json "$dir/parts.json" --write "$dir/whole.swf" --quiet
ok 'parts of a job are no jobs, and told' grep -A 3 '"partial"' "$dir/parts.json"
ok '  nor written' eval '[ "$(grep -c "^4 " "$dir/whole.swf")" = 1 ]'
expect 0 'dropped 1: 0 malformed lines, 0 without width, 0 with negative runtime, 0 without submit time, 1 parts of jobs' \
	run --trace "$dir/parts.swf"
# 10 x 4 + 20 x 4 + 1 x 8 + 10 x 2 + 10 x 1 = 158 over 8 x 600
ok 'the offered load is right' [ "$(value offered_load)" = 0.03291666667 ]
ok 'the period is right' [ "$(value first_submit_s) $(value last_submit_s)" = '0 600' ]
ok 'missing fields are counted' [ "$(value run_time) $(value submit_time) $(value wait_time) $(value requested_processors)" = '1 1 9 2' ]
ok 'a name that is not UTF-8 is valid in JSON' iconv -f UTF-8 -t UTF-8 "$dir/json"
expect 0 'dropped: wider than the machine              1, line 7' trace "$dir/odd.swf"
ok 'dates are told' grep -q '0 (2001-09-09 01:46 UTC)' "$dir/out"

# ---- the same as a run: what is dropped there is counted here

expect 2 "$dir/odd.swf:14: job number 1 is that of $dir/odd.swf:5, too; see pact-sim trace" run --trace "$dir/odd.swf"
sed -i '14s/^1 /11 /' "$dir/odd.swf" # but for numbers that occur twice, which a run refuses
"$sim" run --trace "$dir/odd.swf" --quiet --json "$dir/run.json" 2>"$dir/err"
ok 'a run drops what trace says it would' grep -q '"jobs_dropped": 7,' "$dir/run.json"
ok 'and runs the others' grep -q '"jobs_submitted": 5,' "$dir/run.json"

# ---- cut and convert

{
	echo '; MaxProcs: 16'
	echo '; MaxJobs: 50'
	echo '; UnixStartTime: 1000'
	for i in $(seq 50); do
		job "$i" $((1000 + i * 10)) $((i * 7 % 90 + 1)) $((i % 16 + 1)) 100
	done
	echo '; a comment at the end'
} >"$dir/log.swf"
ok 'convert to gzip' says 0 '50 of 50 records written' trace "$dir/log.swf" --write "$dir/log.swf.gz"
ok 'it is gzip' gzip -t "$dir/log.swf.gz"
ok 'and back' says 0 '' trace "$dir/log.swf.gz" --write "$dir/back.swf"
ok 'the same to the byte' cmp "$dir/log.swf" "$dir/back.swf"
schedule() { # schedule CSV ARGUMENT...
	"$sim" run --scheduler easy --quiet --jobs-csv "$@"
}
ok 'cut' says 0 '20 of 50 records written' trace "$dir/log.swf" --jobs 11:20 --write "$dir/cut.swf.gz"
schedule "$dir/1.csv" --trace "$dir/log.swf" --jobs 11:20
schedule "$dir/2.csv" --trace "$dir/cut.swf.gz"
ok 'a run over the cut is the run over the slice' cmp "$dir/1.csv" "$dir/2.csv"
ok 'cut a disordered log with odd lines' says 0 '2 of 9 records written' trace "$dir/odd.swf" \
	--jobs 4:2 --write "$dir/cut.swf"
schedule "$dir/1.csv" --trace "$dir/odd.swf" --jobs 4:2 2>"$dir/err"
schedule "$dir/2.csv" --trace "$dir/cut.swf" 2>"$dir/err"
ok 'its slice is in submission order, too' cmp "$dir/1.csv" "$dir/2.csv"
ok 'jobs by time, shifted' says 0 '10 of 50' trace "$dir/log.swf" --from 1110 --until 1210 \
	--shift zero --write "$dir/cut.swf"
ok 'the first is at 0' [ "$(grep -v '^;' "$dir/cut.swf" | head -n 1 | cut -d' ' -f1-2)" = '11 0' ]
ok 'the header is corrected' [ "$(grep -cE '^; (MaxJobs: 10|UnixStartTime: 2110|Note: cut by .*10 of 50 records.*by -1110 s)$' "$dir/cut.swf")" = 3 ]
expect 2 'submit time 1010 shifted by -1011 is out of range' trace "$dir/log.swf" --shift=-1011 \
	--write "$dir/not"
ok 'nothing is left of a cut that failed' [ ! -e "$dir/not" -a ! -e "$dir/not.part" ]
cp "$dir/log.swf" "$dir/self.swf"
ok 'a log over itself' says 0 '5 of 50' trace "$dir/self.swf" --jobs 1:5 --write "$dir/self.swf"
ok 'it has five jobs' [ "$(grep -vc '^;' "$dir/self.swf")" = 5 ]
ok 'to standard output' says 0 '; MaxProcs: 16' trace "$dir/log.swf" --jobs 1:5 --write -
ok 'nothing else is there' [ "$(grep -vc '^;' "$dir/out")" = 5 ]
expect 2 'no job is left of those asked for' trace "$dir/log.swf" --from 99999
expect 4 'cannot write /nonexistent/x' trace "$dir/log.swf" --write /nonexistent/x
if [ -w /dev/full ]; then
	"$sim" trace "$dir/log.swf" --write - >/dev/full 2>"$dir/err"
	ok 'a full disk is an error' [ $? -eq 4 ]
fi

# ---- bad logs, under trace and run alike

gzip -c "$dir/log.swf" | head -c 200 >"$dir/short.swf.gz"
head -c 3000 /dev/urandom >"$dir/noise.swf"
printf '1 0 -1 10 4 -1 -1 4 20 -1 1 1 -1 -1 -1 -1 -1 -1\n\0\0\0\n%05000d\n' 0 >"$dir/zero.swf"
expect 2 'the compressed file is truncated' trace "$dir/short.swf.gz"
expect 2 'the compressed file is truncated' run --trace "$dir/short.swf.gz"
expect 2 'no job in' trace "$dir/noise.swf"
expect 2 'no job in' run --trace "$dir/noise.swf" --nodes 4
expect 0 'zero.swf:2: line holds a zero byte' trace "$dir/zero.swf"
expect 0 'zero.swf:3: line is too long' run --trace "$dir/zero.swf" --nodes 4
expect 2 'Is a directory' trace "$dir"

# Long logs: each line is read, nothing is lost. PACT_LONG_LOG=10000000 for ten million lines.
long=${PACT_LONG_LOG:-200000}
awk -v n="$long" 'BEGIN {
	print "; MaxProcs: 100"
	for (i = 1; i <= n; i++)
		print i, 10 * i, -1, i % 50 + 1, i % 9 + 1, -1, -1, i % 9 + 1, 60, -1, 1, 1, -1, -1, -1, -1, -1, -1
}' | gzip -1 >"$dir/long.swf.gz"
says 0 '' trace "$dir/long.swf.gz" --quiet --json "$dir/json"
ok "$long jobs are counted" [ "$(value jobs) $(value records)" = "$long $long" ]
says 0 '' run --trace "$dir/long.swf.gz" --scheduler easy --quiet --json "$dir/json"
ok "$long jobs are run" [ "$(value jobs_completed)" = "$long" ]

tap_end
