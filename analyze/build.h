/* The only writer of a profile: interns strings, folds equal stacks, merges profiles. */
#pragma once

#include "analyze/base/err.h"
#include "analyze/profile.h"

struct build;

struct build *build_new(void);
void build_free(struct build *build);
/* What has been built so far, to read. Pointers into its columns last until the next call that writes. */
const struct profile *build_profile(const struct build *build);
/* Where readers and the symbolizer leave their notes. */
struct diag *build_notes(struct build *build);

str_id build_str(struct build *build, const char *text, size_t length);
str_id build_cstr(struct build *build, const char *text);

/* All types come before the first sample. Returns the type's number. */
uint32_t build_type(struct build *build, const char *type, const char *unit);
void build_set_period(struct build *build, const char *type, const char *unit, int64_t period);
void build_set_default_type(struct build *build, uint32_t type);
/* Likewise, of an input that names the type. */
void build_name_default_type(struct build *build, uint32_t type);
void build_set_time(struct build *build, int64_t time_nanos, int64_t duration_nanos);
/* When the current source was taken, where the profile does not say it, or somebody knows better. */
void build_source_time(struct build *build, int64_t time_nanos);
void build_set_doc_url(struct build *build, str_id url);
void build_set_frame_filters(struct build *build, str_id drop_frames, str_id keep_frames);
/* Equal comments are one. */
void build_comment(struct build *build, str_id comment);

/* A source is begun before its rows; maps and locations that follow belong to it. */
void build_source(struct build *build, const char *name, const char *format);
/* Files of its format have no map by nature, or bring names along: that there is none is no trouble. */
void build_mapless(struct build *build);
/* What --info tells of it: header is what the input says of itself, rule how its values came about. */
void build_source_facts(struct build *build, const char *header, const char *rule, int64_t period);
/* The first location of the current source; the others follow. */
uint32_t build_first_loc(const struct build *build);
void build_count_row(struct build *build);
void build_end_source(struct build *build, uint64_t n_input_lines);

/* The object of this file; equal file and build id give the same one, and so does a file without a build id. */
object_id build_object(struct build *build, str_id file, str_id build_id);
void build_object_facts(struct build *build, object_id object, bool deleted, uint64_t inode);
/* Whatever the input says. Once all inputs are read: until then the build id tells objects apart. */
void build_set_build_id(struct build *build, object_id object, str_id build_id);
/* Says that the source has a map section, were it empty. */
void build_maps_begin(struct build *build);
map_id build_map(struct build *build, const struct mapping *mapping);

/* A row of a map whose addresses are still to be placed. */
struct map_row {
	struct mapping mapping; /* object 0: memory without a name */
	bool executable;        /* the others place nothing, but tell where their file lies */
	bool lacks_file;        /* memory alone, such as remapped text: a neighbour's file may reach into it */
	bool lacks_offset;      /* the producer writes no offsets: the object's first row is its offset 0 */
};

/* Adds the executable ones of these rows to the source's mappings, by address, and gives each of its locations its
 * mapping, object, offset and a guess of its vaddr. The rows may come in any order and overlap: what two cover belongs
 * to the one that starts first. Once a source. Sorts and changes rows. */
void build_assign_maps(struct build *build, struct map_row *rows, uint32_t n_rows);

/* The location of this address in the current source; made at the first call. */
loc_id build_loc(struct build *build, uint64_t addr);
/* The input gives the address that the location's call returns to, one more than its own. */
void build_mark_return(struct build *build, loc_id loc);
/* A location whose mapping the input names (row 0: none); each call makes one, equal ones are folded by
 * build_fold. */
loc_id build_placed_loc(struct build *build, uint64_t addr, map_id map);
/* The stack of these frames, leaf first; equal ones are one row. Empty stacks are row 0. */
stack_id build_stack(struct build *build, const loc_id *frames, uint32_t n);
/* The set of these labels; equal ones (in the same order) are one row. No labels are row 0. */
labels_id build_labels(struct build *build, const struct label *labels, uint32_t n);
/* Adds values[n_types] to the sample of this stack and these labels in the main set. */
void build_sample(struct build *build, stack_id stack, labels_id labels, const double *values);
/* Says of what was just added to a sample how large its blocks are; 0: not known. To be said of all samples, or of none.
 * Never a part of the sample's identity: where several sizes meet, none is kept. */
void build_block_size(struct build *build, int64_t size);
/* The samples are not of blocks of one size each (struct profile). */
void build_hide_blocks(struct build *build);

/* Makes locations of one place (object, offset and, where both have them, lines) one. For readers that place their
 * locations themselves; build_assign_maps does it too. */
void build_fold(struct build *build);

/* What is of an object in joined[], by row, becomes the other's: they are one file under several names. */
void build_join_objects(struct build *build, const bool *joined, object_id into);

/* What the symbolizer writes. Functions of equal content are one row. */
func_id build_func(struct build *build, const struct function *function);
/* Other names for a function that the input named: name, rule_name and full_name of these. */
void build_func_names(struct build *build, func_id func, const struct function *names);
void build_lines(struct build *build, loc_id loc, const struct line *lines, uint32_t n);
/* Likewise, of names that a text profile brings along. */
void build_hint(struct build *build, loc_id loc, const struct line *lines, uint32_t n);
void build_vaddr(struct build *build, loc_id loc, uint64_t vaddr);
void build_set_program(struct build *build, object_id object);
void build_object_fate(struct build *build, object_id object, enum object_fate fate, str_id path_used);
void build_object_build_id(struct build *build, object_id object, str_id used_build_id);
void build_object_time(struct build *build, object_id object, int64_t time_nanos);
void build_object_calls(struct build *build, object_id object, uint32_t n_returns, uint32_t n_calls, bool is_doubtful);
/* The location turned out to lie in no object. */
void build_unplace(struct build *build, loc_id loc);

/* Adds another profile to a set of this one. Locations match by (object, offset), and by their lines where both have
 * some; sample types match by name or alias, and those that only one side has are dropped with a note. The error says
 * that no type is common to both. */
struct err *build_append(struct build *build, const struct profile *other, uint32_t set) MUST_CHECK;
/* Makes room for so many sets, more than there are; what was read so far, a single one, becomes this one. */
void build_widen(struct build *build, uint32_t n_sets, uint32_t set);
/* Leaves so many sets, of which this one, behind them, becomes SET_MAIN. */
void build_narrow(struct build *build, uint32_t n_sets, uint32_t main_set);

/* A profile under construction that is like another but for its stacks: those of its samples are empty until build_set_stack
 * gives each of them one. Rows stay what they are, and texts stay the other's, which has to outlive what is built. */
struct build *build_copy(const struct profile *other);
void build_set_stack(struct build *build, uint32_t sample, stack_id stack);
/* A location that stands for a label; its line is to follow. */
loc_id build_tag_loc(struct build *build);

/* Ends the building: the profile, which the caller frees. build is gone. */
struct profile *build_finish(struct build *build);
