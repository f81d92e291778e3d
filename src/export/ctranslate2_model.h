// Reads a CTranslate2 directory as one of our models, by what the files say of themselves.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "config/model_options.h"
#include "export/ctranslate2_reader.h"
#include "export/read_back.h"

namespace heed {

// The files of a directory, opened and understood but for the vocabulary's order.
struct Ctranslate2Directory {
  std::shared_ptr<const Ctranslate2Reader> reader;
  ModelOptions options;  // positions are a table, as the format stores them: "learned"
  std::vector<std::string> source_pieces, target_pieces;  // equal if the vocabulary is shared
  std::string unknown, end, begin, decoder_start;         // how config.json writes the marks
  bool adds_source_begin = false, adds_source_end = true;
};
// Throws UserError if a file is broken or the model has something that Heed lacks.
Ctranslate2Directory OpenCtranslate2(const std::filesystem::path& directory);

// The model's positions are a table, as the format stores them: "learned". Throws UserError if a
// file is broken or the model has something that Heed lacks.
ReadBackModel ReadCtranslate2Model(const std::filesystem::path& directory);

}  // namespace heed
