/* One search for an ELF file: candidates are opened one by one and held against what is wanted; a note tells why one
 * was refused. */
#pragma once

#include "analyze/base/diag.h"
#include "symbolize/find.h"
#include "symbolize/object.h"

#include <sys/stat.h>

struct search_file {
	const char *path;     /* on this host; NULL: none */
	const char *build_id; /* its own; NULL: none */
	const char *refusal;  /* why it is not used, without its path */
	int fd;
};

struct search {
	/* What is wanted. */
	const char *wanted;    /* for messages */
	const char *build_id;  /* as object_hex has it; NULL: any will do */
	const char *whose;     /* for messages: what comes before "build" */
	const char *debuglink; /* of the object whose debug file is wanted; NULL: none */
	uint32_t debuglink_crc;
	struct stat object; /* that one; st_ino 0: not known */
	struct arena *arena;
	struct diag *diag;

	/* What is found. */
	struct search_file file;
	const char *reason;             /* why the candidate that was tried last is not used, with its path */
	bool is_missing;                /* it: nothing is there */
	bool is_unreadable;             /* it: it may be the right one */
	struct search_file debug_file;  /* the first that is one where an object is wanted */
	struct search_file other_build; /* the first that would fit but for its build */
};

/* Says whether the candidate is what is wanted; if not, file.refusal tells why. */
typedef bool search_rule(struct search *search, const struct object_file *file);

/* These hold for objects. */
bool search_object(struct search *search, const struct object_file *file);
/* The path is made of the build id, which says nothing where a file has none. */
bool search_object_by_id(struct search *search, const struct object_file *file);
/* Likewise, in a folder that packages fill: a link there that leads to another build is not what anybody meant. */
bool search_object_linked(struct search *search, const struct object_file *file);

/* These for separate debug files, found by their build id, by debuglink, by the path of the object, and by that in a
 * folder that the user made for it. */
bool search_debug_by_id(struct search *search, const struct object_file *file);
bool search_debug_by_link(struct search *search, const struct object_file *file);
bool search_debug_by_path(struct search *search, const struct object_file *file);
bool search_debug_by_users_path(struct search *search, const struct object_file *file);

/* Any ELF file that is not of another build. */
bool search_build(struct search *search, const struct object_file *file);

/* Opens the file of a path under the rules of opts. True: search->file is it. */
bool search_open(struct search *search, const struct find_opts *opts, const char *path);
/* Likewise, and the file must pass; search_try adds a note that tells why it does not. */
bool search_check(struct search *search, const struct find_opts *opts, const char *path, search_rule *rule);
bool search_try(struct search *search, const struct find_opts *opts, const char *path, search_rule *rule);

/* Closes what was kept; the file is the caller's. */
void search_close(struct search *search);
