/* SPDX-License-Identifier: GPL-2.0-or-later */
/* histogram_file: see histogram_file.h. */
#include "sim/models/histogram_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "core/sched.h"
#include "common/exits.h"
#include "sim/models/histogram.h"

static int write_to(const struct histogram *h, const char *path)
{
	FILE *f = fopen(path, "w");
	int err = f ? histogram_write(h, f) : errno;

	if (f && fclose(f) && !err)
		err = errno;
	return err;
}

int histogram_to_file(const struct survey *s, const char *path, const char *out)
{
	const char *slash = strrchr(path, '/');
	struct histogram *h = NULL;
	char why[256] = "out of memory";
	struct workload w;
	int err;

	workload_init(&w);
	err = survey_workload(s, &w);
	if (!err)
		err = histogram_extract(&w, (uint32_t)s->nodes, slash ? slash + 1 : path, &h, why,
					sizeof(why));
	workload_release(&w);
	if (err) {
		fprintf(stderr, "pact-sim: %s: %s\n", path, why);
		return err == PACT_EINVAL ? EXIT_INPUT : err;
	}
	err = strcmp(out, "-") != 0 ? write_to(h, out) : histogram_write(h, stdout);
	histogram_destroy(h);
	if (!err)
		return EXIT_OK;
	fprintf(stderr, "pact-sim: cannot write %s: %s\n", out, strerror(err));
	return EXIT_OUTPUT;
}
