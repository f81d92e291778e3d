// The weights of a Transformer as foreign formats want them: sinusoidal positions in halves (all
// sines, then all cosines), whatever the model was trained with, and positions as tables.
//
// A model with interleaved sinusoids equals, exactly, the model whose values between layers stand
// in another order: columns of embeddings and of every matrix that reads them, rows of every matrix
// that writes them, and norms. Layer norm does not see the order; what is inside attention heads
// and feed-forward layers stays. So nothing is lost but the order of sums.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "export/model_source.h"
#include "export/row_source.h"

namespace heed {

// Where a parameter touches the values between layers: with its inputs (columns), with its outputs
// (rows of a weight, elements of a bias), or not at all.
enum class WidthAxis { kNone, kColumns, kOutputs };
// By the parameter's name; a name that is not known is a bug.
WidthAxis WidthAxisOf(std::string_view name);

// Element i of a row in halves is element order[i] of the interleaved row.
std::vector<int64_t> HalfSplitOrder(int64_t width);

class PortableWeights {
 public:
  // The source must outlive it.
  explicit PortableWeights(const ModelSource& source);

  // The model's options, with the sinusoids that the rows below fit.
  const ModelOptions& options() const { return options_; }

  RowSource Rows(std::string_view name) const;
  // What is added to the embedded tokens of a stack ("encoder" or "decoder"), [positions, model]:
  // the learned table, the formula's values for `rows` positions, or zeros.
  RowSource Positions(std::string_view stack, int64_t rows) const;

 private:
  const ModelSource& source_;
  ModelOptions options_;
  std::vector<int64_t> order_;  // empty = as it is
};

}  // namespace heed
