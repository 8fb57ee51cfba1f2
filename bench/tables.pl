#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
#
# bench/tables.pl: Tables 4.2, 4.3, 4.5 and 4.6 of malleable, 10,000 jobs, 10 seeds, by pact-sim, one run at a time: 480 runs, read
# from no log, each with its validator and all figures. Reference in the same run: the plain strategies of the tests
# (ref_malleable) on the jobs of one seed, which keep arrays and loop over them.
#
# A line for each table and one for all: CPU seconds of all seeds, those of the plain ones for one, and the ratio of both for
# one seed. Exit 1 when a run failed, or all of them take more than a minute, or more than 6 times what the plain ones do.
use strict;
use warnings;
use File::Temp qw(tempdir);
use FindBin;
use lib "$FindBin::Bin/../experiments/malleable";
use Paper;

my $build = $ENV{PACT_BUILD} // '.';
my $jobs = 10000;
my $seeds = 10;
my $most = 6;
my $target = 60; # seconds for all on one core
my $dir = tempdir('pact-bench-XXXXXX', TMPDIR => 1, CLEANUP => 1);

# CPU seconds of a command and all that it runs.
sub cpu {
	my (@command) = @_;
	my @before = times;
	if (system(@command)) {
		print "tables: failed: @command\n";
		exit 1;
	}
	my @after = times;
	return $after[2] + $after[3] - $before[2] - $before[3];
}

sub plain {
	my ($t) = @_;
	my $sum = 0;
	for my $kind (Paper::kinds()) {
		$sum += cpu('sh', '-c', 'exec "$0" "$@" >"$OUT"', "$build/testsuite/unit/ref_malleable", $t->{strategy}, $jobs, 1, "jobs=$kind",
			"interarrival=$_", @{ $t->{set} }) for @{ $t->{rates} };
	}
	return $sum;
}

sub ours {
	my ($t) = @_;
	return cpu("$build/sim/pact-sim", qw(sweep --quiet --processes 1 --model malleable --nodes 64), '--out', "$dir/$t->{name}.csv", '--seeds',
		"1:$seeds", '--jobs', "1:$jobs", '--scheduler', $t->{strategy}, (map { ('--set', $_) } Paper::settings($t)), '--sweep',
		'model.jobs=' . join(',', Paper::kinds()), '--sweep', 'model.interarrival=' . join(',', @{ $t->{rates} }));
}

sub line {
	my ($what, $ours, $plain) = @_;
	printf "%-10s %7.2f s CPU  plain %6.2f s  ratio %.2f\n", $what, $ours, $plain, $ours / $seeds / $plain;
}

$ENV{OUT} = "$dir/plain";
my ($all, $reference) = (0, 0);
for my $t (Paper::tables()) {
	my ($ours, $plain) = (ours($t), plain($t));
	line("Table $t->{name}", $ours, $plain);
	$all += $ours;
	$reference += $plain;
}
line('all', $all, $reference);
my $bad = 0;
sub fail { print STDERR "tables: @_\n"; $bad = 1 }
fail("they take more than $target s") if $all > $target;
fail("they take more than $most times what the plain strategies do") if $all / $seeds > $most * $reference;
exit $bad;
