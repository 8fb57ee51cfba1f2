#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
#
# bench/ask.pl: how long `pact ask` takes, the whole process, with 1000 promised jobs waiting on an emulated
# cluster that is full. Reference, call by call in turn: `sbatch --test-only` of the same job, which gets
# the same decision inside slurmctld, without alternatives, and creates nothing.
#
#   promised   a deadline that can be kept
#   refused    one that cannot: alternatives are looked for and tested
#   earliest   no deadline: when at the earliest?
#
# A line: what, median milliseconds of ask and of the reference, their ratio, slurmctld's processor time in an
# ask (with what else it did meanwhile), and how many answers were not the expected one because the time of
# AdmissionTime (its default, 20 ms; PACT_BENCH_BUDGET for another) was up: "cannot be promised now", or busy.
# PACT_BENCH_PROMISED (1000), PACT_BENCH_NODES (8), PACT_BENCH_ASKS (100 of each) change the size.
# Milliseconds are told, not judged. Exit 1 when something could not be measured.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin, "$FindBin::Bin/../testsuite/emulated";
use Cluster;
use JSON::PP;
use Latency qw(timed median cpu_ms);
use Needs;
use POSIX ();

my $promised = $ENV{PACT_BENCH_PROMISED} // 1000;
my $nodes = $ENV{PACT_BENCH_NODES} // 8;
my $calls = $ENV{PACT_BENCH_ASKS} // 100;
my $pact = "$Cluster::build/contrib/pact/pact";

sub fail { print "ask: @_\n"; exit 1 }

# Time enough while it is filled: no promise may be lost to a busy machine then.
my $budget = $ENV{PACT_BENCH_BUDGET} // 20;
Needs::emulation('ask');
my $c = Cluster->up(nodes => $nodes, conf => "MaxJobCount=60000\n", pact => "AdmissionTime=1000\nSocketRate=0\n");

sub answer {
	my $r = $c->cmd($pact, '--json', @_);
	return $r->{rc} > 1 ? undef : decode_json($r->{out});
}

# Jobs of all sizes and of deadlines in any order, by four processes at a time.
sub fill {
	my @pids;
	for my $part (0 .. 3) {
		my $pid = fork // die "ask: fork: $!\n";
		if (!$pid) {
			for (my $i = $part; $i < $promised; $i += 4) {
				my $days = $promised * (1 + $i * 7 % 10) / 10;
				my (undef, $rc) = timed($c, 'sbatch', '-o', '/dev/null', '-N' . (1 + $i % $nodes), '-t' . (5 + $i % 60),
					'--deadline=now+' . (2 + int $days) . 'days', '--wrap', 'true');
				POSIX::_exit(1) if $rc;
			}
			POSIX::_exit(0);
		}
		push @pids, $pid;
	}
	my $bad = 0;
	for (@pids) {
		waitpid $_, 0;
		$bad ||= $?;
	}
	fail('a promise was refused') if $bad;
}

sub line {
	my ($what, $wanted, @args) = @_;
	my (@ask, @test);
	my ($other, $cpu) = (0, 0);
	for (1 .. $calls) {
		my $before = cpu_ms($c);
		my ($ms, $rc) = timed($c, $pact, 'ask', @args);
		$cpu += cpu_ms($c) - $before;
		fail("pact ask @args: exit code $rc") if $rc > 1 && $rc != 6;
		$other += $rc != $wanted;
		push @ask, $ms;
		($ms, $rc) = timed($c, 'sbatch', '--test-only', '-o', '/dev/null', @args, '--wrap', 'true');
		push @test, $ms;
	}
	printf "%-34s %9.2f ms %9.2f ms  ratio %.2f  %9.2f ms%s\n", "ask $what, $promised promised", median(@ask),
		median(@test), median(@ask) / median(@test), $cpu / $calls, $other ? "  ($other of $calls out of time)" : '';
}

timed($c, 'sbatch', '-o', '/dev/null', "-N$nodes", '-t600', '--wrap', 'sleep 36000');
$c->wait_for('a full cluster', sub { (answer('status') // {})->{running} }) or fail('the cluster is not full');
fill();
$c->wait_for('the plan', sub { ((answer('status') // {})->{open} // 0) >= $promised }, 600)
	or fail('the plan has not all jobs');
$c->reconfigure("AdmissionTime=$budget\nSocketRate=0\n");
$c->wait_for('the plan', sub { (answer('status') // {})->{planned} }) or fail('no plan after the new AdmissionTime');
my $wide = int(($nodes + 1) / 2);
$| = 1;
printf "%-34s %12s %12s %24s\n", "ask: $nodes nodes, medians", 'pact ask', 'test-only', 'slurmctld CPU, mean';
line('promised', 0, "-N$wide", '-t30', '--deadline=now+' . (3 * $promised) . 'days');
line('refused', 1, "-N$nodes", '-t120', '--deadline=now+11hours');
line('earliest', 0, "-N$wide", '-t30');
$c->down;
