# SPDX-License-Identifier: GPL-2.0-or-later
# A job that is migrated back and forth between two halves of four nodes, and a slurmctld that is killed meanwhile with or
# without what it knew last: the means of migration-life.t.
#
# The demo has one half. A job beside it has the other one, and a job over it the other row of its own half. When the one beside it ends
# the demo is wanted there, as the one over it could run at the same time then: it is asked to leave.
package Moves;
use strict;
use warnings;
use Test::More;
use Time::HiRes qw(sleep time);
use Cluster;

# Its checkpoint takes so long: what is saved within five seconds is saved before it has left.
use constant CHECKPOINT => 9;

sub begin {
	my ($class, $c) = @_;
	my $self = bless { c => $c, dir => "$c->{dir}/demo", stays => [], mark => 0, hold => "$c->{dir}/hold" }, $class;
	$self->{id} = $c->plain(['-N2', '-t600', '--migratable', '-x', 'n5'],
		script => "export PACT_LIFE=$c->{dir}; exec $Cluster::top/contrib/migratable/steps $self->{dir} 1000000 0.2 " . CHECKPOINT);
	$c->wait_for('the demo', sub { $self->lines > 2 }) && $self->half >= 0 or BAIL_OUT('the demo does not run');
	return $self;
}

# An Epilog that lasts as long as this file names its job.
sub epilog {
	my ($dir) = @_;
	return "#!/bin/sh\nwhile [ \"\$(cat $dir/hold 2>/dev/null)\" = \"\$SLURM_JOB_ID\" ]; do sleep 0.1; done\n";
}
sub hold_epilog { my ($self) = @_; return $self->{c}->file('hold', $self->{id}) }
sub end_epilog { my ($self) = @_; return unlink $self->{hold} }

# ---- the demo ----

sub state { my ($self) = @_; return $self->{c}->state($self->{id}) // '' }
sub lines { my ($self) = @_; return scalar(() = Cluster::slurp("$self->{dir}/log") =~ /\n/g) }

# The run of it that has written last.
sub run {
	my ($self) = @_;
	my @runs = Cluster::slurp("$self->{dir}/log") =~ / (\d+)$/mg;
	return $runs[-1] // -1;
}

# Which half it has, by its record; -1: neither.
sub half {
	my ($self) = @_;
	my $nodes = $self->{c}->field($self->{id}, 'NodeList');
	return $nodes eq nodes_of(0) ? 0 : $nodes eq nodes_of(1) ? 1 : -1;
}
sub nodes_of { return $_[0] ? 'n[3-4]' : 'n[1-2]' }
sub first_of { return $_[0] ? 3 : 1 }

# The nodes on which there are processes of it.
sub places {
	my ($self) = @_;
	my %on;
	for my $dir (glob '/proc/[0-9]*') {
		my $env = Cluster::slurp("$dir/environ");
		next unless index($env, "PACT_LIFE=$self->{c}{dir}\0") >= 0;
		my ($node) = $env =~ /(?:^|\0)SLURMD_NODENAME=([^\0]*)/;
		$on{ $node // '?' } = 1;
	}
	return join ' ', sort keys %on;
}

# ---- who is in its way ----

sub stay {
	my ($self, $half) = @_;
	my $id = $self->{c}->plain(['-N2', '-t600', '-w', nodes_of($half)], script => 'while :; do sleep 0.5; done');
	push @{ $self->{stays} }, $id;
	return $self->{c}->wait_for("job $id to run", sub { $self->{c}->state($id) =~ /^(RUNNING|SUSPENDED)$/ }) ? $id : 0;
}

# Nothing is in its way, and it runs on one half: where it was put aside a lost node it is requeued, and what it had done since its
# last checkpoint is lost.
sub alone {
	my ($self) = @_;
	my ($c, $id) = @$self{qw(c id)};
	$c->cmd('scancel', @{ $self->{stays} }) if @{ $self->{stays} };
	$self->{stays} = [];
	$c->wait_for('the demo to run', sub { $self->state eq 'RUNNING' }, 60) or return 0;
	return 1 if $self->half >= 0;
	$self->{requeued}++;
	$c->cmd('scontrol', 'requeue', $id);
	return $c->wait_for('its end', sub { $self->state eq 'PENDING' }, 60) && $c->update($id, 'StartTime=now')
		&& $c->wait_for('the demo on one half', sub { $self->state eq 'RUNNING' && $self->half >= 0 }, 60);
}

# What slurmctld could not send to a lost node it sends when that answers again: that a run of the demo is to be ended there, by the job's
# number, which would end the next one, too.
sub is_all_sent {
	my ($self) = @_;
	return $self->{c}->wait_for('the messages', sub { $self->{c}->out('sdiag') =~ /^Agent queue size:\s+0$/m }, 90);
}

sub set_up {
	my ($self) = @_;
	$self->alone or return 0;
	$self->{from} = $self->half;
	$self->{beside} = $self->stay(1 - $self->{from}) or return 0;
	return $self->stay($self->{from});
}

sub push_out {
	my ($self) = @_;
	$self->{mark} = $self->{c}->log_mark;
	$self->{c}->cmd('scancel', $self->{beside});
}

# ---- how far it has come ----

my %is_there = (
	asked => sub { return $_[0]->is_asked },
	# it writes its checkpoint, and has no turn
	waits => sub { return $_[0]->is_asked && $_[0]->state eq 'SUSPENDED' },
	away => sub { return $_[0]->state eq 'COMPLETING' },
	ended => sub { return $_[0]->logged(qr/Requeuing JobId=$_[0]{id}\b/) },
	started => sub { return $_[0]->state eq 'RUNNING' && $_[0]->half == 1 - $_[0]{from} },
);

sub logged { my ($self, $pattern) = @_; return $self->{c}->log_text($self->{mark}) =~ $pattern }
sub is_asked { my ($self) = @_; return $self->logged(qr/JobId=$self->{id}: it is asked to leave/) }

# Every twentieth of a second: some of it is soon over.
sub reaches {
	my ($self, $step) = @_;
	my $until = time + 90;
	until ($is_there{$step}->($self)) {
		return 0 if time > $until;
		sleep 0.05;
	}
	$self->{at} = time;
	return 1;
}

# ---- what slurmctld has saved ----

sub job_state { return "$_[0]{c}{dir}/c/state/job_state" }

# What it knew then is on its disk: when that step was reached, or at another time.
sub is_saved {
	my ($self, $at) = @_;
	my $since = int($at // $self->{at}) + 1;
	return $self->{c}->wait_for('the saved state', sub { ((stat $self->job_state)[9] // 0) >= $since }, 8);
}

# It writes a new file, and gives that the old one's name: where it cannot, what is there stays.
sub freeze {
	my ($self) = @_;
	my $new = $self->job_state . '.new';
	return $self->{c}->wait_for('a place for it', sub { mkdir $new }, 10) && $self->{c}->file('c/state/job_state.new/stays', '');
}

sub thaw {
	my ($self) = @_;
	my $new = $self->job_state . '.new';
	unlink "$new/stays";
	return rmdir $new;
}

# By kill -9; or in order, and it saves all first.
sub kill_controller {
	my ($self, $signal) = @_;
	my $pid = $self->{c}->controller_pid;
	kill $signal // 'KILL', $pid or return 0;
	return $self->{c}->wait_for('its end', sub { !-d "/proc/$pid" || Cluster::slurp("/proc/$pid/stat") =~ /\) Z/ }, 30);
}

sub start_controller {
	my ($self) = @_;
	my $r = $self->{c}->emulate('start-controller');
	diag("start-controller: $r->{err}") if $r->{rc};
	$self->{c}->remember_controller;
	$self->{had} = $self->lines;
	return !$r->{rc};
}

# ---- what becomes of it ----

# Within so many seconds it does more steps, in the run `run` at least, and that on one node alone, its batch host by its record. One that
# was requeued as by itself, as Slurm had not saved that it was asked, waits for two minutes: these are not waited for.
sub goes_on {
	my ($self, $run, $seconds) = @_;
	my ($c, $id) = @$self{qw(c id)};
	my ($began, $late, $lifted) = (time, 0, 0);
	my $ok = $c->wait_for('the demo to go on', sub {
		my $job = $c->job($id) or return 0;
		if ($job->{JobState} ne 'PENDING' || ($job->{EligibleTime} =~ /^(\d+)$/ ? $1 : 0) < time + 20) {
			$late = 0;
		} elsif (time > ($late ||= time) + 5) {
			$lifted += $c->update($id, 'StartTime=now');
		}
		return $self->run >= $run && $self->lines > $self->{had} + 5 && $job->{JobState} =~ /^(RUNNING|SUSPENDED)$/
			&& $self->places eq $job->{BatchHost};
	}, $seconds);
	$self->{took} = sprintf '%.0f s%s', time - $began, $lifted ? ', less two minutes' : '';
	my $job = $c->job($id) // {};
	diag(sprintf 'it is %s on %s, run %d, %d steps since; processes on: %s', $job->{JobState} // 'gone', $job->{NodeList} // '', $self->run,
		$self->lines - $self->{had}, $self->places) unless $ok;
	return $ok;
}

1;
