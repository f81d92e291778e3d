#include "train/progress.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heed {
namespace {

TEST(Progress, LineNamesWhatMatters) {
  ProgressWindow window;
  UpdateReport report;
  report.loss_sum = 300;
  report.nll_sum = 200;
  report.target_tokens = 100;
  report.gradient_norm = 1.5;
  window.Add(report, 1.5, 0.5);
  const std::string text = DescribeProgress(
      {.update = 10, .epoch = 1.25, .learning_rate = 5e-4, .last_update = 70}, window, 2);
  EXPECT_EQ(text,
            "update 10/70 · epoch 1.25 · loss 3.0000 · ppl 7.39 · rate 5.00e-04 · norm 1.50 · 50 "
            "tok/s · 2:00 left");
}

TEST(Progress, NothingYetDividesByNothing) {
  EXPECT_THAT(DescribeProgress({}, {}, 0), testing::HasSubstr("0 tok/s"));
  EXPECT_EQ(FormatDuration(3723.9), "1:02:03");
  EXPECT_EQ(FormatDuration(-1), "0:00");
}

TEST(Progress, NoTerminalGetsNoProgressLine) {
  testing::internal::CaptureStderr();
  ProgressLine line;
  line.Show("update 1");
  line.Clear();
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace heed
