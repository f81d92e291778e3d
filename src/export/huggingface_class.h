// What config.json of a Hugging Face directory says about a model of one of the classes
// MarianMTModel, PegasusForConditionalGeneration and M2M100ForConditionalGeneration, and what these
// classes compute whatever it says.
// Source: transformers 4.44, models/{marian,pegasus,m2m_100}/modeling_*.py.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "models/transformer/transformer_shape.h"

namespace heed {

struct HuggingFaceClass {
  std::string model_type;  // marian, pegasus or m2m_100
  // Positions are the class's formula; decoder_start is learned, by begin_id, whatever its row is.
  TransformerShape shape;
  bool has_output_bias = false;   // final_logits_bias counts
  bool loads_positions = false;   // a stored table wins over the formula
  bool shares_embeddings = true;  // one table for both sides
  bool ties_output = true;        // and the output matrix is the target's
  int32_t padding_id = -1;
  int32_t end_id = -1;
  int64_t max_positions = 0;  // tokens that the class takes
};

// Throws UserError that names the file, if it describes no such model, or with every reason if it
// describes one that Heed would compute in another way. The shape's numbers need not be plausible.
HuggingFaceClass ReadHuggingFaceClass(const std::filesystem::path& config_file);

}  // namespace heed
