// The picture of --flame works without it; with it, it is searched and zoomed.
