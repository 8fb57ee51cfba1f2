/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gunzip: the bytes of a file, inflated when it is compressed by gzip (RFC 1952), which its first two
 * bytes tell. Several members are read as one. Zero bytes behind the last one (a tape's padding) are
 * passed over, as gzip(1) does; anything else there is a failure, like a truncated or damaged member,
 * because it may be jobs whose loss would go unnoticed.
 */
#ifndef PACT_SIM_GUNZIP_H
#define PACT_SIM_GUNZIP_H

#include <stdbool.h>
#include <stddef.h>

struct gunzip;

/* Reads fd from where it stands, and leaves it open; NULL: no memory. */
struct gunzip *gunzip_create(int fd);
void gunzip_destroy(struct gunzip *g); /* NULL is fine */

/*
 * The next bytes, up to `room` (at least 1) of them. 0: the end, or a failure. What was there before a
 * failure is given first.
 */
size_t gunzip_read(struct gunzip *g, char *to, size_t room);

/* NULL, or what keeps us from reading on; stays. */
const char *gunzip_error(const struct gunzip *g);

/* After a read: is it compressed, and is more to come? */
bool gunzip_inflates(const struct gunzip *g);

/* So many bytes of the file have been used up. */
double gunzip_used(const struct gunzip *g);

#endif
