#include <cmath>
#include <functional>

#include "tests/backend/reference/literal.h"

namespace heed {
namespace {

SequenceLayout Layout(const std::vector<int32_t>& lengths) {
  return SequenceLayout::FromLengths(lengths);
}

template <class Real>
class ReferenceAttention : public Reference<Real> {
 protected:
  using Matrix = Literal<Real>;
};
TYPED_TEST_SUITE(ReferenceAttention, Reals);

// Scores 0 and ln 3: probabilities 1/4 and 3/4, log sum ln 4.
TYPED_TEST(ReferenceAttention, MixesValuesByTheSoftmaxOfScaledScores) {
  typename TestFixture::Matrix q(1, {std::log(3.0) / 2}), k(1, {0, 1}), v(1, {0, 4});
  typename TestFixture::Matrix y(1, {9}), log_sums(1, {9});
  const SequenceLayout queries = Layout({1}), keys = Layout({2});
  this->backend_->AttentionForward(
      {.q = q, .k = k, .v = v, .queries = &queries, .keys = &keys, .scale = 2, .dropout = {}}, y,
      log_sums);
  this->ExpectNear(y, {3});
  this->ExpectNear(log_sums, {std::log(4.0)});
}

// dv = p dy; ds = p (dy v - dy y) = (-3/4, 3/4); dq = scale sum ds k; dk = scale ds q.
TYPED_TEST(ReferenceAttention, GradientsOfTheSameCase) {
  const double log3 = std::log(3.0);
  typename TestFixture::Matrix q(1, {log3 / 2}), k(1, {0, 1}), v(1, {0, 4});
  typename TestFixture::Matrix y(1, {3}), log_sums(1, {std::log(4.0)}), dy(1, {1});
  typename TestFixture::Matrix dq(1, {9}), dk(1, {9, 9}), dv(1, {9, 9});
  const SequenceLayout queries = Layout({1}), keys = Layout({2});
  this->backend_->AttentionBackward(
      {.q = q, .k = k, .v = v, .queries = &queries, .keys = &keys, .scale = 2, .dropout = {}}, y,
      log_sums, dy, dq, dk, dv);
  this->ExpectNear(dq, {1.5});
  this->ExpectNear(dk, {-0.75 * log3, 0.75 * log3});
  this->ExpectNear(dv, {0.25, 0.75});
}

// Zero queries see every visible key alike: y is the mean of the visible values.
TYPED_TEST(ReferenceAttention, CausalMaskIsAlignedAtTheEnds) {
  typename TestFixture::Matrix q(1, {0, 0, 0, 0, 0}), k(1, {1, 2, 3, 4}), v(1, {3, 5, 10, 7});
  typename TestFixture::Matrix y(1, std::vector<double>(5, 9)), log_sums = y;
  const SequenceLayout queries = Layout({2, 3}), keys = Layout({3, 1});
  this->backend_->AttentionForward({.q = q,
                                    .k = k,
                                    .v = v,
                                    .queries = &queries,
                                    .keys = &keys,
                                    .mask = AttentionMask::kCausal,
                                    .dropout = {}},
                                   y, log_sums);
  // Two queries over three keys see two and three; of three queries over one key only the last.
  this->ExpectNear(y, {4, 6, 0, 0, 7});
}

TYPED_TEST(ReferenceAttention, HeadsAreColumnsOfTheirOwn) {
  const double log3 = std::log(3.0);
  // Two heads of width 2: head 0 scores 0, ln 3, head 1 scores ln 3, 0.
  typename TestFixture::Matrix q(4, {0, log3, log3, 0}), k(4, {5, 0, 1, 5, 5, 1, 0, 5});
  typename TestFixture::Matrix v(4, {0, 4, 0, 4, 4, 0, 4, 0}), y(4, {9, 9, 9, 9});
  const SequenceLayout queries = Layout({1}), keys = Layout({2});
  this->backend_->AttentionForward(
      {.q = q, .k = k, .v = v, .queries = &queries, .keys = &keys, .heads = 2, .dropout = {}}, y,
      {});
  this->ExpectNear(y, {3, 1, 1, 3});
}

// Two heads with probabilities (1/4, 3/4) and (3/4, 1/4); then two with (1/4, 3/4) and (1/2, 1/2).
TYPED_TEST(ReferenceAttention, WeightsAreTheMeanOfTheHeadsProbabilities) {
  const double log3 = std::log(3.0);
  typename TestFixture::Matrix q(2, {log3 / 2, log3 / 2, log3 / 2, 0});
  typename TestFixture::Matrix k(2, {0, 1, 1, 0}), weights(3, std::vector<double>(6, 9));
  const SequenceLayout queries = Layout({2}), keys = Layout({2});
  this->backend_->AttentionWeights({.q = q,
                                    .k = k,
                                    .v = {},
                                    .queries = &queries,
                                    .keys = &keys,
                                    .heads = 2,
                                    .scale = 2,
                                    .dropout = {.rate = 0.9, .stream = {}}},
                                   weights);
  this->ExpectNear(weights, {0.5, 0.5, 0, 0.375, 0.625, 0});
}

TYPED_TEST(ReferenceAttention, WeightsOfUnseenKeysAreZero) {
  typename TestFixture::Matrix q(1, {0, 0, 0, 0, 0}), k(1, {1, 2, 3, 4});
  typename TestFixture::Matrix weights(3, std::vector<double>(15, 9));
  const SequenceLayout queries = Layout({2, 3}), keys = Layout({3, 1});
  this->backend_->AttentionWeights({.q = q,
                                    .k = k,
                                    .v = {},
                                    .queries = &queries,
                                    .keys = &keys,
                                    .mask = AttentionMask::kCausal,
                                    .dropout = {}},
                                   weights);
  const double third = 1.0 / 3;
  this->ExpectNear(weights, {0.5, 0.5, 0, third, third, third, 0, 0, 0, 0, 0, 0, 1, 0, 0});
}

TYPED_TEST(ReferenceAttention, EmptySentencesGiveZerosAndTakeNone) {
  typename TestFixture::Matrix q(1, {1, 2, 3}), k(1, {1, 2, 3, 4, 5}), v(1, {6, 6, 1, 2, 3});
  typename TestFixture::Matrix y(1, {9, 9, 9}), log_sums = y, dy(1, {1, 1, 1});
  typename TestFixture::Matrix dq = y, dk(1, std::vector<double>(5, 9)), dv = dk;
  // Sentence 1 has keys but no query, sentence 2 queries but no key.
  const SequenceLayout queries = Layout({1, 0, 2}), keys = Layout({2, 3, 0});
  const AttentionArguments arguments = {
      .q = q, .k = k, .v = v, .queries = &queries, .keys = &keys, .dropout = {}};
  this->backend_->AttentionForward(arguments, y, log_sums);
  this->ExpectNear(y, {6, 0, 0});
  this->backend_->AttentionBackward(arguments, y, log_sums, dy, dq, dk, dv);
  this->ExpectNear(dq, {0, 0, 0});
  this->ExpectNear(dk, {0, 0, 0, 0, 0});
  const double first = 1 / (1 + std::exp(1.0));
  this->ExpectNear(dv, {first, 1 - first, 0, 0, 0});
}

TYPED_TEST(ReferenceAttention, DropoutNumbersElementsByQueryRowHeadAndKey) {
  constexpr int64_t kHeads = 2, kKeys = 40;
  const DropoutSpec dropout = {.rate = 0.5, .stream = {.seed = 9, .update = 1, .op = 4}};
  typename TestFixture::Matrix q(kHeads, {0, 0, 0, 0}), k(kHeads, std::vector<double>(160, 0));
  typename TestFixture::Matrix v(kHeads, std::vector<double>(160, 1)), y(kHeads, {9, 9, 9, 9});
  const SequenceLayout queries = Layout({1, 1}), keys = Layout({kKeys, kKeys});
  this->backend_->AttentionForward({.q = q,
                                    .k = k,
                                    .v = v,
                                    .queries = &queries,
                                    .keys = &keys,
                                    .heads = kHeads,
                                    .dropout = dropout},
                                   y, {});
  std::vector<double> expected;  // each kept key counts 1 / 40 / (1 - 0.5)
  for (uint64_t row_and_head = 0; row_and_head < 4; ++row_and_head) {
    double sum = 0;
    for (uint64_t key = 0; key < kKeys; ++key) {
      sum += RandomUniform(dropout.stream, row_and_head * 1048576 + key) < 0.5 ? 0 : 0.05;
    }
    expected.push_back(sum);
  }
  this->ExpectNear(y, expected);
}

TYPED_TEST(ReferenceAttention, CachedAttentionReadsTheRowsOfItsHistory) {
  const double log3 = std::log(3.0);
  typename TestFixture::Matrix q(1, {log3, 0}), k(1, {1, 77, 0}), v(1, {4, 10, 0}), y(1, {9, 9});
  const std::vector<int32_t> history = {2, 0, 1, 1};
  this->backend_->CachedAttention(
      {.q = q, .k = k, .v = v, .history = history, .steps = 2, .heads = 1, .scale = 1}, y);
  this->ExpectNear(y, {3, 10});
}

// The sum of dy * y as a function of one matrix, differentiated by central differences.
class AttentionGradient : public testing::TestWithParam<std::tuple<AttentionMask, double>> {
 protected:
  using Matrix = Literal<double>;

  static Matrix Random(int64_t rows, uint64_t seed) {
    std::vector<double> values;
    for (uint64_t i = 0; i < static_cast<uint64_t>(rows * 6); ++i) {
      values.push_back(2 * RandomUniform({.seed = seed}, i) - 1);
    }
    return {6, values};
  }

  AttentionArguments Arguments() {
    return {.q = q_,
            .k = k_,
            .v = v_,
            .queries = &queries_,
            .keys = &keys_,
            .heads = 2,
            .mask = std::get<0>(GetParam()),
            .scale = 1.5,
            .dropout = {.rate = std::get<1>(GetParam()), .stream = {.seed = 5}}};
  }

  double Objective() {
    backend_->AttentionForward(Arguments(), y_, log_sums_);
    double sum = 0;
    for (size_t i = 0; i < y_.values().size(); ++i) sum += y_.values()[i] * dy_.values()[i];
    return sum;
  }

  void ExpectGradient(Matrix& x, const Matrix& gradient) {
    constexpr double kStep = 1e-5;
    for (int64_t i = 0; i < x.view().size(); ++i) {
      double& element = x.view().Row<double>(0)[i];
      const double value = element;
      element = value + kStep;
      const double above = Objective();
      element = value - kStep;
      const double below = Objective();
      element = value;
      EXPECT_NEAR(gradient.values()[static_cast<size_t>(i)], (above - below) / (2 * kStep), 1e-9);
    }
  }

  const std::unique_ptr<Backend> backend_ =
      MakeBackend({.name = "reference", .real = DType::kFloat64});
  SequenceLayout queries_ = Layout({3, 0, 2, 4}), keys_ = Layout({5, 2, 0, 3});
  Matrix q_ = Random(9, 1), k_ = Random(10, 2), v_ = Random(10, 3), dy_ = Random(9, 4);
  Matrix y_ = Random(9, 5), log_sums_{2, std::vector<double>(18)};
};

TEST_P(AttentionGradient, EqualsCentralDifferences) {
  Objective();
  Matrix dq = Random(9, 6), dk = Random(10, 7), dv = Random(10, 8);
  backend_->AttentionBackward(Arguments(), y_, log_sums_, dy_, dq, dk, dv);
  ExpectGradient(q_, dq);
  ExpectGradient(k_, dk);
  ExpectGradient(v_, dv);
}

INSTANTIATE_TEST_SUITE_P(MasksAndRates, AttentionGradient,
                         testing::Combine(testing::Values(AttentionMask::kNone,
                                                          AttentionMask::kCausal),
                                          testing::Values(0.0, 0.4)));

}  // namespace
}  // namespace heed
