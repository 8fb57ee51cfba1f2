# SPDX-License-Identifier: GPL-2.0-or-later
# repository.sh: part of check-packages; a repository of packages in the site's tree, /opt/pact. The caller
# has tree, in_tree(), dir, debs, slurm, pact, installed and upstream.
# shellcheck shell=bash

repository_make() {
	mkdir -p "$tree/opt/pact"
	echo 'deb [trusted=yes] file:/opt/pact ./' >"$tree/etc/apt/sources.list.d/pact.list"
	in_tree apt-get -q update >"$dir/said" 2>&1
}

# apt reads this repository again, and no other.
repository_read() {
	in_tree sh -c 'cd /opt/pact && dpkg-scanpackages -m . >Packages 2>/dev/null &&
		apt-get -q -o Dir::Etc::SourceList=/etc/apt/sources.list.d/pact.list -o Dir::Etc::SourceParts=/dev/null \
			--no-list-cleanup update' >>"$dir/said" 2>&1
}

repository_add() { # DEB...
	cp "$@" "$tree/opt/pact/"
	repository_read
}

# All installed packages of Slurm's source, as what they are now but for the version.
repository_slurm() { # VERSION
	in_tree sh -c '
		set -e
		new=$1 old=$2
		mkdir -p /opt/originals
		cd /opt/originals
		source=$(dpkg-query -W -f "\${source:Package}" slurmctld)
		for p in $(dpkg-query -W -f "\${source:Package} \${Package}\n" | sed -n "s/^$source //p"); do
			ls "$p"_*.deb >/dev/null 2>&1 || apt-get -q download "$p=$old"
			rm -rf unpacked
			dpkg-deb -R "$p"_*.deb unpacked
			OLD=$old NEW=$new perl -pi -e "s/\Q\$ENV{OLD}\E/\$ENV{NEW}/g" unpacked/DEBIAN/control
			dpkg-deb -Znone -b unpacked "/opt/pact/${p}_${new}_amd64.deb"
		done
		rm -rf unpacked' sh "$1" "$installed" >"$dir/said" 2>&1
	repository_read
}

# The plugins, and what nodes have, as if they had been built for another release of Slurm.
repository_plugins_for() { # RELEASE
	local at=$dir/plugins package
	for package in pact-slurm-plugins pact-slurm-node pact-slurm-select; do
		rm -rf "$at"
		dpkg-deb -R "$debs/$package"_*.deb "$at"
		OLD=$slurm BEFORE=$(next "$slurm")~ NEW=$1 NEXT=$(next "$1")~ \
			perl -pi -e 's/\Q$ENV{BEFORE}\E/$ENV{NEXT}/g; s/\Q$ENV{OLD}\E/$ENV{NEW}/g' "$at/DEBIAN/control"
		dpkg-deb -Znone -b "$at" "$tree/opt/pact/${package}_$pact-1+slurm$1_amd64.deb" >"$dir/said" 2>&1
	done
	repository_read
}

# ---- Slurm's own packages ----

# The source of Slurm, as its authors gave it away; Debian has its own debian/ beside that. What is built of it does not
# change, and is kept in .deps: $upstream.
upstream_source() {
	[ ! -e "$upstream/built" ] || return 0
	rm -rf "$upstream"
	mkdir -p "$upstream" && in_tree sh -ec '
		for f in /etc/apt/sources.list.d/*; do
			sed "s/^Types: deb\$/Types: deb-src/; s/^deb /deb-src /" "$f" >"${f%/*}/source-${f##*/}"
		done
		rm -f /etc/apt/sources.list.d/source-pact.list
		apt-get -q update
		cd "$1"
		apt-get -q source --tar-only --download-only "slurm-wlm=$2"
		mkdir slurm
		tar -xf *.orig.tar.* -C slurm --strip-components=1 --no-same-owner' sh "$upstream" "$installed"
}

# Its packages by its own debian/, which has nothing in it that is ours; unoptimised, for the time that takes. Ten
# minutes on two processors.
upstream_build() {
	[ -e "$upstream/built" ] || in_tree sh -ec 'cd "$1/slurm"
		apt-get -q -y --no-install-recommends build-dep ./
		DEB_BUILD_OPTIONS="parallel=$(nproc) noopt noautodbgsym" nice dpkg-buildpackage -B -us -uc
		touch ../built' sh "$upstream"
}

# In place of Debian's, which go with all that they have brought.
upstream_install() {
	in_tree sh -ec 'apt-get -q -y purge "slurm*" "libslurm*"
		! ls -d /usr/lib/*/slurm-wlm
		cd "$1"
		apt-get -q -y --no-install-recommends install ./slurm-smd_*.deb ./slurm-smd-dev_*.deb ./slurm-smd-client_*.deb \
			./slurm-smd-slurmctld_*.deb ./slurm-smd-slurmd_*.deb
		slurmctld -V' sh "$upstream"
}
