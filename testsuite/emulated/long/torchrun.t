#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# torchrun: the example contrib/elastic/examples/torchrun.sh, with the torchrun of the distribution (python3-torch), under
# sched/malleable: while it trains it gets a node that another job leaves, and gives one back to the next. It goes on each time from
# the latest checkpoint with the workers that there are, and no step counts twice or is missed. By name: `make check-torchrun`, and what Malleable.pm has.
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
my ($torchrun) = grep { -x } map { "$_/torchrun" } split /:/, $ENV{PATH};
plan skip_all => 'there is no torchrun (python3-torch)' unless $torchrun;
my $user = (getpwnam 'nobody')[2];
plan skip_all => 'there is no user nobody' unless defined $user;

my $c = Malleable::up(nodes => 3, sched => 'malleable', pact => "PlanInterval=2\nResizeGrace=60\n");
my $work = "$c->{dir}/work";
mkdir $work and chmod 0777, $work or die;

# Each step adds its number to a sum that all workers make together; the first of them writes a checkpoint, and what was done.
my $program = $c->file('program.py', <<'END');
import json, os, time, torch, torch.distributed as dist

dist.init_process_group("gloo")
rank, world = dist.get_rank(), dist.get_world_size()
state = {"step": 0, "sum": 0.0}
if os.path.exists("checkpoint"):
    with open("checkpoint") as f:
        state = json.load(f)
with open("workers.log", "a") as f:
    f.write("%s of %d\n" % (os.environ["SLURMD_NODENAME"], world))
while True:
    go = torch.tensor([0 if os.path.exists("enough") else 1])
    dist.all_reduce(go, op=dist.ReduceOp.MIN)
    if not go.item():
        break
    part = torch.tensor([state["step"] / world], dtype=torch.float64)
    dist.all_reduce(part)
    state = {"step": state["step"] + 1, "sum": state["sum"] + part.item()}
    if rank == 0:
        with open("checkpoint.new", "w") as f:
            json.dump(state, f)
        os.replace("checkpoint.new", "checkpoint")
        with open("steps.log", "a") as f:
            f.write("%d by %d\n" % (state["step"], world))
    time.sleep(0.2)
print("rank", rank, "done", state["step"], "sum", round(state["sum"]), flush=True)
END

# On one machine each node's torchrun could be the one that the others meet at: it is to be the first node's, as it is on many. That of
# Debian 12 fails unless it redirects one stream (Python 3.11 does not count none and both as members of its Std). And the numbers are what a user changes in
# the example.
my $shim = "$work/torchrun";
open(my $f, '>', $shim) or die "$shim: $!";
print $f "#!/bin/sh\n[ \"\$SLURMD_NODENAME\" = n1 ] || sleep 5\nexec $torchrun --redirects 1 --tee 1 --log_dir $work/logs \"\$@\"\n";
close $f;
chmod 0755, $shim;
my $example = Cluster::slurp("$Cluster::top/contrib/elastic/examples/torchrun.sh");
ok($example =~ s/--nnodes=4:16/--nnodes=2:3/, 'the example, for two to three nodes') or BAIL_OUT('it has no --nnodes=4:16');
my $script = $c->file('torchrun.sh', $example);

my $first = $c->plain(['-N1', '-t30', '-w', 'n3'], script => 'sleep 1000');
$c->reaches('another job has one of three nodes', $first, 'RUNNING');
my $id = $c->plain(['-N2-3', '--malleable', '-t30', '-D', $work, '-o', "$work/out"], as => $user, script => <<"END");
export LD_LIBRARY_PATH=$Cluster::build/client/.libs PACT_MALLEABLE_CALL=$Cluster::build/client/pact-malleable-call
export PATH=$work:$elastic:\$PATH HOME=$work OMP_NUM_THREADS=1 GLOO_SOCKET_IFNAME=lo
exec sh $script $program
END

# How many steps so many workers have done, and on how many nodes training was begun with so many.
sub steps { return scalar(() = Cluster::slurp("$work/steps.log") =~ /^\d+ by $_[0]$/mg) }
sub begun { my %on = map { $_ => 1 } Cluster::slurp("$work/workers.log") =~ /^(\S+) of $_[0]$/mg; return scalar keys %on }
sub says { return diag(Cluster::slurp("$work/out")) }

ok($c->wait_for('steps', sub { Cluster::slurp("$work/steps.log") =~ /^\d+ by \d+$/m }, 180), 'it trains') or says();
my ($two) = Cluster::slurp("$work/steps.log") =~ /by (\d+)$/m;
my $each = ($two // 2) / 2;
is(begun($two // 0), 2, "  on two nodes, with $each workers each");
$c->cmd('scancel', $first);
ok($c->wait_for('the third', sub { $c->field($id, 'NumNodes') eq '3' }), 'the other job leaves: it is given the third');
ok($c->wait_for('steps', sub { steps(3 * $each) > 10 }, 180), '  with which it goes on') or says();
is(begun(3 * $each), 3, '  on all three');
my $before = steps($two // 0);
my $began = time;
my $next = $c->plain(['-N1', '-t30'], script => 'sleep 1000');
$c->reaches('another job comes: a node is called in and given back', $next, 'RUNNING');
cmp_ok(time - $began, '<', 60, '  before its notice is over');
ok($c->wait_for('steps', sub { steps($two // 0) > $before + 10 }, 180), 'it goes on with two') or says();
open($f, '>', "$work/enough") or die "$work/enough: $!";
close $f;
ok($c->wait_for('its end', sub { $c->state($id) !~ /^(RUNNING|COMPLETING)$/ }), 'the job ends');
is($c->state($id), 'COMPLETED', 'and well') or says();
my %done = Cluster::slurp("$work/out") =~ /rank \d+ done (\d+) sum (\d+)$/mg;
my ($n) = keys %done;
is(scalar keys %done, 1, 'its workers agree') or says();
is($done{ $n // 0 }, ($n // 0) * (($n // 0) - 1) / 2, 'no step counts twice or is missed');
diag(sprintf '%d steps done, of which %d count', scalar(() = Cluster::slurp("$work/steps.log") =~ /^\d/mg), $n // 0);

done_testing();
