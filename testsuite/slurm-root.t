#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# slurm-root: does it leave nothing when it fails or is stopped, keep what is not its own, and say what is
# wrong (TAP)? debootstrap is made up; `quickstart check` makes and uses a real tree.
set -u
top=${PACT_TOP:-$(cd "$(dirname "$0")/.." && pwd)}
# shellcheck source=testsuite/tap.sh
. "$top/testsuite/tap.sh"

[ "$(id -u)" = 0 ] && unshare --mount true 2>/dev/null || {
	skip_all "mounting needs root"
}
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM HUP
mkdir -p "$dir/bin" "$dir/etc" "$dir/out"
printf 'VERSION_CODENAME=stable\n' >"$dir/os-release"
echo "deb http://archive.invalid/debian stable main" >"$dir/etc/sources.list"

tap_failed() {
	cat "$dir/said" 2>/dev/null
}

run() {
	env --default-signal=INT APT_ETC="$dir/etc" OS_RELEASE="$dir/os-release" PATH="$dir/bin:$PATH" \
		"$top/contrib/slurm-root" "$@" >"$dir/said" 2>&1
}

debootstrap() { # its commands come in
	{ echo '#!/bin/sh'; cat; } >"$dir/bin/debootstrap"
	chmod 755 "$dir/bin/debootstrap"
}

mounted() { grep -c "$dir" /proc/self/mountinfo; }

empty() { [ -z "$(ls -A "$dir/out")" ] && [ "$(mounted)" = 0 ]; }

says() { grep -qE -- "$1" "$dir/said"; }

ok "no command" not run
ok "  it tells how" says "^slurm-root make RELEASE"
ok "help" run --help
ok "a release's name" not run make 13 "$dir/out/root"
ok "  it is told" says "make 13: the release's name is wanted"

debootstrap <<'EOF'
echo "$*" >"${0%/*}/../asked"
echo "E: it is not there"
exit 1
EOF
ok "debootstrap fails" not run make next "$dir/out/root"
ok "  its words are shown" says "E: it is not there"
ok "  it was asked for that release, where this one's packages are" \
	grep -qE "^--variant=minbase next .* http://archive.invalid/debian$" "$dir/asked"
ok "  nothing is left" empty

debootstrap <<EOF
mount -t tmpfs none "$dir/out"
touch "$dir/reached"
exec sleep 1000
EOF
for signal in INT TERM HUP; do
	rm -f "$dir/reached"
	run make next "$dir/out/root" &
	pid=$!
	for ((i = 0; i < 300; i++)); do
		[ ! -e "$dir/reached" ] || break
		sleep 0.1
	done
	kill "-$signal" "$(pgrep -P $pid -f slurm-root || echo $pid)"
	wait $pid
	ok "stopped by $signal" test $? -gt 128
	ok "  nothing is left" empty
done

mkdir "$dir/out/root"
touch "$dir/out/root/mine"
ok "a directory with something else in it" not run make next "$dir/out/root"
ok "  it is told" says "is not a tree of ours"
ok "  it is not removed" not run remove "$dir/out/root"
ok "  nor run in" not run run "$dir/out/root" true
ok "  it is still there" test -e "$dir/out/root/mine"

echo next >"$dir/out/root/.made-by-slurm-root"
ok "one that is ready is left as it is" run make next "$dir/out/root"
ok "  it is named last" test "$(tail -n 1 "$dir/said")" = "$dir/out/root" -a -e "$dir/out/root/mine"
ok "another release in its place" not run make other "$dir/out/root"
ok "  it is told" says "is next, not other"
ok "it is removed" run remove "$dir/out/root"
ok "  nothing is left" empty

echo "deb http://archive.invalid/debian other main" >"$dir/etc/sources.list"
ok "no source of this machine's release" not run make next "$dir/out/root"
ok "  it is told" says "no package source of this machine is of stable"
ok "  nothing is left" empty

tap_end
