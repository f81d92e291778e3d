#include "decode/translator.h"

#include <algorithm>
#include <chrono>

#include "text/piece_list.h"
#include "util/check.h"
#include "util/logging.h"

namespace heed {
namespace {

// Addresses, not memory: pages are backed when a search first touches them.
constexpr int64_t kSlabBytes = int64_t{1} << 38;

SearchVocabulary VocabularyOf(const Tokenizer& target) {
  SearchVocabulary vocabulary{
      .end_id = target.eos_id(), .unknown_id = target.unk_id(), .forbidden = {}};
  for (int32_t id = 0; id < static_cast<int32_t>(target.size()); ++id) {
    const bool is_begin = id == target.bos_id() && id != target.eos_id();
    if (target.BreaksLine(id) || is_begin) vocabulary.forbidden.push_back(id);
  }
  return vocabulary;
}

}  // namespace

Translator::Translator(TranslationSystem system, const DecodingOptions& options, uint64_t seed,
                       Backend& backend)
    : system_(std::move(system)),
      options_(options),
      backend_(backend),
      search_(options, seed, VocabularyOf(*system_.target), system_.models),
      sources_(*system_.source, options.max_source_length, search_.max_model_length()),
      slab_(backend.Allocate(kSlabBytes)),
      workspace_(slab_.data(), slab_.bytes()),
      tensors_(workspace_) {}

std::vector<Translator::Line> Translator::Encode(std::span<const std::string> lines) {
  std::vector<Line> result;
  for (size_t i = 0; i < lines.size(); ++i) {
    const int64_t number = first_number_ + static_cast<int64_t>(i) + 1;
    Line line{i, sources_.Encode(lines[i], number)};
    if (line.ids.empty()) {
      ++statistics_.blank_lines;
      continue;
    }
    if (EndsSource(*system_.source, line.ids.size())) {
      line.ids.push_back(system_.source->eos_id());
    }
    result.push_back(std::move(line));
  }
  statistics_.cut_lines = sources_.cut_lines();
  std::stable_sort(result.begin(), result.end(),
                   [](const Line& a, const Line& b) { return a.ids.size() > b.ids.size(); });
  return result;
}

std::vector<std::vector<Translation>> Translator::Translate(std::span<const std::string> lines,
                                                            std::span<const std::string> prefixes) {
  HEED_CHECK(prefixes.empty() || prefixes.size() == lines.size(), "{} prefixes for {} lines",
             prefixes.size(), lines.size());
  const auto start = std::chrono::steady_clock::now();
  std::vector<std::vector<Translation>> result(lines.size(), std::vector<Translation>(1));
  const std::vector<Line> encoded = Encode(lines);
  for (size_t begin = 0, end = 0; begin < encoded.size(); begin = end) {
    int64_t tokens = 0;
    for (end = begin; end < encoded.size(); ++end) {
      tokens += std::ssize(encoded[end].ids);
      const bool full = tokens > options_.batch_tokens ||
                        static_cast<int64_t>(end - begin) >= options_.batch_sentences;
      if (end > begin && full) break;
    }
    if (is_interrupted_ && is_interrupted_()) break;
    TranslateBatch(std::span(encoded).subspan(begin, end - begin), prefixes, result);
  }
  first_number_ += std::ssize(lines);
  statistics_.lines += std::ssize(lines);
  statistics_.seconds +=
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

std::vector<int32_t> Translator::EncodePrefix(const std::string& prefix) const {
  std::vector<int32_t> ids;
  system_.target->Encode(prefix, &ids);
  if (ids.empty() && system_.target->prefix_id() >= 0) ids = {system_.target->prefix_id()};
  const int64_t longest = search_.max_model_length() - 1;  // the end mark needs a place too
  if (longest >= 0 && std::ssize(ids) > longest) {
    HEED_LOG(warn, "a prefix has {} tokens and is cut after {}, the model's longest translation",
             ids.size(), longest);
    ids.resize(static_cast<size_t>(longest));
  }
  return ids;
}

void Translator::TranslateBatch(std::span<const Line> batch, std::span<const std::string> prefixes,
                                std::vector<std::vector<Translation>>& result) {
  SearchBatch request;
  std::vector<int32_t> ids, lengths;
  for (const Line& line : batch) {
    ids.insert(ids.end(), line.ids.begin(), line.ids.end());
    lengths.push_back(static_cast<int32_t>(line.ids.size()));
    request.sentence_numbers.push_back(first_number_ + static_cast<int64_t>(line.index));
    if (!prefixes.empty() || system_.target->prefix_id() >= 0) {
      request.prefixes.push_back(EncodePrefix(prefixes.empty() ? "" : prefixes[line.index]));
    }
  }
  const SequenceLayout layout = SequenceLayout::FromLengths(lengths);
  request.source_ids = ids;
  request.sources = &layout;
  Context ctx{.backend = backend_, .tensors = tensors_};
  const auto found = search_.Run(ctx, request);
  for (size_t i = 0; i < batch.size(); ++i) {
    std::vector<Translation>& translations = result[batch[i].index];
    translations.clear();
    for (const Hypothesis& hypothesis : found[i]) translations.push_back(Decode(hypothesis));
    statistics_.target_tokens += std::ssize(found[i].front().tokens);
    statistics_.ended_lines += found[i].front().was_ended ? 1 : 0;
  }
}

Translation Translator::Decode(const Hypothesis& hypothesis) const {
  Translation translation;
  translation.tokens.assign(hypothesis.tokens.begin(), hypothesis.tokens.end() - 1);
  translation.text = system_.target->Decode(translation.tokens);
  translation.score = hypothesis.score;
  translation.log_probability = hypothesis.log_probability;
  translation.token_log_probabilities = hypothesis.token_log_probabilities;
  return translation;
}

std::vector<std::string> Translator::TranslateBest(std::span<const std::string> lines) {
  std::vector<std::string> best;
  for (auto& translations : Translate(lines)) best.push_back(std::move(translations.front().text));
  return best;
}

}  // namespace heed
