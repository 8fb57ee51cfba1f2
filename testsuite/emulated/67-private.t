#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 67-private: what pact shows is what Slurm would show: PrivateData, hidden partitions, groups, operators.
# Two real users, so for root only.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Test::More;
use Cluster;
use JSON::PP;

plan skip_all => 'only root can be two users' if $>;
my ($alice, $bob) = map { (getpwnam $_)[2] } qw(daemon nobody);
plan skip_all => 'there are no users daemon and nobody' unless defined $alice && defined $bob;

my $pact_conf = "Guard=60\nAdmissionTime=5000\nSocketRate=0\n";
my $c = Cluster->up(nodes => 4, pact => $pact_conf,
	partition => ['secret Nodes=ALL Hidden=YES', 'club Nodes=ALL AllowGroups=nogroup',
		'paid Nodes=ALL AllowAccounts=rich', 'portal Nodes=ALL RootOnly=YES',
		'near Nodes=ALL']);
my $pact = "$Cluster::build/contrib/pact/pact";

# Without accounting a job has no account, whatever it says, and AllowAccounts lets nobody in; from 23.02 on it is not
# asked for then. 26-limits has it with accounting.
my $barred = $c->release < 2302;

sub answer {
	my ($uid, @args) = @_;
	my $r = $c->cmd({ as => $uid }, $pact, '--json', @args);
	diag("pact @args as $uid: $r->{rc} $r->{err}") if $r->{rc};
	return $r->{rc} ? undef : decode_json($r->{out});
}

# A question and its answer, promised or not; an error: { error => the line }.
sub asked {
	my ($uid, @args) = @_;
	my $r = $c->cmd({ as => $uid }, $pact, '--json', 'ask', '-N1', '-t10', @args);
	return $r->{out} =~ /^\s*\{/ ? decode_json($r->{out}) : { error => $r->{err} };
}

# The jobs that a user sees, by number; waits until the plan has all of them for root.
sub seen {
	my ($uid, @all) = @_;
	my @ids;
	$c->wait_for('all jobs in the plan', sub {
		my %in = map { $_->{job} => 1 } @{ (answer(0, 'plan') // {})->{jobs} // [] };
		return !grep { !$in{$_} } @all;
	});
	my $plan = answer($uid, 'plan') // {};
	@ids = sort { $a <=> $b } map { $_->{job} } @{ $plan->{jobs} // [] };
	return "@ids";
}

sub submit {
	my ($uid, @args) = @_;
	my $r = $c->sbatch([@args], as => $uid);
	ok($r->{id}, "uid $uid: sbatch @args") or diag($r->{text});
	return $r->{id};
}

my $a = submit($alice, '-N1', '-t10', '--deadline=now+3hours');
my $b = submit($bob, '-N1', '-t10');
my $s = submit($alice, '-N1', '-t10', '-p', 'secret');
my $root = submit(0, '-N1', '-t10');
my @all = ($a, $b, $s, $root);

is(seen(0, @all), "@all", 'root sees all');
is(seen($alice, @all), "@all", 'one sees all but what is hidden, and what is one\'s own');
is(seen($bob, @all), join(' ', $a, $b, $root), 'a job in a hidden partition is not for others');
is(answer($bob, 'plan')->{hidden}, 1, 'but is counted');
ok(answer($bob, 'plan')->{names}, 'nodes are no secret');

subtest 'who may use a partition' => sub {
	my $d = '--deadline=now+9hours';
	my $from = $c->sbatch(['-N1', '-t10', '-H', '-p', 'near'])->{id};
	my ($host) = $c->out('scontrol', 'show', 'job', $from) =~ /AllocNode:Sid=(\S+?):/;
	$c->cmd('scancel', $from);
	is($c->cmd('scontrol', 'update', 'PartitionName=near', "AllocNodes=$host")->{rc}, 0, "near is for $host");
	my $none = qr/AllowAccounts=rich, and the job has no account/;
	for (['club', $alice, 0], ['club', $bob, 1], ['paid', $bob, !$barred, $none], ['paid', 0, !$barred], ['club,paid', $bob, !$barred],
		['near', $bob, 1], ['portal', $bob, 0], ['portal', 0, 1]) {
		my ($part, $uid, $may, $says) = @$_;
		my $a = asked($uid, '-p', $part, $d);
		is($a->{promised} ? 1 : 0, $may || 0, "uid $uid asks for $part") or diag(encode_json($a));
		$says //= qr/./;
		like($a->{text} // '', qr/^deadline: refused: partition \w+: .*$says/, 'and is told why') unless $may;
		my $r = $c->sbatch(['-N1', '-t10', '-p', $part, $d], as => $uid);
		is($r->{id} ? 1 : 0, $may || 0, 'sbatch says the same') or diag($r->{text});
		$c->cmd('scancel', $r->{id}) if $r->{id};
		$c->excuse($r->{id}) if $r->{id};
	}
	$c->refused('nor does a name help', ['-N1', '-t10', '-A', 'rich', '-p', 'paid', $d], $none, as => $bob)
		if $barred;
	my $r = $c->sbatch(['-N1', '-t10', '-p', 'portal', "--uid=$bob", $d]);
	ok($r->{id}, 'root submits for another where only root may') or diag($r->{text});
	$c->cmd('scancel', $r->{id});
	$c->excuse($r->{id});
};

# Without EnforcePartLimits Slurm moves a job to a partition that never lets it start.
subtest 'who may be moved to a partition' => sub {
	my $id = $c->accepted('one\'s promise', ['-N1', '-t10', '--deadline=now+9hours'], as => $bob)->{id};
	my $plain = $c->plain(['-N1', '-t10'], as => $bob);
	$c->settle;
	my $part = $c->field($id, 'Partition');
	for my $to ($barred ? ('paid', 'club,paid') : ()) {
		my $mark = $c->log_mark;
		ok(!$c->update($id, "Partition=$to"), "an operator may not move it to $to");
		ok($c->log_has(qr/JobId=$id: change refused: .*partition paid: /, $mark), 'as the log says');
		is($c->field($id, 'Partition'), $part, 'it stays where it is');
	}
	isnt($c->cmd({ as => $bob }, 'scontrol', 'update', "JobId=$id", 'Partition=paid')->{rc}, 0, 'nor may he') if $barred;
	ok($c->update($id, 'Partition=club'), 'one that takes it is no harm') or diag($c->{text});
	ok($c->update($plain, 'Partition=paid'), 'nor is it for a job without a promise') or diag($c->{text});
	$c->settle;
	is($c->promise($id), 'promised', 'the promise stands');
	$c->cmd('scancel', $id, $plain);
	$c->excuse($id);
};

subtest 'a hidden partition' => sub {
	my $hidden = asked($bob, '-p', 'secret')->{error} // 'an answer';
	my $unknown = asked($bob, '-p', 'nosuch')->{error} // 'an answer';
	is($hidden =~ s/secret/nosuch/gr, $unknown, 'is as one that is not there');
	like($unknown, qr/no such partition/, 'which is said');
	ok(asked(0, '-p', 'secret')->{promised}, 'for all but operators');
};

my $conf = $c->file('private', "PrivateData=jobs,nodes,reservations\n");
is($c->emulate('reconfigure', '--conf', $conf)->{rc}, 0, 'PrivateData is set');
ok($c->wait_for('it counts', sub { $c->out({ as => $bob }, 'squeue', '-h', '-o', '%A') !~ /\b$a\b/ }), 'for squeue');
is(seen($alice, @all), "$a $s", 'each sees his own');
is(seen($bob, @all), $b, 'each');
ok(!answer($bob, 'plan')->{names}, 'and no nodes');
is(seen(0, @all), "@all", 'root sees all');

subtest 'others\' jobs in answers' => sub {
	my @ask = ('--deadline=now+9hours', '--dependency');
	my $hers = asked($bob, @ask, "afterany:$a");
	my $none = asked($bob, @ask, 'afterany:999999');
	ok(!$hers->{promised}, 'behind another\'s job nothing is told') or diag(encode_json($hers));
	like($hers->{text} // '', qr/not for you to see/, 'as is said');
	is($hers->{text} =~ s/job $a\b/job 999999/r, $none->{text}, 'as behind one that is not there');
	ok(asked($alice, @ask, "afterany:$a")->{promised}, 'its owner is told');
	ok(asked(0, @ask, "afterany:$a")->{promised}, 'and so is root');

	# The same by sbatch, which could try deadline after deadline.
	my $try = sub {
		my ($uid, $of, @more) = @_;
		my $r = $c->sbatch([@more, '-N1', '-t10', @ask, "afterany:$of"], as => $uid);
		$c->cmd('scancel', $r->{id}), $c->excuse($r->{id}) if $r->{id} && !@more;
		return $r->{text};
	};
	for my $only ([], ['--test-only']) {
		my $how = "sbatch @$only";
		my $told = $try->($bob, $a, @$only);
		my $of_none = $try->($bob, 999999, @$only);
		like($told, qr/deadline: refused: .*not for you to see/, "$how: nothing is told either");
		s/pact explain \w+//, s/job ($a|999999)/job X/ for $told, $of_none;
		is($told, $of_none, "$how: as behind one that is not there");
		like($try->($_, $a, @$only), qr/deadline: accepted/, "$how: uid $_ is told") for $alice, 0;
	}

	# And by an update of a promised job of one's own.
	my $mine = submit($bob, '-N1', '-t10', '--deadline=now+9hours');
	$c->settle;
	my $update = sub { $c->cmd({ as => $bob }, 'scontrol', 'update', "JobId=$mine", "Dependency=afterany:$_[0]") };
	my $mark = $c->log_mark;
	my ($to_hers, $to_none) = map { $update->($_) } $a, 999999;
	isnt($to_hers->{rc}, 0, 'an update of the dependency is refused') or diag($to_hers->{text});
	is($to_hers->{text}, $to_none->{text}, 'as to one that is not there');
	ok($c->log_has(qr/JobId=$mine: change refused: .*job $a, which.*not for you to see/, $mark), 'as the log says');
	is($update->($b)->{rc}, 0, 'to one of his own it is not') or diag($c->{text});
	$c->cmd('scancel', $mine);
	$c->excuse($mine);

	my $wide = submit($bob, '-N4', '-t10');
	my $e;
	ok($c->wait_for('it waits', sub {
		$e = answer($bob, 'explain', $wide) // {};
		return ($e->{plan}{waits} // '') eq 'resources';
	}), 'a job of all nodes') or diag(encode_json($e));
	is(join(' ', map { $_->{job} // '?' } @{ $e->{blockers} }), $b, 'one\'s own jobs are named');
	is($e->{others}, 3, 'those of others are counted');
	like($c->out({ as => $bob }, $pact, 'explain', $wide), qr/^  and 3 that you may not see$/m, 'in words');
	$e = answer(0, 'explain', $wide);
	is(scalar(@{ $e->{blockers} }), 4, 'root sees them') or diag(encode_json($e));
	$c->cmd('scancel', $wide);
	$c->wait_state($wide, qr/CANCELLED/);
};

subtest 'the last decision' => sub {
	my %ref;
	for my $uid ($alice, $bob) {
		($ref{$uid}) = $c->refused("uid $uid is refused", ['-N5', '-t1', '--deadline=now+1hour'], undef, as => $uid)->{text} =~
			/pact explain (R\w+)/;
	}
	for my $uid ($alice, $bob) {
		is((answer($uid, 'explain', '--last') // {})->{reference}, $ref{$uid}, "uid $uid is told of its own");
		is((answer(0, 'explain', '--last', '-u', $uid) // {})->{reference}, $ref{$uid}, 'and so is root');
		is((answer($uid, 'explain', '--last', '-u', $uid) // {})->{reference}, $ref{$uid}, 'by name, too');
	}
	my $r = $c->cmd({ as => $bob }, $pact, 'explain', '--last', '-u', $alice);
	is($r->{rc}, 4, 'another user\'s is not for others');
	like($r->{err}, qr/for Slurm's operators only/, '  as is said');
	is($c->cmd({ as => $bob }, $pact, 'explain', '--last', '-u', '12345')->{rc}, 4, '  nor is, that there is none');
};

# What was wrong with pact.conf must not keep an older PrivateData in force, either way.
my $open = $c->file('open', "PrivateData=none\n");
my $bad = $c->file('bad', "Mode=slrum\n");
if ($c->respawns) {
	isnt($c->emulate('reconfigure', '--conf', $open, '--pact-conf', $bad)->{rc}, 0, 'taken away, with a bad pact.conf');
	is(seen($bob, @all), $b, 'it stays, as all does');
} else {
	is($c->emulate('reconfigure', '--conf', $open, '--pact-conf', $bad)->{rc}, 0, 'taken away, with a bad pact.conf');
	ok($c->wait_for('it counts', sub { seen($bob, @all) eq join(' ', $a, $b, $root) }), 'all is seen again');
	is($c->emulate('reconfigure', '--conf', $conf)->{rc}, 0, 'and set again, pact.conf is still bad');
	ok($c->wait_for('it counts', sub { seen($bob, @all) eq $b }), 'only one\'s own is');
}

$c->clear;
my $never = $c->plain(['-N1', '-t10', '-A', 'rich', '-p', 'paid'], as => $bob);
if ($barred) {
	ok($c->wait_field($never, 'Reason', qr/account/i), 'what is refused is what Slurm would never start');
} else {
	$c->reaches('what is not refused is what Slurm starts', $never, 'RUNNING');
}

subtest 'a reservation of others' => sub {
	$c->clear;
	my $hide = $c->file('hide', "PrivateData=jobs,reservations\n");
	is($c->emulate('reconfigure', '--conf', $hide, '--pact-conf', $c->file('good', $pact_conf))->{rc}, 0, 'private');
	is($c->cmd('scontrol', 'create', 'ReservationName=spring', 'StartTime=now', 'Duration=60', 'Nodes=ALL',
		'Users=root')->{rc}, 0, 'all nodes are reserved');
	my $id = submit($bob, '-N1', '-t10');
	my $e;
	ok($c->wait_for('it waits', sub {
		$e = answer($bob, 'explain', $id) // {};
		return ($e->{plan}{waits} // '') eq 'reserved';
	}), 'a job waits for them') or diag(encode_json($e));
	ok(!$e->{reservations} && !$e->{plan}{because}, 'which one it is is not told') or diag(encode_json($e));
	unlike(encode_json($e), qr/spring/, 'nowhere') or diag(encode_json($e));
	$e = answer(0, 'explain', $id);
	is($e->{reservations}[0]{name}, 'spring', 'but root is') or diag(encode_json($e));
	is($c->cmd('scontrol', 'delete', 'ReservationName=spring')->{rc}, 0, 'it goes');
};

$c->clear;
$c->healthy;
done_testing;
