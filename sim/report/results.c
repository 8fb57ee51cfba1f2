/* SPDX-License-Identifier: GPL-2.0-or-later */
/* results: see results.h. */
#include "sim/report/results.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/sched.h"
#include "common/why.h"

static int no_memory(char *why, size_t size)
{
	return why_set(why, size, PACT_ENOMEM, "out of memory");
}

static int cannot(const struct results *r, const char *what, char *why, size_t size)
{
	return why_set(why, size, PACT_EPROTO, "cannot %s %s: %s", what, r->path, strerror(errno));
}

bool results_field(char **to, const char *end, const char *text)
{
	bool quote = strpbrk(text, ",\" ") != NULL;
	char *p = *to;

	if (quote && p < end)
		*p++ = '"';
	for (; *text && p + 2 < end; text++) {
		if (*text == '"')
			*p++ = '"';
		*p++ = *text;
	}
	if (*text || p + 2 > end)
		return false;
	if (quote)
		*p++ = '"';
	*p = '\0';
	*to = p;
	return true;
}

size_t results_split(char *line, char *field[RESULTS_MAX_COLUMNS])
{
	char *from = line, *to;
	size_t n = 0;

	for (;;) {
		bool quoted = *from == '"';

		if (n == RESULTS_MAX_COLUMNS)
			return 0;
		field[n++] = to = from;
		from += quoted;
		for (; *from && (quoted || *from != ','); from++) {
			if (quoted && *from == '"' && *++from != '"')
				break;
			*to++ = *from;
		}
		if (*from && *from != ',')
			return 0;
		if (!*from) {
			*to = '\0';
			return n;
		}
		from++;
		*to = '\0';
	}
}

static size_t count_columns(const char *header)
{
	char *field[RESULTS_MAX_COLUMNS], *copy = strdup(header);
	size_t n = copy ? results_split(copy, field) : 0;

	free(copy);
	return n;
}

/* Open and lock it: the file that bears the name, not one that has just lost it. */
static int open_locked(struct results *r, char *why, size_t size)
{
	struct stat ours, named;

	for (;;) {
		r->fd = open(r->path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
		if (r->fd < 0)
			return cannot(r, "write", why, size);
		if (flock(r->fd, LOCK_EX | LOCK_NB) != 0)
			return why_set(why, size, PACT_EINVAL, "%s: another sweep is writing to it",
				       r->path);
		if (!fstat(r->fd, &ours) && !stat(r->path, &named) && ours.st_ino == named.st_ino &&
		    ours.st_dev == named.st_dev)
			return PACT_OK;
		close(r->fd);
	}
}

static char *read_whole(const struct results *r)
{
	struct stat st;
	size_t have = 0;
	char *text;
	ssize_t n;

	if (fstat(r->fd, &st) != 0 || !S_ISREG(st.st_mode)) {
		errno = EINVAL;
		return NULL;
	}
	text = malloc((size_t)st.st_size + 1);
	while (text && have < (size_t)st.st_size) {
		n = pread(r->fd, text + have, (size_t)st.st_size - have, (off_t)have);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			free(text);
			return NULL;
		}
		if (n == 0)
			break;
		have += (size_t)n;
	}
	if (text)
		text[have] = '\0';
	return text;
}

static int keep_other(struct results *r, char *row)
{
	char **grown = realloc(r->other, (r->nother + 1) * sizeof(*grown));

	if (!grown)
		return PACT_ENOMEM;
	r->other = grown;
	r->other[r->nother++] = row;
	return PACT_OK;
}

/* One row, without its line end. */
static int take_row(struct results *r, const char *line, size_t number, results_which which,
		    void *arg, char *why, size_t size)
{
	char *copy = strdup(line), *row = malloc(strlen(line) + 2), *field[RESULTS_MAX_COLUMNS];
	size_t run;
	int err = PACT_OK;

	if (!copy || !row) {
		free(copy);
		free(row);
		return no_memory(why, size);
	}
	sprintf(row, "%s\n", line);
	if (results_split(copy, field) != r->columns) {
		r->damaged++;
		free(row);
		free(copy);
		return PACT_OK;
	}
	run = which(arg, field, r->columns);
	if (run == RESULTS_FOREIGN)
		err = why_set(why, size, PACT_EINVAL,
			      "%s:%zu: a row of a sweep with other options; give another --out",
			      r->path, number);
	else if (run == RESULTS_OTHER && keep_other(r, row) != PACT_OK)
		err = no_memory(why, size);
	else if (run < r->count && !r->row[run])
		r->row[run] = row;
	else if (run < r->count)
		err = why_set(why, size, PACT_EINVAL, "%s:%zu: a second row of the same run",
			      r->path, number);
	if (run < r->count && !err)
		r->present++;
	if (err)
		free(row);
	free(copy);
	return err;
}

static int take_rows(struct results *r, char *text, results_which which, void *arg, bool *fresh,
		     char *why, size_t size)
{
	char *line = text, *end = strchr(text, '\n');
	size_t number = 1;
	int err = PACT_OK;

	/* Nothing, or the beginning of our header: stopped before it had begun. */
	*fresh = !end && !strncmp(text, r->header, strlen(text));
	if (*fresh)
		return PACT_OK;
	if (end)
		*end = '\0';
	if (!end || strcmp(line, r->header) != 0)
		return why_set(why, size, PACT_EINVAL,
			       "%s: its columns are not those of this sweep; give another --out",
			       r->path);
	for (line = end + 1; *line && !err; line = end + 1) {
		end = strchr(line, '\n');
		if (!end) {
			r->damaged++;
			break;
		}
		*end = '\0';
		err = take_row(r, line, ++number, which, arg, why, size);
	}
	return err;
}

static bool put(int fd, const char *text)
{
	size_t length = strlen(text);
	ssize_t n;

	while (length) {
		n = write(fd, text, length);
		if (n < 0 && errno != EINTR)
			return false;
		if (n > 0) {
			text += n;
			length -= (size_t)n;
		}
	}
	return true;
}

static bool put_all(const struct results *r, int fd)
{
	bool ok = put(fd, r->header) && put(fd, "\n");

	for (size_t i = 0; i < r->nother && ok; i++)
		ok = put(fd, r->other[i]);
	for (size_t i = 0; i < r->count && ok; i++)
		ok = !r->row[i] || put(fd, r->row[i]);
	return ok;
}

/* All that is known into a new file, which takes the name. It is locked before that. */
static int rewrite(struct results *r, char *why, size_t size)
{
	size_t length = strlen(r->path) + sizeof(".part");
	char *part = malloc(length);
	struct stat st;
	int fd, err = PACT_OK;

	if (!part)
		return no_memory(why, size);
	snprintf(part, length, "%s.part", r->path);
	fd = open(part, O_RDWR | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
	if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB) != 0 || fstat(r->fd, &st) != 0 ||
	    fchmod(fd, st.st_mode & 0777) != 0 || !put_all(r, fd) || fsync(fd) != 0 ||
	    rename(part, r->path) != 0)
		err = cannot(r, "write", why, size);
	if (err) {
		if (fd >= 0)
			close(fd);
		unlink(part);
	} else {
		close(r->fd);
		r->fd = fd;
	}
	free(part);
	return err;
}

static int begin(struct results *r, const char *path, const char *header, size_t count, char *why,
		 size_t size)
{
	*r = (struct results){ .path = path, .header = header, .fd = -1, .count = count };
	r->columns = count_columns(header);
	r->row = calloc(count + 1, sizeof(*r->row));
	return r->row ? PACT_OK : no_memory(why, size);
}

/* The rows of the open file. */
static int read_rows(struct results *r, results_which which, void *arg, bool *fresh, char *why,
		     size_t size)
{
	char *text = read_whole(r);
	int err;

	if (!text)
		return cannot(r, "read", why, size);
	err = take_rows(r, text, which, arg, fresh, why, size);
	free(text);
	return err;
}

int results_open(struct results *r, const char *path, const char *header, size_t count,
		 results_which which, void *arg, char *why, size_t size)
{
	bool fresh = false;
	int err = begin(r, path, header, count, why, size);

	if (!err)
		err = open_locked(r, why, size);
	if (!err)
		err = read_rows(r, which, arg, &fresh, why, size);
	if (!err && (fresh || r->damaged))
		err = rewrite(r, why, size);
	return err;
}

int results_look(struct results *r, const char *path, const char *header, size_t count,
		 results_which which, void *arg, char *why, size_t size)
{
	bool fresh;
	int err = begin(r, path, header, count, why, size);

	if (err)
		return err;
	r->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (r->fd < 0)
		return errno == ENOENT ? PACT_OK : cannot(r, "read", why, size);
	return read_rows(r, which, arg, &fresh, why, size);
}

int results_add(struct results *r, size_t run, const char *line, char *why, size_t size)
{
	size_t length = strlen(line);
	char *row = malloc(length + 2);

	if (!row)
		return no_memory(why, size);
	memcpy(row, line, length);
	strcpy(row + length, "\n");
	r->row[run] = row;
	r->present++;
	return put(r->fd, row) ? PACT_OK : cannot(r, "write", why, size);
}

int results_finish(struct results *r, char *why, size_t size)
{
	return r->present == r->count ? rewrite(r, why, size) : PACT_OK;
}

void results_close(struct results *r)
{
	for (size_t i = 0; i < r->count && r->row; i++)
		free(r->row[i]);
	for (size_t i = 0; i < r->nother; i++)
		free(r->other[i]);
	free(r->row);
	free(r->other);
	if (r->fd >= 0)
		close(r->fd);
}
