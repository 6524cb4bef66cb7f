#include "analyze/test.h"

#include "analyze/base/pb.h"
#include "analyze/read/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A Profile under construction. */
struct message {
	struct pb_writer out;
	uint64_t n_strings;
};

static uint64_t add_str(struct message *to, const char *text)
{
	pb_put_bytes(&to->out, 6, text, strlen(text));
	return to->n_strings++;
}

static void add_pair(struct message *to, uint32_t field, uint64_t a, uint64_t b)
{
	struct pb_writer inner = {0};

	pb_put_number(&inner, 1, a);
	pb_put_number(&inner, 2, b);
	pb_put_message(&to->out, field, &inner);
	pb_writer_free(&inner);
}

static void add_type(struct message *to, const char *type, const char *unit)
{
	uint64_t name = add_str(to, type);

	add_pair(to, 1, name, add_str(to, unit));
}

static void add_location(struct message *to, uint64_t id, uint64_t mapping, uint64_t addr, uint64_t function)
{
	struct pb_writer inner = {0}, line = {0};

	pb_put_number(&inner, 1, id);
	pb_put_number(&inner, 2, mapping);
	pb_put_number(&inner, 3, addr);
	pb_put_number(&line, 1, function);
	pb_put_number(&line, 2, 10 * function);
	if (function)
		pb_put_message(&inner, 4, &line);
	pb_put_message(&to->out, 4, &inner);
	pb_writer_free(&inner);
	pb_writer_free(&line);
}

static void add_packed(struct pb_writer *out, uint32_t field, const uint64_t *numbers, size_t n)
{
	struct pb_writer packed = {0};

	for (size_t i = 0; i < n; i++)
		pb_put_varint(&packed, numbers[i]);
	pb_put_message(out, field, &packed);
	pb_writer_free(&packed);
}

/* A sample with one frame for each value, and a label where key is not 0. */
static void add_sample(struct message *to, const uint64_t *locs, const uint64_t *values, size_t n, uint64_t key,
                       uint64_t number, uint64_t unit)
{
	struct pb_writer inner = {0}, label = {0};

	add_packed(&inner, 1, locs, n);
	add_packed(&inner, 2, values, n);
	pb_put_number(&label, 1, key);
	pb_put_number(&label, 3, number);
	pb_put_number(&label, 4, unit);
	if (key)
		pb_put_message(&inner, 3, &label);
	pb_put_message(&to->out, 2, &inner);
	pb_writer_free(&inner);
	pb_writer_free(&label);
}

static void add_function(struct message *to, uint64_t id, const char *name)
{
	struct pb_writer inner = {0};
	uint64_t text = add_str(to, name);

	pb_put_number(&inner, 1, id);
	pb_put_number(&inner, 2, text);
	pb_put_number(&inner, 3, text);
	pb_put_message(&to->out, 5, &inner);
	pb_writer_free(&inner);
}

/* Two types, two functions, two samples. */
static void add_profile(struct message *to, const char *type)
{
	to->n_strings = 0;
	add_str(to, "");
	add_type(to, "samples", "count");
	add_type(to, type, "nanoseconds");
	uint64_t key = add_str(to, "size"), unit = add_str(to, "pages");
	add_sample(to, (uint64_t[]){1, 2}, (uint64_t[]){3, 30}, 2, key, 7, unit);
	add_sample(to, (uint64_t[]){2, 2}, (uint64_t[]){4, (uint64_t)-40}, 2, 0, 0, 0);
	add_function(to, 1, "inner");
	add_function(to, 2, "outer");
	add_location(to, 1, 0, 0x10, 1);
	add_location(to, 2, 0, 0x20, 2);
}

static struct err *read_bytes(const char *data, size_t size, struct build **ret)
{
	struct cursor in;

	*ret = build_new();
	cursor_init(&in, "t.pb", data, size);
	build_source(*ret, "t.pb", "proto");
	// cppcheck-suppress returnDanglingLifetime ; an error keeps a text, and no cursor
	return reader_proto.read(&in, &(struct read_opts){0}, *ret);
}

static struct profile *read_whole(struct message *message)
{
	struct build *build;

	assert_true(reader_proto.probe((struct span){message->out.data, message->out.data + message->out.size}));
	struct err *err = read_bytes(message->out.data, message->out.size, &build);
	if (err)
		fail_msg("%s", err_text(err));
	pb_writer_free(&message->out);
	return build_finish(build);
}

/* The error of a message that is refused; good until the next call. */
static const char *refusal(struct message *message)
{
	static char text[200];
	struct build *build;
	struct err *err = read_bytes(message->out.data, message->out.size, &build);

	assert_non_null(err);
	strncpy(text, err_text(err), sizeof text - 1);
	err_free(err);
	build_free(build);
	pb_writer_free(&message->out);
	return text;
}

static const char *frame_name(const struct profile *p, uint32_t sample, uint32_t frame)
{
	const struct stack *stack = &p->stacks[p->sample_stacks[sample].row];
	const struct location *loc = &p->locs[p->frames[stack->first + frame].row];

	return profile_text(p, p->funcs[p->lines[loc->first_line].func.row].name);
}

static void what_was_written_is_read(void **state)
{
	(void)state;
	struct message message = {0};

	add_profile(&message, "cpu");
	struct profile *p = read_whole(&message);
	const struct label *label = &p->labels[p->label_sets[p->sample_labels[0].row].first];

	assert_int_equal(p->n_types, 2);
	assert_int_equal(p->default_type, 1); /* the last, when the file names none */
	assert_int_equal(p->n_samples, 2);
	assert_int_equal(p->notes.n, 0);
	assert_string_equal(frame_name(p, 0, 0), "inner");
	assert_string_equal(frame_name(p, 0, 1), "outer");
	assert_int_equal(p->locs[p->frames[0].row].addr, 0x10); /* as it stands: no return address */
	assert_true(profile_value(p, 0, SET_MAIN, 1) == 30);
	assert_true(profile_value(p, 1, SET_MAIN, 1) == -40);
	assert_string_equal(profile_text(p, label->key), "size");
	assert_int_equal(label->number, 7);
	assert_string_equal(profile_text(p, label->unit), "pages");
	profile_free(p);
}

static void a_damaged_end_costs_itself_only(void **state)
{
	(void)state;
	struct message message = {0};

	add_profile(&message, "cpu");
	/* Cut at each byte: never a crash, and an error only where no type or no sample is whole. */
	for (size_t size = 0; size < message.out.size; size++) {
		struct build *build;
		struct err *err = read_bytes(message.out.data, size, &build);

		if (!err)
			assert_true(build_profile(build)->n_types > 0);
		else
			assert_non_null(strstr(err_text(err), "t.pb+0x"));
		err_free(err);
		build_free(build);
	}
	pb_put_varint(&message.out, 0);
	struct profile *p = read_whole(&message);
	assert_int_equal(p->n_samples, 2);
	assert_int_equal(p->notes.n, 1);
	assert_non_null(strstr(p->notes.notes[0].text, "expected a field; what came before is used"));
	profile_free(p);
}

static void joined_profiles_are_a_sum(void **state)
{
	(void)state;
	struct message message = {0};

	add_profile(&message, "cpu");
	add_profile(&message, "cpu");
	add_profile(&message, "cpu");
	struct profile *p = read_whole(&message);

	assert_int_equal(p->n_sources, 3);
	assert_int_equal(p->n_types, 2);
	assert_int_equal(p->n_samples, 2);
	assert_true(profile_value(p, 0, SET_MAIN, 1) == 90);
	assert_non_null(strstr(p->notes.notes[0].text, "holds 3 profiles"));
	profile_free(p);
}

static void an_empty_name_begins_no_profile(void **state)
{
	(void)state;
	struct message message = {0};

	add_profile(&message, "cpu");
	add_str(&message, "");
	add_str(&message, "more");
	struct profile *p = read_whole(&message);

	assert_int_equal(p->n_sources, 1);
	assert_int_equal(p->notes.n, 0);
	profile_free(p);
}

static void block_sizes_are_no_labels(void **state)
{
	(void)state;
	struct message message = {0};

	add_str(&message, "");
	add_type(&message, "inuse_objects", "count");
	add_type(&message, "inuse_space", "bytes");
	uint64_t key = add_str(&message, "bytes");
	add_location(&message, 1, 0, 0x10, 0);
	add_sample(&message, (uint64_t[]){1, 1}, (uint64_t[]){1, 100}, 2, key, 100, 0);
	add_sample(&message, (uint64_t[]){1, 1}, (uint64_t[]){1, 200}, 2, key, 200, 0);
	struct profile *p = read_whole(&message);

	assert_int_equal(p->n_samples, 1);
	assert_int_equal(p->sample_labels[0].row, 0);
	assert_true(profile_value(p, 0, SET_MAIN, 1) == 300);
	profile_free(p);
}

static void bad_samples_cost_themselves_only(void **state)
{
	(void)state;
	struct message message = {0};

	add_profile(&message, "cpu");
	add_sample(&message, (uint64_t[]){1}, (uint64_t[]){1}, 1, 0, 0, 0);          /* a value is missing */
	add_sample(&message, (uint64_t[]){9, 1}, (uint64_t[]){1, 1}, 2, 0, 0, 0);    /* no such location */
	add_sample(&message, (uint64_t[]){0, 1}, (uint64_t[]){1, 1}, 2, 0, 0, 0);    /* nor this */
	add_sample(&message, (uint64_t[]){1, 1}, (uint64_t[]){1, 1}, 2, 1000, 0, 0); /* no such string */
	pb_put_bytes(&message.out, 2, "\x0a\x7f", 2);
	pb_put_bytes(&message.out, 2, "\x0d\x01\x01\x01\x01", 5); /* locations as 32-bit numbers */
	struct profile *p = read_whole(&message);

	assert_int_equal(p->n_samples, 2);
	assert_int_equal(p->notes.n, 4);
	assert_non_null(strstr(p->notes.notes[0].text, "2 of 8 samples are skipped"));
	assert_non_null(
		strstr(p->notes.notes[1].text, "expected 2 values in a sample, found 1; 1 of 8 samples is skipped"));
	assert_non_null(strstr(p->notes.notes[2].text, "expected a location of id 9, found none; 2 of 8"));
	assert_non_null(strstr(p->notes.notes[3].text, "found number 1000; 1 of 8"));
	profile_free(p);
}

static void bad_tables_cost_a_name(void **state)
{
	(void)state;
	struct message message = {0};

	add_profile(&message, "cpu");
	add_location(&message, 1, 0, 0x99, 2);        /* a second one of this id */
	add_location(&message, 0, 0, 0x99, 2);        /* 0 is no id */
	add_location(&message, 77777777, 5, 0x30, 9); /* no such mapping, no such function */
	add_sample(&message, (uint64_t[]){77777777, 1}, (uint64_t[]){1, 1}, 2, 0, 0, 0);
	struct profile *p = read_whole(&message);

	assert_int_equal(p->n_samples, 3);
	assert_string_equal(frame_name(p, 0, 0), "inner");
	assert_int_equal(p->locs[p->frames[p->stacks[p->sample_stacks[2].row].first].row].n_lines, 0);
	assert_int_equal(p->notes.n, 3);
	assert_non_null(strstr(p->notes.notes[0].text, "expected a location id above 0; it is left out (2 times)"));
	assert_non_null(strstr(p->notes.notes[1].text, "expected a function of id 9"));
	assert_non_null(strstr(p->notes.notes[2].text, "expected a mapping of id 5"));
	profile_free(p);
}

/* A message whose field number 2 has another type, or that ends in the middle of it. */
static void add_damaged(struct message *to, uint32_t field, uint64_t id, bool is_cut)
{
	struct pb_writer inner = {0};

	pb_put_number(&inner, 1, id);
	pb_put_bytes(&inner, 2, "abc", 3);
	inner.size -= is_cut;
	pb_put_message(&to->out, field, &inner);
	pb_writer_free(&inner);
}

static bool is_told(const struct profile *p, const char *text)
{
	for (uint32_t i = 0; i < p->notes.n; i++)
		if (strstr(p->notes.notes[i].text, text))
			return true;
	return false;
}

static void damage_in_a_table_costs_its_entry_only(void **state)
{
	(void)state;
	enum { MAPPING = 3, LOCATION = 4, FUNCTION = 5 };

	for (uint32_t table = MAPPING; table <= FUNCTION; table++)
		for (int is_cut = 0; is_cut < 2; is_cut++) {
			struct message message = {0};

			add_profile(&message, "cpu");
			add_damaged(&message, table, 3, is_cut);
			add_location(&message, 4, table == MAPPING ? 3 : 0, 0x40, table == FUNCTION ? 3 : 1);
			add_sample(&message, (uint64_t[]){table == LOCATION ? 3 : 4, 1}, (uint64_t[]){1, 1}, 2, 0, 0, 0);
			struct profile *p = read_whole(&message);

			assert_true(p->n_samples >= 2);
			assert_string_equal(frame_name(p, 0, 0), "inner");
			assert_true(is_told(p, is_cut ? "t.pb+0x" : "expected another type of field 2; "));
			profile_free(p);
		}
}

static void damage_in_a_line_costs_the_line(void **state)
{
	(void)state;
	static const struct {
		const char *line;
		size_t size;
	} cases[] = {{"\x0a\x01x", 3}, {"\x08", 1}};

	for (size_t i = 0; i < 2; i++) {
		struct message message = {0};
		struct pb_writer inner = {0};

		add_profile(&message, "cpu");
		pb_put_number(&inner, 1, 3);
		pb_put_number(&inner, 3, 0x30);
		pb_put_bytes(&inner, 4, cases[i].line, cases[i].size);
		pb_put_message(&message.out, 4, &inner);
		pb_writer_free(&inner);
		add_sample(&message, (uint64_t[]){3, 1}, (uint64_t[]){1, 1}, 2, 0, 0, 0);
		struct profile *p = read_whole(&message);

		assert_int_equal(p->n_samples, 3);
		assert_int_equal(p->locs[p->frames[p->stacks[p->sample_stacks[2].row].first].row].n_lines, 0);

		assert_true(is_told(p, "; what can be read of it is used"));
		profile_free(p);
	}
}

static void add_label(struct message *to, const void *label, size_t size)
{
	struct pb_writer inner = {0};

	add_packed(&inner, 1, (uint64_t[]){1, 2}, 2);
	add_packed(&inner, 2, (uint64_t[]){5, 50}, 2);
	pb_put_bytes(&inner, 3, label, size);
	pb_put_bytes(&inner, 9, "later", 5); /* a field that a later version may have */
	pb_put_message(&to->out, 2, &inner);
	pb_writer_free(&inner);
}

static void labels_have_numbers_alone(void **state)
{
	(void)state;
	struct message message = {0};

	add_profile(&message, "cpu");
	add_label(&message, "\x08\x01\x18\x07\x4a\x01x", 7); /* with a field of a later version: kept */
	add_label(&message, "\x0a\x01x", 3);                 /* the key as a text */
	add_label(&message, "\x08", 1);                      /* cut */
	struct profile *p = read_whole(&message);

	assert_int_equal(p->n_samples, 3);
	assert_int_equal(p->notes.n, 1);
	assert_true(is_told(p, "expected another type of field 1; 2 of 5 samples are skipped"));
	profile_free(p);
}

static void numbers_have_64_bits(void **state)
{
	(void)state;
	struct message message = {0};
	struct pb_writer sample = {0};

	add_profile(&message, "cpu");
	add_packed(&sample, 1, (uint64_t[]){1, 2}, 2);
	pb_put_bytes(&sample, 2, "\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f", 11);
	pb_put_message(&message.out, 2, &sample);
	pb_writer_free(&sample);
	struct profile *p = read_whole(&message);

	assert_int_equal(p->n_samples, 2);
	assert_true(is_told(p, "expected a number of at most 64 bits; 1 of 3 samples is skipped"));
	profile_free(p);
}

/* Go's encoder packs them. */
static void comments_may_be_packed(void **state)
{
	(void)state;
	struct message message = {0};

	add_profile(&message, "cpu");
	uint64_t one = add_str(&message, "built by hand"), two = add_str(&message, "twice");
	add_packed(&message.out, 13, (uint64_t[]){one, two}, 2);
	pb_put_number(&message.out, 13, add_str(&message, "alone"));
	struct profile *p = read_whole(&message);

	assert_int_equal(p->n_comments, 3);
	assert_string_equal(profile_text(p, p->comments[0]), "built by hand");
	assert_string_equal(profile_text(p, p->comments[1]), "twice");
	assert_string_equal(profile_text(p, p->comments[2]), "alone");
	assert_int_equal(p->notes.n, 0);
	profile_free(p);
}

static void there_are_limits(void **state)
{
	(void)state;
	struct message types = {0}, comments = {0}, parts = {0};

	add_profile(&comments, "cpu");
	for (int i = 0; i < 4097; i++) {
		char text[16];

		snprintf(text, sizeof text, "comment %d", i);
		pb_put_number(&comments.out, 13, add_str(&comments, text));
	}
	struct profile *p = read_whole(&comments);
	assert_int_equal(p->n_comments, 4096);
	assert_true(is_told(p, "expected at most 4096 comments"));
	profile_free(p);

	add_str(&types, "");
	for (int i = 0; i < 257; i++)
		add_type(&types, "cpu", "nanoseconds");
	assert_non_null(strstr(refusal(&types), "expected at most 256 sample types"));

	for (int i = 0; i < 4097; i++)
		add_profile(&parts, "cpu");
	p = read_whole(&parts);
	assert_true(profile_value(p, 0, SET_MAIN, 0) >= 3 * 2048.); /* an empty string and a type may each begin one */
	assert_true(is_told(p, "expected at most 4096 profiles in a file; what came before is used"));
	profile_free(p);
}

static void several_bad_parts_are_counted(void **state)
{
	(void)state;
	struct message message = {0};

	add_profile(&message, "cpu");
	for (int i = 0; i < 2; i++) {
		message.n_strings = 0;
		add_str(&message, "");
		add_type(&message, "other", "bytes");
		add_sample(&message, (uint64_t[]){1}, (uint64_t[]){1}, 1, 0, 0, 0);
	}
	struct profile *p = read_whole(&message);

	assert_int_equal(p->n_samples, 2);
	assert_true(is_told(p, "2 of 3 profiles in t.pb are left out"));
	profile_free(p);
}

static void nothing_to_go_by_is_an_error(void **state)
{
	(void)state;
	struct message no_types = {0}, no_name = {0}, all_bad = {0};

	add_str(&no_types, "");
	assert_non_null(strstr(refusal(&no_types), "t.pb+0x0: expected sample types"));
	add_pair(&no_name, 1, 5, 6);
	assert_non_null(strstr(refusal(&no_name), "t.pb+0x0: expected the name of a sample type among 0 strings"));
	add_str(&all_bad, "");
	add_type(&all_bad, "cpu", "nanoseconds");
	add_sample(&all_bad, (uint64_t[]){1}, (uint64_t[]){1}, 1, 0, 0, 0);
	assert_non_null(strstr(refusal(&all_bad), "expected a location of id 1, found none; no sample can be used"));
}

static void long_stacks_are_refused(void **state)
{
	(void)state;
	enum { N = (64 << 10) + 1 };
	struct message message = {0};
	struct pb_writer sample = {0};
	uint64_t *locs = mem_alloc(N, sizeof *locs);

	add_profile(&message, "cpu");
	for (int i = 0; i < N; i++)
		locs[i] = 1;
	for (int extra = 0; extra < 2; extra++) {
		pb_writer_clear(&sample);
		add_packed(&sample, 1, locs, N - 1 + extra);
		add_packed(&sample, 2, (uint64_t[]){1, 1}, 2);
		pb_put_message(&message.out, 2, &sample);
	}
	struct profile *p = read_whole(&message);
	assert_int_equal(p->n_samples, 3);
	assert_non_null(strstr(p->notes.notes[0].text, "expected at most 65536 frames; 1 of 4"));
	profile_free(p);
	pb_writer_free(&sample);
	free(locs);
}

static void a_nul_in_a_name_is_shown(void **state)
{
	(void)state;
	struct message message = {0};

	add_profile(&message, "cpu");
	pb_put_bytes(&message.out, 5, "\x08\x07\x10\x0b", 4); /* function 7, named by string 11 */
	add_str(&message, "x");
	assert_int_equal(message.n_strings, 10);
	add_str(&message, "y");
	pb_put_bytes(&message.out, 6, "a\0b\xff", 4);
	add_location(&message, 7, 0, 0x70, 7);
	add_sample(&message, (uint64_t[]){7, 1}, (uint64_t[]){1, 1}, 2, 0, 0, 0);
	struct profile *p = read_whole(&message);

	assert_string_equal(frame_name(p, 2, 0), "a\\x00b\xff");
	profile_free(p);
}

/* 70000 bytes, of which the last that fit begin a character of two bytes. */
static void a_long_string_is_cut(void **state)
{
	(void)state;
	enum { LENGTH = 70000, MOST = 64 << 10 };
	struct message message = {0};
	char *text = mem_alloc(LENGTH, 1);

	memset(text, 'n', LENGTH);
	text[MOST - 1] = '\xc3';
	text[MOST] = '\xa9';
	add_profile(&message, "cpu");
	pb_put_bytes(&message.out, 5, "\x08\x07\x10\x09", 4); /* function 7, named by string 9 */
	pb_put_bytes(&message.out, 6, text, LENGTH);
	add_location(&message, 7, 0, 0x70, 7);
	add_sample(&message, (uint64_t[]){7, 1}, (uint64_t[]){1, 1}, 2, 0, 0, 0);
	struct profile *p = read_whole(&message);
	assert_int_equal(strlen(frame_name(p, 2, 0)), MOST - 1);
	assert_non_null(strstr(p->notes.notes[0].text, "at most 65536 bytes, found 70000"));
	profile_free(p);
	free(text);
}

static void text_is_no_proto(void **state)
{
	(void)state;
	static const char *const texts[] = {
		"",
		"heap profile: 1: 1 [1: 1] @\n",
		"\n\nheap profile:",
		"heap_v2/524288\n",
		"--- heapz 1 ---\n",
		"<html>",
		"PERFILE2",
		"goroutine profile: total 3\n",
		"\"quoted\"",
		"2:x",
	};

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		assert_false(reader_proto.probe((struct span){texts[i], texts[i] + strlen(texts[i])}));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_written_is_read),
		cmocka_unit_test(a_damaged_end_costs_itself_only),
		cmocka_unit_test(joined_profiles_are_a_sum),
		cmocka_unit_test(an_empty_name_begins_no_profile),
		cmocka_unit_test(block_sizes_are_no_labels),
		cmocka_unit_test(bad_samples_cost_themselves_only),
		cmocka_unit_test(bad_tables_cost_a_name),
		cmocka_unit_test(nothing_to_go_by_is_an_error),
		cmocka_unit_test(damage_in_a_table_costs_its_entry_only),
		cmocka_unit_test(damage_in_a_line_costs_the_line),
		cmocka_unit_test(labels_have_numbers_alone),
		cmocka_unit_test(numbers_have_64_bits),
		cmocka_unit_test(comments_may_be_packed),
		cmocka_unit_test(there_are_limits),
		cmocka_unit_test(several_bad_parts_are_counted),
		cmocka_unit_test(long_stacks_are_refused),
		cmocka_unit_test(a_nul_in_a_name_is_shown),
		cmocka_unit_test(a_long_string_is_cut),
		cmocka_unit_test(text_is_no_proto),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
