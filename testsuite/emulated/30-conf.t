#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 30-conf: what pact.conf decides, while slurmctld runs and at its start; a slurm.conf under which nothing
# could be promised stops it with a line that names the key.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Test::More;
use Cluster;
use JSON::PP;

my $base = "Guard=60\nAdmissionTime=5000\nPlanInterval=2\n";
my $c = Cluster->up(nodes => 4, partition => ['side Nodes=n[1-2]'], pact => $base);
my $wall = $c->plain(['-N4', '-t10']);
$c->reaches('all nodes are busy', $wall, 'RUNNING');

# A deadline that cannot be kept, and one that can.
my @bad = ('-N4', '-t10', '--deadline=now+13minutes');
my @good = ('-N1', '-t10', '--deadline=now+10hours');

# Reconfigure, and wait until a dry run gives words that match.
sub configured {
	my ($name, $pact, $args, $words, %o) = @_;
	my $r = $c->reconfigure($base . $pact);
	is($r->{rc}, 0, "$name: reconfigured") or diag($r->{err});
	my $text;
	ok($c->wait_for($name, sub {
		$text = $c->sbatch(['--test-only', @$args], %o)->{text};
		return $text =~ /$words/;
	}), "$name: in force") or diag($text);
}

subtest 'AdmissionMode=observe' => sub {
	configured('observe', "AdmissionMode=observe\n", \@bad, qr/to start|accepted/);
	my $mark = $c->log_mark;
	my $r = $c->sbatch(\@bad);
	ok($r->{id}, 'nothing is refused') or diag($r->{text});
	like($r->{text}, qr/^sbatch: deadline: observed: would be refused: /m, 'what would have been is told');
	ok($c->log_has(qr/deadline: observed: would be refused: /, $mark), 'but it is in the log');
	isnt($c->promise($r->{id}), 'promised', 'it is not promised');
	$c->accepted('what can be kept is promised', \@good);
	$c->cmd('scancel', $r->{id});
};

subtest 'Admission=none' => sub {
	configured('none', "Admission=none\n", \@good, qr/deadline: refused: .*Admission=none/);
	$c->refused('every deadline is refused', \@good, qr/Admission=none/);
	ok($c->plain(['-N1', '-t10']), 'plain jobs are taken');
	configured('side only', "Admission=none\nPartitionName=side Admission=qops\n", ['-p', 'side', @good], qr/accepted/);
	$c->accepted('but one partition', ['-p', 'side', @good]);
	$c->refused('not the others', \@good, qr/partition batch \(Admission=none\)/);
	$c->refused('nor both together', ['-p', 'side,batch', @good], qr/partition batch/);
};

# Behind the wall wait a short job and a long one that is due later and has less laxity. Then comes one that has
# to go before both: they are sorted anew.
sub long_first {
	my ($order) = @_;
	configured($order, "Order=$order\n", \@good, qr/accepted/);
	my $end = $c->field($wall, 'EndTime');
	my @ids;
	for my $job (['-t5', 85], ['-t60', 90], ['-t5', 9]) {
		push @ids, $c->accepted("$order: accepted",
			['-N4', $job->[0], '--deadline=' . $c->stamp($end + 60 * $job->[1])])->{id};
	}
	my $start = sub { my $s = $c->field($_[0], 'StartTime'); return $s =~ /^\d+$/ ? $s : 0 };
	$c->seen;
	$c->wait_for('planned starts', sub { !grep { !$start->($_) } @ids });
	my ($short, $long, $hasty) = map { $start->($_) } @ids;
	ok($hasty && $hasty < $short && $hasty < $long, "$order: the last one goes first");
	$c->cmd('scancel', @ids);
	$c->excuse(@ids);
	$c->seen;
	return $short && $long && $long < $short;
}

subtest 'Order' => sub {
	ok(!long_first('edf'), 'edf: who is due first goes first');
	ok(long_first('llf'), 'llf: who has least time to spare goes first');
	ok(!long_first('edf'), 'and back');
};

subtest 'AcceptMessage=no' => sub {
	configured('quiet', "AcceptMessage=no\n", \@good, qr/\A(?!.*accepted).*to start/s);
	my $r = $c->sbatch(\@good);
	ok($r->{id}, 'accepted');
	is($r->{err}, '', 'without a word');
	is($c->promise($r->{id}), 'promised', 'but promised');
	$c->refused('a refusal is told', \@bad);
	configured('yes', "AcceptMessage=yes\n", \@good, qr/accepted/);
};

SKIP: {
	skip 'other users need root', 1 if $>;
	subtest 'who may use deadlines' => sub {
		my %as = (as => 65534);
		configured('AllowAccounts', "AllowAccounts=good,better\n", \@good, qr/\(AllowAccounts\)/, %as);
		$c->refused('another account', ['-A', 'bad', @good], qr/account bad may not use deadlines \(AllowAccounts\)/, %as);
		$c->accepted('an account of the list', ['-A', 'better', @good], %as);
		$c->accepted('root always may', \@good);
		ok($c->plain(['-N1', '-t10', '-A', 'bad'], %as), 'plain jobs are taken from all');
		configured('AllowQOS', "AllowQOS=fast\n", \@good, qr/\(AllowQOS\)/, %as);
		my $group = getgrgid(65534);
		configured('AllowGroups', "AllowGroups=daemon\n", \@good, qr/its user is in no group .*\(AllowGroups=daemon\)/, %as) if getgrnam('daemon');
		configured('anybody', '', \@good, qr/accepted/, %as);
	};
}

subtest 'a malformed pact.conf is refused, and the old one stays' => sub {
	my %bad = (
		"KFactor=-1\n" => qr/KFactor=-1: must be a whole number/,
		"Mode=slrum\n" => qr/Mode=slrum: must be paper or slurm/,
		"Relaxation=0.5\n" => qr/Relaxation=0.5: must be a number/,
		"Relaxation=2.0004\n" => qr/Relaxation=2.0004: must be a number .* at most 3 decimals/,
		"Relaxation=2e1\n" => qr/Relaxation=2e1: must be a number/,
		"Gard=60\n" => qr/Gard/,
		"PartitionName=side Admission=perhaps\n" => qr/Admission=perhaps: must be none or qops/,
		"Record=maybe\n" => qr/Record=maybe: must be off or on/,
		"Record=on\n" => qr/Record=on: RecordDir= is missing/,
		"RecordDir=records\n" => qr/RecordDir=records: must be a path from/,
		"RecordSize=0\n" => qr/RecordSize=0: must be/,
		"RecordFiles=1\n" => qr/RecordFiles=1: must be/,
		"RecordUsers=some\n" => qr/RecordUsers=some: must be off or on/,
		"History=history.db\n" => qr/History=history.db: must be none or a path from/,
		"HistoryAge=0\n" => qr/HistoryAge=0: must be/,
		"HistorySize=large\n" => qr/HistorySize=large: must be/,
		"AllowGroups=no_such_group_here\n" => qr/AllowGroups=no_such_group_here/,
		"Loans=some\n" => qr/Loans=some: must be none, uniform or profit/,
		"ResizeGrace=86401\n" => qr/ResizeGrace=86401: must be a whole number of seconds from 0 to 86400/,
		"Strategy=greedy\n" => qr/Strategy=greedy: must be uniform, profit or lazy/,
	);
	configured('a good one', "AcceptMessage=no\n", \@good, qr/\A(?!.*accepted).*to start/s);
	for my $text (sort keys %bad) {
		my $mark = $c->log_mark;
		$c->reconfigure($base . $text);
		chomp(my $name = $text);
		ok($c->log_has($bad{$text}, $mark), "$name: named in the log");
		ok($c->log_has(qr/pact.conf refused, the one in force stays/, $mark), 'refused');
	}
	my $r = $c->sbatch(\@good);
	ok($r->{id}, 'deadlines are still promised');
	is($r->{err}, '', 'under the old configuration');
	is($c->promise($r->{id}), 'promised', 'truly');
};

subtest 'the sample of doc/pact.conf' => sub {
	my $sample = Cluster::slurp("$Cluster::top/doc/pact.conf");
	is_deeply([grep { !/^(#|$)/ } split /\n/, $sample], [], 'a copy changes nothing: every line is a comment');
	my %shown = map { $_ => 1 } $sample =~ /^#([A-Z]\w+)=/mg;
	my $page = Cluster::slurp("$Cluster::top/doc/pact.conf.5");
	my %told = map { $_ => 1 } $page =~ /^\.T[PQ]\n\.B[IR]? "?([A-Z]\w+) ?=/mg;
	$told{PartitionName} = 1 if $page =~ /^\.B\w* "?PartitionName=/m;
	cmp_ok(scalar keys %told, '>', 30, 'pact.conf(5) has keys');
	is_deeply([sort keys %shown], [sort keys %told], 'it has every key of pact.conf(5), and no other');
	# All of it at once, with what is there: a group, a directory that may be written.
	mkdir "$c->{dir}/c/run/sample";
	my $group = getgrgid((getpwuid 65534)[3]); # root is no member of anything, to Slurm
	(my $all = $sample) =~ s/^#(?=[A-Z]\w+=)//mg;
	$all =~ s{=/(?:run|var)/\S*/(?=\S)}{=$c->{dir}/c/run/sample/}g;
	$all =~ s/^AllowGroups=\K.*/$group/m;
	my $mark = $c->log_mark;
	$c->reconfigure($all);
	ok($c->wait_for('it is in force', sub { -S "$c->{dir}/c/run/sample/pact.sock" }), 'with all its lines in force')
		or diag($c->log_text($mark));
	unlike($c->log_text($mark), qr/pact\.conf refused|error: .*pact\.conf/, 'slurmctld takes it');
	configured('the old one again', '', \@good, qr/accepted/);
};

subtest 'pact status tells what is wrong with pact.conf' => sub {
	my $pact = "$Cluster::build/contrib/pact/pact";
	my $group = getgrnam('daemon') ? "AllowGroups=daemon,no_such_group_here\n" : '';
	my $text;
	my $status = sub {
		my ($name, $words, %o) = @_;
		ok($c->wait_for($name, sub { ($text = $c->cmd(\%o, $pact, 'status')->{out}) =~ /$words/ }), $name) or diag($text);
	};
	configured('a good one', '', \@good, qr/accepted/);
	$status->('nothing, of one that is good', qr/\A(?!.*pact\.conf)/s);
	$c->reconfigure("${base}KFactor=-1\n");
	$status->('a refused one', qr/^pact\.conf was refused at [\d-]+T\S+, that of [\d-]+T\S+ stays in force: KFactor=-1: must be a whole/m);
	my $conf = decode_json($c->out($pact, '--json', 'status'))->{conf};
	like($conf->{why}, qr/^KFactor=-1: must be/, '--json: key and value');
	ok($conf->{taken} && $conf->{taken} <= $conf->{refused} && $conf->{refused} <= time, '  when, and since when the other');
	$status->('a user: that it was', qr/^pact\.conf was refused .* in force: slurmctld's log says why$/m, as => 65534) unless $>;
	my $mark = $c->log_mark;
	configured('misspelled', "${group}AllowAccounts=nobody\nPartitionName=side,sied Admission=none\n",
		['-p', 'side', @good], qr/Admission=none/);
	my @wrong = ('PartitionName=sied: there is no such partition');
	push @wrong, 'AllowGroups=no_such_group_here: there is no such group' if $group;
	for (@wrong) {
		ok($c->log_has(qr/warning: pact\.conf: $_/, $mark), "in the log: $_");
		$status->("and here: $_", qr/^pact\.conf: $_$/m);
	}
	is(() = $text =~ /pact\.conf/g, scalar @wrong, 'nothing else: there is no accounting, and the other one was taken') or diag($text);
	unlike($c->cmd({ as => 65534 }, $pact, 'status')->{out}, qr/sied/, 'a user is not told the names') unless $>;
	is($c->cmd(qw(scontrol create PartitionName=sied Nodes=n1))->{rc}, 0, 'it comes later');
	$status->('and is missed no longer', qr/\A(?!.*sied)/s);
	$c->cmd(qw(scontrol delete PartitionName=sied));
	configured('anybody', '', \@good, qr/accepted/);
};

subtest 'Mode=paper' => sub {
	$c->clear;
	configured('paper', "Mode=paper\n", \@good, qr/accepted/);
	$wall = $c->plain(['-N4', '-t10']);
	$c->reaches('busy', $wall, 'RUNNING');
	my $late = $c->accepted('a late deadline', ['-N4', '-t5', '--nice=0', '--deadline=now+10hours'], runs => 0);
	my $soon = $c->accepted('a soon one', ['-N4', '-t5', '--nice=100', '--deadline=now+1hour'], runs => 0);
	ok($c->wait_for('the order', sub {
		my ($a, $b) = map { $c->field($_->{id}, 'StartTime') } $late, $soon;
		return $a =~ /^\d+$/ && $b =~ /^\d+$/ && $b < $a;
	}), 'the heuristic orders them by deadline');
	my $plain = $c->plain(['-N4', '-t5'], runs => 0);
	$c->settle;
	$c->cmd('scancel', $wall);
	$c->reaches('the soon one ran', $soon->{id}, 'COMPLETED');
	$c->reaches('the late one ran', $late->{id}, 'COMPLETED');
	$c->reaches('and the plain one', $plain, 'COMPLETED');
	my $e = $c->ended_jobs;
	cmp_ok($e->{ $soon->{id} }{StartTime}, '<=', $e->{ $late->{id} }{StartTime}, 'in that order');
	configured('slurm again', "Mode=slurm\n", \@good, qr/accepted/);
};

$c->clear;
$c->healthy;
$c->down;

# Each start-up that has to fail, by the words that must stand at the end of the log.
sub stops {
	my ($name, $words, %o) = @_;
	my $other = Cluster->up(nodes => 1, may_fail => 1, %o);
	ok(!$other, "$name stops slurmctld") or $other->down;
	like($Cluster::why, $words, '  with a line that says why');
}

subtest 'a configuration that is unsafe stops at start-up' => sub {
	stops('the main scheduler still on', qr/add sched_interval=-1 to SchedulerParameters/,
		conf => "SchedulerParameters=defer\n");
	stops('a missing defer', qr/add defer to SchedulerParameters/,
		conf => "SchedulerParameters=sched_interval=-1\n");
	stops('OverTimeLimit=UNLIMITED', qr/OverTimeLimit=UNLIMITED .*set OverTimeLimit/, conf => "OverTimeLimit=UNLIMITED\n");
	stops('PreemptMode=GANG', qr/PreemptMode/, conf => "PreemptMode=GANG\nSchedulerTimeSlice=30\n");
	stops('another scheduler', qr/SchedulerType=sched\/backfill .*set SchedulerType=sched\/qops/,
		sched => 'stock', submit => 'deadline', conf => "SchedulerParameters=sched_interval=-1,defer\n");
	stops('a malformed pact.conf', qr/Mode=slrum: must be paper or slurm/, pact => "Mode=slrum\n");
	stops('an unknown key', qr/Gard/, pact => "Gard=1\n");
};

done_testing;
