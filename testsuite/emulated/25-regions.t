#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 25-regions: where a promised job may run: partitions, features, nodes required and excluded.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Test::More;
use Cluster;

my $c = Cluster->up(nodes => 8, features => ['1-3:fast', '4:fast,big', '5-6:big'], node => ['8:CPUs=2'],
	partition => ['left Nodes=n[1-4]', 'right Nodes=n[5-8]', 'middle Nodes=n[3-6] MaxTime=30',
		'low Nodes=n[1-3]', 'high Nodes=n[3-4] PriorityTier=10', 'off Nodes=n8', 'down Nodes=n8 State=DOWN', 'wide Nodes=n[5-7] MinNodes=3 MaxNodes=3'],
	pact => "Guard=60\nAdmissionTime=5000\nPartitionName=off Admission=none\n");

# Everything is busy for ten minutes; what ends within 24 minutes has exactly one place per node.
sub busy {
	$c->clear;
	my $wall = $c->plain(['-N8', '-t10']);
	$c->reaches('all nodes are busy', $wall, 'RUNNING');
	return $wall;
}

my @slot = ('-t10', '--deadline=now+24minutes');

sub nodes {
	my $list = shift;
	my $names = $c->out('scontrol', 'show', 'hostnames', $list);
	return sort split /\n/, $names;
}

# Let the promised ones run, and give their nodes. That they all fit side by side was seen in the answers.
sub runs_on {
	my ($wall, @ids) = @_;
	$c->cmd('scancel', $wall);
	return $c->run_all(@ids);
}

# A test: each of the first list is in the second.
sub within {
	my ($name, $list, @allowed) = @_;
	my %allowed = map { $_ => 1 } @allowed;
	my @got = nodes($list);
	return ok(@got && !(grep { !$allowed{$_} } @got), "$name ($list)");
}

subtest 'overlapping partitions' => sub {
	my $wall = busy();
	my $left = $c->accepted('three nodes of the left', ['-p', 'left', '-N3', @slot]);
	my $right = $c->accepted('three nodes of the right', ['-p', 'right', '-N3', @slot]);
	$c->refused('no three in the middle any more', ['-p', 'middle', '-N3', @slot]);
	my $middle = $c->accepted('but two', ['-p', 'middle', '-N2', @slot]);
	$c->refused('then the left is full', ['-p', 'left', '-N1', @slot]);
	$c->refused('and everything', ['-N1', @slot]);
	my @on = runs_on($wall, map { $_->{id} } $left, $right, $middle);
	within('it runs on the left', $on[0], map { "n$_" } 1 .. 4);
	within('it runs on the right', $on[1], map { "n$_" } 5 .. 8);
	within('it runs in the middle', $on[2], map { "n$_" } 3 .. 6);
};

subtest 'several partitions' => sub {
	my $wall = busy();
	my $left = $c->accepted('the left is full', ['-p', 'left', '-N4', @slot]);
	my $both = $c->accepted('left or right: it goes right', ['-p', 'left,right', '-N4', @slot]);
	$c->refused('neither has room now', ['-p', 'left,right', '-N1', @slot]);
	my @on = runs_on($wall, $left->{id}, $both->{id});
	is($on[0], 'n[1-4]', 'the one of the left runs there');
	like($on[1], qr/^n\[(1-4|5-8)\]$/, 'the other in one of the two');
};

# Slurm gives a job that names no node count its partition's least, the least of several.
subtest 'node counts and other limits of a partition' => sub {
	$c->clear;
	my $r = $c->accepted('no node count', ['-p', 'wide', '-t1', '--deadline=now+10hours'], runs => 0);
	is($c->field($r->{id}, 'NumNodes') =~ /^(\d+)/ ? $1 : '', 3, 'it gets three');
	$c->promises_kept('and is kept');
	my @waits = ([qr/wide: MinNodes=3 is more/, '-p', 'wide', '-N1', '-t1'], [qr/wide: MaxNodes=3 is less/, '-p', 'wide', '-N4', '-t1'],
		[qr/middle: MaxTime=30 \(minutes\) is less/, '-p', 'middle', '-N1', '-t31'],
		[qr/down: State=DOWN/, '-p', 'down', '-N1', '-t1'], [qr/down: State=DOWN/, '-p', 'down,wide', '-N1', '-t1']);
	for (@waits) {
		my ($says, @job) = @$_;
		$r = $c->sbatch([@job, '--deadline=now+10hours']);
		like($r->{text}, qr/deadline: not promised: partition $says/, "@job: not promised, and what for is named");
		$c->cmd('scancel', $r->{id}) if $r->{id};
	}
	my $wall = $c->plain(['-p', 'left', '-N4', '-t60']);
	$c->reaches('one of them is full', $wall, 'RUNNING');
	$c->settle;
	$c->refused('Slurm starts three tasks of its least in no other', ['-p', 'left,wide', '-n3', @slot]);
	$c->accepted('but there', ['-p', 'wide', '-n3', @slot], runs => 0);
	$c->promises_kept('kept');
};

subtest 'a node for several tasks' => sub {
	$c->clear;
	my $wall = $c->plain(['-w', 'n8', '-N1', '-t60']);
	$c->reaches('the one that is large enough is busy', $wall, 'RUNNING');
	$c->settle;
	my @job = ('-N1', '--ntasks-per-node=2');
	$c->refused('no other will do', [@job, @slot]);
	my $r = $c->accepted('but that one later', [@job, '-t10', '--deadline=now+90minutes'], runs => 0);
	$c->settle;
	is($c->promise($r->{id}), 'promised', 'as its record says, too');
	$c->cmd('scancel', $wall);
	$c->promises_kept('kept');
};

subtest 'features' => sub {
	my $wall = busy();
	my $fast = $c->accepted('three fast ones', ['-C', 'fast', '-N3', @slot]);
	my $and = $c->accepted('the one that is fast and big', ['-C', 'fast&big', '-N1', @slot]);
	$c->refused('there is no second', ['-C', 'fast&big', '-N1', @slot]);
	$c->refused('nor a fast one', ['-C', 'fast', '-N1', @slot]);
	$c->refused('two that are fast and big: never', ['-C', 'fast&big', '-N2', '-t10', '--deadline=now+10hours'],
		qr/2 nodes are more/);
	my @on = runs_on($wall, $fast->{id}, $and->{id});
	within('fast ones run on fast nodes', $on[0], map { "n$_" } 1 .. 4);
	is($on[1], 'n4', 'the other on that one');
	$c->refused('counts are named', ['-C', '[fast*1&big*1]', '-N2', '-t10', '--deadline=now+10hours'], qr{counts of features});
	$c->refused('exclusive or is named', ['-C', '[fast|big]', '-N2', '-t10', '--deadline=now+10hours'], qr{alternatives or counts of features});
	my $r = $c->sbatch(['-C', 'nothing', '-N1', '-t10', '--deadline=now+10hours']);
	ok(!$r->{id}, 'an unknown feature is refused');
};

subtest 'nodes by name' => sub {
	my $wall = busy();
	my $w = $c->accepted('-w', ['-w', 'n[2,7]', '-N2', @slot]);
	$c->refused('one of them again', ['-w', 'n7', '-N1', @slot]);
	my $more = $c->accepted('-w with fewer than are wanted', ['-w', 'n8', '-N2', @slot]);
	my $x = $c->accepted('-x', ['-x', 'n[3-4]', '-N2', @slot]);
	my $rest = $c->accepted('the rest', ['-N2', @slot]);
	my @on = runs_on($wall, map { $_->{id} } $w, $more, $x, $rest);
	is($on[0], 'n[2,7]', '-w runs there');
	ok((grep { $_ eq 'n8' } nodes($on[1])), 'with the one that was wanted');
	ok(!(grep { /^n[34]$/ } nodes($on[2])), '-x does not');
	my $r = $c->sbatch(['-w', 'n99', '-N1', '-t10', '--deadline=now+10hours']);
	ok(!$r->{id}, 'a node that does not exist is refused');
};

# Slurm sorts a record's partitions by their tier, after the submission was decided.
subtest 'partitions of several tiers, in any order' => sub {
	my $seed = $ENV{PACT_SEED} // 5;
	srand $seed;
	for my $round (1 .. 4) {
		busy();
		my ($mark, $promised) = ($c->log_mark, 0);
		for (1 .. 24) {
			my @job = ('-p', ('low,high', 'low,high', 'low', 'high')[rand 4], '-N' . (1 + int rand 2),
				'-t' . (5 + int rand 10));
			my $r = $c->sbatch([@job, '--deadline=now+3minutes']);
			next unless $r->{text} =~ /earliest that can be promised: --deadline=([^\s;,]+)/;
			$r = $c->sbatch([@job, "--deadline=$1"]);
			$promised++ if $r->{by};
		}
		cmp_ok($promised, '>', 20, "round $round: promised at the earliest that there is");
		$c->settle;
		my @lost = $c->log_text($mark) =~ /(JobId=\d+: the promised completion .*)/g;
		ok(!@lost, 'and all of it stands') or diag("PACT_SEED=$seed, round $round: $lost[0]");
	}
};

subtest 'partitions that stop a promise' => sub {
	$c->clear;
	my @far = ('--deadline=now+10hours');
	$c->refused('Admission=none, by name', ['-p', 'off', '-N1', '-t10', @far], qr/partition off \(Admission=none\)/);
	my $plain = $c->plain(['-p', 'off', '-N1', '-t1'], runs => 0);
	$c->reaches('plain jobs run there', $plain, 'COMPLETED');
	my $r = $c->sbatch(['-p', 'middle', '-N1', '-t60', @far]);
	ok($c->promise($r->{id} // 0) ne 'promised', 'no promise over the partition\'s limit');
	$r = $c->sbatch(['-p', 'down', '-N1', '-t10', @far]);
	ok($c->promise($r->{id} // 0) ne 'promised', 'no promise in a partition that is down');
};

$c->clear;
$c->healthy;
$c->down;

# What a plugin may give to a node by a reboot cannot be planned; a node's own features can, beside that plugin.
subtest 'features beside those that a reboot changes' => sub {
	$c = Cluster->up(nodes => 3, features => ['1-2:fast'],
		conf => "NodeFeaturesPlugins=node_features/helpers\nRebootProgram=/bin/true\n",
		files => { 'helpers.conf' => "Feature=hot Helper=/bin/true\nFeature=cold Helper=/bin/true\n" });
	like($c->out('scontrol', 'show', 'node', 'n1'), qr/AvailableFeatures=\S*hot/, 'Slurm knows the plugin\'s features');
	my $fast = $c->accepted('both fast nodes', ['-C', 'fast', '-N2', '-t1', '--deadline=now+10hours']);
	$c->refused('three are too many', ['-C', 'fast', '-N3', '-t1', '--deadline=now+10hours'], qr/--constraint/);
	$c->refused('what a reboot changes', ['-C', 'hot', '-N1', '-t1', '--deadline=now+10hours'], qr/features that nodes may change by a reboot/);
	$c->refused('both kinds', ['-C', 'fast&cold', '-N1', '-t1', '--deadline=now+10hours'], qr/features that nodes may change by a reboot/);
	my ($on) = $c->run_all($fast->{id});
	is($on, 'n[1-2]', 'it runs on the fast ones');
	$c->healthy;
};

done_testing;
