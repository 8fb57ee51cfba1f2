/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ask.h - one question of the library's to Slurm, by the program pact-malleable-call: started, read, waited for
 *
 * The program's standard input and error are /dev/null, its signals the usual ones.
 */
#ifndef PACT_CLIENT_ASK_H
#define PACT_CLIENT_ASK_H

/* The longest answer: a look at thousands of nodes. */
#define ASK_MAX (4 * 1024 * 1024)

/*
 * Start it with argv (argv[0] is filled in) and wait for its answer, `patience` seconds at most.
 * OUT answer - malloc()ed: its lines, with the last one, "end"; NULL unless it is whole
 * OUT why - why there is no answer, a static text
 * RET 0, or an errno
 */
int ask_call(const char **argv, int patience, char **answer, const char **why);

#endif /* PACT_CLIENT_ASK_H */
