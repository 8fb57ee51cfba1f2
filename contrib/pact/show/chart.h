/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * chart.h - pact plan as a picture
 */
#ifndef PACT_CONTRIB_PACT_CHART_H
#define PACT_CONTRIB_PACT_CHART_H

#include <stdio.h>

#include <json-c/json.h>

/*
 * Jobs that run stand on their own nodes where these are known; the plan of those that wait knows how
 * many nodes they get, and they are drawn on any that are free then (draw/rows.h).
 * RET 0 or an errno
 */
int chart_draw(json_object *plan, FILE *out);

#endif /* PACT_CONTRIB_PACT_CHART_H */
