#include "train/validation.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "data/evaluation_batches.h"
#include "decode/translator.h"
#include "train/early_stopping.h"
#include "train/evaluation_metrics.h"

namespace heed {

Validator::Validator(const Recipe& recipe, const PreparedData& data, const Seq2SeqModel& model,
                     Backend& backend, std::function<bool()> is_interrupted)
    : recipe_(recipe),
      data_(data),
      model_(model),
      backend_(backend),
      is_interrupted_(std::move(is_interrupted)) {}

std::optional<ValidationResult> Validator::Run(int64_t max_sentences) const {
  const auto start = std::chrono::steady_clock::now();
  ValidationResult result;
  const auto& metrics = recipe_.validation.metrics;
  const double nll = NllPerToken();
  for (const ValidationMetric metric : metrics) {
    if (metric == ValidationMetric::kNll) result.metrics[MetricName(metric)] = nll;
    if (metric == ValidationMetric::kPerplexity) result.metrics[MetricName(metric)] = std::exp(nll);
  }
  if (!IsInterrupted() && std::any_of(metrics.begin(), metrics.end(), NeedsTranslation)) {
    Translate(max_sentences, result);
  }
  if (IsInterrupted()) return std::nullopt;
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

double Validator::NllPerToken() const {
  const int64_t tokens = recipe_.validation.batch_tokens;
  const std::vector<Batch> batches =
      EvaluationBatches(*data_.valid, data_.source_tokenizer(), data_.target_tokenizer(),
                        model_.start_token(), {.tokens = tokens, .sentences = tokens});
  const Memory slab = backend_.Allocate(int64_t{1} << 38);  // backed as far as it is used
  Workspace workspace(slab.data(), slab.bytes());
  TensorPool tensors(workspace);
  Context ctx{.backend = backend_, .tensors = tensors};
  double sum = 0;
  int64_t num_tokens = 0;
  for (const Batch& batch : batches) {
    if (IsInterrupted()) break;
    const Tensor losses = model_.Loss(ctx, batch, {});
    for (int64_t row = 0; row < losses.rows(); ++row) {
      sum += losses.type() == DType::kFloat64
                 ? losses.view().Row<double>(row)[1]
                 : static_cast<double>(losses.view().Row<float>(row)[1]);
    }
    num_tokens += losses.rows();
  }
  return sum / static_cast<double>(std::max<int64_t>(1, num_tokens));
}

void Validator::Translate(int64_t max_sentences, ValidationResult& result) const {
  int64_t count =
      std::min(data_.valid->size(), recipe_.validation.max_sentences.value_or(data_.valid->size()));
  if (max_sentences > 0) count = std::min(count, max_sentences);
  for (int64_t i = 0; i < count; ++i) {
    result.sources.emplace_back(data_.valid->source_text(i));
    result.references.emplace_back(data_.valid->target_text(i));
  }
  DecodingOptions decoding = recipe_.decoding;
  decoding.method = DecodingMethod::kBeam;
  decoding.beam = recipe_.validation.beam.value_or(decoding.beam);
  decoding.n_best = 1;
  const TranslationSystem system{.models = {&model_},
                                 .source = &data_.source_tokenizer(),
                                 .target = &data_.target_tokenizer()};
  Translator translator(system, decoding, static_cast<uint64_t>(recipe_.seed), backend_);
  translator.SetInterrupt(is_interrupted_);
  result.translations = translator.TranslateBest(result.sources);
  const std::vector<std::vector<std::string>> references = {result.references};
  for (const ValidationMetric metric : recipe_.validation.metrics) {
    if (!NeedsTranslation(metric)) continue;
    const auto scorer =
        MakeMetric(metric == ValidationMetric::kBleu ? TestMetric::kBleu : TestMetric::kChrf,
                   recipe_.evaluation.tokenizer);
    const MetricScore score = scorer->CorpusScore(result.translations, references);
    result.metrics[MetricName(metric)] = score.score;
    result.signatures[MetricName(metric)] = score.signature;
  }
}

}  // namespace heed
