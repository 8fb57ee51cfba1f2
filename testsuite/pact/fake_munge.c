/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fake_munge: as much of munge(3) as pact calls, without munged. FAKE_MUNGE=fails in the environment
 * makes no credential.
 */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <munge.h>

struct munge_ctx {
	char nothing;
};

munge_ctx_t munge_ctx_create(void)
{
	return calloc(1, sizeof(struct munge_ctx));
}

void munge_ctx_destroy(munge_ctx_t ctx)
{
	free(ctx);
}

munge_err_t munge_ctx_set(munge_ctx_t ctx, int opt, ...)
{
	(void)ctx, (void)opt;
	return EMUNGE_SUCCESS;
}

munge_err_t munge_encode(char **cred, munge_ctx_t ctx, const void *buf, int len)
{
	const char *how = getenv("FAKE_MUNGE");

	(void)ctx, (void)buf, (void)len;
	*cred = NULL;
	if (how && !strcmp(how, "fails"))
		return EMUNGE_SOCKET;
	*cred = strdup("MUNGE:fake:");
	return *cred ? EMUNGE_SUCCESS : EMUNGE_NO_MEMORY;
}

const char *munge_strerror(munge_err_t e)
{
	return e == EMUNGE_SUCCESS ? "Success" : "no munged here";
}

const char *munge_ctx_strerror(munge_ctx_t ctx)
{
	return ctx ? "no munged at its socket" : NULL;
}
