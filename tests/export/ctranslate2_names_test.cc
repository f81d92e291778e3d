#include "export/ctranslate2_names.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "models/model_factory.h"
#include "tests/export/export_fixture.h"
#include "util/check.h"

namespace heed {
namespace {

// Every output of every parameter but position tables belongs to exactly one tensor.
TEST(Ctranslate2Names, CoverEveryParameterOnce) {
  for (const ModelVariant& variant : ExportVariants()) {
    const ModelOptions& options = variant.recipe.model;
    ParameterStore store;
    const auto model =
        MakeModel(store,
                  {.options = options,
                   .source_vocabulary = 90,
                   .target_vocabulary = 90,
                   .begin_id = options.decoder_start == DecoderStart::kLearned ? 2 : -1},
                  false);
    std::map<std::string, int64_t> outputs;
    std::set<std::string> theirs;
    for (const TensorName& name : Ctranslate2Names(options)) {
      const Parameter* parameter = store.Find(name.ours);
      ASSERT_NE(parameter, nullptr) << variant.name << " has no " << name.ours;
      const int64_t all = parameter->rows == 1 ? parameter->columns : parameter->rows;
      EXPECT_EQ(outputs[name.ours], name.first) << name.theirs;
      outputs[name.ours] += name.count == TensorName::kAll ? all : name.count;
      EXPECT_EQ(outputs[name.ours] <= all, true) << name.theirs;
      EXPECT_TRUE(theirs.insert(name.theirs).second) << name.theirs;
    }
    for (const auto& parameter : store.parameters()) {
      if (parameter->name.ends_with(".positions")) continue;
      const int64_t all = parameter->rows == 1 ? parameter->columns : parameter->rows;
      EXPECT_EQ(outputs[parameter->name], all) << variant.name << " " << parameter->name;
    }
  }
}

TEST(Ctranslate2Names, PostNormModelsHaveNoFinalNorm) {
  ModelOptions options;
  const auto has_final = [&] {
    for (const TensorName& name : Ctranslate2Names(options)) {
      if (name.theirs == "decoder/layer_norm/gamma") return true;
    }
    return false;
  };
  EXPECT_FALSE(has_final());
  options.norm = NormPosition::kBefore;
  EXPECT_TRUE(has_final());
}

TEST(Ctranslate2Names, ActivationNumbersComeBack) {
  for (const auto& entry : EnumNames(ActivationKind{})) {
    EXPECT_EQ(ActivationFromCtranslate2(Ctranslate2Activation(entry.value)), entry.value);
  }
  EXPECT_THROW(ActivationFromCtranslate2(1), UserError);
}

}  // namespace
}  // namespace heed
