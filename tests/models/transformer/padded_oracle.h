// An independent Transformer for the tests: explicitly padded sentences, additive masks of
// -infinity, double precision, no code shared with the product but the parameters' names. Slow and
// plain.
#pragma once

#include <cstdint>
#include <vector>

#include "config/model_options.h"
#include "tensor/parameter_store.h"

namespace heed {

using Matrix = std::vector<std::vector<double>>;  // rows of columns

class PaddedOracle {
 public:
  PaddedOracle(const ParameterStore& store, const ModelOptions& options)
      : store_(store), options_(options) {}

  // Log-probabilities [target positions][vocabulary] for one sentence, computed on source and
  // target padded with `padding` extra tokens (of id 0) that masks must hide. `attention`, if
  // given, receives the attention to the source, the last layer's mean over heads: [padded target
  // positions][padded source positions].
  Matrix LogProbabilities(std::vector<int32_t> source, std::vector<int32_t> target_inputs,
                          int64_t padding, Matrix* attention = nullptr) const;

 private:
  Matrix Embed(const std::vector<int32_t>& ids, const std::string& side) const;
  Matrix Linear(const Matrix& x, const std::string& name, int64_t first_row, int64_t rows) const;
  Matrix Norm(const Matrix& x, const std::string& name) const;
  Matrix FeedForward(const Matrix& x, const std::string& name) const;
  // Keys at or beyond `visible`, or after the query where causal, are masked. `weights`, if given,
  // receives the mean of the heads' probabilities.
  Matrix Attend(const Matrix& q, const Matrix& k, const Matrix& v, int64_t visible, bool causal,
                Matrix* weights = nullptr) const;
  template <class Sublayer>
  Matrix Residual(const Matrix& x, const std::string& norm, const Sublayer& sublayer) const;

  const ParameterStore& store_;
  const ModelOptions& options_;
};

}  // namespace heed
