#include "export/huggingface_generation.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <vector>

#include "util/check.h"
#include "util/json_file.h"
#include "util/logging.h"

namespace heed {
namespace {

using nlohmann::json;

// What changes translations and Heed has no option for, and the value that switches it off.
struct Unsupported {
  const char* key;
  double off;
};
constexpr auto kUnsupported = std::to_array<Unsupported>({{"no_repeat_ngram_size", 0},
                                                          {"encoder_no_repeat_ngram_size", 0},
                                                          {"repetition_penalty", 1},
                                                          {"encoder_repetition_penalty", 1},
                                                          {"diversity_penalty", 0},
                                                          {"num_beam_groups", 1},
                                                          {"penalty_alpha", 0},
                                                          {"do_sample", 0}});

class GenerationReader {
 public:
  GenerationReader(const json& settings, const HuggingFaceClass& type, int32_t unknown_id)
      : settings_(settings), type_(type), unknown_id_(unknown_id) {}

  HuggingFaceGeneration Read() {
    DecodingOptions& decoding = read_.decoding;
    decoding.beam = std::max<int64_t>(1, Whole("num_beams", 1));
    decoding.length_penalty = {.kind = LengthPenaltyKind::kAverage,
                               .alpha = Number("length_penalty", 1)};
    if (decoding.length_penalty.alpha < 0) {
      ignored_.push_back(fmt::format("length_penalty: {}", decoding.length_penalty.alpha));
      decoding.length_penalty.alpha = 0;
    }
    ReadLengths();
    decoding.suppress_unknown = ForbidsUnknown();
    for (const Unsupported& entry : kUnsupported) {
      const double value = Number(entry.key, entry.off);
      if (value != entry.off) ignored_.push_back(fmt::format("{}: {}", entry.key, value));
    }
    for (const char* key : {"forced_decoder_ids", "suppress_tokens", "begin_suppress_tokens",
                            "sequence_bias", "force_words_ids"}) {
      if (Has(key) && !settings_.at(key).empty()) ignored_.emplace_back(key);
    }
    if (Has("forced_eos_token_id") && Whole("forced_eos_token_id", 0) != type_.end_id) {
      ignored_.emplace_back("forced_eos_token_id");
    }
    if (Has("forced_bos_token_id")) {
      const int64_t id = Whole("forced_bos_token_id", 0);
      if (id < 0 || id >= type_.shape.target_vocabulary) {
        ThrowUserError("forced_bos_token_id is {} of {} tokens", id, type_.shape.target_vocabulary);
      }
      read_.first_token = static_cast<int32_t>(id);
    }
    return read_;
  }
  const std::vector<std::string>& ignored() const { return ignored_; }

 private:
  bool Has(const char* key) const {
    const auto found = settings_.find(key);
    return found != settings_.end() && !found->is_null();
  }
  int64_t Whole(const char* key, int64_t absent) const {
    if (!Has(key)) return absent;
    const json& value = settings_.at(key);
    constexpr int64_t kMost = int64_t{1} << 31;
    const int64_t number = value.is_number_integer() ? value.get<int64_t>() : -1;
    if (number >= 0 && number < kMost) return number;
    ThrowUserError("{} is {}", key, value.dump());
  }
  double Number(const char* key, double absent) const {
    if (!Has(key)) return absent;
    const json& value = settings_.at(key);
    return value.is_boolean() ? static_cast<double>(value.get<bool>()) : value.get<double>();
  }

  // transformers counts what decoding starts with, and the end mark.
  void ReadLengths() {
    constexpr int64_t kMarks = 2;
    DecodingOptions& decoding = read_.decoding;
    if (Has("max_new_tokens")) {
      decoding.max_length = {.ratio = 0,
                             .extra = std::max<int64_t>(0, Whole("max_new_tokens", 1) - 1)};
    } else if (Has("max_length")) {
      const int64_t most = std::min(Whole("max_length", 0), type_.max_positions + 1);
      decoding.max_length = {.ratio = 0, .extra = std::max<int64_t>(0, most - kMarks)};
    }
    decoding.min_length =
        std::max({int64_t{0}, Whole("min_length", 0) - 1, Whole("min_new_tokens", 0)});
    decoding.max_source_length =
        std::clamp<int64_t>(type_.max_positions, 2, decoding.max_source_length);
  }

  // What decoding starts with is never produced here, which is what most such lists are for.
  bool ForbidsUnknown() {
    bool forbids = false;
    if (!Has("bad_words_ids")) return forbids;
    for (const auto& word :
         settings_.at("bad_words_ids").get<std::vector<std::vector<int64_t>>>()) {
      if (word == std::vector<int64_t>{unknown_id_}) {
        forbids = true;
      } else if (word != std::vector<int64_t>{type_.shape.begin_id} &&
                 word != std::vector<int64_t>{type_.padding_id}) {
        ignored_.push_back(fmt::format("bad_words_ids: {}", word));
      }
    }
    return forbids;
  }

  const json& settings_;
  const HuggingFaceClass& type_;
  int32_t unknown_id_;
  HuggingFaceGeneration read_;
  std::vector<std::string> ignored_;
};

}  // namespace

HuggingFaceGeneration ReadHuggingFaceGeneration(const std::filesystem::path& directory,
                                                const HuggingFaceClass& type, int32_t unknown_id) {
  std::filesystem::path file = directory / "generation_config.json";
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) file = directory / "config.json";
  const json settings = ReadJsonFile(file);
  if (!settings.is_object()) ThrowUserError("{} does not hold settings", file.string());
  try {
    GenerationReader reader(settings, type, unknown_id);
    HuggingFaceGeneration read = reader.Read();
    if (!reader.ignored().empty()) {
      HEED_LOG(warn, "{}: Heed has no such option: {}", file.string(),
               fmt::join(reader.ignored(), "; "));
    }
    return read;
  } catch (const json::exception& error) {
    ThrowUserError("{} does not say how to generate: {}", file.string(), error.what());
  } catch (const UserError& error) {
    ThrowUserError("{}: {}", file.string(), error.what());
  }
}

}  // namespace heed
