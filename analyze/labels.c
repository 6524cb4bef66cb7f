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

static const struct pair {
	const char *objects, *space;
} pairs[] = {{"inuse_objects", "inuse_space"}, {"alloc_objects", "alloc_space"}};

/* The rows of the pair's types; false: the profile does not have them, or not in bytes. */
static bool find_pair(const struct profile *p, const struct pair *pair, uint32_t *objects, uint32_t *space)
{
	*objects = profile_find_type(p, pair->objects);
	*space = profile_find_type(p, pair->space);
	return *objects < p->n_types && *space < p->n_types && strcmp(profile_text(p, p->types[*space].unit), "bytes") == 0;
}

static bool is_heap(const struct profile *p)
{
	uint32_t objects, space;

	return find_pair(p, &pairs[0], &objects, &space) || find_pair(p, &pairs[1], &objects, &space);
}

bool labels_block_types(const struct profile *p, uint32_t type, uint32_t *objects, uint32_t *space)
{
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
		if (find_pair(p, &pairs[i], objects, space) && (type == *objects || type == *space))
			return true;
	return false;
}

static int64_t quotient(double space, double n)
{
	double size = whole_quotient(space, n);

	return fabs(size) < 0x1p63 ? (int64_t)size : INT64_MAX;
}

static int64_t size_by_values(const struct profile *p, uint32_t sample)
{
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
		uint32_t objects, space;
		double n = find_pair(p, &pairs[i], &objects, &space) ? value_in_any_set(p, sample, objects) : 0;

		if (n == 0)
			continue;
		return quotient(value_in_any_set(p, sample, space), n);
	}
	return 0;
}

/* The size is said by a label of the sample's own, or by nothing. */
static bool hides_size(const struct profile *p, uint32_t sample)
{
	return p->hides_blocks || has_label(p, sample, "bytes");
}

bool labels_block_size(const struct profile *p, uint32_t sample, int64_t *ret)
{
	*ret = 0;
	if (!is_heap(p) || hides_size(p, sample))
		return false;
	*ret = p->block_sizes ? p->block_sizes[sample] : 0;
	if (!*ret)
		*ret = size_by_values(p, sample);
	return true;
}

bool labels_block_size_in(const struct profile *p, uint32_t sample, uint32_t set, uint32_t objects, uint32_t space,
                          int64_t *ret)
{
	double n = profile_value(p, sample, set, objects), sum = profile_value(p, sample, set, space);

	if (hides_size(p, sample))
		return false;
	if (p->block_sizes && p->block_sizes[sample]) {
		*ret = p->block_sizes[sample];
		return true;
	}
	if (n == 0 || (n < 0) != (sum < 0))
		return false;
	*ret = quotient(sum, n);
	return true;
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

		push(list, (struct shown_label){profile_text(p, label->key), text, label->number, profile_text(p, label->unit),
		                                label->key, false});
	}
	if (labels_block_size(p, sample, &size))
		push(list, (struct shown_label){"bytes", NULL, size, "", {0}, true});
}

const char *labels_unit(const char *key, const char *unit)
{
	if (*unit)
		return unit;
	if (strcmp(key, "alignment") == 0 || strcmp(key, "request") == 0)
		return "bytes";
	return key;
}

const char *labels_number(char text[UNITS_TEXT], const struct shown_label *label)
{
	struct unit_style unit = units_alone(labels_unit(label->key, label->unit), (double)label->number);

	/* A number of no measure is an id, and shown to its last digit. */
	if (!*unit.name) {
		snprintf(text, UNITS_TEXT, "%" PRId64, label->number);
		return text;
	}
	return units_label(text, &unit, (double)label->number);
}
