#include "metrics/edit_distance.h"

#include <algorithm>
#include <cmath>

#include "util/check.h"

namespace heed {
namespace {

constexpr int64_t kBeamWidth = 25;
constexpr int32_t kUnreachable = 1 << 29;

}  // namespace

BeamEditDistance::Cell BeamEditDistance::Row::At(int64_t column) const {
  if (column < first || column >= first + std::ssize(cells)) {
    return {.cost = kUnreachable, .op = EditOp::kKeep};
  }
  return cells[static_cast<size_t>(column - first)];
}

BeamEditDistance::BeamEditDistance(std::span<const uint32_t> reference, int64_t hypothesis_length)
    : reference_(reference.begin(), reference.end()),
      beam_width_(kBeamWidth),
      rows_(static_cast<size_t>(hypothesis_length) + 1) {
  if (hypothesis_length > 0) {
    length_ratio_ = static_cast<double>(reference.size()) / static_cast<double>(hypothesis_length);
  }
  if (length_ratio_ / 2 > kBeamWidth) {  // else the bands of two rows might not touch
    beam_width_ = static_cast<int64_t>(std::ceil(length_ratio_ / 2 + kBeamWidth));
  }
  for (int32_t cost = 0; cost <= static_cast<int32_t>(reference.size()); ++cost) {
    rows_[0].cells.push_back({.cost = cost, .op = EditOp::kInsert});
  }
}

int64_t BeamEditDistance::Compute(std::span<const uint32_t> hypothesis) {
  HEED_CHECK(hypothesis.size() + 1 == rows_.size(), "built for {} words, got {}", rows_.size() - 1,
             hypothesis.size());
  const auto [unused, changed] =
      std::mismatch(hypothesis_.begin(), hypothesis_.end(), hypothesis.begin(), hypothesis.end());
  for (auto i = changed - hypothesis.begin(); i < std::ssize(hypothesis); ++i) {
    FillRow(i + 1, hypothesis[static_cast<size_t>(i)]);
  }
  hypothesis_.assign(hypothesis.begin(), hypothesis.end());
  return rows_.back().cells.back().cost;
}

void BeamEditDistance::FillRow(int64_t index, uint32_t word) {
  const auto diagonal =
      static_cast<int64_t>(std::floor(static_cast<double>(index) * length_ratio_));
  const int64_t columns = std::ssize(reference_) + 1;
  const int64_t first = std::max<int64_t>(0, diagonal - beam_width_);
  const bool is_last = index + 1 == std::ssize(rows_);
  const int64_t end = is_last ? columns : std::min(columns, diagonal + beam_width_);

  const Row& above = rows_[static_cast<size_t>(index - 1)];
  Row& row = rows_[static_cast<size_t>(index)];
  row.first = first;
  row.cells.clear();
  Cell left = {.cost = kUnreachable, .op = EditOp::kKeep};
  for (int64_t j = first; j < end; ++j) {
    Cell best = {.cost = above.At(j).cost + 1, .op = EditOp::kDelete};
    if (j > 0) {  // keep or substitute wins over delete, delete over insert
      const bool is_same = word == reference_[static_cast<size_t>(j - 1)];
      const int32_t diagonal_cost = above.At(j - 1).cost + (is_same ? 0 : 1);
      if (diagonal_cost <= best.cost) {
        best = {.cost = diagonal_cost, .op = is_same ? EditOp::kKeep : EditOp::kSubstitute};
      }
      if (left.cost + 1 < best.cost) {
        best = {.cost = left.cost + 1, .op = EditOp::kInsert};
      }
    }
    row.cells.push_back(best);
    left = best;
  }
}

std::vector<EditOp> BeamEditDistance::Trace() const {
  std::vector<EditOp> trace;
  int64_t i = std::ssize(rows_) - 1;
  int64_t j = std::ssize(reference_);
  while (i > 0 || j > 0) {
    const EditOp op = rows_[static_cast<size_t>(i)].At(j).op;
    trace.push_back(op);
    i -= op == EditOp::kInsert ? 0 : 1;
    j -= op == EditOp::kDelete ? 0 : 1;
    HEED_CHECK(i >= 0 && j >= 0, "the trace leaves the matrix at row {}, column {}", i, j);
  }
  std::reverse(trace.begin(), trace.end());
  return trace;
}

}  // namespace heed
