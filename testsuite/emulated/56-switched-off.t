#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 56-switched-off: a backup controller in charge under no_backup_scheduling starts nothing and has no plan: whoever
# submits, changes a promised job, asks or looks at the plan is told why. Needs root and namespaces.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Test::More;
use Cluster;

plan skip_all => 'a backup controller on one machine needs root' if $>;
plan skip_all => 'no mount and UTS namespaces here (unshare --mount --uts)'
	if system('unshare --mount --uts true >/dev/null 2>&1');

my $c = Cluster->up(nodes => 2, backup => 1,
	conf => "SchedulerParameters=sched_interval=-1,defer,no_backup_scheduling\n");
my $pact = "$Cluster::build/contrib/pact/pact";
my $why = qr/scheduling is switched off in this slurmctld: a backup controller under SchedulerParameters=no_backup_scheduling/;

my $wall = $c->plain(['-N2', '-t60']);
$c->reaches('all nodes are busy', $wall, 'RUNNING');
my $promised = $c->accepted('the primary makes a promise', ['-N2', '-t10', '--deadline=now+10hours'])->{id};
my $plain = $c->plain(['-N2', '-t10']);
my ($token) = $c->field($promised, 'AdminComment') =~ /(pact1\(id=\w+)/;
ok($c->wait_for('the saved state', sub {
	return $token && index(Cluster::slurp("$c->{dir}/c/state/job_state"), $token) >= 0;
}), 'which is saved');

ok($c->wait_for('the take-over', sub {
	$c->cmd('scontrol', 'takeover')->{rc} == 0;
}), 'scontrol takeover');
my $log = sub { Cluster::slurp("$c->{dir}/c/log/backup.log") };
ok($c->wait_for('the backup', sub {
	$log->() =~ /Running as primary controller/ && $c->cmd('timeout', '10', 'squeue', '-h')->{rc} == 0;
}), 'the backup is in charge');
my $status = '';
ok($c->wait_for('an answer', sub { ($status = $c->out($pact, 'status')) =~ /there is no plan: $why/ }), 'pact status says why there is no plan')
	or diag($status);
my $r = $c->cmd($pact, 'plan');
is($r->{rc}, 6, 'pact plan has none');
like($r->{err}, qr/there is no plan: $why/, '  and says why');
like($c->cmd($pact, 'explain', $promised)->{err}, qr/there is no plan: $why/, 'so does pact explain');
$r = $c->cmd($pact, 'ask', '-N1', '-t1', '--deadline=now+5hours');
is($r->{rc}, 1, 'pact ask: refused');
like($r->{out}, qr/$why/, '  and why');
$r = $c->cmd($pact, 'ask', '-N1', '-t1');
like($r->{out}, qr/$why/, '  without a deadline, too');
$c->refused('a submission is refused likewise', ['-N1', '-t1', '--deadline=now+5hours'], $why);

for (['a promised job', $promised, 'TimeLimit=20'], ['a new deadline', $plain, 'Deadline=now+20hours']) {
	my ($what, $id, @terms) = @$_;
	my $mark = length $log->();
	ok($c->cmd('scontrol', 'update', "JobId=$id", @terms)->{rc}, "a change of $what is refused");
	ok($c->wait_for('the log', sub { substr($log->(), $mark) =~ /JobId=$id: change refused: .*$why/ }), '  and the log says why');
}
is($c->promise($promised), 'promised', 'the promise stays');
is($c->promise($plain), '', 'and no other is made');
is($c->state($wall), 'RUNNING', 'what runs runs on');
unlike($log->(), qr/fatal:|[Aa]ssert|[Ss]egmentation/, 'the log shows nothing bad');
done_testing;
