#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# malleable: Tables 4.2, 4.3, 4.5 and 4.6 of paper 004 by the plain strategies of the tests (ref_malleable) on the jobs of the
# model malleable: 10,000 of each, the mean of some seeds beside the paper's figures. And by pact-sim's schedulers, which start
# and end each job when the plain ones do, and tell the same figures. (experiments/malleable: the tables by pact-sim alone.)
#
#	PACT_SEEDS=10 testsuite/sim/malleable.t		# default 3
use strict;
use warnings;
use File::Temp;
use FindBin;
use JSON::PP;
use Test::More;
use lib ($ENV{PACT_TOP} || "$FindBin::Bin/../..") . '/experiments/malleable';
use Paper;

my $top = $ENV{PACT_TOP} || "$FindBin::Bin/../..";
my $ref = ($ENV{PACT_BUILD} || $top) . '/testsuite/unit/ref_malleable';
my $sim = ($ENV{PACT_BUILD} || $top) . '/sim/pact-sim';
my $seeds = $ENV{PACT_SEEDS} || 3;
my $jobs = 10000;

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
	my $off = Paper::off($unit eq '%' ? 'response' : 'utilisation', $ours, $paper);
	my $said = sprintf '%s %.*f, the paper has %s (%+.1f %s)', $what, $ours < 1000 ? 2 : 0, $ours, $paper, $off, $unit;
	return diag_row($said) unless defined $bound;
	ok(abs $off <= $bound, "$said, at most $bound");
}

sub diag_row { note("not judged: $_[0]") }

sub judge {
	my ($t, $kind, $rate, $m) = @_;
	my $paper = Paper::row($t, $kind, $rate);
	my $row = "Table $t->{name}, $kind, $rate:";
	my $spread = sprintf 'response (%.1f to %.1f)', @$m{qw(least greatest)};
	my $bound = sub { return Paper::bound($t, $kind, $_[0], $rate) };
	beside("$row $spread", $m->{response}, $paper->{response}, $bound->('response'), '%');
	beside("$row utilisation", $m->{utilisation}, $paper->{utilisation}, $bound->('utilisation'), 'points');
	return unless $paper->{profit};
	beside("$row profit", $m->{profit}, $paper->{profit}, $bound->('profit'), '%');
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

# "JOB START END" of each job, -1: it was refused; then what all of them come to.
sub plain {
	my ($t, @set) = @_;
	my @lines = lines($ref, '--each', $t->{strategy}, $jobs, 1, @set);
	my %figures;
	@figures{@columns} = split ' ', $lines[-1];
	return ([map { /^job (\d+ -?\d+ -?\d+) / ? $1 : () } @lines], \%figures);
}

# The same of the core, and its figures by the names of the plain ones. The model's ticks are thousandths of a second.
sub core {
	my ($t, @set) = @_;
	my ($csv, $json) = (File::Temp->new, File::Temp->new);
	lines($sim, qw(run --model malleable --nodes 64 --quiet --seed 1 --jobs), "1:$jobs", '--scheduler', $t->{strategy},
		(map { ('--set', "model.$_") } @set), '--jobs-csv', "$csv", '--json', "$json");
	open my $in, '<', "$csv" or BAIL_OUT("$csv: $!");
	my (undef, @rows) = <$in>;
	open my $figures, '<', "$json" or BAIL_OUT("$json: $!");
	my $told = JSON::PP->new->decode(join '', <$figures>);
	return ([map { join ' ', (split /,/)[0, 7, 8] } @rows], {
		jobs => $told->{jobs_submitted}, accepted => $told->{jobs_accepted}, response => $told->{response_submitted_mean_s} / 1000,
		accepted_response => $told->{response_mean_s} / 1000, utilisation => 100 * $told->{utilization},
		profit => $told->{profit}, late => $told->{promises_broken},
	});
}

sub compare_core {
	my ($t, $kind, $rate) = @_;
	my $row = "Table $t->{name}, $kind, $rate:";
	my @set = ("jobs=$kind", "interarrival=$rate", @{ $t->{set} });
	my ($plain, $says) = plain($t, @set);
	my ($core, $told) = core($t, @set);
	my @differ = grep { $plain->[$_] ne ($core->[$_] // '') } 0 .. $#$plain;
	is(@$core, $jobs, "$row pact-sim has all jobs");
	is(@differ, 0, "$row pact-sim starts and ends each when the plain strategy does")
		or diag(map { "plain $plain->[$_], pact-sim $core->[$_]\n" } @differ[0 .. ($#differ < 4 ? $#differ : 4)]);
	delete $says->{profit}, delete $told->{profit} if $t->{strategy} eq 'uniform';
	my @off = grep { abs($told->{$_} - $says->{$_}) > ($_ eq 'profit' ? 0.51 : 0.00501) } sort keys %$told;
	is("@off", '', "$row and tells the same figures") or diag(map { "$_: plain $says->{$_}, pact-sim $told->{$_}\n" } @off);
}

-x $ref or plan(skip_all => "$ref is not built");
my %profit;
for my $t (Paper::tables()) {
	for my $rate (@{ $t->{rates} }) {
		my %m = map { $_ => measure($t, $_, $rate) } Paper::kinds();
		judge($t, $_, $rate, $m{$_}) for Paper::kinds();
		cmp_ok($m{adaptive}{response}, '<', $m{traditional}{response},
			"Table $t->{name}, $rate: adaptive jobs are ahead of traditional ones");
		next if $t->{strategy} eq 'uniform';
		$profit{"$t->{name} $rate $_"} = $m{$_}{profit} for Paper::kinds();
	}
}
for my $t (Paper::tables()) {
	for my $kind (Paper::kinds()) {
		compare_core($t, $kind, $_) for @{ $t->{rates} }[2, -1];
	}
}
for my $rate (@{ Paper::table('4.5')->{rates} }) {
	cmp_ok($profit{"4.6 $rate $_"}, '>', $profit{"4.5 $rate $_"}, "$rate, $_: lazy brings more than simple") for Paper::kinds();
}
done_testing();
