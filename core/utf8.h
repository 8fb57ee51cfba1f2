/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * utf8: text of unknown origin (names in logs, of files, of accounts) for JSON, which is UTF-8 (RFC 8259).
 */
#ifndef PACT_CORE_UTF8_H
#define PACT_CORE_UTF8_H

/*
 * A copy of the text that is valid UTF-8 (RFC 3629: no overlong forms, no surrogates, nothing beyond
 * U+10FFFF): each byte that is not part of a character becomes U+FFFD. The caller frees it; NULL:
 * memory is short.
 */
char *utf8_valid(const char *text);

#endif
