// Where training stands in its data. Saved with each checkpoint; from it the order of all later
// sentences follows, whatever batch sizes the resumed run uses (see batch_planner.h).
#pragma once

#include <cstdint>
#include <vector>

namespace heed {

// Upper bounds of a batch; none is ever exceeded.
struct BatchLimits {
  int64_t target_tokens = 0;  // end marks included
  int64_t source_tokens = 0;  // end marks included
  int64_t sentences = 0;

  bool operator==(const BatchLimits&) const = default;
};

struct DataPosition {
  // Sentences seen in this epoch while these limits held.
  struct Segment {
    BatchLimits limits;
    int64_t sentences = 0;

    bool operator==(const Segment&) const = default;
  };

  uint64_t seed = 0;
  uint64_t corpora = 0;  // tells the planner whether the data is still the same; it sets this
  int64_t epoch = 1;     // the first is 1
  std::vector<Segment>
      segments{};  // of this epoch, in the order of time; one unless limits changed

  int64_t sentences() const {
    int64_t sum = 0;
    for (const Segment& segment : segments) sum += segment.sentences;
    return sum;
  }
  bool operator==(const DataPosition&) const = default;
};

}  // namespace heed
