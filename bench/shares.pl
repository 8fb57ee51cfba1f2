#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
#
# bench/shares.pl: how exactly the jobs of a node get their shares, on an emulated cluster of 16 nodes of 6 % of a
# processor each, where three burners claim 50, 30 and 20 % of each. Reference: what the node delivered to the three in 30
# seconds.
#
# Lines: points that a job was off, on average and at worst (bars: 2 and 6); milliseconds from the end of a job to new
# weights (a second); processor time of the pactd of a node with 10 jobs, which reports every 5 seconds, and its memory
# (0.3 %, 8 MiB). A run in which a node got less than half of its 6 % is void, and repeated; three void runs fail.
# PACT_BENCH_SHARE_NODES (16), PACT_BENCH_SHARE_PERCENT (6) and PACT_BENCH_SHARE_SECONDS (30) change the size.
# Exit 1 when a bar is missed, or nothing could be measured.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin, "$FindBin::Bin/../testsuite/emulated";
use Cluster;
use IO::Socket::UNIX;
use List::Util qw(max sum);
use Needs;
use Time::HiRes qw(sleep time);

my $nodes = $ENV{PACT_BENCH_SHARE_NODES} // 16;
my $percent = $ENV{PACT_BENCH_SHARE_PERCENT} // 6;
my $seconds = $ENV{PACT_BENCH_SHARE_SECONDS} // 30;
my @wanted = (0.5, 0.3, 0.2);
my $bad = 0;

sub fail { print "shares: @_\n"; exit 1 }

Needs::emulation('shares');
if ($> || !-w '/sys/fs/cgroup/cpu/cpu.shares') {
	print "shares: skipped, no control groups of version 1 that can be written\n";
	exit 0;
}
my $plugin = "$Cluster::build/testsuite/emulated/.libs/terms_of.so";
my $c = Cluster->up(nodes => $nodes, shares => $percent, sched => 'stock',
	files => { 'plugstack.conf' => "optional $plugin\n" });
my %setting = Cluster::slurp("$c->{dir}/c/settings") =~ /^(\w+)="?([^"\n]*)"?$/mg;

# A batch job of that claim on a node.
sub job {
	my ($node, $claim, $script) = @_;
	my $now = int time;
	my $terms = sprintf '1:%d:%d:%d:1:share', $now, $claim * 10000, $now + 10000;
	my $r = $c->cmd('env', "TERMS_OF=$terms", 'sbatch', '-w', "n$node", '-t', 100, '-o', '/dev/null', '--wrap', $script);
	my ($id) = $r->{out} =~ /(\d+)$/m or fail("sbatch: $r->{err}");
	return { id => $id, node => $node, dir => "pact_$setting{ctld_port}_n$node/job_$id" };
}

sub used {
	my $job = shift;
	my ($file) = grep { -r } map { "/sys/fs/cgroup/$_/$job->{dir}/cpuacct.usage" } 'cpu', 'cpuacct';
	return $file ? Cluster::slurp($file) / 1e9 : 0;
}

# Lists of the three jobs of each node, all running.
sub burners {
	my @all;
	for my $node (1 .. $nodes) {
		push @all, [map { job($node, $_, 'exec perl -e "1 while 1"') } @wanted];
	}
	$c->wait_for('all burners', sub { !grep { used($_) < 0.05 } map { @$_ } @all }) or fail('the burners do not run');
	return @all;
}

# The points that each job was off; none: the run is void.
sub measure {
	my @all = @_;
	my @before = map { [map { used($_) } @$_] } @all;
	my $began = time;
	sleep $seconds;
	my @after = map { [map { used($_) } @$_] } @all;
	my $own = (time - $began) * $percent / 100;
	my @off;
	for my $node (0 .. $#all) {
		my @used = map { $after[$node][$_] - $before[$node][$_] } 0 .. $#wanted;
		return if sum(@used) < $own / 2;
		push @off, map { 100 * abs($used[$_] / sum(@used) - $wanted[$_]) } 0 .. $#wanted;
	}
	return @off;
}

sub line {
	my ($what, $got, $unit, $bar) = @_;
	my $missed = $got > $bar;
	printf "%-36s %8.2f %s (bar %s)%s\n", $what, $got, $unit, $bar, $missed ? ' MISSED' : '';
	$bad ||= $missed;
}

# ---- how exact ----

my @all = burners();
my @off;
for (1 .. 3) {
	@off = measure(@all);
	last if @off;
	print "void: a node got less than half of what is its own\n";
}
fail('three void runs: the machine is too busy') unless @off;
line('points off, on average', sum(@off) / @off, 'points', 2);
line('points off, at worst', max(@off), 'points', 6);

# ---- how soon ----

my @late;
for my $jobs (@all) {
	my $shares = "/sys/fs/cgroup/cpu/$jobs->[0]{dir}/cpu.shares";
	my $s = IO::Socket::UNIX->new(Peer => "$c->{dir}/c/run/n$jobs->[0]{node}/sock") or fail("no pactd: $!");
	my $began = time;
	my $before = Cluster::slurp($shares) + 0;
	print $s "over $jobs->[2]{id}\n";
	$s->flush;
	scalar <$s>;
	fail("the weight of job $jobs->[0]{id} has not changed") unless Cluster::slurp($shares) + 0 > $before;
	push @late, 1000 * (time - $began);
}
line('from an end to new weights, at worst', max(@late), 'ms', 1000);
$c->cmd('scancel', map { $_->{id} } map { @$_ } @all);
$c->wait_for('their end', sub { !$c->out('squeue', '-h') }) or fail('the burners do not end');

# ---- what it costs ----

my $pid = Cluster::slurp("$c->{dir}/c/run/pactd-n1.pid") + 0;
my @ten = map { job(1, 0.1, 'sleep 1000 & sleep 1000 & exec perl -e "1 while 1"') } 1 .. 10;
$c->wait_for('ten jobs', sub { !grep { used($_) < 0.01 } @ten }) or fail('ten jobs do not run');
my ($before) = Cluster::slurp("/proc/$pid/schedstat") =~ /^(\d+)/;
my $began = time;
sleep $seconds;
my ($after) = Cluster::slurp("/proc/$pid/schedstat") =~ /^(\d+)/;
line('pactd with 10 jobs', 100 * ($after - $before) / 1e9 / (time - $began), '% of a processor', 0.3);
my ($peak) = Cluster::slurp("/proc/$pid/status") =~ /^VmHWM:\s+(\d+)/m;
line('pactd, most resident', $peak / 1024, 'MiB', 8);
exit $bad;
