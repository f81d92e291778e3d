// The tensors of a Hugging Face directory: model.safetensors, or the shards that
// model.safetensors.index.json lists.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "checkpoint/safetensors_reader.h"
#include "export/row_source.h"

namespace heed {

class HuggingFaceWeights {
 public:
  // Throws UserError if a file is missing or broken, if the list names files elsewhere, or if there
  // is only a pytorch_model.bin, which is a program that only Python should run.
  explicit HuggingFaceWeights(const std::filesystem::path& directory);

  bool Contains(const std::string& name) const { return files_.contains(name); }
  std::vector<std::string> Names() const;  // sorted
  // Throws UserError if there is no such tensor or it does not hold floats. The rows stay readable
  // as long as this or a copy lives.
  RowSource Rows(const std::string& name) const;

 private:
  std::filesystem::path directory_;
  std::map<std::string, std::shared_ptr<const SafetensorsReader>> files_;  // by tensor
};

}  // namespace heed
