// Every reader of files that may come from anywhere, as a fuzzer calls it.
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>

namespace heed {

struct FuzzedReader {
  std::string name;
  // The file whose bytes the fuzzer makes up, in a directory where all others are sound.
  std::string file;
  // How `heed export` writes the directory: format and type; empty = a checkpoint.
  std::string format;
  std::string type;
  // Reads the directory. UserError is how it may fail; everything else is a fault.
  std::function<void(const std::filesystem::path& directory)> read;
};

std::span<const FuzzedReader> FuzzedReaders();

}  // namespace heed
