/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * turns: what a job of a replay does on a node whose jobs take turns (--turns). One that sleeps would not notice that it
 * was stopped: this one counts the time in which it could run, and ends when it has had enough.
 */
#ifndef PACT_REPLAY_TURNS_H
#define PACT_REPLAY_TURNS_H

/* The option, first on the command line, by which pact-replay is started for this; two values follow. Not for people. */
#define TURNS_OPTION "--turns-here"

/* Seconds of the wall between two looks at the clock. */
#define TURNS_STRIDE 0.1

/*
 * Run for so many seconds of the cluster's clock, looking at it every `stride` of them. A stretch between two looks in
 * which it was stopped counts half: as often too much as too little.
 * RET an exit status: 0, or 1 and a line on the standard error
 */
int turns_run(const char *seconds, const char *stride);

#endif /* PACT_REPLAY_TURNS_H */
