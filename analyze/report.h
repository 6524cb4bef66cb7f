/* Everything that a renderer writes, worked out: rows in order, the graph, totals, units, header lines. */
#pragma once

#include "analyze/code.h"
#include "analyze/columns.h"
#include "analyze/flame.h"
#include "analyze/gate.h"
#include "analyze/graph.h"
#include "analyze/info.h"
#include "analyze/listing.h"
#include "analyze/nodelets.h"
#include "analyze/series.h"
#include "analyze/sizes.h"
#include "analyze/tags.h"
#include "analyze/units.h"

/* What a renderer asks for; nothing else is built. */
enum report_parts {
	PART_TABLE = 1,  /* rows, in gperftools' order */
	PART_TOP = 2,    /* rows, trimmed and in google/pprof's order */
	PART_GRAPH = 4,  /* nodes and edges for a picture */
	PART_TREE = 8,   /* nodes, trimmed and in google/pprof's order, with their edges */
	PART_PEEK = 16,  /* likewise all nodes, and which of them the pattern matches */
	PART_TAGS = 32,  /* the labels, each with the values that it has */
	PART_INFO = 64,  /* what the profile is */
	PART_ROWS = 128, /* rows in no order, for stacks that are made of them */
	/* A row for each address, in google/pprof's order, and every edge. */
	PART_CALLS = 256,
	/* The functions that the pattern matches, with the values of their lines; without a pattern the heaviest. */
	PART_LISTING = 512,
	PART_PICTURE = 1024, /* with PART_GRAPH: no more of it than can be laid out in a few seconds */
	PART_CODE = 2048,    /* the instructions of the routines that hold what matches; report_take_code ends it */
	PART_FLAME = 4096,   /* the call tree with the values of all types on both sides, and the rows its nodes are of */
	PART_SERIES = 8192,  /* the rows over the snapshots, which stand in the series' own order */
};

struct report_opts {
	enum granularity granularity;
	bool by_cum;
	int node_count;   /* -1: the renderer's usual; 0: no limit */
	int growth_count; /* likewise of the growth table in a page, where node_count is the flame's */
	double node_fraction, edge_fraction;
	int max_degree; /* 0: no limit */
	bool trim;      /* false: no limits at all */

	bool by_stack;  /* series: a row for each whole stack */
	bool call_tree; /* graphs: a node for each way to a function, not for each function */
	bool tag_nodes; /* graphs: the labels of the samples hang on their nodes */
	bool heapcheck; /* graphs: nodes are filled where flat is above 0, not by what cum is */

	/* With PART_TOP: values of several types, and how large the blocks of each row are. */
	struct columns_opts columns;
	bool sizes;

	const char *unit; /* the user's; NULL: the renderer's usual */
	bool show_bytes;  /* memory in bytes; counts stay counts */

	bool show_columns, show_addresses, return_addresses; /* as row_opts has them */

	const char *program; /* its base name, for headers; NULL: not known */
	const char *path;    /* of the program as the user gave it; NULL: not given */
	bool compact_labels; /* headers do not tell of the profile */
	bool stacks;         /* --text lists every stack first */

	const char *pattern;        /* of the rows that the user asks for; NULL: not given */
	const char *pattern_option; /* who asks: "peek"; for messages */
};

struct report {
	const struct profile *profile;
	const struct view *view;
	struct report_opts opts;
	struct arena *arena;
	const char *program;     /* "" when not known */
	const char *type;        /* "inuse_space" */
	const char *thread;      /* "t3": the values are of this thread alone; NULL: of all */
	const char *filters[16]; /* "focus=create", "ignore=x" */
	uint32_t n_filters;
	const char **namesakes; /* names of heavy rows that stand for functions of several files (namesakes.h) */
	uint32_t n_namesakes;
	double total;             /* of all samples, as it is shown: with view->opts.mean, their mean */
	double divisor;           /* what percentages divide by: of what the filters left in rows (gperftools), */
	double divisor_of_all;    /* and of all samples (google/pprof) */
	const char *divisor_note; /* "the sum of |changes|" where they have both signs; NULL: |total| */
	const char *divisor_of_all_note;
	struct unit_style classic; /* gperftools' unit, or the user's */
	struct unit_style modern;  /* google/pprof's choice for the rows shown, or the user's */
	struct table table;
	uint32_t *order; /* rows shown, in order; for the graph: graph.nodes */
	uint32_t n_order;

	struct graph graph;       /* with PART_TOP, PART_GRAPH, PART_TREE or PART_PEEK */
	struct nodelets nodelets; /* with PART_GRAPH, where they are asked for */
	struct tags tags;         /* with PART_TAGS */
	struct info info;         /* with PART_INFO */
	struct listing listing;   /* with PART_LISTING; whoever can open files reads its sources */
	struct code code;         /* with PART_CODE */
	struct flame flame;       /* with PART_FLAME */
	struct series series;     /* with PART_SERIES */
	const struct gate *gate;  /* the caller's, who sets it before the report is written; NULL: none is asked for */

	/* With PART_TOP, where they are asked for. */
	struct value_columns columns;
	struct sizes sizes;

	struct report *source; /* a listing for a page, set by the caller and freed with the report; NULL: none is wanted */

	bool *matches;       /* by row, with PART_PEEK: the pattern matches its label */
	bool no_match;       /* it matches none */
	unsigned n_given_up; /* labels that took too long to match */
	struct diag notes;   /* what of the report is not as it was asked for */
	/* What the user is told beside the report; the caller's, who sets it before it is written. NULL: nothing. Who writes it
	 * may add to it. */
	struct diag *told;
};

/* The error is an unknown unit or a bad pattern. The report points into the view, which must outlive it. */
struct err *report_build(const struct view *view, const struct report_opts *opts, unsigned parts,
                         struct report **ret) MUST_CHECK;
/* After the routines of the report's code were filled in. */
void report_take_code(struct report *report);
/* The sum behind a value that is shown, divided by count where means are: what sizes and colours go by. */
double report_sum(const struct report *report, double shown, double count);
/* Its part of the total. */
double report_share(const struct report *report, double shown, double count);
void report_free(struct report *report);

/* A unit as it is shown behind values: one that the profile made up in a few characters, harmless. */
const char *report_unit(const struct report *report, str_id unit);
/* The unit of a value that stands alone, not in a table: the user's, or the one it reads best in. */
struct unit_style report_unit_alone(const struct report *report, double value);
/* Likewise of any type of the profile, where the user's unit measures it. */
struct unit_style report_unit_of_type(const struct report *report, uint32_t type, double value);
/* The value in it. */
const char *report_label_alone(char text[UNITS_TEXT], const struct report *report, double value);
