// Checks of what a user wants scored: most wrong BLEU numbers come from wrong input.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "metrics/metric.h"

namespace heed {

// Throws UserError unless there is a line and a reference, and every reference stream has as many
// lines as the hypotheses; the message names both counts.
void CheckLineCounts(std::span<const std::string> hypotheses, ReferenceStreams references);

// How many lines end in " ." as only tokenized text does.
int64_t CountTokenizedPeriods(std::span<const std::string> lines);

// sacreBLEU's rule of thumb: 100 such lines mean that detokenization was forgotten, and a BLEU that
// is not comparable. The caller warns, unless the tokenizer is `none` on purpose.
bool LooksTokenized(std::span<const std::string> lines);

// The first line, from 1, that begins with SGML or XML markup of test sets (<seg, <doc, <refset
// ...); such files must be unpacked before scoring.
std::optional<int64_t> FindMarkupLine(std::span<const std::string> lines);

}  // namespace heed
