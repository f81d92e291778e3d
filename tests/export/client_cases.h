// What the programs that people deploy exports in must give: exported directories, with Heed's own
// translations, as JSON for the scripts.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "config/decoding_options.h"
#include "export/export_model.h"
#include "tests/export/export_fixture.h"
#include "util/files.h"

namespace heed {

using Json = nlohmann::ordered_json;

// Exports a model and translates made-up sentences with it, greedily and with a beam of 4, by
// log-probability alone, without a mark forbidden, up to 60 tokens:
//   name, type, directory, texts, source_pieces, source_ids (with end mark)
//   greedy, beam4: for each text pieces, ids, and token_log_probabilities with the end mark's
Json MakeClientCase(const ModelOnDisk& disk, const std::string& name, const ExportOptions& options,
                    Backend& backend);

// texts and what follows, of any model.
Json DescribeTranslations(const std::filesystem::path& model, Backend& backend);

}  // namespace heed
