#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 94-loans: nodes on loan under sched/dynp and sched/qops, in equal parts and by what they bring; salloc that grows and gives nodes
# back; and a backup controller that takes over while a notice runs. Needs root and namespaces. By name: what Malleable.pm has.
# Runs with one other: a controller that a busy machine makes late is taken for dead.
# Runs first of these: it takes two minutes.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Test::More;
use Cluster;
use Malleable;

plan skip_all => 'a backup controller on one machine needs root' if $>;
plan skip_all => 'no mount and UTS namespaces here (unshare --mount --uts)'
	if system('unshare --mount --uts true >/dev/null 2>&1');

my $user = 65534;
my ($grace, $guard) = (4, 62); # of the guard two seconds are for late starts, and a notice is longer by that
sub conf {
	return "Guard=$guard\nAdmissionTime=5000\nPlanInterval=2\nResizeGrace=$grace\nLoanTime=5\nResizeInterval=0\nLoans=$_[0]\n$Malleable::recorded";
}
my $c = Malleable::up(nodes => 8, sched => 'dynp', backup => 1, pact => conf('profit'));

sub job { my ($name, @args) = @_; my $id = $c->plain(\@args, as => $user); $c->reaches($name, $id, 'RUNNING'); return $id }

# By when the job is asked to give nodes back, once it is.
sub asked {
	my ($name, $id, $width) = @_;
	my $re = qr/pactwish1\(serial=\d+,width=$width,by=([1-9]\d*),leave=n/;
	ok($c->wait_field($id, 'AdminComment', $re), $name);
	return ($c->field($id, 'AdminComment') =~ $re)[0] // 9e9;
}

# It has what was on loan when the notice was over, and not before. What was called in is given nothing in the same second.
sub runs_after {
	my ($name, $id, $by) = @_;
	$c->reaches($name, $id, 'RUNNING');
	my $start = $c->field($id, 'StartTime');
	cmp_ok($start, '>=', $by, '  when the notice is over');
	$c->wait_for('the next second', sub { $c->now > $start + 1 });
}

sub uniform {
	my $one = job('a malleable job runs', '-N2-8', '--malleable', '-t30');
	$c->has_width('idle nodes are lent', $one, 8);
	my $two = $c->plain(['-N2-8', '--malleable', '-t30'], as => $user);
	runs_after('another one gets its own by call-in', $two, asked('  of which the first is told', $one, 6));
	my $rigid = $c->plain(['-N2', '-t5'], as => $user);
	runs_after('so does one without the option', $rigid, asked('  of which the first is told', $one, 4));
	is(join('+', map { $c->width($_) } $one, $two, $rigid), '4+2+2', '  of those on loan');
	$c->cmd('scancel', $rigid);
	$c->has_width('these are lent in equal parts: both are the second one\'s', $two, 4);
	is($c->width($one), 4, '  of which the first has as many already');
	$c->clear;
}

# One that an operator suspends keeps what was called in, and gives it back when it is resumed.
sub suspended {
	my $one = job('a malleable job runs', '-N2-8', '--malleable', '-t30');
	$c->has_width('idle nodes are lent', $one, 8);
	my $rigid = $c->plain(['-N4', '-t5'], as => $user);
	my $by = asked('four of them are called in', $one, 4);
	$c->cmd('scontrol', 'suspend', $one);
	$c->reaches('it is suspended', $one, 'SUSPENDED');
	$c->wait_for('the end of the notice', sub { $c->now > $by + 4 });
	is($c->width($one), 8, '  and keeps them when the notice is over');
	is($c->state($rigid), 'PENDING', '  for which the other one waits');
	$c->cmd('scontrol', 'resume', $one);
	$c->reaches('when it is resumed the other one runs', $rigid, 'RUNNING');
	is(join('+', map { $c->width($_) } $one, $rigid), '4+4', '  on those that were called in');
	$c->clear;
}

# On two nodes each ends long after half of its time, from where on its end is worth less; on four before that, for which a third
# and a fourth node bring one that is worth a hundred times as much more than a third brings the other.
sub profit {
	my @rigid = map { job("job $_ runs", '-N2', '-t5') } 1 .. 2;
	my @valued = ('-N2-4', '--malleable', '-t55', '--deadline=now+64minutes');
	my $poor = $c->accepted('one that is worth little is promised', [@valued, '--value=1'], as => $user)->{id};
	$c->has_width('  and has all that is idle', $poor, 4);
	my $rich = $c->accepted('one that is worth more is promised', [@valued, '--value=100'], as => $user)->{id};
	runs_after('  and gets its own by call-in', $rich, asked('  of which the other is told', $poor, 2));
	$c->cmd('scancel', $rigid[0]);
	$c->has_width('  and both of two idle nodes', $rich, 4);
	is($c->width($poor), 2, '  of which the one that is worth little gets none');
	$c->cmd('scancel', $rigid[1]);
	$c->has_width('  but of two more, which the other could not use', $poor, 4);
	my $third = $c->plain(['-N2', '-t5'], as => $user);
	runs_after('two are called in', $third, asked('  of the one that is worth little', $poor, 2));
	is(join('+', map { $c->width($_) } $rich, $poor, $third), '4+2+2', '  alone');
	$c->clear;
}

# What a job was asked for is over where no nodes are lent, or when it has given them back: it may be given the same ones again.
sub over {
	my $one = job('a malleable job runs', '-N4-8', '--malleable', '-t30');
	$c->has_width('idle nodes are lent', $one, 8);
	my $rigid = $c->plain(['-N4', '-t5'], as => $user);
	asked('its nodes are called in', $one, 4);
	$c->reconfigure(conf('none'));
	ok($c->wait_field($one, 'AdminComment', qr/pactwish1\(serial=\d+,width=8,by=0,leave=\)/), '  and are not wanted where none are lent');
	$c->cmd('scancel', $rigid);
	$c->reconfigure(conf('uniform'));
	$rigid = $c->plain(['-N4', '-t5'], as => $user);
	asked('its nodes are called in again', $one, 4);
	my ($leave) = $c->field($one, 'AdminComment') =~ /leave=([^)]+)\)/;
	my %leave = map { $_ => 1 } split ' ', $c->out('scontrol', 'show', 'hostnames', $leave);
	my @all = $c->hosts($one);
	ok($c->update($one, 'NodeList=' . join(',', grep { !$leave{$_} } @all)), '  and it gives them back');
	like($c->field($one, 'AdminComment'), qr/pactwish1\(serial=\d+,width=4,by=0,leave=\)/, '  so that none is wanted any more');
	$c->reaches('  and another job has them', $rigid, 'RUNNING');
	$c->clear;
}

# A job that never answers is asked for nodes a second time within the notice of the first: each are taken when they are due.
sub twice {
	my $one = job('a malleable job runs', '-N2-8', '--malleable=grace:20', '-t30');
	$c->has_width('idle nodes are lent', $one, 8);
	my $first = $c->plain(['-N2', '-t5'], as => $user);
	my $by = asked('two are called in', $one, 6);
	$c->wait_for('a part of the notice', sub { $c->now >= $by - 12 });
	my $second = $c->plain(['-N3', '-t5'], as => $user);
	ok($c->wait_field($one, 'AdminComment', qr/pactwish1\(serial=\d+,width=3,by=$by,later=\d+:n[^,]*,leave=n/), '  and three more, the first being due when they were')
		or return;
	my ($by2) = $c->field($one, 'AdminComment') =~ /later=(\d+)/;
	cmp_ok($by2, '>', $by + 5, '  before these');
	my $told = '';
	ok($c->wait_for('the next plan', sub { ($told = $c->pact('explain', $one)) =~ /^asked to give back n\S+ by \S+, of these n\S+ by \S+, or they are taken/m }, 6),
		'  as pact tells') or diag($told);
	$c->reaches('a job has the first', $first, 'RUNNING');
	my $start = $c->field($first, 'StartTime');
	cmp_ok($start, '>=', $by, '  when the notice is over');
	cmp_ok($start, '<', $by2, '  and not with the others');
	is($c->width($one), 6, '  which stay') if $c->now < $by2;
	runs_after('another one has the others', $second, $by2);
	is($c->width($one), 3, '  and no more was taken');
	$c->clear;
}

sub resources { my ($id) = @_; return $c->out('squeue', '-h', '-j', $id, '-o', '%D %N') }

# What salloc has said to its shell stays as it was; srun sees the truth without it.
sub interactive {
	my ($log, $go) = map { "$c->{dir}/$_" } qw(salloc.log salloc.go);
	my $shell = $c->file('shell', <<"END_SHELL");
#!/bin/sh
echo "began on \$SLURM_JOB_NUM_NODES: \$SLURM_JOB_NODELIST"
for when in grown shrunk; do
	until [ -e $go.\$when ]; do sleep 0.2; done
	echo \$when: \$(env -u SLURM_JOB_NODELIST -u SLURM_NODELIST -u SLURM_NNODES -u SLURM_JOB_NUM_NODES -u SLURM_NTASKS \\
		-u SLURM_NPROCS -u SLURM_TASKS_PER_NODE -u SLURM_JOB_CPUS_PER_NODE \\
		srun sh -c 'echo \$SLURMD_NODENAME:\$SLURM_NNODES' | sort)
done
END_SHELL
	chmod 0755, $shell;
	my $most = job('a job has all but two nodes', '-N6', '-t5');
	my $salloc = $c->spawn({ as => $user }, 'salloc', '-Q', '-N1-8', '--malleable', '-t30', $shell);
	my $id = $c->wait_for('its job', sub { (grep { $_ ne $most } split ' ', $c->out('squeue', '-h', '-t', 'RUNNING', '-o', '%A'))[0] });
	$c->has_width('salloc has the two others', $id, 2);
	$c->cmd('scancel', $most);
	$c->has_width('it grows', $id, 8);
	is(resources($id), '8 n[1-8]', '  as squeue has it');
	is($c->field($id, 'NodeList'), 'n[1-8]', '  and scontrol');
	open(my $f, '>', "$go.grown") or die;
	my $said = sub { Cluster::slurp("$salloc->{base}.out") };
	ok($c->wait_for('its step', sub { $said->() =~ /^grown: ./m }), '  a step runs');
	like($said->(), qr/^grown: @{[join ' ', map { "n$_:8" } 1 .. 8]}$/m, '  on all of them') or diag(Cluster::slurp("$salloc->{base}.err"));
	like($said->(), qr/^began on 2: n\[7-8\]$/m, '  though it began on two');
	my $rigid = $c->plain(['-N6', '-t5'], as => $user);
	runs_after('they are called in', $rigid, asked('  of which it is told', $id, 2));
	like(resources($id), qr/^2 n\[\d,7\]$/, '  but for two');
	open($f, '>', "$go.shrunk") or die;
	is($c->finish($salloc)->{rc}, 0, 'its shell ends well') or diag($salloc->{err});
	like($salloc->{out}, qr/^shrunk: n\d:2 n7:2$/m, '  and ran a step on what it had then');
	$c->clear;
}

sub controllers {
	my $r = $c->cmd('scontrol', 'ping');
	return join ' ', map { /\((primary|backup)\d*\).* is (UP|DOWN)/ ? "$1=$2" : () } split /\n/, $r->{out};
}

# The next one has another scheduler.
sub scheduler {
	my ($type, $loans) = @_;
	$c->saved_state;
	$c->emulate('kill-controller', 'backup');
	my $conf = Cluster::slurp("$c->{dir}/c/etc/slurm.conf");
	$c->file('c/etc/slurm.conf', $conf =~ s/^SchedulerType=.*/SchedulerType=$type/mr);
	my $pact = Cluster::slurp("$c->{dir}/c/etc/pact.conf");
	$c->file('c/etc/pact.conf', $pact =~ s/^Loans=.*/Loans=$loans/mr);
	is($c->emulate('start-controller')->{rc}, 0, "the primary starts with $type");
	$c->remember_controller;
	$c->clear;
}

sub wish_of { return $c->field($_[0], 'AdminComment') =~ /(pactwish1\([^)]*,by=[1-9][^)]*\))/ ? $1 : '' }

# The primary is killed while a job is asked for nodes that are promised to another one.
sub take_over {
	my $one = job('a malleable job runs', '-N2-8', '--malleable=grace:20', '-t30');
	$c->has_width('idle nodes are lent', $one, 8);
	my $rigid = $c->accepted('six are promised', ['-N6', '-t1', '--deadline=now+10minutes'], as => $user, runs => 1);
	my $by = asked('  and called in', $one, 2);
	my $wish = wish_of($one);
	my ($token) = $c->field($rigid->{id}, 'AdminComment') =~ /(pact1\(id=\w+)/;
	ok($c->wait_for('the saved state', sub {
		my $state = Cluster::slurp("$c->{dir}/c/state/job_state");
		return index($state, $wish) >= 0 && index($state, $token) >= 0;
	}), '  which is saved');
	is($c->emulate('kill-controller')->{rc}, 0, 'kill -9 of the primary');
	is($c->cmd('scontrol', 'takeover')->{rc}, 0, 'scontrol takeover');
	ok($c->wait_for('the backup', sub { $c->cmd('timeout', '10', 'squeue', '-h')->{rc} == 0 && $c->now < $by }),
		'the backup is in charge before the notice is over');
	is(wish_of($one), $wish, '  the wish is what it was');
	is($c->width($one), 8, '  and the job has all of its nodes');
	like($c->pact('explain', $one), qr/^asked to give back n/m, '  of which pact tells');
	my $log = sub { Cluster::slurp("$c->{dir}/c/log/backup.log") };
	my %wishes;
	ok($c->wait_for('that', sub { $wishes{ wish_of($one) }++; $c->width($one) eq 2 }), 'what it does not give back is taken');
	delete $wishes{''};
	is(join(' ', keys %wishes), $wish, '  by that wish');
	cmp_ok($c->now, '>=', $by, '  when the notice is over');
	like($log->(), qr/JobId=$one: it has shrunk to n/, '  by the backup');
	$c->promises_kept('the promise is kept');
	$c->has_width('and then it is lent them again', $one, 8);
	$c->clear;
	# The first job on a node that was given back starts in any case.
	is($c->cmd({ as => $user }, 'timeout', 30, 'srun', '-N8', '-t1', 'true')->{rc}, 0, "a job on all nodes starts, $_") for 'once', 'and again';
	unlike($c->out('squeue', '-h', '-t', 'PENDING,RUNNING', '-o', '%j'), qr/pact-resize/, 'no helper is left');
	unlike($log->(), qr/\bfatal:|[Aa]ssert|[Ss]egmentation|underflow|duplicate relinquish|sync problem|sched\/\w+: .*\(id \d+\):/,
		'the log of the backup shows nothing bad');
}

ok($c->wait_for('both controllers', sub { controllers() eq 'primary=UP backup=UP' }), 'both controllers are up');
subtest 'sched/dynp, Loans=profit' => \&profit;
$c->reconfigure(conf('uniform'));
subtest 'sched/dynp, Loans=uniform' => \&uniform;
subtest 'what a job was asked for is over' => \&over;
subtest 'a job is asked for nodes twice' => \&twice;
subtest 'a suspended job' => \&suspended;
subtest 'salloc' => \&interactive;
$c->healthy('the primary is healthy');
subtest 'a take-over while a notice runs' => \&take_over;
scheduler('sched/qops', 'profit');
subtest 'sched/qops, Loans=profit' => \&profit;
$c->healthy;
$c->down;
Malleable::replays();
done_testing;
