#include "models/transformer/token_embedding.h"

#include <algorithm>
#include <cmath>

#include "nn/sinusoid.h"
#include "ops/pointwise.h"
#include "util/check.h"

namespace heed {

TokenEmbedding::TokenEmbedding(ParameterStore& store, const std::string& name, Parameter& table,
                               const ModelOptions& options)
    : options_(options), table_(&table) {
  if (options.positions.kind == PositionKind::kLearned) {
    const double deviation = 1 / std::sqrt(static_cast<double>(options.model_width));
    learned_ = &store.Add(name + ".positions", options.positions.max_length, options.model_width,
                          Initializer::Normal(deviation));
  }
}

Tensor TokenEmbedding::operator()(Context& ctx, std::span<const int32_t> ids,
                                  std::span<const int32_t> positions) const {
  ops::EmbeddingArguments arguments{
      .ids = ids, .table = *table_, .positions = {}, .position_table = {}};
  if (options_.scale_embeddings) {
    arguments.scale = std::sqrt(static_cast<double>(options_.model_width));
  }
  if (options_.positions.kind != PositionKind::kNone && !ids.empty()) {
    const int64_t longest = *std::max_element(positions.begin(), positions.end()) + 1;
    arguments.positions = positions;
    if (learned_ != nullptr) {
      if (longest > learned_->rows) {
        ThrowUserError(
            "a sentence of {} tokens is longer than the model's learned positions ({}); shorten it "
            "or train with a larger model.positions.max_length",
            longest, learned_->rows);
      }
      arguments.position_table = learned_->value;
      arguments.learned_positions = learned_;
    } else {
      arguments.position_table = Sinusoids(ctx, longest);
    }
  }
  return ops::Dropout(ctx, ops::Embedding(ctx, arguments), options_.dropout.embedding);
}

ConstMatrixView TokenEmbedding::Sinusoids(Context& ctx, int64_t positions) const {
  const int64_t width = options_.model_width;
  const DType type = ctx.backend.real();
  if (positions > num_sinusoids_) {
    constexpr int64_t kUsualPositions = 512;
    num_sinusoids_ = std::max({kUsualPositions, positions, 2 * num_sinusoids_});
    sinusoids_ = ctx.backend.Allocate(num_sinusoids_ * width * SizeOf(type));
    if (ctx.backend.computes()) {
      const std::vector<double> table = SinusoidTable(options_.positions, num_sinusoids_, width);
      const MatrixView view{sinusoids_.data(), type, num_sinusoids_, width, width};
      if (type == DType::kFloat64) {
        std::copy(table.begin(), table.end(), view.Row<double>(0));
      } else {
        std::transform(table.begin(), table.end(), view.Row<float>(0),
                       [](double value) { return static_cast<float>(value); });
      }
    }
  }
  return MatrixView{sinusoids_.data(), type, num_sinusoids_, width, width};
}

}  // namespace heed
