#include "train/stop_rules.h"

#include <gtest/gtest.h>

namespace heed {
namespace {

TEST(StopRules, EachRuleEndsTrainingWhenItIsReached) {
  RunState state;
  state.update = 100;
  state.target_tokens = 5000;
  state.seconds = 1800;
  TrainingOptions options;
  EXPECT_EQ(EndByRule(options, state, 2.5), std::nullopt);
  const auto expect = [&](auto StopOptions::*rule, double reached, double open) {
    using Value = typename std::remove_reference_t<decltype(options.stop.*rule)>::value_type;
    options.stop = {};
    options.stop.*rule = static_cast<Value>(open);
    EXPECT_EQ(EndByRule(options, state, 2.5), std::nullopt);
    options.stop.*rule = static_cast<Value>(reached);
    EXPECT_EQ(EndByRule(options, state, 2.5), TrainingEnd::kStopRule);
  };
  expect(&StopOptions::updates, 100, 101);
  expect(&StopOptions::epochs, 2.5, 2.6);
  expect(&StopOptions::tokens, 5000, 5001);
  expect(&StopOptions::hours, 0.5, 0.51);
}

TEST(StopRules, StalledMetricsEndTrainingToo) {
  RunState state;
  state.stalled["bleu"] = 3;
  TrainingOptions options;
  options.early_stopping.metrics = {ValidationMetric::kBleu};
  options.early_stopping.patience = 4;
  EXPECT_EQ(EndByRule(options, state, 0), std::nullopt);
  options.early_stopping.patience = 3;
  EXPECT_EQ(EndByRule(options, state, 0), TrainingEnd::kEarlyStopping);
}

}  // namespace
}  // namespace heed
