/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz_tape: a recording from anywhere through the player, line by line (libFuzzer). Nothing may crash,
 * hang or leak, and whatever is refused is refused with a reason.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tape/play.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct play *p = play_create();
	const char *at = (const char *)data, *end = at + size;

	/* a head may ask for a big machine: a few are enough */
	while (p && at < end && play_counts(p)->heads < 4) {
		const char *stop = memchr(at, '\n', (size_t)(end - at));
		size_t length = (size_t)((stop ? stop : end) - at);

		if (play_line(p, at, length) != PLAY_OK && !*play_said(p))
			abort();
		at += length + 1;
	}
	play_destroy(p);
	return 0;
}
