#include "render/flame_boxes.h"

#include <math.h>
#include <stdlib.h>

static struct flame_box *box_below(const struct flame_boxes *boxes, uint32_t node)
{
	uint32_t caller = boxes->flame->nodes[node].caller;

	return caller == TABLE_NONE ? flame_root(boxes) : &boxes->boxes[caller];
}

static const double *find_column(const struct flame *flame, uint32_t set)
{
	return flame->self + flame_column(flame, flame->shown, set, flame->n);
}

static double self_size(const struct flame_box *box)
{
	return fmax(fabs(box->self_now), fabs(box->self_base));
}

static void sum_up(struct flame_boxes *boxes)
{
	const struct flame *flame = boxes->flame;
	const double *now = find_column(flame, SET_MAIN);
	const double *base = flame->n_sets > SET_BASE ? find_column(flame, SET_BASE) : NULL;

	for (uint32_t i = flame->n; i-- > 0;) {
		struct flame_box *box = &boxes->boxes[i], *below = box_below(boxes, i);

		box->self_now = now[i];
		box->self_base = base ? base[i] : 0;
		box->now += box->self_now;
		box->base += box->self_base;
		box->size += self_size(box);
		below->now += box->now;
		below->base += box->base;
		below->size += box->size;
	}
}

static enum flame_fate find_fate(const struct flame_boxes *boxes, const struct flame_box *box, enum flame_fate below)
{
	if (below != FLAME_DRAWN)
		return below;
	if (box->size == 0)
		return FLAME_NOTHING;
	if (flame_pixels(boxes, box->size) < FLAME_NARROWEST)
		return FLAME_NARROW;
	return box->row >= FLAME_MOST_ROWS ? FLAME_HIGH : FLAME_DRAWN;
}

static void place(struct flame_boxes *boxes)
{
	for (uint32_t i = 0; i < boxes->flame->n; i++) {
		struct flame_box *box = &boxes->boxes[i], *below = box_below(boxes, i);

		box->left = box->next = below->next;
		below->next += box->size;
		box->row = below->row + 1;
		box->fate = (uint8_t)find_fate(boxes, box, below->fate);
	}
}

/* No box is wider than the one that it stands on, which has a lower number. */
static int compare_boxes(const void *x, const void *y, void *context)
{
	const struct flame_box *boxes = context;
	uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;

	if (boxes[a].size != boxes[b].size)
		return boxes[a].size > boxes[b].size ? -1 : 1;
	return (a > b) - (a < b);
}

static void keep_widest(struct flame_boxes *boxes)
{
	uint32_t *sorted = mem_alloc(boxes->flame->n, sizeof *sorted), n = 0;

	for (uint32_t i = 0; i < boxes->flame->n; i++)
		if (boxes->boxes[i].fate == FLAME_DRAWN)
			sorted[n++] = i;
	if (n > FLAME_MOST_BOXES)
		qsort_r(sorted, n, sizeof *sorted, compare_boxes, boxes->boxes);
	for (uint32_t i = FLAME_MOST_BOXES; i < n; i++)
		boxes->boxes[sorted[i]].fate = FLAME_SURPLUS;
	free(sorted);
}

static void count_fates(struct flame_boxes *boxes)
{
	boxes->n_rows = 1;
	for (uint32_t i = 0; i < boxes->flame->n; i++) {
		const struct flame_box *box = &boxes->boxes[i];
		struct flame_fates *fates = &boxes->fates[box->fate];
		uint32_t n_folded = boxes->flame->n_folded[i];

		fates->n += n_folded ? n_folded : 1;
		fates->size += self_size(box);
		if (box->fate == FLAME_DRAWN && box->row >= boxes->n_rows)
			boxes->n_rows = box->row + 1;
	}
}

void flame_boxes_place(const struct flame *flame, uint32_t width, struct flame_boxes *ret)
{
	*ret = (struct flame_boxes){
		.flame = flame, .width = width, .boxes = mem_zalloc((size_t)flame->n + 1, sizeof *ret->boxes)};
	sum_up(ret);
	place(ret);
	keep_widest(ret);
	count_fates(ret);
}

void flame_boxes_free(struct flame_boxes *boxes)
{
	free(boxes->boxes);
	*boxes = (struct flame_boxes){0};
}
