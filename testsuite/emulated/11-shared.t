#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 11-shared: what the planner does not model: parts of nodes (cons_tres), gres, licenses, memory. Plain
# jobs run as under stock Slurm; jobs with deadlines are refused, each with the name of the thing; and no
# promise is broken by what the planner cannot see.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Test::More;
use Cluster;

my $plugins = Cluster::plugin_dir() or BAIL_OUT('no plugins');
my $c = Cluster->up(nodes => 2, cpus => 4, select => 'cons_tres', node => ['1-2:Gres=card:2'],
	files => { 'gres.conf' => 'Name=card Count=2', 'plugstack.conf' => "required $plugins/spank_pact.so\n" }, partition => ['shared Nodes=ALL OverSubscribe=FORCE:4',
		'half Nodes=ALL MaxCPUsPerNode=2', 'most Nodes=ALL MaxMemPerNode=500', 'plenty Nodes=ALL DefMemPerNode=9000',
		'each Nodes=ALL DefMemPerCPU=2000', 'thin Nodes=ALL MaxMemPerCPU=100'],
	conf => "PlugStackConfig=\@DIR\@/etc/plugstack.conf\nGresTypes=card\nLicenses=word:2\nSelectTypeParameters=CR_Core_Memory\nDefMemPerNode=100\n");

sub running {
	my ($name, @ids) = @_;
	my $ok = $c->wait_for("@ids to run", sub {
		return !grep { $c->state($_) ne 'RUNNING' } @ids;
	});
	return ok($ok, $name);
}

subtest 'parts of a node' => sub {
	my @ids = map { $c->plain(['-n2', '-t5']) } 1 .. 4;
	running('four jobs of two processors share two nodes', @ids);
	my $next = $c->plain(['-n2', '-t5']);
	ok($c->wait_field($next, 'Reason', qr/^Resources$/), 'the fifth waits for resources');
	like($c->field($next, 'StartTime'), qr/^\d+$/, 'with a planned start');
	my $pact = "$Cluster::build/contrib/pact/pact";
	my $whole = $c->plain(['-N1', '-t5', '--exclusive']);
	my $why;
	ok($c->wait_for('why', sub {
		$why = $c->out($pact, 'explain', $whole);
		return $why =~ /^job $whole waits for whole nodes, others use parts of them: needs 1 of 2/;
	}), 'one that needs a whole node waits for those that use parts') or diag($why);
	like($why, qr/of which 0 are idle, 2 with jobs \(2 in part\)$/m, 'which are counted');
	like($why, qr/^  $_ +runs on part of 1 node n\d until /m, 'and named') for @ids;
	$c->cmd('scancel', $whole, $ids[0]);
	running('until one is gone', $next);
	$c->clear;
	my $excl = $c->plain(['-n1', '--exclusive', '-t5']);
	my @one = map { $c->plain(['-n1', '-t5']) } 1 .. 4;
	running('beside an exclusive job, four share a node', $excl, @one);
	isnt($c->field($_, 'NodeList'), $c->field($excl, 'NodeList'), 'the other one') for @one;
	$c->clear;
	my @mem = map { $c->plain(['-N1', '-n1', '--mem=3000', '-t5']) } 1 .. 3;
	running('memory is counted: one on each node', @mem[0, 1]);
	is($c->state($mem[2]), 'PENDING', 'no third');
	$c->clear;
	my @forced = map { $c->plain(['-N1', '-n4', '-p', 'shared', '-t5']) } 1 .. 4;
	running('OverSubscribe=FORCE shares nodes', @forced);
	$c->clear;
};

subtest 'gres and licenses' => sub {
	my @gpu = map { $c->plain(['-n1', '--gres=card:1', '-t5']) } 1 .. 5;
	running('four of two nodes of two', @gpu[0 .. 3]);
	is($c->state($gpu[4]), 'PENDING', 'not a fifth');
	my $cpu = $c->plain(['-n1', '-t1']);
	running('a job without runs beside', $cpu);
	$c->cmd('scancel', $gpu[0]);
	running('until one is gone', $gpu[4]);
	$c->clear;
	my @lic = map { $c->plain(['-n1', '-L', 'word', '-t5']) } 1 .. 3;
	running('two licenses, two jobs', @lic[0, 1]);
	ok($c->wait_field($lic[2], 'Reason', qr/^Licenses$/), 'the third waits for a license');
	my $none = $c->plain(['-n1', '-t1']);
	running('and keeps nothing from others', $none);
	$c->cmd('scancel', $lic[0]);
	running('until one is gone', $lic[2]);
	$c->clear;
};

subtest 'not promised, by name' => sub {
	my @far = ('-t10', '--deadline=now+10hours');
	my %refused = (
		'only whole nodes can be promised: add --exclusive;' => ['-n1'],
		'--gres' => ['--exclusive', '-N1', '--gres=card:1'],
		'--licenses' => ['--exclusive', '-N1', '-L', 'word'],
		'--contiguous' => ['--exclusive', '-N2', '--contiguous'],
		'--exclusive=user' => ['-N1', '--exclusive=user'],
		'--oversubscribe' => ['-N1', '--oversubscribe'],
		'FORCE' => ['-N1', '--exclusive', '-p', 'shared'],
		'sockets, cores or threads' => ['-N1', '--exclusive', '--sockets-per-node=1'],
		'--switches' => ['-N1', '--exclusive', '--switches=1'],
		'--spread-job|spread' => ['-N2', '--exclusive', '--spread-job'],
		'--core-spec' => ['-N1', '--core-spec=1'],
		'--mem-per-cpu' => ['-N1', '-n1', '--mem-per-cpu=10'],
	);
	for my $what (sort keys %refused) {
		my $words = $what =~ /spread/ ? qr/spread/ : qr/\Q$what\E/;
		$c->refused("@{ $refused{$what} }", [@{ $refused{$what} }, @far], $words);
	}
	my $r = $c->accepted('whole nodes are', ['-N1', '--exclusive', @far]);
	my $two = $c->accepted('and whole nodes with their tasks', ['-N2', '-n8', '--exclusive', @far]);
	$c->accepted('and memory per node', ['-N1', '--exclusive', '--mem=2000', @far]);
	$c->refused('memory that no node has', ['-N1', '--exclusive', '--mem=9000', @far],
		qr/no node of partition batch fits --mem=9000M \(they have at most \d+M\)/);
	is($c->out('squeue', '-h', '-o', '%A') =~ tr/\n//, 2, 'nothing else is in the queue');
	$c->clear;
};

subtest 'not resized, by name' => sub {
	my %refused = (
		'--gres' => ['--exclusive', '--gres=card:1'],
		'--contiguous' => ['--exclusive', '--contiguous'],
		'add --exclusive' => ['-n2'],
		'FORCE' => ['--exclusive', '-p', 'shared'],
	);
	for my $what (sort keys %refused) {
		my $r = $c->sbatch(['--malleable', '-N1-2', @{ $refused{$what} }]);
		like($r->{text}, qr/^sbatch: error: --malleable: a job is not resized that has .*\Q$what\E/m, "@{ $refused{$what} }");
	}
	my $r = $c->sbatch(['--malleable', '-N1-2', '--exclusive']);
	ok($r->{id}, 'whole nodes would be') or diag($r->{text});
	$c->clear;
};

# What Slurm adds to a job, or keeps it waiting for, when it is tried in a partition.
subtest 'limits and defaults of partitions on memory and processors' => sub {
	my @job = ('-N1', '--exclusive', '-t1', '--deadline=now+10hours');
	$c->refused('whole nodes have more processors', ['-p', 'half', @job], qr/MaxCPUsPerNode/);
	$c->refused('a default that no node has', ['-p', 'plenty', @job], qr/partition plenty fits DefMemPerNode=9000 /);
	$c->refused('nor for all its processors', ['-p', 'each', @job], qr/partition each fits DefMemPerCPU=2000 /);
	$c->refused('so much memory needs more processors', ['-p', 'thin', '--mem=2000', @job], qr/fits 20 CPUs a node /);
	my $r = $c->sbatch(['-p', 'most', '--mem=600', @job]);
	like($r->{text}, qr/deadline: not promised: partition most: MaxMemPerNode=500 /, 'more than Slurm starts there');
	ok($c->wait_field($r->{id}, 'Reason', qr/^MaxMemPerLimit$/), 'which it says, too');
	is($c->promise($r->{id}), 'withdrawn', 'nothing is promised');
	$c->cmd('scancel', $r->{id});
	$c->accepted("what they allow: $_", ['-p', split(/ /), @job], runs => 0)
		for 'most --mem=400', 'most', 'plenty --mem=200', 'each --mem=200', 'thin --mem=300', 'thin';
	$c->promises_kept('and kept');
};

subtest 'no promise is broken by small jobs' => sub {
	my $long = $c->plain(['-n1', '-t20']);
	running('a small job runs', $long);
	my $p = $c->accepted('both nodes are promised afterwards', ['-N2', '--exclusive', '-t10',
		'--deadline=' . $c->in_seconds(20 * 60 + 60 + 600 + 60 + 120)]);
	my @fit = map { $c->plain(['-n1', '-t15']) } 1 .. 3;
	running('small jobs that end before it starts run', @fit);
	my @late = map { $c->plain(['-n1', '-t60']) } 1 .. 2;
	push @late, $c->plain(['-n1', '--gres=card:1', '-t60']), $c->plain(['-n1', '-L', 'word', '-t60']);
	$c->settle;
	is($c->state($_), 'PENDING', 'one that would not waits') for @late;
	is($c->promise($p->{id}), 'promised', 'the promise stands');
	$c->cmd('scancel', $long, @fit);
	running('the promised one is next', $p->{id});
	$c->cmd('scancel', $p->{id});
	running('then the small ones', @late);
};

subtest 'what cannot be is not asked' => sub {
	$c->clear;
	my $long = $c->plain(['-n1', '-t20', '-w', 'n1']);
	running('a small job runs', $long);
	my $p = $c->accepted('its node is promised afterwards', ['-N1', '--exclusive', '-w', 'n1', '-t10',
		'--deadline=' . $c->in_seconds(20 * 60 + 60 + 600 + 60 + 120)]);
	my @wide = map { $c->plain($_) } ['-N2', '-n3', '-t60'], ['-n6', '-t60'], ['-n2', '-c3', '-t60'];
	$c->settle;
	is($c->state($_), 'PENDING', 'one that needs both nodes waits') for @wide;
	my $wide = join '|', @wide;
	my @said = grep { /JobId=(?:$wide) never runnable/ } $c->log_tail(5000);
	is(scalar @said, 0, 'and Slurm is not asked whether one is enough') or diag($said[0]);
	$c->cmd('scancel', $long);
	running('the promised one is next', $p->{id});
	$c->cmd('scancel', $p->{id});
	$c->reaches('then what needs both', $wide[0], 'RUNNING');
};

$c->clear;
$c->healthy;
done_testing;
