# SPDX-License-Identifier: GPL-2.0-or-later
# steps.sh: for the scripts `run` and `check`, which read it: where they are, and how long the rest may take,
# one line on standard error before each step. What was there already took no time and says nothing. And what
# they run is ended with them.
#
#   steps_plan NAME...   the kinds of all steps to come, in any order, each as often as it will be made
#   step NAME WHICH      the next one begins
#   steps_done           the last one has ended
#   steps_once OPTION VALUE  dies when the option was given before
#   steps_run COMMAND... runs a program, exits as it does; a signal that stops us ends it first

declare -A step_left=() step_made=() step_took=()
step_count=0 step_total=0 step_name='' step_began=$SECONDS

declare -A step_given=()
steps_once() {
	[ -z "${step_given[$1]+x}" ] || die "$1 $2: it is given already, as $1 ${step_given[$1]}"
	step_given[$1]=$2
}

# We alone may be told to stop (kill PID): a program in the foreground would go on then, and hold its files, and
# bash would heed the signal only when it has ended. So it is in the background, and this waits for it.
steps_run() {
	"$@" &
	wait $!
}

# What runs is told by TERM whatever we were told: in the background INT may be ignored.
steps_stop() { # SIGNAL
	local running
	trap '' HUP INT QUIT TERM
	running=$(jobs -p)
	[ -z "$running" ] || kill -TERM $running 2>/dev/null
	wait
	exit $((128 + $1))
}
trap 'steps_stop 1' HUP
trap 'steps_stop 2' INT
trap 'steps_stop 3' QUIT
trap 'steps_stop 15' TERM

steps_plan() {
	local name
	for name; do
		step_left[$name]=$((${step_left[$name]:-0} + 1))
	done
	step_total=$((step_total + $#))
}

step_clock() { # seconds as H:MM
	printf '%d:%02d h' $(($1 / 3600)) $(($1 / 60 % 60))
}

# What the steps to come will take, if they take what their kind took so far; nothing if that is not known.
steps_rest() {
	local name rest=0
	for name in "${!step_left[@]}"; do
		[ "${step_left[$name]}" -gt 0 ] || continue
		[ "${step_made[$name]:-0}" -gt 0 ] || return
		rest=$((rest + step_left[$name] * step_took[$name] / step_made[$name]))
	done
	printf ', about %s left' "$(step_clock $rest)"
}

steps_done() {
	local took=$((SECONDS - step_began))
	[ -n "$step_name" ] && [ $took -gt 1 ] || return 0
	step_made[$step_name]=$((${step_made[$step_name]:-0} + 1))
	step_took[$step_name]=$((${step_took[$step_name]:-0} + took))
	step_name=
}

step() {
	steps_done
	step_count=$((step_count + 1))
	echo "${prog%/run}: step $step_count of $step_total, $2; $(step_clock $SECONDS)$(steps_rest)" >&2
	step_name=$1 step_began=$SECONDS
	step_left[$1]=$((step_left[$1] - 1))
}
