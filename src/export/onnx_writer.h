// Writes a graph as an ONNX file, its tensors one after the other, without holding any in memory.
#pragma once

#include <cstdint>
#include <filesystem>

#include "export/onnx_graph.h"

namespace heed {

int64_t OnnxFileBytes(const OnnxGraph& graph);

// The file may have kLargestOnnxFile bytes.
void WriteOnnxFile(const std::filesystem::path& path, const OnnxGraph& graph);

}  // namespace heed
