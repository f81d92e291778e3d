#include "train/metrics_log.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "util/check.h"
#include "util/files.h"

namespace heed {
namespace {

// The lines up to an update; a torn last line, which a kill leaves, is dropped too.
std::string KeptLines(const std::filesystem::path& path, int64_t last_update) {
  std::ifstream file(path, std::ios::binary);
  std::string kept, line;
  while (std::getline(file, line) && !file.eof()) {
    const auto json = nlohmann::json::parse(line, nullptr, false);
    if (!json.is_object() || json.value("update", last_update + 1) > last_update) continue;
    kept += line + "\n";
  }
  return kept;
}

}  // namespace

MetricsLog::MetricsLog(std::filesystem::path path, int64_t last_update) : path_(std::move(path)) {
  WriteFile(path_, KeptLines(path_, last_update));
  file_.open(path_, std::ios::binary | std::ios::app);
  if (!file_) ThrowUserError("{}: cannot be written; check its folder's rights", path_.string());
}

void MetricsLog::Write(int64_t update, const std::string& kind,
                       const std::map<std::string, double>& values) {
  nlohmann::ordered_json line = {{"update", update}, {"kind", kind}};
  for (const auto& [name, value] : values) line[name] = value;
  file_ << line.dump() << '\n' << std::flush;
}

}  // namespace heed
