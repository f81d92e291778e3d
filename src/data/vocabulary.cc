#include "data/vocabulary.h"

#include <utility>

#include "data/parallel_corpus.h"
#include "text/sentencepiece_tokenizer.h"
#include "text/sentencepiece_trainer.h"
#include "text/utf8.h"
#include "util/check.h"
#include "util/files.h"
#include "util/logging.h"
#include "util/philox.h"

namespace heed {
namespace {

constexpr int64_t kManyBytes = int64_t{1} << 31;  // of text, from which SentencePiece is told

struct SentenceSample {
  std::vector<std::string> source, target;
  int64_t seen = 0;  // pairs that passed the filter
};

// Keeps each of the pairs with the same probability (Vitter 1985, algorithm R).
void AddToSample(std::string_view source, std::string_view target, int64_t most,
                 SentenceSample* sample) {
  const auto number = static_cast<uint64_t>(sample->seen++);
  if (most == 0 || sample->seen <= most) {
    sample->source.emplace_back(source);
    sample->target.emplace_back(target);
    return;
  }
  // A fixed seed: the recipe's seed decides about training, not about the vocabulary.
  const auto slot =
      static_cast<size_t>(RandomUniform({.seed = 1}, number) * static_cast<double>(number + 1));
  if (slot >= sample->source.size()) return;
  sample->source[slot] = source;
  sample->target[slot] = target;
}

SentenceSample CollectSample(const Recipe& recipe, const PairFilter& filter) {
  SentenceSample sample;
  const bool repairs = filter.options().bad_utf8 == BadUtf8Policy::kReplace;
  for (const TrainingCorpusOptions& options : recipe.data.train) {
    ParallelCorpus corpus(options);
    for (CorpusPair pair; corpus.Next(&pair);) {
      if (!pair.has_both) continue;
      const std::string source = repairs ? ReplaceBadUtf8(pair.source) : std::string(pair.source);
      const std::string target = repairs ? ReplaceBadUtf8(pair.target) : std::string(pair.target);
      if (filter.CheckText(source, target)) continue;
      AddToSample(source, target, recipe.vocabulary.max_training_sentences, &sample);
    }
  }
  return sample;
}

std::string Train(const Recipe& recipe, int64_t size,
                  const std::vector<const std::vector<std::string>*>& texts) {
  const VocabularyOptions& vocabulary = recipe.vocabulary;
  SubwordTrainingOptions options;
  options.kind =
      vocabulary.type == VocabularyKind::kBpe ? SubwordKind::kBpe : SubwordKind::kUnigram;
  options.size = size;
  options.character_coverage = vocabulary.character_coverage;
  options.byte_fallback = vocabulary.byte_fallback;
  options.normalization = EnumToString(vocabulary.normalization);
  options.user_symbols = vocabulary.user_symbols;
  options.has_begin_mark = recipe.model.decoder_start == DecoderStart::kLearned;
  int64_t bytes = 0;
  for (const auto* text : texts) {
    for (const std::string& sentence : *text) bytes += static_cast<int64_t>(sentence.size());
  }
  options.is_large = bytes > kManyBytes;
  size_t text = 0, next = 0;
  return TrainSentencePiece(options, [&](std::string_view* sentence) {
    for (; text < texts.size() && next == texts[text]->size(); ++text) next = 0;
    if (text == texts.size()) return false;
    *sentence = (*texts[text])[next++];
    return true;
  });
}

std::shared_ptr<const Tokenizer> TrainSide(const Recipe& recipe, std::string_view side,
                                           int64_t size, const std::vector<std::string>& text) {
  try {
    return std::make_shared<SentencePieceTokenizer>(Train(recipe, size, {&text}), side);
  } catch (const UserError& error) {
    ThrowUserError("{} vocabulary: {}", side, error.what());
  }
}

// A model that the recipe names must be able to do what the recipe asks.
void CheckGiven(const Recipe& recipe, const Vocabularies& vocabularies) {
  const bool needs_begin = recipe.model.decoder_start == DecoderStart::kLearned;
  if (needs_begin && vocabularies.target->bos_id() < 0) {
    ThrowUserError(
        "model.decoder_start: learned needs a begin mark, which the given vocabulary does not "
        "have; "
        "use decoder_start: zero, or a model trained with --bos_id");
  }
}

}  // namespace

bool HasGivenVocabularies(const VocabularyOptions& options) {
  return !options.model.empty() || !options.source_model.empty() || !options.target_model.empty();
}

Vocabularies LoadGivenVocabularies(const Recipe& recipe) {
  const VocabularyOptions& options = recipe.vocabulary;
  Vocabularies vocabularies;
  if (options.joint) {
    vocabularies.source = SentencePieceTokenizer::Load(options.model);
    vocabularies.target = vocabularies.source;
  } else {
    vocabularies.source = SentencePieceTokenizer::Load(options.source_model);
    vocabularies.target = SentencePieceTokenizer::Load(options.target_model);
  }
  CheckGiven(recipe, vocabularies);
  return vocabularies;
}

Vocabularies TrainVocabularies(const Recipe& recipe, const PairFilter& filter) {
  const VocabularyOptions& options = recipe.vocabulary;
  const SentenceSample sample = CollectSample(recipe, filter);
  HEED_LOG(info, "training the {} vocabulary on {} of {} pairs", options.joint ? "joint" : "source",
           sample.source.size(), sample.seen);
  Vocabularies vocabularies;
  if (options.joint) {
    vocabularies.source = std::make_shared<SentencePieceTokenizer>(
        Train(recipe, options.size, {&sample.source, &sample.target}), "joint vocabulary");
    vocabularies.target = vocabularies.source;
    return vocabularies;
  }
  vocabularies.source =
      TrainSide(recipe, "source", options.source_size.value_or(options.size), sample.source);
  HEED_LOG(info, "training the target vocabulary");
  vocabularies.target =
      TrainSide(recipe, "target", options.target_size.value_or(options.size), sample.target);
  return vocabularies;
}

void SaveVocabularies(const Vocabularies& vocabularies, const std::filesystem::path& directory) {
  if (vocabularies.is_joint()) {
    WriteFile(directory / "vocabulary.model", vocabularies.source->serialized());
    return;
  }
  WriteFile(directory / "vocabulary.source.model", vocabularies.source->serialized());
  WriteFile(directory / "vocabulary.target.model", vocabularies.target->serialized());
}

Vocabularies LoadVocabularies(const std::filesystem::path& directory, bool is_joint) {
  Vocabularies vocabularies;
  if (is_joint) {
    vocabularies.source = SentencePieceTokenizer::Load(directory / "vocabulary.model");
    vocabularies.target = vocabularies.source;
    return vocabularies;
  }
  vocabularies.source = SentencePieceTokenizer::Load(directory / "vocabulary.source.model");
  vocabularies.target = SentencePieceTokenizer::Load(directory / "vocabulary.target.model");
  return vocabularies;
}

}  // namespace heed
