#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 64-record: a recording of 200 submissions, begun with the controller and anew by a reconfiguration, is
# played by pact-sim without one decision that differs; a changed event is found; what cannot be written
# stops the recording and nothing else.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Test::More;
use Cluster;

my $sim = ($ENV{PACT_BUILD} // 'build/main') . '/sim/pact-sim';
my $dir = "/tmp/pact-record-$$";
END { system('rm', '-rf', $dir) if $dir }

my $c = Cluster->up(nodes => 8, pact => "Record=on\nRecordDir=$dir\nRecordFiles=3\nAdmissionTime=5000\n");

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

# One event that is another one.
open my $in, '<', $files[0] or die;
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

$c->healthy;
$c->down;
done_testing;
