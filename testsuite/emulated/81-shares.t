#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 81-shares: a realm with all that belongs to it: jobs are let in by deadline, their nodes' daemons give them their shares
# and report what was done, and nodes whose daemons are silent get no job.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Test::More;
use Cluster;
use JSON::PP;

plan skip_all => 'needs root, for control groups' if $>;
plan skip_all => 'the kernel offers no cpu controller of version 1 that can be written' if !-w '/sys/fs/cgroup/cpu/cpu.shares';

my $c = Cluster->up(nodes => 3, shares => 20, conf => "SelectTypeParameters=CR_Memory\n",
	pact => "Guard=30\nAdmissionTime=5000\nPlanInterval=2\nSocketRate=0\nShareInterval=2\nPartitionName=batch Admission=libra\n");
my $pact = "$Cluster::build/contrib/pact/pact";
my $burn = 'while :; do :; done';

sub answer {
	my $r = $c->cmd($pact, '--json', @_);
	diag("pact @_: $r->{rc} $r->{err}") if $r->{rc};
	return $r->{rc} ? {} : decode_json($r->{out});
}

# What a node's daemon says of a job.
sub on_node {
	my ($node, $id) = @_;
	my $status = eval { decode_json(qx{$Cluster::build/node/pactd --dir $c->{dir}/c/run/$node status --json}) } // {};
	my ($job) = grep { $_->{id} == $id } @{ $status->{jobs} // [] };
	return $job // {};
}

sub planned_end {
	my $id = shift;
	my ($job) = grep { $_->{job} == $id } @{ answer('plan')->{jobs} // [] };
	return $job->{end} // 0;
}

ok($c->wait_for('all nodes report', sub { my $s = answer('status')->{silent}; return $s && !@$s }), 'all nodes report');

my ($one, $two);
subtest 'shares' => sub {
	$one = $c->accepted('the first', ['-N2', '-t1', '--deadline=now+150'], script => "srun -N2 sh -c '$burn'");
	$c->reaches('it runs', $one->{id}, 'RUNNING');
	$two = $c->accepted('the second', ['-N2', '-t1', '--deadline=now+330'], script => "srun -N2 sh -c '$burn'");
	$c->reaches('it runs beside it', $two->{id}, 'RUNNING');
	for my $node ('n1', 'n2') {
		ok($c->wait_for("both on $node", sub {
			my ($a, $b) = (on_node($node, $one->{id}), on_node($node, $two->{id}));
			return ($a->{share} // 0) > ($b->{share} // 0) && $b->{share};
		}), "on $node the nearer deadline has more");
	}
};

subtest 'progress' => sub {
	ok($c->wait_for('work', sub { (on_node('n1', $one->{id})->{work} // 0) > 5000000 }), 'work is measured');
	my $end;
	ok($c->wait_for('an end', sub { $end = planned_end($one->{id}) }), 'an end is predicted');
	cmp_ok($end, '<=', $c->field($one->{id}, 'Deadline'), 'before the deadline');
	is(answer('stats')->{at_risk}, 0, 'nothing is at risk');
	my $plan = answer('plan');
	my ($node) = grep { $plan->{names}[$_->{node}] eq 'n1' } @{ $plan->{shares} // [] };
	is_deeply([map { $_->{job} } @{ $node->{jobs} // [] }], [$one->{id}, $two->{id}], 'the plan has both jobs on the node');
	cmp_ok(abs($node->{jobs}[0]{share} - on_node('n1', $one->{id})->{share}), '<', 100000, 'with the shares that the node gives');
	cmp_ok($node->{jobs}[0]{end}, '<=', $c->field($one->{id}, 'Deadline'), 'and predicted ends');
	cmp_ok($node->{spare}, '<', 1000000, 'something of it is needed');
	is_deeply([map { $plan->{names}[$_->{node}] } @{ $plan->{shares} }], ['n1', 'n2'], 'no other node is shared');
	is(answer('stats')->{differing}, 0, 'and records have the terms that were promised');
};

subtest 'kill -9 of slurmctld' => sub {
	my $before = on_node('n1', $one->{id})->{work};
	ok($c->wait_for('the saved state', sub {
		return index(Cluster::slurp("$c->{dir}/c/state/job_state"), 'PACT_TERMS=1:' . $c->field($two->{id}, 'SubmitTime')) >= 0;
	}), 'both are saved');
	$c->emulate('kill-controller');
	ok($c->wait_for('more work', sub { (on_node('n1', $one->{id})->{work} // 0) > $before + 1000000 }), 'the shares outlive it');
	$c->emulate('start-controller');
	$c->remember_controller;
	ok($c->wait_for('reports', sub { my $s = answer('status')->{silent}; return $s && !@$s }), 'the nodes report again');
	is(answer('status')->{open}, 2, 'both promises are known');
	is(answer('status')->{at_risk}, 0, 'and none is at risk');
};

subtest 'a silent node' => sub {
	$c->emulate('kill-pactd', 3);
	ok($c->wait_for('it is silent', sub { "@{ answer('status')->{silent} // [] }" eq 'n3' }, 40), 'a node whose daemon is silent is named');
	$c->refused('and gets no job', ['-w', 'n3', '-N1', '-t1', '--deadline=now+10minutes'], qr/free on 0 of the 1 node needed/);
	is($c->promise($_->{id}), 'promised', 'promises elsewhere stay') for $one, $two;
	$c->emulate('start-pactd', 3);
	my $r;
	ok($c->wait_for('it is back', sub {
		$r = $c->sbatch(['-w', 'n3', '-N1', '-t1', '--deadline=now+10minutes'], runs => 2);
		return $r->{id};
	}, 40), 'back, it gets jobs') or diag($r->{text});
	$c->reaches('that run', $r->{id}, 'COMPLETED');
};

subtest 'what does not know its nodes does not burn' => sub {
	my @replay = ("$Cluster::build/contrib/replay/pact-replay", '--model', 'poisson', '--burn');
	is($c->{env}{PACT_EMULATE_SHARES}, 20, 'the environment says what a node has');
	my $r = $c->cmd('env', 'PACT_EMULATE_SHARES=0', @replay);
	is($r->{rc}, 2, 'without that no job is submitted');
	like($r->{err}, qr/^pact-replay: --burn: nothing says what a node has to share .* no cluster of pact-emulate --shares$/m,
		'and the user is told');
};

subtest 'after the last job' => sub {
	$c->cmd('scancel', $one->{id}, $two->{id});
	ok($c->wait_for('no group', sub { !glob('/sys/fs/cgroup/cpu/pact_' . $c->out('scontrol', 'show', 'config') =~ s/.*SlurmctldPort\s*=\s*(\d+).*/$1/sr . '_n*/job_*') }),
		'nothing of its jobs is left in the cgroup tree');
};

$c->healthy;
done_testing;
