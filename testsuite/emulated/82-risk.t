#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 82-risk: RiskLimit: a job whose limit does not fit before its deadline is let in by its chance to miss it, which is
# learned from the jobs that end, per user, and is known again after a kill -9; recordings tell no uid.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Test::More;
use Cluster;
use JSON::PP;

my $dir = File::Temp::tempdir(CLEANUP => 1, TMPDIR => 1);
chmod 0755, $dir;
my $base = "ReportPort=0\nGuard=60\nAdmissionTime=5000\nPlanInterval=2\nSocketRate=0\nRecordDir=$dir/rec\nRecord=on\n";
my $history = "History=$dir/history.db\n";
my $realm = "PartitionName=shared Admission=librarisk\n";
my $other = 65432;
my $c = Cluster->up(nodes => 4, pact => "$base$history${realm}RiskLimit=0.2\n",
	partition => ['batch Nodes=n[1-2] Default=YES MaxTime=INFINITE',
		'shared Nodes=n[3-4] MaxTime=INFINITE OverSubscribe=FORCE:4'],
	conf => "SelectTypeParameters=CR_Memory\nDefMemPerNode=100\nPrologFlags=Alloc\n");
my $pact = "$Cluster::build/contrib/pact/pact";
# Eight minutes for ten, the guard apart.
my @tight = ('-p', 'shared', '-N1', '-t10', '--deadline=now+9minutes');

sub answer {
	my $as = ref $_[0] ? shift : {};
	my $r = $c->cmd($as, $pact, '--json', @_);
	return $r->{out} =~ /^\{/ ? decode_json($r->{out}) : {};
}

sub ask { return answer($_[0] // {}, 'ask', @tight) }

sub learned {
	my $n = shift;
	return $c->wait_for("$n jobs are learned from", sub { (answer('status')->{learned} // -1) == $n });
}

# What is kept, as lists of columns.
sub kept {
	my $text = qx{sqlite3 -readonly '$dir/history.db' 'select uid, partition, lim, part, cut from past order by id'};
	return map { [split /\|/] } split /\n/, $text;
}

subtest 'nothing is known' => sub {
	my $r = $c->refused('a job that does not fit', [@tight],
		qr/1 node for 00:10:00 does not fit before \S+, and the chance to miss it is 100 %, more than RiskLimit, 20 %/);
	ok($r->{offer}, 'a deadline that it fits before is offered');
	my ($ref) = $r->{text} =~ /pact explain (R\w+)/;
	my $told = answer('explain', $ref);
	is($told->{reason}, 'chance', 'the reason is found again');
	is($told->{chance}, 1, 'with the chance');
	is(answer('stats')->{reasons}{chance}, 1, 'it is counted');
	is(answer('status')->{risk_limit}, 0.2, 'the limit');
	learned(0);
};

subtest 'learned' => sub {
	my $cut = $c->plain(['-p', 'shared', '-N1', '-t10']);
	$c->reaches('one runs', $cut, 'RUNNING');
	$c->cmd('scancel', $cut);
	ok(learned(1), 'from one that was cancelled');
	my @jobs = map { $c->plain(['-p', 'shared', '-N1', '-t10'], runs => 1) } 1 .. 8;
	$c->reaches('another one ends', $_, 'COMPLETED') for @jobs;
	ok(learned(9), 'from each that ended');
	my @kept;
	$c->wait_for('all is written', sub { (@kept = kept()) == 9 });
	is($kept[0][4], 1, 'the one that was cancelled may have needed more');
	is(scalar(grep { $_->[0] == $> && $_->[1] eq 'shared' && $_->[2] == 600 && !$_->[4] } @kept), 8,
		'whose, where, of how long a limit');
	is(scalar(grep { $_->[3] < 50000 } @kept), 9, 'they needed little of it');
};

my $chance = ask()->{chance};
subtest 'decided' => sub {
	ok($chance && $chance > 0 && $chance <= 0.2, 'a chance is told') or diag($chance);
	my $percent = sprintf '%.1f', int($chance * 1000 + 0.999) / 10;
	$percent =~ s/\.0$//;
	my $text = $c->cmd($pact, 'ask', @tight)->{out};
	unlike($text, qr/^earliest/m, 'no completion that is no promise');
	like($text, qr/^would be let in, and promised nothing: .*its chance to miss it is \Q$percent\E %/m, 'pact ask says it');
	my $r = $c->sbatch([@tight], runs => 1);
	ok($r->{id}, 'it is let in') or diag($r->{text});
	like($r->{text}, qr/^sbatch: deadline: accepted: expected by \S+, not promised: its time limit does not fit before that, and its chance to miss it is \Q$percent\E %$/m,
		'and told so');
	$c->reaches('it runs to its end', $r->{id}, 'COMPLETED');
	ok(learned(10), 'and is learned from');
	is(answer('explain', '--last')->{chance}, $chance, 'it is explained');
	like($c->cmd($pact, 'status')->{out}, qr/^RiskLimit 0\.2: chances to miss come from 10 jobs that ended$/m, 'pact status');
};

SKIP: {
	skip 'root alone can be another user', 1 if $>;
	subtest 'each user by itself' => sub {
		my $mine = ask()->{chance};
		cmp_ok(ask({ as => $other })->{chance}, '>', $mine, 'of another user everybody\'s history alone is known');
		my $lower = sprintf '%.4f', $mine + 0.0001;
		(my $own = $realm) =~ s/$/ RiskLimit=$lower/m;
		is($c->reconfigure("$base$history${own}RiskLimit=0.2\n")->{rc}, 0, 'a lower limit of the realm\'s own');
		ok($c->wait_for('it holds', sub { (ask({ as => $other })->{reason} // '') eq 'chance' && ask()->{expected} }), 'refuses that one');
		ok(learned(10), 'as many are learned from');
		like($c->cmd($pact, 'status')->{out}, qr/^RiskLimit 0\.2, in shared \Q$lower\E: chances to miss come from 10 jobs/m, 'pact status tells both');
		$c->refused('sbatch, too', [@tight], qr/and the chance to miss it is \S+ %, more than RiskLimit, \Q${\($lower * 100)}\E/, as => $other);
		ok(ask()->{expected}, 'and not the one whose jobs are short');
	};
}

subtest 'kill -9' => sub {
	$chance = ask()->{chance};
	ok($c->wait_for('all is written', sub { kept() == 10 }), 'all is written');
	my $mark = $c->log_mark;
	$c->emulate('kill-controller');
	$c->emulate('start-controller');
	$c->remember_controller;
	ok($c->wait_for('a plan', sub { answer('status')->{planned} }), 'there is a plan again');
	ok($c->log_has(qr/RiskLimit: what 10 earlier jobs needed is known/, $mark), 'what was learned is known');
	is(ask()->{chance}, $chance, 'the chance is as it was');
	is(answer('status')->{learned}, 10, 'learned from as many');
	my $r = $c->plain(['-p', 'shared', '-N1', '-t10'], runs => 1);
	$c->reaches('another job ends', $r, 'COMPLETED');
	ok(learned(11), 'it goes on');
	ok($c->wait_for('it is written', sub { kept() == 11 }), 'once') or diag(scalar kept());
};

subtest 'a bad file' => sub {
	for (["${history}${realm}RiskLimit=1.5\n", qr/RiskLimit=1\.5: must be/],
		["${history}PartitionName=shared Admission=librarisk RiskLimit=1.5\n", qr/PartitionName=shared RiskLimit=1\.5: must be/],
		["${history}PartitionName=batch Admission=edf RiskLimit=0.2\n",
			qr/PartitionName=batch RiskLimit=0\.2: Admission= has to be one of libra, librarisk, demand/],
		["PartitionName=shared Admission=librarisk RiskLimit=0.2\n", qr/RiskLimit=0\.2: History= is missing/],
		["${realm}RiskLimit=0.2\n", qr/RiskLimit=0\.2: History= is missing/],
		["${history}RiskLimit=0.2\n", qr/RiskLimit=0\.2: no PartitionName has Admission= one of libra, librarisk, demand/],
		["${history}PartitionName=batch Admission=edf\nRiskLimit=0.2\n", qr/RiskLimit=0\.2: no PartitionName has Admission= one of/]) {
		my $mark = $c->log_mark;
		$c->reconfigure($base . $_->[0]);
		ok($c->log_has($_->[1], $mark), "refused: $_->[1]");
	}
	is(ask()->{promised} // 'none', JSON::PP::false, 'the old one stays');
};

is(answer('stats')->{broken}, 0, 'no promise was broken');
$c->healthy;
$c->down;

subtest 'recordings' => sub {
	my @files = sort glob("$dir/rec/*.rec");
	my $text = join '', map { Cluster::slurp($_) } @files;
	like($text, qr/"type":"past".*"past":\[\[1,600,/, 'what was taught is in them');
	like($text, qr/"type":"learned"/, 'and what was learned');
	unlike($text, qr/\b$other\b/, 'no uid is');
	my $out = qx{$Cluster::build/sim/pact-sim replay @files 2>&1};
	is($?, 0, 'they replay equal') or diag($out);
};

done_testing;
