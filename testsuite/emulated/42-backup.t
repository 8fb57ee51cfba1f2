#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 42-backup: the backup controller takes over, and the promises with it. Needs root and namespaces.
# Runs with one other: a controller that a busy machine makes late is taken for dead.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Test::More;
use Cluster;

plan skip_all => 'a backup controller on one machine needs root' if $>;
plan skip_all => 'no mount and UTS namespaces here (unshare --mount --uts)'
	if system('unshare --mount --uts true >/dev/null 2>&1');

my $c = Cluster->up(nodes => 4, backup => 1, conf => "SlurmctldTimeout=10\n");

sub controllers {
	my $r = $c->cmd('scontrol', 'ping');
	return join ' ', map { /\((primary|backup)\d*\).* is (UP|DOWN)/ ? "$1=$2" : () } split /\n/, $r->{out};
}

ok($c->wait_for('both controllers', sub { controllers() eq 'primary=UP backup=UP' }), 'both controllers are up')
	or diag($c->cmd('scontrol', 'ping')->{out});
my $wall = $c->plain(['-N4', '-t10']);
$c->reaches('all nodes are busy', $wall, 'RUNNING');
my @p = map { $c->accepted("promise $_", ['-N4', '-t10', '--deadline=' . $c->in_seconds(1500 + 700 * $_)]) } 0 .. 2;
my $tokens = join ' ', map { $c->field($_->{id}, 'AdminComment') } @p;
ok($c->wait_for('the saved state', sub {
	my $state = Cluster::slurp("$c->{dir}/c/state/job_state");
	return !grep { my ($t) = $c->field($_->{id}, 'AdminComment') =~ /(pact1\(id=\w+)/; index($state, $t) < 0 } @p;
}), 'they are saved');

is($c->emulate('kill-controller')->{rc}, 0, 'kill -9 of the primary');
ok($c->wait_for('the take-over', sub { $c->cmd('timeout', '10', 'squeue', '-h')->{rc} == 0 }, 180),
	'the backup answers');
is(join(' ', map { $c->field($_->{id}, 'AdminComment') } @p), $tokens, 'the promises are what they were');
my $pact = "$Cluster::build/contrib/pact/pact";
my $plan = '';
ok($c->wait_for('its plan', sub {
	$plan = $c->out($pact, 'plan');
	return !grep { $plan !~ /^$_->{id} .* waiting /m } @p;
}), 'pact plan shows them') or diag($plan);
my $log = sub { Cluster::slurp("$c->{dir}/c/log/backup.log") };
my $r;
ok($c->wait_for('an answer', sub {
	$r = $c->sbatch(['-N4', '-t10', '--deadline=now+25minutes']);
	return $r->{text} !~ /is being built/;
}), 'the backup answers submissions');
like($r->{text}, qr/deadline: refused: no room/, 'and does not promise a place twice');
my $own = $c->accepted('it makes promises of its own', ['-N1', '-t10', '--deadline=now+3hours']);
$c->cmd('scancel', $wall);
my @on = $c->run_all((map { $_->{id} } @p), $own->{id});
like("@on", qr/^n\[1-4\] n\[1-4\] n\[1-4\] n\d$/, 'it keeps those of the primary');
unlike($log->(), qr/fatal:|[Aa]ssert|[Ss]egmentation/, 'its log shows nothing bad');

my $more = $c->accepted('one more', ['-N4', '-t10', '--deadline=now+10hours'], runs => 1);
ok($c->wait_for('the saved state', sub {
	my ($t) = $c->field($more->{id}, 'AdminComment') =~ /(pact1\(id=\w+)/;
	return $t && index(Cluster::slurp("$c->{dir}/c/state/job_state"), $t) >= 0;
}), 'saved');
is($c->emulate('start-controller')->{rc}, 0, 'the primary comes back');
ok($c->wait_for('the primary', sub { controllers() =~ /primary=UP/ }), 'and takes over again');
$c->remember_controller;
$c->reaches('what the backup promised is run by the primary', $more->{id}, 'COMPLETED');

$c->healthy;
done_testing;
