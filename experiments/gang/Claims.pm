# SPDX-License-Identifier: GPL-2.0-or-later
# Claims: what the paper on gang scheduling says of its results, as assertions over our runs; values are means over
# the seeds. A claim that does not hold needs its cause in the file `causes`.
#	my @verdicts = Claims::judge($points, $jobs);    # of Points->of(...), and Jobs
# each: { id, section, claim, holds, found }; holds is undef where runs are missing.
#
# Where the paper has words only: "comparable" is within a factor of 1.5, "little", "insignificant" and "negligible" are
# within 20 %, "much" is a half, "at" a utilization is within 0.03, up to which something holds within 0.04.
package Claims;
use strict;
use warnings;
use List::Util qw(max min sum);
use Paper;
use Points qw(line);
use Verdicts;

my %measures = (slow => 'slowdown_bounded10_mean', wait => 'wait_mean_s', kappa => 'loss_of_capacity',
	'slow-sd' => 'slowdown_bounded10_sd', 'wait-sd' => 'wait_sd_s', used => 'utilization');
my %words = (slow => 'slowdown', wait => 'wait', kappa => 'loss of capacity', 'slow-sd' => 'deviation of slowdown',
	'wait-sd' => 'deviation of wait');

my ($p, $jobs, @verdicts);

# The test returns (holds, found), or dies of runs that are not there.
sub claim {
	my ($id, $section, $claim, $test) = @_;
	my ($holds, $found) = eval { $test->() };
	die $@ if $@ && $@ ne "no runs\n";
	($holds, $found) = (undef, 'not run') if $@;
	push @verdicts, { id => $id, section => $section, claim => $claim, holds => $@ ? undef : $holds ? 1 : 0, found => $found };
}

# Of many points: [where, does it hold, what is there].
sub everywhere {
	my @cases = @_;
	die "no runs\n" if !@cases;
	return Verdicts::points(@cases);
}

sub at { my ($m, $line, $x) = @_; return $p->mean($line, $x, $measures{$m}) }
sub used { return at('used', @_) }
sub number { my ($v) = @_; return sprintf $v < 1 ? '%.3f' : $v < 10 ? '%.2f' : $v < 1000 ? '%.1f' : '%.0f', $v }

# The points at which BF uses no more than so much of the machine, or more.
sub upto { my ($u) = @_; return grep { used('bf', $_) <= $u } $p->xs }
sub above { my ($u) = @_; return grep { used('bf', $_) > $u } $p->xs }

# A line's name in what is found.
sub name { return $_[0] =~ s/^(m?b?gs|bf)\b/\U$1/r }

# A case: where, whether it holds, names or lines and their values.
sub told {
	my ($where, $holds, @of) = @_;
	my @text;
	while (my ($line, $v) = splice @of, 0, 2) {
		push @text, name($line) . ' ' . number($v);
	}
	return [$where, $holds, join(', ', @text)];
}

# The first is better than the second, times a factor: cases.
sub better {
	my ($m, $a, $b, $factor, @xs) = @_;
	return map {
		my ($va, $vb) = (at($m, $a, $_), at($m, $b, $_));
		told($_, $va < $factor * $vb, $a, $va, $b, $vb)
	} @xs;
}

# Within so much of each other, as a share of the second: cases.
sub within {
	my ($m, $share, $a, $b, @xs) = @_;
	return map {
		my ($va, $vb) = (at($m, $a, $_), at($m, $b, $_));
		told($_, abs($va - $vb) <= $share * $vb, $a, $va, $b, $vb)
	} @xs;
}

sub alike {
	my ($id, $section, $claim, $share, $m, $lines, $xs) = @_;
	claim($id, $section, $claim, sub { my ($to, @others) = @$lines;
		everywhere(map { within($m, $share, $_, $to, $xs->()) } @others) });
}

# How far line a is from line b: the geometric mean of the quotients.
sub quotient {
	my ($m, $a, $b) = @_;
	my @xs = $p->xs($a) or die "no runs\n";
	return exp(sum(map { log(max(at($m, $a, $_), 1e-9) / max(at($m, $b, $_), 1e-9)) } @xs) / @xs);
}

# The utilization at which the slowdown comes to 20, by straight lines between the points; above 1: it never does.
sub twenty {
	my ($line) = @_;
	my @v = map { [used($line, $_), at('slow', $line, $_)] } $p->xs($line) or die "no runs\n";
	return $v[0][0] if $v[0][1] >= 20;
	for my $i (1 .. $#v) {
		my ($from, $to) = @v[$i - 1, $i];
		return $from->[0] + ($to->[0] - $from->[0]) * (20 - $from->[1]) / ($to->[1] - $from->[1]) if $to->[1] >= 20;
	}
	return 2;
}

# The highest utilization of a line, and its wait there.
sub top_point {
	my ($line) = @_;
	my ($top) = sort { $b->[0] <=> $a->[0] } map { [used($line, $_), at('wait', $line, $_)] } $p->xs($line) or die "no runs\n";
	return @$top;
}

# What a line comes to at a utilization, by straight lines between its points; at most its last.
sub at_utilization {
	my ($m, $line, $u) = @_;
	my @v = sort { $a->[0] <=> $b->[0] } map { [used($line, $_), at($m, $line, $_)] } $p->xs($line) or die "no runs\n";
	for my $i (1 .. $#v) {
		my ($from, $to) = @v[$i - 1, $i];
		return $from->[1] + ($to->[1] - $from->[1]) * ($u - $from->[0]) / ($to->[0] - $from->[0])
			if $u <= $to->[0] && $to->[0] > $from->[0];
	}
	return $v[-1][1];
}

sub near {
	my ($value, $theirs, $most) = @_;
	return (abs($value - $theirs) <= $most, $value > 1 ? 'never' : sprintf '%.3f', $value);
}

# All claims over the paper's workloads; for a log those that its runs suffice for.
sub judge {
	($p, $jobs) = @_;
	@verdicts = ();
	table1() if $jobs;
	four();
	policies();
	estimates();
	rewards() if $jobs;
	phases();
	rows();
	switches();
	sizes();
	capacity() if $jobs;
	discrete();
	fill2();
	quota();
	figure25() if $jobs;
	return @verdicts;
}

sub table1 {
	for (['bgs', 7, 1.7], ['mbgs', 7, 1.7], ['gs', 5, 2.5], ['mgs', 5, 2.5]) {
		my ($s, $last, $most) = @$_;
		claim("factor-$s", '6.6', "Table 1: \U$s\E has the paper's slowdown within a factor of $most, workloads 0 to $last", sub {
			everywhere(map { my ($v, $theirs) = (at('slow', $s, $_), $Paper::table1{$s}[1][$_]);
				[$_, $v <= $most * $theirs && $theirs <= $most * $v, sprintf('%s, paper %s: %.2f', number($v), $theirs,
					max($v / $theirs, $theirs / $v))] } grep { $_ <= $last } $p->xs($s)) });
	}
	for my $s (qw(bf gs bgs mgs mbgs)) {
		claim("top-$s", '6.6', "\U$s\E: the highest utilization is within 0.03 of $Paper::top{$s}",
			sub { near($p->top($s), $Paper::top{$s}, 0.03) });
	}
}

sub four {
	for my $m (qw(slow wait)) {
		my $w = "no costs, $words{$m}:";
		# At low loads two of them may make the same schedule.
		my $all = sub { my ($pairs) = @_; return sub { everywhere(map { better($m, @$_, 1 + 1e-9, $p->xs) } @$pairs) } };
		claim("best-$m", '6.6', "$w MBGS is the best of the four", $all->([map { ['mbgs', $_] } qw(bgs mgs gs)]));
		claim("worst-$m", '6.6', "$w GS is the worst of the four", $all->([map { [$_, 'gs'] } qw(bgs mgs mbgs)]));
		claim("bf-$m", '6.3', "$w BGS is better than BF", sub { everywhere(better($m, 'bgs', 'bf', 1, $p->xs)) });
		claim("between-$m", '6.6', "$w MGS is between GS and BGS", $all->([['mgs', 'gs'], ['bgs', 'mgs']]));
	}
	claim('gain', '6.6', 'migration gains more for GS than for BGS, in % of the slowdown', sub { everywhere(map {
		my ($x) = $_;
		my ($gs, $bgs) = map { 100 * (1 - at('slow', "m$_", $x) / at('slow', $_, $x)) } qw(gs bgs);
		[$x, $gs > $bgs, sprintf('GS %.0f %%, BGS %.0f %%', $gs, $bgs)] } $p->xs) });
}

# Section 3, Figure 5: exact estimates.
sub policies {
	my ($fcfs, %by) = (line('bf', estimates => 'exact'));
	$by{$_} = line('bf', QueueOrder => $_, estimates => 'exact') for qw(sjf bfit wfit);
	claim('policies-low', '3', 'exact estimates: up to 0.75 the waits of SJF, BFit and WFit are comparable to FCFS\'', sub {
		everywhere(map { my $line = $_; map { my ($v, $f) = (at('wait', $line, $_), at('wait', $fcfs, $_));
			told($_, $v <= 1.5 * $f && $f <= 1.5 * $v, $line, $v, $fcfs, $f) } upto(0.75) } @by{qw(sjf bfit wfit)}) });
	claim('policies-sjf', '3', 'exact estimates: up to 0.75 SJF has the least wait', sub {
		everywhere(map { better('wait', $by{sjf}, $_, 1, upto(0.75)) } $fcfs, @by{qw(bfit wfit)}) });
	claim('policies-high', '3', 'exact estimates: above 0.75 FCFS has the least wait', sub {
		everywhere(map { better('wait', $fcfs, $_, 1, above(0.75)) } @by{qw(sjf bfit wfit)}) });
	claim('policies-at-top', '3', 'exact estimates: at the highest utilization that each of the others reaches FCFS waits less', sub {
		everywhere(map { my ($u, $wait) = top_point($by{$_}); my $f = at_utilization('wait', $fcfs, $u);
			told(sprintf('%s, %.3f', uc, $u), $f < $wait, $fcfs, $f, $by{$_}, $wait) } qw(sjf bfit wfit)) });
	claim('policies-bfit', '3', 'exact estimates: above 0.90 FCFS waits less than BFit', sub {
		everywhere(better('wait', $fcfs, $by{bfit}, 1, above(0.90))) });
	claim('policies-saturate', '3', 'exact estimates: SJF and WFit saturate at 0.85', sub {
		everywhere(map { my $top = $p->top($by{$_}); [uc, abs($top - 0.85) <= 0.03, sprintf('%.3f', $top)] } qw(sjf wfit)) });
	claim('policies-sustain', '3', 'exact estimates: FCFS and BFit sustain more than 0.90', sub {
		everywhere(map { my $top = $p->top($_); [name($_), $top > 0.90, sprintf('%.3f', $top)] } $fcfs, $by{bfit}) });
}

# Sections 4 and 6.2, Figures 6, 7, 13, 14: estimates of all kinds beside exact ones.
sub estimates {
	for my $s (qw(bf bgs)) {
		my ($section, $S) = ($s eq 'bf' ? '4' : '6.2', uc $s);
		my ($exact, $usual) = (line($s, estimates => 'exact'), $s);
		my @omega = map { line($s, estimates => "omega:$_") } 1, 3, 9;
		my @phi = map { line($s, estimates => "phi:$_") } 0, 0.6;
		alike("usual-$s-wait", $section, "$S: up to 0.85 the wait with users' estimates (Phi 0.2, a log's own) differs little "
			. 'from that with exact ones', 0.2, 'wait', [$exact, $usual], sub { upto(0.85) });
		next if !$jobs;
		my $to = $s eq 'bf' ? 0.85 : 1;
		my $range = $s eq 'bf' ? 'up to 0.85' : 'at all utilizations';
		alike("omega-$s-wait", $section, "$S: the wait differs little with Omega 1, 3, 9, $range", 0.2, 'wait', [$exact, @omega],
			sub { upto($to) });
		alike("phi-$s-wait", $section, "$S: the wait differs little with Phi 0, 0.2, 0.6, $range", 0.2, 'wait',
			[$exact, $usual, @phi], sub { upto($to) });
	}
	return if !$jobs;
	my $exact = line('bf', estimates => 'exact');
	claim('omega-bf-slow', '4', 'BF: up to 0.90 overestimation reduces the slowdown by about 20 % (5 to 35)', sub {
		everywhere(map { my $line = line('bf', estimates => "omega:$_"); map {
			my $gain = 100 * (1 - at('slow', $line, $_) / at('slow', $exact, $_));
			[$_, $gain >= 5 && $gain <= 35, name($line) . sprintf(' %.0f %%', $gain)] } upto(0.90) } 1, 3, 9) });
	claim('phi-bf-accurate', '4', 'BF: with Phi there is a little benefit in wait from more accurate estimates', sub {
		my $q = quotient('wait', $exact, line('bf', estimates => 'phi:0'));
		return ($q < 1 && $q > 0.8, sprintf('exact has %.2f of the wait of Phi 0 on average', $q)) });
	bgs_slowdown();
}

# Section 6.2, Figures 13 and 14: the slowdown of BGS.
sub bgs_slowdown {
	my $exact = line('bgs', estimates => 'exact');
	my @others = ('bgs', map { line('bgs', estimates => $_) } qw(omega:1 omega:3 omega:9 phi:0 phi:0.6));
	alike('moderate-bgs-slow', '6.2', 'BGS: up to 0.75 the slowdown differs little with Omega and Phi', 0.2, 'slow',
		[$exact, @others], sub { upto(0.75) });
	my $apart = sub { my @q = map { my $x = $_; my @v = map { at('slow', $_, $x) } $exact, @others; max(@v) / min(@v) } @_;
		@q ? max(@q) : die "no runs\n" };
	claim('high-bgs-slow', '6.2', 'BGS: from 0.85 the slowdown differs more with the estimates than below 0.75', sub {
		my ($high, $low) = ($apart->(above(0.85)), $apart->(upto(0.75)));
		return ($high > $low, sprintf('greatest by least: up to %.2f, below %.2f', $high, $low)) });
	claim('high-bgs-exact', '6.2', 'BGS: from 0.85 exact estimates have not the lowest slowdown everywhere', sub {
		my @xs = above(0.85) or die "no runs\n";
		my @best = grep { my $x = $_; at('slow', $exact, $x) <= min(map { at('slow', $_, $x) } @others) } @xs;
		return (@best < @xs, 'they have it at ' . @best . ' of ' . @xs . ' workloads') });
}

# Figure 8.
sub rewards {
	for (['omega', 'class', 0, 9, 'Omega = 3'], ['phi', 'used', 9, 0, 'Phi = 0.2']) {
		my ($name, $kind, $good, $bad, $words) = @$_;
		claim("reward-$name", '4', "$words: jobs of the best estimates wait less than all do, and these less than those of the worst",
			sub { everywhere(map { my $x = $_;
				my ($best, $all, $worst) = map { $jobs->mean($name, $x, $kind, @$_) } [$good], [], [$bad];
				[$x, $best < $all && $all < $worst, 'best ' . number($best) . ', all ' . number($all) . ', worst ' . number($worst)] }
				$jobs->xs($name)) });
	}
}

# Figures 11 and 12.
sub phases {
	my %of = map { my $s = $_; ($s => [map { line($s, Phases => $_) } 'schedule,fill', 'clean,schedule,fill']) } qw(gs bgs);
	my ($one, $two) = @{ $of{gs} };
	for my $m (qw(slow wait)) {
		claim("clean-gs-$m", '6.1', "GS: CleanMatrix helps much: $words{$m} lower everywhere, halved on average", sub {
			my ($holds, $found) = everywhere(better($m, $two, $one, 1, $p->xs($two)));
			my $q = quotient($m, $two, $one);
			return ($holds && $q <= 0.5, sprintf('to %.2f on average; ', $q) . $found) });
		claim("compact-gs-$m", '6.1', "GS: CompactMatrix has no significant impact on $words{$m}: 20 % on average at most", sub {
			my $q = quotient($m, 'gs', $two);
			return ($q >= 0.8 && $q <= 1.2, sprintf('to %.2f on average', $q)) });
		claim("phases-bgs-$m", '6.2', "BGS: the impact of CleanMatrix and CompactMatrix on $words{$m} is minimal: 20 % on average "
			. 'at most', sub { my @q = (quotient($m, $of{bgs}[1], $of{bgs}[0]), quotient($m, 'bgs', $of{bgs}[1]));
				return (!(grep { $_ < 0.8 || $_ > 1.2 } @q), sprintf('to %.2f, and from there to %.2f on average', @q)) });
	}
	claim('clean-gs-top', '6.1', 'GS: CleanMatrix raises the highest utilization', sub {
		my @top = map { $p->top($_) } $one, $two;
		return ($top[1] > $top[0], sprintf('%.3f, %.3f', @top)) });
}

sub gang { my ($s, $r, @set) = @_; return line($s, Rows => $r, @set) }

# Section 6.3, Figures 15 to 18, nothing charged for switches.
sub rows {
	for my $m (qw(slow wait)) {
		for my $s (qw(bgs gs)) {
			claim("rows-$s-$m", '6.3', "no costs: the $words{$m} of \U$s\E improves with each of 2, 3, 5 rows", sub {
				everywhere(map { better($m, gang($s, $_->[1]), gang($s, $_->[0]), 1, $p->xs($s)) } [2, 3], [3, 5]) });
		}
		claim("combined-$m", '6.3', "no costs: the $words{$m} of BGS is better than that of BF with 2, 3, 5 rows", sub {
			everywhere(map { better($m, gang('bgs', $_), 'bf', 1, $p->xs) } 2, 3, 5) });
	}
	return if !$jobs;
	for my $m (qw(slow slow-sd)) {
		claim("bf-gs-$m", '6.3', "BF has a lower $words{$m} than GS-2 and GS-3, and above 0.65 than GS-5", sub {
			everywhere((map { better($m, 'bf', gang('gs', $_), 1, $p->xs) } 2, 3), better($m, 'bf', 'gs', 1, above(0.65))) });
	}
	claim('bf-gs-wait', '6.3', 'BF waits less than GS above 0.72', sub {
		everywhere(map { better('wait', 'bf', gang('gs', $_), 1, above(0.72)) } 2, 3, 5) });
	claim('bf-gs-wait-sd', '6.3', 'the deviation of wait is lower with BF than with GS above 0.68', sub {
		everywhere(map { better('wait-sd', 'bf', gang('gs', $_), 1, above(0.68)) } 2, 3, 5) });
	for (['gs', 5, 0.67], ['bf', 5, 0.76], ['bgs', 2, 0.82], ['bgs', 5, 0.87]) {
		my ($s, $r, $theirs) = @$_;
		my $line = gang($s, $r);
		claim("twenty-$s" . ($s eq 'bf' ? '' : $r), '6.3', name($line) . ": a slowdown of 20 is reached at $theirs",
			sub { near(twenty($line), $theirs, 0.04) });
	}
}

# Figures 15 and 17, b to d.
sub switches {
	for (['0', 1, 'everywhere'], ['0.01', 1, 'everywhere'], ['0.02', 0.90, 'up to 0.90'], ['0.05', 0.80, 'up to 0.80']) {
		my ($cost, $to, $where) = @$_;
		for my $m (qw(slow wait)) {
			claim('switch-' . 100 * $cost . "-$m", '6.3', 100 * $cost . " % switch cost: the $words{$m} of BGS-5 is better than that "
				. "of BF $where", sub { everywhere(better($m, line('bgs', Switch => $cost), 'bf', 1, upto($to))) });
		}
	}
	return if !$jobs;
	for my $m (qw(slow wait)) {
		claim("overhead-$m", '6.3', "the $words{$m} of BGS is better than that of GS with as many rows, at every switch cost", sub {
			everywhere(map { my $r = $_; map { my @set = (Rows => $r, Switch => $_);
				better($m, line('bgs', @set), line('gs', @set), 1, $p->xs) } '0', '0.01', '0.02', '0.05' } 2, 3, 5) });
	}
	for (['gs', 3, '0', 0.79], ['gs', 3, '0.05', 0.73], ['gs', 5, '0.05', 0.75], ['bgs', 5, '0.02', 0.93]) {
		my ($s, $r, $cost, $theirs) = @$_;
		my $line = line($s, Rows => $r, Switch => $cost);
		claim("top-$s$r-" . 100 * $cost, '6.3', name($line) . ", switch cost $cost: saturates at $theirs",
			sub { near($p->top($line), $theirs, 0.03) });
	}
}

sub sized { my ($size, $what, $line, $x) = @_; return $p->mean($line, $x, "${size}_$what") }

# Figure 19.
sub sizes {
	my ($slow, $wait) = qw(slowdown_bounded10_mean wait_mean_s);
	my $two = sub { my ($what, $s, $x) = @_; return map { sized($_, $what, $s, $x) } qw(small large) };
	claim('sizes-bgs', '6.3', 'BGS-5 has a better slowdown than BF for large and for small jobs', sub { everywhere(map { my $x = $_;
		map { my ($b, $f) = (sized($_, $slow, 'bgs', $x), sized($_, $slow, 'bf', $x));
			told("$x, $_", $b < $f, 'bgs', $b, 'bf', $f) } qw(small large) } $p->xs) });
	claim('sizes-small', '6.3', 'BGS-5 has a better slowdown for small jobs than for large ones', sub { everywhere(map {
		my ($s, $l) = $two->($slow, 'bgs', $_); told($_, $s < $l, 'small', $s, 'large', $l) } $p->xs) });
	claim('sizes-large', '6.3', 'BF has a better slowdown for large jobs than for small ones', sub { everywhere(map {
		my ($s, $l) = $two->($slow, 'bf', $_); told($_, $l < $s, 'small', $s, 'large', $l) } $p->xs) });
	claim('sizes-wait', '6.3', 'large jobs wait longer than small ones, and by less with BGS-5 than with BF', sub { everywhere(map {
		my $x = $_;
		my ($b, $f) = map { my ($s, $l) = $two->($wait, $_, $x); $l - $s } qw(bgs bf);
		told($x, 0 < $b && $b < $f, 'BGS by', $b, 'BF by', $f) } $p->xs) });
}

# Figure 20, a.
sub capacity {
	claim('loss-combined', '6.3', 'BGS loses less capacity than BF and than GS with as many rows', sub { everywhere(map { my $r = $_;
		map { better('kappa', gang('bgs', $r), $_, 1, $p->xs) } 'bf', gang('gs', $r) } 2, 3, 5) });
	claim('loss-rows', '6.3', 'the loss falls with each of 2, 3, 5 rows', sub { everywhere(map { my $s = $_;
		map { better('kappa', gang($s, $_->[1]), gang($s, $_->[0]), 1, $p->xs) } [2, 3], [3, 5] } qw(gs bgs)) });
	claim('loss-bf', '6.3', 'the loss of BF falls again above 0.83', sub {
		my @v = map { at('kappa', 'bf', $_) } $p->xs or die "no runs\n";
		return ($v[-1] < max(@v), 'greatest ' . number(max(@v)) . ', at the last ' . number($v[-1])) });
	claim('saturate-bgs', '6.3', 'BF and BGS-2, 3, 5 saturate at essentially the same utilization, 0.95', sub {
		everywhere(map { my $top = $p->top($_); [name($_), abs($top - 0.95) <= 0.03, sprintf('%.3f', $top)] } 'bf',
			map { gang('bgs', $_) } 2, 3, 5) });
	claim('saturate-gs', '6.3', 'GS-2, 3, 5 can be driven to between 0.82 and 0.87', sub {
		everywhere(map { my $top = $p->top($_); [name($_), $top >= 0.79 && $top <= 0.90, sprintf('%.3f', $top)] }
			map { gang('gs', $_) } 2, 3, 5) });
}

# Figure 21.
sub discrete {
	my @xs = $p->xs;
	my $d = sub { my ($s, $r) = @_; line($s, $s eq 'bf' ? () : (Rows => $r), Discrete => 'yes') };
	my @rows = $jobs ? (2, 3, 5) : 5;
	claim('discrete', '6.3', 'discrete scheduling has a worse slowdown than continuous', sub { everywhere(map { my $r = $_;
		map { better('slow', gang($_, $r), $d->($_, $r), 1, @xs) } qw(gs bgs) } @rows) });
	return if !$jobs;
	claim('discrete-bf', '6.3', 'below 0.83 BF is better than all that are discrete but BGS-5', sub { everywhere(map {
		better('slow', 'bf', $d->(@$_), 1, upto(0.83)) } ['gs', 2], ['gs', 3], ['gs', 5], ['bgs', 2], ['bgs', 3]) });
	claim('discrete-double', '6.3', 'discrete BF has about double the slowdown of BF up to 0.80 (1.5 to 2.5 times)', sub {
		everywhere(map { my $q = at('slow', $d->('bf'), $_) / at('slow', 'bf', $_); [$_, $q >= 1.5 && $q <= 2.5, sprintf('%.2f', $q)] }
			upto(0.80)) });
	claim('discrete-twenty', '6.3', 'BGS-5 discrete: a slowdown of 20 is reached at 0.79', sub {
		 near(twenty($d->('bgs', 5)), 0.79, 0.04) });
}

# Figure 23.
sub fill2 {
	for my $c ($jobs ? (0, 10) : 0) {
		my ($one, $two, $three) = ('gs', line('mgs', Phases => 'clean,compact,schedule,fill,fill2', MigrationCost => $c),
			line('mgs', MigrationCost => $c));
		claim("fill2-$c", '6.4', "C = $c s: FillMatrix-2 brings most of what MGS gains over GS in slowdown", sub { everywhere(map {
			my $x = $_;
			my @v = map { at('slow', $_, $x) } $one, $two, $three;
			told($x, $v[0] > $v[1] && $v[0] - $v[1] > ($v[0] - $v[2]) / 2, 'GS', $v[0], 'with it', $v[1], 'with all', $v[2]) } $p->xs($two)) });
	}
	return if !$jobs;
	claim('collapse2', '6.4', 'C = 10 s: CollapseMatrix-2 and Schedule-2 change the slowdown by 20 % on average at most', sub {
		my $q = quotient('slow', line('mgs', MigrationCost => 10), line('mgs', Phases => 'clean,compact,schedule,fill,fill2',
			MigrationCost => 10));
		return ($q >= 0.8 && $q <= 1.2, sprintf('to %.2f on average', $q)) });
}

# Figure 24: workloads 2 and 5; of a log all points.
sub quota {
	my @q = (16, 64, 128, 512, undef);
	my $of = sub { my ($s, $q, $c) = @_; line("m$s", defined $q ? (MigrationQuota => $q) : (), MigrationCost => $c) };
	for my $m (qw(slow wait)) {
		claim("quota-half-$m", '6.6', "C = 0: Q = 64 gives more than half of what unlimited Q gives, in $words{$m}", sub {
			everywhere(map { my $s = $_; map { my ($none, $some, $all) = map { my $l = $_; at($m, $l->[0], $l->[1]) }
					[$s, $_], [$of->($s, 64, 0), $_], ["m$s", $_];
				told("\U$s\E, $_", $none > $all && $none - $some > ($none - $all) / 2, 'Q = 0:', $none, '64:', $some, 'unlimited:', $all)
			} $p->xs($of->($s, 64, 0)) } qw(gs bgs)) });
		for my $q ($jobs ? 64 : (), undef) {
			my $text = defined $q ? 'Q = 64' : 'unlimited Q';
			claim('cost-30-' . ($q // 'all') . "-$m", '6.6', "C = 30 s, $text: migration still pays, in $words{$m}", sub {
				everywhere(map { my $s = $_; map { $_->[0] = "\U$s\E, $_->[0]"; $_ } better($m, $of->($s, $q, 30), $s, 1,
					$p->xs($of->($s, $q, 30))) } qw(gs bgs)) });
		}
		next if !$jobs;
		claim("quota-more-$m", '6.6', "the $words{$m} falls with each greater Q, at every C", sub { everywhere(map { my $s = $_;
			map { my $c = $_; my @lines = ($s, map { $of->($s, $_, $c) } @q);
				map { better($m, $lines[$_], $lines[$_ - 1], 1, 2, 5) } 1 .. $#lines } 0, 10, 20, 30 } qw(gs bgs)) });
	}
}

# Figure 25 and the end of section 6.6: C = 10 s, Q = 64.
sub figure25 {
	my %l = (gs => 'gs', bgs => 'bgs', map { $_ => line($_, MigrationQuota => 64, MigrationCost => 10) } qw(mgs mbgs));
	for my $m (qw(kappa slow wait)) {
		claim("all-best-$m", '6.6', "C = 10 s, Q = 64: MBGS has the lowest $words{$m} of the four", sub {
			everywhere(map { better($m, $l{mbgs}, $l{$_}, 1, $p->xs) } qw(gs bgs mgs)) });
		claim("all-worst-$m", '6.6', "C = 10 s, Q = 64: GS has the highest $words{$m} of the four", sub {
			everywhere(map { better($m, $l{$_}, 'gs', 1, $p->xs) } qw(mbgs bgs mgs)) });
	}
	claim('mgs-loss', '6.6', 'C = 10 s, Q = 64: MGS loses less capacity than BGS', sub {
		everywhere(better('kappa', $l{mgs}, 'bgs', 1, $p->xs)) });
	my $times = sub { my ($m, $a, $b, $least, $most) = @_; everywhere(map { my $q = at($m, $l{$a}, $_) / at($m, $l{$b}, $_);
		[$_, $q >= $least && $q <= $most, sprintf('%.2f', $q)] } $p->xs) };
	claim('mgs-wait', '6.6', 'C = 10 s, Q = 64: the wait of MGS is 1.5 to 2 times that of BGS', sub {
		$times->('wait', 'mgs', 'bgs', 1.5, 2) });
	claim('mgs-slow', '6.6', 'C = 10 s, Q = 64: BGS has a better slowdown than MGS, the more so with the utilization', sub {
		my @q = map { at('slow', $l{mgs}, $_) / at('slow', 'bgs', $_) } $p->xs or die "no runs\n";
		return (!(grep { $_ <= 1 } @q) && $q[-1] > $q[0], join(', ', map { sprintf '%.2f', $_ } @q)) });
	claim('mgs-five', '6.6', 'C = 10 s, Q = 64: at workload 5 by a factor of 5 (3 to 7)', sub {
		my $q = at('slow', $l{mgs}, 5) / at('slow', 'bgs', 5);
		return ($q >= 3 && $q <= 7, sprintf('%.2f', $q)) });
	claim('mbgs-wait', '6.6', 'C = 10 s, Q = 64: waits with BGS are 2 to 3 times those with MBGS', sub {
		$times->('wait', 'bgs', 'mbgs', 2, 3) });
	claim('mbgs-slow', '6.6', 'C = 10 s, Q = 64: the slowdown with BGS is 1.5 to 2 times that with MBGS',
		sub { $times->('slow', 'bgs', 'mbgs', 1.5, 2) });
	claim('twenty-mbgs', '7', 'MBGS, C = 10 s, Q = 64: a slowdown of 20 is reached at 0.94', sub {
		near(twenty($l{mbgs}), 0.94, 0.04) });
	claim('short', '6.6', 'workload 5: jobs shorter than the median have a far higher slowdown with MGS than with BGS (18.9, '
		. '104.8): 3 times at least', sub { my ($m, $b) = map { $jobs->mean($_, 5, 'half', 'short') } qw(mgs bgs);
			return ($m >= 3 * $b, 'BGS ' . number($b) . ', MGS ' . number($m)) });
	claim('long', '6.6', 'workload 5: the others a slightly lower one (4.8, 4.1)', sub {
		my ($m, $b) = map { $jobs->mean($_, 5, 'half', 'long') } qw(mgs bgs);
		return ($m < $b && $b <= 1.5 * $m, 'BGS ' . number($b) . ', MGS ' . number($m)) });
}

1;
