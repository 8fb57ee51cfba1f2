#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 45-review: promises that share a record, or that belong to jobs already running, or that meet limits
# and reservations which Slurm itself stretches.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Test::More;
use Cluster;

my $c = Cluster->up(nodes => 4);

sub count {
	my ($pattern, $from) = @_;
	my $text = $c->log_text($from);
	return scalar(() = $text =~ /$pattern/g);
}

subtest 'an array with one late task is told once' => sub {
	my $wall = $c->plain(['-N3', '-t10']);
	my $one = $c->plain(['-N1', '-t5']);
	$c->reaches('nodes are busy', $_, 'RUNNING') for $wall, $one;
	# One task per slot of the fourth node, the last one just in time.
	my $array = $c->accepted('two tasks, one after another', ['-a', '0-1', '-N4', '-t10', '--deadline=now+34minutes']);
	my $mark = $c->log_mark;
	ok($c->update($wall, 'TimeLimit=15'), 'what is in their way lasts longer');
	ok($c->wait_for('the breach', sub { $c->promise($array->{id}) eq 'broken' }), 'the promise is broken');
	$c->settle for 1 .. 5;
	is(count(qr/can no longer be kept/, $mark), 1, 'told once');
	is(count(qr/will be kept after all/, $mark), 0, 'and not taken back');
	is($c->promise($array->{id}), 'broken', 'for the whole record');
	ok($c->update($wall, 'TimeLimit=10'), 'the way is free again');
	ok($c->wait_for('the mending', sub { $c->promise($array->{id}) eq 'promised' }), 'then it is promised again');
	is(count(qr/will be kept after all/, $mark), 1, 'told once, too');
	$c->clear;
};

$c->clear;
$c->healthy;
done_testing;
