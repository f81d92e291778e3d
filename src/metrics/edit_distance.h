// Levenshtein distance inside a band around the diagonal, with the sequence of edits.
//
// The band, the preference among equal edits and so every result are those of sacreBLEU's TER.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace heed {

// What turns the hypothesis into the reference.
enum class EditOp : uint8_t {
  kKeep,
  kSubstitute,
  kInsert,  // a reference word that the hypothesis lacks
  kDelete,  // a hypothesis word that the reference lacks
};

// For many hypotheses of equal length against one reference: rows of the common beginning with the
// hypothesis before are kept.
class BeamEditDistance {
 public:
  BeamEditDistance(std::span<const uint32_t> reference, int64_t hypothesis_length);

  // Number of edits. `hypothesis` has the length given at construction.
  int64_t Compute(std::span<const uint32_t> hypothesis);

  // The edits of the hypothesis of the last Compute, from left to right.
  std::vector<EditOp> Trace() const;

 private:
  struct Cell {
    int32_t cost;
    EditOp op;
  };
  struct Row {  // cells outside [first, first + cells.size()) are unreachable
    int64_t first = 0;
    std::vector<Cell> cells;
    Cell At(int64_t column) const;
  };

  void FillRow(int64_t index, uint32_t word);

  std::vector<uint32_t> reference_;
  double length_ratio_ = 1;  // reference length / hypothesis length: the slope of the diagonal
  int64_t beam_width_;       // half the width of the band
  std::vector<Row> rows_;    // [hypothesis_length + 1]
  std::vector<uint32_t> hypothesis_;  // what rows_ were computed for; shorter before the first
};

}  // namespace heed
