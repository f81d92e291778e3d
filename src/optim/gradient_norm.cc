#include "optim/gradient_norm.h"

#include <fmt/format.h>

#include <cmath>

namespace heed {
namespace {

template <class Real>
int64_t FindNonFinite(const MatrixView& x) {
  const Real* values = x.Row<Real>(0);
  for (int64_t i = 0; i < x.size(); ++i) {
    if (!std::isfinite(values[i])) return i;
  }
  return -1;
}

}  // namespace

double GradientNorm(Backend& backend, const ParameterStore& store, double factor) {
  return std::sqrt(backend.SumOfSquares(store.flat_gradients())) * factor;
}

double ClipFactor(double norm, double clip_norm) {
  return clip_norm > 0 && norm > clip_norm ? clip_norm / norm : 1.0;
}

std::string FirstNonFinite(const ParameterStore& store) {
  const bool is_double = store.type() == DType::kFloat64;
  for (const auto& parameter : store.parameters()) {
    const MatrixView& gradient = parameter->gradient;
    const int64_t at = is_double ? FindNonFinite<double>(gradient) : FindNonFinite<float>(gradient);
    if (at < 0) continue;
    const double value =
        is_double ? gradient.Row<double>(0)[at] : static_cast<double>(gradient.Row<float>(0)[at]);
    return fmt::format("{}[{}, {}] = {}", parameter->name, at / parameter->columns,
                       at % parameter->columns, value);
  }
  return "";
}

}  // namespace heed
