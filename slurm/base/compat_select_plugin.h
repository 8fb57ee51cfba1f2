/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compat_select_plugin.h - what Slurm asks of a select plugin, one line each
 *
 * SELECT_OPS(OP) is OP(type, name, parameters, arguments) of each function select_p_<name>, but for job_test:
 * its parameters are SELECT_TEST_PARAMETERS. slurm_select_ops_t (src/common/select.h, src/interfaces/select.[ch]) is
 * where a release says them; the order is of no consequence.
 *
 * Included by plugins/select_gang alone, after compat.h.
 */
#ifndef PACT_SLURM_COMPAT_SELECT_PLUGIN_H
#define PACT_SLURM_COMPAT_SELECT_PLUGIN_H

/* 22.05 is the last that signals a job to the plugin, prints its jobinfo, and tells of a node's new configuration. */
#if !SLURM_FROM(23, 2)
#define SELECT_OPS_TO_22_05(OP) \
	OP(int, job_signal, (job_record_t * job, int signal), (job, signal)) \
	OP(char *, select_jobinfo_sprint, \
	   (select_jobinfo_t * info, char *buf, size_t size, int mode), (info, buf, size, mode)) \
	OP(char *, select_jobinfo_xstrdup, (select_jobinfo_t * info, int mode), (info, mode)) \
	OP(int, update_node_config, (int index), (index))
#else
#define SELECT_OPS_TO_22_05(OP)
#endif

/* 23.02 is the last that asks it for a reservation's nodes. */
#if !SLURM_FROM(23, 11)
#define SELECT_OPS_TO_23_02(OP) \
	OP(bitstr_t *, resv_test, \
	   (resv_desc_msg_t * desc, uint32_t count, bitstr_t * nodes, bitstr_t * *cores), \
	   (desc, count, nodes, cores))
#else
#define SELECT_OPS_TO_23_02(OP)
#endif

/* 24.11 is the last that has state of its own, steps, and what it packs with nodes and jobs. */
#if !SLURM_FROM(25, 5)
#define SELECT_OPS_TO_24_11(OP) \
	OP(int, state_save, (char *dir), (dir)) \
	OP(int, state_restore, (char *dir), (dir)) \
	OP(int, job_init, (list_t * jobs), (jobs)) \
	OP(bitstr_t *, step_pick_nodes, \
	   (job_record_t * job, select_jobinfo_t * info, uint32_t count, bitstr_t * *nodes), \
	   (job, info, count, nodes)) \
	OP(int, step_start, (step_record_t * step), (step)) \
	OP(int, step_finish, (step_record_t * step, bool killing), (step, killing)) \
	OP(int, select_nodeinfo_pack, (select_nodeinfo_t * info, buf_t * buf, uint16_t version), \
	   (info, buf, version)) \
	OP(int, select_nodeinfo_unpack, \
	   (select_nodeinfo_t * *info, buf_t * buf, uint16_t version), (info, buf, version)) \
	OP(select_nodeinfo_t *, select_nodeinfo_alloc, (void), ()) \
	OP(int, select_nodeinfo_free, (select_nodeinfo_t * info), (info)) \
	OP(int, select_nodeinfo_get, \
	   (select_nodeinfo_t * info, enum select_nodedata_type type, enum node_states state, \
	    void *data), \
	   (info, type, state, data)) \
	OP(select_jobinfo_t *, select_jobinfo_alloc, (void), ()) \
	OP(int, select_jobinfo_free, (select_jobinfo_t * info), (info)) \
	OP(int, select_jobinfo_set, \
	   (select_jobinfo_t * info, enum select_jobdata_type type, void *data), \
	   (info, type, data)) \
	OP(int, select_jobinfo_get, \
	   (select_jobinfo_t * info, enum select_jobdata_type type, void *data), \
	   (info, type, data)) \
	OP(select_jobinfo_t *, select_jobinfo_copy, (select_jobinfo_t * info), (info)) \
	OP(int, select_jobinfo_pack, (select_jobinfo_t * info, buf_t * buf, uint16_t version), \
	   (info, buf, version)) \
	OP(int, select_jobinfo_unpack, (select_jobinfo_t * *info, buf_t * buf, uint16_t version), \
	   (info, buf, version)) \
	OP(int, get_info_from_plugin, \
	   (enum select_plugindata_info what, job_record_t * job, void *data), (what, job, data))
#else
#define SELECT_OPS_TO_24_11(OP)
#endif

/* Of these select/gang has its own. */
#define SELECT_OPS_OWN(OP) \
	OP(int, node_init, (void), ()) \
	OP(int, reconfigure, (void), ()) \
	OP(int, job_suspend, (job_record_t * job, bool indf), (job, indf)) \
	OP(int, job_resume, (job_record_t * job, bool indf), (job, indf)) \
	SELECT_OPS_TOLD(OP)

/* Those that change what a job has of its nodes, besides. */
#define SELECT_OPS_TOLD(OP) \
	OP(int, job_begin, (job_record_t * job), (job)) \
	OP(int, job_expand, (job_record_t * from, job_record_t * to), (from, to)) \
	OP(int, job_resized, (job_record_t * job, node_record_t * node), (job, node)) \
	OP(int, job_fini, (job_record_t * job), (job))

#define SELECT_OPS_PASSED_ON(OP) \
	SELECT_OPS_TO_22_05(OP) \
	SELECT_OPS_TO_23_02(OP) \
	SELECT_OPS_TO_24_11(OP) \
	OP(int, job_ready, (job_record_t * job), (job)) \
	OP(int, select_nodeinfo_set_all, (void), ()) \
	OP(int, select_nodeinfo_set, (job_record_t * job), (job))

#define SELECT_OPS(OP) \
	SELECT_OPS_PASSED_ON(OP) \
	SELECT_OPS_OWN(OP)

/* 23.11 excludes by reservations and not by cores; 24.11 tells when a job will run. */
#if SLURM_FROM(24, 11)
#define SELECT_EXCLUDED resv_exc_t *excluded, will_run_data_t *when
#define SELECT_EXCLUDED_PASSED excluded, when
#elif SLURM_FROM(23, 11)
#define SELECT_EXCLUDED resv_exc_t *excluded
#define SELECT_EXCLUDED_PASSED excluded
#else
#define SELECT_EXCLUDED bitstr_t *excluded
#define SELECT_EXCLUDED_PASSED excluded
#endif
#define SELECT_TEST_PARAMETERS \
	(job_record_t * job, bitstr_t * nodes, uint32_t least, uint32_t most, uint32_t wanted, \
	 uint16_t mode, list_t * preemptible, list_t * *preempted, SELECT_EXCLUDED)
#define SELECT_TEST_ARGUMENTS \
	(job, nodes, least, most, wanted, mode, preemptible, preempted, SELECT_EXCLUDED_PASSED)

#endif /* PACT_SLURM_COMPAT_SELECT_PLUGIN_H */
