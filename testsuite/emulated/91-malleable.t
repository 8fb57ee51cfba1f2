#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 91-malleable: the options of spank_pact, and real jobs that have a range of nodes: under sched/malleable (uniform, profit, lazy), and
# under sched/qops with loans.
# By name: what Malleable.pm has.
# Runs first: it takes two minutes.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use File::Temp qw(tempdir);
use Test::More;
use Time::HiRes qw(sleep);
use Cluster;
use Malleable;

# An epilog that cleans a node up until it is let go.
my $dir = tempdir('pact-t-XXXXXX', TMPDIR => 1, CLEANUP => 1);
chmod 0755, $dir;
my ($epilog, $gate) = ("$dir/epilog", "$dir/gate");
Cluster::gated($epilog, "$gate.\$SLURMD_NODENAME");

my $user = 65534;
# MessageTimeout: so long slurmd of 24.11 waits for an epilog when it is to read its configuration anew; then it forgets it.
my $c = Malleable::up(nodes => 8, sched => 'malleable', as => $user,
	pact => "Guard=60\nPlanInterval=2\nAdmissionTime=5000\nResizeGrace=4\nHistory=$dir/history.db\n$Malleable::recorded",
	conf => "Epilog=$epilog\nCompleteWait=60\nMessageTimeout=60\n");

# What became of a job's nodes, as pact history has it, once there is this line among it. Nodes that are not clean at once
# are told as they become so: with what all of them make goes what the first ones made.
sub resized {
	my ($name, $id, $line) = @_;
	my $all;
	ok($c->wait_for($name, sub { ($all = $c->pact('history', '--resizes', '--job', $id)) =~ $line }), $name) or diag($all);
}
# A job is changed by its user.
sub changes { return !$c->cmd({ as => $user }, 'scontrol', 'update', "JobId=$_[0]", $_[1])->{rc} }
sub malleable { my ($range, @more) = @_; return $c->plain(["-N$range", '--malleable', '-t30', @more], script => 'sleep 1000') }

subtest 'options' => sub {
	my $help = $c->out('sbatch', '--help');
	like($help, qr/--malleable=/, 'sbatch --help has it');
	like($help, qr/--value=NUMBER/, '  and --value');
	my %wrong = (
		'--malleable=speed:2' => 'unknown',
		'--malleable=grace' => 'KEY:VALUE wanted',
		'--malleable=grace:0' => 'seconds from 1 to 86400',
		'--malleable=speedup:4' => 'pairs NODES=SPEED',
		'--malleable=speedup:4=3/2=2' => 'that rise',
		'--value=many' => 'a number from 0',
	);
	for my $option (sort keys %wrong) {
		my $r = $c->sbatch(['-N1-4', '--malleable', $option], script => 'true');
		like($r->{text}, qr/\Q$option\E: .*\Q$wrong{$option}\E/, "$option is refused by name");
	}
	my %not = (
		'contiguous nodes (--contiguous)' => ['-N1-4', '--contiguous'],
		'a burst buffer' => ['-N1-4', '--bb=capacity=1G'],
		"nodes shared with one's own jobs (--exclusive=user)" => ['-N1-4', '--exclusive=user'],
		'a range of nodes is wanted' => ['-N4'],
		'tasks of an array' => ['-N1-4', '-a1-2'],
		'licenses' => ['-N1-4', '-L', 'word'],
	);
	for my $why (sort keys %not) {
		my $r = $c->sbatch(['--malleable', @{ $not{$why} }], script => 'true');
		ok(!$r->{id}, "refused: $why");
		like($r->{text}, qr/--malleable: .*\Q$why\E/, '  by name');
	}
	$c->cmd('scontrol', 'update', 'PartitionName=batch', 'ExclusiveUser=YES');
	my $r = $c->sbatch(['-N1-4', '--malleable'], script => 'true');
	like($r->{text}, qr/--malleable: a job is not resized that has a partition with ExclusiveUser=YES/, 'refused by name: a partition whose nodes are a user\'s');
	$c->cmd('scontrol', 'update', 'PartitionName=batch', 'ExclusiveUser=NO');
	$r = $c->cmd('srun', '-N1-4', '--malleable', 'true');
	like($r->{err}, qr/--malleable: .*use sbatch or salloc/, 'srun is told why not');
	$r = $c->cmd('salloc', '-N1-4', '--malleable', '-Q', 'srun', '-N1', 'true');
	is($r->{rc}, 0, 'salloc takes it, and srun in its job') or diag($r->{err});
	my $id = $c->plain(['-N1-4', '--malleable=grace:5', '--value=3', '-t5', '-o', "$c->{dir}/steps"], script => <<'END', as => 0);
srun -N1 -n1 echo a step
sbatch -N1 -t1 -Q -o/dev/null --wrap=true && echo a job
salloc -N1 -t1 -Q sh -c 'echo $(env | grep -c OPTION_spank_pact) options'
sbatch -N1 -t1 --malleable --wrap=true 2>&1 | grep -o 'a range of nodes is wanted'
END
	ok($c->wait_for('its end', sub { $c->state($id) !~ /^(PENDING|RUNNING|COMPLETING)$/ }), 'sbatch takes both');
	is(Cluster::slurp("$c->{dir}/steps"), "a step\na job\n0 options\na range of nodes is wanted\n",
		'  and so does srun in its job; what is submitted there is malleable only if it says so');
	$c->settle;
};

subtest 'a job starts on as many nodes as there are for it' => sub {
	my $one = malleable('2-6');
	$c->has_width('six of eight', $one, 6);
	my $plain = $c->plain(['-N1-2', '-t5'], script => 'sleep 1000');
	$c->has_width('a range without it has what is left', $plain, 2);
	$c->cmd('scancel', $plain);
	my $wide = $c->plain(['-N8', '-t5'], script => 'sleep 1000');
	$c->seen;
	$plain = $c->plain(['-N1-2', '-t5'], script => 'sleep 1000');
	$c->has_width('and its least while a job waits for more', $plain, 1);
	$c->seen;
	is($c->width($plain), 1, '  which it keeps');
	is($c->state($wide), 'PENDING', '  as the other one waits still');
	$c->clear;
};

subtest 'running jobs grow and shrink' => sub {
	my $one = malleable('2-8');
	$c->has_width('all eight', $one, 8);
	my $two = malleable('2-8');
	ok($c->wait_for('the wish', sub { ($c->field($one, 'AdminComment') // '') =~ /pactwish1\(serial=\d+,width=4,by=[1-9]\d*,leave=n/ }),
		'another one comes: it is asked for half of them, with notice') or diag($c->field($one, 'AdminComment'));
	my $comment = $c->field($one, 'AdminComment');
	my ($serial) = $comment =~ /serial=(\d+)/;
	ok(changes($one, "Comment=pactwish1(serial=$serial,refused)"), 'not now');
	is($c->field($one, 'Comment') // '', '', '  is an answer, and no comment');
	like($c->pact('stats'), qr/^resizes: .* answered "not now" 1$/m, '  which pact stats counts');
	$c->has_width('they are taken when that is over', $one, 4);
	$c->has_width('and the other has them', $two, 4);
	my $rigid = $c->plain(['-N4', '-t5'], script => 'sleep 1000');
	$c->reaches('nodes on loan are called in for a job that waits', $rigid, 'RUNNING');
	is($c->width($one), 2, '  one has its own');
	is($c->width($two), 2, '  and so has the other');
	$c->cmd('scancel', $rigid);
	$c->has_width('which are given back', $one, 4);
	$c->has_width('  to both', $two, 4);
	ok(changes($two, 'NumNodes=3'), 'a user');
	$c->has_width('  gives one back', $two, 3);
	resized('pact history has each change, and what it cost: given', $one, qr/^\S+ +grown +$one +\S+ +2->\d +scheduler +- +- +\d+\.\d ms$/m);
	resized('  called in', $one, qr/^\S+ +taken +$one +\S+ +8->[4-7] +scheduler +job $two +4 s +\d+ s +it said not now$/m);
	resized('  for another job', $one, qr/^\S+ +taken +$one +\S+ +4->[23] +scheduler +job $rigid +4 s +\d+ s$/m);
	resized('  by a user', $two, qr/^\S+ +given_back +$two +\S+ +4->3 +job +- /m);
	$c->clear;
};

# While the notice runs, an admin forbids it.
subtest 'nodes that cannot be taken' => sub {
	my ($conf, $pact) = map { Cluster::slurp("$c->{dir}/$_") } 'conf', 'pact';
	$c->reconfigure($pact =~ s/^ResizeGrace=.*/ResizeGrace=12/mr);
	my $one = malleable('2-8');
	$c->has_width('all eight', $one, 8);
	my $two = malleable('2-8');
	ok($c->wait_field($one, 'AdminComment', qr/,width=4,by=[1-9]/), 'it is asked for half of them');
	my $mark = $c->log_mark;
	sleep 1.1; # what Slurm has looked up of SchedulerParameters holds for all of the second in which it read slurm.conf
	my $forbids = $c->file('forbids', $conf =~ s/^(SchedulerParameters=.*)/$1,disable_job_shrink/mr);
	is($c->emulate('reconfigure', '--conf', $forbids)->{rc}, 0, '  Slurm is to take none any more');
	ok($c->log_has(qr/JobId=$one: its notice is over, but it keeps its nodes: SchedulerParameters has disable_job_shrink/, $mark),
		'when the notice is over the log says that it keeps them, and why');
	ok($c->wait_field($one, 'AdminComment', qr/,width=8,by=0\b/), '  and it is asked no more');
	resized('  which pact history has', $one, qr/^\S+ +refused +$one /m);
	$c->seen for 1 .. 3;
	is(() = $c->log_text($mark) =~ /its notice is over/g, 1, '  once');
	cmp_ok(() = $c->pact('history', '--resizes', '--job', $one) =~ / refused /g, '<=', 2, '  nor asked, and refused, in each pass');
	is($c->state($two), 'PENDING', '  the other one waits');
	is($c->emulate('reconfigure', map { ("--$_->[0]", $c->file(@$_[1, 2])) } ['conf', 'conf', $conf], ['pact-conf', 'pact', $pact])->{rc}, 0,
		'Slurm may again');
	$c->has_width('and half are taken', $one, 4);
	$c->has_width('  for the other', $two, 4);
	$c->clear;
};

subtest 'nodes that become free one by one' => sub {
	my ($first, $other) = map { $c->plain([$_, '-t60']) } qw(-N3 -N5);
	$c->wait_state($_, 'RUNNING') for $first, $other;
	my ($wide, $narrow) = map { $c->plain([$_, '-t60']) } qw(-N3 -N2);
	$c->seen;
	my ($node) = $c->hosts($first);
	open(my $g, '>', "$gate.$node") or die "$gate: $!";
	close($g);
	$c->cmd('scancel', $first);
	ok($c->wait_for('two nodes are clean', sub { 2 == (() = $c->out('sinfo', '-h', '-N', '-o', '%n %T') =~ /idle$/mg) }),
		'two of three are free');
	$c->seen for 1 .. 3;
	is($c->state($narrow), 'PENDING', 'a narrow job does not overtake the one that waits for all');
	unlink "$gate.$node";
	$c->reaches('which starts when the last is clean', $wide, 'RUNNING');
	is($c->state($narrow), 'PENDING', 'before the narrow one');
	$c->clear;
};

$c->refused('uniform promises nothing', ['-N1', '-t1', '--deadline=now+60minutes'], qr/Strategy=uniform makes no promises/);

# kill -9 of what is saved, and another one with this SchedulerType and these lines of pact.conf, if any.
sub restart {
	my ($sched, $more) = @_;
	$c->saved_state;
	$c->emulate('kill-controller');
	my ($conf, $pact) = map { Cluster::slurp("$c->{dir}/c/etc/$_") } 'slurm.conf', 'pact.conf';
	$c->file('c/etc/slurm.conf', $conf =~ s/^SchedulerType=.*/SchedulerType=$sched/mr) if $sched;
	$c->file('c/etc/pact.conf', $pact =~ s/^(Guard|ResizeGrace)=.*\n//gmr . $more) if $more;
	is($c->emulate('start-controller')->{rc}, 0, 'slurmctld is killed and started');
	$c->remember_controller;
}

# No record says whose processes may be there still. A reconfiguration has each slurmd register, by which Slurm takes such a node for
# clean, and so has a start of slurmctld: with the first job's that is seen.
subtest 'nodes that were given back are not clean yet' => sub {
	my $one = malleable('2-8');
	$c->has_width('all eight', $one, 8);
	for my $n (1 .. 8) {
		open(my $g, '>', "$gate.n$n") or die "$gate: $!";
		close($g);
	}
	my @narrow = map { $c->plain(['-N1', '-t5'], script => 'sleep 1000') } 1 .. 6; # a single node that looks idle would start one
	$c->has_width('all are taken but its least', $one, 2);
	my $stays = sub {
		$c->wait_for('their slurmds', sub { $c->out('sinfo', '-h', '-o', '%T') !~ /unknown/ });
		$c->seen for 1 .. 2;
		my $shown;
		ok($c->wait_for('six', sub { 6 == (() = ($shown = $c->out('sinfo', '-h', '-N', '-o', '%n %T')) =~ /completing\*?$/mg) }, 20),
			"$_[0]: their epilogs run") or diag($shown);
		is(join(' ', map { $c->state($_) } @narrow), join(' ', ('PENDING') x 6), '  and no other job has one of them');
		is($c->width($one), 2, '  nor has the first one');
	};
	is($c->emulate('reconfigure')->{rc}, 0, 'slurmctld is reconfigured');
	$stays->('after that');
	my ($down) = $c->out('sinfo', '-h', '-N', '-o', '%N %T') =~ /^(\S+) completing/m;
	is($c->cmd('scontrol', 'update', "NodeName=$down", 'State=DOWN', 'Reason=test')->{rc}, 0, 'one of them goes down');
	$c->seen for 1 .. 2;
	$c->cmd('scontrol', 'update', "NodeName=$down", 'State=RESUME'); # if it has not answered, by which it comes back, too
	ok($c->wait_for('it', sub { $c->out('sinfo', '-h', '-n', $down, '-o', '%T') !~ /down/ }), '  and comes back');
	$stays->('after that');
	my $mark = $c->log_mark;
	restart();
	ok($c->log_has(qr/JobId=$one: before slurmctld was started it had left n/, $mark), '  the log says that they may not be clean');
	$stays->('after that');
	cmp_ok(() = $c->log_text($mark) =~ /JobId=$one: it has \d+ nodes, and had /g, '<=', 1, '  it is not resized in each pass meanwhile') or
		diag(join "\n", grep { /JobId=$one\b/ } split /\n/, $c->log_text($mark));
	unlink map { "$gate.n$_" } 1 .. 8;
	$c->reaches('then others have them', $_, 'RUNNING') for @narrow;
	$c->clear;
	ok(!-e "$c->{dir}/c/state/pact_leaving", 'and nothing is kept of it');
};

# The end of a job is saved up to five seconds later. Slurm takes nodes that clean up after one that runs by its record from it, and
# misses it on none of them.
subtest 'a job whose end was lost' => sub {
	my ($over, $id) = "$dir/over";
	for (1 .. 5) {
		unlink $over;
		for my $n (1 .. 8) {
			open(my $g, '>', "$gate.n$n") or die "$gate: $!";
			close($g);
		}
		$id = $c->plain(['-N2-8', '--malleable', '--no-requeue', '-t30'], script => "until [ -e $over ]; do sleep 0.1; done");
		$c->has_width('all eight', $id, 8);
		$c->saved_state;
		open(my $o, '>', $over) or die "$over: $!";
		close($o);
		$c->wait_for('its end', sub { $c->state($id) eq 'COMPLETING' });
		$c->emulate('kill-controller');
		$c->emulate('start-controller');
		$c->remember_controller;
		last if $c->state($id) eq 'RUNNING';
		unlink map { "$gate.n$_" } 1 .. 8; # it was saved
		$c->clear;
	}
	is($c->state($id), 'RUNNING', 'it runs by its record, after kill -9');
	my $mark = $c->log_mark;
	my $batch = $c->field($id, 'BatchHost');
	unlink "$gate.$_" for grep { $_ ne $batch } map { "n$_" } 1 .. 8;
	ok($c->wait_for('nodes', sub { $c->width($id) < 8 }), 'nodes that are clean are taken from it');
	unlink "$gate.$batch";
	ok($c->wait_for('its end', sub { $c->state($id) !~ /RUNNING|COMPLETING/ }), 'with its batch host it ends') or diag($c->state($id));
	ok($c->log_has(qr/JobId=$id: it was over before slurmctld was started/, $mark), '  the log says why');
	$c->reaches('all nodes are free', $c->plain(['-N8', '-t5'], script => 'sleep 1000'), 'RUNNING');
	$c->clear;
};

# Of eight nodes the first job needs five for its deadline; with the three that the other one needs for its own it loses more
# than that one is worth, with one less.
for my $strategy (qw(profit lazy)) {
	$c->reconfigure(Cluster::slurp("$c->{dir}/c/etc/pact.conf") =~ s/^(Strategy|MinArtificialDeadline)=.*\n//gmr .
		"Strategy=$strategy\nMinArtificialDeadline=140\n");
	my $valued = $c->accepted("$strategy: what is worth something is promised", ['-N2-8', '--malleable', '--value=10', '-t60',
			'--deadline=now+26minutes'], script => 'sleep 1000');
	$c->has_width('  and has all nodes', $valued->{id}, 8);
	cmp_ok($c->field($valued->{id}, 'EndTime'), '<', $c->now + 26 * 60, '  until its deadline at the latest, not as long as its limit');
	my $own = qr/^it can use 2 to 8 nodes: 5 are its own, 3 are on loan$/m;
	ok($c->wait_for('the plan', sub { $c->pact('explain', $valued->{id}) =~ $own }), '  of which it needs five') or diag($c->pact('explain', $valued->{id}));
	restart();
	ok($c->wait_for('the plan', sub { $c->pact('explain', $valued->{id}) =~ $own }), '  as the next slurmctld knows') or diag($c->pact('explain', $valued->{id}));
	my $r = $c->refused('  what is worth less than that one loses is not', ['-N1-8', '--malleable', '--value=3', '-t20',
			'--deadline=now+9minutes'],
		qr/worth less than what the jobs lose that would make room/);
	ok($r->{offer}, '  and gets an offer') or diag($r->{text});
	my $later = $c->accepted('  which holds', ['-N1-8', '--malleable', '--value=3', '-t20', "--deadline=$r->{offer}"], script => 'sleep 1000');
	my $undated = $c->plain(['-N2', '-t5'], script => 'sleep 1000');
	$c->seen for 1 .. 2;
	is($c->state($undated), 'PENDING', '  what has no deadline is worth nothing, and waits');
	$c->cmd('scancel', map { $_->{id} } $valued, $later);
	$c->reaches('  until nothing else wants the nodes', $undated, 'RUNNING');
	$c->clear;
	# On six nodes this one would end when half of its time is over, from where on its end is worth less.
	$valued = $c->accepted('  one that can use all nodes is promised', ['-N2-8', '--malleable', '--value=10', '-t60', '--deadline=now+39minutes'],
		script => 'sleep 1000');
	$c->has_width('  and has them', $valued->{id}, 8);
	$undated = $c->plain(['-N2', '-t1'], script => 'sleep 1000');
	$c->seen for 1 .. 2;
	is($c->state($undated), 'PENDING', '  what has no deadline waits');
	$c->reaches('  until its artificial deadline calls', $undated, 'RUNNING');
	cmp_ok($c->field($undated, 'StartTime') + 60 - $c->field($undated, 'SubmitTime'), '<=', 140, '  by which it can end');
	is($c->state($valued->{id}), 'RUNNING', '  beside the other one, whose loan was called in');
	is($c->promise($valued->{id}), 'promised', '  and whose promise stands');
	$c->clear;
}

# LoanTime counts from when a node could be used; a short one, as the jobs here are short.
subtest 'loans under sched/qops' => sub {
	restart('sched/qops', "Guard=62\nResizeGrace=15\nLoans=uniform\nLoanTime=5\nResizeInterval=0\n");
	# It begins before the job's limit is over: by then what is lent is called in. Six nodes are two of these at least.
	is($c->cmd('scontrol', 'create', 'reservation', 'ReservationName=later', 'StartTime=now+15minutes', 'Duration=10', 'Nodes=n[3-6]', 'Users=root')->{rc},
		0, 'nodes are reserved for later');
	my $one = malleable('2-6');
	$c->has_width('idle nodes are lent', $one, 6);
	is($c->cmd('scontrol', 'delete', 'ReservationName=later')->{rc}, 0, '  which are free again');
	my $rigid = $c->accepted('a deadline that needs them is promised', ['-N6', '-t1', '--deadline=now+10minutes'], runs => 1);
	my $wish = qr/pactwish1\(serial=\d+,width=2,by=([1-9]\d*),leave=n/;
	ok($c->wait_field($one, 'AdminComment', $wish), 'the loan is called in, with notice');
	my ($by) = $c->field($one, 'AdminComment') =~ $wish;
	ok($c->update($one, 'AdminComment=ticket'), '  AdminComment is rewritten');
	like($c->field($one, 'AdminComment'), qr/^ticket pactwish1.*by=$by,/, '  and has the wish still');
	ok($c->wait_for('the plan', sub { $c->pact('plan') =~ /^$one .* 2\+4 .*\(n\S+ to be given back by /m }), 'pact plan has both');
	$c->pact('plan', '--svg', "$dir/plan.svg");
	like(Cluster::slurp("$dir/plan.svg") // '', qr/<title>job $one [^<]*: 2 to 6 nodes, /, '  also as a picture');
	like($c->pact('explain', $one), qr/^it can use 2 to 6 nodes: 2 are its own, 4 are on loan\nasked to give back n/m, 'pact explain, too');
	like($c->pact('stats'), qr/^resizes: grown \d+.*, called in 1 \(4 nodes\)/m, 'pact stats counts them');
	like($c->pact('stats', '--prometheus'), qr/^pact_resizes_total\{what="called_in"\} 1\n.*^pact_resize_seconds_count [1-9]/ms, '  for Prometheus, too');
	like($c->pact('ask', '-N2-4', '-t1', '--deadline=now+30minutes', '--malleable'),
		qr/^could be promised: .* on 2 nodes\nearliest completion: .* on [2-4] of its nodes$/m, 'pact ask knows the option, and how many are its own');
	restart();
	like($c->field($one, 'AdminComment'), qr/by=$by,/, '  which survives that');
	$c->has_width('  and what is not given back is taken', $one, 2);
	cmp_ok($c->now, '>=', $by, '  when the notice is over');
	resized('  as pact history knows without what it was asked for before', $one, qr/^\S+ +taken +$one +\S+ +6->[2-5] +scheduler +- +- +\d+\.\d ms$/m);
	$c->promises_kept('the promise is kept');
	$c->has_width('then it is lent again', $one, 6);
	$c->clear;
};

# How long one that waits is to run, with the guard.
sub planned {
	my $id = shift;
	my @slack = $c->pact('explain', $id) =~ /, slack (\d+):(\d+):(\d+)/ or return -1;
	return $c->field($id, 'Deadline') - ($slack[0] * 3600 + $slack[1] * 60 + $slack[2]) - $c->field($id, 'StartTime');
}

# An hour of one node's work takes four to be done in time, and these a quarter of an hour.
subtest 'a promise is as many own nodes as it takes' => sub {
	my $job = $c->accepted('it is given', ['-N2-8', '--malleable', '-t30', '--deadline=now+18minutes'], script => 'sleep 1000', runs => 1);
	my $id = $job->{id};
	$c->has_width('what it does not take is lent', $id, 8);
	my $own = qr/^it can use 2 to 8 nodes: 4 are its own, 4 are on loan$/m;
	ok($c->wait_for('the plan', sub { $c->pact('explain', $id) =~ $own }), 'pact explain has both');
	my ($from, $to) = map { $c->field($id, $_) } qw(StartTime EndTime);
	cmp_ok($to - $from, '<=', 900, 'Slurm ends it with what the plan has');
	cmp_ok($to - $from, '>', 890, '  and not before');
	restart();
	ok($c->wait_for('the plan', sub { $c->pact('explain', $id) =~ $own }), 'that is so for the next slurmctld');
	is($c->field($id, 'EndTime'), $to, '  and so is its end');
	$c->refused('what needs these nodes is refused', ['-N5', '-t1', '--deadline=now+5minutes'], qr/no room for/);
	# It could have two nodes now, or four when one is called in, or eight after a quarter of an hour.
	my $r = $c->refused('a refusal offers the best width', ['-N2-8', '--malleable', '-t30', '--deadline=now+8minutes'],
		qr/earliest that can be promised: \S+ \(\S+\) on 4 nodes; ask for that/);
	like($c->pact('ask', '-N2-8', '--malleable', '-t30', "--deadline=$r->{offer}"), qr/^could be promised: .* on 4 nodes$/m, '  which holds');
	my $other = $c->accepted('what does not is not', ['-N4', '-t1', '--deadline=now+5minutes'], script => 'sleep 20', runs => 1);
	$c->has_width('  and the loan is called in for it', $id, 4);
	$c->reaches('  which is kept', $other->{id}, 'COMPLETED');
	$c->cmd('scontrol', 'requeue', $id);
	ok($c->wait_for('it waits', sub { $c->state($id) eq 'PENDING' }), 'it is requeued');
	ok($c->wait_for('its own limit', sub { $c->field($id, 'TimeLimit') eq '00:30:00' }), '  and has its own limit again');
	$c->seen;
	is($c->promise($id), 'promised', '  the promise stands');
	is(planned($id), 720 + 62, '  five of its own for all its work');
	ok($c->wait_for('taken', sub { changes($id, 'TimeLimit=25') }),
		'  which its user makes less');
	$c->seen;
	is(planned($id), 750 + 62, '  for which four will do');
};

# Of four nodes that its work takes an operator takes two, which are drained, so that it has no others for them.
subtest 'nodes are taken from a promise' => sub {
	$c->clear;
	my $id = $c->accepted('a promise takes four', ['-N2-8', '--malleable', '-t30', '--deadline=now+18minutes'],
		script => 'sleep 1000', runs => 1)->{id};
	$c->has_width('and the others are lent', $id, 8);
	my ($four, $two) = map { $c->plain(["-N$_", '-t30'], script => 'sleep 1000') } 4, 2;
	$c->reaches('these are called in', $four, 'RUNNING');
	is($c->state($two), 'PENDING', 'what waits does not get its own');
	my @own = $c->hosts($id);
	my $taken = "$own[2],$own[3]";
	is($c->cmd('scontrol', 'update', "NodeName=$taken", 'State=drain', 'Reason=test')->{rc}, 0, 'an operator drains two of these');
	ok($c->update($id, "NodeList=$own[0],$own[1]"), '  and takes them from it');
	my $few = qr/: 2 are its own, 0 are on loan, 2 of its own are lost\nwith the nodes that it has its work is done at /;
	ok($c->wait_for('that', sub { $c->promise($id) eq 'broken' }), 'the promise is broken, by AdminComment');
	like($c->log_text(0), qr/JobId=$id: the promised completion by \S+ can no longer be kept/, '  by the log');
	ok($c->wait_for('that', sub { $c->pact('explain', $id) =~ $few }), '  and by pact explain') or diag($c->pact('explain', $id));
	restart();
	ok($c->wait_for('that', sub { $c->pact('explain', $id) =~ $few }), 'so it is for the next slurmctld') or diag($c->pact('explain', $id));
	is($c->promise($id), 'broken', '  the promise, too');
	$c->cmd('scancel', $four, $two);
	ok($c->wait_for('that', sub { $c->promise($id) eq 'promised' }), 'as soon as it has others for them it is not any more');
	$c->cmd('scontrol', 'update', "NodeName=$taken", 'State=resume');
	$c->clear;
};

subtest 'what slurm.conf lacks for it' => sub {
	my $file = $c->out('sh', '-c', 'echo $SLURM_CONF');
	my $text = Cluster::slurp($file) =~ s/,permit_job_expansion//r;
	open(my $conf, '>', $file) or die "$file: $!";
	print $conf $text;
	close($conf);
	my $mark = $c->log_mark;
	restart();
	ok($c->log_has(qr/no running job can grow without SchedulerParameters=permit_job_expansion/, $mark), 'the log says it at the start');
};

$c->clear;
$c->healthy;
$c->down;
Malleable::replays();
done_testing;
