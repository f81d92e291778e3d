#include "data/prepare_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace heed {
namespace {

using testing::HasSubstr;
using testing::Not;

PrepareReport Sample() {
  PrepareReport report;
  report.train.resize(2);
  report.train[0].name = "europarl";
  report.train[0].read = 1000;
  report.train[0].kept = 900;
  report.train[0].dropped[static_cast<size_t>(DropReason::kEmpty)] = 60;
  report.train[0].dropped[static_cast<size_t>(DropReason::kRatio)] = 40;
  report.train[0].source = {10000, 5, 25};
  report.train[0].target = {20000, 0, 0};
  report.train[1].name = "m\xC3\xBCller";
  report.train[1].read = 10;
  report.train[1].kept = 10;
  report.train[1].with_controls = 3;
  report.train[1].repaired = 2;
  report.train[1].suspicious_line = 77;
  report.train[1].source = {100, 0, 0};
  report.train[1].target = {100, 0, 0};
  report.valid = CorpusReport{};
  report.valid->name = "validation";
  report.valid->read = report.valid->kept = 5;
  report.source = {400, 100};
  report.target = {500, 500};
  return report;
}

TEST(PrepareReport, TableHasACorpusPerRowAndARulePerColumn) {
  EXPECT_EQ(Sample().Format(),
            "corpus        read  kept  empty  length ratio  source tokens  target tokens\n"
            "europarl      1000   900     60            40          10000          20000\n"
            "m\xC3\xBCller          10    10      0             0            100            100\n"
            "all training  1010   910     60            40          10100          20100\n"
            "validation       5     5      0             0              0              0\n"
            "m\xC3\xBCller: 3 pairs hold control characters, which count as spaces\n"
            "m\xC3\xBCller: 2 pairs had ill-formed UTF-8, replaced by U+FFFD\n"
            "m\xC3\xBCller: from about line 77 on, the lengths of source and target no longer go "
            "together; is a line missing on each side?\n"
            "source vocabulary: 400 pieces, 100 of them (25.00 %) occur in the training data\n"
            "target vocabulary: 500 pieces, 500 of them (100.00 %) occur in the training data\n"
            "training source tokens: 0.05 % unknown, 0.25 % spelt in bytes\n"
            "training target tokens: 0.00 % unknown, 0.00 % spelt in bytes\n"
            "validation source tokens: 0.00 % unknown, 0.00 % spelt in bytes\n"
            "validation target tokens: 0.00 % unknown, 0.00 % spelt in bytes");
}

TEST(PrepareReport, WhatIsNotThereHasNoRow) {
  PrepareReport report = Sample();
  report.train.resize(1);
  report.valid.reset();
  report.is_joint = true;
  const std::string text = report.Format();
  EXPECT_THAT(text, Not(HasSubstr("all training")));
  EXPECT_THAT(text, Not(HasSubstr("validation")));
  EXPECT_THAT(text, HasSubstr("joint vocabulary: 400 pieces"));
  EXPECT_THAT(text, Not(HasSubstr("target vocabulary")));
}

TEST(PrepareReport, JsonKeepsEverything) {
  PrepareReport report = Sample();
  for (size_t i = 0; i < kNumDropReasons; ++i) report.train[1].dropped[i] = static_cast<int64_t>(i);
  const auto through = [](const PrepareReport& value) {
    return nlohmann::json::parse(nlohmann::json(value).dump()).get<PrepareReport>();
  };
  EXPECT_EQ(through(report), report);
  report.valid.reset();
  report.is_joint = true;
  EXPECT_EQ(through(report), report);
  EXPECT_EQ(through({}), PrepareReport{});
}

}  // namespace
}  // namespace heed
