// The decoder as one graph of ONNX, for the first step and for all others:
//   input_ids               int64 [batch, target]    the new tokens
//   encoder_attention_mask  int64 [batch, source]
//   encoder_hidden_states   float32 [batch, source, model]
//   past_key_values.L.decoder.key, .value   float32 [batch, heads, past, head width]
//   past_key_values.L.encoder.key, .value   float32 [batch, heads, source or 0, head width]
//   logits                  float32 [batch, target, vocabulary]
//   present.L. ...          the pasts with the new tokens, for the next step
// for layers L from 0. Clients begin with pasts of length 0. An If between two graphs, which
// others have in this place, is not needed: where keys and values of the source are given, none of
// its positions are left to be computed.
#pragma once

#include "export/onnx_graph.h"
#include "export/onnx_weights.h"

namespace heed {

// The weights must outlive the graph.
OnnxGraph MakeOnnxDecoder(const OnnxWeights& weights);

}  // namespace heed
