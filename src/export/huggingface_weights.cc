#include "export/huggingface_weights.h"

#include <nlohmann/json.hpp>

#include "checkpoint/checkpoint.h"
#include "util/check.h"
#include "util/json_file.h"

namespace heed {
namespace {

namespace fs = std::filesystem;

constexpr const char* kShardList = "model.safetensors.index.json";
constexpr const char* kPickle = "pytorch_model.bin";

bool FileIsThere(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

[[noreturn]] void ThrowNoWeights(const fs::path& directory) {
  if (!FileIsThere(directory / kPickle) &&
      !FileIsThere(directory / (std::string(kPickle) + ".index.json"))) {
    ThrowUserError("{} has neither {} nor {}", directory.string(), kModelFile, kShardList);
  }
  ThrowUserError(
      "{} has its weights as {}, a Python program that Heed does not run; convert it with "
      "transformers: AutoModelForSeq2SeqLM.from_pretrained(D).save_pretrained(D2, "
      "safe_serialization=True)",
      directory.string(), kPickle);
}

// The files that hold the tensors, by their names.
std::map<std::string, std::string> ReadShardList(const fs::path& path) {
  std::map<std::string, std::string> files;
  try {
    files = ReadJsonFile(path).at("weight_map").get<std::map<std::string, std::string>>();
  } catch (const nlohmann::json::exception& error) {
    ThrowUserError("{} does not say which file holds which tensor: {}", path.string(),
                   error.what());
  }
  for (const auto& [tensor, file] : files) {
    const bool is_plain = file.find('/') == std::string::npos && file.ends_with(".safetensors");
    if (is_plain && file.find('\0') == std::string::npos) continue;
    ThrowUserError(
        "{} wants tensor '{}' from '{}'; only files beside it, named *.safetensors, are "
        "read",
        path.string(), tensor, file);
  }
  return files;
}

}  // namespace

HuggingFaceWeights::HuggingFaceWeights(const fs::path& directory) : directory_(directory) {
  if (FileIsThere(directory / kModelFile)) {
    const auto reader = std::make_shared<const SafetensorsReader>(directory / kModelFile);
    for (const StoredTensor& tensor : reader->tensors()) files_[tensor.name] = reader;
    return;
  }
  const fs::path list = directory / kShardList;
  if (!FileIsThere(list)) ThrowNoWeights(directory);
  std::map<std::string, std::shared_ptr<const SafetensorsReader>> shards;
  for (const auto& [tensor, file] : ReadShardList(list)) {
    auto& shard = shards[file];
    if (shard == nullptr) shard = std::make_shared<const SafetensorsReader>(directory / file);
    shard->Get(tensor);
    files_[tensor] = shard;
  }
}

std::vector<std::string> HuggingFaceWeights::Names() const {
  std::vector<std::string> names;
  for (const auto& [name, file] : files_) names.push_back(name);
  return names;
}

RowSource HuggingFaceWeights::Rows(const std::string& name) const {
  const auto found = files_.find(name);
  if (found == files_.end()) {
    ThrowUserError("{}: the weights lack the tensor '{}'", directory_.string(), name);
  }
  try {
    RowSource rows = TensorRows(found->second->Get(name));
    rows.read = [read = std::move(rows.read), file = found->second](
                    int64_t row, std::span<float> values) { read(row, values); };
    return rows;
  } catch (const UserError& error) {
    ThrowUserError("{}: {}", found->second->path().string(), error.what());
  }
}

}  // namespace heed
