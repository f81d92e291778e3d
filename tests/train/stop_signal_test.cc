#include "train/stop_signal.h"

#include <gtest/gtest.h>

#include <csignal>

namespace heed {
namespace {

TEST(StopSignal, FirstSignalIsRememberedAndTheSecondKills) {
  {
    const StopSignal guard;
    EXPECT_EQ(StopSignal::Received(), 0);
    std::raise(SIGTERM);
    EXPECT_EQ(StopSignal::Received(), SIGTERM);
    EXPECT_EXIT(std::raise(SIGTERM), testing::KilledBySignal(SIGTERM), "");
  }
  const StopSignal again;
  EXPECT_EQ(StopSignal::Received(), 0);
}

}  // namespace
}  // namespace heed
