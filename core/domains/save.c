/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * save: the state told in records, and taken in again. First `domains`; then for each domain `domain` and the
 * records of its own engine; then a `member` for each id.
 */
#include <string.h>

#include "core/domains/state.h"

struct told_domains {
	int64_t now; /* state.h */
	bool told;
};

struct told_domain {
	uint32_t number;
	bool touched;
	int64_t now, wake;
};

struct told_member {
	uint64_t id;
	struct list32 in; /* the domains' numbers, ascending */
	uint32_t alts;
	int32_t width;
	bool waiting;
};

static const struct field domains_fields[] = {
	RECORD_FIELD(told_domains, now, FIELD_I64),
	RECORD_FIELD(told_domains, told, FIELD_BOOL),
	RECORD_END,
};

static const struct field domain_fields[] = {
	RECORD_FIELD(told_domain, number, FIELD_U32),
	RECORD_FIELD(told_domain, touched, FIELD_BOOL),
	RECORD_FIELD(told_domain, now, FIELD_I64),
	RECORD_FIELD(told_domain, wake, FIELD_I64),
	RECORD_END,
};

static const struct field member_fields[] = {
	RECORD_FIELD(told_member, id, FIELD_ID),	RECORD_FIELD(told_member, in, FIELD_LIST32),
	RECORD_FIELD(told_member, alts, FIELD_U32),	RECORD_FIELD(told_member, width, FIELD_I32),
	RECORD_FIELD(told_member, waiting, FIELD_BOOL), RECORD_END,
};

static const struct record_form form_domains = { "domains", sizeof(struct told_domains),
						 domains_fields, false };
static const struct record_form form_domain = { "domain", sizeof(struct told_domain), domain_fields,
						false };
static const struct record_form form_member = { "member", sizeof(struct told_member), member_fields,
						false };

/* ---- telling ---- */

static int can_save(struct domains *s)
{
	if (s->starting || s->turn || !decided_none(&s->decided))
		return PACT_EPROTO;
	for (uint32_t i = 0; i < s->n; i++) {
		int rc = s->v[i].of->engine->save(s->v[i].own, NULL, NULL);

		if (rc != PACT_OK)
			return rc;
	}
	return PACT_OK;
}

static void tell_member(const struct member *m, retell_fn *tell, void *arg)
{
	uint32_t in[DOMAINS_MOST], n = 0;

	for (uint32_t i = 0; i < DOMAINS_MOST; i++) {
		if (m->in >> i & 1)
			in[n++] = i;
	}
	tell(arg, &form_member,
	     &(struct told_member){ m->id, { in, n }, m->alts, m->width, m->waiting });
}

int domains_save(void *own, retell_fn *tell, void *arg)
{
	struct domains *s = own;
	int rc = can_save(s);

	if (rc != PACT_OK || !tell)
		return rc;
	tell(arg, &form_domains, &(struct told_domains){ s->now, s->told });
	for (uint32_t i = 0; rc == PACT_OK && i < s->n; i++) {
		struct domain *d = &s->v[i];

		tell(arg, &form_domain, &(struct told_domain){ i, d->touched, d->now, d->wake });
		rc = d->of->engine->save(d->own, tell, arg);
	}
	const struct member *m;

	for (size_t i = 0; rc == PACT_OK && (m = table_next(s->members, &i));)
		tell_member(m, tell, arg);
	return rc;
}

/* ---- taking in ---- */

const struct record_form *domains_form(const void *own, const char *name)
{
	static const struct record_form *const forms[] = { &form_domains, &form_domain,
							   &form_member };
	const struct domains *s = own;
	const struct record_form *form =
		record_form_of(forms, sizeof(forms) / sizeof(forms[0]), name);

	if (form || s->loading >= s->n)
		return form;
	return s->v[s->loading].of->engine->form(s->v[s->loading].own, name);
}

/* A record of a domain's own, or NULL: it has them all. */
static int load_in_domain(struct domains *s, const struct record_form *form, const void *record)
{
	struct domain *d = &s->v[s->loading];
	int rc = d->of->engine->load(d->own, form, record);

	return rc == PACT_OK ? rc : domains_fail(s, rc, d->of->engine->error(d->own), s->loading);
}

static int load_domain(struct domains *s, const struct told_domain *t)
{
	uint32_t next = s->loading == NO_DOMAIN ? 0 : s->loading + 1;
	int rc = next ? load_in_domain(s, NULL, NULL) : PACT_OK;

	if (rc != PACT_OK)
		return rc;
	if (t->number != next || next >= s->n)
		return domains_fail(s, PACT_EINVAL, "retold domain is not the next one", t->number);
	s->v[next].touched = t->touched;
	s->v[next].now = t->now;
	s->v[next].wake = t->wake;
	s->loading = next;
	return PACT_OK;
}

/* All domains are there; what follows is about ids. */
static int end_domains(struct domains *s)
{
	int rc;

	if (s->loading == s->n)
		return PACT_OK;
	if (s->loading == NO_DOMAIN || s->loading + 1 < s->n)
		return domains_fail(s, PACT_EINVAL, "retold domains are too few", s->n);
	rc = load_in_domain(s, NULL, NULL);
	s->loading = s->n;
	return rc;
}

static int load_member(struct domains *s, const struct told_member *t)
{
	uint64_t in = 0;
	struct member *m;
	int rc = end_domains(s);

	if (rc != PACT_OK)
		return rc;
	for (uint32_t i = 0; i < t->in.n; i++) {
		if (t->in.v[i] >= s->n)
			return domains_fail(s, PACT_EINVAL, "retold id in no domain", t->id);
		in |= UINT64_C(1) << t->in.v[i];
	}
	if (!in || t->width < 0 || (t->waiting && (in & (in - 1))))
		return domains_fail(s, PACT_EINVAL, "retold id without a domain, or in too many",
				    t->id);
	if (member_find(s, t->id))
		return domains_fail(s, PACT_EEXIST, "retold id is known already", t->id);
	m = member_add(s, t->id, in, t->width);
	if (!m)
		return domains_fail(s, PACT_ENOMEM, "out of memory", t->id);
	m->alts = t->alts;
	m->waiting = t->waiting;
	return PACT_OK;
}

int domains_load(void *own, const struct record_form *form, const void *record)
{
	struct domains *s = own;

	call_begin(&s->call);
	if (form == &form_domains) {
		s->now = ((const struct told_domains *)record)->now;
		s->told = ((const struct told_domains *)record)->told;
		return PACT_OK;
	}
	if (form == &form_domain && s->loading != s->n)
		return load_domain(s, record);
	if (form == &form_member)
		return load_member(s, record);
	if (!form)
		return end_domains(s);
	if (s->loading >= s->n)
		return domains_fail(s, PACT_EINVAL, "retold record of no domain", 0);
	return load_in_domain(s, form, record);
}
