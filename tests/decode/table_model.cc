#include "tests/decode/table_model.h"

#include <algorithm>
#include <cmath>

#include "util/check.h"

namespace heed {
namespace {

class TableSession final : public DecodingSession {
 public:
  TableSession(const TableModel& model, std::span<const int32_t> source_ids,
               const SequenceLayout& sources, bool with_attention)
      : model_(model), columns_(sources.longest()), with_attention_(with_attention) {
    for (int64_t s = 0; s < sources.num_sentences(); ++s) {
      sources_.push_back(source_ids[static_cast<size_t>(sources.start(s))]);
    }
  }

  DecodingStep Step(Context& ctx, std::span<const int32_t> tokens, std::span<const int32_t> parents,
                    std::span<const int32_t> sentences) override {
    std::vector<std::vector<int32_t>> next;
    const auto rows = static_cast<int64_t>(tokens.size());
    DecodingStep step{.logits = ctx.New(rows, model_.target_vocabulary()), .attention = {}};
    if (with_attention_) step.attention = ctx.New(rows, columns_);
    for (size_t row = 0; row < tokens.size(); ++row) {
      std::vector<int32_t> prefix;
      if (!first_) {
        prefix = prefixes_[static_cast<size_t>(parents[row])];
        prefix.push_back(tokens[row]);
      }
      const int32_t source = sources_[static_cast<size_t>(sentences[row])];
      CopyRow(model_.Logits(source, prefix), step.logits, static_cast<int64_t>(row));
      if (with_attention_) {
        CopyRow(model_.Attention(prefix, columns_), step.attention, static_cast<int64_t>(row));
      }
      next.push_back(std::move(prefix));
    }
    prefixes_ = std::move(next);
    first_ = false;
    return step;
  }

 private:
  static void CopyRow(const std::vector<double>& values, const Tensor& tensor, int64_t row) {
    std::copy(values.begin(), values.end(), tensor.view().Row<double>(row));
  }

  const TableModel& model_;
  int64_t columns_;
  bool with_attention_;
  std::vector<int32_t> sources_;
  std::vector<std::vector<int32_t>> prefixes_;
  bool first_ = true;
};

uint64_t KeyOf(int32_t source, const std::vector<int32_t>& prefix) {
  uint64_t key = 1469598103934665603ULL ^ static_cast<uint64_t>(source);
  for (const int32_t token : prefix) {
    key = (key ^ static_cast<uint64_t>(token + 1)) * 1099511628211ULL;
  }
  return key;
}

}  // namespace

std::vector<double> TableModel::Attention(const std::vector<int32_t>& prefix,
                                          int64_t columns) const {
  std::vector<double> weights;
  double sum = 0;
  for (int64_t i = 0; i < columns; ++i) {
    const double uniform =
        RandomUniform({.seed = seed_ ^ KeyOf(-1, prefix)}, static_cast<uint64_t>(i));
    weights.push_back(std::pow(uniform, 4));  // peaked
    sum += weights.back();
  }
  for (double& weight : weights) weight /= sum;
  return weights;
}

std::vector<double> TableModel::Logits(int32_t source, const std::vector<int32_t>& prefix) const {
  if (const auto found = fixed_.find(prefix); found != fixed_.end()) return found->second;
  const uint64_t key = KeyOf(source, prefix);
  std::vector<double> logits;
  for (int64_t token = 0; token < vocabulary_; ++token) {
    logits.push_back(sharpness_ *
                     (2 * RandomUniform({.seed = seed_ ^ key}, static_cast<uint64_t>(token)) - 1));
  }
  return logits;
}

std::vector<double> TableModel::LogProbabilities(int32_t source,
                                                 const std::vector<int32_t>& prefix) const {
  std::vector<double> values = Logits(source, prefix);
  double sum = 0;
  for (const double value : values) sum += std::exp(value);
  for (double& value : values) value -= std::log(sum);
  return values;
}

Tensor TableModel::Loss(Context& /*ctx*/, const Batch& /*batch*/,
                        const ops::CrossEntropyOptions& /*options*/) const {
  HEED_CHECK(false, "a table is not trained");
  return {};
}

std::unique_ptr<DecodingSession> TableModel::StartDecoding(Context& /*ctx*/,
                                                           std::span<const int32_t> source_ids,
                                                           const SequenceLayout& sources,
                                                           const DecodingPlan& plan) const {
  asked_attention_ |= plan.with_attention;
  return std::make_unique<TableSession>(*this, source_ids, sources, plan.with_attention);
}

}  // namespace heed
