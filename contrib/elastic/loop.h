/* SPDX-License-Identifier: GPL-2.0-or-later */
/* loop: looks for a job's nodes and what is wanted of them, and has the way use the ones and leave the others. */
#ifndef PACT_ELASTIC_LOOP_H
#define PACT_ELASTIC_LOOP_H

struct elastic;

/* Until we end: 0, or the way's exit code. */
int loop_run(struct elastic *e);

#endif
