// The settings with which transformers' `generate` searches for a model's translations, as far as
// Heed has them.
#pragma once

#include <filesystem>
#include <optional>

#include "config/decoding_options.h"
#include "export/huggingface_class.h"

namespace heed {

struct HuggingFaceGeneration {
  DecodingOptions decoding;
  std::optional<int32_t> first_token;  // forced_bos_token_id
};

// From generation_config.json or, if there is none, from config.json, as transformers does. What
// Heed has no option for is told in a warning. Throws UserError if the file is broken.
//
// The scores agree: a log-probability divided by (number of tokens, end mark included) to the
// length penalty. The end of the search does not: `generate` stops, unless early_stopping says
// otherwise, once no hypothesis of the present length could be better, and Heed once none of any
// allowed length could. So Heed finds translations whose scores are as good or better.
HuggingFaceGeneration ReadHuggingFaceGeneration(const std::filesystem::path& directory,
                                                const HuggingFaceClass& type, int32_t unknown_id);

}  // namespace heed
