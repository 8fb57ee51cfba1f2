/* SPDX-License-Identifier: GPL-2.0-or-later */
/* signal_word: by which signal a job wants to be asked to leave its nodes (sbatch --migratable=SIGNAL) */
#ifndef PACT_COMMON_SIGNAL_WORD_H
#define PACT_COMMON_SIGNAL_WORD_H

#define SIGNAL_WORD_DEFAULT "USR1"
#define SIGNAL_WORDS "HUP, INT, QUIT, TERM, USR1, USR2, URG, VTALRM, PROF, WINCH, IO or PWR"

/*
 * Its number, from a name of SIGNAL_WORDS, in any case and with SIG before it or not; of none (NULL, "" or Slurm's
 * "(null)") that of the default. 0: it is none of these, or one that ends or stops a job whatever it does about it.
 */
int signal_word(const char *text);

#endif
