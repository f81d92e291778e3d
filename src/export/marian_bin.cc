#include "export/marian_bin.h"

#include <string>

#include "export/file_numbers.h"
#include "util/check.h"
#include "util/files.h"

namespace heed {
namespace {

int64_t PaddedBytes(int64_t bytes) {
  return (bytes + kMarianBlock - 1) / kMarianBlock * kMarianBlock;
}

void WriteBinHeaders(AtomicFile& file, const std::vector<MarianItem>& items) {
  WriteNumber<uint64_t>(file, static_cast<int64_t>(kMarianBinVersion));
  WriteNumber<uint64_t>(file, std::ssize(items));
  for (const MarianItem& item : items) {
    WriteNumber<uint64_t>(file, std::ssize(item.name) + 1);
    WriteNumber<uint64_t>(file, static_cast<int64_t>(item.type));
    WriteNumber<uint64_t>(file, std::ssize(item.shape));
    WriteNumber<uint64_t>(file, PaddedBytes(item.bytes()));
  }
  for (const MarianItem& item : items) file.Write(item.name.c_str(), std::ssize(item.name) + 1);
  for (const MarianItem& item : items) {
    for (const int64_t size : item.shape) WriteNumber<int32_t>(file, size);
  }
}

// As Marian does it: 1 to 256 zeros, and their number before them.
void WritePadding(AtomicFile& file) {
  const int64_t here = file.bytes() + static_cast<int64_t>(sizeof(uint64_t));
  const int64_t zeros = (here / kMarianBlock + 1) * kMarianBlock - here;
  WriteNumber<uint64_t>(file, zeros);
  file.Write(std::string(static_cast<size_t>(zeros), '\0'));
}

}  // namespace

void WriteMarianBin(const std::filesystem::path& path, const std::vector<MarianItem>& items) {
  AtomicFile file(path);
  WriteBinHeaders(file, items);
  WritePadding(file);
  for (const MarianItem& item : items) {
    const std::string data = item.make();
    HEED_CHECK(std::ssize(data) == item.bytes(), "{} has {} bytes instead of {}", item.name,
               data.size(), item.bytes());
    file.Write(data);
    file.Write(std::string(static_cast<size_t>(PaddedBytes(item.bytes()) - item.bytes()), '\0'));
  }
  file.Commit();
}

}  // namespace heed
