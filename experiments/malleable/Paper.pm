# SPDX-License-Identifier: GPL-2.0-or-later
# Paper: Tables 4.2, 4.3, 4.5 and 4.6 of the thesis on adaptive jobs, what they were made with, and how near to them we are to be.
#	for my $t (Paper::tables()) { $t->{name}, {strategy}, {set}, {rates}, {adaptive}, {traditional} }
#	Paper::row($t, $kind, $rate)->{response}, {utilisation}, {profit}
#	Paper::bound($t, $kind, $what, $rate)	# undef: a saturated row, which is shown
package Paper;
use strict;
use warnings;

my @profit = qw(streams=two time=60 deadline=3840 value=1000 min_width=1);
my @rates = (500, 200, 100, 64.5, 60, 45);
my @profit_rates = (500, 200, 100, 60, 55.8, 42);

# Of each table: the strategy, the model's settings, 1/lambda; and of adaptive and traditional jobs the response, the
# utilisation and, where there is one, the profit of each row.
my %table = (
	'4.2' => {
		strategy => 'uniform', set => [], rates => \@rates, title => 'uniform first fit, linear speedup',
		adaptive => [[69.93, 12.84], [82.55, 32.05], [114.64, 63.91], [291.88, 98.46], [14811.46, 99.97],
			[86825.74, 99.99]],
		traditional => [[129.37, 12.52], [162.43, 31.29], [280.46, 62.57], [22042.39, 91.09], [39920.00, 91.51],
			[107023.48, 91.86]],
	},
	'4.3' => {
		strategy => 'uniform', set => ['speedup=table', 'min_width=1'], rates => \@rates,
		title => 'uniform first fit, sub-linear speedup',
		adaptive => [[67.87, 12.78], [76.30, 31.45], [96.39, 60.42], [142.91, 87.75], [164.04, 92.46],
			[8677.23, 99.98]],
		traditional => [[165.26, 9.19], [185.86, 22.98], [233.07, 45.94], [395.99, 70.99], [487.76, 76.27],
			[13985.08, 95.33]],
	},
	'4.5' => {
		strategy => 'profit', set => \@profit, rates => \@profit_rates, title => 'simple profit driven strategy',
		adaptive => [[57.1, 10.8, 9205698], [56.7, 24.9, 8531220], [55.7, 43.2, 7455378], [56.2, 61.1, 6295054],
			[56.0, 63.9, 6134390], [56.4, 74.4, 5362995]],
		traditional => [[181.5, 9.5, 8412825], [170.7, 20.8, 7342599], [157.2, 34.0, 6019540],
			[144.2, 45.5, 4873167], [142.2, 47.0, 4726711], [134.6, 54.2, 4039729]],
	},
	'4.6' => {
		strategy => 'lazy', set => \@profit, rates => \@profit_rates, title => 'lazy schedule strategy',
		adaptive => [[60.4, 11.1, 9414019], [62.7, 26.1, 8880660], [65.3, 46.4, 7944163], [66.4, 65.4, 6668211],
			[66.6, 68.2, 6462683], [66.1, 78.4, 5615287]],
		traditional => [[180.4, 9.8, 8574479], [168.4, 21.3, 7506604], [146.5, 34.4, 6139762],
			[130.2, 45.3, 4957229], [128.2, 46.9, 4800582], [114.8, 52.7, 4115911]],
	},
);

# How far each may be from the paper's: response and profit in percent, utilisation in points. Rows from 1/lambda = `from`
# on; those nearer saturation are shown. Adaptive utilisation holds in every row.
my %bound = (
	'4.2 adaptive' => { from => 100, response => 5, utilisation => 2 },
	'4.2 traditional' => { from => 100, response => 25, utilisation => 3.5 },
	'4.3 adaptive' => { from => 60, response => 6, utilisation => 2 },
	'4.3 traditional' => { from => 60, response => 25, utilisation => 3.5 },
	'4.5 adaptive' => { from => 0, response => 7, utilisation => 2, profit => 3 },
	'4.5 traditional' => { from => 0, response => 7, utilisation => 2, profit => 3 },
	'4.6 adaptive' => { from => 0, response => 15, utilisation => 3.5, profit => 4 },
	'4.6 traditional' => { from => 0, response => 25, utilisation => 3.5, profit => 4 },
);

sub tables { return map { { name => $_, %{ $table{$_} } } } sort keys %table }
sub table { my ($name) = @_; return { name => $name, %{ $table{$name} } } }
sub kinds { return qw(adaptive traditional) }

sub row {
	my ($t, $kind, $rate) = @_;
	my ($i) = grep { $t->{rates}[$_] == $rate } 0 .. $#{ $t->{rates} };
	my %row;
	@row{qw(response utilisation profit)} = @{ $t->{$kind}[$i] } if defined $i;
	return \%row;
}

sub bound {
	my ($t, $kind, $what, $rate) = @_;
	my $b = $bound{"$t->{name} $kind"};
	my $always = $what eq 'utilisation' && $kind eq 'adaptive';
	return $rate >= $b->{from} || $always ? $b->{$what} : undef;
}

# How far ours is from the paper's: points of utilisation, else percent.
sub off {
	my ($what, $ours, $paper) = @_;
	return $what eq 'utilisation' ? $ours - $paper : 100 * ($ours / $paper - 1);
}

sub unit { return $_[0] eq 'utilisation' ? 'points' : '%' }

# The settings of the model, as pact-sim's --set has them.
sub settings { my ($t) = @_; return map { "model.$_" } @{ $t->{set} } }

1;
