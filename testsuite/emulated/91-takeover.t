#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 91-takeover: sched/malleable: control goes to the backup while a job is asked for nodes, and back while those that it has given
# back are not clean yet: what it is asked for, and by when, is what it was, and no other job has a node too early. Needs root and namespaces.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use File::Temp qw(tempdir);
use Test::More;
use Cluster;
use Malleable;

plan skip_all => 'a backup controller on one machine needs root' if $>;
plan skip_all => 'no mount and UTS namespaces here (unshare --mount --uts)'
	if system('unshare --mount --uts true >/dev/null 2>&1');

# An epilog that cleans a node up until it is let go.
my $dir = tempdir('pact-t-XXXXXX', TMPDIR => 1, CLEANUP => 1);
chmod 0755, $dir;
my ($epilog, $gate) = ("$dir/epilog", "$dir/gate");
Cluster::gated($epilog, "$gate.\$SLURMD_NODENAME");

my $c = Malleable::up(nodes => 6, sched => 'malleable', backup => 1, as => 65534,
	pact => "Guard=60\nPlanInterval=2\nAdmissionTime=5000\nResizeGrace=15\n",
	conf => "Epilog=$epilog\nCompleteWait=60\nMessageTimeout=60\n");
my %log = (primary => "$c->{dir}/c/log/controller.log", backup => "$c->{dir}/c/log/backup.log");

ok($c->wait_for('both controllers', sub { 2 == (() = $c->cmd('scontrol', 'ping')->{out} =~ / is UP$/mg) }), 'both controllers are up');
my $one = $c->plain(['-N2-6', '--malleable', '-t30'], script => 'sleep 1000');
$c->has_width('all six', $one, 6);
for my $n (1 .. 6) {
	open(my $g, '>', "$gate.n$n") or die "$gate: $!";
	close($g);
}
my $rigid = $c->plain(['-N3', '-t5'], script => 'sleep 1000');
my $wish = qr/pactwish1\(serial=\d+,width=3,by=([1-9]\d*),leave=n\S*\)/;
ok($c->wait_field($one, 'AdminComment', $wish), 'it is asked for three of them, with notice');
my ($asked, $by) = $c->field($one, 'AdminComment') =~ /($wish)/;

$c->mark;
is($c->cmd('scontrol', 'takeover')->{rc}, 0, 'scontrol takeover');
$c->in_charge('backup');
like($c->field($one, 'AdminComment'), qr/\Q$asked\E/, '  the wish is what it was');
is($c->width($one), 6, '  and it has them still') if $c->now < $by;
$c->has_width('what it does not give back is taken', $one, 3);
cmp_ok($c->now, '>=', $by, '  when the notice is over');

# No record says whose processes may be there still.
sub stays {
	my $who = shift;
	my $shown;
	ok($c->wait_for('three', sub { 3 == (() = ($shown = $c->out('sinfo', '-h', '-N', '-o', '%n %T')) =~ /completing\*?$/mg) }, 30),
		"$who: their epilogs run") or diag($shown);
	is($c->state($rigid), 'PENDING', '  and another job does not have them');
	is($c->width($one), 3, '  nor has the first one');
}
stays('the backup');
$c->mark;
is($c->emulate('start-controller')->{rc}, 0, 'the primary comes back');
$c->in_charge('primary');
$c->remember_controller;
ok($c->wait_for('its log', sub { $c->said('primary') =~ /JobId=$one: before slurmctld was started it had left n/ }), '  its log says that they may not be clean');
$c->wait_for('their slurmds', sub { $c->out('sinfo', '-h', '-o', '%T') !~ /unknown/ });
stays('the primary');
unlink map { "$gate.n$_" } 1 .. 6;
$c->reaches('then another job has them', $rigid, 'RUNNING');
is($c->width($one), 3, '  and the first one has its own');
$c->clear;
ok(!-e "$c->{dir}/c/state/pact_leaving", 'and nothing is kept of it');
for my $who (sort keys %log) {
	unlike(Cluster::slurp($log{$who}), qr/\bfatal:|[Aa]ssert|[Ss]egmentation|sched\/malleable: .*\(id \d+\):/, "the log of the $who shows nothing bad");
}
$c->healthy;
done_testing;
