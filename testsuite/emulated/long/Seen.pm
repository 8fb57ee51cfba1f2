# SPDX-License-Identifier: GPL-2.0-or-later
# What the processes of jobs do on each of their nodes, written down by a process beside the test as long as it runs: the
# test kills daemons meanwhile, and waits for them.
#
# A stretch is { job, node, is, from, to }: R, it may run; T, it is stopped. In between it was seen at least every GAP seconds,
# or there is a stretch of the sampler's own in {gaps}: then nothing is known.
package Seen;
use strict;
use warnings;
use Time::HiRes qw(sleep time);
use Cluster;

use constant { EVERY => 0.1, GAP => 1 };

# A job's script: a task on each node, which says which process it is. It sleeps: what counts is what it could do.
sub tasks {
	my ($c) = @_;
	return "exec srun -Q --mem=0 sh -c 'echo \$\$ >$c->{dir}/new.\$SLURM_JOB_ID.\$SLURMD_NODENAME; "
		. "mv $c->{dir}/new.\$SLURM_JOB_ID.\$SLURMD_NODENAME $c->{dir}/task.\$SLURM_JOB_ID.\$SLURMD_NODENAME; "
		. "exec sleep 100000'";
}

# The same of a batch script alone, for so many seconds.
sub alone {
	my ($c, $seconds) = @_;
	return "echo \$\$ >$c->{dir}/new.\$SLURM_JOB_ID; mv $c->{dir}/new.\$SLURM_JOB_ID "
		. "$c->{dir}/task.\$SLURM_JOB_ID.\$SLURMD_NODENAME; exec sleep $seconds";
}

# The state of a process and when it began; it is another one's number when that differs.
sub process {
	my ($pid) = @_;
	my ($rest) = Cluster::slurp("/proc/$pid/stat") =~ /.*\) (.*)/s or return;
	my @f = split ' ', $rest;
	return if $f[0] =~ /[ZX]/;
	return ($f[0] =~ /[Tt]/ ? 'T' : 'R', $f[19]);
}

sub sample {
	my ($dir, $out) = @_;
	my (%task, %was, $globbed);
	my $last = time;
	$globbed = 0;
	while (getppid != 1) {
		my $now = time;
		syswrite $out, sprintf("%.2f - gap %.2f\n", $now, $last) if $now - $last > GAP;
		if ($now - $globbed >= 0.4) {
			$globbed = $now;
			for my $path (glob "$dir/task.*") {
				my ($key) = $path =~ /task\.(.*)$/;
				my ($pid) = Cluster::slurp($path) =~ /^(\d+)$/m or next;
				next if $task{$key} && $task{$key}{pid} == $pid;
				my (undef, $began) = process($pid);
				$task{$key} = { pid => $pid, began => $began // 0 };
			}
		}
		for my $key (keys %task) {
			my ($is, $began) = process($task{$key}{pid});
			$is = '-' unless defined $is && $began == $task{$key}{began};
			syswrite $out, sprintf("%.2f %s %s\n", $now, $key, $is) if $is ne ($was{$key} // '');
			$was{$key} = $is;
		}
		syswrite $out, sprintf("%.2f - till\n", $now);
		$last = $now;
		sleep EVERY;
	}
}

# It ends with the test.
sub begin {
	my ($class, $c) = @_;
	my $self = bless { c => $c, file => "$c->{dir}/seen", open => {}, all => [], gaps => [], till => 0 }, $class;
	open(my $out, '>', $self->{file}) or die "$self->{file}: $!";
	my $pid = fork // die "fork: $!";
	if (!$pid) {
		$SIG{$_} = 'DEFAULT' for qw(INT TERM HUP);
		sample($c->{dir}, $out);
		POSIX::_exit(0);
	}
	$c->{children}{$pid} = 1;
	open($self->{in}, '<', $self->{file}) or die "$self->{file}: $!";
	return $self;
}

# Take in what has been written since.
sub look {
	my ($self) = @_;
	my $in = $self->{in};
	seek $in, 0, 1;
	while (defined(my $line = <$in>)) {
		$line = $self->{part} . $line if defined $self->{part};
		$self->{part} = undef;
		if ($line !~ /\n\z/) {
			$self->{part} = $line;
			last;
		}
		my ($at, $key, $is, $from) = split ' ', $line;
		if ($key eq '-') {
			push @{ $self->{gaps} }, [$from, $at] if $is eq 'gap';
			$self->{till} = $at;
			next;
		}
		my ($job, $node) = split /\./, $key;
		my $open = delete $self->{open}{$key};
		$open->{to} = $at if $open;
		next if $is eq '-';
		my $new = { job => $job, node => $node, is => $is, from => $at };
		push @{ $self->{all} }, $new;
		$self->{open}{$key} = $new;
	}
	$_->{to} = $self->{till} for values %{ $self->{open} };
	return $self->{till};
}

# What a job does on its nodes now: R, T, RT in a switch, '' without any.
sub is {
	my ($self, $job) = @_;
	$self->look;
	my %is = map { $_->{is} => 1 } grep { $_->{job} == $job } values %{ $self->{open} };
	return join '', sort keys %is;
}

sub on {
	my ($self, $job) = @_;
	$self->look;
	return scalar grep { $_->{job} == $job } values %{ $self->{open} };
}

sub stretches {
	my ($self, $from, $is) = @_;
	$self->look;
	return grep { $_->{to} >= $from && $_->{is} eq $is } @{ $self->{all} };
}

# Seconds of [from, to] that lie in any of some pieces, which do not overlap.
sub inside {
	my ($from, $to, @pieces) = @_;
	my $sum = 0;
	for (@pieces) {
		my ($a, $b) = ($_->[0] > $from ? $_->[0] : $from, $_->[1] < $to ? $_->[1] : $to);
		$sum += $b - $a if $b > $a;
	}
	return $sum;
}

# The longest stop since then, seconds in excused pieces not counted: (seconds, stretch). except: nodes that do not count.
sub longest_stop {
	my ($self, $from, $excused, %except) = @_;
	my ($most, $which) = (0, undef);
	for my $s ($self->stretches($from, 'T')) {
		next if $except{ $s->{node} };
		my $long = $s->{to} - $s->{from} - inside($s->{from}, $s->{to}, @$excused);
		($most, $which) = ($long, $s) if $long > $most;
	}
	return ($most, $which);
}

# The longest time since then in which two jobs could run on a node at once: (seconds, stretch, stretch).
sub longest_beside {
	my ($self, $from, $excused, %except) = @_;
	my ($most, @which) = (0);
	my %by_node;
	push @{ $by_node{ $_->{node} } }, $_ for grep { !$except{ $_->{node} } } $self->stretches($from, 'R');
	for my $list (values %by_node) {
		for my $i (0 .. $#$list) {
			for my $k ($i + 1 .. $#$list) {
				my ($x, $y) = @$list[$i, $k];
				next if $x->{job} == $y->{job};
				my $a = $x->{from} > $y->{from} ? $x->{from} : $y->{from};
				my $b = $x->{to} < $y->{to} ? $x->{to} : $y->{to};
				my $long = $b - $a - inside($a, $b, @$excused);
				($most, @which) = ($long, $x, $y) if $long > $most;
			}
		}
	}
	return ($most, @which);
}

sub told {
	my ($s) = @_;
	return sprintf 'job %d on %s, %s from %.1f to %.1f', @$s{qw(job node is from to)};
}

# When the last stop or going on was seen.
sub last_change {
	my ($self) = @_;
	$self->look;
	my $last = 0;
	for (values %{ $self->{open} }) {
		$last = $_->{from} if $_->{from} > $last;
	}
	return $last;
}

1;
