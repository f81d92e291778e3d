// Directories that are either whole or absent, links, locks. See files.h for the rules.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace heed {

// A directory that is filled under a temporary name, path(), and appears whole at Commit. A
// directory that already has the target's name is replaced; without Commit nothing is left.
class AtomicDirectory {
 public:
  explicit AtomicDirectory(std::filesystem::path target);
  AtomicDirectory(const AtomicDirectory&) = delete;
  AtomicDirectory& operator=(const AtomicDirectory&) = delete;
  ~AtomicDirectory();

  const std::filesystem::path& path() const { return temporary_; }
  // Syncs every file and directory below path(), then renames.
  void Commit();

 private:
  std::filesystem::path target_, temporary_;
};

// Holds an advisory lock on a file, created if need be, until destroyed or the process ends in any
// way. Throws UserError with `what_to_do` if another process holds it.
class FileLock {
 public:
  FileLock(const std::filesystem::path& path, std::string_view what_to_do);
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  ~FileLock();

 private:
  int descriptor_ = -1;
};

// Makes `link` a symbolic link to `target` (kept as given: relative to the link's directory if
// relative), replacing a link or file of that name in one step.
void ReplaceSymlink(const std::filesystem::path& link, const std::filesystem::path& target);

// Throws UserError if anything has that name, be it a link to nothing: output replaces no model.
void RequireAbsent(const std::filesystem::path& output);

// Creates a directory with its parents.
void MakeDirectories(const std::filesystem::path& path);
// Deletes a directory with all that is in it; if a kill interrupts that, it is gone from its name.
void RemoveDirectory(const std::filesystem::path& path);
// Makes renames and new names in a directory survive a power cut.
void SyncDirectory(const std::filesystem::path& path);
// Deletes the ".tmp-*" entries of a directory; returns how many there were. Call it only while no
// other process writes there.
int64_t RemoveLeftovers(const std::filesystem::path& directory);

}  // namespace heed
