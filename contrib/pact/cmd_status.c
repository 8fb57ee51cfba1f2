/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmd_status.c - pact status
 */
#include "contrib/pact/command.h"

const struct command command_status = {
	.name = "status",
	.what = "is there a plan, and can anything be promised?",
	.usage = "[--json]",
	.show = show_status,
};
