#include "export/huggingface_model.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>

#include "export/huggingface_names.h"
#include "util/check.h"

namespace heed {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSharedTable = "model.shared.weight";
constexpr const char* kSourceTable = "model.encoder.embed_tokens.weight";
constexpr const char* kTargetTable = "model.decoder.embed_tokens.weight";
constexpr const char* kOutputMatrix = "lm_head.weight";

// What files hold without an effect on what the classes compute: a formula's table that M2M100 no
// longer reads, and marks of versions.
constexpr auto kIdleTensors = std::to_array<std::string_view>(
    {"model.encoder.embed_positions.weights", "model.decoder.embed_positions.weights",
     "model.encoder.version", "model.decoder.version"});

// The names under which files have the tables that are one, first the one to prefer.
using TableNames = std::vector<std::vector<std::string>>;
TableNames TablesThatAreOne(const HuggingFaceClass& type) {
  if (type.shares_embeddings && type.ties_output) {
    return {{kSharedTable, kSourceTable, kTargetTable, kOutputMatrix}};
  }
  if (type.shares_embeddings) return {{kSharedTable, kSourceTable, kTargetTable}, {kOutputMatrix}};
  if (type.ties_output) return {{kSourceTable}, {kTargetTable, kOutputMatrix}};
  return {{kSourceTable}, {kTargetTable}, {kOutputMatrix}};
}

// The name by which the file has the table that `name` is one of the names of.
std::string StoredName(const std::string& name, const TableNames& tables,
                       const HuggingFaceWeights& weights) {
  for (const auto& names : tables) {
    if (std::ranges::count(names, name) == 0) continue;
    const auto stored =
        std::ranges::find_if(names, [&](const auto& each) { return weights.Contains(each); });
    return stored == names.end() ? names.front() : *stored;
  }
  return name;
}

bool AreEqual(const RowSource& a, const RowSource& b) {
  if (a.rows != b.rows || a.columns != b.columns) return false;
  std::vector<float> row_a(static_cast<size_t>(a.columns)), row_b(row_a.size());
  for (int64_t row = 0; row < a.rows; ++row) {
    a.read(row, row_a);
    b.read(row, row_b);
    if (row_a != row_b) return false;
  }
  return true;
}

// A table that is stored once more must say the same.
void RequireOneTable(const TableNames& tables, const HuggingFaceWeights& weights,
                     const fs::path& directory) {
  for (const auto& names : tables) {
    std::string first;
    for (const std::string& name : names) {
      if (!weights.Contains(name)) continue;
      if (first.empty()) {
        first = name;
      } else if (!AreEqual(weights.Rows(first), weights.Rows(name))) {
        ThrowUserError(
            "{}: config.json says that '{}' and '{}' are one table, and the weights have two; "
            "check tie_word_embeddings and share_encoder_decoder_embeddings",
            directory.string(), first, name);
      }
    }
  }
}

void RequireKnown(const HuggingFaceModel& model, const fs::path& directory) {
  std::set<std::string, std::less<>> known(kIdleTensors.begin(), kIdleTensors.end());
  known.insert({kSharedTable, kSourceTable, kTargetTable, kOutputMatrix, kHuggingFaceOutputBias});
  if (model.type.loads_positions) {
    known.insert({kHuggingFaceEncoderPositions, kHuggingFaceDecoderPositions});
  }
  for (const TensorName& name : model.names) known.insert(name.theirs);
  std::vector<std::string> reasons;
  for (const std::string& name : model.weights.Names()) {
    if (!known.contains(name)) reasons.push_back(fmt::format("Heed does not know '{}'", name));
  }
  if (reasons.empty()) return;
  const size_t count = reasons.size();
  constexpr size_t kMostNamed = 10;
  reasons.resize(std::min(count, kMostNamed));
  ThrowUserError("{} has {} tensors that no {} model has:\n  - {}", directory.string(), count,
                 model.type.model_type, fmt::join(reasons, "\n  - "));
}

}  // namespace

HuggingFaceModel OpenHuggingFace(const fs::path& directory) {
  HuggingFaceModel model{.type = ReadHuggingFaceClass(directory / "config.json"),
                         .weights = HuggingFaceWeights(directory),
                         .names = {}};
  try {
    RequirePlausible(model.type.shape);
  } catch (const UserError& error) {
    ThrowUserError("{}: {}", (directory / "config.json").string(), error.what());
  }
  ModelOptions& options = model.type.shape.options;
  options.output_bias =
      model.type.has_output_bias && model.weights.Contains(kHuggingFaceOutputBias);
  const TableNames tables = TablesThatAreOne(model.type);
  for (TensorName& name : HuggingFaceNames(options)) {
    if (name.theirs == kHuggingFaceOutputBias && !options.output_bias) continue;
    name.theirs = StoredName(name.theirs, tables, model.weights);
    model.names.push_back(name);
  }
  RequireKnown(model, directory);
  RequireOneTable(tables, model.weights, directory);
  return model;
}

ReadBackModel ReadHuggingFaceModel(const fs::path& directory) {
  HuggingFaceModel model = OpenHuggingFace(directory);
  TransformerShape& shape = model.type.shape;
  shape.options.positions.kind = PositionKind::kLearned;
  shape.options.positions.max_length = model.type.max_positions;
  RequirePlausible(shape);
  model.names.push_back({kHuggingFaceEncoderPositions, "encoder.positions"});
  model.names.push_back({kHuggingFaceDecoderPositions, "decoder.positions"});
  const auto open = [weights = model.weights](const std::string& name) {
    return weights.Rows(name);
  };
  return {.shape = shape, .fill = FillFrom(shape, model.names, open)};
}

}  // namespace heed
