#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# bench/malleable.sh: prints the table of bench/malleable. Fails when a decision on 10,000 nodes, where 1000 malleable jobs run
# and under lazy 1000 more are accepted and wait, takes more than 0.2 ms under uniform, 3 ms under profit or 30 ms under
# lazy; costs more than so many plain passes in the same run; or, as each of these times, more than 13 times as much as on 1000 nodes.

set -u
# shellcheck source=bench/decisions.sh
. "$(dirname "$0")/decisions.sh"
decisions malleable 'decisions about jobs that grow and shrink' 6 'submit finish ask pass' \
	'uniform 200 3' 'profit 3000 15' 'lazy 30000 30'
