#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# quickstart: what does it ask apt for when packages are missing, as root and as somebody else, with sudo
# and without (TAP)? id, dpkg-query, apt-get and sudo are made up, and the packages never come.
set -u
top=${PACT_TOP:-$(cd "$(dirname "$0")/.." && pwd)}
# shellcheck source=testsuite/tap.sh
. "$top/testsuite/tap.sh"

dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM HUP
mkdir -p "$dir/tree" "$dir/bin"
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
tap_end
