/* SPDX-License-Identifier: GPL-2.0-or-later */
/* dynp_lists: see dynp_lists.h. */
#include <stdio.h>
#include <string.h>

#include "core/settings/config.h"
#include "core/settings/dynp_lists.h"

#define MOST_WEIGHT 1000

static const char *const order_names[DYNP_ORDERS] = {
	"fcfs", "sjf", "ljf", "ffia", "ffda", "queue"
};
static const char *const metric_names[DYNP_METRICS] = {
	"artww", "art", "ms", "sld", "sldww", "wait"
};

const char *dynp_order_name(enum dynp_order order)
{
	return order_names[order];
}

const char *dynp_metric_name(enum dynp_metric metric)
{
	return metric_names[metric];
}

static int find_name(const char *text, size_t n, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (setting_is_name(text, n, names[i]))
			return (int)i;
	}
	return -1;
}

int dynp_order_by_name(const char *name)
{
	return find_name(name, strlen(name), order_names, DYNP_ORDERS);
}

/* ---- Policies ---- */

static bool lists(const struct dynp_config *c, enum dynp_order order)
{
	for (uint32_t i = 0; i < c->npolicies; i++) {
		if (c->policy[i] == order)
			return true;
	}
	return false;
}

static bool parse_policies(void *config, const char *value)
{
	struct dynp_config *c = &((struct sched_config *)config)->dynp, new = { .npolicies = 0 };

	for (const char *at = value;; at++) {
		size_t n = strcspn(at, ",");
		int order = find_name(at, n, order_names, DYNP_ORDERS);

		if (order < 0 || lists(&new, (enum dynp_order)order))
			return false;
		new.policy[new.npolicies++] = (enum dynp_order)order;
		at += n;
		if (!*at)
			break;
	}
	memcpy(c->policy, new.policy, sizeof(c->policy));
	c->npolicies = new.npolicies;
	return true;
}

static void format_policies(const void *config, char *out, size_t size)
{
	const struct dynp_config *c = &((const struct sched_config *)config)->dynp;
	size_t used = 0;

	snprintf(out, size, "%s", "");
	for (uint32_t i = 0; i < c->npolicies && i < DYNP_ORDERS && used < size; i++) {
		const char *name = (int)c->policy[i] >= 0 && c->policy[i] < DYNP_ORDERS
					   ? order_names[c->policy[i]]
					   : "?";

		used += (size_t)snprintf(out + used, size - used, "%s%s", i ? "," : "", name);
	}
}

static bool policies_valid(const void *config)
{
	const struct dynp_config *c = &((const struct sched_config *)config)->dynp;
	bool seen[DYNP_ORDERS] = { false };

	if (c->npolicies < 1 || c->npolicies > DYNP_ORDERS)
		return false;
	for (uint32_t i = 0; i < c->npolicies; i++) {
		if ((int)c->policy[i] < 0 || c->policy[i] >= DYNP_ORDERS || seen[c->policy[i]])
			return false;
		seen[c->policy[i]] = true;
	}
	return true;
}

const struct setting_own policies_setting = {
	.what = "a list of different ones of fcfs, sjf, ljf, ffia, ffda, queue",
	.parse = parse_policies,
	.format = format_policies,
	.valid = policies_valid,
};

bool basic_has_its_policies(const void *config, char *why, size_t size)
{
	const struct dynp_config *c = &((const struct sched_config *)config)->dynp;
	char list[128];

	if (c->decider != DYNP_BASIC ||
	    (lists(c, DYNP_FCFS) && lists(c, DYNP_SJF) && lists(c, DYNP_LJF)))
		return true;
	format_policies(config, list, sizeof(list));
	if (why)
		snprintf(why, size, "Decider=basic: needs fcfs, sjf and ljf, not Policies=%s",
			 list);
	return false;
}

/* ---- Quality ---- */

static bool parse_quality(void *config, const char *value)
{
	struct dynp_config *c = &((struct sched_config *)config)->dynp;
	int32_t weight[DYNP_METRICS] = { 0 };

	for (const char *at = value;; at++) {
		size_t n = strcspn(at, "+"), name = strcspn(at, ":+");
		int metric = find_name(at, name, metric_names, DYNP_METRICS);
		int64_t w = name < n ? setting_whole(at + name + 1, n - name - 1, MOST_WEIGHT) : 1;

		if (metric < 0 || w < 1 || weight[metric])
			return false;
		weight[metric] = (int32_t)w;
		at += n;
		if (!*at)
			break;
	}
	memcpy(c->weight, weight, sizeof(weight));
	return true;
}

static void format_quality(const void *config, char *out, size_t size)
{
	const struct dynp_config *c = &((const struct sched_config *)config)->dynp;
	size_t used = 0;

	snprintf(out, size, "%s", "");
	for (int m = 0; m < DYNP_METRICS && used < size; m++) {
		if (c->weight[m])
			used += (size_t)snprintf(out + used, size - used, "%s%s:%d",
						 used ? "+" : "", metric_names[m], c->weight[m]);
	}
}

static bool quality_valid(const void *config)
{
	const struct dynp_config *c = &((const struct sched_config *)config)->dynp;
	int32_t sum = 0;

	for (int m = 0; m < DYNP_METRICS; m++) {
		if (c->weight[m] < 0 || c->weight[m] > MOST_WEIGHT)
			return false;
		sum += c->weight[m];
	}
	return sum > 0;
}

const struct setting_own quality_setting = {
	.what = "different ones of artww, art, ms, sld, sldww, wait joined by +, each with :WEIGHT "
		"from 1 to 1000 "
		"or without",
	.parse = parse_quality,
	.format = format_quality,
	.valid = quality_valid,
};
