/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * change_what.c - what a request asks to change
 */
#include "slurm/base/compat.h"

#include "slurm/admission/change_what.h"
#include "slurm/admission/admission.h"

bool change_wants_promise(const struct change *c)
{
	return c->bound || admission_has_deadline(c->desc);
}

const char *change_waiter(const struct change *c, char text[64])
{
	if (c->waiter)
		snprintf(text, 64, "promised JobId=%u waits for it", c->waiter);
	else
		snprintf(text, 64, "a job that was promised just now waits for it");
	return text;
}

bool change_of_terms(const job_desc_msg_t *desc)
{
	return admission_has_deadline(desc) || desc->time_limit != NO_VAL ||
	       desc->time_min != NO_VAL || desc->partition || desc->features || desc->req_nodes ||
	       desc->exc_nodes || desc->dependency ||
	       (desc->begin_time && desc->begin_time != (time_t)NO_VAL) ||
	       (desc->min_nodes != NO_VAL && desc->min_nodes) || desc->max_nodes != NO_VAL ||
	       (desc->min_cpus != NO_VAL && desc->min_cpus);
}

bool change_of_tasks(const job_desc_msg_t *desc)
{
	return desc->num_tasks != NO_VAL || desc->cpus_per_task != NO_VAL16 ||
	       desc->ntasks_per_node != NO_VAL16 || desc->ntasks_per_socket != NO_VAL16 ||
	       desc->ntasks_per_core != NO_VAL16 || desc->sockets_per_node != NO_VAL16 ||
	       desc->cores_per_socket != NO_VAL16 || desc->threads_per_core != NO_VAL16 ||
	       desc->overcommit != NO_VAL8;
}

const char *change_of_unseen(const job_desc_msg_t *desc)
{
	if (desc->tres_per_job || desc->tres_per_node || desc->tres_per_socket ||
	    desc->tres_per_task || desc->cpus_per_tres || desc->mem_per_tres || desc->licenses)
		return "its generic resources or licenses";
	if (desc->reservation)
		return "its reservation";
	if (desc->qos || desc->account)
		return "its QOS or account";
	if (desc->array_inx)
		return "its limit on running array tasks";
	if (desc->batch_features || desc->prefer || desc->clusters || desc->cluster_features ||
	    desc->network || desc->burst_buffer)
		return "its features, network or clusters";
	if (desc->contiguous != NO_VAL16 || desc->core_spec != NO_VAL16 ||
	    desc->shared != NO_VAL16 || desc->req_switch != NO_VAL || desc->reboot != NO_VAL16 ||
	    desc_node_counts(desc) || desc_segment(desc) || desc_ports(desc) || desc_extra(desc) ||
	    desc->bitflags & (SPREAD_JOB | USE_MIN_NODES))
		return "how its nodes lie or are shared";
	if (change_of_tasks(desc))
		return "its tasks";
	if (desc->pn_min_cpus != NO_VAL16 || desc->pn_min_memory != NO_VAL64 ||
	    desc->pn_min_tmp_disk != NO_VAL)
		return "what its nodes must have";
	return NULL;
}

const char *change_unseen_beside(const job_desc_msg_t *desc)
{
	job_desc_msg_t rest = *desc;

	rest.qos = rest.account = NULL;
	return change_of_unseen(&rest);
}

bool change_only_shortens(const struct change *c)
{
	job_desc_msg_t rest = *c->desc;

	rest.time_limit = NO_VAL;
	return c->desc->time_limit != NO_VAL && c->desc->time_limit <= c->job->time_limit &&
	       !change_of_terms(&rest);
}

bool change_of_size_alone(const job_desc_msg_t *desc)
{
	job_desc_msg_t rest = *desc;

	rest.min_nodes = rest.max_nodes = NO_VAL;
	rest.req_nodes = NULL;
	return !change_of_terms(&rest) && !change_of_unseen(&rest) && !rest.end_time &&
	       !rest.admin_comment && !rest.wckey && rest.priority == NO_VAL &&
	       rest.nice == NO_VAL && rest.requeue == NO_VAL16 && rest.delay_boot == NO_VAL;
}

bool change_counts_nodes(const job_desc_msg_t *desc)
{
	return desc->min_nodes != NO_VAL && desc->min_nodes != INFINITE && desc->min_nodes;
}

bool change_endless(const struct change *c)
{
	const job_desc_msg_t *desc = c->desc;
	uint32_t most = desc->time_limit != NO_VAL ? desc->time_limit : c->job->time_limit;
	uint32_t least = desc->time_min != NO_VAL ? desc->time_min : c->job->time_min;

	return most == NO_VAL || (most == INFINITE && (!least || least == NO_VAL));
}

const char *change_needed_unseen(const struct change *c)
{
	return c->desc->dependency && c->desc->dependency[0] ? "its dependency"
							     : change_of_unseen(c->desc);
}

bool change_allowed(const struct change *c)
{
	return c->uid == c->job->user_id || validate_operator(c->uid) ||
	       assoc_mgr_is_user_acct_coord(acct_db_conn, c->uid, c->job->account, false);
}

bool change_concerns_us(const struct change *c, size_t needs)
{
	if (!IS_JOB_PENDING(c->job) || !c->job->details || !change_allowed(c))
		return false;
	if (admission_has_deadline(c->desc) && validate_operator(c->uid))
		return true;
	/* Without a promise it may be one that a promised job waits for. */
	return c->job->priority && (c->bound || needs) &&
	       (change_of_terms(c->desc) || change_of_unseen(c->desc));
}

bool change_too_wide(const job_desc_msg_t *desc, const job_details_t *det)
{
	uint32_t most = det->max_nodes;

	if (desc->max_nodes != NO_VAL)
		most = desc->max_nodes; /* 0: none any more */
	return change_counts_nodes(desc) && most && desc->min_nodes > most;
}
