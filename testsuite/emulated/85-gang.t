#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 85-gang: jobs of a partition with OverSubscribe=FORCE take turns under select/gang. What runs is seen from the states of
# the jobs' processes, not from Slurm's records: no two rows at once, a whole slice in each cycle, also over kill -9 of
# slurmctld; each is warned of its end in its own turn; a job that cleans up for long stops no other one; jobs inside a
# reservation are beside those that take turns; and slurm.conf and pact.conf that do not suit are refused by key.
# Runs first: it takes four minutes.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use File::Temp qw(tempdir);
use Test::More;
use JSON::PP;
use Cluster;
use Turns;

my $slice = 5;
my $conf = "SelectType=select/gang\nSelectTypeParameters=CR_Memory\nSchedulerTimeSlice=$slice\nDefMemPerNode=100\n";
my $forced = "PartitionName=batch Nodes=ALL Default=YES OverSubscribe=FORCE:3\n";

# On two nodes an epilog cleans up until it is let go.
my $dir = tempdir('pact-t-XXXXXX', TMPDIR => 1, CLEANUP => 1);
chmod 0755, $dir;
my ($epilog, $gate) = ("$dir/epilog", "$dir/gate");

sub write_file {
	my ($path, $text, $mode) = @_;
	open(my $f, '>', $path) or die "$path: $!";
	print $f $text;
	close($f);
	chmod $mode, $path;
}

write_file($epilog, "#!/bin/sh\ncase \$SLURMD_NODENAME in n1|n3) while [ -e $gate ]; do sleep 0.2; done ;; esac\n", 0755);
my $c = Cluster->up(nodes => 4, conf => "${conf}Epilog=$epilog\n$forced");

sub turns_are_kept {
	my ($name, $runs, @ids) = @_;
	my @bad;
	for my $i (0 .. $#ids) {
		push @bad, "job $ids[$i] never ran" unless @{ $runs->{ $ids[$i] } // [] };
		for my $k ($i + 1 .. $#ids) {
			my $both = overlap($runs, $ids[$i], $ids[$k]);
			push @bad, sprintf 'jobs %d and %d run at once for %.2f s', $ids[$i], $ids[$k], $both if $both > 1;
		}
	}
	ok(!@bad, "$name: no two rows at once") or diag(join "\n", @bad);
}

# A signal 550 s before the end of a limit of 600 s, and Slurm may be earlier by 30: for that each has to have run for 20 s.
sub warned {
	my ($id) = @_;
	return () = Cluster::slurp("$c->{dir}/warned.$id") =~ /^\d+$/mg;
}
my $trap = "trap 'date +%s >>$c->{dir}/warned.\$SLURM_JOB_ID' USR1; ";

# None has a turn before the others are there: each is due a third from the first one on.
my $mark = $c->log_mark;
my @ids = map { $c->plain(['-N4', '-t10', '-H', '--signal=B:USR1@550'], script => $trap . work($c)) } 1 .. 3;
$c->cmd('scontrol', 'release', join ',', @ids);
ok($c->wait_for('all three to have run', sub { !grep { look($c, $_) eq '-' } @ids }), 'three jobs of the whole machine begin within three slices');
my $runs = watch($c, 3 * 3 * $slice + 2, @ids);
turns_are_kept('three cycles', $runs, @ids);
my @whole = map { my $id = $_; scalar grep { $_->[1] - $_->[0] > $slice - 1.5 } @{ $runs->{$id} } } @ids;
ok(!(grep { $_ < 2 } @whole), 'each runs a whole slice in each whole cycle') or diag("whole slices: @whole");
is(join(' ', map { scalar warned($_) } @ids), '1 1 1', 'each is warned of its end (--signal), in its own turn')
	or diag(map { "$_\n" } $c->log_text($mark) =~ /^.*warn.*$/mg);
is(join(' ', sort { $a <=> $b } $c->log_text($mark) =~ /JobId=(\d+): it is warned of its end by signal 10$/mg), "@ids", '  before Slurm would do it');

# ---- what people see ----

my $pact = "$Cluster::build/contrib/pact/pact";

# An answer as a structure; what pact failed with is told.
sub asked {
	my $r = $c->cmd($pact, '--json', @_);
	diag("pact @_: $r->{rc} $r->{err}") if $r->{rc};
	return $r->{rc} ? {} : decode_json($r->{out});
}

my $short = $c->plain(['-N1', '-t10'], script => 'sleep 1');
is($c->state($short), 'PENDING', 'a fourth job of a node has to wait for a row');
ok($c->wait_for('it in the plan', sub { grep { $_->{job} == $short && $_->{start} } @{ asked('plan')->{jobs} } }), 'it is planned');
my ($m) = @{ asked('matrix')->{matrices} };
is("@{ $m->{partitions} } $m->{scheduler} @$m{qw(nodes rows used placed aside waiting)}", 'batch mbgs 4 3 3 3 0 1', 'pact matrix');
my @turns = map { $_->{turns} } sort { $a->{job} <=> $b->{job} } @{ $m->{jobs} };
is(join(' ', map { "@{ $_->{rows} }" } @turns), '0 1 2', 'each has a row');
is_deeply([grep { !$_->{stopped} } @turns], [grep { "@{ $_->{rows} }" eq $m->{row} } @turns], 'that of the row whose turn it is runs');
ok(!(grep { $_->{due} != 333333 || $_->{got} < 200000 || $_->{got} > 480000 } @turns), 'each was due a third of the time and got that, but for parts of a cycle')
	or diag(join ' ', map { "$_->{got}/$_->{due}" } @turns);
my $text = $c->out($pact, 'matrix', '-p', 'batch');
like($text, qr/^nodes +n\[1-4\]\n(?:[> ] row \d: 4 +\d+\n){3}/m, 'as text') or diag($text);
is(() = $text =~ /^\d+ .* stopped since \S+, runs next at \S+$/mg, 2, 'two are stopped') or diag($text);
is($c->cmd($pact, 'matrix', '--svg', "$c->{dir}/matrix.svg")->{rc}, 0, 'as a picture');
like(Cluster::slurp("$c->{dir}/matrix.svg"), qr{<title>job $ids[0]: 4 nodes, home row 0</title>}, 'with its jobs');
like(Cluster::slurp("$c->{dir}/matrix.svg"), qr{>GOT</text>\n<text class="n"[^>]*>[\d.]+ %</text>\n}, 'and the shares they got');
is($c->cmd($pact, 'matrix', '-p', 'other')->{rc}, 5, 'of another partition: 5');
like($c->out($pact, 'explain', $short), qr/^in none of 3 rows: no row has its nodes free$/m, 'why one has no row');
my ($planned) = map { $_->{start} } grep { $_->{job} == $short } @{ asked('plan')->{jobs} };
is($c->out('squeue', '-h', '--start', '-j', $short, '-o', '%S') =~ s/\s//gr, $planned, 'squeue --start has its planned start');
# Slurm itself finds room as soon as one of three has run for its limit, and adds what waits.
my $asked = $c->cmd('sbatch', '--test-only', '-N1', '-t10', '--wrap', 'true')->{err};
my ($says) = $asked =~ /to start at (\d+) /;
cmp_ok(abs(($says // 0) - $planned), '<', 60, 'sbatch --test-only has the start that the plan has') or diag("planned $planned: $asked");
like($c->out($pact, 'explain', $ids[0]), qr/^job $ids[0] began at .*: (?:runs|stopped since \S+, runs next at \S+)\nat home in row 0, in 1 of 3 rows: 33\.3 % of the time; since \S+ it was due 33\.3 % and got/,
	'why one runs, or does not');
my $stats = asked('stats');
my $slices = $stats->{slices};
cmp_ok($slices->{switches}, '>=', 8, 'pact stats: rows were switched');
is($stats->{times}{switch}{count}, $slices->{switches}, 'each took a time');
cmp_ok($slices->{suspended} - $slices->{resumed}, '==', 2, 'two were stopped, and not resumed') or diag(encode_json($slices));
is($slices->{repeated}, 0, 'nothing was said again');
like($c->out($pact, 'stats', '--prometheus'), qr/^pact_switches_total \d+$/m, 'for Prometheus');

# ---- what people do ----

$c->cmd('scancel', $ids[2]);
$c->reaches('one is cancelled, and it has its turn', $short, 'COMPLETED', 60);

is($c->cmd('scontrol', 'suspend', $ids[1])->{rc}, 0, 'scontrol suspend');
ok($c->wait_for('a stopped process', sub { look($c, $ids[1]) eq 'T' }), 'it is stopped');
$runs = watch($c, 2 * $slice + 2, @ids[0, 1]);
is(scalar @{ $runs->{ $ids[1] } // [] }, 0, 'and has no turns any more');
is($c->cmd('scontrol', 'resume', $ids[1])->{rc}, 0, 'scontrol resume');
$runs = watch($c, 4 * $slice, @ids[0, 1]);
ok(@{ $runs->{ $ids[1] } // [] }, 'it has turns again');

# ---- a controller that dies in a switch ----

is($c->emulate('kill-controller')->{rc}, 0, 'kill -9 of slurmctld');
is($c->emulate('start-controller')->{rc}, 0, 'it comes up');
$c->remember_controller;
watch($c, 2 * $slice, @ids[0, 1]);
$runs = watch($c, 4 * $slice, @ids[0, 1]);
turns_are_kept('after a cycle', $runs, @ids[0, 1]);
cmp_ok(asked('stats')->{slices}{repeated}, '>=', 2, 'the nodes of each were told again whose turn it is');
is(join(' ', sort map { $c->state($_) } @ids[0, 1]), 'RUNNING SUSPENDED', 'both have gone on');
is(join(' ', map { scalar warned($_) } @ids[0, 1]), '1 1', 'neither was warned once more');

# One alone is not switched.
$c->cmd('scancel', $ids[1]);
ok($c->wait_for('its end', sub { look($c, $ids[1]) eq '-' }), 'one is left');
ok($c->wait_for('its turn', sub { look($c, $ids[0]) eq 'R' }), 'it runs');
$runs = watch($c, 2 * $slice, $ids[0]);
is(scalar @{ $runs->{ $ids[0] } }, 1, 'and is never switched');

# A slurmd that was away may have missed what Slurm tells once.
my $told = asked('stats')->{slices}{repeated};
is($c->emulate('kill-node', 2)->{rc}, 0, 'kill -9 of a slurmd');
is($c->emulate('start-node', 2)->{rc}, 0, 'it comes up');
ok($c->wait_for('it is told', sub { asked('stats')->{slices}{repeated} > $told }, 60), 'and is told again what its job is to do');
is(look($c, $ids[0]), 'R', 'which runs');
$c->healthy;

# ---- a job that is over, and cleans up for long ----

# One on a single node, one that is clean on the second of its nodes, and both in the turn of a row beside that of the first job.
is($c->reconfigure("PartitionName=batch Gang=mbgs PromiseAside=yes\n")->{rc}, 0, 'PromiseAside=yes');
(my $until = work($c)) =~ s/while :/while [ ! -e $dir\/over ]/;
my @over = map { $c->plain([@$_, '-t10'], script => $until) } ['-wn[1-2]', '-N2'], ['-wn3', '-N1'];
ok($c->wait_for('both to run', sub { !grep { look($c, $_) ne 'R' } @over }, 40), 'two jobs in the other row');
write_file($gate, '', 0644);
write_file("$dir/over", '', 0644);
ok($c->wait_for('both to clean up', sub { (() = $c->out('squeue', '-h', '-t', 'CG', '-o', '%A %D') =~ /^\d+ 1$/mg) == 2 }), 'both are over, and clean up on a node each');
ok($c->wait_for('its turn', sub { look($c, $ids[0]) eq 'R' }), 'a wide job of the other row goes on there');
$runs = watch($c, $slice + 2, $ids[0]);
is(scalar @{ $runs->{ $ids[0] } // [] }, 1, 'and is stopped for them no more');
is($c->field($ids[0], 'Reason'), 'None', 'nor set aside for a promised job, as there is none');
my $unclean = $c->plain(['-wn3', '-N1', '-t10'], script => work($c));
my $clean = $c->plain(['-N1', '-t10'], script => work($c));
ok($c->wait_for('its process', sub { look($c, $clean) ne '-' }), 'a new one gets a clean node');
is($c->state($unclean), 'PENDING', 'one that wants an unclean one waits');
unlink $gate;
ok($c->wait_for('its process', sub { look($c, $unclean) ne '-' }), 'and begins there when that is clean');
# 22.05 counts suspended jobs once more then: a job inside the reservation below would take their nodes for taken.
ok($c->wait_for('its stop', sub { look($c, $ids[0]) eq 'T' }), 'the wide one is stopped');
is($c->reconfigure("PartitionName=batch Gang=mbgs PromiseAside=yes\n")->{rc}, 0, '  and slurmctld is reconfigured');
$c->cmd('scancel', @ids, $clean, $unclean);
ok($c->wait_for('idle nodes', sub { $c->out('squeue', '-h', '-o', '%A') !~ /\d/ }, 40), 'all are over');

# ---- inside a reservation ----

is($c->cmd('scontrol', 'create', 'reservation', 'ReservationName=inside', 'StartTime=now', 'Duration=60', 'Nodes=n[1-2]',
		'Users=' . getpwuid($>))->{rc}, 0, 'a reservation of two nodes');
my @inside = map { $c->plain(['-N2', '-t10', '--reservation=inside'], script => work($c)) } 1, 2;
ok($c->wait_for('a process', sub { look($c, $inside[0]) eq 'R' }), 'of two jobs inside it one begins');
my @beside = map { $c->plain(['-N2', '-t10'], script => work($c)) } 1, 2;
ok($c->wait_for('processes', sub { !grep { look($c, $_) eq '-' } @beside }), 'on the other nodes jobs begin and take turns');
$runs = watch($c, $slice + 2, $inside[0]);
is(scalar @{ $runs->{ $inside[0] } // [] }, 1, 'the one inside is not stopped');
is($c->state($inside[1]), 'PENDING', 'the other one waits for its nodes');
$c->cmd('scancel', $inside[0]);
ok($c->wait_for('its process', sub { look($c, $inside[1]) eq 'R' }), 'and has them when that has ended');
$c->cmd('scancel', $inside[1], @beside);
is($c->cmd('scontrol', 'delete', 'ReservationName=inside')->{rc}, 0, 'the reservation is deleted');

# ---- programs that catch SIGTSTP ----

is($c->reconfigure("SwitchGap=3000\n")->{rc}, 0, 'SwitchGap=3000');
@ids = map { $c->plain(['-N4', '-t10'], script => 'trap : TSTP; ' . work($c)) } 1 .. 2;
ok($c->wait_for('both to have run', sub { !grep { look($c, $_) eq '-' } @ids }), 'two jobs that catch SIGTSTP');
$runs = watch($c, 4 * $slice, @ids);
my $both = overlap($runs, @ids);
ok($both < 0.5, 'do not run on into the turn of the other') or diag("both run for $both s");
ok(@{ $runs->{$_} // [] }, '  and has turns') for @ids;

# ---- whoever asks ----

# Without these words Slurm's own scheduler starts jobs, too, and a submission that can begin does at once.
unless ($c->respawns) {
	$c->reconfigure("\n"); # an srun whose job is stopped when it wants its step asks again after SlurmctldTimeout
	my $file = $c->out('sh', '-c', 'echo $SLURM_CONF');
	my $text = Cluster::slurp($file) =~ s/^SchedulerParameters=.*$/SchedulerParameters=sched_interval=1/mr;
	open(my $f, '>', $file) or die "$file: $!";
	print $f $text;
	close($f);
	is($c->cmd('scontrol', 'reconfigure')->{rc}, 0, 'Slurm schedules, too');
	my $mark = $c->log_mark;
	$c->cmd('scancel', shift @ids); # there are three rows
	my $batch = $c->plain(['-N4', '-t10'], script => work($c));
	my $srun = $c->spawn('srun', '-N4', '-t10', 'sleep', 1);
	my @lines;
	ok($c->wait_for('both to be given nodes', sub {
		@lines = $c->log_text($mark) =~ /^.*(?:Allocate JobId=|_slurm_rpc_allocate_resources.* NodeList=n).*$/mg;
		return @lines == 2;
	}), 'both are given nodes');
	$c->reaches('it has its turn', $batch, 'RUNNING', 60);
	$c->cmd('scancel', $batch, @ids);
	is($c->finish($srun, 300)->{rc}, 0, 'and so has an srun');
	@ids = ();
	ok(!(grep { !/sched\/qops: Allocate/ } @lines), 'by nothing but the plan') or diag(join "\n", @lines);
} else {
	my $mark = $c->log_mark;
	is($c->finish($c->spawn('srun', '-N4', '-t10', 'sleep', 1), 300)->{rc}, 0, 'an srun has its turn');
	ok($c->log_has(qr/sched\/qops: Allocate JobId/, $mark), '  which the plan gave it');
}
$c->cmd('scancel', @ids) if @ids;
$c->down;

# ---- what does not suit ----

sub refused_start {
	my ($name, $why, %o) = @_;
	ok(!Cluster->up(nodes => 1, may_fail => 1, %o), "slurmctld does not start: $name");
	like($Cluster::why, $why, '  and the log names the key');
}

refused_start('Gang=mbgs under select/linear', qr/PartitionName=batch Gang=mbgs: slurm.conf has to have SelectType=select\/gang/,
	pact => "PartitionName=batch Gang=mbgs\n", conf => "SelectType=select/linear\n$forced");
refused_start("Slurm's own gang scheduler", qr/PreemptMode= without GANG/, submit => 'none',
	conf => $conf . $forced . "PreemptMode=GANG,SUSPEND\nPreemptType=preempt/partition_prio\n");
refused_start('the same, with promises', qr/PreemptMode=GANG time-slices promised jobs; remove GANG/,
	conf => $conf . $forced . "PreemptMode=GANG,SUSPEND\nPreemptType=preempt/partition_prio\n");

# Before any partition is looked at.
refused_start("sched/$_, whatever pact.conf says", qr{select/gang: slurm\.conf: SchedulerType=sched/$_: sched/qops is wanted with it},
	sched => $_, conf => $conf . $forced) for qw(dynp malleable);
refused_start("Slurm's own scheduler", qr{select/gang: slurm\.conf: SchedulerType=sched/backfill: sched/qops is wanted with it},
	submit => 'none', conf => "SchedulerType=sched/backfill\n$conf$forced");
refused_start('Gang=gs under sched/dynp and select/linear', qr{PartitionName=batch Gang=gs: slurm\.conf has to have SchedulerType=sched/qops},
	sched => 'dynp', pact => "PartitionName=batch Gang=gs\n", conf => "SelectType=select/linear\n$forced");

my $uncounted = "SelectType=select/gang\nSchedulerTimeSlice=$slice\n$forced";
refused_start('memory that is not counted', qr/PartitionName=batch Gang=mbgs: slurm\.conf has to have SelectTypeParameters=CR_Memory, .*GangMemory=unchecked/,
	conf => $uncounted);
# What is looked at after memory.
refused_start('GangMemory=unchecked, and a gap as long as a slice', qr/SwitchGap=5000: it has to leave a second of slurm\.conf's SchedulerTimeSlice/,
	pact => "GangMemory=unchecked\nSwitchGap=5000\n", conf => $uncounted);
unlike($Cluster::why, qr/CR_Memory/, '  and nothing is said of memory');

refused_start("Gang= in a partition with OverSubscribe=$_", qr/PartitionName=batch Gang=bgs: slurm\.conf has to have OverSubscribe=FORCE:N, N jobs/,
	pact => "PartitionName=batch Gang=bgs\n", conf => "${conf}PartitionName=batch Nodes=ALL Default=YES OverSubscribe=$_\n") for qw(NO YES:3 FORCE:1);
refused_start('more rows than there can be', qr/PartitionName=batch Gang=mbgs: slurm\.conf has to have OverSubscribe=FORCE:N with an N of 64 at most/,
	conf => $conf . $forced =~ s/FORCE:3/FORCE:65/r);
refused_start("Gang= beside $_", qr/PartitionName=batch Gang=mbgs $_: its nodes can be of one only/,
	pact => "PartitionName=batch Gang=mbgs $_\n", conf => $conf . $forced) for qw(Admission=libra Admission=librarisk Admission=demand Admission=edf Scheduler=easy);
done_testing;
