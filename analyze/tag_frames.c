#include "analyze/tag_frames.h"

#include "analyze/base/index.h"
#include "analyze/base/text.h"
#include "analyze/build.h"
#include "analyze/cut.h"
#include "analyze/labels.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Labels may part a stack that a million samples share. */
enum { MOST_FRAMES = 1 << 27, MOST_KEYS = 64 };
/* What is made of several values: a long one may stand in a million of sets. */
enum { LONGEST_NAME = 64 << 10, SHORT_NAME = 100, FREE_NAME_BYTES = 128 << 20 };

struct key {
	const char *option; /* "tagroot" */
	str_id name;
	bool is_bytes; /* the size of blocks has this key too */
	bool is_found; /* a sample has such a label */
};

/* A stack with the frames of one set of labels. */
struct made {
	stack_id from, to;
};

struct adding {
	const struct profile *old; /* with the frames that a view would keep */
	struct profile *own;       /* the same, where some were dropped; else NULL */
	const struct tag_frames_opts *opts;
	struct build *build;
	struct key *keys; /* of the frames that are added, leaf first: n_leaf at the leaf, the others at the root */
	uint32_t n_keys, cap_keys, n_leaf;
	loc_id *of_set; /* [label set][key]; row 0: not looked up yet */
	loc_id *tags;   /* of the sample at hand, by key */
	struct index tag_index, made_index;
	struct made *made;
	uint32_t n_made, cap_made;
	loc_id *frames; /* of the stack at hand */
	uint32_t n_frames, cap_frames;
	char *name; /* that is being put together */
	size_t name_length;
	uint64_t name_bytes; /* of all of them */
};

/* ---- keys ---- */

static void push_key(struct adding *adding, const char *option, str_id name)
{
	bool is_bytes = strcmp(profile_text(build_profile(adding->build), name), "bytes") == 0;

	MEM_GROW(adding->keys, adding->n_keys, adding->cap_keys);
	adding->keys[adding->n_keys++] = (struct key){.option = option, .name = name, .is_bytes = is_bytes};
}

static void reverse(struct key *keys, uint32_t first, uint32_t end)
{
	for (; first + 1 < end; first++) {
		struct key key = keys[first];

		keys[first] = keys[--end];
		keys[end] = key;
	}
}

/* From the last to the first, which is the order of frames. */
static void list_keys(struct adding *adding, const char *option, const char *list)
{
	uint32_t first = adding->n_keys;
	size_t length;

	for (const char *key; list && (key = text_item(&list, ',', &length));)
		push_key(adding, option, build_str(adding->build, key, length));
	reverse(adding->keys, first, adding->n_keys);
}

static void note_keys(const struct adding *adding)
{
	for (uint32_t i = 0; i < adding->n_keys; i++) {
		const struct key *key = &adding->keys[i];

		if (!key->is_found)
			diag_add(build_notes(adding->build), NOTE_WARNING, NOTE_PLAIN, "--%s=%s: no sample has such a label",
			         key->option, profile_text(build_profile(adding->build), key->name));
	}
}

/* ---- locations ---- */

struct tag_key {
	const struct profile *p;
	str_id name, file;
};

static bool same_tag(const void *context, uint32_t row)
{
	const struct tag_key *key = context;
	const struct function *func = &key->p->funcs[key->p->lines[key->p->locs[row].first_line].func.row];

	return func->name.row == key->name.row && func->file.row == key->file.row;
}

/* The location of a label's value. */
static loc_id tag_loc(struct adding *adding, str_id name, str_id file)
{
	struct build *build = adding->build;
	struct tag_key key = {build_profile(build), name, file};
	uint64_t hash = hash_pair(name.row, file.row);
	uint32_t row = index_find(&adding->tag_index, hash, same_tag, &key);

	if (row != INDEX_NONE)
		return (loc_id){row};
	loc_id loc = build_tag_loc(build);
	struct line line = {.func = build_func(build, &(struct function){.name = name, .file = file})};
	build_lines(build, loc, &line, 1);
	index_add(&adding->tag_index, hash, loc.row);
	return loc;
}

/* ---- names ---- */

static void add_to_name(struct adding *adding, const char *text)
{
	size_t most = adding->name_bytes < FREE_NAME_BYTES ? LONGEST_NAME : SHORT_NAME;

	if (adding->name_length && adding->name_length < most)
		adding->name[adding->name_length++] = ',';
	size_t room = adding->name_length < most ? most - adding->name_length : 0, length = strnlen(text, room);
	memcpy(adding->name + adding->name_length, text, length);
	adding->name_length += length;
	adding->name_bytes += length;
}

/* In the user's unit; a label that measures something else is not what he meant. */
static const char *in_units(const struct adding *adding, const struct shown_label *label, char text[UNITS_TEXT])
{
	const char *unit = labels_unit(label->key, label->unit), *wanted = adding->opts->unit;
	struct unit_style style;
	double factor;

	if (!wanted || !units_factor(unit, wanted, &factor))
		return labels_number(text, label);
	struct err *err = units_wanted(wanted, unit, (double)label->number, 0, &style);
	if (!err)
		return units_label(text, &style, (double)label->number);
	err_free(err);
	return labels_number(text, label);
}

static const char *number_text(const struct adding *adding, const struct label *label, char text[UNITS_TEXT])
{
	struct shown_label shown = {.key = profile_text(adding->old, label->key),
	                            .number = label->number,
	                            .unit = profile_text(adding->old, label->unit)};

	return in_units(adding, &shown, text);
}

static void add_texts(struct adding *adding, const struct label_set *set, str_id key)
{
	for (uint32_t i = set->first; i < set->first + set->n; i++) {
		const struct label *label = &adding->old->labels[i];

		if (label->key.row == key.row && label->text.row)
			add_to_name(adding, profile_text(adding->old, label->text));
	}
}

static void add_numbers(struct adding *adding, const struct label_set *set, str_id key)
{
	char text[UNITS_TEXT];

	for (uint32_t i = set->first; i < set->first + set->n; i++) {
		const struct label *label = &adding->old->labels[i];

		if (label->key.row == key.row && !label->text.row)
			add_to_name(adding, number_text(adding, label, text));
	}
}

static str_id end_name(struct adding *adding)
{
	str_id name = build_str(adding->build, adding->name, adding->name_length);

	adding->name_length = 0;
	return name;
}

/* First the texts, then the numbers, as google/pprof has them. Mostly there is one text, which is the profile's own. */
static str_id name_of(struct adding *adding, const struct label_set *set, struct key *key)
{
	const struct label *only = NULL;
	uint32_t n = 0;

	for (uint32_t i = set->first; i < set->first + set->n; i++) {
		if (adding->old->labels[i].key.row != key->name.row)
			continue;
		only = &adding->old->labels[i];
		n++;
	}
	key->is_found |= n > 0;
	if (n == 1 && only->text.row)
		return only->text;
	add_texts(adding, set, key->name);
	add_numbers(adding, set, key->name);
	return end_name(adding);
}

static str_id name_of_blocks(struct adding *adding, int64_t size)
{
	char text[UNITS_TEXT];

	add_to_name(adding, in_units(adding, &(struct shown_label){.key = "bytes", .number = size, .unit = ""}, text));
	return end_name(adding);
}

/* ---- the labels of a sample ---- */

static const loc_id *tags_of_set(struct adding *adding, labels_id labels)
{
	loc_id *tags = adding->of_set + (size_t)labels.row * adding->n_keys;

	if (!tags[0].row)
		for (uint32_t i = 0; i < adding->n_keys; i++)
			tags[i] = tag_loc(adding, name_of(adding, &adding->old->label_sets[labels.row], &adding->keys[i]),
			                  adding->keys[i].name);
	return tags;
}

static void find_tags(struct adding *adding, uint32_t sample)
{
	int64_t size;

	memcpy(adding->tags, tags_of_set(adding, adding->old->sample_labels[sample]),
	       adding->n_keys * sizeof *adding->tags);
	for (uint32_t i = 0; i < adding->n_keys; i++) {
		struct key *key = &adding->keys[i];

		if (!key->is_bytes || !labels_block_size(adding->old, sample, &size))
			continue;
		adding->tags[i] = tag_loc(adding, name_of_blocks(adding, size), key->name);
		key->is_found = true;
	}
}

/* ---- stacks ---- */

static void push(struct adding *adding, loc_id loc)
{
	MEM_GROW(adding->frames, adding->n_frames, adding->cap_frames);
	adding->frames[adding->n_frames++] = loc;
}

static stack_id make_stack(struct adding *adding, stack_id from)
{
	const struct stack *stack = &adding->old->stacks[from.row];

	adding->n_frames = 0;
	for (uint32_t i = 0; i < adding->n_leaf; i++)
		push(adding, adding->tags[i]);
	for (uint32_t i = 0; i < stack->n; i++)
		push(adding, adding->old->frames[stack->first + i]);
	for (uint32_t i = adding->n_leaf; i < adding->n_keys; i++)
		push(adding, adding->tags[i]);
	return build_stack(adding->build, adding->frames, adding->n_frames);
}

struct made_key {
	const struct adding *adding;
	stack_id from;
};

static bool same_made(const void *context, uint32_t row)
{
	const struct made_key *key = context;
	const struct adding *adding = key->adding;
	const struct made *made = &adding->made[row];
	const struct profile *p = build_profile(adding->build);
	const struct stack *stack = &p->stacks[made->to.row];
	const loc_id *frames = p->frames + stack->first;
	uint32_t n_root = adding->n_keys - adding->n_leaf;

	return made->from.row == key->from.row && memcmp(frames, adding->tags, adding->n_leaf * sizeof *frames) == 0 &&
	       memcmp(frames + stack->n - n_root, adding->tags + adding->n_leaf, n_root * sizeof *frames) == 0;
}

/* The stack with the tags at hand; made once, for it may be long. */
static stack_id tagged_stack(struct adding *adding, stack_id from)
{
	struct made_key key = {adding, from};
	uint64_t hash = hash_pair(from.row, hash_bytes(adding->tags, adding->n_keys * sizeof *adding->tags));
	uint32_t row = index_find(&adding->made_index, hash, same_made, &key);

	if (row != INDEX_NONE)
		return adding->made[row].to;
	stack_id to = make_stack(adding, from);
	MEM_GROW(adding->made, adding->n_made, adding->cap_made);
	adding->made[adding->n_made] = (struct made){from, to};
	index_add(&adding->made_index, hash, adding->n_made++);
	return to;
}

static struct err *too_many(void)
{
	return err_new("--tagroot, --tagleaf: expected at most %d frames in all stacks; choose fewer labels", MOST_FRAMES);
}

static struct err *add_to_samples(struct adding *adding)
{
	const struct profile *old = adding->old;

	for (uint32_t i = 0; i < old->n_samples; i++) {
		find_tags(adding, i);
		build_set_stack(adding->build, i, tagged_stack(adding, old->sample_stacks[i]));
		if (build_profile(adding->build)->n_frames > MOST_FRAMES)
			return too_many();
	}
	note_keys(adding);
	return NULL;
}

/* ---- all together ---- */

static bool is_given(const char *list)
{
	return list && list[strspn(list, ",")];
}

bool tag_frames_are_wanted(const struct tag_frames_opts *opts)
{
	return is_given(opts->root) || is_given(opts->leaf);
}

/* The profile without the frames that a view would drop. */
static struct profile *drop_frames(const struct profile *p, struct diag *notes)
{
	static const struct cut_filters none;
	struct frames_start *starts = frames_find_starts(p, notes);
	struct cut *cut = cut_new(p, starts, &none);

	for (uint32_t i = 0; i < p->n_samples; i++)
		cut_stack(cut, p->sample_stacks[i]);
	struct profile *kept = cut_finish(cut);
	free(starts);
	return kept;
}

static void begin(struct adding *adding)
{
	struct diag notes = {0};

	if (!adding->opts->all_frames)
		adding->old = adding->own = drop_frames(adding->old, &notes);
	adding->build = build_copy(adding->old);
	if (!adding->opts->all_frames)
		build_set_frame_filters(adding->build, (str_id){0}, (str_id){0});
	diag_append(build_notes(adding->build), &notes);
	diag_clear(&notes);
}

static struct err *prepare(struct adding *adding)
{
	const struct tag_frames_opts *opts = adding->opts;

	begin(adding);
	list_keys(adding, "tagleaf", opts->leaf);
	adding->n_leaf = adding->n_keys;
	list_keys(adding, "tagroot", opts->root);
	if (adding->n_keys > MOST_KEYS)
		return err_new("--tagroot, --tagleaf: expected at most %d keys, found %" PRIu32, MOST_KEYS, adding->n_keys);
	uint64_t n_tags = (uint64_t)adding->old->n_label_sets * adding->n_keys;
	if (n_tags > MOST_FRAMES)
		return too_many();
	adding->of_set = mem_zalloc(n_tags, sizeof *adding->of_set);
	adding->tags = mem_alloc(adding->n_keys, sizeof *adding->tags);
	adding->name = mem_alloc(LONGEST_NAME, 1);
	return NULL;
}

static void clear(struct adding *adding)
{
	build_free(adding->build);
	cut_free(adding->own);
	free(adding->keys);
	free(adding->of_set);
	free(adding->tags);
	free(adding->made);
	free(adding->frames);
	free(adding->name);
	index_free(&adding->tag_index);
	index_free(&adding->made_index);
}

struct err *tag_frames_add(const struct profile *profile, const struct tag_frames_opts *opts, struct profile **ret)
{
	struct adding adding = {.old = profile, .opts = opts};
	struct err *err = prepare(&adding);

	if (!err)
		err = add_to_samples(&adding);
	if (!err) {
		*ret = build_finish(adding.build);
		adding.build = NULL;
	}
	clear(&adding);
	return err;
}
