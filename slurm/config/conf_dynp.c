/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * conf_dynp.c - the part of pact.conf that sched/dynp reads
 */
#include "slurm/config/conf_dynp.h"

void conf_dynp_init(struct dynp_config *c)
{
	dynp_config_init(c);
	/* scontrol top and --nice mean something unless the site says that they do not. */
	c->priority = DYNP_PRIORITY_TIES;
}

size_t conf_dynp_keys(s_p_options_t out[CONF_DYNP_KEYS])
{
	size_t n = 0;

	while (dynp_config_keys[n] && n < CONF_DYNP_KEYS) {
		out[n] = (s_p_options_t){ .key = (char *)dynp_config_keys[n], .type = S_P_STRING };
		n++;
	}
	return n;
}

bool conf_dynp_read(s_p_hashtbl_t *tbl, struct dynp_config *c, char *err, size_t err_size)
{
	bool ok = true;

	for (size_t i = 0; ok && dynp_config_keys[i]; i++) {
		const char *key = dynp_config_keys[i];
		char *value = NULL;

		if (s_p_get_string(&value, key, tbl))
			ok = dynp_config_set(c, key, value, err, err_size) == 1;
		xfree(value);
	}
	return ok && dynp_config_valid(c, err, err_size);
}
