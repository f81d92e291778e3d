#include "checkpoint/model_directory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "checkpoint/checkpoint_store.h"
#include "tests/checkpoint/example_checkpoint.h"
#include "tests/util/temporary_directory.h"
#include "util/check.h"
#include "util/files.h"

namespace heed {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::string FaultOf(const fs::path& model) {
  try {
    FindModel(model);
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

TEST(ModelDirectory, RunMeansBestElseLast) {
  const TemporaryDirectory directory;
  const fs::path run = fs::canonical(directory.path()) / "run";
  const ExampleModel model(1);
  CheckpointStore store(run, {.best_metric = ValidationMetric::kNll});
  const fs::path first = store.Save(model.Content(1));
  EXPECT_EQ(FindModel(run), first);
  const fs::path second = store.Save(ValidatedContent(model, 2, "nll", 1.0));
  const fs::path third = store.Save(ValidatedContent(model, 3, "nll", 2.0));
  EXPECT_EQ(FindModel(run), second);
  EXPECT_EQ(FindModel(run / "best"), second);
  EXPECT_EQ(FindModel(run / "last"), third);
  EXPECT_EQ(FindModel(first), first);
}

TEST(ModelDirectory, WhatHoldsNoModelIsAUserError) {
  const TemporaryDirectory directory;
  EXPECT_THAT(FaultOf(directory / "absent"), HasSubstr("absent does not exist"));
  EXPECT_THAT(FaultOf(directory.path()), HasSubstr("holds no model"));
}

TEST(ModelDirectory, TheMovingAverageIsLoadedIfThereIsOne) {
  const TemporaryDirectory directory;
  const ExampleModel saved(1);
  WriteCheckpoint(directory.path(), saved.Content(1));
  EXPECT_EQ(WeightsFile(directory.path()), "average.safetensors");
  const ExampleModel loaded(2);
  LoadModel(directory.path(), loaded.store());
  const auto count = static_cast<size_t>(saved.store().num_parameters());
  const std::vector<double> expected = saved.Values();
  const std::vector<double> values = loaded.Values();
  for (size_t i = 0; i < count; ++i) EXPECT_EQ(values[i], expected[count + i]);
}

TEST(ModelDirectory, WithoutAverageTheWeightsAreLoaded) {
  const TemporaryDirectory directory;
  const ExampleModel saved(1);
  CheckpointContent content = saved.Content(1);
  content.buffers.resize(1);
  WriteCheckpoint(directory.path(), content);
  const ExampleModel loaded(2);
  LoadModel(directory.path(), loaded.store());
  for (size_t i = 0; i < static_cast<size_t>(saved.store().num_parameters()); ++i) {
    EXPECT_EQ(loaded.Values()[i], saved.Values()[i]);
  }
}

TEST(ModelDirectory, ADamagedModelIsRefused) {
  const TemporaryDirectory directory;
  const ExampleModel model(1);
  WriteCheckpoint(directory.path(), model.Content(1));
  std::string content = ReadFile(directory / "average.safetensors");
  content.back() ^= 1;
  WriteFile(directory / "average.safetensors", content);
  try {
    LoadModel(directory.path(), model.store());
    FAIL() << "a damaged model was loaded";
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), HasSubstr("average.safetensors is damaged"));
  }
  CheckpointContent without = model.Content(1);
  without.buffers.clear();
  const TemporaryDirectory other;
  WriteCheckpoint(other.path(), without);
  EXPECT_THROW(LoadModel(other.path(), model.store()), UserError);
}

}  // namespace
}  // namespace heed
