#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# dask: the example contrib/elastic/examples/dask.sh, with the Dask of the distribution (python3-distributed), gives a node back
# while it works: every task's result is there. By name: `make check-dask`. With Slurm alone, as 92-elastic.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/..";
use Test::More;
use Cluster;

my $elastic = "$Cluster::build/contrib/elastic/.libs";
plan skip_all => 'pact-elastic is not built' unless -x "$elastic/pact-elastic";
plan skip_all => 'only root can be another user' if $>;
plan skip_all => 'there is no dask-worker (python3-distributed)' if system 'command -v dask-worker dask-scheduler >/dev/null';
my $user = (getpwnam 'nobody')[2];
plan skip_all => 'there is no user nobody' unless defined $user;

my $c = Cluster->up(nodes => 3, sched => 'stock');
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
    client.wait_for_workers(3)
    results = client.gather(client.map(task, range(200), pure=False))
    print("sum", sum(results), "of", len(results), flush=True)
END
my $id = $c->plain(['-N3', '-t30', '-D', $work, '-o', "$work/out"], as => $user, script => <<"END");
export LD_LIBRARY_PATH=$Cluster::build/client/.libs PACT_MALLEABLE_CALL=$Cluster::build/client/pact-malleable-call
export PATH=$elastic:\$PATH HOME=$work DASK_DISTRIBUTED__WORKER__DAEMON=True
exec sh $Cluster::top/contrib/elastic/examples/dask.sh $program
END
sub log_of { return Cluster::slurp("$work/tasks.log") }
sub tasks { return scalar(() = log_of() =~ /^\d+ $_[0]$/mg) }

ok($c->wait_for('work on all nodes', sub { tasks('n1') > 2 && tasks('n2') > 2 && tasks('n3') > 2 }), 'all nodes work') or
	diag(Cluster::slurp("$work/out"));
my $by = time + 30;
ok($c->update($id, "AdminComment=pactwish1(serial=1,width=2,by=$by,leave=n3)"), 'a node is wanted back');
ok($c->wait_for('it', sub { $c->field($id, 'NodeList') eq 'n[1-2]' }), 'it is given back');
cmp_ok(time, '<', $by, 'in time');
my $before = tasks('n3');
ok($c->wait_for('its end', sub { $c->state($id) !~ /^(RUNNING|COMPLETING)$/ }), 'the job ends');
is($c->state($id), 'COMPLETED', 'and well');
my $sum = 0;
$sum += $_ * $_ for 0 .. 199;
like(Cluster::slurp("$work/out"), qr/^sum $sum of 200$/m, 'with the result of each task') or diag(Cluster::slurp("$work/out"));
is(tasks('n3'), $before, 'none has run on that node since');
my %done = map { $_ => 1 } log_of() =~ /^(\d+) /mg;
is(scalar keys %done, 200, 'each has run');
diag(sprintf '%d tasks ran, of 200', scalar(() = log_of() =~ /^\d/mg));

done_testing();
