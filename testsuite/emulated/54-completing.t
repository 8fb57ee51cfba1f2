#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 54-completing: while an epilog cleans up the nodes of a job that is over, the wider job that waits for them is
# overtaken by nobody, with a guard that knows nothing of epilogs.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use File::Temp qw(tempdir);
use Test::More;
use Cluster;

# It cleans up until it is let go.
my $dir = tempdir('pact-t-XXXXXX', TMPDIR => 1, CLEANUP => 1);
chmod 0755, $dir;
my ($epilog, $gate) = ("$dir/epilog", "$dir/gate");
Cluster::gated($epilog, $gate);

sub shut {
	open(my $g, '>', $gate) or die "$gate: $!";
	close($g);
}

for my $guard (0, 1) {
	my $c = Cluster->up(nodes => 4, conf => "Epilog=$epilog\n",
		pact => "Guard=$guard\nAdmissionTime=5000\nPlanInterval=5\n");
	my $first = $c->plain(['-N2', '-t60']);
	my $other = $c->plain(['-N1', '-t600']);
	$c->wait_state($_, 'RUNNING') for $first, $other;
	my $wide = $c->plain(['-N3', '-t60', '--priority=100']);
	my $narrow = $c->plain(['-N1', '-t300', '--priority=10']);
	$c->settle;
	shut();
	my $over = $c->now;
	$c->cmd('scancel', $first);
	$c->reaches("Guard=$guard: the nodes are being cleaned up", $first, 'CANCELLED|COMPLETING');
	like($c->out('squeue', '-h', '-t', 'CG', '-o', '%A'), qr/\b$first\b/, 'its job completes');
	# Passes are made all the while: one for each of these.
	for my $n (1 .. 8) {
		$c->settle;
		last unless $c->state($narrow) eq 'PENDING';
	}
	$c->wait_for('twelve seconds', sub { $c->now > $over + 12 });
	is($c->state($wide), 'PENDING', "Guard=$guard: the wide job waits for them");
	is($c->state($narrow), 'PENDING', "Guard=$guard: and nobody overtakes it") || diag($c->out('squeue'));
	unlink $gate;
	$c->reaches("Guard=$guard: then it starts", $wide, 'RUNNING');
	is($c->state($narrow), 'PENDING', "Guard=$guard: before the narrow one");
	$c->clear;
	$c->healthy;
	$c->down;
}
done_testing;
