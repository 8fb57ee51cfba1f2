/* SPDX-License-Identifier: GPL-2.0-or-later */
/* histogram_file: see histogram_file.h. */
#include "sim/histogram_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "core/sched.h"
#include "sim/cmd.h"
#include "sim/histogram.h"

static int write_to(const struct histogram *h, const char *path)
{
	FILE *f = fopen(path, "w");
	int err = f ? histogram_write(h, f) : errno;

	if (f && fclose(f) && !err)
		err = errno;
	return err;
}

int histogram_to_file(const struct workload *w, uint32_t nodes, const char *source,
		      const char *path)
{
	const char *slash = strrchr(source, '/');
	struct histogram *h;
	char why[256];
	int err;

	err = histogram_extract(w, nodes, slash ? slash + 1 : source, &h, why, sizeof(why));
	if (err) {
		fprintf(stderr, "pact-sim: %s: %s\n", source, why);
		return err == PACT_EINVAL ? EXIT_INPUT : err;
	}
	err = strcmp(path, "-") != 0 ? write_to(h, path) : histogram_write(h, stdout);
	histogram_destroy(h);
	if (!err)
		return EXIT_OK;
	fprintf(stderr, "pact-sim: cannot write %s: %s\n", path, strerror(err));
	return EXIT_OUTPUT;
}
