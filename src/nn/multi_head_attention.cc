#include "nn/multi_head_attention.h"

#include <cmath>
#include <numbers>

namespace heed {
namespace {

// Queries, keys and values start with Xavier's width over sqrt(2), as if they were drawn as one
// matrix: attention then starts near uniform.
constexpr double kProjectionGain = 1 / std::numbers::sqrt2;

LinearShape Projection(const AttentionShape& shape, int64_t count) {
  return {.in = shape.model_width,
          .out = count * shape.model_width,
          .with_bias = shape.with_bias,
          .gain = shape.gain * kProjectionGain,
          .block = shape.model_width};
}

LinearShape Output(const AttentionShape& shape) {
  return {.in = shape.model_width,
          .out = shape.model_width,
          .with_bias = shape.with_bias,
          .gain = shape.gain};
}

}  // namespace

SelfAttention::SelfAttention(ParameterStore& store, const std::string& name,
                             const AttentionShape& shape)
    : shape_(shape),
      qkv_(store, name + ".qkv", Projection(shape, 3)),
      output_(store, name + ".output", Output(shape)) {}

Tensor SelfAttention::operator()(Context& ctx, const Tensor& x, const SequenceLayout& sentences,
                                 AttentionMask mask) const {
  const Tensor attended =
      ops::SelfAttention(ctx, qkv_(ctx, x), sentences,
                         {.heads = shape_.heads, .mask = mask, .dropout = shape_.dropout});
  return output_(ctx, attended);
}

Tensor SelfAttention::Step(Context& ctx, const Tensor& x, const AttentionCache& cache) const {
  const int64_t model = shape_.model_width;
  const Tensor qkv = qkv_(ctx, x);
  ctx.backend.Copy(qkv.view().Columns(model, 2 * model),
                   cache.keys_values.Rows(cache.first_row, x.rows()));
  const Tensor attended = ctx.New(x.rows(), model);
  CachedAttentionArguments arguments;
  arguments.q = qkv.view().Columns(0, model);
  arguments.k = cache.keys_values.Columns(0, model);
  arguments.v = cache.keys_values.Columns(model, model);
  arguments.history = cache.history;
  arguments.steps = cache.steps;
  arguments.heads = shape_.heads;
  const int64_t head_width = model / shape_.heads;
  arguments.scale = 1 / std::sqrt(static_cast<double>(head_width));
  ctx.backend.CachedAttention(arguments, attended.view());
  return output_(ctx, attended);
}

CrossAttention::CrossAttention(ParameterStore& store, const std::string& name,
                               const AttentionShape& shape)
    : shape_(shape),
      query_(store, name + ".query", Projection(shape, 1)),
      key_value_(store, name + ".key_value", Projection(shape, 2)),
      output_(store, name + ".output", Output(shape)) {}

Tensor CrossAttention::operator()(Context& ctx, const Tensor& x, const Tensor& keys_values,
                                  const SequenceLayout& targets, const SequenceLayout& sources,
                                  Tensor* weights) const {
  return output_(ctx, Attend(ctx, query_(ctx, x), keys_values, targets, sources, weights));
}

Tensor CrossAttention::Attend(Context& ctx, const Tensor& q, const Tensor& keys_values,
                              const SequenceLayout& targets, const SequenceLayout& sources,
                              Tensor* weights) const {
  if (weights != nullptr) {
    *weights = ops::AttentionWeights(ctx, q, keys_values, targets, sources, shape_.heads);
  }
  return ops::CrossAttention(ctx, q, keys_values, targets, sources,
                             {.heads = shape_.heads, .dropout = shape_.dropout});
}

}  // namespace heed
