# SPDX-License-Identifier: GPL-2.0-or-later
# Cluster.pm: what the TAP scripts of this directory share: an emulated cluster's life, its commands,
# its jobs and their promises.
#
# Invariants:
# - every file lies in the cluster's own directory, every process belongs to it, and both are gone
#   when the script ends, however it ends (PACT_KEEP=1 keeps the directory);
# - nothing sleeps for a fixed time: wait_for() polls, and its time-out is only for failures;
# - times are seconds since the epoch on the cluster's clock; a deadline is judged by the end times that
#   Slurm recorded (jobcomp), never by ours.
#
# Environment: PACT_TOP, PACT_BUILD (source and build tree), PACT_PLUGIN_DIR (else the plugins of
# PACT_BUILD), PACT_TIMEOUT (seconds that a wait may take, 120), PACT_KEEP.
package Cluster;
use strict;
use warnings;
use Cwd qw(abs_path);
use File::Basename qw(dirname);
use File::Path qw(remove_tree);
use File::Temp qw(tempdir);
use POSIX qw(strftime WNOHANG);
use Test::More;
use Time::HiRes qw(sleep);
use Time::Local qw(timegm);

our $top = $ENV{PACT_TOP} // abs_path(dirname(abs_path(__FILE__)) . '/../..');
our $build = $ENV{PACT_BUILD} // $top;
our $emulate = "$top/contrib/emulate/emulate";
our $timeout = $ENV{PACT_TIMEOUT} // 120;

# The clients' zone, in which stamp() writes; that of the daemons may differ (20-admission).
$ENV{TZ} = 'UTC';
$ENV{SLURM_TIME_FORMAT} = '%s';
delete $ENV{$_} for grep { /^(SLURM_(?!TIME_FORMAT)|SBATCH_|SALLOC_|SRUN_|SQUEUE_)/ } keys %ENV;

my @clusters;
$SIG{$_} = sub { exit 130 } for qw(INT TERM HUP);

# ---- life ----

sub plugin_dir {
	my $dir = $ENV{PACT_PLUGIN_DIR} // "$build/plugins/.libs";
	return -r "$dir/job_submit_deadline.so" ? $dir : undef;
}

# The plugins, and one of the tests' own beside them, in a directory that is made: from there the clusters to come load them.
sub add_plugin {
	my ($dir, $name) = @_;
	my $from = plugin_dir() or BAIL_OUT('the plugins are not built');
	mkdir $dir, 0755;
	symlink $_, "$dir/" . s/.*\///r for glob("$from/*.so"), "$build/testsuite/emulated/.libs/$name";
	$ENV{PACT_PLUGIN_DIR} = $dir;
}

# Can there be a cluster with accounting?
sub has_accounting {
	my @path = (split(/:/, $ENV{PATH} // ''), '/usr/sbin', '/sbin');
	for my $tool (qw(slurmdbd mariadbd sacctmgr)) {
		return 0 unless grep { -x "$_/$tool" } @path;
	}
	return 1;
}

# A planner that has time for its answer on a loaded machine.
my $default_pact = "Guard=60\nAdmissionTime=5000\n";

# Start a cluster, or bail out. Options: nodes, cpus, speed, shares, select (linear, cons_tres), sched (qops,
# dynp, stock), submit (deadline, none), plugins (Slurm looks for ours without those), conf and pact (text), files (name => text), node, features,
# partition (lists of emulate's options of that name), backup, accounting, may_fail (undef instead of
# bailing out, the reason in $Cluster::why), wrapper (words before slurmctld's own), as (uid: whose sbatch() is if
# that does not say). In conf and wrapper,
# @DIR@ stands for the cluster's directory.
our $why = '';

sub up {
	my ($class, %o) = @_;
	my $self = bless {
		dir => tempdir('pact-t-XXXXXX', TMPDIR => 1), speed => $o{speed} // 1, owner => $$,
		nodes => $o{nodes} // 4, promised => {}, wrapped => defined $o{wrapper}, as => $o{as},
	}, $class;
	chmod 0755, $self->{dir};
	$o{sched} //= 'qops';
	$self->{sched} = $o{sched};
	$o{submit} //= $o{sched} eq 'stock' ? 'none' : 'deadline';
	my @args = ('up', '--nodes', $self->{nodes}, '--speed', $self->{speed}, '--sched', $o{sched},
		'--submit', $o{submit});
	if ($o{sched} ne 'stock' || $o{submit} ne 'none' || $o{shares} || $o{plugins}) {
		my $plugins = plugin_dir() or BAIL_OUT("the plugins are not built in $build");
		push @args, '--plugin-dir', $plugins;
	}
	for my $option (qw(cpus select shares)) {
		push @args, "--$option", $o{$option} if defined $o{$option};
	}
	for my $option (qw(node features partition)) {
		push @args, "--$option", $_ for @{ $o{$option} // [] };
	}
	push @args, '--backup' if $o{backup};
	push @args, '--accounting' if $o{accounting};
	push @args, '--slurmctld-wrapper', $o{wrapper} =~ s/\@DIR\@/$self->{dir}\/c/gr if $o{wrapper};
	if (defined $o{conf}) {
		$o{conf} =~ s/\@DIR\@/$self->{dir}\/c/g;
		push @args, '--conf', $self->file('conf', $o{conf});
	}
	if ($o{sched} ne 'stock' || $o{submit} ne 'none') {
		push @args, '--pact-conf', $self->file('pact', $o{pact} // $default_pact);
	}
	push @args, '--file', "$_=" . $self->file("file-$_", $o{files}{$_}) for keys %{ $o{files} // {} };
	push @clusters, $self;
	my $r = $self->finish($self->spawn($emulate, '--dir', $self->{dir} . '/c', @args), 300);
	if ($r->{rc}) {
		$why = $r->{err} . $r->{out};
		if ($o{may_fail}) {
			$self->down;
			return undef;
		}
		diag($why);
		BAIL_OUT('the cluster does not start');
	}
	$self->read_env;
	$self->remember_controller;
	return $self;
}

# Slurm's release as a number that can be compared: 2205, 2411.
sub release {
	my $self = shift;
	$self->{release} //= do {
		my ($year, $month) = $self->out('sinfo', '-V') =~ /(\d+)\.(\d+)/;
		100 * $year + $month;
	};
	return $self->{release};
}

# Inside a subtest of what came with a release: skipped before.
sub needs_release {
	my ($self, $release) = @_;
	plan skip_all => sprintf('since Slurm %.2f', $release / 100) if $self->release < $release;
}

sub file {
	my ($self, $name, $text) = @_;
	my $path = "$self->{dir}/$name";
	open(my $f, '>', $path) or die "$path: $!";
	print $f $text;
	print $f "\n" unless $text =~ /\n\z/;
	close($f);
	chmod 0644, $path;
	return $path;
}

# A prolog or epilog, as a file of that name, that is not over as long as a gate, another file, is there; the shell has the
# gate's name, so that $SLURMD_NODENAME may be in it.
sub gated {
	my ($path, $gate) = @_;
	open(my $f, '>', $path) or die "$path: $!";
	print $f "#!/bin/sh\nwhile [ -e $gate ]; do sleep 0.2; done\n";
	close($f);
	chmod 0755, $path;
}

sub read_env {
	my $self = shift;
	my $r = $self->finish($self->spawn($emulate, '--dir', "$self->{dir}/c", 'env'), 60);
	BAIL_OUT("emulate env: $r->{err}") if $r->{rc};
	while ($r->{out} =~ /^export (\w+)=(.*)$/mg) {
		my ($key, $value) = ($1, $2);
		$value =~ s/\\(.)/$1/g;
		$value =~ s/^\$?'(.*)'$/$1/;
		$self->{env}{$key} = $value;
	}
}

# emulate itself, on this cluster; it runs on the real clock.
sub emulate {
	my ($self, @args) = @_;
	my $lives = -d "/proc/$self->{controller}";    # else it is the backup's reign
	my $mark = $self->log_mark;
	my $r = $self->finish($self->spawn($emulate, '--dir', "$self->{dir}/c", @args), 300);
	return $r unless $args[0] eq 'reconfigure';
	$r->{rc} = 0 if $self->left_agents($r, $mark);
	$self->read_anew($mark) if !$r->{rc} && $lives && !$self->respawns;
	$self->reconfigured($r->{rc}, $lives);
	return $r;
}

# In place, up to 23.02: scontrol has its answer before the planning thread has read pact.conf. It writes the tallies when it
# has.
sub read_anew {
	my ($self, $mark) = @_;
	return 1 if $self->{sched} eq 'stock';
	return $self->log_has(qr/sched\/\w+: promises: accepted /, $mark);
}

# Slurm 24.11 gives its agents 3 s to end, by the cluster's clock; one that is left may crash the old slurmctld when the
# new one has begun, so that only scontrol misses its answer (doc/slurm.md). No fault of a reconfiguration.
sub left_agents {
	my ($self, $r, $mark) = @_;
	return $r->{err} =~ /Zero Bytes were transmitted or received/ &&
		$self->log_text($mark) =~ /agent_fini: left \d+ agent threads active.*child started successfully/s;
}

sub down {
	my $self = shift;
	return if $self->{gone} || $self->{owner} != $$;
	$self->{gone} = 1;
	for my $pid (keys %{ $self->{children} // {} }) {
		kill 'KILL', $pid;
		waitpid $pid, 0;
	}
	local $? = 0;
	my $purge = $ENV{PACT_KEEP} ? '' : '--purge';
	system("$emulate -q --dir $self->{dir}/c down $purge >/dev/null 2>&1 </dev/null");
	remove_tree($self->{dir}) unless $ENV{PACT_KEEP};
}

END {
	my $status = $?;
	for my $c (@clusters) {
		next if $c->{owner} != $$;
		if (!$c->{gone} && !Test::More->builder->is_passing) {
			diag("---- the end of $c->{dir}/c/log/controller.log");
			diag($_) for $c->log_tail(60);
		}
		$c->down;
	}
	$? = $status;
}

# ---- commands ----

# Start a command in the cluster's environment. Option hash first, if any: as => uid; gate => [read,
# write] ends of a pipe: it starts when the caller closes the write end.
sub spawn {
	my ($self, @argv) = @_;
	my $o = ref $argv[0] ? shift @argv : {};
	my $n = ++$self->{spawned};
	my $base = "$self->{dir}/out-$$-$n";
	my @env = %{ $self->{env} // {} };
	@env = () if $argv[0] eq $emulate;
	if (defined $o->{as}) {
		unshift @argv, 'setpriv', "--reuid=$o->{as}", "--regid=$o->{as}", '--clear-groups';
	}
	my $pid = fork // die "fork: $!";
	if (!$pid) {
		$SIG{$_} = 'DEFAULT' for qw(INT TERM HUP);
		open(STDIN, '<', '/dev/null');
		open(STDOUT, '>', "$base.out");
		open(STDERR, '>', "$base.err");
		chdir '/';
		if ($o->{gate}) {
			close($o->{gate}[1]);
			sysread($o->{gate}[0], my $nothing, 1);
		}
		%ENV = (%ENV, @env);
		exec { $argv[0] } @argv or POSIX::_exit(127);
	}
	$self->{children}{$pid} = 1;
	return { pid => $pid, base => $base, argv => \@argv };
}

sub slurp {
	my $path = shift;
	open(my $f, '<', $path) or return '';
	local $/;
	return <$f> // '';
}

# Has it ended? Then rc is set.
sub ended {
	my ($self, $h) = @_;
	return 1 if defined $h->{rc};
	return 0 unless waitpid($h->{pid}, WNOHANG) == $h->{pid};
	$h->{rc} = $? >> 8 || ($? & 127 ? 128 + ($? & 127) : 0);
	delete $self->{children}{ $h->{pid} };
	$h->{out} = slurp("$h->{base}.out");
	$h->{err} = slurp("$h->{base}.err");
	unlink "$h->{base}.out", "$h->{base}.err";
	return 1;
}

# Wait for the end of what spawn() gave: { rc, out, err }.
sub finish {
	my ($self, $h, $seconds) = @_;
	my $until = time + ($seconds // $timeout);
	my $nap = 0.002;
	while (!$self->ended($h)) {
		if (time > $until) {
			kill 'KILL', $h->{pid};
			diag("timed out: @{ $h->{argv} }");
		}
		sleep $nap;
		$nap *= 1.5 if $nap < 0.05;
	}
	return $h;
}

# Run a command in the cluster: { rc, out, err }.
sub cmd {
	my ($self, @argv) = @_;
	return $self->finish($self->spawn(@argv));
}

# Its output, chomped.
sub out {
	my $r = cmd(@_);
	chomp $r->{out};
	return $r->{out};
}

# What pact says to some words, its complaints last.
sub pact {
	my ($self, @words) = @_;
	my $r = $self->cmd("$build/contrib/pact/pact", @words);
	return $r->{out} . $r->{err};
}

# A munge credential of the cluster's key for a text: $c->sealed([{ as => UID },] TEXT, OPTION-OF-MUNGE...).
sub sealed {
	my ($self, @args) = @_;
	my $o = ref $args[0] ? shift @args : {};
	my ($text, @how) = @args;
	my $file = "$self->{dir}/sealed";
	open(my $f, '>', $file) or die "$file: $!";
	print $f $text;
	close $f;
	chmod 0644, $file;
	return $self->out($o, 'munge', '-S', "$self->{dir}/c/munge/socket", '-i', $file, @how);
}

# A credential with a character in its middle changed.
sub tampered {
	my $cred = shift;
	substr($cred, length($cred) / 2, 1) =~ tr/A-Za-z0-9+\//B-ZAb-za1-90\/+/;
	return $cred;
}

# Start commands (each a list) at one instant, then wait for all. Gives their results in that order, with
# text, and id and promise of an sbatch.
sub at_once {
	my ($self, @commands) = @_;
	pipe(my $read, my $write) or die "pipe: $!";
	my @running = map { $self->spawn({ gate => [$read, $write] }, @$_) } @commands;
	close($write);
	for my $r (@running) {
		$self->finish($r);
		$r->{text} = $r->{err} . $r->{out};
		$r->{id} = $r->{out} =~ /^Submitted batch job (\d+)/m ? $1 : undef;
		$self->note_promise($r);
	}
	close($read);
	return @running;
}

# ---- time ----

sub now {
	my $self = shift;
	return $self->{speed} == 1 ? time : 0 + $self->out('date', '+%s');
}

# A time in the form that --deadline and --begin take.
sub stamp {
	my ($self, $epoch) = @_;
	return strftime('%Y-%m-%dT%H:%M:%S', gmtime $epoch);
}

sub in_seconds {
	my ($self, $seconds) = @_;
	return $self->stamp($self->now + $seconds);
}

# A time as Slurm's commands write it, as Pact does (with its offset from UTC), or as sbatch takes it anywhere.
sub epoch {
	my $text = shift;
	return $1 if ($text // '') =~ /^uts(\d+)$/;
	return undef unless ($text // '') =~ /^(\d+)-(\d+)-(\d+)T(\d+):(\d+):(\d+)(?:([+-])(\d\d):(\d\d))?$/;
	my $east = defined $7 ? ($7 eq '-' ? -60 : 60) * ($8 * 60 + $9) : 0;
	return timegm($6, $5, $4, $3, $2 - 1, $1) - $east;
}

# ---- waiting ----

# Poll until the code gives a true value, and give it; a false one after the time-out, with a note. A look is a client of
# Slurm's as a rule, and some scripts run beside each other: what takes long is looked at less often.
sub wait_for {
	my ($self, $what, $code, $seconds) = @_;
	my $since = time;
	my $until = $since + ($seconds // $timeout);
	my $value;
	until ($value = $code->()) {
		if (time > $until) {
			diag("waited in vain for: $what");
			return $value;
		}
		sleep(time - $since < 2 ? 0.1 : 0.25);
	}
	return $value;
}

# ---- jobs ----

# Submit with sbatch: { rc, id, text (both streams) }. Options: runs (seconds of sleep, default 3600),
# script (instead of the sleep), as (uid).
sub sbatch {
	my ($self, $args, %o) = @_;
	my $script = $o{script} // 'exec sleep ' . ($o{runs} // 3600);
	my $as = $o{as} // $self->{as};
	my @from = defined $self->{as} ? ('-D', '/') : ();    # which anyone may go to
	my $r = $self->cmd(defined $as ? { as => $as } : {}, 'sbatch', '-o', '/dev/null', @from, @$args,
		'--wrap', $script);
	$r->{text} = $r->{err} . $r->{out};
	$r->{id} = $r->{out} =~ /^Submitted batch job (\d+)/m ? $1 : undef;
	$self->note_promise($r);
	return $r;
}

sub note_promise {
	my ($self, $r) = @_;
	return unless $r->{text} =~ /deadline: accepted: completes by (\S+), (?:planned start (\S+)|starts now)/;
	($r->{by}, $r->{start}) = (epoch($1), defined $2 ? epoch($2) : undef);
	$self->{promised}{ $r->{id} } = $r->{by} if $r->{id};
}

# A job that has to be taken (with or without a deadline). Gives its number.
sub plain {
	my ($self, $args, %o) = @_;
	my $r = $self->sbatch($args, %o);
	ok(0, "sbatch @$args") || diag($r->{text}) unless $r->{id};
	return $r->{id};
}

# A test: the deadline job is accepted, and told so. Gives the result of sbatch().
sub accepted {
	my ($self, $name, $args, %o) = @_;
	my $r = $self->sbatch($args, %o);
	ok($r->{id} && $r->{text} =~ /^(sbatch: )?deadline: accepted: completes by /m, $name)
		or diag("sbatch @$args\n$r->{text}");
	return $r;
}

# A test: it is refused with the stable prefix and words that match. Gives the result, with the
# counter-offer (if there is one) in offer.
sub refused {
	my ($self, $name, $args, $words, %o) = @_;
	my $r = $self->sbatch($args, %o);
	$words //= qr/./;
	ok($r->{rc} && !$r->{id} && $r->{text} =~ /^sbatch: error: deadline: refused: .*$words/m, $name)
		or diag("sbatch @$args\n$r->{text}");
	$r->{offer} = $1 if $r->{text} =~ /earliest that can be promised: --deadline=([^\s;,]+)/;
	return $r;
}

# A job's fields by their names in `scontrol show job`; undef when it is not known. An array gives the
# record of that number, or the first.
sub job {
	my ($self, $id) = @_;
	my ($first) = $self->jobs($id);
	return $first;
}

sub jobs {
	my ($self, $id) = @_;
	my $r = $self->cmd('scontrol', '-o', 'show', 'job', $id);
	return if $r->{rc};
	my @jobs;
	for my $line (split /\n/, $r->{out}) {
		my %f;
		$line =~ s/ +$//;
		while ($line =~ /(?:^|\s)([A-Za-z][\w:\/]*)=(.*?)(?=\s+[A-Za-z][\w:\/]*=|\s*$)/g) {
			$f{$1} //= $2;
		}
		push @jobs, \%f if $f{JobId};
	}
	return @jobs;
}

sub field {
	my ($self, $id, $name) = @_;
	my $job = $self->job($id) or return '';
	return $job->{$name} // '';
}

sub state {
	my ($self, $id) = @_;
	return $self->field($id, 'JobState');
}

# On how many nodes it is.
sub width {
	my ($self, $id) = @_;
	return $self->field($id, 'NumNodes');
}

# On which, in Slurm's order.
sub hosts {
	my ($self, $id) = @_;
	return split ' ', $self->out('scontrol', 'show', 'hostnames', $self->field($id, 'NodeList'));
}

# A test: it comes to be on so many.
sub has_width {
	my ($self, $name, $id, $n) = @_;
	return ok($self->wait_for($name, sub { $self->width($id) eq $n }), $name) || diag('it has ' . $self->width($id));
}

# Wait for one of some states; a job that has left slurmctld's memory is looked up in jobcomp.
sub wait_state {
	my ($self, $id, $states, $seconds) = @_;
	my $state = '';
	my $reached = $self->wait_for("job $id in $states", sub {
		$state = $self->state($id);
		if (!$state) {
			my $end = $self->ended_jobs->{$id};
			$state = $end ? $end->{JobState} : '';
		}
		return $state =~ /^(?:$states)$/;
	}, $seconds);
	diag("job $id is in state '$state', reason " . $self->field($id, 'Reason')) unless $reached;
	return $reached;
}

# A test of that.
sub reaches {
	my ($self, $name, $id, $states, $seconds) = @_;
	return ok($self->wait_state($id, $states, $seconds), $name);
}

# The plugin of the tests (resize_test.c) is asked to do something with a job.
sub asks {
	my ($self, $job, $word, $nodes) = @_;
	return $self->update($job, "Comment=$word " . ++$self->{asked} . " $nodes");
}

# What became of it, and its words.
sub asked {
	my ($self, $job, @what) = @_;
	$self->asks($job, @what) or return ("scontrol: $self->{text}", '');
	return ('lost', '') unless $self->wait_field($job, 'AdminComment', qr/^$self->{asked} /);
	my (undef, $how, $said) = split ' ', $self->field($job, 'AdminComment'), 3;
	return ($how, $said);
}

# Wait for a field to match.
sub wait_field {
	my ($self, $id, $name, $pattern, $seconds) = @_;
	my $value = '';
	my $ok = $self->wait_for("job $id: $name $pattern", sub {
		$value = $self->field($id, $name);
		return $value =~ /$pattern/;
	}, $seconds);
	diag("job $id: $name is '$value'") unless $ok;
	return $ok;
}

# A change of the accounting database: sacctmgr's words, as ('add', 'account', 'science').
sub accounts {
	my ($self, @words) = @_;
	my $r = $self->cmd('sacctmgr', '-i', @words);
	ok(0, "sacctmgr @words") || diag($r->{out}, $r->{err}) if $r->{rc};
}

# `scontrol update JobId=... FIELD=VALUE...`: true when Slurm took it; its words in text. Without accounting 24.11
# refuses a new partition where a thread happens to have an old error (doc/slurm.md): then it is asked again.
sub update {
	my ($self, $id, @changes) = @_;
	my $r;
	for (1 .. 20) {
		$r = $self->cmd('scontrol', 'update', "JobId=$id", @changes);
		last if $r->{err} !~ /Resource temporarily unavailable/;
	}
	$self->{text} = $r->{err} . $r->{out};
	return !$r->{rc};
}

# A token's state in AdminComment, '' when there is none.
sub promise {
	my ($self, $id) = @_;
	my $job = $self->job($id) or return '';
	return ($job->{AdminComment} // '') =~ /pact1\([^)]*\bstate=(\w+)/ ? $1 : '';
}

# What has ended for good, by Slurm's own record: number => { JobState, StartTime, EndTime, ... }.
sub ended_jobs {
	my $self = shift;
	my %ended;
	for my $line (split /\n/, slurp("$self->{dir}/c/jobcomp.log")) {
		my %f = $line =~ /(\w+)=(\S*)/g;
		next unless $f{JobId} && $f{JobState} !~ /^(PENDING|REQUEUED|RESIZING)/;
		# A helper job that a killed slurmctld had not saved: another job may have its number.
		next if ($f{Name} // '') eq 'pact-resize';
		# Ended at its limit; but slurmctld was killed before it saved that, and saw it end again.
		my $before = $ended{ $f{JobId} };
		$f{JobState} = 'TIMEOUT' if $before && $before->{JobState} eq 'TIMEOUT' && $f{JobState} eq 'FAILED' &&
			$f{StartTime} eq $before->{started};
		$f{started} = $f{StartTime};
		$f{$_} = epoch($f{$_}) for grep { exists $f{$_} } qw(StartTime EndTime);
		$ended{ $f{JobId} } = \%f;
	}
	return \%ended;
}

# Forget a promise that the test itself has ended (cancelled, held, made impossible).
sub excuse {
	my ($self, @ids) = @_;
	delete $self->{promised}{$_} for @ids;
}

# A test: every job promised so far has ended by its deadline, by the end that Slurm recorded.
sub promises_kept {
	my ($self, $name, $seconds) = @_;
	my @ids = sort { $a <=> $b } keys %{ $self->{promised} };
	my $ended;
	$self->wait_for('the end of ' . @ids . ' promised jobs', sub {
		$ended = $self->ended_jobs;
		return !grep { !$ended->{$_} } @ids;
	}, $seconds);
	my @broken;
	for my $id (@ids) {
		my ($by, $end) = ($self->{promised}{$id}, $ended->{$id});
		if (!$end) {
			push @broken, "job $id has not ended";
		} elsif ($end->{JobState} !~ /^(COMPLETED|TIMEOUT)$/ || $end->{EndTime} > $by) {
			push @broken, "job $id: $end->{JobState}, ended " . ($end->{EndTime} - $by) .
				' s after its deadline';
		}
	}
	$self->{promised} = {};
	return ok(!@broken, "$name (" . @ids . ' promises)') || diag(join "\n", @broken);
}

# Wait until the scheduler has seen everything that happened before this call: a new job that cannot
# start is shown a planned start only by a pass that began after it. Width: as many nodes as cannot be
# free now, but may be.
sub settle {
	my ($self, $width) = @_;
	my $id = $self->plain(['-N', $width // $self->{nodes}, '-t1']) or return;
	$self->wait_for('a scheduling pass', sub {
		my $job = $self->job($id) or return;
		return $job->{StartTime} =~ /^\d+$/ || $job->{JobState} ne 'PENDING';
	});
	$self->cmd('scancel', $id);
}

# Wait for a pass that began after this call, whatever there is to schedule: the second one that ends after
# it. A node's changed comment makes the scheduler look.
sub seen {
	my $self = shift;
	return 1 if $self->{sched} eq 'stock';
	my $passes = sub { $self->out('sdiag') =~ /Backfilling stats.*?Total cycles: (\d+)/s ? $1 : -1 };
	my $before = $passes->();
	return $self->wait_for('two scheduling passes', sub {
		$self->cmd('scontrol', 'update', 'NodeName=n1', 'Comment=seen-' . ++$self->{looks});
		my $n = $passes->();
		$before = $n if $n < $before;    # slurmctld counts from midnight on
		return $n >= $before + 2;
	});
}

# Cancel everything, and wait until the cluster is idle and the scheduler knows it.
sub clear {
	my $self = shift;
	my $ids = $self->out('squeue', '-h', '-a', '-o', '%A');
	my %ids = map { $_ => 1 } split ' ', $ids;
	$self->cmd('scancel', '-Q', sort keys %ids) if %ids;
	$self->{promised} = {};
	return $self->idle && $self->seen;
}

# Wait until nothing runs or waits and every node is idle.
sub idle {
	my ($self, $seconds) = @_;
	my $idle = $self->wait_for('an empty, idle cluster', sub {
		return $self->out('squeue', '-h', '-a', '-o', '%A') eq '' &&
			$self->out('sinfo', '-h', '-o', '%T') =~ /^(idle\s*)+$/;
	}, $seconds);
	diag($self->out('squeue', '-a'), "\n", $self->out('sinfo', '-N', '-o', '%N %T %C %E')) unless $idle;
	return $idle;
}

# Promised jobs run, each until it is seen and cancelled; gives their nodes, 'none' for one that was not
# kept. Which comes first is the plan's choice: where some nodes are free a moment before others, a narrow
# job may go before a wide one.
sub run_all {
	my ($self, @ids) = @_;
	my %list;
	$self->wait_for("jobs @ids to run", sub {
		for my $id (grep { !$list{$_} } @ids) {
			my $job = $self->job($id);
			if (!$job || $job->{JobState} !~ /PENDING|RUNNING|COMPLETING/ ||
				$job->{AdminComment} !~ /state=promised/) {
				diag("job $id was not kept: " . ($job ? "$job->{JobState} $job->{AdminComment}" : 'gone'));
				$list{$id} = 'none';
			} elsif ($job->{JobState} eq 'RUNNING') {
				$list{$id} = $job->{NodeList};
				$self->cmd('scancel', $id);
			}
		}
		return !grep { !$list{$_} } @ids;
	});
	return map { $list{$_} // 'none' } @ids;
}

# ---- the controller ----

# Wait until what slurmctld knows now is on its disk: the mark of a job that never runs is. It is left held: to
# cancel it would not be saved.
sub saved_state {
	my $self = shift;
	my $mark = "saved-$$-" . ++$self->{marks};
	my $id = $self->plain(['-H', '-N1', '-t1', "--comment=$mark"]) or return;
	return $self->wait_for('the saved state', sub { index(slurp("$self->{dir}/c/state/job_state"), $mark) >= 0 });
}

# While this runs slurmctld cannot store a batch script: that comes after job_submit, and nothing can ask it before.
sub without_scripts {
	my ($self, $what) = @_;
	my $state = "$self->{dir}/c/state";
	for my $n (0 .. 9) {
		rename("$state/hash.$n", "$state/stored.$n") if -e "$state/hash.$n";
		$self->file("c/state/hash.$n", 'no directory');
	}
	$what->();
	for my $n (0 .. 9) {
		unlink("$state/hash.$n");
		rename("$state/stored.$n", "$state/hash.$n") if -e "$state/stored.$n";
	}
}

sub controller_pid {
	my $self = shift;
	my $pid = slurp("$self->{dir}/c/run/controller.pid");
	return $pid =~ /^(\d+)/ ? $1 : 0;
}

sub remember_controller {
	my $self = shift;
	$self->{controller} = $self->controller_pid;
}

# With a backup: what the 'primary' or the 'backup' has logged since both were last marked.
sub said {
	my ($self, $who) = @_;
	my $file = $who eq 'primary' ? 'controller' : $who;
	return substr(slurp("$self->{dir}/c/log/$file.log"), $self->{marked}{$who} // 0);
}

sub mark {
	my $self = shift;
	delete $self->{marked};
	$self->{marked} = { map { $_ => length $self->said($_) } qw(primary backup) };
}

# A test: since then it has come to be in charge, and answers.
sub in_charge {
	my ($self, $who) = @_;
	return ok($self->wait_for("the $who", sub {
		$self->said($who) =~ /Running as primary controller/ && $self->cmd('timeout', '10', 'squeue', '-h')->{rc} == 0;
	}), "the $who is in charge");
}

sub log_text {
	my ($self, $from) = @_;
	my $text = slurp("$self->{dir}/c/log/controller.log");
	return substr($text, $from // 0);
}

sub log_tail {
	my ($self, $lines) = @_;
	my @lines = split /\n/, $self->log_text;
	return @lines > $lines ? @lines[-$lines .. -1] : @lines;
}

# Where the log ends now: for log_has(..., from).
sub log_mark {
	my $self = shift;
	return -s "$self->{dir}/c/log/controller.log" // 0;
}

# Wait for a line of the log.
sub log_has {
	my ($self, $pattern, $from, $seconds) = @_;
	return $self->wait_for("log line $pattern", sub { $self->log_text($from) =~ /$pattern/ }, $seconds);
}

# A test: slurmctld is the process it was, and has complained of nothing that means a bug.
sub healthy {
	my ($self, $name) = @_;
	my $pid = $self->{controller};
	my $comm = slurp("/proc/$pid/comm");
	my $alive = $pid == $self->controller_pid && ($self->{wrapped} || $comm =~ /^slurmctld/) &&
		slurp("/proc/$pid/status") !~ /^State:\s+Z/m;
	my @bad = grep { /\bfatal:|[Aa]ssert|[Ss]egmentation|sched\/\w+: .*\(id \d+\):|protocol/ }
		grep { !$self->{respawns_in_vain} || !/$self->{respawns_in_vain}/ } split /\n/, $self->log_text;
	diag("slurmctld $pid is gone") unless $alive;
	diag($_) for @bad;
	return ok($alive && !@bad, $name // 'slurmctld is healthy');
}

# Does a reconfiguration start a new slurmctld (from 23.11 on)? Then the old one goes on if that fails.
my $respawns;

sub respawns {
	my $self = shift;
	$respawns //= $self->release >= 2311 ? 1 : 0;
	return $respawns;
}

# What makes it is done: wait until slurmctld serves, be it a new one, and remember it. It writes its number after
# scontrol has its answer, so a new one is known by the old one's end.
sub reconfigured {
	my ($self, $fails, $lived) = @_;
	my $old = $self->{controller};
	$self->wait_for('the new slurmctld', sub {
		my $pid = $self->controller_pid;
		return $pid && $pid != $old && -d "/proc/$pid" && !-d "/proc/$old";
	}) if $self->respawns && $lived && !$fails;
	$self->remember_controller;
	$self->{respawns_in_vain} = qr/fatal: Failed to initialize the various schedulers/ if $fails;
	# Even one that goes on plans anew; what comes before the plan is there is refused. It is not asked for a
	# promise, which would be counted.
	$self->seen if $self->respawns;
}

# New pact.conf text (undef: as it is) and `scontrol reconfigure`.
sub reconfigure {
	my ($self, $pact) = @_;
	my @args = defined $pact ? ('--pact-conf', $self->file('pact', $pact)) : ();
	return $self->emulate('reconfigure', @args);
}

# The same by SIGHUP: { rc }.
sub hangup {
	my $self = shift;
	my $pid = $self->controller_pid;
	my $mark = $self->log_mark;
	kill 'HUP', $pid;
	my $heard = $self->log_has(qr/Reconfigure signal \(SIGHUP\) received/, $mark);
	$heard &&= $self->read_anew($mark); # or has stopped to be another
	$self->reconfigured(0, 1);
	return { rc => $heard ? 0 : 1, err => '' };
}

1;
