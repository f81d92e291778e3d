#include "train/metrics_log.h"

#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>

#include "util/files.h"

namespace heed {
namespace {

// The lines up to an update; a torn last line, which a kill leaves, is dropped too.
std::string KeptLines(const std::filesystem::path& path, int64_t last_update,
                      int64_t last_validation) {
  std::ifstream file(path, std::ios::binary);
  std::string kept, line;
  while (std::getline(file, line) && !file.eof()) {
    const auto json = nlohmann::json::parse(line, nullptr, false);
    if (!json.is_object() || !json.contains("update") || !json["update"].is_number_integer()) {
      continue;
    }
    const bool is_validation = json.contains("kind") && json["kind"] == "valid";
    const int64_t last = is_validation ? last_validation : last_update;
    if (json["update"].get<int64_t>() <= last) kept += line + "\n";
  }
  return kept;
}

}  // namespace

MetricsLog::MetricsLog(std::filesystem::path path, int64_t last_update, int64_t last_validation)
    : file_(std::move(path)) {
  WriteFile(file_.path(), KeptLines(file_.path(), last_update, last_validation));
}

void MetricsLog::Write(int64_t update, const std::string& kind,
                       const std::map<std::string, double>& values) {
  nlohmann::ordered_json line = {{"update", update}, {"kind", kind}};
  for (const auto& [name, value] : values) line[name] = value;
  file_.Append(line.dump() + "\n");
}

}  // namespace heed
