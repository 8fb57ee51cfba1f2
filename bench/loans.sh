#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# bench/loans.sh: prints the table of bench/loans. Fails when a decision on 10,000 nodes, where 1000 jobs run that nodes are lent
# to, takes more than 0.2 ms where these are lent to all alike, or 3 ms where they go by profit; costs more than so many
# plain passes in the same run; or, as each of these times, more than 13 times as much as on 1000 nodes.

set -u
# shellcheck source=bench/decisions.sh
. "$(dirname "$0")/decisions.sh"
decisions loans 'decisions about what a plan leaves idle' 4 'submit finish answer' 'uniform 200 4.25' 'profit 3000 6'
