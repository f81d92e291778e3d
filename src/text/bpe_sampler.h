// Random segmentations under a BPE model, from a counter-based stream; see unigram_sampler.h.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "text/piece_table.h"
#include "util/philox.h"

namespace heed {

// BPE-dropout (Provilkov et al. 2020) as SentencePiece does it: the merge that is due next is left
// out with probability `dropout`, and its two symbols meet again only when one of them has merged
// with its other neighbour. 0 gives SentencePiece's own segmentation, 1 single characters. The text
// must be as SentencePiece normalises it. User symbols are never split or merged.
std::vector<int32_t> SampleBpe(const PieceTable& pieces, std::string_view normalized,
                               double dropout, const RandomStream& stream);

}  // namespace heed
