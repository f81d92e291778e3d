// Attention: one task per sentence and head.
#include <algorithm>

#include "backend/cpu/cpu_backend.h"

namespace heed {
namespace {

AttentionHead HeadOf(const AttentionArguments& a, int64_t sentence, int64_t head) {
  const int64_t width = a.q.columns() / a.heads;
  const int64_t query = a.queries->start(sentence), key = a.keys->start(sentence);
  const bool drops = a.dropout.rate > 0;
  return {.q = a.q.Row<float>(query) + head * width,
          .k = a.k.Row<float>(key) + head * width,
          .v = a.v.Row<float>(key) + head * width,
          .q_stride = a.q.stride(),
          .k_stride = a.k.stride(),
          .v_stride = a.v.stride(),
          .num_queries = a.queries->length(sentence),
          .num_keys = a.keys->length(sentence),
          .width = width,
          .causal = a.mask == AttentionMask::kCausal,
          .scale = static_cast<float>(a.scale),
          .dropout = {.stream = a.dropout.stream,
                      .threshold = DropoutThreshold(a.dropout.rate),
                      .scale = drops ? static_cast<float>(1 / (1 - a.dropout.rate)) : 1.0F},
          .first_row = static_cast<uint64_t>(query * a.heads + head),
          .row_increment = static_cast<uint64_t>(a.heads)};
}

// Floats of scratch for one head.
int64_t AttentionScratch(const AttentionHead& h, bool backward) {
  const int64_t queries = kAttentionQueryBlock * h.width;
  if (backward) return 3 * kAttentionKeyBlock * h.width + 2 * queries + 2 * kAttentionScores;
  return 2 * ((h.num_keys + 15) / 16 * 16) * h.width + queries + kAttentionScores;
}

// Reads one value per cache line of a sentence's rows, as many as stay in the second-level cache.
// Each head's kernel then finds its part of the rows there. By itself it would wait for memory at
// every row, for a third of its time if sentences are short: no processor foresees steps of a
// model's width, and prefetch instructions in such numbers are dropped.
void LoadRows(ConstMatrixView x, const SequenceLayout& layout, int64_t sentence) {
  constexpr int64_t kFloatsPerLine = 16, kMostFloats = 1 << 13;
  const int64_t most = std::max(kMostFloats / x.columns(), int64_t{1});
  const int64_t first = layout.start(sentence);
  const int64_t rows = std::min<int64_t>(layout.length(sentence), most);
  for (int64_t row = first; row < first + rows; ++row) {
    const volatile float* values = x.Row<float>(row);
    for (int64_t i = 0; i < x.columns(); i += kFloatsPerLine) static_cast<void>(values[i]);
  }
}

void LoadSentence(const AttentionArguments& a, int64_t sentence) {
  LoadRows(a.q, *a.queries, sentence);
  LoadRows(a.k, *a.keys, sentence);
  LoadRows(a.v, *a.keys, sentence);
}

}  // namespace

// Calls body(sentence, head, thread). All heads of a sentence go to one thread if there are many
// sentences, since the heads share cache lines' neighbours and pages; else each goes its own way.
template <class Body>
void CpuBackend::ForHeads(int64_t sentences, int64_t heads, Body&& body) {
  constexpr int64_t kManyPerThread = 8;
  const int64_t together = sentences >= kManyPerThread * pool_.num_threads() ? heads : 1;
  pool_.Run(sentences * heads / together, [&](int64_t task, int thread) {
    for (int64_t i = task * together; i < (task + 1) * together; ++i) {
      body(i / heads, i % heads, thread);
    }
  });
}

void CpuBackend::AttentionForward(const AttentionArguments& arguments, MatrixView y,
                                  MatrixView log_sums) {
  const auto run = [&](int64_t sentence, int64_t head, int thread) {
    if (arguments.queries->length(sentence) == 0) return;
    if (head == 0) LoadSentence(arguments, sentence);
    AttentionHead h = HeadOf(arguments, sentence, head);
    h.scratch = scratch_[static_cast<size_t>(thread)].Floats(AttentionScratch(h, false));
    const int64_t query = arguments.queries->start(sentence);
    kernels_.attention_forward(h, y.Row<float>(query) + head * h.width, y.stride,
                               log_sums ? log_sums.Row<float>(query) + head : nullptr,
                               log_sums.stride);
  };
  ForHeads(arguments.queries->num_sentences(), arguments.heads, run);
}

void CpuBackend::AttentionBackward(const AttentionArguments& arguments, ConstMatrixView y,
                                   ConstMatrixView log_sums, ConstMatrixView dy, MatrixView dq,
                                   MatrixView dk, MatrixView dv) {
  const auto run = [&](int64_t sentence, int64_t head, int thread) {
    if (head == 0) {
      LoadSentence(arguments, sentence);
      LoadRows(dy, *arguments.queries, sentence);
      LoadRows(y, *arguments.queries, sentence);
    }
    AttentionHead h = HeadOf(arguments, sentence, head);
    h.scratch = scratch_[static_cast<size_t>(thread)].Floats(AttentionScratch(h, true));
    const int64_t query = arguments.queries->start(sentence), key = arguments.keys->start(sentence);
    const int64_t column = head * h.width;
    kernels_.attention_backward(h, {.y = y.Row<float>(query) + column,
                                    .dy = dy.Row<float>(query) + column,
                                    .y_stride = y.stride(),
                                    .dy_stride = dy.stride(),
                                    .log_sums = log_sums.Row<float>(query) + head,
                                    .log_sums_stride = log_sums.stride(),
                                    .dq = dq.Row<float>(query) + column,
                                    .dk = dk.Row<float>(key) + column,
                                    .dv = dv.Row<float>(key) + column,
                                    .dq_stride = dq.stride,
                                    .dk_stride = dk.stride,
                                    .dv_stride = dv.stride});
  };
  ForHeads(arguments.queries->num_sentences(), arguments.heads, run);
}

void CpuBackend::CachedAttention(const CachedAttentionArguments& a, MatrixView y) {
  ForRows(a.q.rows(), a.q.columns() * a.steps, [&](int64_t begin, int64_t count, int thread) {
    float* scratch = scratch_[static_cast<size_t>(thread)].Floats(a.steps + 8);
    for (int64_t row = begin; row < begin + count; ++row) {
      kernels_.cached_attention({.q = a.q.Row<float>(row),
                                 .k = a.k.Row<float>(0),
                                 .v = a.v.Row<float>(0),
                                 .k_stride = a.k.stride(),
                                 .v_stride = a.v.stride(),
                                 .history = a.history.data() + row * a.steps,
                                 .steps = a.steps,
                                 .heads = a.heads,
                                 .width = a.q.columns() / a.heads,
                                 .scale = static_cast<float>(a.scale),
                                 .scratch = scratch},
                                y.Row<float>(row));
    }
  });
}

}  // namespace heed
