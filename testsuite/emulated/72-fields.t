#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 72-fields: what is decided is what the record asks for, field by field (slurm/state/terms.h), whatever Slurm makes
# of a random submission to partitions with unlike limits, defaults, tiers and QOS; and nothing that is
# promised is at risk for it. 500 submissions, or PACT_FIELDS; `make check-fields` tries 10,000. PACT_SEED
# repeats a run. Runs first: it takes a minute.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Test::More;
use Cluster;
use Storm;

plan skip_all => 'slurmdbd or mariadb-server-core is not installed' unless Cluster::has_accounting();

my $all = $ENV{PACT_FIELDS} // 500;
my $seed = $ENV{PACT_SEED} // 16;
my $at_once = 4;
my $batch = 60;    # submissions until all is cancelled

# QOS with limits that a job alone decides about, of jobs and of a partition.
sub limits {
	my $c = shift;
	my $me = getpwuid $>;
	$c->accounts(qw(add account science));
	$c->accounts('add', 'user', $me, 'account=science');
	$c->accounts(qw(add qos short set MaxWall=50));
	$c->accounts(qw(add qos narrow set MaxTRESPerJob=node=3));
	$c->accounts(qw(add qos over set flags=OverPartQOS MaxWall=100));
	$c->accounts(qw(add qos part set MaxWall=90 MinTRESPerJob=node=1));
	$c->accounts('modify', 'user', $me, 'where', 'account=science', 'set', 'qos=normal,short,narrow,over',
		'defaultqos=normal');
	$c->accounts('modify', 'user', $me, 'set', 'defaultaccount=science');
	is($c->emulate('reconfigure', '--partition', 'judged Nodes=n[2-9] QOS=part PriorityTier=7', '--partition',
			'picky Nodes=ALL AllowQos=short,over DefaultTime=20')->{rc}, 0, 'partitions with QOS');
}

# Once Slurm has tried it in batch it takes whole nodes in the others, too (OverSubscribe=EXCLUSIVE), and so comes over
# MaxMemPerCPU of the first, which has no node for it anyway.
my @tried = (qw(-N2 -c2 --ntasks-per-node=2 --mem=3500 --tmp=2000 -t5 -p), 'each,small,batch');

# Everything waits for the wall, so that what is decided is seen by a pass before it could start.
sub wall {
	my $c = shift;
	my $wall = $c->plain(['-N', $Storm::nodes, '-t60', '--exclusive', '--mem=0']);
	$c->wait_state($wall, 'RUNNING');
}

sub storm {
	my ($c, $n) = @_;
	my $storm = Storm->new(seed => $seed, qos => [qw(normal short narrow over)], more => [qw(judged picky)]);
	my ($promised, $refused) = (0, 0);    # by Slurm, after that
	for (my $i = 0; $i < $n;) {
		wall($c);
		for (my $in = 0; $in < $batch && $i < $n;) {
			my @jobs;
			for (1 .. $at_once) {
				last if ++$i > $n;
				$in++;
				push @jobs, [$i == 1 ? @tried : $storm->submission(100),
					'--deadline=now+' . Storm::between(20, 60) . 'hours'];
			}
			for my $r ($storm->submit($c, 'true', @jobs)) {
				next if "$r->{err}$r->{out}" !~ /deadline: accepted/;
				$promised++;
				$refused++ if !$r->{id};
			}
		}
		$c->seen;
		$c->cmd('scancel', '-Q', '-u', scalar getpwuid $>);
		$c->wait_for('an empty queue', sub { $c->out('squeue', '-h', '-a', '-o', '%A') eq '' });
	}
	my $s = $storm->judge($c, "$n submissions: nothing differs, or is at risk");
	cmp_ok($promised, '>', $n / 3, "many were promised ($promised)");
	my %left = %{ $s->{not_compared} };
	my $left = join ', ', map { "$_: $left{$_}" } grep { $left{$_} } sort keys %left;
	is($left, $refused ? "gone: $refused" : '', "left out is what Slurm refused after that ($refused)");
	is($s->{compared} + $refused, $promised, "all others were compared ($s->{compared})");
}

for my $select ($ENV{PACT_SELECT} ? $ENV{PACT_SELECT} : qw(cons_tres linear)) {
	subtest $select => sub {
		my $n = $ENV{PACT_SELECT} ? $all : int($all / 2);
		my $c = Cluster->up(nodes => $Storm::nodes, node => \@Storm::node, features => \@Storm::features,
			partition => \@Storm::partition, accounting => 1, select => $select,
			pact => "Guard=60\nAdmissionTime=5000\n", conf => 'SelectTypeParameters=' .
				($select eq 'linear' ? 'CR_Memory' : 'CR_Core_Memory') . "\n");
		limits($c);
		storm($c, $n);
		$c->healthy;
		$c->down;
	};
}
done_testing;
