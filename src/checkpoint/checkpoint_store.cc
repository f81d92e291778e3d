#include "checkpoint/checkpoint_store.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>
#include <system_error>
#include <utility>

#include "checkpoint/manifest.h"
#include "util/check.h"
#include "util/files.h"
#include "util/logging.h"

namespace heed {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFolder = "checkpoints";
constexpr std::string_view kNamePrefix = "update-";
constexpr int64_t kSpareBytes = int64_t{1} << 20;  // for headers, state and recipe

std::string NameOf(int64_t update) {
  return fmt::format("{}{:08}", kNamePrefix, update);
}

// The update in the name of a checkpoint's directory, or nothing.
std::optional<int64_t> UpdateOf(const std::string& name) {
  if (!name.starts_with(kNamePrefix)) return std::nullopt;
  int64_t update = -1;
  const char* end = name.data() + name.size();
  const auto result = std::from_chars(name.data() + kNamePrefix.size(), end, update);
  if (result.ec != std::errc() || update < 0 || NameOf(update) != name) return std::nullopt;
  return update;
}

// Throws UserError that says what is broken.
void Verify(const StoredCheckpoint& checkpoint) {
  const Manifest manifest = VerifyDirectory(checkpoint.path);
  if (manifest.update != checkpoint.update) {
    ThrowUserError("{} holds update {}", checkpoint.path.string(), manifest.update);
  }
  for (const std::string_view file : {kModelFile, kStateFile}) {
    if (manifest.Find(file) == nullptr) {
      ThrowUserError("{} does not list {}", (checkpoint.path / kManifestFile).string(), file);
    }
  }
}

void SetAside(const StoredCheckpoint& checkpoint) {
  const fs::path aside =
      checkpoint.path.parent_path() / ("broken-" + checkpoint.path.filename().string());
  std::error_code error;
  fs::remove_all(aside, error);
  fs::rename(checkpoint.path, aside, error);
  if (error) ThrowFileError("rename", checkpoint.path, error.value());
  HEED_LOG(warn, "it is kept as {}; delete it when you like", aside.string());
}

}  // namespace

std::vector<StoredCheckpoint> ListCheckpoints(const fs::path& run) {
  std::vector<StoredCheckpoint> checkpoints;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(run / kFolder, error)) {
    const auto update = UpdateOf(entry.path().filename().string());
    if (update && entry.is_directory()) checkpoints.push_back({*update, entry.path()});
  }
  std::ranges::sort(checkpoints, {}, &StoredCheckpoint::update);
  return checkpoints;
}

CheckpointStore::CheckpointStore(fs::path run, const CheckpointOptions& options)
    : run_(std::move(run)), options_(options) {
  MakeDirectories(run_ / kFolder);
  lock_.emplace(run_ / ".lock", "stop the other training of this run or choose another 'output'");
  const int64_t leftovers = RemoveLeftovers(run_) + RemoveLeftovers(run_ / kFolder);
  if (leftovers > 0) {
    HEED_LOG(info, "{}: removed {} unfinished files of an earlier process", run_.string(),
             leftovers);
  }
}

std::optional<StoredCheckpoint> CheckpointStore::FindNewest() {
  const std::vector<StoredCheckpoint> checkpoints = ListCheckpoints(run_);
  std::vector<StoredCheckpoint> broken;
  std::optional<StoredCheckpoint> newest;
  for (auto it = checkpoints.rbegin(); it != checkpoints.rend() && !newest; ++it) {
    try {
      Verify(*it);
      newest = *it;
    } catch (const UserError& error) {
      HEED_LOG(warn, "checkpoint {} is broken: {}", it->path.string(), error.what());
      broken.push_back(*it);
    }
  }
  if (!newest && !broken.empty()) {
    ThrowUserError(
        "none of the {} checkpoints in {} is intact, see the warnings above; delete that directory "
        "or choose another 'output' to train from the beginning",
        broken.size(), (run_ / kFolder).string());
  }
  for (const StoredCheckpoint& checkpoint : broken) SetAside(checkpoint);
  if (!newest) return std::nullopt;
  if (!broken.empty()) HEED_LOG(warn, "going back to checkpoint {}", newest->path.string());
  resumed_ = newest->update;
  MoveLinks(ListCheckpoints(run_));
  return newest;
}

fs::path CheckpointStore::Save(const CheckpointContent& content) {
  const int64_t update = content.state.update;
  RequireFreeBytes(run_, EstimateBytes(content) + kSpareBytes,
                   fmt::format("the checkpoint of update {}", update));
  fs::path target = run_ / kFolder / NameOf(update);
  AtomicDirectory directory(target);
  WriteCheckpoint(directory.path(), content);
  directory.Commit();
  metrics_.erase(update);
  const std::vector<StoredCheckpoint> checkpoints = ListCheckpoints(run_);
  MoveLinks(checkpoints);
  DeleteOld(checkpoints);
  return target;
}

// The metric that ranks checkpoints, if it was measured at this checkpoint's update.
std::optional<double> CheckpointStore::BestMetricOf(const StoredCheckpoint& checkpoint) {
  const auto known = metrics_.find(checkpoint.update);
  if (known != metrics_.end()) return known->second;
  std::optional<double>& metric = metrics_[checkpoint.update];
  try {
    const RunState state = ReadRunState(checkpoint.path / kStateFile);
    if (state.validations.empty() || state.validations.back().update != checkpoint.update) {
      return metric;
    }
    const auto& values = state.validations.back().metrics;
    const auto found = values.find(std::string(EnumToString(options_.best_metric)));
    if (found != values.end() && !std::isnan(found->second)) metric = found->second;
  } catch (const UserError& error) {
    HEED_LOG(warn, "checkpoint {} is not ranked: {}", checkpoint.path.string(), error.what());
  }
  return metric;
}

// Those that were validated, best first; of equal ones the earlier.
std::vector<int64_t> CheckpointStore::UpdatesFromBest(
    const std::vector<StoredCheckpoint>& checkpoints) {
  std::vector<std::pair<double, int64_t>> ranked;
  const double sign = HigherIsBetter(options_.best_metric) ? -1 : 1;
  for (const StoredCheckpoint& checkpoint : checkpoints) {
    const auto metric = BestMetricOf(checkpoint);
    if (metric) ranked.emplace_back(sign * *metric, checkpoint.update);
  }
  std::ranges::sort(ranked);
  std::vector<int64_t> updates;
  updates.reserve(ranked.size());
  for (const auto& [value, update] : ranked) updates.push_back(update);
  return updates;
}

void CheckpointStore::MoveLinks(const std::vector<StoredCheckpoint>& checkpoints) {
  const auto point = [this](std::string_view link, int64_t update) {
    const fs::path target = fs::path(kFolder) / NameOf(update);
    std::error_code ignored;
    if (fs::read_symlink(run_ / link, ignored) != target) ReplaceSymlink(run_ / link, target);
  };
  if (checkpoints.empty()) return;
  point(kLastLink, checkpoints.back().update);
  const std::vector<int64_t> from_best = UpdatesFromBest(checkpoints);
  if (options_.keep_best > 0 && !from_best.empty()) point(kBestLink, from_best.front());
}

void CheckpointStore::DeleteOld(const std::vector<StoredCheckpoint>& checkpoints) {
  std::set<int64_t> kept;
  if (resumed_) kept.insert(*resumed_);
  const auto count = static_cast<int64_t>(checkpoints.size());
  for (int64_t i = std::max<int64_t>(0, count - std::max<int64_t>(1, options_.keep_last));
       i < count; ++i) {
    kept.insert(checkpoints[static_cast<size_t>(i)].update);
  }
  std::vector<int64_t> from_best = UpdatesFromBest(checkpoints);
  from_best.resize(std::min(from_best.size(), static_cast<size_t>(options_.keep_best)));
  kept.insert(from_best.begin(), from_best.end());
  for (const std::string_view link : {kBestLink, kLastLink}) {
    std::error_code ignored;
    const auto update = UpdateOf(fs::read_symlink(run_ / link, ignored).filename().string());
    if (update) kept.insert(*update);
  }
  for (const StoredCheckpoint& checkpoint : checkpoints) {
    if (kept.contains(checkpoint.update)) continue;
    try {
      RemoveDirectory(checkpoint.path);
      metrics_.erase(checkpoint.update);
    } catch (const UserError& error) {
      HEED_LOG(warn, "an old checkpoint stays: {}", error.what());
    }
  }
}

}  // namespace heed
