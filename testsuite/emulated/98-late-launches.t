#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 98-late-launches: jobs are launched on their nodes only after their first turn is over, as these have a slow Prolog, and slurmd has
# given up to suspend them by then. They are stopped before they have run beside others for long, by the states of the processes:
# one that is launched while it is stopped for the first time, and one while it is for the second. By name: PACT_PROLOG
# (PrologFlags: none, Alloc, Contain).
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use File::Temp qw(tempdir);
use Test::More;
use Cluster;
use Turns;

my $slice = 12;
my $flags = $ENV{PACT_PROLOG} // 'none';
my $dir = tempdir(CLEANUP => 1, TMPDIR => 1);
chmod 0755, $dir;

sub spew {
	my ($path, $text) = @_;
	open(my $f, '>', $path) or die "$path: $!";
	print $f $text;
	close $f;
}

# Seconds that the prologs of jobs of a partition take from now on.
sub slow {
	my ($partition, $seconds) = @_;
	spew("$dir/slow.$partition", "$seconds\n");
}

slow($_, 0) for qw(batch second);
spew("$dir/prolog", "#!/bin/sh\nsleep \$(cat $dir/slow.\$SLURM_JOB_PARTITION)\n");
chmod 0755, "$dir/prolog";
my $c = Cluster->up(nodes => 4, pact => "Guard=60\n",
	partition => ['batch Nodes=n[1-2] Default=YES MaxTime=INFINITE OverSubscribe=FORCE:3', 'second Nodes=n[3-4] OverSubscribe=FORCE:2'],
	conf => "SelectType=select/gang\nSelectTypeParameters=CR_Memory\nSchedulerTimeSlice=$slice\nDefMemPerNode=100\n" .
		"Prolog=$dir/prolog\nBatchStartTimeout=120\n" . ($flags eq 'none' ? '' : "PrologFlags=$flags\n"));

sub job {
	my ($partition, $what) = @_;
	my $id = $c->plain(['-p', $partition, '-N2', '-t30'], script => work($c));
	$c->reaches("$partition: $what", $id, qr/^(RUNNING|SUSPENDED)$/);
	return $id;
}

# Of three rows the third one has its turn when a job is launched; of two, the other one, again.
my %others = (batch => [map { job('batch', 'a job') } 1, 2], second => [job('second', 'a job')]);
slow('batch', 26);
slow('second', 40);
my %late = map { $_ => job($_, 'one that is launched late') } qw(batch second);
my $runs = watch($c, 50, map { $late{$_}, @{ $others{$_} } } qw(batch second));
for my $partition (qw(batch second)) {
	my ($launched) = @{ $runs->{ $late{$partition} } // [] };
	ok($launched, "$partition: it is launched") or next;
	my $beside = 0;
	$beside += overlap($runs, $late{$partition}, $_) for @{ $others{$partition} };
	note("$beside s beside others");
	cmp_ok($beside, '<', 6, '  it runs beside others for seconds, not for their turns') or diag(explain($runs));
}
$c->clear;
$c->healthy;
$c->down;
done_testing();
