#include "metrics/tercom.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <tuple>
#include <vector>

#include "metrics/edit_distance.h"

namespace heed {
namespace {

constexpr int64_t kMaxShiftWords = 10;
constexpr int64_t kMaxShiftDistance = 50;
constexpr int64_t kMaxTries = 1000;

using Words = std::vector<uint32_t>;

// What the edits say about each position.
struct Alignment {
  std::vector<int64_t> hypothesis_of;  // by reference position: the word it stands for, or the word
                                       // after which it is missing (-1 = before the first)
  std::vector<bool> is_reference_error;
  std::vector<bool> is_hypothesis_error;
};

Alignment AlignmentOf(const std::vector<EditOp>& trace) {
  Alignment alignment;
  int64_t hypothesis = -1;
  for (const EditOp op : trace) {
    const bool is_error = op != EditOp::kKeep;
    if (op != EditOp::kInsert) {
      ++hypothesis;
      alignment.is_hypothesis_error.push_back(is_error);
    }
    if (op != EditOp::kDelete) {
      alignment.hypothesis_of.push_back(hypothesis);
      alignment.is_reference_error.push_back(is_error);
    }
  }
  return alignment;
}

bool AnyError(const std::vector<bool>& errors, int64_t start, int64_t length) {
  return std::find(errors.begin() + start, errors.begin() + start + length, true) !=
         errors.begin() + start + length;
}

// Equal words of hypothesis and reference: hypothesis[start_h, +length) = reference[start_r, ...).
struct Match {
  int64_t start_h;
  int64_t start_r;
  int64_t length;
};

// A shift of `length` words from `start` so that they stand before word `target` of the rest.
struct Shift {
  int64_t gain;  // edits saved
  int64_t length;
  int64_t start;
  int64_t target;

  // tercom's ranking: largest gain, longest, earliest start, earliest target.
  bool IsBetterThan(const Shift& other) const {
    return std::tuple(gain, length, -start, -target) >
           std::tuple(other.gain, other.length, -other.start, -other.target);
  }
};

// `target` counts positions before the move; inside the moved words it counts as an offset behind
// them, a habit of sacreBLEU that decides scores.
Words Apply(const Shift& shift, const Words& words) {
  const auto block = words.begin() + shift.start;
  const auto block_end = block + shift.length;
  Words moved = words;
  const auto out = moved.begin();
  if (shift.target < shift.start) {
    std::rotate(out + shift.target, out + shift.start, out + shift.start + shift.length);
  } else if (shift.target > shift.start + shift.length) {
    std::rotate(out + shift.start, out + shift.start + shift.length, out + shift.target);
  } else {
    const int64_t end = std::min(std::ssize(words), shift.length + shift.target);
    const auto next = std::copy(block_end, words.begin() + end, out + shift.start);
    std::copy(block, block_end, next);
  }
  return moved;
}

class ShiftSearch {
 public:
  ShiftSearch(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference)
      : hypothesis_(hypothesis.begin(), hypothesis.end()),
        reference_(reference.begin(), reference.end()),
        distance_(reference, std::ssize(hypothesis)) {}

  int64_t CountEdits() {
    int64_t shifts = 0;
    while (const std::optional<Shift> best = FindBestShift()) {
      if (tries_ >= kMaxTries || best->gain <= 0) {
        break;
      }
      hypothesis_ = Apply(*best, hypothesis_);
      ++shifts;
    }
    return shifts + distance_.Compute(hypothesis_);
  }

 private:
  std::optional<Shift> FindBestShift() {
    base_distance_ = distance_.Compute(hypothesis_);
    alignment_ = AlignmentOf(distance_.Trace());
    best_.reset();
    for (int64_t start_h = 0; start_h < std::ssize(hypothesis_); ++start_h) {
      const int64_t first = std::max<int64_t>(0, start_h - kMaxShiftDistance);
      const int64_t last = std::min(std::ssize(reference_) - 1, start_h + kMaxShiftDistance);
      for (int64_t start_r = first; start_r <= last; ++start_r) {
        if (!TryMatchesAt(start_h, start_r)) {
          return best_;
        }
      }
    }
    return best_;
  }

  // Tries all lengths of a match at these positions; false when the tries are used up.
  bool TryMatchesAt(int64_t start_h, int64_t start_r) {
    const int64_t longest = std::min(
        {kMaxShiftWords, std::ssize(hypothesis_) - start_h, std::ssize(reference_) - start_r});
    for (int64_t length = 1; length <= longest; ++length) {
      if (hypothesis_[static_cast<size_t>(start_h + length - 1)] !=
          reference_[static_cast<size_t>(start_r + length - 1)]) {
        return true;
      }
      const Match match = {.start_h = start_h, .start_r = start_r, .length = length};
      if (IsWorthShifting(match)) {
        TryTargets(match);
        if (tries_ >= kMaxTries) {
          return false;
        }
      }
    }
    return true;
  }

  // Both places must hold an error, and the words must not be where they belong already.
  bool IsWorthShifting(const Match& match) const {
    const int64_t aligned = alignment_.hypothesis_of[static_cast<size_t>(match.start_r)];
    return AnyError(alignment_.is_hypothesis_error, match.start_h, match.length) &&
           AnyError(alignment_.is_reference_error, match.start_r, match.length) &&
           (aligned < match.start_h || aligned >= match.start_h + match.length);
  }

  // Moves the matched words behind what is aligned to the word before the match, to its first word,
  // its second and so on.
  void TryTargets(const Match& match) {
    int64_t previous = -1;
    const int64_t end = std::min(match.start_r + match.length, std::ssize(reference_));
    for (int64_t r = match.start_r - 1; r < end; ++r) {
      const int64_t target = r < 0 ? 0 : alignment_.hypothesis_of[static_cast<size_t>(r)] + 1;
      if (target == previous) {
        continue;
      }
      previous = target;
      Shift shift = {.gain = 0, .length = match.length, .start = match.start_h, .target = target};
      shift.gain = base_distance_ - distance_.Compute(Apply(shift, hypothesis_));
      ++tries_;
      if (!best_ || shift.IsBetterThan(*best_)) {
        best_ = shift;
      }
    }
  }

  Words hypothesis_;
  Words reference_;
  BeamEditDistance distance_;
  int64_t base_distance_ = 0;
  Alignment alignment_;
  std::optional<Shift> best_;
  int64_t tries_ = 0;
};

}  // namespace

int64_t CountTranslationEdits(std::span<const uint32_t> hypothesis,
                              std::span<const uint32_t> reference) {
  if (reference.empty()) {
    return std::ssize(hypothesis);
  }
  return ShiftSearch(hypothesis, reference).CountEdits();
}

}  // namespace heed
