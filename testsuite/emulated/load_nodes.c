/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * load_nodes: the names of all nodes, by the API that libslurm has for others' programs: to read these records it loads
 * SelectType's plugin. Exit code 1 when that fails, which is told.
 */
#include "slurm/base/compat.h"

#include <errno.h>

int main(void)
{
	node_info_msg_t *nodes;

	slurm_init(NULL);
	if (slurm_load_node(0, &nodes, SHOW_ALL) != SLURM_SUCCESS) {
		fprintf(stderr, "%s\n", slurm_strerror(errno));
		return 1;
	}
	for (uint32_t i = 0; i < nodes->record_count; i++)
		printf("%s\n", nodes->node_array[i].name);
	slurm_free_node_info_msg(nodes);
	return 0;
}
