#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A hook, for programs that are told of their nodes in a way of their own: here by two files. The program reads nodes.now, and
# removes nodes.leave when it has left the nodes that stand there.
#
#	pact-elastic --hook ./hook.sh &
#
what=$1
shift
case $what in
nodes)
	printf '%s\n' "$@" >nodes.new && mv nodes.new nodes.now
	;;
leave)
	# As long as the program works on something that it cannot leave: not now.
	[ ! -e busy ] || exit 75
	trap 'rm -f nodes.leave; exit 75' TERM
	printf '%s\n' "$@" >nodes.new && mv nodes.new nodes.leave
	while [ -e nodes.leave ]; do
		sleep 1 &
		wait $!
	done
	;;
esac
