#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# dask: the example contrib/elastic/examples/dask.sh, with the Dask of the distribution (python3-distributed), under
# sched/malleable: while it works it gets a node that another job leaves, and gives one back to the next: the result of every
# task is there. By name: `make check-dask`, and what Malleable.pm has.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/..";
use Test::More;
use Cluster;
use Malleable;

my $elastic = "$Cluster::build/contrib/elastic/.libs";
plan skip_all => 'pact-elastic is not built' unless -x "$elastic/pact-elastic";
plan skip_all => 'only root can be another user' if $>;
plan skip_all => 'there is no dask-worker (python3-distributed)' if system 'command -v dask-worker dask-scheduler >/dev/null';
my $user = (getpwnam 'nobody')[2];
plan skip_all => 'there is no user nobody' unless defined $user;

my $c = Malleable::up(nodes => 3, sched => 'malleable', pact => "PlanInterval=2\nResizeGrace=60\n");
my $work = "$c->{dir}/work";
mkdir $work and chmod 0777, $work or die;

# Tasks that write down where they run; a task that runs twice writes twice, and counts once.
my $program = $c->file('program.py', <<'END');
import os, time
from dask.distributed import Client

def task(i):
    time.sleep(0.5)
    with open("tasks.log", "a") as f:
        f.write("%d %s\n" % (i, os.environ["SLURMD_NODENAME"]))
    return i * i

if __name__ == "__main__":
    client = Client(os.environ["DASK_SCHEDULER_ADDRESS"])
    client.wait_for_workers(2)
    results = client.gather(client.map(task, range(600), pure=False))
    print("sum", sum(results), "of", len(results), flush=True)
END
my $first = $c->plain(['-N1', '-t30', '-w', 'n3'], script => 'sleep 1000');
$c->reaches('another job has one of three nodes', $first, 'RUNNING');
my $id = $c->plain(['-N1-3', '--malleable', '-t30', '-D', $work, '-o', "$work/out"], as => $user, script => <<"END");
export LD_LIBRARY_PATH=$Cluster::build/client/.libs PACT_MALLEABLE_CALL=$Cluster::build/client/pact-malleable-call
export PATH=$elastic:\$PATH HOME=$work DASK_DISTRIBUTED__WORKER__DAEMON=True
exec sh $Cluster::top/contrib/elastic/examples/dask.sh $program
END
sub log_of { return Cluster::slurp("$work/tasks.log") }
sub tasks { return scalar(() = log_of() =~ /^\d+ $_[0]$/mg) }

sub says { return diag(Cluster::slurp("$work/out")) }

ok($c->wait_for('work', sub { tasks('n1') > 2 && tasks('n2') > 2 }), 'two nodes work') or says();
$c->cmd('scancel', $first);
ok($c->wait_for('the third', sub { $c->field($id, 'NumNodes') eq '3' }), 'the other job leaves: it is given the third');
ok($c->wait_for('work there', sub { tasks('n3') > 2 }), '  where tasks run') or says();
my $began = time;
my $next = $c->plain(['-N1', '-t30'], script => 'sleep 1000');
$c->reaches('another job comes: a node is called in and given back', $next, 'RUNNING');
cmp_ok(time - $began, '<', 60, '  long before its notice is over');
my $gone = $c->field($next, 'NodeList');
my $before = tasks($gone);
ok($c->wait_for('its end', sub { $c->state($id) !~ /^(RUNNING|COMPLETING)$/ }), 'the job ends');
is($c->state($id), 'COMPLETED', 'and well');
my $sum = 0;
$sum += $_ * $_ for 0 .. 599;
like(Cluster::slurp("$work/out"), qr/^sum $sum of 600$/m, 'with the result of each task') or says();
is(tasks($gone), $before, 'none has run on that node since');
my %done = map { $_ => 1 } log_of() =~ /^(\d+) /mg;
is(scalar keys %done, 600, 'each has run');
diag(sprintf '%d tasks ran, of 600', scalar(() = log_of() =~ /^\d/mg));

done_testing();
