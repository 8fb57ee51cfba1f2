#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 82-realms-life: what becomes of a job of a realm after it was let in: a slow PrologSlurmctld, requeue, holds, changes,
# arrays, another controller; beside a partition that is planned.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Test::More;
use Cluster;
use JSON::PP;

my $rec = File::Temp::tempdir(CLEANUP => 1, TMPDIR => 1);
chmod 0755, $rec;
open(my $f, '>', "$rec/slow.sh") or die "$rec: $!";
print $f "#!/bin/sh\ntest ! -e $rec/slow || sleep 3\n";
close $f;
chmod 0755, "$rec/slow.sh";
my $backup = !$> && !system('unshare --mount --uts true >/dev/null 2>&1');
my $conf = "ReportPort=0\nGuard=60\nAdmissionTime=5000\nPlanInterval=2\nSocketRate=0\nPartitionName=shared Admission=librarisk\n";
my $c = Cluster->up(nodes => 4, backup => $backup, pact => $conf,
	partition => ['batch Nodes=n[1-2] Default=YES MaxTime=INFINITE', 'shared Nodes=n[3-4] MaxTime=60 OverSubscribe=FORCE:4'],
	conf => "SelectTypeParameters=CR_Memory\nDefMemPerNode=500\nPrologFlags=Alloc\nPrologSlurmctld=$rec/slow.sh\n");
my $pact = "$Cluster::build/contrib/pact/pact";

sub answer {
	my $r = $c->cmd($pact, '--json', @_);
	diag("pact @_: $r->{rc} $r->{err}") if $r->{rc};
	return $r->{rc} ? {} : decode_json($r->{out});
}

ok($c->wait_for('a plan', sub { answer('status')->{planned} }), 'there is a plan');
my $planned = $c->accepted('a promise in what is planned', ['-N2', '-t10', '--deadline=now+30minutes']);

subtest 'a slow PrologSlurmctld' => sub {
	open(my $slow, '>', "$rec/slow") or die;
	close $slow;
	my $j = $c->accepted('a promise', ['-p', 'shared', '-N2', '-t10', '--deadline=now+20minutes']);
	$c->reaches('it waits for that', $j->{id}, 'CONFIGURING');
	$c->reaches('and runs', $j->{id}, 'RUNNING');
	unlink "$rec/slow";
	$c->seen;
	my $due = $c->field($j->{id}, 'Deadline') - 60;
	is($c->field($j->{id}, 'EndTime'), $due, 'Slurm counts its limit anew then, but it ends when it is due all the same');
	is(answer('stats')->{at_risk}, 0, 'no promise is at risk');
	ok($c->update($j->{id}, 'TimeLimit=+5'), 'an operator gives it more') or diag($c->{text});
	$c->seen;
	is($c->field($j->{id}, 'EndTime'), $due + 300, 'which it keeps');
	$c->cmd('scancel', $j->{id});
	$c->excuse($j->{id});
};

subtest 'requeued' => sub {
	my $free = $c->plain(['-p', 'shared', '-N1', '-t10']);
	my $late;
	ok($c->wait_for('a free node', sub {
		$late = $c->sbatch(['-p', 'shared', '-N1', '-t10', '--deadline=now+8minutes']);
		return $late->{text} =~ /accepted: expected by/;
	}), 'one is expected') or return diag($late->{text});
	$c->reaches('it runs', $_, 'RUNNING') for $free, $late->{id};
	is($c->field($free, 'TimeLimit'), '1-00:00:00', 'one without a deadline may run for a day');
	$c->cmd('scontrol', 'requeue', $_) for $free, $late->{id};
	# Slurm lets them wait for two minutes.
	for my $id ($free, $late->{id}) {
		ok($c->wait_field($id, 'Reason', qr/^BeginTime$/), "$id waits to run again");
		$c->seen;
		is($c->field($id, 'TimeLimit'), '00:10:00', 'by its own limit');
	}
	$c->cmd('scancel', $free, $late->{id});
};

sub shared {
	my @args = @_;
	return ['-p', 'shared', '-t10', @args];
}

# What a refused change was told: to the user from 23.02 on, in 22.05 in the log.
sub told {
	my ($id, $mark) = @_;
	return $c->{text} . join '', $c->log_text($mark) =~ /^.*JobId=$id: change refused: (.*)$/mg;
}

sub room {
	ok($c->wait_for('free nodes', sub {
		$c->cmd($pact, 'ask', '-p', 'shared', '-N2', '-t10', '--deadline=now+13minutes')->{out} =~ /^could be promised:/m;
	}), 'there is room');
}

my ($held, $waits);
subtest 'held' => sub {
	room();
	$held = $c->sbatch(shared('-H', '-N2', '--deadline=now+30minutes'));
	like($held->{text}, qr/not promised: the job is held/, 'the deadline of a job that is held is not decided');
	$c->cmd('scontrol', 'release', $held->{id});
	$c->reaches('released, it runs', $held->{id}, 'RUNNING');
	is($c->promise($held->{id}), 'promised', 'and is promised');
	is($c->field($held->{id}, 'EndTime'), $c->field($held->{id}, 'Deadline') - 60, 'until it is due');
	my $late = $c->sbatch(shared('-H', '-N2', '--deadline=now+12minutes'));
	$c->cmd('scontrol', 'release', $late->{id});
	$c->reaches('one that cannot be promised then runs, too', $late->{id}, 'RUNNING');
	is($c->promise($late->{id}), 'withdrawn', 'not promised');
	is($c->field($late->{id}, 'EndTime'), $c->field($late->{id}, 'Deadline'), 'and ends at its deadline');
	my $hold = $c->plain(shared('-N1', '--mem=100'));
	$c->reaches('one without a deadline runs', $hold, 'RUNNING');
	$c->cmd('scancel', $late->{id}, $hold);
	my $r = $c->sbatch(shared('-N2', '--begin=now+60', '--deadline=now+90minutes'));
	like($r->{text}, qr/refused: a job that shares nodes is promised only if it starts now/, 'one that begins later is refused');
};

subtest 'changes' => sub {
	$waits = $c->plain(shared('-N2', '--mem=3900'));
	$c->seen;
	is($c->state($waits), 'PENDING', 'a job waits for memory');
	ok($c->update($waits, 'TimeLimit=20'), 'its limit is changed') or diag($c->{text});
	my $mark = $c->log_mark;
	ok(!$c->update($waits, 'Deadline=now+40minutes'), 'a deadline that cannot be promised is refused');
	like(told($waits, $mark), qr/deadline: refused: shares for 2 nodes for 00:20:00 before \S+ are free on 0 of the 2 nodes needed/,
		'and why');
	ok($c->update($waits, 'NumNodes=1', 'NumCPUs=1'), 'it may have fewer nodes') or diag($c->{text});
	$c->seen;
	is($c->state($waits), 'PENDING', 'which do not help');
	ok($c->update($waits, 'MinMemoryNode=100'), 'it needs less memory') or diag($c->{text});
	$c->reaches('and runs', $waits, 'RUNNING');
	is($c->promise($held->{id}), 'promised', 'what is promised stands');
	ok($c->update($held->{id}, 'TimeLimit=-5'), 'a running one gets less') or diag($c->{text});
	$c->seen;
	is($c->field($held->{id}, 'EndTime'), $c->field($held->{id}, 'Deadline') - 360, 'it ends so much earlier');
	$c->cmd('scancel', $waits, $held->{id});
	$c->excuse($held->{id});
};

subtest 'arrays' => sub {
	room();
	my $array = $c->accepted('an array is promised', shared('-N1', '--mem=50', '--array=0-3', '--deadline=now+60minutes'));
	my @tasks;
	ok($c->wait_for('its tasks', sub { @tasks = grep { $_->{JobState} eq 'RUNNING' } $c->jobs($array->{id}); @tasks == 4 }), 'all run');
	is(scalar(grep { $_->{EndTime} == $_->{Deadline} - 60 } @tasks), 4, 'each until it is due');
	$c->refused('more than there is', shared('-N1', '--mem=50', '--array=0-9', '--deadline=now+60minutes'), qr/shares for 10 tasks of 1 node/);
	my $plain = $c->plain(shared('-N1', '--mem=50', '--array=0-9'));
	ok($c->wait_for('some tasks', sub { grep { $_->{JobState} eq 'RUNNING' } $c->jobs($plain) }), 'tasks without a deadline run beside');
	$c->seen;
	my ($rest) = grep { $_->{JobState} eq 'PENDING' } $c->jobs($plain);
	is($rest->{TimeLimit}, '00:10:00', 'those that wait have their own limit');
	$c->cmd('scancel', $array->{id}, $plain);
	$c->excuse($array->{id});
};

my $state = sub { Cluster::slurp("$c->{dir}/c/state/job_state") };
my ($here, $there);
subtest 'promises of both kinds' => sub {
	$c->cmd('scancel', $planned->{id});
	$c->excuse($planned->{id});
	room();
	$here = $c->accepted('one that shares', shared('-N2', '--deadline=now+25minutes'), runs => 30);
	$c->reaches('runs', $here->{id}, 'RUNNING');
	$there = $c->accepted('one that is planned', ['-N2', '-t1', '--deadline=now+4minutes'], runs => 30);
	$planned = $c->accepted('another behind it', ['-N2', '-t1', '--deadline=now+8minutes'], runs => 5);
	$c->reaches('the first runs', $there->{id}, 'RUNNING');
	ok($c->wait_for('the saved state', sub {
		my $text = $state->();
		return !grep { index($text, $_) < 0 } map { $c->field($_->{id}, 'AdminComment') =~ /(pact1\(id=\w+)/ } $here, $there, $planned;
	}), 'saved');
};

# From 23.11 on a reconfiguration, too, is the start of a new slurmctld.
subtest 'reconfigured' => sub {
	for my $way (qw(reconfigure hangup)) {
		is($c->$way->{rc}, 0, $way);
		my $r;
		ok($c->wait_for('its plan', sub {
			$r = $c->sbatch(shared('-N2', '--deadline=now+11minutes'));
			return $r->{text} =~ /free on 0 of the 2 nodes needed/;
		}), 'no share is given twice') or diag($r->{text});
		is($c->promise($_->{id}), 'promised', 'promises are what they were') for $here, $there, $planned;
		is($c->field($here->{id}, 'EndTime'), $c->field($here->{id}, 'Deadline') - 60, 'it may run until it is due');
		is(answer('status')->{at_risk}, 0, 'none is at risk');
	}
};

subtest 'observed' => sub {
	is($c->reconfigure("${conf}AdmissionMode=observe\n")->{rc}, 0, 'nothing is to be refused');
	my $r;
	ok($c->wait_for('it is in force', sub {
		$r = $c->sbatch(shared('-N2', '--deadline=now+11minutes'));
		return $r->{id};
	}), 'what would be late gets in') or diag($r->{text});
	like($r->{text}, qr/^sbatch: deadline: observed: would be refused: .*free on 0 of the 2 nodes needed/m, 'and is told why it would not');
	$c->seen;
	isnt($c->promise($r->{id}), 'promised', 'it is not promised');
	$c->reaches('it has of the nodes what others leave, as a job without a deadline', $r->{id}, 'RUNNING');
	is($c->promise($_->{id}), 'promised', 'promises are what they were') for $here, $there, $planned;
	is(answer('status')->{at_risk}, 0, 'none is at risk by it');
	is($c->cmd('scancel', $r->{id})->{rc}, 0, 'it goes');
	is($c->reconfigure($conf)->{rc}, 0, 'decisions are in force again');
};

subtest 'another controller' => sub {
	plan skip_all => 'a backup controller needs root, and namespaces' if !$backup;
	is($c->cmd('scontrol', 'takeover')->{rc}, 0, 'the backup takes over');
	my $r;
	ok($c->wait_for('its plan', sub {
		$r = $c->sbatch(shared('-N2', '--deadline=now+11minutes'));
		return $r->{text} =~ /free on 0 of the 2 nodes needed/;
	}), 'it gives no share twice') or diag($r->{text});
	is($c->promise($_->{id}), 'promised', 'promises are what they were') for $here, $planned;
	is(answer('status')->{at_risk}, 0, 'none is at risk');
	is($c->emulate('start-controller')->{rc}, 0, 'the primary comes back');
	ok($c->wait_for('the primary', sub { $c->cmd('scontrol', 'ping')->{out} =~ /\(primary\).* is UP/ }), 'and takes over');
	$c->remember_controller;
};

subtest 'kill -9' => sub {
	$c->emulate('kill-controller');
	$c->emulate('start-controller');
	$c->remember_controller;
	ok($c->wait_for('a plan', sub { my $r = $c->cmd($pact, '--json', 'status'); !$r->{rc} && decode_json($r->{out})->{planned} }),
		'there is a plan again');
	$c->promises_kept('promises of both are kept');
};

$c->healthy;
$c->down;

subtest 'select/cons_tres' => sub {
	my $tres = Cluster->up(nodes => 2, cpus => 4, select => 'cons_tres',
		pact => "ReportPort=0\nGuard=60\nAdmissionTime=5000\nPlanInterval=2\nSocketRate=0\nPartitionName=shared Admission=librarisk\n",
		partition => ['shared Nodes=n[1-2] Default=YES MaxTime=INFINITE OverSubscribe=FORCE:4'],
		conf => "SelectTypeParameters=CR_Core_Memory\nDefMemPerNode=500\nPrologFlags=Alloc\n");
	my $all = $tres->accepted('one of all processors', ['-N2', '-n8', '-t10', '--deadline=now+40minutes']);
	$tres->reaches('runs', $all->{id}, 'RUNNING');
	is($tres->field($all->{id}, 'NumCPUs'), 8, 'with all');
	my $few = $tres->accepted('one of a few beside it', ['-w', 'n2', '-N1', '-n2', '-t10', '--deadline=now+40minutes']);
	$tres->reaches('runs', $few->{id}, 'RUNNING');
	is($tres->field($few->{id}, 'NumCPUs'), 2, 'with a few');
	my @memory = ('-N1', '-n1', '-t10', '-w', 'n1', '--mem-per-cpu=800', '--deadline=now+60minutes');
	my $each = $tres->accepted('memory for each processor', \@memory);
	$tres->reaches('runs', $each->{id}, 'RUNNING');
	is($tres->field($each->{id}, 'EndTime'), $tres->field($each->{id}, 'Deadline') - 60, 'until it is due');
	$tres->refused('is taken to be that of all of a node', \@memory, qr/free on 0 of the 1 node needed/);
	is($tres->promise($_->{id}), 'promised', 'promised still') for $all, $few, $each;
	$tres->healthy;
};

done_testing;
