/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * agent.h - the thread that plans and starts jobs
 */
#ifndef PACT_SLURM_AGENT_H
#define PACT_SLURM_AGENT_H

#include <stdbool.h>

/* Start it.  RET false when it cannot be started; a second start is an error too. */
bool agent_start(void);

/* Stop it and wait for its end.  No lock may be held that it could wait for. */
void agent_stop(void);

#endif /* PACT_SLURM_AGENT_H */
