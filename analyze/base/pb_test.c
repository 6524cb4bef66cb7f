#include "analyze/test.h"

#include "analyze/base/pb.h"

#include <string.h>

static struct span span_of(const char *bytes, size_t size)
{
	return (struct span){bytes, bytes + size};
}

static void numbers_of_every_length(void **state)
{
	(void)state;
	static const uint64_t numbers[] = {0, 1, 0x7f, 0x80, 0x3fff, 0x4000, UINT32_MAX, INT64_MAX, 1ull << 63, UINT64_MAX};

	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		struct pb_writer out = {0};
		uint64_t back;

		pb_put_varint(&out, numbers[i]);
		struct span in = span_of(out.data, out.size);
		assert_true(pb_take_varint(&in, &back));
		assert_true(back == numbers[i]);
		assert_ptr_equal(in.at, in.end);
		/* Each cut is refused, and eats nothing. */
		for (size_t size = 0; size < out.size; size++) {
			in = span_of(out.data, size);
			assert_false(pb_take_varint(&in, &back));
			assert_ptr_equal(in.at, out.data);
		}
		pb_writer_free(&out);
	}
}

static void numbers_that_are_too_long(void **state)
{
	(void)state;
	struct span in = span_of("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11);
	struct span wide = span_of("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", 10);
	uint64_t number;

	assert_false(pb_take_varint(&in, &number));
	assert_false(pb_take_varint(&wide, &number));
}

static void fields_come_back(void **state)
{
	(void)state;
	struct pb_writer out = {0}, inner = {0};
	struct pb_reader in;
	struct pb_field field;

	pb_put_number(&out, 1, 300);
	pb_put_number(&out, 2, 0); /* not written */
	pb_put_number(&inner, 1, 7);
	pb_put_message(&out, 3, &inner);
	pb_put_bytes(&out, 1000, "", 0);
	pb_open(&in, span_of(out.data, out.size));
	assert_true(pb_next(&in, &field));
	assert_int_equal(field.number, 1);
	assert_int_equal(field.wire, PB_VARINT);
	assert_int_equal(field.value, 300);
	assert_true(pb_next(&in, &field));
	assert_int_equal(field.number, 3);
	assert_int_equal(span_length(&field.bytes), inner.size);
	assert_memory_equal(field.bytes.at, inner.data, inner.size);
	assert_true(pb_next(&in, &field));
	assert_int_equal(field.number, 1000);
	assert_int_equal(span_length(&field.bytes), 0);
	assert_false(pb_next(&in, &field));
	assert_null(in.wrong);
	pb_writer_free(&out);
	pb_writer_free(&inner);
}

static void fixed_ones_are_passed_over(void **state)
{
	(void)state;
	struct pb_reader in;
	struct pb_field field;

	pb_open(&in, span_of("\x09xxxxxxxx\x15yyyy\x08\x05", 16));
	assert_true(pb_next(&in, &field));
	assert_int_equal(field.wire, PB_FIXED64);
	assert_true(pb_next(&in, &field));
	assert_int_equal(field.wire, PB_FIXED32);
	assert_true(pb_next(&in, &field));
	assert_int_equal(field.value, 5);
}

static void what_is_no_field_stops(void **state)
{
	(void)state;
	static const struct {
		const char *bytes;
		size_t size;
		const char *wrong;
	} rows[] = {
		{"\x0a\x05zzzz", 6, "expected a length within the rest"},
		{"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11, "expected a length within the rest"},
		{"\x0a", 1, "expected a length within the rest"},
		{"\x08", 1, "expected a number of at most 64 bits"},
		{"\x0b", 1, "expected a field of type 0, 1, 2 or 5"},
		{"\x0e", 1, "expected a field of type 0, 1, 2 or 5"},
		{"\x02zz", 3, "expected a field"},
		{"\x80", 1, "expected a field"},
		{"\x80\x80\x80\x80\x10", 5, "expected a field"},
		{"\x09zzzzzzz", 8, "expected 8 bytes"},
		{"\x0dzzz", 4, "expected 4 bytes"},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct pb_reader in;
		struct pb_field field;

		pb_open(&in, span_of(rows[i].bytes, rows[i].size));
		assert_false(pb_next(&in, &field));
		assert_string_equal(in.wrong, rows[i].wrong);
		assert_ptr_equal(in.rest.at, rows[i].bytes);
		assert_false(pb_next(&in, &field));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_of_every_length), cmocka_unit_test(numbers_that_are_too_long),
		cmocka_unit_test(fields_come_back),        cmocka_unit_test(fixed_ones_are_passed_over),
		cmocka_unit_test(what_is_no_field_stops),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
