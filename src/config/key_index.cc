#include "config/key_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "config/field_types.h"
#include "config/recipe.h"

namespace heed {
namespace {

// Collects "section.key" for each field of a section and those below it.
class PathCollector {
 public:
  PathCollector(std::string section, std::vector<std::string>& paths)
      : section_(std::move(section)), paths_(paths) {}

  template <class Value, class... Rest>
  void operator()(const char* key, Value& field, const Rest&... /*rest*/) {
    const std::string path = section_.empty() ? key : section_ + '.' + key;
    paths_.push_back(path);
    if constexpr (SectionField<Value>) {
      PathCollector below(path, paths_);
      field.VisitFields(below);
    } else if constexpr (SectionListField<Value>) {
      typename Value::value_type item;
      PathCollector below(path + "[]", paths_);
      item.VisitFields(below);
    }
  }

 private:
  std::string section_;
  std::vector<std::string>& paths_;
};

// "data.train[3]" -> "data.train[]".
std::string WithoutIndices(const std::string& path) {
  std::string result;
  bool is_inside = false;
  for (const char c : path) {
    if (c == ']') is_inside = false;
    if (!is_inside) result += c;
    if (c == '[') is_inside = true;
  }
  return result;
}

std::string SectionOf(const std::string& path) {
  const size_t dot = path.rfind('.');
  return dot == std::string::npos ? "" : path.substr(0, dot);
}

std::string KeyOf(const std::string& path) {
  return path.substr(path.rfind('.') + 1);
}

std::string Fold(const std::string& word) {
  std::string folded;
  for (const char c : word) {
    const bool is_upper = c >= 'A' && c <= 'Z';
    folded += c == '-' ? '_' : is_upper ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return folded;
}

// Insertions, deletions, changes and swaps of neighbours that turn `a` into `b` (optimal string
// alignment).
size_t EditDistance(const std::string& a, const std::string& b) {
  std::vector<size_t> before_last(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    before_last = std::exchange(last, row);
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before_last[j - 2] + 1);
      }
    }
  }
  return row[b.size()];
}

std::string Join(const std::vector<std::string>& words, const char* separator) {
  return fmt::format("{}", fmt::join(words, separator));
}

std::string InSection(const std::string& section) {
  return section.empty() ? "at the top level" : fmt::format("in '{}'", section);
}

}  // namespace

std::string NearestWord(const std::string& word, const std::vector<std::string>& candidates) {
  constexpr size_t kLongestWord = 64;  // a longer one is no slip, and the distance is quadratic
  const std::string folded = Fold(word);
  std::string best;
  size_t best_distance = folded.size() > kLongestWord ? 0 : std::max<size_t>(1, folded.size() / 3);
  if (folded.size() < 2) best_distance = 0;
  for (const std::string& candidate : candidates) {
    const size_t distance =
        folded.size() > kLongestWord ? 1 : EditDistance(folded, Fold(candidate));
    if (distance < best_distance || (distance == best_distance && best.empty())) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

KeyIndex::KeyIndex() {
  Recipe recipe;
  PathCollector collector("", paths_);
  recipe.VisitFields(collector);
}

std::vector<std::string> KeyIndex::KeysOf(const std::string& section) const {
  std::vector<std::string> keys;
  for (const std::string& path : paths_) {
    if (SectionOf(path) == section) keys.push_back(KeyOf(path));
  }
  return keys;
}

std::string KeyIndex::Suggest(const std::string& key, const std::string& section) const {
  if (std::find(paths_.begin(), paths_.end(), key) != paths_.end() && key != KeyOf(key)) {
    return "write it as nested sections, one key per line";
  }
  const std::vector<std::string> keys_here = KeysOf(section);
  if (std::find(keys_here.begin(), keys_here.end(), Fold(key)) != keys_here.end()) {
    return fmt::format("did you mean '{}'?", Fold(key));
  }
  std::vector<std::string> homes;
  for (const std::string& path : paths_) {
    if (KeyOf(path) == Fold(key) && SectionOf(path) != section) homes.push_back(SectionOf(path));
  }
  const std::string nearest_here = NearestWord(key, keys_here);
  if (!homes.empty() && (homes.size() <= 3 || nearest_here.empty())) {
    if (homes.size() > 3) homes.resize(3);
    for (std::string& home : homes) {
      home = home.empty() ? "the top level" : fmt::format("'{}'", home);
    }
    return "it belongs in " + Join(homes, " or ");
  }
  for (const ForeignKey& foreign : ForeignKeys()) {
    if (Fold(key) == foreign.name) return fmt::format("Heed calls it '{}'", foreign.path);
  }
  if (!nearest_here.empty()) return fmt::format("did you mean '{}'?", nearest_here);

  std::vector<std::string> all_keys;
  for (const std::string& path : paths_) all_keys.push_back(KeyOf(path));
  if (const std::string nearest = NearestWord(key, all_keys); !nearest.empty()) {
    const auto found = std::find(all_keys.begin(), all_keys.end(), nearest);
    return fmt::format("did you mean '{}'?", paths_[static_cast<size_t>(found - all_keys.begin())]);
  }
  return "known keys there: " + Join(keys_here, ", ");
}

std::string KeyIndex::ExplainUnknown(const std::string& key, const std::string& section) const {
  const std::string shown = key.size() <= 64 ? key : key.substr(0, 61) + "...";
  return fmt::format("unknown key '{}' {}; {}", shown, InSection(section),
                     Suggest(key, WithoutIndices(section)));
}

const std::vector<ForeignKey>& ForeignKeys() {
  static const std::vector<ForeignKey> kKeys = {
      // Marian
      {"dim_emb", "model.model_width"},
      {"transformer_dim_ffn", "model.feed_forward_width"},
      {"transformer_heads", "model.heads"},
      {"enc_depth", "model.encoder_layers"},
      {"dec_depth", "model.decoder_layers"},
      {"tied_embeddings_all", "model.tie_embeddings"},
      {"transformer_dropout", "model.dropout.residual"},
      {"mini_batch", "training.batch_sentences"},
      {"mini_batch_words", "training.batch_tokens"},
      {"optimizer_delay", "training.accumulate"},
      {"learn_rate", "training.schedule.peak_rate"},
      {"lr_warmup", "training.schedule.warmup_updates"},
      {"exponential_smoothing", "training.average.decay"},
      {"after_epochs", "training.stop.epochs"},
      {"disp_freq", "training.log_every"},
      {"save_freq", "training.checkpoints.every"},
      {"valid_freq", "validation.every"},
      {"valid_metrics", "validation.metrics"},
      {"valid_sets", "data.valid"},
      {"train_sets", "data.train"},
      {"beam_size", "decoding.beam"},
      {"normalize", "decoding.length_penalty.alpha"},
      // fairseq and others
      {"lr", "training.schedule.peak_rate"},
      {"learning_rate", "training.schedule.peak_rate"},
      {"warmup", "training.schedule.warmup_updates"},
      {"warmup_steps", "training.schedule.warmup_updates"},
      {"lr_scheduler", "training.schedule.kind"},
      {"adam_betas", "training.optimizer.beta1"},
      {"max_tokens", "training.batch_tokens"},
      {"max_sentences_per_batch", "training.batch_sentences"},
      {"batch_size", "training.batch_tokens"},
      {"update_freq", "training.accumulate"},
      {"max_update", "training.stop.updates"},
      {"max_epoch", "training.stop.epochs"},
      {"train_steps", "training.stop.updates"},
      {"lenpen", "decoding.length_penalty.alpha"},
      {"embed_dim", "model.model_width"},
      {"hidden_size", "model.model_width"},
      {"vocab_size", "vocabulary.size"},
  };
  return kKeys;
}

}  // namespace heed
