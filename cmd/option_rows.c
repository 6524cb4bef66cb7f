/* The table of options. */
#include "cmd/options.h"

#include "render/render.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

#define REPORTS "reports"
#define VIEWERS "viewers"
#define TRENDS "trend"
#define VALUES "values"
#define ROWS "rows"
#define LISTINGS "source"
#define FILTERS "filters"
#define GRAPH "graph"
#define OBJECTS "objects"
#define INPUT "input"
#define MESSAGES "output"
#define ELSEWHERE "elsewhere"

static const struct opt_group groups[] = {
	{REPORTS, "Reports (one of them)"},
	{VIEWERS, "Reports that another program shows"},
	{TRENDS, "Snapshots in time, and limits for tests"},
	{VALUES, "Values"},
	{ROWS, "Rows"},
	{LISTINGS, "Source and instructions"},
	{FILTERS, "Filters"},
	{GRAPH, "Limits of graphs and tables"},
	{OBJECTS, "Programs and libraries"},
	{INPUT, "Input"},
	{MESSAGES, "Output and messages"},
	{ELSEWHERE, "Known elsewhere, and not done here"},
};

const struct opt_group *opt_groups(size_t *n_ret)
{
	*n_ret = sizeof groups / sizeof *groups;
	return groups;
}

#define AT(field) offsetof(struct options, field)

/* clang-format off */
/* Of each option the group says where --help=GROUP and the manual show it. */
static const struct opt_row fixed_rows[] = {
	{"folded", 0, OPT_NAMED, AT(report), 0, NULL, REPORTS, "the same as --collapsed", "collapsed"},
	{"stacks", 0, OPT_FLAG, AT(rows.stacks), 0, NULL, REPORTS, "--text, with every stack before it"},
	{"gv", 0, OPT_NAMED, AT(report), 0, NULL, VIEWERS, "the call graph, shown by gv"},
	{"evince", 0, OPT_NAMED, AT(report), 0, NULL, VIEWERS, "the call graph, shown by evince"},
	{"eog", 0, OPT_NAMED, AT(report), 0, NULL, VIEWERS, "the call graph, shown by eog"},
	{"web", 0, OPT_NAMED, AT(report), 0, NULL, VIEWERS, "the call graph, shown by a browser"},
	{"kcachegrind", 0, OPT_NAMED, AT(report), 0, NULL, VIEWERS, "functions, calls and lines, shown by kcachegrind"},

	{"trend", 0, OPT_COUNT, AT(trend), -1, "N", TRENDS, "what grows from snapshot to snapshot, the likeliest leak first; =N: at most N rows (30), 0: all"},
	{"by", 0, OPT_WORD, AT(granularity), 0, "function|filefunction|file|line|address|stack", TRENDS, "what has a row; the others but stack have options of their own"},
	{"sort_files", 0, OPT_FLAG, AT(sort_files), 0, NULL, TRENDS, "snapshots in the order of the numbers in their names, not as they are given"},
	{"file_times", 0, OPT_FLAG, AT(file_times), 0, NULL, TRENDS, "snapshots were taken when their files were written"},
	{"fail_growth", 0, OPT_STRING, AT(fail_growth), 0, "SIZE|P%", TRENDS, "exit with 4 when the total or a row grew by more, since the base or the first snapshot"},
	{"fail_above", 0, OPT_LIST, AT(fail_above), 0, "REGEX:SIZE", TRENDS, "exit with 4 when a row that matches holds more; may be repeated"},
	{"suppressions", 0, OPT_STRING, AT(suppressions), 0, "FILE", TRENDS, "leave out known leaks: lines of LeakSanitizer, leak:PATTERN"},

	{"inuse_space", 0, OPT_NAMED, AT(type), 0, NULL, VALUES, "bytes that are allocated now (the default)"},
	{"inuse_objects", 0, OPT_NAMED, AT(type), 0, NULL, VALUES, "objects that are allocated now"},
	{"alloc_space", 0, OPT_NAMED, AT(type), 0, NULL, VALUES, "bytes that were ever allocated"},
	{"alloc_objects", 0, OPT_NAMED, AT(type), 0, NULL, VALUES, "objects that were ever allocated"},
	{"total_delay", 0, OPT_NAMED, AT(type), 0, NULL, VALUES, "how long threads waited for each other (the default of contention profiles)"},
	{"mean_delay", 0, OPT_NAMED, AT(type), 0, NULL, VALUES, "how long a thread waited for another each time, on average"},
	{"contentions", 0, OPT_NAMED, AT(type), 0, NULL, VALUES, "how often threads waited for each other"},
	{"sample_index", 0, OPT_STRING, AT(sample_index), 0, "TYPE", VALUES, "the values of this type: a name of the profile's, or its number from 0"},
	{"base", 0, OPT_LIST, AT(bases), 0, "PROFILE", VALUES, "what changed since this profile; several are summed"},
	{"diff_base", 0, OPT_LIST, AT(diff_bases), 0, "PROFILE", VALUES, "the same as --base, with percentages of the base's total"},
	{"normalize", 0, OPT_FLAG, AT(view.normalize), 0, NULL, VALUES, "scale the profile first, so that its totals are the base's"},
	{"drop_negative", 0, OPT_FLAG, AT(view.drop_negative), 0, NULL, VALUES, "a stack that shrank since the base counts as 0"},
	{"mean", 0, OPT_FLAG, AT(view.mean), 0, NULL, VALUES, "the mean: bytes an object, waiting time a wait, CPU time a sample"},
	{"divide_by", 0, OPT_DIVISOR, AT(view.divide_by), 0, "F", VALUES, "show all values divided by F"},
	{"columns", 0, OPT_STRING, AT(columns), 0, "TYPE,TYPE", VALUES, "with --top: a column for each of these types, and mean; rows go by the first"},
	{"sizes", 0, OPT_FLAG, AT(rows.sizes), 0, NULL, VALUES, "with --top: how large the blocks of each row are, by powers of two"},
	{"unit", 0, OPT_STRING, AT(rows.unit), 0, "UNIT", VALUES, "B, kB, MB, GB ..., auto (by the total) or minimum (by the smallest)"},
	{"show_bytes", 0, OPT_FLAG, AT(rows.show_bytes), 0, NULL, VALUES, "bytes instead of MB"},

	{"functions", 0, OPT_CHOICE, AT(granularity), BY_FUNCTION, NULL, ROWS, "a row for each function (the default)"},
	{"filefunctions", 0, OPT_CHOICE, AT(granularity), BY_FUNCTION_AND_FILE, NULL, ROWS, "a row for each function of each source file"},
	{"lines", 0, OPT_CHOICE, AT(granularity), BY_LINE, NULL, ROWS, "a row for each line of source"},
	{"files", 0, OPT_CHOICE, AT(granularity), BY_FILE, NULL, ROWS, "a row for each source file"},
	{"addresses", 0, OPT_CHOICE, AT(granularity), BY_ADDRESS, NULL, ROWS, "a row for each address"},
	{"noinlines", 0, OPT_FLAG, AT(view.no_inlines), 0, NULL, ROWS, "what is inlined counts as the function that it is inlined into"},
	{"showcolumns", 0, OPT_FLAG, AT(rows.show_columns), 0, NULL, ROWS, "with --lines: the column too"},
	{"show_addresses", 0, OPT_FLAG, AT(rows.show_addresses), 0, NULL, ROWS, "functions and lines by address: f (0000000000401051)"},
	{"return_addresses", 0, OPT_FLAG, AT(rows.return_addresses), 0, NULL, ROWS, "show addresses as the input gives them, not those of the calls, one less"},
	{"cum", 0, OPT_CHOICE, AT(sort), SORT_CUM, NULL, ROWS, "sort by what is below a row too, not by its own value"},
	{"flat", 0, OPT_CHOICE, AT(sort), SORT_FLAT, NULL, ROWS, "sort by a row's own value (the default)"},
	{"compact_labels", 0, OPT_FLAG, AT(rows.compact_labels), 0, NULL, ROWS, "no lines about the profile above a table"},
	{"no_strip_temp", 0, OPT_FLAG, AT(no_strip_temp), 0, NULL, ROWS, "keep template arguments: f<int>, not f"},
	{"all_frames", 0, OPT_FLAG, AT(view.all_frames), 0, NULL, ROWS, "keep the frames of allocators, locks and signals, and those that the profile drops"},

	{"source_path", 0, OPT_STRING, AT(source.path), 0, "DIR:DIR", LISTINGS, "look for source files below these folders (the current one)"},
	{"trim_path", 0, OPT_STRING, AT(source.trim), 0, "DIR:DIR", LISTINGS, "take these folders off the front of paths before that"},
	{"embed_source", 0, OPT_FLAG, AT(embed_source), 0, NULL, LISTINGS, "with --html: the source of the heaviest functions is in the page"},
	{"intel_syntax", 0, OPT_FLAG, AT(disasm.intel_syntax), 0, NULL, LISTINGS, "instructions of x86 as Intel writes them"},

	{"focus", 0, OPT_STRING, AT(view.focus), 0, "REGEX", FILTERS, "only stacks with a function, file, file:line or object that matches"},
	{"ignore", 0, OPT_STRING, AT(view.ignore), 0, "REGEX", FILTERS, "no stacks with one that matches"},
	{"show", 0, OPT_STRING, AT(view.show), 0, "REGEX", FILTERS, "only frames that match, and stacks with one"},
	{"hide", 0, OPT_STRING, AT(view.hide), 0, "REGEX", FILTERS, "no frames that match: what they hold is their callers'"},
	{"show_from", 0, OPT_STRING, AT(view.show_from), 0, "REGEX", FILTERS, "stacks from their first match on, seen from the root; none without one"},
	{"prune_from", 0, OPT_STRING, AT(view.prune_from), 0, "REGEX", FILTERS, "stacks up to their last function that matches; whole ones without one"},
	{"retain", 0, OPT_STRING, AT(view.retain), 0, "REGEX", FILTERS, "only frames whose function matches, by the one that others are inlined into"},
	{"exclude", 0, OPT_STRING, AT(view.exclude), 0, "REGEX", FILTERS, "no frames whose function matches, by the same one"},
	{"relative_percentages", 0, OPT_FLAG, AT(view.is_relative), 0, NULL, FILTERS, "percentages of what the filters left, not of all"},
	{"thread", 0, OPT_STRING, AT(read.thread), 0, "K|*", FILTERS, "only what thread K did; '*': a --text table for each thread"},
	{"tagfocus", 0, OPT_STRING, AT(view.tags.focus), 0, "[K=]VALUE", FILTERS, "only samples with such a label: patterns, or a range of numbers (32kb, 4mb:, :64kb, 1s:5s)"},
	{"tagignore", 0, OPT_STRING, AT(view.tags.ignore), 0, "[K=]VALUE", FILTERS, "no samples with such a label"},
	{"tagshow", 0, OPT_STRING, AT(view.tags.show), 0, "REGEX", FILTERS, "show only labels whose key matches"},
	{"taghide", 0, OPT_STRING, AT(view.tags.hide), 0, "REGEX", FILTERS, "show no labels whose key matches"},
	{"tagroot", 0, OPT_STRING, AT(tag_frames.root), 0, "KEY,KEY", FILTERS, "put what samples are labelled with at the root of their stacks, a frame for each key"},
	{"tagleaf", 0, OPT_STRING, AT(tag_frames.leaf), 0, "KEY,KEY", FILTERS, "likewise at the leaf"},

	{"nodecount", 0, OPT_INT, AT(rows.node_count), -1, "N", GRAPH, "at most N nodes (graphs: 80; --html, --flame: 200000; tables: no limit); 0: no limit"},
	{"nodefraction", 0, OPT_FRACTION, AT(rows.node_fraction), 0, "F", GRAPH, "drop nodes below this part of the total (0.005); not in --text"},
	{"edgefraction", 0, OPT_FRACTION, AT(rows.edge_fraction), 0, "F", GRAPH, "drop edges below this part of the total (0.001)"},
	{"maxdegree", 0, OPT_INT, AT(rows.max_degree), 0, "N", GRAPH, "at most N edges into and out of a node (8); 0: no limit"},
	{"trim", 0, OPT_FLAG, AT(rows.trim), 0, NULL, GRAPH, "on unless --notrim, which shows every node and edge"},
	{"call_tree", 0, OPT_FLAG, AT(rows.call_tree), 0, NULL, GRAPH, "a node for each way to a function, not for each function"},
	{"tagnodes", 0, OPT_FLAG, AT(rows.tag_nodes), 0, NULL, GRAPH, "boxes at the nodes for the labels of the samples and the sizes of their blocks"},
	{"heapcheck", 0, OPT_FLAG, AT(rows.heapcheck), 0, NULL, GRAPH, "fill nodes that hold something, triple border for those that lost some"},
	{"scale", 0, OPT_INT, AT(gv_scale), 0, "N", GRAPH, "the zoom of --gv"},

	{"sysroot", 0, OPT_STRING, AT(symbolize.find.sysroot), 0, "DIR", OBJECTS, "look for programs, libraries and debug files below DIR alone"},
	{"path_map", 0, OPT_LIST, AT(path_maps), 0, "FROM=TO", OBJECTS, "look for files of the profile below FROM in the folder TO instead; may be repeated"},
	{"symbol_path", 0, OPT_LIST, AT(symbol_paths), 0, "DIR", OBJECTS, "look for them in DIR first, by build id, path or name; may be repeated"},
	{"lib_prefix", 0, OPT_STRING, AT(lib_prefixes), 0, "DIR,DIR", OBJECTS, "look for /a/b/libx.so of the profile as DIR/a/b/libx.so, DIR/b/libx.so, DIR/libx.so"},
	{"add_lib", 0, OPT_LIST, AT(added_libs), 0, "FILE", OBJECTS, "look addresses in no object up in FILE, as they were linked; may be repeated"},
	{"perf_map", 0, OPT_STRING, AT(symbolize.perf_map), 0, "FILE", OBJECTS, "names of code made at run time, as in /tmp/perf-PID.map"},
	{"force_binary", 0, OPT_FLAG, AT(symbolize.find.use_other_builds), 0, NULL, OBJECTS, "use a program, library or debug file of another build where there is no right one"},
	{"symbolize", 0, OPT_STRING, AT(symbolize_words), 0, "HOW", OBJECTS, "none: no look-up; force: also of what has names; demangle=none, full, templates: names as shown; several with ':'"},
	{"buildid", 0, OPT_STRING, AT(build_id), 0, "ID", OBJECTS, "the build id of the program, whatever the profile says"},
	{"debug_syms_by_id", 0, OPT_ACCEPTED, 0, 0, NULL, OBJECTS, "always so: debug files are found by build id"},
	{"tools", 0, OPT_STRING, AT(tools), 0, "WHERE", OBJECTS, "where objdump is: objdump:PATH, a folder, or what its name begins with; several with ','"},
	{"cache", 0, OPT_FLAG, AT(use_cache), 0, NULL, OBJECTS, "on unless --no-cache, which takes no names from earlier runs and keeps none"},

	{"jobs", 'j', OPT_INT, AT(jobs), 0, "N", INPUT, "use N threads (as many as processors); the output is the same"},
	{"sampling_period", 0, OPT_SIZE, AT(read.sampling_period), 0, "SIZE", INPUT, "bytes from one sample to the next, where the file does not say or is wrong"},
	{"no_unsample", 0, OPT_FLAG, AT(read.no_unsample), 0, NULL, INPUT, "sampled counts as they stand, not what they stand for"},
	{"add_comment", 0, OPT_LIST, AT(comments), 0, "TEXT", INPUT, "a comment for --proto, --comments and headers; may be repeated"},
	{"no_auto_signal_frm", 0, OPT_ACCEPTED, 0, 0, NULL, INPUT, "without a meaning: signal frames go by their names alone"},
	{"max_inflate", 0, OPT_SIZE, AT(read.max_inflate), 0, "SIZE", INPUT, "refuse compressed input that expands to more (4GB)"},
	{"strict", 0, OPT_STRICT, AT(strict), 0, "symbols", INPUT, "exit with 3 when input was cut or skipped; =symbols: or has no names"},

	{"interactive", 0, OPT_FLAG, AT(interactive), 0, NULL, MESSAGES, "a shell, as without a report on a terminal; commands may also come from a pipe"},
	{"output", 'o', OPT_STRING, AT(output), 0, "FILE", MESSAGES, "write the report to FILE"},
	{"color", 0, OPT_WORD, AT(color), 0, "auto|always|never", MESSAGES, "colours in tables and messages: on a terminal unless NO_COLOR is set (auto), always or never"},
	{"config", 0, OPT_FLAG, AT(use_config), 0, NULL, MESSAGES, "on unless --no-config, which takes no options from ~/.config/pprof/config"},
	{"sandbox", 0, OPT_FLAG, AT(use_sandbox), 0, NULL, MESSAGES, "on unless --no-sandbox: the run gives up sockets and the starting of programs"},
	{"quiet", 'q', OPT_FLAG, AT(quiet), 0, NULL, MESSAGES, "no warnings"},
	{"verbose", 'v', OPT_FLAG, AT(verbose), 0, NULL, MESSAGES, "say which files are used, and each path that is tried"},
	{"help", 'h', OPT_HELP, AT(help), 0, "GROUP", MESSAGES, "show how to use it, or the options of a group, or =all of them"},
	{"version", 0, OPT_FLAG, AT(version), 0, NULL, MESSAGES, "show the version, and those of the libraries"},

	{"http", 0, OPT_REFUSED, 0, 0, "HOST:PORT", ELSEWHERE, "there is no server here; --html -o FILE writes a page for a browser"},
	{"no_browser", 0, OPT_REFUSED, 0, 0, NULL, ELSEWHERE, "there is no server here; --html -o FILE writes a page for a browser"},
	{"test", 0, OPT_REFUSED, 0, 0, NULL, ELSEWHERE, "gperftools' test of itself; --info tells of a profile"},
	{"test_stride", 0, OPT_REFUSED, 0, 0, "N", ELSEWHERE, "gperftools' test of itself; --info tells of a profile"},
	{"debug", 0, OPT_REFUSED, 0, 0, NULL, ELSEWHERE, "-v says which files are used, and each path that is tried"},
	{"seconds", 0, OPT_REFUSED, 0, 0, "N", ELSEWHERE, "nothing is fetched; use curl -o FILE 'URL?seconds=N', then give FILE"},
	{"timeout", 0, OPT_REFUSED, 0, 0, "N", ELSEWHERE, "nothing is fetched; use curl -m N -o FILE URL, then give FILE"},
	{"tls_cert", 0, OPT_REFUSED, 0, 0, "FILE", ELSEWHERE, "nothing is fetched; use curl --cert, then give the file"},
	{"tls_key", 0, OPT_REFUSED, 0, 0, "FILE", ELSEWHERE, "nothing is fetched; use curl --key, then give the file"},
	{"tls_ca", 0, OPT_REFUSED, 0, 0, "FILE", ELSEWHERE, "nothing is fetched; use curl --cacert, then give the file"},
};
/* clang-format on */
enum { N_FIXED = sizeof fixed_rows / sizeof *fixed_rows, MOST_ROWS = N_FIXED + 64 };

const struct opt_row *opt_rows(size_t *n_ret)
{
	static struct opt_row rows[MOST_ROWS];
	static size_t n;

	if (!n) {
		for (size_t i = 0; renderers[i] && n < MOST_ROWS - N_FIXED; i++) {
			const struct renderer *renderer = renderers[i];

			rows[n++] = (struct opt_row){.name = renderer->name,
			                             .kind = renderer->arg ? OPT_REPORT : OPT_NAMED,
			                             .at = AT(report),
			                             .arg = renderer->arg,
			                             .group = REPORTS,
			                             .help = renderer->help};
		}
		memcpy(rows + n, fixed_rows, sizeof fixed_rows);
		n += N_FIXED;
	}
	*n_ret = n;
	return rows;
}

/* ---- by name ---- */

void opt_unify_name(char *name)
{
	for (; *name; name++)
		if (*name == '-')
			*name = '_';
}

bool opt_arg_is_optional(const struct opt_row *row)
{
	return row->kind == OPT_STRICT || row->kind == OPT_HELP || row->kind == OPT_COUNT;
}

bool opt_is_negatable(const struct opt_row *row)
{
	return row->kind == OPT_FLAG || row->kind == OPT_CHOICE || row->kind == OPT_NAMED || row->kind == OPT_ACCEPTED;
}

const char *opt_behind_no(const char *name)
{
	return strncmp(name, "no", 2) == 0 ? name + 2 + (name[2] == '_') : NULL;
}

/* Flags that begin with "no" are also written with a '_' behind it, or without the one that they have. */
static bool is_called(const struct opt_row *row, const char *name)
{
	const char *its_rest = opt_behind_no(row->name), *rest = opt_behind_no(name);

	return strcmp(row->name, name) == 0 || (row->kind == OPT_FLAG && its_rest && rest && strcmp(its_rest, rest) == 0);
}

static const struct opt_row *find(const char *name)
{
	size_t n;
	const struct opt_row *rows = opt_rows(&n);

	for (size_t i = 0; i < n; i++)
		if (is_called(&rows[i], name))
			return &rows[i];
	return NULL;
}

const struct opt_row *opt_find(const char *name)
{
	char CLEANUP(mem_free_local) *unified = mem_strndup(name, strlen(name));

	opt_unify_name(unified);
	return find(unified);
}

const struct opt_row *opt_find_negated(const char *name)
{
	char CLEANUP(mem_free_local) *unified = mem_strndup(name, strlen(name));

	opt_unify_name(unified);
	const char *rest = opt_behind_no(unified);
	const struct opt_row *row = rest ? find(rest) : NULL;
	return row && opt_is_negatable(row) ? row : NULL;
}

/* ---- by a name that is misspelt ---- */

static unsigned min3(unsigned a, unsigned b, unsigned c)
{
	unsigned least = a < b ? a : b;

	return least < c ? least : c;
}

enum { LONGEST_NAME = 63, FAR = 1 << 28 };

/* How many letters must be added, removed or changed to make one of the other; FAR where one is longer than any name. */
static unsigned distance(const char *a, const char *b)
{
	unsigned row[LONGEST_NAME + 1];
	size_t length = strnlen(b, LONGEST_NAME + 1);

	if (length > LONGEST_NAME || strnlen(a, LONGEST_NAME + 1) > LONGEST_NAME)
		return FAR;
	for (unsigned i = 0; i <= length; i++)
		row[i] = i;
	for (unsigned i = 1; *a; a++, i++) {
		unsigned diagonal = row[0];

		row[0] = i;
		for (unsigned k = 1; k <= length; k++) {
			unsigned above = row[k];

			row[k] = min3(row[k] + 1, row[k - 1] + 1, diagonal + (tolower((unsigned char)*a) != b[k - 1]));
			diagonal = above;
		}
	}
	return row[length];
}

/* What is said without the "no" of the option's name may mean it too. */
static unsigned distance_of_row(const char *name, const struct opt_row *row)
{
	const char *rest = row->kind == OPT_FLAG ? opt_behind_no(row->name) : NULL;
	unsigned whole = distance(name, row->name), part = rest ? distance(name, rest) : whole;

	return part < whole ? part : whole;
}

const char *opt_similar(const char *name)
{
	size_t n;
	const struct opt_row *rows = opt_rows(&n);
	size_t least = (strlen(name) + 1) / 2; /* half of the letters are as they should */
	const char *found = NULL;

	for (size_t i = 0; i < n; i++) {
		unsigned d = distance_of_row(name, &rows[i]);

		if (d < least && rows[i].kind != OPT_REFUSED) {
			least = d;
			found = rows[i].name;
		}
	}
	return found;
}

struct err *opt_unknown(const char *name)
{
	size_t n;
	const struct opt_row *rows = opt_rows(&n);
	const char *matches[2] = {NULL, NULL}, *similar = opt_similar(name);

	for (size_t i = 0; i < n; i++)
		if (*name && strncmp(rows[i].name, name, strlen(name)) == 0 && !matches[1])
			matches[matches[0] != NULL] = rows[i].name;
	if (matches[1])
		return err_new("option --%s: expected --%s or --%s or another whole name", name, matches[0], matches[1]);
	if (similar)
		return err_new("unknown option --%s: the nearest is --%s (--help=all shows all)", name, similar);
	return err_new("unknown option --%s: --help=all shows all", name);
}
