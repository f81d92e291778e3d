// A small model with all its buffers, and the checkpoint content that describes them.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "checkpoint/checkpoint.h"
#include "tensor/memory.h"
#include "tensor/parameter_store.h"

namespace heed {

class ExampleModel {
 public:
  // `seed` decides every value of every buffer; `width` the size of the model.
  explicit ExampleModel(uint64_t seed, int64_t width = 5, DType type = DType::kFloat32) {
    store_.Add("encoder.embedding", 7, width, Initializer::Uniform(1));
    store_.Add("encoder.layer0.bias", 1, width, Initializer::Normal(1));
    store_.Add("decoder.output", width, 3, Initializer::Normal(2));
    store_.Allocate(type, false, &Memory::Host);
    for (Memory& memory : buffers_)
      memory = Memory::Host(store_.flat_values().size() * SizeOf(type));
    Fill(seed);
  }

  const ParameterStore& store() const { return store_; }
  // model, average, first and second moment
  std::vector<FlatBuffer> buffers() const {
    return {{std::string(kModelFile), "", store_.flat_values()},
            {std::string(kAverageFile), "", View(0)},
            {std::string(kOptimizerFile), "first_moment.", View(1)},
            {std::string(kOptimizerFile), "second_moment.", View(2)}};
  }
  // All values, parameter by parameter.
  std::vector<double> Values() const {
    std::vector<double> values;
    for (const FlatBuffer& buffer : buffers()) {
      for (const auto& parameter : store_.parameters()) {
        const MatrixView slice = store_.Slice(buffer.values, *parameter);
        for (int64_t i = 0; i < slice.size(); ++i) values.push_back(Get(slice, i));
      }
    }
    return values;
  }
  // Writes other values into every buffer.
  void Fill(uint64_t seed) {
    uint64_t buffer_seed = seed * buffers().size();
    for (const FlatBuffer& buffer : buffers()) {
      store_.Initialize(++buffer_seed);
      for (const auto& parameter : store_.parameters()) {
        const MatrixView slice = store_.Slice(buffer.values, *parameter);
        for (int64_t i = 0; i < slice.size(); ++i) Set(slice, i, Get(parameter->value, i));
      }
    }
    store_.Initialize(seed * buffers().size());
  }

  CheckpointContent Content(int64_t update) const {
    CheckpointContent content;
    content.parameters = &store_;
    content.buffers = buffers();
    content.state.update = update;
    content.recipe = "name: example\n";
    return content;
  }

  static double Get(const MatrixView& x, int64_t i) {
    return x.type == DType::kFloat64 ? x.Row<double>(0)[i]
                                     : static_cast<double>(x.Row<float>(0)[i]);
  }

 private:
  static void Set(const MatrixView& x, int64_t i, double value) {
    if (x.type == DType::kFloat64) {
      x.Row<double>(0)[i] = value;
    } else {
      x.Row<float>(0)[i] = static_cast<float>(value);
    }
  }
  MatrixView View(size_t buffer) const {
    const MatrixView values = store_.flat_values();
    return {buffers_[buffer].data(), values.type, 1, values.size(), values.size()};
  }

  ParameterStore store_;
  std::array<Memory, 3> buffers_;
};

// Content with a validation at its update.
inline CheckpointContent ValidatedContent(const ExampleModel& model, int64_t update,
                                          const std::string& metric, double value) {
  CheckpointContent content = model.Content(update);
  content.state.validations.push_back({.update = update, .metrics = {{metric, value}}});
  return content;
}

}  // namespace heed
