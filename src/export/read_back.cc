#include "export/read_back.h"

#include <map>
#include <utility>

#include "models/model_factory.h"
#include "util/check.h"

namespace heed {
namespace {

// Outputs [first, first + count) of a parameter.
struct Part {
  bool is_vector = false;
  int64_t count = 0;
};

// The part that a tensor holds. Throws UserError if the tensor has another shape.
Part RequirePart(const Parameter& parameter, const TensorName& name, const RowSource& source) {
  const bool is_vector = source.is_vector && parameter.rows == 1;
  const int64_t outputs = is_vector ? parameter.columns : parameter.rows;
  const Part part{is_vector, name.count == TensorName::kAll ? outputs : name.count};
  const int64_t rows = is_vector ? 1 : part.count;
  const int64_t columns = is_vector ? part.count : parameter.columns;
  if (rows != source.rows || columns != source.columns) {
    ThrowUserError("tensor '{}' is [{}, {}]; the model needs [{}, {}]", name.theirs, source.rows,
                   source.columns, rows, columns);
  }
  return part;
}

// Copies a tensor to its part of a parameter; returns its elements.
int64_t FillPart(const Parameter& parameter, const TensorName& name, const RowSource& source) {
  const auto [is_vector, count] = RequirePart(parameter, name, source);
  const MatrixView part = is_vector ? parameter.value.Columns(name.first, count)
                                    : parameter.value.Rows(name.first, count);
  for (int64_t row = 0; row < part.rows; ++row) {
    source.read(row, {part.Row<float>(row), static_cast<size_t>(part.columns)});
  }
  return part.size();
}

struct Limit {
  const char* what;
  int64_t value;
  int64_t most;
};

// The product of any three stays far below 2^63.
std::vector<Limit> LimitsOf(const TransformerShape& shape) {
  constexpr int64_t kMostLayers = 1000, kMostWidth = int64_t{1} << 17, kMostRows = int64_t{1} << 28;
  const ModelOptions& options = shape.options;
  return {{"layers of the encoder", options.encoder_layers, kMostLayers},
          {"layers of the decoder", options.decoder_layers, kMostLayers},
          {"values between layers", options.model_width, kMostWidth},
          {"values inside the feed-forward layers", options.feed_forward_width, kMostWidth},
          {"attention heads", options.heads, options.model_width},
          {"positions", options.positions.max_length, kMostRows},
          {"tokens of the source", shape.source_vocabulary, kMostRows},
          {"tokens of the target", shape.target_vocabulary, kMostRows}};
}

const Parameter& FindNamed(const ParameterStore& parameters, const TensorName& name) {
  const Parameter* parameter = parameters.Find(name.ours);
  HEED_CHECK(parameter != nullptr, "{} names no parameter", name.ours);
  return *parameter;
}

}  // namespace

void RequirePlausible(const TransformerShape& shape) {
  for (const Limit& limit : LimitsOf(shape)) {
    if (limit.value >= 1 && limit.value <= limit.most) continue;
    ThrowUserError("the model has {} {}; it may have 1 to {}", limit.value, limit.what, limit.most);
  }
  const ModelOptions& options = shape.options;
  if (options.model_width % options.heads != 0) {
    ThrowUserError("the model has {} attention heads, which do not divide its width {}",
                   options.heads, options.model_width);
  }
  if (shape.begin_id < -1 || shape.begin_id >= shape.target_vocabulary) {
    ThrowUserError("the model starts decoding from token {} of {}", shape.begin_id,
                   shape.target_vocabulary);
  }
  if (!(options.layer_norm_epsilon > 0 && options.layer_norm_epsilon < 1)) {
    ThrowUserError("the model's layer_norm_epsilon is {}; it may be between 0 and 1",
                   options.layer_norm_epsilon);
  }
}

void RequireTensorsFit(const TransformerShape& shape, const TensorNames& names,
                       const std::function<RowSource(const std::string& theirs)>& open) {
  ParameterStore parameters;  // declared, never allocated
  MakeModel(parameters, shape, false);
  for (const TensorName& name : names) {
    RequirePart(FindNamed(parameters, name), name, open(name.theirs));
  }
}

void FillParameters(const ParameterStore& parameters, const TensorNames& names,
                    const std::function<RowSource(const std::string& theirs)>& open) {
  std::map<const Parameter*, int64_t> filled;
  for (const TensorName& name : names) {
    const Parameter& parameter = FindNamed(parameters, name);
    filled[&parameter] += FillPart(parameter, name, open(name.theirs));
  }
  for (const auto& parameter : parameters.parameters()) {
    HEED_CHECK(filled[parameter.get()] == parameter->size(), "{} of {} values of {} are set",
               filled[parameter.get()], parameter->size(), parameter->name);
  }
}

std::function<void(const ParameterStore&)> FillFrom(
    const TransformerShape& shape, TensorNames names,
    std::function<RowSource(const std::string& theirs)> open) {
  RequireTensorsFit(shape, names, open);
  return [names = std::move(names), open = std::move(open)](const ParameterStore& parameters) {
    FillParameters(parameters, names, open);
  };
}

}  // namespace heed
