#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 77-works-with: what doc/works-with.md says of sacct, of fair share, of a federation and of what a portal like
# Open OnDemand runs. Two clusters with one real slurmdbd.
# Runs first: fair share is counted once a minute.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Test::More;
use Cluster;

plan skip_all => 'slurmdbd or MariaDB is not installed' unless Cluster::has_accounting();
my $c = Cluster->up(nodes => 4, accounting => 1, files => { 'plugstack.conf' => 'required ' . Cluster::plugin_dir() . "/spank_pact.so\n" },
	conf => "PlugStackConfig=\@DIR\@/etc/plugstack.conf\nPriorityType=priority/multifactor\nPriorityWeightFairshare=100000\nPriorityCalcPeriod=1\n");
my $me = getpwuid $>;

sub conf {
	my $key = shift;
	my ($value) = Cluster::slurp("$c->{dir}/c/etc/slurm.conf") =~ /^\Q$key\E=(.*)$/m;
	return "$key=$value\n";
}

$c->accounts(qw(add account thrifty));
$c->accounts(qw(add account greedy));
$c->accounts('add', 'user', $me, 'account=thrifty,greedy');
# What greedy has used is known when fair share is counted, at the end of this script.
my $spent = $c->plain(['-N4', '-t5', '-A', 'greedy'], runs => 5);
$c->reaches('an account uses what it has', $spent, 'COMPLETED');

subtest 'sacct has the token' => sub {
	my $r = $c->accepted('a promise', ['-N1', '-t2', '--deadline=now+1hour'], runs => 0);
	$c->reaches('it ends', $r->{id}, 'COMPLETED');
	my $shown = '';
	$c->wait_for('the record in accounting', sub {
		$shown = $c->out('sacct', '-X', '-n', '-P', '-j', $r->{id}, '-o', 'state,admincomment');
		return $shown =~ /^COMPLETED/;
	});
	like($shown, qr/^COMPLETED\|pact1\(id=\w+,deadline=$r->{by},limit=120,state=promised\)$/, 'in AdminComment');
	ok($c->wait_field($r->{id}, 'AdminComment', qr/state=promised,ended=kept/), 'what became of it only slurmctld knows');
	unlike($c->out('sacct', '--helpformat'), qr/deadline/i, 'sacct has no field for a deadline');
};

# As ood_core does: the script comes by standard input, --parsable, and what is on standard output is the number.
subtest 'a portal that runs sbatch --parsable' => sub {
	my $portal = sub {
		my $r = $c->cmd('sh', '-c', 'printf "#!/bin/sh\nsleep 0\n" | sbatch -o /dev/null "$@" --parsable', 'sh', @_);
		return $r;
	};
	my $r = $portal->('-N1', '-t5', '--deadline=now+2hours');
	is($r->{rc}, 0, 'accepted');
	like($r->{out}, qr/^\d+$/, 'standard output is the number alone');
	like($r->{err}, qr/deadline: accepted: /, 'the answer is beside it');
	$r = $portal->('-N1', '-t500', '--deadline=now+2hours');
	isnt($r->{rc}, 0, 'refused');
	is($r->{out}, '', 'no number');
	like($r->{err}, qr/^sbatch: error: deadline: refused: .*earliest that can be promised/m,
		'and the reason where a portal takes its error from');
};

subtest 'a federation' => sub {
	my $d = Cluster->up(nodes => 4, conf => join('', "ClusterName=other\n", map { conf($_) } qw(AuthInfo
		AccountingStorageType AccountingStorageHost AccountingStoragePort AccountingStoragePass)));
	$c->accounts('add', 'federation', 'both', 'clusters=pact,other');
	$c->wait_for('the federation', sub {
		return !grep { $_->out('scontrol', 'show', 'federation') !~ /PersistConnSend\/Recv:Yes\/Yes Synced:Yes/ } $c, $d;
	});
	$c->plain(['-N4', '-t60']) for 1, 2;
	ok($c->wait_for('both clusters full', sub {
		return !grep { $_->out('sinfo', '-h', '-o', '%T') ne 'allocated' } $c, $d;
	}), 'two wide jobs without a deadline, and each cluster runs one');
	my $r = $c->accepted('a promise of the cluster that was asked', ['-N2', '-t10', '--deadline=now+3hours']);
	like($c->field($r->{id}, 'FedOrigin'), qr/^pact/, 'it is a job of the federation');
	ok($d->log_has(qr/deadline: refused: cannot be planned/), 'the other one does not take it');
	$d->clear;
	is($c->state($r->{id}), 'PENDING', 'it stays where it is promised when the other is idle');
	$c->refused('several clusters named', ['-M', 'pact,other', '-N2', '-t10', '--deadline=now+3hours'], qr/several clusters/);
	my $m = $c->sbatch([qw(-N1-2 --malleable -t10)]);
	like($m->{text}, qr/--malleable: a job is not resized that has the other clusters of a federation/, '--malleable is refused by name');
	$c->refused('no other cluster is asked', ['-N4', '-t90', '--deadline=now+2hours'], qr/no room|do not fit/);
	$c->accounts(qw(remove federation both));
	$c->clear;
	$d->healthy('the other slurmctld is healthy');
	$d->down;
};

subtest 'fair share' => sub {
	my $factors = sub {
		return map { /^(\w+)\|([\d.]+)$/ ? ($1 => $2) : () }
			split /\n/, $c->out('sshare', '-n', '-P', '-U', '-o', 'account,fairshare');
	};
	ok($c->wait_for('fair share to be counted', sub {
		my %of = $factors->();
		return ($of{thrifty} // 0) > ($of{greedy} // 0);
	}), 'who has used more has less of it');
	my $wall = $c->plain(['-N4', '-t5'], runs => 2);
	$c->reaches('a full cluster', $wall, 'RUNNING');
	my $greedy = $c->plain(['-N4', '-t1', '-A', 'greedy'], runs => 1);
	my $thrifty = $c->plain(['-N4', '-t1', '-A', 'thrifty'], runs => 1);
	$c->reaches('jobs without a deadline', $_, 'COMPLETED') for $greedy, $thrifty;
	my $ended = $c->ended_jobs;
	cmp_ok($ended->{$thrifty}{StartTime}, '<', $ended->{$greedy}{StartTime}, 'go by it, not by their submission');
};

$c->healthy;
done_testing;
