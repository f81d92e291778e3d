// Random segmentations under a unigram model, from a counter-based stream. SentencePiece draws
// its own from a generator that no caller can rewind, so they differ from run to run.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "text/piece_table.h"
#include "util/philox.h"

namespace heed {

// Samples among all segmentations of `normalized` with probability proportional to
// exp(alpha * score), by forward filtering and backward sampling (Kudo 2018, section 3.2). The text
// must be as SentencePiece normalises it. User symbols are never split.
std::vector<int32_t> SampleUnigram(const PieceTable& pieces, std::string_view normalized,
                                   double alpha, const RandomStream& stream);

}  // namespace heed
