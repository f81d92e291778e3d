// The backends that the parity and the bitwise suites examine, by name: those of the registry and
// cpu_portable, the cpu backend with the kernels for machines without AVX2.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "backend/backend.h"

namespace heed {

// Throws UserError if the backend cannot run here.
std::unique_ptr<Backend> MakeSubject(const std::string& name, int num_threads);

inline auto SubjectNames() {
  return testing::Values("reference", "cpu", "cpu_portable");
}

// For INSTANTIATE_TEST_SUITE_P.
inline std::string SubjectName(const testing::TestParamInfo<std::string>& instance) {
  return instance.param;
}

}  // namespace heed
