/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * utf8: text of unknown origin (names in logs, of files, of accounts) for JSON, which is UTF-8 (RFC 8259).
 */
#ifndef PACT_CORE_UTF8_H
#define PACT_CORE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The bytes (1 to 4) of the character that begins at `text`, and which one it is; 0: none does (the
 * rules are those of utf8_valid()), and *code is that byte. At the end of the text: 1, and *code is 0.
 */
size_t utf8_character(const char *text, uint32_t *code);

#define UTF8_REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

/*
 * Could a terminal take this character for a command, or does it make a line read otherwise than it is
 * written? The control characters of ASCII and of ISO 8859 (C0, DEL, C1; ESC and CSI are among them),
 * and what is not seen but changes the order of others (bidirectional controls, UAX #9), has no width,
 * or separates lines.
 */
bool utf8_harms(uint32_t code);

/*
 * A copy without such characters, for people to read: control characters and bytes that are no UTF-8
 * stand there as \xNN, the others as U+FFFD. The caller frees it; NULL: memory is short.
 */
char *utf8_harmless(const char *text);

/*
 * A copy of the text that is valid UTF-8 (RFC 3629: no overlong forms, no surrogates, nothing beyond
 * U+10FFFF): each byte that is not part of a character becomes U+FFFD. The caller frees it; NULL:
 * memory is short.
 */
char *utf8_valid(const char *text);

#endif
