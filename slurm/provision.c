/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * provision.c - an accepted submission holds its place until its record shows up
 *
 * A key of the thread lists the tokens of its submissions; the key's destructor
 * runs when the thread ends, with no lock held.  The plugin stays resident, so
 * the destructor's code is always there.
 */
#include "slurm/compat.h"

#include <fcntl.h>

#include "slurm/provision.h"

struct mine {
	struct mine *next;
	uint64_t token;
};

static pthread_key_t key;
static pthread_once_t key_once = PTHREAD_ONCE_INIT;
static bool key_made;

/* The RPC of these submissions is over. */
static void thread_ended(void *arg)
{
	struct bridge *b = bridge_get();
	struct mine *mine = arg, *next;

	pthread_mutex_lock(&b->lock);
	for (; mine; mine = next) {
		for (struct provision *p = b->provisions; p; p = p->next)
			if (p->token == mine->token) {
				p->over = true;
				p->over_epoch = b->epoch;
			}
		next = mine->next;
		free(mine);
	}
	pthread_mutex_unlock(&b->lock);
}

static void make_key(void)
{
	key_made = !pthread_key_create(&key, thread_ended);
}

static bool remember(uint64_t token)
{
	struct mine *mine;

	pthread_once(&key_once, make_key);
	if (!key_made || xstrcasestr(slurm_conf.slurmctld_params, "enable_rpc_queue"))
		return false;
	mine = malloc(sizeof(*mine));
	if (!mine)
		return false;
	mine->token = token;
	mine->next = pthread_getspecific(key);
	if (!pthread_setspecific(key, mine))
		return true;
	free(mine);
	return false;
}

uint64_t provision_token(struct bridge *b)
{
	if (!b->next_token) {
		int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);

		if (fd < 0 || read(fd, &b->next_token, sizeof(b->next_token)) !=
				      (ssize_t)sizeof(b->next_token))
			b->next_token = (uint64_t)time(NULL) << 24 ^ (uint64_t)getpid();
		if (fd >= 0)
			close(fd);
	}
	if (!++b->next_token)
		b->next_token++;
	return b->next_token;
}

bool provision_add(struct bridge *b, uint64_t token, uint64_t shape, uint64_t *core, size_t ncore)
{
	struct provision *p = calloc(1, sizeof(*p));

	if (!p)
		return false;
	p->token = token;
	p->shape = shape;
	p->core = core;
	p->ncore = ncore;
	p->next = b->provisions;
	b->provisions = p;
	if (!remember(token)) {
		p->over = true;
		p->over_epoch = b->epoch;
	}
	return true;
}
