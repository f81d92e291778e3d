// One checkpoint: a directory of tensors, run state, recipe and vocabulary files.
//
//   model.safetensors      the weights, by the names of the parameter store
//   average.safetensors    their moving average, if there is one; what translation uses then
//   optimizer.safetensors  "first_moment.<parameter>", "second_moment.<parameter>"
//   state.json             run_state.h
//   recipe.yaml            the resolved recipe
//   vocabulary.model, ...  copies of the vocabulary files, with lists of pieces if there are any:
//                          the directory can be moved alone
//   manifest.json          manifest.h
//
// Tensors are keyed by stable names, so that neither the order of declaration nor the layout of the
// flat buffers matters. Non-goal here: which checkpoints exist and are kept; see
// checkpoint_store.h.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "checkpoint/run_state.h"
#include "tensor/parameter_store.h"

namespace heed {

inline constexpr std::string_view kModelFile = "model.safetensors";
inline constexpr std::string_view kAverageFile = "average.safetensors";
inline constexpr std::string_view kOptimizerFile = "optimizer.safetensors";
inline constexpr std::string_view kStateFile = "state.json";
inline constexpr std::string_view kRecipeFile = "recipe.yaml";

// A flat buffer in host memory, in the layout of the parameter store, and where its tensors go.
struct FlatBuffer {
  std::string file;    // several buffers may share one
  std::string prefix;  // before each parameter's name
  MatrixView values;   // [1, flat_size]
};

struct CheckpointContent {
  const ParameterStore* parameters = nullptr;
  std::vector<FlatBuffer> buffers;
  RunState state;
  std::string recipe;                         // YAML
  std::vector<std::filesystem::path> copies;  // files copied under their own names
};

// Bytes on disk, but for headers and small files.
int64_t EstimateBytes(const CheckpointContent& content);

// Fills an existing, empty directory; the manifest comes last. Throws UserError if it cannot.
void WriteCheckpoint(const std::filesystem::path& directory, const CheckpointContent& content);

// Fills the buffers from the files of a directory. Throws UserError, naming file and tensor, if a
// file holds other tensors than the parameters', more or fewer. Gaps of the buffers stay.
void ReadBuffers(const std::filesystem::path& directory, const ParameterStore& parameters,
                 const std::vector<FlatBuffer>& buffers);

}  // namespace heed
