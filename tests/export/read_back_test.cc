#include "export/read_back.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "util/check.h"

namespace heed {
namespace {

// Every element is the number that follows the name's last underscore.
RowSource Constant(const std::string& name, int64_t rows, int64_t columns, bool is_vector) {
  const float value = std::stof(name.substr(name.rfind('_') + 1));
  return {.name = name,
          .rows = rows,
          .columns = columns,
          .is_vector = is_vector,
          .read = [value](int64_t /*row*/, std::span<float> values) {
            std::ranges::fill(values, value);
          }};
}

class FillParametersTest : public testing::Test {
 protected:
  FillParametersTest() {
    weight_ = &store_.Add("up.weight", 3, 2, Initializer::Constant(0));
    bias_ = &store_.Add("up.bias", 1, 3, Initializer::Constant(0));
    store_.Allocate(DType::kFloat32, false, &Memory::Host);
  }
  const TensorNames parts_ = {
      {"weight_1", "up.weight", 0, 1}, {"weight_2", "up.weight", 1, 2}, {"bias_3", "up.bias"}};
  ParameterStore store_;
  Parameter* weight_;
  Parameter* bias_;
};

TEST_F(FillParametersTest, PutsPartsIntoTheirPlaces) {
  FillParameters(store_, parts_, [](const std::string& name) {
    return name == "bias_3" ? Constant(name, 1, 3, true)
                            : Constant(name, name == "weight_1" ? 1 : 2, 2, false);
  });
  EXPECT_EQ(weight_->value.Row<float>(0)[1], 1);
  EXPECT_EQ(weight_->value.Row<float>(1)[0], 2);
  EXPECT_EQ(weight_->value.Row<float>(2)[1], 2);
  EXPECT_EQ(bias_->value.Row<float>(0)[2], 3);
}

TEST_F(FillParametersTest, RefusesOtherShapes) {
  EXPECT_THROW(FillParameters(store_, parts_,
                              [](const std::string& name) { return Constant(name, 2, 2, false); }),
               UserError);
}

TEST_F(FillParametersTest, AValueWithoutASourceIsABug) {
  EXPECT_THROW(FillParameters(store_, {{"weight_1", "up.weight"}},
                              [](const std::string& name) { return Constant(name, 3, 2, false); }),
               InternalError);
}

TransformerShape SmallShape() {
  TransformerShape shape{.options = {}, .source_vocabulary = 5, .target_vocabulary = 5};
  shape.options.encoder_layers = 1;
  shape.options.decoder_layers = 1;
  shape.options.model_width = 8;
  shape.options.feed_forward_width = 4;
  shape.options.heads = 2;
  return shape;
}

TEST(RequirePlausible, NumbersOfNoModelAreUserErrors) {
  EXPECT_NO_THROW(RequirePlausible(SmallShape()));
  const std::vector<std::function<void(TransformerShape&)>> faults = {
      [](TransformerShape& shape) { shape.options.encoder_layers = 0; },
      [](TransformerShape& shape) { shape.options.decoder_layers = int64_t{1} << 40; },
      [](TransformerShape& shape) { shape.options.model_width = int64_t{1} << 40; },
      [](TransformerShape& shape) { shape.options.feed_forward_width = -1; },
      [](TransformerShape& shape) { shape.options.heads = 3; },
      [](TransformerShape& shape) { shape.options.heads = 0; },
      [](TransformerShape& shape) { shape.options.positions.max_length = int64_t{1} << 62; },
      [](TransformerShape& shape) { shape.options.layer_norm_epsilon = -1; },
      [](TransformerShape& shape) { shape.source_vocabulary = 0; },
      [](TransformerShape& shape) { shape.begin_id = 5; },
      [](TransformerShape& shape) { shape.begin_id = -2; },
  };
  for (size_t i = 0; i < faults.size(); ++i) {
    TransformerShape shape = SmallShape();
    faults[i](shape);
    EXPECT_THROW(RequirePlausible(shape), UserError) << i;
  }
}

TEST(RequireTensorsFit, AModelLargerThanItsTensorsNeedsNoMemoryToRefuse) {
  TransformerShape shape = SmallShape();
  const TensorNames names = {{"down_1", "encoder.layer1.feed_forward.down.weight"}};
  const auto open = [](const std::string& name) { return Constant(name, 8, 4, false); };
  EXPECT_NO_THROW(RequireTensorsFit(shape, names, open));
  shape.options.feed_forward_width = int64_t{1} << 17;
  shape.options.model_width = int64_t{1} << 17;
  EXPECT_THROW(RequireTensorsFit(shape, names, open), UserError);
}

}  // namespace
}  // namespace heed
