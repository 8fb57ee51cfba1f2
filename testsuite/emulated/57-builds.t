#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 57-builds: plugins of the right release that were built for another slurmctld: with headers that are not
# slurmctld's own, or with a function that it does not have. slurmctld starts all the same, one line names both
# builds and the remedy, deadlines are refused, jobs are started by Slurm's own scheduler, and nothing is
# written into a record. And plugins that were built by --enable-untested-slurm: they say so, and promise.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use File::Path qw(make_path);
use File::Temp qw(tempdir);
use Test::More;
use Cluster;

my ($top, $build) = ($Cluster::top, $Cluster::build);
my $stock = Cluster::plugin_dir() or BAIL_OUT("the plugins are not built in $build");
my $archive = "$build/slurm/.libs/libpactslurm.a";
my %make = Cluster::slurp("$build/Makefile") =~ /^(\w+) = (.*)$/mg;
plan skip_all => 'no build tree with headers of Slurm' unless -r $archive && $make{SLURM_SRC};

# ---- the plugins as they are ----

for my $plugin (qw(job_submit_deadline sched_qops sched_dynp sched_malleable select_gang)) {
	my @symbols = split /\n/, `readelf --dyn-syms -W $stock/$plugin.so`;
	my %fine = map { /\bWEAK\b|(?<!\bUND) \w+$/ && /(\w+)$/ ? ($1 => 1) : () } @symbols;
	my @bound = grep { !/\@/ && !$fine{$_} } map { /\bR_\w+_(?:JU\w+|RELATIVE)\b/ ? () : /^[0-9a-f]+ +[0-9a-f]+ +R_\w+ +[0-9a-f]+ ([a-z]\S+)/ ? $1 : () }
		split /\n/, `readelf -rW $stock/$plugin.so`;
	is("@bound", '', "$plugin.so opens in a slurmctld that lacks anything (slurm/base/compat.h has the weak symbols)");
	unlike(`readelf -dW $stock/$plugin.so`, qr/BIND_NOW|Flags:.*\bNOW\b/, '  and binds functions when it calls them');
}

# ---- plugins for another slurmctld ----

my $dir = tempdir('pact-builds-XXXXXX', TMPDIR => 1, CLEANUP => 1);
chmod 0755, $dir;
# These builds are the ones of somebody who has pinned the sizes anew, as a release of Slurm makes one do.
make_path("$dir/pins/slurm/base");
open(my $pins, '>', "$dir/pins/slurm/base/compat_pins.h") or die;
close($pins);
my $cflags = "-O0 -fPIC -I$dir/pins -I$top -I$build $make{JSON_C_CFLAGS} $make{SQLITE3_CFLAGS} $make{MUNGE_CFLAGS} " .
	"-DHAVE_CONFIG_H -DPACT_VERSION='\"other\"'";
my %source = (job_submit_deadline => 'jobsubmit_deadline', sched_qops => 'sched_qops');

sub run {
	my ($command) = @_;
	system('sh', '-c', $command) == 0 or BAIL_OUT("failed: $command");
}

# A directory of headers in which each named one is another.
sub headers {
	my ($name, $file, $change) = @_;
	my ($path) = grep { -r "$make{SLURM_SRC}/$_" } map { "src/$_/$file->[1]" } @{ $file->[0] };
	($path) = grep { -r "$make{SLURM_SRC}/$_" } 'src/slurmctld/slurmctld.h' unless $path;
	my $text = Cluster::slurp("$make{SLURM_SRC}/$path");
	$change->($text) or BAIL_OUT("$path is not as this test knows it");
	make_path("$dir/$name/h/" . ($path =~ s{/[^/]*$}{}r));
	open(my $f, '>', "$dir/$name/h/$path") or die "$path: $!";
	print $f $text;
	close($f);
	return "-isystem $dir/$name/h $make{SLURM_CPPFLAGS}";
}

# Link both plugins; of the objects these first, the others as they were built.
sub link_plugins {
	my ($name, $includes, @objects) = @_;
	for my $plugin (sort keys %source) {
		run("$make{CC} $cflags $includes -c -o $dir/$name/$plugin.o $top/plugins/$source{$plugin}/$plugin.c");
		run("$make{CC} -shared -o $dir/$name/.$plugin.so $dir/$name/$plugin.o @objects " .
			"-Wl,--whole-archive $archive -Wl,--no-whole-archive -Wl,--allow-multiple-definition " .
			"-Wl,--version-script,$build/plugins/.libs/$plugin.ver -Wl,-z,nodelete $make{PLUGIN_LIBS} " .
			"$make{JSON_C_LIBS} $make{MUNGE_LIBS} $make{SQLITE3_LIBS} && " .
			"mv $dir/$name/.$plugin.so $dir/$name/$plugin.so");
	}
}

# Nobody builds for records of another size unawares.
sub stopped {
	my ($name) = @_;
	my $with_pins = $cflags =~ s{-I\Q$dir\E/pins }{}r;
	my $says = `$make{CC} $with_pins -isystem $dir/$name/h $make{SLURM_CPPFLAGS} -c -o /dev/null $top/slurm/config/builds.c 2>&1`;
	isnt($?, 0, "headers with another record of a $name do not build");
	like($says, qr/is not the one that was read: find out what was added/, '  and the compiler says what to do');
}

# Only what compares is compiled with other headers, and what Slurm itself looks at, if none are named for that.
sub build_check {
	my ($name, $file, $change, $says) = @_;
	my $includes = headers($name, $file, $change);
	run("$make{CC} $cflags $includes -c -o $dir/$name/builds.o $top/slurm/config/builds.c");
	link_plugins($name, $says // $includes, "$dir/$name/builds.o");
}

# All of it is: what would happen unchecked happens.
sub build_all {
	my ($name, $file, $change) = @_;
	my $includes = headers($name, $file, $change);
	run("cd $dir/$name && ls $top/slurm/*/*.c | xargs -P2 -n8 $make{CC} $cflags $includes -c");
	link_plugins($name, $includes, "$dir/$name/*.o");
	unlink "$dir/$name/$_.o" for keys %source;
}

sub without_function {
	my ($name) = @_;
	make_path("$dir/$name");
	open(my $f, '>', "$dir/$name/more.c") or die;
	print $f "extern int slurmctld_has_none(void);\nint pact_more(void)\n{\n\treturn slurmctld_has_none();\n}\n";
	close($f);
	run("$make{CC} -fPIC -c -o $dir/$name/more.o $dir/$name/more.c");
	link_plugins($name, $make{SLURM_CPPFLAGS}, "$dir/$name/more.o");
}

# As --enable-untested-slurm does it.
sub untested {
	my ($name) = @_;
	my $flags = "$make{SLURM_CPPFLAGS} -DPACT_SLURM_UNTESTED";
	make_path("$dir/$name");
	run("$make{CC} $cflags $flags -c -o $dir/$name/query_status.o $top/slurm/queries/query_status.c");
	link_plugins($name, $flags, "$dir/$name/query_status.o");
}

my $job_header = [[qw(common)], 'job_record.h'];
my $part_header = [[qw(common)], 'part_record.h'];
my $node_header = [[qw(common)], 'node_conf.h'];
my $in_front = sub { my $what = shift; sub { $_[0] =~ s/^(struct $what \{)/$1\n\tuint64_t shifted;/m } };

without_function('function');
# Headers of a neighbouring release, under the number of this one, so that Slurm loads it.
build_check('release', [['..'], 'config.h'], sub { $_[0] =~ s/^(#define SLURM_VERSION_NUMBER )(\w+)/$1($2 + 1)/m },
	$make{SLURM_CPPFLAGS});
build_check('conf', [[qw(slurmctld)], 'slurmctld.h'], sub { $_[0] =~ s/^(\} slurmctld_config_t;)/\tuint64_t more;\n$1/m });
build_check('node', $node_header, $in_front->('node_record'));
build_check('magic', $node_header, sub { $_[0] =~ s/^(#define NODE_MAGIC\s).*/${1}0x12345678/m });
build_check('part', $part_header, sub { $_[0] =~ s/^(\} part_record_t;)/\tuint64_t more;\n$1/m });
stopped('part');
build_all('job', $job_header, $in_front->('job_record'));
untested('untested');

# ---- from the first moment ----

my $c;
my $release = $make{SLURM_VERSION};
my $both = qr/Pact was built for another Slurm \Q$release\E than this slurmctld, which is \S*slurmctld\S* \Q$release\E: /;
my $remedy = qr/; install the Pact made for it, or build it against its source/;
my $refusal = qr/nothing is promised: Pact was built for another Slurm than runs here/;
my $conf = "SchedulerParameters=sched_interval=-1,defer,bf_interval=1\n";
my $plugins = "$dir/plugins";
make_path($plugins);

sub take {
	my ($name) = @_;
	for my $plugin (keys %source) {
		run("cp $dir/$name/$plugin.so $plugins/.new && mv $plugins/.new $plugins/$plugin.so");
	}
}

sub restart {
	my $pid = $c->controller_pid;
	$c->cmd('scontrol', 'shutdown', 'slurmctld');
	$c->wait_for('the end of slurmctld', sub { !kill 0, $pid });
	my $r = $c->emulate('start-controller');
	diag($r->{err}) if $r->{rc};
	$c->remember_controller;
}

sub lines { scalar(() = $_[0] =~ /$both/g) }

$ENV{PACT_PLUGIN_DIR} = $plugins;
take('function');
$c = Cluster->up(nodes => 2, conf => $conf);
my $pact = "$build/contrib/pact/pact";

sub gives_way {
	my ($what, $mark) = @_;
	my $job = $c->plain(['-N2', '-t10'], runs => 1);
	my $next = $c->plain(['-N2', '-t10'], runs => 1);
	$c->reaches("$what: Slurm starts the job", $next, 'COMPLETED');
	is($c->field($next, 'AdminComment') // '', '', '  whose record was left alone');
	$c->refused('  a deadline is refused, and why', ['-N1', '-t1', '--deadline=now+2hours'], $refusal);
	is(lines($c->log_text($mark)), 1, '  one line in the log');
}

my %says = (
	function => qr/it has no slurmctld_has_none/,
	release => qr/its release is another/,
	conf => qr/slurmctld_config has \d+ bytes, not \d+/,
	node => qr/the record of a node has \d+ bytes, not \d+/,
	magic => qr/the record of a node has no magic number at its place/,
	part => qr/the record of a partition has \d+ bytes, not \d+/,
	job => qr/the record of a job has \d+ bytes, not \d+/,
);
my $mark = 0;
for my $what (qw(function release conf node magic part)) {
	if ($what ne 'function') {
		take($what);
		$mark = $c->log_mark;
		restart();
	}
	ok($c->log_has('starts the jobs instead', $mark), "$what: slurmctld starts");
	like($c->log_text($mark), qr/error: .*$both$says{$what}$remedy/, '  the log names both builds, and the remedy');
	gives_way($what, $mark) if $what =~ /function|part/;
}
is($c->cmd('scontrol', 'reconfigure')->{rc}, 0, 'scontrol reconfigure');
$c->remember_controller;
$c->healthy;

# ---- from the first job on ----

take('job');
$_->{rc} && diag($_->{err}) for $c->emulate('down');
$c = Cluster->up(nodes => 2, conf => $conf);
unlike($c->log_text, $both, 'without a job nothing is seen of its record');
gives_way('job', 0);
like($c->log_text, qr/error: .*$both$says{job}$remedy/, 'the log names both builds, and the remedy');
like($c->out($pact, 'status'), qr/$both$says{job}$remedy/, 'so does pact status');
my $r = $c->cmd($pact, 'plan');
is($r->{rc}, 6, 'pact plan has none');
like($r->{err}, qr/Pact was built for another Slurm than runs here: see pact status/, '  and says why');
my $wall = $c->plain(['-N2', '-t60']);
$c->reaches('a job', $wall, 'RUNNING');
my $waits = $c->plain(['-N1', '-t60']);
$mark = $c->log_mark;
restart();
ok($c->log_has("$both$says{job}$remedy", $mark), 'after a restart it is seen again');
ok($c->update($waits, 'TimeLimit=30'), 'a change is left to Slurm');
$c->cmd('scancel', $wall);
$c->reaches('and what waits is started', $waits, 'RUNNING');
$c->healthy;

# ---- the right one, with which nobody has tested ----

take('untested');
$mark = $c->log_mark;
restart();
ok($c->log_has(qr/built for Slurm \Q$release\E, with which Pact is not tested/, $mark), 'an untested release: the log says so');
like($c->out($pact, 'status'), qr/^built for a Slurm with which Pact is not tested$/m, '  so does pact status');
$c->accepted('  and promises are made', ['-N1', '-t1', '--deadline=now+2hours']);
$c->healthy;
done_testing;
