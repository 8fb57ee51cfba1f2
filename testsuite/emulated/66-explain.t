#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 66-explain: why a job waits, of each kind; why one was refused, by the reference it was told; what became
# of a promise.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Test::More;
use Cluster;
use JSON::PP;

my $c = Cluster->up(nodes => 4, pact => "Guard=60\nAdmissionTime=5000\nSocketRate=0\n", conf => "Licenses=x:1\n",
	partition => ['other Nodes=n[1-4]']);
my $pact = "$Cluster::build/contrib/pact/pact";

sub told {
	my $r = $c->cmd($pact, '--json', 'explain', @_);
	return { rc => $r->{rc}, err => $r->{err}, $r->{rc} ? () : %{ decode_json($r->{out}) } };
}

# Until the plan says so.
sub waits {
	my ($id, $word, $name) = @_;
	my $e;
	ok($c->wait_for("job $id waits: $word", sub {
		$e = told($id);
		return ($e->{kind} // '') eq 'waiting' && $e->{plan}{waits} eq $word;
	}), $name) or diag(encode_json($e));
	return $e;
}

my $wall = $c->plain(['-N3', '-t60']);
$c->reaches('a job runs', $wall, 'RUNNING');
my $wide = $c->plain(['-N4', '-t10']);
my $e = waits($wide, 'resources', 'for nodes');
is_deeply([map { $_->{job} } @{ $e->{blockers} }], [$wall], 'which the running job holds');
is($e->{blockers}[0]{width}, 3, 'so many of them');
like($e->{blockers}[0]{nodes}, qr/^n/, 'by name');
is($e->{blockers}[0]{until}, $e->{plan}{start}, 'until it starts');
is($e->{idle}, 1, 'one is idle');
like($c->out($pact, 'explain', $wide), qr/waits for nodes.*\n\s+$wall\s+runs on 3 nodes n\S+ until/s, 'in words');
$e = told($wall);
is($e->{kind}, 'running', 'a running job');

my $later = $c->plain(['-N1', '-t1', '--begin=now+2hours']);
waits($later, 'begin', 'for its begin time');
like($c->out($pact, 'explain', $later), qr/^job $later waits for its begin time, \d{4}-\d\d-\d\dT/, 'which is told');
my $held = $c->plain(['-H', '-N1', '-t1']);
waits($held, 'held', 'held');
my $after = $c->plain(['-N1', '-t1', "--dependency=afterany:$wall"]);
waits($after, 'dependency', 'for another job');
like($c->out($pact, 'explain', $after), qr/^job $after waits for other jobs \(afterany:$wall\b/, 'which is named');
$c->cmd('scancel', $wide, $later, $held, $after);

my $p = $c->accepted('a promise for all nodes', ['-N4', '-t10', '--deadline=now+75minutes']);
my $long = $c->plain(['-N1', '-t120']);
$e = waits($long, 'promises', 'nodes that are promised');
ok((grep { ($_->{job} // 0) == $p->{id} && $_->{promised} } @{ $e->{blockers} }), 'to that job')
	or diag(encode_json($e));
$e = told($p->{id});
is($e->{plan}{deadline}, $p->{by}, 'a promised job has its deadline');
ok(defined $e->{plan}{slack}, 'and its slack');

subtest 'a refusal' => sub {
	my $r = $c->refused('no room', ['-N2', '-t30', '--deadline=now+60minutes']);
	my ($ref) = $r->{text} =~ /pact explain (R\w+)/;
	ok($ref, 'has a reference') or return diag($r->{text});
	my $d = told($ref);
	is($d->{kind}, 'decision', 'which is known') or return diag($d->{err});
	is($d->{reason}, 'no room', 'the reason');
	is($d->{nodes}, 2, 'the request');
	is($d->{attempts}, 0, 'no arrangement of the others would help') or diag(encode_json($d));
	like($c->out($pact, 'explain', $ref), qr/^it would be late with no other job waiting/m, 'which is said');
	cmp_ok($d->{critical}{late}, '>', 0, 'by how much the best of them was late') or diag(encode_json($d));
	ok($d->{critical}{itself} || $d->{critical}{job}, 'and who');
	like($c->out($pact, 'explain', $ref), qr/in the best attempt .* by \d/, 'in words');
	my $other = $c->refused('too wide', ['-N5', '-t1', '--deadline=now+1hour']);
	my ($second) = $other->{text} =~ /pact explain (R\w+)/;
	isnt($second, $ref, 'another refusal, another reference');
	is(told($second)->{reason}, 'too wide', 'and its reason');
	my $policy = $c->refused('not planned', ['-N1', '-t1', '--licenses=x', '--deadline=now+1hour'])->{text};
	like(told($policy =~ /pact explain (R\w+)/)->{text} // '', qr/cannot be planned/, 'what cannot be planned')
		or diag($policy);
	is(told('Rzzzzz')->{rc}, 5, 'an unknown reference: 5');
	is(told('999999')->{rc}, 5, 'an unknown job: 5');
	my $none = told("${wall}_7");
	is($none->{rc}, 5, 'an unknown task: 5');
	like($none->{err}, qr/job ${wall}_7: /, 'which is named');
	is(told('x')->{rc}, 2, 'neither: 2');
};

subtest 'what became of it' => sub {
	$c->cmd('scancel', $long, $wall, $p->{id});
	$c->excuse($p->{id});
	my $r = $c->accepted('a short promise', ['-N1', '-t2', '--deadline=now+30minutes'], runs => 1);
	my $d;
	ok($c->wait_for('its end', sub { $d = told($r->{id}); return ($d->{kind} // '') eq 'ended' }), 'it has ended');
	is($d->{outcome}, 'kept', 'as promised') or diag(encode_json($d));
	is($d->{deadline}, $r->{by}, 'promised by');
	cmp_ok($d->{end}, '<=', $r->{by}, 'ended before');
	is($d->{slack}, $r->{by} - $d->{end}, 'by so much');
	like($c->out($pact, 'explain', $r->{id}), qr/the promise was kept/, 'in words');
	my $array = $c->sbatch(['-N1', '-t2', '--array=5-6', '--deadline=now+1hour'], script => 'sleep 1');
	ok($array->{id}, 'a promised array') or return diag($array->{text});
	ok($c->wait_for('its end', sub { $d = told("$array->{id}_6"); return ($d->{kind} // '') eq 'ended' }), 'has ended')
		or diag(encode_json($d));
	is_deeply([@$d{qw(array task outcome)}], [$array->{id}, 6, 'kept'], 'task by task');
};

subtest 'a long queue' => sub {
	ok($c->clear, 'an empty cluster') or return;
	my $queue = $c->sbatch(['-N4', '-t10', '--array=1-40'])->{id};
	my $last = $c->plain(['-N4', '-t1']);
	my $e;
	ok($c->wait_for('all before it', sub {
		$e = told($last);
		return ($e->{more} // 0) + @{ $e->{blockers} // [] } == 40;
	}), 'has all before it') or diag(encode_json($e));
	is(scalar(@{ $e->{blockers} }), 32, 'so many are named');
	is($e->{blockers}[-1]{until}, $e->{plan}{start}, 'the one that it follows, too');
	my ($first) = $e->{blockers}[0]{task} // 0;
	cmp_ok($first, '>', 1, 'those that end first are the others');
};

subtest 'what the plan does not decide' => sub {
	ok($c->clear, 'an empty cluster') or return;
	my $fails = $c->sbatch(['-N1', '-t5'], script => 'sleep 1; exit 1');
	my $after = $c->plain(['-N1', '-t5', "--dependency=afterok:$fails->{id}"]);
	waits($after, 'dependency_never', 'for a success that did not come');
	like($c->out($pact, 'explain', $after), qr/waits for what never happens/, 'in words');

	my $licence = $c->plain(['-N1', '-t60', '-L', 'x']);
	$c->reaches('a job has the licence', $licence, 'RUNNING');
	my $second = $c->plain(['-N1', '-t60', '-L', 'x']);
	my $e = waits($second, 'not_started', 'for what the plan cannot see: it is tried again and again');
	like($e->{not_planned} // '', qr/licen[cs]e/, 'which is named') or diag(encode_json($e));
	$c->cmd('scancel', $licence, $second);

	# Such jobs are tried in each pass, and each pass must not be the cause of the next.
	my $busy = $c->plain(['-N4', '-t60']);
	$c->reaches('all nodes are busy', $busy, 'RUNNING');
	my @two = map { $c->plain(['-N1', '-t60', '-L', 'x']) } 1 .. 2;
	waits($_, 'not_started', 'one that is tried') for @two;
	my $passes = sub { return decode_json($c->out($pact, '--json', 'status'))->{passes} };
	my ($began, $before) = (time, $passes->());
	$c->wait_for('six seconds', sub { return time - $began >= 6 });
	my $made = $passes->() - $before;
	cmp_ok($made, '<=', 3 * (time - $began + 1), 'there are few passes while nothing happens');
	$c->cmd('scancel', $busy, @two);

	is($c->cmd('scontrol', 'update', 'PartitionName=other', 'State=DOWN')->{rc}, 0, 'a partition goes down');
	my $down = $c->plain(['-p', 'other', '-N1', '-t1']);
	is(waits($down, 'slurm', 'for what Slurm says')->{reason}, 'PartitionDown', 'with its reason');
	$c->cmd('scancel', $down);

	my $endless = $c->plain(['-N1', '-t', 'UNLIMITED']);
	$c->reaches('a job without a limit runs', $endless, 'RUNNING');
	my $all = $c->plain(['-N4', '-t1']);
	$e = waits($all, 'never', 'for nodes that never come free');
	my ($holds) = grep { $_->{job} == $endless } @{ $e->{blockers} };
	ok($holds && !exists $holds->{until}, 'because of that one, without an end') or diag(encode_json($e));
	like($c->out($pact, 'explain', $all), qr/runs on 1 node n\d until for ever/, 'in words');
};

$c->clear;
$c->healthy;
done_testing;
