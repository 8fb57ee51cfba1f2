/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * conf_dynp.c - the part of pact.conf that sched/dynp reads
 */
#include "slurm/config/conf_dynp.h"

static bool is_its(const struct setting *s)
{
	return s->by & SETTING_BY_CONF && !strcmp(s->users, "dynp");
}

void conf_dynp_init(struct sched_config *c)
{
	setting_begin(sched_settings, c, SETTING_BY_CONF);
}

size_t conf_dynp_keys(s_p_options_t out[CONF_DYNP_KEYS])
{
	size_t n = 0;

	for (const struct setting *s = sched_settings; s->key && n < CONF_DYNP_KEYS; s++) {
		if (is_its(s))
			out[n++] = (s_p_options_t){ .key = (char *)s->key, .type = S_P_STRING };
	}
	return n;
}

bool conf_dynp_read(s_p_hashtbl_t *tbl, struct sched_config *c, char *err, size_t err_size)
{
	bool ok = true;

	for (const struct setting *s = sched_settings; ok && s->key; s++) {
		char *value = NULL;

		if (is_its(s) && s_p_get_string(&value, s->key, tbl))
			ok = setting_set(s, c, SETTING_BY_CONF, value, err, err_size);
		xfree(value);
	}
	return ok && settings_valid(c, err, err_size);
}
