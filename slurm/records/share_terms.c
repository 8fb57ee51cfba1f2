/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * share_terms.c - what a job of a realm is to its nodes
 */
#include "slurm/records/share_terms.h"
#include "slurm/records/job_env.h"

#include "core/sharing/shares/share.h"

#define NAME "PACT_TERMS"
#define TERMS_VERSION "1"

static bool parse(const char *text, struct share_terms *out)
{
	enum share_rule rule;
	char word[8], over;

	if (sscanf(text, TERMS_VERSION ":%" SCNd64 ":%" SCNd64 ":%" SCNd64 ":%" SCNu32 ":%7[a-z]%c",
		   &out->submit, &out->estimate, &out->due, &out->processors, word, &over) != 5 ||
	    !share_rule_find(word, &rule))
		return false;
	out->rule = share_rule_name(rule);
	return out->estimate > 0;
}

void share_terms_of(const job_record_t *job, struct share_terms *out)
{
	const char *text = job_env_get(job, NAME);

	if (!text || !parse(text, out))
		*out = (struct share_terms){ 0 };
}

void share_terms_text(const struct share_terms *terms, char text[SHARE_TERMS_TEXT])
{
	snprintf(text, SHARE_TERMS_TEXT, TERMS_VERSION ":%" PRId64 ":%" PRId64 ":%" PRId64 ":%u:%s",
		 terms->submit, terms->estimate, terms->due, terms->processors, terms->rule);
}

void share_terms_put(job_record_t *job, const struct share_terms *terms)
{
	char text[SHARE_TERMS_TEXT];

	if (terms->estimate)
		share_terms_text(terms, text);
	job_env_put(job, NAME, terms->estimate ? text : NULL);
}

void share_terms_strip(job_desc_msg_t *desc)
{
	job_env_strip(desc, NAME);
}
