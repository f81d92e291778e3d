#include "metrics/numpy_sum.h"

#include <array>
#include <cmath>

#include "util/check.h"

namespace heed {
namespace {

constexpr size_t kBlock = 128;
constexpr size_t kLanes = 8;

template <class Real>
Real PairwiseSum(std::span<const double> values) {
  if (values.size() > kBlock) {
    const size_t half = values.size() / 2 / kLanes * kLanes;
    return PairwiseSum<Real>(values.first(half)) + PairwiseSum<Real>(values.subspan(half));
  }
  Real sum = 0;
  size_t done = 0;
  if (values.size() >= kLanes) {
    std::array<Real, kLanes> lanes{};
    for (; done + kLanes <= values.size(); done += kLanes) {
      for (size_t lane = 0; lane < kLanes; ++lane) {
        lanes[lane] += static_cast<Real>(values[done + lane]);
      }
    }
    sum = ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) +
          ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
  }
  for (; done < values.size(); ++done) {
    sum += static_cast<Real>(values[done]);
  }
  return sum;
}

}  // namespace

template <class Real>
double NumpyMean(std::span<const double> values) {
  HEED_CHECK(!values.empty(), "mean of no values");
  return PairwiseSum<Real>(values) / static_cast<Real>(values.size());
}

template double NumpyMean<float>(std::span<const double> values);
template double NumpyMean<double>(std::span<const double> values);

double ExactMean(std::span<const double> values) {
  HEED_CHECK(!values.empty(), "mean of no values");
  double sum = 0;
  double lost = 0;  // what rounding took from sum (Neumaier 1974)
  for (const double value : values) {
    const double next = sum + value;
    lost += std::abs(sum) >= std::abs(value) ? (sum - next) + value : (value - next) + sum;
    sum = next;
  }
  return (sum + lost) / static_cast<double>(values.size());
}

}  // namespace heed
