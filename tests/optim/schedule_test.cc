#include "optim/schedule.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "util/check.h"

namespace heed {
namespace {

ScheduleOptions Options(ScheduleKind kind, int64_t warmup) {
  ScheduleOptions options;
  options.kind = kind;
  options.peak_rate = 1e-3;
  options.warmup_updates = warmup;
  return options;
}

TEST(Schedule, InverseSqrtHitsItsGoldenNumbers) {
  const Schedule schedule(Options(ScheduleKind::kInverseSqrt, 4000), 512, 0);
  EXPECT_DOUBLE_EQ(schedule.Rate(1), 2.5e-7);
  EXPECT_DOUBLE_EQ(schedule.Rate(4000), 1e-3);
  EXPECT_DOUBLE_EQ(schedule.Rate(16000), 5e-4);
  EXPECT_DOUBLE_EQ(schedule.Rate(40000), 1e-3 / std::sqrt(10.0));
}

TEST(Schedule, PaperFormulaHitsItsGoldenNumbers) {
  const Schedule schedule(Options(ScheduleKind::kPaper, 4000), 512, 0);
  EXPECT_NEAR(schedule.Rate(1), 1.7469281074217107e-07, 1e-18);
  EXPECT_NEAR(schedule.Rate(4000), 6.987712429686843e-04, 1e-15);
  EXPECT_NEAR(schedule.Rate(40000), 2.2097086912079613e-04, 1e-15);
}

TEST(Schedule, WarmUpMayBeZero) {
  for (const ScheduleKind kind : {ScheduleKind::kInverseSqrt, ScheduleKind::kLinear,
                                  ScheduleKind::kCosine, ScheduleKind::kConstant}) {
    EXPECT_NEAR(Schedule(Options(kind, 0), 512, 1000000).Rate(1), 1e-3, 1e-8);
  }
  EXPECT_DOUBLE_EQ(Schedule(Options(ScheduleKind::kPaper, 0), 4, 0).Rate(4), 0.25);
}

TEST(Schedule, LinearAndCosineEndAtTheFinalRate) {
  for (const ScheduleKind kind : {ScheduleKind::kLinear, ScheduleKind::kCosine}) {
    ScheduleOptions options = Options(kind, 100);
    options.final_rate = 1e-5;
    options.total_updates = 1100;
    const Schedule schedule(options, 512, 7);
    EXPECT_DOUBLE_EQ(schedule.Rate(50), 5e-4);
    EXPECT_DOUBLE_EQ(schedule.Rate(100), 1e-3);
    EXPECT_NEAR(schedule.Rate(600), (1e-3 + 1e-5) / 2, 1e-15);
    EXPECT_NEAR(schedule.Rate(1100), 1e-5, 1e-15);
    EXPECT_NEAR(schedule.Rate(5000), 1e-5, 1e-15);
  }
}

TEST(Schedule, ConstantStaysAtThePeak) {
  const Schedule schedule(Options(ScheduleKind::kConstant, 10), 512, 0);
  EXPECT_DOUBLE_EQ(schedule.Rate(1), 1e-4);
  EXPECT_DOUBLE_EQ(schedule.Rate(10), 1e-3);
  EXPECT_DOUBLE_EQ(schedule.Rate(int64_t{1} << 40), 1e-3);
}

// At every end of warm-up the rising and the falling half meet: no jump for the optimizer.
TEST(Schedule, HasNoJump) {
  for (const ScheduleKind kind :
       {ScheduleKind::kInverseSqrt, ScheduleKind::kPaper, ScheduleKind::kLinear,
        ScheduleKind::kCosine, ScheduleKind::kConstant}) {
    for (const int64_t warmup : {1, 7, 400}) {
      const Schedule schedule(Options(kind, warmup), 512, 1000);
      const double peak = schedule.Rate(warmup);
      for (int64_t update = 1; update <= 1500; ++update) {
        EXPECT_GE(schedule.Rate(update), 0);
        EXPECT_LE(schedule.Rate(update), peak * (1 + 1e-12));
        const double step = std::abs(schedule.Rate(update + 1) - schedule.Rate(update));
        EXPECT_LE(step, peak / static_cast<double>(std::min(update, warmup)) * 2 + 1e-9);
      }
    }
  }
}

TEST(Schedule, UpdatesCountFromOne) {
  EXPECT_THROW(Schedule(Options(ScheduleKind::kConstant, 0), 512, 0).Rate(0), InternalError);
}

TEST(Schedule, DecayWithoutAnEndIsAUserError) {
  EXPECT_THROW(Schedule(Options(ScheduleKind::kCosine, 100), 512, 0), UserError);
  EXPECT_NO_THROW(Schedule(Options(ScheduleKind::kCosine, 100), 512, 101));
}

}  // namespace
}  // namespace heed
