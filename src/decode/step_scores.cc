#include "decode/step_scores.h"

#include <algorithm>
#include <cmath>

#include "util/check.h"

namespace heed {
namespace {

template <class Real>
void AverageRows(const std::vector<Tensor>& models) {
  const MatrixView first = models.front().view();
  const double log_models = std::log(static_cast<double>(models.size()));
  for (int64_t row = 0; row < first.rows; ++row) {
    for (int64_t token = 0; token < first.columns; ++token) {
      double largest = static_cast<double>(first.Row<Real>(row)[token]);
      for (const Tensor& model : models) {
        largest = std::max(largest, static_cast<double>(model.view().Row<Real>(row)[token]));
      }
      double sum = 0;
      for (const Tensor& model : models) {
        sum += std::exp(static_cast<double>(model.view().Row<Real>(row)[token]) - largest);
      }
      first.Row<Real>(row)[token] = static_cast<Real>(largest + std::log(sum) - log_models);
    }
  }
}

}  // namespace

double ElementOf(const Tensor& tensor, int64_t row, int64_t column) {
  const MatrixView& view = tensor.view();
  return view.type == DType::kFloat64 ? view.Row<double>(row)[column]
                                      : static_cast<double>(view.Row<float>(row)[column]);
}

void StepScores::Add(Context& ctx, const Tensor& logits) {
  ctx.backend.LogSoftmax(logits.view());
  models_.push_back(logits);
}

void StepScores::Average(Context& ctx) {
  if (models_.size() == 1) return;
  if (ctx.backend.real() == DType::kFloat64) {
    AverageRows<double>(models_);
  } else {
    AverageRows<float>(models_);
  }
  models_.resize(1);
}

void StepScores::FindBest(Context& ctx, int64_t count) {
  const MatrixView scores = models_.front().view();
  count_ = std::min(count, scores.columns);
  const Tensor values = ctx.New(scores.rows, count_);
  std::vector<int32_t> tokens(static_cast<size_t>(scores.rows * count_));
  ctx.backend.TopK(scores, count_, values.view(), tokens);
  best_.clear();
  for (int64_t row = 0; row < scores.rows; ++row) {
    for (int64_t i = 0; i < count_; ++i) {
      const int32_t token = tokens[static_cast<size_t>(row * count_ + i)];
      best_.push_back({token, At(row, token)});
    }
  }
}

std::span<const StepScores::Entry> StepScores::Best(int64_t row) const {
  return std::span(best_).subspan(static_cast<size_t>(row * count_), static_cast<size_t>(count_));
}

double StepScores::At(int64_t row, int32_t token) const {
  const Tensor& scores = models_.front();
  HEED_CHECK(token >= 0 && token < scores.columns(), "token {} of {}", token, scores.columns());
  return ElementOf(scores, row, token);
}

std::vector<double> StepScores::Row(int64_t row) const {
  std::vector<double> values;
  values.reserve(static_cast<size_t>(models_.front().columns()));
  for (int32_t token = 0; token < models_.front().columns(); ++token) {
    values.push_back(At(row, token));
  }
  return values;
}

}  // namespace heed
