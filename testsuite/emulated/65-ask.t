#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 65-ask: what pact ask says is what sbatch then gets, for random requests beside random plans; it holds
# nothing; what it offers can be had; its arguments are bounded.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Test::More;
use Cluster;
use JSON::PP;

my $seed = $ENV{PACT_SEED} // time;
my $requests = $ENV{PACT_ASKS} // 200;
srand $seed;
diag("PACT_SEED=$seed");

my $c = Cluster->up(nodes => 8, pact => "Guard=60\nAdmissionTime=5000\nSocketRate=0\n",
	features => ['1-4:big'], partition => ['left Nodes=n[1-4] MaxTime=120', 'right Nodes=n[5-8]']);
my $pact = "$Cluster::build/contrib/pact/pact";

sub ask {
	my $r = $c->cmd($pact, '--json', 'ask', @_);
	my $answer = $r->{rc} <= 1 ? decode_json($r->{out}) : {};
	return { %$answer, rc => $r->{rc}, err => $r->{err} };
}

sub pick { return $_[int rand @_] }

# A request that may or may not find room; what sbatch is told, too.
sub random_request {
	my @args = ('-N' . (1 + int rand 9), '-t' . (1 + int rand 150));
	push @args, "--deadline=now+" . (5 + int rand 400) . 'minutes';
	push @args, '-p' . pick('left', 'right', 'left,right', 'batch') if rand() < 0.4;
	push @args, '-Cbig' if rand() < 0.15;
	push @args, '-xn2,n[5-6]' if rand() < 0.1;
	push @args, '-b' . 'now+' . int(rand 100) . 'minutes' if rand() < 0.15;
	push @args, '--array=1-' . (1 + int rand 4) if rand() < 0.1;
	push @args, '--time-min=1' if rand() < 0.1;
	return @args;
}

# Everything that runs stays: nothing ends while answers are compared, so that only a minute that passes
# could make them differ, and then both are asked again.
for my $width (2, 1) {
	my $wall = $c->plain(["-N$width", '-t' . (100 * $width)]);
	$c->reaches("$width nodes are busy", $wall, 'RUNNING');
}
$c->settle(8);

my ($same, $yes, $no, $offers) = (0, 0, 0, 0);
for my $i (1 .. $requests) {
	my @args = random_request();
	my ($asked, $got, $agree);
	for my $try (1 .. 3) {
		$asked = ask(@args);
		$got = $c->cmd('sbatch', '--test-only', '-o', '/dev/null', @args, '--wrap', 'true');
		my $accepted = $got->{err} =~ /deadline: accepted/ || 0;
		$agree = $asked->{rc} <= 1 && ($asked->{promised} ? 1 : 0) == $accepted;
		last if $agree;
	}
	$same += $agree;
	diag("request $i: @args\n  ask: $asked->{rc} " . ($asked->{text} // $asked->{err}) . "\n  sbatch: $got->{err}")
		unless $agree;
	$asked->{promised} ? $yes++ : $no++;
	next unless $i % 10 == 0;
	# Now and then for real: the offer of a refused one, or the request itself.
	my @real = $asked->{promised} ? @args
		: $asked->{earliest} ? ((grep { !/^--deadline/ } @args), '--deadline=' . $c->stamp($asked->{earliest})) : ();
	next unless @real;
	my $r = $c->sbatch(\@real);
	$offers++ if $r->{id};
	ok($r->{id}, "request $i is taken, as asked or as offered") or diag("@real\n$r->{text}");
	$c->settle(8);
}
is($same, $requests, "ask agrees with sbatch on $requests requests ($yes promised, $no not)");
cmp_ok($yes, '>', 0, 'some could be promised');
cmp_ok($no, '>', 0, 'and some could not');

subtest 'nothing is held' => sub {
	$c->clear;
	my $first = ask('-N8', '-t60', '--deadline=now+70minutes');
	is($first->{rc}, 0, 'all nodes could be promised') or diag($first->{text} // $first->{err});
	is(ask('-N8', '-t60', '--deadline=now+70minutes')->{rc}, 0, 'and again');
	my $r = $c->accepted('and to sbatch', ['-N8', '-t60', '--deadline=now+70minutes']);
	is(ask('-N8', '-t60', '--deadline=now+70minutes')->{rc}, 1, 'then no more: exit code 1');
};

subtest 'what would help' => sub {
	$c->clear;
	my $wall = $c->plain(['-N4', '-t120', '-p', 'left']);
	$c->reaches('half of the nodes are busy', $wall, 'RUNNING');
	$c->settle(8);
	my $a = ask('-N4', '-t60', '-p', 'left', '--deadline=now+70minutes');
	is($a->{promised}, JSON::PP::false, 'not there');
	my ($part) = grep { $_->{change} eq 'partition' && $_->{partition} eq 'right' } @{ $a->{alternatives} };
	ok($part, 'but in another partition') or diag(encode_json($a));
	$c->accepted('which is true', ['-N4', '-t60', '-p', 'right', '--deadline=now+70minutes']);
	$c->clear;
	my $half = $c->plain(['-N5', '-t120']);
	$c->reaches('five nodes are busy', $half, 'RUNNING');
	$c->settle(8);
	$a = ask('-N6', '-t60', '--deadline=now+90minutes');
	my ($nodes) = grep { $_->{change} eq 'nodes' } @{ $a->{alternatives} };
	is($nodes->{nodes}, 3, 'fewer nodes') or diag(encode_json($a));
	$a = ask('-N6', '-t60', '--deadline=now+150minutes');
	my ($time) = grep { $_->{change} eq 'time' } @{ $a->{alternatives} };
	ok($time && $time->{limit} < 3600, 'a shorter limit') or diag(encode_json($a));
	my $open = ask('-N6', '-t60');
	ok($open->{earliest}, 'without a deadline, the earliest');
	my $by = $c->stamp($open->{earliest});
	$c->accepted('can be had', ['-N6', '-t60', "--deadline=$by"]);
	like($c->out($pact, 'ask', '-N6', '-t60', '--deadline=now+90minutes'), qr/could not be promised.*what would help/s,
		'in words');
};

subtest 'what cannot be planned is named' => sub {
	is(ask('-N1', '-t5', '-Cbig|small', '--deadline=now+1hour')->{reason}, 'cannot be planned', 'a feature too many');
	is(ask('-N1', '--deadline=now+1hour', '--array=1-2000', '-t1')->{promised}, JSON::PP::false, 'a large array');
	like(ask('-N1', '--deadline=now+1hour', "--array=$_", '-t1')->{text}, qr/this array of tasks \(/, "--array=$_")
		for ',', '0-99999999,' x 42 . '0-94967295,0';
	is(ask('-N1', '-t5', '-pnowhere', '--deadline=now+1hour')->{rc}, 2, 'no such partition: usage');
};

subtest 'arguments are bounded' => sub {
	my $run = sub { return ask('-N1', '-t5', '--deadline=now+1hour', @_) };
	for (['-t', ' ' x 300 . '5'], ['-t', '9' x 200], ['-t', '-1'], ['-t', '0'], ['-b', 'now+' . '9' x 60 . 'days'],
		['-b', "\t" x 39], ['-b', 'xyzzy'], ['-w', 'n[1-99999999]'], ['-w', 'n[1-2][1-2]'], ['-w', '[[['],
		['-x', join ',', map { "n$_" } 1 .. 4000], ['-w', 'n[1-'], ['-N', '99999999999'], ['-c', '70000'],
		['-p', 'x' x 2000], ['--deadline', '']) {
		is($run->(@$_)->{rc}, 2, "refused: $_->[0] " . substr($_->[1], 0, 20));
	}
	is(ask('-w', 'n[1-2],n3', '-N3', '-t5', '--deadline=now+10days')->{rc}, 0, 'a list that is good is taken');
};

# slurm.conf may lose job_submit/deadline, and get it back, while slurmctld runs.
subtest 'only what somebody decides is promised' => sub {
	my @job = ('-N1', '-t5', '--deadline=now+1hour');
	$c->clear;
	is($c->emulate('reconfigure', '--submit', 'none')->{rc}, 0, 'deadline is taken out of JobSubmitPlugins');
	ok($c->wait_for('the word of pact ask', sub { (ask(@job)->{text} // '') =~ /JobSubmitPlugins has no deadline/ }),
		'pact ask says so');
	ok($c->wait_for('the word of pact status', sub {
		$c->out($pact, 'status') =~ /^nothing is promised: .*JobSubmitPlugins/m;
	}), 'and so does pact status');
	$c->cmd('scontrol', 'update', 'PartitionName=left', 'State=DOWN');
	my $down = ask(@job, '-p', 'left');
	ok(!$down->{waits} && $down->{text} =~ /JobSubmitPlugins has no deadline/, 'no decision would follow later')
		or diag(encode_json($down));
	$c->cmd('scontrol', 'update', 'PartitionName=left', 'State=UP');
	is($c->emulate('reconfigure', '--submit', 'deadline')->{rc}, 0, 'it is put in again');
	ok($c->wait_for('a promise', sub { ask(@job)->{rc} == 0 }), 'and one could be promised again');
	$c->accepted('so it is', [@job]);
};

$c->clear;
$c->healthy;
done_testing;
