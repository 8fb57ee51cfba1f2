# SPDX-License-Identifier: GPL-2.0-or-later
# Figures: what the figures of the paper on gang scheduling show, and what its text says of each; our lines for them.
#	for my $f (Figures::all) { $f->{number}, {title}, {says}, {panels} }
# A panel: title, axis, column, lines of [name, line]; x is the utilization unless it has `quota`, Figure 24's.
package Figures;
use strict;
use warnings;
use Points qw(line);

my %column = (slow => 'slowdown_bounded10_mean', wait => 'wait_mean_s', loss => 'loss_of_capacity',
	'slow-sd' => 'slowdown_bounded10_sd', 'wait-sd' => 'wait_sd_s');
my %axis = (slow => 'slowdown', wait => 'wait, s', loss => 'loss of capacity', 'slow-sd' => 'deviation of slowdown',
	'wait-sd' => 'deviation of wait, s');

sub panel { my ($title, $m, @lines) = @_; return { title => $title, column => $column{$m} // $m, axis => $axis{$m} // $m,
	loss => $m eq 'loss', lines => \@lines } }
sub figure { my ($number, $title, $says, @panels) = @_; return { number => $number, title => $title, says => $says, panels => \@panels } }
sub both { my @lines = @_; return map { panel($axis{$_} =~ s/, s//r, $_, @lines) } qw(slow wait) }

sub policies {
	my ($e) = @_;
	return map { [$_->[1], line('bf', estimates => $e, QueueOrder => $_->[0])] }
		['fcfs', 'FCFS'], ['sjf', 'SJF'], ['bfit', 'BFit'], ['wfit', 'WFit'];
}

sub omegas { my ($s) = @_; return (['exact', line($s, estimates => 'exact')], map { ["Omega = $_", line($s, estimates => "omega:$_")] } 1, 3, 9) }
sub phis { my ($s) = @_; return ((map { ["Phi = $_", line($s, estimates => "phi:$_")] } 0, 0.2, 0.6),
	['exact', line($s, estimates => 'exact')]) }

# BF, GS-2 to BGS-5.
sub seven {
	my @set = @_;
	return (['BF', $set[0] && $set[0] eq 'Discrete' ? line('bf', @set) : 'bf'], map { my $s = $_;
		map { ["\U$s\E-$_", line($s, Rows => $_, @set)] } 2, 3, 5 } qw(gs bgs));
}

sub costs { my ($m) = @_; return map { panel(100 * $_ . ' % of a slice', $m, seven(Switch => $_)) } '0', '0.01', '0.02', '0.05' }

sub phases {
	my ($s) = @_;
	return both(map { [$_->[0], line($s, Phases => $_->[1])] } ['(1) Schedule, Fill', 'schedule,fill'],
		['(2) Clean, Schedule, Fill', 'clean,schedule,fill'], ['(3) all four', 'own']);
}

sub migrating {
	my ($c) = @_;
	return (['(1) GS', 'gs'], ['(2) with Fill-2', line('mgs', Phases => 'clean,compact,schedule,fill,fill2', MigrationCost => $c)],
		['(3) MGS', line('mgs', MigrationCost => $c)]);
}

# Of a scheduler with migration: its lines over Q, one for each workload and C.
sub quotas {
	my ($s, $m) = @_;
	my $p = panel("\U$s\E", $m);
	$p->{quota} = [map { my $w = $_; map { my $c = $_; ["workload $w, C = $c s", $w, map {
		$_->[0] eq '0' ? ['0', $s =~ s/^m//r] : [$_->[0], line($s, @{ $_->[1] }, MigrationCost => $c)] }
		['0', []], (map { [$_, [MigrationQuota => $_]] } 16, 64, 128, 512), ['all', []]] } 0, 10, 20, 30 } 2, 5];
	return $p;
}

sub all {
	my @cheap = map { [uc, $_] } qw(gs bgs);
	my @four = (['GS', 'gs'], ['BGS', 'bgs'], map { [uc, line($_, MigrationQuota => 64, MigrationCost => 10)] } qw(mgs mbgs));
	return (
		figure(5, 'queueing policies with backfilling', 'Up to 75 % all are comparable, SJF a little better; above it FCFS waits least. SJF and ' .
			'WFit saturate at 85 %, BFit and FCFS sustain more than 90 %, where FCFS waits less than BFit.',
			panel('(a) exact estimates', 'wait', policies('exact')), panel('(b) exact estimates', 'loss', policies('exact')),
			panel('(c) Phi = 0.2', 'wait', policies('phi:0.2')), panel('(d) Phi = 0.2', 'loss', policies('phi:0.2'))),
		figure(6, 'BF, estimates by Omega', 'Up to 0.90 overestimation reduces slowdown by about 20 %; waits do not differ up to 0.85.', both(omegas('bf'))),
		figure(7, 'BF, estimates by Phi', 'Very little impact; accurate estimates wait a little less.', both(phis('bf'))),
		figure(11, 'GS: the phases', 'CleanMatrix is a gain in slowdown, wait and highest utilization; CompactMatrix adds nothing significant.', phases('gs')),
		figure(12, 'BGS: the phases', 'The impact of CleanMatrix and CompactMatrix is minimal: backfilling fills the holes.', phases('bgs')),
		figure(13, 'BGS, estimates by Omega', 'Waits do not differ, slowdowns do not up to 75 %; from 85 % they do, and exact is not always better.', both(omegas('bgs'))),
		figure(14, 'BGS, estimates by Phi', 'As Figure 13.', both(phis('bgs'))),
		figure(15, 'slowdown by the cost of a switch', 'GS has very high slowdowns. BF is better than GS-2 and GS-3, and than GS-5 above 0.65. BGS is always ' .
			'better than both at no cost, the more so with each row; a slowdown of 20 is reached at 0.67 (GS-5), 0.76 (BF), 0.82 (BGS-2), 0.87 (BGS-5). At 2 % BGS-5 is better ' .
			'than BF up to 0.92, at 5 % up to 0.83.', costs('slow')),
		figure(16, 'deviation of slowdown by the cost of a switch', 'BF is fairer than GS; BGS mostly the fairer with more rows.', costs('slow-sd')),
		figure(17, 'wait by the cost of a switch', 'GS-5 saturates at 0.84, GS-3 at 0.79; at 5 % at 0.75 and 0.73. BF, which saturates at 0.95, waits less than GS above 0.72. BGS is better ' .
			'than both, the more so with each row.', costs('wait')),
		figure(18, 'deviation of wait by the cost of a switch', 'BF is fairer than GS above 0.68; BGS mostly the fairer with more rows.', costs('wait-sd')),
		figure(19, 'large and small jobs, no costs', 'BGS-5 is better than BF for both. BGS-5 has the better slowdown for small jobs, BF for large ones. Large jobs wait longer, ' .
			'by less with BGS-5 than with BF.', map { my $what = $_; my $p = panel($_->[1], $_->[0]);
			$p->{lines} = [['BF, small', 'bf', "small_$column{$what->[0]}"], ['BF, large', 'bf', "large_$column{$what->[0]}"],
				['BGS-5, small', 'bgs', "small_$column{$what->[0]}"], ['BGS-5, large', 'bgs', "large_$column{$what->[0]}"]];
			$p } ['slow', 'slowdown'], ['wait', 'wait']),
		figure(20, 'loss of capacity by the cost of a switch', 'All saturate at 1 - utilization. BGS loses less than BF and GS, the less the more rows; BF loses less again above 0.83. GS can be driven to 0.82 to 0.87, ' .
			'the others to 0.95.', costs('loss')),
		figure(21, 'continuous and discrete scheduling', 'Discrete: BF is better than all but BGS-5 below 0.83, discrete BF (BGS-1) has about double the slowdown of BF; a slowdown of 20 is reached at 0.79 instead of 0.88.',
			panel('(a) continuous', 'slow', seven()), panel('(b) discrete', 'slow', seven(Discrete => 'yes'))),
		figure(23, 'MGS: the phases', 'Most of the gain is from FillMatrix-2; CollapseMatrix-2 and Schedule-2 add little. (The paper does not tell C.)',
			map { my $c = $_; map { panel("C = $c s", $_, migrating($c)) } qw(slow wait) } 0, 10),
		figure(24, 'tasks migrated in a slice, Q', 'Both fall with Q; Q = 64 has most of the gain. C = 30 s still pays.',
			map { my $m = $_; map { quotas($_, $m) } qw(mgs mbgs) } qw(slow wait)),
		figure(25, 'the four, C = 10 s, Q = 64', 'MBGS is always the best, GS the worst. MGS loses less capacity than BGS and waits 1.5 to 2 times as long; its slowdown is above that of BGS, at workload 5 5 times it. ' .
			'Waits with BGS are 2 to 3 times those with MBGS, slowdowns 1.5 to 2 times.', map { panel($axis{$_} =~ s/, s//r, $_, @four) } qw(loss slow wait)),
	);
}

1;
