#include "decode/scorer.h"

#include <gtest/gtest.h>

#include "util/check.h"

namespace heed {
namespace {

// Scores themselves: translator_test.cc, where there is a model and a vocabulary.
TEST(Scorer, UnequalCountsAreAUserError) {
  const auto backend = MakeBackend({.name = "reference"});
  const std::vector<std::string> sources = {"a"};
  EXPECT_THROW(ScorePairs({}, *backend, sources, {}, {}), UserError);
}

}  // namespace
}  // namespace heed
