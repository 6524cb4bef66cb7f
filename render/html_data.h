/* The data block of the page: the flame and its rows as columns (docs/html-report.md), gzip in base64. */
#pragma once

#include "render/renderer.h"

void html_data_write(const struct report *report, struct out *out);
