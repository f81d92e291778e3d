// The checkpoints of one run: saving, finding the one to go on from, deleting the old.
//
//   <run>/checkpoints/update-00000100/   checkpoint.h
//   <run>/best, <run>/last               relative links into checkpoints/
//
// A kill at any moment leaves the earlier checkpoints and links usable. One process at a time may
// hold the store of a run; readers need none (model_directory.h).
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "checkpoint/checkpoint.h"
#include "config/training_options.h"
#include "util/directories.h"

namespace heed {

inline constexpr std::string_view kBestLink = "best";
inline constexpr std::string_view kLastLink = "last";

struct StoredCheckpoint {
  int64_t update = 0;
  std::filesystem::path path;
};

// Those of a run, oldest first; they may be broken. A run that does not exist has none.
std::vector<StoredCheckpoint> ListCheckpoints(const std::filesystem::path& run);

class CheckpointStore {
 public:
  // Creates the run's directory if need be, locks it and removes what a kill left behind. Throws
  // UserError if another process has the store.
  CheckpointStore(std::filesystem::path run, const CheckpointOptions& options);

  // The newest checkpoint whose files are all intact; nothing if the run has none. Newer ones that
  // are broken are renamed to broken-*, with a warning that says why. Throws UserError if there are
  // checkpoints but none is intact.
  std::optional<StoredCheckpoint> FindNewest();

  // Writes checkpoint content.state.update, replacing one of the same update, moves the links and
  // deletes what need not be kept. Throws UserError, with the earlier checkpoints and links as they
  // were, if it cannot be written.
  std::filesystem::path Save(const CheckpointContent& content);

 private:
  std::optional<double> BestMetricOf(const StoredCheckpoint& checkpoint);
  std::vector<int64_t> UpdatesFromBest(const std::vector<StoredCheckpoint>& checkpoints);
  void MoveLinks(const std::vector<StoredCheckpoint>& checkpoints);
  void DeleteOld(const std::vector<StoredCheckpoint>& checkpoints);

  std::filesystem::path run_;
  CheckpointOptions options_;
  std::optional<FileLock> lock_;
  std::optional<int64_t> resumed_;                    // never deleted
  std::map<int64_t, std::optional<double>> metrics_;  // of options_.best_metric, by update
};

}  // namespace heed
