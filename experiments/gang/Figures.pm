# SPDX-License-Identifier: GPL-2.0-or-later
# Figures: what the figures of the paper on gang scheduling show, our lines for them, and what its text says of each.
#	for my $f (Figures::all) { $f->{number}, {title}, {says}, {panels} }
# A panel: title, axis, column, and lines of [name, line]; over the utilization, or, where it has quota, over Q: there
# are [name, workload, [Q, line]...] instead.
package Figures;
use strict;
use warnings;
use Points qw(line);

my %column = (slow => 'slowdown_bounded10_mean', wait => 'wait_mean_s', loss => 'loss_of_capacity',
	'slow-sd' => 'slowdown_bounded10_sd', 'wait-sd' => 'wait_sd_s');
my %axis = (slow => 'slowdown', wait => 'wait, s', loss => 'loss of capacity', 'slow-sd' => 'deviation of slowdown',
	'wait-sd' => 'deviation of wait, s');

my %says = (
	5 => 'Up to 75 % all are comparable, SJF a little better; above it FCFS waits least. SJF and WFit saturate at 85 %, BFit '
		. 'and FCFS sustain more than 90 %, where FCFS waits less than BFit.',
	6 => 'Up to 0.90 overestimation reduces slowdown by about 20 %; waits do not differ up to 0.85.',
	7 => 'Very little impact; with accurate estimates waits are a little shorter.',
	8 => 'Users who provide good estimates wait less.',
	9 => 'Jobs of eight processors and smaller ones share four rows; some are in two.',
	11 => 'CleanMatrix is a gain in slowdown, wait and highest utilization; CompactMatrix adds nothing significant.',
	12 => 'The impact of CleanMatrix and CompactMatrix is minimal: backfilling fills the holes.',
	13 => 'Waits do not differ, slowdowns do not up to 75 %; from 85 % they do, and exact is not always better.',
	14 => 'As Figure 13.',
	15 => 'GS has very high slowdowns. BF is better than GS-2 and GS-3, and than GS-5 above 0.65. BGS is always better than '
		. 'both at no cost, the more so with each row; a slowdown of 20 is reached at 0.67 (GS-5), 0.76 (BF), 0.82 (BGS-2), 0.87 '
		. '(BGS-5). At 2 % BGS-5 is better than BF up to 0.92, at 5 % up to 0.83.',
	16 => 'BF is fairer than GS; BGS is mostly the fairer the more rows it has.',
	17 => 'GS-5 saturates at 0.84, GS-3 at 0.79; at 5 % at 0.75 and 0.73. BF, which saturates at 0.95, waits less than GS '
		. 'above 0.72. BGS is better than both, the more so with each row.',
	18 => 'BF is fairer than GS above 0.68; BGS is mostly the fairer the more rows it has.',
	19 => 'BGS-5 is better than BF for both. BGS-5 has the better slowdown for small jobs, BF for large ones. Large jobs wait '
		. 'longer, by less with BGS-5 than with BF.',
	20 => 'All saturate at 1 - utilization. BGS loses less than BF and GS, the less the more rows; BF loses less again above '
		. '0.83. GS can be driven to 0.82 to 0.87, the others to 0.95.',
	21 => 'Discrete: BF is better than all but BGS-5 below 0.83; discrete BF (BGS-1) has about double the slowdown of BF; a '
		. 'slowdown of 20 is reached at 0.79 instead of 0.88.',
	23 => 'Most of the gain is from FillMatrix-2; CollapseMatrix-2 and Schedule-2 add little. (The paper does not tell C.)',
	24 => 'Both fall with Q; Q = 64 has most of the gain. C = 30 s still pays.',
	25 => 'MBGS is always the best, GS the worst. MGS loses less capacity than BGS and waits 1.5 to 2 times as long; its '
		. 'slowdown is above that of BGS, at workload 5 by a factor of 5. Waits with BGS are 2 to 3 times those with MBGS, '
		. 'slowdowns 1.5 to 2 times.',
);

sub says { return $says{ $_[0] } }

sub panel {
	my ($title, $m, @lines) = @_;
	return { title => $title, column => $column{$m}, axis => $axis{$m}, loss => $m eq 'loss', lines => \@lines };
}

sub figure {
	my ($number, $title, @panels) = @_;
	return { number => $number, title => $title, says => $says{$number}, panels => \@panels };
}

sub both {
	my @lines = @_;
	return map { panel($axis{$_} =~ s/, s//r, $_, @lines) } qw(slow wait);
}

sub policies {
	my ($e) = @_;
	return map { [$_->[1], line('bf', estimates => $e, QueueOrder => $_->[0])] }
		['fcfs', 'FCFS'], ['sjf', 'SJF'], ['bfit', 'BFit'], ['wfit', 'WFit'];
}

sub omegas {
	my ($s) = @_;
	return (['exact', line($s, estimates => 'exact')],
		map { ["Omega = $_", line($s, estimates => "omega:$_")] } 1, 3, 9);
}

sub phis {
	my ($s) = @_;
	return ((map { ["Phi = $_", line($s, estimates => "phi:$_")] } 0, 0.2, 0.6), ['exact', line($s, estimates => 'exact')]);
}

# BF, GS-2 to BGS-5.
sub seven {
	my @set = @_;
	my %set = @set;
	return (['BF', line('bf', $set{Discrete} ? @set : ())],
		map { my $s = $_; map { ["\U$s\E-$_", line($s, Rows => $_, @set)] } 2, 3, 5 } qw(gs bgs));
}

sub costs {
	my ($m) = @_;
	return map { panel(100 * $_ . ' % of a slice', $m, seven(Switch => $_)) } '0', '0.01', '0.02', '0.05';
}

sub phases {
	my ($s) = @_;
	return both(map { [$_->[0], line($s, Phases => $_->[1])] } ['(1) Schedule, Fill', 'schedule,fill'],
		['(2) Clean, Schedule, Fill', 'clean,schedule,fill'], ['(3) all four', 'own']);
}

sub sizes {
	my ($m) = @_;
	my $p = panel($axis{$m} =~ s/, s//r, $m);
	$p->{lines} = [map { my ($name, $s) = @$_; map { ["$name, $_", $s, "${_}_$column{$m}"] } qw(small large) }
		['BF', 'bf'], ['BGS-5', 'bgs']];
	return $p;
}

sub migrating {
	my ($c) = @_;
	my $fill2 = line('mgs', Phases => 'clean,compact,schedule,fill,fill2', MigrationCost => $c);
	return (['(1) GS', 'gs'], ['(2) with Fill-2', $fill2], ['(3) MGS', line('mgs', MigrationCost => $c)]);
}

# Of a scheduler that migrates: a line for each workload and C.
sub quotas {
	my ($s, $m) = @_;
	my $p = panel("\U$s\E", $m);
	for my $w (2, 5) {
		for my $c (0, 10, 20, 30) {
			push @{ $p->{quota} }, ["workload $w, C = $c s", $w, ['0', $s =~ s/^m//r],
				(map { [$_, line($s, MigrationQuota => $_, MigrationCost => $c)] } 16, 64, 128, 512),
				['all', line($s, MigrationCost => $c)]];
		}
	}
	return $p;
}

sub all {
	my @four = (['GS', 'gs'], ['BGS', 'bgs'], map { [uc, line($_, MigrationQuota => 64, MigrationCost => 10)] } qw(mgs mbgs));
	return (
		figure(5, 'queueing policies with backfilling', panel('(a) exact estimates', 'wait', policies('exact')),
			panel('(b) exact estimates', 'loss', policies('exact')), panel('(c) Phi = 0.2', 'wait', policies('phi:0.2')),
			panel('(d) Phi = 0.2', 'loss', policies('phi:0.2'))),
		figure(6, 'BF, estimates by Omega', both(omegas('bf'))),
		figure(7, 'BF, estimates by Phi', both(phis('bf'))),
		figure(11, 'GS: the phases', phases('gs')),
		figure(12, 'BGS: the phases', phases('bgs')),
		figure(13, 'BGS, estimates by Omega', both(omegas('bgs'))),
		figure(14, 'BGS, estimates by Phi', both(phis('bgs'))),
		figure(15, 'slowdown by the cost of a switch', costs('slow')),
		figure(16, 'deviation of slowdown by the cost of a switch', costs('slow-sd')),
		figure(17, 'wait by the cost of a switch', costs('wait')),
		figure(18, 'deviation of wait by the cost of a switch', costs('wait-sd')),
		figure(19, 'large and small jobs, no costs', map { sizes($_) } qw(slow wait)),
		figure(20, 'loss of capacity by the cost of a switch', costs('loss')),
		figure(21, 'continuous and discrete scheduling', panel('(a) continuous', 'slow', seven()),
			panel('(b) discrete', 'slow', seven(Discrete => 'yes'))),
		figure(23, 'MGS: the phases', map { my $c = $_; map { panel("C = $c s", $_, migrating($c)) } qw(slow wait) } 0, 10),
		figure(24, 'tasks migrated in a slice, Q', map { my $m = $_; map { quotas($_, $m) } qw(mgs mbgs) } qw(slow wait)),
		figure(25, 'the four, C = 10 s, Q = 64', map { panel($axis{$_} =~ s/, s//r, $_, @four) } qw(loss slow wait)),
	);
}

1;
