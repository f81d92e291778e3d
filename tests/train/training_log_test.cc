#include "train/training_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "tests/util/temporary_directory.h"
#include "util/line_reader.h"

namespace heed {
namespace {

class TrainingLogTest : public testing::Test {
 protected:
  TrainingLogTest() {
    recipe_.output = directory_.path().string();
    recipe_.training.log_every = 2;
  }
  void Update(TrainingLog* log, double loss_sum) {
    UpdateReport report;
    report.loss_sum = loss_sum;
    report.nll_sum = loss_sum / 2;
    report.target_tokens = 10;
    report.gradient_norm = 3;
    ++state_.update;
    log->AddUpdate(report, 1.5, 0.5);
    log->Progress(state_, 0.5, 1e-3, false);
  }
  std::vector<nlohmann::json> Lines() const {
    std::vector<nlohmann::json> lines;
    for (const std::string& line : ReadLines(directory_.path() / "metrics.jsonl")) {
      lines.push_back(nlohmann::json::parse(line));
    }
    return lines;
  }

  TemporaryDirectory directory_;
  Recipe recipe_;
  RunState state_;
};

TEST_F(TrainingLogTest, MetricsAreMeansOverTheTokensSinceTheLastLine) {
  TrainingLog log(recipe_, RunState());
  for (const double loss : {20.0, 40.0, 60.0, 80.0, 100.0}) Update(&log, loss);
  const auto lines = Lines();
  ASSERT_EQ(lines.size(), 2U);  // update 5 is not due
  EXPECT_EQ(lines[0]["update"], 2);
  EXPECT_EQ(lines[0]["loss_nats"], 3);
  EXPECT_EQ(lines[0]["nll_nats"], 1.5);
  EXPECT_EQ(lines[0]["gradient_norm"], 3);
  EXPECT_EQ(lines[0]["target_tokens_per_second"], 5);
  EXPECT_EQ(lines[0]["data_wait_share"], 0.25);
  EXPECT_EQ(lines[1]["loss_nats"], 7);
  log.Progress(state_, 0.5, 1e-3, true);
  ASSERT_EQ(Lines().size(), 3U);
  EXPECT_EQ(Lines()[2]["loss_nats"], 10);
}

TEST_F(TrainingLogTest, ValidationsAreWrittenWithTheirTime) {
  TrainingLog log(recipe_, RunState());
  ValidationResult result;
  result.metrics = {{"nll", 2.5}};
  result.seconds = 4;
  log.Validation(result, 6, "nll");
  ASSERT_EQ(Lines().size(), 1U);
  EXPECT_EQ(Lines()[0], nlohmann::json::parse(
                            R"({"update":6,"kind":"valid","nll":2.5,"validation_seconds":4.0})"));
}

}  // namespace
}  // namespace heed
