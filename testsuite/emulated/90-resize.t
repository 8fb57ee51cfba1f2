#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 90-resize: running jobs get nodes and give nodes back inside slurmctld (slurm/resizing/resize.h), asked by a plugin of the tests
# (resize_test.c): with Slurm's counters right, and no node another job's before the first one's epilog has ended there. Then
# malleable jobs of which nodes are lost, or taken by an administrator.
# By name: PACT_ROUNDS (20; with the other release 6), and what Malleable.pm has.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use File::Temp qw(tempdir);
use Test::More;
use Time::HiRes qw(sleep);
use Cluster;
use Malleable;

my $user = 65534;

# The plugins, and that of the tests beside them.
my $dir = tempdir('pact-t-XXXXXX', TMPDIR => 1, CLEANUP => 1);
chmod 0755, $dir;
Cluster::add_plugin("$dir/plugins", 'job_submit_resize_test.so');

# Prolog and epilog tell when they ran; an epilog takes as long as this file says.
my $log = "$dir/log";
sub write_file {
	my ($path, $text, $mode) = @_;
	open(my $f, '>', $path) or die "$path: $!";
	print $f $text;
	close $f;
	chmod $mode, $path;
}
my $tell = 'echo "$(date +%s.%N) $SLURMD_NODENAME $SLURM_JOB_ID';
write_file($log, '', 0644);
write_file("$dir/takes", "0\n", 0644);
write_file("$dir/prolog", "#!/bin/sh\n$tell prolog\" >>$log\n", 0755);
write_file("$dir/epilog", "#!/bin/sh\nsleep \$(cat $dir/takes)\n$tell epilog\" >>$log\n", 0755);

my $c = Malleable::up(nodes => 4, features => ['1-3:good'], submit => 'none',
	pact => "Guard=60\nAdmissionTime=5000\nPlanInterval=2\nLoans=uniform\nResizeGrace=4\nLoanTime=5\nResizeInterval=0\n",
	conf => "JobSubmitPlugins=deadline,resize_test\nBatchStartTimeout=1\nProlog=$dir/prolog\nEpilog=$dir/epilog\n");

my $rounds = $ENV{PACT_ROUNDS} // ($c->release > 2205 ? 6 : 20);

# ---- what is asked of the plugin, and seen of its jobs ----

# The answer: done, later or never; its words in $said. With slurmdbd a second resize has to wait for its answer to the first; and a growth
# for the end of the second in which nodes were given back.
my $said = '';
sub resize {
	my $how;
	for (1 .. 100) {
		$how = ask(@_);
		last if $how !~ /^(?:later|busy)$/ || $said !~ /slurmdbd|back just now/;
		sleep 0.1;
	}
	return $how;
}

sub ask {
	(my $how, $said) = $c->asked(@_);
	return $how;
}

sub job {
	my ($args, %o) = @_;
	my $id = $c->plain(['-t10', @$args], as => $user, %o);
	$c->reaches("job $id runs", $id, 'RUNNING');
	return $id;
}

# Where a step of all of the job's nodes runs.
sub step_on {
	my ($job, $n) = @_;
	my $r = $c->cmd({ as => $user }, 'srun', "--jobid=$job", '--overlap', "-N$n", "-n$n", 'sh', '-c', 'echo $SLURMD_NODENAME');
	diag($r->{err}) if $r->{rc};
	return join ' ', sort split ' ', $r->{out};
}

# By what sinfo shows: it takes a node that is cleaned up for idle where it is asked for idle ones.
sub nodes_in {
	my $state = shift;
	return join ' ', sort $c->out('sinfo', '-hN', '-o', '%N %t') =~ /^(\S+) $state$/mg;
}

sub helpers {
	return scalar grep { /pact-resize/ } split /\n/, $c->out('squeue', '-h', '-t', 'PENDING,RUNNING,SUSPENDED', '-o', '%j');
}

sub records {
	return scalar grep { /JobName=pact-resize/ } split /\n/, $c->out('scontrol', '-o', 'show', 'jobs');
}

# How often the job's own prolog has run on a node, under PrologFlags=Alloc: else it runs with the first step there.
sub prologs {
	my ($job, $node) = @_;
	return scalar(() = Cluster::slurp($log) =~ /^\S+ $node $job prolog$/mg);
}

# ---- a job grows and shrinks ----

my $job = job(['-N2']);
is(resize($job, 'grow', 'n[3-4]'), 'done', 'it grows') or diag($said);
diag("the locks were held for $said us");
is($c->field($job, 'NodeList'), 'n[1-4]', 'to four nodes, as Slurm has it');
is(step_on($job, 4), 'n1 n2 n3 n4', 'and its user runs a step on all of them');
is(prologs($job, $_), 1, "where its own prolog has run, on $_") for 'n3', 'n4';
is($c->out('squeue', '-hs', '-j', $job, '-o', '%i %N') =~ s/^(?!$job\.ext).*\n//mgr, "$job.extern n[1-4]", 'and one step holds what runs there besides')
	if $Malleable::flags eq 'Contain';
is(helpers(), 0, 'no helper waits or runs');
my ($record) = grep { /pact-resize/ } split /\n/, $c->out('scontrol', '-o', 'show', 'jobs');
like($record // '', qr/JobName=pact-resize .*JobState=COMPLET.* Comment=nodes for JobId=$job,/, 'there is a record, which tells what it was');

write_file("$dir/takes", "2\n", 0644);
my $step = $c->spawn({ as => $user }, 'srun', "--jobid=$job", '--overlap', '-N4', '-n4', 'sleep', "600.$$");
ok($c->wait_for('the step', sub { $c->out('squeue', '-hs', '-j', $job, '-o', '%i') =~ /^$job\.\d/m }), 'a step runs');
my $next = $c->plain(['-t10', '-N3'], as => $user, script => 'srun sleep 3600');
ok($c->wait_for('the helper is clean', sub { nodes_in('alloc') eq 'n1 n2 n3 n4' }), 'the helper is cleaned up');
is(resize($job, 'shrink', 'n1'), 'done', 'it shrinks') or diag($said);
diag("the locks were held for $said us");
is($c->field($job, 'NodeList'), 'n1', 'to one node');
is(nodes_in('comp'), 'n2 n3 n4', 'the others are being cleaned up');
is($c->state($next), 'PENDING', 'and are no other job\'s');
$c->reaches('then the other job has them', $next, 'RUNNING');
ok($c->wait_for('prologs', sub { (() = Cluster::slurp($log) =~ / $next prolog$/mg) == 3 }), 'its prologs have run');
for my $node (qw(n2 n3 n4)) {
	my ($epilog) = Cluster::slurp($log) =~ /^(\S+) $node $job epilog$/m;
	my ($prolog) = Cluster::slurp($log) =~ /^(\S+) $node $next prolog$/m;
	cmp_ok($prolog, '>', $epilog // 9e99, "on $node the epilog of the first one had ended before");
}
is($c->out('pgrep', '-cf', "^/?[a-z/]*sleep 600.$$\$"), 1, 'no task of the first one is left there');
kill 'KILL', $step->{pid};
$c->finish($step);
write_file("$dir/takes", "0\n", 0644);

# ---- what is refused ----

is(resize($job, 'grow', 'n2'), 'later', 'no node of another job');
is($said, 'node n2 is not free', 'by its name');
is(resize($next, 'shrink', 'n4'), 'never', 'its first node has to stay');
is($said, 'its first node, n2, has to stay', 'by its name');
$c->cmd('scancel', $next);
$c->reaches('the other job ends', $next, 'CANCELLED');
$c->wait_for('idle nodes', sub { nodes_in('idle') eq 'n2 n3 n4' });

write_file("$dir/takes", "4\n", 0644);
my $cleans = $c->plain(['-t10', '-N1', '-wn2'], as => $user, script => 'sleep 1000');
$c->reaches('one on one node runs', $cleans, 'RUNNING');
$c->cmd('scancel', $cleans);
ok($c->wait_for('its end', sub { nodes_in('comp') eq 'n2' }), 'and is over: its node is being cleaned up');
is(resize($job, 'grow', 'n[2-3]'), 'done', 'that is left out of a growth') or diag($said);
is($c->field($job, 'NodeList'), 'n[1,3]', 'which has the other one');
is(resize($job, 'grow', 'n2'), 'busy', 'alone it stands against one');
is($said, 'the nodes are being cleaned up', 'for that');
write_file("$dir/takes", "0\n", 0644);
ok($c->wait_for('done', sub { resize($job, 'grow', 'n2') eq 'done' }), 'and not when it is clean');
ok($c->wait_for('done', sub { resize($job, 'shrink', 'n1') eq 'done' }), 'it gives them back');
$c->wait_for('idle nodes', sub { nodes_in('idle') eq 'n2 n3 n4' });

my $array = $c->plain(['-t10', '-N1', '-a1'], as => $user);
$c->reaches('an array runs', $array, 'RUNNING');
is(resize($array, 'grow', 'n3'), 'never', 'a task of an array does not grow');
is($said, 'it is a task of an array', 'by its name');
$c->cmd('scancel', $array);
my $gone = job(['-N1'], runs => 1);
$c->reaches('a job ends', $gone, 'COMPLETED');
is(resize($gone, 'grow', 'n3'), 'never', 'nor does one that is over') if $c->update($gone, 'Comment=none');
my $picky = job(['-N1', '-C', 'good']);
my $before = records();
my $how = resize($picky, 'grow', 'n4');
ok($how ne 'done' && $said =~ /configuration/, 'nor one to a node without its features') or diag("$how $said");
is(records(), $before, 'of which no record is left');
$c->cmd('scancel', $picky);
is(helpers(), 0, 'no helper waits or runs');

# ---- over and over, with each of the ways: Slurm's counters ----

my ($grown, $shrunk, $late, $limits, $unprepared) = (0) x 5;
for my $round (1 .. $rounds) {
	$c->wait_for('idle nodes', sub { nodes_in('idle') eq 'n2 n3 n4' });
	my $before = prologs($job, 'n2');
	my $how = resize($job, 'grow', 'n[2-4]');
	$how eq 'done' ? $grown++ : diag("$how $said");
	# in the other rounds the end on these nodes may come before the prolog, which then is left out
	if ($round % 3 == 0 && $Malleable::flags ne 'none' && $c->release > 2205) {
		if (!$c->wait_for('its prolog', sub { prologs($job, 'n2') > $before })) {
			$unprepared++;
			diag("round $round; on n2 of late:\n", grep { /\b$job\b|prolog/ } (split /^/, Cluster::slurp("$c->{dir}/c/log/n2.log"))[-40 .. -1]);
		}
	}
	if ($round % 3 == 0) {
		$shrunk++ if resize($job, 'shrink', 'n1') eq 'done';
	} else {
		my $r = $c->cmd({ as => $user }, 'scontrol', 'update', "JobId=$job", $round % 3 == 1 ? 'NumNodes=1' : 'NodeList=n1');
		!$r->{rc} && $c->field($job, 'NodeList') eq 'n1' ? $shrunk++ : diag($r->{err});
	}
	$limits++ if $c->update($job, 'TimeLimit=' . (20 + $round % 2));
	# the first job on a node that was given back starts in any case: the second one is the test
	for (1 .. 2) {
		my $r = $c->cmd({ as => $user }, 'timeout', 30, 'srun', '-N3', '-t1', 'true');
		$late++ if $r->{rc};
	}
}
is($grown, $rounds, "it has grown $rounds times");
is($shrunk, $rounds, 'and shrunk as often, as its user asked or as we did');
is($limits, $rounds, 'it could be changed after each');
is($unprepared, 0, 'its prolog has run each time on a node that it got');
is($late, 0, 'and each time two jobs had the nodes, one after the other');
is(helpers(), 0, 'no helper waits or runs');

# ---- slurmctld dies between a change and its saving ----

# By itself, as the plugin is asked to; then it is started again.
sub dies {
	my ($when, $job, $word, $nodes) = @_;
	my $pid = $c->controller_pid;
	my $gone;
	for (1 .. 50) {
		# the answer was "later" if it lives on
		$c->asks($job, $word, $nodes);
		for (1 .. 10) {
			last if $gone = Cluster::slurp("/proc/$pid/stat") !~ /[)] [^ZX]/;
			sleep 0.1;
		}
		last if $gone;
	}
	ok($gone, "slurmctld dies $when");
	is($c->emulate('start-controller')->{rc}, 0, '  and comes back');
	$c->remember_controller;
	ok($c->wait_for('it answers', sub { $c->state($job) eq 'RUNNING' }), '  the job runs');
}

$c->wait_for('idle nodes', sub { nodes_in('idle') eq 'n2 n3 n4' });
is(resize($job, 'grow', 'n[2-3]'), 'done', 'it grows once more');
ok($c->wait_for('the nodes', sub { Cluster::slurp("$c->{dir}/c/state/job_state") =~ /n\[1-3\]/ }), 'and that is saved');
$c->wait_for('cleaned up', sub { nodes_in('alloc') eq 'n1 n2 n3' });
dies('in the moment in which it shrinks', $job, 'die', 'n1');
is($c->field($job, 'NodeList'), 'n[1-3]', 'on all its nodes, as before');
ok($c->wait_for('nodes', sub { nodes_in('alloc') eq 'n1 n2 n3' }), 'and they are its own');
is(step_on($job, 3), 'n1 n2 n3', 'where its user can run a step');
ok($c->wait_for('done', sub { resize($job, 'shrink', 'n1') eq 'done' }), 'it shrinks');

for (['when it has made the helper', 'diehelped'], ['when that is merged', 'diegrown']) {
	my ($when, $word) = @$_;
	$c->wait_for('idle nodes', sub { nodes_in('idle') eq 'n2 n3 n4' });
	my $before = records();
	dies($when, $job, $word, 'n[2-3]');
	is($c->field($job, 'NodeList'), 'n1', '  on the node that it had');
	cmp_ok(records(), '<=', $before, '  there is no helper');
	ok($c->wait_for('idle nodes', sub { nodes_in('idle') eq 'n2 n3 n4' }), '  and the nodes are free');
	is(step_on($job, 1), 'n1', '  its user can run a step');
	my $other = job(['-N3']);
	is($c->field($other, 'NodeList'), 'n[2-4]', '  another job has the others');
	$c->cmd('scancel', $other);
	$c->wait_for('idle nodes', sub { nodes_in('idle') eq 'n2 n3 n4' });
	is(resize($job, 'grow', 'n[2-3]'), 'done', '  and it can grow') or diag($said);
	is(step_on($job, 3), 'n1 n2 n3', '  and run a step there');
	ok($c->wait_for('done', sub { resize($job, 'shrink', 'n1') eq 'done' }), '  and shrink');
}

$c->cmd('scancel', $job);
$c->reaches('it ends', $job, 'CANCELLED');
$c->wait_for('idle nodes', sub { nodes_in('idle') eq 'n1 n2 n3 n4' });
is($c->cmd({ as => $user }, 'timeout', 30, 'srun', '-N4', '-t1', 'true')->{rc}, 0, "a job on all nodes starts, $_") for 'once', 'and again';

# ---- a batch script that is not on the first node ----

my $apart = job(['-N1', '-wn4'], script => "until [ -e $dir/over ]; do sleep 0.3; done");
my $began = time;
is(resize($apart, 'grow', 'n3'), 'done', 'a job gets a node before its own') or diag($said);
ok($c->wait_for('the nodes', sub { Cluster::slurp("$c->{dir}/c/state/job_state") =~ /n\[3-4\]/ }), 'and that is saved');
# so long Slurm waits for a sign of life of a script: BatchStartTimeout, and ten seconds
$c->wait_for('no sign of life', sub { time > $began + 12 });
$c->emulate('kill-controller');
is($c->emulate('start-controller')->{rc}, 0, 'slurmctld is killed, and comes back');
$c->remember_controller;
ok($c->wait_for('all nodes', sub { $c->out('sinfo', '-hN', '-o', '%t') !~ /[*]|unk/ }), 'all nodes register');
ok($c->wait_field($apart, 'BatchHost', qr/^n4$/), 'it knows where the script runs');
is($c->state($apart), 'RUNNING', 'and does not take it for lost');
write_file("$dir/over", '', 0644);
$c->reaches('and believes its end', $apart, 'COMPLETED');
# ---- malleable jobs that lose nodes: with the node, under --no-kill, or to an administrator ----

sub explains {
	my ($name, $id, $re) = @_;
	my $said = '';
	return ok($c->wait_for($name, sub {
		$said = $c->cmd("$Cluster::build/contrib/pact/pact", 'explain', $id)->{out};
		return $said =~ $re;
	}, 15), $name) || diag($said);
}
# Drained before, it does not come back by itself.
sub node { my ($node, @states) = @_; $c->cmd('scontrol', 'update', "NodeName=$node", "State=$_", 'Reason=test') for @states }
sub told { my ($name, $id, $re) = @_; ok($c->wait_for($name, sub { $c->log_text(0) =~ /JobId=$id: $re/ }), $name) }

my @loses = ('--malleable', '--no-kill', '-t30');
my $loses = $c->plain(['-N2-4', @loses], as => $user);
explains('a job has two nodes, and two on loan', $loses, qr/: 2 are its own, 2 are on loan$/m);
node('n2', 'DRAIN', 'DOWN');
explains('one of its own is lost: one that it had on loan is its own', $loses, qr/: 2 are its own, 1 is on loan$/m);
is($c->field($loses, 'NodeList'), 'n[1,3-4]', 'it goes on on the others');
ok($c->update($loses, 'NumNodes=2'), 'an administrator takes one');
explains('which was the one on loan', $loses, qr/: 2 are its own, 0 are on loan$/m);
$c->cmd('scancel', $loses);
$c->reaches('it ends', $loses, 'CANCELLED');
node('n2', 'RESUME');
$c->wait_for('idle nodes', sub { nodes_in('idle') eq 'n1 n2 n3 n4' });

my $dated = $c->accepted('a promise takes three', ['-N1-4', @loses, '--deadline=now+13minutes'], as => $user, script => 'sleep 1000')->{id};
like($c->field($dated, 'AdminComment'), qr/pact1[(][^)]*,own=3[,)]/, '  of which its record tells');
explains('and a fourth is lent', $dated, qr/: 3 are its own, 1 is on loan$/m);
node('n2', 'DRAIN', 'DOWN');
explains('one of the three is lost: the fourth is its own', $dated, qr/: 3 are its own, 0 are on loan$/m);
ok($c->update($dated, 'NumNodes=2'), 'an administrator takes one of these');
# As one is idle, it may have it back before a look at it.
told('which is heard of', $dated, qr/it has 2 nodes, and had 3$/m);
$c->cmd('scancel', $dated);
$c->reaches('it ends', $dated, 'CANCELLED');
node('n2', 'RESUME');
$c->wait_for('idle nodes', sub { nodes_in('idle') eq 'n1 n2 n3 n4' });

my $bare = $c->cmd({ as => $user }, 'salloc', '--no-shell', '-N3', '--no-kill', '-t10')->{err};
my ($alloc) = $bare =~ /job allocation (\d+)/ or diag($bare);
node('n1', 'DRAIN', 'DOWN');
is($c->field($alloc, 'NodeList'), 'n[2-3]', 'salloc loses its first node');
ok($c->update($alloc, 'NumNodes=1'), 'an administrator takes another one');
is($c->field($alloc, 'NodeList'), 'n2', 'and it has the last');
node('n1', 'RESUME');
$c->cmd('scancel', $alloc);

$c->reaches('it ends', $alloc, 'CANCELLED');
$c->wait_for('idle nodes', sub { nodes_in('idle') eq 'n1 n2 n3 n4' });

# Daemons of one step wait a minute for each other, those of the step that PrologFlags=Contain makes, too.
my $wide = job(['-N2', '-wn[3-4]']);
is(resize($wide, 'grow', 'n[1-2]'), 'done', 'a job gets nodes that come before its own') or diag($said);
is(step_on($wide, 4), 'n1 n2 n3 n4', '  and runs a step there');
$c->cmd('scancel', $wide);
ok($c->wait_for('idle nodes', sub { nodes_in('idle') eq 'n1 n2 n3 n4' }, 30), '  when it ends all are free at once');

# Idle by all that is to be seen, and given to none.
my $last = job(['-N1']);
is($c->field($last, 'NodeList'), 'n1', 'a job has one node');
is(ask($last, 'hide', 'n3'), 'done', 'Slurm does not give another one, though it is idle');
is(resize($last, 'grow', 'n[2-3]'), 'done', 'it grows by two');
is($c->field($last, 'NodeList'), 'n[1-2]', '  but for that one');
like($c->log_text(0), qr/node n3 looks free, and Slurm does not give it/, '  of which the log tells');
is(resize($last, 'grow', 'n3'), 'busy', '  which is not asked for again soon');
is(ask($last, 'show', 'n3'), 'done', 'it can be had again');
is(helpers(), 0, 'no helper is left');

# The same of a promised job that is to have them: that waits for nothing else.
SKIP: {
	skip 'what cons_tres counts is left to it', 6 if $Malleable::select eq 'cons_tres';
	is(ask($last, 'count', 'n1'), 'done', 'the select plugin counts a job twice');
	is(ask($last, 'hide', 'n3'), 'done', '  and Slurm gives another node to none');
	$c->cmd('scancel', $last);
	$c->reaches('it ends', $last, 'CANCELLED');
	ok($c->wait_for('idle nodes', sub { nodes_in('idle') eq 'n1 n2 n3 n4' }), 'all nodes look free');
	my $promised = $c->sbatch(['-N4', '-t1', '--deadline=now+20minutes'], script => 'sleep 1');
	ok($promised->{id} && $c->promise($promised->{id}), 'all are promised to a job') or diag($promised->{text});
	ok($c->wait_for('its start', sub { ($c->state($promised->{id}) // '') =~ /RUNNING|COMPLET/ }, 60), '  which gets them');
	like($c->log_text(0), qr/its nodes look free, and Slurm does not give them: they are counted anew/, '  when Slurm has counted anew');
}

unlike($c->log_text(0), qr/underflow|duplicate relinquish|sync problem/, 'Slurm has lost count of nothing');

done_testing;
