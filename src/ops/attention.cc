#include "ops/attention.h"

#include <cmath>

#include "util/check.h"

namespace heed::ops {
namespace {

AttentionArguments Arguments(Context& ctx, const SequenceLayout& queries,
                             const SequenceLayout& keys, int64_t model,
                             const AttentionOptions& options) {
  HEED_CHECK(model % options.heads == 0, "attention: {} columns, {} heads", model, options.heads);
  HEED_CHECK(queries.num_sentences() == keys.num_sentences(), "attention: {} and {} sentences",
             queries.num_sentences(), keys.num_sentences());
  AttentionArguments arguments;
  arguments.queries = &queries;
  arguments.keys = &keys;
  arguments.heads = options.heads;
  arguments.mask = options.mask;
  const int64_t head_width = model / options.heads;
  arguments.scale = 1 / std::sqrt(static_cast<double>(head_width));
  arguments.dropout = ctx.Dropout(options.dropout);
  return arguments;
}

void SetSelf(AttentionArguments& arguments, const MatrixView& qkv) {
  const int64_t model = qkv.columns / 3;
  arguments.q = qkv.Columns(0, model);
  arguments.k = qkv.Columns(model, model);
  arguments.v = qkv.Columns(2 * model, model);
}

void SetCross(AttentionArguments& arguments, const MatrixView& q, const MatrixView& kv) {
  arguments.q = q;
  arguments.k = kv.Columns(0, q.columns);
  arguments.v = kv.Columns(q.columns, q.columns);
}

void CheckCross(const Tensor& q, const Tensor& kv, const SequenceLayout& targets) {
  HEED_CHECK(kv.columns() == 2 * q.columns() && q.rows() == targets.num_tokens(),
             "CrossAttention: q is {} x {}, kv {} x {}, {} target tokens", q.rows(), q.columns(),
             kv.rows(), kv.columns(), targets.num_tokens());
}

// The kernel assigns; where a gradient waits already, it is computed apart and added.
template <class Compute>
void AssignOrAdd(Context& ctx, const Tensor& x, const Compute& compute) {
  const Tensor dx = ctx.New(x.rows(), x.columns());
  compute(dx.view());
  ctx.tape->PassGradient(ctx, x.slot, dx);
}

}  // namespace

Tensor SelfAttention(Context& ctx, const Tensor& qkv, const SequenceLayout& sentences,
                     const AttentionOptions& options) {
  HEED_CHECK(qkv.columns() % 3 == 0 && qkv.rows() == sentences.num_tokens(),
             "SelfAttention: qkv is {} x {}, the sentences have {} tokens", qkv.rows(),
             qkv.columns(), sentences.num_tokens());
  const int64_t model = qkv.columns() / 3;
  AttentionArguments arguments = Arguments(ctx, sentences, sentences, model, options);
  SetSelf(arguments, qkv.view());
  Tensor y = ctx.New(qkv.rows(), model);
  const Tensor log_sums = ctx.recording() ? ctx.New(qkv.rows(), options.heads) : Tensor();
  ctx.backend.AttentionForward(arguments, y.view(), log_sums.view());
  if (!ctx.recording()) return y;

  y.slot = ctx.tape->NewSlot();
  ctx.tape->Record([qkv, y, log_sums, arguments, model](Context& back) {
    const Tensor dy = back.tape->TakeGradient(y.slot);
    AssignOrAdd(back, qkv, [&](const MatrixView& d) {
      back.backend.AttentionBackward(arguments, y.view(), log_sums.view(), dy.view(),
                                     d.Columns(0, model), d.Columns(model, model),
                                     d.Columns(2 * model, model));
    });
  });
  return y;
}

Tensor CrossAttention(Context& ctx, const Tensor& q, const Tensor& kv,
                      const SequenceLayout& targets, const SequenceLayout& sources,
                      const AttentionOptions& options) {
  CheckCross(q, kv, targets);
  const int64_t model = q.columns();
  AttentionArguments arguments = Arguments(ctx, targets, sources, model, options);
  SetCross(arguments, q.view(), kv.view());
  Tensor y = ctx.New(q.rows(), model);
  const Tensor log_sums = ctx.recording() ? ctx.New(q.rows(), options.heads) : Tensor();
  ctx.backend.AttentionForward(arguments, y.view(), log_sums.view());
  if (!ctx.recording()) return y;

  y.slot = ctx.tape->NewSlot();
  ctx.tape->Record([q, kv, y, log_sums, arguments, model](Context& back) {
    const Tensor dy = back.tape->TakeGradient(y.slot);
    AssignOrAdd(back, q, [&](const MatrixView& dq) {
      AssignOrAdd(back, kv, [&](const MatrixView& dkv) {
        back.backend.AttentionBackward(arguments, y.view(), log_sums.view(), dy.view(), dq,
                                       dkv.Columns(0, model), dkv.Columns(model, model));
      });
    });
  });
  return y;
}

Tensor AttentionWeights(Context& ctx, const Tensor& q, const Tensor& kv,
                        const SequenceLayout& targets, const SequenceLayout& sources,
                        int64_t heads) {
  CheckCross(q, kv, targets);
  AttentionArguments arguments = Arguments(ctx, targets, sources, q.columns(), {.heads = heads});
  SetCross(arguments, q.view(), kv.view());
  Tensor weights = ctx.New(q.rows(), sources.longest());
  ctx.backend.AttentionWeights(arguments, weights.view());
  return weights;
}

}  // namespace heed::ops
