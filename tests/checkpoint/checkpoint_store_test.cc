#include "checkpoint/checkpoint_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>

#include <fstream>
#include <limits>
#include <memory>
#include <sstream>

#include "tests/checkpoint/example_checkpoint.h"
#include "tests/util/temporary_directory.h"
#include "util/check.h"
#include "util/files.h"
#include "util/logging.h"

namespace heed {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

// Keeps what is logged while it lives.
class LogCapture {
 public:
  LogCapture() : before_(spdlog::default_logger()) {
    spdlog::set_default_logger(std::make_shared<spdlog::logger>(
        "capture", std::make_shared<spdlog::sinks::ostream_sink_mt>(stream_)));
  }
  ~LogCapture() { spdlog::set_default_logger(before_); }
  std::string text() const { return stream_.str(); }

 private:
  std::ostringstream stream_;
  std::shared_ptr<spdlog::logger> before_;
};

// Changes a file in place, as a bad disk would.
void Damage(const fs::path& path) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekg(-1, std::ios::end);
  const int last = file.get();
  file.seekp(-1, std::ios::end);
  file.put(static_cast<char>(last ^ 4));
}

class Store : public testing::Test {
 protected:
  static CheckpointOptions Keep(int64_t last, int64_t best,
                                ValidationMetric metric = ValidationMetric::kNll) {
    return {.keep_last = last, .keep_best = best, .best_metric = metric};
  }
  std::vector<int64_t> Updates() const {
    std::vector<int64_t> updates;
    for (const auto& checkpoint : ListCheckpoints(run_)) updates.push_back(checkpoint.update);
    return updates;
  }
  std::string Link(const std::string& name) const {
    std::error_code error;
    return fs::read_symlink(run_ / name, error).string();
  }

  const TemporaryDirectory directory_;
  const fs::path run_ = directory_ / "run";
  const ExampleModel model_{1};
};

TEST_F(Store, AnEmptyRunHasNoCheckpoint) {
  EXPECT_TRUE(ListCheckpoints(run_).empty());
  CheckpointStore store(run_, Keep(2, 1));
  EXPECT_FALSE(store.FindNewest().has_value());
}

TEST_F(Store, SavedCheckpointIsFoundAndLinked) {
  {
    CheckpointStore store(run_, Keep(2, 1));
    store.Save(model_.Content(100));
    EXPECT_EQ(store.Save(model_.Content(123456789)), run_ / "checkpoints/update-123456789");
  }
  EXPECT_EQ(Link("last"), "checkpoints/update-123456789");
  EXPECT_EQ(Link("best"), "");
  CheckpointStore store(run_, Keep(2, 1));
  const auto newest = store.FindNewest();
  ASSERT_TRUE(newest.has_value());
  EXPECT_EQ(newest->update, 123456789);
  ExampleModel loaded(2);
  ReadBuffers(newest->path, loaded.store(), loaded.buffers());
  EXPECT_EQ(loaded.Values(), model_.Values());
}

TEST_F(Store, ARunIsHeldByOneProcess) {
  const CheckpointStore store(run_, Keep(1, 0));
  try {
    const CheckpointStore second(run_, Keep(1, 0));
    FAIL() << "two stores of one run";
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), HasSubstr("stop the other training"));
  }
}

TEST_F(Store, LeftoversAreRemovedAtStart) {
  fs::create_directories(run_ / "checkpoints/.tmp-update-00000007-1-2");
  WriteFile(run_ / "checkpoints/.tmp-update-00000007-1-2/model.safetensors", "half");
  WriteFile(run_ / "metrics.jsonl", "");
  const CheckpointStore store(run_, Keep(1, 0));
  EXPECT_TRUE(fs::is_empty(run_ / "checkpoints"));
  EXPECT_TRUE(fs::exists(run_ / "metrics.jsonl"));
}

TEST_F(Store, TheSameUpdateIsReplaced) {
  CheckpointStore store(run_, Keep(1, 1));
  store.Save(ValidatedContent(model_, 1, "nll", 5.0));
  store.Save(ValidatedContent(model_, 2, "nll", 6.0));
  EXPECT_EQ(Link("best"), "checkpoints/update-00000001");
  store.Save(ValidatedContent(ExampleModel(9), 2, "nll", 4.0));
  EXPECT_EQ(Link("best"), "checkpoints/update-00000002");
  ExampleModel loaded(2);
  ReadBuffers(run_ / "last", loaded.store(), loaded.buffers());
  EXPECT_EQ(loaded.Values(), ExampleModel(9).Values());
}

TEST_F(Store, KeepsTheNewestAndTheBest) {
  CheckpointStore store(run_, Keep(2, 2));
  const double nll[] = {9, 3, 4, 8, 7, 6, 5};
  for (int64_t i = 0; i < 7; ++i) store.Save(ValidatedContent(model_, 10 * (i + 1), "nll", nll[i]));
  EXPECT_THAT(Updates(), ElementsAre(20, 30, 60, 70));
  EXPECT_EQ(Link("best"), "checkpoints/update-00000020");
  EXPECT_EQ(Link("last"), "checkpoints/update-00000070");
}

TEST_F(Store, HigherIsBetterForBleu) {
  CheckpointStore store(run_, Keep(1, 1, ValidationMetric::kBleu));
  const double bleu[] = {10, 30, 20};
  for (int64_t i = 0; i < 3; ++i) store.Save(ValidatedContent(model_, i + 1, "bleu", bleu[i]));
  EXPECT_THAT(Updates(), ElementsAre(2, 3));
  EXPECT_EQ(Link("best"), "checkpoints/update-00000002");
}

TEST_F(Store, OfEqualCheckpointsTheEarlierIsBest) {
  CheckpointStore store(run_, Keep(1, 1));
  for (int64_t update = 1; update <= 3; ++update) {
    store.Save(ValidatedContent(model_, update, "nll", 2.0));
  }
  EXPECT_EQ(Link("best"), "checkpoints/update-00000001");
  EXPECT_THAT(Updates(), ElementsAre(1, 3));
}

TEST_F(Store, UnvalidatedNaNAndOtherMetricsAreNeverBest) {
  CheckpointStore store(run_, Keep(1, 3));
  store.Save(ValidatedContent(model_, 1, "nll", std::numeric_limits<double>::quiet_NaN()));
  store.Save(ValidatedContent(model_, 2, "bleu", 1.0));
  CheckpointContent earlier = model_.Content(3);  // validated before its update
  earlier.state.validations.push_back({.update = 2, .metrics = {{"nll", 1.0}}});
  store.Save(earlier);
  store.Save(model_.Content(4));
  EXPECT_THAT(Updates(), ElementsAre(4));
  EXPECT_EQ(Link("best"), "");
  store.Save(ValidatedContent(model_, 5, "nll", std::numeric_limits<double>::infinity()));
  EXPECT_EQ(Link("best"), "checkpoints/update-00000005");
}

TEST_F(Store, TheCheckpointGoneOnFromIsKept) {
  { CheckpointStore(run_, Keep(1, 0)).Save(model_.Content(1)); }
  CheckpointStore store(run_, Keep(1, 0));
  EXPECT_EQ(store.FindNewest()->update, 1);
  for (int64_t update = 2; update <= 4; ++update) store.Save(model_.Content(update));
  EXPECT_THAT(Updates(), ElementsAre(1, 4));
}

TEST_F(Store, WhatALinkPointsToIsKept) {
  CheckpointStore store(run_, Keep(1, 0));
  store.Save(model_.Content(1));
  ReplaceSymlink(run_ / "best", "checkpoints/update-00000001");
  for (int64_t update = 2; update <= 4; ++update) store.Save(model_.Content(update));
  EXPECT_THAT(Updates(), ElementsAre(1, 4));
}

class BrokenCheckpoint : public Store, public testing::WithParamInterface<std::string> {};

// Whatever file is damaged, cut or missing, training goes on from the checkpoint before.
TEST_P(BrokenCheckpoint, FallsBackToTheOneBeforeAndSaysWhy) {
  for (const std::string fault : {"damaged", "cut", "missing"}) {
    const fs::path run = directory_ / fault;
    { CheckpointStore(run, Keep(3, 1)).Save(model_.Content(1)); }
    { CheckpointStore(run, Keep(3, 1)).Save(model_.Content(2)); }
    const fs::path file = run / "last" / GetParam();
    if (fault == "damaged") Damage(file);
    if (fault == "cut") fs::resize_file(file, fs::file_size(file) / 2);
    if (fault == "missing") fs::remove(file);

    const LogCapture log;
    CheckpointStore store(run, Keep(3, 1));
    const auto newest = store.FindNewest();
    ASSERT_TRUE(newest.has_value());
    EXPECT_EQ(newest->update, 1);
    EXPECT_THAT(log.text(), HasSubstr("update-00000002 is broken: "));
    EXPECT_THAT(log.text(), HasSubstr("update-00000002/" + GetParam()));
    EXPECT_THAT(log.text(), HasSubstr("going back to checkpoint"));
    EXPECT_EQ(fs::read_symlink(run / "last"), "checkpoints/update-00000001");
    EXPECT_TRUE(fs::exists(run / "checkpoints/broken-update-00000002"));
    store.Save(model_.Content(2));
    EXPECT_EQ(store.FindNewest()->update, 2);
  }
}

INSTANTIATE_TEST_SUITE_P(Files, BrokenCheckpoint,
                         testing::Values("model.safetensors", "average.safetensors",
                                         "optimizer.safetensors", "state.json", "recipe.yaml",
                                         "manifest.json"),
                         [](const auto& file) {
                           return file.param.substr(0, file.param.find('.'));
                         });

TEST_F(Store, ACheckpointUnderAWrongNameIsBroken) {
  { CheckpointStore(run_, Keep(3, 1)).Save(model_.Content(1)); }
  fs::copy(run_ / "checkpoints/update-00000001", run_ / "checkpoints/update-00000002");
  const LogCapture log;
  EXPECT_EQ(CheckpointStore(run_, Keep(3, 1)).FindNewest()->update, 1);
  EXPECT_THAT(log.text(), HasSubstr("update-00000002 holds update 1"));
}

TEST_F(Store, ACheckpointWithoutModelIsBroken) {
  CheckpointContent content = model_.Content(2);
  content.buffers.clear();
  { CheckpointStore(run_, Keep(3, 1)).Save(model_.Content(1)); }
  { CheckpointStore(run_, Keep(3, 1)).Save(content); }
  const LogCapture log;
  EXPECT_EQ(CheckpointStore(run_, Keep(3, 1)).FindNewest()->update, 1);
  EXPECT_THAT(log.text(), HasSubstr("does not list model.safetensors"));
}

// Starting anew would throw work away without asking.
TEST_F(Store, WhenAllAreBrokenTrainingDoesNotStartAnew) {
  { CheckpointStore(run_, Keep(3, 1)).Save(model_.Content(1)); }
  Damage(run_ / "last/model.safetensors");
  const LogCapture log;
  CheckpointStore store(run_, Keep(3, 1));
  for (int attempt = 0; attempt < 2; ++attempt) {
    try {
      store.FindNewest();
      FAIL() << "a broken checkpoint was accepted";
    } catch (const UserError& error) {
      EXPECT_THAT(error.what(), HasSubstr("none of the 1 checkpoints"));
    }
  }
}

TEST_F(Store, ForeignDirectoriesAreNoCheckpoints) {
  for (const char* name : {"update-", "update-1", "update-0000001x", "update--0000001", "other"}) {
    fs::create_directories(run_ / "checkpoints" / name);
  }
  WriteFile(run_ / "checkpoints/update-00000005", "a file");
  EXPECT_TRUE(ListCheckpoints(run_).empty());
}

TEST_F(Store, AnUnreadableStateIsNotRanked) {
  { CheckpointStore(run_, Keep(2, 1)).Save(ValidatedContent(model_, 1, "nll", 1.0)); }
  WriteFile(run_ / "last/state.json", "{");
  const LogCapture log;
  CheckpointStore(run_, Keep(2, 1)).Save(ValidatedContent(model_, 2, "nll", 2.0));
  EXPECT_EQ(Link("best"), "checkpoints/update-00000002");
  EXPECT_THAT(log.text(), HasSubstr("update-00000001 is not ranked: "));
}

}  // namespace
}  // namespace heed
