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

TEST(StopSignal, HangUpStopsUnlessItIsIgnored) {
  {
    const StopSignal guard;
    std::raise(SIGHUP);
    EXPECT_EQ(StopSignal::Received(), SIGHUP);
  }
  std::signal(SIGHUP, SIG_IGN);  // as nohup does
  {
    const StopSignal guard;
    std::raise(SIGHUP);
    EXPECT_EQ(StopSignal::Received(), 0);
  }
  EXPECT_EQ(std::signal(SIGHUP, SIG_DFL), SIG_IGN);
}

}  // namespace
}  // namespace heed
