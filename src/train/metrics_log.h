// metrics.jsonl: one JSON object a line, for machines. Resuming drops the lines after the update
// from which the run goes on, so that no update appears twice.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

namespace heed {

class MetricsLog {
 public:
  // Keeps the lines of `path` up to `last_update` and goes on behind them. Throws UserError if the
  // file cannot be written.
  MetricsLog(std::filesystem::path path, int64_t last_update);

  // {"update": 100, "kind": "train", "loss": 3.2, ...}, flushed at once. Values that are not finite
  // are written as null.
  void Write(int64_t update, const std::string& kind, const std::map<std::string, double>& values);

 private:
  std::filesystem::path path_;
  std::ofstream file_;
};

}  // namespace heed
