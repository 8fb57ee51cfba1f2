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

subtest 'the last decision' => sub {
	my $r = $c->refused('a refusal', ['-N5', '-t1', '--deadline=now+1hour']);
	my ($ref) = $r->{text} =~ /pact explain (R\w+)/;
	my $d = told('--last');
	is($d->{kind}, 'decision', 'is told') or return diag($d->{err});
	is($d->{reference}, $ref, 'by its reference');
	ok(!$d->{promised}, 'it was refused');
	like($r->{text}, qr/\Q$d->{text}\E/, 'with the text that sbatch had');
	cmp_ok(abs($d->{when} - $c->now), '<', 60, 'and when');
	$c->cmd('scancel', $c->plain(['-N1', '-t1']));
	is(told('--last')->{reference}, $ref, 'a job without a deadline is none');
	$r = $c->accepted('an acceptance', ['-N1', '-t2', '--deadline=now+5hours']);
	$d = told('--last');
	ok($d->{promised}, 'it was accepted');
	ok(!defined $d->{reference}, 'without a reference');
	like($r->{text}, qr/\Q$d->{text}\E/, 'with the text that sbatch had');
	like($c->out($pact, 'explain', '--last'), qr/^\S+, \S+: 1 node for 00:02:00 by \S+\ndeadline: accepted: /, 'in words');
	is(told('--last', '--user', '12345')->{rc}, 5, 'a user of whom nothing is known: 5');
	$c->cmd('scancel', $r->{id});
	$c->excuse($r->{id});
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
	my $e = waits($second, 'unseen', 'for what the plan cannot see: it is tried again and again');
	like($e->{not_planned} // '', qr/licen[cs]e/, 'which is named') or diag(encode_json($e));
	$c->cmd('scancel', $licence, $second);

	# Such jobs are tried in each pass, and each pass must not be the cause of the next.
	my $busy = $c->plain(['-N4', '-t60']);
	$c->reaches('all nodes are busy', $busy, 'RUNNING');
	my @two = map { $c->plain(['-N1', '-t60', '-L', 'x']) } 1 .. 2;
	waits($_, 'unseen', 'one that is tried') for @two;
	my $passes = sub { return decode_json($c->out($pact, '--json', 'status'))->{passes} };
	my ($began, $before) = (time, $passes->());
	$c->wait_for('six seconds', sub { return time - $began >= 6 });
	my $made = $passes->() - $before;
	cmp_ok($made, '<=', 3 * (time - $began + 1), 'there are few passes while nothing happens');
	$c->cmd('scancel', $busy, @two);

	my $endless = $c->plain(['-N1', '-t', 'UNLIMITED']);
	$c->reaches('a job without a limit runs', $endless, 'RUNNING');
	my $all = $c->plain(['-N4', '-t1']);
	$e = waits($all, 'never', 'for nodes that never come free');
	my ($holds) = grep { $_->{job} == $endless } @{ $e->{blockers} };
	ok($holds && !exists $holds->{until}, 'because of that one, without an end') or diag(encode_json($e));
	like($c->out($pact, 'explain', $all), qr/runs on 1 node n\d until for ever/, 'in words');
};

sub words {
	return $c->out($pact, 'explain', shift);
}

# What squeue says, and only that.
sub says {
	my ($id, $like, $name) = @_;
	my $said;
	return ok($c->wait_for("squeue: $like", sub {
		$said = $c->out('squeue', '-h', '-j', $id, '-o', '%r');
		return $said =~ $like;
	}), $name) || diag($said);
}

subtest 'an ordinary job comes first' => sub {
	ok($c->clear, 'an empty cluster') or return;
	my $wall = $c->plain(['-N3', '-t5']);
	$c->reaches('a job runs', $wall, 'RUNNING');
	my $wide = $c->plain(['-N4', '-t10']);
	waits($wide, 'resources', 'a job of all nodes waits for it');
	my $narrow = $c->plain(['-N1', '-t10']);
	my $p = $c->accepted('a promise is in nobody\'s way', ['-N1', '-t10', '--begin=now+2hours',
		'--deadline=now+4hours']);
	my $e = waits($narrow, 'planned', 'nodes are idle, and planned for others');
	is_deeply([map { $_->{job} } @{ $e->{blockers} }], [$wide], 'the job of all nodes, and nobody else')
		or diag(encode_json($e));
	is_deeply($e->{in_way}, { running => 0, planned => 1, promised => 0 }, 'which is counted');
	my $counted = 'needs 1 of 4 nodes, of which 1 is idle, 3 with jobs';
	like(words($narrow), qr/^job $narrow waits for nodes planned for others: $counted$/m, 'in words');
	like($c->out($pact, 'plan'), qr/^$narrow\b.* for nodes planned for others$/m, 'in the plan');
	says($narrow, qr/^Priority$/, 'and squeue does not speak of promises');
	my $all = $c->accepted('one that needs them first', ['-N4', '-t10', '--deadline=now+20minutes']);
	$e = waits($narrow, 'promises', 'now a promise alone is enough');
	is_deeply([map { $_->{job} } @{ $e->{blockers} }], [$all->{id}], 'which it is') or diag(encode_json($e));
	says($narrow, qr/^Nodes are promised/, 'as squeue says, too');
	$c->excuse($p->{id}, $all->{id});
};

sub partition {
	my $state = shift;
	return is($c->cmd('scontrol', 'update', 'PartitionName=other', "State=$state")->{rc}, 0, "other: $state");
}

subtest 'the state of a partition' => sub {
	ok($c->clear, 'an empty cluster') or return;
	my $wall = $c->plain(['-N4', '-t60']);
	$c->reaches('a job runs', $wall, 'RUNNING');
	my $p = $c->accepted('a promise', ['-p', 'other', '-N1', '-t10', '--deadline=now+3hours']);
	my $plain = $c->plain(['-p', 'other', '-N1', '-t10']);
	partition('DOWN');
	my $late = $c->sbatch(['-p', 'other', '-N1', '-t10', '--deadline=now+4hours'])->{id};
	my $both = $c->plain(['-p', 'other,batch', '-N1', '-t10']);
	my $is = qr/waits for its partition \(partition other: State=DOWN[^)]*\): needs 1 of 4/;
	for ($p->{id}, $plain, $late) {
		my $e = waits($_, 'partition', 'it waits for that');
		like($e->{plan}{because} // '', qr/^partition other: State=DOWN\b/, 'which is named');
		is_deeply($e->{blockers}, [], 'and no job is blamed');
		like(words($_), qr/^job $_ $is/m, 'in words');
		says($_, qr/^PartitionDown$/, 'as squeue says');
	}
	like(words($late), qr/^deadline \S+, not promised$/m, 'what was never promised is not withdrawn');
	like($c->out($pact, 'plan'), qr/^$late\b.* not promised +for its partition \(/m, 'in the plan, too');
	waits($both, 'resources', 'one that has another partition waits for nodes');
	$c->cmd('scancel', $wall, $both);
	ok($c->wait_for('idle nodes', sub { return told($p->{id})->{idle} == 4 }), 'with idle nodes');
	waits($p->{id}, 'partition', 'it is the same still');
	partition('INACTIVE');
	ok($c->wait_for('INACTIVE', sub { return words($p->{id}) =~ /partition other: State=INACTIVE/ }), 'INACTIVE is named');
	partition('DRAIN');
	$c->reaches('DRAIN takes nothing from those that are there', $_, 'RUNNING') for $p->{id}, $plain;
	partition('UP');
	$c->excuse($p->{id}, $late);
};

subtest 'reserved, lost' => sub {
	ok($c->clear, 'an empty cluster') or return;
	my $resv = sub { return $c->cmd('scontrol', @_, 'ReservationName=spring') };
	is($resv->('create', 'StartTime=now', 'Duration=60', 'Nodes=n[1-3]', 'Users=root')->{rc}, 0, 'a reservation');
	my $wide = $c->plain(['-N4', '-t10']);
	my $e = waits($wide, 'reserved', 'nodes are idle, and reserved');
	is_deeply([map { "$_->{name} $_->{nodes} $_->{until}" } @{ $e->{reservations} }],
		["spring n[1-3] $e->{plan}{start}"], 'by which, and until when') or diag(encode_json($e));
	is_deeply([@$e{qw(usable idle busy reserved)}], [4, 1, 0, 3], 'and counted so');
	like(words($wide), qr/^job $wide waits for reserved nodes \(reservation spring until \d/m, 'in words');
	like(words($wide), qr/^  reservation spring takes 3 nodes n\[1-3\] from /m, 'each of them');
	says($wide, qr/^Nodes are in reservation spring until \d/, 'as squeue says');
	is($resv->('delete')->{rc}, 0, 'it goes');
	$c->reaches('and the job runs', $wide, 'RUNNING');
	$c->clear;
	is($c->cmd('scontrol', 'update', 'NodeName=n[2-3]', 'State=DRAIN', 'Reason=test')->{rc}, 0, 'nodes are drained');
	my $down = $c->plain(['-N3', '-t10']);
	$e = waits($down, 'down', 'too few are left');
	is_deeply($e->{down}, { width => 2, nodes => 'n[2-3]' }, 'which are named');
	like(words($down), qr/are down or drained: needs 3 of 4 .*, 2 down or drained\n  down or drained: n\[2-3\]/, 'in words');
	is($c->cmd('scontrol', 'update', 'NodeName=n[2-3]', 'State=RESUME')->{rc}, 0, 'they come back');
	$c->reaches('and the job runs', $down, 'RUNNING');
};

$c->clear;
$c->healthy;
done_testing;
