/* The profile: columns of strings, mappings, locations, stacks and samples. Read only; build.h is the only writer. */
#pragma once

#include "analyze/base/diag.h"

/* Ids are row numbers, wrapped so that one kind cannot stand for another. Row 0 is "none" (string 0 is ""). */
typedef struct {
	uint32_t row;
} str_id;
typedef struct {
	uint32_t row;
} func_id;
typedef struct {
	uint32_t row;
} loc_id;
typedef struct {
	uint32_t row;
} map_id;
typedef struct {
	uint32_t row;
} object_id;
typedef struct {
	uint32_t row;
} stack_id;
typedef struct {
	uint32_t row;
} labels_id;

struct str {
	const char *text; /* NUL-terminated; a NUL inside a name was replaced by the reader */
	uint32_t length;
};

struct value_type {
	str_id type, unit; /* "inuse_space", "bytes" */
};

enum object_fate {
	OBJECT_UNTRIED,
	OBJECT_FOUND,
	OBJECT_STRIPPED, /* found, but without symbols and debug information */
	OBJECT_MISSING,  /* no file, or one that cannot be opened */
	OBJECT_WRONG,    /* a file of another build: its build id is not the profile's */
	OBJECT_SPECIAL,  /* [vdso], [stack] and the like: there is no file to look for */
};

/* A program or library of the map. Two mappings of one file are one object. */
struct object {
	str_id file;           /* as the map names it */
	str_id build_id;       /* lower-case hex, as the profile has it, or none */
	bool deleted;          /* the map says the file was replaced or removed while it ran */
	uint64_t inode;        /* 0: not known */
	enum object_fate fate; /* symbolize writes this and what follows */
	str_id path_used;
	str_id used_build_id; /* of the file at path_used, or none */
	int64_t time_nanos;   /* when that file was written, since 1970; 0: not known */
	/* Return addresses that were held against the code of that file, and how many of them follow a call there. */
	uint32_t n_returns, n_calls;
	bool is_doubtful; /* by these, it is probably of another build */
};

/* One row of the map: run-time addresses start <= a < limit come from the object's file at offset. */
struct mapping {
	uint64_t start, limit, offset;
	object_id object;
	uint32_t line;       /* of the row in its input file, for messages; 0: the input has no text map */
	bool guesses_offset; /* the input says none */
	/* What a profile.proto says that the lines of its locations hold; others do not say it. */
	bool has_functions, has_files, has_lines, has_inlines;
};

/* A call site. The key is (object, offset in its file): two runs under ASLR share their locations. */
struct location {
	uint64_t addr; /* run-time; already one less than a return address */
	map_id map;
	object_id object;
	uint64_t offset;              /* in the object's file; addr itself where no object is known */
	uint64_t vaddr;               /* link-time; a guess from the map until symbolize has opened the object */
	uint32_t first_line, n_lines; /* a span of lines, innermost inline first; none: no name is known */
	bool is_hint;   /* the lines are names that a text profile brings along; the user's program knows better */
	bool is_return; /* the input gives an address that a call returns to, which is one more */
	bool is_tag;    /* no call site, but what --tagroot or --tagleaf made of a label */
	bool in_hole;   /* lies in a row without a file and is placed by its neighbour, unless the file has no code there */
};

struct line {
	func_id func;
	uint32_t line, column; /* 0: not known */
};

struct function {
	str_id name;        /* as tables show it */
	str_id rule_name;   /* by which rules about frames know it, where it is shown another way; none: name */
	str_id full_name;   /* demangled with parameters; only where a filter asked for it */
	str_id system_name; /* as the linker knows it */
	str_id file;
	uint32_t start_line;
};

struct stack {
	uint32_t first, n; /* a span of frames, leaf first */
};

/* What a sample is marked with. One with a text is a text label, any other a number. */
struct label {
	str_id key, text;
	int64_t number;
	str_id unit; /* of the number; none: not said */
};

struct label_set {
	uint32_t first, n; /* a span of labels, in the order of the input */
};

/* An input file, in the order of the command line. */
struct source {
	str_id name, format;
	str_id header; /* what the input says of itself: "heap_v2/524288"; none: nothing */
	str_id rule;   /* how its values came about, for people: "exact" */
	int64_t period;
	uint32_t first_map, n_maps;
	uint32_t maps_hash; /* equal for snapshots of one process */
	bool has_maps;      /* the file has a map section */
	bool is_mapless;    /* files of this format need none */
	uint32_t set;       /* a profile or a base */
	int64_t time_nanos; /* when it was taken, since 1970; 0: not known */
	uint64_t n_rows;
	uint64_t n_input_lines;
};

struct profile {
	struct arena *arena;

	struct str *strs;
	struct value_type *types;
	struct object *objects;
	struct mapping *maps;
	struct location *locs;
	struct line *lines;
	struct function *funcs;
	loc_id *frames;
	struct stack *stacks;
	struct label *labels;
	struct label_set *label_sets;
	struct source *sources;
	str_id *comments;
	uint32_t n_strs, n_types, n_objects, n_maps, n_locs, n_lines, n_funcs, n_frames, n_stacks, n_labels, n_label_sets,
		n_sources, n_comments;

	/* A sample is a stack and its labels, with a value for each type, in each set: the profile, then its base. Of snapshots in
	 * time they are the last, the first, and those between: so their difference is what grew. */
	stack_id *sample_stacks;
	labels_id *sample_labels;
	double *values; /* [sample][set][type]; whole numbers, exact to 2^53, unless the profile is sampled */
	/* By sample: the size of its blocks, as a profile.proto says it in the label "bytes"; 0: it says none, or several.
	 * NULL: no input says any. */
	int64_t *block_sizes;
	bool hides_blocks; /* a heap as a profile.proto whose samples are not said to be of blocks of one size */
	uint32_t n_samples;
	uint32_t n_sets;

	object_id program; /* the main program; symbolize chooses it */
	uint32_t default_type;
	bool default_is_named; /* the input itself calls it so */
	struct value_type period_type;
	int64_t period;
	int64_t time_nanos, duration_nanos;       /* since 1970, and how long it took; 0: not known */
	str_id doc_url, drop_frames, keep_frames; /* of a profile.proto; the last two are regular expressions */

	struct diag notes;
};

enum profile_set { SET_MAIN, SET_BASE, N_SETS };

/* The set of a snapshot, of which there are n_sets, by its place in time. */
static inline uint32_t profile_snapshot_set(const struct profile *profile, uint32_t snapshot)
{
	if (snapshot + 1 == profile->n_sets)
		return SET_MAIN;
	return snapshot ? snapshot + 1 : SET_BASE;
}

static inline const char *profile_text(const struct profile *profile, str_id id)
{
	return profile->strs[id.row].text;
}

static inline double profile_value(const struct profile *profile, uint32_t sample, uint32_t set, uint32_t type)
{
	return profile->values[((size_t)sample * profile->n_sets + set) * profile->n_types + type];
}

static inline str_id profile_rule_name(const struct profile *profile, func_id func)
{
	const struct function *row = &profile->funcs[func.row];

	return row->rule_name.row ? row->rule_name : row->name;
}

void profile_free(struct profile *profile);

/* What a profile measures, by the names of all its types. */
enum profile_family {
	FAMILY_HEAP,       /* all are objects or space, in use or allocated */
	FAMILY_CONTENTION, /* contentions and delay */
	FAMILY_CPU,        /* "cpu" is among them */
	FAMILY_OTHER,
};
enum profile_family profile_family(const struct profile *profile);

/* The base name of the main program: the one that symbolize chose, else the first in the map; NULL: not known. */
const char *profile_program(const struct profile *profile);
/* The base name of an object's file. */
const char *profile_object_base(const struct profile *profile, object_id object);
/* The type of this name, or n_types. Aliases: "space" and "inuse_space" stand for each other where only one is there. */
uint32_t profile_find_type(const struct profile *profile, const char *name);
/* The type that counts what this one sums up: of "inuse_space" it is "inuse_objects", of "cpu" it is "samples", of one
 * that counts itself; n_types where there is none. */
uint32_t profile_count_type(const struct profile *profile, uint32_t type);
