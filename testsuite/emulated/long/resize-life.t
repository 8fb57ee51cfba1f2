#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# resize-life: what a cluster whose jobs are resized comes through. Malleable jobs, of which some say "not now", among rigid ones
# with deadlines, which come and go and so have them resized; slurmctld is killed again and again. By name only (make
# check-resize-life): with all rounds it takes forty minutes on two cores that others use, too.
#
# A node that Slurm drains as "Kill task failed" is resumed, and told at the end: slurmstepd waits for a thread of its own that missed its
# end, and nothing of the step is left (doc/slurm.md). A node that is lost for any other reason is a failure.
#
# Then: no promise is broken, no process is outside its job's nodes, no helper job is left, and a job on all nodes starts at once.
#
# PACT_ROUNDS: resizes (1000). PACT_KILL: a kill -9 each so many (50). PACT_LIFE_NODES (64), PACT_LIFE_JOBS (16): malleable ones.
# PACT_SCHED (malleable) and PACT_CONF (Strategy=profit): which scheduler lends, and lines of its pact.conf, \n between them. PACT_SEED.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/..";
use List::Util qw(max min);
use Test::More;
use Time::HiRes qw(sleep time);
use Cluster;
use Malleable;

my $rounds = $ENV{PACT_ROUNDS} // 1000;
my $every = $ENV{PACT_KILL} // 50;
my $nodes = $ENV{PACT_LIFE_NODES} // 64;
my $jobs = $ENV{PACT_LIFE_JOBS} // 16;
my $sched = $ENV{PACT_SCHED} // 'malleable';
my $conf = ($ENV{PACT_CONF} // 'Strategy=profit') =~ s/\\n/\n/gr;
my $seed = $ENV{PACT_SEED} // time % 100000 | 0;
srand $seed;
note("PACT_SEED=$seed");

plan skip_all => 'only root can be another user' if $>;
my $user = (getpwnam 'nobody')[2];
plan skip_all => 'there is no user nobody' unless defined $user;
my $elastic = "$Cluster::build/contrib/elastic/.libs/pact-elastic";
BAIL_OUT('pact-elastic is not built') unless -x $elastic;

my $c = Malleable::up(nodes => $nodes, sched => $sched,
	pact => "Guard=60\nPlanInterval=2\nAdmissionTime=5000\nResizeGrace=6\n$conf\nRecordFiles=100\n$Malleable::recorded");
my $work = "$c->{dir}/work";
mkdir $work and chmod 0777, $work or die;

# Nodes that are lost, with their reasons, but for those that are resumed.
my @hung;
sub lost {
	my @lost;
	for (split /\n/, $c->out('sinfo', '-h', '-N', '-t', 'drain,down,fail', '-o', '%N %E')) {
		my ($node) = /^(\S+) Kill task failed$/;
		if ($node) {
			push @hung, $node;
			$c->cmd('scontrol', 'update', "NodeName=$node", 'State=RESUME');
		} else {
			push @lost, $_;
		}
	}
	return join "\n", @lost;
}

# ---- the jobs ----

my $start = "export LD_LIBRARY_PATH=$Cluster::build/client/.libs PACT_MALLEABLE_CALL=$Cluster::build/client/pact-malleable-call PACT_LIFE=$work\n";

# One that refuses the first time, then at random, and has a process on each node that it has been told of.
my $hook = $c->file('hook', <<'END');
#!/bin/sh
# what srun says of tasks that are taken is of no use
word=$1
shift
if [ "$word" = leave ]; then
	asked="$PACT_LIFE/$SLURM_JOB_ID.asked"
	[ -e "$asked" ] && [ $(($(date +%N | sed 's/^0*//;s/^$/0/') / 1000 % 2)) = 0 ] || { touch "$asked"; exit 75; }
	for node in "$@"; do
		[ ! -e "$PACT_LIFE/$SLURM_JOB_ID.$node" ] || kill "$(cat "$PACT_LIFE/$SLURM_JOB_ID.$node")"
		rm -f "$PACT_LIFE/$SLURM_JOB_ID.$node"
	done
	exit 0
fi
for node in "$@"; do
	pid=$(cat "$PACT_LIFE/$SLURM_JOB_ID.$node" 2>/dev/null) && kill -0 "$pid" 2>/dev/null && continue
	env -u SLURM_JOB_NODELIST -u SLURM_NODELIST -u SLURM_NNODES -u SLURM_JOB_NUM_NODES -u SLURM_NTASKS -u SLURM_NPROCS \
		-u SLURM_TASKS_PER_NODE -u SLURM_JOB_CPUS_PER_NODE \
		srun -Q -w "$node" --overlap -N1 -n1 sleep 100000 </dev/null >/dev/null 2>&1 &
	echo $! >"$PACT_LIFE/$SLURM_JOB_ID.$node"
done
END
chmod 0755, $hook;

# Where a scheduler reckons in profit, those without a deadline are worth nothing.
my @late = $conf =~ /^Strategy=(profit|lazy)/m ? '--deadline=now+12hours' : ();
my $least = max(1, int($nodes / $jobs / 2));
my @malleable = map {
	my $words = $_ % 4 ? '-- sleep 100000' : "--hook $hook";
	$c->plain(["-N$least-" . 4 * $least, '--malleable', '--value=1000', '-t300', @late, '-D', $work, '-o', "$work/$_.out"], as => $user,
		script => "$start exec $elastic --notice 6 $words");
} 1 .. $jobs;
ok($c->wait_for('them to run', sub { !grep { $c->state($_) ne 'RUNNING' } @malleable }), "$jobs malleable jobs run");

# Rigid ones, at most four at a time: the others lend them nodes, or give back what is lent. They run for longer than a
# controller is away: Slurm loses count of others (41-restart).
my ($asked, $last_name, $last_at, @rigid, @early) = (0, '', 0);
my %refused;
sub keep_promising {
	@rigid = grep { ($c->state($_) || 'gone') =~ /PENDING|RUNNING/ } @rigid;
	return if @rigid > 3;
	my $name = "promise-$$-" . ++$asked;
	my $width = 1 + int rand($nodes / 6);
	my $r = $c->sbatch(["-N$width", '-t1', "-J$name", '--value=1000000', '--deadline=now+' . (10 + int rand 20) . 'minutes'],
		runs => 15 + int rand 25);
	if ($r->{id}) {
		push @rigid, $r->{id};
		($last_name, $last_at) = ($name, time);
	} else {
		$refused{ $r->{text} =~ /deadline: (.*)/ ? $1 =~ s/; .*//r =~ s/\d+/N/gr : $r->{text} }++;
	}
}

# ---- what happens to them ----

# In slurmctld's log, as it grows.
my ($resizes, $grown, $read, $rest) = (0, 0, 0, '');
sub count_resizes {
	open(my $f, '<', "$c->{dir}/c/log/controller.log") or return;
	seek $f, $read, 0;
	local $/;
	my $text = <$f> // '';
	$read += length $text;
	$text = $rest . $text;
	$rest = $text =~ s/([^\n]*)\z//r eq $text ? '' : $1;
	my $more = () = $text =~ /it has grown to /g;
	my $less = () = $text =~ /it has shrunk to /g;
	$grown += $more;
	$resizes += $more + $less;
}

# A promise that is not saved yet may be lost with slurmctld, as any job of stock Slurm.
sub is_saved {
	return 1 unless $last_name;
	my $state = Cluster::slurp("$c->{dir}/c/state/job_state");
	return index($state, $last_name) >= 0 || time - $last_at > 20;
}

my ($kills, @away) = (0);
sub kill_controller {
	sleep rand 1;
	my $from = time;
	my $pid = $c->controller_pid;
	kill 'KILL', $pid or diag("slurmctld $pid is not there");
	$c->wait_for('its end', sub { !-d "/proc/$pid" || Cluster::slurp("/proc/$pid/stat") =~ /\) Z/ }, 30);
	my $r = $c->emulate('start-controller');
	diag("start-controller: $r->{err}") if $r->{rc};
	$c->remember_controller;
	push @away, time - $from;
	$kills++;
	return !$r->{rc};
}

# ---- what holds ----

# Processes of malleable jobs that are not on the job's nodes: "JOB on NODE: what".
sub astray {
	my %nodes;
	for (split /\n/, $c->out('squeue', '-h', '-t', 'R', '-o', '%A %N')) {
		my ($id, $list) = /^(\d+) (\S+)/ or next;
		$nodes{$id} = { map { $_ => 1 } split /\n/, $c->out('scontrol', 'show', 'hostnames', $list) };
	}
	my (@astray, %there);
	for my $dir (glob '/proc/[0-9]*') {
		my $env = Cluster::slurp("$dir/environ") // next;
		next unless index($env, "PACT_LIFE=$work\0") >= 0;
		my %e = map { split /=/, $_, 2 } grep { /^SLURM/ } split /\0/, $env;
		my ($id, $node) = @e{qw(SLURM_JOB_ID SLURMD_NODENAME)};
		next unless $id && $node;
		my $what = Cluster::slurp("$dir/cmdline") =~ tr/\0/ /r;
		push @astray, "$id on $node: $what" unless $nodes{$id} && $nodes{$id}{$node};
		$there{$id}{$node} = 1 if $what =~ m{^(\S*/)?sleep };    # srun starts it by its path
	}
	return \@astray, \%there, \%nodes;
}

sub helpers {
	return join ' ', grep { $_ } $c->out('squeue', '-h', '-n', 'pact-resize', '-t', 'PENDING,RUNNING,SUSPENDED', '-o', '%A');
}

my $fine = 1;
my $next = $every;
my $told = time;
my $stuck = time;
my $was = 0;
while ($resizes < $rounds) {
	count_resizes();
	$stuck = time if $resizes != $was;
	$was = $resizes;
	if (time - $stuck > 300) {
		diag("nothing was resized for 300 s");
		last;
	}
	if (time - $told > 60) {
		diag("$resizes resizes, $asked jobs with deadlines, $kills kills");
		$told = time;
	}
	if ($resizes < $next) {
		keep_promising();
		sleep 0.3;
	} elsif (is_saved()) {
		$fine &= kill_controller() || last;
		$next += $every;
		my @gone = grep { ($c->state($_) || 'gone') ne 'RUNNING' } @malleable;
		$fine &= ok(0, "after kill $kills: all malleable jobs run") || diag("@gone") if @gone;
		my $lost = lost();
		$fine &= ok(0, "after kill $kills: all nodes are there") || diag($lost) if $lost;
		last unless $fine;
	}
	sleep 0.1;
}
count_resizes();
cmp_ok($resizes, '>=', $rounds, "$resizes resizes, $grown of these growths, beside $asked jobs with deadlines; "
	. "slurmctld was killed $kills times");
diag("refused: $refused{$_} x $_") for sort keys %refused;
diag(sprintf 'slurmctld was away for %.1f s at most', max(@away)) if @away;
my (%answers, $hooks);
for (1 .. $jobs) {
	my $said = Cluster::slurp("$work/$_.out");
	$hooks++ if !($_ % 4) && $said =~ /^pact-elastic: wish /m;
	$answers{$_}++ for $said =~ /^pact-elastic: wish \d+: (gave back|not now)/mg;
}
diag("of the wishes: " . join ', ', map { "$answers{$_} $_" } sort keys %answers);
SKIP: {
	skip('none of those that refuse was asked', 1) unless $hooks || $rounds >= 500;
	cmp_ok($answers{'not now'} // 0, '>', 0, 'some said: not now');
}
cmp_ok($answers{'gave back'} // 0, '>', 0, 'others gave nodes back');

# ---- at the end ----

$c->excuse(@malleable);    # they are cancelled
cmp_ok(scalar keys %{ $c->{promised} }, '>', 0, 'jobs were promised their deadlines');
$c->promises_kept('no promise is broken', 2400);
unlike($c->log_text(0), qr/the promised completion/, 'nor was any given up');
is(join(' ', grep { ($c->state($_) || 'gone') ne 'RUNNING' } @malleable), '', 'all malleable jobs run');
my ($astray, $there, $has);
ok($c->wait_for('processes', sub { ($astray, $there, $has) = astray(); !@$astray }, 60), 'no process is outside its job\'s nodes')
	or diag(join "\n", @$astray);
my @bare;
ok($c->wait_for('workers', sub {
	($astray, $there, $has) = astray();
	@bare = map { my $id = $_; map { "$id on $_" } grep { !$there->{$id}{$_} } sort keys %{ $has->{$id} } }
		map { $malleable[$_ - 1] } grep { $_ % 4 } 1 .. $jobs;
	return !@bare;
}, 120), 'each has its process on all of its nodes') or diag("none: @bare");
is(helpers(), '', 'no helper is left');
is(lost(), '', 'no node was lost');
unlike($c->log_text(0), qr/underflow|duplicate relinquish|sync problem/, 'Slurm has lost count of nothing');
$c->cmd('scancel', @malleable);
$c->wait_for('their ends', sub { lost(); !$c->out('squeue', '-h') }, 180);
$c->idle(180);
cmp_ok(scalar @hung, '<=', $rounds / 100, 'nearly none was drained as "Kill task failed"') or diag("@hung");
note("resumed: @hung") if @hung;
for my $again ('once', 'and again') {
	my $r = $c->cmd({ as => $user }, 'timeout', 60, 'srun', "-N$nodes", '-t1', 'true');
	is($r->{rc}, 0, "a job on all nodes starts, $again") or diag($r->{err});
}
($astray) = astray();
is("@$astray", '', 'and no process is left of the others');
$c->healthy;
$c->down;
Malleable::replays();
done_testing;
