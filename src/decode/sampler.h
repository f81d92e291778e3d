// Draws a token from a distribution that temperature, top-k and top-p have sharpened.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "config/decoding_options.h"

namespace heed {

// `log_probabilities` [vocabulary] at temperature 1; `uniform` in (0, 1) decides; tokens that
// `forbids` names are never drawn. Among the rest: the top_k most probable, then the fewest of them
// that have probability top_p together (Holtzman et al. 2020), then one in proportion to p^(1 /
// temperature). Equal probabilities rank by id. Throws InternalError if everything is forbidden.
int32_t DrawToken(const SamplingOptions& options, const std::vector<double>& log_probabilities,
                  double uniform, const std::function<bool(int32_t)>& forbids);

}  // namespace heed
