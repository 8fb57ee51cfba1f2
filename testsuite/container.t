#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# container: does the entry of the image start a cluster, run what it is told and take the cluster down, and does the
# Containerfile copy what there is (TAP)? pact-emulate is made up; `make check-container` builds and runs the image.
set -u
top=${PACT_TOP:-$(cd "$(dirname "$0")/.." && pwd)}
# shellcheck source=testsuite/tap.sh
. "$top/testsuite/tap.sh"
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
mkdir "$dir/bin"
cat >"$dir/bin/pact-emulate" <<EOF
#!/bin/sh
echo "\$*" >>$dir/calls
[ "\$1" = -q ] && shift
case \$1 in
up) exit \${UP_STATUS-0} ;;
run) shift; exec "\$@" </dev/null ;;
esac
EOF
chmod 755 "$dir/bin/pact-emulate"

try() { # COMMAND...
	rm -f "$dir/calls"
	PATH=$dir/bin:$PATH "$top/contrib/container/try-pact" "$@" >"$dir/said" 2>&1
}

# All COPY lines but those from another stage.
missing() {
	local words
	while read -r -a words; do
		[ -e "$top/${words[1]}" ] || echo "${words[1]}"
	done < <(grep '^COPY [^-]' "$top/contrib/container/Containerfile")
}

ok "a command" try true
ok "its status is that of the image" eval 'try sh -c "exit 7"; [ $? = 7 ]'
ok "a cluster with both plugins is started for it" grep -q -- '^-q up .*--sched qops --submit deadline' "$dir/calls"
ok "and taken down" test "$(tail -n 1 "$dir/calls")" = "-q down --purge"
ok "more options for the cluster" env PACT_TRY='--nodes 4' "$BASH" -c 'PATH=$0/bin:$PATH "$1/contrib/container/try-pact" true' \
	"$dir" "$top"
ok "are given on" grep -q -- '--nodes 4$' "$dir/calls"
ok "a cluster that does not start is told" eval 'UP_STATUS=3 try true; [ $? = 3 ]'
ok "and no command is run" not grep -q '^run' "$dir/calls"
ok "without a command, it tells what to try" try
ok "and gives a shell" grep -q '^run bash' "$dir/calls"
ok "what the Containerfile copies is there" test -z "$(missing)"
tap_end
