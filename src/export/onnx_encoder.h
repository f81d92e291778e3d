// The encoder as a graph of ONNX:
//   input_ids, attention_mask  int64 [batch, source]   1 in the mask at tokens, 0 at padding
//   last_hidden_state          float32 [batch, source, model]
#pragma once

#include "export/onnx_graph.h"
#include "export/onnx_weights.h"

namespace heed {

// The weights must outlive the graph.
OnnxGraph MakeOnnxEncoder(const OnnxWeights& weights);

}  // namespace heed
