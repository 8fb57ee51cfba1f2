/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * site.c - the table of the plugin's own keys
 */
#include "slurm/config/site.h"
#include "slurm/config/conf.h"

static const char *const observe_words[] = { "enforce", "observe", NULL };
static const char *const yes_words[] = { "no", "yes", NULL };
static const char *const memory_words[] = { "counted", "unchecked", NULL };
/* enum scheduler_strategy */
static const char *const strategy_words[] = { "uniform", "profit", "lazy", NULL };
static const char *const on_words[] = { "off", "on", NULL };

#define SETTING(name, at, ctype, ...) \
	{ .key = #name, \
	  .member = #at, \
	  .offset = offsetof(struct conf, at), \
	  .type = SETTING_TYPE(conf, at), \
	  .by = SETTING_BY_CONF, \
	  __VA_ARGS__ },
const struct setting site_settings[] = {
#include "slurm/config/site.def"
	{ .key = NULL },
};
