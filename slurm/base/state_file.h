/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * state_file.h - small files of ours in StateSaveLocation
 *
 * Each is a text of some hundred bytes, written beside the old one and renamed over it: it is there
 * as a whole or not at all.  Reading and writing wait for the disk that slurmctld's own state is on.
 */
#ifndef PACT_SLURM_STATE_FILE_H
#define PACT_SLURM_STATE_FILE_H

#include <stddef.h>
#include <sys/types.h>

/* Where they are: StateSaveLocation; "": nowhere.  Any thread. */
void state_file_use_dir(const char *dir);

/*
 * Write one, for SlurmUser alone.
 * IN file - its name there
 * RET 0, or an errno, or -1: there is no StateSaveLocation
 */
int state_file_write(const char *file, const char *text);

/*
 * Read one.
 * OUT text - at most size bytes of it, without a '\0' behind them
 * RET how many, or -1: errno tells; ENOENT: there is none, or no StateSaveLocation
 */
ssize_t state_file_read(const char *file, char *text, size_t size);

/* Remove one that is there. */
void state_file_remove(const char *file);

/* Its whole name, for the log: "FILE" alone where there is no StateSaveLocation, or no room. */
void state_file_name(const char *file, char *out, size_t size);

#endif /* PACT_SLURM_STATE_FILE_H */
