#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 64-record: a recording of 200 submissions, begun with the controller and anew by a reconfiguration, is
# played by pact-sim without one decision that differs; a changed event is found; pact record begins and
# ends it; what cannot be written stops the recording and nothing else.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Test::More;
use Cluster;
use JSON::PP;

my $sim = ($ENV{PACT_BUILD} // 'build/main') . '/sim/pact-sim';
my $dir = "/tmp/pact-record-$$";
END { system('rm', '-rf', $dir) if $dir }

my $c = Cluster->up(nodes => 8, pact => "Record=on\nRecordDir=$dir\nRecordFiles=3\nAdmissionTime=5000\nSocketRate=0\n");

sub files {
	my @found = sort glob "$dir/pact-*.rec";
	return @found;
}

sub submit {
	my ($from, $to) = @_;
	my $accepted = 0;
	for my $i ($from .. $to) {
		my @deadline = $i % 3 ? ('--deadline=now+' . (2 + $i % 7) . 'hours') : ();
		my $out = $c->out('sbatch', '-N' . (1 + $i % 4), '-t' . (1 + $i % 50), @deadline,
			'-o', '/dev/null', '--wrap', 'sleep ' . (1 + $i % 3));
		$accepted++ if $out =~ /Submitted/;
	}
	return $accepted;
}

sub play {
	my @files = @_;
	my $out = qx{$sim replay @files 2>&1};
	return ($? >> 8, $out);
}

cmp_ok(submit(1, 100), '>', 20, 'jobs are submitted');
$c->reconfigure;
$c->wait_for('a second file', sub { files() >= 2 });
cmp_ok(submit(101, 200), '>', 5, 'and more of them');
$c->cmd('scancel', '--state=PENDING', '-u', scalar getpwuid($<));
# What is queued is written at once when the disk is idle: wait until nothing more comes.
my $size = -1;
$c->wait_for('the recording is written', sub {
	my $now = 0;
	$now += -s $_ for files();
	my $same = $now == $size;
	$size = $now;
	select(undef, undef, undef, 3) unless $same;
	return $same;
});
my @files = files();
my $copy = "$dir/copies";
mkdir $copy;
system('cp', @files, $copy) == 0 or die 'cp';
@files = sort glob "$copy/*.rec";
for my $file (@files) {
	my ($rc, $out) = play($file);
	is($rc, 0, "no decision differs in $file") or diag $out;
	like($out, qr/no difference: \d+ events/, 'and there are some');
}
my ($rc, $out) = play(@files);
is($rc, 0, 'nor in all of them') or diag $out;
my ($decisions) = $out =~ /(\d+) decisions/;
cmp_ok($decisions // 0, '>', 20, 'decisions are among them');

# One event that is another one, in whichever file has most of them.
sub deadlines {
	open my $in, '<', shift or die;
	return scalar grep { /"type":"submit"/ && /"deadline"/ } <$in>;
}
my ($most) = sort { deadlines($b) <=> deadlines($a) } @files;
open my $in, '<', $most or die;
open my $changed, '>', "$copy/changed" or die;
my $n = 0;
while (<$in>) {
	s/"deadline":\d+/"deadline":1/ if /"type":"submit"/ && /"deadline"/ && ++$n == 5;
	print $changed $_;
}
close $changed;
cmp_ok($n, '>=', 5, 'there are submissions with deadlines');
($rc, $out) = play("$copy/changed");
is($rc, 3, 'a changed event is found') or diag $out;
like($out, qr/differs: /, 'and told');

my $pact = "$Cluster::build/contrib/pact/pact";

# The recorder's status, as soon as it is as wanted.
sub stands {
	my ($what, $as) = @_;
	my $now = {};
	ok($c->wait_for("the recorder: $what", sub {
		my $r = $c->cmd($pact, '--json', 'record', 'status');
		$now = $r->{rc} ? {} : decode_json($r->{out});
		return $as->($now);
	}), $what) or diag explain $now;
	return $now;
}

subtest 'pact record' => sub {
	my $pact_conf = "AdmissionTime=5000\nSocketRate=0\n";
	my $on = sub { $_[0]{recording} && $_[0]{file} };
	my $first = stands('it is on, by pact.conf', $on);
	is($c->cmd($pact, 'record', 'off')->{rc}, 0, 'off');
	stands('it is off, and its file closed', sub { exists $_[0]{wanted} && !$_[0]{wanted} && !$_[0]{file} });
	like($c->out($pact, 'record', 'status'), qr/^recording is off$/m, 'in words');
	is($c->cmd($pact, 'record', 'on')->{rc}, 0, 'on');
	my $second = stands('it is on again', $on);
	isnt($second->{file}, $first->{file}, 'with another file');
	like($c->out($pact, 'record', 'status'), qr/^recording into \Q$second->{file}\E, \d+ bytes/m, 'in words');
	is($c->cmd($pact, 'record', 'on')->{rc}, 0, 'on, when it is on');
	is(stands('it goes on', $on)->{file}, $second->{file}, 'in the same file');
	SKIP: {
		skip 'only root can be another user', 2 if $>;
		my $nobody = getpwnam 'nobody';
		is($c->cmd({ as => $nobody }, $pact, 'record', 'off')->{rc}, 4, 'others may not');
		is($c->cmd({ as => $nobody }, $pact, 'record', 'status')->{rc}, 0, 'but look');
	}
	is($c->cmd($pact, 'record')->{rc}, 2, 'what is to be done has to be said');
	is($c->cmd($pact, 'record', 'maybe')->{rc}, 2, 'and known');

	$c->reconfigure($pact_conf);
	stands('pact.conf is read again', sub { exists $_[0]{wanted} && !$_[0]{wanted} });
	my $r = $c->cmd($pact, 'record', 'on');
	is($r->{rc}, 2, 'nowhere to record');
	like($r->{err}, qr/RecordDir= is missing/, 'said so');
	$c->reconfigure("${pact_conf}Record=on\nRecordDir=$copy/changed\n");
	my $stopped = stands('a directory that is a file', sub { $_[0]{stopped} });
	like($stopped->{stopped}, qr/Not a directory/, 'stops the recording');
	like($c->out($pact, 'record', 'status'), qr/^recording has stopped: /m, 'in words');
	ok($c->sbatch(['-N1', '-t1'])->{id}, 'and nothing else');
};

$c->healthy;
$c->down;
done_testing;
