/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ccs: a client of Charm++'s Converse Client-Server protocol, as far as resizing needs it
 *
 * A request is a connection: length of the data, processor (4 bytes each, big-endian), the handler's name in 32 bytes, data. The
 * reply is a length of 4 bytes, big-endian, and data. No call takes longer than CCS_TIME seconds and what the name's look-up
 * takes.
 */
#ifndef PACT_ELASTIC_CCS_H
#define PACT_ELASTIC_CCS_H

#include <stddef.h>
#include <stdint.h>

#define CCS_TIME 5

/*
 * How many processors the program runs on (ccs_getinfo).
 * IN server - HOST:PORT
 * RET < 0: it does not say, errno tells why
 */
int64_t ccs_processors(const char *server);

/*
 * Ask it to go on with some of its processors, or with more (set_bitmap).
 * IN stays - a byte for each processor that it has: 1, it stays
 * IN count - how many it is to have then
 * RET a descriptor to be closed when it has happened or not: the reply comes late, tells nothing, and is not waited for;
 *	< 0: not asked, errno tells why
 */
int ccs_resize(const char *server, const char *stays, size_t processors, int32_t count);

#endif
