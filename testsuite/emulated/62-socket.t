#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 62-socket: the query socket's lines, limits and identities, spoken to without pact itself.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Test::More;
use Cluster;
use IO::Select;
use IO::Socket::UNIX;
use JSON::PP;
use Socket qw(SOCK_STREAM);

my $c = Cluster->up(nodes => 2, pact => "Guard=60\nAdmissionTime=5000\nSocketTimeout=20\nSocketRate=1000\n");
my $path = $c->{env}{PACT_SOCKET};
my $pact = "$Cluster::build/contrib/pact/pact";

ok($c->wait_for('the socket', sub { -S $path }), 'the socket is there');
is(sprintf('%04o', (stat $path)[2] & 07777), '0777', 'with the rights of SocketMode');

# A connection: { fh, greeting }.
sub dial {
	my $fh = IO::Socket::UNIX->new(Type => SOCK_STREAM, Peer => $path) or return;
	my $s = { fh => $fh, buf => '' };
	$s->{greeting} = answer($s);
	return $s;
}

# The next line, read; undef: the connection is closed; dies after a minute of silence.
sub answer {
	my $s = shift;
	my $end;
	while (($end = index $s->{buf}, "\n") < 0) {
		IO::Select->new($s->{fh})->can_read($Cluster::timeout) or die "no answer\n";
		sysread($s->{fh}, $s->{buf}, 65536, length $s->{buf}) or return undef;
	}
	my $line = substr $s->{buf}, 0, $end + 1, '';
	return decode_json($line);
}

sub say_line {
	my ($s, $text) = @_;
	local $SIG{PIPE} = 'IGNORE';
	my $at = 0;
	while ($at < length $text) {
		my $n = syswrite($s->{fh}, $text, length($text) - $at, $at);
		return 0 unless $n;
		$at += $n;
	}
	return 1;
}

# A munge credential of a user.
sub credential {
	my $as = shift;
	my $socket = $_[0] // "$c->{dir}/c/munge/socket";
	my $cred = $c->out(defined $as ? { as => $as } : {}, 'munge', '-n', '-S', $socket);
	return $cred;
}

sub request {
	my ($s, %o) = @_;
	$o{cred} //= credential();
	return unless say_line($s, encode_json({ pact => 1, %o }) . "\n");
	return answer($s);
}

subtest 'a request and its answer' => sub {
	my $s = dial();
	is($s->{greeting}{pact}, 1, 'the greeting has the version of the protocol');
	is($s->{greeting}{munge}, "$c->{dir}/c/munge/socket", 'and where to get a credential');
	my $r = request($s, request => 'status', id => 'x-1');
	ok($r->{ok}, 'it is answered') or diag(encode_json($r));
	is($r->{id}, 'x-1', 'under its id');
	my ($version) = $c->out('sinfo', '-V') =~ /([\d.]+)/;
	is($r->{answer}{slurm}, $version, 'with content');
	$r = request($s, request => 'status', id => 7);
	is($r->{id}, 7, 'again on the same connection');
	ok(say_line($s, join '', map { encode_json({ pact => 1, request => 'status', id => $_, cred => credential() }) . "\n" }
		1 .. 3), 'three at once');
	is_deeply([map { answer($s)->{id} } 1 .. 3], [1, 2, 3], 'are answered in their order');
};

subtest 'what is wrong is named, and closes the connection' => sub {
	for (['syntax', '{"pact":1,'], ['syntax', '[]'], ['syntax', ''], ['syntax', '{"pact":1}'], ['version', '{"pact":2}'],
		['syntax', '[' x 2000], ['syntax', "{\"pact\":1,\"request\":\"\xff\",\"cred\":\"x\"}"],
		['identity', '{"pact":1,"request":"status"}'], ['identity', '{"pact":1,"request":"status","cred":"MUNGE:xyz:"}']) {
		my ($code, $line) = @$_;
		my $s = dial();
		say_line($s, "$line\n");
		my $r = answer($s);
		is($r->{error}{code}, $code, "$code: " . substr($line, 0, 50));
		is(answer($s), undef, 'closed');
	}
	my $r = request(dial(), request => 'no-such');
	is($r->{error}{code}, 'unknown', 'an unknown request');
	$r = request(dial(), request => 'status', args => { x => 1 });
	is($r->{error}{code}, 'argument', 'an unknown argument, also where there are none');
	my $s = dial();
	say_line($s, 'x' x 70000);
	is(answer($s)->{error}{code}, 'too_long', 'a line that is too long');
};

subtest 'whose credential it is' => sub {
	my $cred = credential();
	ok(request(dial(), request => 'status', cred => $cred)->{ok}, 'one\'s own is taken');
	my $r = request(dial(), request => 'status', cred => $cred);
	is($r->{error}{code}, 'identity', 'but not twice');
	like($r->{error}{text}, qr/[Rr]eplayed/, 'it says why');
	SKIP: {
		skip 'only root can be somebody else', 2 if $>;
		$r = request(dial(), request => 'status', cred => credential(65534));
		is($r->{error}{code}, 'identity', 'nor somebody else\'s');
		like($r->{error}{text}, qr/uid 65534's.*uid 0's/, 'it says whose');
	}
};

subtest 'the client of doc/protocol.md' => sub {
	my ($code) = Cluster::slurp("$Cluster::top/doc/protocol.md") =~ /^## A client\n.*?\n\n((?:    [^\n]*\n|\n)+)/ms;
	ok($code, 'is there') or return;
	my $client = $c->file('client', $code =~ s/^    //gmr);
	my $r = $c->cmd('perl', $client, $path, 'status');
	is($r->{rc}, 0, 'works as it stands') or return diag($r->{err});
	ok(decode_json($r->{out})->{slurm}, 'and prints the answer');
	$r = $c->cmd('perl', $client, $path, 'explain', '{"job":4711}');
	isnt($r->{rc}, 0, 'an error');
	like($r->{err}, qr/^not_found: job 4711: /, 'is told');
};

# How many of these are still open; the others have been told why not.
sub still_open {
	my $open = 0;
	for my $s (@_) {
		my $said = IO::Select->new($s->{fh})->can_read(0) ? answer($s) : 0;
		$open++ unless $said || !defined $said;
		is($said->{error}{code}, 'too_many', 'one that made way is told') if $said;
	}
	return $open;
}

subtest 'too many connections' => sub {
	my @all = map { dial() } 1 .. 30;
	is(scalar(grep { $_->{greeting} && !$_->{greeting}{error} } @all), 30, 'a new one is let in');
	is(still_open(@all), 16, 'but one user has so many at once');
	ok(request($all[-1], request => 'status')->{ok}, 'the newest are those');
};

# Idle connections last as long as the test does: without more nobody would get in.
subtest 'a hundred idle connections' => sub {
	$c->reconfigure("Guard=60\nAdmissionTime=5000\nSocketTimeout=3600\nSocketRate=20\n");
	my %users = ('of root, or whoever it is' => [$>]);
	%users = (%users, 'of another user' => [60001], 'of four' => [60011 .. 60014], 'of a hundred' => [60101 .. 60200])
		unless $>;
	for my $whose (sort keys %users) {
		my @uids = @{ $users{$whose} };
		my @idle;
		for my $i (1 .. 100) {
			local $> = $uids[$i % @uids]; # the kernel notes who connects
			my $s = dial();
			push @idle, $s if $s && $s->{greeting} && !$s->{greeting}{error};
		}
		cmp_ok(scalar @idle, '>=', 16, "connections $whose, which say nothing") or diag(scalar @idle);
		my $r = $c->cmd($pact, 'status');
		is($r->{rc}, 0, 'one\'s own question is answered') or diag($r->{err});
		next if $>;
		$r = $c->cmd({ as => 60999 }, $pact, 'status');
		is($r->{rc}, 0, 'so is that of somebody else') or diag($r->{err});
	}
};

subtest 'connecting all the time' => sub {
	plan skip_all => 'only root can be several users' if $>;
	$c->reconfigure("Guard=60\nAdmissionTime=5000\nSocketRate=20\n");
	my $began = time;
	{
		local $> = 60009;
		for (1 .. 4000) {
			IO::Socket::UNIX->new(Type => SOCK_STREAM, Peer => $path) or die "$path: $!";
		}
	}
	# 3200 connections a second and what the backlog holds; unhindered it takes less than one
	cmp_ok(time - $began, '>=', 1, 'is slowed down');
	ok(request(dial(), request => 'status')->{ok}, 'others are answered');
	my $s;
	ok($c->wait_for('his turn', sub {
		local $> = 60009;
		$s = dial();
		return $s && $s->{greeting} && !$s->{greeting}{error};
	}), 'who did it is let in again, soon');
	ok(request($s, request => 'status', cred => credential(60009))->{ok}, 'and answered');
};

subtest 'pact' => sub {
	my $r;
	ok($c->wait_for('a plan', sub { ($r = $c->cmd($pact, 'status'))->{out} =~ /^plan of/m }), 'there is a plan');
	is($r->{rc}, 0, 'pact status') or diag($r->{err});
	like($r->{out}, qr/in slurmctld \d/, 'says what it is');
	like($r->{out}, qr/^2 nodes/m, 'and has a plan') or diag($r->{out});
	my @ids = map { $c->plain(['-N2', '-t10']) } 1 .. 2;
	ok($c->wait_for('one of each', sub { ($r = $c->cmd($pact, 'status'))->{out} =~ /^2 nodes, 1 job runs, 1 waits$/m }),
		'one job runs, as a person would write it') or diag($r->{out});
	$c->cmd('scancel', @ids);
	$c->idle;
	$r = $c->cmd($pact, '--json', 'status');
	is(decode_json($r->{out})->{nodes}, 2, '--json');
	unlike($r->{out}, qr/\e/, 'no colours where there is no terminal');
	like($c->cmd($pact, '--colour', 'always', 'status')->{out}, qr/\e\[/, 'unless they are wanted');
	is($c->cmd($pact, '--socket', "$c->{dir}/nothing", 'status')->{rc}, 3, 'nobody there: 3');
	is($c->cmd($pact, 'nonsense')->{rc}, 2, 'usage: 2');
};

subtest 'the configuration is followed' => sub {
	my $mark = $c->log_mark;
	$c->reconfigure("Guard=60\nAdmissionTime=5000\nSocket=$c->{dir}/c/run/other.sock\nSocketMode=0600\n");
	ok($c->wait_for('the other socket', sub { -S "$c->{dir}/c/run/other.sock" }), 'another path');
	is(sprintf('%04o', (stat "$c->{dir}/c/run/other.sock")[2] & 07777), '0600', 'another mode');
	SKIP: {
		skip 'only root can be somebody else', 2 if $>;
		my $r = $c->cmd({ as => 65534 }, $pact, '--socket', "$c->{dir}/c/run/other.sock", 'status');
		is($r->{rc}, 4, 'not for others: 4');
		like($r->{err}, qr/other\.sock: Permission denied \(SocketMode/, 'they are told why') or diag($r->{err});
	}
	ok(!-e $path, 'the old one is gone');
	$c->reconfigure("Guard=60\nAdmissionTime=5000\nSocket=none\n");
	ok($c->wait_for('none', sub { !-e "$c->{dir}/c/run/other.sock" }), 'none at all');
	for ("Socket=relative", "SocketMode=rw", "SocketRate=-1", "SocketTimeout=0") {
		$mark = $c->log_mark;
		$c->reconfigure("$_\n");
		my ($key, $value) = split /=/;
		ok($c->log_has(qr/pact.conf refused.*$key=\Q$value\E: must be/, $mark), "$_ is refused");
	}
	ok(!-e $path, 'and what was in force stays');
};

# As where SlurmUser may not make /run/pact.
subtest 'a directory that cannot be made' => sub {
	my $dir = "$c->{dir}/c/run/none/deep";
	my $mark = $c->log_mark;
	$c->reconfigure("Guard=60\nAdmissionTime=5000\nSocket=$dir/pact.sock\n");
	my $user = getpwuid $>;
	ok($c->log_has(qr/error: sched\/qops: Socket=$dir\/pact\.sock: cannot make the directory $dir: No such file or directory, for SlurmUser=$user:/,
		$mark), 'the log names the key, the directory, what is wrong and SlurmUser') or diag($c->log_text($mark));
	my $r = $c->cmd($pact, '--socket', "$dir/pact.sock", 'status');
	is($r->{rc}, 3, 'pact status: 3');
	like($r->{err}, qr/^pact: $dir\/pact\.sock: its directory does not exist: slurmctld could not make it/,
		'it begins with that, not with a slurmctld that is missing') or diag($r->{err});
	my $id = $c->accepted('slurmctld goes on: a promise', ['-N1', '-t1', '--deadline=now+1hour'])->{id};
	$c->reaches('and a start', $id, 'RUNNING|COMPLETED');
	$mark = $c->log_mark;
	mkdir "$c->{dir}/c/run/none";
	symlink "$c->{dir}/c/run/nowhere/at/all", $dir;
	ok($c->log_has(qr/Socket=$dir\/pact\.sock: (?!cannot make the directory $dir: No such).*for SlurmUser=$user:/, $mark),
		'another trouble is told as well') or diag($c->log_text($mark));
	unlink $dir;
	ok($c->wait_for('the socket', sub { -S "$dir/pact.sock" }), 'when it can be made, it is, and nobody had to ask for it');
	is($c->cmd($pact, '--socket', "$dir/pact.sock", 'status')->{rc}, 0, 'pact status');
};

# As the machine's own unit starts slurmctld: by its User= (24.11), or as root, which then becomes SlurmUser (22.05).
subtest 'the directory that systemd makes' => sub {
	plan skip_all => 'only root can be another user' if $>;
	my ($unit) = grep { -r } map { "$_/systemd/system/slurmctld.service" } qw(/etc /lib /usr/lib);
	my ($user) = $unit ? Cluster::slurp($unit) =~ /^User=(\S+)/m : ();
	$user //= 'slurm';
	my $uid = getpwnam $user;
	plan skip_all => "there is no user $user" unless defined $uid;
	plan skip_all => 'systemd-tmpfiles is not installed' if system('systemd-tmpfiles --version >/dev/null 2>&1');
	my $root = "$c->{dir}/root";
	system("mkdir -p $root/etc $root/run $root/usr/lib/tmpfiles.d && cp /etc/passwd /etc/group $root/etc/ &&" .
		" cp $Cluster::top/contrib/systemd/pact.conf $root/usr/lib/tmpfiles.d/") == 0 or die;
	my $r = $c->cmd('systemd-tmpfiles', "--root=$root", '--create', 'pact.conf');
	is($r->{rc}, 0, 'systemd-tmpfiles --create pact.conf') or diag($r->{err});
	is((stat "$root/run/pact")[4], $uid, "makes a directory of $user, as whom the unit runs slurmctld");
	my $home = "$c->{dir}/$user";
	mkdir $home;
	chown $uid, -1, $home;
	my $conf = $c->file('pact-of-user', "Guard=60\nSocket=$root/run/pact/pact.sock\n");
	my @emulate = ({ as => $uid }, 'env', '-u', 'SLURM_CONF', '-u', 'PACT_SOCKET', $Cluster::emulate, '--dir', "$home/c");
	$r = $c->cmd(@emulate, qw(up --nodes 1 --sched qops --submit deadline --plugin-dir), Cluster::plugin_dir(),
		'--pact-conf', $conf);
	is($r->{rc}, 0, "slurmctld as $user") or diag($r->{err});
	ok($c->wait_for('the socket', sub { -S "$root/run/pact/pact.sock" }), 'makes its socket there')
		or diag(`tail -5 $home/c/log/controller.log`);
	$r = $c->cmd($pact, '--socket', "$root/run/pact/pact.sock", 'status');
	is($r->{rc}, 0, 'and answers') or diag($r->{err});
	$c->cmd(@emulate, 'down', '--purge');
};

$c->healthy;
done_testing;
