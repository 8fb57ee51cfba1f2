#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 89-limits-sliced: where jobs take turns, what waits for a limit of its account stops none that runs. One whose account has as many
# jobs as it may has no place in the matrix, and the job beside it runs on in all rows; of one that is over a limit on processors, which
# Slurm tells only when it is to start, a start is tried from time to time, at the beginning of a slice. Others have their turns, and
# what has waited begins when the limit has room. With a real slurmdbd.
# Runs first: it takes two minutes.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use JSON::PP;
use Test::More;
use Cluster;
use Turns;

plan skip_all => 'slurmdbd or mariadb-server-core is not installed' unless Cluster::has_accounting();

my $slice = 5;
my $c = Cluster->up(nodes => 2, cpus => 2, accounting => 1,
	conf => "SelectType=select/gang\nSelectTypeParameters=CR_Memory\nSchedulerTimeSlice=$slice\nDefMemPerNode=100\n" .
		"PartitionName=batch Nodes=ALL Default=YES OverSubscribe=FORCE:2\n");
my $me = getpwuid $>;
$c->accounts(qw(add account phys));
$c->accounts(qw(add user), $me, qw(account=phys));

sub job { return $c->plain(['-N2', '-t10', @_], script => work($c)) }
sub runs { my ($id) = @_; return $c->wait_for("job $id to run", sub { look($c, $id) eq 'R' }, 40) }
sub suspended { return decode_json($c->out("$Cluster::build/contrib/pact/pact", '--json', 'stats'))->{slices}{suspended} }

# The second one is over the limit, and the first one is stopped as often as is said in eight slices; then a third has turns with it.
sub over {
	my ($limit, $reason, $most) = @_;
	$c->accounts(qw(modify account phys set), "$limit=" . ($limit eq 'GrpTRES' ? 'cpu=4' : 1));
	my $first = job('-A', 'phys');
	ok(runs($first), "$limit: a job runs");
	my $second = job('-A', 'phys');
	ok($c->wait_for('its reason', sub { $c->field($second, 'Reason') eq $reason }, 40), "  another one waits: $reason");
	my $had = suspended();
	my $seen = watch($c, 8 * $slice, $first);
	my $stops = suspended() - $had;
	cmp_ok($stops, '<=', $most, "  and stops the first one no more than $most times in eight slices");
	is($c->field($second, 'Reason'), $reason, '  it says so still');
	my $other = job('-A', 'root');
	ok($c->wait_for('its turn', sub { look($c, $other) ne '-' }, 4 * $slice), '  one of another account begins behind it');
	$seen = watch($c, 4 * $slice, $first, $other);
	ok(@{ $seen->{$first} // [] } && @{ $seen->{$other} // [] } && overlap($seen, $first, $other) < 1, '  and takes turns with the first one');
	$c->cmd('scancel', $first);
	ok(runs($second), '  when that has ended the one that waited begins');
	$c->cmd('scancel', $second, $other);
	ok($c->idle(60), '  all are over');
	$c->accounts(qw(modify account phys set), "$limit=" . ($limit eq 'GrpTRES' ? 'cpu=-1' : -1));
}

over('GrpTRES', 'AssocGrpCpuLimit', 4);
over('GrpJobs', 'AssocGrpJobsLimit', 0);
$c->healthy;
$c->down;
done_testing;
