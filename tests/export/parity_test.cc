#include "export/parity.h"

#include <gtest/gtest.h>

#include <limits>

#include "util/philox.h"

namespace heed {
namespace {

// Values that differ from element to element; those of parameter `changed` differ from usual.
void FillValues(const ParameterStore& store, size_t changed) {
  for (size_t k = 0; k < store.parameters().size(); ++k) {
    const Parameter& parameter = *store.parameters()[k];
    const RandomStream stream{.seed = k, .update = k == changed ? 1U : 0U};
    for (int64_t i = 0; i < parameter.size(); ++i) {
      parameter.value.Row<float>(0)[i] =
          static_cast<float>(RandomUniform(stream, static_cast<uint64_t>(i)) - 0.5);
    }
  }
}

TEST(Parity, ProbesRepeatAndDependOnEveryParameter) {
  TransformerShape shape;
  shape.options.encoder_layers = shape.options.decoder_layers = 1;
  shape.options.model_width = 8;
  shape.options.feed_forward_width = 8;
  shape.options.heads = 2;
  shape.options.positions.kind = PositionKind::kLearned;
  shape.options.positions.max_length = 5;  // shorter than the probe's sentences would be
  shape.source_vocabulary = shape.target_vocabulary = 11;
  const auto backend = MakeBackend({});
  constexpr size_t kNone = 1000;
  size_t parameters = 0;
  const auto probe = [&](size_t changed) {
    return ProbeLogProbabilities(
        MakeProbe(shape), shape,
        [&](const ParameterStore& store) {
          FillValues(store, changed);
          parameters = store.parameters().size();
        },
        *backend);
  };
  const auto original = probe(kNone);
  EXPECT_EQ(original.size(), 5U + 5 + 5 + 4 + 1);
  EXPECT_EQ(probe(kNone), original);
  for (size_t k = 0; k < parameters; ++k) EXPECT_NE(probe(k), original) << "parameter " << k;
}

TEST(Parity, ComparesTokenByToken) {
  const ParityReport report = CompareProbes({-1, -2, -3}, {-1, -2.5, -3.25});
  EXPECT_EQ(report.tokens, 3);
  EXPECT_DOUBLE_EQ(report.largest_difference, 0.5);
  EXPECT_DOUBLE_EQ(report.mean_difference, 0.25);
}

TEST(Parity, NotANumberIsNoParity) {
  const ParityReport report = CompareProbes({-1}, {std::numeric_limits<double>::quiet_NaN()});
  for (const ElementType type :
       {ElementType::kFloat32, ElementType::kFloat16, ElementType::kBfloat16, ElementType::kInt8}) {
    EXPECT_FALSE(IsWithinRounding(report, type));
  }
}

TEST(Parity, TypesAllowWhatTheyRound) {
  const ParityReport report{.tokens = 9, .largest_difference = 0.01, .mean_difference = 0.005};
  EXPECT_FALSE(IsWithinRounding(report, ElementType::kFloat32));
  EXPECT_TRUE(IsWithinRounding(report, ElementType::kFloat16));
}

}  // namespace
}  // namespace heed
