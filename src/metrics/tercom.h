// Translation edit rate of one sentence: edits and block shifts (Snover et al. 2006, section 3).
//
// The best shifts are a search problem; the greedy search, its order and its limits (shifts of at
// most 10 words over at most 50 positions, 1,000 tries a sentence) are tercom's as sacreBLEU has
// them, since other limits give other scores.
#pragma once

#include <cstdint>
#include <span>

namespace heed {

// The number of insertions, deletions, substitutions and shifts that turn the hypothesis into the
// reference. Equal words have equal numbers.
int64_t CountTranslationEdits(std::span<const uint32_t> hypothesis,
                              std::span<const uint32_t> reference);

}  // namespace heed
