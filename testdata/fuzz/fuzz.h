/* What the fuzz targets share. A target is one file TARGET.c with LLVMFuzzerTestOneInput; libFuzzer runs it on inputs of its
 * own in a build with -Dfuzz=true, replay.c on those of testdata/corpus/TARGET in any other. */
#pragma once

#include "analyze/read/reader.h"

/* For the limits of the tool's own options, a small cap on inflation among them. */
extern const struct read_opts fuzz_read_opts;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Reads the bytes as a file of this format that is not compressed, and looks at every sample of it. Bytes that the reader
 * does not know by their head are none of its business. */
void fuzz_reader(const struct reader *reader, const struct read_opts *opts, const uint8_t *data, size_t size);
/* Likewise without a look; NULL: there is no profile. The caller frees it. */
struct build *fuzz_read(const struct reader *reader, const struct read_opts *opts, const uint8_t *data, size_t size);
/* Ends the building, and makes what reports are made of: views of all sample types, tables, labels, what --info tells. */
void fuzz_look_at(struct build *build);
/* Likewise of these parts of a report (enum report_parts), with the profile scaled to its base where that is wanted. */
void fuzz_look_at_parts(struct build *build, bool normalize, unsigned parts);
/* Ends the process unless what must hold does. */
void fuzz_expect(bool holds);
