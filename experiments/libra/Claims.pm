# SPDX-License-Identifier: GPL-2.0-or-later
# Claims: what LibraRisk's paper says of its results, and what we hold our own schedulers to, as assertions over
# our runs. Points are percentage points of submitted jobs; values are means over the seeds.
package Claims;
use strict;
use warnings;
use Verdicts;

my ($x, @verdicts);

sub verdict {
	my ($id, $claim, $holds, $found) = @_;
	push @verdicts, { id => $id, claim => $claim, holds => $holds ? 1 : 0, found => $found };
}

# A claim about many points: [where, does it hold, what is there].
sub everywhere {
	my ($id, $claim, @cases) = @_;
	verdict($id, $claim, Verdicts::points(@cases));
}

# Of a figure, scheduler, panel and point.
sub met { return $x->{mean}->(@_, 'deadlines_met_pct') // 0 }
sub slow { return $x->{mean}->(@_, 'deadlines_met_slowdown_mean') // 0 }
sub three { my ($n, @at) = @_; return map { met($n, $_, @at) } qw(edf libra librarisk) }
sub told { return sprintf('EDF %.1f, Libra %.1f, LibraRisk %.1f', @_) }

sub judge {
	$x = shift;
	@verdicts = ();
	exact();
	workload();
	slowdown();
	urgent();
	ratios();
	inaccurate();
	in_step();
	beyond();
	my ($promises, $broken) = (0, 0);
	$promises += $_->{promises}, $broken += $_->{promises_broken} for @{ $x->{rows} };
	verdict('kept', 'no promise is broken anywhere', $promises && !$broken, "$promises promises, $broken broken");
	return @verdicts;
}

sub exact {
	my ($edf, $libra, $risk) = three(1, 'exact', 1);
	verdict('exact-alike', 'exact estimates, factor 1: Libra and LibraRisk within a point, both over EDF',
		abs($libra - $risk) <= 1 && $libra > $edf && $risk > $edf, told($edf, $libra, $risk));
	my ($a, $b) = map { slow(1, $_, 'exact', 1) } qw(libra librarisk);
	verdict('exact-slowdown', 'exact estimates, factor 1: Libra and LibraRisk have the same slowdown, within 5 %',
		abs($a - $b) <= 0.05 * $a, sprintf('Libra %.2f, LibraRisk %.2f', $a, $b));
	my ($jobs, $otherwise, $ends) = $x->{best}->();
	verdict('best-alike', 'exact estimates: with NodeChoice=best LibraRisk decides as Libra does, job by job',
		$jobs && !$otherwise, defined $jobs ? "$jobs jobs, $otherwise decided otherwise, $ends others ended at another time" :
		'not compared');
}

# Figure 1.
sub workload {
	my @points = $x->{points}->(1);
	for my $e (qw(exact log)) {
		everywhere("edf-heavy-$e", "estimates $e: EDF leads Libra and LibraRisk below factor 0.3", map {
			my @v = three(1, $e, $_);
			[$_, $v[0] > $v[1] && $v[0] > $v[2], told(@v)] } grep { $_ < 0.3 } @points);
	}
	everywhere('librarisk-leads', "the log's estimates: LibraRisk leads EDF and Libra from factor 0.4", map {
		my @v = three(1, 'log', $_);
		[$_, $v[2] > $v[0] && $v[2] > $v[1], told(@v)] } grep { $_ >= 0.4 } @points);
	my @v = three(1, 'log', 1);
	verdict('libra-barely', "the log's estimates, factor 1: Libra is at most 6 points over EDF", $v[1] - $v[0] <= 6, told(@v));
	my @cases;
	for my $s (qw(edf libra librarisk)) {
		for my $e (qw(exact log)) {
			my ($from, $to) = map { met(1, $s, $e, $_) } @points[0, -1];
			push @cases, ["$s, $e", $to > $from, sprintf('%.1f, then %.1f', $from, $to)];
		}
	}
	everywhere('workload', 'from the heaviest to the lightest workload more is fulfilled', @cases);
	@cases = ();
	for my $n (1 .. 3) {
		for my $at ($x->{points}->($n)) {
			for my $s (qw(edf libra librarisk)) {
				my ($e, $l) = map { met($n, $s, $_, $at) } qw(exact log);
				push @cases, ["Figure $n, $s, $at", $e > $l, sprintf('exact %.1f, log %.1f', $e, $l)];
			}
		}
	}
	everywhere('overestimated', 'all three fulfil more with exact estimates', @cases);
}

sub slowdown {
	my @cases;
	for my $n (1 .. 3) {
		for my $e (qw(exact log)) {
			for my $at ($x->{points}->($n)) {
				my @v = map { slow($n, $_, $e, $at) } qw(edf libra librarisk);
				push @cases, ["Figure $n, $e, $at", $v[0] <= $v[1] && $v[0] <= $v[2],
					sprintf('EDF %.2f, Libra %.2f, LibraRisk %.2f', @v)];
			}
		}
	}
	everywhere('edf-slowdown', 'EDF has the lowest slowdown of the three', @cases);
	everywhere('risk-slowdown', "the log's estimates: LibraRisk has a lower slowdown than Libra from factor 0.5 on", map {
		my ($l, $r) = (slow(1, 'libra', 'log', $_), slow(1, 'librarisk', 'log', $_));
		[$_, $r < $l, sprintf('Libra %.2f, LibraRisk %.2f', $l, $r)] } grep { $_ >= 0.5 } $x->{points}->(1));
}

# Figure 3.
sub urgent {
	for ([0, 16, 25], [1, 33, 45]) {
		my ($u, $least, $most) = @$_;
		my ($l, $r) = map { met(3, $_, 'log', $u) } qw(libra librarisk);
		my ($sl, $sr) = map { slow(3, $_, 'log', $u) } qw(libra librarisk);
		my $percent = 100 * $u;
		verdict("gain-$percent", "the log's estimates, $percent % high urgency: LibraRisk fulfils $least to $most points more than " .
			'Libra, at lower slowdown', $r - $l >= $least && $r - $l <= $most && $sr < $sl,
			sprintf('Libra %.1f at %.2f, LibraRisk %.1f at %.2f: %+.1f points', $l, $sl, $r, $sr, $r - $l));
	}
	my @ends = ($x->{points}->(3))[0, -1];
	everywhere('urgent-fewer', "the log's estimates: EDF and Libra fulfil fewer as more are urgent", map {
		my ($s, @v) = ($_);
		@v = map { met(3, $s, 'log', $_) } @ends;
		[$s, $v[1] < $v[0], sprintf('%.1f with none, %.1f with all', @v)] } qw(edf libra));
	my ($from, $to) = map { met(3, 'librarisk', 'log', $_) } @ends;
	verdict('urgent-more', "the log's estimates: LibraRisk fulfils more as more are urgent", $to > $from,
		sprintf('%.1f with none, %.1f with all', $from, $to));
}

# Figure 2.
sub ratios {
	my @ends = ($x->{points}->(2))[0, -1];
	my @cases;
	for my $s (qw(edf libra librarisk)) {
		for my $e (qw(exact log)) {
			my @v = map { (met(2, $s, $e, $_), slow(2, $s, $e, $_)) } @ends;
			push @cases, ["$s, $e", $v[2] > $v[0] && $v[3] > $v[1], sprintf('%.1f at %.2f, then %.1f at %.2f', @v)];
		}
	}
	everywhere('ratio-more', 'from the lowest to the highest ratio more is fulfilled, at higher slowdown', @cases);
	my ($low, $high) = map { met(2, 'librarisk', 'log', $_) - met(2, 'libra', 'log', $_) } @ends;
	verdict('ratio-gain', "the log's estimates: LibraRisk's gain over Libra is higher at the lowest ratio than at the highest",
		$low > $high, sprintf('%+.1f, then %+.1f points', $low, $high));
}

# Figure 4.
sub inaccurate {
	my (@cases, @slow);
	for my $s (qw(edf libra librarisk)) {
		for my $at ($x->{points}->(4)) {
			my ($few, $many) = map { met(4, $s, $_, $at) } qw(0.2 0.8);
			push @cases, ["$s, $at", $few > $many, sprintf('%.1f, %.1f', $few, $many)];
			($few, $many) = map { slow(4, $s, $_, $at) } qw(0.2 0.8);
			push @slow, ["$s, $at", $many < $few, sprintf('%.2f, %.2f', $few, $many)];
		}
	}
	everywhere('urgent-less', 'more is fulfilled with 20 % of urgent jobs than with 80 %', @cases);
	everywhere('urgent-slower', 'slowdown is lower with 80 % of urgent jobs than with 20 %', @slow);
}

# Ours, and why parts go on by themselves: the paper does not say whether they do.
sub in_step {
	my @edf = map { met(1, 'edf', $_, 1) } qw(exact log);
	my @step = map { $x->{stepped}->('libra', $_, 'deadlines_met_pct') // 100 } qw(exact log);
	my @apart = map { met(1, 'libra', $_, 1) } qw(exact log);
	verdict('in-step', "the log's estimates, factor 1: with a job's parts in step Libra is below EDF, against the paper",
		$step[1] < $edf[1], sprintf('EDF %.2f, Libra %.2f in step, %.2f by themselves', $edf[1], $step[1], $apart[1]));
	verdict('in-step-exact', 'exact estimates, factor 1: with parts in step Libra is over EDF all the same', $step[0] > $edf[0],
		sprintf('EDF %.2f, Libra %.2f in step, %.2f by themselves', $edf[0], $step[0], $apart[0]));
}

# Ours: demand. Where estimates are not exact, and where they are.
sub beyond {
	my @all = ((map { my $n = $_; map { [$n, 'log', $_] } $x->{points}->($n) } 1 .. 3),
		map { my $u = $_; map { [4, $u, $_] } grep { $_ > 0 } $x->{points}->(4) } qw(0.2 0.8));
	everywhere('demand-ahead', 'demand is at no point of the figures below LibraRisk where estimates are not exact', map {
		my ($n, $p, $at) = @$_;
		my ($r, $d) = map { met($n, $_, $p, $at) } qw(librarisk demand);
		["Figure $n, $p, $at", $d >= $r, sprintf('LibraRisk %.1f, demand %.1f', $r, $d)] } @all);
	my ($r, $d) = map { met(1, $_, 'log', '0.3') } qw(librarisk demand);
	verdict('demand-heavy', "the log's estimates, factor 0.3: demand fulfils 1.5 times as many as LibraRisk", $r && $d >= 1.5 * $r,
		sprintf('LibraRisk %.1f, demand %.1f', $r, $d));
	$d = met(1, 'demand', 'log', 1);
	verdict('demand-default', "the log's estimates, factor 1: demand fulfils 97 %", $d >= 97, sprintf('%.1f', $d));
	everywhere('demand-slowdown', "demand's slowdown is not above LibraRisk's where estimates are not exact, from factor 0.1 on",
		map { my ($n, $p, $at) = @$_;
			my ($r, $d) = map { slow($n, $_, $p, $at) } qw(librarisk demand);
			["Figure $n, $p, $at", $d <= $r, sprintf('LibraRisk %.2f, demand %.2f', $r, $d)] }
		grep { $_->[0] != 1 || $_->[2] >= 0.1 } @all);
	my @cases;
	for my $n (1 .. 3) {
		for my $at ($x->{points}->($n)) {
			my ($l, $r, $d) = map { met($n, $_, 'exact', $at) } qw(libra librarisk demand);
			push @cases, ["Figure $n, $at", $d >= ($l > $r ? $l : $r) - 5,
				sprintf('Libra %.1f, LibraRisk %.1f, demand %.1f', $l, $r, $d)];
		}
	}
	everywhere('demand-exact', 'exact estimates: demand is at most 5 points below the better of Libra and LibraRisk', @cases);
}

1;
