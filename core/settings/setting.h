/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * setting: one setting, as a row of a table says it, and what follows from that row: its default, its bounds,
 * its text form with the errors of it. The rows stand in files *.def, each as
 *
 *	SETTING(Key, member, type, columns...)
 *
 * where the columns are members of struct setting, by name (those that do not apply are left out). A file is
 * included several times, with SETTING defined differently: as members of a struct, and as a table. A setting
 * whose members are declared by hand (a list) is SETTING_LIST(Key, columns...).
 *
 * Tables end with a row without a key.
 */
#ifndef PACT_CORE_SETTING_H
#define PACT_CORE_SETTING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where a setting is set; what takes it is one of these, both or, for the drivers' own use, none. */
enum setting_by {
	SETTING_BY_SET = 1,  /* pact-sim: --set, scenarios */
	SETTING_BY_CONF = 2, /* pact.conf */
	SETTING_BY_BOTH = 3,
};

enum setting_type {
	SETTING_WORD, /* an enum, by its names */
	SETTING_BOOL, /* false and true by two names */
	SETTING_I32,
	SETTING_I64,
	SETTING_TEXT, /* char *, malloc()ed, or NULL */
	SETTING_OWN,  /* by functions of its own */
};

/* The type of a struct's member. */
#define SETTING_TYPE(of, member) \
	_Generic(((struct of *)0)->member, bool \
		 : SETTING_BOOL, int32_t \
		 : SETTING_I32, int64_t \
		 : SETTING_I64, char * \
		 : SETTING_TEXT, default \
		 : SETTING_WORD)

/* Of a setting that is more than one member. */
struct setting_own {
	const char *what;				    /* "must be ..." */
	bool (*parse)(void *config, const char *value);	    /* false: no effect */
	void (*format)(const void *config, char *, size_t); /* as it may be parsed */
	bool (*valid)(const void *config);
};

/* One condition for being used: that another setting has one of these values. */
struct setting_need {
	const char *scheduler; /* only for this one; NULL: for all */
	const char *key;
	const char *values; /* as `users`; NULL: any but 0 */
};

struct setting {
	const char *key;
	const char *member; /* the struct's; in recordings the setting has this name */
	size_t offset;
	enum setting_type type;

	const char *initial; /* the default; NULL: the code that uses it says what it is */
	/* WORD, BOOL: the names from 0 on, NULL-terminated, and which of them may be chosen (a bit each; 0: all) */
	const char *const *words;
	uint32_t choices;
	/*
	 * Numbers, as they are kept: the value times `times` (0: 1) and ten to the `digits`, which is how many
	 * decimals it may have; octal: written so. TEXT: most is the greatest length.
	 */
	int64_t least, most;
	int64_t times;
	int digits;
	bool octal;
	bool path; /* TEXT: from / */
	bool none; /* TEXT: or the word none, which is NULL */
	const struct setting_own *own;

	/* In pact.conf, where that differs. site_most 0: the bounds above */
	const char *site_initial;
	int64_t site_least, site_most;

	enum setting_by by;
	bool apart;		      /* schedulers side by side may have it differ */
	const char *users;	      /* the schedulers that look at it, "a, b, c" */
	struct setting_need needs[2]; /* conditions under which they do */
	const char *not_above;	      /* the key of the greatest value that it may have */
	/* Does it go together with the others? NULL: with all. why as in setting_set() */
	bool (*together)(const void *config, char *why, size_t size);

	/*
	 * For people. unit: of a number, "seconds"; of what is no number, what it is, "list". text: what it
	 * does; `so` is bold there, {so} italic, and an empty line begins a paragraph. usually: the default in
	 * words, where `initial` does not say it. sample: for the file that a site begins with, if not the
	 * default; remark: above it there.
	 */
	const char *unit;
	const char *text;
	const char *usually;
	const char *sample;
	const char *remark;
};

/* The row of a key, in any case; NULL: none. */
const struct setting *setting_find(const struct setting *table, const char *key);

/* The default as text, where settings are made in the way `by`; NULL: there is none. */
const char *setting_initial(const struct setting *s, enum setting_by by);

/* All of a table are their defaults; the struct was zeroed. Those without one are left as they are. */
void setting_begin(const struct setting *table, void *config, enum setting_by by);

/*
 * One from text. False: it is malformed or out of bounds, no effect, and why (may be NULL) names key, value and
 * what it must be. SETTING_TEXT: also false for want of memory; what was there before is freed.
 */
bool setting_set(const struct setting *s, void *config, enum setting_by by, const char *value,
		 char *why, size_t size);

/* Free what is SETTING_TEXT of a table. */
void setting_clear(const struct setting *table, void *config);

/* Its value as text, as setting_set() takes it. */
void setting_format(const struct setting *s, const void *config, char *out, size_t size);

/* Are all of a table within their bounds, and do they go together? why as above. */
bool setting_valid(const struct setting *table, const void *config, char *why, size_t size);

/* The least and the greatest value of a number, as text; each has room for `size`. */
void setting_bounds(const struct setting *s, enum setting_by by, char *least, char *most,
		    size_t size);

/* What may stand behind "KEY=", for people: "edf|llf", "SECONDS". */
void setting_syntax(const struct setting *s, char *out, size_t size);

/* The i-th name that may be chosen of a WORD or a BOOL; NULL: there are not so many. */
const char *setting_choice(const struct setting *s, size_t i);

/* Is the name one of a list's, "a, b, c"? */
bool setting_listed(const char *name, const char *list);

/* Are the n characters at `text` this name, in any case? */
bool setting_is_name(const char *text, size_t n, const char *name);

/* n digits as a whole number up to most; -1: they are none, or it is more. */
int64_t setting_whole(const char *text, size_t n, int64_t most);

#endif
