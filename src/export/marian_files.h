// Finds what belongs to a Marian model: the files that decoder.yml names, and how to translate.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "config/decoding_options.h"

namespace heed {

struct MarianModelFiles {
  std::filesystem::path model;
  // Source and target, perhaps the same; empty if nothing tells.
  std::vector<std::filesystem::path> vocabularies;
  std::optional<DecodingOptions> decoding;  // what decoder.yml says, over our defaults
};

// `path` is a directory or a model file (.npz, .bin). The configuration is decoder.yml, or the one
// file that ends so, or MODEL.decoder.yml beside a model. Files are taken from the directory alone:
// of a path that leads out of it only the last part counts. Throws UserError if there is no model,
// or more than one.
MarianModelFiles FindMarianModelFiles(const std::filesystem::path& path);

}  // namespace heed
