#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# get-slurm-src: does it find the source package through each kind of apt sources, leave everything as
# it was however it ends, and say what is wrong (TAP)? apt and dpkg-source are the real ones, on a
# made-up archive in a directory; Slurm, its package and its source are made up. No network, no root.
set -u
top=${PACT_TOP:-$(cd "$(dirname "$0")/.." && pwd)}
# shellcheck source=testsuite/tap.sh
. "$top/testsuite/tap.sh"
script=$top/contrib/get-slurm-src

need apt-get dpkg-source gzip tar sha256sum cc
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM HUP
mkdir -p "$dir/bin" "$dir/etc" "$dir/tmp" "$dir/out"

tap_failed() {
	cat "$dir/said" 2>/dev/null
}

# ---- what is made up ----

# A program that says this.
says_always() { # NAME TEXT
	printf '#!/bin/sh\nprintf "%%s\\n" "%s"\n' "$2" >"$dir/bin/$1"
	chmod 755 "$dir/bin/$1"
}

# An archive with the source of one version in one suite.
sums() { # FILE...; size and name as a control file has them
	local f
	echo "Checksums-Sha256:"
	for f; do
		echo " $(sha256sum <"$f" | cut -d' ' -f1) $(wc -c <"$f") ${f##*/}"
	done
}

archive() { # VERSION
	local repo=$dir/repo v=$1 name=slurm-wlm_$1-1
	local tree=$dir/slurm-wlm-$1
	mkdir -p "$tree/slurm" "$tree/debian" "$repo/pool" "$repo/dists/stable/main/source"
	echo "  Version:	$v" >"$tree/META"
	head -c 300000 /dev/urandom >"$tree/bulk"
	cat >"$tree/configure" <<-'EOF'
		#!/bin/sh
		[ ! -e ../in-configure.wanted ] || { touch ../in-configure; exec sleep 1000; }
		touch config.h slurm/slurm_version.h
	EOF
	chmod 755 "$tree/configure"
	tar -C "$dir" -czf "$repo/pool/$name.tar.gz" "slurm-wlm-$v"
	{
		printf 'Format: 1.0\nSource: slurm-wlm\nBinary: slurmctld\nArchitecture: any\nVersion: %s\n' "$v-1"
		echo "Maintainer: nobody <nobody@localhost>"
		sums "$repo/pool/$name.tar.gz"
		echo "Files:"
		echo " $(md5sum <"$repo/pool/$name.tar.gz" | cut -d' ' -f1)" \
			"$(wc -c <"$repo/pool/$name.tar.gz") $name.tar.gz"
	} >"$repo/pool/$name.dsc"
	{
		printf 'Package: slurm-wlm\nFormat: 1.0\nBinary: slurmctld\nArchitecture: any\n'
		printf 'Version: %s\nDirectory: pool\n' "$v-1"
		sums "$repo/pool/$name.dsc" "$repo/pool/$name.tar.gz"
		echo
	} >"$repo/dists/stable/main/source/Sources"
	{
		printf 'Suite: stable\nCodename: stable\nComponents: main\nDate: %s\nSHA256:\n' \
			"$(date -u -R)"
		echo " $(sha256sum <"$repo/dists/stable/main/source/Sources" | cut -d' ' -f1)" \
			"$(wc -c <"$repo/dists/stable/main/source/Sources") main/source/Sources"
	} >"$repo/dists/stable/Release"
}

# apt's directory anew, with one file in it.
etc() { # FILE; its text comes in
	rm -rf "$dir/etc"
	mkdir -p "$dir/etc/sources.list.d"
	cat >"$dir/etc/$1"
}

# ---- running it ----

run() {
	env --default-signal=INT TMPDIR="$dir/tmp" APT_ETC="$dir/etc" PATH="$dir/bin:$PATH" "$script" "$@" \
		>"$dir/said" 2>&1
}

as_before() { (cd "$dir/etc" && find . -type f -exec sha256sum {} + | sort); }

# Nothing but the target is left, and apt's files are what they were.
tidy() { # BEFORE
	[ "$1" = "$(as_before)" ] && [ -z "$(ls -A "$dir/tmp")" ] &&
		! find "$dir/out" -maxdepth 1 -name '.get-slurm-src.*' | grep .
}

finds() { # NAME
	local before
	before=$(as_before)
	rm -rf "$dir/out/src"
	ok "$1" run "$dir/out/src"
	ok "  the tree is there" test "$(tail -n 1 "$dir/said")" = "$dir/out/src" \
		-a -e "$dir/out/src/slurm/slurm_version.h"
	ok "  all else is as before" tidy "$before"
}

fails() { # NAME PATTERN
	local before
	before=$(as_before)
	ok "$1" not run "$dir/out/src"
	ok "  it says: $2" grep -qE -- "$2" "$dir/said"
	ok "  all is as before" tidy "$before"
}

archive 22.05.8
says_always slurmctld "slurm-wlm 22.05.8"
says_always dpkg-query "slurm-wlm 22.05.8-1"
uri=file:$dir/repo

# ---- kinds of apt sources ----

etc sources.list <<EOF
# deb cdrom:[Debian GNU/Linux 12 _Bookworm_]/ bookworm main
deb [trusted=yes] $uri stable main
EOF
finds "one line"

etc sources.list <<EOF
  deb   [ trusted=yes  arch=amd64 signed-by=/usr/share/keyrings/none.gpg ]	$uri  stable   main
#deb-src [trusted=yes] $uri stable main
deb [trusted=yes] $uri stable-security main contrib
EOF
finds "options, blanks, and a suite that is not there"

etc sources.list.d/own.list <<EOF
deb [trusted=yes] $uri stable main
deb-src [trusted=yes] $uri stable main
EOF
finds "sources.list.d, with a deb-src line of its own"

etc sources.list.d/debian.sources <<EOF
# Types: deb
Types: deb
URIs: $uri
Suites: stable stable-updates
Components: main
Trusted: yes
Signed-By: /usr/share/keyrings/none.gpg

types: deb
URIs: $uri
Suites: stable-security
Components: main
Trusted: yes
EOF
finds "deb822, several suites"

etc sources.list.d/debian.sources <<EOF
Enabled: yes
Suites: stable
Types: deb deb-src
Components: main
URIs: $uri
Trusted: yes
Signed-By:
 -----BEGIN PGP PUBLIC KEY BLOCK-----
 .
 Types: deb
 -----END PGP PUBLIC KEY BLOCK-----
EOF
finds "deb822, with a deb-src of its own and a key inside"

rm -f "$dir/bin/apt-get"
printf '#!/bin/sh\nexit 1\n' >"$dir/bin/apt-get"
chmod 755 "$dir/bin/apt-get"
ok "a tree that is ready is left as it is, without apt" run "$dir/out/src"
rm -f "$dir/bin/apt-get"

# ---- what is wrong ----

echo 22.05.8 >"$dir/out/src/.made-by-get-slurm-src"
rm -f "$dir/out/src/slurm/slurm_version.h"
ok "a half-made tree is made anew" run "$dir/out/src"
ok "  whole" test -e "$dir/out/src/slurm/slurm_version.h" -a ! -e "$dir/out/src/.made-by-get-slurm-src"

rm -f "$dir/out/src/config.h"
touch "$dir/out/src/mine"
fails "somebody's own tree, not configured" "is not a configured Slurm source tree"
ok "  it is still there" test -e "$dir/out/src/mine"
rm -rf "$dir/out/src"

etc sources.list.d/debian.sources <<EOF
Enabled: no
Types: deb
URIs: $uri
Suites: stable
Components: main
Trusted: yes
EOF
fails "a disabled source stays disabled" "do not hold the source of slurm-wlm 22.05.8-1"
etc README </dev/null
fails "no sources" "no package sources in"
etc sources.list <<EOF
deb [trusted=yes] $uri stable main
EOF
says_always dpkg-query "slurm-wlm 22.05.8-9"
fails "a version that is not to be had" "do not hold the source of slurm-wlm 22.05.8-9.*upgrade"
says_always dpkg-query "slurm-wlm 23.02.1-1"
fails "another slurmctld than the package's" "says it is 22.05.8, but its package is 23.02.1-1"
printf '#!/bin/sh\nexit 1\n' >"$dir/bin/dpkg-query"
fails "a slurmctld of no package" "not from a distribution package"
says_always dpkg-query "slurm-wlm 22.05.8-1"
chmod 555 "$dir/out"
if [ ! -w "$dir/out" ]; then
	fails "a place that cannot be written" "cannot write in $dir/out"
fi
chmod 755 "$dir/out"

mkdir -p "$dir/small"
if unshare --mount true 2>/dev/null; then
	before=$(as_before)
	ok "a full disk" not unshare --mount --propagation private sh -c '
		mount -t tmpfs -o size=128k none "$1" && shift && exec "$@"' - "$dir/small" \
		env APT_ETC="$dir/etc" TMPDIR="$dir/tmp" PATH="$dir/bin:$PATH" sh -c \
		'"$1" "$2" >"$3" 2>&1; status=$?; find "${2%/*}" -mindepth 1 | grep . && exit 0; exit $status' - \
		"$script" "$dir/small/src" "$dir/said"
	ok "  it is told" grep -qi "no space left" "$dir/said"
	ok "  all is as before" tidy "$before"
else
	ok "a full disk # SKIP mounting needs root" true
fi

# ---- another release ----

# An archive that holds Slurm 24.11.5 for "next" beside 22.05.8 for "stable"; its description is lost, as
# Debian's is.
next_archive() {
	local repo=$dir/repo tree=$dir/slurm-24.11.5 name=slurm-wlm_24.11.5
	mkdir -p "$tree/slurm" "$repo/dists/next/main/source"
	echo "  Version:	24.11.5" >"$tree/META"
	cp "$dir/slurm-wlm-22.05.8/configure" "$tree/"
	tar -C "$dir" -czf "$repo/pool/$name.orig.tar.gz" slurm-24.11.5
	echo changes >"$repo/pool/$name-4+next1.debian.tar.xz"
	echo description >"$repo/pool/$name-4+next1.dsc"
	{
		printf 'Package: slurm-wlm\nFormat: 3.0 (quilt)\nBinary: slurmctld\nArchitecture: any\n'
		printf 'Version: 24.11.5-4+next1\nDirectory: pool\n'
		sums "$repo/pool/$name-4+next1.dsc" "$repo/pool/$name.orig.tar.gz" \
			"$repo/pool/$name-4+next1.debian.tar.xz"
		echo
	} >"$repo/dists/next/main/source/Sources"
	rm "$repo/pool/$name-4+next1.dsc" "$repo/pool/$name-4+next1.debian.tar.xz"
	sed 's/stable/next/' "$repo/dists/stable/Release" | sed '/^SHA256/,$d' >"$repo/dists/next/Release"
	{
		echo SHA256:
		echo " $(sha256sum <"$repo/dists/next/main/source/Sources" | cut -d' ' -f1)" \
			"$(wc -c <"$repo/dists/next/main/source/Sources") main/source/Sources"
	} >>"$repo/dists/next/Release"
}

next_archive
says_always slurmctld "slurm-wlm 24.11.5"
says_always dpkg-query "slurm-wlm 24.11.5-4+next1"
etc sources.list <<EOF
deb [trusted=yes] $uri next main
EOF
finds "the installed one's description is lost: by its tarball"
says_always slurmctld "slurm-wlm 22.05.8"
says_always dpkg-query "slurm-wlm 22.05.8-1"
printf 'VERSION_CODENAME=stable\n' >"$dir/os-release"
export OS_RELEASE=$dir/os-release
etc sources.list <<EOF
deb [trusted=yes] $uri stable main
deb [trusted=yes] $uri other-stable main
deb [trusted=yes] $uri stable-security main
EOF
rm -rf "$dir/out/src"
before=$(as_before)
ok "another release, whose description is lost, by its tarball" run --release next "$dir/out/src"
ok "  of its version" grep -q 24.11.5 "$dir/out/src/META"
ok "  configured" test -e "$dir/out/src/slurm/slurm_version.h"
ok "  all else is as before" tidy "$before"
printf '#!/bin/sh\nexit 1\n' >"$dir/bin/apt-get"
chmod 755 "$dir/bin/apt-get"
ok "ready, it is left as it is, without apt" run --release next "$dir/out/src"
rm -f "$dir/bin/apt-get"
rm -rf "$dir/out/src"

etc sources.list.d/debian.sources <<EOF
Types: deb
URIs: $uri
Suites: stable stable-updates
Components: main
Trusted: yes

Types: deb
URIs: $uri
Suites: nodistro
Components: main
EOF
before=$(as_before)
mv "$dir/bin/slurmctld" "$dir/bin/dpkg-query" "$dir"
ok "the same by deb822, and no Slurm installed" run --release next "$dir/out/src"
ok "  of its version" grep -q 24.11.5 "$dir/out/src/META"
mv "$dir/slurmctld" "$dir/dpkg-query" "$dir/bin/"
ok "  all else is as before" tidy "$before"
rm -rf "$dir/out/src"
head -c 100 /dev/urandom >>"$dir/repo/pool/slurm-wlm_24.11.5.orig.tar.gz"
ok "a tarball that is not the index's" not run --release next "$dir/out/src"
ok "  it is told" grep -q "cannot be fetched" "$dir/said"
ok "  nothing is there" test ! -e "$dir/out/src"
ok "a release that is not to be had" not run --release never "$dir/out/src"
ok "  it is told" grep -q "hold no source of Slurm for never" "$dir/said"
ok "a release's name" not run --release 13
ok "  it is told" grep -q -- "--release 13: the release's name is wanted" "$dir/said"
etc sources.list <<EOF
deb [trusted=yes] $uri nodistro main
EOF
ok "no source of this machine's release" not run --release next "$dir/out/src"
ok "  it is told" grep -q "no package source of this machine is of stable" "$dir/said"
unset OS_RELEASE
etc sources.list <<EOF
deb [trusted=yes] $uri stable main
EOF

# ---- interrupted ----

# The named program waits when it is reached with these words, until it is killed.
hang() { # PROGRAM WORD
	rm -f "$dir/reached"
	cat >"$dir/bin/$1" <<-EOF
		#!/bin/bash
		case " \$* " in
		*" $2 "*) touch "$dir/reached"; sleep 1000 & wait ;;
		esac
		PATH=\${PATH#*:} exec $1 "\$@"
	EOF
	chmod 755 "$dir/bin/$1"
}

# Stop it there with this signal: it ends, and nothing is left.
stops() { # SIGNAL STATUS WHERE FLAG
	local before pid status until=$((SECONDS + 60))
	before=$(as_before)
	rm -rf "$dir/out/src" "$dir/out/in-configure"
	run "$dir/out/src" &
	pid=$!
	until [ -e "$4" ]; do
		[ $SECONDS -lt $until ] || break
		sleep 0.05
	done
	ok "$1 while $3" kill "-$1" "$(pgrep -P $pid -f get-slurm-src || echo $pid)"
	wait $pid
	status=$?
	ok "  ends it" test "$status" = "$2"
	ok "  all is as before" tidy "$before"
	ok "  no process is left" not pgrep -f -- "$dir/out/src|$dir/bin/"
}

for signal in INT:130 TERM:143; do
	hang apt-get update
	stops "${signal%:*}" "${signal#*:}" "the lists are read" "$dir/reached"
	hang apt-get source
	stops "${signal%:*}" "${signal#*:}" "the source is fetched" "$dir/reached"
	rm -f "$dir/bin/apt-get"
	hang dpkg-source -x
	stops "${signal%:*}" "${signal#*:}" "it is unpacked" "$dir/reached"
	rm -f "$dir/bin/dpkg-source"
	touch "$dir/out/in-configure.wanted"
	stops "${signal%:*}" "${signal#*:}" "it is configured" "$dir/out/in-configure"
	rm -f "$dir/out/in-configure.wanted"
	finds "and then it works"
done
tap_end
