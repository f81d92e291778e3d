// metrics.jsonl: one JSON object a line, for machines. Resuming drops the lines after the update
// from which the run goes on, so that no update appears twice.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

#include "train/appended_file.h"

namespace heed {

class MetricsLog {
 public:
  // Keeps the lines of `path` up to `last_update`, those of kind "valid" up to `last_validation`,
  // and goes on behind them; lines that are not ours are dropped. Throws UserError if the file
  // cannot be written.
  MetricsLog(std::filesystem::path path, int64_t last_update, int64_t last_validation);

  // {"update": 100, "kind": "train", "loss": 3.2, ...}, in the file at once. Values that are not
  // finite are written as null. What cannot be written (a full disk) is kept for the next call.
  void Write(int64_t update, const std::string& kind, const std::map<std::string, double>& values);

 private:
  AppendedFile file_;
};

}  // namespace heed
