#include "analyze/labels.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static bool has_label(const struct profile *p, uint32_t sample, const char *key)
{
	const struct label_set *set = &p->label_sets[p->sample_labels[sample].row];

	for (uint32_t i = set->first; i < set->first + set->n; i++)
		if (strcmp(profile_text(p, p->labels[i].key), key) == 0)
			return true;
	return false;
}

/* A sample that only the base has is as large as it was there. */
static double value_in_any_set(const struct profile *p, uint32_t sample, uint32_t type)
{
	double value = profile_value(p, sample, SET_MAIN, type);

	return value != 0 || p->n_sets <= SET_BASE ? value : profile_value(p, sample, SET_BASE, type);
}

/* Both counts were multiplied by one factor where the profile is sampled, so 99.999999 was 100. */
static double whole_quotient(double space, double objects)
{
	double quotient = space / objects, near = round(quotient);

	return fabs(quotient - near) <= fabs(near) * 1e-9 ? near : floor(quotient);
}

bool labels_block_size(const struct profile *p, uint32_t sample, int64_t *ret)
{
	static const char *const pairs[][2] = {{"inuse_objects", "inuse_space"}, {"alloc_objects", "alloc_space"}};
	bool is_heap = false;

	*ret = 0;
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
		uint32_t objects = profile_find_type(p, pairs[i][0]), space = profile_find_type(p, pairs[i][1]);

		if (objects == p->n_types || space == p->n_types || strcmp(profile_text(p, p->types[space].unit), "bytes") != 0)
			continue;
		is_heap = true;
		double n = value_in_any_set(p, sample, objects);
		double size = n == 0 ? 0 : whole_quotient(value_in_any_set(p, sample, space), n);
		if (n == 0)
			continue;
		*ret = fabs(size) < 0x1p63 ? (int64_t)size : INT64_MAX;
		break;
	}
	return is_heap && !has_label(p, sample, "bytes");
}

static void push(struct label_list *list, struct shown_label label)
{
	MEM_GROW(list->items, list->n, list->cap);
	list->items[list->n++] = label;
}

void labels_of_sample(const struct profile *p, uint32_t sample, struct label_list *list)
{
	const struct label_set *set = &p->label_sets[p->sample_labels[sample].row];
	int64_t size;

	list->n = 0;
	for (uint32_t i = set->first; i < set->first + set->n; i++) {
		const struct label *label = &p->labels[i];
		const char *text = label->text.row ? profile_text(p, label->text) : NULL;

		push(list,
		     (struct shown_label){profile_text(p, label->key), text, label->number, profile_text(p, label->unit)});
	}
	if (labels_block_size(p, sample, &size))
		push(list, (struct shown_label){"bytes", NULL, size, ""});
}

static const char *unit_of(const struct shown_label *label)
{
	if (*label->unit)
		return label->unit;
	if (strcmp(label->key, "alignment") == 0 || strcmp(label->key, "request") == 0)
		return "bytes";
	return label->key;
}

const char *labels_number(char text[UNITS_TEXT], const struct shown_label *label)
{
	struct unit_style unit = units_alone(unit_of(label), (double)label->number);

	/* A number of no measure is an id, and shown to its last digit. */
	if (!*unit.name) {
		snprintf(text, UNITS_TEXT, "%" PRId64, label->number);
		return text;
	}
	return units_label(text, &unit, (double)label->number);
}
