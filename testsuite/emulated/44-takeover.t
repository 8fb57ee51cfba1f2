#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 44-takeover: control goes from one controller to the other and back under sched/dynp: on demand, when the
# primary comes back, and when it was killed. Promises, the policy and what waits for another job are what they
# were; pact finds who is in charge; each one's recording can be replayed. Needs root and namespaces.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Test::More;
use Cluster;
use File::Temp qw(tempdir);
use JSON::PP;

plan skip_all => 'a backup controller on one machine needs root' if $>;
plan skip_all => 'no mount and UTS namespaces here (unshare --mount --uts)'
	if system('unshare --mount --uts true >/dev/null 2>&1');

my $pact = "$Cluster::build/contrib/pact/pact";
my $recordings = tempdir('pact-takeover-XXXXXX', TMPDIR => 1, CLEANUP => 1);
my $base = "Guard=60\nAdmissionTime=5000\nPlanInterval=2\nSocketRate=0\nRecord=on\nRecordDir=$recordings\nRecordFiles=100\n";
my $c = Cluster->up(nodes => 4, sched => 'dynp', backup => 1, pact => $base);
my %log = (primary => "$c->{dir}/c/log/controller.log", backup => "$c->{dir}/c/log/backup.log");

sub controllers {
	my $r = $c->cmd('scontrol', 'ping');
	return join ' ', map { /\((primary|backup)\d*\).* is (UP|DOWN)/ ? "$1=$2" : () } split /\n/, $r->{out};
}

sub policies {
	my $r = $c->cmd($pact, '--json', 'stats');
	return $r->{rc} ? {} : decode_json($r->{out})->{dynp} // {};
}

# A token that has been saved is known to whoever takes over.
sub saved {
	my @jobs = @_;
	my @tokens = map { $c->field($_, 'AdminComment') =~ /(pact1\(id=\w+)/ } @jobs;
	return ok($c->wait_for('the saved state', sub {
		my $state = Cluster::slurp("$c->{dir}/c/state/job_state");
		return @tokens == @jobs && !grep { index($state, $_) < 0 } @tokens;
	}), 'the promises are saved');
}

my ($wall, $dependent, @promised);

# All that has to be as it was, with whoever is in charge now.
sub goes_on {
	my ($who, $policy) = @_;
	$c->in_charge($who);
	ok($c->wait_for('a plan', sub { (policies()->{running} // '') eq $policy }), "  by policy $policy");
	# slurmctld restores dependencies and priorities in between.
	like($c->said($who), qr/Running as primary controller.*sched\/dynp: goes on with $policy/s, '  which it plans by when all of it is there');
	is($c->promise($_), 'promised', "  job $_ is promised") for @promised;
	is($c->state($dependent), 'PENDING', '  what waits for another job waits');
	my $plan;
	ok($c->wait_for('a plan of all of them', sub {
		$plan = $c->out($pact, 'plan');
		return !grep { $plan !~ /^$_ .* waiting /m } @promised;
	}), '  pact plan shows them') or diag($plan);
	ok($c->wait_for('an answer', sub { $c->cmd($pact, 'ask', '-N1', '-t1', '--deadline=now+20hours')->{rc} == 0 }), '  pact ask is answered');
	like($c->out($pact, 'status'), qr{, sched/dynp\n(?:built for .*\n)?plan of .*, policy $policy$}m, '  so is pact status');
}

ok($c->wait_for('both controllers', sub { controllers() eq 'primary=UP backup=UP' }), 'both controllers are up');
$wall = $c->plain(['-N4', '-t60']);
$c->reaches('all nodes are busy', $wall, 'RUNNING');
$dependent = $c->plain(['-N1', '-t1', "--dependency=afterok:$wall"], runs => 0);
my @short = map { $c->plain(['-N4', "-t$_"], runs => 0) } 500, 3, 2, 1;
ok($c->wait_for('a switch', sub { $c->said('primary') =~ /switches from fcfs to sjf/ }), 'the primary switches to sjf');
push @promised, $c->accepted('it makes a promise', ['-N4', '-t10', '--deadline=now+20hours'], runs => 0)->{id};
saved(@promised);
ok($c->wait_for('the policy', sub { Cluster::slurp("$c->{dir}/c/state/pact_policy") eq "pact-policy-1 sjf\n" }), 'so is the policy');
unlike($c->said('backup'), qr/sched\/dynp/, 'on standby nothing is planned, recorded or served');

$c->mark;
is($c->cmd('scontrol', 'takeover')->{rc}, 0, 'scontrol takeover');
goes_on('backup', 'sjf');
like($c->refused('the backup promises no place twice', ['-N4', '-t10', '--deadline=now+40minutes'])->{text},
	qr/no room/, '  for want of room');
push @promised, $c->accepted('it makes promises of its own', ['-N1', '-t1', '--deadline=now+20hours'], runs => 0)->{id};
saved(@promised);
$c->cmd('scancel', @short);
$c->reconfigure($base . "Policies=ljf\n");
ok($c->wait_for('ljf', sub { Cluster::slurp("$c->{dir}/c/state/pact_policy") eq "pact-policy-1 ljf\n" }), 'pact.conf decides there, too');
$c->reconfigure($base . "Policies=fcfs,ljf\n");

$c->mark;
is($c->emulate('start-controller')->{rc}, 0, 'the primary comes back');
goes_on('primary', 'ljf');
ok($c->wait_for('standby', sub { $c->said('backup') =~ /slurmctld running in background mode/ }), 'the backup is on standby');
unlike($c->said('backup') =~ s/.*running in background mode//sr, qr/sched\/dynp/, '  and plans nothing');
ok($c->wait_for('both controllers', sub { controllers() eq 'primary=UP backup=UP' }), 'both controllers are up');

$c->mark;
is($c->emulate('kill-controller')->{rc}, 0, 'kill -9 of the primary');
is($c->cmd('scontrol', 'takeover')->{rc}, 0, 'scontrol takeover');
goes_on('backup', 'ljf');
$c->cmd('scancel', $wall);
my $loose = $c->plain(['-N4', '-t1'], runs => 0);
$c->promises_kept('all promises are kept');
$c->reaches('the others run', $loose, 'COMPLETED');

for my $who (sort keys %log) {
	unlike(Cluster::slurp($log{$who}), qr/\bfatal:|[Aa]ssert|[Ss]egmentation|sched\/dynp: .*\(id \d+\):/, "the log of the $who shows nothing bad");
}
is($c->emulate('status')->{out} =~ /^backup: running/m ? 1 : 0, 1, 'the backup is the process that it was');
$c->down;

subtest 'what was recorded on either can be replayed' => sub {
	my @files = sort glob "$recordings/pact-*.rec";
	cmp_ok(scalar(@files), '>=', 4, 'one recording for each life, and one for each pact.conf');
	my $out = qx{$Cluster::build/sim/pact-sim replay @files 2>&1};
	is($? >> 8, 0, 'no decision differs') or diag($out);
	like($out, qr/no difference: \d+ events/, 'of many');
};
done_testing;
