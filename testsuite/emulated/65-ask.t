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

my $accepted = qr/deadline: accepted: /;

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

# What a deadline lets wait could be had earlier: the earliest is that without one.
subtest 'the earliest, whatever the deadline' => sub {
	$c->clear;
	my $wall = $c->plain(['-N6', '-t60']);
	$c->reaches('two nodes are idle', $wall, 'RUNNING');
	$c->settle(8);
	$c->accepted('a promise that can be a little later', ['-N8', '-t5', '--deadline=now+90minutes']);
	$c->settle(8);
	my @job = ('-N1', '-t65');
	my ($open, $late);
	# A minute that passes makes another minute of it.
	for (1 .. 3) {
		$open = ask(@job);
		$late = ask(@job, '--deadline=now+9hours');
		last if ($open->{earliest} // 0) == ($late->{earliest} // 1);
	}
	ok($late->{promised}, 'one that has time') or diag(encode_json($late));
	is($late->{earliest}, $open->{earliest}, 'could complete as early as one that says nothing');
	cmp_ok($late->{earliest_start}, '<', $late->{start}, 'though it is planned to start later');
	like($late->{text}, qr/planned start \Q@{[$c->stamp($late->{start})]}\E/, 'which is told');
	is($late->{cut}, undef, 'there was time to find out');
	my $by = $c->stamp($late->{earliest});
	$c->accepted('it can be had', [@job, "--deadline=$by"]);
	$c->clear;
};

# Another partition is offered only if it is really earlier in the same plan; asking back gains nothing.
sub other_parts {
	my @job = @_;
	my $a = ask(@job);
	ok($a->{earliest}, "@job: there is an earliest") or diag($a->{err} . encode_json($a));
	return ($a->{earliest}, { map { $_->{partition} => $_->{earliest} } grep { $_->{change} eq 'partition' } @{ $a->{alternatives} } });
}

subtest 'another partition' => sub {
	$c->clear;
	my $gains = sub {
		my ($name, $from, $offered, @job) = @_;
		my ($own, $others) = other_parts('-p', $from, @job);
		is_deeply([sort keys %$others], [sort @$offered], "$name: from $from: " . (@$offered ? "@$offered" : 'none'));
		cmp_ok($others->{$_}, '<', $own, "$name: $_ is earlier") for @$offered;
		return ($own, $others);
	};
	for my $job (['-N1', '-t5'], ['-N4', '-t60']) {
		$gains->('all nodes are idle', $_, [], @$job) for qw(left right batch);
		is_deeply(ask(@$job)->{alternatives}, [], 'nor are fewer nodes or a shorter limit earlier');
	}
	my $wall = $c->plain(['-N4', '-t60', '-p', 'left']);
	$c->reaches('one is busy', $wall, 'RUNNING');
	$c->settle(8);
	for my $job (['-N1', '-t5'], ['-N3', '-t30']) {
		my (undef, $others) = $gains->('one is busy', 'left', ['batch', 'right'], @$job);
		my $text = $c->stamp($others->{right});
		like($c->sbatch([@$job, '-p', 'right', "--deadline=$text", '--test-only'])->{text}, $accepted, "@$job: which can be had");
		$gains->('back', $_, [], @$job) for 'right', 'batch';
	}
	my $more = $c->plain(['-N4', '-t90', '-p', 'right']);
	$c->reaches('the other is busy for longer', $more, 'RUNNING');
	$c->settle(8);
	$gains->('both are busy', 'right', ['batch', 'left'], '-N1', '-t5');
	$gains->('both are busy', $_, [], '-N1', '-t5') for 'left', 'batch';
	# Between promises there are gaps, which a search for the earliest may miss.
	$c->clear;
	for my $part (qw(left right)) {
		$c->sbatch(['-N' . (1 + int rand 4), '-t' . (5 + int rand 60), '-p', $part, '--deadline=now+' . (90 + int rand 200) . 'minutes'])
			for 1 .. 6;
	}
	$c->settle(8);
	for (1 .. 12) {
		my @job = ('-N' . (1 + int rand 4), '-t' . (1 + int rand 60));
		my ($own, $others) = other_parts('-p', 'left', @job);
		next unless $others->{right};
		my ($there, $back) = other_parts('-p', 'right', @job);
		cmp_ok($there, '<', $own, "@job: right is earlier than left");
		ok(!$back->{left}, 'and left is not earlier than right') or diag("$own $there $back->{left}");
	}
	$c->clear;
};

# Why, and what would help: the cause is named, not another.
subtest 'reasons are those that are' => sub {
	my @soon = ('-t5', '--deadline=now+1hour');
	my %never = (
		'-N1 --mem=9000000' => qr/no node of partition batch fits --mem=9000000M \(they have at most \d+M\)/,
		'-N1 -c3' => qr/no node of partition batch fits 3 CPUs a node \(they have at most 1\)/,
		'-N1 -Cnone' => qr/no node of partition batch fits --constraint=none/,
		'-N5 -Cbig' => qr/5 nodes are more than the 4 of partition batch that fit --constraint=big/,
		'-N8 -xn1' => qr/8 nodes are more than the 7 of partition batch that fit --exclude=n1/,
		'-N9' => qr/9 nodes are more than the 8 of partition batch; ask for fewer/,
		'-n9' => qr/9 nodes \(for 9 CPUs\) are more than the 8 of partition batch/,
		'-N5 -pleft' => qr/5 nodes are more than the 4 of partition left; ask for fewer/,
		'-N1 -pleft -wn5' => qr/node n5 \(--nodelist\) is none of partition left/,
		'-N2 -Cbig -wn5' => qr/node n5 \(--nodelist\) does not fit --constraint=big/,
	);
	for my $job (sort keys %never) {
		like(ask(split(/ /, $job), @soon)->{text}, $never{$job}, "$job: pact ask");
		$c->refused("$job: sbatch", [split(/ /, $job), @soon], $never{$job});
	}
	like($c->sbatch(['-N1', '--tmp=1000', @soon])->{text}, qr/fits --tmp=1000M \(they have at most 0M\)/, '--tmp');
	my $wall = $c->plain(['-N8', '-t90']);
	$c->reaches('all nodes are busy', $wall, 'RUNNING');
	$c->settle(8);
	my $end = $c->field($wall, 'StartTime') + 90 * 60 + 60;
	my $r = $c->refused('what runs is in the way', ['-N1', @soon], qr/: 1 running job holds what it needs until [^;]+; earliest/);
	like($r->{text}, qr/until \Q@{[$c->stamp($end)]}\E/, 'until its end and guard');
	unlike($r->{text}, qr/fewer nodes/, 'and one node is not to become fewer');
	my $first = $c->plain(['-N8', '-t60']);
	$c->settle(8);
	my $waits = qr/job $first, which it waits for, need not end before \d{4}-[^;]+; give it a --deadline/;
	$r = $c->refused('a dependency on a waiting job', ['-N1', '-t5', '--deadline=now+3hours', '-d', "afterok:$first"], $waits);
	like(ask('-N1', '-t5', '-d', "afterok:$first")->{dependency}, $waits, 'pact ask without a deadline tells it, too');
	like($c->out($pact, 'ask', '-N1', '-t5', '-d', "afterok:$first"), $waits, 'in words');
	like(ask('-N1', '-t5', '-d', "afterok:$wall", '--deadline=now+70minutes')->{text}, qr/job $wall, which it waits for, may run until /,
		'on a running one');
	my $kept = $c->accepted('one with a deadline', ['-N1', '-t5', '--deadline=now+5hours']);
	like(ask('-N1', '-t5', '-d', "afterok:$kept->{id}", '--deadline=now+2hours')->{text},
		qr/job $kept->{id}, which it waits for, need not end before [^;]+, its --deadline; give it an earlier one/, 'on a promised one');
	ok($c->update($first, 'Deadline=' . $c->in_seconds(3 * 3600)), 'the first gets a deadline');
	$c->settle(8);
	$c->accepted('which helps', ['-N1', '-t5', '--deadline=now+4hours', '-d', "afterok:$first"]);
	$c->clear;
};

subtest 'the state of a partition' => sub {
	my @job = ('-N1', '-t5', '-p', 'left');
	my $state = sub { is($c->cmd('scontrol', 'update', 'PartitionName=left', "State=$_[0]")->{rc}, 0, "it is $_[0]") };
	$state->('DOWN');
	my $down = qr/deadline: not promised: partition left: State=DOWN, no job starts in it; the deadline is decided when that changes/;
	for my $deadline ([], ['--deadline=now+1hour']) {
		my $a = ask(@job, @$deadline);
		ok($a->{waits} && !$a->{promised}, "@$deadline: nothing is promised yet");
		like($a->{text}, $down, 'and why');
		like($c->out($pact, 'ask', @job, @$deadline), qr/^nothing could be promised yet: $down/, 'in words');
	}
	my $r = $c->sbatch([@job, '--deadline=now+1hour']);
	ok($r->{id}, 'a job waits there');
	like($r->{text}, $down, 'and is told what for');
	$c->cmd('scancel', $r->{id});
	for my $closed (qw(INACTIVE DRAIN)) {
		$state->($closed);
		my $no = qr/deadline: refused: partition left: State=$closed, it takes no jobs/;
		my $a = ask(@job, '--deadline=now+1hour');
		ok(!$a->{waits}, "$closed: no job would wait");
		like($a->{text}, $no, 'which is told');
		$c->refused('sbatch tells the same', [@job, '--deadline=now+1hour'], qr/State=$closed, it takes no jobs/);
		is($c->sbatch(\@job)->{id}, undef, 'as Slurm takes none without a deadline');
		like($c->sbatch(['-N1', '-t5', '-p', 'left,right', '--deadline=now+1hour', '--test-only'])->{text}, $accepted,
			'another one may be named with it');
	}
	$state->('UP');
	$c->accepted('it takes jobs again', [@job, '--deadline=now+1hour']);
	$c->clear;
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

# Slurm's own checks come after job_submit: what they refuse was told as accepted before.
my @refused = (['--array=60'], ['--array=0-2,77'], ['-N1', '-n3'], ['-N1', '-n1', '-c3'], ['-p', 'drain'], ['-p', 'closed'],
	['-t10', '--time-min=20'], ['-J', 'x' x 1030], ['-wnonsense'], ['-p', 'left', '-wn7'], ['-Cnonsense'], ['-N9'], ['--mem=99999999'],
	['--tmp=99999999'], ['--comment=' . 'x' x 1030], ['-N2', '-wn1,n2', '-xn2,n3'], ['-N1', '-wn1', '-xn1']);
my @parts = (['-p', 'left', '-t130'], ['-p', 'left,right', '-t130'], ['-p', 'few', '-N3'], ['-p', 'few,right', '-N3'],
	['-p', 'left,right', '-wn7'], ['-p', 'left,right', '-N6'], ['-p', 'left,batch', '-n9'], ['-p', 'lean', '--mem=2'], ['-p', 'lean'],
	['-p', 'lean,right', '--mem=2'], ['-p', 'lean,right'], ['-p', 'left', '-t130', '--time-min=10'], ['-p', 'drain,right'], ['-p', 'zero']);

# RET was it accepted, refused or neither; a test that Slurm then does the same, and pact ask says it.
sub answers {
	my ($enforce, @args) = @_;
	unshift @args, '-t10' unless grep { /^-t/ || $_ eq 'zero' } @args;
	push @args, '--deadline=now+9hours';
	my $r = $c->sbatch(\@args);
	my $what = join(' ', map { substr($_, 0, 20) } @args[0 .. $#args - 1]);
	my ($word) = $r->{text} =~ /deadline: (accepted|refused|not promised)/;
	ok($word && ($word eq 'refused' xor $r->{id}), "EnforcePartLimits=$enforce, $what: " . ($word // 'nothing'))
		or diag($r->{text});
	if ($r->{text} =~ /Slurm refuses that|State=/) {
		my $plain = $c->sbatch([@args[0 .. $#args - 1], '-H']);
		ok(!$plain->{id}, '  so it does without a deadline');
		my ($error) = $plain->{text} =~ /submission failed: (.*)/;
		like($r->{text}, qr/submission failed: \Q$error\E/, '  with the same error') if $error;
		$c->cmd('scancel', $plain->{id}) if $plain->{id};
	}
	unless (grep { /^(-J|--tmp|--comment|-x)/ } @args) {
		my $asked = ask(@args);
		is($asked->{promised} ? 'accepted' : $asked->{waits} ? 'not promised' : 'refused', $word, '  pact ask says the same')
			or diag(encode_json($asked));
	}
	$c->cmd('scancel', $r->{id}) if $r->{id};
	return ($word // '', $r->{text});
}

subtest 'what Slurm itself refuses' => sub {
	$c->down;
	my @lines = ('drain Nodes=ALL State=DRAIN', 'closed Nodes=ALL State=INACTIVE', 'few Nodes=ALL MaxNodes=2',
		'lean Nodes=ALL MaxMemPerNode=1', 'zero Nodes=ALL DefaultTime=0', 'left Nodes=n[1-4] MaxTime=120', 'right Nodes=n[5-8]');
	for my $enforce (qw(NO ANY ALL)) {
		$c = Cluster->up(nodes => 8, cpus => 2, pact => "Guard=60\nAdmissionTime=5000\nSocketRate=0\n",
			conf => "MaxArraySize=50\nEnforcePartLimits=$enforce\n", partition => \@lines);
		for (@refused) {
			next if $enforce eq 'ANY';
			my ($word, $text) = answers($enforce, @$_);
			is($word, 'refused', '  refused');
		}
		my @words = map { (answers($enforce, @$_))[0] } @parts;
		ok((grep { $_ eq 'accepted' } @words) && (grep { $_ eq 'refused' } @words), 'some are promised, some are not');
		my ($text) = (answers($enforce, '-p', 'drain'))[1];
		like($text, qr/refused: partition drain: State=DRAIN.*\n.*Required partition not available/, 'both name the reason');
		$c->clear;
		$c->healthy;
		$c->down if $enforce ne 'ALL';
	}
};

sub refused_here {
	my ($word) = answers('NO', @_);
	is($word, 'refused', '  refused');
}

sub accepted_here {
	my ($word) = answers('NO', @_);
	is($word, 'accepted', '  accepted');
}

subtest 'what Slurm keeps of it' => sub {
	$c->down;
	my @conf = ('MaxArraySize=50', 'MaxJobCount=100', 'MCSPlugin=mcs/user', 'JobAcctGatherType=jobacct_gather/linux',
		'JobAcctGatherFrequency=30');
	$c = Cluster->up(nodes => 8, cpus => 2, pact => "Guard=60\nAdmissionTime=5000\nSocketRate=0\n", conf => join("\n", @conf));
	my $me = getpwuid $>;
	accepted_here("--mcs-label=$me");
	refused_here('--mcs-label=nonsense');
	accepted_here('--acctg-freq=task=30', '--mem=1');
	accepted_here('--acctg-freq=task=60');
	refused_here('--acctg-freq=task=60', '--mem=1');
	refused_here('--acctg-freq=task=0', '--mem=1');
	accepted_here('--array=0-3:49');
	refused_here("--array=$_") for '0-3:50', '0-3:70000', '1,0-3:50', '3:2';
	accepted_here('--array=0-9');

	# slurmctld keeps the size that it had at the first array, while it lives: a new one has what is configured.
	my $smaller = join("\n", 'MaxArraySize=5', @conf[1 .. $#conf]);
	is($c->emulate('reconfigure', '--conf', $c->file('smaller', $smaller))->{rc}, 0, 'a smaller MaxArraySize');
	if ($c->respawns) {
		refused_here('--array=9');
		is($c->emulate('reconfigure', '--conf', $c->file('as-before', join("\n", @conf)))->{rc}, 0, 'and as it was');
	}
	accepted_here('--array=9');
	refused_here('--array=50');

	# sbatch tries again and again where there is no room; with --test-only it does not.
	my @held = map { $c->plain(['-H', '--array=0-29']) } 1 .. 2;
	my ($agree, $room) = (0, 0);
	for my $last (0 .. 48) {
		my @job = ('-N1', '-t1', "--array=0-$last");
		my $r = $c->cmd('sbatch', '--test-only', @job, '--deadline=now+9hours', '--wrap', 'true');
		my $accepted = $r->{err} =~ /deadline: accepted/ || 0;
		my $none = $r->{err} =~ /deadline: refused: MaxJobCount=100 is reached/ || 0;
		my $plain = !$c->cmd('sbatch', '--test-only', @job, '--wrap', 'true')->{rc} || 0;
		my $asked = ask(@job, '--deadline=now+9hours')->{promised} ? 1 : 0;
		$room += $accepted;
		$agree += $accepted == $plain && $none == !$plain && $asked == $plain;
	}
	is($agree, 49, "MaxJobCount: the same of 49 arrays, $room of which have room, as Slurm and as pact ask");
	ok($room > 0 && $room < 49, 'some have room, some have none');
	$c->cmd('scancel', @held);
	$c->clear;
	$c->healthy;
};

# slurmctld keeps the size of scripts that it had at the first submission, while it lives.
subtest 'a script that is too long' => sub {
	$c->down;
	$c = Cluster->up(nodes => 2, pact => "Guard=60\nAdmissionTime=5000\nSocketRate=0\n",
		conf => 'SchedulerParameters=sched_interval=-1,defer,max_script_size=1000');
	my $script = sub { return 'exec sleep 3600 #' . 'x' x shift };
	my @job = ('-N1', '-t5', '--deadline=now+9hours');
	for my $limit ($c->respawns ? 1000 : (1000, 9000)) {
		my $r = $c->refused("$limit configured: too long", \@job, qr/a script of \d{4} bytes, max_script_size=1000: Slurm refuses that/,
			script => $script->(1500));
		is($c->sbatch(['-N1', '-t5'], script => $script->(1500))->{id}, undef, 'as Slurm does without a deadline');
		$c->accepted('a shorter one', \@job, script => $script->(500));
		is($c->emulate('reconfigure', '--conf', $c->file('longer', 'SchedulerParameters=sched_interval=-1,defer,max_script_size=9000'))->{rc},
			0, 'it is made longer');
	}
	$c->accepted('a new slurmctld takes it', \@job, script => $script->(1500)) if $c->respawns;
	$c->clear;
	$c->healthy;
};

subtest 'a number of its own' => sub {
	my $submit = "$Cluster::build/testsuite/emulated/submit_id";
	plan skip_all => 'built without libslurmfull' unless -x $submit;
	plan skip_all => 'only root may have one' if $>;
	my $r = $c->cmd($submit, 4711, 100);
	is($r->{rc}, 0, 'root may have it') or diag($r->{out});
	like($r->{out}, $accepted, 'and a promise with it');
	for ([{}, 4711, qr/Duplicate job id/], [{}, 0, qr/Invalid job id/], [{ as => (getpwnam 'nobody')[2] }, 4712, qr/Invalid job id/]) {
		my ($who, $id, $error) = @$_;
		$r = $c->cmd($who, $submit, $id, 100);
		is($r->{rc}, 1, "$id: Slurm refuses it");
		like("$r->{err}$r->{out}", qr/deadline: refused: a job id of its own: Slurm refuses that: $error.*\n$error/,
			'so it is not accepted before') or diag("$r->{err}\n$r->{out}");
	}
	$c->clear;
};

subtest 'wckeys' => sub {
	plan skip_all => 'slurmdbd or mariadb-server-core is not installed' unless Cluster::has_accounting();
	$c->down;
	$c = Cluster->up(nodes => 2, cpus => 2, accounting => 1, pact => "Guard=60\nAdmissionTime=5000\nSocketRate=0\n",
		conf => "TrackWCKey=yes\nAccountingStorageEnforce=associations,wckeys\n");
	my $me = getpwuid $>;
	refused_here('-N1', '--wckey=key');
	$c->accounts('add', 'user', $me, 'wckey=key');
	accepted_here('-N1', '--wckey=key');
	my $mark = $c->log_mark;
	accepted_here('-N1', '--wckey=KEY');
	ok($c->log_has(qr/job_submit\/deadline: user \Q$me\E: deadline: accepted/, $mark), 'the log has the user by its name');
	refused_here('-N1', '--wckey=other');
	$c->accounts('modify', 'user', $me, 'set', 'defaultwckey=key');
	accepted_here('-N1');
	$c->clear;
	$c->healthy;
};

$c->healthy;
done_testing;
