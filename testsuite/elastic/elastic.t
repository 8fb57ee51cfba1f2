#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# elastic.t: pact-elastic with a srun and answers that are made up: which commands run on which nodes as a job's nodes come, go
# and are wanted back, and what becomes of commands that fail, are lost, or get no step. With real slurmds: 92-elastic.t.
use strict;
use warnings;
use Cwd qw(abs_path);
use File::Basename qw(dirname);
use File::Temp qw(tempdir);
use IO::Socket::INET;
use POSIX qw(WNOHANG);
use Test::More;
use Time::HiRes qw(sleep);

use lib dirname(abs_path(__FILE__)) . '/..';
use Quiet qw(aside);

my $top = $ENV{PACT_TOP} // abs_path(dirname(abs_path(__FILE__)) . '/../..');
my $build = $ENV{PACT_BUILD} // $top;
my $elastic = "$build/contrib/elastic/.libs/pact-elastic";
plan skip_all => 'pact-elastic is not built' unless -x $elastic;
my $dir = tempdir('pact-elastic-t-XXXXXX', TMPDIR => 1, CLEANUP => 1);
my $owner = $$;
my %runs;

$ENV{LC_ALL} = 'C';
$ENV{LD_LIBRARY_PATH} = "$build/client/.libs";
$SIG{$_} = sub { exit 130 } for qw(INT TERM HUP);
END { my $status = $?; if ($$ == $owner) { kill 'TERM', keys %runs; waitpid $_, 0 for keys %runs } $? = $status }

sub slurp {
	my $file = shift;
	open(my $f, '<', $file) or return '';
	local $/;
	return <$f> // '';
}

# A reader has the old text or the new one.
sub spew {
	my ($file, $text, $mode) = @_;
	open(my $f, '>', "$file.new") or die "$file: $!";
	print $f $text;
	close $f or die "$file: $!";
	chmod $mode, "$file.new" if $mode;
	rename "$file.new", $file or die "$file: $!";
}

# In $FAKE: what a look shows, and what a giving back is answered; the pids of commands, by node; what was begun and asked for.
mkdir "$dir/bin" or die;
spew("$dir/bin/pact-malleable-call", <<'END', 0755);
#!/bin/sh
case $1 in
look)
	cat "$FAKE/look"
	exit ;;
give)
	# all is read, and changed, before it is told: the test has other files there as soon as it sees that
	if [ -e "$FAKE/give" ]; then
		says=$(cat "$FAKE/give")
	else
		mv "$FAKE/look.given" "$FAKE/look"
		says=$(cat "$FAKE/answered" 2>/dev/null; echo end)
	fi
	echo "give $3" >>"$FAKE/log"
	echo "$says"
	exit ;;
refuse)
	echo "refuse $3" >>"$FAKE/log"
	[ ! -e "$FAKE/refuse" ] || exec cat "$FAKE/refuse" ;;
signal)
	count=0
	echo "signal $3 ${4:-all}" >>"$FAKE/log"
	[ ! -e "$FAKE/no-signal" ] || exec cat "$FAKE/no-signal"
	for node in $(echo "${4:-$(ls "$FAKE/pids")}" | tr , ' '); do
		pid=$(cat "$FAKE/pids/$node" 2>/dev/null) && kill -"$3" "$pid" && count=$((count + 1)) && echo "node $node"
	done
	echo "count $count" ;;
esac
echo end
END
spew("$dir/bin/srun", <<'END', 0755);
#!/bin/sh
while [ "$1" != -n1 ]; do
	[ "$1" != -w ] || SLURMD_NODENAME=$2
	shift
done
shift
export SLURMD_NODENAME
if [ -e "$FAKE/no-step" ] && [ "$(cat "$FAKE/no-step")" = "$SLURMD_NODENAME" ]; then
	echo "$SLURMD_NODENAME no step" >>"$FAKE/log"
	echo 'srun: error: Unable to create step for job 1: Requested nodes are busy' >&2
	exit "${SLURM_EXIT_ERROR:-1}"
fi
# It waits for its step as long as that is so.
if [ -e "$FAKE/busy.$SLURMD_NODENAME" ]; then
	trap 'echo "$SLURMD_NODENAME srun term" >>"$FAKE/log"; exit 143' TERM
	echo "$SLURMD_NODENAME waits" >>"$FAKE/log"
	while sleep 0.1; do :; done
fi
"$@" &
pid=$!
echo $pid >"$FAKE/pids/$SLURMD_NODENAME"
wait $pid
code=$?
rm "$FAKE/pids/$SLURMD_NODENAME"
[ ! -e "$FAKE/slow" ] || sleep 3
exit $code
END
spew("$dir/worker", <<'END', 0755);
#!/bin/sh
trap 'echo "$SLURMD_NODENAME term" >>"$FAKE/log"; while [ -e "$FAKE/holds.$SLURMD_NODENAME" ]; do sleep 0.1; done; exit 3' TERM
echo "$SLURMD_NODENAME begin" >>"$FAKE/log"
until [ -e "$FAKE/over" ]; do
	sleep 0.1 &
	wait $!
done
END
spew("$dir/hook", <<'END', 0755);
#!/bin/sh
echo "$*" >>"$FAKE/log"
[ "$1" != leave ] || echo "by $((PACT_WISH_BY - $(cat "$FAKE/now" 2>/dev/null || echo "$PACT_WISH_BY"))) to $PACT_WISH_WIDTH" >>"$FAKE/log"
END

# It hears of its nodes for ever.
spew("$dir/hears-for-ever", <<'END', 0755);
#!/bin/sh
echo "$*" >>"$FAKE/log"
[ "$1" != nodes ] || exec sleep 1000
END

# It answers each wish with "not now"; or with none at all, whatever it is told.
spew("$dir/says-no", <<'END', 0755);
#!/bin/sh
echo "$*" >>"$FAKE/log"
[ "$1" != leave ] || exit 75
END
spew("$dir/hears-not", <<'END', 0755);
#!/bin/sh
echo "$*" >>"$FAKE/log"
[ "$1" = leave ] || exit 0
trap '' TERM
exec sleep 100
END

# ---- a job and its pact-elastic ----

# What looks show from now on: nodes, by what number they are known, and a wish for some of them, due in so many seconds.
my $due = 30;
sub show {
	my ($r, $nodes, $resized, @leaves) = @_;
	my $text = join('', map { "node $_\n" } @$nodes) . "resized $resized\nbatch n1\n";
	if (@leaves) {
		my $serial = shift @leaves;
		$text .= "wish $serial " . (@$nodes - @leaves) . ' ' . (time + $due) . "\nlist " . join(',', @leaves) . "\n" . join('', map { "leave $_\n" } @leaves);
	}
	spew("$r->{dir}/$r->{file}", "${text}end\n");
}
# Likewise, each of some nodes by its own time, in so many seconds: [SECONDS, NODE...]
sub show_dues {
	my ($r, $nodes, $resized, $serial, @dues) = @_;
	my @leaves = map { my ($by, @of) = @$_; @of } @dues;
	my $now = $r->{now} //= time;
	my $text = join('', map { "node $_\n" } @$nodes) . "resized $resized\nbatch n1\n" .
		"wish $serial " . (@$nodes - @leaves) . ' ' . ($now + $dues[0][0]) . "\nlist " . join(',', @leaves) . "\n";
	for (@dues) {
		my ($by, @of) = @$_;
		$text .= 'due ' . ($now + $by) . ' ' . join(',', @of) . "\n" . join('', map { "leave $_\n" } @of);
	}
	spew("$r->{dir}/$r->{file}", "${text}end\n");
}
# With these nodes; none: Slurm cannot be asked.
our @of = ('--job', 1, '--notice', 6);
our @start = ($elastic);
sub job {
	my ($name, $nodes, @words) = @_;
	my $r = { name => $name, dir => "$dir/$name", file => 'look' };
	mkdir $r->{dir} and mkdir "$r->{dir}/pids" or die;
	show($r, $nodes, 1) if @$nodes;
	spew("$r->{dir}/look", "error again no slurmctld\nend\n") unless @$nodes;
	@words = ('--', "$dir/worker") unless @words;
	$r->{pid} = aside("$r->{dir}/out", "$r->{dir}/err",
		{ FAKE => $r->{dir}, PATH => "$dir/bin:$ENV{PATH}", PACT_MALLEABLE_CALL => "$dir/bin/pact-malleable-call" },
		@start, @of, @words);
	$runs{$r->{pid}} = 1;
	return $r;
}
# The time that a wait may take is for failures: these processes get what many others leave of the processors.
my $patience = 180;
sub wait_for {
	my ($what, $seconds) = @_;
	for (my $end = time + $seconds; time <= $end; sleep 0.1) {
		return 1 if $what->();
	}
	return 0;
}
sub log_of { return slurp("$_[0]{dir}/log") }
sub err_of { return slurp("$_[0]{dir}/err") }
sub count { my ($r, $line) = @_; return scalar(() = log_of($r) =~ /^\Q$line\E$/mg) }
sub told { my ($r, $line, $n) = @_; return wait_for(sub { count($r, $line) >= $n }, $patience) }
sub saw {
	my ($r, $line, $n, $what) = @_;
	ok(told($r, $line, $n) && count($r, $line) == $n, "$r->{name}: $what") or diag(log_of($r), err_of($r));
}
sub says { my ($r, $re, $what) = @_; ok(wait_for(sub { err_of($r) =~ $re }, $patience), "$r->{name}: $what") or diag(err_of($r)) }
# All its commands are done: what it ends with.
sub ends {
	my ($r, $code, $what, $seconds) = @_;
	my $status;
	spew("$r->{dir}/over", '');
	ok(wait_for(sub { waitpid($r->{pid}, WNOHANG) == $r->{pid} and defined($status = $?) }, $seconds // $patience) && $status == $code << 8,
		"$r->{name}: $what") or diag('status ', $status // 'none', "\n", log_of($r), err_of($r));
	delete $runs{$r->{pid}} if defined $status;
}
sub begun { my ($r, @nodes) = @_; told($r, "$_ begin", 1) or diag("$r->{name}: no command on $_", err_of($r)) for @nodes }
# What ran on the node is no more.
sub lose {
	my ($r, $node) = @_;
	kill 'KILL', slurp("$r->{dir}/pids/$node") =~ /(\d+)/;
}

# All at once, as each waits for looks most of the time.
my @three = qw(n1 n2 n3);
my %job = map { $_ => job($_, \@three) } qw(comes given vanishes replaced refused alone lost late never fails ends second goes-on away cut-off);
my $busy = job('busy', \@three, '--', '/bin/sh', '-c', 'exec "$0"', "$dir/worker");
my $hook = job('hooked', \@three, '--hook', "$dir/hook");
my $left = job('left', \@three, '--hook', "$dir/hook");
my $hangs = job('hangs', \@three, '--hook', "$dir/hears-for-ever");
my @many = map { "node-with-a-long-name-$_" } 1 .. 200;
my $many = job('many', \@many, '--hook', "$dir/hook");
my $waits = job('waits', \@three);
my $dues = job('dues', [@three, 'n4', 'n5'], '--hook', "$dir/hook");
mkdir "$dir/program" or die;
my $files = do {
	local @start = ('/bin/sh', '-c', 'cd "$0" && exec "$@"', "$dir/program", $elastic);
	job('files', \@three, '--hook', "$top/contrib/elastic/examples/hook.sh");
};
my $deaf = job('deaf', \@three, '--hook', "$dir/hears-not");
my $unheard = job('unheard', \@three, '--hook', "$dir/says-no");
my $early = job('early', []);
# A Charm++ program that says how many processors it has so slowly that it never comes to the end; its job has three nodes.
my $listener = IO::Socket::INET->new(Listen => 5, LocalAddr => '127.0.0.1') or die "listen: $@";
my $slow = fork // die;
if (!$slow) {
	$SIG{$_} = 'DEFAULT' for qw(INT TERM HUP);
	$SIG{PIPE} = 'IGNORE';
	while (my $client = $listener->accept) {
		$client->autoflush(1);
		print $client pack('N', 4096);
		for (1 .. 4096) {
			sleep 1;
			print $client 'x' or last;
		}
	}
	POSIX::_exit(0);
}
$runs{$slow} = 1;
spew("$dir/nodelist", join('', "group main\n", map { "host $_ ++cpus 1\n" } @three));
my $charm = job('charm', \@three, '--charm', '127.0.0.1:' . $listener->sockport, '--nodelist', "$dir/nodelist");
# Ones that answer at once: one that changes when it is almost too late, and one that is not there yet.
sub serve {
	my ($name, @words) = @_;
	my $pid = aside('/dev/null', "$dir/$name.err", {}, 'perl', "$top/testsuite/emulated/ccs_server.pl", "$dir/$name.port", "$dir/$name.log", @words);
	$runs{$pid} = 1;
	ok(wait_for(sub { -s "$dir/$name.port" }, $patience), "$name: a CCS server") or diag(slurp("$dir/$name.err"));
	return slurp("$dir/$name.port") =~ /(\d+)/;
}
sub asked { my ($r, $lines, $what) = @_; ok(wait_for(sub { slurp("$dir/$r->{name}.log") eq $lines }, $patience), "$r->{name}: $what") or diag(slurp("$dir/$r->{name}.log"), err_of($r)) }
sub lists { my ($r, $nodes, $what) = @_; is(join(' ', slurp("$dir/$r->{name}.nodes") =~ /^host (\S+) /mg), $nodes, "$r->{name}: $what") }
my ($tardy_port) = serve('tardy', 3, 4.5);
my $tardy = job('tardy', \@three, '--charm', "127.0.0.1:$tardy_port", '--nodelist', "$dir/tardy.nodes");
my $free = IO::Socket::INET->new(Proto => 'tcp', LocalAddr => '127.0.0.1') or die "bind: $@"; # kept, so that no other program listens there
my $starts_port = $free->sockport;
my $starts = job('starts', ['n1'], '--charm', "127.0.0.1:$starts_port", '--nodelist', "$dir/starts.nodes");
# Its notice is known from what it was submitted with.
my $short = do {
	local @of;
	local @ENV{qw(SLURM_JOB_ID _SLURM_SPANK_OPTION_spank_pact_malleable)} = (1, 'speedup:2=2,grace:6');
	job('short', \@three);
};
my $one = job('one', ['n1'], '--', '/bin/sh', '-c', 'exit 1');
begun($_, @three) for values %job;

begun($short, @three);
show($short, [@three, 'n4'], 2);
ok(wait_for(sub { count($short, 'n4 begin') }, 5), 'short: it looks as often as its own notice asks for')
	or diag(err_of($short));

# One that never gets a step there; and one that does later.
spew("$job{never}{dir}/no-step", 'n4');
show($job{never}, [@three, 'n4'], 2);
begun($busy, @three);
spew("$busy->{dir}/no-step", 'n4');
show($busy, [@three, 'n4'], 2);
says($busy, qr/^pact-elastic: n4: srun has no step there, tried again$/m, 'srun that gets no step is told');
unlink "$busy->{dir}/no-step";
saw($busy, 'n4 begin', 1, 'and tried again, without --restarts');
ends($busy, 0, 'and it was no failure');
# One whose hook has no answer, whatever it is told; one whose answer Slurm has no time for; and one that finds no slurmctld.
told($_, 'nodes n1 n2 n3', 1) for $deaf, $unheard;
$due = 5;
show($deaf, \@three, 1, 1, 'n3');
$due = 30;
spew("$unheard->{dir}/refuse", "error again Slurm has no time\nend\n");
show($unheard, \@three, 1, 1, 'n3');
told($unheard, 'refuse 1', 1);
show($charm, \@three, 1, 1, 'n3');
show($early, \@three, 1);

# ---- nodes come, and are given back ----

my $r = $job{comes};
show($r, [@three, 'n4'], 2);
saw($r, 'n4 begin', 1, 'a node that comes gets the command');
saw($r, 'n1 begin', 1, 'the others have theirs still');
ends($r, 0, 'with the last of them it ends, and well');

sub given { my ($r, @left) = @_; show({ %$r, file => 'look.given' }, \@left, 2) }
$r = $job{given};
given($r, 'n1', 'n2');
show($r, \@three, 1, 1, 'n3');
saw($r, 'n3 term', 1, 'the command there has TERM');
saw($r, 'give n3', 1, 'the node is given back');
ends($r, 0, 'what ended for that is no failure');
saw($r, 'n3 begin', 1, 'nor was it begun again');

# ---- nodes that are due at several times ----

# The notice is six seconds: what is due that much later than the first, or more, is asked about when that is done.
sub dues {
	my ($file, $left, @dues) = @_;
	show_dues({ %$dues, file => $file }, [@three[0 .. $left - 1]], 2, 1, @dues);
}
told($dues, 'nodes n1 n2 n3 n4 n5', 1);
$dues->{now} = time;
spew("$dues->{dir}/now", $dues->{now});
spew("$dues->{dir}/answered", "answered 1 " . ($dues->{now} + 30) . "\nanswered 1 " . ($dues->{now} + 35) . "\n");
dues('look.given', 3, [36, 'n2'], [60, 'n3']);
show_dues($dues, [@three, 'n4', 'n5'], 1, 1, [30, 'n4'], [35, 'n5'], [36, 'n2'], [60, 'n3']);
saw($dues, 'leave n4 n5', 1, 'it is asked for what is due about the same time');
saw($dues, 'by 30 to 3', 1, 'by the first of these, with what is due later as its own');
saw($dues, 'give n4,n5', 1, 'that is given back');
told($dues, 'leave n2', 1) or diag(log_of($dues));
spew("$dues->{dir}/answered", "answered 1 " . ($dues->{now} + 36) . "\n");
saw($dues, 'leave n2', 1, 'then it is asked for the next');
saw($dues, 'by 36 to 2', 1, 'by its time');
kill 'TERM', $dues->{pid};
ends($dues, 0, 'and ends');

# ---- what was wanted is not any more ----

for my $name (qw(vanishes replaced)) {
	spew("$job{$name}{dir}/give", "error again Slurm has no time\nend\n");
	show($job{$name}, \@three, 1, 1, 'n3');
}
spew("$job{refused}{dir}/give", "error refused not here\nend\n");
show($job{refused}, \@three, 1, 1, 'n3');
told($job{$_}, 'give n3', 1) for qw(vanishes replaced refused);
$r = $job{vanishes};
saw($r, 'n3 begin', 1, 'the command was ended, and is not begun again as long as the node is wanted');
show($r, \@three, 1);
saw($r, 'n3 begin', 2, 'it is begun again when the wish is gone');
saw($r, 'n2 begin', 1, 'the others go on');
ends($r, 0, 'and ends well');
$r = $job{replaced};
unlink "$r->{dir}/give";
given($r, 'n1', 'n3');
show($r, \@three, 1, 2, 'n2');
saw($r, 'n3 begin', 2, 'it is begun again when another node is wanted instead');
saw($r, 'give n2', 1, 'which is given back');
ends($r, 0, 'and all ends well');
$r = $job{refused};
saw($r, 'n3 begin', 2, 'it is begun again where Slurm does not take the node');
ends($r, 0, 'and ends well');

# ---- nodes that are lost and come back ----

$r = $job{lost};
show($r, \@three, 5);
lose($r, 'n3');
saw($r, 'n3 begin', 2, 'lost and had again between two looks: the command is begun again');
ends($r, 0, 'and that is no failure of its');
$r = $job{late};
spew("$r->{dir}/slow", '');
show($r, ['n1', 'n2'], 2);
lose($r, 'n3');
sleep 1.5;
show($r, \@three, 3);
saw($r, 'n3 begin', 2, 'had again while srun of before is still ending: likewise');
unlink "$r->{dir}/slow";
ends($r, 0, 'and well');
$r = $job{fails};
lose($r, 'n3');
says($r, qr/^pact-elastic: n3: exit code 137$/m, 'where nothing was resized it is the command that failed');
ends($r, 137, 'and that is the exit code');
saw($r, 'n3 begin', 1, 'it was not begun again');
told($hook, 'nodes n1 n2 n3', 1);
show($hook, \@three, 5);
saw($hook, 'nodes n1 n2 n3', 2, 'is called, too, for the same nodes had again');

ends($short, 0, 'and ends');
ends($one, 1, 'the same exit code of the command is one');

# ---- hook.sh, of the examples ----

# A program reads and removes files in the directory where it and pact-elastic were started.
sub reads { my ($name, $text, $what) = @_; ok(wait_for(sub { slurp("$dir/program/$name") eq $text }, $patience), "files: $what") or diag(err_of($files)) }
reads('nodes.now', "n1\nn2\nn3\n", 'hook.sh has the nodes in one of them');
given($files, 'n1', 'n2');
show($files, \@three, 1, 1, 'n3');
reads('nodes.leave', "n3\n", 'and those that are wanted back in another one');
sleep 1.5;
is(count($files, 'give n3'), 0, 'files: which are not given back as long as it is there');
unlink "$dir/program/nodes.leave";
saw($files, 'give n3', 1, 'but when the program has removed it');
reads('nodes.now', "n1\nn2\n", 'which then reads what it has left');
spew("$dir/program/busy", '');
show($files, ['n1', 'n2'], 2, 2, 'n2');
saw($files, 'refuse 2', 1, 'a program that is busy: not now');
ok(!-e "$dir/program/nodes.leave", 'files: nor is it asked then');
unlink "$dir/program/busy";
$due = 10;
show($files, ['n1', 'n2'], 2, 3, 'n2');
$due = 30;
reads('nodes.leave', "n2\n", 'busy no more, it is');
saw($files, 'refuse 3', 1, 'not now, where the program leaves them not in time');
ok(!-e "$dir/program/nodes.leave", 'files: and then it is not asked any more');
is(count($files, 'give n2'), 0, 'files: nor are they given back');
kill 'TERM', $files->{pid};
ends($files, 0, 'and it ends');

# ---- no step, for ever ----

ends($job{never}, 125, 'no step, again and again, is our own failure');
is(count($job{never}, 'n4 no step'), 21, 'never: not for ever');

# ---- Slurm cannot be asked, or does not take an answer ----

begun($early, @three);
ends($early, 0, 'a slurmctld that is away at the beginning is waited for');
says($early, qr/^pact-elastic: no slurmctld$/m, 'which is told');
$r = $charm;
saw($r, 'refuse 1', 1, 'a Charm++ program that does not come to an end of its answer is not waited for');
kill 'TERM', $r->{pid};
ends($r, 0, 'and it ends');
$r = $unheard;
unlink "$r->{dir}/refuse";
ok(wait_for(sub { err_of($r) =~ /^pact-elastic: wish 1: not now$/m }, $patience), 'unheard: not now is said again when Slurm had no time')
	or diag(err_of($r));
saw($r, 'leave n3', 1, 'the hook was asked once');
my $said = count($r, 'refuse 1');
spew("$job{alone}{dir}/give", "error invalid a job cannot give all its nodes back\nend\n");
show($job{alone}, \@three, 1, 1, 'n3');
told($job{alone}, 'give n3', 1);
sleep 4;
is(count($r, 'refuse 1'), $said, 'unheard: what Slurm has heard is not said again');
kill 'TERM', $r->{pid};
ends($r, 0, 'and it ends');
$r = $job{alone};
saw($r, 'give n3', 1, 'what Slurm can make nothing of is not said again');
saw($r, 'n3 begin', 1, 'the command had TERM, and the node is wanted still');
ends($r, 0, 'and it ends well');

# ---- told to end ----

$r = $job{ends};
kill 'TERM', $r->{pid};
saw($r, "$_ term", 1, "told to end it tells $_") for @three;
ends($r, 0, 'and ends');
$r = $deaf;
saw($r, 'leave n3', 1, 'is called');
ok(wait_for(sub { err_of($r) =~ /^pact-elastic: \S+ leave: exit code 137$/m }, $patience), 'deaf: a hook that does not hear TERM is killed')
	or diag(err_of($r));
saw($r, 'refuse 1', 1, 'which is not now');
kill 'TERM', $r->{pid};
ends($r, 0, 'and it goes on until it is told to end');
kill 'TERM', $hook->{pid};
ends($hook, 0, 'so does a hook\'s');

# ---- a wish that comes while the commands of another one are at their ends ----

$r = $job{second};
spew("$r->{dir}/holds.n3", '');
show_dues($r, [@three, 'n4'], 1, 1, [300, 'n3']);
saw($r, 'n3 term', 1, 'a command is at its end');
spew("$r->{dir}/answered", 'answered 2 ' . ($r->{now} + 303) . "\n");
show_dues({ %$r, file => 'look.given' }, ['n1', 'n3'], 2, 2, [300, 'n3']);
show_dues($r, \@three, 1, 2, [300, 'n3'], [303, 'n2']);
saw($r, 'n2 term', 1, 'another node is wanted, too: its command is told at once');
saw($r, 'give n2', 1, 'and the node given back as it ends');
saw($r, 'n3 term', 1, 'the first one was told once');
spew("$r->{dir}/answered", 'answered 2 ' . ($r->{now} + 300) . "\n");
given($r, 'n1');
unlink "$r->{dir}/holds.n3";
saw($r, 'give n3', 1, 'and given back in its turn');
ends($r, 0, 'and all ends well');
$r = $job{'goes-on'};
spew("$r->{dir}/holds.n3", '');
show($r, \@three, 1, 1, 'n3');
saw($r, 'n3 term', 1, 'a command is at its end');
show($r, \@three, 1);
sleep 2.5;
is(count($r, 'n3 begin'), 1, 'goes-on: as long as it runs there is no other one');
unlink "$r->{dir}/holds.n3";
saw($r, 'n3 begin', 2, 'it is begun again when it has ended, as the node is not wanted any more');
ends($r, 0, 'and ends well');
is(count($r, 'give n3'), 0, 'goes-on: nothing was given back');

# ---- slurmctld is away when commands are to be told ----

$r = $job{'cut-off'};
spew("$r->{dir}/no-signal", "error again Slurm is away\nend\n");
given($r, 'n1', 'n2');
$due = 5;
show($r, \@three, 1, 1, 'n3');
$due = 30;
$r = $job{away};
spew("$r->{dir}/no-signal", "error again Slurm is away\nend\n");
show($r, \@three, 1, 1, 'n3');
told($r, 'signal 15 n3', 1);
sleep 1;
ok(kill(0, slurp("$r->{dir}/pids/n3") =~ /(\d+)/) && !count($r, 'n3 term'), 'away: its srun, which would kill it, is not told instead');
given($r, 'n1', 'n2');
unlink "$r->{dir}/no-signal";
saw($r, 'n3 term', 1, 'it is told when slurmctld is there');
saw($r, 'give n3', 1, 'and the node given back');
ends($r, 0, 'and ends well');
$r = $job{'cut-off'};
saw($r, 'give n3', 1, 'where it stays away the node is given back in time');
saw($r, 'signal 9 n3', 1, 'after KILL was tried');
ok(kill(0, slurp("$r->{dir}/pids/n3") =~ /(\d+)/) && err_of($r) !~ / late$/m, 'cut-off: when the srun was told instead');
ends($r, 0, 'and ends well');
$r = $waits;
begun($r, @three);
spew("$r->{dir}/busy.n4", '');
show($r, [@three, 'n4'], 2);
told($r, 'n4 waits', 1);
given($r, 'n1', 'n2');
show($r, [@three, 'n4'], 2, 1, 'n3', 'n4');
saw($r, 'n4 srun term', 1, 'a srun whose step is not there yet is told itself');
saw($r, 'n3 term', 1, 'and of the others the step');
saw($r, 'give n3,n4', 1, 'and both nodes are given back');
ends($r, 0, 'and all ends well');

# ---- hooks ----

$r = $left;
told($r, 'nodes n1 n2 n3', 1);
spew("$r->{dir}/give", "error again Slurm has no time\nend\n");
show_dues($r, \@three, 1, 1, [60, 'n3']);
told($r, 'give n3', 2);
saw($r, 'nodes n1 n2 n3', 1, 'nodes that it has left are not its own as long as they are wanted');
show_dues($r, [@three, 'n4'], 2, 1, [60, 'n3']);
saw($r, 'nodes n1 n2 n4', 1, 'nor is it told of them when others come');
show($r, [@three, 'n4'], 2);
saw($r, 'nodes n1 n2 n3 n4', 1, 'it is told when they are not wanted any more');
saw($r, 'leave n3', 1, 'it was asked once');
show_dues($r, [@three, 'n4'], 2, 1, [60, 'n3']);
saw($r, 'leave n3', 2, 'and is asked again if they are wanted again');
kill 'TERM', $r->{pid};
ends($r, 0, 'and ends');
$r = $many;
spew("$r->{dir}/give", "error refused not here\nend\n");
show($r, \@many, 1, 1, @many[1 .. 199]);
says($r, qr{^pact-elastic: wish 1: \S+,\Q$many[-1]\E not given back: not here$}m, 'of many nodes the reason is told');
kill 'TERM', $r->{pid};
ends($r, 0, 'and it ends');
$r = $hangs;
show($r, \@three, 1, 1, 'n3');
given($r, 'n1', 'n2');
saw($r, 'leave n3', 1, 'a hook that does not end when it hears of its nodes is ended, and hears what is wanted');
kill 'TERM', $r->{pid};
ends($r, 0, 'and ends');

# ---- Charm++ that changes late, or is not there yet ----

$r = $tardy;
wait_for(sub { -s "$dir/tardy.nodes" }, $patience);
$due = 5;
show($r, \@three, 1, 1, 'n3');
$due = 30;
show($starts, ['n1', 'n4'], 2);
says($starts, qr/refused: tried again$/m, 'a program that is not there yet is tried again');
saw($r, 'refuse 1', 1, 'a program that does not change in time: not now');
lists($r, 'n1 n2', 'its node list is as it was asked, for it may change yet');
close $free;
serve('starts', 1, 0, $starts_port);
asked($starts, "1 2\n", 'when it is there it is asked to take the new node up');
lists($starts, 'n1 n4', 'which is in its list');
show($r, \@three, 1);
asked($r, "110 2\n11 3\n", 'it has changed, and as the node was not taken it is to grow again');
says($r, qr/it has changed, late$/m, 'which is told');
spew("$starts->{dir}/give", "error again Slurm has no time\nend\n");
show($starts, ['n1', 'n4'], 2, 1, 'n4');
told($starts, 'give n4', 1);
asked($starts, "1 2\n10 1\n", 'it leaves a node');
show($starts, ['n1', 'n4'], 2);
asked($starts, "1 2\n10 1\n1 2\n", 'and takes it up again, as it was not given back and is not wanted any more');
ok(wait_for(sub { slurp("$dir/tardy.nodes") =~ /n3/ }, $patience), 'tardy: it grows');
sleep 5;
given($r, 'n1', 'n2');
show($r, \@three, 1, 2, 'n3');
saw($r, 'give n3', 1, 'the next wish is met');
for ($r, $starts) {
	kill 'TERM', $_->{pid};
	ends($_, 0, 'and it ends');
}

# ---- examples ----

# A batch script is a copy on the job's first node, which no other node has: workers.sh has none once its own process is there.
mkdir "$dir/$_" for qw(spool spool/bin tasks);
spew("$dir/spool/bin/pact-elastic", "#!/bin/sh\nrm $dir/spool/slurm_script\nshift\nexec \"\$\@\"\n", 0755);
spew("$dir/spool/slurm_script", slurp("$top/contrib/elastic/examples/workers.sh"), 0755);
spew("$dir/tasks/$_.task", "echo $_ >>$dir/spool/out\n") for 1 .. 3;
is(system("PATH=$dir/spool/bin:\$PATH $dir/spool/slurm_script $dir/tasks"), 0, 'workers.sh ends when no task is left');
is(join('', sort split /^/, slurp("$dir/spool/out")), "1\n2\n3\n", 'each was done once');
is(join(' ', map { s/.*\///r } sort glob "$dir/tasks/[0-9]*"), '1.done 2.done 3.done', 'and is named so');
# The first time the only worker has to go, and has put its task back.
mkdir "$dir/$_" for qw(again again/bin again/tasks);
spew("$dir/again/bin/pact-elastic", <<"END", 0755);
#!/bin/sh
[ -e $dir/again/gone ] || { : >$dir/again/gone; exit 0; }
shift
exec "\$\@"
END
spew("$dir/again/tasks/1.task", "true\n");
is(system("PATH=$dir/again/bin:\$PATH $top/contrib/elastic/examples/workers.sh $dir/again/tasks"), 0, 'workers.sh ends');
is(join(' ', map { s/.*\///r } glob "$dir/again/tasks/1*"), '1.done',
	'and not before a task is done that was put back as the last worker went');
# A round whose worker was killed; then one that takes up what it had taken, and a task that fails.
mkdir "$dir/$_" for qw(killed killed/bin killed/tasks);
spew("$dir/killed/bin/pact-elastic", <<"END", 0755);
#!/bin/sh
shift
[ ! -e $dir/killed/once ] || exec "\$\@"
: >$dir/killed/once
mv $dir/killed/tasks/1.task $dir/killed/tasks/1.task.taken-by-n2-17
END
spew("$dir/killed/tasks/1.task", "true\n");
my $workers = "PATH=$dir/killed/bin:\$PATH $top/contrib/elastic/examples/workers.sh $dir/killed/tasks";
is(system($workers), 0, 'workers.sh ends');
is(join(' ', map { s/.*\///r } glob "$dir/killed/tasks/1*"), '1.done', 'and not before a task is done that a killed worker had taken');
spew("$dir/killed/tasks/$_->[0].task", "$_->[1]\n") for ['2', 'false'], ['3', 'true'];
is(system($workers) >> 8, 1, 'where a task fails it does, too');
is(join(' ', map { s/.*\///r } sort glob "$dir/killed/tasks/[1-3]*"), '1.done 2.failed 3.done', 'and that is named so, and the others are done');
# There is no node list, nor will there be one.
spew("$dir/again/bin/pact-elastic", "#!/bin/sh\nexit 125\n", 0755);
my $charms = "$top/contrib/elastic/examples/charm.sh";
is(system("cd $dir/again && PATH=$dir/again/bin:\$PATH SLURM_JOB_ID=1 timeout 20 $charms true") >> 8, 125,
	'charm.sh ends where pact-elastic cannot begin');
# More nodes than the job began with.
spew("$dir/again/bin/pact-elastic", "#!/bin/sh\nprintf 'group main\\nhost n1 ++cpus 1\\nhost n2 ++cpus 1\\n' >1.nodes\nexec sleep 100\n", 0755);
spew("$dir/again/bin/charmrun", "#!/bin/sh\necho \"\$1 \$2\" >$dir/again/charmrun\n", 0755);
is(system("cd $dir/again && PATH=$dir/again/bin:\$PATH SLURM_JOB_ID=1 SLURM_JOB_NUM_NODES=1 timeout 20 $charms program"), 0, 'charm.sh runs a program');
is(slurp("$dir/again/charmrun"), "program +p2\n", 'on all nodes of its list');
spew("$dir/tasks/long.task", "echo begun >>$dir/spool/out\nexec sleep 100\n");
spew("$dir/tasks/other.task.taken-by-other-1", '');
my $worker = fork // die;
exec 'sh', "$dir/tasks/workers.sh", '--work', "$dir/tasks" or die unless $worker;
$runs{$worker} = 1;
for (1 .. 100) {
	last if slurp("$dir/spool/out") =~ /begun/;
	sleep 0.1;
}
kill 'TERM', $worker;
waitpid $worker, 0;
delete $runs{$worker};
is($?, 0, 'a worker that has to go ends');
is(join(' ', map { s/.*\///r } sort glob "$dir/tasks/[lo]*"), 'long.task other.task.taken-by-other-1', 'and puts back what it had taken, and no more');

done_testing();
