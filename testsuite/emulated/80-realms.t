#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 80-realms: partitions whose jobs share nodes by their deadlines (Admission=librarisk), or have them in the order of
# deadlines (edf), beside one that is planned: what users are told, what nodes are told, a controller that is killed.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Test::More;
use Cluster;
use JSON::PP;

my $base = "ReportPort=0\nGuard=60\nAdmissionTime=5000\nPlanInterval=2\nSocketRate=0\nRecordDir=\@DIR\@/rec\nRecord=on\n";
my $realms = "PartitionName=shared Admission=librarisk\nPartitionName=order Admission=edf\n";
my @partitions = ('batch Nodes=n[1-2] Default=YES MaxTime=INFINITE',
	'shared Nodes=n[3-4] MaxTime=INFINITE OverSubscribe=FORCE:4', 'order Nodes=n5 MaxTime=INFINITE');
# The prolog tells what SPANK's prologs find.
my $conf = "SelectTypeParameters=CR_Memory\nDefMemPerNode=500\nPrologFlags=Alloc\nProlog=\@DIR\@/prolog.sh\n";
my $rec = File::Temp::tempdir(CLEANUP => 1, TMPDIR => 1);
chmod 0755, $rec;
$base =~ s/\@DIR\@\/rec/$rec/;
$conf =~ s/\@DIR\@\/prolog/$rec\/prolog/;
open(my $f, '>', "$rec/prolog.sh") or die "$rec: $!";
print $f "#!/bin/sh\necho \"\$SPANK_PACT_TERMS\" >$rec/\$SLURM_JOB_ID.\$SLURMD_NODENAME\n";
close $f;
chmod 0755, "$rec/prolog.sh";

my $c = Cluster->up(nodes => 5, partition => \@partitions, pact => $base . $realms, conf => $conf);
my $pact = "$Cluster::build/contrib/pact/pact";

sub answer {
	my $r = $c->cmd($pact, '--json', @_);
	diag("pact @_: $r->{rc} $r->{err}") if $r->{rc};
	return $r->{rc} ? {} : decode_json($r->{out});
}

# What the prolog found on that node; waits for it.
sub terms {
	my ($id, $node) = @_;
	my $text = '';
	$c->wait_for("the prolog of $id on $node", sub { -s "$rec/$id.$node" && ($text = Cluster::slurp("$rec/$id.$node")) });
	chomp $text;
	return $text;
}

ok($c->wait_for('the schedulers in the log', sub { $c->log_has(qr/nodes by scheduler: qops\@0-1\+edf\@4\+librarisk\@2-3$/m) }),
	'each has its nodes');
like($c->cmd($pact, 'ask', '-p', 'shared', '-N1-2', '--malleable', '-t5')->{err},
	qr/--malleable: in partition shared jobs share their nodes/, '--malleable is refused by name where jobs share nodes');
my $planned = $c->accepted('a promise in what is planned', ['-N2', '-t10', '--deadline=now+30minutes']);

my ($one, $two);
subtest 'two that share' => sub {
	$one = $c->accepted('the first', ['-p', 'shared', '-N2', '-t10', '--deadline=now+21minutes']);
	like($one->{text}, qr/starts now with 100 % of its processors/, 'has all');
	$c->reaches('it runs', $one->{id}, 'RUNNING');
	$two = $c->accepted('the second', ['-p', 'shared', '-N2', '-t10', '--deadline=now+25minutes']);
	like($two->{text}, qr/starts now with \d\d % of its processors/, 'has a share');
	$c->reaches('it runs beside the first', $two->{id}, 'RUNNING');
	is($c->field($two->{id}, 'NodeList'), $c->field($one->{id}, 'NodeList'), 'on the same nodes');
	for ($one, $two) {
		my $due = $c->field($_->{id}, 'Deadline') - 60;
		my $submit = $c->field($_->{id}, 'SubmitTime');
		is($c->field($_->{id}, 'EndTime'), $due, 'it may run until it is due');
		is(terms($_->{id}, $c->out('scontrol', 'show', 'hostnames', 'n[3-4]') =~ /(n3)/), "1:$submit:600:$due:0:share",
			'its nodes are told');
		is(terms($_->{id}, 'n4'), "1:$submit:600:$due:0:share", 'all of them');
		is($c->promise($_->{id}), 'promised', 'its token says that it is promised');
	}
};

subtest 'refused' => sub {
	my $r = $c->refused('no share is left', ['-p', 'shared', '-N2', '-t10', '--deadline=now+14minutes'],
		qr/shares for 2 nodes for 00:10:00 before \S+ are free on 0 of the 2 nodes needed/);
	ok($r->{offer}, 'another deadline is offered') or return;
	my $third = $c->accepted('which is accepted', ['-p', 'shared', '-N2', '-t10', "--deadline=$r->{offer}"]);
	$c->cmd('scancel', $third->{id});
	my $test = $c->sbatch(['--test-only', '-p', 'shared', '-N2', '-t10', '--deadline=now+14minutes']);
	like($test->{text}, qr/0 of the 2 nodes needed/, '--test-only is told the same');
	my $ask = $c->cmd($pact, 'ask', '-p', 'shared', '-N2', '-t10', '--deadline=now+14minutes');
	like($ask->{out} . $ask->{err}, qr/0 of the 2 nodes needed/, 'and pact ask');
};

subtest 'kill -9' => sub {
	ok($c->wait_for('both in the saved state', sub {
		my $state = Cluster::slurp("$c->{dir}/c/state/job_state");
		return 2 == grep { index($state, "PACT_TERMS=1:" . $c->field($_->{id}, 'SubmitTime')) >= 0 } $one, $two;
	}), 'the terms are saved');
	$c->emulate('kill-controller');
	$c->emulate('start-controller');
	$c->remember_controller;
	ok($c->wait_for('a plan', sub { answer('status')->{planned} }), 'there is a plan again');
	ok($c->wait_for('an answer by the plan', sub {
		return $c->sbatch(['-p', 'shared', '-N2', '-t10', '--deadline=now+14minutes'])->{text} =~ /0 of the 2 nodes/;
	}), 'no share is given twice');
	$c->refused('and no memory', ['-p', 'shared', '-N1', '-t1', '--mem=3500', '--deadline=now+90minutes'],
		qr/free on 0 of the 1 node needed/);
	is($c->promise($_->{id}), 'promised', 'promised still') for $one, $two;
	is(answer('stats')->{at_risk}, 0, 'no promise is at risk');
};

subtest 'expected' => sub {
	$c->cmd('scancel', $one->{id}, $two->{id});
	my $r;
	ok($c->wait_for('the nodes are free', sub {
		$r = $c->sbatch(['-p', 'shared', '-N2', '-t10', '--deadline=now+8minutes'], runs => 1);
		return $r->{id};
	}), 'a job alone on its nodes is let in though it is late by its own limit') or diag($r->{text});
	like($r->{text}, qr/^sbatch: deadline: accepted: expected by \S+, not promised: /m, 'and told so');
	is($c->promise($r->{id}), 'expected', 'its token says so');
	$c->reaches('it runs to its end', $r->{id}, 'COMPLETED');
	is($c->field($r->{id}, 'TimeMin'), '00:01:00', 'and Slurm has let it wait for its least limit, of a minute');
	is(answer('stats')->{expected}, 1, 'it is counted');
	ok($c->wait_for('the nodes are free', sub {
		$c->cmd($pact, 'ask', '-p', 'shared', '-N2', '-t10', '--deadline=now+8minutes')->{out} =~ /^would be let in, and promised nothing: /;
	}), 'pact ask says it, too');
	my ($told) = grep { $_->{what} eq 'expected' } @{ answer('history')->{events} // [] };
	is(answer('explain', '--last')->{decision}{text} // '', $told->{text} // '', 'explained') if $told;
};

subtest 'without a deadline' => sub {
	my $promised;
	ok($c->wait_for('the nodes are free', sub {
		$promised = $c->sbatch(['-p', 'shared', '-N2', '-t10', '--deadline=now+13minutes']);
		return $promised->{id};
	}), 'a promise') or diag($promised->{text});
	my $waits = $c->plain(['-p', 'shared', '-N2', '-t60'], runs => 1);
	$c->reaches('a job without a deadline runs beside it', $waits, 'COMPLETED');
	is($c->promise($promised->{id}), 'promised', 'and nothing is broken');
	$c->cmd('scancel', $promised->{id});
};

subtest 'in the order of deadlines' => sub {
	my $first = $c->plain(['-p', 'order', '-N1', '-t2', '--deadline=now+9minutes'], runs => 6);
	$c->reaches('the first runs', $first, 'RUNNING');
	my $late = $c->plain(['-p', 'order', '-N1', '-t2', '--deadline=now+30minutes'], runs => 1);
	my $r = $c->sbatch(['-p', 'order', '-N1', '-t2', '--deadline=now+10minutes'], runs => 1);
	like($r->{text}, qr/^sbatch: deadline: not promised: partition order runs jobs in the order of their deadlines/m,
		'nothing is promised');
	my $hopeless = $c->plain(['-p', 'order', '-N1', '-t3', '--deadline=now+200'], runs => 1);
	$c->reaches('one that would be late ends', $hopeless, 'DEADLINE');
	like($c->field($hopeless, 'Reason'), qr/would_end_after_its_deadline/, 'and why is told');
	$c->reaches('the nearer deadline', $r->{id}, 'COMPLETED');
	$c->reaches('the farther one', $late, 'COMPLETED');
	cmp_ok($c->field($r->{id}, 'StartTime'), '<=', $c->field($late, 'StartTime'), 'come in this order');
};

subtest 'a bad file' => sub {
	for (['batch Admission=libra', qr/PartitionName=batch Admission=libra: slurm.conf has to have OverSubscribe=FORCE:N/],
		['shared Admission=edf', qr/PartitionName=shared Admission=edf: slurm.conf has to have OverSubscribe=NO/],
		['shared Scheduler=libra', qr/PartitionName=shared Scheduler=libra: it is a way of admission: Admission=libra/],
		['shared Admission=libra Scheduler=easy', qr/PartitionName=shared Admission=libra Scheduler=easy: its nodes can be of one only/],
		['shared Admission=gs', qr/Admission=gs: must be none/],
		['shared Scheduler=mbgs', qr/PartitionName=shared Scheduler=mbgs: it lets jobs take turns: Gang=/],
		['shared Admission=lottery', qr/Admission=lottery/]) {
		my $mark = $c->log_mark;
		$c->reconfigure("${base}PartitionName=$_->[0]\n");
		ok($c->wait_for("refused: $_->[0]", sub { $c->log_has($_->[1], $mark) }), "refused: $_->[0]");
	}
};

is($c->promise($planned->{id}), 'promised', 'what was planned beside it all is promised still');
$c->healthy;
$c->down;

subtest 'recorded decisions' => sub {
	my @files = glob("$rec/*.rec*");
	ok(scalar @files, 'there is a recording') or return;
	my $out = qx{$Cluster::build/sim/pact-sim replay @files 2>&1};
	is($?, 0, 'they replay equal') or diag($out);
};

subtest 'memory that is not counted' => sub {
	my $bad = Cluster->up(nodes => 2, may_fail => 1, pact => "ReportPort=0\nPartitionName=shared Admission=libra\n",
		partition => ['shared Nodes=ALL Default=YES OverSubscribe=FORCE:4']);
	ok(!$bad, 'slurmctld does not start') or return;
	like($Cluster::why, qr/PartitionName=shared Admission=libra: slurm.conf has to have SelectTypeParameters=CR_Memory/, 'and says why');
};

done_testing;
