/* The boxes of a flame graph: what each has, where it stands, and which are not drawn. */
#pragma once

#include "analyze/flame.h"

/* What a browser can take, and what can be seen. */
enum { FLAME_MOST_ROWS = 1000, FLAME_MOST_BOXES = 20000 };
static const double FLAME_NARROWEST = 0.1; /* pixels */

/* Boxes that have nothing are of frames that have something in another sample type: they are not missed. */
enum flame_fate { FLAME_DRAWN, FLAME_NOTHING, FLAME_NARROW, FLAME_HIGH, FLAME_SURPLUS, N_FLAME_FATES };

struct flame_box {
	double now, base; /* of the stacks that go through it; SET_MAIN, SET_BASE */
	double self_now, self_base;
	double size;
	double left, next; /* in the same: where it begins, and where the next box on it will */
	uint32_t row;      /* 0: the lowest, of all stacks */
	uint8_t fate;
};

struct flame_fates {
	uint32_t n;
	double size; /* of the stacks that end there */
};

struct flame_boxes {
	const struct flame *flame;
	uint32_t width;          /* of all, in pixels */
	struct flame_box *boxes; /* by node, and one more: of all stacks */
	uint32_t n_rows;         /* that are drawn */
	struct flame_fates fates[N_FLAME_FATES];
};

/* In the type that the view shows. Where there is a base, a box is as large as the larger side of the stacks in it. */
void flame_boxes_place(const struct flame *flame, uint32_t width, struct flame_boxes *ret);
void flame_boxes_free(struct flame_boxes *boxes);

/* The box of all stacks. */
static inline struct flame_box *flame_root(const struct flame_boxes *boxes)
{
	return &boxes->boxes[boxes->flame->n];
}

/* How wide what has this size is. */
static inline double flame_pixels(const struct flame_boxes *boxes, double size)
{
	return size / flame_root(boxes)->size * boxes->width;
}
