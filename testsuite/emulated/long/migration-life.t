#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# migration-life: what a job comes through that is migrated, by its processes and the steps that it has written down. slurmctld is
# killed in each step of a migration, with that step on its disk and without it; an epilog ends while there is no slurmctld, and under
# one that takes the job for one that runs; a node is lost, the one that the job leaves or the one it goes to, or is deaf for a
# while. By name only (make check-migration-life): it takes a quarter of an hour.
#
# Then: the job goes on within a minute and a half, on one node alone; no step is lost beyond its last checkpoint, and none is done
# twice at a time; no promise beside it is broken; and no row stays taken.
#
# PACT_LIFE: which cases, of: asked waits away ended started (each saved, and unsaved), unasked, epilog-dead, epilog-late, source-lost,
# target-lost, deaf (all). PACT_SECONDS: within which it goes on (90).
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin, "$FindBin::Bin/..";
use Test::More;
use Time::HiRes qw(sleep time);
use Cluster;
use Moves;

my @steps = qw(asked waits away ended started);
my @all = (@steps, qw(unasked epilog-dead epilog-late source-lost target-lost deaf));
my @parts = split /[ ,]+/, $ENV{PACT_LIFE} || "@all";
my $seconds = $ENV{PACT_SECONDS} // 90;
my $slice = 5;

my $plugins = Cluster::plugin_dir() or BAIL_OUT('no plugins');
my $c = Cluster->up(nodes => 5, pact => "Guard=60\nAdmissionTime=5000\nMigrateGrace=60\n",
	files => { 'plugstack.conf' => "required $plugins/spank_pact.so\n" },
	conf => "SelectType=select/gang\nSelectTypeParameters=CR_Memory\nSchedulerTimeSlice=$slice\nDefMemPerNode=100\nBatchStartTimeout=5\n"
		. "RequeueExit=99\nEpilog=\@DIR\@/../epilog\nPlugStackConfig=\@DIR\@/etc/plugstack.conf\n"
		. "PartitionName=batch Nodes=ALL Default=YES OverSubscribe=FORCE:2\n");
my $epilog = $c->file('epilog', Moves::epilog($c->{dir}));
chmod 0755, $epilog;
my $demo = Moves->begin($c);

# ---- promises beside it ----

my (@promised, %tried);
sub keep_promising {
	@promised = grep { ($c->state($_) || 'gone') =~ /PENDING|RUNNING|SUSPENDED/ } @promised;
	return if @promised;
	my $r = $c->sbatch(['-N1', '-t1', '-w', 'n5', '--deadline=now+30minutes'], runs => 40);
	diag("no promise: $r->{text}") unless $r->{id};
	push @promised, $r->{id} if $r->{id};
}

# ---- a case ----

# So often it could write no checkpoint: the steps since the last one may be lost.
my $lossy = 0;

sub ready {
	my ($name) = @_;
	note("---- $name");
	keep_promising();
	my $ok = $demo->set_up;
	ok($ok, "$name: the demo runs, one job beside it and one over it") or diag($c->out('squeue', '-o', '%i %T %r %N'));
	return $ok;
}

sub came {
	my ($name, $step) = @_;
	return $demo->reaches($step) || !diag("$name: $step is not reached: " . $c->out('squeue', '-o', '%i %T %r %N'));
}

# It goes on, in another run if it has to have left.
sub fine {
	my ($name, $was, $left) = @_;
	ok($demo->goes_on($was + $left, $seconds), "$name: it goes on") and diag("$name: $demo->{took}");
	return 1;
}

# slurmctld is killed when the demo has come so far. On its disk is what it knew then (saved), or one step before; on_disk: which. The
# demo's epilog ends when there is no slurmctld (dead), as soon as there is one (late), or later.
sub killed {
	my ($name, $step, %o) = @_;
	ready($name) or return;
	my $run = $demo->run;
	my %steps = map { $steps[$_] => $_ } 0 .. $#steps;
	my $far = $steps{$step};
	my $on_disk = $o{on_disk} // ($o{saved} ? $step : $far ? $steps[$far - 1] : '');
	if (!$o{saved} && $step eq 'started') {
		$on_disk = 'away'; # it is started within a second
		$lossy++; # and that start is none that the next slurmctld knows: it is ended, and started again
	}
	$demo->hold_epilog if $far >= $steps{away};
	# but who is in its way is
	ok($demo->is_saved(time) && $demo->freeze, '  nothing more is saved') if !$on_disk;
	$demo->push_out;
	for my $i (0 .. $far) {
		$demo->end_epilog if $steps[$i] eq 'ended';
		ok(came($name, $steps[$i]), "$name: it is $steps[$i]") or last;
		next if $steps[$i] ne $on_disk || $steps[$i] eq 'ended';
		ok($demo->is_saved, '  which is saved');
		$demo->freeze if $steps[$i] ne $step;
	}
	ok($demo->kill_controller($on_disk eq 'ended' ? 'TERM' : 'KILL'), '  slurmctld is killed');
	$demo->thaw;
	$demo->end_epilog if $o{dead};
	sleep 2 if $o{dead};
	ok($demo->start_controller, '  and started');
	# nodes register, and the job is missed meanwhile
	sleep 12 if $step eq 'away' && !$o{dead} && !$o{late};
	$demo->end_epilog;
	# the signal may have been lost with slurmctld: then it runs on where it is
	fine($name, $run, $on_disk || $far ? 1 : 0);
}

my %case = (
	(map { my $step = $_; $step => sub {
		killed("$step, unsaved", $step);
		killed("$step, saved", $step, saved => 1);
	} } @steps),
	# it has left, and nothing of all that is saved
	unasked => sub { killed('away, not even asked', 'away', on_disk => '', dead => 1) },
	'epilog-dead' => sub { killed('its epilog ends without slurmctld', 'away', dead => 1) },
	'epilog-late' => sub { killed('its epilog ends under the next one', 'away', late => 1) },
);

# A node of one half is lost when it was asked, and comes back.
sub lost {
	my ($name, $of_target) = @_;
	ready($name) or return;
	my ($run, $node) = ($demo->run, Moves::first_of($of_target ? 1 - $demo->{from} : $demo->{from}));
	$demo->push_out;
	ok(came($name, 'asked'), "$name: it is asked") or return;
	is($c->emulate('kill-node', $node)->{rc}, 0, "  n$node is lost");
	is($c->cmd('scontrol', 'update', "NodeName=n$node", 'State=DOWN', 'Reason=lost')->{rc}, 0, '  and said to be down');
	$demo->{had} = $demo->lines;
	$lossy++ unless $of_target;
	fine($name, $run, 1);
	ok(!$demo->logged(qr/JobId=$demo->{id}: it has left its nodes/), '  anew, as it had not left') unless $of_target;
	is($c->emulate('start-node', $node)->{rc}, 0, '  it is back');
	$c->cmd('scontrol', 'update', "NodeName=n$node", 'State=RESUME');
	ok($c->wait_for('the node', sub { $c->out('sinfo', '-hN', '-n', "n$node", '-o', '%T') !~ /\*|down|drain/ }, 60), '  and answers');
	ok($demo->is_all_sent, '  and has been told what it missed');
}
$case{'source-lost'} = sub { lost('a node that it leaves is lost', 0) };
$case{'target-lost'} = sub { lost('a node that it goes to is lost', 1) };

$case{deaf} = sub {
	my $name = 'its node is deaf for a while';
	ready($name) or return;
	my ($run, $node) = ($demo->run, Moves::first_of($demo->{from}));
	my ($pid) = Cluster::slurp("$c->{dir}/c/run/n$node.pid") =~ /^(\d+)/;
	$demo->push_out;
	ok(came($name, 'asked'), "$name: it is asked") or return;
	kill 'STOP', $pid;
	sleep 15;
	kill 'CONT', $pid;
	$demo->{had} = $demo->lines;
	fine($name, $run, 1);
};

for my $part (@parts) {
	$case{$part} or BAIL_OUT("PACT_LIFE: there is no case $part");
	$case{$part}->();
}

# ---- what is left ----

is(join(' ', grep { !$c->state($_) } @promised), '', 'no promised job is lost');
$c->promises_kept('no promise is broken', 600);
my @numbers = Cluster::slurp("$demo->{dir}/log") =~ /^(\d+) /mg;
ok(@numbers > 10 && !(grep { $numbers[$_] != $_ + 1 } 0 .. $#numbers), 'each step was done once, in order: ' . @numbers);
$lossy += $demo->{requeued} // 0;
my $lost = () = Cluster::slurp("$demo->{dir}/lost") =~ /\n/g;
cmp_ok($lost, '<=', 10 * $lossy, "$lost steps were lost, in $lossy cases without a checkpoint");
ok(!-e "$demo->{dir}/twice", 'and none was done twice at a time');
ok($demo->alone, 'the demo is alone');
$c->cmd('scancel', $demo->{id});
ok($c->idle(60), 'and ends');
my @ids = map { $c->plain(['-N5', '-t10'], script => 'while :; do sleep 0.5; done') } 1 .. 2;
ok($c->wait_for('both', sub { !grep { $c->state($_) !~ /^(RUNNING|SUSPENDED)$/ } @ids }, 60), 'both rows of all nodes are free');
unlike($c->log_text(0), qr/underflow|count_underflow|duplicate relinquish/, 'Slurm has lost count of nothing');
$c->healthy;
$c->down;
done_testing;
