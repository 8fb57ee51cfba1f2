#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
#
# bench/reports.pl: how long sbatch takes while one driver reports for NODES nodes of a realm every INTERVAL seconds, as
# their daemons would. Reference: the same calls without the driver, in turns of TURN seconds in one run.
#
# Of the nodes so many as REAL are emulated and run ten jobs over all of them, whose progress is reported; the others are
# down, and each reports ten jobs that nothing knows.
#
#   plain      sbatch of a job without a deadline, held, in the partition that is planned
#   deadline   sbatch --test-only with a deadline, in the realm
#
# A line: what, median milliseconds with the driver and without, their ratio. And processor time, of which other load on
# the machine takes nothing away: of a call, in sbatch itself, slurmctld and munged, less what these use by themselves
# and for the reports, which is measured in ALONE seconds of each turn. PACT_BENCH_NODES (10000),
# PACT_BENCH_REAL (16), PACT_BENCH_INTERVAL (30), PACT_BENCH_TURNS (6 of each kind) change the size. Exit 1 when something
# could not be measured, or a ratio is above 1.2.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin, "$FindBin::Bin/../testsuite/emulated";
use Cluster;
use IO::Socket::INET;
use JSON::PP;
use List::Util ();
use Latency qw(timed median cpu_ms);
use Needs;
use Time::HiRes qw(time sleep);

my $nodes = $ENV{PACT_BENCH_NODES} // 10000;
my $real = $ENV{PACT_BENCH_REAL} // 16;
my $interval = $ENV{PACT_BENCH_INTERVAL} // 30;
my $turns = $ENV{PACT_BENCH_TURNS} // 6;
my ($turn, $alone, $spare) = (10, 5, 2); # the driver goes on while the last call ends
my $most = 1.2;
my $driver = "$Cluster::build/bench/reports";
my $pact = "$Cluster::build/contrib/pact/pact";

sub fail { print "reports: @_\n"; exit 1 }

Needs::emulation('reports');
my $free = IO::Socket::INET->new(Listen => 1, LocalAddr => '127.0.0.1') or fail("no port: $!");
my $port = $free->sockport;
close $free;
my $idle = $nodes - $real;
my $c = Cluster->up(nodes => $real + 1,
	conf => "MaxJobCount=60000\nSelectTypeParameters=CR_Memory\nDefMemPerNode=10\nPrologFlags=Alloc\nSlurmdTimeout=0\nTreeWidth=65533\n" .
		"NodeName=r[1-$idle] NodeHostname=localhost NodeAddr=127.0.0.1 Port=[30001-@{[30000 + $idle]}] CPUs=1 RealMemory=4000 State=DOWN\n",
	pact => "ReportPort=$port\nShareInterval=$interval\nSocketRate=0\nAdmissionTime=1000\nPartitionName=shared Admission=librarisk\n",
	partition => ["batch Nodes=n@{[$real + 1]} Default=YES", "shared Nodes=n[1-$real],r[1-$idle] OverSubscribe=FORCE:20"]);

# Nodes do not wait for each other: the driver is some processes, each for a part of them.
my $drivers = 16;
my @part = map { { file => "$c->{dir}/nodes$_", n => 0, at => 0 } } 0 .. $drivers - 1;
my @names = ((map { "*n$_" } 1 .. $real), map { "r$_" } 1 .. $idle);
for my $i (0 .. $drivers - 1) {
	open(my $list, '>', $part[$i]{file}) or fail("$part[$i]{file}: $!");
	for (my $k = $i; $k < @names; $k += $drivers) {
		print $list "$names[$k]\n";
		$part[$i]{n}++;
	}
	close $list;
}

sub answer {
	my $r = $c->cmd($pact, '--json', @_);
	return $r->{rc} > 1 ? undef : decode_json($r->{out});
}

my ($failed, $busy, @jobs) = (0, 0);
my %cpu; # milliseconds while it reports, by whose they are

# The driver for so many seconds; it goes on where it was.
sub drive {
	my ($seconds, $rate) = @_;
	for (@part) {
		$_->{run} = $c->spawn($driver, $port, "$c->{dir}/c/munge/socket", $seconds, $rate / $drivers, $_->{at} % $_->{n},
			1 + int($_->{at} / $_->{n}), $_->{file}, @jobs);
	}
}

# It is over: how many reports it made.
sub driven {
	my $made = 0;
	for (@part) {
		my $h = $c->finish($_->{run}, 120);
		my ($n, $bad, $us, $own) = $h->{out} =~ /^(\d+) (\d+) (\d+) (\d+)$/ or fail("the driver: $h->{err}");
		print "reports: $h->{err}" if $bad;
		$_->{at} += $n + $bad;
		$made += $n;
		$failed += $bad;
		$busy = $us;
		$cpu{driver} += $own / 1000;
	}
	return $made;
}

# All are heard before the jobs are submitted.
while (grep { $_->{at} < $_->{n} } @part) {
	drive(5, 2000);
	driven();
}
$c->wait_for('the emulated nodes', sub { my $s = (answer('status') // {})->{silent}; $s && !grep { /^n/ } @$s })
	or fail('nodes are silent that have reported');
for (1 .. 10) {
	my $r = $c->sbatch(['-p', 'shared', "-N$real", '-t60', '--deadline=now+2days']);
	$r->{id} && $c->wait_state($r->{id}, 'RUNNING') or fail("a job does not run: $r->{text}");
	push @jobs, "$r->{id}:" . $c->field($r->{id}, 'SubmitTime');
}

my (%with, %without, %calls, %client);
%cpu = ();

sub pid_of { return Cluster::slurp("$c->{dir}/c/run/$_[0].pid") + 0 }

my %watched = (slurmctld => pid_of('controller'), munged => pid_of('munged'));

# Processor time of the daemons since the last call, added up under their names and a word.
my %seen;

sub spend {
	my ($word) = @_;
	for (keys %watched) {
		my $ms = cpu_ms({ controller => $watched{$_} });
		$cpu{"$_ $word"} += $ms - ($seen{$_} // $ms);
		$seen{$_} = $ms;
	}
}

sub call {
	my ($into, $what, $wanted, @args) = @_;
	my ($ms, $rc) = timed($c, 'sbatch', '-o', '/dev/null', @args, '--wrap', 'true');
	fail("sbatch @args: exit code $rc") if $rc != $wanted;
	push @{ $into->{$what} }, $ms;
}

sub calls {
	my ($into, $word) = @_;
	my $until = time + $turn;
	my @before = times;
	while (time < $until) {
		call($into, 'plain', 0, '-H', '-N1', '-t10');
		call($into, 'deadline', 0, '--test-only', '-p', 'shared', '-N1', '-t10', '--deadline=now+3hours');
		$calls{$word} += 2;
	}
	my @after = times;
	$client{$word} += 1000 * ($after[2] - $before[2] + $after[3] - $before[3]);
}

# Milliseconds of a call: what the daemons used in those seconds, less what they do without calls.
sub of_a_call {
	my ($word, $quiet) = @_;
	my $daemons = 0;
	$daemons += $cpu{"$_ $word"} - $cpu{"$_ $quiet"} * $turn / $alone for keys %watched;
	return ($client{$word} + $daemons) / $calls{$word};
}

my $rate = $nodes / $interval;
my $made = 0;
for (1 .. $turns) {
	spend('before');
	sleep $alone;
	spend('idle');
	calls(\%without, 'without');
	spend('without');
	drive($turn + $alone + $spare, $rate);
	calls(\%with, 'with');
	spend('with');
	sleep $alone;
	spend('reports');
	$made += driven();
}
my $wanted = $turns * ($turn + $alone + $spare) * $rate;
fail(sprintf 'the driver was too slow: %d reports of %d', $made, $wanted) if $made < 0.9 * $wanted;
fail("$failed reports failed") if $failed;
my $stats = answer('stats');
my $bad = 0;
$| = 1;
printf "%-44s %12s %12s\n", "reports: $nodes nodes every $interval s, medians", 'with', 'without';
for my $what ('plain', 'deadline') {
	my $ratio = median(@{ $with{$what} }) / median(@{ $without{$what} });
	printf "%-44s %9.2f ms %9.2f ms  ratio %.2f  (%d and %d calls)\n", "sbatch $what", median(@{ $with{$what} }),
		median(@{ $without{$what} }), $ratio, scalar @{ $with{$what} }, scalar @{ $without{$what} };
	$bad ||= $ratio > $most;
}
my ($w, $wo) = (of_a_call('with', 'reports'), of_a_call('without', 'idle'));
printf "%-44s %9.2f ms %9.2f ms  ratio %.2f\n", 'processor time of a call', $w, $wo, $w / $wo;
printf "%-44s %9.2f ms\n", 'a report, there and back', $busy / 1000;
printf "%-44s %9.2f ms\n", 'processor time of a report, daemons and driver', ($cpu{driver} / $made) +
	List::Util::sum(map { $cpu{"$_ reports"} - $cpu{"$_ idle"} } keys %watched) / ($turns * $alone * $rate);
printf "%-44s %9.0f ms %9.0f ms; %.0f and %.0f ms without calls\n", "processor time of $_, a second", $cpu{"$_ with"} / $turns / $turn,
	$cpu{"$_ without"} / $turns / $turn, $cpu{"$_ reports"} / $turns / $alone, $cpu{"$_ idle"} / $turns / $alone
	for sort keys %watched;
printf "%-44s %9.0f ms\n", 'processor time of the driver, a second', $cpu{driver} / $turns / ($turn + $alone + $spare);
printf "%-44s %9.2f ms; %.2f ms at worst\n", 'planning in a pass, mean', $stats->{times}{planning}{sum_us} / 1000 /
	($stats->{times}{planning}{count} || 1), $stats->{times}{planning}{worst_us} / 1000;
printf "%-44s %9.2f ms; %.2f ms at worst\n", 'a submission waits for the plan, mean', $stats->{times}{wait}{sum_us} / 1000 /
	($stats->{times}{wait}{count} || 1), $stats->{times}{wait}{worst_us} / 1000;
$c->down;
fail("a ratio is above $most") if $bad;
