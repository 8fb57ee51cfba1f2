#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 84-select-gang: select/gang stands on select/linear. A cluster goes over to it and back at restarts, with jobs that
# run, wait and are promised; every client works with it, and says what is wrong where it has not got the plugin.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use File::Copy qw(copy);
use File::Path qw(make_path);
use Test::More;
use Cluster;

my $c = Cluster->up(nodes => 3);
my $conf = $c->out('sh', '-c', 'echo $SLURM_CONF');
my $c_dir = "$c->{dir}/c";

# As an administrator goes over: slurm.conf, and then all daemons, which leave the jobs alone.
sub go_over {
	my ($type) = @_;
	my $text = Cluster::slurp($conf) =~ s/^SelectType=.*$/SelectType=$type/mr;
	open(my $f, '>', $conf) or die "$conf: $!";
	print $f $text;
	close($f);
	for my $name ('slurmctld', map { "n$_" } 1 .. 3) {
		chomp(my $pid = Cluster::slurp("$c_dir/run/own/$name.pid"));
		kill 'TERM', $pid;
		$c->wait_for("$name to end", sub { !kill 0, $pid }) or diag("$name does not end");
	}
	is($c->emulate('start-controller')->{rc}, 0, "slurmctld starts with $type");
	is($c->emulate('start-node', $_)->{rc}, 0, "  slurmd of n$_, too") for 1 .. 3;
	$c->remember_controller;
	like($c->out('scontrol', 'show', 'config'), qr/^SelectType\s*= \Q$type\E$/m, "  it is $type");
}

my $runs = $c->plain(['-N1', '-t10'], runs => 30);
my $wall = $c->plain(['-N2', '-t20'], runs => 20);
$c->reaches('a job', $runs, 'RUNNING');
$c->reaches('another', $wall, 'RUNNING');
my $promised = $c->accepted('a promise', ['-N3', '-t10', '--deadline=now+2hours'], runs => 1);
my $waits = $c->plain(['-N2', '-t10'], runs => 1);

go_over('select/gang');
is($c->state($_), 'RUNNING', "job $_ runs on") for $runs, $wall;
is($c->promise($promised->{id}), 'promised', 'the promise stands');
is($c->state($waits), 'PENDING', 'what waits waits');
like($c->out('sinfo', '-hN', '-o', '%N %T'), qr/allocated/, 'sinfo');
like($c->out('scontrol', 'show', 'node', 'n1'), qr/CPUAlloc=/, 'scontrol show node');
like($c->out('scontrol', 'show', 'job', $runs), qr/NodeList=n\d/, 'scontrol show job');
$c->refused('deadlines are decided', ['-N3', '-t600', '--deadline=now+30minutes'], qr/earliest that can be promised/);
$c->reaches("job $_ comes to its end", $_, 'COMPLETED') for $runs, $wall, $promised->{id}, $waits;
is($c->out('srun', '-N3', '-t1', 'sh', '-c', 'echo $SLURM_STEP_NUM_NODES'), "3\n3\n3", 'srun has its own allocation and step');
is($c->out('salloc', '-Q', '-N2', '-t1', 'srun', 'sh', '-c', 'echo $SLURM_JOB_NUM_NODES'), "2\n2", 'salloc, and srun in it');

# Not Slurm's own: it is linked to libslurm, which exports fewer functions than those of Slurm's commands.
SKIP: {
	my $load = "$Cluster::build/testsuite/emulated/load_nodes";
	skip "$load is not built", 1 unless -x $load;
	my $r = $c->cmd($load);
	is($r->{out}, "n1\nn2\nn3\n", 'a program that is linked to libslurm reads nodes') or diag("rc $r->{rc}: $r->{err}");
}

# ---- a client without the plugin ----

my ($stock) = Cluster::slurp($conf) =~ /^PluginDir=(?:.*:)?(\S+)$/m;
make_path("$c->{dir}/client");
my $text = Cluster::slurp($conf) =~ s/^PluginDir=.*$/PluginDir=$stock/mr;
$text =~ s{^(JobSubmitPlugins|SchedulerType|SchedulerParameters)=.*\n}{}mg;
open(my $f, '>', "$c->{dir}/client/slurm.conf") or die;
print $f $text;
close($f);
# Of 24.11 those that read nodes' records, of 22.05 those that read any.
my @clients = (['sinfo'], [qw(scontrol show node)]);
push @clients, ['squeue'], [qw(scontrol show job)], [qw(sbatch -N1 --wrap true)], [qw(srun -N1 true)] if $c->release < 2311;
for my $client (@clients) {
	my $r = $c->cmd('env', "SLURM_CONF=$c->{dir}/client/slurm.conf", @$client);
	isnt($r->{rc}, 0, "@$client without the plugin fails");
	like($r->{err}, qr{fatal: Can't find plugin for select/gang}, '  and names it') or diag($r->{err});
}

# ---- and back ----

my $again = $c->plain(['-N1', '-t10'], runs => 20);
$c->reaches('a job', $again, 'RUNNING');
my $later = $c->accepted('a promise', ['-N3', '-t10', '--deadline=now+2hours'], runs => 1);
go_over('select/linear');
is($c->state($again), 'RUNNING', 'it runs on');
is($c->promise($later->{id}), 'promised', 'the promise stands');
$c->reaches('and has its end', $again, 'COMPLETED');
$c->promises_kept('all promises are kept');
$c->healthy;
done_testing;
