#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 82-realms-life: what becomes of a job of a realm after it was let in: a slow PrologSlurmctld, requeue, holds, changes,
# arrays, another controller; beside a partition that is planned.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Test::More;
use Cluster;
use JSON::PP;

my $rec = File::Temp::tempdir(CLEANUP => 1, TMPDIR => 1);
chmod 0755, $rec;
open(my $f, '>', "$rec/slow.sh") or die "$rec: $!";
print $f "#!/bin/sh\ntest ! -e $rec/slow || sleep 3\n";
close $f;
chmod 0755, "$rec/slow.sh";
my $backup = !$> && !system('unshare --mount --uts true >/dev/null 2>&1');
my $c = Cluster->up(nodes => 4, backup => $backup,
	pact => "ReportPort=0\nGuard=60\nAdmissionTime=5000\nPlanInterval=2\nSocketRate=0\nPartitionName=shared Admission=librarisk\n",
	partition => ['batch Nodes=n[1-2] Default=YES MaxTime=INFINITE', 'shared Nodes=n[3-4] MaxTime=60 OverSubscribe=FORCE:4'],
	conf => "SelectTypeParameters=CR_Memory\nDefMemPerNode=500\nPrologFlags=Alloc\nPrologSlurmctld=$rec/slow.sh\n");
my $pact = "$Cluster::build/contrib/pact/pact";

sub answer {
	my $r = $c->cmd($pact, '--json', @_);
	diag("pact @_: $r->{rc} $r->{err}") if $r->{rc};
	return $r->{rc} ? {} : decode_json($r->{out});
}

ok($c->wait_for('a plan', sub { answer('status')->{planned} }), 'there is a plan');
my $planned = $c->accepted('a promise in what is planned', ['-N2', '-t10', '--deadline=now+30minutes']);

subtest 'a slow PrologSlurmctld' => sub {
	open(my $slow, '>', "$rec/slow") or die;
	close $slow;
	my $j = $c->accepted('a promise', ['-p', 'shared', '-N2', '-t10', '--deadline=now+20minutes']);
	$c->reaches('it waits for that', $j->{id}, 'CONFIGURING');
	$c->reaches('and runs', $j->{id}, 'RUNNING');
	unlink "$rec/slow";
	$c->seen;
	my $due = $c->field($j->{id}, 'Deadline') - 60;
	is($c->field($j->{id}, 'EndTime'), $due, 'Slurm counts its limit anew then, but it ends when it is due all the same');
	is(answer('stats')->{at_risk}, 0, 'no promise is at risk');
	ok($c->update($j->{id}, 'TimeLimit=+5'), 'an operator gives it more') or diag($c->{text});
	$c->seen;
	is($c->field($j->{id}, 'EndTime'), $due + 300, 'which it keeps');
	$c->cmd('scancel', $j->{id});
	$c->excuse($j->{id});
};

subtest 'requeued' => sub {
	my $free = $c->plain(['-p', 'shared', '-N1', '-t10']);
	my $late;
	ok($c->wait_for('a free node', sub {
		$late = $c->sbatch(['-p', 'shared', '-N1', '-t10', '--deadline=now+8minutes']);
		return $late->{text} =~ /accepted: expected by/;
	}), 'one is expected') or return diag($late->{text});
	$c->reaches('it runs', $_, 'RUNNING') for $free, $late->{id};
	is($c->field($free, 'TimeLimit'), '1-00:00:00', 'one without a deadline may run for a day');
	$c->cmd('scontrol', 'requeue', $_) for $free, $late->{id};
	# Slurm lets them wait for two minutes.
	for my $id ($free, $late->{id}) {
		ok($c->wait_field($id, 'Reason', qr/^BeginTime$/), "$id waits to run again");
		$c->seen;
		is($c->field($id, 'TimeLimit'), '00:10:00', 'by its own limit');
	}
	$c->cmd('scancel', $free, $late->{id});
};

$c->healthy;
done_testing;
