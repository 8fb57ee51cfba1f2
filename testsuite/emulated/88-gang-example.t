#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 88-gang-example: the six lines of slurm.conf with which the guide begins, and no others about turns: five jobs of all nodes begin
# within a cycle and take turns, a deadline behind them is promised, `pact matrix` shows all that, and nothing is warned of. The tasks of an
# array take turns like other jobs. Without the partition's default memory start-up warns.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use JSON::PP;
use Test::More;
use Time::HiRes qw(sleep);
use Cluster;

my ($slice, $speed) = (30, 6);    # Slurm's own default
my $lines = "SelectType=select/gang\nSelectTypeParameters=CR_Memory\nSchedulerType=sched/qops\nJobSubmitPlugins=deadline\n"
	. "SchedulerParameters=sched_interval=-1,defer\nPartitionName=slice Nodes=ALL OverSubscribe=FORCE:5 DefMemPerNode=700\n";
my $guide = Cluster::slurp("$Cluster::top/doc/guide.md");
like($guide, qr/^ *\Q$_\E *$/m, "the guide has it: $_") for grep { !/^Partition/ } split /\n/, $lines;
my $warning = qr/PartitionName=slice: DefMemPerNode is missing/;

$lines =~ s/\n\z/ Default=YES\n/;    # or the emulation has a partition of its own of all nodes
my $c = Cluster->up(nodes => 4, speed => $speed, conf => $lines);
sub job {
	my (@options) = @_;
	return $c->plain(['-p', 'slice', '-t5', @options], script => 'while :; do sleep 0.5; done');
}
sub begun { return scalar grep { ($c->state($_) // '') =~ /^(RUNNING|SUSPENDED)$/ } @_ }
sub cycle { return 5 * $slice / $speed }

my @ids = map { job('-N4') } 1 .. 5;
ok($c->wait_for('five jobs', sub { begun(@ids) == 5 }, cycle() + 20), 'five jobs of all nodes begin within a cycle');
my %ran;
ok($c->wait_for('turns', sub { $ran{$_} = 1 for grep { $c->state($_) eq 'RUNNING' } @ids; keys %ran == 5 }, cycle() + 20), '  and have their turns');
my $sixth = job('-N1');
my $r = $c->accepted('a deadline behind them is promised', ['-p', 'slice', '-N2', '-t5', '--deadline=now+5hours'], runs => 5);
my $matrix = decode_json($c->out("$Cluster::build/contrib/pact/pact", '--json', 'matrix'))->{matrices}[0];
is(join(' ', map { "$_ $matrix->{$_}" } qw(scheduler rows placed)), 'scheduler mbgs rows 5 placed 5', 'pact matrix shows five rows');
is(begun($sixth), 0, 'a sixth one waits');
unlike($c->log_text(0), $warning, 'nothing is warned of');

# ---- an array ----

$c->cmd('scancel', @ids, $sixth);
my $array = $c->plain(['-p', 'slice', '-t5', '-N4', '--array=1-3'], script => 'while :; do sleep 0.5; done');
ok($c->wait_for('its tasks', sub { begun(map { "${array}_$_" } 1 .. 3) == 3 }, cycle() + 20), 'the tasks of an array begin');
my %turn;
ok($c->wait_for('turns', sub { $turn{$_} = 1 for grep { $c->state("${array}_$_") eq 'RUNNING' } 1 .. 3; keys %turn == 3 }, cycle() + 20),
	'  and have their turns');
$c->cmd('scancel', $array);

# ---- without a default memory ----

my $mark = $c->log_mark;
is($c->emulate('reconfigure', '--conf', $c->file('conf', $lines =~ s/ DefMemPerNode=700//r))->{rc}, 0, 'without DefMemPerNode=');
ok($c->wait_for('the warning', sub { $c->log_text($mark) =~ $warning }, 30), 'it is warned of');
$c->healthy;
$c->down;
done_testing;
