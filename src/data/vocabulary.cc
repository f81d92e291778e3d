#include "data/vocabulary.h"

#include <array>
#include <utility>

#include "data/parallel_corpus.h"
#include "text/listed_tokenizer.h"
#include "text/prefixed_tokenizer.h"
#include "text/sentencepiece_tokenizer.h"
#include "text/sentencepiece_trainer.h"
#include "text/user_symbols.h"
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
  int64_t seen = 0;                                // pairs that passed the filter
  std::array<int64_t, kNumDropReasons> dropped{};  // by DropReason
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

[[noreturn]] void ThrowNothingLeft(const SentenceSample& sample) {
  std::string reasons;
  int64_t read = 0;
  for (size_t i = 0; i < kNumDropReasons; ++i) {
    read += sample.dropped[i];
    if (sample.dropped[i] == 0) continue;
    reasons += fmt::format("{} {} by the rule '{}'", reasons.empty() ? ": dropped" : ",",
                           sample.dropped[i], NameOf(static_cast<DropReason>(i)));
  }
  ThrowUserError(
      "none of {} pairs is left to train a vocabulary on{}; check the files under 'data' and "
      "data.filters",
      read, reasons);
}

SentenceSample CollectSample(const Recipe& recipe, const PairFilter& filter) {
  SentenceSample sample;
  const auto drop = [&](DropReason reason) { ++sample.dropped[static_cast<size_t>(reason)]; };
  const bool repairs = filter.options().bad_utf8 == BadUtf8Policy::kReplace;
  for (const TrainingCorpusOptions& options : recipe.data.train) {
    ParallelCorpus corpus(options);
    for (CorpusPair pair; corpus.Next(&pair);) {
      if (!pair.has_both) {
        drop(DropReason::kMissingColumn);
        continue;
      }
      const std::string source = repairs ? ReplaceBadUtf8(pair.source) : std::string(pair.source);
      const std::string target = repairs ? ReplaceBadUtf8(pair.target) : std::string(pair.target);
      if (const auto reason = filter.CheckText(source, target)) {
        drop(*reason);
        continue;
      }
      AddToSample(source, target, recipe.vocabulary.max_training_sentences, &sample);
    }
  }
  if (sample.seen == 0) ThrowNothingLeft(sample);
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

std::shared_ptr<const Tokenizer> LoadGiven(const std::string& path,
                                           const VocabularyOptions& options) {
  std::shared_ptr<const Tokenizer> given = LoadTokenizer(path);
  if (options.user_symbols.empty()) return given;
  if (given->list() != nullptr) {
    ThrowUserError(
        "vocabulary.user_symbols cannot be added to {}, whose ids are those of a list of pieces "
        "({}); leave them out",
        path, PieceListPath(path).filename().string());
  }
  return std::make_shared<SentencePieceTokenizer>(
      AddUserSymbols(given->serialized(), options.user_symbols), path);
}

// Sizes in the recipe, or in a preset that it includes, are for vocabularies that are trained.
void WarnOfOtherSize(const Recipe& recipe, const Tokenizer& tokenizer, const std::string& path) {
  const int64_t size = recipe.vocabulary.size;
  if (size == VocabularyOptions().size || size == tokenizer.size()) return;
  HEED_LOG(warn, "{} has {} pieces; vocabulary.size: {} does not count", path, tokenizer.size(),
           size);
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

// That both sides have one set of ids if the recipe says so.
void CheckShared(const VocabularyOptions& options, const Vocabularies& vocabularies,
                 const std::filesystem::path& source, const std::filesystem::path& target) {
  if (!options.shared_ids || vocabularies.shares_ids()) return;
  ThrowUserError(
      "vocabulary.shared_ids is true, but {} and {} do not have equal lists of pieces beside them "
      "({} and {})",
      source.string(), target.string(), PieceListPath(source).filename().string(),
      PieceListPath(target).filename().string());
}

void AddPrefixes(const VocabularyOptions& options, Vocabularies* vocabularies) {
  const auto add = [](const std::string& prefix, const char* key,
                      std::shared_ptr<const Tokenizer>* tokenizer) {
    if (prefix.empty()) return;
    *tokenizer = std::make_shared<PrefixedTokenizer>(*tokenizer, prefix, key);
  };
  add(options.source_prefix, "vocabulary.source_prefix", &vocabularies->source);
  add(options.target_prefix, "vocabulary.target_prefix", &vocabularies->target);
}

std::vector<std::string> ModelFileNames(bool is_joint) {
  if (is_joint) return {"vocabulary.model"};
  return {"vocabulary.source.model", "vocabulary.target.model"};
}

}  // namespace

bool Vocabularies::shares_ids() const {
  return is_joint() || (source->list() != nullptr && target->list() != nullptr &&
                        *source->list() == *target->list());
}

bool HasGivenVocabularies(const VocabularyOptions& options) {
  return !options.model.empty() || !options.source_model.empty() || !options.target_model.empty();
}

Vocabularies LoadGivenVocabularies(const Recipe& recipe) {
  const VocabularyOptions& options = recipe.vocabulary;
  Vocabularies vocabularies;
  if (options.joint) {
    vocabularies.source = LoadGiven(options.model, options);
    vocabularies.target = vocabularies.source;
    WarnOfOtherSize(recipe, *vocabularies.source, options.model);
  } else {
    vocabularies.source = LoadGiven(options.source_model, options);
    vocabularies.target = LoadGiven(options.target_model, options);
    CheckShared(options, vocabularies, options.source_model, options.target_model);
  }
  CheckGiven(recipe, vocabularies);
  AddPrefixes(options, &vocabularies);
  return vocabularies;
}

Vocabularies TrainVocabularies(const Recipe& recipe, const PairFilter& filter) {
  const VocabularyOptions& options = recipe.vocabulary;
  if (options.shared_ids) {
    ThrowUserError(
        "vocabulary.shared_ids is for given models with a list of pieces (vocabulary.source_model "
        "and target_model); to train a vocabulary with one set of ids, use joint: true");
  }
  const SentenceSample sample = CollectSample(recipe, filter);
  HEED_LOG(info, "training the {} vocabulary on {} of {} pairs", options.joint ? "joint" : "source",
           sample.source.size(), sample.seen);
  Vocabularies vocabularies;
  if (options.joint) {
    vocabularies.source = std::make_shared<SentencePieceTokenizer>(
        Train(recipe, options.size, {&sample.source, &sample.target}), "joint vocabulary");
    vocabularies.target = vocabularies.source;
    AddPrefixes(options, &vocabularies);
    return vocabularies;
  }
  vocabularies.source =
      TrainSide(recipe, "source", options.source_size.value_or(options.size), sample.source);
  HEED_LOG(info, "training the target vocabulary");
  vocabularies.target =
      TrainSide(recipe, "target", options.target_size.value_or(options.size), sample.target);
  AddPrefixes(options, &vocabularies);
  return vocabularies;
}

std::string FingerprintOf(const Vocabularies& vocabularies) {
  return vocabularies.source->fingerprint() + "-" + vocabularies.target->fingerprint();
}

std::vector<std::string> VocabularyFileNames(const Vocabularies& vocabularies) {
  std::vector<std::string> names;
  const auto add = [&names](const std::string& model, const Tokenizer& tokenizer) {
    names.push_back(model);
    if (tokenizer.list() != nullptr) names.push_back(PieceListPath(model).string());
  };
  const std::vector<std::string> models = ModelFileNames(vocabularies.is_joint());
  add(models.front(), *vocabularies.source);
  if (!vocabularies.is_joint()) add(models.back(), *vocabularies.target);
  return names;
}

void SaveVocabularies(const Vocabularies& vocabularies, const std::filesystem::path& directory) {
  const auto write = [](const std::filesystem::path& path, const std::string& content) {
    // What is there already needs no space, which a full disk does not have.
    if (std::filesystem::exists(path) && ReadFile(path) == content) return;
    WriteFile(path, content);
  };
  const auto save = [&](const std::string& name, const Tokenizer& tokenizer) {
    const std::filesystem::path list = PieceListPath(directory / name);
    write(directory / name, tokenizer.serialized());
    if (tokenizer.list() != nullptr) {
      write(list, tokenizer.list()->ToJson());
    } else {
      std::filesystem::remove(list);  // of the vocabulary before
    }
  };
  const std::vector<std::string> names = ModelFileNames(vocabularies.is_joint());
  save(names.front(), *vocabularies.source);
  if (!vocabularies.is_joint()) save(names.back(), *vocabularies.target);
}

Vocabularies LoadVocabularies(const std::filesystem::path& directory,
                              const VocabularyOptions& options) {
  const std::vector<std::string> names = ModelFileNames(options.joint);
  const std::filesystem::path source = directory / names.front(), target = directory / names.back();
  Vocabularies vocabularies;
  vocabularies.source = LoadTokenizer(source);
  vocabularies.target = options.joint ? vocabularies.source : LoadTokenizer(target);
  CheckShared(options, vocabularies, source, target);
  AddPrefixes(options, &vocabularies);
  return vocabularies;
}

}  // namespace heed
