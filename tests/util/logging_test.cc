#include "util/logging.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heed {
namespace {

TEST(Logging, WritesToStderrAtTheAskedLevel) {
  testing::internal::CaptureStderr();
  StartLogging("warning");
  HEED_LOG(info, "hidden {}", 1);
  HEED_LOG(warn, "shown {}", 2);
  const std::string text = testing::internal::GetCapturedStderr();
  EXPECT_THAT(text, testing::HasSubstr("shown 2"));
  EXPECT_THAT(text, testing::Not(testing::HasSubstr("hidden")));
}

}  // namespace
}  // namespace heed
