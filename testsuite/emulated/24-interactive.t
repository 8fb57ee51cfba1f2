#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 24-interactive: srun and salloc with deadlines.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Test::More;
use Cluster;

my $c = Cluster->up(nodes => 4);

subtest 'on free nodes' => sub {
	my $r = $c->cmd('srun', '-N2', '-t5', '--deadline=now+2hours', 'hostname');
	is($r->{rc}, 0, 'srun runs') or diag($r->{err});
	like($r->{err}, qr/^srun: deadline: accepted: completes by /m, 'and is told the promise');
	is(scalar(split /\n/, $r->{out}), 2, 'on two nodes');
	$r = $c->cmd('salloc', '-N2', '-t5', '--deadline=now+2hours', 'srun', 'true');
	is($r->{rc}, 0, 'salloc runs') or diag($r->{err});
	like($r->{err}, qr/^salloc: deadline: accepted: completes by /m, 'and is told too');
};

subtest 'on busy nodes' => sub {
	$c->clear;
	my $wall = $c->plain(['-N4', '-t10']);
	$c->reaches('busy', $wall, 'RUNNING');
	my $r = $c->cmd('srun', '-N1', '-t10', '--deadline=now+15minutes', 'true');
	isnt($r->{rc}, 0, 'srun is refused');
	like($r->{err}, qr/^srun: error: deadline: refused: .*earliest that can be promised: --deadline=/m,
		'with a counter-offer');
	$r = $c->cmd('salloc', '-N1', '-t10', '--deadline=now+15minutes', 'true');
	isnt($r->{rc}, 0, 'salloc is refused');
	like($r->{err}, qr/^salloc: error: deadline: refused: /m, 'likewise');
	my $srun = $c->spawn('srun', '-N4', '-t10', '--deadline=now+24minutes', 'true');
	my $id = $c->wait_for('the waiting srun', sub {
		my $id = $c->out('squeue', '-h', '-t', 'PD', '-o', '%A');
		return $id =~ /^\d+$/ && $id;
	});
	is($c->promise($id), 'promised', 'a waiting srun is promised');
	$c->refused('and holds its place', ['-N4', '-t10', '--deadline=now+24minutes']);
	$c->cmd('scancel', $wall);
	is($c->finish($srun)->{rc}, 0, 'it runs');
};

subtest 'an srun that goes away gives its place back' => sub {
	$c->clear;
	my $wall = $c->plain(['-N4', '-t10']);
	$c->reaches('busy', $wall, 'RUNNING');
	my $srun = $c->spawn('srun', '-N4', '-t10', '--deadline=now+24minutes', 'true');
	ok($c->wait_for('the waiting srun', sub { $c->out('squeue', '-h', '-t', 'PD', '-o', '%A') =~ /^\d+$/ }), 'it waits');
	kill 'INT', $srun->{pid};
	$c->finish($srun);
	my $r;
	ok($c->wait_for('the place', sub { ($r = $c->sbatch(['-N4', '-t10', '--deadline=now+24minutes']))->{id} }),
		'another one is promised it') or diag($r->{text});
};

subtest 'immediate' => sub {
	$c->clear;
	my $r = $c->cmd('srun', '--immediate=1', '-N1', '-t1', 'true');
	isnt($r->{rc}, 0, '--immediate is refused by Slurm itself');
	like($r->{err}, qr/Immediate execution impossible|Unable to allocate resources/, 'with its own message');
	$r = $c->cmd('srun', '--immediate=1', '-N1', '-t1', '--deadline=now+2hours', 'true');
	like($r->{err}, qr/deadline: refused: .*--immediate/, 'with a deadline it is named');
};

$c->clear;
$c->healthy;
done_testing;
