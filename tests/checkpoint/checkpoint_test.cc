#include "checkpoint/checkpoint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "checkpoint/manifest.h"
#include "checkpoint/safetensors_reader.h"
#include "tests/checkpoint/example_checkpoint.h"
#include "tests/util/temporary_directory.h"
#include "util/check.h"
#include "util/files.h"

namespace heed {
namespace {

using testing::HasSubstr;

TEST(Checkpoint, EveryBufferAndTheStateComeBack) {
  for (const DType type : {DType::kFloat32, DType::kFloat64}) {
    const TemporaryDirectory directory;
    const ExampleModel saved(1, 5, type);
    WriteCheckpoint(directory.path(), saved.Content(12));
    ExampleModel loaded(2, 5, type);
    ASSERT_NE(loaded.Values(), saved.Values());
    ReadBuffers(directory.path(), loaded.store(), loaded.buffers());
    EXPECT_EQ(loaded.Values(), saved.Values());
    EXPECT_EQ(ReadRunState(directory / "state.json"), saved.Content(12).state);
    EXPECT_EQ(VerifyDirectory(directory.path()).update, 12);
  }
}

TEST(Checkpoint, HoldsTheFilesOfTheLayout) {
  const TemporaryDirectory directory;
  const TemporaryDirectory vocabulary;
  WriteFile(vocabulary / "joint.spm", "pieces");
  const ExampleModel model(1);
  CheckpointContent content = model.Content(12);
  content.copies = {vocabulary / "joint.spm"};
  WriteCheckpoint(directory.path(), content);
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(directory.path())) {
    files.push_back(entry.path().filename().string());
  }
  EXPECT_THAT(files, testing::UnorderedElementsAre("model.safetensors", "average.safetensors",
                                                   "optimizer.safetensors", "state.json",
                                                   "recipe.yaml", "joint.spm", "manifest.json"));
  EXPECT_EQ(VerifyDirectory(directory.path()).files.size(), 6u);
  EXPECT_EQ(ReadFile(directory / "joint.spm"), "pieces");
  EXPECT_EQ(ReadFile(directory / "recipe.yaml"), "name: example\n");
  const SafetensorsReader optimizer(directory / "optimizer.safetensors");
  EXPECT_EQ(optimizer.tensors().size(), 6u);
  EXPECT_TRUE(optimizer.Contains("first_moment.encoder.layer0.bias"));
  EXPECT_EQ(optimizer.metadata().at("update"), "12");
  EXPECT_GE(FileSize(directory / "optimizer.safetensors"), EstimateBytes(content) / 2);
}

// A store that declares the same parameters in another order lays its flat buffers out differently.
TEST(Checkpoint, TensorsAreFoundByNameWhateverTheLayout) {
  const TemporaryDirectory directory;
  const ExampleModel saved(1);
  WriteCheckpoint(directory.path(), saved.Content(1));
  ParameterStore other;
  other.Add("decoder.output", 5, 3, {});
  other.Add("encoder.embedding", 7, 5, {});
  other.Add("encoder.layer0.bias", 1, 5, {});
  other.Allocate(DType::kFloat32, false, &Memory::Host);
  ReadBuffers(directory.path(), other, {{std::string(kModelFile), "", other.flat_values()}});
  for (const auto& parameter : saved.store().parameters()) {
    const Parameter* found = other.Find(parameter->name);
    EXPECT_NE(found->offset, parameter->offset);
    for (int64_t i = 0; i < parameter->size(); ++i) {
      EXPECT_EQ(ExampleModel::Get(found->value, i), ExampleModel::Get(parameter->value, i));
    }
  }
}

TEST(Checkpoint, AnotherModelIsRefusedByName) {
  const TemporaryDirectory directory;
  WriteCheckpoint(directory.path(), ExampleModel(1).Content(1));
  const auto fault = [&](const ParameterStore& store) -> std::string {
    try {
      ReadBuffers(directory.path(), store, {{std::string(kModelFile), "", store.flat_values()}});
    } catch (const UserError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(fault(ExampleModel(1, 6).store()), HasSubstr("has shape"));
  ParameterStore fewer;
  fewer.Add("encoder.embedding", 7, 5, {});
  fewer.Allocate(DType::kFloat32, false, &Memory::Host);
  EXPECT_THAT(fault(fewer), HasSubstr("model.safetensors has a tensor '"));
  ParameterStore more;
  const ExampleModel model(1);
  for (const auto& parameter : model.store().parameters()) {
    more.Add(parameter->name, parameter->rows, parameter->columns, {});
  }
  more.Add("decoder.extra", 1, 1, {});
  more.Allocate(DType::kFloat32, false, &Memory::Host);
  EXPECT_THAT(fault(more), HasSubstr("has no tensor 'decoder.extra'"));
}

TEST(Checkpoint, AMissingFileToCopyIsAUserError) {
  const TemporaryDirectory directory;
  const ExampleModel model(1);
  CheckpointContent content = model.Content(1);
  content.copies = {directory / "absent.spm"};
  EXPECT_THROW(WriteCheckpoint(directory.path(), content), UserError);
  EXPECT_FALSE(std::filesystem::exists(directory / "manifest.json"));
}

}  // namespace
}  // namespace heed
