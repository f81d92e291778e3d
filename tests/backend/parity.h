// Parity: every kernel of a backend against the reference in double, which sees the same numbers.
//
// A backend that this machine or this build lacks is skipped, visibly. The reference in float is
// compared as well: it shows that the oracle and the tolerances are sane.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "backend/backend.h"
#include "tests/backend/subjects.h"
#include "tests/backend/twin.h"

namespace heed {

class Parity : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    oracle_ = MakeBackend({.name = "reference", .real = DType::kFloat64});
    try {
      subject_ = MakeSubject(GetParam(), 2);
    } catch (const UserError& error) {
      GTEST_SKIP() << error.what();
    }
  }

  // Calls body(backend, side) for the subject and for the oracle.
  template <class Body>
  void OnBoth(Body body) {
    body(*subject_, Side::kSubject);
    body(*oracle_, Side::kOracle);
  }

 private:
  std::unique_ptr<Backend> subject_, oracle_;
};

inline constexpr int64_t kPaddings[] = {0, 5};  // contiguous; columns of a wider matrix

}  // namespace heed
