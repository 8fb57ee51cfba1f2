#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 85-gang: jobs of a partition with OverSubscribe=FORCE take turns under select/gang. What runs is seen from the states of
# the jobs' processes, not from Slurm's records: no two rows at once, a whole slice in each cycle, also over kill -9 of
# slurmctld; and slurm.conf and pact.conf that do not suit are refused by key.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Test::More;
use Cluster;
use Turns;

my $slice = 5;
my $conf = "SelectType=select/gang\nSelectTypeParameters=CR_Memory\nSchedulerTimeSlice=$slice\nDefMemPerNode=100\n";
my $forced = "PartitionName=batch Nodes=ALL Default=YES OverSubscribe=FORCE:3\n";

my $c = Cluster->up(nodes => 4, conf => $conf . $forced);

sub turns_are_kept {
	my ($name, $runs, @ids) = @_;
	my @bad;
	for my $i (0 .. $#ids) {
		push @bad, "job $ids[$i] never ran" unless @{ $runs->{ $ids[$i] } // [] };
		for my $k ($i + 1 .. $#ids) {
			my $both = overlap($runs, $ids[$i], $ids[$k]);
			push @bad, sprintf 'jobs %d and %d run at once for %.2f s', $ids[$i], $ids[$k], $both if $both > 1;
		}
	}
	ok(!@bad, "$name: no two rows at once") or diag(join "\n", @bad);
}

my @ids = map { $c->plain(['-N4', '-t10'], script => work($c)) } 1 .. 3;
ok($c->wait_for('all three to have run', sub { !grep { look($c, $_) eq '-' } @ids }), 'three jobs of the whole machine begin within three slices');
my $runs = watch($c, 3 * 3 * $slice + 2, @ids);
turns_are_kept('three cycles', $runs, @ids);
my @whole = map { my $id = $_; scalar grep { $_->[1] - $_->[0] > $slice - 1.5 } @{ $runs->{$id} } } @ids;
ok(!(grep { $_ < 2 } @whole), 'each runs a whole slice in each whole cycle') or diag("whole slices: @whole");

# ---- what people do ----

my $short = $c->plain(['-N1', '-t10'], script => 'sleep 1');
is($c->state($short), 'PENDING', 'a fourth job of a node has to wait for a row');
$c->cmd('scancel', $ids[2]);
$c->reaches('one is cancelled, and it has its turn', $short, 'COMPLETED', 60);

is($c->cmd('scontrol', 'suspend', $ids[1])->{rc}, 0, 'scontrol suspend');
ok($c->wait_for('a stopped process', sub { look($c, $ids[1]) eq 'T' }), 'it is stopped');
$runs = watch($c, 2 * $slice + 2, @ids[0, 1]);
is(scalar @{ $runs->{ $ids[1] } // [] }, 0, 'and has no turns any more');
is($c->cmd('scontrol', 'resume', $ids[1])->{rc}, 0, 'scontrol resume');
$runs = watch($c, 4 * $slice, @ids[0, 1]);
ok(@{ $runs->{ $ids[1] } // [] }, 'it has turns again');

# ---- a controller that dies in a switch ----

is($c->emulate('kill-controller')->{rc}, 0, 'kill -9 of slurmctld');
is($c->emulate('start-controller')->{rc}, 0, 'it comes up');
$c->remember_controller;
watch($c, 2 * $slice, @ids[0, 1]);
$runs = watch($c, 4 * $slice, @ids[0, 1]);
turns_are_kept('after a cycle', $runs, @ids[0, 1]);
is(join(' ', sort map { $c->state($_) } @ids[0, 1]), 'RUNNING SUSPENDED', 'both have gone on');

# One alone is not switched.
$c->cmd('scancel', $ids[1]);
ok($c->wait_for('its end', sub { look($c, $ids[1]) eq '-' }), 'one is left');
ok($c->wait_for('its turn', sub { look($c, $ids[0]) eq 'R' }), 'it runs');
$runs = watch($c, 2 * $slice, $ids[0]);
is(scalar @{ $runs->{ $ids[0] } }, 1, 'and is never switched');
$c->healthy;

# ---- whoever asks ----

# Without these words Slurm's own scheduler starts jobs, too, and a submission that can begin does at once.
unless ($c->respawns) {
	my $file = $c->out('sh', '-c', 'echo $SLURM_CONF');
	my $text = Cluster::slurp($file) =~ s/^SchedulerParameters=.*$/SchedulerParameters=sched_interval=1/mr;
	open(my $f, '>', $file) or die "$file: $!";
	print $f $text;
	close($f);
	is($c->cmd('scontrol', 'reconfigure')->{rc}, 0, 'Slurm schedules, too');
	my $mark = $c->log_mark;
	my $batch = $c->plain(['-N4', '-t10'], script => $work);
	my $srun = $c->spawn('srun', '-N4', '-t10', 'sleep', 1);
	$c->reaches('it has its turn', $batch, 'RUNNING', 60);
	is($c->finish($srun)->{rc}, 0, 'and so has an srun');
	my @lines = $c->log_text($mark) =~ /^.*(?:Allocate JobId=|_slurm_rpc_allocate_resources.* NodeList=n).*$/mg;
	is(scalar @lines, 2, 'both were given nodes');
	ok(!(grep { !/sched\/qops: Allocate/ } @lines), 'by nothing but the plan') or diag(join "\n", @lines);
	push @ids, $batch;
}
$c->cmd('scancel', @ids);
$c->down;

# ---- what does not suit ----

sub refused_start {
	my ($name, $why, %o) = @_;
	ok(!Cluster->up(nodes => 1, may_fail => 1, %o), "slurmctld does not start: $name");
	like($Cluster::why, $why, '  and the log names the key');
}

refused_start('Gang=mbgs under select/linear', qr/PartitionName=batch Gang=mbgs: slurm.conf has to have SelectType=select\/gang/,
	pact => "PartitionName=batch Gang=mbgs\n", conf => "SelectType=select/linear\n$forced");
refused_start('no memory is counted', qr/PartitionName=batch Gang=mbgs: slurm.conf has to have SelectTypeParameters=CR_Memory/,
	conf => "SelectType=select/gang\n$forced");
refused_start('no such way', qr/PartitionName=batch Gang=round-robin: mbgs, mgs, bgs, gs or off is wanted/,
	pact => "PartitionName=batch Gang=round-robin\n", conf => $conf . $forced);
refused_start("Slurm's own gang scheduler, with promises", qr/PreemptMode=GANG/, conf => $conf . $forced . "PreemptMode=GANG,SUSPEND\nPreemptType=preempt/partition_prio\n");
refused_start('sched/dynp', qr/PartitionName=batch Gang=gs: slurm.conf has to have SchedulerType=sched\/qops|SchedulerType=sched\/dynp: sched\/qops is wanted/,
	sched => 'dynp', pact => "PartitionName=batch Gang=gs\n", conf => $conf . $forced);
refused_start("Slurm's own gang scheduler", qr/PreemptMode= without GANG/, submit => 'none',
	conf => $conf . $forced . "PreemptMode=GANG,SUSPEND\nPreemptType=preempt/partition_prio\n");
done_testing;
