#include "checkpoint/run_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "tests/util/temporary_directory.h"
#include "util/check.h"
#include "util/files.h"

namespace heed {
namespace {

using testing::HasSubstr;

RunState Example() {
  return {.update = std::numeric_limits<int64_t>::max(),
          .epoch = 3,
          .sentences_in_epoch = (int64_t{1} << 53) + 1,
          .data_corpora = std::numeric_limits<uint64_t>::max() - 1,
          .data_seed = 77,
          .data_segments = {{4096, 5000, 100, 12}, {2048, 2500, 100, 3}},
          .seed = std::numeric_limits<uint64_t>::max(),
          .sentences = 4,
          .source_tokens = 5,
          .target_tokens = std::numeric_limits<int64_t>::min(),
          .seconds = 0.1 + 0.2,
          .average_updates = 6,
          .skipped_updates = 7,
          .skipped_in_row = 8,
          .optimizer_start = 9,
          .best = {{"bleu", {31.4159, 100}},
                   {"perplexity", {std::numeric_limits<double>::infinity(), 50}}},
          .stalled = {{"bleu", 0}, {"perplexity", 2}},
          .validations = {{.update = 50,
                           .epoch = 1,
                           .target_tokens = 10,
                           .seconds = 1.5,
                           .metrics = {{"bleu", 1.0 / 3}, {"nll", -0.0}}},
                          {.update = 100, .metrics = {}}},
          .recipe_fingerprint = "00ff",
          .data_fingerprint = "quote \" and \xC3\xA4",
          .vocabulary_fingerprint = ""};
}

class RunStateFile : public testing::Test {
 protected:
  RunState RoundTrip(const RunState& state) {
    WriteFile(path_, RunStateToJson(state));
    return ReadRunState(path_);
  }
  // The fault of Example's file after a change of its JSON.
  template <class Change>
  std::string FaultAfter(const Change& change) {
    auto object = nlohmann::json::parse(RunStateToJson(Example()));
    change(object);
    WriteFile(path_, object.dump());
    try {
      ReadRunState(path_);
    } catch (const UserError& error) {
      EXPECT_THAT(error.what(), HasSubstr(path_.string()));
      return error.what();
    }
    return "";
  }

  const TemporaryDirectory directory_;
  const std::filesystem::path path_ = directory_ / "state.json";
};

TEST_F(RunStateFile, EveryFieldComesBack) {
  EXPECT_EQ(RoundTrip(Example()), Example());
  EXPECT_EQ(RoundTrip(RunState{}), RunState{});
  EXPECT_TRUE(std::signbit(RoundTrip(Example()).validations[0].metrics["nll"]));
}

TEST_F(RunStateFile, EveryFieldIsWritten) {
  const auto example = nlohmann::json::parse(RunStateToJson(Example()));
  const auto empty = nlohmann::json::parse(RunStateToJson(RunState{}));
  for (const auto& [key, value] : example.items()) {
    if (key == "format" || key == "vocabulary_fingerprint") continue;
    EXPECT_NE(value, empty[key]) << key << " has its default in Example()";
  }
}

TEST_F(RunStateFile, NotANumberIsKept) {
  RunState state;
  state.best["nll"].value = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isnan(RoundTrip(state).best["nll"].value));
}

TEST_F(RunStateFile, FaultsNameFileAndKey) {
  EXPECT_EQ(FaultAfter([](auto&) {}), "");
  EXPECT_THAT(FaultAfter([](auto& object) { object.erase("stalled"); }), HasSubstr("'stalled'"));
  EXPECT_THAT(FaultAfter([](auto& object) { object["validations"][1].erase("epoch"); }),
              HasSubstr("'validations': 'epoch'"));
  EXPECT_THAT(FaultAfter([](auto& object) { object["extra"] = 1; }), HasSubstr("does not know"));
  EXPECT_THAT(FaultAfter([](auto& object) { object["update"] = 1.5; }),
              HasSubstr("'update': not an integer that fits"));
  EXPECT_THAT(FaultAfter([](auto& object) { object["update"] = uint64_t{1} << 63; }),
              HasSubstr("'update': not an integer that fits"));
  EXPECT_THAT(FaultAfter([](auto& object) { object["seed"] = -1; }),
              HasSubstr("'seed': not an integer that fits"));
  EXPECT_THAT(FaultAfter([](auto& object) { object["seconds"] = "soon"; }), HasSubstr("'seconds'"));
  EXPECT_THAT(FaultAfter([](auto& object) { object["best"] = 1; }),
              HasSubstr("'best': not an object"));
  EXPECT_THAT(FaultAfter([](auto& object) { object["best"]["bleu"] = 1; }),
              HasSubstr("'best': not an object"));
  EXPECT_THAT(FaultAfter([](auto& object) { object["validations"] = 1; }),
              HasSubstr("'validations': not a list"));
  EXPECT_THAT(FaultAfter([](auto& object) { object = 1; }), HasSubstr("not an object"));
}

TEST_F(RunStateFile, OfFormatOneIsUnderstood) {
  RunState state = Example();
  state.optimizer_start = 0;
  nlohmann::ordered_json object = nlohmann::ordered_json::parse(RunStateToJson(state));
  object["format"] = 1;
  object.erase("optimizer_start");
  object["logged_loss"] = 0;
  object["logged_tokens"] = 0;
  object["finished"] = false;
  object["versions"] = nlohmann::ordered_json::object();
  WriteFile(path_, object.dump());
  EXPECT_EQ(ReadRunState(path_), state);
  object.erase("logged_loss");
  object["later"] = 1;
  WriteFile(path_, object.dump());
  EXPECT_THROW(ReadRunState(path_), UserError);
}

TEST_F(RunStateFile, OfALaterVersionIsRefused) {
  EXPECT_THAT(FaultAfter([](auto& object) { object["format"] = RunState::kFormat + 1; }),
              HasSubstr("later version of Heed"));
}

}  // namespace
}  // namespace heed
