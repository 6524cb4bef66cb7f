/* The locations and functions of a profile.proto that is written; the places of its samples are its locations. */
#pragma once

#include "render/places.h"
#include "render/proto_maps.h"

/* Writes the mappings, the locations and their functions; comes after the last place, whose number is the location's id. */
void proto_locations_put(const struct places *places, struct proto_maps *maps, struct proto_out *to);
