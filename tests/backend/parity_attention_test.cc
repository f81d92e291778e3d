#include <fmt/format.h>

#include <cmath>

#include "tests/backend/parity.h"
#include "tests/backend/parity_shapes.h"

namespace heed {
namespace {

// What one case needs. q, k and v are thirds of matrices of 3 x width columns, as a joint
// projection makes them.
class AttentionCase {
 public:
  AttentionCase(const AttentionShape& shape, AttentionMask mask, double scale, double rate)
      : queries_(SequenceLayout::FromLengths(shape.query_lengths)),
        keys_(SequenceLayout::FromLengths(shape.key_lengths)),
        heads_(shape.heads),
        width_(shape.heads * shape.head_width),
        mask_(mask),
        scale_(scale),
        rate_(rate),
        query_side_(Twin::Random(queries_.num_tokens(), 3 * width_, 0, 1)),
        key_side_(Twin::Random(keys_.num_tokens(), 3 * width_, 0, 2)),
        y(queries_.num_tokens(), width_),
        log_sums(queries_.num_tokens(), heads_),
        dy(Twin::Random(queries_.num_tokens(), width_, 3, 3)),
        dquery_side(Twin::Random(queries_.num_tokens(), 3 * width_, 0, 4)),
        dkey_side(Twin::Random(keys_.num_tokens(), 3 * width_, 0, 5)) {}

  AttentionArguments Arguments(Side side) {
    return {.q = query_side_.On(side).Columns(0, width_),
            .k = key_side_.On(side).Columns(width_, width_),
            .v = key_side_.On(side).Columns(2 * width_, width_),
            .queries = &queries_,
            .keys = &keys_,
            .heads = heads_,
            .mask = mask_,
            .scale = scale_,
            .dropout = {.rate = rate_, .stream = {.seed = 5, .update = 2, .op = 9}}};
  }

  void Backward(Backend& backend, Side side) {
    backend.AttentionBackward(Arguments(side), y.On(side), log_sums.On(side), dy.On(side),
                              dquery_side.On(side).Columns(0, width_),
                              dkey_side.On(side).Columns(width_, width_),
                              dkey_side.On(side).Columns(2 * width_, width_));
  }

  // Rows without keys have no defined log sum; the same number on both sides makes them equal.
  void SetUndefinedLogSums() {
    for (int64_t row = 0; row < log_sums.rows(); ++row) {
      for (int64_t head = 0; head < heads_; ++head) {
        if (std::isinf(log_sums.Oracle(row, head))) log_sums.Set(row, head, 0);
      }
    }
  }

  // A score, a sum of head_width products, is off by about a rounding of each; that is a relative
  // error of its probability. Then the sums over keys; an exp good to some 1e-6.
  double Error() const {
    const double head_width = static_cast<double>(width_ / heads_);
    return kRounding * (scale_ * head_width + static_cast<double>(keys_.longest()) + 64) /
           (1 - rate_);
  }
  int64_t longest_keys() const { return keys_.longest(); }
  double head_width() const { return static_cast<double>(width_ / heads_); }
  double longest() const { return static_cast<double>(queries_.longest()); }
  double scale() const { return scale_; }

 private:
  SequenceLayout queries_, keys_;
  int64_t heads_, width_;
  AttentionMask mask_;
  double scale_, rate_;
  Twin query_side_, key_side_;

 public:
  Twin y, log_sums, dy, dquery_side, dkey_side;
};

// Calls body(case) for every shape, mask, dropout rate, and for flat and for peaked probabilities.
template <class Body>
void ForEachAttentionCase(Body body) {
  for (const AttentionShape& shape : AttentionShapes()) {
    for (const AttentionMask mask : {AttentionMask::kNone, AttentionMask::kCausal}) {
      for (const double rate : {0.0, 0.3}) {
        for (const double sharpness : {1.0, 10.0}) {
          const double scale = sharpness / std::sqrt(static_cast<double>(shape.head_width));
          SCOPED_TRACE(fmt::format(
              "sentences {} first {} x {} heads {} head width {} causal {} rate {} scale {}",
              shape.query_lengths.size(), shape.query_lengths.empty() ? 0 : shape.query_lengths[0],
              shape.key_lengths.empty() ? 0 : shape.key_lengths[0], shape.heads, shape.head_width,
              mask == AttentionMask::kCausal, rate, scale));
          AttentionCase attention(shape, mask, scale, rate);
          body(attention);
        }
      }
    }
  }
}

TEST_P(Parity, AttentionForward) {
  ForEachAttentionCase([&](AttentionCase& attention) {
    Twin without_sums(attention.y.rows(), attention.y.columns(), 3);
    OnBoth([&](Backend& backend, Side side) {
      backend.AttentionForward(attention.Arguments(side), attention.y.On(side),
                               attention.log_sums.On(side));
      backend.AttentionForward(attention.Arguments(side), without_sums.On(side), {});
    });
    const double error = attention.Error();
    attention.SetUndefinedLogSums();
    ExpectClose(attention.y, {.absolute = error, .relative = 1e-6}, "y");
    ExpectClose(without_sums, {.absolute = error, .relative = 1e-6}, "y without log sums");
    ExpectClose(attention.log_sums, {.absolute = error, .relative = 1e-6}, "log sums");
  });
}

TEST_P(Parity, AttentionWeights) {
  ForEachAttentionCase([&](AttentionCase& attention) {
    Twin weights(attention.y.rows(), attention.longest_keys(), 3);
    OnBoth([&](Backend& backend, Side side) {
      backend.AttentionWeights(attention.Arguments(side), weights.On(side));
    });
    ExpectClose(weights, {.absolute = attention.Error(), .relative = 1e-6}, "weights");
    for (int64_t row = 0; row < weights.rows(); ++row) {
      for (int64_t key = 0; key < weights.columns(); ++key) {
        EXPECT_EQ(weights.Subject(row, key) == 0, weights.Oracle(row, key) == 0);
      }
    }
  });
}

TEST_P(Parity, AttentionBackward) {
  ForEachAttentionCase([&](AttentionCase& attention) {
    OnBoth([&](Backend& backend, Side side) {
      backend.AttentionForward(attention.Arguments(side), attention.y.On(side),
                               attention.log_sums.On(side));
    });
    attention.SetUndefinedLogSums();
    attention.y.Share();
    attention.log_sums.Share();
    OnBoth([&](Backend& backend, Side side) { attention.Backward(backend, side); });
    // The gradient of a score is as large as dy.v, about sqrt(head width); times the scale. Those
    // of keys and values are sums over the queries.
    const double size = std::max(1.0, attention.scale() * std::sqrt(attention.head_width()));
    const double error = attention.Error() * size;
    ExpectClose(attention.dquery_side, {.absolute = error, .relative = 1e-5}, "dq");
    ExpectClose(attention.dkey_side,
                {.absolute = error + kRounding * size * attention.longest(), .relative = 1e-5},
                "dk, dv");
  });
}

// With one-hot values, y holds the probabilities after dropout themselves.
TEST_P(Parity, AttentionDropsTheSameElements) {
  const std::vector<int32_t> lengths = {33, 1, 0, 31};
  const SequenceLayout layout = SequenceLayout::FromLengths(lengths);
  constexpr int64_t kHeads = 3, kHeadWidth = 33;
  Twin q = Twin::Random(layout.num_tokens(), kHeads * kHeadWidth, 0, 1);
  Twin k = Twin::Random(layout.num_tokens(), kHeads * kHeadWidth, 0, 2);
  Twin v(layout.num_tokens(), kHeads * kHeadWidth);
  for (int64_t token = 0; token < layout.num_tokens(); ++token) {
    const int64_t position = layout.positions()[static_cast<size_t>(token)];
    for (int64_t head = 0; head < kHeads; ++head) v.Set(token, head * kHeadWidth + position, 1);
  }
  Twin y(layout.num_tokens(), kHeads * kHeadWidth);
  OnBoth([&](Backend& backend, Side side) {
    backend.AttentionForward({.q = q.On(side),
                              .k = k.On(side),
                              .v = v.On(side),
                              .queries = &layout,
                              .keys = &layout,
                              .heads = kHeads,
                              .scale = 0.2,
                              .dropout = {.rate = 0.4, .stream = {.seed = 3, .update = 4}}},
                             y.On(side), {});
  });
  ExpectSameZeros(y, "probabilities");
  int64_t dropped = 0;
  for (int64_t column = 0; column < kHeadWidth; ++column) dropped += y.Oracle(0, column) == 0;
  EXPECT_GT(dropped, 3);  // about 13 of 33
  EXPECT_LT(dropped, 25);
}

TEST_P(Parity, CachedAttention) {
  for (const auto& [hypotheses, steps, heads, head_width] : kCachedAttentionShapes) {
    for (const double sharpness : {1.0, 10.0}) {
      SCOPED_TRACE(fmt::format("hypotheses {} steps {} heads {} head width {}", hypotheses, steps,
                               heads, head_width));
      const int64_t width = heads * head_width;
      const int64_t cache_rows = hypotheses * steps + 3;
      Twin q = Twin::Random(hypotheses, 3 * width, 0, 1);
      Twin cache = Twin::Random(cache_rows, 2 * width, 5, 2);
      Twin y(hypotheses, width, 1);
      std::vector<int32_t> history;
      for (int64_t i = 0; i < hypotheses * steps; ++i) {
        const uint32_t bits = RandomBits({.seed = 3}, static_cast<uint64_t>(i));
        history.push_back(static_cast<int32_t>(bits % static_cast<uint32_t>(cache_rows)));
      }
      const double scale = sharpness / std::sqrt(static_cast<double>(head_width));
      OnBoth([&](Backend& backend, Side side) {
        backend.CachedAttention({.q = q.On(side).Columns(0, width),
                                 .k = cache.On(side).Columns(0, width),
                                 .v = cache.On(side).Columns(width, width),
                                 .history = history,
                                 .steps = steps,
                                 .heads = heads,
                                 .scale = scale},
                                y.On(side));
      });
      const double error =
          kRounding * (scale * static_cast<double>(head_width) + static_cast<double>(steps) + 64);
      ExpectClose(y, {.absolute = error, .relative = 1e-6}, "y");
    }
  }
}

}  // namespace
}  // namespace heed
