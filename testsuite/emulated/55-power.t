#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 55-power: nodes that power saving puts to sleep are nodes like others; a promise reckons with the time
# that they take to wake, and to fall asleep.
# Runs first: it takes two minutes.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use File::Temp qw(tempdir);
use Test::More;
use Cluster;

use constant { RESUME => 60, SUSPEND => 15 };

# SuspendProgram and ResumeProgram: a node sleeps when its slurmd is gone. 24.11 kills what is left of a program's
# process group when the program ends.
my $detached = '[ -n "$2" ] || exec setsid -f "$0" "$1" detached';
my $dir = tempdir('pact-t-XXXXXX', TMPDIR => 1, CLEANUP => 1);
chmod 0755, $dir;

sub program {
	my ($name, $text) = @_;
	open(my $f, '>', "$dir/$name") or die "$dir/$name: $!";
	print $f "#!/bin/sh\nPATH=/usr/sbin:/usr/bin:/sbin:/bin\nexport PATH\n$detached\n$text";
	close($f);
	chmod 0755, "$dir/$name";
	return "$dir/$name";
}

# Each for all its nodes at once; slurmctld blocks SIGCHLD for them, so that a shell that waits waits for ever.
# A node may yet be on its way down when it is woken.
my $each = 'for n in $(scontrol show hostnames "$1"); do';
my $suspend = program('suspend', <<"EOF");
$each
	$Cluster::emulate -q --dir \@DIR\@ kill-node "\${n#n}" &
done >>$dir/log 2>&1
EOF
my $resume = program('resume', <<"EOF");
$each
	for try in 1 2 3 4 5 6 7 8 9 10; do
		sleep 1
		$Cluster::emulate -q --dir \@DIR\@ start-node --booted "\${n#n}" && break
	done &
done >>$dir/log 2>&1
EOF

my $c = Cluster->up(nodes => 4, pact => "AdmissionTime=5000\nPlanInterval=2\n", conf => <<"EOF");
KillWait=10
SuspendProgram=$suspend
ResumeProgram=$resume
SuspendTime=86400
SuspendTimeout=${\SUSPEND}
ResumeTimeout=${\RESUME}
SuspendRate=0
ResumeRate=0
SlurmctldParameters=power_save_interval=1
EOF
for my $path ($suspend, $resume) {
	my $text = Cluster::slurp($path) =~ s/\@DIR\@/$c->{dir}\/c/gr;
	open(my $f, '>', $path) or die "$path: $!";
	print $f $text;
	close($f);
}

# What Slurm may take to end a job, and its nodes to fall asleep and to wake.
my $guard = 30 + 10 + 10 + RESUME + SUSPEND;

sub states {
	return $c->out('scontrol', '-o', 'show', 'node', $_[0] // 'n[1-4]');
}

sub count {
	my ($flag, $nodes) = @_;
	return scalar(() = states($nodes) =~ /State=\S*\b$flag\b/g);
}

sub power_down {
	my ($nodes) = @_;
	is($c->cmd('scontrol', 'update', "NodeName=$nodes", 'State=POWER_DOWN')->{rc}, 0, "$nodes: power down");
}

subtest 'the guard' => sub {
	my $wall = $c->plain(['-N4', '-t5']);
	$c->reaches('the nodes are busy', $wall, 'RUNNING');
	my $job = $c->refused('too early', ['-N4', '-t1', '--deadline=now+2minutes']);
	my $end = $c->job($wall)->{EndTime};
	my $offer = Cluster::epoch($job->{offer}) // 0;
	cmp_ok($offer, '>=', $end + $guard + 60 + $guard, 'each job is followed by what sleeping nodes cost');
	cmp_ok($offer, '<=', $end + $guard + 60 + $guard + 120, 'and by no more');
	$c->clear;
};

subtest 'nodes that sleep' => sub {
	power_down('n[1-4]');
	$c->wait_for('all sleep', sub { count('POWERED_DOWN') == 4 });
	is(count('POWERED_DOWN'), 4, 'all sleep');
	# As early as may be promised: the counter-offer, to the minute.
	my $offer = $c->refused('too early', ['-N2', '-t1', '--deadline=now+2minutes'])->{offer};
	my $job = $c->accepted('what is offered is promised', ['-N2', '-t1', "--deadline=$offer"], runs => 3600);
	$c->reaches('its nodes wake, and it runs', $job->{id}, 'RUNNING');
	$c->wait_for('its nodes are up', sub { $c->log_text =~ /Resetting JobId=$job->{id} start time for node power up/ });
	like($c->log_text, qr/Resetting JobId=$job->{id} start time for node power up/, 'its limit counts from now');
	my $behind = $c->accepted('one behind it', ['-N4', '-t1', '--deadline=now+10minutes'], runs => 1);
	$c->settle for 1 .. 2;
	is($c->promise($_->{id}), 'promised', 'both promises stand') for $job, $behind;
	cmp_ok($c->job($job->{id})->{EndTime} + 30 + 10, '<=', $job->{by}, 'with what Slurm may take, too');
	$c->cmd('scancel', $job->{id});
	$c->excuse($job->{id});
	$c->promises_kept('the other is kept');
	unlike($c->log_text, qr/can no longer be kept/, 'nobody was alarmed');
	$c->clear;
};

subtest 'nodes that fall asleep' => sub {
	my $mark = $c->log_mark;
	power_down('n[1-4]');
	$c->wait_for('all fall asleep', sub { count('POWERING_DOWN') == 4 });
	is(count('POWERING_DOWN'), 4, 'all fall asleep');
	my $job = $c->accepted('promised on them', ['-N4', '-t1', '--deadline=now+4minutes'], runs => 1);
	my $plain = $c->plain(['-N4', '-t1'], runs => 1);
	$c->promises_kept('and kept');
	$c->reaches('the next one runs, too', $plain, 'RUNNING|COMPLETED');
	unlike($c->log_text($mark), qr/Slurm does not start/, 'nobody was given up');
	$c->clear;
};

$c->healthy;
diag(Cluster::slurp("$dir/log")) unless Test::More->builder->is_passing;
done_testing;
