// The store under SIGKILL and on a full disk.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <functional>
#include <random>
#include <thread>

#include "checkpoint/checkpoint_store.h"
#include "checkpoint/manifest.h"
#include "tests/checkpoint/example_checkpoint.h"
#include "tests/util/temporary_directory.h"
#include "util/check.h"
#include "util/files.h"
#include "util/logging.h"

namespace heed {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kWidth = 2000;
const CheckpointOptions kOptions = {
    .keep_last = 2, .keep_best = 1, .best_metric = ValidationMetric::kNll};

pid_t Fork(const std::function<int()>& child) {
  const pid_t process = fork();
  if (process == 0) _exit(child());
  return process;
}

// Goes on from the newest checkpoint and saves for ever; every value is a function of the update.
// Writes a byte to `started` before the first save.
int SaveInALoop(const fs::path& run, ExampleModel& model, int started) {
  CheckpointStore store(run, kOptions);
  const auto newest = store.FindNewest();
  if (write(started, "x", 1) != 1) return 1;
  for (int64_t update = newest ? newest->update + 1 : 1;; ++update) {
    model.Fill(static_cast<uint64_t>(update));
    store.Save(ValidatedContent(model, update, "nll", static_cast<double>(update * 7 % 11)));
  }
}

// Microseconds that filling and saving take on this machine now.
int64_t TimeOfSaving(ExampleModel& model) {
  const TemporaryDirectory directory;
  CheckpointStore store(directory / "run", kOptions);
  const auto start = std::chrono::steady_clock::now();
  for (int64_t update = 1; update <= 4; ++update) {
    model.Fill(static_cast<uint64_t>(update));
    store.Save(model.Content(update));
  }
  const auto time = std::chrono::steady_clock::now() - start;
  return std::chrono::duration_cast<std::chrono::microseconds>(time).count() / 4;
}

int64_t CountLeftovers(const fs::path& directory) {
  int64_t count = 0;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(directory, error)) {
    if (entry.path().filename().string().starts_with(".tmp-")) ++count;
  }
  return count;
}

TEST(CheckpointKill, FiftyKillsAtRandomMomentsNeverLoseACheckpoint) {
  StartLogging("warning");
  const TemporaryDirectory directory;
  const fs::path run = directory / "run";
  ExampleModel model(1, kWidth);
  std::mt19937_64 random(1);
  const auto time = static_cast<uint64_t>(TimeOfSaving(model));
  int started[2];
  ASSERT_EQ(pipe(started), 0);
  int64_t newest_update = 0;
  int64_t interrupted = 0;
  for (int round = 0; round < 50; ++round) {
    const pid_t child = Fork([&] { return SaveInALoop(run, model, started[1]); });
    char byte = 0;
    ASSERT_EQ(read(started[0], &byte, 1), 1);
    std::this_thread::sleep_for(std::chrono::microseconds(random() % (2 * time)));
    ASSERT_EQ(kill(child, SIGKILL), 0);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status)) << "the child ended with " << WEXITSTATUS(status);

    interrupted += CountLeftovers(run / "checkpoints") > 0 ? 1 : 0;
    CheckpointStore store(run, kOptions);
    const auto newest = store.FindNewest();
    if (!newest) continue;
    ASSERT_GE(newest->update, newest_update) << "a checkpoint was lost";
    newest_update = newest->update;
    ExampleModel loaded(0, kWidth);
    ReadBuffers(newest->path, loaded.store(), loaded.buffers());
    model.Fill(static_cast<uint64_t>(newest_update));
    ASSERT_EQ(loaded.Values(), model.Values());
    EXPECT_EQ(ReadRunState(newest->path / kStateFile).update, newest_update);
    EXPECT_EQ(CountLeftovers(run / "checkpoints"), 0);
    EXPECT_FALSE(fs::exists(run / "checkpoints/broken-" / newest->path.filename()));
    for (const std::string_view link : {kBestLink, kLastLink}) VerifyDirectory(run / link);
  }
  EXPECT_GT(newest_update, 5);
  EXPECT_GT(interrupted, 0) << "no kill came inside a save";
}

// Saves one checkpoint, then tries a larger one under `limit`; exit 0 if that failed with a clear
// error and the first is still the newest, intact and linked.
int SaveUntilFull(const fs::path& run, const std::function<void()>& limit,
                  std::string_view expected) {
  CheckpointStore store(run, kOptions);
  const ExampleModel small(1);
  store.Save(ValidatedContent(small, 1, "nll", 1.0));
  limit();
  const ExampleModel large(2, 100000);
  try {
    store.Save(ValidatedContent(large, 2, "nll", 0.5));
    return 2;
  } catch (const UserError& error) {
    if (std::string_view(error.what()).find(expected) == std::string::npos) {
      fmt::print(stderr, "{}\n", error.what());
      return 3;
    }
  }
  if (CountLeftovers(run / "checkpoints") != 0) return 4;
  const auto newest = store.FindNewest();
  if (!newest || newest->update != 1 || fs::exists(run / "checkpoints/update-00000002")) return 5;
  ExampleModel loaded(3);
  ReadBuffers(run / kBestLink, loaded.store(), loaded.buffers());
  if (loaded.Values() != small.Values()) return 6;
  store.Save(ValidatedContent(small, 3, "nll", 0.5));
  return store.FindNewest()->update == 3 ? 0 : 7;
}

int WaitFor(pid_t child) {
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  return WEXITSTATUS(status);
}

// A limit on file sizes makes write fail in the middle of a file, as a quota does.
TEST(CheckpointFullDisk, AFailedWriteLeavesTheEarlierCheckpoint) {
  const TemporaryDirectory directory;
  const auto limit = [] {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit size{.rlim_cur = 500000, .rlim_max = RLIM_INFINITY};
    setrlimit(RLIMIT_FSIZE, &size);
  };
  EXPECT_EQ(
      WaitFor(Fork([&] { return SaveUntilFull(directory / "run", limit, "File too large"); })), 0);
}

// On a real, small file system. The free space is known beforehand, so nothing is written at all.
TEST(CheckpointFullDisk, TooLittleSpaceIsFoundBeforeWriting) {
  constexpr int kNoMount = 77;
  const TemporaryDirectory directory;
  const int result = WaitFor(Fork([&] {
    const bool mounted = (unshare(CLONE_NEWNS) == 0 || unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0) &&
                         mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
                         mount("tmpfs", directory.path().c_str(), "tmpfs", 0, "size=4m") == 0;
    if (!mounted) return kNoMount;
    return SaveUntilFull(
        directory / "run", [] {}, "the checkpoint of update 2 needs ");
  }));
  if (result == kNoMount) GTEST_SKIP() << "this system lets the test mount no file system";
  EXPECT_EQ(result, 0);
}

// Another process takes the space between the check and the write.
TEST(CheckpointFullDisk, SpaceThatRunsOutWhileWritingLeavesTheEarlierCheckpoint) {
  constexpr int kNoMount = 77;
  const TemporaryDirectory directory;
  const int result = WaitFor(Fork([&] {
    const bool mounted = (unshare(CLONE_NEWNS) == 0 || unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0) &&
                         mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
                         mount("tmpfs", directory.path().c_str(), "tmpfs", 0, "size=4m") == 0;
    if (!mounted) return kNoMount;
    try {
      AtomicFile file(directory / "file");
      for (int i = 0; i < 8; ++i) file.Write(std::string(1 << 20, 'x'));
      file.Commit();
      return 2;
    } catch (const UserError& error) {
      const std::string_view text = error.what();
      if (text.find("No space left on device") == std::string::npos) return 3;
    }
    return fs::is_empty(directory.path()) ? 0 : 4;
  }));
  if (result == kNoMount) GTEST_SKIP() << "this system lets the test mount no file system";
  EXPECT_EQ(result, 0);
}

}  // namespace
}  // namespace heed
