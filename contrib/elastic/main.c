/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pact-elastic: uses the nodes of a malleable job as they come and go (doc/pact-elastic.1). */
#include "contrib/elastic/elastic.h"
#include "contrib/elastic/loop.h"

int main(int argc, char **argv)
{
	struct options options;
	struct elastic elastic = { .options = &options };
	int status;

	if (!elastic_options(argc, argv, &options, &status))
		return status;
	elastic.way = options.command ? &crew_way : options.hook ? &hook_way : &charm_way;
	return loop_run(&elastic);
}
