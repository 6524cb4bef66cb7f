/* The way of a profile through the house: read, append, symbolize, finish, view, report, render. */
#pragma once

#include "cmd/options.h"

enum exit_code {
	EXIT_GOOD = 0,
	EXIT_NO_MATCH = 1, /* a filter matched nothing */
	EXIT_ERROR = 2,
	EXIT_PARTIAL = 3, /* one of several inputs failed, or --strict and something was lost */
	EXIT_GATE = 4,    /* a row or the total is beyond a limit of the user's; before EXIT_PARTIAL and EXIT_NO_MATCH */
};

/* *code_ret is set where there is no error; with one the exit code is EXIT_ERROR. */
struct err *run(const struct options *options, enum exit_code *code_ret) MUST_CHECK;
