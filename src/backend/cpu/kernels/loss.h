// Cross-entropy and log-softmax of one row.
#pragma once

#include <cmath>

#include "backend/cpu/kernels/softmax.h"

namespace heed::HEED_ISA {

inline constexpr int64_t kSumBlock = 512;  // elements added in float before a double takes over

// Sums of x and of e^(x - shift); e^(x - shift) replaces x if `kStore`.
template <bool kStore>
inline double SumOfExponentials(float* x, int64_t n, float shift, double* plain_sum) {
  double total = 0, plain = 0;
  for (int64_t begin = 0; begin < n; begin += kSumBlock) {
    Floats sum = Zero(), values = Zero();
    ForLanes(n - begin < kSumBlock ? n - begin : kSumBlock, [&](int64_t i, auto lanes) {
      const Floats v = lanes.Load(x + begin + i);
      const Floats e = Exp(v - Set(shift));
      sum = sum + KeepUsed(lanes, e, Zero());
      values = values + KeepUsed(lanes, v - Set(shift), Zero());
      if constexpr (kStore) lanes.Store(x + begin + i, e);
    });
    total += static_cast<double>(Sum(sum));
    plain += static_cast<double>(Sum(values));
  }
  *plain_sum = plain;
  return total;
}

// losses[0] = smoothed loss, losses[1] = -log p(label). With a gradient scale the logits become
// scale * (p - target), otherwise they are left as they are.
inline void CrossEntropyRow(float* logits, int64_t n, int64_t label, double smoothing,
                            const double* gradient_scale, float* losses) {
  if (label < 0) {
    losses[0] = losses[1] = 0;
    if (gradient_scale != nullptr) {
      ForLanes(n, [&](int64_t i, auto lanes) { lanes.Store(logits + i, Zero()); });
    }
    return;
  }
  const float largest = Largest(MaxOfRun(logits, n));
  const auto shifted_label = static_cast<double>(logits[label] - largest);
  double plain = 0;
  const double sum = gradient_scale != nullptr
                         ? SumOfExponentials<true>(logits, n, largest, &plain)
                         : SumOfExponentials<false>(logits, n, largest, &plain);
  const double log_sum = std::log(sum);
  const double nll = log_sum - shifted_label;
  const double uniform = log_sum - plain / static_cast<double>(n);
  losses[0] = static_cast<float>((1 - smoothing) * nll + smoothing * uniform);
  losses[1] = static_cast<float>(nll);
  if (gradient_scale == nullptr) return;
  const Floats factor = Set(static_cast<float>(*gradient_scale / sum));
  const Floats share =
      Set(static_cast<float>(*gradient_scale * smoothing / static_cast<double>(n)));
  ForLanes(n, [&](int64_t i, auto lanes) {
    lanes.Store(logits + i, Fma(lanes.Load(logits + i), factor, -share));
  });
  logits[label] -= static_cast<float>(*gradient_scale * (1 - smoothing));
}

// In double: log-probabilities are added up over whole translations.
inline void LogSoftmaxRow(float* x, int64_t n) {
  const float largest = Largest(MaxOfRun(x, n));
  Doubles low = ZeroDoubles(), high = ZeroDoubles();
  ForLanes(n, [&](int64_t i, auto lanes) {
    const Floats e = KeepUsed(lanes, Exp(lanes.Load(x + i) - Set(largest)), Zero());
    low += Low(e);
    high += High(e);
  });
  const auto log_sum = static_cast<float>(std::log(Sum(low) + Sum(high)));
  ForLanes(n, [&](int64_t i, auto lanes) {
    lanes.Store(x + i, (lanes.Load(x + i) - Set(largest)) - Set(log_sum));
  });
}

// The k largest, largest first, ties by smaller column: a sorted list that a column enters only by
// beating its last entry, which few do. NaN counts as smaller than everything.
inline void TopKRow(const float* x, int64_t n, int64_t k, float* values, int32_t* columns) {
  int64_t filled = 0;
  const auto insert = [&](int64_t column) {
    const float v = x[column];
    int64_t at = filled < k ? filled++ : k - 1;
    for (; at > 0 && !(values[at - 1] >= v) && v == v; --at) {
      values[at] = values[at - 1];
      columns[at] = columns[at - 1];
    }
    values[at] = v;
    columns[at] = static_cast<int32_t>(column);
  };
  int64_t column = 0;
  for (; column < k; ++column) insert(column);
  const auto beats_last = [&](float v) {
    return v > values[k - 1] || values[k - 1] != values[k - 1];
  };
  for (; column + kLanes <= n; column += kLanes) {
    const float last = values[k - 1];
    if (last == last && !Any(Less(Set(last), Load(x + column)))) continue;
    for (int64_t i = 0; i < kLanes; ++i) {
      if (beats_last(x[column + i])) insert(column + i);
    }
  }
  for (; column < n; ++column) {
    if (beats_last(x[column])) insert(column);
  }
}

}  // namespace heed::HEED_ISA
