# SPDX-License-Identifier: GPL-2.0-or-later
# apt-entries.sh: part of get-slurm-src and slurm-root; derives entries for apt from the machine's own,
# which are only read. The caller has die().
# shellcheck shell=bash

# The machine's entries into DIR, each as one of TYPE, deb or deb-src.
derive_entries() { # DIR TYPE
	local etc=${APT_ETC:-/etc/apt} f n=0
	for f in "$etc/sources.list" "$etc"/sources.list.d/*.list; do
		[ -r "$f" ] || continue
		n=$((n + 1))
		one_line "$2" "$f" >"$1/$n.list"
	done
	for f in "$etc"/sources.list.d/*.sources; do
		[ -r "$f" ] || continue
		n=$((n + 1))
		deb822 "$2" "$f" >"$1/$n.sources"
	done
	grep -qrE "^($2|Types: $2)" "$1" ||
		die "there are no package sources in $etc to derive $2 entries from"
}

# One-line format: each deb and deb-src line.
one_line() { # TYPE FILE
	sed -nE "s/^[[:space:]]*deb(-src)?([[:space:]])/$1\\2/p" "$2"
}

# deb822 format: each stanza. A disabled one stays disabled. Only the field at the start of a line is
# meant: a key may stand in a continuation.
deb822() { # TYPE FILE
	sed -E "s/^[Tt][Yy][Pp][Ee][Ss]:.*/Types: $1/" "$2"
}

# Of the entries in DIR those of this machine's release, said of RELEASE; the others go. Suites are words
# like stable, stable-updates, stable-security.
of_release() { # DIR RELEASE
	local here f
	# shellcheck disable=SC1090
	here=$(. "${OS_RELEASE:-/etc/os-release}" && echo "${VERSION_CODENAME-}")
	[ -n "$here" ] || die "$2: this machine does not say what release it is itself (VERSION_CODENAME)"
	for f in "$1"/*.list; do
		[ -e "$f" ] || continue
		sed -i -nE "s/^(deb(-src)?([[:space:]]+\\[[^]]*\\])?[[:space:]]+[^[:space:]]+[[:space:]]+)$here(-[a-z]+)?([[:space:]])/\\1$2\\4\\5/p" "$f"
	done
	for f in "$1"/*.sources; do
		[ -e "$f" ] || continue
		suites_of_release "$here" "$2" "$f" >"$f.of" && mv "$f.of" "$f"
	done
	grep -qrE '^(deb|Types: deb)' "$1" ||
		die "$2: no package source of this machine is of $here, which it would take the place of"
}

suites_of_release() { # HERE RELEASE FILE
	awk -v here="$1" -v release="$2" -v RS= -v ORS='\n\n' '
		match($0, /(^|\n)[Ss][Uu][Ii][Tt][Ee][Ss]:[^\n]*/) {
			n = split(substr($0, RSTART, RLENGTH), word, /[ \t]+/)
			suites = ""
			for (i = 2; i <= n; i++)
				if (word[i] == here || index(word[i], here "-") == 1)
					suites = suites " " release substr(word[i], length(here) + 1)
			if (suites != "")
				print substr($0, 1, RSTART - 1) "\nSuites:" suites substr($0, RSTART + RLENGTH)
		}' "$3" | sed '/./,$!d'
}

# Where the packages of RELEASE itself are, by the entries in DIR.
mirror_of() { # DIR RELEASE
	{
		sed -nE "s/^deb([[:space:]]+\\[[^]]*\\])?[[:space:]]+([^[:space:]]+)[[:space:]]+$2[[:space:]].*/\\2/p" \
			"$1"/*.list 2>/dev/null
		awk -v release="$2" -v RS= -F'\n' '{
			uri = ""; ours = 0
			for (i = 1; i <= NF; i++) {
				n = split($i, word, /[ \t]+/)
				if (tolower(word[1]) == "uris:")
					uri = word[2]
				for (k = 2; tolower(word[1]) == "suites:" && k <= n; k++)
					ours = ours || word[k] == release
			}
			if (ours)
				print uri
		}' "$1"/*.sources 2>/dev/null
	} | head -n 1
}
