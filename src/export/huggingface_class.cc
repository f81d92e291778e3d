#include "export/huggingface_class.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <limits>
#include <nlohmann/json.hpp>

#include "util/check.h"
#include "util/json_file.h"

namespace heed {
namespace {

using nlohmann::json;

struct NamedActivation {
  const char* name;
  ActivationKind kind;
};
constexpr auto kNamedActivations =
    std::to_array<NamedActivation>({{"relu", ActivationKind::kRelu},
                                    {"gelu", ActivationKind::kGelu},
                                    {"gelu_python", ActivationKind::kGelu},
                                    {"silu", ActivationKind::kSilu},
                                    {"swish", ActivationKind::kSilu}});

// JSON's numbers become any type in silence.
int64_t WholeNumber(const std::string& key, const json& value) {
  if (!value.is_number_integer()) ThrowUserError("{} is {}, not a whole number", key, value.dump());
  return value.get<int64_t>();
}

// Reads the configuration and collects what Heed would compute otherwise.
class ClassReader {
 public:
  explicit ClassReader(const json& config) : config_(config) {}

  HuggingFaceClass Read() {
    read_.model_type = config_.at("model_type").get<std::string>();
    const bool is_marian = read_.model_type == "marian";
    is_m2m100_ = read_.model_type == "m2m_100";
    if (!is_marian && !is_m2m100_ && read_.model_type != "pegasus") {
      ThrowUserError("the model_type is {}; Heed reads marian, pegasus and m2m_100",
                     read_.model_type);
    }
    ReadTokens();
    ReadOptions(is_marian ? NormPosition::kAfter : NormPosition::kBefore);
    ReadTying(is_marian);
    ReadPositions();
    CheckSwitches();
    return read_;
  }
  const std::vector<std::string>& reasons() const { return reasons_; }

 private:
  int64_t Whole(const std::string& key) const { return WholeNumber(key, config_.at(key)); }
  // Of a token.
  int32_t Id(const std::string& key) const {
    const int64_t id = Whole(key);
    if (id >= 0 && id <= std::numeric_limits<int32_t>::max()) return static_cast<int32_t>(id);
    ThrowUserError("{} is {}, which is no token", key, id);
  }
  // An absent or null value is what the class takes then.
  template <class Value>
  Value Or(const char* key, Value absent) const {
    const auto found = config_.find(key);
    return found == config_.end() || found->is_null() ? absent : found->template get<Value>();
  }

  // A number that both stacks have; Heed's are the same in both.
  int64_t SameInBoth(const std::string& key) {
    const int64_t encoder = Whole("encoder_" + key);
    const int64_t decoder = Whole("decoder_" + key);
    if (encoder != decoder) {
      reasons_.push_back(
          fmt::format("encoder_{0} is {1} and decoder_{0} is {2}; Heed has one for "
                      "both",
                      key, encoder, decoder));
    }
    return encoder;
  }

  void ReadTokens() {
    read_.padding_id = Id("pad_token_id");
    read_.end_id = Id("eos_token_id");
    read_.shape.begin_id = Id("decoder_start_token_id");
    read_.shape.source_vocabulary = Whole("vocab_size");
  }

  void ReadActivation() {
    const auto name = config_.at("activation_function").get<std::string>();
    for (const NamedActivation& entry : kNamedActivations) {
      if (entry.name != name) continue;
      read_.shape.options.activation = entry.kind;
      return;
    }
    reasons_.push_back(
        fmt::format("the activation function is {}; Heed has relu, gelu and silu", name));
  }

  void ReadOptions(NormPosition norm) {
    ModelOptions& options = read_.shape.options;
    options.encoder_layers = Whole("encoder_layers");
    options.decoder_layers = Whole("decoder_layers");
    options.model_width = Whole("d_model");
    options.feed_forward_width = SameInBoth("ffn_dim");
    options.heads = SameInBoth("attention_heads");
    options.norm = norm;
    options.layer_norm_epsilon = 1e-5;  // built into the classes
    ReadActivation();
    options.scale_embeddings = Or("scale_embedding", false);
    options.decoder_start = DecoderStart::kLearned;
    options.dropout = {.residual = Dropout("dropout"),
                       .attention = Dropout("attention_dropout"),
                       .activation = Dropout("activation_dropout"),
                       .embedding = Dropout("dropout")};
    read_.has_output_bias = !is_m2m100_;
  }

  double Dropout(const char* key) {
    const double probability = Or(key, 0.0);
    if (probability >= 0 && probability < 1) return probability;
    reasons_.push_back(fmt::format("{} is {}; it may be from 0 to below 1", key, probability));
    return 0;
  }

  void ReadTying(bool is_marian) {
    read_.ties_output = Or("tie_word_embeddings", true);
    read_.shares_embeddings = !is_marian || Or("share_encoder_decoder_embeddings", true);
    const auto own_size = config_.find("decoder_vocab_size");
    const bool has_own = !read_.shares_embeddings && own_size != config_.end();
    read_.shape.target_vocabulary = has_own && !own_size->is_null()
                                        ? WholeNumber("decoder_vocab_size", *own_size)
                                        : read_.shape.source_vocabulary;
    const EmbeddingTying tied =
        read_.shares_embeddings ? EmbeddingTying::kAll : EmbeddingTying::kDecoder;
    // Heed has no output matrix beside a shared table: the sides then hold the same values.
    read_.shape.options.tie_embeddings = read_.ties_output ? tied : EmbeddingTying::kNone;
  }

  void ReadPositions() {
    PositionOptions& positions = read_.shape.options.positions;
    positions.kind = PositionKind::kSinusoidal;
    positions.layout = SinusoidLayout::kHalf;
    positions.frequency = is_m2m100_ ? SinusoidFrequency::kT2t : SinusoidFrequency::kPaper;
    positions.offset = is_m2m100_ ? read_.padding_id + int64_t{1} : 0;  // as fairseq counts
    read_.max_positions = Whole("max_position_embeddings");
    read_.loads_positions = !is_m2m100_;
    if (!is_m2m100_ && read_.shape.options.model_width % 2 != 0) {
      reasons_.push_back(fmt::format("d_model is {}, and the positions of an odd width are others",
                                     read_.shape.options.model_width));
    }
  }

  // Old configurations of these models say what else a class of that time could do; those of today
  // do one thing.
  void CheckSwitches() {
    const bool is_pre_norm = read_.shape.options.norm == NormPosition::kBefore;
    Want("is_encoder_decoder", true);
    Want("normalize_before", is_pre_norm);
    Want("add_final_layer_norm", is_pre_norm);
    Want("normalize_embedding", false);
    Want("static_position_embeddings", true);
    Want("tie_encoder_decoder", false);
    for (const char* key : {"pruned_heads", "quantization_config"}) {
      const auto found = config_.find(key);
      if (found == config_.end() || found->empty()) continue;
      reasons_.push_back(fmt::format("it has {}, which Heed does not read", key));
    }
  }

  void Want(const char* key, bool wanted) {
    if (Or(key, wanted) == wanted) return;
    reasons_.push_back(
        fmt::format("{} is {}; Heed computes such models with {}", key, !wanted, wanted));
  }

  const json& config_;
  bool is_m2m100_ = false;
  HuggingFaceClass read_;
  std::vector<std::string> reasons_;
};

}  // namespace

HuggingFaceClass ReadHuggingFaceClass(const std::filesystem::path& config_file) {
  const json config = ReadJsonFile(config_file);
  ClassReader reader(config);
  HuggingFaceClass read;
  try {
    read = reader.Read();
  } catch (const json::exception& error) {
    ThrowUserError("{} does not describe a model: {}", config_file.string(), error.what());
  } catch (const UserError& error) {
    ThrowUserError("{}: {}", config_file.string(), error.what());
  }
  if (!reader.reasons().empty()) {
    ThrowUserError("{} describes a model that Heed would compute in another way:\n  - {}",
                   config_file.string(), fmt::join(reader.reasons(), "\n  - "));
  }
  return read;
}

}  // namespace heed
