#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
#
# bench/turns.pl: a switch of rows under select/gang, from the nodes' own clocks. Reference: Slurm's own gang scheduler
# (sched/backfill, PreemptMode=GANG) on a cluster of the same size in the same run.
#
# Two rows of jobs take turns, one job of all nodes in each, or more narrower ones. On each node a task of each notes when it is
# stopped and when it goes on: the gap is the time from the stop of the one to the other's going on, below zero where they overlapped.
#
# A line: the median, the 99th percentile and the least of the gaps with select/gang and with Slurm's, and the ratios of the time for
# which a node was without work: where they overlapped it was for none. Then how long slurmctld's locks were held.
# PACT_BENCH_NODES (320), PACT_BENCH_JOBS (1 in each row, of as many nodes each), PACT_BENCH_SWITCHES (10) and PACT_BENCH_SLICE
# (30 s, Slurm's own default) change the size. With 320 slurmds on two cores a switch takes seconds: the jobs of slices that are not much
# longer hardly run, and gaps of more than half a slice are not seen.
#
# Exit 1 when
# - something could not be measured, or less than 95 in 100 of our gaps was seen (of Slurm's gang scheduler some jobs may not begin at
#   all: how many tasks did is in the table);
# - the median or the 99th percentile is above 1.1 of Slurm's, and by more than the millisecond that a wake-up may take;
# - tasks overlapped for half a second or more, and by more than 1.1 of Slurm's: SwitchGap is for programs that must not at all, and
#   on two cores a task of 320 nodes may wait longer for the one on which it stops;
# - the locks were held for more than 20 ms of processor time: on such a machine the thread that holds them waits for a core, too.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin, "$FindBin::Bin/../testsuite/emulated";
use Cluster;
use JSON::PP;
use Needs;
use Time::HiRes qw(time sleep);

my $nodes = $ENV{PACT_BENCH_NODES} // 320;
my $jobs = $ENV{PACT_BENCH_JOBS} // 1;
my $switches = $ENV{PACT_BENCH_SWITCHES} // 10;
my $slice = $ENV{PACT_BENCH_SLICE} // 30;
my ($most, $noise_ms, $overlap_ms, $held_ms) = (1.1, 1, 500, 20);
my $forced = "PartitionName=batch Nodes=ALL Default=YES OverSubscribe=FORCE:2\n";
my $conf = "SelectTypeParameters=CR_Memory\nSchedulerTimeSlice=$slice\nDefMemPerNode=100\nTreeWidth=65533\n$forced";

sub fail { print "turns: @_\n"; exit 1 }

fail("PACT_BENCH_JOBS=$jobs: it has to divide the $nodes nodes") if $jobs < 1 || $nodes % $jobs;
Needs::emulation('turns');
$| = 1;

# What a task does: a line for each stop and each going on.
my $task = <<'END';
use Time::HiRes qw(time sleep);
open(my $f, '>', "$ARGV[0]/$ENV{SLURM_JOB_ID}.$ENV{SLURMD_NODENAME}") or die;
$f->autoflush;
$SIG{TSTP} = sub { printf $f "T %.4f\n", time; kill 'STOP', $$ };
$SIG{CONT} = sub { printf $f "C %.4f\n", time };
print $f "B 0\n";
sleep 1 while 1;
END

# From files NAME.NODE: for each node { job => [[what, time]...] }.
sub notes {
	my ($dir) = @_;
	my %node;
	for my $path (glob "$dir/*.n*") {
		my ($job, $name) = $path =~ m{/(\d+)\.(n\d+)$} or next;
		for (split /\n/, Cluster::slurp($path)) {
			push @{ $node{$name}{$job} }, [$1, $2] if /^([TC]) (\S+)$/;
		}
	}
	return \%node;
}

# Milliseconds from a stop to the nearest going on of the other one, on all nodes, of what happened after $from.
sub gaps {
	my ($notes, $from) = @_;
	my @gaps;
	for my $jobs (values %$notes) {
		next if keys %$jobs != 2;
		my ($one, $other) = values %$jobs;
		for my $pair ([$one, $other], [$other, $one]) {
			my @on = map { $_->[1] } grep { $_->[0] eq 'C' } @{ $pair->[1] // [] };
			for my $stop (map { $_->[1] } grep { $_->[0] eq 'T' && $_->[1] > $from } @{ $pair->[0] // [] }) {
				my ($near) = sort { abs($a) <=> abs($b) } map { $_ - $stop } @on;
				push @gaps, 1000 * $near if defined $near && abs($near) < $slice / 2;
			}
		}
	}
	return sort { $a <=> $b } @gaps;
}

sub part {
	my ($part, @sorted) = @_;
	return $sorted[int($part * $#sorted)];
}

# On a cluster: the gaps, sorted, and what Pact says of its times.
sub measure {
	my ($name, %up) = @_;
	my $c = Cluster->up(nodes => $nodes, timeout => 300, map { $_ => $up{$_} } grep { $_ ne 'least' } keys %up) or fail("$name: no cluster");
	my $dir = "$c->{dir}/notes";
	mkdir $dir;
	open(my $f, '>', "$c->{dir}/task.pl") or fail("$c->{dir}/task.pl: $!");
	print $f $task;
	close $f;
	chmod 0777, $dir;
	my $wide = $nodes / $jobs;
	my @ids = map { $c->plain(["-N$wide", '-t60'], script => "srun -Q -N$wide -n$wide --mem=0 perl $c->{dir}/task.pl $dir") } 1 .. 2 * $jobs;
	my $end = time + 300 + 4 * $slice;
	sleep 1 until time > $end || (my @there = glob "$dir/*.n*") >= 2 * $nodes;
	my $there = () = glob "$dir/*.n*";
	fail("$name: $there of @{[2 * $nodes]} tasks have begun") if $there < 2 * $nodes * ($up{least} // 1);
	# what the start of tasks costs is no switch's
	sleep 2 * $slice;
	my $from = time;
	sleep $switches * $slice;
	my @gaps = gaps(notes($dir), $from);
	my $times = $up{submit} && $up{submit} eq 'none' ? undef :
		decode_json($c->cmd("$Cluster::build/contrib/pact/pact", 'stats', '--json')->{out})->{times};
	$c->cmd('scancel', @ids);
	$c->down;
	fail("$name: no switch was seen") if @gaps < $nodes;
	return ({ times => $times, there => $there }, @gaps);
}

my ($our, @ours) = measure('select/gang', conf => "SelectType=select/gang\n$conf");
my $times = $our->{times};
my ($their, @theirs) = measure("Slurm's", least => 0.5, sched => 'stock', submit => 'none',
	conf => "SelectType=select/linear\nPreemptMode=GANG\n$conf");
my @bad;
printf "%-44s %15s %15s\n", "turns: $nodes nodes, $jobs in a row, $slice s", 'select/gang', "Slurm's";
for (['gap on a node, median', 0.5], ['gap on a node, 99th percentile', 0.99], ['gap on a node, least', 0]) {
	my ($what, $part) = @$_;
	my ($a, $b) = (part($part, @ours), part($part, @theirs));
	my ($idle, $theirs) = map { $_ > 0 ? $_ : 0 } $a, $b;
	printf "%-44s %12.1f ms %12.1f ms%s\n", $what, $a, $b, $part && $theirs ? sprintf('  ratio %.2f', $idle / $theirs) : '';
	push @bad, "$what: above $most of Slurm's" if $part && $idle > $most * $theirs + $noise_ms;
	push @bad, "tasks overlapped for $overlap_ms ms or more, and by more than $most of Slurm's"
		if !$part && $a <= -$overlap_ms && $a < $most * $b;
}
printf "%-44s %15d %15d\n", 'tasks begun', $our->{there}, $their->{there};
printf "%-44s %15d %15d\n", 'gaps seen', scalar @ours, scalar @theirs;
push @bad, sprintf('%d gaps were seen, of %d', scalar @ours, $nodes * $switches) if @ours < 0.95 * $nodes * ($switches - 1);
for my $what (grep { /lock|held|start|turn/ } sort keys %$times) {
	my $worst = $times->{$what}{worst_us} / 1000;
	printf "%-44s %12.2f ms at worst\n", "slurmctld's locks, held: $what", $worst;
	push @bad, "the locks were held for more than $held_ms ms ($what)" if $what =~ /cpu/ && $worst > $held_ms;
}
print "turns: $_\n" for @bad;
exit !!@bad;
