#include "cmd/shell_settings.h"

#include "analyze/base/regex.h"
#include "analyze/base/text.h"
#include "analyze/units.h"
#include "cmd/option_value.h"
#include "cmd/sample_type.h"
#include "render/render.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define AT(field) offsetof(struct options, field)

/* Groups of options that exclude each other have names in google/pprof. */
static const struct group {
	const char *name;
	size_t at;
	int usual; /* where none was chosen */
} groups[] = {
	{"granularity", AT(granularity), BY_FUNCTION},
	{"sort", AT(sort), SORT_FLAT},
};
enum { N_GROUPS = sizeof groups / sizeof *groups };

/* ---- which options are settings ---- */

static bool is_one_of(const char *name, const char *const *names)
{
	for (; *names; names++)
		if (strcmp(*names, name) == 0)
			return true;
	return false;
}

static bool is_within(size_t at, size_t first, size_t size)
{
	return at >= first && at < first + size;
}

/* What counts while the profile is read and its names are looked up. */
static bool is_of_reading(const struct opt_row *row)
{
	static const char *const groups_of_reading[] = {"objects", "input", "trend", NULL};

	return row->kind == OPT_LIST || is_within(row->at, AT(read), sizeof(struct read_opts)) ||
	       (is_one_of(row->group, groups_of_reading) && row->at != AT(tools));
}

static bool is_of_the_command_line(const struct opt_row *row)
{
	static const char *const names[] = {"interactive", "help", "version", "config", NULL};

	return is_one_of(row->name, names);
}

bool setting_is_command(const struct opt_row *row)
{
	bool is_report = (row->kind == OPT_NAMED || row->kind == OPT_REPORT) && row->at == AT(report);

	return is_report || setting_makes_report(row);
}

bool setting_makes_report(const struct opt_row *row)
{
	return row->kind == OPT_FLAG && row->at == AT(rows.stacks);
}

bool setting_is_known(const struct opt_row *row)
{
	return row->kind != OPT_REFUSED && !setting_is_command(row) && !is_of_reading(row) && !is_of_the_command_line(row);
}

/* ---- setting one ---- */

static bool is_in(const struct group *group, const struct opt_row *row)
{
	return row->kind == OPT_CHOICE && row->at == group->at;
}

static const struct group *find_group(const char *name)
{
	for (size_t i = 0; i < N_GROUPS; i++)
		if (strcmp(groups[i].name, name) == 0)
			return &groups[i];
	return NULL;
}

bool setting_is_group(const char *name)
{
	return find_group(name) != NULL;
}

bool setting_is_member(const char *group, const struct opt_row *row)
{
	const struct group *found = find_group(group);

	return found && is_in(found, row);
}

static const char *join_members(const struct group *group, struct arena *arena)
{
	size_t n;
	const struct opt_row *rows = opt_rows(&n);
	const char **names = arena_alloc(arena, n, sizeof *names);
	uint32_t n_names = 0;

	for (size_t i = 0; i < n; i++)
		if (is_in(group, &rows[i]))
			names[n_names++] = rows[i].name;
	return text_join(arena, names, n_names);
}

static struct err *unknown_member(const struct group *group, const char *value)
{
	struct arena *arena = arena_new();
	struct err *err = err_new("%s=%s: expected one of %s", group->name, value, join_members(group, arena));

	arena_free(arena);
	return err;
}

static struct err *no_value(const char *name)
{
	return err_new("please specify a value, e.g. %s=<val>", name);
}

static struct err *set_group(struct options *options, const struct group *group, const char *value)
{
	const struct opt_row *row = value ? opt_find(value) : NULL;

	if (!value)
		return no_value(group->name);
	if (*value && !(row && is_in(group, row)))
		return unknown_member(group, value);
	*(int *)((char *)options + group->at) = *value ? row->number : -1;
	return NULL;
}

struct err *setting_unknown(const char *what, const char *name)
{
	const char *similar = opt_similar(name);

	if (similar)
		return err_new("unrecognized %s %s: did you mean %s?", what, name, similar);
	return err_new("unrecognized %s %s (help lists all)", what, name);
}

static struct err *refuse(const struct opt_row *row)
{
	if (row->kind == OPT_REFUSED)
		return err_new("%s: %s", row->name, row->help);
	if (setting_is_command(row))
		return err_new("%s is a command, and no setting: say it alone", row->name);
	return err_new("%s counts only when pprof starts: quit, and start it with --%s", row->name, row->name);
}

static struct err *check_pattern(const struct opt_row *row, const char *value)
{
	struct regex *regex = NULL;
	struct err *err = regex_new(row->name, value, &regex);

	regex_free(regex);
	return err;
}

/* One of the profile's types has to be of it: that type may be chosen after the unit. */
static struct err *check_unit(const struct profile *profile, const char *value)
{
	struct err *err = NULL;
	struct unit_style style;

	for (uint32_t i = 0; i < profile->n_types; i++) {
		err_free(err);
		err = units_wanted(value, profile_text(profile, profile->types[i].unit), 0, 0, &style);
		if (!err)
			return NULL;
	}
	return err;
}

/* What would stop every command from then on is no setting. */
static struct err *check_value(const struct profile *profile, const struct opt_row *row, const char *value)
{
	if (row->arg && strcmp(row->arg, "REGEX") == 0)
		return check_pattern(row, value);
	return row->at == AT(rows.unit) ? check_unit(profile, value) : NULL;
}

static struct err *set_row(struct options *options, const struct profile *profile, const struct opt_row *row,
                           const char *value)
{
	if (!setting_is_known(row))
		return refuse(row);
	if (row->arg && !value)
		return no_value(row->name);
	if (value && !*value) {
		options_unset(options, row);
		return NULL;
	}
	struct err *err = value ? check_value(profile, row, value) : NULL;
	return err ? err : options_set(options, row->name, value);
}

static bool has_type(const struct profile *profile, const char *name)
{
	for (uint32_t i = 0; i < profile->n_types; i++)
		if (strcmp(profile_text(profile, profile->types[i].type), name) == 0)
			return true;
	return false;
}

static struct err *set_type(struct options *options, const struct profile *profile, const char *word)
{
	struct type_word type = {.type = word};

	if (!has_type(profile, word))
		type = sample_type_word(word);
	struct err *err = options_set(options, "sample_index", type.type);

	return err || !type.has_mode ? err : options_set(options, "mean", type.mean ? "true" : "false");
}

static struct err *set_one(struct options *options, const struct profile *profile, const char *name, const char *value)
{
	const struct opt_row *row = opt_find(name);
	const struct group *group = find_group(name);

	if (!value && setting_is_type(profile, name))
		return set_type(options, profile, name);
	if (group)
		return set_group(options, group, value);
	if (!row && !value && opt_find_negated(name))
		return set_row(options, profile, opt_find_negated(name), "false");
	if (!row)
		return setting_unknown("option", name);
	return set_row(options, profile, row, value);
}

struct err *setting_set(struct options *options, const struct profile *profile, const char *name, const char *value)
{
	struct options trial = *options;
	struct view_opts view;
	struct err *err = set_one(&trial, profile, name, value);

	if (!err)
		err = options_settle(&trial);
	if (err)
		return err;
	view = trial.view;
	err = sample_type_choose(&trial, profile, &render_top, &view);
	if (!err)
		*options = trial;
	return err;
}

bool setting_is_type(const struct profile *profile, const char *word)
{
	return has_type(profile, word) || has_type(profile, sample_type_word(word).type);
}

void settings_clear_filters(struct options *options)
{
	static const char *const filters[] = {"focus", "ignore", "hide", "show", "tagfocus", "tagignore"};

	for (size_t i = 0; i < sizeof filters / sizeof *filters; i++)
		if (opt_find(filters[i]))
			options_unset(options, opt_find(filters[i]));
}

/* ---- showing them ---- */

static void write_setting(const char *name, const char *value, const char *comment, struct out *out)
{
	out_printf(out, "  %-25s = ", name);
	out_name(out, value);
	if (comment) {
		out_printf(out, "%*s //: ", (int)(text_width(value) < 20 ? 20 - text_width(value) : 0), "");
		out_name(out, comment);
	}
	out_text(out, "\n");
}

static void list_group(const struct options *options, const struct group *group, struct out *out)
{
	size_t n;
	const struct opt_row *rows = opt_rows(&n);
	int chosen = *(const int *)((const char *)options + group->at);
	struct arena *arena = arena_new();

	for (size_t i = 0; i < n; i++)
		if (is_in(group, &rows[i]) && rows[i].number == (chosen < 0 ? group->usual : chosen))
			write_setting(group->name, rows[i].name, join_members(group, arena), out);
	arena_free(arena);
}

static void list_type(const struct options *options, const struct profile *profile, struct out *out)
{
	struct arena *arena = arena_new();
	struct view_opts view = options->view;
	struct err *err = sample_type_choose(options, profile, &render_top, &view);

	write_setting("sample_index", err ? "" : profile_text(profile, profile->types[view.type].type),
	              sample_type_list(profile, arena), out);
	err_free(err);
	arena_free(arena);
}

static bool has_own_value(const struct opt_row *row)
{
	return setting_is_known(row) && (row->kind == OPT_FLAG || (row->arg && row->at != AT(sample_index)));
}

void setting_list(const struct options *options, const struct profile *profile, struct out *out)
{
	size_t n;
	const struct opt_row *rows = opt_rows(&n);
	struct arena *arena = arena_new();

	for (size_t i = 0; i < N_GROUPS; i++)
		list_group(options, &groups[i], out);
	list_type(options, profile, out);
	for (size_t i = 0; i < n; i++)
		if (has_own_value(&rows[i]))
			write_setting(rows[i].name, option_value_text((const char *)options + rows[i].at, &rows[i], arena), NULL,
			              out);
	arena_free(arena);
}
