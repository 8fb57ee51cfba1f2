#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 84-remove-gang: select/gang is taken out as the guide says ("Take the plugin out"), step by step, with two jobs that take turns,
# one that waits, and two promised ones, of which one runs. By the states of their processes: after Gang=off one goes on to its end,
# and then the other one, so that none stays stopped; the restart under select/linear touches nothing that runs; what waits starts
# after that, and both promises are kept. In the end slurmctld, slurmds and commands start without select_gang.so.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use File::Temp qw(tempdir);
use Test::More;
use Cluster;
use Turns;

my $slice = 5;
my $base = "Guard=60\nAdmissionTime=5000\n";

# A directory of its own, from which the plugin can go.
my $built = Cluster::plugin_dir() or BAIL_OUT('the plugins are not built');
my $plugins = tempdir('pact-t-XXXXXX', TMPDIR => 1, CLEANUP => 1);
chmod 0755, $plugins;
symlink $_, "$plugins/" . s/.*\///r for glob "$built/*.so";
$ENV{PACT_PLUGIN_DIR} = $plugins;

my $c = Cluster->up(nodes => 4, pact => $base,
	conf => "SelectType=select/gang\nSelectTypeParameters=CR_Memory\nSchedulerTimeSlice=$slice\nDefMemPerNode=100\n" .
		"PartitionName=batch Nodes=ALL Default=YES OverSubscribe=FORCE:2\n");
my $c_dir = "$c->{dir}/c";

# Each works until its file is there.
sub till { return work($c) =~ s/while :/while [ ! -e $c->{dir}\/end.\$SLURM_JOB_ID ]/r }
sub end_job { $c->file("end.$_", '') for @_ }
sub suspended { return $c->out('squeue', '-h', '-t', 'SUSPENDED', '-o', '%A') }

# For so many seconds those run without a stop, and these do not run.
sub stay {
	my ($name, $seconds, $on, $off) = @_;
	my $runs = watch($c, $seconds, @$on, @$off);
	my @bad = map { "job $_ is stopped" } grep {
		my @r = @{ $runs->{$_} // [] };
		@r != 1 || $r[0][1] - $r[0][0] < $seconds - 1
	} @$on;
	push @bad, map { "job $_ runs" } grep { @{ $runs->{$_} // [] } } @$off;
	ok(!@bad, $name) or diag(join "\n", @bad, $c->out('squeue', '-a'));
}

# What would be another if it had been started, stopped or resumed again.
sub life {
	my ($id) = @_;
	my $job = $c->job($id) // {};
	return join ' ', map({ $job->{$_} // '' } qw(JobState StartTime SuspendTime Restarts NodeList)), Cluster::slurp("$c->{dir}/pid.$id");
}

sub is_over { my ($pid) = @_; return !-d "/proc/$pid" || Cluster::slurp("/proc/$pid/stat") =~ /\) Z/ }

# As an administrator does: all daemons, which leave the jobs alone.
sub restart {
	my ($name) = @_;
	my @pids = map { Cluster::slurp("$c_dir/run/own/$_.pid") =~ /^(\d+)/ } 'slurmctld', map { "n$_" } 1 .. 4;
	is(scalar @pids, 5, "$name: all daemons are there");
	kill 'TERM', @pids;
	ok($c->wait_for('their end', sub { !grep { !is_over($_) } @pids }, 60), '  and end');
	is($c->emulate('start-controller')->{rc}, 0, '  slurmctld starts');
	is(scalar(grep { $c->emulate('start-node', $_)->{rc} == 0 } 1 .. 4), 4, '  and so do all slurmds');
	$c->remember_controller;
}

# ---- two that take turns on three nodes, a promised one on the fourth, one promised behind them all, and one that waits ----

my @turns = map { $c->plain(['-N3', '-wn[1-3]', '-t10'], script => till()) } 1, 2;
ok($c->wait_for('both to have run', sub { !grep { look($c, $_) eq '-' } @turns }, 40), 'two jobs take turns');
my $now = $c->accepted('one is promised on the node that is left', ['-N1', '-t5', '--deadline=now+8minutes'], script => till())->{id};
my $later = $c->accepted('one on all nodes, behind them', ['-N4', '-t1', '--deadline=now+2hours'], runs => 1)->{id};
my $waits = $c->plain(['-N3', '-wn[1-3]', '-t40'], runs => 1);
ok($c->wait_for('its process', sub { look($c, $now) eq 'R' }), 'the first promised one runs');
ok($c->wait_for('one to be stopped', sub { join('', sort map { look($c, $_) } @turns) eq 'RT' }), 'one of two runs, and one is stopped');
is(join(' ', map { $c->state($_) } $later, $waits), 'PENDING PENDING', 'two wait');

# ---- 1. Gang=off, scontrol reconfigure, and wait ----

my $mark = $c->log_mark;
is($c->reconfigure("${base}PartitionName=batch Gang=off\n")->{rc}, 0, '1. Gang=off, and scontrol reconfigure');
my ($on, $off);
ok($c->wait_for('the last switch', sub {
	($on) = grep { $c->state($_) eq 'RUNNING' } @turns;
	($off) = grep { $_ != ($on // 0) } @turns;
	return $on && look($c, $on) eq 'R' && look($c, $off) eq 'T';
}), '  one of two runs, and one is stopped');
is(suspended(), $off, '  squeue -t SUSPENDED shows the other one, and no more');
my $beside = $c->plain(['-N1', '-t1'], runs => 1);
stay('  that is so for more than a slice: it is stopped no more, nor is the promised one', $slice + 2, [$on, $now], [$off]);
is($c->state($beside), 'PENDING', '  and it shares its node with none that comes now');
is(join(' ', map { $c->promise($_) } $now, $later), 'promised promised', '  both promises stand');
end_job($on);
$c->reaches('it comes to its end', $on, 'COMPLETED', 30);
ok($c->wait_for('it to run', sub { look($c, $off) eq 'R' }, 30), 'then the one that was stopped goes on');
ok($c->log_has(qr/JobId=$off goes on: it has no turns any more, and its nodes are free/, $mark), '  as the log says');
ok($c->wait_for('none', sub { suspended() eq '' }, 30), '  squeue -t SUSPENDED shows none');
is(join(' ', map { $c->state($_) } $later, $waits), 'PENDING PENDING', '  what waits waits');

# ---- 2. SelectType=select/linear, OverSubscribe without FORCE, and a restart ----

my %was = map { $_ => life($_) } $off, $now;
my $text = Cluster::slurp("$c_dir/etc/slurm.conf") =~ s{^SelectType=\S+$}{SelectType=select/linear}mr =~ s/^(PartitionName=batch .*)FORCE:2/$1NO/mr;
$c->file('c/etc/slurm.conf', $text);
my $over = int time;
restart('2. select/linear');
like($c->out('scontrol', 'show', 'config'), qr{^SelectType\s*= select/linear$}m, '  it is in force');
like($c->out('scontrol', 'show', 'partition', 'batch'), qr/OverSubscribe=NO/, '  and so is OverSubscribe=NO');
stay('both run on, and are not stopped', $slice + 2, [$off, $now], []);
is(life($_), $was{$_}, "job $_ is what it was: not started, stopped or resumed again") for $off, $now;
is(join(' ', map { $c->field($_, 'Restarts') } $off, $now), '0 0', '  neither is a second try');
is(suspended(), '', 'none is suspended');
is(join(' ', map { $c->promise($_) } $now, $later), 'promised promised', 'both promises stand');
is(join(' ', map { $c->state($_) } $later, $waits), 'PENDING PENDING', 'what waits waits');
end_job($off, $now);
$c->reaches('it comes to its end', $_, 'COMPLETED', 30) for $off, $now;
$c->reaches('the promised one behind them, too', $later, 'COMPLETED', 60);
$c->reaches('and what waited without a promise', $waits, 'COMPLETED', 60);
cmp_ok($c->ended_jobs->{$waits}{StartTime} // 0, '>=', $over, '  which started after the restart');
$c->promises_kept('both promises are kept');
$c->healthy('slurmctld is healthy under select/linear');

# ---- 3. the plugin goes ----

# Where other users could not read the first directory emulate has made the second.
ok(unlink(map { "$_/select_gang.so" } $plugins, "$c_dir/etc/plugins"), '3. select_gang.so goes');
restart('without it');
is($c->cmd('sinfo', '-N')->{rc}, 0, 'sinfo does without it');
is($c->out('srun', '-N4', '-t1', 'sh', '-c', 'echo $SLURM_STEP_NUM_NODES'), "4\n4\n4\n4", 'and so do srun, slurmds and slurmstepds');
$c->healthy;
$c->down;
done_testing;
