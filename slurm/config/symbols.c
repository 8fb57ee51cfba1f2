/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * symbols.c - what a loaded library needs of others, and what these have
 *
 * The list of what it needs is its own, as the linker made it: its relocations.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "slurm/config/symbols.h"

#include <dlfcn.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#if __SIZEOF_POINTER__ == 8
#define SYMBOL_OF(info) ELF64_R_SYM(info)
#else
#define SYMBOL_OF(info) ELF32_R_SYM(info)
#endif

/* Of the library's dynamic section. */
struct tables {
	const ElfW(Sym) * symbols;
	const char *names;
	struct relocations {
		const char *at;
		size_t bytes, each;
	} data, calls;
};

/* The linker makes addresses of what stands in the section, but not on every architecture. */
static const void *at(const struct link_map *map, ElfW(Addr) where)
{
	return (const void *)(where < map->l_addr ? where + map->l_addr : where);
}

static void read_tables(const struct link_map *map, struct tables *out)
{
	*out = (struct tables){ .data.each = sizeof(ElfW(Rela)) };
	for (const ElfW(Dyn) *d = map->l_ld; d->d_tag != DT_NULL; d++) {
		if (d->d_tag == DT_SYMTAB)
			out->symbols = at(map, d->d_un.d_ptr);
		else if (d->d_tag == DT_STRTAB)
			out->names = at(map, d->d_un.d_ptr);
		else if (d->d_tag == DT_RELA || d->d_tag == DT_REL)
			out->data.at = at(map, d->d_un.d_ptr);
		else if (d->d_tag == DT_RELASZ || d->d_tag == DT_RELSZ)
			out->data.bytes = d->d_un.d_val;
		else if (d->d_tag == DT_RELAENT || d->d_tag == DT_RELENT)
			out->data.each = d->d_un.d_val;
		else if (d->d_tag == DT_JMPREL)
			out->calls.at = at(map, d->d_un.d_ptr);
		else if (d->d_tag == DT_PLTRELSZ)
			out->calls.bytes = d->d_un.d_val;
	}
	/* Both kinds are of one form wherever there is one. */
	out->calls.each = out->data.each;
}

/* Weak, and absent where there is no need for it: __gmon_start__, _ITM_registerTMCloneTable. */
static bool toolchains(const char *name)
{
	return name[0] == '_';
}

static const char *first_missing(const struct tables *t, const struct relocations *r)
{
	for (size_t i = 0; r->at && i + r->each <= r->bytes; i += r->each) {
		const ElfW(Rel) *one = (const void *)(r->at + i);
		const ElfW(Sym) *symbol = &t->symbols[SYMBOL_OF(one->r_info)];
		const char *name = t->names + symbol->st_name;

		if (symbol->st_shndx == SHN_UNDEF && name[0] && !toolchains(name) &&
		    !dlsym(RTLD_DEFAULT, name))
			return name;
	}
	return NULL;
}

bool symbols_missing(const void *within, char *name, size_t size)
{
	const char *missing = NULL;
	struct link_map *map = NULL;
	struct tables tables;
	Dl_info info;

	if (dladdr1(within, &info, (void **)&map, RTLD_DL_LINKMAP) && map) {
		read_tables(map, &tables);
		if (tables.symbols && tables.names) {
			missing = first_missing(&tables, &tables.data);
			if (!missing)
				missing = first_missing(&tables, &tables.calls);
		}
	}
	snprintf(name, size, "%s", missing ? missing : "");
	return missing;
}

size_t symbols_size(const void *variable)
{
	const ElfW(Sym) *symbol = NULL;
	Dl_info info;

	if (!dladdr1(variable, &info, (void **)&symbol, RTLD_DL_SYMENT) || !symbol ||
	    info.dli_saddr != variable)
		return 0;
	return symbol->st_size;
}

static bool is_ours(const char *mark, const char *const *ours)
{
	while (*ours && strcmp(mark, *ours))
		ours++;
	return *ours;
}

bool symbols_first(const char *variable, const char *mark, const char *const *ours, unsigned *out)
{
	void *program = dlopen(NULL, RTLD_LAZY), *library;
	struct link_map *map = NULL;
	bool found = false;

	if (program && dlinfo(program, RTLD_DI_LINKMAP, &map))
		map = NULL;
	for (; map && !found; map = map->l_next) {
		const uint32_t *value;
		const char *text;

		if (!map->l_name[0] || !(library = dlopen(map->l_name, RTLD_LAZY | RTLD_NOLOAD)))
			continue;
		value = dlsym(library, variable);
		text = dlsym(library, mark);
		found = value && text && !is_ours(text, ours);
		if (found)
			*out = *value;
		dlclose(library);
	}
	if (program)
		dlclose(program);
	return found;
}
