#include "decode/loaded_model.h"

#include <gtest/gtest.h>

#include "util/check.h"

namespace heed {
namespace {

// Loading what training wrote: tests/train/trained_model_test.cc.
TEST(LoadedModel, MissingModelIsAUserError) {
  const auto backend = MakeBackend({});
  EXPECT_THROW(LoadTranslationModel("/nonexistent/run", *backend), UserError);
}

}  // namespace
}  // namespace heed
