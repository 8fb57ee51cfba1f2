#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 96-counted: a running job gets nodes and gives nodes back, asked by the plugin of 90-resize, and Slurm's books of limits, of users,
# accounts and QOS, have what there is after each: so many jobs, submissions, processors and nodes. So has slurmdbd. With both
# plugins of priorities, as Slurm's own way of counting differs (doc/slurm.md), and both select plugins.
# By name: PACT_ROUNDS (4).
# Runs first: it takes two minutes.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use File::Temp qw(tempdir);
use Test::More;
use Time::HiRes qw(sleep);
use Cluster;

plan skip_all => 'slurmdbd or mariadb-server-core is not installed' unless Cluster::has_accounting();

my $rounds = $ENV{PACT_ROUNDS} // 4;
my $user = 65534;
my $minutes = 6000; # so long a job may run

my $dir = tempdir('pact-t-XXXXXX', TMPDIR => 1, CLEANUP => 1);
chmod 0755, $dir;
Cluster::add_plugin("$dir/plugins", 'job_submit_resize_test.so');

my ($c, $since);

# As in 90-resize: "later" and "busy" are asked again.
sub resize {
	my $job = $_[0];
	my $said = '';
	for (1 .. 100) {
		return "scontrol: $c->{text}" unless $c->asks(@_) || $c->{text} =~ /database/i;
		next unless $c->wait_field($job, 'AdminComment', qr/^$c->{asked} /, 5);
		$said = $c->field($job, 'AdminComment');
		return $1 if $said =~ /^\d+ (done|never)/;
		sleep 0.1;
	}
	return $said;
}

sub job {
	my $id = $c->plain(['--exclusive', "-t$minutes", @_], as => $user);
	$c->reaches("job $id runs", $id, 'RUNNING');
	return $id;
}

# Of each user, account and QOS what the books say, a line.
sub lines_of_books {
	my %of;
	for my $line (split /\n/, $c->out('scontrol', '-o', 'show', 'assoc_mgr', 'flags=assoc,qos')) {
		my $name = $line =~ /^ClusterName=\S+ Account=(\S+) UserName=(\w*)/ ? ($2 ? "user $2 of $1" : "account $1")
			: $line =~ /^QOS=(\w+)/ ? "QOS $1" : next;
		$of{$name} = $line;
	}
	return %of;
}

# What each one has in the books: jobs that run, submissions, processors, nodes, and minutes of processors still to be run.
sub books {
	my %of;
	my %line = lines_of_books();
	while (my ($name, $line) = each %line) {
		my ($jobs) = $line =~ / GrpJobs=\w+\((\d+)\)/;
		my ($submits) = $line =~ / GrpSubmitJobs=\w+\((\d+)\)/;
		my ($cpus, $nodes) = $line =~ / GrpTRES=cpu=\w+\((\d+)\)\S*?,node=\w+\((\d+)\)/;
		my ($run) = $line =~ / GrpTRESRunMins=cpu=\w+\((\d+)\)/;
		$of{$name} = [$jobs, $submits, $cpus, $nodes, $run];
		while ($line =~ /(?:MaxJobsPA|MaxJobsPU)=\w+\((\d+)\) \S+ (?:MaxSubmitJobsPA|MaxSubmitJobsPU)=\w+\((\d+)\) (?:MaxTRESPA|MaxTRESPU)=cpu=\w+\((\d+)\)\S*?,node=\w+\((\d+)\)/g) {
			$of{"$name, each " . ++$of{"of $name"}} = [$1, $2, $3, $4];
		}
		delete $of{"of $name"};
	}
	return \%of;
}

# What there is, by the jobs' records.
sub there_is {
	my ($jobs, $submits, $cpus, $nodes) = (0) x 4;
	for my $line (split /\n/, $c->out('scontrol', '-o', 'show', 'jobs')) {
		my ($state) = $line =~ / JobState=(\w+)/ or next;
		$submits++ if $state =~ /^(?:PENDING|RUNNING)$/;
		next unless $state eq 'RUNNING';
		$jobs++;
		my ($tres) = $line =~ / (?:AllocTRES|TRES)=(\S+)/;
		$cpus += $1 if $tres =~ /\bcpu=(\d+)/;
		$nodes += $1 if $tres =~ /\bnode=(\d+)/;
	}
	return [$jobs, $submits, $cpus, $nodes, $cpus * $minutes];
}

# All of these are the same user's. priority/multifactor takes what they have used from what they have to run each minute.
sub counted {
	my ($name, $multifactor) = @_;
	my ($of, $is) = (books(), there_is());
	my @wrong;
	for my $of_which ('user nobody of physics', 'account physics', 'account science', 'QOS normal', 'QOS normal, each 1', 'QOS normal, each 2') {
		my @has = @{ $of->{$of_which} // [] };
		my $run = @has > 4 ? pop @has : $is->[4];
		my $used = $multifactor ? $is->[2] * ((time - $since) / 60 + 1) : 0;
		push @wrong, "$of_which: @has, $run" if "@has" ne "@$is[0..3]" || $run > $is->[4] || $run < $is->[4] - $used;
	}
	return is(join("\n", @wrong), '', "$name: $is->[0] jobs run of $is->[1], on $is->[3] nodes") || diag("there is: @$is");
}

# Seconds of processors that were used, by the books and by slurmdbd's rows.
sub used {
	my %line = lines_of_books();
	my %of = map { $_ => $line{$_} =~ m{ UsageRaw(?:/\S+?)?=([\d.]+)} ? $1 : undef } keys %line;
	my $by_rows = 0;
	for my $row (split /\n/, $c->out('sacct', '-aDXnP', '-S', 'now-1hour', '-o', 'JobName,CPUTimeRAW')) {
		my ($name, $seconds) = split /\|/, $row;
		$by_rows += $seconds if $name ne 'pact-resize';
	}
	return (\%of, $by_rows);
}

sub helpers {
	return grep { /JobName=pact-resize/ } split /\n/, $c->out('scontrol', '-o', 'show', 'jobs');
}

# slurmdbd's rows of the helpers, of each its state and end.
sub rows {
	my %of;
	for my $row (split /\n/, $c->out('sacct', '-aDXnP', '-S', 'now-1hour', '-o', 'JobIDRaw,JobName,State,End')) {
		my ($id, $name, $state, $end) = split /\|/, $row;
		push @{ $of{$id} }, "$state $end" if $name eq 'pact-resize';
	}
	return \%of;
}

for (['basic', 'linear'], ['multifactor', 'cons_tres']) {
	my ($priority, $select) = @$_;
	my $multifactor = $priority eq 'multifactor';
	subtest "priority/$priority, select/$select" => sub {
		# The plugin alone keeps Slurm's books: sched/qops with its own copy of that would do it once more.
		$c = Cluster->up(nodes => 4, cpus => 2, select => $select, sched => 'stock', plugins => 1, accounting => 1,
			conf => "JobSubmitPlugins=resize_test\nPriorityType=priority/$priority\nMinJobAge=2\nSchedulerParameters=permit_job_expansion\nPriorityCalcPeriod=1\n");
		$since = time;
		$c->accounts(@$_) for [qw(add account science)], [qw(add account physics parent=science)], [qw(add user nobody account=physics)];
		my $other = job('-N1', '-wn4');
		my $held = $c->plain(['--exclusive', '-H', '-N1', "-t$minutes"], as => $user);
		my $job = job('-N1', '-wn1');
		counted('before', $multifactor);
		ok($c->wait_for('the books', sub { (used())[0]->{'account science'} > 0 }, 90), 'what was used is taken to the books') if $multifactor;
		my $grown = 0;
		for my $round (1 .. $rounds) {
			is(resize($job, 'grow', 'n2'), 'done', "round $round: it grows");
			is(resize($job, 'grow', 'n3'), 'done', '  once more');
			$grown += 2;
			is($c->field($job, 'NodeList'), 'n[1-3]', '  to three nodes');
			counted('  grown', $multifactor);
			if ($round % 2) {
				is(resize($job, 'shrink', 'n1'), 'done', '  it shrinks');
			} else {
				ok($c->wait_for('slurmdbd', sub { !$c->cmd({ as => $user }, 'scontrol', 'update', "JobId=$job", 'NumNodes=1')->{rc} }), '  it shrinks, as its user asks');
			}
			counted('  shrunk', $multifactor);
			ok($c->wait_for('idle nodes', sub { $c->out('sinfo', '-hN', '-o', '%N %t') =~ /n2 idle\nn3 idle/ }), '  and its nodes are free');
		}
		is(resize($job, 'grow', 'n[2-3]'), 'done', 'it grows again');
		$grown++;

		# With its limits as narrow as what there is.
		$c->accounts(qw(modify user nobody set maxjobs=3 maxsubmitjobs=3));
		is(resize($job, 'shrink', 'n[1-2]'), 'done', 'it shrinks by one node');
		$c->cmd('scontrol', 'release', $held);
		$c->reaches('its user may have a third job', $held, 'RUNNING');
		counted('with that', $multifactor);

		# What there was of the helpers.
		my $rows;
		$c->wait_for('slurmdbd', sub { keys %{ $rows = rows() } == $grown && !grep { "@$_" !~ /COMPLETED/ } values %$rows });
		is(keys %$rows, $grown, "slurmdbd knows of $grown helpers");
		my @open = grep { "@{ $rows->{$_} }" !~ /COMPLETED/ || grep { /Unknown/ } @{ $rows->{$_} } } sort keys %$rows;
		is("@open", '', '  and each one has its end there') or diag(map { "$_: " . join(', ', @{ $rows->{$_} }) . "\n" } @open);
		ok($c->wait_for('no records', sub { !helpers() }), 'their records are gone soon') or diag(helpers());
		like($c->cmd('sacctmgr', 'show', 'runawayjobs')->{out}, qr/No runaway jobs/, '  and none is a runaway job');

		$c->cmd('scancel', $job, $other, $held);
		$c->reaches('all end', $_, 'CANCELLED') for $job, $other, $held;
		counted('after', $multifactor);
		if ($multifactor) {
			my ($of, $by_rows);
			$c->wait_for('slurmdbd', sub { ($of, $by_rows) = used(); abs($of->{'user nobody of physics'} / $by_rows - 1) < 0.05 });
			cmp_ok(abs(($of->{$_} // 0) / $by_rows - 1), '<', 0.05, "$_ has what was used, and nothing of it twice") or diag("$by_rows by slurmdbd: $of->{$_}")
				for 'user nobody of physics', 'account physics', 'account science', 'QOS normal';
		}
		unlike($c->log_text(0), qr/underflow|grp_node_bitmap|lacks allocated node/, 'Slurm has lost count of nothing');
		$c->healthy;
		$c->down;
	};
}

done_testing;
