#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# deadlines.t: --deadlines urgency and estimate, --estimates inaccuracy and --arrival-delay: what doc/formats.md
# says of the draws, done again here, comes to the same jobs; bad values are errors that name them; sweeps.

top=${PACT_TOP:-$(cd "$(dirname "$0")/../.." && pwd)}
sim=${PACT_BUILD:-$top}/sim/pact-sim
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
. "$top/testsuite/tap.sh"
need perl

# says EXIT TEXT ARGUMENT...: pact-sim exits so, and its output holds the text
says() { exits "$1" "$2" "$sim" "${@:3}"; }

cat >"$dir/draw.pl" <<'EOP'
# draw.pl SEED urgency SHARE MEAN RATIO | estimate LOW HIGH (millionths) <jobs.csv: the deadlines in jobs.csv are those drawn
use strict;
use warnings;
use Math::BigInt;
sub big { return Math::BigInt->new($_[0]) }
my ($seed, $kind, @p) = @ARGV;
my $all = big(2)->bpow(64);
my @s;
my $x = (big($seed) + 2 * big('0x9e3779b97f4a7c15')) % $all;
for (1 .. 4) {
	$x = ($x + big('0x9e3779b97f4a7c15')) % $all;
	my $z = $x->copy;
	$z = ($z ^ ($z >> 30)) * big('0xbf58476d1ce4e5b9') % $all;
	$z = ($z ^ ($z >> 27)) * big('0x94d049bb133111eb') % $all;
	push @s, $z ^ ($z >> 31);
}
sub rotated { my ($v, $k) = @_; return (($v << $k) % $all) | ($v >> (64 - $k)) }
sub word {
	my $r = rotated($s[1] * 5 % $all, 7) * 9 % $all;
	my $t = ($s[1] << 17) % $all;
	$s[2] = $s[2] ^ $s[0]; $s[3] = $s[3] ^ $s[1]; $s[1] = $s[1] ^ $s[2]; $s[0] = $s[0] ^ $s[3];
	$s[2] = $s[2] ^ $t;
	$s[3] = rotated($s[3], 45);
	return $r;
}
sub below {
	my $n = big($_[0]);
	my $w;
	do { $w = word() } while $w < $all % $n;
	return $w % $n;
}
sub lg {
	my ($v) = @_;
	my $whole = length($v->as_bin) - 3;
	my $m = $v << (63 - $whole);
	my $l = big($whole);
	for (1 .. 32) {
		$m = ($m * $m) >> 63;
		$l = $l << 1;
		($l, $m) = ($l + 1, $m >> 1) if $m >= $all;
	}
	return $l;
}
sub exponential {
	my $w = word();
	return ((big(64) << 32) - lg($w->is_zero ? big(1) : $w)) * big('0xb17217f7d1cf79ab') >> 64;
}
sub normal {
	my $e;
	while (1) {
		$e = exponential();
		my $f = exponential();
		last if 2 * ($f << 32) >= ($e - (big(1) << 32))->bpow(2);
	}
	return word()->is_odd ? -$e : $e;
}
sub up { my ($n, $d) = @_; return ($n + $d - 1) / $d }
sub drawn {
	my ($estimate, $runtime) = @_;
	return up(($p[0] + below($p[1] - $p[0] + 1)) * $estimate, 1000000) if $kind eq 'estimate';
	my $m = below(1000000) < $p[0] ? big($p[1]) : big($p[1]) * $p[2] / 1000000;
	my $z;
	do { $z = normal() } while abs($z) > (big(3) << 32);
	return up($runtime * $m * ((big(1) << 34) + $z), big(1000000) << 34);
}
my ($n, $wrong) = (0, 0);
<STDIN>;
while (<STDIN>) {
	my ($id, $submit, $width, $estimate, $runtime, $deadline) = split /,/;
	below(1000000); # a fraction of 1
	my $after = drawn($estimate, $runtime);
	$after = 1 if $after < 1;
	$n++;
	$wrong++, print "job $id: $deadline, drawn: $after after $submit\n" if $deadline != $submit + $after;
}
print "$n jobs, $wrong otherwise\n";
exit($wrong || $n != 60);
EOP

drawn() { # DEADLINES SEED WORD...
	local deadlines=$1 seed=$2
	shift 2
	"$sim" run --model poisson --nodes 32 --jobs 1:60 --seed "$seed" --deadlines "$deadlines" --scheduler fcfs \
		--quiet --jobs-csv "$dir/jobs.csv" && perl "$dir/draw.pl" "$seed" "$@" <"$dir/jobs.csv"
}
ok 'urgency as drawn by the description, seed 1' drawn urgency:0.2 1 urgency 200000 4000000 4000000
ok '  another seed, with mean and ratio' drawn urgency:0.75,mean:1.5,ratio:2.333333 12345678901 \
	urgency 750000 1500000 2333333
ok 'by the estimate as drawn by the description' drawn estimate:0.25-3 5 estimate 250000 3000000

# Estimates between the runtime and the log's; submissions closer, a half up.
cat >"$dir/log.swf" <<'EOF'
; MaxProcs: 8
1 0 -1 100 1 -1 -1 1 203 -1 1 1 -1 -1 -1 -1 -1 -1
2 15 -1 100 1 -1 -1 1 100 -1 1 1 -1 -1 -1 -1 -1 -1
3 30 -1 7 1 -1 -1 1 60 -1 1 1 -1 -1 -1 -1 -1 -1
4 45 -1 7 1 -1 -1 1 60 -1 1 1 -1 -1 -1 -1 -1 -1
EOF
column() { # COLUMN ARGUMENT...: of --jobs-csv, in one line
	local column=$1
	shift
	"$sim" run --trace "$dir/log.swf" --scheduler fcfs --quiet --jobs-csv - "$@" | tail -n +2 |
		cut -d, -f "$column" | paste -sd ' '
}
is() { # EXPECTED COLUMN ARGUMENT...
	local expected=$1 got
	shift
	got=$(column "$@")
	echo "$got"
	[ "$got" = "$expected" ]
}
ok 'half as inaccurate as the log' is '152 100 34 34' 4 --estimates inaccuracy:0.5
ok '  not at all' is '100 100 7 7' 4 --estimates inaccuracy:0
ok '  as the log' is '203 100 60 60' 4 --estimates inaccuracy:1
ok '  deadlines by the estimate count with what was made of it' is '152 115 64 79' 6 --estimates inaccuracy:0.5 \
	--deadlines estimate:1-1
ok 'a delay of 0.3: sums are rounded, a half up' is '0 5 9 14' 2 --arrival-delay 0.3
ok '  of dynP they are rounded down' is '0 4 9 13' 2 --shrink 0.3
ok '  0: all at once' is '0 0 0 0' 2 --arrival-delay 0

run=(run --model poisson --nodes 8 --jobs 1:20)
ok 'bad values are named: urgency' says 1 'urgency:2 is more than 1' "${run[@]}" --deadlines urgency:2
ok '  mean' says 1 'mean:0 is not a number above 0' "${run[@]}" --deadlines urgency:0.2,mean:0
ok '  ratio' says 1 'ratio:-4 is not a number above 0' "${run[@]}" --deadlines urgency:0.2,ratio:-4
ok '  two kinds' says 1 'estimate:1-2 does not go together with urgency' "${run[@]}" \
	--deadlines urgency:0.2,estimate:1-2
ok '  a key without its kind' says 1 "'ratio:4' lacks stringency:S, urgency:F or estimate:LOW-HIGH" "${run[@]}" \
	--deadlines ratio:4
ok '  estimate' says 1 'estimate:2-1 has a LOW above its HIGH' "${run[@]}" --deadlines estimate:2-1
ok '  inaccuracy' says 1 '--estimates inaccuracy:1.5: P is no number from 0 to 1' "${run[@]}" --estimates inaccuracy:1.5
ok '  arrival delay' says 1 '--arrival-delay 1001: not a factor from 0 to 1000' "${run[@]}" --arrival-delay 1001
ok 'no guard is in them: to give one to a scheduler that has none is an error' says 1 \
	'--guard 5: scheduler fcfs does not use it' "${run[@]}" --scheduler fcfs --guard 5 --deadlines urgency:0.2

sweep=(sweep --out "$dir/rows.csv" --model poisson --nodes 8 --jobs 1:50 --scheduler qops)
ok 'keys can be swept' says 0 '12 of 12 runs' "${sweep[@]}" --sweep urgency=0,0.2,1 --sweep ratio=1,4 --seeds 1:2
ok '  beside others that are given' says 0 '2 of 2 runs' "${sweep[@]/rows/more}" --deadlines urgency:0.2,mean:2 \
	--sweep ratio=1,2
both() { # a key counts beside a list that is swept, too: a ratio of 1 leaves less time than one of 8
	"$sim" "${sweep[@]/rows/both}" --quiet --sweep ratio=1,8 --sweep 'deadlines=urgency:0.2;urgency:0.8' \
		--columns unadmitted_jobs_pct | tee "$dir/said"
	awk '$2 == "urgency:0.2" { v[$1] = $4 } END { exit !(v[1] > v[8]) }' "$dir/said"
}
ok '  whichever comes first' both
ok '  given twice' says 1 '--sweep ratio: it is given as an option, too' "${sweep[@]}" --deadlines urgency:0.2,ratio:2 \
	--sweep ratio=1,2
ok '  of another kind' says 1 'ratio:1 does not go together with stringency' "${sweep[@]/rows/wrong}" \
	--deadlines stringency:0.2 --sweep ratio=1,2
ok 'as can estimates and delays' says 0 '6 of 6 runs' "${sweep[@]/rows/estimates}" --deadlines urgency:0.2 \
	--sweep estimates=exact,inaccuracy:0.5,log --sweep arrival-delay=0,0.5
tap_end
