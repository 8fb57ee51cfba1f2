#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 76-rest: what slurmrestd shows of a promise and of a refusal (doc/works-with.md). It takes neither root nor
# SlurmUser for its users, so this is for root, who can be somebody else.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Test::More;
use Cluster;
use IO::Socket::UNIX;
use JSON::PP;

plan skip_all => 'slurmrestd is not installed' unless grep { -x "$_/slurmrestd" } '/usr/sbin', split(/:/, $ENV{PATH});
plan skip_all => 'only root can be somebody else' if $>;
my ($user) = (getpwnam 'nobody')[2];
plan skip_all => 'there is no user nobody' unless defined $user;

my $c = Cluster->up(nodes => 4);
my ($major) = $c->out('sinfo', '-V') =~ /(\d+)\./;
# The newest interface of either release, and whether it has values that may be unset or infinite.
my ($api, $numbers, $part) = $major < 23 ? ('v0.0.38', 0, 'v0.0.38') : ('v0.0.42', 1, 'slurmctld');
my $dir = "$c->{dir}/rest";
mkdir $dir;
chown $user, -1, $dir;
my $socket = "$dir/socket";
my $daemon = $c->spawn({ as => $user }, 'slurmrestd', '-a', 'rest_auth/local',
	'-s', "openapi/$part", "unix:$socket");

# An answer of slurmrestd: its status, and the body as a structure.
sub ask {
	my ($method, $path, $body) = @_;
	my $text = defined $body ? encode_json($body) : '';
	pipe(my $read, my $write) or die "pipe: $!";
	my $pid = fork // die "fork: $!";
	if (!$pid) {
		close($read);
		$> = $user;
		my $s = IO::Socket::UNIX->new(Peer => $socket) or POSIX::_exit(1);
		print $s "$method /slurm/$api/$path HTTP/1.1\r\nHost: localhost\r\nConnection: Close\r\n" .
			"Content-Type: application/json\r\nContent-Length: " . length($text) . "\r\n\r\n$text";
		$s->flush;
		print $write $_ while <$s>;
		close($write);
		POSIX::_exit(0);
	}
	close($write);
	my $answer = do { local $/; <$read> } // '';
	waitpid $pid, 0;
	my ($status) = $answer =~ m{^HTTP/\S+ (\d+)};
	my ($json) = $answer =~ /\r?\n\r?\n(\{.*)/s;
	# 24.11 says more behind it.
	return ($status // 0, defined $json ? (JSON::PP->new->utf8->decode_prefix($json))[0] : {});
}

sub submit {
	my ($nodes, $minutes, $deadline) = @_;
	return ask('POST', 'job/submit', {
		script => "#!/bin/sh\nexec sleep 3600\n",
		job => {
			name => 'rest', current_working_directory => '/tmp',
			standard_output => '/dev/null', standard_error => '/dev/null',
			nodes => $numbers ? "$nodes" : $nodes,
			time_limit => $numbers ? { set => JSON::PP::true, number => $minutes } : $minutes,
			deadline => $numbers ? 0 + $deadline : "uts$deadline",
			environment => $numbers ? ['PATH=/bin:/usr/bin'] : { PATH => '/bin:/usr/bin' },
		},
	});
}

ok($c->wait_for('slurmrestd', sub { -S $socket && (ask('GET', 'ping'))[0] == 200 }, 30), 'slurmrestd answers')
	or diag(Cluster::slurp("$daemon->{base}.err"));

my $by = $c->now + 7200;
my ($status, $r) = submit(2, 30, $by);
is($status, 200, 'a job that can be promised') or diag(encode_json($r));
my $id = $r->{job_id};
ok($id, '  has a number');
my $told = $r->{job_submit_user_msg} // '';
like($told, qr/^deadline: accepted: completes by \S+, planned start \S+$/, '  and the answer, where REST puts it');
diag(encode_json($r)) unless $told;

($status, $r) = ask('GET', 'job/' . ($id // 0));
my $job = $r->{jobs}[0] // {};
like($job->{admin_comment} // '', qr/pact1\(id=\w+,deadline=$by,limit=1800,state=promised\)/, 'it shows the promise');
my $shown = ref $job->{deadline} ? $job->{deadline}{number} : $job->{deadline};
is($shown, $by, '  and the deadline');

($status, $r) = submit(4, 300, $by);
is($status, 500, 'a job that cannot') or diag(encode_json($r));
ok(!$r->{job_id}, '  has no number');
my ($error) = @{ $r->{errors} // [] };
is($error->{error_code} // $error->{error_number}, 2051, '  but the error of Slurm: ESLURM_INVALID_TIME_LIMIT');
unlike(encode_json($r), qr/refused|promised/, '  REST has none of our words');
my $words = qr/deadline: refused: 4 nodes .*earliest that can be promised: --deadline=uts\d+ .*; pact explain (R\w+)/;
like(Cluster::slurp("$daemon->{base}.err"), $words, '  they are in the log of slurmrestd');
like($c->log_text, qr/uid $user: $words/, '  and in that of slurmctld');

my ($reference) = $c->log_text =~ $words;
my $explained = $c->cmd({ as => $user }, "$Cluster::build/contrib/pact/pact", 'explain', $reference // 'none');
like($explained->{out}, qr/4 nodes .*earliest that can be promised/s, 'pact explain tells it by its reference')
	or diag($explained->{err});
$explained = $c->cmd({ as => $user }, "$Cluster::build/contrib/pact/pact", 'explain', '--last');
like($explained->{out}, qr/4 nodes .*earliest that can be promised/s, '  and to the user without it')
	or diag($explained->{err});

kill 'TERM', $daemon->{pid};
$c->finish($daemon);
$c->healthy;
done_testing;
