#include "tests/export/export_fixture.h"

#include <cmath>
#include <set>
#include <string_view>

#include "checkpoint/checkpoint.h"
#include "config/recipe_writer.h"
#include "models/model_factory.h"
#include "tests/text/sample_text.h"
#include "text/listed_tokenizer.h"
#include "util/checksum.h"
#include "util/files.h"

namespace heed {
namespace {

struct Sides {
  bool english = true;
  bool german = true;
};

std::shared_ptr<const Tokenizer> TrainVocabulary(Sides sides, int64_t size, bool has_begin_mark) {
  SubwordTrainingOptions options;
  options.size = size;
  options.byte_fallback = false;
  options.has_begin_mark = has_begin_mark;
  std::vector<std::string> sentences;
  for (int64_t number = 0; number < 500; ++number) {
    auto [source, target] = SamplePair(number);
    if (sides.english) sentences.push_back(std::move(source));
    if (sides.german) sentences.push_back(std::move(target));
  }
  return std::make_shared<SentencePieceTokenizer>(TrainSentencePiece(options, StreamOf(sentences)),
                                                  "fixture");
}

// The tokenizer's model with a list of the pieces of both sides, whose ids are nobody's: sorted,
// the marks among them.
std::shared_ptr<const Tokenizer> WithSharedList(const Tokenizer& tokenizer,
                                                const Vocabularies& both) {
  std::set<std::string> pieces = {">>deu<<"};
  for (const Tokenizer* side : {both.source.get(), both.target.get()}) {
    for (int32_t id = 0; id < side->size(); ++id) pieces.insert(side->piece(id));
  }
  PieceMarks marks;
  if (tokenizer.bos_id() >= 0) marks.begin = tokenizer.piece(tokenizer.bos_id());
  return std::make_shared<ListedTokenizer>(
      std::make_unique<SentencePieceTokenizer>(tokenizer.serialized(), "fixture"),
      std::make_shared<PieceList>(std::vector<std::string>(pieces.begin(), pieces.end()), marks,
                                  std::vector<std::string>{">>deu<<"}, "fixture"));
}

// Adds noise to every value.
void Shake(const ParameterStore& store, uint64_t seed) {
  for (const auto& parameter : store.parameters()) {
    const RandomStream stream{.seed = seed + Fnv1a64(parameter->name)};
    float* value = parameter->value.Row<float>(0);
    for (int64_t i = 0; i < parameter->size(); ++i) {
      value[i] += static_cast<float>(0.2 * (RandomUniform(stream, static_cast<uint64_t>(i)) - 0.5));
    }
  }
}

// Turns the decoder's output a little towards the end mark's row of the output matrix.
void FavourEnd(const ParameterStore& store, const ModelOptions& options, int32_t end_id) {
  const bool is_pre_norm = options.norm == NormPosition::kBefore;
  const Parameter* bias = store.Find(
      is_pre_norm ? "decoder.final_norm.bias"
                  : fmt::format("decoder.layer{}.feed_forward_norm.bias", options.decoder_layers));
  const Parameter* output = nullptr;
  for (const char* name : {"output.weight", "target_embedding.weight", "embedding.weight"}) {
    if (output == nullptr) output = store.Find(name);
  }
  const float* row = output->value.Row<float>(end_id);
  float square = 0;
  for (int64_t i = 0; i < output->columns; ++i) square += row[i] * row[i];
  constexpr float kNats = 2.5F;
  for (int64_t i = 0; i < output->columns; ++i) {
    bias->value.Row<float>(0)[i] += kNats * row[i] / square;
  }
}

}  // namespace

Recipe SmallRecipe() {
  Recipe recipe;
  recipe.name = "small";
  recipe.output = "small";
  recipe.data.source_language = "en";
  recipe.data.target_language = "de";
  recipe.data.filters.max_length = 9;  // learned positions must hold that
  recipe.model.encoder_layers = 2;
  recipe.model.decoder_layers = 2;
  recipe.model.model_width = 16;
  recipe.model.feed_forward_width = 24;
  recipe.model.heads = 2;
  return recipe;
}

Recipe ListedRecipe() {
  Recipe recipe = SmallRecipe();
  recipe.model.activation = ActivationKind::kSilu;
  recipe.vocabulary.joint = false;
  recipe.vocabulary.shared_ids = true;
  return recipe;
}

std::vector<ModelVariant> ExportVariants() {
  std::vector<ModelVariant> variants;
  const auto add = [&variants](const std::string& name) -> Recipe& {
    return variants.emplace_back(name, SmallRecipe()).recipe;
  };
  add("post_relu");
  Recipe& pre = add("pre_gelu_begin");
  pre.model.norm = NormPosition::kBefore;
  pre.model.activation = ActivationKind::kGelu;
  pre.model.decoder_start = DecoderStart::kLearned;
  pre.model.tie_embeddings = EmbeddingTying::kDecoder;
  pre.model.positions.frequency = SinusoidFrequency::kPaper;
  pre.model.positions.offset = 1;
  Recipe& separate = add("post_silu_gated_separate");
  separate.model.activation = ActivationKind::kSilu;
  separate.model.gated = true;
  separate.model.tie_embeddings = EmbeddingTying::kNone;
  separate.vocabulary.joint = false;
  Recipe& interleaved = add("pre_interleaved_bare");
  interleaved.model.norm = NormPosition::kBefore;
  interleaved.model.positions.layout = SinusoidLayout::kInterleaved;
  interleaved.model.positions.frequency = SinusoidFrequency::kPaper;
  interleaved.model.projection_bias = false;
  interleaved.model.output_bias = false;
  interleaved.model.scale_embeddings = false;
  Recipe& turned = add("post_interleaved");
  turned.model.positions.layout = SinusoidLayout::kInterleaved;
  turned.model.layer_norm_epsilon = 1e-3;
  Recipe& none = add("post_no_positions");
  none.model.positions.kind = PositionKind::kNone;
  none.model.encoder_layers = 1;
  none.model.decoder_layers = 3;
  Recipe& learned = add("pre_learned_positions");
  learned.model.norm = NormPosition::kBefore;
  learned.model.positions.kind = PositionKind::kLearned;
  learned.model.positions.layout = SinusoidLayout::kInterleaved;  // says nothing about a table
  learned.model.positions.max_length = 70;
  learned.model.heads = 4;
  return variants;
}

Vocabularies MakeVocabularies(const Recipe& recipe) {
  const bool has_begin_mark = recipe.model.decoder_start == DecoderStart::kLearned;
  Vocabularies vocabularies;
  if (recipe.vocabulary.joint) {
    vocabularies.source = TrainVocabulary({}, 90, has_begin_mark);
    vocabularies.target = vocabularies.source;
  } else {
    vocabularies.source = TrainVocabulary({.german = false}, 52, has_begin_mark);
    vocabularies.target = TrainVocabulary({.english = false}, 48, has_begin_mark);
  }
  if (recipe.vocabulary.shared_ids) {
    return {.source = WithSharedList(*vocabularies.source, vocabularies),
            .target = WithSharedList(*vocabularies.target, vocabularies)};
  }
  return vocabularies;
}

ModelOnDisk::ModelOnDisk(const Recipe& recipe, bool with_average) {
  const Vocabularies vocabularies = MakeVocabularies(recipe);
  const bool has_begin_mark = recipe.model.decoder_start == DecoderStart::kLearned;
  ParameterStore store;
  const auto model = MakeModel(store,
                               {.options = recipe.model,
                                .source_vocabulary = vocabularies.source->size(),
                                .target_vocabulary = vocabularies.target->size(),
                                .begin_id = has_begin_mark ? vocabularies.target->bos_id() : -1},
                               false);
  store.Allocate(DType::kFloat32, false, &Memory::Host);
  store.Initialize(17);
  Shake(store, 4);
  FavourEnd(store, recipe.model, vocabularies.target->eos_id());
  if (has_begin_mark) {
    // Training makes the begin mark, which is never a label, improbable.
    store.Find("output.bias")->value.Row<float>(0)[vocabularies.target->bos_id()] -= 20;
  }
  CheckpointContent content;
  content.parameters = &store;
  content.buffers = {{std::string(kModelFile), "", store.flat_values()}};
  const Memory average = Memory::Host(store.flat_size() * SizeOf(DType::kFloat32));
  if (with_average) {
    const MatrixView flat{average.data(), DType::kFloat32, 1, store.flat_size(), store.flat_size()};
    for (int64_t i = 0; i < flat.columns; ++i) {
      flat.Row<float>(0)[i] = 0.5F * store.flat_values().Row<float>(0)[i];
    }
    content.buffers.push_back({std::string(kAverageFile), "", flat});
  }
  content.state.update = 77;
  content.recipe = WriteRecipe(recipe);
  std::filesystem::create_directories(directory_ / "vocabulary");
  SaveVocabularies(vocabularies, directory_ / "vocabulary");
  for (const auto& entry : std::filesystem::directory_iterator(directory_ / "vocabulary")) {
    content.copies.push_back(entry.path());
  }
  std::filesystem::create_directories(path());
  WriteCheckpoint(path(), content);
}

}  // namespace heed
