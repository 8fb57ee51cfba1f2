#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# quickstart: what does it ask apt for when packages are missing, as root and as somebody else, with sudo
# and without, and does it wait for apt's locks (TAP)? id, dpkg-query, sudo and sleep are made up, and
# apt-get mostly; the real one is held to directories of its own, and the packages never come.
set -u
top=${PACT_TOP:-$(cd "$(dirname "$0")/.." && pwd)}
# shellcheck source=testsuite/tap.sh
. "$top/testsuite/tap.sh"

dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM HUP
mkdir -p "$dir/tree" "$dir/bin" "$dir/apt/lists/partial" "$dir/apt/archives/partial" "$dir/apt/dpkg"
cp "$top/quickstart" "$dir/tree/" || exit 1

tap_failed() {
	cat "$dir/said" "$dir/calls" 2>/dev/null
}

tool() { # NAME, its script comes in
	{
		echo '#!/bin/sh'
		cat
	} >"$dir/bin/$1"
	chmod 755 "$dir/bin/$1"
}

# The real tools that it needs until then, and no others.
for t in basename bash cat chmod dirname env grep mkdir mv nproc readlink rm sed setsid sh tail touch; do
	ln -s "$(command -v $t)" "$dir/bin/$t"
done
tool dpkg-query <<'EOF'
for package; do :; done
[ "$package" = libtool ] || [ "$package" = munge ] || echo installed
EOF
# An update that cannot read one of many sources; then an install that fails.
tool apt-get <<EOF
echo "\$(id -u) apt-get \$*" >>$dir/calls
exit 100
EOF
tool sudo <<EOF
echo "sudo \$*" >>$dir/calls
PACT_UID=0 exec "\$@"
EOF
tool id <<'EOF'
echo "$PACT_UID"
EOF

run() { # UID
	rm -f "$dir/calls"
	env -i HOME="$dir" PATH="$dir/bin" PACT_UID="$1" "$dir/bin/bash" "$dir/tree/quickstart" build >"$dir/said" 2>&1
}

called() { # NTH PATTERN
	sed -n "$1p" "$dir/calls" | grep -qE -- "$2"
}

calls() { # NUMBER
	[ "$(grep -c . "$dir/calls")" = "$1" ]
}

twice() {
	"$dir/tree/quickstart" --speed 5 --jobs 1:2 --speed 6 >"$dir/said" 2>&1
	[ $? != 0 ] && grep -q -- '--speed 6: it is given already, as --speed 5$' "$dir/said"
}
# Without a controller that can be used it says so, in one line, and does nothing else.
shares() { # UID TEXT [CONTROLLERS...]
	local uid=$1 text=$2
	shift 2
	rm -rf "$dir/cgroup" "$dir/calls"
	mkdir -p "$dir/cgroup/unified"
	[ $# = 0 ] || echo "$*" >"$dir/cgroup/cgroup.controllers"
	sed "s#/sys/fs/cgroup#$dir/cgroup#" "$top/quickstart" >"$dir/tree/shares"
	env -i HOME="$dir" PATH="$dir/bin" PACT_UID="$uid" "$dir/bin/bash" "$dir/tree/shares" shares >"$dir/said" 2>&1
	[ $? != 0 ] && [ "$(grep -c . "$dir/said")" = 1 ] && grep -qF -- "$text" "$dir/said" && [ ! -e "$dir/calls" ]
}
ok "shares without control groups" shares 0 "no cpu controller of control groups, version 1, that can be used (in $dir/cgroup: none)"
ok "with version 2 alone" shares 0 "$dir/cgroup: version 2 alone, which pactd uses on real nodes" cpuset cpu io
ok "with version 2 without cpu" shares 0 "$dir/cgroup: none)" cpuset io
ok "as somebody else" shares 1000 'shares: only root can make control groups'
shares_options() {
	"$dir/tree/quickstart" shares --speed 5 >"$dir/said" 2>&1
	[ $? != 0 ] && grep -q -- '--speed: not of shares' "$dir/said"
}
ok "shares on a fast clock" shares_options

ok "an option twice is an error, before anything is done" twice

ok "as somebody else: it ends when nothing can be installed" not run 1000
ok "  apt-get update by sudo" called 1 '^sudo apt-get .*update$'
ok "  which is root's" called 2 '^0 apt-get .*update$'
ok "  a source that cannot be read is no reason to stop" grep -q 'some package sources cannot be read' "$dir/said"
ok "  apt-get install by sudo, of what is missing" called 3 '^sudo apt-get .*--no-remove install libtool munge$'
ok "  and nothing else" calls 4
ok "  it says where to look" grep -q 'the whole output is in build/packages.log' "$dir/said"

ok "as root: it ends when nothing can be installed" not run 0
ok "  apt-get update" called 1 '^0 apt-get .*update$'
ok "  apt-get install" called 2 '^0 apt-get .*install libtool munge$'
ok "  no sudo" calls 2

if PATH=/usr/sbin:/sbin command -v sudo >/dev/null; then
	echo "# sudo is where quickstart always looks"
else
	rm "$dir/bin/sudo"
	ok "without sudo: it ends" not run 1000
	ok "  and says what to do" grep -q 'there is no sudo: as root, apt-get install libtool munge$' "$dir/said"
	ok "  and does nothing" not test -e "$dir/calls"
fi

# Another process with the lock, as apt takes it; until SIGTERM.
hold() { # LOCK
	perl -MFcntl -e '
		my ($lock, $sign) = @ARGV;
		open my $fh, ">", $lock or die "$lock: $!";
		my $flock = pack "s s l! l! i x4", F_WRLCK, 0, 0, 0, 0;
		fcntl $fh, F_SETLK, $flock or die "$lock: $!";
		$SIG{TERM} = sub { close $fh; unlink $sign; exit };
		open my $pid, ">", "$sign.new" or die "$sign: $!";
		print $pid $$;
		close $pid;
		rename "$sign.new", $sign;
		sleep 1 while getppid == $ARGV[2];
	' "$1" "$dir/holder" $$ &
	until [ -e "$dir/holder" ]; do sleep 0.05; done
}

said_once() { # PATTERN
	[ "$(grep -cE -- "$1" "$dir/said")" = 1 ]
}

tool apt-get <<EOF
echo "\$*" >>$dir/calls
echo "E: Could not get lock /a/lists/lock. It is held by process 7 (other)"
exit 100
EOF
tool sleep <<EOF
echo "\$1" >>$dir/slept
EOF
ok "a lock that is never free: it ends" not run 0
ok "  and says why" said_once 'quickstart: /a/lists/lock is held by process 7 \(other\), still after 10 minutes'
ok "  it has waited ten minutes" [ "$(awk '{ n += $1 } END { print n }' "$dir/slept")" = 600 ]
ok "  and said so at once" said_once '^== /a/lists/lock is held by process 7 .*: waiting for it, at most 10 minutes$'
ok "  it has not gone on without" not grep -q install "$dir/calls"

# The other process ends while we wait.
tool sleep <<EOF
kill \$(cat $dir/holder)
while [ -e $dir/holder ]; do $(command -v sleep) 0.05; done
EOF
tool apt-get <<EOF
export PATH=$PATH APT_CONFIG=$dir/apt/conf
exec $(command -v apt-get) "\$@" -o Dir::Bin::dpkg=$(command -v false)
EOF
cat >"$dir/apt/conf" <<EOF
Dir::State "$dir/apt"; Dir::State::status "$dir/apt/dpkg/status"; Dir::Cache "$dir/apt"; Dir::Log "$dir/apt";
Dir::Etc::sourcelist "$dir/apt/sources.list"; Dir::Etc::sourceparts "/dev/null";
Dir::Etc::main "/dev/null"; Dir::Etc::parts "/dev/null"; APT::Sandbox::User "$(id -un)";
EOF
: >"$dir/apt/dpkg/status"
echo "deb [trusted=yes] file:$dir/apt ./" >"$dir/apt/sources.list"
for package in libtool munge; do
	printf '%s: %s\n' Package $package Version 1 Architecture all Filename ./$package.deb Size 1 \
		SHA256 "$(sha256sum </dev/null | cut -d' ' -f1)" Description none
	echo
done >"$dir/apt/Packages"
for lock in lists/lock archives/lock dpkg/lock-frontend dpkg/lock; do
	command -v apt-get >/dev/null || { echo "# no apt-get here"; break; }
	hold "$dir/apt/$lock"
	ok "$lock held by another process: it ends, for there is no such package" not run 0
	ok "  it says what it waits for" said_once "^== $dir/apt/$lock is held by process [0-9]+ \(perl\): waiting"
	ok "  and goes on when that has ended" said_once '^  E: Unable to fetch some archives'
	[ ! -e "$dir/holder" ] || kill "$(cat "$dir/holder")"
	wait
done
tap_end
