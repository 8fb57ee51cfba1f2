#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# malleable: Tables 4.2, 4.3, 4.5 and 4.6 of paper 004 by the plain strategies of the tests (ref_malleable) on the jobs of the
# model malleable: 10,000 of each, the mean of some seeds beside the paper's figures. And by pact-sim's schedulers, which start
# and end each job when the plain ones do.
#
#	PACT_SEEDS=10 testsuite/sim/malleable.t		# default 3
use strict;
use warnings;
use File::Temp;
use FindBin;
use Test::More;

my $top = $ENV{PACT_TOP} || "$FindBin::Bin/../..";
my $ref = ($ENV{PACT_BUILD} || $top) . '/testsuite/unit/ref_malleable';
my $sim = ($ENV{PACT_BUILD} || $top) . '/sim/pact-sim';
my $seeds = $ENV{PACT_SEEDS} || 3;
my $jobs = 10000;

my @profit = qw(streams=two time=60 deadline=3840 value=1000 min_width=1);

# Of each table: the strategy, the model's settings, 1/lambda; and of adaptive and traditional jobs the response, the
# utilisation and, where there is one, the profit of each row.
my %table = (
	'4.2' => {
		strategy => 'uniform', set => [], rates => [500, 200, 100, 64.5, 60, 45],
		adaptive => [[69.93, 12.84], [82.55, 32.05], [114.64, 63.91], [291.88, 98.46], [14811.46, 99.97],
			[86825.74, 99.99]],
		traditional => [[129.37, 12.52], [162.43, 31.29], [280.46, 62.57], [22042.39, 91.09], [39920.00, 91.51],
			[107023.48, 91.86]],
	},
	'4.3' => {
		strategy => 'uniform', set => ['speedup=table', 'min_width=1'], rates => [500, 200, 100, 64.5, 60, 45],
		adaptive => [[67.87, 12.78], [76.30, 31.45], [96.39, 60.42], [142.91, 87.75], [164.04, 92.46],
			[8677.23, 99.98]],
		traditional => [[165.26, 9.19], [185.86, 22.98], [233.07, 45.94], [395.99, 70.99], [487.76, 76.27],
			[13985.08, 95.33]],
	},
	'4.5' => {
		strategy => 'profit', set => \@profit, rates => [500, 200, 100, 60, 55.8, 42],
		adaptive => [[57.1, 10.8, 9205698], [56.7, 24.9, 8531220], [55.7, 43.2, 7455378], [56.2, 61.1, 6295054],
			[56.0, 63.9, 6134390], [56.4, 74.4, 5362995]],
		traditional => [[181.5, 9.5, 8412825], [170.7, 20.8, 7342599], [157.2, 34.0, 6019540],
			[144.2, 45.5, 4873167], [142.2, 47.0, 4726711], [134.6, 54.2, 4039729]],
	},
	'4.6' => {
		strategy => 'lazy', set => \@profit, rates => [500, 200, 100, 60, 55.8, 42],
		adaptive => [[60.4, 11.1, 9414019], [62.7, 26.1, 8880660], [65.3, 46.4, 7944163], [66.4, 65.4, 6668211],
			[66.6, 68.2, 6462683], [66.1, 78.4, 5615287]],
		traditional => [[180.4, 9.8, 8574479], [168.4, 21.3, 7506604], [146.5, 34.4, 6139762],
			[130.2, 45.3, 4957229], [128.2, 46.9, 4800582], [114.8, 52.7, 4115911]],
	},
);

# How far each may be from the paper's: response and profit in percent, utilisation in points. Rows from 1/lambda = `from`
# on; those nearer saturation are shown. Adaptive utilisation of Tables 4.2 and 4.3 holds in every row.
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

my @columns = qw(jobs accepted response accepted_response utilisation profit late deferred forced);

# The mean of each column over the seeds, and the least and greatest response.
sub measure {
	my ($t, $kind, $rate) = @_;
	my (%mean, @response);
	for my $seed (1 .. $seeds) {
		my @command = ($ref, $t->{strategy}, $jobs, $seed, "jobs=$kind", "interarrival=$rate", @{ $t->{set} });
		open my $out, '-|', @command or BAIL_OUT("$ref: $!");
		my @figures = split ' ', <$out> // '';
		close $out or BAIL_OUT("@command: exit $?");
		@figures == @columns or BAIL_OUT("@command: '@figures'");
		$mean{ $columns[$_] } += $figures[$_] / $seeds for 0 .. $#columns;
		push @response, $figures[2];
	}
	@mean{qw(least greatest)} = (sort { $a <=> $b } @response)[0, -1];
	return \%mean;
}

# A figure beside the paper's. Without a bound it is shown.
sub beside {
	my ($what, $ours, $paper, $bound, $unit) = @_;
	my $off = $unit eq '%' ? 100 * ($ours / $paper - 1) : $ours - $paper;
	my $said = sprintf '%s %.*f, the paper has %s (%+.1f %s)', $what, $ours < 1000 ? 2 : 0, $ours, $paper, $off, $unit;
	return diag_row($said) unless defined $bound;
	ok(abs $off <= $bound, "$said, at most $bound");
}

sub diag_row { note("not judged: $_[0]") }

sub judge {
	my ($name, $kind, $rate, $m, $paper) = @_;
	my $b = $bound{"$name $kind"};
	my $row = "Table $name, $kind, $rate:";
	my $judged = $rate >= $b->{from};
	my $always = $judged || $kind eq 'adaptive';
	my $spread = sprintf 'response (%.1f to %.1f)', @$m{qw(least greatest)};
	beside("$row $spread", $m->{response}, $paper->[0], $judged ? $b->{response} : undef, '%');
	beside("$row utilisation", $m->{utilisation}, $paper->[1], $always ? $b->{utilisation} : undef, 'points');
	return unless $paper->[2];
	beside("$row profit", $m->{profit}, $paper->[2], $b->{profit}, '%');
	is($m->{late}, 0, "$row no accepted job ends past its deadline");
	note(sprintf '%s accepted %.0f, their response %.1f; deferred %.0f, forced %.1f', $row,
		@$m{qw(accepted accepted_response deferred forced)});
}

# All lines of what a command prints.
sub lines {
	my (@command) = @_;
	open my $out, '-|', @command or BAIL_OUT("$command[0]: $!");
	my @lines = <$out>;
	close $out or BAIL_OUT("@command: exit $?");
	return @lines;
}

# "JOB START END" of each job; -1: it was refused.
sub plain_times {
	my ($t, @set) = @_;
	return map { /^job (\d+ -?\d+ -?\d+) / ? $1 : () } lines($ref, '--each', $t->{strategy}, $jobs, 1, @set);
}

sub core_times {
	my ($t, @set) = @_;
	my $csv = File::Temp->new;
	lines($sim, qw(run --model malleable --nodes 64 --quiet --seed 1 --jobs), "1:$jobs", '--scheduler', $t->{strategy},
		(map { ('--set', "model.$_") } @set), '--jobs-csv', "$csv");
	open my $in, '<', "$csv" or BAIL_OUT("$csv: $!");
	my (undef, @rows) = <$in>;
	return map { join ' ', (split /,/)[0, 7, 8] } @rows;
}

sub compare_core {
	my ($name, $t, $kind, $rate) = @_;
	my @set = ("jobs=$kind", "interarrival=$rate", @{ $t->{set} });
	my @plain = plain_times($t, @set);
	my @core = core_times($t, @set);
	my @differ = grep { $plain[$_] ne ($core[$_] // '') } 0 .. $#plain;
	is(@core, $jobs, "Table $name, $kind, $rate: pact-sim has all jobs");
	is(@differ, 0, "Table $name, $kind, $rate: pact-sim starts and ends each when the plain strategy does")
		or diag(map { "plain $plain[$_], pact-sim $core[$_]\n" } @differ[0 .. ($#differ < 4 ? $#differ : 4)]);
}

-x $ref or plan(skip_all => "$ref is not built");
my %profit;
for my $name (sort keys %table) {
	my $t = $table{$name};
	for my $i (0 .. $#{ $t->{rates} }) {
		my $rate = $t->{rates}[$i];
		my %m = map { $_ => measure($t, $_, $rate) } qw(adaptive traditional);
		judge($name, $_, $rate, $m{$_}, $t->{$_}[$i]) for qw(adaptive traditional);
		cmp_ok($m{adaptive}{response}, '<', $m{traditional}{response},
			"Table $name, $rate: adaptive jobs are ahead of traditional ones");
		next unless @{ $t->{adaptive}[$i] } > 2;
		$profit{"$name $rate $_"} = $m{$_}{profit} for qw(adaptive traditional);
	}
}
for my $name (sort keys %table) {
	for my $kind (qw(adaptive traditional)) {
		compare_core($name, $table{$name}, $kind, $_) for @{ $table{$name}{rates} }[2, -1];
	}
}
for my $rate (@{ $table{'4.5'}{rates} }) {
	cmp_ok($profit{"4.6 $rate $_"}, '>', $profit{"4.5 $rate $_"}, "$rate, $_: lazy brings more than simple")
		for qw(adaptive traditional);
}
done_testing();
