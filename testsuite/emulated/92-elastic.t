#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 92-elastic: pact-elastic in jobs of an ordinary user, with Slurm alone: what is wanted is written into AdminComment by an
# operator, and the answers are the owner's own updates. A command on each node, hooks, Charm++ by a CCS server of ours.
# By name: what Malleable.pm has, but no PrologFlags: Slurm alone runs no prolog for the job on nodes that it grows to, and 24.11 waits for it in
# vain, and drains the node.
#
# Each job is resized once at most: without slurmdbd Slurm lets no job be changed again after that (doc/slurm.md).
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Test::More;
use Cluster;
use Malleable;

my $elastic = "$Cluster::build/contrib/elastic/.libs/pact-elastic";
plan skip_all => 'pact-elastic is not built' unless -x $elastic;
plan skip_all => 'only root can be another user' if $>;
my $user = (getpwnam 'nobody')[2];
plan skip_all => 'there is no user nobody' unless defined $user;

my $c = Malleable::up(nodes => 18, sched => 'stock', flags => 'none', parameters => 'permit_job_expansion,bf_interval=1');
my $work = "$c->{dir}/work";
mkdir $work and chmod 0777, $work or die;

# A worker: TERM is written down, and takes it a second.
my $worker = $c->file('worker', <<'END');
#!/bin/sh
name=$1
echo "$SLURMD_NODENAME begin" >>"$name.log"
if [ "$2" = deaf ]; then
	trap '' TERM
else
	trap 'echo "$SLURMD_NODENAME term" >>"$name.log"; sleep 1; echo "$SLURMD_NODENAME end" >>"$name.log"; exit 3' TERM
fi
until [ -e "$name.over" ]; do
	sleep 0.2 &
	wait $!
done
END
my $hook = $c->file('hook', <<'END');
#!/bin/sh
echo "$* width=$PACT_WISH_WIDTH serial=$PACT_WISH_SERIAL" >>"$PACT_TEST.log"
[ "$1" != leave ] || [ ! -e "$PACT_TEST.busy" ] || exit 75
END
my $slow_hook = $c->file('slow-hook', <<'END');
#!/bin/sh
[ "$1" != leave ] || exec sleep 1000
END
# Fails until it has run so many times.
my $failing = $c->file('failing', <<'END');
#!/bin/sh
echo "$SLURMD_NODENAME" >>"$1.log"
[ "$(wc -l <"$1.log")" -ge "$2" ] || exit 3
END
chmod 0755, $worker, $hook, $slow_hook, $failing;

my $start = "export LD_LIBRARY_PATH=$Cluster::build/client/.libs PACT_MALLEABLE_CALL=$Cluster::build/client/pact-malleable-call\n";

# A job of a name: pact-elastic with these words; what it says is in $work/NAME.out.
sub job {
	my ($name, $nodes, @words) = @_;
	my $id = $c->plain(["-N$nodes", '-t30', '-D', $work, '-o', "$work/$name.out"], as => $user,
		script => "$start export PACT_TEST=$work/$name\n exec $elastic --notice 6 @words");
	return $id;
}
sub wish {
	my ($id, $serial, $width, $seconds, $leave) = @_;
	my $by = time + $seconds;
	ok($c->update($id, "AdminComment=pactwish1(serial=$serial,width=$width,by=$by,leave=$leave)"), "wish $serial to $id");
}
sub text { return Cluster::slurp("$work/$_[0]") // '' }
sub says { my ($name, $re) = @_; ok($c->wait_for("$name: $re", sub { text($name) =~ $re }, 30), "$name: $re") or diag(text($name)) }
sub width { return scalar(my @n = $c->hosts(@_)) }
sub ended { return $c->state($_[0]) !~ /^(PENDING|RUNNING|COMPLETING)$/ }
sub over { my ($name) = @_; open(my $f, '>', "$work/$name.over") or die; close $f }

my %helper;
sub merged {
	my $name = shift;
	return !$c->cmd({ as => $user }, 'scontrol', 'update', "JobId=$helper{$name}", 'NumNodes=0')->{rc};
}

# ---- all at once: they would wait for each other's pauses ----

my $ccs = $c->spawn("$FindBin::Bin/ccs_server.pl", "$work/charm.port", "$work/charm.log", 2, 1);
ok($c->wait_for('the CCS server', sub { -s "$work/charm.port" }, 30), 'a CCS server');
chomp(my $port = text('charm.port'));
my $mute = $c->spawn("$FindBin::Bin/ccs_server.pl", "$work/mute.port", "$work/mute.log", 2, -1);
ok($c->wait_for('the other one', sub { -s "$work/mute.port" }, 30), 'and one that never changes');
chomp(my $mute_port = text('mute.port'));
my $swells = $c->spawn("$FindBin::Bin/ccs_server.pl", "$work/swell.port", "$work/swell.log", 1, 1);
ok($c->wait_for('a third one', sub { -s "$work/swell.port" }, 30), 'and one on one processor');
chomp(my $swell_port = text('swell.port'));
over('hook.busy');    # a file of that name: hook.busy.over is another
rename "$work/hook.busy.over", "$work/hook.busy" or die;

my %id = (
	crew => job('crew', 3, '--', $worker, "$work/crew"),
	deaf => job('deaf', 2, '--', $worker, "$work/deaf", 'deaf'),
	taken => job('taken', 2, '--', $worker, "$work/taken"),
	grown => job('grown', 1, '--', $worker, "$work/grown"),
	hook => job('hook', 2, '--hook', $hook),
	late => job('late', 2, '--hook', $slow_hook),
	charm => job('charm', 2, "--charm localhost:$port --nodelist $work/charm.nodes"),
	mute => job('mute', 2, "--charm localhost:$mute_port --nodelist $work/mute.nodes"),
	swell => job('swell', 1, "--charm localhost:$swell_port --nodelist $work/swell.nodes"),
);
my %nodes;
ok($c->wait_for('them to run', sub { !grep { $c->state($_) ne 'RUNNING' } values %id }), 'all run');
@{ $nodes{$_} } = $c->hosts($id{$_}) for keys %id;
for my $name (qw(crew deaf taken grown)) {
	for my $node (@{ $nodes{$name} }) {
		says("$name.log", qr/^$node begin$/m);
	}
}
says('charm.nodes', qr/\Agroup main\nhost $nodes{charm}[0] \+\+cpus 1\nhost $nodes{charm}[1] \+\+cpus 1\n\z/);
says('hook.log', qr/^nodes @{$nodes{hook}} width= serial=$/m);

# ---- asked for ----

wish($id{crew}, 1, 2, 20, $nodes{crew}[0]);
wish($id{deaf}, 1, 1, 8, $nodes{deaf}[1]);
wish($id{hook}, 1, 1, 20, $nodes{hook}[1]);
wish($id{late}, 1, 1, 4, $nodes{late}[1]);
wish($id{charm}, 4, 1, 20, $nodes{charm}[1]);
wish($id{mute}, 1, 1, 8, $nodes{mute}[1]);
my $keeps = $nodes{taken}[0];
ok($c->update($id{taken}, "NodeList=$keeps"), 'an operator takes a node');
for my $name (qw(swell grown)) {
	my $salloc = $c->cmd({ as => $user }, 'salloc', '--no-shell', '-N1', '-t30', "--dependency=expand:$id{$name}");
	($helper{$name}) = $salloc->{err} =~ /job allocation (\d+)/;
	ok($helper{$name}, "a helper job for $name") or diag($salloc->{err});
}

my ($born) = $c->hosts($helper{swell});
ok(merged('swell'), 'one gives its node to its job');
my $swelling = time;

says('crew.out', qr/^pact-elastic: wish 1: not now$/m);
is($c->field($id{crew}, 'Comment'), 'pactwish1(serial=1,refused)', 'the node of the batch script is not given back: not now');
is(width($id{crew}), 3, 'and the job has it still');
wish($id{crew}, 2, 2, 20, "$nodes{crew}[2],n16");
says('crew.out', qr/^pact-elastic: wish 2: gave back $nodes{crew}[2]$/m);
is_deeply([$c->hosts($id{crew})], [@{ $nodes{crew} }[0, 1]], 'that node is no longer the job\'s');
like(text('crew.log'), qr/^$nodes{crew}[2] term\n$nodes{crew}[2] end$/m, 'its command had TERM, and ended before');
unlike(text('crew.log'), qr/^(?!$nodes{crew}[2])\S+ term/m, 'the others had none');
over('crew');
ok($c->wait_for('its end', sub { ended($id{crew}) }, 30), 'with its commands the job ends');
is($c->state($id{crew}), 'COMPLETED', 'and well: what ended on a node that left does not count');
like(text('crew.out'), qr/^pact-elastic: 2 wishes: 1 given back, 1 not now, 0 failed, 0 of all late$/m, 'it tells its counts');

says('hook.out', qr/^pact-elastic: wish 1: not now$/m);
is($c->field($id{hook}, 'Comment'), 'pactwish1(serial=1,refused)', 'a hook says: not now');
unlink "$work/hook.busy";
wish($id{hook}, 2, 1, 20, $nodes{hook}[1]);
says('hook.out', qr/^pact-elastic: wish 2: gave back $nodes{hook}[1]$/m);
is(width($id{hook}), 1, 'later it gives the node back');
says('hook.log', qr/^leave $nodes{hook}[1] width=1 serial=1\nleave $nodes{hook}[1] width=1 serial=2\nnodes $nodes{hook}[0] /m);
is(() = text('hook.log') =~ /^leave/mg, 2, 'it was asked once for each wish');

says('late.out', qr/leave: exit code 143\n(.*\n)*pact-elastic: wish 1: late\npact-elastic: wish 1: not now$/m);
is($c->field($id{late}, 'Comment'), 'pactwish1(serial=1,refused)', 'a hook that is not done in time is ended: late, and not now');
is(width($id{late}), 2, 'and the job has the node still');

says('deaf.out', qr/^pact-elastic: wish 1: gave back $nodes{deaf}[1]$/m);
is(width($id{deaf}), 1, 'a command that does not hear TERM is killed in time');
unlike(text('deaf.out'), qr/ late$/m, 'and not late');

says('charm.out', qr/^pact-elastic: wish 4: gave back $nodes{charm}[1]$/m);
is(text('charm.log'), "10 1\n", 'Charm++ was asked once, for the first processor alone');
is(text('charm.nodes'), "group main\nhost $nodes{charm}[0] ++cpus 1\n", 'its node list is rewritten');
is(width($id{charm}), 1, 'and the node given back');
says('mute.out', qr/^pact-elastic: wish 1: not now$/m);
is(text('mute.log'), "10 1\n", 'a program that does not change is not asked again');
unlike(text('mute.nodes'), qr/host $nodes{mute}[1] /, 'its node list is as it was asked: it may change yet');
is(width($id{mute}), 2, 'nor is the node given back');

# ---- due at several times ----

my $several = $c->plain(['-N4', '-t30', '-D', $work], as => $user, script => 'sleep 1000');
$c->reaches('a job on four nodes', $several, 'RUNNING');
my @at = $c->hosts($several);
sub call { my $r = $c->cmd({ as => $user }, "$Cluster::build/client/pact-malleable-call", @_); return $r->{out} }
my ($by, $then) = (time + 200, time + 300);
ok($c->update($several, "AdminComment=pactwish1(serial=3,width=1,by=$by,later=$then:$at[1]+$at[3],leave=$at[1],$at[2],$at[3])"), 'three are wanted, by two times');
my $list = qr/\S*\[?\S+/;
like(call('look', $several), qr/^wish 3 1 $by\nlist $list\ndue $by $at[2]\nleave $at[2]\ndue $then $list\nleave $at[1]\nleave $at[3]\nend\n\z/m,
	'a look has all of them, each by its time');
is(call('give', $several, $at[2]), "answered 3 $by\nend\n", 'one is given back, and answers that time');
like(call('look', $several), qr/^wish 3 1 $then\nlist $list\ndue $then $list\nleave $at[1]\nleave $at[3]\nend\n\z/m, 'then the others are due first');
$c->cmd('scancel', $several);

# ---- what fails ----

my %fails = map { $_ => job($_, 1, $_ eq 'third' ? '--restarts 2' : '--restarts 1', '--', $failing, "$work/$_", 3) } qw(third fails);
ok($c->wait_for('their ends', sub { !grep { !ended($_) } values %fails }, 60), 'commands that fail');
is($c->state($fails{third}), 'COMPLETED', 'one is started again, twice, and then it is well');
is(() = text('third.out') =~ /exit code 3, started again$/mg, 2, 'each is told');
is($c->state($fails{fails}), 'FAILED', 'one fails more often than that');
is(() = text('fails.log') =~ /^n/mg, 2, 'and is not started a third time');
is($c->field($fails{fails}, 'ExitCode'), '3:0', 'its exit code is the job\'s');

# ---- not asked for ----

ok($c->wait_for('the node is gone', sub { width($id{taken}) == 1 }, 30), 'a node was taken');
over('taken');
ok($c->wait_for('its end', sub { ended($id{taken}) }, 30), 'the job ends with its other command');
is($c->state($id{taken}), 'COMPLETED', 'and well');

my ($new) = $c->hosts($helper{grown});
ok(merged('grown'), 'gives its node to the other');
says('grown.log', qr/^$new begin$/m);
my $r = $c->cmd({ as => $user }, 'scancel', '--batch', '--signal=TERM', $id{grown});
says('grown.log', qr/^$_ term\n(.*\n)*$_ end$/m) for $nodes{grown}[0], $new;
ok($c->wait_for('its end', sub { ended($id{grown}) }, 30), 'told to end, it ends its commands');

# It has had its time to change, --notice, and more.
ok($c->wait_for('its time', sub { time > $swelling + 8 }, 30), 'Charm++ has had its time');
is(text('swell.log'), "1 2\n", 'it was asked once, to run on two of which it had one');
is(text('swell.nodes'), "group main\nhost $nodes{swell}[0] ++cpus 1\nhost $born ++cpus 1\n", 'the new node is behind the old one');
unlike(text('swell.out'), qr/changed in time/, 'and it does');

done_testing();
