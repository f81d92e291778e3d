// Means with NumPy's rounding, and without any.
#pragma once

#include <cstdint>
#include <span>

namespace heed {

// np.mean of values that are stored as Real: pairwise summation in Real (blocks of 128, eight
// partial sums in each), as NumPy adds contiguous arrays.
template <class Real>
double NumpyMean(std::span<const double> values);

// statistics.mean: rounded once, at the end (as far as twice the digits of a double reach).
double ExactMean(std::span<const double> values);

extern template double NumpyMean<float>(std::span<const double> values);
extern template double NumpyMean<double>(std::span<const double> values);

}  // namespace heed
