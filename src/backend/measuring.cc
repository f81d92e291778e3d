#include "backend/measuring.h"

#include <fmt/format.h>

namespace heed {

std::string MeasuringBackend::Describe() const {
  return fmt::format("measuring ({}, computes nothing)", Name(real_));
}

}  // namespace heed
