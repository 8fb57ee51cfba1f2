/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_client: libpact-malleable, with a shell script in the place of pact-malleable-call. It writes down its words, in
 * $PLAYED.words, and answers with what stands in $PLAYED.
 */
#include "client/pact-malleable.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define LOOK "node n1\nnode n2\nnode n3\nbatch n1\nwish 4 2 1763740800\nlist n3\nleave n3\nend\n"

static char dir[] = "/tmp/pact-client-XXXXXX";
static char played[64], words[80], script[64];

static void write_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

/* What is answered from now on. */
static void play(const char *answer)
{
	write_file(played, answer);
}

/* The words of the latest question. */
static const char *asked(void)
{
	static char text[4096];
	FILE *f = fopen(words, "r");
	size_t got = f ? fread(text, 1, sizeof(text) - 1, f) : 0;

	text[got] = '\0';
	if (f)
		fclose(f);
	return text;
}

static int set_up(void **state)
{
	(void)state;
	if (!mkdtemp(dir))
		return -1;
	snprintf(played, sizeof(played), "%s/played", dir);
	snprintf(words, sizeof(words), "%s.words", played);
	snprintf(script, sizeof(script), "%s/call", dir);
	write_file(script, "#!/bin/sh\n"
			   "echo \"$*\" >\"$PLAYED.words\"\n"
			   "echo noise >&2\n"
			   "cat \"$PLAYED\"\n");
	if (chmod(script, 0755))
		return -1;
	setenv("PLAYED", played, 1);
	setenv("PACT_MALLEABLE_CALL", script, 1);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	unlink(played);
	unlink(words);
	unlink(script);
	return rmdir(dir);
}

static void test_open(void **state)
{
	static const char *const bad[] = { "", "0", "-1", "x", "1x", "4294967295", "99999999999" };
	struct pact_malleable *job;

	(void)state;
	unsetenv("SLURM_JOB_ID");
	assert_null(pact_malleable_open(0, 0));
	assert_int_equal(errno, EINVAL);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		setenv("SLURM_JOB_ID", bad[i], 1);
		assert_null(pact_malleable_open(0, 0));
	}
	assert_null(pact_malleable_open(7, -1));
	setenv("SLURM_JOB_ID", "17", 1);
	job = pact_malleable_open(0, 0);
	assert_non_null(job);
	assert_null(*pact_malleable_nodes(job));
	assert_null(pact_malleable_wanted(job));
	assert_null(pact_malleable_batch_node(job));
	assert_string_equal(pact_malleable_error(job), "");
	play(LOOK);
	assert_int_equal(pact_malleable_look(job), PACT_MALLEABLE_OK);
	assert_string_equal(asked(), "look 17\n");
	pact_malleable_close(job);
	pact_malleable_close(NULL);
}

static void test_look(void **state)
{
	struct pact_malleable *job = pact_malleable_open(7, 0);
	const struct pact_malleable_wish *wish;
	const char *const *nodes;

	(void)state;
	play(LOOK);
	assert_int_equal(pact_malleable_look(job), PACT_MALLEABLE_OK);
	nodes = pact_malleable_nodes(job);
	assert_string_equal(nodes[0], "n1");
	assert_string_equal(nodes[2], "n3");
	assert_null(nodes[3]);
	assert_string_equal(pact_malleable_batch_node(job), "n1");
	wish = pact_malleable_wanted(job);
	assert_non_null(wish);
	assert_true(wish->serial == 4 && wish->width == 2 && wish->by == 1763740800);
	assert_string_equal(wish->leave, "n3");
	assert_string_equal(wish->leaves[0], "n3");
	assert_null(wish->leaves[1]);
	assert_int_equal(wish->dues, 1);
	assert_int_equal(wish->due[0].by, 1763740800);
	assert_int_equal(wish->due[0].count, 1);
	assert_string_equal(wish->due[0].leave, "n3");
	/* None of the nodes that are wanted is ours any more. */
	play("node n1\nnode n2\nwish 4 2 1763740800\nend\n");
	assert_int_equal(pact_malleable_look(job), PACT_MALLEABLE_OK);
	assert_null(pact_malleable_wanted(job));
	assert_null(pact_malleable_batch_node(job));
	pact_malleable_close(job);
}

/* The job's nodes have changed since the look before: their names, or when its record says that its size did. */
static void test_resized(void **state)
{
	static const struct {
		const char *answer;
		int resized;
	} looks[] = {
		{ "node n1\nnode n2\nresized 0\nend\n", 0 },
		{ "node n1\nnode n2\nresized 0\nend\n", 0 },
		{ "node n1\nnode n2\nresized 1763740800\nend\n", 1 }, /* lost and had again */
		{ "node n1\nnode n2\nresized 1763740800\nend\n", 0 },
		{ "node n1\nnode n3\nresized 1763740800\nend\n", 1 }, /* within the same second */
		{ "node n1\nresized 1763740900\nend\n", 1 },
		{ "error again no time\nend\n", 1 }, /* no look */
		{ "node n1\nresized 1763740900\nend\n", 0 },
	};
	struct pact_malleable *job = pact_malleable_open(7, 0);

	(void)state;
	assert_int_equal(pact_malleable_resized(job), 0);
	for (size_t i = 0; i < sizeof(looks) / sizeof(looks[0]); i++) {
		play(looks[i].answer);
		pact_malleable_look(job);
		assert_int_equal(pact_malleable_resized(job), looks[i].resized);
	}
	pact_malleable_close(job);
}

/* Each wish is answered once. */
static void test_answers(void **state)
{
	struct pact_malleable *job = pact_malleable_open(7, 0);

	(void)state;
	assert_int_equal(pact_malleable_refuse(job), PACT_MALLEABLE_OK);
	play(LOOK);
	assert_int_equal(pact_malleable_look(job), PACT_MALLEABLE_OK);
	play("end\n");
	assert_int_equal(pact_malleable_refuse(job), PACT_MALLEABLE_OK);
	assert_string_equal(asked(), "refuse 7 4\n");
	play(LOOK);
	assert_int_equal(pact_malleable_look(job), PACT_MALLEABLE_OK);
	assert_null(pact_malleable_wanted(job));
	play("node n1\nnode n2\nwish 5 1 0\nlist n2\nleave n2\nend\n");
	assert_int_equal(pact_malleable_look(job), PACT_MALLEABLE_OK);
	assert_non_null(pact_malleable_wanted(job));
	play("error again Slurm is busy\nend\n");
	assert_int_equal(pact_malleable_give(job, "n2"), PACT_MALLEABLE_AGAIN);
	assert_string_equal(pact_malleable_error(job), "Slurm is busy");
	assert_non_null(pact_malleable_wanted(job));
	play("error refused not allowed\nend\n");
	assert_int_equal(pact_malleable_give(job, "n2"), PACT_MALLEABLE_REFUSED);
	assert_string_equal(asked(), "give 7 n2\n");
	assert_null(pact_malleable_wanted(job));
	pact_malleable_close(job);
}

/* Nodes are due at three times, of which the job has given back some. */
#define DUES \
	"node n1\nnode n2\nnode n3\nnode n4\nnode n5\nbatch n1\nwish 6 1 100\nlist n[2-5]\n" \
	"due 100 n4\nleave n4\ndue 130 n[2-3]\nleave n2\nleave n3\ndue 160 n5\nleave n5\nend\n"

/* What is wanted, each as "BY LIST NAME..."; "": nothing. */
static void wants(const struct pact_malleable *job, const char *list, const char *dues)
{
	const struct pact_malleable_wish *wish = pact_malleable_wanted(job);
	char text[256] = "", *at = text;
	const char *const *name;

	assert_int_equal(wish != NULL, *list != '\0');
	if (!wish)
		return;
	assert_string_equal(wish->leave, list);
	name = wish->leaves;
	assert_int_equal(wish->by, wish->due[0].by);
	for (size_t i = 0; i < wish->dues; i++) {
		at += sprintf(at, "%s%d %s:", i ? ", " : "", (int)wish->due[i].by,
			      wish->due[i].leave);
		for (size_t n = 0; n < wish->due[i].count; n++)
			at += sprintf(at, " %s", *name++);
	}
	assert_null(*name);
	assert_string_equal(text, dues);
}

static void look_at(struct pact_malleable *job, const char *answer)
{
	play(answer);
	assert_int_equal(pact_malleable_look(job), PACT_MALLEABLE_OK);
}

static void gives(struct pact_malleable *job, const char *nodes, const char *answer)
{
	play(answer);
	assert_int_equal(pact_malleable_give(job, nodes), PACT_MALLEABLE_OK);
	wants(job, "", "");
}

/* All times are told; what was given back by its time is answered, and the rest wanted yet. */
static void test_dues(void **state)
{
	struct pact_malleable *job = pact_malleable_open(7, 0);

	(void)state;
	look_at(job, DUES);
	wants(job, "n[2-5]", "100 n4: n4, 130 n[2-3]: n2 n3, 160 n5: n5");
	gives(job, "n4", "answered 6 100\nend\n");
	look_at(job, "node n1\nnode n2\nnode n3\nnode n5\nwish 6 1 130\nlist n[2-3,5]\n"
		     "due 130 n[2-3]\nleave n2\nleave n3\ndue 160 n5\nleave n5\nend\n");
	wants(job, "n[2-3,5]", "130 n[2-3]: n2 n3, 160 n5: n5");
	/* a part of what is due then: that is answered, too */
	gives(job, "n2", "answered 6 130\nend\n");
	look_at(job, "node n1\nnode n3\nnode n5\nwish 6 1 130\nlist n[3,5]\n"
		     "due 130 n3\nleave n3\ndue 160 n5\nleave n5\nend\n");
	wants(job, "n5", "160 n5: n5");
	play("end\n");
	assert_int_equal(pact_malleable_refuse(job), PACT_MALLEABLE_OK);
	assert_string_equal(asked(), "refuse 7 6\n");
	look_at(job, DUES);
	wants(job, "", "");
	pact_malleable_close(job);
}

/* The times in the midst are answered, or several at once; another wish has all of its own. */
static void test_dues_answered(void **state)
{
	struct pact_malleable *job = pact_malleable_open(7, 0);

	(void)state;
	look_at(job, DUES);
	gives(job, "n2", "answered 6 130\nend\n");
	look_at(job, DUES);
	wants(job, "n4,n5", "100 n4: n4, 160 n5: n5");
	gives(job, "n[4-5]", "answered 6 100\nanswered 6 160\nend\n");
	look_at(job, DUES);
	wants(job, "", "");
	look_at(job, "node n1\nnode n2\nnode n3\nwish 7 1 130\nlist n[2-3]\ndue 130 n[2-3]\n"
		     "leave n2\nleave n3\nend\n");
	wants(job, "n[2-3]", "130 n[2-3]: n2 n3");
	/* of a wish that was another one by then nothing is answered, nor by nodes that were not wanted */
	gives(job, "n2", "answered 8 130\nend\n");
	look_at(job, "node n1\nnode n3\nwish 7 1 130\nlist n3\ndue 130 n3\nleave n3\nend\n");
	wants(job, "n3", "130 n3: n3");
	gives(job, "n1", "end\n");
	look_at(job, "node n3\nnode n4\nwish 7 1 130\nlist n3\ndue 130 n3\nleave n3\nend\n");
	wants(job, "n3", "130 n3: n3");
	gives(job, "n3", "answered 7 130\nend\n");
	look_at(job, "node n3\nnode n4\nwish 7 1 130\nlist n3\ndue 130 n3\nleave n3\nend\n");
	wants(job, "", "");
	pact_malleable_close(job);
}

/* So many nodes that their names in a row are longer than a list may be: they are given back as Slurm writes them. */
static void test_wide(void **state)
{
	enum { WIDE = 9000 };
	struct pact_malleable *job = pact_malleable_open(7, 0);
	const struct pact_malleable_wish *wish;
	char *text = malloc(WIDE * 30 + 200), *at = text;

	(void)state;
	for (int i = 0; i <= WIDE; i++)
		at += sprintf(at, "node cn%05d\n", i);
	at += sprintf(at, "batch cn00000\nwish 4 1 1763740800\nlist cn[00001-%05d]\n", WIDE);
	for (int i = 1; i <= WIDE; i++)
		at += sprintf(at, "leave cn%05d\n", i);
	sprintf(at, "end\n");
	play(text);
	free(text);
	assert_int_equal(pact_malleable_look(job), PACT_MALLEABLE_OK);
	wish = pact_malleable_wanted(job);
	assert_non_null(wish);
	assert_string_equal(wish->leaves[WIDE - 1], "cn09000");
	assert_null(wish->leaves[WIDE]);
	play("end\n");
	assert_int_equal(pact_malleable_give(job, wish->leave), PACT_MALLEABLE_OK);
	assert_string_equal(asked(), "give 7 cn[00001-09000]\n");
	assert_null(pact_malleable_wanted(job));
	pact_malleable_close(job);
}

static void test_invalid(void **state)
{
	static const char *const bad[] = { "", "n[1", "n1;rm", "n1 n2" };
	struct pact_malleable *job = pact_malleable_open(7, 0);

	(void)state;
	play("end\n");
	unlink(words);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(pact_malleable_give(job, bad[i]), PACT_MALLEABLE_INVALID);
		assert_int_equal(pact_malleable_signal(job, bad[i], NULL, SIGTERM, NULL),
				 PACT_MALLEABLE_INVALID);
	}
	assert_int_equal(pact_malleable_give(job, NULL), PACT_MALLEABLE_INVALID);
	assert_int_equal(pact_malleable_signal(job, "n1", NULL, 0, NULL), PACT_MALLEABLE_INVALID);
	assert_string_equal(asked(), ""); /* nothing was */
	pact_malleable_close(job);
}

static void test_signal(void **state)
{
	struct pact_malleable *job = pact_malleable_open(7, 0);
	unsigned int count = 9;

	(void)state;
	assert_null(*pact_malleable_signalled(job));
	play("node n1\nnode n2\nnode n2\ncount 3\nend\n");
	assert_int_equal(pact_malleable_signal(job, "n[1-2]", "mine", SIGTERM, &count),
			 PACT_MALLEABLE_OK);
	assert_int_equal(count, 3);
	assert_string_equal(pact_malleable_signalled(job)[0], "n1");
	assert_string_equal(pact_malleable_signalled(job)[2], "n2");
	assert_null(pact_malleable_signalled(job)[3]);
	assert_string_equal(asked(), "signal 7 15 n[1-2] mine\n");
	play("error gone no job\nend\n");
	assert_int_equal(pact_malleable_signal(job, NULL, NULL, SIGTERM, &count),
			 PACT_MALLEABLE_GONE);
	assert_int_equal(count, 0);
	assert_null(*pact_malleable_signalled(job));
	pact_malleable_close(job);
}

/* An answer that is none; what was known before stays, and looks become rarer. */
static void test_broken(void **state)
{
	static const char *const answers[] = { "",
					       "node n1\n",
					       "node n1\nend",
					       "nodeend\n",
					       "node n1\nnot the end\n",
					       "error gone\n" };
	struct pact_malleable *job = pact_malleable_open(7, 36);

	(void)state;
	play(LOOK);
	assert_int_equal(pact_malleable_look(job), PACT_MALLEABLE_OK);
	assert_int_equal(pact_malleable_pause(job), 6);
	for (size_t i = 0; i < sizeof(answers) / sizeof(answers[0]); i++) {
		play(answers[i]);
		assert_int_equal(pact_malleable_look(job), PACT_MALLEABLE_AGAIN);
		assert_string_equal(pact_malleable_error(job),
				    "pact-malleable-call ended without an answer");
	}
	assert_int_equal(pact_malleable_pause(job), 60);
	assert_string_equal(pact_malleable_nodes(job)[2], "n3");
	assert_non_null(pact_malleable_wanted(job));
	setenv("PACT_MALLEABLE_CALL", "/nowhere/call", 1);
	assert_int_equal(pact_malleable_look(job), PACT_MALLEABLE_AGAIN);
	setenv("PACT_MALLEABLE_CALL", script, 1);
	play("error gone the job does not run\nend\n");
	assert_int_equal(pact_malleable_look(job), PACT_MALLEABLE_GONE);
	play(LOOK);
	assert_int_equal(pact_malleable_look(job), PACT_MALLEABLE_OK);
	assert_int_equal(pact_malleable_pause(job), 6);
	pact_malleable_close(job);
}

/* The program is as it was: no child left, no signal of its own in the way. */
static void test_process(void **state)
{
	struct pact_malleable *job = pact_malleable_open(7, 0);
	sigset_t all, before;

	(void)state;
	play(LOOK);
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	assert_int_equal(pact_malleable_look(job), PACT_MALLEABLE_OK);
	sigprocmask(SIG_SETMASK, &before, NULL);
	signal(SIGCHLD, SIG_IGN);
	assert_int_equal(pact_malleable_look(job), PACT_MALLEABLE_OK);
	signal(SIGCHLD, SIG_DFL);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
	pact_malleable_close(job);
}

static void test_pauses(void **state)
{
	static const int64_t rows[][2] = {
		{ 0, 10 }, { 1, 1 }, { 6, 1 }, { 60, 10 }, { 86400, 60 }
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct pact_malleable *job = pact_malleable_open(7, rows[i][0]);

		assert_int_equal(pact_malleable_pause(job), rows[i][1]);
		pact_malleable_close(job);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_open),	cmocka_unit_test(test_look),
		cmocka_unit_test(test_answers), cmocka_unit_test(test_invalid),
		cmocka_unit_test(test_signal),	cmocka_unit_test(test_broken),
		cmocka_unit_test(test_process), cmocka_unit_test(test_pauses),
		cmocka_unit_test(test_resized), cmocka_unit_test(test_wide),
		cmocka_unit_test(test_dues),	cmocka_unit_test(test_dues_answered),
	};

	return cmocka_run_group_tests_name("client", tests, set_up, tear_down);
}
