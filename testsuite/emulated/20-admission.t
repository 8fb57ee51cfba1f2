#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 20-admission: the answer at submission: accepted, refused with a counter-offer, seen in squeue.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Test::More;
use Cluster;

# slurmctld lives in another zone than its users: what it writes must be good in theirs.
my $pact = "$Cluster::build/contrib/pact/pact";
my $c = do {
	local $ENV{TZ} = '<-0330>3:30';
	Cluster->up(nodes => 4, conf => "MaxArraySize=11\n", partition => ['elsewhere Nodes=ALL AllocNodes=nowhere']);
};
my $wall = $c->plain(['-N4', '-t10']);	# holds all nodes until its limit, in the plan
$c->reaches('a plain job starts', $wall, 'RUNNING');
my $wall_end = $c->field($wall, 'EndTime');

subtest 'accepted' => sub {
	my $r = $c->accepted('a deadline that can be kept is accepted', ['-N2', '-t10', '--deadline=now+2hours']);
	is($r->{start}, $wall_end + 60, 'planned behind the running job and its guard');
	is($r->{by}, $c->field($r->{id}, 'Deadline'), 'the promised completion is the deadline');
	like($r->{text}, qr/by \S+-03:30, planned start \S+-03:30$/m, "the times are slurmctld's, with their offset");
	like($r->{text}, qr/^[\x20-\x7e\n]*$/, 'the line is ASCII');
	is(scalar(() = $r->{text} =~ /deadline:/g), 1, 'and one line');
	like($c->field($r->{id}, 'AdminComment'),
		qr/^pact1\(id=[0-9a-f]{16},deadline=$r->{by},limit=600,state=promised\)$/, 'its token is in AdminComment');
};

subtest 'refused, with a counter-offer that holds' => sub {
	my $by = $c->in_seconds(15 * 60);
	my $r = $c->refused('too late behind the running job', ['-N4', '-t10', "--deadline=$by"], qr/10:00/);
	ok($r->{offer}, 'a counter-offer is made') or return;
	cmp_ok(Cluster::epoch($r->{offer}), '>=', $wall_end + 60 + 600 + 60, 'it is one that could be kept');
	cmp_ok(Cluster::epoch($r->{offer}), '<=', $wall_end + 60 + 600 + 60 + 2 * 720 + 120, 'and not far off');
	like($r->{text}, qr/fewer nodes|shorter/, 'the message says what to change');
	my ($words) = $r->{text} =~ /--deadline=uts\d+ \((\S+-03:30)\);/;
	is(Cluster::epoch($words), Cluster::epoch($r->{offer}), 'which is told in words, too');
	my @ask = ($pact, 'ask', '-N4', '-t10');
	is($c->cmd(@ask, "--deadline=$r->{offer}")->{rc}, 0, 'pact ask takes it');
	{
		local $ENV{TZ} = 'JST-9';
		my $said = $c->out(@ask);
		my ($earliest, $readable) =
			$said =~ /^earliest completion: --deadline=(uts\d+) \((\S+\+09:00)\), start \S+\+09:00$/m;
		ok($earliest, "and offers such, in its user's zone") or diag($said);
		is(Cluster::epoch($readable), Cluster::epoch($earliest), 'and means the same by both');
		my $r = $c->cmd('sbatch', '--test-only', '-N4', '-t10', "--deadline=$earliest", '--wrap', 'true');
		my ($by) = $r->{err} =~ /deadline: accepted: completes by (\S+),/;
		is(Cluster::epoch($by), Cluster::epoch($earliest), 'sbatch takes it there') or diag($r->{err});
	}
	my $again = $c->accepted('asked for as offered, it is accepted', ['-N4', '-t10', "--deadline=$r->{offer}"]);
	cmp_ok($again->{start} + 660, '<=', Cluster::epoch($r->{offer}), 'and planned to end by then');
	my $other = $c->refused('the same again is refused now', ['-N4', '-t10', "--deadline=$r->{offer}"]);
	isnt($other->{offer}, $r->{offer}, 'with another offer');
};

subtest 'refused whatever the load' => sub {
	my $soon = $c->refused('a limit that reaches past the deadline', ['-N1', '-t10', '--deadline=now+10minutes'],
		qr/do not fit before/);
	ok($soon->{offer}, 'there is an offer');
	$c->refused('more nodes than there are', ['-N5', '-t1', '--deadline=now+2hours'], qr/5 nodes are more/);
	my $r = $c->sbatch(['-N1', '-t1', '-p', 'nowhere', '--deadline=now+2hours']);
	like($r->{text}, qr/[Ii]nvalid partition/, 'an unknown partition is Slurm\'s to refuse');
};

subtest 'squeue tells' => sub {
	my $r = $c->accepted('one more', ['-N1', '-t30', '--deadline=now+5hours']);
	my $start = $c->wait_for('a planned start', sub {
		my $s = $c->out('squeue', '-h', '--start', '-j', $r->{id}, '-o', '%S');
		return $s =~ /^\d+$/ && $s;
	});
	cmp_ok($start, '>=', $wall_end, 'squeue --start shows the planned start');
	cmp_ok($start + 1860, '<=', $r->{by}, 'which keeps the promise');
	$c->wait_for('the reason', sub { $c->out('squeue', '-h', '-j', $r->{id}, '-o', '%r') =~ /Promised/ });
	my ($by) = $c->out('squeue', '-h', '-j', $r->{id}, '-o', '%R') =~ /Promised.to.complete.by.([^\s)]+)/;
	is(Cluster::epoch($by), $r->{by}, 'and why it waits');
	my $plain = $c->plain(['-N4', '-t10']);
	ok($c->wait_for('its planned start', sub {
		$c->out('squeue', '-h', '--start', '-j', $plain, '-o', '%S') =~ /^\d+$/;
	}), 'a plain job has a planned start too');
};

subtest 'a job that waits only for promises says so' => sub {
	$c->clear;
	my $half = $c->plain(['-N2', '-t60']);
	$c->reaches('half of the nodes are busy', $half, 'RUNNING');
	my $p = $c->accepted('all nodes afterwards are promised', ['-N4', '-t10', '--deadline=now+72minutes']);
	my $long = $c->plain(['-N2', '-t120']);
	ok($c->wait_for('the reason', sub { $c->field($long, 'Reason') =~ /promised/ }),
		'nodes are idle, but promised: the reason is told');
	is($c->state($long), 'PENDING', 'and it waits');
	my $short = $c->plain(['-N2', '-t20']);
	$c->reaches('a short one is backfilled', $short, 'RUNNING');
	is($c->promise($p->{id}), 'promised', 'the promise stands');
};

# The place of an accepted submission without a record is free as soon as its RPC has ended, which is
# a moment after the answer.
sub soon {
	my ($name, @args) = @_;
	my $r;
	ok($c->wait_for($name, sub { ($r = $c->sbatch([@args]))->{id} }), $name) or diag($r->{text});
	return $r;
}

subtest 'test-only' => sub {
	$c->clear;
	my $r = $c->plain(['-N4', '-t10']);
	$c->reaches('busy again', $r, 'RUNNING');
	my $f = $c->cmd('sbatch', '--test-only', '-N4', '-t10', '--deadline=now+15minutes', '--wrap', 'true');
	like($f->{err}, qr/deadline: refused: /, 'this could not be promised');
	isnt($f->{rc}, 0, 'and the exit code says so');
	my $t = $c->cmd('sbatch', '--test-only', '-N4', '-t10', '--deadline=now+24minutes', '--wrap', 'true');
	like($t->{err}, qr/deadline: accepted: completes by/, 'this could');
	is($t->{rc}, 0, 'and the exit code says so');
	$c->accepted('no place is held by it: the real one is accepted', ['-N4', '-t10', '--deadline=now+24minutes']);
	$f = $c->cmd('sbatch', '--test-only', '-N4', '-t10', '--deadline=now+24minutes', '--wrap', 'true');
	like($f->{err}, qr/deadline: refused: /, 'and now it could not');
	is(scalar(split ' ', $c->out('squeue', '-h', '-o', '%A')), 2, 'there are but two jobs');
	# In one breath, where there is room for one more each time.
	my $taken = 0;
	for my $n (1 .. 8) {
		my $job = "-N4 -t10 --deadline=now+" . (24 + 11 * $n) . "minutes -o /dev/null --wrap 'sleep 3600'";
		my $both = $c->cmd('sh', '-c', "sbatch --test-only $job && sbatch $job");
		$taken += $both->{out} =~ /^Submitted/m || 0;
		diag($both->{err}) unless $both->{out} =~ /^Submitted/m;
	}
	is($taken, 8, 'what --test-only said could be promised is promised the moment after');
};

subtest 'a submission that its partition does not take leaves nothing' => sub {
	$c->clear;
	ok($c->wait_for('the plan', sub {
		return !$c->cmd('sbatch', '--test-only', '-N4', '-t10', '--deadline=now+13minutes', '--wrap', 'true')->{rc};
	}), 'the plan knows that nothing is left');
	my $mark = $c->log_mark;
	for (1 .. 3) {
		my $r = $c->sbatch(['-N4', '-t10', '-p', 'elsewhere', '--deadline=now+13minutes']);
		ok(!$r->{id}, 'refused: nobody may submit to it from here') or diag($r->{text});
	}
	ok($c->log_has(qr/deadline: refused: partition elsewhere: /, $mark), 'before anything is promised');
	soon('the place is free', '-N4', '-t10', '--deadline=now+13minutes');
};

subtest 'a submission that Slurm refuses after the promise leaves nothing' => sub {
	$c->clear;
	ok($c->wait_for('the plan', sub {
		return !$c->cmd('sbatch', '--test-only', '-N4', '-t10', '--deadline=now+13minutes', '--wrap', 'true')->{rc};
	}), 'the plan knows that nothing is left');
	# What slurmctld does with the script it does when job_submit has accepted the job.
	for my $round (1, 2) {
		my ($mark, $r) = ($c->log_mark);
		$c->without_scripts(sub {
			ok($c->wait_for('a promise', sub {
				$r = $c->sbatch(['-N4', '-t10', '--deadline=now+13minutes']);
				return $r->{text} !~ /deadline: refused/;
			}), "round $round: all nodes are promised");
		});
		ok($c->log_has(qr/deadline: accepted: /, $mark), 'as the log says');
		ok(!$r->{id}, 'which Slurm does not take') or diag($r->{text});
		like($r->{text}, qr/error writing/, 'because its script cannot be stored');
		ok($c->wait_for('nothing promised', sub {
			return $c->out("$Cluster::build/contrib/pact/pact", '--json', 'status') =~ /"open":\s*0\b/;
		}), 'the promise is withdrawn');
		my $j = soon('its place is free again', '-N4', '-t10', '--deadline=now+13minutes');
		$c->reaches('for a job that runs', $j->{id}, 'RUNNING');
		is($c->out('squeue', '-h', '-o', '%A'), "$j->{id}", 'the only one');
		$c->clear;
	}
};

subtest 'a job without a limit holds its nodes for ever' => sub {
	$c->clear;
	my $r = $c->plain(['-N2']);
	$c->reaches('it runs', $r, 'RUNNING');
	is($c->field($r, 'TimeLimit'), 'UNLIMITED', 'without a limit');
	$c->refused('a refusal that follows from it says so', ['-N3', '-t10', '--deadline=now+5hours'],
		qr/without a time limit/);
	$c->accepted('what is left can be promised', ['-N2', '-t10', '--deadline=now+5hours']);
};

$c->clear;
$c->healthy;
done_testing;
