#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# rpm: does contrib/rpm/pact.spec name each file that `make install` installs, once, and the Slurm that its
# macros say (TAP)? Nothing is built: `make check-rpm` does that.
set -u
top=${PACT_TOP:-$(cd "$(dirname "$0")/.." && pwd)}
build=${PACT_BUILD:?names the build tree}
# shellcheck source=testsuite/tap.sh
. "$top/testsuite/tap.sh"
# shellcheck source=testsuite/rpm/installed.sh
. "$top/testsuite/rpm/installed.sh"
need rpmspec rpm
spec=$top/contrib/rpm/pact.spec
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT

# Each file, and how many of the spec's lines have it; nothing where that is one.
misfiled() {
	local file pattern n
	sed -n '/^%files/,/^%changelog/{ /^%\(files\|changelog\|license\|dir\)/d; s/^%doc //; /./p }' "$spec" \
		>"$dir/patterns"
	mapfile -t patterns < <(rpm -D '_libdir /usr/lib64' -D '_docdir /usr/share/doc' -D '_tmpfilesdir /usr/lib/tmpfiles.d' \
		-D '_unitdir /usr/lib/systemd/system' \
		-D 'slurm_plugindir /usr/lib64/slurm' --eval "$(cat "$dir/patterns")")
	while read -r file; do
		n=0
		for pattern in "${patterns[@]}"; do
			# shellcheck disable=SC2053
			[[ $file != $pattern && $file != $pattern/* ]] || n=$((n + 1))
		done
		[ $n = 1 ] || echo "$n $file"
	done < <(installed "$dir/stage" | tee "$dir/files")
}

# Lines of the spec that match no file.
idle() {
	local file pattern
	for pattern in "${patterns[@]}"; do
		while read -r file; do
			# shellcheck disable=SC2053
			[[ $file != $pattern && $file != $pattern/* ]] || continue 2
		done <"$dir/files"
		echo "$pattern"
	done
}

none() { # COMMAND
	"$1" >"$dir/none"
	cat "$dir/none"
	[ ! -s "$dir/none" ]
}

requires() { # DEFINE...
	local define=()
	for d; do
		define+=(-D "$d")
	done
	rpmspec -q -D 'slurm_src /none' "${define[@]}" "$spec" --qf \
		'[%{=NAME} %{REQUIRES} %{REQUIREFLAGS:depflags} %{REQUIREVERSION}\n]'
}

if [ -n "$(sed -n 's/^SLURM_SRC = //p' "$build/Makefile")" ]; then
	ok "each installed file is in one package" none misfiled
	ok "and each line of the spec names one" none idle
else
	ok "each installed file is in one package # SKIP the build tree has no plugins" true
fi
ok "the spec is of the version that configure knows" grep -qx "Version: *$(sed -n 's/^AC_INIT(\[pact\], \[\(.*\)\])/\1/p' \
	"$top/configure.ac")" "$spec"
ok "the plugins require the release that they are built for" \
	grep -qE '^pact-slurm-plugins slurm-slurmctld *= *24\.11\.5$' <(requires 'slurm_version 24.11.5')
ok "of the package that is named" grep -qE '^pact-slurm-plugins slurm-slurmctld-ohpc *= *22\.05\.8$' \
	<(requires 'slurm_ctld slurm-slurmctld-ohpc')
ok "that of nodes does, of slurmd or of the commands" \
	grep -q '^pact-slurm-node (slurm-slurmd = 24\.11\.5 or slurm = 24\.11\.5) ' <(requires 'slurm_version 24.11.5')
ok "of the packages that are named" grep -q '^pact-slurm-node (slurmd-x = 22\.05\.8 or slurm-x = 22\.05\.8) ' \
	<(requires 'slurm_slurmd slurmd-x' 'slurm_client slurm-x')
ok "so does select/gang's" grep -q '^pact-slurm-select (slurm-slurmd = 24\.11\.5 or slurm = 24\.11\.5) ' \
	<(requires 'slurm_version 24.11.5')
ok "no other package does" not grep -E '^pact-(tools|replay) .*slurm' <(requires 'slurm_version 24.11.5')
if command -v rpmlint >/dev/null; then
	ok "rpmlint finds nothing" grep -q ' 0 errors, 0 warnings' <(rpmlint -c "$top/contrib/rpm/rpmlint.toml" "$spec" 2>&1)
else
	ok "rpmlint finds nothing # SKIP rpmlint is not installed" true
fi
tap_end
