/* SPDX-License-Identifier: GPL-2.0-or-later */
/* signal_word: see signal_word.h. */
#define _GNU_SOURCE
#include "common/signal_word.h"

#include <signal.h>
#include <stddef.h>
#include <strings.h>

static const struct {
	const char *word;
	int number;
} words[] = {
	{ "HUP", SIGHUP },   { "INT", SIGINT },	    { "QUIT", SIGQUIT }, { "TERM", SIGTERM },
	{ "USR1", SIGUSR1 }, { "USR2", SIGUSR2 },   { "URG", SIGURG },	 { "VTALRM", SIGVTALRM },
	{ "PROF", SIGPROF }, { "WINCH", SIGWINCH }, { "IO", SIGIO },	 { "PWR", SIGPWR },
};

int signal_word(const char *text)
{
	if (!text || !text[0] || !strcasecmp(text, "(null)"))
		text = SIGNAL_WORD_DEFAULT;
	if (!strncasecmp(text, "SIG", 3))
		text += 3;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (!strcasecmp(words[i].word, text))
			return words[i].number;
	}
	return 0;
}
