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
use IO::Socket::INET;
use JSON::PP;

plan skip_all => 'needs root, for control groups' if $>;
plan skip_all => 'the kernel offers no cpu controller of version 1 that can be written' if !-w '/sys/fs/cgroup/cpu/cpu.shares';

my $conf = "Guard=30\nAdmissionTime=5000\nPlanInterval=2\nSocketRate=0\nShareInterval=2\nPartitionName=batch Admission=libra\n";
my $c = Cluster->up(nodes => 3, shares => 20, conf => "SelectTypeParameters=CR_Memory\n", pact => $conf);
my $pact = "$Cluster::build/contrib/pact/pact";
my $burn = 'while :; do :; done';

sub answer {
	my $r = $c->cmd($pact, '--json', @_);
	diag("pact @_: $r->{rc} $r->{err}") if $r->{rc};
	return $r->{rc} ? {} : decode_json($r->{out});
}

# What a node's daemon says, and what of a job.
sub daemon {
	my $node = shift;
	return eval { decode_json(qx{$Cluster::build/node/pactd --dir $c->{dir}/c/run/$node status --json}) } // {};
}

sub on_node {
	my ($node, $id) = @_;
	my ($job) = grep { $_->{id} == $id } @{ daemon($node)->{jobs} // [] };
	return $job // {};
}

sub planned_end {
	my $id = shift;
	my ($job) = grep { $_->{job} == $id } @{ answer('plan')->{jobs} // [] };
	return $job->{end} // 0;
}

ok($c->wait_for('all nodes report', sub { my $s = answer('status')->{silent}; return $s && !@$s }), 'all nodes report');

my ($one, $two, $told);
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

# By when its nodes take it to be due.
sub dues {
	my $job = shift;
	return map { on_node($_, $job->{id})->{deadline} // 0 } 'n1', 'n2';
}

# What the plan gives it on the first node, in millionths; undef: it is not there.
sub planned_share {
	my $job = shift;
	my $plan = answer('plan');
	my ($node) = grep { $plan->{names}[$_->{node}] eq 'n1' } @{ $plan->{shares} // [] };
	my ($part) = grep { $_->{job} == $job->{id} } @{ $node->{jobs} // [] };
	return $part ? $part->{share} : undef;
}

subtest 'changed terms' => sub {
	my $due = $c->field($two->{id}, 'Deadline') - 30;
	my $start = $c->field($two->{id}, 'StartTime');
	is_deeply([dues($two)], [$due, $due], 'its nodes know by when the second is due');
	my $was = planned_share($two);
	ok($c->update($two->{id}, 'TimeLimit=4'), 'it is to end earlier') or diag($c->{text});
	my $end = $c->field($two->{id}, 'EndTime');
	cmp_ok(abs($end - $start - 240), '<=', 2, 'by its record') or diag("$start $end");
	ok($c->wait_for('its nodes', sub { !grep { $_ != $end } dues($two) }), 'its nodes are told') or diag(join ' ', $end, dues($two));
	cmp_ok(planned_share($two), '>', $was, 'it has more of them');
	ok($c->wait_for('its share', sub { abs(planned_share($two) - on_node('n1', $two->{id})->{share}) < 50000 }),
		'its nodes give it what the plan does');
	ok($c->update($two->{id}, 'TimeLimit=10'), 'it may end later than promised') or diag($c->{text});
	ok($c->wait_for('its nodes', sub { !grep { $_ != $due } dues($two) }), 'it is due as promised again') or diag(join ' ', dues($two));
	is($c->promise($two->{id}), 'promised', 'which is promised still');
	is(answer('stats')->{at_risk}, 0, 'and nothing is at risk');
	my $rule = sub { return !grep { (on_node('n1', $_->{id})->{rule} // '') ne $_[0] } $one, $two };
	for my $spare ('idle', 'share') {
		$c->reconfigure("Spare=$spare\n$conf");
		ok($c->wait_for('the rule', sub { $rule->($spare) }), "Spare=$spare comes to the nodes of jobs that run");
	}
	ok($c->update($two->{id}, 'TimeLimit=4'), 'earlier again') or diag($c->{text});
	$told = $end = $c->field($two->{id}, 'EndTime');
	ok($c->wait_for('its nodes', sub { !grep { $_ != $end } dues($two) }), 'its nodes are told');
};

subtest 'suspended' => sub {
	is($c->cmd('scontrol', 'suspend', $two->{id})->{rc}, 0, 'the second is suspended');
	ok($c->wait_for('the plan', sub { my $share = planned_share($two); return defined $share && !$share }), 'it has no share');
	ok($c->wait_for('its token', sub { $c->promise($two->{id}) eq 'broken' }), 'and no promise as long as that lasts');
	# Slurm has stopped all its processes two seconds later; then the daemon looks twice.
	sleep 5;
	my ($first, $second) = map { on_node('n1', $_->{id})->{work} } $one, $two;
	sleep 6;
	is(on_node('n1', $two->{id})->{work}, $second, 'it does nothing');
	cmp_ok(on_node('n1', $one->{id})->{work}, '>', $first + 2000000, 'the other one does');
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
	is(planned_share($two), 0, 'and that the second is suspended');
	my $due = $c->field($two->{id}, 'Deadline') - 30;
	is_deeply([dues($two)], [$told, $told], 'it is due when it was before');
	is($c->cmd('scontrol', 'resume', $two->{id})->{rc}, 0, 'it is resumed');
	ok($c->wait_for('its share', sub { planned_share($two) }), 'and has its share again');
	ok($c->wait_for('its token', sub { $c->promise($two->{id}) eq 'promised' }), 'and its promise');
	ok($c->update($two->{id}, 'TimeLimit=10'), 'it may end later') or diag($c->{text});
	ok($c->wait_for('its nodes', sub { !grep { $_ != $due } dues($two) }), 'no later than promised') or diag(join ' ', dues($two));
	is(answer('status')->{at_risk}, 0, 'and none is at risk');
};

# Where slurmctld takes reports.
sub port {
	my ($port) = Cluster::slurp("$c->{dir}/c/etc/pact.conf") =~ /^ReportPort=(\d+)$/m or fail('the port of reports');
	return $port;
}

# What a credential that is sent as a report is answered; undef: it is refused.
sub sent {
	my $cred = shift;
	my $peer = IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => port()) or die "port of reports: $!";
	print $peer pack('N', length $cred), $cred;
	$peer->flush;
	my ($head, $back) = ('', '');
	return read($peer, $head, 4) == 4 && read($peer, $back, unpack 'N', $head) ? $back : undef;
}

# Nothing is lacking on a node that is silent; or so it is said.
sub well {
	my ($boot, $count) = @_;
	return encode_json({ pact => 1, node => 'n3', boot => $boot, count => $count, rating => 1000, processors => 1, cgroup => 'v1',
		lacks => '', jobs => [] });
}

# Of a silent node whose daemon was of that boot: one report that is believed would make it one that gets jobs.
sub not_believed {
	my $boot = shift;
	is(sent(Cluster::tampered($c->sealed(well('forged', 1)))), undef, 'a report that is forged is refused');
	is(sent($c->sealed({ as => 65534 }, well('stranger', 1))), undef, 'so is one of somebody else');
	is(sent($c->sealed(substr(well('cut', 1), 0, 30))), undef, 'and half a one');
	ok(sent($c->sealed(well($boot, 1))), 'an older one of the same daemon is answered');
	sleep 5;
	is("@{ answer('status')->{silent} // [] }", 'n3', 'and none of them is believed');
	my $good = $c->sealed(well('good', 1));
	ok(sent($good), 'a good one is answered');
	ok($c->wait_for('it is believed', sub { my $s = answer('status')->{silent}; return $s && !@$s }), 'and is believed');
	is(sent($good), undef, 'replayed it is refused');
	ok($c->wait_for('it is silent', sub { "@{ answer('status')->{silent} // [] }" eq 'n3' }), 'and keeps no node from being silent');
}

# It is heard again, from a node whose kernel has no control groups.
sub lacking {
	my $port = port();
	my $mark = $c->log_mark;
	my $pactd = $c->spawn("$Cluster::build/node/pactd", '-D', '--dir', "$c->{dir}/c/run/n3", '--node', 'n3', '--controller', "127.0.0.1:$port",
		'--munge-socket', "$c->{dir}/c/munge/socket", '--interval', 1, '--cgroup-root', "$c->{dir}/c/etc");
	ok($c->log_has(qr/node n3 gets no job: no cpu controller of cgroups/, $mark), 'a node that lacks something: the log says what');
	is("@{ answer('status')->{silent} // [] }", 'n3', 'it is named');
	$c->refused('and gets no job', ['-w', 'n3', '-N1', '-t1', '--deadline=now+10minutes'], qr/free on 0 of the 1 node needed/);
	kill 'TERM', $pactd->{pid};
	$c->finish($pactd);
}

subtest 'a silent node' => sub {
	my $boot = daemon('n3')->{boot};
	ok($boot, 'a daemon tells of its start');
	$c->emulate('kill-pactd', 3);
	ok($c->wait_for('it is silent', sub { "@{ answer('status')->{silent} // [] }" eq 'n3' }, 40), 'a node whose daemon is silent is named');
	$c->refused('and gets no job', ['-w', 'n3', '-N1', '-t1', '--deadline=now+10minutes'], qr/free on 0 of the 1 node needed/);
	not_believed($boot);
	is($c->promise($_->{id}), 'promised', 'promises elsewhere stay') for $one, $two;
	lacking();
	$c->emulate('start-pactd', 3);
	my $r;
	ok($c->wait_for('it is back', sub {
		$r = $c->sbatch(['-w', 'n3', '-N1', '-t1', '--deadline=now+10minutes'], runs => 2);
		return $r->{id};
	}, 40), 'back, it gets jobs') or diag($r->{text});
	$c->reaches('that run', $r->{id}, 'COMPLETED');
};

subtest 'no time limit' => sub {
	my $id = $c->plain(['-w', 'n3', '-N1', '--time=UNLIMITED'], runs => 8);
	$c->reaches('it runs', $id, 'RUNNING');
	is(on_node('n3', $id)->{share}, 1000000, 'with all of a node that no other job needs');
	$c->reaches('to its end', $id, 'COMPLETED');
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
