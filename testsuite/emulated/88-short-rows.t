#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 88-short-rows: ShortRows keeps rows for short jobs. Where long jobs fill the others one more long job waits, and says why;
# a short one starts within a cycle and has its turns, by the states of its process. A long job is in these rows, too, while
# no short one needs its nodes there. Without the setting all rows are for all jobs.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use JSON::PP;
use Test::More;
use Cluster;
use Turns;

my $slice = 5;
my $pact = "$Cluster::build/contrib/pact/pact";
my $base = "Guard=60\nAdmissionTime=5000\n";
my $c = Cluster->up(nodes => 4, pact => "${base}ShortRows=2\nShortTime=120\n",
	conf => "SelectType=select/gang\nSelectTypeParameters=CR_Memory\nSchedulerTimeSlice=$slice\nDefMemPerNode=100\n" .
		"PartitionName=batch Nodes=ALL Default=YES OverSubscribe=FORCE:3\n");

sub turns {
	my ($id) = @_;
	my $plan = decode_json($c->out($pact, 'explain', '--json', $id));
	return $plan->{plan}{turns} // $plan->{turns} // {};
}

# ---- long jobs ----

my $first = $c->plain(['-N4', '-t30'], script => work($c));
$c->reaches('a long job', $first, 'RUNNING');
my $second = $c->plain(['-N4', '-t30'], script => work($c));
ok($c->wait_for('its reason', sub { $c->out($pact, 'explain', $second) =~ /kept for shorter jobs/ }),
	'one more has no row, and is told why') or diag($c->out($pact, 'explain', $second));
is($c->state($second), 'PENDING', '  it waits');
like($c->out($pact, 'matrix'), qr/; rows from 1 on are kept for short jobs$/m, 'pact matrix says so, too');
is_deeply(turns($first)->{rows}, [0, 1, 2], 'the long one is in all rows meanwhile') or diag(explain(turns($first)));

# ---- short ones beside it ----

my $longer = $c->plain(['-N3', '-t4'], script => work($c));
my $short = $c->plain(['-N4', '-t2'], script => work($c));
$c->reaches("a job of $_->[1]", $_->[0], qr/^(RUNNING|SUSPENDED)$/) for [$short, 'two minutes'], [$longer, 'four'];
is(turns($longer)->{home}, 1, 'four minutes: not in the last row');
is(turns($short)->{home}, 2, 'two: there');
is_deeply(turns($first)->{rows}, [0], 'and the long one is in its own row alone');
my $seconds = 6 * $slice + 2;
my $runs = watch($c, $seconds, $first, $longer, $short);
my @idle = grep { !@{ $runs->{$_} // [] } } $first, $longer, $short;
ok(!@idle, 'all three have their turns') or diag("not job @idle");
my @both = grep { overlap($runs, @$_) > 1 } [$first, $short], [$first, $longer], [$longer, $short];
ok(!@both, '  one after another') or diag(join ', ', map { "@$_" } @both);
is($c->state($second), 'PENDING', 'the other long one waits still');

# ---- other settings ----

my $r = $c->reconfigure("${base}ShortRows=3\n");
ok($c->wait_for('the refusal', sub { $c->log_text =~ /ShortRows=3: must be below the 3 rows of slurm.conf's OverSubscribe=FORCE:3/ }),
	'as many rows as there are: refused, by name') or diag($r->{err});
is($c->state($second), 'PENDING', '  and what was goes on');
$c->cmd('scancel', $longer);
is($c->reconfigure($base)->{rc}, 0, 'without rows for short jobs');
$c->reaches('the long job gets one', $second, qr/^(RUNNING|SUSPENDED)$/);
$c->cmd('scancel', $first, $second, $short);
$c->idle;
$c->healthy;
$c->down;
done_testing();
