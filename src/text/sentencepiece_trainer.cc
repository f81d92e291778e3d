#include "text/sentencepiece_trainer.h"

#include <sentencepiece_trainer.h>

#include <exception>
#include <regex>
#include <unordered_map>

#include "text/cleanup.h"
#include "text/utf8.h"
#include "util/check.h"

namespace heed {
namespace {

using StatusCode = sentencepiece::util::StatusCode;

// SentencePiece splits float sums by thread, so another number gives another model. Its extra
// threads cost nothing where there are fewer cores.
constexpr const char* kThreads = "4";
constexpr int64_t kLongestSentence = int64_t{1} << 24;  // bytes

// Shows a SentenceStream to SentencePiece, through whose frames no exception should fly.
class StreamIterator : public sentencepiece::SentenceIterator {
 public:
  explicit StreamIterator(const SentenceStream& next) : next_(next) { Advance(); }

  bool done() const override { return done_; }
  void Next() override { Advance(); }
  const std::string& value() const override { return value_; }
  sentencepiece::util::Status status() const override {
    if (error_) return {StatusCode::kAborted, "the reader failed"};
    return {};
  }

  int64_t num_sentences() const { return num_sentences_; }
  void Rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  void Advance() {
    try {
      std::string_view sentence;
      do {
        done_ = !next_(&sentence);
      } while (!done_ && IsBlank(sentence));
      if (done_) return;
      ++num_sentences_;
      value_ = CleanLine(sentence, &buffer_);
    } catch (...) {
      error_ = std::current_exception();
      done_ = true;
    }
  }

  const SentenceStream& next_;
  std::string value_, buffer_;
  int64_t num_sentences_ = 0;
  bool done_ = false;
  std::exception_ptr error_;
};

// A comma-separated list in which quotes protect commas.
std::string QuotedList(const std::vector<std::string>& items) {
  std::string list;
  for (const std::string& item : items) {
    if (IsBlank(item)) ThrowUserError("vocabulary.user_symbols holds a blank symbol; remove it");
    if (!list.empty()) list += ',';
    list += '"';
    for (const char c : item) list += c == '"' ? "\"\"" : std::string(1, c);
    list += '"';
  }
  return list;
}

std::unordered_map<std::string, std::string> Flags(const SubwordTrainingOptions& options) {
  const auto flag = [](bool value) { return value ? "true" : "false"; };
  std::unordered_map<std::string, std::string> flags = {
      {"minloglevel", "3"},
      {"num_threads", kThreads},
      {"model_type", options.kind == SubwordKind::kBpe ? "bpe" : "unigram"},
      {"vocab_size", fmt::format("{}", options.size)},
      {"character_coverage", fmt::format("{}", options.character_coverage)},
      {"byte_fallback", flag(options.byte_fallback)},
      {"normalization_rule_name", options.normalization},
      {"max_sentence_length", fmt::format("{}", kLongestSentence)},
      {"train_extremely_large_corpus", flag(options.is_large)},
      {"eos_id", "0"},
      {"unk_id", "1"},
      {"bos_id", options.has_begin_mark ? "2" : "-1"},
      {"pad_id", "-1"}};
  if (!options.user_symbols.empty()) {
    flags["user_defined_symbols"] = QuotedList(options.user_symbols);
  }
  return flags;
}

// Puts SentencePiece's message into words of recipes.
[[noreturn]] void ThrowTrainingError(const SubwordTrainingOptions& options,
                                     const std::string& message, int64_t num_sentences) {
  std::smatch match;
  if (std::regex_search(message, match, std::regex(R"(too high \(\d+\).*<= (\d+))"))) {
    ThrowUserError(
        "a vocabulary of {} pieces is too large for this text, which has at most {}: set "
        "vocabulary.size to {} or less, or give more text",
        options.size, match[1].str(), match[1].str());
  }
  if (std::regex_search(message, match, std::regex(R"(required_chars\. \d+ vs (\d+))"))) {
    ThrowUserError(
        "a vocabulary of {} pieces is too small for the characters of this text{}: set "
        "vocabulary.size to more than {}, or lower vocabulary.character_coverage",
        options.size, options.byte_fallback ? " and 256 pieces for bytes" : "", match[1].str());
  }
  if (num_sentences == 0) {
    ThrowUserError(
        "there is no text to train a vocabulary on: no sentence is left, or all are "
        "blank; check the corpora and data.filters");
  }
  if (message.find("!sentences_.empty()") != std::string::npos) {
    ThrowUserError(
        "none of {} sentences can be used to train a vocabulary: each is longer than {} bytes or "
        "holds the reserved character U+2585",
        num_sentences, kLongestSentence);
  }
  ThrowUserError("SentencePiece cannot train a vocabulary on this text: {}", message);
}

}  // namespace

std::string TrainSentencePiece(const SubwordTrainingOptions& options, const SentenceStream& next) {
  HEED_CHECK(options.kind == SubwordKind::kUnigram || options.kind == SubwordKind::kBpe, "kind {}",
             static_cast<int>(options.kind));
  StreamIterator sentences(next);
  std::string model;
  const auto status =
      sentencepiece::SentencePieceTrainer::Train(Flags(options), &sentences, &model);
  sentences.Rethrow();
  if (!status.ok()) {
    ThrowTrainingError(options, status.message(), sentences.num_sentences());
  }
  return model;
}

}  // namespace heed
