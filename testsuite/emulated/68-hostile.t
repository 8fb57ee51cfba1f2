#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 68-hostile: 500 connections that say nothing, lines of a mebibyte, credentials that are wrong or replayed,
# and a flood: slurmctld goes on, others are served, and sbatch takes about as long as without, in
# alternating blocks of one run, where there are processors enough to tell. A factor of 2 is let pass.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Test::More;
use Cluster;
use Hostile;
use Latency qw(median);
use Time::HiRes qw(sleep);

my $c = Cluster->up(nodes => 2, pact => "Guard=60\nAdmissionTime=5000\nSocketTimeout=30\nSocketRate=20\n");
my $path = $c->{env}{PACT_SOCKET};
my $pact = "$Cluster::build/contrib/pact/pact";
ok($c->wait_for('the socket', sub { -S $path }), 'the socket is there');
my $wall = $c->plain(['-N2', '-t60']);
$c->reaches('the nodes are busy', $wall, 'RUNNING');

my $hostile = Hostile->new($c);
my (@calm, @hostile);
$hostile->submissions(3);
for my $block (1 .. 4) {
	push @calm, $hostile->submissions(8);
	$hostile->attack;
	sleep 0.5;
	push @hostile, $hostile->submissions(8);
	if ($block == 2 && defined $hostile->{uid}) {
		my $r = $c->cmd($pact, 'status');
		is($r->{rc}, 0, 'others are served meanwhile') or diag($r->{err});
	}
	$hostile->cease;
}
my $ratio = median(@hostile) / median(@calm);
diag(sprintf 'sbatch: %.1f ms, with hostile clients %.1f ms, ratio %.2f', median(@calm), median(@hostile), $ratio);
SKIP: {
	# The clients themselves need processors, and with few of them that is what would be measured.
	my $cpus = () = Cluster::slurp('/proc/cpuinfo') =~ /^processor/mg;
	skip 'not enough processors to tell slurmctld\'s time from the clients\'', 1 if $cpus < 4;
	cmp_ok($ratio, '<', 2.0, 'submissions take about as long as without');
}
ok($c->wait_for('an answer', sub { !$c->cmd($pact, 'status')->{rc} }), 'afterwards the socket serves');

SKIP: {
	my $uid = $hostile->{uid};
	skip 'needs another user', 3 unless defined $uid;
	my $greeting = sub {
		local $> = $uid; # the kernel notes who connects
		my $fh = $hostile->dial or return '';
		return <$fh> // '';
	};
	$hostile->hammer;
	ok($c->wait_for('an end of patience', sub { $greeting->() =~ /"too_many"/ }),
		'who connects all the time and asks nothing is turned away');
	my $r = $c->cmd($pact, 'status');
	is($r->{rc}, 0, 'others are served') or diag($r->{err});
	$hostile->cease;
	ok($c->wait_for('its turn', sub { !$c->cmd({ as => $uid }, $pact, 'status')->{rc} }), 'so is he, afterwards');
}

my $fds = () = glob "/proc/$c->{controller}/fd/*";
cmp_ok($fds, '<', 300, 'no connection is left open');
ok(!grep({ /socket: .*(?:munge|credential)/ } $c->log_tail(2000)), 'and the log is not filled');

$c->clear;
$c->healthy;
done_testing;
