/* What chooses samples and rows, held against a small profile. Each line is one choice: a letter says which, and the rest
 * of the line is its text, as the letters of ROWS have it; a later one of a letter counts. */
#include "testdata/fuzz/fuzz_profile.h"

#include "analyze/report.h"
#include "analyze/tag_frames.h"

#include <stdlib.h>
#include <string.h>

struct choices {
	struct view_opts view;
	struct report_opts rows;
	struct gate_opts gate;
	struct tag_frames_opts tag_frames;
	const char *above;
	struct suppression known[4];
	struct suppressions suppressions;
};

#define AT(field) offsetof(struct choices, field)

static const struct {
	char letter;
	size_t at; /* of a text */
} ROWS[] = {
	{'f', AT(view.focus)},
	{'i', AT(view.ignore)},
	{'r', AT(view.retain)},
	{'e', AT(view.exclude)},
	{'h', AT(view.hide)},
	{'s', AT(view.show)},
	{'F', AT(view.show_from)},
	{'p', AT(view.prune_from)},
	{'t', AT(view.thread)},
	{'T', AT(view.tags.focus)},
	{'I', AT(view.tags.ignore)},
	{'S', AT(view.tags.show)},
	{'H', AT(view.tags.hide)},
	{'u', AT(rows.unit)},
	{'m', AT(rows.pattern)},
	{'g', AT(gate.growth)},
	{'a', AT(above)},
	{'R', AT(tag_frames.root)},
	{'L', AT(tag_frames.leaf)},
	{'U', AT(tag_frames.unit)},
	{'1', AT(known[0].pattern)},
	{'2', AT(known[1].pattern)},
	{'3', AT(known[2].pattern)},
	{'4', AT(known[3].pattern)},
};

static void choose(struct choices *choices, const char *line)
{
	for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++)
		if (ROWS[i].letter == *line)
			*(const char **)((char *)choices + ROWS[i].at) = line + 1;
}

/* 'x': a flag a bit. */
static void choose_flags(struct choices *choices, const char *line)
{
	unsigned bits = (unsigned char)line[1];

	choices->view.no_inlines = bits & 1;
	choices->view.all_frames = bits & 2;
	choices->view.is_relative = bits & 4;
	choices->view.normalize = bits & 8;
	choices->view.both_sides = bits & 16;
	choices->rows.call_tree = bits & 32;
	choices->rows.by_stack = bits & 64;
	choices->view.type = bits & 128 ? 0 : 1;
}

static void keep_suppressions(struct choices *choices)
{
	struct suppressions *list = &choices->suppressions;

	*list = (struct suppressions){.path = "known", .items = choices->known};
	while (list->n < 4 && choices->known[list->n].pattern && *choices->known[list->n].pattern)
		list->n++;
	choices->view.suppressions = list;
}

static struct choices read_choices(char *text)
{
	struct choices choices = {.rows = {.node_count = -1, .trim = true, .pattern_option = "peek"}};

	choices.view.type = 1;
	for (char *line; (line = strsep(&text, "\n"));) {
		choose(&choices, line);
		if (*line == 'x')
			choose_flags(&choices, line);
	}
	return choices;
}

static void hold_gate(const struct report *report, const struct gate_opts *opts)
{
	struct gate gate;
	struct err *err = gate_check_opts(opts);

	if (!err && gate_is_wanted(opts))
		err = gate_build(&report->table, &report->series, opts, report->arena, &gate);
	err_free(err);
}

static void look(const struct profile *profile, const struct choices *choices)
{
	const struct gate_opts gate = {choices->gate.growth, &choices->above, choices->above != NULL};
	struct report *report = NULL;
	struct view *view = NULL;
	struct err *err = view_new(profile, &choices->view, &view);

	if (!err)
		err = report_build(view, &choices->rows, choices->rows.pattern ? PART_PEEK : PART_SERIES, &report);
	if (!err && !choices->rows.pattern)
		hold_gate(report, &gate);
	err_free(err);
	report_free(report);
	view_free(view);
}

static void look_at_tagged(const struct profile *profile, const struct choices *choices)
{
	struct profile *tagged;
	struct err *err = tag_frames_add(profile, &choices->tag_frames, &tagged);

	if (!err) {
		look(tagged, choices);
		profile_free(tagged);
	}
	err_free(err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct profile *profile;
	char *text = mem_strndup((const char *)data, size);
	struct choices choices = read_choices(text);

	if (!profile)
		profile = fuzz_profile();
	keep_suppressions(&choices);
	if (tag_frames_are_wanted(&choices.tag_frames))
		look_at_tagged(profile, &choices);
	else
		look(profile, &choices);
	free(text);
	return 0;
}
