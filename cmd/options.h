/* The options: one table, from which parsing, help, manual and completions are made. */
#pragma once

#include "analyze/read/read.h"
#include "analyze/report.h"
#include "analyze/tag_frames.h"
#include "symbolize/disasm.h"
#include "symbolize/source.h"
#include "symbolize/symbolize.h"

struct strings {
	const char **items;
	uint32_t n, cap;
};

void strings_add(struct strings *list, const char *item);

enum { TREND_OFF = -2 };
enum sort_by { SORT_FLAT, SORT_CUM };
enum strictness { STRICT_NO, STRICT_LOSS, STRICT_SYMBOLS };

/* Below cmd nobody sees this: each room has a struct of its own, which is part of it. */
struct options {
	struct arena *arena;      /* of what is not from argv */
	const char *report;       /* a renderer or a viewer; NULL: not chosen */
	const char *type;         /* the sample type; NULL: the profile's default */
	const char *sample_index; /* likewise, by its name or number */
	const char *columns;      /* types with commas between them, for --top; NULL: none */
	struct strings bases, diff_bases;
	struct strings inputs; /* the arguments that are no options */
	struct strings path_maps, symbol_paths, added_libs;
	struct strings comments; /* to be added to the profile's */
	const char *tools;       /* where programs are that are started; NULL: not said */
	const char *symbolize_words;
	const char *build_id;
	bool no_strip_temp;
	const char *lib_prefixes; /* with commas between them; NULL: none */
	const char *output;       /* NULL: standard output */
	bool quiet, verbose, version;
	const char *help;  /* a group, "all" or ""; NULL: not asked for */
	int gv_scale;      /* the zoom of --gv; 0: its own */
	bool interactive;  /* a shell, not one report */
	bool embed_source; /* in the page of --html */
	int trend;         /* rows over snapshots: as report_opts.node_count counts them; TREND_OFF: not asked for */
	bool sort_files;   /* snapshots in the order of the numbers in their names */
	bool file_times;   /* snapshots are as old as their files */
	const char *fail_growth;
	struct strings fail_above;
	const char *suppressions; /* a file; NULL: none */
	bool use_cache, use_config, use_sandbox;
	const char *config_path; /* the file whose options were taken; NULL: none was */
	bool replaces;           /* of two options that exclude each other the later counts; else they are an error */
	int strict;              /* enum strictness */
	int color;               /* enum color */
	int granularity;         /* enum granularity; -1: not chosen */
	int sort;                /* enum sort_by; -1: not chosen */
	int jobs;                /* 0: as many as there are processors */
	bool has_debuginfod;     /* DEBUGINFOD_URLS was set */
	struct read_opts read;
	struct symbolize_opts symbolize;
	struct source_opts source;
	struct disasm_opts disasm;
	struct view_opts view;
	struct tag_frames_opts tag_frames; /* the keys; the rest depends on other options */
	struct report_opts rows;
};

enum opt_kind {
	OPT_FLAG,     /* a bool: --x, --nox, --x=false */
	OPT_STRING,   /* an empty one is none, or an error where arg is FILE or DIR */
	OPT_LIST,     /* may be repeated */
	OPT_INT,      /* from number */
	OPT_COUNT,    /* an int: --x=3, or number, which is below 0, for --x alone */
	OPT_SIZE,     /* bytes, in a uint64_t: 4096, 64MB, 4GB */
	OPT_FRACTION, /* 0 to 1 */
	OPT_DIVISOR,  /* any number but 0 */
	OPT_CHOICE,   /* an int of its group becomes number; another of the group may not be given */
	OPT_NAMED,    /* a string of its group becomes the option's name; as above */
	OPT_REPORT,   /* likewise of the report, and the argument is the pattern of the rows it asks for */
	OPT_STRICT,
	OPT_WORD,     /* an int becomes the number of the word in arg: "auto|always|never" */
	OPT_HELP,     /* a group may be named */
	OPT_ACCEPTED, /* known elsewhere, and always so or without a meaning here */
	OPT_REFUSED,  /* known elsewhere, and not done here: help says what to do instead */
};

struct opt_row {
	const char *name; /* words joined by '_' */
	char letter;      /* 0: none */
	enum opt_kind kind;
	size_t at; /* in struct options */
	int number;
	const char *arg;   /* what the argument is called; NULL: there is none */
	const char *group; /* its key */
	const char *help;
	const char *same_as; /* OPT_NAMED: the name it stands for; NULL: its own */
};

struct opt_group {
	const char *key, *title;
};

/* In the order of the help. */
const struct opt_group *opt_groups(size_t *n_ret);

/* All options in the order of the help; the output formats of renderers[] are among them. */
const struct opt_row *opt_rows(size_t *n_ret);
/* By its whole name, in which '-' and '_' are the same; NULL: there is none. */
const struct opt_row *opt_find(const char *name);
/* The option that a name takes back: "notrim", "no-trim"; NULL: it is none. */
const struct opt_row *opt_find_negated(const char *name);
/* What follows the "no" or "no_" that a name begins with; NULL: it begins with something else. */
const char *opt_behind_no(const char *name);
/* Makes each '-' a '_'. */
void opt_unify_name(char *name);
/* The name of an option that this may be, misspelt; NULL: it is like none. */
const char *opt_similar(const char *name);
/* Names that begin so, or one that is like it. */
struct err *opt_unknown(const char *name) MUST_CHECK;
/* --name=ARG as well as --name. */
bool opt_arg_is_optional(const struct opt_row *row);
/* --noname, --name=false */
bool opt_is_negatable(const struct opt_row *row);

/* All options as nobody set them. */
void options_init(struct options *ret);
/* Sets one option; value NULL: it is said without one. The value must outlive *options. */
struct err *options_set_row(struct options *options, const struct opt_row *row, const char *value) MUST_CHECK;
/* Likewise by its whole name, as --name=value would, or --noname. The texts are copied. */
struct err *options_set(struct options *options, const char *name, const char *value) MUST_CHECK;
/* Takes one option back: it is as nobody set it. Not for lists. */
void options_unset(struct options *options, const struct opt_row *row);
/* Works out what depends on several options, after the last was set. The error names two that contradict each other. */
struct err *options_settle(struct options *options) MUST_CHECK;
/* The report that is asked for, by its name or by options that it alone obeys; NULL: none is. */
const char *options_report(const struct options *options);
/* What the gates of the options allow. */
struct gate_opts options_gate(const struct options *options);
void options_clear(struct options *options);
