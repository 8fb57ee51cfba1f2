# SPDX-License-Identifier: GPL-2.0-or-later
# repository.sh: part of check-packages; a repository of packages in the site's tree, /srv/pact. The caller
# has tree, in_tree(), dir, debs, slurm, pact and installed.
# shellcheck shell=bash

repository_make() {
	mkdir -p "$tree/srv/pact"
	echo 'deb [trusted=yes] file:/srv/pact ./' >"$tree/etc/apt/sources.list.d/pact.list"
	in_tree apt-get -q update >"$dir/said" 2>&1
}

# apt reads this repository again, and no other.
repository_read() {
	in_tree sh -c 'cd /srv/pact && dpkg-scanpackages -m . >Packages 2>/dev/null &&
		apt-get -q -o Dir::Etc::SourceList=/etc/apt/sources.list.d/pact.list -o Dir::Etc::SourceParts=/dev/null \
			--no-list-cleanup update' >>"$dir/said" 2>&1
}

repository_add() { # DEB...
	cp "$@" "$tree/srv/pact/"
	repository_read
}

# All installed packages of Slurm's source, as what they are now but for the version.
repository_slurm() { # VERSION
	in_tree sh -c '
		set -e
		new=$1 old=$2
		mkdir -p /srv/originals
		cd /srv/originals
		source=$(dpkg-query -W -f "\${source:Package}" slurmctld)
		for p in $(dpkg-query -W -f "\${source:Package} \${Package}\n" | sed -n "s/^$source //p"); do
			ls "$p"_*.deb >/dev/null 2>&1 || apt-get -q download "$p=$old"
			rm -rf unpacked
			dpkg-deb -R "$p"_*.deb unpacked
			OLD=$old NEW=$new perl -pi -e "s/\Q\$ENV{OLD}\E/\$ENV{NEW}/g" unpacked/DEBIAN/control
			dpkg-deb -Znone -b unpacked "/srv/pact/${p}_${new}_amd64.deb"
		done
		rm -rf unpacked' sh "$1" "$installed" >"$dir/said" 2>&1
	repository_read
}

# The plugins as if they had been built for another release of Slurm.
repository_plugins_for() { # RELEASE
	local at=$dir/plugins
	rm -rf "$at"
	dpkg-deb -R "$debs"/pact-slurm-plugins_*.deb "$at"
	OLD=$slurm BEFORE=$(next "$slurm")~ NEW=$1 NEXT=$(next "$1")~ \
		perl -pi -e 's/\Q$ENV{BEFORE}\E/$ENV{NEXT}/g; s/\Q$ENV{OLD}\E/$ENV{NEW}/g' "$at/DEBIAN/control"
	dpkg-deb -Znone -b "$at" "$tree/srv/pact/pact-slurm-plugins_$pact-1+slurm$1_amd64.deb" >"$dir/said" 2>&1
	repository_read
}

# One package of the upstream set, in place of Debian's; its files are in DIR, made by the caller.
made_up() { # DIR NAME FIELD...
	local at=$1 name=$2
	shift 2
	mkdir -p "$at/DEBIAN"
	{
		printf '%s\n' "Package: $name" "Version: $slurm-1" "Architecture: amd64" \
			"Maintainer: nobody <nobody@pact.invalid>" "Description: a part of Slurm, made up" "$@"
	} >"$at/DEBIAN/control"
}

# Slurm as the debian/ of its own tarball has it: names, places and version; the files are Debian's. Its
# libraries tell their package by a shlibs file.
repository_upstream() {
	local at=$dir/upstream lib=usr/lib/x86_64-linux-gnu
	rm -rf "$at"
	mkdir -p "$at/slurm-smd/$lib" "$at/slurm-smd-dev/usr/include" "$at/slurm-smd-slurmctld/usr/sbin" &&
		cp -a "$tree/$lib/slurm-wlm" "$at/slurm-smd/$lib/slurm" &&
		cp -a "$tree/$lib"/libslurm.so* "$at/slurm-smd/$lib/" &&
		cp -a "$tree/usr/include/slurm" "$at/slurm-smd-dev/usr/include/" &&
		cp -a "$tree/usr/sbin/slurmctld-wlm" "$at/slurm-smd-slurmctld/usr/sbin/slurmctld" || return
	made_up "$at/slurm-smd" slurm-smd "Conflicts: slurm-wlm-basic-plugins"
	made_up "$at/slurm-smd-dev" slurm-smd-dev "Depends: slurm-smd (= $slurm-1)" "Conflicts: libslurm-dev"
	made_up "$at/slurm-smd-slurmctld" slurm-smd-slurmctld "Depends: slurm-smd (= $slurm-1), munge" \
		"Conflicts: slurmctld"
	basename "$(readlink -f "$tree/$lib/libslurm.so")" |
		sed -E "s/^(libslurm)\.so\.([0-9]+)\..*/\1 \2 slurm-smd (>= $slurm)/" >"$at/slurm-smd/DEBIAN/shlibs"
	for p in slurm-smd slurm-smd-dev slurm-smd-slurmctld; do
		dpkg-deb -Znone -b "$at/$p" "$at/$p.deb" || return
	done
	in_tree sh -c "apt-get -q -y purge 'slurm*' 'libslurm*' && ! ls -d /$lib/slurm-wlm 2>/dev/null &&
		echo /$lib/slurm >/etc/ld.so.conf.d/slurm.conf && dpkg -i $at/*.deb && ldconfig && slurmctld -V"
}
