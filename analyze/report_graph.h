/* The graph of a report: its limits, the labels on its nodes, and how much of it can be laid out. For report.c alone. */
#pragma once

#include "analyze/report.h"

/* Of the report's table; its nodes are the order of the report. A note says what was left out. */
void report_build_graph(struct report *report, unsigned parts);
