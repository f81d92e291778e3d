// Whether lines of two files still translate each other: clues from lengths, numbers and final
// punctuation, without knowledge of the languages.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

namespace heed {

// The first line of `longer` that has no partner in `shorter`, from 1, or nothing if what is
// missing seems to be the end of `shorter`. Finds the cheapest way to pair the lines in order while
// leaving out some of `longer`; a few lines off at times. Reads both files twice.
std::optional<int64_t> FindExtraLine(const std::filesystem::path& longer,
                                     const std::filesystem::path& shorter);

// Watches a corpus whose counts agree: where two lines were lost, one on each side, the lengths of
// partners stop going together.
class PairingMonitor {
 public:
  void Add(std::string_view source, std::string_view target, int64_t line);

  // The line from which on partners seem not to translate each other, if any.
  std::optional<int64_t> suspicious_line() const { return suspicious_line_; }

 private:
  // Sums over the pairs of a block, of the logarithms of both lengths.
  struct Block {
    int64_t first_line = 0;
    double count = 0, source = 0, target = 0, source_squared = 0, target_squared = 0, product = 0;
    std::optional<double> Correlation() const;
  };
  void Finish(double correlation);

  Block block_;
  double good_blocks_ = 0, good_sum_ = 0;  // correlations of the blocks so far
  std::optional<int64_t> doubtful_line_;   // of the block before, if it was bad
  std::optional<int64_t> suspicious_line_;
};

}  // namespace heed
