// libFuzzer's door to the readers:
//   fuzz_readers --reader=NAME --work=DIR --model=CHECKPOINT [libFuzzer's options] CORPUS
//   fuzz_readers --list
// Exports the checkpoint into DIR as the reader's format; its file is the corpus' first member.
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>

#include "backend/backend.h"
#include "config/enum_names.h"
#include "export/export_model.h"
#include "tests/fuzz/readers.h"
#include "util/check.h"

namespace heed {
namespace {

namespace fs = std::filesystem;

const FuzzedReader* g_reader = nullptr;
fs::path g_directory;

std::string Argument(int argc, char** argv, std::string_view name) {
  const std::string prefix = fmt::format("--{}=", name);
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument.starts_with(prefix)) return std::string(argument.substr(prefix.size()));
  }
  std::cerr << fmt::format("fuzz_readers: --{} is missing\n", name);
  std::exit(2);
}

// The directory that the reader reads, made from a sound checkpoint.
void MakeDirectory(const fs::path& checkpoint, const fs::path& directory) {
  fs::remove_all(directory);
  fs::create_directories(directory.parent_path());
  if (g_reader->format.empty()) {
    fs::copy(checkpoint, directory);
    return;
  }
  const ModelSource model(checkpoint);
  const ExportOptions options{.format = EnumFromString<ExportFormat>(g_reader->format).value(),
                              .type = EnumFromString<ElementType>(g_reader->type).value()};
  const auto backend = MakeBackend({});
  ExportModel(model, options, directory, *backend);
}

// The corpus folder is libFuzzer's first argument that is no option.
void Seed(int argc, char** argv) {
  char** folder = std::find_if(argv + 1, argv + argc, [](const char* a) { return a[0] != '-'; });
  if (folder == argv + argc || !fs::is_directory(*folder)) return;
  fs::copy_file(g_directory / g_reader->file, fs::path(*folder) / "sound",
                fs::copy_options::overwrite_existing);
}

void Initialise(int argc, char** argv) {
  if (std::any_of(argv + 1, argv + argc, [](const char* a) { return !std::strcmp(a, "--list"); })) {
    for (const FuzzedReader& reader : FuzzedReaders()) std::cout << reader.name << '\n';
    std::exit(0);
  }
  spdlog::set_level(spdlog::level::off);
  const std::string name = Argument(argc, argv, "reader");
  const auto found = std::ranges::find(FuzzedReaders(), name, &FuzzedReader::name);
  if (found == FuzzedReaders().end()) {
    std::cerr << fmt::format("fuzz_readers: no reader is called {}; see --list\n", name);
    std::exit(2);
  }
  g_reader = &*found;
  g_directory = fs::path(Argument(argc, argv, "work")) / name;
  MakeDirectory(Argument(argc, argv, "model"), g_directory);
  Seed(argc, argv);
}

}  // namespace
}  // namespace heed

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  heed::Initialise(*argc, *argv);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  // Not WriteFile, which waits for the disk.
  std::ofstream(heed::g_directory / heed::g_reader->file, std::ios::binary) << bytes;
  try {
    heed::g_reader->read(heed::g_directory);
  } catch (const heed::UserError&) {  // that is how readers refuse
  }
  return 0;
}
