// How every reference kernel writes one element: sums are made in double and rounded once.
#pragma once

namespace heed::reference {

template <class Real>
void Store(double value, bool accumulate, Real& target) {
  target = static_cast<Real>(accumulate ? static_cast<double>(target) + value : value);
}

}  // namespace heed::reference
