#include "checkpoint/average_checkpoints.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "checkpoint/checkpoint_store.h"
#include "checkpoint/manifest.h"
#include "checkpoint/model_directory.h"
#include "checkpoint/safetensors_reader.h"
#include "tests/checkpoint/example_checkpoint.h"
#include "tests/util/temporary_directory.h"
#include "util/check.h"
#include "util/files.h"

namespace heed {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

class Averaging : public testing::Test {
 protected:
  Averaging() { WriteFile(directory_ / "vocabulary.model", "pieces"); }

  // A checkpoint whose values are those of ExampleModel(update).
  fs::path Save(int64_t update, DType type = DType::kFloat32, bool with_average = false) {
    const ExampleModel model(static_cast<uint64_t>(update), 5, type);
    CheckpointContent content = model.Content(update);
    if (!with_average) content.buffers.erase(content.buffers.begin() + 1);
    content.copies = {directory_ / "vocabulary.model"};
    const fs::path path = directory_ / fmt::format("update-{}", update);
    AtomicDirectory target(path);
    WriteCheckpoint(target.path(), content);
    target.Commit();
    return path;
  }
  std::string FaultOf(const std::vector<fs::path>& models) {
    try {
      AverageCheckpoints(models, directory_ / "average");
    } catch (const UserError& error) {
      EXPECT_FALSE(fs::exists(directory_ / "average"));
      return error.what();
    }
    fs::remove_all(directory_ / "average");
    return "";
  }

  const TemporaryDirectory directory_;
};

TEST_F(Averaging, IsTheMeanOfEachElementAndAModelOfItsOwn) {
  for (const DType type : {DType::kFloat32, DType::kFloat64}) {
    const std::vector<fs::path> models = {Save(10, type), Save(20, type), Save(30, type)};
    const fs::path output = directory_ / fmt::format("average-{}", Name(type));
    EXPECT_THAT(AverageCheckpoints(models, output), ElementsAre(10, 20, 30));
    const ExampleModel average(1, 5, type);
    LoadModel(FindModel(output), average.store());
    const ExampleModel a(10, 5, type);
    const ExampleModel b(20, 5, type);
    const ExampleModel c(30, 5, type);
    for (size_t i = 0; i < static_cast<size_t>(a.store().num_parameters()); ++i) {
      const double mean = (a.Values()[i] + b.Values()[i] + c.Values()[i]) / 3;
      EXPECT_EQ(average.Values()[i],
                type == DType::kFloat64 ? mean : static_cast<double>(static_cast<float>(mean)));
    }
    EXPECT_EQ(VerifyDirectory(output).update, 30);
    EXPECT_EQ(ReadFile(output / "vocabulary.model"), "pieces");
    EXPECT_EQ(ReadFile(output / "recipe.yaml"), "name: example\n");
    EXPECT_FALSE(fs::exists(output / "optimizer.safetensors"));
    EXPECT_EQ(SafetensorsReader(output / "model.safetensors").metadata().at("averaged_updates"),
              "10 20 30");
  }
}

TEST_F(Averaging, DoesNotDependOnTheOrderOfTheNames) {
  const std::vector<fs::path> models = {Save(10), Save(20), Save(30)};
  AverageCheckpoints(models, directory_ / "a");
  AverageCheckpoints({models[2], models[0], models[1]}, directory_ / "b");
  EXPECT_EQ(ReadFile(directory_ / "a/model.safetensors"),
            ReadFile(directory_ / "b/model.safetensors"));
}

TEST_F(Averaging, OfOneIsThatOne) {
  const fs::path model = Save(10);
  AverageCheckpoints({model}, directory_ / "average");
  const ExampleModel average(1);
  LoadModel(directory_ / "average", average.store());
  EXPECT_EQ(ExampleModel::Get(average.store().flat_values(), 0),
            ExampleModel::Get(ExampleModel(10).store().flat_values(), 0));
}

TEST_F(Averaging, LargeTensorsAreWrittenInParts) {
  const ExampleModel model(1, 20001);
  CheckpointContent content = model.Content(1);
  fs::create_directories(directory_ / "large");
  WriteCheckpoint(directory_ / "large", content);
  AverageCheckpoints({directory_ / "large"}, directory_ / "average");
  const ExampleModel average(2, 20001);
  LoadModel(directory_ / "average", average.store());
  const ExampleModel expected(3, 20001);
  LoadModel(directory_ / "large", expected.store());
  for (int64_t i = 0; i < average.store().flat_size(); ++i) {
    ASSERT_EQ(ExampleModel::Get(average.store().flat_values(), i),
              ExampleModel::Get(expected.store().flat_values(), i));
  }
}

TEST_F(Averaging, RefusesWhatDoesNotBelongTogether) {
  const fs::path ten = Save(10);
  EXPECT_THAT(FaultOf({}), HasSubstr("no checkpoint"));
  EXPECT_THAT(FaultOf({ten, ten}), HasSubstr("both hold update 10"));
  EXPECT_THAT(FaultOf({ten, directory_ / "absent"}), HasSubstr("does not exist"));
  EXPECT_THAT(FaultOf({ten, Save(20, DType::kFloat32, true)}),
              HasSubstr("only one of them has a moving average"));
  EXPECT_THAT(FaultOf({ten, Save(20, DType::kFloat64)}), HasSubstr("types or shapes"));
  WriteFile(directory_ / "vocabulary.model", "other pieces");
  EXPECT_THAT(FaultOf({ten, Save(20)}), HasSubstr("their vocabulary.model differ"));
}

TEST_F(Averaging, RefusesADamagedFileAndAnExistingOutput) {
  const fs::path ten = Save(10);
  WriteFile(directory_ / "average", "mine");
  EXPECT_THROW(AverageCheckpoints({ten}, directory_ / "average"), UserError);
  EXPECT_EQ(ReadFile(directory_ / "average"), "mine");
  fs::remove(directory_ / "average");
  std::string content = ReadFile(ten / "model.safetensors");
  content.back() ^= 1;
  WriteFile(ten / "model.safetensors", content);
  EXPECT_THAT(FaultOf({ten}), HasSubstr("is damaged"));
}

TEST_F(Averaging, TakesTheLastOfARun) {
  const fs::path run = directory_ / "run";
  const ExampleModel model(1);
  CheckpointStore store(run, {.keep_last = 3, .keep_best = 0});
  for (const int64_t update : {9, 10, 100}) store.Save(model.Content(update));
  EXPECT_THAT(LastCheckpoints(run, 2), ElementsAre(run / "checkpoints/update-00000010",
                                                   run / "checkpoints/update-00000100"));
  EXPECT_THROW(LastCheckpoints(run, 4), UserError);
  EXPECT_THROW(LastCheckpoints(run, 0), UserError);
}

}  // namespace
}  // namespace heed
