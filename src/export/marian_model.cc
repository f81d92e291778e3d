#include "export/marian_model.h"

#include <memory>
#include <string>

#include "export/marian_format.h"
#include "export/marian_names.h"
#include "export/marian_options.h"
#include "export/marian_reader.h"
#include "util/check.h"

namespace heed {
namespace {

namespace fs = std::filesystem;

fs::path FindModelFile(const fs::path& path) {
  std::error_code ignored;
  if (!fs::is_directory(path, ignored)) return path;
  const fs::path npz = path / kMarianNpzFile;
  return fs::exists(npz, ignored) ? npz : path / kMarianBinFile;
}

constexpr const char* kTrainedPositions = "Wpos";  // of both stacks

// With outputs as rows, as ours.
RowSource OurRows(const MarianReader& reader, const std::string& name) {
  // Old versions store an output matrix of its own the other way round.
  constexpr const char* kOutput = "decoder_ff_logit_out_Wt";
  constexpr const char* kOldOutput = "decoder_ff_logit_out_W";
  // One that both sides share, with or without the output.
  constexpr const char* kShared = "Wemb";
  if (name.ends_with("_Wemb") && !reader.Contains(name)) return reader.Rows(kShared);
  if (name == kOutput && !reader.Contains(kOutput)) return reader.Columns(kOldOutput);
  return IsTransposedInMarian(name) ? reader.Columns(name) : reader.Rows(name);
}

}  // namespace

ReadBackModel ReadMarianModel(const fs::path& path) {
  const auto reader = std::make_shared<MarianReader>(FindModelFile(path));
  TransformerShape shape = ParseMarianOptions(reader->Text(kMarianConfig), reader->path().string());
  if (shape.options.tie_embeddings == EmbeddingTying::kAll &&
      shape.source_vocabulary != shape.target_vocabulary) {
    ThrowUserError("{}: one embedding for vocabularies of {} and {}", reader->path().string(),
                   shape.source_vocabulary, shape.target_vocabulary);
  }
  const bool has_table = shape.options.positions.kind == PositionKind::kLearned;
  if (has_table) shape.options.positions.max_length = reader->Rows(kTrainedPositions).rows;
  RequirePlausible(shape);
  TensorNames names = MarianNames(shape.options);
  if (has_table) {
    names.push_back({kTrainedPositions, "encoder.positions"});
    names.push_back({kTrainedPositions, "decoder.positions"});
  }
  const auto open = [reader](const std::string& name) { return OurRows(*reader, name); };
  return {.shape = shape, .fill = FillFrom(shape, names, open)};
}

}  // namespace heed
