/* SPDX-License-Identifier: GPL-2.0-or-later */
/* histogram_builtin: the files of sim/histograms, which the build puts into model_data.c. */
#include "sim/models/histogram.h"

#include <string.h>

extern const char histogram_ctc[], histogram_kth[], histogram_pc2[], histogram_sdsc[];
extern const size_t histogram_ctc_length, histogram_kth_length, histogram_pc2_length,
	histogram_sdsc_length;

static const struct {
	const char *name;
	const char *text;
	const size_t *length;
} builtin[] = {
	{ "ctc", histogram_ctc, &histogram_ctc_length },
	{ "kth", histogram_kth, &histogram_kth_length },
	{ "pc2", histogram_pc2, &histogram_pc2_length },
	{ "sdsc", histogram_sdsc, &histogram_sdsc_length },
};

#define BUILTIN (sizeof(builtin) / sizeof(builtin[0]))

const char *histogram_builtin(const char *name, size_t *length)
{
	for (size_t i = 0; i < BUILTIN; i++)
		if (!strcmp(builtin[i].name, name)) {
			*length = *builtin[i].length;
			return builtin[i].text;
		}
	return NULL;
}

const char *const *histogram_builtin_names(void)
{
	static const char *names[BUILTIN + 1];

	for (size_t i = 0; i < BUILTIN; i++)
		names[i] = builtin[i].name;
	return names;
}
