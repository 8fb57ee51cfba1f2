#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 46-changes-review: changes that could take a promise along unseen, and requests nobody thinks of.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Test::More;
use Cluster;

my $c = Cluster->up(nodes => 4, partition => ['half Nodes=n[1-2]', 'one Nodes=n4', map { "p$_ Nodes=n[1-4]" } 1 .. 9]);

sub setting {
	$c->clear;
	my $wall = $c->plain(['-N4', '-t10']);
	$c->reaches('all nodes are busy', $wall, 'RUNNING');
	my $r = $c->accepted('a job is promised', ['-N2', '-t10', '--deadline=now+60minutes', @_]);
	$c->wait_field($r->{id}, 'StartTime', qr/^\d+$/);
	return ($wall, $r);
}

subtest 'more partitions than are planned' => sub {
	$c->clear;
	$c->refused('nine of them', ['-N1', '-t10', '-p', join(',', map { "p$_" } 1 .. 9), '--deadline=now+60minutes'],
		qr/cannot be planned: more partitions/);
};

subtest 'a dependency with a delay' => sub {
	my ($wall, $r) = setting();
	$c->refused('after:+', ['-N1', '-t10', '-d', "after:$wall+600", '--deadline=now+60minutes'],
		qr/cannot be planned: a dependency with a delay/);
};

subtest 'AdminComment can be cleared' => sub {
	$c->clear;
	my $wall = $c->plain(['-N4', '-t10']);
	ok($c->update($wall, 'AdminComment=night'), 'a comment');
	ok($c->update($wall, 'AdminComment='), 'none');
	ok($c->wait_field($wall, 'AdminComment', qr/^$/), 'it is gone') or diag($c->field($wall, 'AdminComment'));
};

$c->clear;
$c->healthy;
done_testing;
