/* SPDX-License-Identifier: GPL-2.0-or-later */
/* dynp_config: the settings of dynp and their text form; see dynp.h. */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/policies/dynp/dynp.h"

static const char *const order_names[DYNP_ORDERS] = {
	"fcfs", "sjf", "ljf", "ffia", "ffda", "queue"
};
static const char *const metric_names[DYNP_METRICS] = {
	"artww", "art", "ms", "sld", "sldww", "wait"
};
static const char *const decider_names[] = { "simple", "advanced", "basic", "preferred" };
static const char *const priority_names[] = { "none", "ties", "first" };

const char *const dynp_config_keys[] = {
	"Policies",   "Decider",     "Quality",	   "Slackness", "FutureStarts",
	"FutureTime", "LowerBound",  "UpperBound", "Threshold", "Spread",
	"Gain",	      "JobPriority", NULL,
};

#define COUNT(v) (sizeof(v) / sizeof((v)[0]))
#define MOST_SECONDS (INT64_C(1) << 40)
#define MOST_TEXT "1099511627776"
#define MOST_WEIGHT 1000
#define MOST_SPREAD 1000000
#define PPM 1000000

const char *dynp_order_name(enum dynp_order order)
{
	return order_names[order];
}

const char *dynp_metric_name(enum dynp_metric metric)
{
	return metric_names[metric];
}

const char *dynp_decider_name(enum dynp_decider decider)
{
	return decider_names[decider];
}

void dynp_config_init(struct dynp_config *c)
{
	*c = (struct dynp_config){
		.policy = { DYNP_FCFS, DYNP_SJF, DYNP_LJF },
		.npolicies = 3,
		.decider = DYNP_ADVANCED,
		.weight = { [DYNP_ARTWW] = 1 },
		.lower_bound = 7200,
		.upper_bound = 9000,
		.threshold = 5,
	};
}

static bool lists(const struct dynp_config *c, enum dynp_order order)
{
	for (uint32_t i = 0; i < c->npolicies; i++) {
		if (c->policy[i] == order)
			return true;
	}
	return false;
}

static const char *policies_wrong(const struct dynp_config *c)
{
	bool seen[DYNP_ORDERS] = { false };

	if (c->npolicies < 1 || c->npolicies > DYNP_ORDERS)
		return "policies: none, or too many";
	for (uint32_t i = 0; i < c->npolicies; i++) {
		if ((int)c->policy[i] < 0 || c->policy[i] >= DYNP_ORDERS || seen[c->policy[i]])
			return "policies: an unknown one, or one twice";
		seen[c->policy[i]] = true;
	}
	return NULL;
}

static const char *weights_wrong(const struct dynp_config *c)
{
	int32_t sum = 0;

	for (int m = 0; m < DYNP_METRICS; m++) {
		if (c->weight[m] < 0 || c->weight[m] > MOST_WEIGHT)
			return "quality: a weight below 0 or above 1000";
		sum += c->weight[m];
	}
	return sum ? NULL : "quality: no metric has a weight";
}

static const char *figures_wrong(const struct dynp_config *c)
{
	if ((int)c->decider < 0 || c->decider > DYNP_PREFERRED)
		return "decider: neither simple nor advanced nor basic nor preferred";
	if (c->slackness_ppm < 0 || c->slackness_ppm >= PPM)
		return "slackness: below 0 or not below 100 %";
	if (c->future_starts < 0 || c->future_seconds < 0 || c->future_seconds > MOST_SECONDS)
		return "reduced future: below 0 or too far";
	if (c->lower_bound < 0 || c->upper_bound < 0)
		return "bounds: below 0";
	if (c->threshold < 0)
		return "threshold: below 0";
	if (c->spread < 0 || c->spread > MOST_SPREAD)
		return "spread: below 0 or above 1000000 %";
	if (c->gain < 0 || c->gain > MOST_SPREAD)
		return "gain: below 0 or above 1000000 %";
	if ((int)c->priority < 0 || c->priority > DYNP_PRIORITY_FIRST)
		return "job priority: neither none nor ties nor first";
	return NULL;
}

/* Settings that are good each, and bad together. */
static bool go_together(const struct dynp_config *c, char *why, size_t size)
{
	if (c->lower_bound > c->upper_bound) {
		if (why)
			snprintf(why, size,
				 "LowerBound=%" PRId64 ": must not be above UpperBound=%" PRId64,
				 c->lower_bound, c->upper_bound);
		return false;
	}
	if (c->decider != DYNP_BASIC ||
	    (lists(c, DYNP_FCFS) && lists(c, DYNP_SJF) && lists(c, DYNP_LJF)))
		return true;
	size_t used = 0;

	if (why)
		used = (size_t)snprintf(why, size,
					"Decider=basic: needs fcfs, sjf and ljf, not Policies=");
	for (uint32_t i = 0; why && i < c->npolicies && used < size; i++)
		used += (size_t)snprintf(why + used, size - used, "%s%s", i ? "," : "",
					 order_names[c->policy[i]]);
	return false;
}

bool dynp_config_valid(const struct dynp_config *c, char *why, size_t size)
{
	const char *what = policies_wrong(c);

	if (!what)
		what = weights_wrong(c);
	if (!what)
		what = figures_wrong(c);
	if (what && why)
		snprintf(why, size, "%s", what);
	return !what && go_together(c, why, size);
}

/* ---- text ---- */

static int lower(char c)
{
	return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

/* Are the n characters at `text` this name, in any case? */
static bool is_name(const char *text, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++) {
		if (!name[i] || lower(text[i]) != lower(name[i]))
			return false;
	}
	return !name[n];
}

static int find_name(const char *text, size_t n, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (is_name(text, n, names[i]))
			return (int)i;
	}
	return -1;
}

int dynp_order_by_name(const char *name)
{
	return find_name(name, strlen(name), order_names, DYNP_ORDERS);
}

struct setting {
	const char *key, *value;
	char *why;
	size_t size;
};

static int wanted(const struct setting *s, const char *what)
{
	if (s->why)
		snprintf(s->why, s->size, "%s=%s: %s wanted", s->key, s->value, what);
	return -1;
}

static int set_choice(int *out, const struct setting *s, const char *const *names, size_t count,
		      const char *what)
{
	int i = find_name(s->value, strlen(s->value), names, count);

	if (i < 0)
		return wanted(s, what);
	*out = i;
	return 1;
}

/* n characters as a whole number from 0 to most, or -1. */
static int64_t whole(const char *text, size_t n, int64_t most)
{
	int64_t v = 0;

	if (!n)
		return -1;
	for (size_t i = 0; i < n; i++) {
		if (text[i] < '0' || text[i] > '9')
			return -1;
		v = v * 10 + (text[i] - '0');
		if (v > most)
			return -1;
	}
	return v;
}

static int set_whole(int64_t *out, const struct setting *s, int64_t most, const char *what)
{
	int64_t v = whole(s->value, strlen(s->value), most);

	if (v < 0)
		return wanted(s, what);
	*out = v;
	return 1;
}

static int set_policies(struct dynp_config *c, const struct setting *s)
{
	static const char what[] = "a list of different ones of fcfs, sjf, ljf, ffia, ffda, queue";
	struct dynp_config new = { .npolicies = 0 };

	for (const char *at = s->value;; at++) {
		size_t n = strcspn(at, ",");
		int order = find_name(at, n, order_names, DYNP_ORDERS);

		if (order < 0 || lists(&new, (enum dynp_order)order))
			return wanted(s, what);
		new.policy[new.npolicies++] = (enum dynp_order)order;
		at += n;
		if (!*at)
			break;
	}
	memcpy(c->policy, new.policy, sizeof(c->policy));
	c->npolicies = new.npolicies;
	return 1;
}

static int set_quality(struct dynp_config *c, const struct setting *s)
{
	static const char what[] =
		"different ones of artww, art, ms, sld, sldww, wait joined by +, "
		"each with :WEIGHT from 1 to 1000 or without";
	int32_t weight[DYNP_METRICS] = { 0 };

	for (const char *at = s->value;; at++) {
		size_t n = strcspn(at, "+"), name = strcspn(at, ":+");
		int metric = find_name(at, name, metric_names, DYNP_METRICS);
		int64_t w = name < n ? whole(at + name + 1, n - name - 1, MOST_WEIGHT) : 1;

		if (metric < 0 || w < 1 || weight[metric])
			return wanted(s, what);
		weight[metric] = (int32_t)w;
		at += n;
		if (!*at)
			break;
	}
	memcpy(c->weight, weight, sizeof(weight));
	return 1;
}

/* Percent with at most four decimals: millionths of one. */
static int set_slackness(struct dynp_config *c, const struct setting *s)
{
	static const char what[] = "a percentage from 0 to 99.9999, at most 4 decimals";
	size_t n = strcspn(s->value, "."), decimals = s->value[n] ? strlen(s->value + n + 1) : 0;
	int64_t v = whole(s->value, n, 99), part = 0;

	if (s->value[n])
		part = decimals <= 4 ? whole(s->value + n + 1, decimals, 9999) : -1;
	if (v < 0 || part < 0)
		return wanted(s, what);
	for (size_t i = decimals; i < 4; i++)
		part *= 10;
	c->slackness_ppm = (int32_t)(v * 10000 + part);
	return 1;
}

int dynp_config_set(struct dynp_config *c, const char *key, const char *value, char *why,
		    size_t size)
{
	static const struct {
		const char *key;
		size_t offset;
		int64_t most;
		const char *what;
	} numbers[] = {
		{ "FutureStarts", offsetof(struct dynp_config, future_starts), MOST_SECONDS,
		  "a whole number from 0 to " MOST_TEXT },
		{ "FutureTime", offsetof(struct dynp_config, future_seconds), MOST_SECONDS,
		  "whole seconds from 0 to " MOST_TEXT },
		{ "LowerBound", offsetof(struct dynp_config, lower_bound), MOST_SECONDS,
		  "whole seconds from 0 to " MOST_TEXT },
		{ "UpperBound", offsetof(struct dynp_config, upper_bound), MOST_SECONDS,
		  "whole seconds from 0 to " MOST_TEXT },
		{ "Threshold", offsetof(struct dynp_config, threshold), MOST_SECONDS,
		  "a whole number from 0 to " MOST_TEXT },
		{ "Spread", offsetof(struct dynp_config, spread), MOST_SPREAD,
		  "a whole percentage from 0 to 1000000" },
		{ "Gain", offsetof(struct dynp_config, gain), MOST_SPREAD,
		  "a whole percentage from 0 to 1000000" },
	};
	struct setting s = { key, value, why, size };
	size_t n = strlen(key);
	int choice, rc;

	for (size_t i = 0; i < COUNT(numbers); i++) {
		if (is_name(key, n, numbers[i].key))
			return set_whole((int64_t *)((char *)c + numbers[i].offset), &s,
					 numbers[i].most, numbers[i].what);
	}
	if (is_name(key, n, "Policies"))
		return set_policies(c, &s);
	if (is_name(key, n, "Quality"))
		return set_quality(c, &s);
	if (is_name(key, n, "Slackness"))
		return set_slackness(c, &s);
	if (is_name(key, n, "Decider")) {
		rc = set_choice(&choice, &s, decider_names, COUNT(decider_names),
				"simple, advanced, basic or preferred");
		if (rc == 1)
			c->decider = (enum dynp_decider)choice;
		return rc;
	}
	if (is_name(key, n, "JobPriority")) {
		rc = set_choice(&choice, &s, priority_names, COUNT(priority_names),
				"none, ties or first");
		if (rc == 1)
			c->priority = (enum dynp_priority)choice;
		return rc;
	}
	return 0;
}
