#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# ansible: what the role's module makes of a slurm.conf, and that it gives back what was there, byte for byte (TAP).
# Without Ansible; `make check-ansible` runs the role.
set -u
top=${PACT_TOP:-$(cd "$(dirname "$0")/.." && pwd)}
# shellcheck source=testsuite/tap.sh
. "$top/testsuite/tap.sh"
need python3
python3 -c 'import re, glob, shutil' 2>/dev/null || skip_all "python3 has no standard library"
PYTHONDONTWRITEBYTECODE=1 exec python3 "$top/testsuite/ansible/edits.py" "$top/contrib/ansible/pact/library"
