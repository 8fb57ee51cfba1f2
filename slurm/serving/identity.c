/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * identity.c - is this credential the connecting user's own?
 */
#include "slurm/serving/identity.h"

#include <stdio.h>
#include <stdlib.h>

#include <munge.h>

bool identity_check(const char *cred, uid_t peer, const char *munge, char *why, size_t why_size)
{
	munge_ctx_t ctx = munge_ctx_create();
	munge_err_t rc = EMUNGE_NO_MEMORY;
	void *payload = NULL;
	int payload_len = 0;
	uid_t uid = 0;
	gid_t gid = 0;

	if (ctx)
		rc = munge ? munge_ctx_set(ctx, MUNGE_OPT_SOCKET, munge) : EMUNGE_SUCCESS;
	if (rc == EMUNGE_SUCCESS)
		rc = munge_decode(cred, ctx, &payload, &payload_len, &uid, &gid);
	if (rc != EMUNGE_SUCCESS)
		snprintf(why, why_size, "munge: %s", munge_strerror(rc));
	else if (uid != peer)
		snprintf(why, why_size, "the credential is uid %u's, the connection uid %u's",
			 (unsigned)uid, (unsigned)peer);
	/* The payload is given for a credential that was replayed or has expired, too. */
	free(payload);
	munge_ctx_destroy(ctx);
	return rc == EMUNGE_SUCCESS && uid == peer;
}
