#include "tests/decode/table_model.h"

#include <algorithm>
#include <cmath>

#include "util/check.h"

namespace heed {
namespace {

class TableSession final : public DecodingSession {
 public:
  TableSession(const TableModel& model, std::span<const int32_t> source_ids,
               const SequenceLayout& sources)
      : model_(model) {
    for (int64_t s = 0; s < sources.num_sentences(); ++s) {
      sources_.push_back(source_ids[static_cast<size_t>(sources.start(s))]);
    }
  }

  Tensor Step(Context& ctx, std::span<const int32_t> tokens, std::span<const int32_t> parents,
              std::span<const int32_t> sentences) override {
    std::vector<std::vector<int32_t>> next;
    Tensor logits = ctx.New(static_cast<int64_t>(tokens.size()), model_.target_vocabulary());
    for (size_t row = 0; row < tokens.size(); ++row) {
      std::vector<int32_t> prefix;
      if (!first_) {
        prefix = prefixes_[static_cast<size_t>(parents[row])];
        prefix.push_back(tokens[row]);
      }
      const std::vector<double> values =
          model_.Logits(sources_[static_cast<size_t>(sentences[row])], prefix);
      std::copy(values.begin(), values.end(), logits.view().Row<double>(static_cast<int64_t>(row)));
      next.push_back(std::move(prefix));
    }
    prefixes_ = std::move(next);
    first_ = false;
    return logits;
  }

 private:
  const TableModel& model_;
  std::vector<int32_t> sources_;
  std::vector<std::vector<int32_t>> prefixes_;
  bool first_ = true;
};

}  // namespace

std::vector<double> TableModel::Logits(int32_t source, const std::vector<int32_t>& prefix) const {
  if (const auto found = fixed_.find(prefix); found != fixed_.end()) return found->second;
  uint64_t key = 1469598103934665603ULL ^ static_cast<uint64_t>(source);
  for (const int32_t token : prefix) {
    key = (key ^ static_cast<uint64_t>(token + 1)) * 1099511628211ULL;
  }
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
                                                           const DecodingLimits& /*limits*/) const {
  return std::make_unique<TableSession>(*this, source_ids, sources);
}

}  // namespace heed
