#include "analyze/test.h"

#include "analyze/build.h"
#include "render/renderer.h"

#include <stdlib.h>
#include <string.h>

/* What only a profile.proto has: comments, times, labels, names of mappings. */

static loc_id place(struct build *build, uint64_t addr, const char *name, uint32_t line)
{
	loc_id loc = build_placed_loc(build, addr, (map_id){1});
	struct function func = {.name = build_cstr(build, name),
	                        .system_name = build_cstr(build, "_Zx"),
	                        .file = build_cstr(build, "a.c"),
	                        .start_line = 3};

	build_lines(build, loc, (struct line[]){{build_func(build, &func), line, 7}}, 1);
	return loc;
}

static void add_map(struct build *build)
{
	struct mapping map = {.start = 0x1000, .limit = 0x3000, .offset = 0, .has_functions = true, .has_lines = true};

	map.object = build_object(build, build_cstr(build, "/bin/prog"), build_cstr(build, "abcd"));
	build_maps_begin(build);
	build_map(build, &map);
	build_set_program(build, map.object);
}

static void add_facts(struct build *build)
{
	build_type(build, "samples", "count");
	build_name_default_type(build, build_type(build, "cpu", "nanoseconds"));
	build_set_period(build, "cpu", "nanoseconds", 10);
	build_set_time(build, 1500000000250000000, 1650000000);
	build_set_doc_url(build, build_cstr(build, "https://example.com/?a=b"));
	build_comment(build, build_cstr(build, "told to all"));
	build_comment(build, build_cstr(build, "#for those who ask"));
}

static void add_samples(struct build *build)
{
	loc_id leaf = place(build, 0x1010, "leaf", 11), root = place(build, 0x1020, "root", 12);
	str_id size = build_cstr(build, "size"), user = build_cstr(build, "user"), kB = build_cstr(build, "kilobytes");
	struct label labels[] = {{.key = user, .text = build_cstr(build, "ann\033")},
	                         {.key = size, .number = 5, .unit = kB},
	                         {.key = build_cstr(build, "pid"), .number = 42},
	                         {.key = user, .text = build_cstr(build, "bob")},
	                         {.key = size, .number = 7},
	                         {.key = build_cstr(build, "a"), .text = build_cstr(build, "b")}};

	build_sample(build, build_stack(build, (loc_id[]){leaf, root}, 2), build_labels(build, labels, 6),
	             (double[]){1, 1500000000});
	build_sample(build, build_stack(build, &root, 1), (labels_id){0}, (double[]){1, 0});
}

static struct profile *proto_like(void)
{
	struct build *build = build_new();

	build_source(build, "test", "test");
	add_facts(build);
	add_map(build);
	add_samples(build);
	return build_finish(build);
}

static void check(const struct renderer *renderer, const char *expected)
{
	struct profile *profile = proto_like();
	struct report_opts opts = {.program = "prog", .node_count = -1, .trim = true};
	struct out *out = out_memory();
	struct report *report;
	struct view *view;
	size_t size;

	unsetenv("TZ");
	assert_null(view_new(profile, &(struct view_opts){.type = 1}, &view));
	assert_null(report_build(view, &opts, renderer->parts, &report));
	assert_null(renderer->write(report, out));
	out_bytes(out, "", 1);
	assert_string_equal(out_memory_bytes(out, &size), expected);
	out_discard(out);
	report_free(report);
	view_free(view);
	profile_free(profile);
}

#define LABELS \
	"File: prog\n" \
	"Build ID: abcd\n" \
	"told to all\n" \
	"Type: cpu\n" \
	"Doc: https://example.com/?a=b\n" \
	"Time: 2017-07-14 02:40:00 UTC\n" \
	"Duration: 1.65s, Total samples = 1.50s (90.91%)\n"

static void top_says_what_the_profile_is(void **state)
{
	(void)state;
	check(&render_top, LABELS "Showing nodes accounting for 1.50s, 100% of 1.50s total\n"
	                          "      flat  flat%   sum%        cum   cum%\n"
	                          "     1.50s   100%   100%      1.50s   100%  leaf\n"
	                          "         0     0%   100%      1.50s   100%  root\n");
}

/* A shorter key stands before a longer one, texts before numbers. */
static void traces_have_labels(void **state)
{
	(void)state;
	check(&render_traces, LABELS "-----------+-------------------------------------------------------\n"
	                             "         a:  b\n"
	                             "      user:  ann\\x1b bob\n"
	                             "       pid:  42\n"
	                             "      size:  5kB 7\n"
	                             "     1.50s   leaf\n"
	                             "             root\n"
	                             "-----------+-------------------------------------------------------\n"
	                             "         0   root\n"
	                             "-----------+-------------------------------------------------------\n");
}

/* The heaviest key first. A sample with two values of a key counts for each of them, as in google/pprof. */
static void tags_have_a_table_a_key(void **state)
{
	(void)state;
	check(&render_tags, " size: Total 3s of 1.50s (200.00%)\n"
	                    "       1.50s (  100%): 5kB\n"
	                    "       1.50s (  100%): 7\n"
	                    "\n"
	                    " user: Total 3s of 1.50s (200.00%)\n"
	                    "       1.50s (  100%): ann\\x1b\n"
	                    "       1.50s (  100%): bob\n"
	                    "\n"
	                    " a: Total 1.50s of 1.50s (  100%)\n"
	                    "    1.50s (  100%): b\n"
	                    "\n"
	                    " pid: Total 1.50s of 1.50s (  100%)\n"
	                    "      1.50s (  100%): 42\n"
	                    "\n");
}

static void comments_are_all(void **state)
{
	(void)state;
	check(&render_comments, "told to all\n#for those who ask\n");
}

/* The mapping holds what it says of itself, not what can be seen. */
static void raw_has_everything(void **state)
{
	(void)state;
	check(&render_raw, "Comment: told to all\n"
	                   "Comment: #for those who ask\n"
	                   "Doc: https://example.com/?a=b\n"
	                   "PeriodType: cpu nanoseconds\n"
	                   "Period: 10\n"
	                   "Time: 2017-07-14 02:40:00.25 +0000 UTC\n"
	                   "Duration: 1.65\n"
	                   "Samples:\n"
	                   "samples/count cpu/nanoseconds[dflt]\n"
	                   "          1 1500000000: 1 2 \n"
	                   "                a:[b] user:[ann\\x1b bob]\n"
	                   "                pid:[42] size:[5 kilobytes 7 ]\n"
	                   "          1          0: 2 \n"
	                   "Locations\n"
	                   "     1: 0x1010 M=1 leaf a.c:11:7 s=3(_Zx)\n"
	                   "     2: 0x1020 M=1 root a.c:12:7 s=3(_Zx)\n"
	                   "Mappings\n"
	                   "1: 0x1000/0x3000/0x0 /bin/prog abcd [FN][LN]\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(top_says_what_the_profile_is), cmocka_unit_test(traces_have_labels),
		cmocka_unit_test(tags_have_a_table_a_key),      cmocka_unit_test(comments_are_all),
		cmocka_unit_test(raw_has_everything),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
