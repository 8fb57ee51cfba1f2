#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
#
# bench/resizes.pl: for how long a running job's growth and shrinking hold slurmctld's locks, beside many waiting jobs, on an
# emulated cluster under sched/qops with loans. Reference: the same with no job waiting, in the same run.
#
# A job has a little more than half of the nodes, and all others on loan. What has a deadline needs these: they are called in and,
# as the job keeps them, taken at once; and are given back to it when that one is over. Jobs of all nodes wait all the while.
#
# Two lines for each: the median of the clock and of the thread's processor time, with no job waiting and with all, their ratio, and
# the shortest and the longest beside jobs that wait. The clock's is what Slurm's locks are held for. Where two processors have all of the
# nodes' daemons, it is mostly the wait for one of them: of holds of 22.8 and 5.3 ms 21.4 and 4.6 were (/proc/thread-self/schedstat). What each
# hold waits for itself is in the shortest, too.
# PACT_BENCH_NODES (128), PACT_BENCH_JOBS (10000) and PACT_BENCH_ROUNDS (3) change the size. Exit 1 when something could not
# be measured; or beside jobs that wait the shortest by the clock or the longest by processor is more than 5 ms, or the median by the clock more than
# 20; which one, is told.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin, "$FindBin::Bin/../testsuite/emulated";
use Cluster;
use JSON::PP;
use List::Util qw(max min);
use Needs;
use Time::HiRes qw(time sleep);

my $nodes = $ENV{PACT_BENCH_NODES} // 128;
my $jobs = $ENV{PACT_BENCH_JOBS} // 10000;
my $rounds = $ENV{PACT_BENCH_ROUNDS} // 3;
my ($most, $waiting) = (5, 20);
my $lent = int($nodes / 2);
my $own = $nodes - $lent;

sub fail { print "resizes: @_\n"; exit 1 }

Needs::emulation('resizes');
$| = 1;
my $plugins = Cluster::plugin_dir() or fail('no plugins');
# A growth is at least so long after the loan was taken that all nodes are clean by then, and come at once.
my $c = Cluster->up(nodes => $nodes, timeout => 300, sched => 'qops', submit => 'deadline',
	pact => "Guard=60\nPlanInterval=2\nAdmissionTime=5000\nLoans=uniform\nResizeGrace=10\nLoanTime=20\nResizeInterval=60\n",
	files => { 'plugstack.conf' => "required $plugins/spank_pact.so\n" },
	conf => "MaxJobCount=60000\nMessageTimeout=60\nSchedulerParameters=sched_interval=-1,defer,permit_job_expansion\n" .
		"PlugStackConfig=\@DIR\@/etc/plugstack.conf\nTreeWidth=65533\n") or fail('no cluster');

sub stats {
	my $s = eval { decode_json($c->cmd("$Cluster::build/contrib/pact/pact", 'stats', '--json')->{out}) } or return;
	return { %{ $s->{resizes} }, map { $_ => $s->{times}{$_} } qw(resize resize_cpu) };
}

# Until so many resizes of a kind are counted: what these held in milliseconds by clock and processor, if it was one.
sub one {
	my ($kind, $before, $what) = @_;
	my ($now, $end) = (undef, time + 300);
	do {
		sleep 0.5;
		$now = stats();
		fail("$what: waited in vain") if time > $end;
	} until $now && $now->{$kind}{times} > $before->{$kind}{times};
	my $n = $now->{resize}{count} - $before->{resize}{count};
	my $moved = $now->{$kind}{nodes} - $before->{$kind}{nodes};
	return ($now, $moved, map { ($now->{$_}{sum_us} - $before->{$_}{sum_us}) / 1000 / $n } qw(resize resize_cpu));
}

sub round {
	my ($round, $into) = @_;
	my $begin = stats() or fail('no answer');
	my $r = $c->sbatch(["-N$lent", '-t1', '--deadline=now+60minutes'], script => 'sleep 5');
	fail("a deadline was not promised: $r->{text}") unless $r->{id} && $r->{by};
	my ($called) = one('called_in', $begin, 'the loan is called in');
	my ($taken, $left, @took) = one('taken', $called, 'it is taken');
	my ($grown, $came, @gave) = one('grown', $taken, 'nodes are given');
	printf STDERR "resizes: round $round: taken %d in %.2f (%.2f) ms, given %d in %.2f (%.2f) ms\n", $left, @took, $came, @gave;
	push @{ $into->{taken} }, \@took;
	push @{ $into->{given} }, \@gave if $came == $lent;
}

sub median { my @v = sort { $a <=> $b } @_; return $v[$#v / 2] }

# { taken, given }: pairs of clock and processor.
sub measure {
	my %pieces;
	round($_, \%pieces) for 1 .. $rounds;
	fail("the $lent nodes never came at once") unless $pieces{given};
	return \%pieces;
}

my $long = $c->plain(["-N$own-$nodes", '--malleable', '-t600'], script => 'sleep 36000');
$c->wait_for('all nodes', sub { ($c->field($long, 'NumNodes') // '') eq $nodes }, 300) or fail("the job does not get all nodes");
my $alone = measure();
print STDERR "resizes: $jobs jobs are submitted\n";
my $r = $c->cmd("$Cluster::build/bench/queue", $jobs, $nodes);
fail("the queue: $r->{err}") if $r->{rc};
$c->seen;
my $beside = measure();
my @bad;
printf "%-44s %15s %15s\n", "resizes: $lent of $nodes nodes", 'no job waits', "$jobs wait";
for (['taken, the clock', 'taken', 0], ['taken, processor', 'taken', 1], ['given, the clock', 'given', 0], ['given, processor', 'given', 1]) {
	my ($what, $kind, $i) = @$_;
	my ($a, $b) = map { median(map { $_->[$i] } @{ $_->{$kind} }) } $alone, $beside;
	my @held = map { $_->[$i] } @{ $beside->{$kind} };
	my ($least, $longest) = (min(@held), max(@held));
	printf "%-44s %12.2f ms %12.2f ms  ratio %.2f, %.2f to %.2f ms\n", $what, $a, $b, $b / $a, $least, $longest;
	my $judged = $i ? $longest : $least;
	push @bad, sprintf('%s: the median is %.2f ms, not %d', $what, $b, $waiting) if $b > $waiting;
	push @bad, sprintf('%s: the %s of %d is %.2f ms, not %d', $what, $i ? 'longest' : 'shortest', scalar @held, $judged, $most) if $judged > $most;
}
$c->cmd('scancel', '-u', scalar getpwuid $<);
$c->down;
fail(join('; ', @bad)) if @bad;
