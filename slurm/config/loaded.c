/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loaded.c - what another plugin of this process exports
 */
#include "slurm/base/compat.h"

#include <dlfcn.h>
#include <link.h>

#include "slurm/config/loaded.h"

struct search {
	const char *file;
	char *path;
};

static int find_path(struct dl_phdr_info *info, size_t size, void *arg)
{
	const char *base = info->dlpi_name ? strrchr(info->dlpi_name, '/') : NULL;
	struct search *search = arg;

	(void)size;
	if (!base || strcmp(base + 1, search->file))
		return 0;
	search->path = strdup(info->dlpi_name);
	return 1;
}

void *loaded_symbol(const char *file, const char *symbol)
{
	struct search search = { .file = file };
	void *handle, *found;

	dl_iterate_phdr(find_path, &search);
	if (!search.path)
		return NULL;
	handle = dlopen(search.path, RTLD_LAZY | RTLD_NOLOAD);
	free(search.path);
	if (!handle)
		return NULL;
	found = dlsym(handle, symbol);
	/* giving the handle back does not unload what is linked to stay */
	dlclose(handle);
	return found;
}
