#include "train/initial_weights.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <unordered_map>
#include <vector>

#include "checkpoint/manifest.h"
#include "checkpoint/safetensors_reader.h"
#include "config/recipe_difference.h"
#include "export/model_source.h"
#include "export/row_source.h"
#include "util/check.h"
#include "util/logging.h"

namespace heed {
namespace {

namespace fs = std::filesystem;

// Pieces are the same if they are written alike; marks, if they have the same role.
std::vector<int64_t> FindPieces(const Tokenizer& old, const Tokenizer& now) {
  std::unordered_map<std::string_view, int64_t> ids;
  for (int32_t id = 0; id < old.size(); ++id) ids.emplace(old.piece(id), id);
  std::vector<int64_t> found;
  for (int32_t id = 0; id < now.size(); ++id) {
    const auto place = ids.find(now.piece(id));
    found.push_back(place == ids.end() ? -1 : place->second);
  }
  const auto set_mark = [&](int32_t mark, int32_t old_mark) {
    if (mark >= 0) found[static_cast<size_t>(mark)] = old_mark;
  };
  set_mark(now.eos_id(), old.eos_id());
  set_mark(now.unk_id(), old.unk_id());
  set_mark(now.bos_id(), old.bos_id());
  return found;
}

// Which rows of a parameter, or columns of the output's bias, belong to pieces.
struct PieceMap {
  struct Side {
    std::vector<int64_t> old_ids;  // [vocabulary], -1 for new pieces
    int64_t old_size = 0;

    auto num_new() const { return std::ranges::count(old_ids, -1); }
  };
  Side source, target;

  const Side* Find(const std::string& parameter) const {
    if (parameter == "source_embedding.weight") return &source;
    const bool is_target = parameter == "embedding.weight" ||
                           parameter == "target_embedding.weight" ||
                           parameter.starts_with("output.");
    return is_target ? &target : nullptr;
  }
};

void SetRow(const MatrixView& matrix, int64_t row, const std::vector<float>& values) {
  if (matrix.type == DType::kFloat64) {
    std::ranges::copy(values, matrix.Row<double>(row));
  } else {
    std::ranges::copy(values, matrix.Row<float>(row));
  }
}

float Element(const MatrixView& row, int64_t column) {
  return row.type == DType::kFloat64 ? static_cast<float>(row.Row<double>(0)[column])
                                     : row.Row<float>(0)[column];
}

// Values of pieces that are new stay, here and below.
void CopyBias(const RowSource& from, const std::vector<int64_t>& pieces, const MatrixView& to) {
  std::vector<float> values(static_cast<size_t>(from.columns)), moved(pieces.size());
  from.read(0, values);
  for (size_t id = 0; id < pieces.size(); ++id) {
    moved[id] = pieces[id] < 0 ? Element(to, static_cast<int64_t>(id))
                               : values[static_cast<size_t>(pieces[id])];
  }
  SetRow(to, 0, moved);
}

void CopyRows(const RowSource& from, const std::vector<int64_t>& pieces, const MatrixView& to) {
  std::vector<float> values(static_cast<size_t>(from.columns));
  for (size_t id = 0; id < pieces.size(); ++id) {
    if (pieces[id] < 0) continue;
    from.read(pieces[id], values);
    SetRow(to, static_cast<int64_t>(id), values);
  }
}

void CopyByPiece(const RowSource& from, const PieceMap::Side& side, const MatrixView& to) {
  const bool is_bias = from.is_vector;
  const int64_t columns = is_bias ? side.old_size : to.columns;
  const int64_t rows = is_bias ? 1 : side.old_size;
  if (from.rows != rows || from.columns != columns) {
    ThrowUserError("tensor {} is {} x {}; its model's recipe and vocabulary make that {} x {}",
                   from.name, from.rows, from.columns, rows, columns);
  }
  if (is_bias) {
    CopyBias(from, side.old_ids, to);
  } else {
    CopyRows(from, side.old_ids, to);
  }
}

// Fills a flat buffer of the store from the tensors PREFIXname of a file.
void FillBuffer(const SafetensorsReader& file, const std::string& prefix, const PieceMap& pieces,
                const ParameterStore& store, const MatrixView& flat) {
  for (const auto& parameter : store.parameters()) {
    const std::string name = prefix + parameter->name;
    const MatrixView values = store.Slice(flat, *parameter);
    if (const auto* by_piece = pieces.Find(parameter->name)) {
      RowSource rows = TensorRows(file.Get(name));
      rows.is_vector = parameter->name == "output.bias";
      CopyByPiece(rows, *by_piece, values);
    } else {
      file.Read(name, values);
    }
  }
}

void RequireSameOptions(const ModelOptions& theirs, const Recipe& recipe) {
  Recipe a, b;
  a.model = theirs;
  b.model = recipe.model;
  for (Recipe* either : {&a, &b}) {
    either->model.initialise_from.clear();
    either->model.dropout = {};
    either->model.initialization = {};
  }
  const std::vector<std::string> differences = DescribeDifferences(a, b);
  if (differences.empty()) return;
  ThrowUserError(
      "{} is another kind of model than the recipe asks for:\n  {}\nLeave these keys out (what it "
      "includes may set them too); they come from the model",
      recipe.model.initialise_from, fmt::join(differences, "\n  "));
}

SafetensorsReader OpenChecked(const fs::path& directory, std::string_view file) {
  const Manifest manifest = ReadManifest(directory);
  const ManifestEntry* entry = manifest.Find(file);
  if (entry == nullptr) {
    ThrowUserError(
        "{} has no {}, which training.optimizer.initialise needs; start from a checkpoint of a "
        "training, or without that key",
        directory.string(), file);
  }
  VerifyFile(directory, *entry);
  return SafetensorsReader(directory / file);
}

// Last weights and moments; returns how many updates they have seen.
int64_t ReadTraining(const ModelSource& source, const PieceMap& pieces, TrainingModel* model) {
  const ParameterStore& store = model->parameters();
  FillBuffer(OpenChecked(source.directory(), kModelFile), "", pieces, store, store.flat_values());
  const SafetensorsReader moments = OpenChecked(source.directory(), kOptimizerFile);
  AdamOptimizer& optimizer = model->step().optimizer();
  FillBuffer(moments, "first_moment.", pieces, store, optimizer.first_moment());
  FillBuffer(moments, "second_moment.", pieces, store, optimizer.second_moment());
  const RunState state = ReadRunState(source.directory() / kStateFile);
  return state.optimizer_start + state.update;
}

}  // namespace

int64_t InitialiseFromModel(const Recipe& recipe, const Vocabularies& vocabularies,
                            TrainingModel* model) {
  if (recipe.model.initialise_from.empty()) return 0;
  const ModelSource source(recipe.model.initialise_from);
  RequireSameOptions(source.options(), recipe);
  const Vocabularies& old = source.vocabularies();
  const PieceMap pieces{
      .source = {FindPieces(*old.source, *vocabularies.source), old.source->size()},
      .target = {FindPieces(*old.target, *vocabularies.target), old.target->size()}};
  const ParameterStore& store = model->parameters();
  const bool with_moments = recipe.training.optimizer.initialise;
  const int64_t updates = with_moments ? ReadTraining(source, pieces, model) : 0;
  if (!with_moments) FillBuffer(source.weights(), "", pieces, store, store.flat_values());
  if (model->step().average() != nullptr) model->step().average()->Restart();
  HEED_LOG(info, "starting from {} (update {}, {}{}); new pieces: {} of {} source, {} of {} target",
           source.directory().string(), source.update(),
           with_moments ? kModelFile : source.weights_file(),
           with_moments ? " and its optimizer" : "", pieces.source.num_new(),
           vocabularies.source->size(), pieces.target.num_new(), vocabularies.target->size());
  return updates;
}

}  // namespace heed
