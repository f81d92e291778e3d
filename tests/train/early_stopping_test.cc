#include "train/early_stopping.h"

#include <gtest/gtest.h>

#include <cmath>

namespace heed {
namespace {

ValidationRecord Record(int64_t update, double nll, double bleu) {
  ValidationRecord record;
  record.update = update;
  record.metrics = {{"nll", nll}, {"bleu", bleu}};
  return record;
}

TEST(EarlyStopping, FirstAnyAndAllWatchTheRightMetrics) {
  RunState state;
  EXPECT_EQ(RecordValidation(Record(1, 3.0, 10), state), "bleu nll");
  EXPECT_EQ(RecordValidation(Record(2, 2.5, 9), state), "nll");
  EXPECT_EQ(RecordValidation(Record(3, 2.4, 10), state), "nll");  // an equal BLEU is no new best
  EXPECT_EQ(state.best["bleu"].update, 1);
  EXPECT_EQ(state.best["nll"].value, 2.4);
  EarlyStoppingOptions options;
  options.patience = 2;
  options.metrics = {ValidationMetric::kNll, ValidationMetric::kBleu};
  EXPECT_FALSE(HasStalled(options, state));
  options.when = StopWhen::kAny;
  EXPECT_TRUE(HasStalled(options, state));
  options.when = StopWhen::kAll;
  EXPECT_FALSE(HasStalled(options, state));
  options.metrics = {ValidationMetric::kBleu};
  EXPECT_TRUE(HasStalled(options, state));
  options.metrics = {};
  EXPECT_FALSE(HasStalled(options, state));
}

TEST(EarlyStopping, NanIsNeverABest) {
  RunState state;
  RecordValidation(Record(1, 3.0, 10), state);
  EXPECT_EQ(RecordValidation(Record(2, std::nan(""), std::nan("")), state), "");
  EXPECT_EQ(state.stalled["nll"], 1);
  RunState bad_start;
  EXPECT_EQ(RecordValidation(Record(1, std::nan(""), 0), bad_start), "bleu");
  EXPECT_EQ(bad_start.stalled["nll"], 1);
  EXPECT_EQ(RecordValidation(Record(2, 3.0, 0), bad_start), "nll");
}

}  // namespace
}  // namespace heed
