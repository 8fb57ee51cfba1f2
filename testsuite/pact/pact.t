#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# pact.t: the command against a server that says what each test wants: exit codes, what is asked for each
# command line, help, and texts that would do harm on a terminal, in every form of output.
use strict;
use warnings;
use Cwd qw(abs_path);
use Encode qw(decode encode);
use File::Basename qw(dirname);
use File::Temp qw(tempdir);
use IO::Socket::UNIX;
use JSON::PP;
use POSIX ();
use Socket qw(SOCK_STREAM);
use Test::More;
use Time::HiRes qw(sleep);

use lib dirname(abs_path(__FILE__)) . '/..';
use Quiet qw(aside quietly);

my $top = $ENV{PACT_TOP} // abs_path(dirname(abs_path(__FILE__)) . '/../..');
my $pact = ($ENV{PACT_BUILD} // $top) . '/testsuite/pact/pact-unmunged';
my $dir = tempdir('pact-t-XXXXXX', TMPDIR => 1, CLEANUP => 1);
my $path = "$dir/sock";
my ($owner, $server) = ($$);

$ENV{TZ} = 'UTC';
$ENV{LC_ALL} = 'C';
$ENV{PACT_SOCKET} = $path;
delete @ENV{qw(NO_COLOR FAKE_MUNGE SLURM_CONF)};
$SIG{$_} = sub { exit 130 } for qw(INT TERM HUP);
END { my $status = $?; silence() if $$ == $owner; $? = $status }

sub slurp {
	my $file = shift;
	open(my $f, '<:raw', $file) or return '';
	local $/;
	return <$f> // '';
}

sub silence {
	return unless $server;
	kill 'KILL', $server;
	waitpid $server, 0;
	$server = undef;
	unlink $path, "$dir/request";
}

# From now on answer every connection so: the greeting, and what comes after the request (undef: hang up); of a list
# the next one, the last of them again and again.
sub serve {
	my ($reply, $greeting) = @_;
	my @replies = ref $reply ? @$reply : $reply;
	silence();
	my $listener = IO::Socket::UNIX->new(Type => SOCK_STREAM, Local => $path, Listen => 5) or die "$path: $!";
	$server = fork // die "fork: $!";
	return if $server;
	$SIG{$_} = 'DEFAULT' for qw(INT TERM HUP);
	while (my $c = $listener->accept) {
		print $c $greeting // qq({"pact":1,"version":"0","munge":null}\n);
		$c->flush;
		my $line = <$c> // next;
		open(my $f, '>:raw', "$dir/request.new") or die;
		print $f $line;
		close $f;
		rename "$dir/request.new", "$dir/request";
		print $c $replies[0], "\n" if defined $replies[0];
		shift @replies if @replies > 1;
		close $c;
	}
	POSIX::_exit(0);
}

sub answer { return '{"pact":1,"ok":true,"answer":' . (shift) . '}' }
sub error { return '{"pact":1,"ok":false,"error":{"code":"' . $_[0] . '","text":"' . ($_[1] // 'no') . '"}}' }

sub start {
	return aside("$dir/out", "$dir/err", {}, $pact, @_);
}

# Run pact: its exit code, and what it said.
my ($out, $err);
sub pact {
	waitpid start(@_), 0;
	($out, $err) = (slurp("$dir/out"), slurp("$dir/err"));
	return $? & 127 ? 128 + ($? & 127) : $? >> 8;
}

sub asked { return decode_json(slurp("$dir/request") || '{}') }

my @commands = qw(ask explain history matrix plan record stats status);
my %words = (explain => ['4711'], record => ['status']);
my %empty = map { $_ => '{}' } @commands;
$empty{ask} = '{"promised":true}';
$empty{history} = '{"entries":[],"complete":true}';

subtest 'help' => sub {
	is(pact('--help'), 0, 'pact --help');
	like($out, qr/^  \Q$_\E /m, "which names $_") for @commands;
	like($out, qr/Exit codes: 0 .*1 .*2 .*3 .*4 .*5 .*6 .*10 /s, 'and exit codes');
	for my $command (@commands) {
		for my $option ('--help', '-h') {
			is(pact($command, $option), 0, "pact $command $option");
			like($out, qr/^usage: pact $command /, 'says how it is called');
			is($err, '', 'and nothing else');
		}
	}
	is(pact('--version'), 0, '--version');
	like($out, qr/^pact \d/, 'says which');
	is(pact('plan', '--version'), 0, 'behind a command too');
	is(pact(), 2, 'no command: 2');
	like($err, qr/^usage: /, 'and how to do it');
};

subtest 'the command line' => sub {
	serve(answer('{}'));
	my @wrong = (
		[['frobnicate'], qr/no command frobnicate/], [['plan', '--nonsense'], qr/^pact plan: .*nonsense/],
		[['plan', 'x'], qr/plan takes no argument/], [['explain'], qr/explain takes one job/],
		[['explain', '0'], qr/not 0/], [['explain', '1_x'], qr/not 1_x/], [['explain', '1', '2'], qr/takes one/],
		[['explain', '--last', '7'], qr/not 7/], [['explain', '-u', '77', '7'], qr/--user: only with --last/],
		[['explain', '--last', '-u', 'no such user'], qr/--user=no such user: /],
		[['explain', '99999999999'], qr/not 99999999999/], [['ask', '-N', 'x'], qr/--nodes=x: /],
		[['ask', '-N', '2-'], qr/--nodes=2-: /], [['ask', '--mem', '4Q'], qr/--mem=4Q: /],
		[['ask', '-n', '-1'], qr/--ntasks=-1: /], [['plan', '--watch=0'], qr/--watch=0: /],
		[['plan', '--watch=x'], qr/--watch=x: /], [['record', 'maybe'], qr/not maybe/], [['record'], qr/record takes/],
		[['history', '--limit', 'x'], qr/--limit=x: /], [['history', '-j', '-3'], qr/--job=-3: /],
		[[qw(ask -N 1 -t 5 --nodes=2)], qr/--nodes 2: it is given already, as --nodes 1$/],
		[['matrix', '--watch=3601'], qr/--watch=3601: /], [['matrix', 'x'], qr/matrix takes no argument/],
		[[qw(matrix -p a --partition b)], qr/--partition b: it is given already, as --partition a$/],
		[[qw(--socket a plan --socket b)], qr/--socket b: it is given already, as --socket a$/],
		map({ [['history', '--summary', "--$_->[0]", $_->[1]], qr/--summary and --$_->[0]: / ] } ['job', 3],
			['outcome', 'kept'], ['limit', 7]),
		[[qw(history --job 3 -j 4)], qr/--job 4: it is given already, as --job 3$/],
		[[qw(--color=never plan --colour=always)], qr/--colour always: it is given already, as --colour never$/],
		[['history', '-u', 'no such user'], qr/--user=no such user: /], [['--colour', 'blue', 'plan'], qr/--colour=blue: /],
	);
	for my $w (@wrong) {
		is(pact(@{ $w->[0] }), 2, "pact @{ $w->[0] }: 2");
		like($err, $w->[1], 'with the key and the value');
		is(() = $err =~ /\n/g, 1, 'in one line') or diag($err);
		is($out, '', 'and nothing on standard output');
	}
};

subtest 'what is asked' => sub {
	serve(answer('{"promised":true,"entries":[],"complete":true}'));
	my @lines = (
		[['ask', qw(-N 2-4 -n 8 -c 2 --ntasks-per-node=2 --mem=3G --exclusive -t 30 --time-min=10 -b now --deadline=18:00 -p
			a -C b -x c -w d -A e -q f -d afterok:1 -a 1-3)],
			{ nodes => 2, max_nodes => 4, tasks => 8, cpus_per_task => 2, tasks_per_node => 2, mem => 3072,
				exclusive => JSON::PP::true, time => '30', time_min => '10', begin => 'now', deadline => '18:00',
				partition => 'a', constraint => 'b', exclude => 'c', nodelist => 'd', account => 'e', qos => 'f',
				dependency => 'afterok:1', array => '1-3' }],
		[['ask', '--mem=1K'], { mem => 1 }],
		[['explain', '7_3'], { job => 7, task => 3 }],
		[['explain', 'Rbcdfg'], { reference => 'Rbcdfg' }],
		[['explain', '--last'], { last => JSON::PP::true }],
		[['explain', '--last', '-u', '77'], { last => JSON::PP::true, user => 77 }],
		[['history', qw(-u 77 -A x -S now-1day -E now -j 5 --outcome kept --limit 3)],
			{ user => 77, account => 'x', since => 'now-1day', until => 'now', job => 5, outcome => 'kept', limit => 3 }],
		[['history', qw(--summary -u 77 -A x -S now-1day -E now)],
			{ user => 77, account => 'x', since => 'now-1day', until => 'now', summary => JSON::PP::true }],
		[['matrix', '-p', 'slice'], { partition => 'slice' }], [['matrix', '--partition=x'], { partition => 'x' }],
		[['record', 'on'], { set => 'on' }], [['record', 'off'], { set => 'off' }],
	);
	for my $l (@lines) {
		is(pact(@{ $l->[0] }), 0, "pact @{ $l->[0] }") or diag($err);
		my $request = asked();
		is($request->{request}, $l->[0][0], 'the request');
		is_deeply($request->{args} // {}, $l->[1], 'its arguments');
		is_deeply([$request->{pact}, $request->{cred}], [1, 'MUNGE:fake:'], 'version and identity');
	}
	for my $command (@commands) {
		serve(answer($empty{$command}));
		is(pact('--json', $command, @{ $words{$command} // [] }), 0, "pact --json $command");
		is_deeply(eval { decode_json($out) }, decode_json($empty{$command}), 'is the answer, on a line');
		is(pact($command, @{ $words{$command} // [] }, '--json'), 0, 'behind it too');
		is(() = $out =~ /\n/g, 1, 'likewise');
	}
};

subtest 'exit codes' => sub {
	my %code = (argument => 2, unknown => 2, denied => 4, identity => 4, not_found => 5, busy => 6, too_many => 6,
		syntax => 3, elsewhat => 3);
	for my $name (sort keys %code) {
		serve(error($name, "because of $name"));
		is(pact('status'), $code{$name}, "an error of code $name: $code{$name}");
		is($err, "pact: because of $name\n", 'with its text');
	}
	serve(answer('{"promised":false}'));
	is(pact('ask'), 1, 'could not be promised: 1');
	is(pact('--json', 'ask'), 1, 'as JSON too');
	silence();
	is(pact('status'), 3, 'no socket: 3');
	like($err, qr/^pact: \Q$path\E: No such file.* on this machine .*; see Socket/, 'which is named, with what to do');
	{
		my $left = IO::Socket::UNIX->new(Type => SOCK_STREAM, Local => $path, Listen => 1) or die "$path: $!";
		close $left;
		is(pact('status'), 3, 'a socket that nobody serves any more: 3');
		like($err, qr/^pact: \Q$path\E: Connection refused: no slurmctld/, 'likewise');
		unlink $path;
	}
	is(pact('--socket', "$dir/" . 'x' x 200, 'status'), 2, 'a name that no socket can have: 2');
	serve(undef);
	is(pact('status'), 3, 'hung up: 3');
	serve('no json at all');
	is(pact('status'), 3, 'no JSON: 3');
	serve('{"pact":1,"ok":true}');
	is(pact('status'), 3, 'an answer without content: 3');
	serve(answer('{}'), qq({"pact":2}\n));
	is(pact('status'), 3, 'another version: 3');
	is(pact(qw(plan --watch --socket), "$dir/" . 'x' x 200), 2, 'which is not watched for');
	SKIP: {
		skip 'there is no /dev/full', 2 unless -c '/dev/full';
		serve(answer('{}'));
		is(system("$pact stats >/dev/full 2>$dir/err") >> 8, 2, 'an output that cannot be written: 2');
		like(slurp("$dir/err"), qr/^pact: standard output: No space left/, 'and why');
	}
	for (['plan', '--svg', "$dir/both.svg"], ['matrix', '--svg', "$dir/both.svg"], ['stats', '--prometheus'], ['history', '--csv']) {
		is(pact(@$_, '--json'), 2, "@$_ and --json: 2");
		like($err, qr/^pact: --json and $_->[1]: /, 'which are named');
	}
	ok(!-e "$dir/both.svg", 'and nothing is drawn');
	serve(error('too_many'), error('too_many', 'too many connections') . "\n");
	is(pact('status'), 6, 'an error instead of a greeting: as it says');
	serve(answer('{}'));
	local $ENV{FAKE_MUNGE} = 'fails';
	is(pact('status'), 3, 'no munged: 3');
	is($err, "pact: munge: no munged at its socket\n", 'which is told, as precisely as munge does');
};

subtest 'the history summed up' => sub {
	my @parts = map { answer($_ =~ s/\n\s*//gr) } '{"next":70,"next_when":1763000000,"lines":[
		{"month":"2026-11","user":0,"account":"a,b","accepted":3,"refused":3,"reasons":{"late":2,"limit":1},"withdrawn":2,"open":1},
		{"month":"2026-10","user":0,"account":"bio","accepted":4,"kept":2,"open":2,"slacks":{"60":1,"-90":1}}]}',
		'{"lines":[{"month":"2026-10","user":0,"account":"bio","kept":1,"broken":1,"open":-2,"slacks":{"-90":2}},
		{"month":"2026-11","user":0,"account":"a,b","accepted":2,"refused":3,"reasons":{"late":2,"limit":1},"kept":1,
		"open":1,"slacks":{"3661":1}},
		{"month":"2026-11","user":0,"account":"","refused":1,"reasons":{"late":1}}]}';
	serve(\@parts);
	is(pact('history', '--summary'), 0, 'as a table');
	my ($head, @rows) = split /\n/, $out;
	like($head, qr/^MONTH +USER +ACCOUNT +ASKED +ACCEPTED +REFUSED +KEPT +BROKEN +CANCELLED +WITHDRAWN +OPEN +MEDIAN SLACK +REFUSED FOR$/,
		'columns that there always are, and what there is');
	is_deeply([map { s/ +/ /gr =~ s/ $//r } @rows], [
		'2026-10 root bio 4 4 0 3 1 0 0 0 -00:01:30', '2026-10 all all 4 4 0 3 1 0 0 0 -00:01:30',
		'2026-11 root - 1 0 1 0 0 0 0 0 - late 1', '2026-11 root a,b 11 5 6 1 0 0 2 2 01:01:01 late 4, limit 2',
		'2026-11 all all 12 5 7 1 0 0 2 2 01:01:01 late 5, limit 2',
		'all all all 16 9 7 4 1 0 2 2 -00:01:30 late 5, limit 2'], 'each month with its total, then all');
	my ($at) = $head =~ /^(.*) KEPT/;
	is(substr($rows[0], length($at) + 4, 1), '3', 'numbers end where their heads do');
	serve(\@parts);
	is(pact('history', '--summary', '--csv'), 0, 'as CSV');
	is($out, join("\r\n",
		'month,user,account,asked,accepted,refused,observed,void,kept,at_limit,broken,cancelled,withdrawn,unknown,open,slack,reasons',
		'2026-10,0,bio,4,4,0,0,0,3,0,1,0,0,0,0,-90,', '2026-11,0,,1,0,1,0,0,0,0,0,0,0,0,0,,late=1',
		'2026-11,0,"a,b",11,5,6,0,0,1,0,0,0,2,0,2,3661,late=4 limit=2', ''), 'all columns, no totals');
	serve(\@parts);
	is(pact('history', '--summary', '--json'), 0, 'as JSON');
	my $all = decode_json($out);
	is_deeply([map { scalar @{ $all->{$_} } } qw(lines months all)], [3, 2, 1], 'the parts are put together');
	is_deeply($all->{months}[1], { month => '2026-11', accepted => 5, refused => 7, kept => 1, withdrawn => 2, open => 2, slack => 3661,
		reasons => { late => 5, limit => 2 } }, 'and added up');
	serve(answer('{"lines":[]}'));
	is(pact('history', '--summary'), 0, 'of nothing');
	is(() = $out =~ /\n/g, 1, 'a head');
	serve([$parts[0], error('busy', 'later')]);
	is(pact('history', '--summary'), 6, 'one part is missing: an error');
	is($out, '', 'and no sum');
};

# ---- what would do harm ----

# Clears the screen, sets the title, CSI in one byte and in two, another line, backspaces, stray bytes, a word
# turned round, a separator of lines; what is harmless stays.
my $evil = "\e[2J\e]0;pwned\a\x9b31m\xc2\x9b31m\r\nb\b\x7f\xff\xc3(\xe2\x80\xaegnp.exe\xe2\x81\xa6\xe2\x80\xa8"
	. "\xc3\xa4\"q\",x";
# json-c takes it: control characters escaped, all else as it is.
my $quoted = $evil =~ s/(["\\])/\\$1/gr =~ s/([\x00-\x1f])/sprintf '\\u%04x', ord $1/ger;

sub harmless {
	my ($name, $text) = @_;
	my $characters = eval { decode('UTF-8', my $copy = $text, Encode::FB_CROAK) };
	ok(defined $characters, "$name: is UTF-8") or return;
	my ($bad) = $characters =~ /([\x{0}-\x{9}\x{b}-\x{1f}\x{7f}-\x{9f}\x{61c}\x{200e}\x{200f}\x{2028}-\x{202e}\x{2066}-\x{2069}])/;
	ok(!defined $bad, "$name: no control character") or diag(sprintf 'U+%04X in %s', ord $bad, $text);
}

my %evil_answer = (
	ask => qq({"promised":false,"text":"$quoted","alternatives":[{"change":"partition","partition":"$quoted","earliest":99}]}),
	explain => qq({"kind":"waiting","plan":{"waits":"$quoted","because":"$quoted","width":1,"deadline":7,
		"promise":"$quoted"},"usable":1,"down":{"nodes":"$quoted"},"reservations":[{"name":"$quoted","nodes":"$quoted"}],
		"not_planned":"$quoted","barrier":"$quoted","blockers":[{"job":3,"running":true,"width":1,"nodes":"$quoted"}]})
		=~ s/\n//gr,
	history => qq({"complete":true,"entries":[{"when":1763740800,"what":"$quoted","job":7,"user":0,"account":"$quoted",
		"reason":"$quoted","text":"$quoted"}]}) =~ s/\n//gr,
	matrix => qq({"now":1763740800,"at":1763740800,"matrices":[{"partitions":["$quoted"],"scheduler":"$quoted","nodes":2,
		"ranges":[[0,1]],"names":["$quoted","n2"],"rows":1,"placed":1,"jobs":[{"job":3,"user":0,"state":"running",
		"width":1,"ranges":[[0,0]],"turns":{"of":1,"rows":[0]}}]}]}) =~ s/\n//gr,
	plan => qq({"now":1763740800,"at":1763740800,"nodes":2,"names":["$quoted","n2"],"jobs":[{"job":3,"user":0,
		"partition":"$quoted","state":"running","width":1,"start":1763740000,"end":1763750000,"nodes":"$quoted",
		"ranges":[[0,0]],"promised":true,"deadline":1763751000}],"shares":[{"node":0,"spare":5,"jobs":[{"job":3,"share":7}]}]})
		=~ s/\n//gr,
	record => qq({"wanted":true,"recording":true,"file":"$quoted","bytes":5}),
	stats => qq({"reasons":{"no room":2}}),
	status => qq({"version":"$quoted","slurm":"$quoted","tested":false,
		"conf":{"taken":1,"refused":2,"why":"$quoted","unknown":[{"key":"$quoted","name":"$quoted","why":"$quoted"}]},"planned":true,"mode":"$quoted","safe":false,"unsafe":"$quoted",
		"history":{"trouble":"$quoted"}}) =~ s/\n//gr,
);

subtest 'harmless texts' => sub {
	for my $command (@commands) {
		serve(answer($evil_answer{$command}));
		my @argv = ($command, @{ $words{$command} // [] });
		my $want = $command eq 'ask' ? 1 : 0;
		is(pact(@argv), $want, "pact $command");
		harmless("pact $command", $out);
		next if $command eq 'stats';
		like($out, qr/\\x1b\[2J/, 'what was there can be seen') unless $command =~ /plan|history/;
		is(pact('--json', @argv), $want, "pact --json $command");
		(my $line = $out) =~ s/\n\z//;
		harmless("pact --json $command", $line);
		unlike($line, qr/\n/, 'on one line');
		my $said = eval { decode_json($line) };
		ok($said, 'JSON still') or diag($line);
		like(encode_json($said), qr/\\u001b\[2J/, 'which says the same') if $said;
	}
	serve(error('argument', $quoted));
	is(pact('status'), 2, 'an error');
	harmless('an error', $err);
	my $fffd = "\xef\xbf\xbd";
	is($err, 'pact: \x1b[2J\x1b]0;pwned\x07\x9b31m\x9b31m\x0d\x0ab\x08\x7f\xff\xc3(' . "${fffd}gnp.exe$fffd$fffd\xc3\xa4"
		. '"q",x' . "\n", 'character by character');
};

subtest 'every kind of waiting has words' => sub {
	my $source = slurp("$top/slurm/queries/query_plan.c");
	my ($table, $function) = $source =~ /wait_words\[\] = \{(.*?)\n\};(.*?)\n\}/s;
	my %kinds = map { $_ => 1 } "$table$function" =~ /"([a-z_]+)"/g;
	cmp_ok(scalar(keys %kinds), '>=', 11, 'the server has so many kinds');
	my $protocol = slurp("$top/doc/protocol.md");
	for my $kind (sort keys %kinds) {
		serve(answer(qq({"kind":"waiting","plan":{"job":5,"waits":"$kind","width":1},"usable":4,"idle":1})));
		is(pact('explain', '5'), 0, $kind);
		my ($words) = $out =~ /^job 5 (.*): needs 1 of 4 nodes, of which 1 is idle$/m;
		ok(defined $words && $words ne $kind, 'is told in words') or diag($out);
		like($words // '', qr/^(waits |is |was |has |starts )/, 'which make a sentence');
		serve(answer(qq({"now":5,"at":5,"nodes":4,"jobs":[{"job":5,"state":"waiting","waits":"$kind","width":1}]})));
		is(pact('plan'), 0, 'in the table');
		$words = ($words // '') =~ s/^waits //r;
		like($out, qr/ - +\Q$words\E$/m, 'likewise');
		like($protocol, qr/waits .*?\b$kind\b/s, 'and in the protocol');
	}
};

subtest 'what explains more' => sub {
	my @known = (
		['begin', '"begin":86400', '', 'waits for its begin time, 1970-01-02T00:00:00+00:00'],
		['dependency', '"x":1', '"dependency":"afterok:3(unfulfilled)"', 'waits for other jobs (afterok:3(unfulfilled))'],
		['slurm', '"x":1', '"reason":"PartitionDown"', 'waits as Slurm says (squeue) (PartitionDown)'],
		['held', '"x":1', '"reason":"JobHeldUser"', 'is held (JobHeldUser)'],
		['resources', '"x":1', '"reason":"Resources"', 'waits for nodes'],
		['partition', '"because":"partition p: State=DOWN"', '"reason":"PartitionDown"',
			'waits for its partition (partition p: State=DOWN)'],
		['reserved', '"because":"reservation r"', '"reason":"Resources"', 'waits for reserved nodes (reservation r)'],
		['not_started', '"x":1', '"reason":"Licenses"', 'was not started, is tried again (Licenses)'],
		['not_started', '"x":1', '"reason":"Priority"', 'was not started, is tried again'],
		['unseen', '"x":1', '"reason":"Licenses"', 'waits for what the plan cannot see (Licenses)'],
	);
	for my $k (@known) {
		my ($word, $plan, $more, $words) = @$k;
		serve(answer(qq({"kind":"waiting","plan":{"job":9,"array":7,"task":3,"waits":"$word",$plan,"width":1},"usable":4,)
			. ($more ? "$more," : '') . '"idle":0,"more":5,"blockers":[{"job":3,"running":true,"width":1,"until":86400}]}'));
		is(pact('explain', '7_3'), 0, $word);
		like($out, qr/^job 7_3 \Q$words\E: needs 1 of 4 nodes, of which 0 are idle$/m, 'with what is known');
		like($out, qr/^  5 more that end before these\n  3 /m, 'the last to end are named, the others counted');
	}
	serve(answer('{"kind":"waiting","plan":{"job":5,"waits":"reserved","width":2,"deadline":86400,"promise":"withdrawn"},'
		. '"usable":9,"idle":1,"busy":3,"partly":2,"reserved":4,"down":{"width":1,"nodes":"n9"},"blockers":[],'
		. '"reservations":[{"name":"r","start":60,"until":86400,"width":4,"nodes":"n[5-8]"},{"name":"s","start":60,"width":1}],'
		. '"in_way":{"running":1,"planned":39,"promised":2}}'));
	is(pact('explain', '5'), 0, 'what each node does');
	is($out =~ s/(T\d\d:\d\d:\d\d)[+-]\d\d:\d\d/$1/gr, <<'TEXT', 'is counted, and named');
job 5 waits for reserved nodes: needs 2 of 9 nodes, of which 1 is idle, 3 with jobs (2 in part), 4 reserved, 1 down or drained
deadline 1970-01-02T00:00:00, not promised
  reservation r takes 4 nodes n[5-8] from 1970-01-01T00:01:00 until 1970-01-02T00:00:00
  reservation s takes 1 node from 1970-01-01T00:01:00 for ever
  down or drained: n9
in its way: 1 running job, 39 planned before it, 2 of them promised
TEXT
	serve(answer('{"kind":"running","plan":{"job":5,"start":86400,"nodes":"n1"}}'));
	is(pact('explain', '5'), 0, 'a job without an end');
	is($out, "job 5 runs since 1970-01-02T00:00:00+00:00 on n1, planned for ever\n", 'has none');
	serve(answer('{"kind":"ended","job":9,"array":7,"task":3,"deadline":86400,"outcome":"kept"}'));
	is(pact('explain', '7'), 0, 'an array');
	like($out, qr/^job 7_3 was promised/, 'which task it was');
};

# A matrix of nodes 2 to 5 of a machine, two rows: a job in both, one that waits for its turn in the other, what is not for
# this user to see, one that is set aside, one by hand.
my $matrix = '{"partitions":["slice","long"],"scheduler":"mbgs","nodes":4,"ranges":[[2,3],[5,6]],"names":["n09","n10","x","y"],
	"rows":3,"used":2,"placed":4,"aside":2,"waiting":7,"row":1,"slice":4,"slice_end":1763740830,"hidden":1,
	"jobs":[
	{"job":3,"user":0,"state":"running","width":2,"ranges":[[2,3]],"turns":{"of":3,"rows":[0,1],"home":0,"share":666666,
		"next":1763740800,"since":1763740000,"got":651234,"due":666666}},
	{"job":8,"array":7,"task":1,"user":0,"state":"waiting","width":1,"ranges":[[5,5]],"turns":{"of":3,"rows":[0],"home":0,
		"share":333333,"next":1763740860}},
	{"job":9,"user":0,"state":"running","width":1,"ranges":[[6,6]],"turns":{"of":3,"rows":[],"aside":true,"share":0,
		"stopped":1763740770,"got":100000,"due":333333,"since":1763740000}},
	{"job":11,"user":0,"state":"running","width":1,"ranges":[[6,6]],"turns":{"of":3,"rows":[],"aside":true,"share":0,
		"aside_until":1763741400,"stopped":1763740772}},
	{"job":10,"user":0,"state":"running","width":1,"ranges":[[6,6]],"turns":{"of":3,"rows":[0],"home":0,"share":333333,
		"stopped":1763740771,"by_hand":true}}],
	"others":[{"row":1,"ranges":[[5,6]]}]}' =~ s/\n\s*//gr;

subtest 'the matrix' => sub {
	serve(answer(qq({"now":1763740801,"at":1763740800,"slice_length":30,"matrices":[$matrix]})));
	is(pact('matrix'), 0, 'pact matrix') or diag($err);
	is($out, <<'TEXT', 'rows by nodes, and the jobs');
The matrix of partitions slice, long (mbgs)
2025-11-21T16:00:00+00:00: 4 nodes, 4 jobs in 2 of 3 rows, 2 set aside, 7 outside; row 1 until 2025-11-21T16:00:30+00:00, in slice 4

nodes               n[09-10]     x   y
  row 0: 4                 3  7_1~  10
> row 1: 4               (3)     ?   ?
  row 2: 0                 .     .   .

Behind a row: how many nodes are taken. >: it runs. (1): a replica. 1~: not started. .: free. ?: not for you to see.

JOBID  USER  NODES  ROWS    SHARE     GOT     DUE  TURN
3      root      2  0,(1)  66.7 %  65.1 %  66.7 %  runs
7_1    root      1  0      33.3 %       -       -  begins at 16:01:00
9      root      1  -       0.0 %  10.0 %  33.3 %  stopped since 15:59:30, set aside until a row has its nodes free
11     root      1  -       0.0 %       -       -  stopped since 15:59:32, set aside for a promised job until 16:10:00
10     root      1  0      33.3 %       -       -  stopped by hand since 15:59:31
and 1 that you may not see
TEXT
	serve(answer(qq({"now":1763740801,"at":1763740800,"slice_length":30,"matrices":[$matrix]}) =~ s/"rows":3,/"rows":3,"short_rows":2,/r));
	is(pact('matrix'), 0, 'with rows for short jobs') or diag($err);
	like($out, qr/, in slice 4; rows from 1 on are kept for short jobs\n/, 'which is told');
	serve(answer(qq({"now":1763740801,"at":1763740800,"slice_length":30,"matrices":[$matrix]})));
	is(pact('matrix', '--svg', "$dir/matrix.svg"), 0, 'as a picture') or diag($err);
	my $drawn = slurp("$dir/matrix.svg");
	like($drawn, qr{<title>job 7_1: 1 node, home row 0, not started</title>}, 'with the jobs');
	like($drawn, qr{>n\[09-10\]</text>}, 'and the names of nodes');
	is(() = $drawn =~ /<title>job /g, 5, 'each once in a row, neighbours together');
	my @below = grep { /^(JOBID|TURN|-|\d+|\d+_\d|[\d.]+ %|runs|stopped .*)$/ } $drawn =~ m{^<text class="n"[^>]*>([^<]*)</text>}mg;
	like("@below", qr/ JOBID 3 7_1 9 11 10 .*? 65.1 % - 10.0 % - - /, 'with what each job got, below');
	like("@below", qr/ stopped since 15:59:30, set aside until a row has its nodes free stopped since 15:59:32, set aside /,
		'and those that are set aside');
	serve(answer(qq({"now":1,"at":1,"matrices":[$matrix,$matrix]})));
	is(pact('matrix'), 0, 'two of them');
	is(() = $out =~ /^The matrix of/mg, 2, 'are both shown');
	is(pact('matrix', '--svg', "$dir/two.svg"), 2, 'and in one picture refused');
	like($err, qr/^pact: --svg: there are 2 matrices: name a partition of one \(-p\)\n\z/, 'with what to do');
	serve(answer(qq({"now":1,"at":1,"matrices":[{"nodes":2,"ranges":[[0,1]],"rows":1,"jobs":[]}]})));
	is(pact('matrix'), 0, 'an empty one');
	like($out, qr/^nodes +0-1\n  row 0: 0 +\.$/m, 'of nodes without names') or diag($out);
	my ($one, $other) = map { "gpu-eu-central-1a-rack-0$_-chassis-12-node-3" } 1, 2;
	serve(answer(qq({"now":1,"at":1,"matrices":[{"nodes":3,"ranges":[[0,2]],"names":["$one","$other","$other-b"],"rows":1,"placed":1,)
		. '"jobs":[{"job":3,"width":1,"ranges":[[0,1]],"turns":{"of":1,"rows":[0]}}]}]}'));
	is(pact('matrix'), 0, 'nodes with long names');
	my $both = substr($one, 0, 23) . '[' . substr($one, 23) . '-' . substr($other, 23) . ']';
	like($out, qr/^nodes +\Q$_\E$/m, 'have them whole') for $both, "$other-b";
	serve(answer('{"now":1,"at":1,"matrices":[{"nodes":2,"ranges":[[0,1]],"rows":40,"placed":1,"jobs":[{"job":3,"width":1,'
		. '"ranges":[[0,1]],"turns":{"of":40,"rows":[' . join(',', 0 .. 29) . '],"home":2}}]}]}'));
	is(pact('matrix'), 0, 'a job in many rows');
	like($out, qr/^3 +root +1 +\(0\),\(1\),2,\(3\),[(\d),]+,\.\.\. /m, 'of which the first are named') or diag($out);
	serve(answer('{"now":1,"at":1,"matrices":[{"nodes":3,"ranges":[[0,2]],"rows":2,"row":1,"placed":2,"jobs":['
		. '{"job":3,"state":"running","width":1,"ranges":[[0,0]],"next_ranges":[[2,2]],"turns":{"of":2,"rows":[1],"home":1,"leaves":true}},'
		. '{"job":4,"state":"running","width":2,"ranges":[[0,1]],"turns":{"of":2,"rows":[0,1],"home":0}}]}]}'));
	is(pact('matrix'), 0, 'a job that is asked to leave its nodes');
	like($out, qr/^> row 1: 3 +3! +\(4\) +3~$/m, 'is on them before what is to have them, and where it is to go') or diag($out);
	like($out, qr/ 1!: asked to leave its nodes for another one\./, 'with the sign in words');
	like($out, qr/ runs; it is asked to leave its nodes, and goes on on others$/m, 'and in its line');
	is(pact('matrix', '--svg', "$dir/leaves.svg"), 0, 'as a picture');
	like(slurp("$dir/leaves.svg"), qr/<title>job 3: 1 node, home row 1, asked to leave its nodes for another one</, 'too');
	serve(error('not_found', 'in no partition jobs take turns'));
	is(pact('matrix'), 5, 'none: 5');
	is(pact('matrix', '--svg', "$dir/none.svg"), 5, 'as a picture, too');
};

subtest 'a job that takes turns' => sub {
	my %said = (
		'"state":"waiting","waits":"resources","turns":{"of":3,"rows":[],"share":0,"lacks":"row"}' =>
			'in none of 3 rows: no row has its nodes free',
		'"state":"waiting","waits":"resources","turns":{"of":3,"rows":[],"share":0,"lacks":"short"}' =>
			'in none of 3 rows: no row that it may have has its nodes free; the others are kept for shorter jobs',
		'"state":"waiting","waits":"resources","turns":{"of":3,"rows":[],"share":0,"lacks":"memory"}' =>
			'in none of 3 rows: a row has nodes free, but beside the other rows\' jobs not the memory or the room',
		'"state":"waiting","waits":"resources","turns":{"of":3,"rows":[],"share":0,"lacks":"held"}' =>
			'in none of 3 rows: a row has nodes free, but they are lost, reserved, promised before it would end, or those of a job that is set aside',
		'"state":"waiting","waits":"planned","turns":{"of":3,"rows":[],"share":0,"lacks":"order"}' =>
			'in none of 3 rows: a row has nodes free, and jobs before it in order are to have them',
		'"state":"waiting","waits":"resources","promised":true,"turns":{"of":3,"rows":[],"whole":true,"share":0}' =>
			'is to have its nodes in all of 3 rows',
		'"state":"waiting","waits":"begin","turns":{"of":3,"rows":[],"share":0}' => 'in none of 3 rows',
		'"state":"waiting","waits":"resources","turns":{"of":3,"rows":[2],"home":2,"share":333333,"next":86400}' =>
			'at home in row 2, in 1 of 3 rows: 33.3 % of the time',
	);
	for my $job (sort keys %said) {
		serve(answer(qq({"kind":"waiting","usable":4,"plan":{"job":5,"width":1,$job}})));
		is(pact('explain', '5'), 0, 'one that waits');
		like($out, qr/^\Q$said{$job}\E$/m, "has its rows: $said{$job}") or diag($out);
	}
	serve(answer('{"kind":"running","plan":{"job":5,"state":"running","start":86400,"nodes":"n1","turns":{"of":3,"rows":[1],'
		. '"home":1,"share":333333,"since":86400,"got":300000,"due":333333,"stopped":86500,"next":86600}}}'));
	is(pact('explain', '5'), 0, 'one that is stopped');
	is($out, <<'TEXT', 'has its next turn and its share');
job 5 began at 1970-01-02T00:00:00+00:00 on n1: stopped since 1970-01-02T00:01:40+00:00, runs next at 1970-01-02T00:03:20+00:00
at home in row 1, in 1 of 3 rows: 33.3 % of the time; since 1970-01-02T00:00:00+00:00 it was due 33.3 % and got 30.0 %
TEXT
};

subtest 'slices in stats' => sub {
	serve(answer('{"slices":{"switches":8,"suspended":10,"resumed":7,"refused":1,"repeated":3,'
		. '"migrations":{"asked":9,"moved":4,"late":2,"not_asked":1,"cost_sum":50,"cost_latest":16},"matrices":[{"scheduler":"mbgs",'
		. '"rows":5,"used":3,"placed":4,"aside":1,"waiting":2}]},'
		. '"times":{"switch":{"count":8,"sum_us":8000,"worst_us":2500,"buckets":[[1000,6],[5000,8]]}}}'));
	is(pact('stats'), 0, 'pact stats');
	like($out, qr/^slices: 8 switches, 10 jobs suspended, 7 resumed, 1 turns not taken, 3 messages repeated$/m, 'what was done');
	like($out, qr/^migrations: 9 jobs asked to leave, 4 moved, 2 too late, 1 could not be asked; C: mean 12\.5 s, latest 16 s$/m, 'migrations');
	like($out, qr/^  matrix of mbgs: 4 jobs in 3 of 5 rows, 1 set aside, 2 outside$/m, 'the matrix');
	like($out, qr/^  a switch of rows +8 +1\.000 ms +<= 1 ms +<= 5 ms +2\.500 ms$/m, 'how long it took') or diag($out);
	is(pact('stats', '--prometheus'), 0, 'for Prometheus');
	like($out, qr/^\Q$_\E$/m, $_) for 'pact_switches_total 8', 'pact_turns_total{turn="refused"} 1', 'pact_turns_repeated_total 3',
		'pact_migrations_total{outcome="asked"} 9', 'pact_migrations_total{outcome="late"} 2',
		'pact_migration_cost_seconds_sum 50', 'pact_migration_cost_seconds_count 4', 'pact_migration_cost_latest_seconds 16',
		'pact_matrix_jobs{matrix="0",state="aside"} 1', 'pact_matrix_rows{matrix="0",rows="used"} 3',
		'pact_switch_seconds_bucket{le="0.001"} 6', 'pact_switch_seconds_sum 0.008000';
	serve(answer('{}'));
	is(pact('stats', '--prometheus'), 0, 'where no jobs take turns');
	unlike($out, qr/pact_switches_total|pact_matrix/, 'there is none of it');
};

subtest 'jobs that are resized' => sub {
	my $lent = '"state":"running","start":86400,"width":6,"nodes":"n[1-6]","range":{"least":2,"most":8,"resized":true,"floor":2,"lent":4,'
		. '"asked":3,"by":86500,"leaves":"n[4-6]"}';
	my $waits = '"state":"waiting","waits":"resources","width":2,"range":{"least":2,"most":8,"resized":false}';
	serve(answer(qq({"now":86400,"at":86400,"jobs":[{"job":5,$lent},{"job":6,$waits}]})));
	is(pact('plan'), 0, 'pact plan');
	like($out, qr/^5 .* 2\+4 .* n\[1-6\] \(n\[4-6\] to be given back by 1970-01-02T00:01:40\+00:00\)$/m, 'own and lent nodes, and the wish') or diag($out);
	like($out, qr/^6 .* 2-8 /m, 'the range of one that waits');
	my $late = '"deadline":86460,"slack":-90,"promised":true,"promise":"broken"';
	serve(answer(qq({"now":86400,"at":86400,"jobs":[{"job":7,$lent,$late}]})));
	is(pact('plan', '--colour', 'never'), 0, 'one whose promise is broken as it is too narrow now');
	like($out, qr/^7 .* -00:01:30 broken n\[1-6\]/m, 'which stands there in a word') or diag($out);
	serve(answer(qq({"kind":"running","plan":{"job":5,$lent}})));
	is(pact('explain', '5'), 0, 'pact explain');
	like($out, qr/^it can use 2 to 8 nodes: 2 are its own, 4 are on loan\nasked to give back n\[4-6\] by \S+, or they are taken$/m, 'likewise')
		or diag($out);
	my $twice = $lent =~ s/(?="asked")/"later":[{"by":86530,"leaves":"n[5-6]"}],/r;
	serve(answer(qq({"now":86400,"at":86400,"jobs":[{"job":5,$twice}]})));
	is(pact('plan'), 0, 'two times to give nodes back');
	like($out, qr/ \(n\[4-6\] to be given back by \S+:40\+00:00, of these n\[5-6\] by 1970-01-02T00:02:10\+00:00\)$/m, 'both') or diag($out);
	serve(answer(qq({"kind":"running","plan":{"job":5,$twice}})));
	is(pact('explain', '5'), 0, 'pact explain of that');
	like($out, qr/^asked to give back n\[4-6\] by \S+:40\+00:00, of these n\[5-6\] by \S+:10\+00:00, or they are taken$/m, 'likewise') or diag($out);
	serve(answer(qq({"kind":"waiting","usable":8,"plan":{"job":6,$waits}})));
	is(pact('explain', '6'), 0, 'of one that waits');
	like($out, qr/^it can use 2 to 8 nodes, and keeps those that it is started on$/m, 'its range') or diag($out);
	serve(answer('{"kind":"running","plan":{"job":9,"state":"running","start":1000,"width":3,"nodes":"n[1-3]","deadline":90000,'
		. '"promise":"broken","range":{"least":4,"most":8,"resized":true,"floor":3,"lent":0,"lost":2,"done":90001}}}'));
	is(pact('explain', '9'), 0, 'of one that nodes were taken from');
	like($out, qr/^it can use 4 to 8 nodes: 3 are its own, 0 are on loan, 2 of its own are lost$/m, 'what it has lost') or diag($out);
	like($out, qr/^with the nodes that it has its work is done at 1970-01-02T01:00:01/m, 'and that it is late for that');
	serve(answer('{"resizes":{"grown":{"times":4,"nodes":9},"called_in":{"times":3,"nodes":1},"taken":{"times":0,"nodes":0},'
		. '"shrunk":{"times":2,"nodes":5},"refused":{"times":1},"not_now":{"times":6}},'
		. '"times":{"resize":{"count":8,"sum_us":8000,"worst_us":2500,"buckets":[[1000,6],[5000,8]]},'
		. '"resize_cpu":{"count":8,"sum_us":4000,"worst_us":1500,"buckets":[[1000,7],[5000,8]]}}}'));
	is(pact('stats'), 0, 'pact stats');
	like($out, qr/^resizes: grown 4 \(9 nodes\), called in 3 \(1 node\), taken 0, seen smaller 2 \(5 nodes\), could not be done 1, answered "not now" 6$/m,
		'what was done') or diag($out);
	like($out, qr/^  a resize, under slurmctld's locks +8 +1\.000 ms +<= 1 ms +<= 5 ms +2\.500 ms$/m, 'how long it took') or diag($out);
	like($out, qr/^    of it, processor time +8 +0\.500 ms /m, '  and in processor time') or diag($out);
	is(pact('stats', '--prometheus'), 0, 'for Prometheus');
	like($out, qr/^\Q$_\E$/m, $_) for 'pact_resizes_total{what="grown"} 4', 'pact_resizes_total{what="not_now"} 6',
		'pact_resized_nodes_total{what="shrunk"} 5', 'pact_resize_seconds_sum 0.008000', 'pact_resize_cpu_seconds_sum 0.004000';
	unlike($out, qr/nodes_total\{what="not_now"/, 'and of answers no nodes');
	serve(answer('{}'));
	is(pact('stats', '--prometheus'), 0, 'where no job is resized');
	unlike($out, qr/pact_resizes_total/, 'there is none of it');
	is(pact('ask', '-N2-8', '--malleable', '--value=3'), 1, 'pact ask');
	is_deeply(asked()->{args}, { nodes => 2, max_nodes => 8, malleable => '', value => '3' }, 'asks for both options');
};

subtest 'times in another zone' => sub {
	local $ENV{TZ} = 'CET-1CEST,M3.5.0,M10.5.0/3';
	serve(answer('{"now":1763740800,"at":1763740800,"nodes":2,"jobs":[{"job":3,"state":"waiting","waits":"due","width":1,'
		. '"start":1763740860,"end":1763830860,"deadline":1782900000}]}'));
	is(pact('plan'), 0, 'pact plan');
	like($out, qr/^plan of 2025-11-21T17:00:00\+01:00;/, 'with the offset from UTC');
	like($out, qr/^3 .* 17:01:00 +2025-11-22T18:01:00 +2026-07-01T12:00:00\+02:00 /m,
		'in the table only what differs from that');
	serve(answer('{"promised":false,"text":"no","earliest":1782900000,"start":1763740860}'));
	is(pact('ask'), 1, 'pact ask');
	like($out, qr/: --deadline=uts1782900000 \(2026-07-01T12:00:00\+02:00\), start 2025-11-21T17:01:00\+01:00$/m,
		'what can be given to sbatch anywhere');
	serve(answer('{"kind":"decision","when":1763740800,"reference":"Rbcdfg","text":"no","earliest":1782900000}'));
	is(pact('explain', 'Rbcdfg'), 0, 'pact explain');
	like($out, qr/then: --deadline=uts1782900000 \(2026-07-01T12:00:00\+02:00\)$/m, 'likewise');
	serve(answer('{"kind":"decision","when":1763740800,"user":0,"nodes":1,"promised":true,"text":"yes","earliest":1782900000}'));
	is(pact('explain', '--last'), 0, 'pact explain --last');
	like($out, qr/^\S+, root: 1 node .*\nyes\n\z/, 'what was accepted has no reference, and no other offer');
};

subtest 'answers that are not as agreed' => sub {
	my @ways = map { [$_, @{ $words{$_} // [] }] } @commands;
	push @ways, ['stats', '--prometheus'], ['history', '--csv'], map { [$_, '--svg', "$dir/odd.svg"] } qw(matrix plan);
	for my $odd ('{}', '[]', '7', 'null', '"x"', '{"dynp":{}}', '{"reasons":[],"dynp":{"cases":7,"policies":{}},"times":[],
		"jobs":{"a":1},"entries":[1,null],"kind":"ended","plan":[],"blockers":[{},[],5],"alternatives":[0,{}]}' =~ s/\s//gr,
		'{"matrices":[null,{"rows":2,"ranges":[[0,1]],"jobs":[null,7,{"ranges":[7,[1],[0,9],[-1,3]],"turns":{"rows":[9,"x",-1]}}],
		"others":[null,{"row":99,"ranges":[[0,0]]},{"row":-1}],"partitions":[null,7],"names":[1,null],"row":70}]}' =~ s/\s//gr,
		'{"matrices":[{"rows":1,"ranges":[[0,1]],"jobs":[{"turns":{"rows":[1' . ',-9223372036854775808' x 9 . ']}}]}]}',
		'{"matrices":[{"rows":99,"ranges":[[0,1]]},{"rows":1,"ranges":[[5,4],[0,9999999]]}]}',
		'{"kind":"waiting","jobs":[null,7,{"width":"x"}],"nodes":3,"names":[1,2,3],"down_ranges":[[0],7,[2,1],[1,9]]}') {
		serve(answer($odd));
		for my $way (@ways) {
			my $rc = pact(@$way);
			cmp_ok($rc, '<=', 10, "pact @$way: $odd") or diag("$rc $err");
		}
	}
};

subtest 'CSV' => sub {
	serve(answer($evil_answer{history}));
	is(pact('history', '--csv'), 0, 'pact history --csv');
	my @lines = split /\r\n/, $out, -1;
	is(scalar(@lines), 3, 'a head and a row, each ended by CR LF, and nothing behind');
	is($lines[2], '', 'to the end');
	harmless('CSV', join "\n", @lines);
	# RFC 4180, by its grammar.
	my $row = $lines[1];
	my @cells;
	while ($row =~ /\G(?:"((?:[^"]|"")*)"|([^",]*))(,|\z)/g) {
		my ($in_quotes, $plain, $end) = ($1, $2, $3);
		push @cells, defined $in_quotes ? $in_quotes =~ s/""/"/gr : $plain;
		last if $end eq '';
	}
	is(scalar(@cells), scalar(my @names = split /,/, $lines[0]), 'as many cells as names');
	my %cell;
	@cell{ split /,/, $lines[0] } = @cells;
	is($cell{when}, 1763740800, 'a number');
	like($cell{text}, qr/^\\x1b\[2J.*"q",x$/, 'a text with quotes and commas');
	is($cell{start}, '', 'nothing where nothing is known');
	serve(answer('{"complete":true,"entries":[{"row":1,"when":1763740800,"what":"taken","job":6,"user":0,"by":"scheduler","from":8,' .
		'"to":4,"wanted":4,"for":7,"asked":1763740740,"notice":60,"not_now":true,"took":60,"held_us":900}]}'));
	is(pact('history', '--resizes', '--csv'), 0, 'resizes');
	is_deeply([map { [split /,/, $_, -1] } split /\r\n/, $out], [[qw(when what job user account partition by from to wanted for asked
		notice not_now took held_us)], [1763740800, 'taken', 6, 0, '', '', 'scheduler', 8, 4, 4, 7, 1763740740, 60, 1, 60, 900]],
		'have columns of their own');
	serve(answer('{"complete":false,"entries":[]}'));
	is(pact('history', '--csv'), 0, 'not complete');
	is($out =~ tr/\n//, 1, 'has a head only');
	like($err, qr/not all was read/, 'and says so elsewhere');
};

subtest 'a picture' => sub {
	serve(answer($evil_answer{plan}));
	is(pact('plan', '--svg', "$dir/plan.svg"), 0, 'pact plan --svg') or diag($err);
	my $svg = slurp("$dir/plan.svg");
	harmless('SVG', $svg);
	like($svg, qr/x1b\[2J/, 'the name can be seen');
	ok(!-e "$dir/plan.svg.new", 'nothing is left beside it');
	# A job that waits for three nodes beside one that keeps the second: two parts, not three.
	serve(answer('{"now":1000,"at":1000,"nodes":4,"jobs":[{"job":1,"state":"running","width":1,"start":900,"end":5000,
		"ranges":[[1,1]]},{"job":2,"state":"waiting","width":3,"start":1000,"end":4000}]}' =~ s/\n//gr));
	is(pact('plan', '--svg', "$dir/parts.svg"), 0, 'a job in parts');
	my ($second) = slurp("$dir/parts.svg") =~ m{<g><title>job 2 [^<]*</title>(.*?)</g>}s;
	is(scalar(() = ($second // '') =~ /<rect/g), 2, 'has as few as can be');
	# A reservation, a job that would run into it, one that comes before it, and one of its own.
	serve(answer('{"now":1000,"at":1000,"nodes":4,"reservations":[{"start":2000,"end":9000,"nodes":"n1","ranges":[[0,0]]}],
		"jobs":[{"job":1,"state":"waiting","width":1,"start":1000,"end":1900},{"job":2,"state":"waiting","width":2,
		"start":1900,"end":4000},{"job":3,"state":"waiting","width":4,"start":5000,"end":6000}]}' =~ s/\n//gr));
	is(pact('plan', '--svg', "$dir/reserved.svg"), 0, 'a reservation');
	my $drawn = slurp("$dir/reserved.svg");
	my %at = map { $_ => [$drawn =~ m{<g><title>$_ [^<]*</title>\s*<rect[^>]* y="([\d.]+)"[^>]* height="([\d.]+)"}s] }
		'reserved', map { "job $_" } 1 .. 3;
	ok(defined $at{reserved}[0], 'is drawn') or return diag($drawn);
	is($at{'job 1'}[0], $at{reserved}[0], 'before it its node is free');
	cmp_ok($at{'job 2'}[0], '>', $at{reserved}[0], 'while it lasts, for others it is not');
	is($at{'job 3'}[1], 4 * $at{reserved}[1], 'but for those that have no other');
	# The first job could have the first node, which is to be reserved, or the second, which the other one needs.
	serve(answer('{"now":1000,"at":1000,"nodes":2,"reservations":[{"start":3000,"end":9000,"nodes":"n2","ranges":[[1,1]]}],
		"jobs":[{"job":1,"state":"waiting","width":1,"start":1000,"end":2900},{"job":2,"state":"waiting","width":1,
		"start":1000,"end":4000}]}' =~ s/\n//gr));
	is(pact('plan', '--svg', "$dir/reserved.svg"), 0, 'two jobs before a reservation');
	$drawn = slurp("$dir/reserved.svg");
	%at = map { $_ => $drawn =~ m{<g><title>$_ [^<]*</title>\s*<rect[^>]* y="([\d.]+)"}s } 'reserved', 'job 1', 'job 2';
	is($at{'job 1'}, $at{reserved}, 'the shorter one ends before it');
	cmp_ok($at{'job 2'}, '<', $at{reserved}, 'the longer one is beside it');
	# A node that drains.
	serve(answer('{"now":1000,"at":1000,"nodes":2,"down_ranges":[[0,0]],"jobs":[{"job":1,"state":"running","width":1,
		"start":900,"end":2000,"ranges":[[0,0]]},{"job":2,"state":"waiting","width":1,"start":2000,"end":4000}]}'
		=~ s/\n//gr));
	is(pact('plan', '--svg', "$dir/drain.svg"), 0, 'a node that drains');
	$drawn = slurp("$dir/drain.svg");
	%at = map { $_ => $drawn =~ m{<g><title>$_ [^<]*</title>\s*<rect[^>]* y="([\d.]+)"}s } 'job 1', 'job 2';
	cmp_ok($at{'job 2'}, '>', $at{'job 1'}, 'is not used again after its job');
	# Of four nodes a job is to give back the first and the third; the one that waits gets them.
	serve(answer('{"now":1000,"at":1000,"nodes":4,"jobs":[{"job":1,"state":"running","width":4,"start":900,"end":5000,
		"ranges":[[0,3]],"range":{"least":2,"most":4,"by":1500,"leaves_ranges":[[0,0],[2,2]]}},{"job":2,"state":"waiting","width":2,
		"start":1500,"end":4000}]}' =~ s/\n//gr));
	is(pact('plan', '--svg', "$dir/leaves.svg"), 0, 'nodes that a job is to give back');
	my %part = map { my $id = $_; ($id => [slurp("$dir/leaves.svg") =~ m{<g><title>job $id [^<]*</title>(.*?)</g>}s]) } 1, 2;
	my @first = $part{1}[0] =~ m{<rect class="[^"]*" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"/>}g;
	my @then = $part{2}[0] =~ m{<rect class="[^"]*" x="([\d.]+)" y="([\d.]+)"}g;
	is(scalar(@first) / 4, 3, 'all of them until then, and two of them from then on');
	is("$first[4] $first[8]", "$then[0] $then[2]", 'when another one has the others');
	is(join(' ', sort { $a <=> $b } @first[5, 9], @then[1, 3]), join(' ', map { sprintf('%g', $first[1] + $_ * $first[3] / 4) } 0 .. 3),
		'each on nodes of its own');
	like(slurp("$dir/leaves.svg"), qr/<title>job 1 [^<]*\(running\): 2 to 4 nodes,/, 'and so says the tooltip');
	# Two jobs that share the first node, one of which has the second, too; and a task of an array that has the third.
	my $shared = '{"now":1000,"at":1000,"nodes":4,"names":["a1","a2","a3","a4"],"jobs":[
		{"job":5,"state":"running","width":2,"start":900,"end":2000,"ranges":[[0,1]],"promised":true,"deadline":2500},
		{"job":6,"state":"running","width":1,"start":950,"end":1500,"ranges":[[0,0]]},
		{"job":8,"array":7,"task":2,"state":"running","width":1,"start":990,"end":1600,"ranges":[[2,2]]}],
		"shares":[{"node":0,"spare":119600,"jobs":[{"job":6,"share":400000,"end":1500},{"job":5,"share":500000,"end":2000}],
		"others":100000},{"node":1,"spare":750000,"jobs":[{"job":5,"share":1000000,"end":1300}]},
		{"node":2,"spare":0,"jobs":[{"job":8,"array":7,"task":2,"share":250000}]}]}' =~ s/\n\s*//gr;
	serve(answer($shared));
	is(pact('plan'), 0, 'nodes that jobs share');
	like($out, qr/^NODE +SPARE +JOBS WITH THEIR SHARES, AND UNTIL WHEN$/m, 'have a head');
	like($out, qr/^a1 +12 % +6 40 % to \S*00:25:00\S*, 5 50 % to \S*00:33:20\S*, 10 % are not for you to see$/m, 'and a line each');
	like($out, qr/^a2 +75 % +5 100 % to \S*00:21:40\S*\na3 +0 % +7_2 25 %$/m, 'ends where they are known') or diag($out);
	is(pact('plan', '--svg', "$dir/shared.svg"), 0, 'in a picture');
	$drawn = slurp("$dir/shared.svg");
	my ($top, $all) = $drawn =~ /<rect class="f" x="[\d.]+" y="([\d.]+)" width="[\d.]+" height="([\d.]+)"/;
	my %bands;
	for my $group ($drawn =~ m{<g>(<title>job .*?)</g>}gs) {
		my ($id) = $group =~ /job (\S+)/;
		push @{ $bands{$id} }, [map { sprintf '%.2f', $_ * 4 / $all } $1 - $top, $2]
			while $group =~ /<rect class="i [kt]\w"[^>]* y="([\d.]+)"[^>]* height="([\d.]+)"/g;
	}
	is_deeply(\%bands, { 6 => [['0.00', '0.40']], 5 => [['0.40', '0.50'], ['1.00', '1.00']], 8 => [['2.00', '0.25']] },
		'they have bands as high as their shares') or diag($drawn);
	like($drawn, qr/bands are as high as their shares now/, 'which is said');
	is(pact('plan', '--svg', "$dir/no/such.svg"), 2, 'a file that cannot be written: 2');
	like($err, qr/such\.svg: No such file/, 'which is named');
	serve(answer('{"nodes":0,"jobs":[]}'));
	is(pact('plan', '--svg', "$dir/none.svg"), 2, 'no plan to draw');
	ok(!-e "$dir/none.svg" && !-e "$dir/none.svg.new", 'leaves no file');
};

subtest 'watching' => sub {
	serve(answer($evil_answer{plan}));
	my $pid = start('plan', '--watch=1');
	my $until = time + 60;
	sleep 0.1 until (() = slurp("$dir/out") =~ /^plan of /mg) >= 2 || time > $until;
	kill 'TERM', $pid;
	waitpid $pid, 0;
	cmp_ok(scalar(() = slurp("$dir/out") =~ /^plan of /mg), '>=', 2, 'pact plan --watch says it again');
	harmless('watched', slurp("$dir/out"));
	$pid = start('plan', '--watch=1', '--svg', "$dir/watched.svg");
	my $drawn = 0;
	for ($until = time + 60; $drawn < 2 && time < $until; sleep 0.1) {
		$drawn += unlink "$dir/watched.svg";
	}
	kill 'TERM', $pid;
	waitpid $pid, 0;
	is($drawn, 2, 'pact plan --watch --svg draws it again');
	serve(answer(qq({"now":1763740801,"at":1763740800,"slice_length":30,"matrices":[$matrix]})));
	$pid = start('matrix', '--watch=1');
	$until = time + 60;
	sleep 0.1 until (() = slurp("$dir/out") =~ /^The matrix of /mg) >= 2 || time > $until;
	kill 'TERM', $pid;
	waitpid $pid, 0;
	cmp_ok(scalar(() = slurp("$dir/out") =~ /^> row 1: 4 /mg), '>=', 2, 'pact matrix --watch shows it again');
};

# With as many reservations as there are jobs, each is no more work than a job.
subtest 'many reservations' => sub {
	my $nodes = 300;
	my $drawn = sub {
		my ($njobs, $nresvs) = @_;
		my @jobs = map { qq({"job":$_,"user":0,"partition":"p","state":"waiting","waits":"resources","width":2,) .
				'"start":' . (90000 + 60 * $_) . ',"end":' . (90600 + 60 * $_) . '}' } 1 .. $njobs;
		my @resvs = map { my $n = $_ % $nodes; qq({"name":"r$_","start":) . (500000 + $_) . ',"end":' . (500100 + $_) .
				",\"ranges\":[[$n,$n]]}" } 1 .. $nresvs;
		serve(answer(qq({"now":86400,"at":86400,"nodes":$nodes,"jobs":[) . join(',', @jobs) . '],"reservations":[' .
				join(',', @resvs) . ']}'));
		my ($user, $system) = (POSIX::times())[3, 4];
		is(pact('plan', '--svg', "$dir/many.svg"), 0, "$njobs jobs, $nresvs reservations") or diag($err);
		my ($user2, $system2) = (POSIX::times())[3, 4];
		return $user2 - $user + $system2 - $system + 1;    # a clock tick
	};
	my ($plain, $reserved) = ($drawn->(10000, 0), $drawn->(5000, 5000));
	cmp_ok($reserved, '<', 10 * $plain, 'cost no more than as many jobs, by far') or diag("$plain $reserved");
	unlink "$dir/many.svg";
};

# On a terminal of so many rows and columns: what pact writes until there are two pages of it.
sub on_terminal {
	my ($rows, $columns, @argv) = @_;
	unlink "$dir/typed";
	my $pid = quietly({}, 'script', '-qfec', "stty rows $rows cols $columns; exec $pact @argv", "$dir/typed");
	my $until = time + 60;
	sleep 0.1 until (() = slurp("$dir/typed") =~ /\e\[H/g) >= 3 || time > $until || waitpid($pid, POSIX::WNOHANG()) == $pid;
	kill 'TERM', $pid;
	waitpid $pid, 0;
	return (split /\e\[H/, slurp("$dir/typed"))[2];
}

subtest 'watching on a terminal' => sub {
	plan skip_all => 'there are no terminals here'
		unless system("script -qec true $dir/typed </dev/null >/dev/null 2>&1") == 0;
	my @jobs = map { qq({"job":$_,"user":0,"partition":"p","state":"waiting","waits":"resources","width":1}) } 1 .. 40;
	serve(answer('{"now":86400,"at":86400,"nodes":2,"jobs":[' . join(',', @jobs) . ']}'));
	my $page = on_terminal(12, 50, 'plan', '--watch=1') // '';
	my @lines = map { s/\e\[[\d;]*[A-Za-z]//gr } split /\r?\n/, $page;
	is(scalar(grep { length } @lines), 11, 'as many lines as there is room for') or diag($page);
	is(scalar(grep { length > 50 } @lines), 0, 'none longer than the screen is wide');
	like($lines[0] // '', qr/^plan of /, 'from the first one on');
	is($lines[10], '... 32 more', 'the last says how many there are besides');
	silence();
	$page = on_terminal(12, 50, 'plan', '--watch=1') // '';
	like($page, qr/^(?:\e\[K)?pact: /, 'no slurmctld: it says so in their place, and waits');
};

subtest 'what is wrong with pact.conf' => sub {
	serve(answer('{"conf":{"taken":1763740800,"refused":1763744400,"why":"Mode=slrum: must be slurm or paper",' .
		'"unknown":[{"key":"AllowQOS","name":"fats","why":"there is none"}]},"no_plan":"there is no plan"}'));
	is(pact('status'), 0, 'is no error of the question');
	like($out, qr/^pact\.conf was refused at 2025-\S+, that of 2025-\S+ stays in force: Mode=slrum: must be slurm or paper$/m,
		'a refused one: when, why, and which one is in force');
	like($out, qr/^pact\.conf: AllowQOS=fats: there is none$/m, 'a name');
	serve(answer('{"conf":{"taken":1763740800},"no_plan":"there is no plan"}'));
	pact('status');
	unlike($out, qr/pact\.conf/, 'nothing of one that is right');
};

subtest 'colours' => sub {
	serve(answer('{"planned":true,"safe":true,"at_risk":1,"open":1}'));
	pact('status');
	unlike($out, qr/\e/, 'none into a file');
	pact('--colour=always', 'status');
	like($out, qr/\e\[31m1\e\[0m/, 'but on demand');
	pact('--color', 'never', 'status');
	unlike($out, qr/\e/, 'or never');
	pact('--colour=always', 'status', '--colour=auto');
	unlike($out, qr/\e/, 'the last one counts');
};

done_testing;
