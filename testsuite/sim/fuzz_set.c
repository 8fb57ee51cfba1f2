/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz_set: any words as options of a run and as a sweep (libFuzzer; see fuzz.t). A line is an option:
 * its first byte chooses the name, the rest is the value. A refusal has a reason and no effect; what is
 * accepted is in its range.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "sim/commands/run_options.h"
#include "sim/commands/sweep.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const more[] = { "stringency", "urgency", "mean",  "ratio", "estimate",
				    "fraction",	  "relax",   "slack", "sweep", "seeds" };

#define MORE (sizeof(more) / sizeof(more[0]))

static const char *name_of(unsigned char byte)
{
	const char *const *names = run_options_names();
	size_t n = 0;

	while (names[n])
		n++;
	byte = (unsigned char)(byte % (n + MORE));
	return byte < n ? names[byte] : more[byte - n];
}

static void check_ranges(const struct run_options *o)
{
	assert(o->nodes >= 0 && o->nodes <= INT32_MAX);
	assert(o->shrink_micro > 0 && o->load_micro > 0);
	assert(o->nsettings <= RUN_MAX_SETTINGS);
	assert(o->seed <= INT64_MAX);
	assert(o->estimates.micro >= 0);
	assert(o->deadlines.stringency_micro >= 0 && o->deadlines.stringency_micro <= 1000000);
	assert(o->deadlines.fraction_micro >= 0 && o->deadlines.fraction_micro <= 1000000);
	assert(o->config.kfactor >= 0 && o->config.relax_milli >= 0);
	assert(o->config.guard >= 0 && o->config.lateness >= 0 && o->config.min_artificial >= 0);
	assert(run_options_scheduler(o));
	assert(o->ngiven <= RUN_MAX_GIVEN);
}

static void sweep_it(const char *name, const char *value)
{
	struct run_options o;
	struct sweep s;
	char why[256], text[128];
	int err;

	sweep_init(&s);
	why[0] = '\0';
	err = strcmp(name, "seeds") ? sweep_add(&s, value, why, sizeof(why))
				    : sweep_add_seeds(&s, value, why, sizeof(why));
	assert(!err == !why[0]);
	for (size_t run = 0; !err && run < s.count && run < 3; run++) {
		sweep_describe(&s, run, text, sizeof(text));
		assert(text[0]);
		if (!sweep_options(&s, run, &o, why, sizeof(why)))
			check_ranges(&o);
	}
	sweep_release(&s);
}

static void set_it(struct run_options *o, const char *name, const char *value)
{
	struct run_options before;
	char why[256] = "";

	if (!strcmp(name, "sweep") || !strcmp(name, "seeds")) {
		sweep_it(name, value);
		return;
	}
	memcpy(&before, o, sizeof(before));
	if (run_options_set(o, name, value, why, sizeof(why))) {
		assert(why[0]);
		assert(!memcmp(&before, o, sizeof(before)));
	}
	check_ranges(o);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1), *line, *next;
	struct run_options o;
	char why[256] = "";

	assert(text);
	memcpy(text, data, size);
	text[size] = '\0';
	memset(&o, 0, sizeof(o));
	run_options_init(&o);
	for (line = strtok_r(text, "\n", &next); line; line = strtok_r(NULL, "\n", &next))
		set_it(&o, name_of((unsigned char)line[0]), line + 1);
	assert(run_options_check(&o, why, sizeof(why)) == PACT_OK || why[0]);
	free(text);
	return 0;
}
